"""Clocks: states that count the iterations of an inner loop from 0, and the states that are reset with them.

`key := best + weight` in an inner loop grows with that loop's iterations only, if the outer loop resets `key` whenever
the inner loop begins. So the bound of `key` is `a + b·rounds`, where `rounds` is the state that counts (`lang.phases`),
instead of `a + b·t` over all iterations. This module finds clocks by what the program does with them; the bounds are
then sought, and checked to be inductive, in `lang.bounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.program import Op, State
from hyloop.lang.ranges import BasicBlock

MOST_WORK = 1_000_000  # states times operations of a program in which clocks are sought
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
    """An assignment to a state: the part of the program, the value there, and what the clock does at the time.

    `grows`: whether the value adds to the state itself, or to one that is made from it.
    """

    part: int
    value: int
    when: When
    grows: bool


def clocks_of(parts: Sequence[BasicBlock], states: Sequence[State]) -> list[Clock]:
    """The clocks of a program; those that are never reset come first."""
    if len(states) * sum(len(part.ops) for part in parts) > MOST_WORK:
        return []
    found = (_clock(parts, state) for state in states if state.type == Type(Kind.COUNT) and state.initial == 0)
    return sorted((clock for clock in found if clock is not None), key=lambda clock: bool(clock.resets))


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
    return Clock(state.name, ticks[0][1], ticks[0][0], tuple(resets)) if len(ticks) == 1 else None


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
    under = (body.ops[each] for each in _under(body, number, lambda _: True))
    return all(op.name != "state" and op.type.scope is Scope.SCALAR for op in under)


def timed(parts: Sequence[BasicBlock], state: State, clock: Clock) -> list[Timed] | None:
    """The assignments to a state beside a clock; None if a reset of the clock may leave the state as it is, or if the
    state grows while the clock does not tick.
    """
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
    uses = [
        Timed(
            number,
            value,
            # Before the loop, every clock is 0 and stays so.
            _when(parts[last], flags, clock) if number == last else "running",
            _adds(parts, number, value, state.name, through=True),
        )
        for number, flags, value in found
    ]
    growing = (use for use in uses if use.when != "ticking" and _adds(parts, use.part, use.value, state.name))
    return None if any(growing) else uses


def _adds(parts: Sequence[BasicBlock], part: int, value: int, state: str, *, through: bool = False) -> bool:
    """Whether a value adds to the state itself; `through`: also if other states are between them."""
    seen: set[tuple[int, int, bool]] = set()
    waiting = [(part, value, False)]
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        number, at, more = here
        op = parts[number].ops[at]
        if op.name == "state" and op.argument == state:
            if more:
                return True
        elif op.name == "state" and through:
            name = str(op.argument)
            waiting += [(n, each.updates[name], more) for n, each in enumerate(parts) if name in each.updates]
        waiting += [(number, each, more or op.name in _ADDING) for each in op.operands]
    return False


_ADDING = {"add", "multiple", "incidence", "transposed", "times"}


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
    """The assignments to a state that may last: the flags that must hold, and the value."""
    return ((flags, value) for flags, value, _ in lasting(part, state))


def lasting(part: BasicBlock, state: str) -> list[tuple[Flags, int, int]]:
    """The same, the last one first, each with the operation that is the state after it.

    What is assigned under the same flags later, or under fewer, hides what was assigned before.
    """
    found: list[tuple[Flags, int, int]] = []
    for mask, value, at in reversed(written(part, state)):
        flags = _flags(part, mask)
        if not any(later <= flags for later, _, _ in found):
            found.append((flags, value, at))
    return found


def written(part: BasicBlock, state: str) -> list[tuple[int | None, int, int]]:
    """The assignments to a state in order: mask, value, and the operation that is the state after it.

    Those before one without a mask are left out.
    """
    at = part.updates[state]
    found: list[tuple[int | None, int, int]] = []
    while not (part.ops[at].name == "state" and part.ops[at].argument == state):
        op = part.ops[at]
        if op.name == "where":
            mask, value, before = op.operands
            found.append((mask, value, at))
        elif op.name == "select":
            before, *pairs = op.operands
            found += [(mask, value, at) for mask, value in zip(pairs[::2], pairs[1::2], strict=True)][::-1]
        else:
            return [(None, at, at), *found[::-1]]
        at = before
    return found[::-1]


def _flags(part: BasicBlock, mask: int | None) -> Flags:
    """The flags that an `and` of `and`s consists of; none of no mask."""
    if mask is None:
        return frozenset()
    under = _under(part, mask, lambda op: op.name == "and")
    return frozenset(number for number in under if part.ops[number].name != "and")


def _under(part: BasicBlock, number: int, opened: Callable[[Op], bool]) -> set[int]:
    """An operation, and the operands of those that are opened, theirs too; each once."""
    seen: set[int] = set()
    waiting = [number]
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            waiting += part.ops[at].operands if opened(part.ops[at]) else ()
    return seen
