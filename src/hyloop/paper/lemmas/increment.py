"""Increment: the pointer `D` becomes one more than the pointer `C`."""

from __future__ import annotations

import numpy as np

from hyloop.machine.heads import Pair
from hyloop.machine.layer import Layer, mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Names, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, source: Pair, target: Pair) -> Layer:
    """The weights as printed: one ReLU copy of each rotated part, so negative sines and cosines are lost."""
    (C1, C2), (D1, D2) = source, target
    (cosine, sine, _), _ = layout.positions.step
    rotate = {(C1, "S_1"): cosine, (C2, "S_2"): cosine, (C1, "S_2"): -sine, (C2, "S_1"): sine}
    keep = {(D1, "D_1"): 1.0, (D2, "D_2"): 1.0}
    carry = {(unit, unit): 1.0 for unit in ("D_1", "D_2", "S_1", "S_2")}
    write = {("S_1", D1): 1.0, ("S_2", D2): 1.0, ("D_1", D1): -1.0, ("D_2", D2): -1.0}
    return Layer((), mlp(layout, {**rotate, **keep}, carry, carry, write))


def corrected(layout: Layout, source: Pair, target: Pair) -> Layer:
    """Both parts of the next code, and the stale target, pass the ReLUs with both signs.

    Circle: a rotation. Parabola: `c + 1` and `c² + 2c + 1`.
    """
    units: dict[str, dict[str, float]] = {}
    out: dict[tuple[str, str], float] = {}
    for part, column in enumerate(target):
        first, second, bias = layout.positions.step[part]
        following = {source[0]: first, source[1]: second, B_GLOBAL: bias}
        for sign, mark in ((1.0, "+"), (-1.0, "-")):
            units[f"next {column} {mark}"] = {name: sign * weight for name, weight in following.items()}
            units[f"erase {column} {mark}"] = {column: sign}
            out[f"next {column} {mark}", column] = sign
            out[f"erase {column} {mark}", column] = -sign
    return Layer((), one_stage(layout, units, out))


def _promise(given: Situation) -> SlotValues:
    following = given.codes[given.pointers + 1]
    top = np.eye(1, given.size)
    return {"D_1": following[:, :1] * top, "D_2": following[:, 1:] * top}


def _pairs(names: Names) -> tuple[Pair, Pair]:
    return (names["C_1"], names["C_2"]), (names["D_1"], names["D_2"])


LEMMA = Lemma(
    name="increment",
    label="lem:increment",
    says="D ← C + 1, for pointers",
    slots=(Slot("D_1", "scalar", -1, 1), Slot("D_2", "scalar", -1, 1)),
    pointer=True,
    points_at_a_row=False,
    scratch=("S_1", "S_2"),
    rowwise=True,
    promise=_promise,
    printed=lambda layout, names, _: printed(layout, *_pairs(names)),
    corrected=lambda layout, names, _: corrected(layout, *_pairs(names)),
    aliases=({"D_1": "C_1", "D_2": "C_2"},),
    holds_if="angles before and after lie in the first quadrant and stale D ≥ 0",
    mend="both signs of both parts; on the parabola c+1 and c²+2c+1",
    defects=(
        Defect("angle_past_a_quarter_turn", Trial(8, {"D_1": (0,), "D_2": (0,)}, pointer=15)),
        Defect("negative_stale_target", Trial(8, {"D_1": (-1,), "D_2": (0,)}, pointer=1)),
    ),
)
