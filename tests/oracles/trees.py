"""Least spanning forests, and join trees: networkx for what is free of ties, sets for the rest."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets


def spanning_tree_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    forest = nx.minimum_spanning_tree(Sets.of(H).degraded())
    return {"weight": sum((weight for _, _, weight in forest.edges(data="weight")), start=Fraction(0))}


def spanning_tree_by_heap(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    around, before, through = sets.hyperedges_of(), dict[int, int](), dict[int, int]()
    settled, weight = set[int](), Fraction(0)
    for root in range(len(sets.vertices)):
        if root in settled:
            continue
        settled.add(root)
        heap = [(sets.weights[edge], edge) for edge in around[root]]
        heapq.heapify(heap)
        while heap:
            cost, edge = heap[0]
            outside = sets.members[edge] - settled
            if not outside:
                heapq.heappop(heap)
                continue
            vertex = min(outside)
            before[vertex], through[vertex] = min(sets.members[edge] & settled), edge
            weight += cost
            settled.add(vertex)
            for other in around[vertex]:
                heapq.heappush(heap, (sets.weights[other], other))
    return {
        "predecessor": sets.over_vertices(before, sets.vertices),
        "hyperedge": sets.over_vertices(through, sets.hyperedges),
        "weight": weight,
    }


def acyclic_by_deleting(H: Hypergraph) -> Mapping[str, Any]:
    """Vertices in one hyperedge and hyperedges inside another are deleted, until nothing can be."""
    left = [set(members) for members in Sets.of(H).members]
    while True:
        lonely = {v for members in left for v in members if sum(v in other for other in left) == 1}
        inside = next(
            (i for i, a in enumerate(left) if not a or any(a <= b for j, b in enumerate(left) if i != j)), None
        )
        if lonely:
            left = [members - lonely for members in left]
        elif inside is not None:
            del left[inside]
        else:
            return {"acyclic": not left}


def acyclic_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    """A heaviest spanning tree of the overlaps is a join tree if there is one; its weight says whether it is."""
    members = [each for each in Sets.of(H).members if each]
    graph = nx.Graph()
    graph.add_nodes_from(range(len(members)))
    for (i, a), (j, b) in combinations(enumerate(members), 2):
        graph.add_edge(i, j, weight=len(a & b))
    weight = sum(weight for _, _, weight in nx.maximum_spanning_tree(graph).edges(data="weight"))
    return {"acyclic": weight == sum(map(len, members)) - len(set().union(*members))}


def acyclic_by_ears(H: Hypergraph) -> Mapping[str, Any]:
    """Ear after ear, the lowest number first."""
    sets = Sets.of(H)
    left, parent = list(range(len(sets.members))), dict[int, int | None]()
    while (found := _ear(sets, left)) is not None:
        parent[found[0]] = found[1]
        left.remove(found[0])
    above = {label: parent.get(edge) for edge, label in enumerate(sets.hyperedges)}
    return {
        "acyclic": not left,
        "parent": {label: None if edge is None else sets.hyperedges[edge] for label, edge in above.items()},
        "kept": {label: edge in left for edge, label in enumerate(sets.hyperedges)},
    }


def _ear(sets: Sets, left: list[int]) -> tuple[int, int | None] | None:
    """The first hyperedge whose shared vertices are all in another one, and the first that has them."""
    for edge in left:
        others = [other for other in left if other != edge]
        shared = sets.members[edge] & set().union(*(sets.members[other] for other in others))
        if not shared or any(shared <= sets.members[other] for other in others):
            return edge, next((other for other in others if shared <= sets.members[other]), None)
    return None
