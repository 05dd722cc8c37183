"""Distances between all pairs, closeness and diameter by networkx, on the degraded graph and on the star expansion."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets

# The distances from each vertex to those that it is connected with.
Table = Mapping[int, Mapping[int, Fraction | int]]


def _in_degraded_graph(sets: Sets) -> Table:
    return dict(nx.all_pairs_dijkstra_path_length(sets.degraded()))


def _in_star(sets: Sets) -> Table:
    """Floyd and Warshall's distances between the vertices of the star."""
    far = nx.floyd_warshall(sets.star())
    numbers = range(len(sets.vertices))
    return {u: {v: far["v", u]["v", v] for v in numbers if far["v", u]["v", v] != float("inf")} for u in numbers}


def all_pairs_in_degraded_graph(H: Hypergraph) -> Mapping[str, Any]:
    return _all_pairs(H, _in_degraded_graph)


def all_pairs_in_star(H: Hypergraph) -> Mapping[str, Any]:
    return _all_pairs(H, _in_star)


def _all_pairs(H: Hypergraph, table: Any) -> Mapping[str, Any]:
    sets = Sets.of(H)
    found = table(sets)
    rows = (sets.over_vertices(found[v]) for v in range(len(sets.vertices)))
    kept = ({label: value for label, value in row.items() if value is not None} for row in rows)
    return {"distance": list(zip(sets.vertices, kept, strict=True))}


def closeness_by_sums(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    found = _in_star(sets)
    numbers = range(len(sets.vertices))
    farness = {v: sum(found[v].values()) for v in numbers}
    return {
        "farness": sets.over_vertices(farness),
        "connected": sets.over_vertices({v: len(found[v]) - 1 for v in numbers}),
        "closeness": sets.over_vertices(
            {v: Fraction(len(found[v]) - 1) / farness[v] if farness[v] else None for v in numbers}
        ),
    }


def closeness_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    """Of networkx's closeness only the components: sums of the distances of each by itself."""
    sets = Sets.of(H)
    graph = sets.degraded()
    farness: dict[int, Any] = {}
    connected = {v: len(part) - 1 for part in nx.connected_components(graph) for v in part}
    for v in graph:
        farness[v] = sum(nx.single_source_dijkstra_path_length(graph, v).values())
    centrality = {v: Fraction(connected[v], 1) / farness[v] if connected[v] else None for v in graph}
    found = {"farness": farness, "connected": connected, "closeness": centrality}
    return {name: sets.over_vertices(values) for name, values in found.items()}


def diameter_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    graph = sets.degraded()
    if not len(graph):
        return {"diameter": 0}
    if not nx.is_connected(graph):
        return {"diameter": None}
    return {"diameter": nx.diameter(graph, weight="weight")}


def diameter_by_pairs(H: Hypergraph) -> Mapping[str, Any]:
    """The first pair, in order, of those that are farthest apart: those that are not connected, if there are any."""
    sets = Sets.of(H)
    found, numbers = _in_star(sets), range(len(sets.vertices))
    apart = [(u, v) for u in numbers for v in numbers if v not in found[u]]
    most = max((far for row in found.values() for far in row.values()), default=0)
    pairs = apart or [(u, v) for u in numbers for v in numbers if most > 0 and found[u][v] == most]
    ends = (sets.vertices[pairs[0][0]], sets.vertices[pairs[0][1]]) if pairs else None
    return {"diameter": None if apart else most, "ends": ends}
