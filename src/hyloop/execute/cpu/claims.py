"""What is known of the first state: the layout's claims, and which of them a state meets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hyloop.execute.columns import Columns
from hyloop.execute.cpu.expressions import Fact, Facts
from hyloop.machine.layout import (
    Cardinality,
    Column,
    Entries,
    Everywhere,
    Fill,
    Mark,
    Numbers,
    Pointer,
    Position,
    QuarterSquares,
    Weights,
)
from hyloop.machine.model import Model
from hyloop.machine.positions import Parabola

FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Claims:
    """What is assumed of the first state: a fact for each column, and the columns of the position code."""

    facts: Facts
    positions: tuple[int, int] | None


@lru_cache(maxsize=64)
def claims(model: Model) -> Claims:
    """What the layout says of the first state."""
    columns = model.layout.columns
    facts = tuple(_claimed(column) for column in columns)
    parts = [[n for n, column in enumerate(columns) if column.initial == (Position(part),)] for part in (0, 1)]
    code = isinstance(model.layout.positions, Parabola) and all(parts)
    return Claims(facts, (parts[0][0], parts[1][0]) if code else None)


def _claimed(column: Column) -> Fact:
    first, rest, vector = 0.0, 0.0, False
    known, known_rest = True, True
    for term in column.initial:
        match term:
            case Fill(value, "global"):
                first += value
            case Fill(value, "rows"):
                rest += value
            case Everywhere() | Cardinality():
                known = known_rest = False
            case Pointer():
                known = False
            case Fill() | Position() | Mark() | Weights() | Entries() | Numbers() | QuarterSquares():
                vector = True
    return Fact(first if known else None, rest if known_rest and not vector else None, vector)


def held(facts: Facts, X: Columns) -> Facts:
    """The facts, weakened to what holds of a state."""
    first, body = X.numbers.tolist()
    vectors = X.vectors if len(X) > 1 else {}
    each = zip(facts, first, body if len(X) > 1 else [None] * len(facts), strict=True)
    return tuple(_held_fact(fact, zero, one, vectors.get(number)) for number, (fact, zero, one) in enumerate(each))


def _held_fact(fact: Fact, zero: float, one: float | None, vector: FloatArray | None) -> Fact:
    """`zero` and `one` are what a column has on rows 0 and 1, if there is one; `vector` is what may be on others."""

    def is_common() -> bool:
        return vector is None or bool(np.all(vector[1:] == one))

    first = fact.first if zero == fact.first else None
    rest = fact.rest if fact.rest is None or one is None or (one == fact.rest and is_common()) else None
    varies = fact.vector or (rest is None and not is_common())
    return fact if (first, rest, varies) == (fact.first, fact.rest, fact.vector) else Fact(first, rest, varies)


@dataclass(frozen=True, eq=False)
class Expected:
    """The facts of a boundary as arrays: what they say of rows 0 and 1, and the columns that they leave free."""

    first: tuple[npt.NDArray[np.intp], FloatArray]
    rest: tuple[npt.NDArray[np.intp], FloatArray]
    free: frozenset[int]

    @staticmethod
    def of(facts: Facts) -> Expected:
        """What a state has to meet so that all facts hold."""
        first = {number: fact.first for number, fact in enumerate(facts) if fact.first is not None}
        rest = {number: fact.rest for number, fact in enumerate(facts) if fact.rest is not None}
        free = frozenset(number for number, fact in enumerate(facts) if fact.vector and fact.rest is None)
        return Expected(_as_arrays(first), _as_arrays(rest), free)

    def is_met(self, X: Columns) -> bool:
        """Whether it is clear that all facts hold; if not, `held` says what does."""
        if len(X) < 2 or not self.free.issuperset(X.vectors):
            return False
        pairs = zip(X.numbers, (self.first, self.rest), strict=True)
        return all(bool((row[columns] == wanted).all()) for row, (columns, wanted) in pairs)


def _as_arrays(numbers: Mapping[int, float]) -> tuple[npt.NDArray[np.intp], FloatArray]:
    return np.array(list(numbers), np.intp), np.array(list(numbers.values()), np.float64)


def hold_positions(columns: tuple[int, int], X: Columns) -> bool:
    """Whether two columns hold `j` and `j²`; of a state made from another one, that has these columns, it is kept."""
    if X.origin is None or not X.others.isdisjoint(columns):
        return _hold_positions(columns, X)
    known = X.origin.known
    if columns not in known:
        known[columns] = _hold_positions(columns, X.origin)
    return known[columns]


def _hold_positions(columns: tuple[int, int], X: Columns) -> bool:
    j = np.arange(len(X), dtype=np.float64)
    return all(
        number in X.vectors and bool(np.all(X.vectors[number] == wanted))
        for number, wanted in zip(columns, (j, j * j), strict=True)
    )
