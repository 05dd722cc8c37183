"""GetMinimumValue: the least entry of an array and its row, one row per iteration. Here: the lightest hyperedge."""

from __future__ import annotations

from hyloop.machine.layout import Fill, Weights
from hyloop.machine.model import Model
from hyloop.paper.steps import ONE, Setting, Steps, array, pointer, scalar


def build(given: Setting) -> Model:
    """Four layers: step, read and mark, compare, keep the better."""
    s = Steps(
        given,
        *(pointer(name) for name in ("current", "best_at")),
        *(scalar(name) for name in ("value", "less", "halt")),
        scalar("best", given.infinity),
        array("x", Weights(), Fill(given.infinity, "past hyperedges")),
        array("visited", Fill(1, "past hyperedges")),
    )
    return s.model(
        "minimum",
        [s.increment("current", "current")],
        [s.read("value", "x", "current"), s.write("visited", "current", ONE)],
        [s.less("less", "value", "best"), s.all("halt", "visited")],
        [s.select("best", "less", "value"), s.select_pointer("best_at", "less", "current")],
    )
