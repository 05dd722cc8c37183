"""The graph of pairs (two vertices are joined that share a hyperedge): two sides, triangles, labels; and s-walks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np

from hyloop import Hypergraph
from oracles.sets import Sets, UnsuitedError

FEW = 10  # vertices of which all divisions into two sides can be tried


def _sides(sets: Sets) -> dict[int, int]:
    graph, sides = sets.degraded(), dict[int, int]()
    for component in nx.connected_components(graph):
        steps = nx.single_source_shortest_path_length(graph, min(component))
        sides |= {vertex: 1 + length % 2 for vertex, length in steps.items()}
    return sides


def bipartite_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    sides = _sides(sets)
    holds = nx.is_bipartite(sets.degraded())
    return {"bipartite": holds, "side": sets.over_vertices(sides), "odd": _odd(sets, sides)}


def _odd(sets: Sets, sides: Mapping[int, int]) -> tuple[Any, Any] | None:
    """In the first hyperedge with two vertices of a side: the first two of side 1, or else of side 2."""
    for members in sets.members:
        for side in (1, 2):
            alike = sorted(vertex for vertex in members if sides[vertex] == side)
            if len(alike) >= 2:
                return sets.vertices[alike[0]], sets.vertices[alike[1]]
    return None


def bipartite_by_all_sides(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    if len(sets.vertices) > FEW:
        raise UnsuitedError(f"All divisions of {len(sets.vertices)} vertices are too many to try.")
    pairs = {pair for members in sets.members for pair in combinations(sorted(members), 2)}
    every = product((0, 1), repeat=len(sets.vertices))
    return {"bipartite": any(all(side[u] != side[v] for u, v in pairs) for side in every)}


def triangles_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    found = nx.triangles(sets.degraded())
    return {"triangles": sets.over_vertices(found), "count": sum(found.values()) // 3}


def triangles_by_triples(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    joined = {pair for members in sets.members for pair in combinations(sorted(members), 2)}
    found = [three for three in combinations(range(len(sets.vertices)), 3) if {*combinations(three, 2)} <= joined]
    counts = Counter(vertex for three in found for vertex in three)
    every = {vertex: counts[vertex] for vertex in range(len(sets.vertices))}
    return {"triangles": sets.over_vertices(every), "count": len(found)}


def labels_by_counting(H: Hypergraph, rounds: int) -> Mapping[str, Any]:
    sets = Sets.of(H)
    around = [
        [other for edge in edges for other in sets.members[edge] if other != vertex]
        for vertex, edges in enumerate(sets.hyperedges_of())
    ]
    label = list(range(len(sets.vertices)))
    for done in range(rounds + 1):
        seen = [Counter(label[other] for other in others) for others in around]
        coming = [
            min(counts, key=lambda each: (-counts[each], each)) if counts else own
            for counts, own in zip(seen, label, strict=True)
        ]
        if coming == label or done == rounds:
            break
        label, coming = coming, []
    stable = coming == label
    return {"label": sets.over_vertices(dict(enumerate(label)), sets.vertices), "stable": stable}


def labels_by_matrices(H: Hypergraph, rounds: int) -> Mapping[str, Any]:
    sets = Sets.of(H)
    size = len(sets.vertices)
    B = np.array([[vertex in members for members in sets.members] for vertex in range(size)], dtype=int)
    B = B.reshape(size, len(sets.members))
    A = B @ B.T * (1 - np.eye(size, dtype=int))
    label, stable = np.arange(size), False
    for left in range(rounds, -1, -1):
        counts = A @ np.eye(size, dtype=int)[label]  # argmax takes the lowest of equal ones
        coming = np.where(A.sum(axis=1) > 0, counts.argmax(axis=1) if size else label, label)
        stable = bool((coming == label).all())
        if stable or not left:
            break
        label = coming
    return {"label": sets.over_vertices(dict(enumerate(label.tolist())), sets.vertices), "stable": stable}


def _s_graph(sets: Sets, s: int) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(sets.members)))
    pairs = combinations(range(len(sets.members)), 2)
    graph.add_edges_from((i, j) for i, j in pairs if len(sets.members[i] & sets.members[j]) >= s)
    return graph


def s_distance_by_networkx(H: Hypergraph, source: object, s: int) -> Mapping[str, Any]:
    sets = Sets.of(H)
    graph = _s_graph(sets, s)
    found = nx.single_source_shortest_path_length(graph, sets.hyperedges.index(source))
    before = {
        edge: min(other for other in graph[edge] if found.get(other) == steps - 1)
        for edge, steps in found.items()
        if steps
    }
    named = [before.get(edge) for edge in range(len(sets.hyperedges))]
    return {
        "distance": {label: found.get(edge) for edge, label in enumerate(sets.hyperedges)},
        "previous": {
            label: None if edge is None else sets.hyperedges[edge]
            for label, edge in zip(sets.hyperedges, named, strict=True)
        },
    }


def s_distance_by_matrices(H: Hypergraph, source: object, s: int) -> Mapping[str, Any]:
    """The first power of the matrix of overlaps in which there is an entry."""
    sets = Sets.of(H)
    size = len(sets.members)
    B = np.array([[vertex in members for vertex in range(len(sets.vertices))] for members in sets.members], dtype=int)
    B = B.reshape(size, len(sets.vertices))
    A = np.greater_equal(B @ B.T, s)
    now = np.arange(size) == sets.hyperedges.index(source)
    distance: list[int | None] = [0 if here else None for here in now]
    for steps in range(1, size + 1):
        now = now | (A @ now)
        distance = [steps if old is None and here else old for old, here in zip(distance, now, strict=True)]
    return {"distance": dict(zip(sets.hyperedges, distance, strict=True))}
