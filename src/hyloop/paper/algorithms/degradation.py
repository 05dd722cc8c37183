"""VisitHyperedge: from one vertex to every other, the least weight of a hyperedge with both; one per iteration.

As printed it does not test whether the vertex is in the hyperedge, and tests the visit array of another loop.
"""

from __future__ import annotations

from hyloop.machine.layout import Fill, Mark
from hyloop.machine.model import Model
from hyloop.paper.steps import ONE, ONES, Setting, Steps, array, pointer, scalar


def build(given: Setting) -> Model:
    """Seven layers; one iteration per hyperedge."""
    s = Steps(
        given,
        pointer("node", "source"),
        pointer("edge"),
        *(scalar(name) for name in ("member", "halt")),
        array("visit_edge", Fill(1, "past hyperedges")),
        array("candidates", Fill(given.infinity, "rows"), Mark(-given.infinity, "source")),
        *(array(name) for name in ("value", "is_zero", "less", "scratch")),
    )
    return s.model(
        "degradation",
        [s.increment("edge", "edge")],
        [s.column("value", "edge"), s.write("visit_edge", "edge", ONE)],
        [s.less("is_zero", "value", ONES), s.read("member", "value", "node")],
        [s.select("value", "is_zero", "infinity"), s.less("member", "zero", "member"), s.all("halt", "visit_edge")],
        [s.less("less", "value", "candidates")],
        [s.repeat_and("less", "member", without="is_zero")],
        [s.select("candidates", "less", "value")],
    )
