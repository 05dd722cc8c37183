"""What is too large for a model at any capacity: a constant or a declared bound of the program itself."""

from __future__ import annotations

from collections.abc import Iterator

from hyloop.lang.bounds import bounds_of, limits_of
from hyloop.lang.program import Program
from hyloop.numbers import counted

INTERPRETER = 'use the interpreter (backend="interpreter", or --backend interpreter), which takes numbers of any size.'


def too_large_anyway(program: Program, limit: int) -> str | None:
    """Which number of a program leaves the exact range even with one row and weight 1; None if none does."""
    found = ((most, what) for most, what in (*_written(program), *_computed(program)) if most >= limit)
    exact = f"exact are those below {limit:,}"
    return next((f"{what} needs integers up to {counted(most)}; {exact}" for most, what in found), None)


def _written(program: Program) -> Iterator[tuple[int, str]]:
    """The constants and declared bounds in a program."""
    ops = [op for section in (program.before, program.body) for op in section.ops]
    if any(op.name == "input" for op in ops):
        for given in program.inputs:
            yield given.at_most or 0, f"the input {given.name}, by its declared bound,"
    for state in program.states:
        if type(state.initial) is int:
            yield state.initial, f"the first value of {state.name} ({state.where})"
    for op in ops:
        if type(op.argument) is int:
            yield op.argument, f"{op.name} ({op.where})"


def _computed(program: Program) -> Iterator[tuple[int, str]]:
    """The bounds of all values in order of dependence, so that the cause comes before its effects; states last."""
    bounds = bounds_of(program, limits_of(program, 1, 1))
    live = [
        (bounds.at_end(lines[number]), part.ops[number])
        for part, lines in zip(bounds.parts, bounds.values, strict=True)
        for number in sorted(part.live)
    ]
    for most, op in sorted(live, key=lambda each: each[1].name == "state"):
        yield most, f"{op.name} ({op.where})"


def nowhere(name: str, dtype: str, why: str) -> str:
    """The message for a program that fits at no capacity."""
    return (
        f"{name} fits into {dtype} at no capacity: {why}. A constant, a declared bound or `at_most` in the program is "
        f"too large: make it smaller, or {INTERPRETER}"
    )
