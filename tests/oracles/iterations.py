"""How many iterations a run may take, by the bounds of the design (§7), from sets and networkx."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import networkx as nx

from oracles.sets import Sets


def exactly(number: int) -> range:
    return range(number, number + 1)


def up_to(number: int) -> range:
    return range(1, number + 1)


def _levels(sets: Sets, source: object) -> range:
    """Eccentricity + 2."""
    return exactly(max(nx.single_source_shortest_path_length(sets.degraded(), sets.vertex(source)).values()) + 2)


def _degradation(sets: Sets, source: object) -> range:
    """Degree + 2."""
    return exactly(sum(sets.vertex(source) in members for members in sets.members) + 2)


def _dfs(sets: Sets, source: object) -> range:
    """Vertices reached + 2."""
    return exactly(len(nx.node_connected_component(sets.degraded(), sets.vertex(source))) + 2)


def _helly(sets: Sets) -> range:
    graph = sets.degraded()
    triangles = sum(nx.triangles(graph).values()) // 3
    return up_to(triangles + graph.number_of_edges() + len(sets.vertices) + 2)


def _searches(sets: Sets) -> range:
    """From every vertex the hyperedges of its component, one to begin and one to stop; and the first iteration."""
    star = sets.star().to_undirected()
    edges = [
        sum(side == "e" for side, _ in nx.node_connected_component(star, ("v", v))) for v in range(len(sets.vertices))
    ]
    return exactly(1 + (sum(edges) + 2 * len(edges) or 1))


BOUNDS: Mapping[str, Callable[..., range]] = {
    "degradation": _degradation,
    "dijkstra": lambda sets, **_: up_to(len(sets.hyperedges) + 2),
    "bfs": lambda sets, **_: up_to(len(sets.hyperedges) + 2),
    "levels": _levels,
    "dfs": _dfs,
    "components": lambda sets: up_to(len(sets.vertices) + 1),
    "helly": _helly,
    "projection": lambda sets: exactly(len(sets.hyperedges) + 2),
    "motifs": lambda sets: exactly(math.comb(len(sets.hyperedges), 2) + 2),
    **dict.fromkeys(("all_pairs", "closeness", "diameter"), _searches),
}


def _of(name: str) -> Callable[..., range]:
    return lambda H, **inputs: BOUNDS[name](Sets.of(H), **inputs)


# For each algorithm, from a hypergraph and the inputs to the numbers of iterations that are right.
ITERATIONS: Mapping[str, Callable[..., range]] = {name: _of(name) for name in BOUNDS}
