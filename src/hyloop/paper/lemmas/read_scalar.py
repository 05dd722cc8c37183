"""Read scalar from column: `X[0, E] ← X[c, D]`, where row 0 holds a pointer to `c`."""

from __future__ import annotations

import numpy as np

from hyloop.machine.heads import Pair, identity, pointer
from hyloop.machine.layer import Layer, mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Names, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, at: Pair, source: str, target: str, omega: float) -> Layer:
    """The weights as printed: the lower rows are cleared through one ReLU, so negative leftovers stay."""
    D, E = source, target
    heads = (identity(layout, {(E, E): -1}), pointer(layout, at, {(D, E): 2}))
    carry = {("E", "E"): 1.0}
    return Layer(heads, mlp(layout, {(E, "E"): 1, (B_GLOBAL, "E"): -omega}, carry, carry, {("E", E): -1}))


def corrected(layout: Layout, at: Pair, source: str, target: str, omega: float) -> Layer:
    """The printed heads; then the lower rows are cleared with both signs. The value lies in [-Ω, Ω]."""
    D, E = source, target
    heads = (identity(layout, {(E, E): -1}), pointer(layout, at, {(D, E): 2}))
    units = {f"clear {E} {mark}": {E: sign, B_GLOBAL: -omega} for sign, mark in ((1.0, "+"), (-1.0, "-"))}
    return Layer(heads, one_stage(layout, units, {(f"clear {E} +", E): -1, (f"clear {E} -", E): 1}))


def _promise(given: Situation) -> SlotValues:
    found = np.take_along_axis(given["D"], given.rows_pointed_at[:, np.newaxis], axis=1)
    return {"E": found * np.eye(1, given.size)}


def _printed(layout: Layout, names: Names, omega: float) -> Layer:
    return printed(layout, (names["C_1"], names["C_2"]), names["D"], names["E"], omega)


def _corrected(layout: Layout, names: Names, omega: float) -> Layer:
    return corrected(layout, (names["C_1"], names["C_2"]), names["D"], names["E"], omega)


LEMMA = Lemma(
    name="read scalar",
    label="lem:read_scalar_column",
    says="X[0, E] ← X[c, D]",
    slots=(
        Slot("D", "array", -1, 1, of_omega=True),
        Slot("E", "column", -1, 1, of_omega=True),
    ),
    pointer=True,
    promise=_promise,
    printed=_printed,
    corrected=_corrected,
    aliases=({"E": "D"},),
    holds_if="D ≥ 0, its top is 0, and the value is at most Ω",
    mend="clear the lower rows with relu(±E - ΩB_global)",
    defects=(Defect("negative_entry_stays_in_the_rows", Trial(8, {"D": (0, -3), "E": (0, 0)}, pointer=1)),),
)
