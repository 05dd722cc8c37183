"""What a column that works ahead may hold: a value that heads will need, computed one iteration early.

The column's purposes say what it is meant to hold; that is a hint, and the proof decides: the column must hold it at
first, and again after every iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from hyloop.lang.kinds import SCOPE_OF, Kind
from hyloop.lang.purpose import Part, Purpose
from hyloop.prove.meaning import AFAR, MEANING, Meaning, Place, Reading, States
from hyloop.prove.terms import TRUE, Formula, Term, conjunction, equal, flag, negation, truth

Shadow = Callable[[States], Reading]


def shadow(meaning: Meaning, purposes: Iterable[Purpose]) -> Shadow | None:
    """What a column with these purposes is meant to hold, in any state; None if they say nothing that it could be.

    Whatever serves several purposes is the same value in all of them, so the first that can be read will do.
    """
    for purpose in purposes:
        known = PARTS[purpose.part]
        for place in meaning.places([purpose]):
            if known is not None and place.op.name in known.of and known.follows(place):
                return _at(meaning, place, known.read)
    return None


def _at(meaning: Meaning, place: Place, read: _Read) -> Shadow:
    return lambda states: read(meaning, place, states)


def _own_row(place: Place) -> bool:
    """Whether a value follows from its own row."""
    return place.op.name not in AFAR and _own_operands(place)


def _own_operands(place: Place) -> bool:
    """Whether all operands do."""
    own: list[bool] = []
    for op in place.section.ops[: place.number]:
        own.append(op.name not in AFAR and all(own[each] for each in op.operands))
    return all(own[each] for each in place.op.operands)


# -- parts ----------------------------------------------------------------------------------------------------------

_Read = Callable[[Meaning, Place, States], Reading]


@dataclass(frozen=True)
class _Known:
    """How to read a part: which operations have it, whether it follows from its own row, and what it is."""

    of: frozenset[str]
    follows: Callable[[Place], bool]
    read: _Read


def _value(meaning: Meaning, place: Place, states: States) -> Reading:
    return meaning.full(place.section, place.number, states)


def _one_hot(meaning: Meaning, place: Place, states: States) -> Reading:
    pointer = place.operand(0)
    scope, at = SCOPE_OF[pointer.op.type.kind], meaning.value(pointer.section, pointer.number, states)
    return lambda row: flag(conjunction(meaning.inside(scope, row), equal(row, at(row))))


def _lacking(meaning: Meaning, place: Place, states: States) -> Reading:
    flags = place.operand(0)
    scope, value = flags.op.type.scope, meaning.value(flags.section, flags.number, states)
    return lambda row: flag(conjunction(meaning.inside(scope, row), negation(truth(value(row)))))


def _candidates(meaning: Meaning, place: Place, states: States) -> Reading:
    x, *masks = (meaning.value(each.section, each.number, states) for each in place.operands)
    type_ = place.operand(0).op.type

    def finite(row: Term) -> Formula:
        return negation(equal(x(row), meaning.infinity)) if type_.kind is Kind.LENGTH else TRUE

    return lambda row: flag(
        conjunction(meaning.inside(type_.scope, row), *(truth(mask(row)) for mask in masks), finite(row))
    )


# What a column may keep for the next iteration. None: never; no head looks at it, or it takes a head itself.
PARTS: Mapping[Part, _Known | None] = {
    "value": _Known(frozenset(MEANING), _own_row, _value),
    "one-hot": _Known(frozenset({"members", "containing"}), _own_operands, _one_hot),
    "lacking": _Known(frozenset({"all"}), _own_operands, _lacking),
    "candidates": _Known(frozenset({"argmax", "max"}), _own_operands, _candidates),
    "count": None,
    "any-lacking": None,
    "assignment": None,
    "gate": None,
    "halt": None,
}
assert PARTS.keys() == set(get_args(Part))  # noqa: S101
