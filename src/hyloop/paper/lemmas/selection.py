"""Selection: `E ← V_1 where C, else V_0`, on every row."""

from __future__ import annotations

import numpy as np

from hyloop.machine.layer import Layer, linear, mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Names, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, condition: str, if_zero: str, if_one: str, target: str, *, omega: float) -> Layer:
    """The weights as printed: `W⁽⁴⁾` writes column `S_1` from unit `E`, where it should be the other way round."""
    C, V0, V1, E = condition, if_zero, if_one, target
    scratch = "S_1"
    carry = {(column, column): 1.0 for column in (V0, V1, C, E, B_GLOBAL, B_LOCAL)}
    choose = {
        (E, E): 1.0,
        (V0, "S_1"): 1.0,
        (V1, "S_2"): 1.0,
        (C, "S_1"): -omega,
        (B_GLOBAL, "S_2"): -omega,
        (B_LOCAL, "S_2"): -omega,
        (C, "S_2"): omega,
    }
    add_up = {(E, E): 1.0, ("S_1", "S_1"): 1.0, ("S_2", "S_1"): 1.0}
    return Layer((), mlp(layout, carry, choose, add_up, {(E, scratch): 1.0, (E, E): -1.0}))


def corrected(layout: Layout, condition: str, if_zero: str, if_one: str, target: str, *, omega: float) -> Layer:
    """`E += ±relu(±(V_0 - E) - 2ΩC) ± relu(±(V_1 - E) - 2Ω(1 - C))`: one difference passes, the other is gated off.

    All three values lie in [-Ω, Ω]. If `target` is one of the two values, its half of the units vanishes.
    """
    units: dict[str, dict[str, float]] = {}
    out: dict[tuple[str, str], float] = {}
    for sign in (1.0, -1.0):
        for name, value, gate in (
            ("zero", if_zero, {condition: -2 * omega}),
            ("one", if_one, {condition: 2 * omega, B_GLOBAL: -2 * omega, B_LOCAL: -2 * omega}),
        ):
            if value == target:
                continue
            unit = f"select {target} {name} {'+' if sign > 0 else '-'}"
            units[unit] = linear({value: sign}, {target: -sign}, gate)
            out[unit, target] = sign
    return Layer((), one_stage(layout, units, out))


def _promise(given: Situation) -> SlotValues:
    return {"E": np.where(given["C"] == 1, given["V_1"], given["V_0"])}


def _printed(layout: Layout, names: Names, omega: float) -> Layer:
    return printed(layout, names["C"], names["V_0"], names["V_1"], names["E"], omega=omega)


def _corrected(layout: Layout, names: Names, omega: float) -> Layer:
    return corrected(layout, names["C"], names["V_0"], names["V_1"], names["E"], omega=omega)


LEMMA = Lemma(
    name="selection",
    label="lem:selection",
    says="E ← V_1 where C = 1, V_0 where C = 0",
    slots=(
        Slot("C", "column"),
        Slot("V_0", "column", -1, 1, of_omega=True),
        Slot("V_1", "column", -1, 1, of_omega=True),
        Slot("E", "column", -1, 1, of_omega=True),
    ),
    scratch=("S_1", "S_2"),
    rowwise=True,
    promise=_promise,
    printed=_printed,
    corrected=_corrected,
    aliases=({"E": "V_0"}, {"E": "V_1"}, {"E": "C"}, {"V_0": "V_1"}, {"E": "C", "V_0": "C"}),
    holds_if="never: W4 has (E, S_1) for (S_1, E); with that corrected, for values in [0, Ω] and stale E ≥ 0",
    mend="differences with both signs, gated by 2Ω",
    defects=(
        Defect("result_left_on_the_scratchpad", Trial(8, {"C": (1,), "V_0": (0,), "V_1": (1,), "E": (0,)})),
        Defect("negative_value", Trial(8, {"C": (1,), "V_0": (0,), "V_1": (-5,), "E": (0,)})),
        Defect("negative_stale_target", Trial(8, {"C": (1,), "V_0": (0,), "V_1": (2,), "E": (-6,)})),
    ),
)
