"""Degradation, Dijkstra and BFS by networkx, on the degraded graph and on the star expansion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets

Number = Fraction | int


def degradation_in_degraded_graph(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    here = sets.vertex(source)
    around = {v: data["weight"] for v, data in sets.degraded()[here].items()}
    return {"distance": sets.over_vertices(around | {here: 0})}


def degradation_in_star(H: Hypergraph, source: object) -> Mapping[str, Any]:
    """The least weight of the hyperedges that are neighbours of both."""
    sets = Sets.of(H)
    here, star = sets.vertex(source), sets.star()
    found = {}
    for v in range(len(sets.vertices)):
        common = set(star["v", here]) & set(star["v", v])
        if common:
            found[v] = min(star["v", v][edge]["weight"] for edge in common)
    return {"distance": sets.over_vertices(found | {here: 0})}


def dijkstra_in_degraded_graph(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    distance = nx.single_source_dijkstra_path_length(sets.degraded(), sets.vertex(source))
    return {"distance": sets.over_vertices(distance), **_by_definition(sets, sets.weights, distance)}


def dijkstra_in_star(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    distance, tree = _in_star(sets, sets.weights, source)
    return {"distance": distance, **tree}


def bfs_in_degraded_graph(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    level = nx.single_source_shortest_path_length(sets.degraded(), sets.vertex(source))
    return {"level": sets.over_vertices(level), **_by_definition(sets, [1] * len(sets.members), level)}


def bfs_in_star(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    level, tree = _in_star(sets, [1] * len(sets.members), source)
    return {"level": level, **tree}


def _by_definition(sets: Sets, weights: Sequence[Number], distance: Mapping[int, Number]) -> Mapping[str, Any]:
    """`hyperedge[v]`: the lowest e with v and w(e) + least distance in e = distance[v]; `predecessor[v]`: the lowest
    vertex of it at distance[v] - w(e). Neither for the source (distance 0) and for what is not reached."""
    nearest = [min((distance[u] for u in members if u in distance), default=None) for members in sets.members]
    hyperedge, predecessor = {}, {}
    for v, containing in enumerate(sets.hyperedges_of()):
        if distance.get(v, 0) == 0:
            continue
        e = next(e for e in containing if weights[e] + nearest[e] == distance[v])
        hyperedge[v] = e
        predecessor[v] = next(u for u in sorted(sets.members[e]) if distance.get(u) == distance[v] - weights[e])
    return _tree(sets, predecessor, hyperedge)


def _in_star(sets: Sets, weights: Sequence[Number], source: object) -> tuple[dict[Any, Any], Mapping[str, Any]]:
    """The same from the distances to the hyperedges themselves, which the star has as nodes."""
    star = sets.star(weights)
    far = nx.single_source_dijkstra_path_length(star, ("v", sets.vertex(source)))
    hyperedge, predecessor = {}, {}
    for v in range(len(sets.vertices)):
        if far.get(("v", v), 0) > 0:
            nodes = [node for node in star["v", v] if far[node] == far["v", v]]
            hyperedge[v] = min(number for _, number in nodes)
            tails = [u for _, u in star["e", hyperedge[v]] if far["v", u] + weights[hyperedge[v]] == far["v", v]]
            predecessor[v] = min(tails)
    distance = {v: far["v", v] for v in range(len(sets.vertices)) if ("v", v) in far}
    return sets.over_vertices(distance), _tree(sets, predecessor, hyperedge)


def _tree(sets: Sets, predecessor: Mapping[int, int], hyperedge: Mapping[int, int]) -> Mapping[str, Any]:
    return {
        "predecessor": sets.over_vertices(predecessor, sets.vertices),
        "hyperedge": sets.over_vertices(hyperedge, sets.hyperedges),
    }
