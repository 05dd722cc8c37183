"""Greedy choices: independent sets, colourings, covers and transversals, each by two ways of going about it."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from fractions import Fraction
from itertools import count
from typing import Any

import networkx as nx

from hyloop import Hypergraph
from oracles.sets import Sets


def _flags(labels: tuple[Any, ...], chosen: set[int]) -> dict[Any, bool]:
    return {label: number in chosen for number, label in enumerate(labels)}


def _coloured(sets: Sets) -> dict[int, int]:
    """The colours of networkx, from 0, in the order of the numbers."""
    colours: dict[int, int] = nx.greedy_color(sets.degraded(), strategy=lambda graph, _: sorted(graph))
    return colours


def independent_set_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    """The first colour of a greedy colouring."""
    sets = Sets.of(H)
    return {"chosen": _flags(sets.vertices, {vertex for vertex, colour in _coloured(sets).items() if colour == 0})}


def independent_set_by_going_through(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    chosen: set[int] = set()
    for vertex in range(len(sets.vertices)):
        if not any(vertex in members and members & chosen for members in sets.members):
            chosen.add(vertex)
    return {"chosen": _flags(sets.vertices, chosen)}


def colouring_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    colours = {vertex: colour + 1 for vertex, colour in _coloured(sets).items()}
    return {"colour": sets.over_vertices(colours), "colours": max(colours.values(), default=0)}


def colouring_by_going_through(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    colours: dict[int, int] = {}
    for vertex in range(len(sets.vertices)):
        around = set().union(*(members for members in sets.members if vertex in members))
        taken = {colours.get(other) for other in around}
        colours[vertex] = next(colour for colour in count(1) if colour not in taken)
    return {"colour": sets.over_vertices(colours), "colours": max(colours.values(), default=0)}


def _cover(sets: Sets, order: list[int]) -> Mapping[str, Any]:
    steps = {edge: step for step, edge in enumerate(order, start=1)}
    step = {label: steps.get(edge) for edge, label in enumerate(sets.hyperedges)}
    return {"chosen": _flags(sets.hyperedges, set(order)), "step": step}


def set_cover_by_sets(H: Hypergraph) -> Mapping[str, Any]:
    sets, covered, order = Sets.of(H), set[int](), list[int]()
    while fresh := [(-len(members - covered), edge) for edge, members in enumerate(sets.members) if members - covered]:
        _, edge = min(fresh)
        order.append(edge)
        covered |= sets.members[edge]
    return _cover(sets, order)


def set_cover_by_heap(H: Hypergraph) -> Mapping[str, Any]:
    """Lazily: what a hyperedge brings only becomes less, so the old figure is looked up again when it comes first."""
    sets, covered, order = Sets.of(H), set[int](), list[int]()
    heap = [(-len(members), edge) for edge, members in enumerate(sets.members)]
    heapq.heapify(heap)
    while heap:
        said, edge = heapq.heappop(heap)
        now = -len(sets.members[edge] - covered)
        if now != said:
            heapq.heappush(heap, (now, edge))
        elif now:
            order.append(edge)
            covered |= sets.members[edge]
    return _cover(sets, order)


def transversal_by_sets(H: Hypergraph) -> Mapping[str, Any]:
    """Whether something is hit, or not needed, asked of the sets themselves."""
    sets, chosen = Sets.of(H), set[int]()
    edges = [members for members in sets.members if members]
    while missed := [members for members in edges if not members & chosen]:
        chosen.add(min(range(len(sets.vertices)), key=lambda v: (-sum(v in members for members in missed), v)))
    for vertex in sorted(chosen):
        if all(members & (chosen - {vertex}) for members in edges):
            chosen.remove(vertex)
    return {"chosen": _flags(sets.vertices, chosen)}


def transversal_by_counting(H: Hypergraph) -> Mapping[str, Any]:
    """As a cover of the dual hypergraph; then by how often each hyperedge is hit."""
    sets = Sets.of(H)
    dual = [frozenset(edges) for edges in sets.hyperedges_of()]
    order, hit = list[int](), set[int]()
    while any(edges - hit for edges in dual):
        order.append(max(range(len(dual)), key=lambda v: (len(dual[v] - hit), -v)))
        hit |= dual[order[-1]]
    hits = [sum(vertex in members for vertex in order) for members in sets.members]
    chosen = set(order)
    for vertex in sorted(order):
        if all(hits[edge] > 1 for edge in dual[vertex]):
            chosen.remove(vertex)
            for edge in dual[vertex]:
                hits[edge] -= 1
    return {"chosen": _flags(sets.vertices, chosen)}


def weighted_cover_by_sets(H: Hypergraph) -> Mapping[str, Any]:
    """With fractions."""
    sets, covered, order = Sets.of(H), set[int](), list[int]()
    while fresh := [edge for edge, members in enumerate(sets.members) if members - covered]:
        order.append(min(fresh, key=lambda e: (sets.weights[e] / len(sets.members[e] - covered), sets.weights[e], e)))
        covered |= sets.members[order[-1]]
    return _cover(sets, order)


def weighted_cover_by_heap(H: Hypergraph) -> Mapping[str, Any]:
    """Lazily, as above: what a newly covered vertex costs only becomes more."""
    sets, covered, order = Sets.of(H), set[int](), list[int]()
    heap = [(Fraction(w) / len(m), w, e) for e, (m, w) in enumerate(zip(sets.members, sets.weights, strict=True)) if m]
    heapq.heapify(heap)
    while heap:
        said, weight, edge = heapq.heappop(heap)
        gain = len(sets.members[edge] - covered)
        if gain and weight / gain == said:
            order.append(edge)
            covered |= sets.members[edge]
        elif gain:
            heapq.heappush(heap, (weight / gain, weight, edge))
    return _cover(sets, order)
