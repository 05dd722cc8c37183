"""Cores: by taking away one vertex at a time, by trying all sets, and of plain graphs by networkx."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, count
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets, UnsuitedError

FEW = 10  # vertices of which all sets can be tried


def degree_within(sets: Sets, vertex: int, among: set[int]) -> int:
    """In how many hyperedges a vertex is together with another one of a set."""
    return sum(vertex in members and len(members & among) >= 2 for members in sets.members)


def _peeled(sets: Sets, k: int, left: set[int]) -> set[int]:
    """What is left of a set when one vertex of too low degree after the other is taken away, the highest first."""
    left = set(left)
    while True:
        joined = [members & left for members in sets.members]
        degrees = Counter(vertex for members in joined if len(members) >= 2 for vertex in members)
        loose = [vertex for vertex in left if degrees[vertex] < k]
        if not loose:
            return left
        left.remove(max(loose))


def _families(sets: Sets) -> Iterator[tuple[set[int], int]]:
    """Every set of vertices, and the largest k for which each of its vertices has degree k within it."""
    if len(sets.vertices) > FEW:
        raise UnsuitedError(f"All sets of {len(sets.vertices)} vertices are too many to try.")
    for size in range(1, len(sets.vertices) + 1):
        for chosen in combinations(range(len(sets.vertices)), size):
            among = set(chosen)
            yield among, min(degree_within(sets, vertex, among) for vertex in among)


def core_numbers_by_peeling(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    numbers: dict[int, int] = {}
    left = set(range(len(sets.vertices)))
    for k in count():
        left = _peeled(sets, k, left)
        if not left:
            break
        numbers |= dict.fromkeys(left, k)
    return {"core": sets.over_vertices(numbers)}


def core_numbers_by_families(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    numbers: dict[int, int] = {}
    for among, k in _families(sets):
        for vertex in among:
            numbers[vertex] = max(k, numbers.get(vertex, 0))
    return {"core": sets.over_vertices(numbers)}


def core_numbers_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    pairs = [members for members in sets.members if len(members) == 2]
    if any(len(members) > 2 for members in sets.members) or len(set(pairs)) < len(pairs):
        raise UnsuitedError("networkx has core numbers of plain graphs only.")
    return {"core": sets.over_vertices(nx.core_number(sets.degraded()))}


def _core(sets: Sets, core: set[int]) -> Mapping[str, Any]:
    kept = [len(members & core) >= 2 for members in sets.members]
    flags = {vertex: vertex in core for vertex in range(len(sets.vertices))}
    return {"core": sets.over_vertices(flags), "kept": dict(zip(sets.hyperedges, kept, strict=True))}


def k_core_by_peeling(H: Hypergraph, k: int) -> Mapping[str, Any]:
    sets = Sets.of(H)
    return _core(sets, _peeled(sets, k, set(range(len(sets.vertices)))))


def k_core_by_families(H: Hypergraph, k: int) -> Mapping[str, Any]:
    sets = Sets.of(H)
    return _core(sets, set().union(*(among for among, degree in _families(sets) if degree >= k)))
