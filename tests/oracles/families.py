"""The Helly property: from its definition, from maximal cliques, and from the theorem of Berge and Duchet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import combinations
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets, UnsuitedError

MOST_FAMILIES = 2**12
MOST_CLIQUES = 200_000
MOST_VERTICES_FOR_ALL_TRIPLES = 100


def helly_by_families(H: Hypergraph) -> Mapping[str, Any]:
    """The definition: every family of non-empty hyperedges that pairwise intersect has a common vertex."""
    members = [each for each in Sets.of(H).members if each]
    if 2 ** len(members) > MOST_FAMILIES:
        raise UnsuitedError(f"{len(members)} hyperedges have too many families.")
    return {"helly": all(frozenset.intersection(*family) for family in _families(members))}


def _families(members: list[frozenset[int]]) -> Iterator[list[frozenset[int]]]:
    for size in range(1, len(members) + 1):
        for family in combinations(members, size):
            if all(a & b for a, b in combinations(family, 2)):
                yield list(family)


def helly_by_cliques(H: Hypergraph) -> Mapping[str, Any]:
    """A pairwise-intersecting family is a clique of the intersection graph; the largest ones have the least in common.

    Equal hyperedges count once: they have the same vertices in common.
    """
    sets = Sets.of(H)
    first = {members: number for number, members in reversed(list(enumerate(sets.members)))}
    graph = sets.intersecting().subgraph(first.values())
    for count, clique in enumerate(nx.find_cliques(graph)):
        if count == MOST_CLIQUES:
            raise UnsuitedError(f"more than {MOST_CLIQUES} maximal cliques, all with a common vertex so far.")
        if not reduce(frozenset.intersection, (sets.members[edge] for edge in clique)):
            return {"helly": False}
    return {"helly": True}


def helly_by_triples(H: Hypergraph) -> Mapping[str, Any]:
    """For every three vertices, the hyperedges with at least two of them have a common vertex; the first that fail."""
    sets = Sets.of(H)
    failing = next((triple for triple in _triples(sets) if _fails(sets.members, triple)), None)
    return {"helly": failing is None, "witness": failing and tuple(sets.vertices[v] for v in failing)}


def _triples(sets: Sets) -> Iterator[tuple[int, int, int]]:
    """All three vertices in lexicographic order; of many vertices, only those that pairwise share a hyperedge.

    (If two of the three share none, the hyperedges with two of them all have the third.)
    """
    n = len(sets.vertices)
    if n <= MOST_VERTICES_FOR_ALL_TRIPLES:
        yield from combinations(range(n), 3)
        return
    graph = sets.degraded()
    for x in range(n):
        higher = sorted(v for v in graph[x] if v > x)
        yield from ((x, y, z) for y, z in combinations(higher, 2) if graph.has_edge(y, z))


def _fails(members: tuple[frozenset[int], ...], triple: tuple[int, int, int]) -> bool:
    three = frozenset(triple)
    meeting = [each for each in members if len(each & three) >= 2]
    return bool(meeting) and not frozenset.intersection(*meeting)
