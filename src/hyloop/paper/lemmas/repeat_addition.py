"""Repeat addition: `D[i] ← C + D[i]` on the lower rows, where `C` is a scalar."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hyloop.machine.heads import broadcast, identity
from hyloop.machine.layer import Layer, no_mlp
from hyloop.machine.layout import Layout
from hyloop.paper.lemma import Lemma, Situation, Slot, SlotValues


def printed(layout: Layout, scalars: str | Mapping[str, float], target: str) -> Layer:
    """As printed, and right on the lower rows: every row gets the scalar, and it is subtracted from the top.

    The statement's `1_K` must be `B_local`: the top of an array stays 0. The same two heads can add several scalars,
    each with a factor.
    """
    parts = {scalars: 1.0} if isinstance(scalars, str) else scalars
    give = {(scalar, target): factor for scalar, factor in parts.items()}
    take = {(scalar, target): -factor for scalar, factor in parts.items()}
    return Layer((broadcast(layout, give), identity(layout, take)), no_mlp(layout))


corrected = printed


def _promise(given: Situation) -> SlotValues:
    lower = 1 - np.eye(1, given.size)
    return {"D": given["D"] + given["C"][:, :1] * lower}


LEMMA = Lemma(
    name="repeat addition",
    label="lem:add",
    says="D[i] ← C + D[i] for i ≥ 1 (the paper writes 1_K for B_local)",
    slots=(Slot("C", "scalar", -1, 1, of_omega=True), Slot("D", "array", -1, 1, of_omega=True)),
    promise=_promise,
    printed=lambda layout, names, _: printed(layout, names["C"], names["D"]),
    corrected=lambda layout, names, _: corrected(layout, names["C"], names["D"]),
    holds_if="read with B_local for 1_K, always",
    mend="none needed",
)
