"""What is known of the first state: the layout's claims, and which of them a state meets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

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


def held(facts: Facts, X: FloatArray) -> Facts:
    """The facts, weakened to what holds of a state."""
    return tuple(_held_fact(fact, X[:, number]) for number, fact in enumerate(facts))


def _held_fact(fact: Fact, column: FloatArray) -> Fact:
    first = fact.first if fact.first is not None and column[0] == fact.first else None
    if fact.rest is not None and not np.all(column[1:] == fact.rest):
        fact = replace(fact, rest=None)
    vector = fact.vector or (fact.rest is None and len(column) > 1 and not bool(np.all(column[1:] == column[1])))
    return Fact(first, fact.rest, vector)


def hold_positions(columns: tuple[int, int], X: FloatArray) -> bool:
    """Whether two columns hold `j` and `j²`."""
    j = np.arange(len(X), dtype=np.float64)
    return bool(np.all(X[:, columns[0]] == j) and np.all(X[:, columns[1]] == j * j))
