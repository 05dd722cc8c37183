"""Answers to what the programs in examples/programs compute, from plain Python; nothing here runs one of them.

`PROGRAMS` has, for each, the answer and how its random inputs are drawn (None: as the inputs of any program are).
`tests/whole/test_programs.py` and `benchmarks/sweep_programs.py` both run over it.
"""

from __future__ import annotations

import bisect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx

from hyloop import Capacity, Hypergraph
from oracles.sets import Oracle, Sets

Drawing = Callable[[Hypergraph, random.Random], Mapping[str, Any]]


def _labelled(H: Hypergraph, values: Any) -> dict[Any, Any]:
    return dict(zip(H.vertices, values, strict=True))


def _neighbours(sets: Sets) -> list[list[int]]:
    """The neighbours of each vertex, each as often as there are common hyperedges."""
    found: list[list[int]] = [[] for _ in sets.vertices]
    for members in sets.members:
        for v in members:
            found[v] += members - {v}
    return found


def bellman_ford(H: Hypergraph, source: Any, most: int) -> dict[str, Any]:
    """All walks at once: a dictionary of the least lengths of those with exactly so many hyperedges."""
    sets = Sets.of(H)
    exactly: dict[int, Fraction] = {sets.vertex(source): Fraction(0)}
    least, rounds, settled = dict(exactly), 0, False
    while True:
        coming: dict[int, Fraction] = {}
        for tails, heads, weight in zip(sets.tails, sets.heads, sets.weights, strict=True):
            for u, v in product(tails & exactly.keys(), heads):
                coming[v] = min(coming.get(v, exactly[u] + weight), exactly[u] + weight)
        settled = all(v in least and least[v] <= length for v, length in coming.items())
        if settled or rounds == most:
            return {"distance": sets.over_vertices(least), "rounds": rounds, "settled": settled}
        rounds, exactly = rounds + 1, coming
        least |= {v: min(length, least.get(v, length)) for v, length in coming.items()}


def bellman_ford_by_networkx(H: Hypergraph, source: Any, most: int) -> dict[str, Any]:
    """Layers of a graph, one for each number of hyperedges, in which Dijkstra's algorithm searches."""
    sets, graph = Sets.of(H), nx.DiGraph()
    most = min(most, len(sets.vertices))
    graph.add_nodes_from((number, v) for number in range(most + 1) for v in range(len(sets.vertices)))
    for number in range(most):
        for v in range(len(sets.vertices)):
            graph.add_edge((number, v), (number + 1, v), weight=0)
        for tails, heads, weight in zip(sets.tails, sets.heads, sets.weights, strict=True):
            for u, v in product(tails, heads):
                old = graph.get_edge_data((number, u), (number + 1, v), {"weight": weight})["weight"]
                graph.add_edge((number, u), (number + 1, v), weight=min(old, weight))
    found = nx.single_source_dijkstra_path_length(graph, (0, sets.vertex(source)))
    return {"distance": sets.over_vertices({v: found[most, v] for number, v in found if number == most})}


def majority(H: Hypergraph, opinion: Mapping[Any, bool], rounds: int) -> dict[str, Any]:
    """Votes are counted one by one."""
    around, holds = _neighbours(Sets.of(H)), [opinion[v] for v in H.vertices]
    for done in range(rounds + 1):
        votes = [sum(1 if holds[u] else -1 for u in each) for each in around]
        coming = [vote > 0 if vote else mine for vote, mine in zip(votes, holds, strict=True)]
        if coming == holds or done == rounds:
            return {"opinion": _labelled(H, holds), "rounds": done, "stable": coming == holds}
        holds = coming
    raise AssertionError


def life(H: Hypergraph, alive: Mapping[Any, bool], generations: int) -> dict[str, Any]:
    """Birth with three neighbours, survival with two or three."""
    around, lives = _neighbours(Sets.of(H)), {number for number, v in enumerate(H.vertices) if alive[v]}
    for done in range(generations + 1):
        count = [sum(u in lives for u in each) for each in around]
        coming = {v for v, near in enumerate(count) if near == 3 or (near == 2 and v in lives)}
        if coming == lives or done == generations:
            said = [v in lives for v in range(len(H.vertices))]
            return {"alive": _labelled(H, said), "generations": done, "still": coming == lives}
        lives = coming
    raise AssertionError


def property_b(H: Hypergraph, budget: int) -> dict[str, Any]:
    """All colourings in lexicographic order, if there is enough of a budget; and how often a search would look."""
    sets = Sets.of(H)

    def spoilt(colours: tuple[int, ...]) -> bool:
        return any(members <= {v for v, c in enumerate(colours) if c == k} for members in sets.members for k in (1, 2))

    def looks(colours: tuple[int, ...]) -> int:
        """How many colourings of the first vertices the search makes up to its end, this one included."""
        if spoilt(colours) or len(colours) == len(sets.vertices):
            ended.extend([] if spoilt(colours) else [colours])
            return 1
        one = 1 + looks((*colours, 1))
        return one if ended else one + looks((*colours, 2))

    ended: list[tuple[int, ...]] = []
    steps = looks(()) - 1  # the first one is there
    right = [each for each in product((1, 2), repeat=len(sets.vertices)) if not spoilt(each)]
    if steps > budget:
        return {"found": False, "impossible": False, "steps": budget}
    said = {"found": bool(right), "impossible": not right, "steps": steps}
    return said | ({"colour": _labelled(H, right[0])} if right else {})


def betweenness(H: Hypergraph) -> dict[str, Any]:
    """Path by path: the shortest ones between two vertices, in which hyperedges count, and those that pass a vertex."""
    sets, unit = Sets.of(H), 2**19
    around, n = _neighbours(sets), len(sets.vertices)
    found = [0] * n
    for s in range(n):
        walks: list[list[tuple[int, ...]]] = [[(s,)]]  # all shortest ones, by length
        seen = {s}
        while walks[-1]:
            longer = [(*walk, u) for walk in walks[-1] for u in around[walk[-1]] if u not in seen]
            seen |= {walk[-1] for walk in longer}
            walks.append(longer)
        every = [walk for each in walks for walk in each]
        to = {t: [walk for walk in every if walk[-1] == t] for t in seen}
        for t in seen - {s}:
            for walk in to[t]:
                for v in walk[1:-1]:
                    found[v] += unit // len(to[t])
    return {"betweenness": _labelled(H, found), "exact": True}


def sorting(H: Hypergraph, key: Mapping[Any, Any]) -> dict[str, Any]:
    order = sorted(H.vertices, key=key.__getitem__)
    return {"ordered": _labelled(H, order), "place": {v: order.index(v) + 1 for v in H.vertices}}


def binary_search(H: Hypergraph, values: Mapping[Any, Any], wanted: Any) -> dict[str, Any]:
    """Of an array that does not decrease; of any other, only that it is none."""
    listed = [values[v] for v in H.vertices]
    if listed != sorted(listed):
        return {"ordered": False}
    below = bisect.bisect_left(listed, wanted)
    return {"ordered": True, "below": below, "at": H.vertices[below] if below < len(listed) else None}


def union(H: Hypergraph) -> dict[str, Any]:
    """Sets are merged as sets, hyperedge after hyperedge."""
    sets, parts = Sets.of(H), [{v} for v in range(len(H.vertices))]
    united = []
    for members in sets.members:
        touched = [part for part in parts if part & members]
        parts = [part for part in parts if not part & members] + ([set().union(*touched)] if touched else [])
        united.append(len(touched) > 1)
    lowest = {v: min(part) for part in parts for v in part}
    return {
        "label": sets.over_vertices(lowest, H.vertices),
        "united": dict(zip(H.hyperedges, united, strict=True)),
        "sets": len(parts),
    }


# -- inputs -----------------------------------------------------------------------------------------------------------


def _rounds(name: str, flags: str) -> Drawing:
    return lambda H, draw: {flags: {v: draw.random() < 0.5 for v in H.vertices}, name: draw.choice([0, 1, 2, 3, 9])}


def _search(H: Hypergraph, draw: random.Random) -> dict[str, Any]:
    values = [Fraction(draw.randint(0, 9), draw.choice([1, 1, 2])) for _ in H.vertices]
    rising = sorted(values) if draw.random() < 0.9 else values
    return {"values": _labelled(H, rising), "wanted": Fraction(draw.randint(0, 20), 2)}


@dataclass(frozen=True)
class Known:
    """The answers to a program, and its inputs; `capacity`, where it is proved at another than the default one."""

    oracles: tuple[Oracle, ...]
    draw: Drawing = lambda _, __: {}
    capacity: Capacity | None = None


PROGRAMS: Mapping[str, Known] = {
    "bellman_ford": Known(
        (bellman_ford, bellman_ford_by_networkx),
        lambda H, draw: {"source": draw.choice(H.vertices), "most": draw.choice([0, 1, 2, 3, 9])},
    ),
    "majority": Known((majority,), _rounds("rounds", "opinion")),
    "property_b": Known((property_b,), lambda _, draw: {"budget": draw.choice([0, 3, 10, 5_000, 5_000, 5_000])}),
    "betweenness": Known((betweenness,), capacity=Capacity(2_047, 1_000)),
    "sorting": Known((sorting,), lambda H, draw: {"key": {v: Fraction(draw.randint(0, 9), 2) for v in H.vertices}}),
    "binary_search": Known((binary_search,), _search),
    "union": Known((union,)),
    "life": Known((life,), _rounds("generations", "alive")),
}
