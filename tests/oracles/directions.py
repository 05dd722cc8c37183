"""Algorithms of directed hypergraphs by networkx, by closed sets, by queues and heaps, and by matrices."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import networkx as nx
import numpy as np

from hyloop import Hypergraph
from oracles.sets import Sets, UnsuitedError

MOST_VERTICES = 10  # whose subsets are all looked at
MOST_PATHS = 10_000  # that are listed


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


def topological_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    """The least order of networkx; without one, the least order of what no cycle leads to."""
    sets = Sets.of(H)
    arcs = sets.arcs()
    caught = {
        v for part in nx.strongly_connected_components(arcs) for v in part if len(part) > 1 or arcs.has_edge(v, v)
    }
    left = caught.union(*(nx.descendants(arcs, v) for v in caught))
    free = arcs.subgraph(set(arcs) - left)
    order = {v: place for place, v in enumerate(nx.lexicographical_topological_sort(free), start=1)}
    return {"acyclic": nx.is_directed_acyclic_graph(arcs), "order": sets.over_vertices(order)}


def topological_by_counting(H: Hypergraph) -> Mapping[str, Any]:
    """Kahn's algorithm with a heap, an arc counted once for each hyperedge; then back along the lowest numbers."""
    sets = Sets.of(H)
    into = [[e for e, heads in enumerate(sets.heads) if v in heads] for v in range(len(sets.vertices))]
    waiting = [sum(len(sets.tails[e]) for e in edges) for edges in into]
    heap, order = [v for v, count in enumerate(waiting) if not count], dict[int, int]()
    while heap:
        vertex = heapq.heappop(heap)
        order[vertex] = len(order) + 1
        for tails, heads in zip(sets.tails, sets.heads, strict=True):
            for head in heads if vertex in tails else ():
                waiting[head] -= 1
                if not waiting[head]:
                    heapq.heappush(heap, head)
    left = [v for v in range(len(sets.vertices)) if v not in order]
    way = left[:1]
    while left and len(set(way)) == len(way):
        way.append(min(v for e in into[way[-1]] for v in sets.tails[e] if v not in order))
    cycle = way[way.index(way[-1]) :] if way else []
    before = dict(pairwise(cycle))
    return {
        "acyclic": not left,
        "order": sets.over_vertices(order),
        "before": sets.over_vertices(before, sets.vertices),
    }


def _derivations(sets: Sets, costs: Mapping[int, Fraction]) -> Mapping[str, Any]:
    """Costs within the bound with the hyperedge that ends the derivation, and what is beyond the bound."""
    limit = 200_000 * max(sets.weights, default=Fraction(0))
    within = {v: cost for v, cost in costs.items() if cost < limit}
    through: dict[int, int] = {}
    for edge, (tails, heads) in reversed([*enumerate(zip(sets.tails, sets.heads, strict=True))]):
        if tails <= within.keys():
            total = sum((within[u] for u in tails), sets.weights[edge])
            through |= {v: edge for v in heads if within.get(v) == total}
    beyond = {v: v in costs and v not in within for v in range(len(sets.vertices))}
    return {
        "distance": sets.over_vertices(within),
        "hyperedge": sets.over_vertices(through, sets.hyperedges),
        "beyond": sets.over_vertices(beyond),
    }


def b_distance_by_rounds(H: Hypergraph) -> Mapping[str, Any]:
    """The cheapest derivations by depth, round after round, without a bound, until nothing becomes cheaper."""
    sets, costs = Sets.of(H), dict[int, Fraction]()
    for _ in range(len(sets.vertices)):
        for tails, heads, weight in zip(sets.tails, sets.heads, sets.weights, strict=True):
            if tails <= costs.keys():
                total = sum((costs[u] for u in tails), weight)
                costs |= {v: total for v in heads if v not in costs or total < costs[v]}
    return _derivations(sets, costs)


def b_distance_by_heap(H: Hypergraph) -> Mapping[str, Any]:
    """Knuth's algorithm: a hyperedge enters the heap when its last tail is final."""
    sets = Sets.of(H)
    costs, lacking = dict[int, Fraction](), [set(tails) for tails in sets.tails]
    heap = [(sets.weights[e], e) for e, tails in enumerate(lacking) if not tails]
    heapq.heapify(heap)
    while heap:
        total, edge = heapq.heappop(heap)
        for vertex in sorted(sets.heads[edge] - costs.keys()):
            costs[vertex] = total
            for e, missing in enumerate(lacking):
                if vertex in missing:
                    missing.discard(vertex)
                    if not missing:
                        heapq.heappush(heap, (sum((costs[u] for u in sets.tails[e]), sets.weights[e]), e))
    return _derivations(sets, costs)


def _counted(sets: Sets, steps: Mapping[int, int], paths: Mapping[int, int]) -> Mapping[str, Any]:
    every = {v: paths.get(v, 0) for v in range(len(sets.vertices))}
    return {
        "paths": sets.over_vertices({v: number for v, number in every.items() if number < 10**9}),
        "beyond": sets.over_vertices({v: number >= 10**9 for v, number in every.items()}),
        "steps": sets.over_vertices(steps),
    }


def paths_in_star(H: Hypergraph, source: object) -> Mapping[str, Any]:
    """Shortest paths of networkx through vertices and hyperedges, one after the other."""
    sets = Sets.of(H)
    star, begin = sets.directed_star(), ("v", sets.vertex(source))
    hops = {v: hop // 2 for (side, v), hop in nx.shortest_path_length(star, begin).items() if side == "v"}
    most = max(len(members) for members in (*sets.members, ())) * max(map(len, (*sets.hyperedges_of(), ())))
    if most ** max(hops.values()) > MOST_PATHS:
        raise UnsuitedError("too many paths to list")
    paths = {v: sum(1 for _ in nx.all_shortest_paths(star, begin, ("v", v))) for v in hops}
    return _counted(sets, hops, paths)


def paths_by_powers(H: Hypergraph, source: object) -> Mapping[str, Any]:
    """Powers of the matrix of arcs, each as often as hyperedges have it, in integers of any size."""
    sets = Sets.of(H)
    n = len(sets.vertices)
    arcs = np.zeros((n, n), dtype=object)
    for tails, heads in zip(sets.tails, sets.heads, strict=True):
        for tail, head in product(tails, heads):
            arcs[tail, head] += 1
    walks = np.array([int(v == sets.vertex(source)) for v in range(n)], dtype=object)
    steps, paths = dict[int, int](), dict[int, int]()
    for step in range(n):
        fresh = {v: int(walks[v]) for v in range(n) if walks[v] and v not in steps}
        if not fresh:  # distances have no gaps
            break
        steps |= dict.fromkeys(fresh, step)
        paths |= fresh
        walks = walks @ arcs
    return _counted(sets, steps, paths)


def pagerank_by_sets(H: Hypergraph, rounds: int) -> Mapping[str, Any]:
    """As docs/algorithms.md defines it, vertex by vertex."""
    sets = Sets.of(H)
    rank = dict.fromkeys(range(len(sets.vertices)), 15_000)
    out = {v: [e for e, tails in enumerate(sets.tails) if v in tails] for v in rank}
    for _ in range(rounds):
        share = {v: 17 * rank[v] // (20 * len(out[v])) for v in rank if out[v]}
        passed = [
            sum(share[u] for u in tails) // len(heads) if heads else 0
            for tails, heads in zip(sets.tails, sets.heads, strict=True)
        ]
        rank = {v: 15_000 + sum(passed[e] for e, heads in enumerate(sets.heads) if v in heads) for v in rank}
    return {"rank": sets.over_vertices(rank)}


def pagerank_by_matrices(H: Hypergraph, rounds: int) -> Mapping[str, Any]:
    """The same with matrices of numpy."""
    sets = Sets.of(H)
    tails, heads = (
        np.array([[v in side for side in sides] for v in range(len(sets.vertices))], dtype=np.int64).reshape(
            len(sets.vertices), len(sides)
        )
        for sides in (sets.tails, sets.heads)
    )
    leaves, arrives = 20 * tails.sum(axis=1), heads.sum(axis=0)
    rank = np.full(len(sets.vertices), 15_000)
    for _ in range(rounds):
        share = np.where(leaves > 0, 17 * rank // np.maximum(leaves, 1), 0)
        rank = 15_000 + heads @ (tails.T @ share // np.maximum(arrives, 1))
    return {"rank": sets.over_vertices(dict(enumerate(rank.tolist())))}
