"""Read from incident matrix: `X[:, D] ← Ã[:, c]` or `Ã[c, :]`, where row 0 holds a pointer to `c`."""

from __future__ import annotations

from typing import Literal

import numpy as np

from hyloop.machine.heads import Pair, identity, pointer
from hyloop.machine.layer import Layer, no_mlp
from hyloop.machine.layout import B_GLOBAL, Layout
from hyloop.paper.lemma import Lemma, Names, Situation, Slot, SlotValues


def printed(layout: Layout, at: Pair, target: str, which: Literal["incidence", "transposed"] = "incidence") -> Layer:
    """As printed, and right: row `c` of the attention matrix is one-hot after the doubling; `Ã` makes it column `c`.

    `Ã` (incidence) gives the column of hyperedge `c`, `Ãᵀ` (transposed) the row of vertex `c`.
    """
    heads = (pointer(layout, at, {(B_GLOBAL, target): 2}, which), identity(layout, {(target, target): -1}))
    return Layer(heads, no_mlp(layout))


corrected = printed


def _promise(given: Situation) -> SlotValues:
    return {"D": given.incidence[np.arange(len(given.pointers)), :, given.rows_pointed_at]}


def _form(layout: Layout, names: Names, _: float) -> Layer:
    return printed(layout, (names["C_1"], names["C_2"]), names["D"])


LEMMA = Lemma(
    name="read incidence",
    label="lem:read_incident",
    says="X[:, D] ← Ã[:, c] (or Ã[c, :])",
    slots=(Slot("D", "column", -1, 1, of_omega=True),),
    pointer=True,
    incidence=True,
    promise=_promise,
    printed=_form,
    corrected=_form,
    holds_if="the tie between row 0 and row c is exact (on the circle: within a tolerance)",
    mend="none needed",
)
