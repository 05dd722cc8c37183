"""What a column computed ahead may hold: a value that heads will need, computed one iteration early.

The column's purposes say what it is meant to hold; that is a hint, and the proof decides: the column must hold it at
first, and again after every iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from hyloop.lang.kinds import SCOPE_OF, Kind
from hyloop.lang.matrices import MATRICES
from hyloop.lang.purpose import Part, Purpose
from hyloop.prove.meaning import AFAR, ARITHMETIC, MEANING, Meaning, OperationRef, RowFunction, SymbolicStates
from hyloop.prove.terms import TRUE, Formula, Term, at_least, conjunction, equal, flag, negation, truth


@dataclass(frozen=True)
class Shadow:
    """What a column is meant to hold in any state; and the operation and its part that this is, by name."""

    read: Callable[[SymbolicStates], RowFunction]
    chosen: tuple[str | int, ...]


def shadow(meaning: Meaning, purposes: Iterable[Purpose]) -> Shadow | None:
    """What a column with these purposes is meant to hold, in any state; None if they name no such value.

    A value with several purposes is the same in all of them, so the first is taken: of those that depend on their own
    row alone, if there are such. (Others may simplify to that, as an array read at each row's own number does.)
    """
    found = [(purpose, place, read) for purpose in purposes for place, read in _readable(meaning, purpose)]
    if not found:
        return None
    purpose, place, read = min(found, key=lambda each: _looks_afar(each[1]))
    return Shadow(lambda states: read(meaning, place, states), (purpose.section, purpose.op, purpose.part))


def _readable(meaning: Meaning, purpose: Purpose) -> Iterator[tuple[OperationRef, _Read]]:
    known = PARTS[purpose.part]
    for place in meaning.places([purpose]):
        if known is not None and place.op.name in known.of:
            yield place, known.read


def _looks_afar(place: OperationRef) -> bool:
    """Whether a value, or any value that it depends on, reads other rows."""
    afar: list[bool] = []
    for op in place.section.ops[: place.number + 1]:
        afar.append(op.name in AFAR or any(afar[each] for each in op.operands))
    return afar[-1]


# -- parts ----------------------------------------------------------------------------------------------------------

_Read = Callable[[Meaning, OperationRef, SymbolicStates], RowFunction]


@dataclass(frozen=True)
class _Known:
    """How to read a part: which operations have it, and what it is in a state."""

    of: frozenset[str]
    read: _Read


def _value(meaning: Meaning, place: OperationRef, states: SymbolicStates) -> RowFunction:
    return meaning.full(place.section, place.number, states)


def _one_hot(meaning: Meaning, place: OperationRef, states: SymbolicStates) -> RowFunction:
    pointer = place.operand(0)
    scope, at = SCOPE_OF[pointer.op.type.kind], meaning.value(pointer.section, pointer.number, states)
    return lambda row: flag(conjunction(meaning.inside(scope, row), equal(row, at(row))))


def _lacking(meaning: Meaning, place: OperationRef, states: SymbolicStates) -> RowFunction:
    flags = place.operand(0)
    scope, value = flags.op.type.scope, meaning.value(flags.section, flags.number, states)
    return lambda row: flag(conjunction(meaning.inside(scope, row), negation(truth(value(row)))))


def _candidates(meaning: Meaning, place: OperationRef, states: SymbolicStates) -> RowFunction:
    x, *masks = (meaning.value(each.section, each.number, states) for each in place.operands)
    type_ = place.operand(0).op.type

    def finite(row: Term) -> Formula:
        if type_.kind.is_pointer:
            return at_least(x(row), 1)
        return negation(equal(x(row), meaning.infinity)) if type_.kind is Kind.LENGTH else TRUE

    return lambda row: flag(
        conjunction(meaning.inside(type_.scope, row), *(truth(mask(row)) for mask in masks), finite(row))
    )


# What a column may keep for the next iteration. None: no column does. `any` takes a head itself, and so do counts but
# those of products and quotients. Heads look at values of the program, never at assignments, gates and the halt flag,
# which are made of them afterwards.
PARTS: Mapping[Part, _Known | None] = {
    "value": _Known(frozenset(MEANING), _value),
    "one-hot": _Known(frozenset(name for along in MATRICES for name in (along.members, along.containing)), _one_hot),
    "lacking": _Known(frozenset({"all"}), _lacking),
    "candidates": _Known(frozenset({"argmin", "min", "argmax", "max"}), _candidates),
    "count": _Known(frozenset(ARITHMETIC), Meaning.prepared),
    "any-lacking": None,
    "assignment": None,
    "gate": None,
    "halt": None,
}
assert PARTS.keys() == set(get_args(Part))
