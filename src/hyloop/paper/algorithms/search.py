"""HypergraphDijkstra, corrected; and BFS and DFS, which the paper names but does not print: the same loop, another key.

Each round picks the unvisited vertex with the least key (one row per iteration), then visits every hyperedge (one per
iteration) and gives the neighbours of the vertex the key `key + cost`: the hyperedge's weight for Dijkstra, 1 for BFS,
-1 for DFS, where the deepest waiting vertex comes next. docs/paper.md explains the differences from the printed
algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass

from hyloop.machine.layer import Layer
from hyloop.machine.layout import Column, Fill, Mark
from hyloop.machine.model import Model
from hyloop.paper.steps import ONE, ONES, Setting, Steps, array, pointer, pointers, scalar


@dataclass(frozen=True)
class Key:
    """The parameters of a search: the column with the cost of a hyperedge, and whether visits are counted."""

    name: str
    cost: str
    counted: bool = False


def dijkstra(given: Setting) -> Model:
    """Least distances and predecessors."""
    return build(given, Key("dijkstra", cost="value"))


def bfs(given: Setting) -> Model:
    """Levels and predecessors: every hyperedge costs 1."""
    return build(given, Key("bfs", cost=ONES))


def dfs(given: Setting) -> Model:
    """Preorder numbers and parents: a vertex's neighbours come before vertices that waited longer."""
    return build(given, Key("dfs", cost="minus_one", counted=True))


def build(given: Setting, key: Key) -> Model:
    """Fifteen layers."""
    s = Steps(given, *_columns(given, key))
    count = _counting(s) if key.counted else {}
    return s.model(
        key.name,
        [  # a finished round: start the next; and hide the visited vertices from the search
            s.repeat_add("again", "done_edges"),
            s.select("masked", "visit", "infinity", "keys"),
            *(s.select_pointer(name, "done_edges", "none") for name in ("current", "best_at", "node", "edge")),
            s.select("best", "done_edges", "infinity"),
            s.select("done_min", "done_edges", "zero"),
            s.select("done_edges", "done_edges", "zero"),
        ],
        [
            s.select("visit_min", "again", "past_vertices"),
            s.select("visit_edge", "again", "past_hyperedges"),
            s.select("candidates", "again", "infinity"),
            s.select("again", "again", "zero"),
            s.increment("current", "current"),
            s.increment("next_edge", "edge"),
            s.less("searching", "done_min", ONE),
        ],
        # GetMinimumValue, one row
        [s.read("value_min", "masked", "current"), s.write("visit_min", "current", ONE)],
        [s.less("less_min", "value_min", "best"), s.all("done_min", "visit_min")],
        [s.both("less_min", "less_min", "searching"), s.select_pointer("edge", "done_min", "next_edge")],
        [
            s.select("best", "less_min", "value_min"),
            s.select_pointer("best_at", "less_min", "current"),
            s.column("value", "edge"),
        ],
        # VisitHyperedge, one hyperedge, once the minimum is found (before that the pointer names none)
        [
            s.select_pointer("node", "done_min", "best_at"),
            s.select("distance", "done_min", "best"),
            s.less("is_zero", "value", ONES),
            s.write("visit_edge", "edge", ONE),
        ],
        [
            s.read("member", "value", "node"),
            s.select("value", "is_zero", "infinity", key.cost),
            s.less("reached", "distance", "far"),
            *count.get("step", []),
        ],
        [
            s.less("member", "zero", "member"),
            s.less("less_edge", "value", "candidates"),
            s.all("done_edges", "visit_edge"),
            *count.get("number", []),
        ],
        [
            s.repeat_and("less_edge", "member", without="is_zero"),
            s.both("done_edges", "done_edges", "done_min"),
            s.clear_pointers("here"),
        ],
        [
            s.select("candidates", "less_edge", "value"),
            s.select("new", "less_edge", "value", "candidates"),
            s.both("commit", "done_edges", "reached"),
            s.repeat_add("here_1", "node_1"),
            s.repeat_add("here_2", "node_2"),
        ],
        # the end of a round: better keys for the neighbours, the vertex visited
        [s.repeat_add("new", "distance"), *count.get("keep", [])],
        [
            s.less("changes", "new", "keys"),
            s.write("visit", "node", "done_edges"),
            *count.get("write", []),
        ],
        [s.repeat_and("changes", "commit", without="visit")],
        [
            s.select("keys", "changes", "new"),
            s.select_pointer("previous", "changes", "here"),
            s.all("halt", "visit"),
        ],
    )


def _columns(given: Setting, key: Key) -> list[tuple[Column, ...]]:
    far = given.infinity - 1  # an unreached vertex must still be found by the search, which starts at infinity
    start = far - 1 if key.counted else 0
    return [
        *(pointer(name) for name in ("current", "best_at", "node", "edge", "next_edge")),
        *(scalar(name) for name in ("value_min", "less_min", "searching", "done_min", "done_edges", "halt")),
        *(scalar(name) for name in ("distance", "member", "reached", "commit")),
        scalar("best", given.infinity),
        scalar("far", far),
        array("visit", Fill(1, "past vertices")),
        array("keys", Fill(far, "vertices"), Mark(start - far, "source")),
        pointers("previous", own=True),
        array("visit_min", Fill(1, "past vertices")),
        array("visit_edge", Fill(1, "past hyperedges")),
        array("candidates", Fill(given.infinity, "rows")),
        *(array(name) for name in ("masked", "value", "is_zero", "less_edge", "new", "changes", "again", "scratch")),
        pointers("here"),
        *(_COUNTING if key.counted else ()),
    ]


# Preorder numbers of a counted search, written as pointers so that they need no sum.
_COUNTING = (
    array("minus_one", Fill(-1, "rows")),
    pointer("count"),
    pointer("next_count"),
    pointer("number"),
    pointers("order"),
)


def _counting(s: Steps) -> dict[str, list[list[Layer]]]:
    """The next preorder number, for a reached vertex, stored at the end of its round. None for the others."""
    return {
        "step": [s.increment("next_count", "count")],
        "number": [s.select_pointer("number", "reached", "next_count", "none")],
        "write": [s.write_pointer("order", "node", "number")],
        "keep": [s.select_pointer("count", "commit", "number")],
    }
