"""Algorithms of directed hypergraphs by networkx, by closed sets, and by a queue of rules."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets, UnsuitedError

MOST_VERTICES = 10  # whose subsets are all looked at


def reachable_along_arcs(H: Hypergraph, source: object) -> Mapping[str, Any]:
    sets = Sets.of(H)
    steps = nx.single_source_shortest_path_length(sets.arcs(), sets.vertex(source))
    return _reached(sets, steps)


def reachable_in_star(H: Hypergraph, source: object) -> Mapping[str, Any]:
    """Two arcs a step: from a tail into the hyperedge, and out of it to a head."""
    sets = Sets.of(H)
    hops = nx.shortest_path_length(sets.directed_star(), ("v", sets.vertex(source)))
    return _reached(sets, {number: hop // 2 for (side, number), hop in hops.items() if side == "v"})


def _reached(sets: Sets, steps: Mapping[int, int]) -> Mapping[str, Any]:
    reached = {number: number in steps for number in range(len(sets.vertices))}
    return {"reached": sets.over_vertices(reached), "steps": sets.over_vertices(steps)}


def derived_by_queue(H: Hypergraph) -> Mapping[str, Any]:
    """Each rule waits for the tails that it lacks; facts come first. Its round is one more than its last tail's."""
    sets = Sets.of(H)
    lacking = [set(tails) for tails in sets.tails]
    rounds: dict[int, int] = {}
    queue = [(1, vertex) for tails, heads in zip(sets.tails, sets.heads, strict=True) if not tails for vertex in heads]
    heapq.heapify(queue)
    while queue:
        at, vertex = heapq.heappop(queue)
        if vertex in rounds:
            continue
        rounds[vertex] = at
        for rule, missing in enumerate(lacking):
            if vertex in missing:
                missing.discard(vertex)
                for head in () if missing else sets.heads[rule]:
                    heapq.heappush(queue, (at + 1, head))
    derived = {number: number in rounds for number in range(len(sets.vertices))}
    return {"derived": sets.over_vertices(derived), "round": sets.over_vertices(rounds)}


def derived_by_closed_sets(H: Hypergraph) -> Mapping[str, Any]:
    """The least model: what is in every set of vertices that no rule leads out of."""
    sets = Sets.of(H)
    everyone = frozenset(range(len(sets.vertices)))
    if len(everyone) > MOST_VERTICES:
        raise UnsuitedError(f"{len(everyone)} vertices have too many subsets")
    found = everyone
    for size in range(len(everyone) + 1):
        for some in map(frozenset, combinations(everyone, size)):
            if all(heads <= some for tails, heads in zip(sets.tails, sets.heads, strict=True) if tails <= some):
                found &= some
    return {"derived": sets.over_vertices({number: number in found for number in everyone})}


def scc_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    return _labelled(sets, nx.strongly_connected_components(sets.arcs()))


def scc_by_reach(H: Hypergraph) -> Mapping[str, Any]:
    """Vertices that reach each other, in the graph of vertices and hyperedges."""
    sets = Sets.of(H)
    star = sets.directed_star()
    reach = {v: nx.descendants(star, ("v", v)) | {("v", v)} for v in range(len(sets.vertices))}
    parts = [{u for u in reach if ("v", u) in reach[v] and ("v", v) in reach[u]} for v in reach]
    return _labelled(sets, parts)


def _labelled(sets: Sets, parts: Iterable[set[int]]) -> Mapping[str, Any]:
    return {"component": sets.over_vertices({v: min(part) for part in parts for v in part}, sets.vertices)}
