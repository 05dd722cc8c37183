"""Clocks: states that count the iterations of an inner loop from 0, and the states that are reset with them.

`key := best + weight` in an inner loop grows with that loop's iterations only, if the outer loop resets `key` whenever
the inner loop begins. So the bound of `key` is `a + b·rounds`, where `rounds` is the state that counts (`lang.phases`),
instead of `a + b·t` over all iterations. This module finds clocks by what the program does with them; the bounds are
then sought, and checked to be inductive, in `lang.bounds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.program import State
from hyloop.lang.ranges import BasicBlock

# A set of flags that hold together: the operands of an `and`.
Flags = frozenset[int]
# What a clock does where a state is assigned: it ticks; it is not reset; or nothing is known.
When = Literal["ticking", "running", "whenever"]


@dataclass(frozen=True)
class Clock:
    """A state that is 0 or one more after every iteration, up to the value `limit`, and when that is."""

    state: str
    limit: int
    ticks: Flags
    resets: tuple[Flags, ...]


@dataclass(frozen=True)
class Timed:
    """An assignment to a state: the part of the program, the value there, and what the clock does at the time."""

    part: int
    value: int
    when: When


def clocks_of(parts: Sequence[BasicBlock], states: Sequence[State]) -> list[Clock]:
    """The clocks of a program, the innermost last."""
    found = (_clock(parts, state) for state in states if state.type == Type(Kind.COUNT) and state.initial == 0)
    return [clock for clock in found if clock is not None]


def _clock(parts: Sequence[BasicBlock], state: State) -> Clock | None:
    *before, body = parts
    if any(state.name in part.updates for part in before) or state.name not in body.updates:
        return None
    ticks: list[tuple[Flags, int]] = []
    resets: list[Flags] = []
    for flags, value in assigned(body, state.name):
        op = body.ops[value]
        if op.name == "constant" and op.argument == 0 and flags:
            resets.append(flags)
        elif (limit := _tick(body, state.name, value, flags)) is not None:
            ticks.append((flags, limit))
        else:
            return None
    return Clock(state.name, ticks[0][1], ticks[0][0], tuple(resets)) if len(ticks) == 1 and resets else None


def _tick(body: BasicBlock, state: str, value: int, flags: Flags) -> int | None:
    """The limit, if a value is `smaller(c + 1, limit)` where `c < limit` is known to hold."""
    op = body.ops[value]
    if op.name != "smaller":
        return None
    again, limit = op.operands
    if body.ops[again].name != "add" or not _fixed(body, limit):
        return None
    now, one = (body.ops[each] for each in body.ops[again].operands)
    if (now.name, now.argument, one.name, one.argument) != ("state", state, "constant", 1):
        return None
    below = (body.ops[each] for each in flags)
    holds = any(each.name == "less" and each.operands == (body.ops[again].operands[0], limit) for each in below)
    return limit if holds else None


def _fixed(body: BasicBlock, number: int) -> bool:
    """Whether a value is one number that no state can change."""
    op = body.ops[number]
    return op.name != "state" and op.type.scope is Scope.SCALAR and all(_fixed(body, each) for each in op.operands)


def timed(parts: Sequence[BasicBlock], state: State, clock: Clock) -> list[Timed] | None:
    """The assignments to a state beside a clock; None if a reset of the clock may leave the state as it is."""
    if not state.type.kind.is_number or state.name == clock.state:
        return None
    last = len(parts) - 1
    found = [
        (number, flags, value)
        for number, part in enumerate(parts)
        if state.name in part.updates
        for flags, value in assigned(part, state.name)
    ]
    for reset in clock.resets:
        if not any(number == last and flags <= reset for number, flags, _ in found):
            return None
    return [
        Timed(number, value, _when(parts[last], flags, clock) if number == last else "whenever")
        for number, flags, value in found
    ]


def _when(body: BasicBlock, flags: Flags, clock: Clock) -> When:
    if not all(_exclusive(body, flags, reset) for reset in clock.resets):
        return "whenever"
    return "ticking" if clock.ticks <= flags else "running"


def _exclusive(body: BasicBlock, flags: Flags, others: Flags) -> bool:
    """Whether two sets of flags cannot hold together: a flag and its opposite, or a state that is two constants."""
    for flag in flags:
        for other in others:
            a, b = body.ops[flag], body.ops[other]
            if (a.name == "not" and a.operands == (other,)) or (b.name == "not" and b.operands == (flag,)):
                return True
            if a.name == b.name == "equal" and a.operands[0] == b.operands[0]:
                first, second = body.ops[a.operands[1]], body.ops[b.operands[1]]
                if first.name == second.name == "constant" and first.argument != second.argument:
                    return True
    return False


def assigned(part: BasicBlock, state: str) -> Iterator[tuple[Flags, int]]:
    """The assignments to a state: the flags that must hold, and the value. What no flag guards hides the rest."""
    at = part.updates[state]
    while not (part.ops[at].name == "state" and part.ops[at].argument == state):
        op = part.ops[at]
        if op.name == "where":
            mask, value, at = op.operands
            yield _flags(part, mask), value
        elif op.name == "select":
            for mask, value in zip(op.operands[1::2], op.operands[2::2], strict=True):
                yield _flags(part, mask), value
            at = op.operands[0]
        else:
            yield frozenset(), at
            return


def _flags(part: BasicBlock, mask: int) -> Flags:
    op = part.ops[mask]
    return frozenset().union(*(_flags(part, each) for each in op.operands)) if op.name == "and" else frozenset([mask])
