"""What stands behind the name of an input: a kind, a kind with a bound, or an array of one over vertices or hyperedges.

def f(h, source: Vertex, legs: at_most(Count, 5), start: Vertices[Flag], toll: Hyperedges[Length])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hyloop.lang.kinds import Kind, Scope, Type, exact
from hyloop.lang.program import Input
from hyloop.lang.refusals import called_right
from hyloop.lang.source import error


@dataclass(frozen=True)
class AtMost:
    """A number that the user gives, with its own bound: `limit: at_most(Count, 10)`."""

    kind: Kind
    bound: int

    def __repr__(self) -> str:
        return f"at_most({_named(self.kind)}, {self.bound})"


@called_right
def at_most(kind: Any, bound: Any) -> AtMost:
    """Annotate an input as at most `bound`."""
    if isinstance(kind, Array):
        inner = f"{kind.rows!r}[at_most({_named(kind.kind)}, 10)]"
        raise error(f"the bound is one of the entries, and stands inside the brackets: `{inner}`.")
    if not isinstance(kind, Kind) or not kind.is_number:
        given = f"a {kind}" if isinstance(kind, Kind) else repr(kind)
        raise error(f"only a Count or a Length can have a bound, as in `at_most(Count, 10)`; this is {given}.")
    bound = exact(bound)
    if type(bound) is not int or bound < 0:
        raise error(f"a bound is a whole number of at least 0, as in `at_most(Count, 10)`, not {bound!r}.")
    return AtMost(kind, bound)


@dataclass(frozen=True)
class Array:
    """An array that the user gives, one entry a row: `Vertices[Count]`, perhaps with a bound for each entry."""

    rows: Rows
    kind: Kind
    bound: int | None = None

    def __repr__(self) -> str:
        entry = _named(self.kind) if self.bound is None else repr(AtMost(self.kind, self.bound))
        return f"{self.rows!r}[{entry}]"


@dataclass(frozen=True)
class Rows:
    """`Vertices` and `Hyperedges`: with a kind in brackets, what an input is that has one value for each of them."""

    scope: Scope

    def __getitem__(self, kind: Any) -> Array:
        if isinstance(kind, AtMost):
            return Array(self, kind.kind, kind.bound)
        if not isinstance(kind, Kind):
            raise error(f"an array is of Flag, Count, Length, Vertex or Hyperedge, as in `{self!r}[Count]`.")
        return Array(self, kind)

    def __repr__(self) -> str:
        return str(self.scope).capitalize()


Vertices, Hyperedges = Rows(Scope.VERTICES), Rows(Scope.HYPEREDGES)

# What an annotation may be.
InputKind = Kind | AtMost | Array


def declared(name: str, given: InputKind) -> Input:
    """The input of that name, as its annotation says."""
    if isinstance(given, Array):
        return Input(name, Type(given.kind, given.rows.scope), given.bound)
    return Input(name, Type(given.kind), given.bound) if isinstance(given, AtMost) else Input(name, Type(given))


def _named(kind: Kind) -> str:
    return str(kind).capitalize()
