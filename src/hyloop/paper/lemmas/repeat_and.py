"""Repeat AND: `D[i] ← C ∧ D[i] ∧ ¬E[i]` on the lower rows, where `C` is a scalar."""

from __future__ import annotations

import numpy as np

from hyloop.machine.heads import broadcast
from hyloop.machine.layer import Layer, linear, mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Names, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, scalar: str, target: str, without: str) -> Layer:
    """The weights as printed: no head broadcasts the scalar to the lower rows, so the result is always 0 there."""
    C, D, E = scalar, target, without
    first = {
        (D, "D"): 1.0,
        (C, "D"): 1.0,
        (D, "S_1"): 1.0,
        (E, "D"): -1.0,
        (B_GLOBAL, "D"): -1.0,
        (B_LOCAL, "D"): -1.0,
    }
    carry = {("D", "D"): 1.0, ("S_1", "S_1"): 1.0}
    return Layer((), mlp(layout, first, carry, carry, {("D", D): 1.0, ("S_1", D): -1.0}))


def corrected(layout: Layout, scalar: str, target: str, without: str, scratch: str) -> Layer:
    """First a broadcast into an empty scratch column, which is cleared again. The top of the target stays 0."""
    C, D, E, S = scalar, target, without, scratch
    units = {
        f"{D} and {C}": linear({D: 1.0, S: 1.0}, {E: -1.0}, {B_LOCAL: -1.0, B_GLOBAL: -3.0}),
        f"erase {D}": {D: 1.0},
        f"erase {S}": {S: 1.0},
    }
    out = {(f"{D} and {C}", D): 1, (f"erase {D}", D): -1, (f"erase {S}", S): -1}
    return Layer((broadcast(layout, {(C, S): 1}),), one_stage(layout, units, out))


def _promise(given: Situation) -> SlotValues:
    lower = 1 - np.eye(1, given.size)
    return {"D": given["C"][:, :1] * given["D"] * (1 - given["E"]) * lower}


def _corrected(layout: Layout, names: Names, _: float) -> Layer:
    return corrected(layout, names["C"], names["D"], names["E"], names["S"])


LEMMA = Lemma(
    name="repeat AND",
    label="lem:repeat_and",
    says="D[i] ← C ∧ D[i] ∧ ¬E[i] for i ≥ 1",
    slots=(Slot("C", "scalar"), Slot("D", "array"), Slot("E", "array")),
    scratch=("S", "S_1"),
    promise=_promise,
    printed=lambda layout, names, _: printed(layout, names["C"], names["D"], names["E"]),
    corrected=_corrected,
    aliases=({"E": "D"},),
    holds_if="the result is 0 everywhere",
    mend="a broadcast head into a scratch column, then relu(D + S - E - B_local - 3 B_global)",
    defects=(Defect("scalar_never_reaches_the_rows", Trial(8, {"C": (1, 0), "D": (0, 1), "E": (0, 0)})),),
)
