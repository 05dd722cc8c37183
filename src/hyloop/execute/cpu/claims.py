"""What is known of the first state: the layout's claims, and which of them a state meets."""

from __future__ import annotations

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


def hold_positions(columns: tuple[int, int], X: Columns) -> bool:
    """Whether two columns hold `j` and `j²`."""
    j = np.arange(len(X), dtype=np.float64)
    return all(
        number in X.vectors and bool(np.all(X.vectors[number] == wanted))
        for number, wanted in zip(columns, (j, j * j), strict=True)
    )
