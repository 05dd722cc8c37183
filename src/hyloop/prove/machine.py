"""Symbolic execution of the transformer: what every column holds at an arbitrary row, after each layer.

It uses the weights as they were saved. Which row a head attends to does not follow from the weights alone: it is proved
elsewhere and given as a `Look`; the output of the head is then a column at that row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
import numpy.typing as npt

from hyloop.lang.kinds import Scope
from hyloop.machine.layer import Head, HeadKind, Layer
from hyloop.machine.layout import (
    Cardinality,
    Column,
    Entries,
    Everywhere,
    Fill,
    Numbers,
    Position,
    QuarterSquares,
    Region,
    Weights,
)
from hyloop.machine.layout import InitialTerm as Placed
from hyloop.machine.purpose import HeadPurpose
from hyloop.prove.meaning import Meaning, MeanSymbol, ProductSymbol, RowFunction
from hyloop.prove.terms import Formula, Term, at_least, choice, combination, equal, negation, product, relu

# Columns of the state at a row.
TermRow = tuple[Term, ...]
# (weight, column) pairs.
SparseSum = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Look:
    """Which row each row attends to; for a head with the incidence, the product that each column is.

    For a head that averages over all rows of an array, the mean that each of some columns is.
    """

    at: Callable[[Term], Term]
    products: Mapping[int, ProductSymbol] = field(default_factory=dict)
    means: Mapping[int, MeanSymbol] = field(default_factory=dict)


@dataclass(frozen=True)
class SparseHead:
    """A head's weights without the zeros."""

    kind: HeadKind
    query: tuple[SparseSum, SparseSum]
    key: tuple[SparseSum, SparseSum]
    value: Mapping[int, SparseSum]
    purpose: HeadPurpose

    @staticmethod
    def of(head: Head) -> SparseHead:
        """The non-zero weights of a head."""
        q, k, v = (_columns(matrix) for matrix in (head.query, head.key, head.value))
        value = {column: entries for column, entries in enumerate(v) if entries}
        return SparseHead(head.kind, (q[0], q[1]), (k[0], k[1]), value, head.purpose)


@dataclass(frozen=True)
class SparseLayer:
    """A layer's weights without the zeros."""

    heads: tuple[SparseHead, ...]
    stages: tuple[tuple[SparseSum, ...], ...]  # three, each a sum for every unit
    out: tuple[SparseSum, ...]  # for every column

    @property
    def written(self) -> frozenset[int]:
        """The columns that it may change."""
        brought = {column for head in self.heads for column in head.value}
        return frozenset(brought | {column for column, entries in enumerate(self.out) if entries})

    @staticmethod
    def of(layer: Layer) -> SparseLayer:
        """The non-zero weights of a layer."""
        *stages, out = (_columns(weight) for weight in layer.mlp.weights)
        return SparseLayer(tuple(map(SparseHead.of, layer.heads)), tuple(stages), out)


def _columns(matrix: npt.NDArray[np.float64]) -> tuple[SparseSum, ...]:
    return tuple(
        tuple((int(matrix[row, column]), int(row)) for row in np.flatnonzero(matrix[:, column]))
        for column in range(matrix.shape[1])
    )


def linear(entries: SparseSum, row: Sequence[Term] | Mapping[int, Term]) -> Term:
    """`Σ weight · column` at a row."""
    return combination((weight, row[column]) for weight, column in entries)


class Machine:
    """A model run on symbols. `starts` says what each column holds before an iteration."""

    def __init__(
        self, layers: Sequence[SparseLayer], starts: Sequence[RowFunction], meaning: Meaning, names: Sequence[str] = ()
    ) -> None:
        self.layers, self.starts, self.meaning, self.names = layers, starts, meaning, names
        self.looks: list[list[Look]] = [[] for _ in layers]
        # What a column was proved to hold after a layer, in the program's own terms.
        self.cuts: list[dict[int, RowFunction]] = [{} for _ in layers]
        # Of each layer, the columns that the layers before it write.
        self._written = [frozenset[int]()]
        for layer in layers:
            self._written.append(self._written[-1] | layer.written)
        self._rows: dict[tuple[int, Term], TermRow] = {}
        self._made: dict[tuple[int, Term], TermRow] = {}

    def with_layer(self, layer: int, changed: SparseLayer) -> Machine:
        """The same machine with one layer changed; what comes before it is as it was."""
        layers = [*self.layers[:layer], changed, *self.layers[layer + 1 :]]
        other = Machine(layers, self.starts, self.meaning, self.names)
        other.looks[:layer], other.cuts[:layer] = self.looks[:layer], self.cuts[:layer]
        other._rows = {key: row for key, row in self._rows.items() if key[0] <= layer}
        return other

    def before(self, layer: int, row: Term) -> TermRow:
        """The columns at a row before a layer (from 0)."""
        if not layer:
            key = (0, row)
            if key not in self._rows:
                self._rows[key] = tuple(start(row) for start in self.starts)
            return self._rows[key]
        key = (layer, row)
        if key not in self._rows:
            made = self.after(layer - 1, row)
            cuts = self.cuts[layer - 1]
            self._rows[key] = tuple(cuts[n](row) if n in cuts else term for n, term in enumerate(made))
        return self._rows[key]

    def after(self, layer: int, row: Term) -> TermRow:
        """The columns at a row after a layer, as its weights make them."""
        key = (layer, row)
        if key not in self._made:
            self._made[key] = self.fed_forward(layer, self.attended(layer, row))
        return self._made[key]

    def cut(self, layer: int, column: int, value: RowFunction) -> None:
        """From now on, a column after a layer is what it was proved to be."""
        self.cuts[layer][column] = value
        for table, first in ((self._rows, layer + 1), (self._made, layer + 1)):
            for key in [key for key in table if key[0] >= first]:
                del table[key]

    def attended(self, layer: int, row: Term) -> TermRow:
        """The columns at a row after a layer's heads."""
        added: list[list[tuple[int, Term]]] = [[(1, term)] for term in self.before(layer, row)]
        for head, look in zip(self.layers[layer].heads, self.looks[layer], strict=True):
            for column, term in self.brought(layer, head, look, row).items():
                added[column].append((1, term))
        return tuple(combination(parts) if len(parts) > 1 else parts[0][1] for parts in added)

    def brought(self, layer: int, head: SparseHead, look: Look, row: Term) -> dict[int, Term]:
        """What a head adds to each column at a row."""
        if head.kind != "plain":
            return {column: self.meaning.sum_at(made, row) for column, made in look.products.items()}
        seen = self._seen(layer, head, look.at(row))
        plain = {column: linear(entries, seen) for column, entries in head.value.items()}
        return plain | {column: self.meaning.mean_value(made) for column, made in look.means.items()}

    def _seen(self, layer: int, head: SparseHead, row: Term) -> TermRow | Mapping[int, Term]:
        """The columns that a head brings from a row. Those that nothing writes are as at first.

        In a program that looks up one number after another, the rows that heads see are as many as the paths through
        its heads: what all columns hold there is worked out only where it matters.
        """
        wanted = {column for entries in head.value.values() for _, column in entries}
        if wanted & self._written[layer]:
            return self.before(layer, row)
        return {column: self.starts[column](row) for column in wanted}

    def stages(self, layer: int, row: TermRow) -> list[list[Term]]:
        """The hidden units of a layer, stage by stage."""
        found: list[list[Term]] = []
        values: Sequence[Term] = row
        for sums in self.layers[layer].stages:
            values = [relu(linear(entries, values)) for entries in sums]
            found.append(values)
        return found

    def fed_forward(self, layer: int, row: TermRow) -> TermRow:
        """The columns at a row after a layer's MLP."""
        units = self.stages(layer, row)[-1]
        return tuple(
            linear(entries, units) + term if entries else term
            for entries, term in zip(self.layers[layer].out, row, strict=True)
        )


def score(head: SparseHead, query: Sequence[Term], other: TermRow) -> Term:
    """The score of another row for a query."""
    keys = [linear(entries, other) for entries in head.key]
    return combination((1, product(q, k)) for q, k in zip(query, keys, strict=True))


# -- the encoder ----------------------------------------------------------------------------------------------------


def placed(column: Column, meaning: Meaning) -> RowFunction:
    """What the encoder writes into a column: the sum of its terms."""
    return lambda row: combination((1, _placed(term, meaning, row)) for term in column.initial)


def _placed(term: Placed, meaning: Meaning, row: Term) -> Term:
    match term:
        case Fill(value, rows):
            return choice(REGIONS[rows](meaning, row), int(value), 0)
        case Position(part):
            return product(row, row) if part else row
        case Weights():
            return meaning.weight_at(row)
        case Everywhere(name) | Entries(name):
            return meaning.input(name)(row)
        case Cardinality(of):
            return meaning.counts[Scope.VERTICES if of == "vertices" else Scope.HYPEREDGES]
        case _:
            return _looked_up(term, meaning, row)


def _looked_up(term: Placed, meaning: Meaning, row: Term) -> Term:
    """What only machines that multiply or divide have."""
    match term:
        case Numbers(of):
            return choice(REGIONS[of](meaning, row), row, 0)
        case QuarterSquares():
            return meaning.quarter_square(row)
        case _:
            raise NotImplementedError(type(term).__name__)


def _past(meaning: Meaning, scope: Scope, row: Term) -> Formula:
    return at_least(row, meaning.counts[scope] + 1)


# Whether a row is of a class of rows.
REGIONS: Mapping[Region, Callable[[Meaning, Term], Formula]] = {
    "global": lambda _, row: equal(row, 0),
    "rows": lambda _, row: negation(equal(row, 0)),
    "vertices": lambda meaning, row: meaning.inside(Scope.VERTICES, row),
    "hyperedges": lambda meaning, row: meaning.inside(Scope.HYPEREDGES, row),
    "past vertices": lambda meaning, row: _past(meaning, Scope.VERTICES, row),
    "past hyperedges": lambda meaning, row: _past(meaning, Scope.HYPEREDGES, row),
}
assert REGIONS.keys() == set(get_args(Region))
