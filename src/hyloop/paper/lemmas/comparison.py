"""Comparison: `E ← C < D`, on every row."""

from __future__ import annotations

import numpy as np

from hyloop.machine.layer import Layer, linear, mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Names, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, smaller: str, larger: str, target: str, omega: float) -> Layer:
    """`Ω relu(D - C) - Ω relu(D - C - 1/Ω)`: wrong for gaps between 0 and 1/Ω."""
    C, D, E = smaller, larger, target
    gap = {
        (E, "E"): 1.0,
        (D, "S_1"): 1.0,
        (D, "S_2"): 1.0,
        (C, "S_1"): -1.0,
        (C, "S_2"): -1.0,
        (B_GLOBAL, "S_2"): -1 / omega,
        (B_LOCAL, "S_2"): -1 / omega,
    }
    step = {("E", "E"): 1.0, ("S_1", "S_1"): omega, ("S_2", "S_1"): -omega}
    carry = {("E", "E"): 1.0, ("S_1", "S_1"): 1.0}
    return Layer((), mlp(layout, gap, step, carry, {("E", E): -1.0, ("S_1", E): 1.0}))


def corrected(layout: Layout, smaller: str, larger: str, target: str) -> Layer:
    """On integers `relu(D - C) - relu(D - C - 1)` is 0 or 1; the stale target is erased with both signs."""
    gap = linear({larger: 1.0}, {smaller: -1.0})
    units = {
        f"{target} gap": gap,
        f"{target} gap - 1": linear(gap, {B_GLOBAL: -1.0, B_LOCAL: -1.0}),
        f"erase {target} +": {target: 1.0},
        f"erase {target} -": {target: -1.0},
    }
    signs = (1.0, -1.0, -1.0, 1.0)
    return Layer((), one_stage(layout, units, {(unit, target): sign for unit, sign in zip(units, signs, strict=True)}))


def _promise(given: Situation) -> SlotValues:
    return {"E": (given["C"] < given["D"]).astype(np.float64)}


def _printed(layout: Layout, names: Names, omega: float) -> Layer:
    return printed(layout, names["C"], names["D"], names["E"], omega)


def _corrected(layout: Layout, names: Names, _: float) -> Layer:
    return corrected(layout, names["C"], names["D"], names["E"])


LEMMA = Lemma(
    name="comparison",
    label="lem:compare",
    says="E ← (C < D)",
    slots=(
        Slot("C", "column", -1, 1, of_omega=True, halves=True),
        Slot("D", "column", -1, 1, of_omega=True, halves=True),
        Slot("E", "column", -1, 1, of_omega=True),
    ),
    corrected_slots={
        "C": Slot("C", "column", -1, 1, of_omega=True),
        "D": Slot("D", "column", -1, 1, of_omega=True),
    },
    scratch=("S_1", "S_2"),
    rowwise=True,
    promise=_promise,
    printed=_printed,
    corrected=_corrected,
    aliases=({"E": "C"}, {"E": "D"}, {"C": "D"}),
    holds_if="D - C ≤ 0 or ≥ 1/Ω, and stale E ≥ 0",
    mend="integers: relu(D-C) - relu(D-C-1), E erased with both signs",
    defects=(
        Defect("gap_below_one_over_omega", Trial(8, {"C": (0,), "D": (1 / 16,), "E": (0,)})),
        Defect("negative_stale_target", Trial(8, {"C": (0,), "D": (0,), "E": (-1,)})),
    ),
)
