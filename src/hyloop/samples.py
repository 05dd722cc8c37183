"""Random hypergraphs, degenerate ones first, and random inputs: for sweeps, tests and counterexamples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hyloop.hypergraph import Direction, Hypergraph, IncidenceRecord, Label
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.program import Input, Program
from hyloop.numbers import Exact

# Degenerate cases: no hyperedges, empty ones, loops, repetitions, several components. Vertices, and hyperedges.
ODD: tuple[tuple[int, list[list[int]]], ...] = (
    (1, []),
    (2, []),
    (5, []),
    (1, [[]]),
    (1, [[1]]),
    (1, [[1], [1], [1]]),
    (2, [[1, 2], [1, 2]]),
    (3, [[], [], []]),
    (3, [[1, 2], [2, 3], [1, 3]]),
    (3, [[1, 2, 3]]),
    (4, [[1, 2], [3, 4]]),
    (4, [[1, 2, 3], [1, 2, 4], [1, 3, 4], [2, 3, 4]]),
    (6, [[1, 6]]),
    (2, [[1], [2], [1, 2], [], [1], [2]]),
)
DEGENERATE: tuple[Hypergraph, ...] = tuple(
    Hypergraph.from_hyperedges(edges, vertices=range(1, vertices + 1)) for vertices, edges in ODD
)


def hypergraphs(seed: int, *, vertices: int = 6, hyperedges: int = 6, directed: bool = False) -> Iterator[Hypergraph]:
    """The degenerate ones, then random ones without end: sparse and dense, repeated and empty hyperedges, rationals.

    `directed` gives all but a few of them random directions.
    """
    if not directed:
        yield from _hypergraphs(seed, vertices, hyperedges)
        return
    yield from DEGENERATE
    rng = np.random.default_rng([seed, 1])
    for h in _hypergraphs(seed, vertices, hyperedges):
        yield with_directions(h, rng)


def _hypergraphs(seed: int, vertices: int, hyperedges: int) -> Iterator[Hypergraph]:
    yield from DEGENERATE
    rng = np.random.default_rng(seed)
    while True:
        n_v, n_e = int(rng.integers(1, vertices + 1)), int(rng.integers(0, hyperedges + 1))
        inside = rng.random((n_e, n_v)) < rng.choice([0.2, 0.4, 0.7])
        if rng.random() < 0.5:  # small hyperedges over most of the vertices: where the Helly property fails
            n_v, inside = vertices, _small(rng, n_e, vertices)
        if n_e > 1 and rng.random() < 0.3:
            inside[-1] = inside[0]
        edges = [[v + 1 for v in range(n_v) if row[v]] for row in inside]
        yield Hypergraph.from_hyperedges(
            edges, vertices=range(1, n_v + 1), weights=dict(enumerate(_weights(rng, n_e), start=1))
        )


def _small(rng: np.random.Generator, hyperedges: int, vertices: int) -> npt.NDArray[np.bool_]:
    """Hyperedges of two or three vertices each."""
    order = rng.random((hyperedges, vertices)).argsort(axis=1)
    return np.asarray(order < rng.integers(2, 4, (hyperedges, 1)))


def _weights(rng: np.random.Generator, count: int) -> list[Fraction]:
    denominator = int(rng.choice([1, 1, 2, 3, 10]))
    return [Fraction(int(rng.integers(1, 10)), denominator) for _ in range(count)]


class Chance(Protocol):
    """A source of random numbers: a generator of numpy, or `hyloop.sampling.Draw`."""

    def integers(self, low: int, /) -> Any:
        """A random integer from 0 to `low - 1`."""


def with_directions(h: Hypergraph, rng: Chance) -> Hypergraph:
    """The same hypergraph with random directions; some stay without any.

    Hyperedges of tails alone and of heads alone are common, and so are vertices that are both.
    """
    if not rng.integers(8):
        return h
    told: dict[tuple[Label, Label], tuple[IncidenceRecord, ...]] = {}
    for label in h.hyperedges:
        ways = SIDES[int(rng.integers(len(SIDES)))]
        for vertex in h.members_of(label):
            told[label, vertex] = tuple(map(IncidenceRecord, ways[int(rng.integers(len(ways)))]))
    return replace(h, annotations=replace(h.annotations, network_type="directed", incidences=told))


# What the members of a hyperedge may be; without a direction, a member is both.
_TAIL: tuple[Direction, ...] = ("tail",)
_HEAD: tuple[Direction, ...] = ("head",)
_BOTH: tuple[Direction, ...] = ("head", "tail")
SIDES = (
    *(((_TAIL, _HEAD),) * 3),
    *(((_TAIL, _HEAD, _BOTH),) * 3),
    (_TAIL, _TAIL, _HEAD, ()),
    (_TAIL, _HEAD, _HEAD, ()),
    (_TAIL,),
    (_HEAD,),
    (_BOTH, ()),
)


def random_inputs(program: Program, h: Hypergraph, rng: Chance, *, largest: int = 9) -> dict[str, Any] | None:
    """A random value for every input, lengths up to `largest` units; None where there is nothing to choose from.

    Arrays are by label; counts in them are up to `largest`.
    """
    found: dict[str, Any] = {}
    for each in program.inputs:
        if each.type.scope is not Scope.SCALAR:
            labels = h.vertices if each.type.scope is Scope.VERTICES else h.hyperedges
            found[each.name] = {label: _random_entry(each, h, rng, largest) for label in labels}
        elif each.type.kind.is_pointer:
            labels = h.vertices if each.type.kind is Kind.VERTEX else h.hyperedges
            if not labels:
                return None
            found[each.name] = labels[int(rng.integers(len(labels)))]
        else:
            most = len(h.vertices) if each.at_most is None else each.at_most
            found[each.name] = _random_value(each, h, rng, largest, most)
    return found


def _random_entry(each: Input, h: Hypergraph, rng: Chance, largest: int) -> Any:
    """An entry of an array; a pointer may be none."""
    if each.type.kind.is_pointer:
        labels = (None, *(h.vertices if each.type.kind is Kind.VERTEX else h.hyperedges))
        return labels[int(rng.integers(len(labels)))]
    return _random_value(each, h, rng, largest, largest if each.at_most is None else min(largest, each.at_most))


def _random_value(each: Input, h: Hypergraph, rng: Chance, largest: int, count: int) -> Any:
    """A flag, a length, or a count up to `count`."""
    if each.type.kind is Kind.FLAG:
        return bool(rng.integers(2))
    if each.type.kind is Kind.LENGTH:
        _, unit = h.integer_weights()
        most = largest if each.at_most is None else min(largest, int(each.at_most / unit))
        return Exact(int(rng.integers(most + 1)) * unit)
    return int(rng.integers(count + 1))
