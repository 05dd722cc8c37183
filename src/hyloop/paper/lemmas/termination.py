"""Termination: `X[0, E] ← 1 if the lower rows of C have no zero, else 0`."""

from __future__ import annotations

import numpy as np

from hyloop.machine.heads import identity, least
from hyloop.machine.layer import Layer, head, mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Names, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, source: str, target: str, omega: float) -> Layer:
    """The weights as printed: `1 - Ω + (Ω/n) Σ C`, right only if one zero among n is enough to push it below 0."""
    C, E = source, target
    mean = head(
        layout,
        "plain",
        {(B_GLOBAL, 0): 1, (B_GLOBAL, 1): 1, (B_LOCAL, 0): -1, (B_LOCAL, 1): -1},
        {(B_GLOBAL, 0): -1, (B_GLOBAL, 1): -1, (B_LOCAL, 0): 1, (B_LOCAL, 1): 1},
        {(C, E): omega, (B_LOCAL, E): -omega},
    )
    erase = identity(layout, {(E, E): -1, (B_GLOBAL, E): 1})
    carry = {(unit, unit): 1.0 for unit in ("E", "S_1", "S_2")}
    split = {(E, "E"): 1.0, (E, "S_1"): 1.0, (E, "S_2"): -1.0}
    return Layer((erase, mean), mlp(layout, split, carry, carry, {("E", E): 1, ("S_2", E): 1, ("S_1", E): -1}))


def corrected(layout: Layout, source: str, target: str, omega: float) -> Layer:
    """The top row attends to the rows with the least entry (at most Ω); the value is clipped to 0 or 1."""
    C, E = source, target
    heads = (identity(layout, {(E, E): -1}), least(layout, C, omega, {(C, E): 1}))
    return Layer(heads, one_stage(layout, {f"{E} - 1": {E: 1.0, B_GLOBAL: -1.0}}, {(f"{E} - 1", E): -1}))


def _promise(given: Situation) -> SlotValues:
    everywhere = np.all(given["C"][:, 1:] != 0, axis=1)
    return {"E": everywhere[:, np.newaxis] * np.eye(1, given.size)}


def _printed(layout: Layout, names: Names, omega: float) -> Layer:
    return printed(layout, names["C"], names["E"], omega)


def _corrected(layout: Layout, names: Names, omega: float) -> Layer:
    return corrected(layout, names["C"], names["E"], omega)


LEMMA = Lemma(
    name="termination",
    label="lem:term",
    says="X[0, E] ← (no zero in X[1:, C])",
    slots=(Slot("C", "array"), Slot("E", "column", -1, 1, of_omega=True)),
    corrected_slots={"C": Slot("C", "array", 0, 1, of_omega=True)},
    scratch=("S_1", "S_2"),
    promise=_promise,
    printed=_printed,
    corrected=_corrected,
    aliases=({"E": "C"},),
    holds_if="entries are 0 or 1, Ω ≥ K - 1, and the mean is exact",
    mend="a head that brings the least entry instead of the mean",
    defects=(
        Defect("omega_half_of_n", Trial(1, {"C": (0, 0, 1), "E": (0, 0, 0)})),
        Defect("entries_above_one", Trial(8, {"C": (0, 0, 2), "E": (0, 0, 0)})),
    ),
)
