"""Levels, depth-first search and components by networkx, by XGI, and by walking over sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import networkx as nx
import xgi

from hyloop import Hypergraph
from oracles.sets import Sets


def levels_by_networkx(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    layers = nx.bfs_layers(sets.degraded(), [sets.vertex(source)])
    return {"level": sets.over_vertices({v: level for level, layer in enumerate(layers) for v in layer})}


def levels_by_xgi(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    hops = xgi.single_source_shortest_path_length(sets.xgi(), sets.vertex(source))
    return {"level": sets.over_vertices({v: hop for v, hop in hops.items() if not math.isinf(hop)})}


def dfs_by_networkx(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    graph, here = sets.degraded(), sets.vertex(source)
    preorder = nx.dfs_preorder_nodes(graph, here, sort_neighbors=sorted)
    parents = nx.dfs_predecessors(graph, here, sort_neighbors=sorted)
    return _searched(sets, preorder, parents)


def dfs_by_walking(H: Hypergraph, source: object) -> Mapping[str, Any]:
    """The recursive search with its stack as the path from the source: on to the lowest new neighbour, or back."""
    sets = Sets.of(H)
    containing = sets.hyperedges_of()
    path, preorder = [sets.vertex(source)], [sets.vertex(source)]
    parents: dict[int, int] = {}
    while path:
        around = frozenset().union(*(sets.members[e] for e in containing[path[-1]]))
        new = min(around - set(preorder), default=None)
        if new is None:
            path.pop()
        else:
            parents[new] = path[-1]
            path.append(new)
            preorder.append(new)
    return _searched(sets, preorder, parents)


def _searched(sets: Sets, preorder: Iterable[int], parents: Mapping[int, int]) -> Mapping[str, Any]:
    return {
        "order": sets.over_vertices({v: number for number, v in enumerate(preorder, start=1)}),
        "predecessor": sets.over_vertices(parents, sets.vertices),
    }


def components_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    parts = nx.connected_components(sets.star().to_undirected())
    return _labelled(sets, ({number for side, number in part if side == "v"} for part in parts))


def components_by_xgi(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    return _labelled(sets, xgi.connected_components(sets.xgi()))


def _labelled(sets: Sets, parts: Iterable[set[int]]) -> Mapping[str, Any]:
    return {"component": sets.over_vertices({v: min(part) for part in parts for v in part}, sets.vertices)}
