"""What a column that works ahead may hold: a value that heads will need, computed one iteration early.

The column's purposes say what it is meant to hold; that is a hint, and the proof decides: the column must hold it at
first, and again after every iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hyloop.lang.kinds import SCOPE_OF, Kind
from hyloop.lang.program import Program, Section
from hyloop.lang.purpose import Purpose
from hyloop.machine.layout import Column
from hyloop.prove.meaning import Meaning, Reading, States
from hyloop.prove.terms import conjunction, equal, flag, negation, truth

Shadow = Callable[[Meaning, States], Reading]

AFAR = frozenset({
    "read", "argmin", "argmax", "min", "max", "first", "any", "all",
    "members", "containing", "touching", "covered", "incidence", "transposed",
})  # fmt: skip


def shadows(program: Program, column: Column) -> list[Shadow]:
    """Candidates for a column: the values that its purposes name."""
    return [shadow for purpose in column.purposes for shadow in _candidates(program, purpose)]


def _candidates(program: Program, purpose: Purpose) -> Iterator[Shadow]:
    section = program.section(purpose.section)
    own = _own_row(section)
    if purpose.op >= len(section.ops):
        return
    op = section.ops[purpose.op]
    if purpose.part == "value" and own[purpose.op]:
        yield _value(section, purpose.op)
    if purpose.part == "one-hot" and op.name in {"members", "containing"} and own[op.operands[0]]:
        yield _one_hot(section, op.operands[0])
    if purpose.part == "lacking" and op.name == "all" and own[op.operands[0]]:
        yield _lacking(section, op.operands[0])
    if purpose.part == "candidates" and op.name in {"argmax", "max"} and all(own[each] for each in op.operands):
        yield _finite(section, op.operands)


def _own_row(section: Section) -> list[bool]:
    """Of each value, whether it follows from its own row."""
    own: list[bool] = []
    for op in section.ops:
        own.append(op.name not in AFAR and all(own[each] for each in op.operands))
    return own


def _value(section: Section, number: int) -> Shadow:
    return lambda meaning, states: meaning.full(section, number, states)


def _one_hot(section: Section, pointer: int) -> Shadow:
    scope = SCOPE_OF[section.ops[pointer].type.kind]

    def shadow(meaning: Meaning, states: States) -> Reading:
        at = meaning.value(section, pointer, states)
        return lambda row: flag(conjunction(meaning.inside(scope, row), equal(row, at(row))))

    return shadow


def _lacking(section: Section, number: int) -> Shadow:
    scope = section.ops[number].type.scope

    def shadow(meaning: Meaning, states: States) -> Reading:
        flags = meaning.value(section, number, states)
        return lambda row: flag(conjunction(meaning.inside(scope, row), negation(truth(flags(row)))))

    return shadow


def _finite(section: Section, operands: tuple[int, ...]) -> Shadow:
    op = section.ops[operands[0]]

    def shadow(meaning: Meaning, states: States) -> Reading:
        x, *masks = (meaning.value(section, number, states) for number in operands)

        def read(row: object) -> object:
            chosen = [truth(mask(row)) for mask in masks]  # type: ignore[arg-type]
            finite = [negation(equal(x(row), meaning.infinity))] if op.type.kind is Kind.LENGTH else []  # type: ignore[arg-type]
            return flag(conjunction(meaning.inside(op.type.scope, row), *chosen, *finite))  # type: ignore[arg-type]

        return read  # type: ignore[return-value]

    return shadow
