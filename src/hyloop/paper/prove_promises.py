"""The promise of each lemma as terms for the solver: row by row, for unknown values.

The promises in `paper/lemmas/` are functions of arrays of numbers, which a solver cannot read. A test compares
the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from hyloop.paper.prove_terms import Claim, Term, add, choose, equal, less, times

NOTHING, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, eq=False)
class SymbolicRow:
    """A row of the state: its entries, column by column."""

    name: str
    cells: tuple[Term, ...]


class View(Protocol):
    """The state before a layer, the argument of a promise."""

    @property
    def top(self) -> SymbolicRow:
        """Row 0."""

    @property
    def pointed(self) -> SymbolicRow | None:
        """The row `c ≥ 1` that the pointer names, if there is one."""

    def value(self, slot: str, row: SymbolicRow) -> Term:
        """An entry."""

    def incidence(self, row: SymbolicRow, column: SymbolicRow) -> Term:
        """An entry of `Ã`."""

    def following(self, part: int) -> Term:
        """The first (0) or second (1) part of the code of `c + 1`."""

    def none_is_zero(self, slot: str) -> Claim:
        """Whether no entry below row 0 is zero."""


Promise = Callable[[View, SymbolicRow], Mapping[str, Term]]


def _selection(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {"E": choose(equal(x.value("C", row), ONE), x.value("V_1", row), x.value("V_0", row))}


def _increment(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {f"D_{part + 1}": x.following(part) if row is x.top else NOTHING for part in (0, 1)}


def _comparison(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {"E": choose(less(x.value("C", row), x.value("D", row)), ONE, NOTHING)}


def _read_scalar(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    source = x.top if x.pointed is None else x.pointed
    return {"E": x.value("D", source) if row is x.top else NOTHING}


def _write_scalar(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {"E": x.value("D", x.top) if row is x.pointed else x.value("E", row)}


def _termination(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {"E": choose(x.none_is_zero("C"), ONE, NOTHING) if row is x.top else NOTHING}


def _read_incidence(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {"D": NOTHING if x.pointed is None else x.incidence(row, x.pointed)}


def _conjunction(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {"E": times(x.value("C", row), x.value("D", row))}


def _repeat_and(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    both = times(x.value("C", x.top), x.value("D", row))
    return {"D": NOTHING if row is x.top else choose(equal(x.value("E", row), ONE), NOTHING, both)}


def _repeat_addition(x: View, row: SymbolicRow) -> Mapping[str, Term]:
    return {"D": add(x.value("D", row), NOTHING if row is x.top else x.value("C", x.top))}


# By the name of the lemma.
PROMISES: Mapping[str, Promise] = {
    "selection": _selection,
    "increment": _increment,
    "comparison": _comparison,
    "read scalar": _read_scalar,
    "write scalar": _write_scalar,
    "termination": _termination,
    "read incidence": _read_incidence,
    "AND": _conjunction,
    "repeat AND": _repeat_and,
    "repeat addition": _repeat_addition,
}
