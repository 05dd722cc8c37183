"""Inputs for the shipped algorithms: every source, and a few of each number; programs, for the computer."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.program import Program

NUMBERS = (2, 1, 0, 3)
FEW = (1, 0)  # where a round takes dozens of iterations
# Numbers of theirs are bounded by constants that only float64 holds, beside a useful number of rows.
WIDE = frozenset({"b_distance", "path_counts", "pagerank"})


def inputs_of(name: str, H: Hypergraph) -> list[dict[str, Any]]:
    """All sources on a hypergraph, with some numbers where an algorithm takes them; none, where there is no source."""
    if name == "subleq":
        return list(memories(H))
    given = ALGORITHMS[name].program.inputs
    kinds = {Kind.VERTEX: H.vertices, Kind.HYPEREDGE: H.hyperedges, Kind.COUNT: FEW if name == "pagerank" else NUMBERS}
    return [
        dict(zip([each.name for each in given], values, strict=True))
        for values in product(*(kinds[each.type.kind] for each in given))
    ]


def memories(H: Hypergraph) -> Iterator[dict[str, Any]]:
    """Programs in as many cells as there are vertices: zeros, addresses inside and around, and large numbers."""
    draw = random.Random(f"{len(H.vertices)} cells")
    n = len(H.vertices)
    ranges = [(0, 0), (0, n), (0, max(n - 1, 0)), (0, max(n - 1, 0)), (-n, n), (-1, n), (-1, 1), (0, 10**9)]
    for (low, high), budget in zip(ranges, (2, 40, 40, 60, 40, 0, 5, 3), strict=True):
        cells = [draw.randint(low, high) for _ in H.vertices]
        yield {
            "positive": {v: max(cell, 0) for v, cell in zip(H.vertices, cells, strict=True)},
            "negative": {v: max(-cell, 0) for v, cell in zip(H.vertices, cells, strict=True)},
            "budget": budget,
        }


def encoded_inputs(program: Program, H: Hypergraph) -> dict[str, int | tuple[int, ...]]:
    """Some inputs of a program in the form that the encoder takes: 1, and arrays of numbers of rows."""
    rows = {Scope.VERTICES: len(H.vertices), Scope.HYPEREDGES: len(H.hyperedges)}
    found: dict[str, int | tuple[int, ...]] = {}
    for each in program.inputs:
        draw, many = random.Random(f"{each.name} of {H.counts}"), rows.get(each.type.scope)
        found[each.name] = 1 if many is None else tuple(draw.randrange(many) for _ in range(many))
    return found
