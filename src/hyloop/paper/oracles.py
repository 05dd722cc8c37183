"""Oracles for the paper's algorithms, from networkx and plain sets.

They share no code with the machine: distances come from the degraded graph and again from the star expansion, the
Helly property from all families of hyperedges. Needs the extra `hyloop[oracles]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx

from hyloop.hypergraph import Hypergraph
from hyloop.paper.algorithms import OutputValues


def members(h: Hypergraph) -> list[set[int]]:
    """The vertices of each hyperedge, by number."""
    return [{h.vertex_number(label) for label in h.members_of(name)} for name in h.hyperedges]


def degraded(h: Hypergraph) -> nx.Graph:
    """The graph with an edge for every two vertices in a common hyperedge, of the least such weight."""
    graph = nx.Graph()
    graph.add_nodes_from(range(len(h.vertices)))
    for held, weight in zip(members(h), h.weights, strict=True):
        for u, v in combinations(sorted(held), 2):
            if not graph.has_edge(u, v) or weight < graph[u][v]["weight"]:
                graph.add_edge(u, v, weight=weight)
    return graph


def star(h: Hypergraph) -> nx.DiGraph:
    """The directed star expansion: an edge into a hyperedge costs its weight, an edge out of it 0."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(h.vertices)))
    for number, (held, weight) in enumerate(zip(members(h), h.weights, strict=True)):
        for v in held:
            graph.add_edge(v, ("hyperedge", number), weight=weight)
            graph.add_edge(("hyperedge", number), v, weight=0)
    return graph


def minimum(h: Hypergraph) -> OutputValues:
    """The lightest hyperedge, the first of several."""
    if not h.weights:
        return {"hyperedge": None, "weight": None}
    least = min(h.weights)
    return {"hyperedge": h.weights.index(least), "weight": least}


def degradation(h: Hypergraph, source: int) -> OutputValues:
    """The row of the degraded graph."""
    graph = degraded(h)
    found: list[Fraction | None] = [
        graph[source][v]["weight"] if graph.has_edge(source, v) else None for v in range(len(h.vertices))
    ]
    found[source] = Fraction(0)
    return {"distance": found}


def dijkstra(h: Hypergraph, source: int) -> OutputValues:
    """Distances on the degraded graph, checked against the star expansion; ties go to the first settled predecessor."""
    graph = degraded(h)
    distance = nx.single_source_dijkstra_path_length(graph, source)
    by_star = nx.single_source_dijkstra_path_length(star(h), source)
    if {v: d for v, d in by_star.items() if isinstance(v, int)} != distance:
        raise AssertionError("the two oracles for Dijkstra disagree")
    return _with_predecessors(graph, distance, "distance", lambda u, v: graph[u][v]["weight"])


def bfs(h: Hypergraph, source: int) -> OutputValues:
    """Levels on the degraded graph."""
    graph = degraded(h)
    return _with_predecessors(graph, nx.single_source_shortest_path_length(graph, source), "level", lambda _, __: 1)


def dfs(h: Hypergraph, source: int) -> OutputValues:
    """Preorder numbers, from 1, and parents of the recursive search that tries neighbours in increasing number."""
    graph = degraded(h)
    order = list(nx.dfs_preorder_nodes(graph, source, sort_neighbors=sorted))
    parent = nx.dfs_predecessors(graph, source, sort_neighbors=sorted)
    numbers = {v: number for number, v in enumerate(order, start=1)}
    vertices = range(len(h.vertices))
    return {"order": [numbers.get(v) for v in vertices], "predecessor": [parent.get(v) for v in vertices]}


def helly(h: Hypergraph) -> OutputValues:
    """Every family of pairwise intersecting hyperedges; the witness from the triples, by sets."""
    edges = [held for held in members(h) if held]
    holds = _every_family(edges) if len(edges) <= FAMILIES else _every_clique(edges)
    witness = next((list(triple) for triple in combinations(range(len(h.vertices)), 3) if _fails(edges, triple)), None)
    if holds != (witness is None):
        raise AssertionError("the two oracles for Helly disagree")
    return {"helly": holds, "witness": witness}


# There are 2^n families of n hyperedges; with more hyperedges than this, only maximal intersecting ones are tested.
FAMILIES = 12


def _every_family(edges: list[set[int]]) -> bool:
    return all(
        set.intersection(*family)
        for size in range(2, len(edges) + 1)
        for family in combinations(edges, size)
        if all(a & b for a, b in combinations(family, 2))
    )


def _every_clique(edges: list[set[int]]) -> bool:
    """A pairwise intersecting family is part of a maximal clique; if that has a common vertex, so has the family."""
    distinct = sorted({frozenset(held) for held in edges}, key=sorted)
    graph = nx.Graph()
    graph.add_nodes_from(distinct)
    graph.add_edges_from((a, b) for a, b in combinations(distinct, 2) if a & b)
    return all(frozenset.intersection(*clique) for clique in nx.find_cliques(graph))


def _fails(edges: list[set[int]], triple: tuple[int, ...]) -> bool:
    crossing = [held for held in edges if len(held & set(triple)) >= 2]
    return bool(crossing) and not set.intersection(*crossing)


def _with_predecessors(
    graph: nx.Graph, distance: Mapping[int, Any], name: str, cost: Callable[[int, int], Fraction | int]
) -> OutputValues:
    """Tie-breaking as in the paper's loop: the first settled vertex that gives the least distance."""
    settled = sorted(distance, key=lambda u: (distance[u], u))
    before = {
        v: next((u for u in settled if graph.has_edge(u, v) and distance[u] + cost(u, v) == distance[v]), None)
        for v in distance
    }
    vertices = range(len(graph))
    return {name: [distance.get(v) for v in vertices], "predecessor": [before.get(v) for v in vertices]}


ORACLES: Mapping[str, Callable[..., OutputValues]] = {
    "minimum": minimum,
    "degradation": degradation,
    "dijkstra": dijkstra,
    "bfs": bfs,
    "dfs": dfs,
    "helly": helly,
    "helly-lemmas": helly,
}
