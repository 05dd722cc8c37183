"""Collects the content of a text format: a number for each label, and two numbers for each incidence."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from hyloop.hypergraph import Hypergraph, Incidence, Label, Numbering
from hyloop.io.budgets import Budgets
from hyloop.numbers import Exact

_ONE = Exact(1)


@dataclass
class Gathering:
    """Vertices and hyperedges in order of appearance, and the incidences, 16 bytes each."""

    budgets: Budgets
    vertices: Numbering = field(default_factory=Numbering)
    hyperedges: Numbering = field(default_factory=Numbering)
    weights: dict[int, Fraction] = field(default_factory=dict)
    _rows: array[int] = field(default_factory=lambda: array("q"))
    _columns: array[int] = field(default_factory=lambda: array("q"))
    _records: int = 0

    def record(self) -> None:
        """Count a line or a row."""
        self._records += 1
        self.budgets.require_records(self._records)

    def incidence(self, hyperedge: int, vertex: Label) -> None:
        """Add a vertex to the hyperedge of that number."""
        self._rows.append(self.vertices.number(vertex))
        self._columns.append(hyperedge)
        self.budgets.require_incidences(len(self._rows))

    def hypergraph(self) -> Hypergraph:
        """The hypergraph of everything that was read."""
        shape = len(self.vertices), len(self.hyperedges)
        incidence = Incidence.from_pairs(np.array(self._rows, np.int64), np.array(self._columns, np.int64), shape)
        weights = tuple(self.weights.get(number, _ONE) for number in range(len(self.hyperedges)))
        return Hypergraph(tuple(self.vertices), tuple(self.hyperedges), incidence, weights)
