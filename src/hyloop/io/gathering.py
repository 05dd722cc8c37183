"""What the lines of a text format have said so far: numbers for labels, and two numbers for each incidence."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from hyloop.hypergraph import Hypergraph, Incidence, IntArray, Label, Numbering
from hyloop.io.budgets import Budgets
from hyloop.numbers import Exact

_ONE = Exact(1)


@dataclass
class Gathering:
    """Vertices and hyperedges in the order in which they appear, and the incidences: 16 bytes for each.

    Vertices that are listed come first in the numbering, also where they come last in the file.
    """

    budgets: Budgets
    vertices: Numbering = field(default_factory=Numbering)
    hyperedges: Numbering = field(default_factory=Numbering)
    weights: dict[int, Fraction] = field(default_factory=dict)
    _rows: array[int] = field(default_factory=lambda: array("q"))
    _columns: array[int] = field(default_factory=lambda: array("q"))
    _listed: array[int] = field(default_factory=lambda: array("q"))
    _records: int = 0

    def record(self) -> None:
        """Count a line or a row."""
        self._records += 1
        self.budgets.require_records(self._records)

    def incidence(self, hyperedge: int, vertex: Label) -> None:
        """Use the membership of a vertex in a hyperedge, given by its number."""
        self._rows.append(self.vertices.number(vertex))
        self._columns.append(hyperedge)
        self.budgets.require_incidences(len(self._rows))

    def list_vertex(self, vertex: Label) -> None:
        """Use a vertex that stands by itself."""
        self._listed.append(self.vertices.number(vertex))

    def hypergraph(self) -> Hypergraph:
        """The hypergraph of all that was read."""
        order, labels = self._in_order(), tuple(self.vertices)
        shape = len(self.vertices), len(self.hyperedges)
        rows, columns = np.array(self._rows, np.int64), np.array(self._columns, np.int64)
        incidence = Incidence.from_pairs(np.argsort(order)[rows], columns, shape)
        vertices = tuple(labels[number] for number in order.tolist())
        weights = tuple(self.weights.get(number, _ONE) for number in range(len(self.hyperedges)))
        return Hypergraph(vertices, tuple(self.hyperedges), incidence, weights)

    def _in_order(self) -> IntArray:
        """The vertices, by their places of first appearance: first those that are listed, then the others."""
        every = np.concatenate([np.array(self._listed, np.int64), np.arange(len(self.vertices))])
        _, first = np.unique(every, return_index=True)
        return every[np.sort(first)]
