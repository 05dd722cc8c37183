"""Collects the content of a text format: a number for each label, and two numbers for each incidence."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat

import numpy as np

from hyloop.hypergraph import Annotations, Hypergraph, Incidence, IntArray, Label, Numbering
from hyloop.io.budgets import Budgets
from hyloop.numbers import Exact

_ONE = Exact(1)


@dataclass
class Gathering:
    """Vertices and hyperedges in order of appearance, and the incidences, 16 bytes each.

    Vertices that are listed come first in the numbering, also where they come last in the file.
    """

    budgets: Budgets
    vertices: Numbering = field(default_factory=Numbering)
    hyperedges: Numbering = field(default_factory=Numbering)
    weights: dict[int, Fraction] = field(default_factory=dict)
    _rows: array[int] = field(default_factory=lambda: array("q"))
    _columns: array[int] = field(default_factory=lambda: array("q"))
    _listed: array[int] = field(default_factory=lambda: array("q"))
    _listed_hyperedges: array[int] = field(default_factory=lambda: array("q"))
    _records: int = 0

    def record(self, count: int = 1) -> None:
        """Count a line or a row, or several."""
        self._records += count
        self.budgets.require_records(self._records)

    def has_room(self, records: int, incidences: int) -> bool:
        """Whether the budgets allow so many more."""
        within = self._records + records <= self.budgets.records
        return within and len(self._rows) + incidences <= self.budgets.incidences

    def incidences(self, hyperedges: Iterable[int], vertices: Sequence[Label]) -> None:
        """Add many at once: each vertex, a string or an integer, to the hyperedge of the number beside it."""
        self._rows.extend(self.vertices.number_all(vertices))
        self._columns.extend(hyperedges)
        self.budgets.require_incidences(len(self._rows))

    def incidence(self, hyperedge: int, vertex: Label) -> None:
        """Add a vertex to the hyperedge of that number."""
        self._rows.append(self.vertices.number(vertex))
        self._columns.append(hyperedge)
        self.budgets.require_incidences(len(self._rows))

    def list_vertex(self, vertex: Label) -> None:
        """Use a vertex that stands by itself."""
        self._listed.append(self.vertices.number(vertex))

    def list_vertices(self, vertices: Sequence[Label]) -> None:
        """Use vertices, strings or integers, that stand by themselves."""
        self._listed.extend(self.vertices.number_all(vertices))

    def list_hyperedges(self, hyperedges: Sequence[Label]) -> list[int]:
        """Use hyperedges, strings or integers, that come first in the numbering; their preliminary numbers."""
        numbers = self.hyperedges.number_all(hyperedges)
        self._listed_hyperedges.extend(numbers)
        return numbers

    @property
    def incidence_count(self) -> int:
        """How many incidences have been added, repeated ones counted."""
        return len(self._rows)

    def cells(self) -> IntArray:
        """A number for each incidence that was added, the same for the same vertex and hyperedge."""
        rows, columns = np.array(self._rows, np.int64), np.array(self._columns, np.int64)
        return rows * len(self.hyperedges) + columns

    def cell(self, hyperedge: Label, vertex: Label) -> int:
        """That of one of them."""
        return self.vertices.number(vertex) * len(self.hyperedges) + self.hyperedges.number(hyperedge)

    def hypergraph(self, annotations: Annotations | None = None) -> Hypergraph:
        """The hypergraph of everything that was read."""
        vertices, rows = _in_order(self.vertices, self._listed, self._rows)
        hyperedges, columns = _in_order(self.hyperedges, self._listed_hyperedges, self._columns)
        incidence = Incidence.from_pairs(rows, columns, (len(vertices), len(hyperedges)))
        weights = self._weights(hyperedges)
        return Hypergraph.of_numbered(vertices, hyperedges, incidence, weights, annotations)

    def _weights(self, hyperedges: Numbering) -> tuple[Fraction, ...]:
        if not self.weights:
            return (_ONE,) * len(hyperedges)
        if hyperedges is self.hyperedges:
            return tuple(map(self.weights.get, range(len(hyperedges)), repeat(_ONE)))
        return tuple(self.weights.get(self.hyperedges.number(label), _ONE) for label in hyperedges)


def _in_order(labels: Numbering, listed: array[int], numbers: array[int]) -> tuple[Numbering, IntArray]:
    """Labels by their places of first appearance, first those that are listed, then the others; and their numbers."""
    known = np.frombuffer(numbers, np.int64) if len(numbers) else np.zeros(0, np.int64)
    order = listed_first(len(labels), np.array(listed, np.int64))
    if np.array_equal(order, np.arange(len(labels))):
        return labels, known
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    before = tuple(labels)
    return Numbering([before[number] for number in order.tolist()]), place[known]


def listed_first(count: int, listed: IntArray) -> IntArray:
    """The numbers 0, 1, ... in another order: first those that are listed, in the order of the list."""
    if not len(listed):
        return np.arange(count)
    place = first_places(listed, count)
    return np.argsort(np.where(place < 0, len(listed) + np.arange(count), place))


def first_places(numbers: IntArray, count: int) -> IntArray:
    """Where each of the numbers 0, 1, ... first stands in an array; -1 for one that does not."""
    place = np.full(count, -1, np.int64)
    place[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)  # of several, the last that is written counts
    return place
