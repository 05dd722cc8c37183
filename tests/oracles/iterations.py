"""How many iterations a run may take, by the bounds of the design (§7), from sets and networkx."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations, count

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


def _independent_set(sets: Sets) -> range:
    """One vertex an iteration."""
    colours = nx.greedy_color(sets.degraded(), strategy=lambda graph, _: sorted(graph))
    return exactly(list(colours.values()).count(0) + 1)


def _matching(sets: Sets) -> range:
    """Each hyperedge begins a search; those that end well look at and turn over at most what is matched by then."""
    n, m = len(sets.vertices), len(sets.hyperedges)
    most = min(n, m)
    return up_to(most * (most + 1) + 2 * m + 1)


def _s_distance(sets: Sets, source: object, s: int) -> range:
    """Hyperedges reached + 2."""
    graph, pairs = nx.Graph(), combinations(range(len(sets.members)), 2)
    graph.add_nodes_from(range(len(sets.members)))
    graph.add_edges_from((i, j) for i, j in pairs if len(sets.members[i] & sets.members[j]) >= s)
    return exactly(len(nx.node_connected_component(graph, sets.hyperedges.index(source))) + 2)


def _reachable(sets: Sets, source: object) -> range:
    """Steps to the farthest vertex + 2."""
    return exactly(max(nx.single_source_shortest_path_length(sets.arcs(), sets.vertex(source)).values()) + 2)


def _forward_chaining(sets: Sets) -> range:
    """Rounds in which something is derived + 2."""
    known: set[int] = set()
    for rounds in count(1):
        rules = zip(sets.tails, sets.heads, strict=True)
        new = set().union(*(heads for tails, heads in rules if tails <= known)) - known
        if not new:
            return exactly(rounds + 1)
        known |= new
    raise AssertionError


def _topological(sets: Sets) -> range:
    """A vertex an iteration, and one to stop; one to begin with the way back, if there is one."""
    return up_to(len(sets.vertices) + 2)


def _b_distance(sets: Sets) -> range:
    """Vertices derived + 2."""
    known: set[int] = set()
    for _ in sets.vertices:
        known |= set().union(*(heads for tails, heads in zip(sets.tails, sets.heads, strict=True) if tails <= known))
    return exactly(len(known) + 2)


def _path_counts(sets: Sets, source: object) -> range:
    """One more than reachable: it counts the paths of 0 steps too."""
    return exactly(_reachable(sets, source).start + 1)


def _weighted_set_cover(sets: Sets) -> range:
    """For each choice at most as many as there are uncovered vertices, and one that takes it."""
    return up_to(math.comb(len(sets.vertices) + 1, 2) + len(sets.vertices) + 2)


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
    "core_numbers": lambda sets: up_to(len(sets.vertices) + 1),
    "k_core": lambda sets, **_: up_to(len(sets.vertices) + 1),
    "independent_set": _independent_set,
    "colouring": lambda sets: exactly(len(sets.vertices) + 1),
    "set_cover": lambda sets: up_to(min(len(sets.vertices), len(sets.hyperedges)) + 1),
    "transversal": lambda sets: up_to(2 * min(len(sets.vertices), len(sets.hyperedges)) + 1),
    "spanning_tree": lambda sets: exactly(len(sets.vertices) + 1),
    "s_distance": _s_distance,
    "bipartite": lambda sets: up_to(len(sets.vertices) + 1),
    "acyclic": lambda sets: up_to(math.comb(len(sets.hyperedges) + 1, 2) + 1),
    "triangles": lambda sets: exactly(sets.degraded().number_of_edges() + len(sets.vertices) + 1),
    "matching": _matching,
    "label_propagation": lambda sets, rounds: up_to(1 + (rounds + 1) * (len(sets.vertices) + 1)),
    "reachable": _reachable,
    "forward_chaining": _forward_chaining,
    "topological": _topological,
    "b_distance": _b_distance,
    "path_counts": _path_counts,
    "pagerank": lambda _, rounds: exactly(2 + 77 * rounds),
    "weighted_set_cover": _weighted_set_cover,
    "scc": lambda sets: up_to(3 * len(sets.vertices) + 1),
    **dict.fromkeys(("all_pairs", "closeness", "diameter"), _searches),
    "subleq": lambda sets, positive, negative, budget: range(2, budget + 3),
}


def _of(name: str) -> Callable[..., range]:
    return lambda H, **inputs: BOUNDS[name](Sets.of(H), **inputs)


# For each algorithm, from a hypergraph and the inputs to the numbers of iterations that are right.
ITERATIONS: Mapping[str, Callable[..., range]] = {name: _of(name) for name in BOUNDS}
