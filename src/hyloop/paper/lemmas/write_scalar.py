"""Write scalar to column: `X[c, E] ← X[0, D]`, where row 0 holds a pointer to `c`."""

from __future__ import annotations

import numpy as np

from hyloop.machine.heads import Pair, identity, pointer
from hyloop.machine.layer import Layer, no_mlp, one_stage
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, Layout
from hyloop.paper.lemma import Defect, Lemma, Names, Situation, Slot, SlotValues, Trial


def printed(layout: Layout, source: str, at: Pair, target: str) -> Layer:
    """The weights as printed: they add to row `c`, and subtract the constant 1 from the top, whatever was written."""
    heads = (pointer(layout, at, {(source, target): 2}), identity(layout, {(B_GLOBAL, target): -1}))
    return Layer(heads, no_mlp(layout))


def corrected(layout: Layout, source: str, at: Pair, target: str, omega: float) -> Layer:
    """Overwrite: row `c` gains `D_0 + E_c` and loses `2E_c`; gain and loss cancel on other rows; the top is cleared.

    The entries of the target lie in [-Ω, Ω].
    """
    D, E = source, target
    heads = (pointer(layout, at, {(D, E): 2, (E, E): 2}), identity(layout, {(E, E): -2}))
    units = {f"clear {E} {mark}": {E: sign, B_LOCAL: -omega} for sign, mark in ((1.0, "+"), (-1.0, "-"))}
    return Layer(heads, one_stage(layout, units, {(f"clear {E} +", E): -1, (f"clear {E} -", E): 1}))


def _promise(given: Situation) -> SlotValues:
    here = np.arange(given.size) == given.rows_pointed_at[:, np.newaxis]
    here[:, 0] = False
    return {"E": np.where(here, given["D"][:, :1], given["E"])}


def _printed(layout: Layout, names: Names, _: float) -> Layer:
    return printed(layout, names["D"], (names["C_1"], names["C_2"]), names["E"])


def _corrected(layout: Layout, names: Names, omega: float) -> Layer:
    return corrected(layout, names["D"], (names["C_1"], names["C_2"]), names["E"], omega)


LEMMA = Lemma(
    name="write scalar",
    label="lem:write_scalar_column",
    says="X[c, E] ← X[0, D]",
    slots=(
        Slot("D", "scalar", -1, 1, of_omega=True),
        Slot("E", "array", -1, 1, of_omega=True),
    ),
    pointer=True,
    promise=_promise,
    printed=_printed,
    corrected=_corrected,
    holds_if="the value is 1 and the entry was 0",
    mend="W_V (D,E)=2, (E,E)=2 against (E,E)=-2; clear the top in the MLP",
    defects=(
        Defect("value_zero_leaves_minus_one_on_top", Trial(8, {"D": (0, 0), "E": (0, 0)}, pointer=1)),
        Defect("value_five_leaves_four_on_top", Trial(8, {"D": (5, 0), "E": (0, 0)}, pointer=1)),
        Defect("adds_instead_of_overwriting", Trial(8, {"D": (1, 0), "E": (0, 1)}, pointer=1)),
    ),
)
