"""Claims to prove about a head, from its record: the row that it attends to, and products.

A claim names a row in the program's own words: the row itself, the row that a pointer names, the row that a search
finds. The record is a hint: with a wrong one the proof fails, and nothing false is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hyloop.lang.kinds import Scope
from hyloop.lang.purpose import Purpose
from hyloop.machine.purpose import HeadPurpose
from hyloop.prove.arithmetic import Dividing
from hyloop.prove.machine import SparseHead
from hyloop.prove.meaning import (
    ARITHMETIC,
    PRODUCT,
    SEARCH,
    Meaning,
    MeanSymbol,
    OperationRef,
    ProductSymbol,
    RowFunction,
)
from hyloop.prove.terms import Term, at_least, choice


@dataclass(frozen=True)
class Claim:
    """A row in the program's words, and the term for it."""

    says: str
    at: RowFunction
    divides: Dividing | None = None  # the division whose quotient is the number of that row
    averages: Scope | None = None  # all rows of this scope tie, and that row stands for them
    chosen: tuple[str | int, ...] = ("itself",)  # the same, as a certificate says it


# Searches that give the row that they find.
PLACES = frozenset({"argmin", "argmax", "first"})
ITSELF = Claim("itself", lambda row: row)


def claims(meaning: Meaning, head: SparseHead) -> list[Claim]:
    """The rows that a head may attend to, by its record: each once."""
    if head.kind != "plain":
        return [ITSELF]
    found: dict[Term, Claim] = {}
    for claim in _hinted(meaning, head.purpose):
        found.setdefault(claim.at(meaning.one), claim)
    averaged = means(meaning, head.purpose.query)
    return _averaging(meaning, averaged[0].scope, [*found.values()]) if averaged else [*found.values()]


def _hinted(meaning: Meaning, purpose: HeadPurpose) -> Iterator[Claim]:
    # One search may implement several operations: the pointer names it best.
    for place in sorted(meaning.places(purpose.query), key=lambda place: not _points(place)):
        if place.op.name in SEARCH:
            yield _search(meaning, place)
        elif place.op.name == "read":
            yield _pointer(meaning, place.operand(1))
        elif place.op.name in ARITHMETIC:
            yield from _looked_up(meaning, place)
    if purpose.empties:
        yield ITSELF


def _search(meaning: Meaning, place: OperationRef) -> Claim:
    if place.op.name in PLACES:
        return _pointer(meaning, place)
    row = meaning.search_of(place).row
    says = f"the row of {place.op.label or place.op.name} ({place.op.where})"
    return Claim(says, lambda _: row, chosen=_chosen(meaning, "search", place))


def _chosen(meaning: Meaning, what: str, place: OperationRef) -> tuple[str | int, ...]:
    return what, "body" if place.section is meaning.program.body else "before", place.number


def _points(place: OperationRef) -> bool:
    """Whether an operation gives a pointer, and not the least or greatest one of an array."""
    return place.op.type.kind.is_pointer and (place.op.name not in SEARCH or place.op.name in PLACES)


def _looked_up(meaning: Meaning, place: OperationRef) -> Iterator[Claim]:
    """The rows of a quotient, and of the numbers whose squares make a product."""
    where = f"{place.op.label or place.op.name} ({place.op.where})"
    for made in meaning.arithmetic_of(place):
        if isinstance(made, Dividing):
            chosen = _chosen(meaning, "quotient", place)
            yield Claim(f"the quotient of {where}", made.quotient.at, made, chosen=chosen)
        else:
            total, gap = (_chosen(meaning, each, place) for each in ("sum", "difference"))
            yield Claim(f"the sum of what {where} multiplies", made.total, chosen=total)
            yield Claim(f"the difference of what {where} multiplies", made.gap, chosen=gap)


def _pointer(meaning: Meaning, place: OperationRef) -> Claim:
    what = place.op.label or str(place.op.argument or place.op.name)
    value = meaning.full(place.section, place.number, meaning.now)
    return Claim(f"{what} ({place.op.where})", value, chosen=_chosen(meaning, "value", place))


def _averaging(meaning: Meaning, scope: Scope, beside: list[Claim]) -> list[Claim]:
    """All rows of a scope tie. One stands for them: that of a search which the head makes too (`any` of a flag that
    every row has), or the first of them, row 0 where there are none.
    """
    first = choice(at_least(meaning.counts[scope], 1), 1, 0)
    rows = [*beside, Claim("the first", lambda _: first, chosen=("first",))]
    return [Claim(f"all {scope}", each.at, averages=scope, chosen=each.chosen) for each in rows]


def means(meaning: Meaning, purposes: Iterable[Purpose]) -> list[MeanSymbol]:
    """The means that purposes name: each once."""
    return [*dict.fromkeys(meaning.mean_of(place) for place in meaning.places(purposes) if place.op.name == "mean")]


def products(meaning: Meaning, head: SparseHead, column: int) -> list[ProductSymbol]:
    """The products that a head with the incidence may write to a column, by its record: each once."""
    purposes = brought_for(head, column)
    made = [meaning.product_of(place) for place in meaning.places(purposes) if place.op.name in PRODUCT]
    return [each for each in dict.fromkeys(made) if each.matrix == head.kind]


def brought_for(head: SparseHead, column: int) -> list[Purpose]:
    """What a head writes to a column for, by its record."""
    return [each for brought in head.purpose.value if brought.column == column for each in brought.purposes]
