"""AND: `E ← C ∧ D`."""

from __future__ import annotations

from hyloop.machine.layer import Layer, linear, mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, left: str, right: str, target: str) -> Layer:
    """`relu(C + D - B_global)`: the bias is missing on the lower rows, where it computes OR-like sums."""
    C, D, E = left, right, target
    carry = {("E", "E"): 1.0, ("S", "S"): 1.0}
    first = {(E, "E"): 1.0, (C, "S"): 1.0, (D, "S"): 1.0, (B_GLOBAL, "S"): -1.0}
    return Layer((), mlp(layout, first, carry, carry, {("E", E): -1.0, ("S", E): 1.0}))


def corrected(layout: Layout, left: str, right: str, target: str) -> Layer:
    """`relu(C + D - 1)` on every row; the stale target is erased with both signs."""
    units = {
        f"{left} and {right}": linear({left: 1.0}, {right: 1.0}, {B_GLOBAL: -1.0, B_LOCAL: -1.0}),
        f"erase {target} +": {target: 1.0},
        f"erase {target} -": {target: -1.0},
    }
    signs = (1.0, -1.0, 1.0)
    return Layer((), one_stage(layout, units, {(unit, target): sign for unit, sign in zip(units, signs, strict=True)}))


def _promise(given: Situation) -> SlotValues:
    return {"E": given["C"] * given["D"]}


LEMMA = Lemma(
    name="AND",
    label="lem:and",
    says="E ← C ∧ D (the text: for arrays and scalars)",
    slots=(Slot("C", "column"), Slot("D", "column"), Slot("E", "column", -1, 1, of_omega=True)),
    scratch=("S",),
    rowwise=True,
    promise=_promise,
    printed=lambda layout, names, _: printed(layout, names["C"], names["D"], names["E"]),
    corrected=lambda layout, names, _: corrected(layout, names["C"], names["D"], names["E"]),
    aliases=({"E": "C"}, {"E": "D"}, {"D": "C"}),
    holds_if="scalars only, and stale E ≥ 0",
    mend="bias B_global + B_local; E erased with both signs",
    defects=(
        Defect("arrays_lack_the_bias", Trial(8, {"C": (0, 0), "D": (0, 1), "E": (0, 0)})),
        Defect("negative_stale_target", Trial(8, {"C": (0,), "D": (0,), "E": (-1,)})),
    ),
)
