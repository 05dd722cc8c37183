"""Distinct representatives: how many there can be by networkx, and which ones by the search itself, on dictionaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets


def matching_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    graph = sets.star().to_undirected()
    edges = [("e", number) for number in range(len(sets.hyperedges))]
    return {"size": len(nx.bipartite.hopcroft_karp_matching(graph, edges)) // 2}


def matching_by_searching(H: Hypergraph) -> Mapping[str, Any]:
    """Each hyperedge in turn; of those that a search has come to, the one with the lowest number is looked at next."""
    sets = Sets.of(H)
    owner: dict[int, int] = {}
    for root in range(len(sets.members)):
        came: dict[int, int] = {}  # to a vertex, from which hyperedge
        seen, waiting, free = {root}, [root], None
        while waiting and free is None:
            edge = min(waiting)
            waiting.remove(edge)
            fresh = sorted(sets.members[edge] - came.keys())
            came |= dict.fromkeys(fresh, edge)
            free = next((vertex for vertex in fresh if vertex not in owner), None)
            further = {owner[vertex] for vertex in fresh if vertex in owner} - seen
            waiting += sorted(further)
            seen |= further
        while free is not None:
            edge = came[free]
            before = next((vertex for vertex, taken in owner.items() if taken == edge), None)
            if before is not None:
                del owner[before]
            owner[free] = edge
            free = before
    mine = {edge: vertex for vertex, edge in owner.items()}
    return {
        "hyperedge": sets.over_vertices(owner, sets.hyperedges),
        "vertex": {
            label: sets.vertices[mine[edge]] if edge in mine else None for edge, label in enumerate(sets.hyperedges)
        },
        "size": len(owner),
    }
