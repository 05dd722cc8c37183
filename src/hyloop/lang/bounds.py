"""How large every value of a program can get, and which lengths may be infinite. The one analysis of it.

Bounds have the form `a + b·t` after `t` iterations. Those of the states are sought as a fixed point: they hold at
first, and an iteration leads from `t` to `t + 1`. The verifier, the compiler and the prover all ask here. The prover
does not believe the answer: it puts every bound to the solver as an obligation.

Every operation has an entry in both tables, those of the language and those that only the compiler makes; a missing
one is an error at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hyloop.lang.kinds import INFINITY, Constant, Kind, Type
from hyloop.lang.ops import TYPES
from hyloop.lang.program import Argument, Input, Program, State
from hyloop.lang.source import LanguageError, Location

# At most `a + b·t` after t iterations.
Line = tuple[int, int]

SETTLE = 3  # rounds in which a state may still be lifted as a whole, before it is taken to grow
ROUNDS = 64

# Operations that only the compiler makes.
LOWERED = frozenset({"select", "times", "positive", "started"})


class Operation(Protocol):
    """An operation of a program, or of what the compiler makes of it."""

    @property
    def name(self) -> str:
        """Which operation."""

    @property
    def operands(self) -> tuple[int, ...]:
        """The numbers of its operands."""

    @property
    def argument(self) -> Argument:
        """Its constant part."""

    @property
    def type(self) -> Type:
        """What it gives."""

    @property
    def where(self) -> Location:
        """Where in the user's file it was written."""


@dataclass(frozen=True)
class Part:
    """Operations in order, the numbers of those that states become, and one that stops the loop, if there is one."""

    ops: Sequence[Operation]
    updates: Mapping[str, int]
    stop: int | None = None

    @property
    def live(self) -> frozenset[int]:
        """The operations that anything depends on."""
        found: set[int] = set()
        waiting = [*self.updates.values(), *([] if self.stop is None else [self.stop])]
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting += self.taken(self.ops[number])
        return frozenset(found)

    def taken(self, op: Operation) -> tuple[int, ...]:
        """The operands that can make a difference: of a `where` under a constant, the one that is always taken."""
        if op.name == "where" and (mask := self.ops[op.operands[0]]).name == "constant":
            return (op.operands[1 if mask.argument else 2],)
        return op.operands


@dataclass(frozen=True)
class Limits:
    """What an input may be: at most so many rows, weights and inputs up to a bound, in integer units."""

    rows: int
    weight: int
    inputs: Mapping[str, int]


@dataclass(frozen=True)
class Bounds:
    """The bounds of states and values, part by part, and the iterations that a run may take at most."""

    parts: tuple[Part, ...]
    states: Mapping[str, Line]
    values: tuple[tuple[Line, ...], ...]
    infinite_states: frozenset[str]
    infinite: tuple[tuple[bool, ...], ...]
    iterations: int

    def at_end(self, line: Line) -> int:
        """A bound after the last iteration, where it is largest."""
        return line[0] + line[1] * self.iterations

    def longest(self, weight: int) -> int:
        """The largest finite length of all that anything depends on; infinity must be larger."""
        lengths = [
            self.at_end(values[number])
            for part, values in zip(self.parts, self.values, strict=True)
            for number in part.live
            if part.ops[number].type.kind is Kind.LENGTH
        ]
        return max([weight, *lengths])


def input_bound(given: Input, rows: int, weight: int) -> int:
    """The largest that an input can be for the machine: an integer.

    A declared bound of a length is in the user's unit, of which the machine knows nothing: it takes lengths up to the
    heaviest weight, and what was declared where the unit is 1.
    """
    usual = {Kind.FLAG: 1, Kind.LENGTH: weight}.get(given.type.kind, rows)
    if given.at_most is None:
        return usual
    return max(usual, given.at_most) if given.type.kind is Kind.LENGTH else given.at_most


def limits_of(program: Program, rows: int, weight: int) -> Limits:
    """The limits of a program's inputs within a capacity."""
    return Limits(rows, weight, {each.name: input_bound(each, rows, weight) for each in program.inputs})


def bounds_of(program: Program, limits: Limits) -> Bounds:
    """The bounds of a program's two sections; raises for a state that grows without one."""
    return bounds(program, parts_of(program), program.states, limits)


def parts_of(program: Program) -> tuple[Part, Part]:
    """What comes before the loop, and the loop."""
    before, body = program.before, program.body
    return Part(before.ops, before.updates), Part(body.ops, body.updates, body.stop)


def bounds(program: Program, parts: Sequence[Part], states: Sequence[State], limits: Limits) -> Bounds:
    """The bounds of a program in any form: its own sections, or what the compiler has made of them."""
    lines = _inductive(parts, states, limits)
    infinite = infinite_states(parts, states)
    return Bounds(
        tuple(parts),
        lines,
        tuple(_lines(part, limits, lines) for part in parts),
        infinite,
        tuple(may_be_infinite(part, infinite) for part in parts),
        int(program.begins) + program.at_most.most(limits.rows),
    )


# -- how large ------------------------------------------------------------------------------------------------------


def _inductive(parts: Sequence[Part], states: Sequence[State], limits: Limits) -> dict[str, Line]:
    lines: dict[str, Line] = {state.name: (_number(state.initial), 0) for state in states}
    for round_ in range(ROUNDS):
        grown = dict(lines)
        for part in parts:
            values = _lines(part, limits, lines)
            for name, number in part.updates.items():
                grows = round_ >= SETTLE and part.ops[number].type.kind.is_number
                grown[name] = _lifted(grown[name], values[number], grows=grows)
        if grown == lines:
            return lines
        rising = [state for state in states if grown[state.name] != lines[state.name]]
        lines = grown
    raise LanguageError(
        f"{rising[0].name} has no bound: it may grow faster with every iteration, so no number format is sure to hold "
        "it.",
        rising[0].where,
    )


def _lifted(line: Line, needed: Line, *, grows: bool) -> Line:
    """The smallest change of `a + b·t` after which `needed(t) ≤ a + b·(t + 1)`."""
    a, b = line[0], max(line[1], needed[1])
    if needed[0] <= a + b:
        return a, b
    return (a, needed[0] - a) if grows else (needed[0], b)


def _lines(part: Part, limits: Limits, states: Mapping[str, Line]) -> tuple[Line, ...]:
    found: list[Line] = []
    for op in part.ops:
        here = _Here(op, part, limits, states, [found[number] for number in op.operands])
        found.append(LINES[op.name](here))
    return tuple(found)


@dataclass(frozen=True)
class _Here:
    """An operation, where it stands, and the bounds of its operands."""

    op: Operation
    part: Part
    limits: Limits
    states: Mapping[str, Line]
    args: Sequence[Line]

    @property
    def factor(self) -> int:
        return _number(self.op.argument)


def _number(value: Argument | Constant) -> int:
    return 0 if value is None or value is INFINITY else int(value)  # type: ignore[arg-type]


def _widest(lines: Iterable[Line]) -> Line:
    found = tuple(lines)
    return max(a for a, _ in found), max(b for _, b in found)


def _flag(_: _Here) -> Line:
    return 1, 0


def _row(here: _Here) -> Line:
    return here.limits.rows, 0


def _first(here: _Here) -> Line:
    return here.args[0]


def _added(here: _Here) -> Line:
    return here.args[0][0] + here.args[1][0], here.args[0][1] + here.args[1][1]


def _many(factor: int, line: Line) -> Line:
    return factor * line[0], factor * line[1]


def _read(here: _Here) -> Line:
    """A row's own number, read at a pointer, is the pointer."""
    own = here.part.ops[here.op.operands[0]].name == "own"
    return here.args[1] if own else here.args[0]


def _where(here: _Here) -> Line:
    taken = here.part.taken(here.op)
    return _widest(line for number, line in zip(here.op.operands[1:], here.args[1:], strict=True) if number in taken)


def _times(here: _Here) -> Line:
    """A product with the incidence adds up as many as there are rows; of a one-hot, one."""
    flag = here.part.ops[here.op.operands[0]]
    one_hot = flag.name == "equal" and here.part.ops[flag.operands[0]].name == "own"
    return here.args[0] if one_hot else _many(here.limits.rows, here.args[0])


LINES: Mapping[str, Callable[[_Here], Line]] = {
    "input": lambda here: (here.limits.inputs[str(here.op.argument)], 0),
    "state": lambda here: here.states[str(here.op.argument)],
    "constant": lambda here: (here.factor, 0),
    "weight": lambda here: (here.limits.weight, 0),
    "size": _row,
    "own": _row,
    "add": _added,
    "subtract": _first,
    "multiple": lambda here: _many(here.factor, here.args[0]),
    "less": _flag,
    "precedes": _flag,
    "equal": _flag,
    "and": lambda here: min(here.args),  # of flags that are the same, the compiler makes one
    "or": lambda here: _widest(here.args),
    "not": _flag,
    "where": _where,
    "number": _first,
    "spread": _first,
    "missing": _flag,
    "next": _row,
    "read": _read,
    "argmin": _row,
    "argmax": _row,
    "min": _first,
    "max": _first,
    "first": _row,
    "any": _flag,
    "all": _flag,
    "members": _flag,
    "containing": _flag,
    "touching": _flag,
    "covered": _flag,
    "incidence": lambda here: _many(here.limits.rows, here.args[0]),
    "transposed": lambda here: _many(here.limits.rows, here.args[0]),
    "select": lambda here: _widest([here.args[0], *here.args[2::2]]),
    "times": _times,
    "positive": _flag,
    "started": _flag,
}


# -- what may be infinite -------------------------------------------------------------------------------------------

_Rule = Callable[[Operation, Sequence[bool]], bool]


def _never(_: Operation, __: Sequence[bool]) -> bool:
    return False


def _if_any(_: Operation, operands: Sequence[bool]) -> bool:
    return True in operands


def _if_first(_: Operation, operands: Sequence[bool]) -> bool:
    return operands[0]


# Whether an operation's result may be infinite, given whether its operands may (of `where` and `select`: where they
# are taken).
INFINITE: Mapping[str, _Rule] = {
    "input": _never,
    "state": _never,  # looked up
    "constant": lambda op, _: op.argument is INFINITY,
    "weight": _never,
    "size": _never,
    "own": _never,
    "add": _if_any,
    "subtract": _if_first,
    "multiple": _if_any,
    "less": _never,
    "precedes": _never,
    "equal": _never,
    "and": _never,
    "or": _never,
    "not": _never,
    "where": _if_any,
    "number": _never,
    "spread": _if_any,
    "missing": _never,
    "next": _never,
    "read": _if_first,
    "argmin": _never,
    "argmax": _never,
    # A search that finds nothing gives INFINITY, if what it looks at are lengths; infinite ones are no candidates.
    "min": lambda op, _: op.type.kind is Kind.LENGTH,
    "max": _never,
    "first": _never,
    "any": _never,
    "all": _never,
    "members": _never,
    "containing": _never,
    "touching": _never,
    "covered": _never,
    "incidence": _never,
    "transposed": _never,
    "select": _if_any,
    "times": _never,
    "positive": _never,
    "started": _never,
}


def infinite_states(parts: Sequence[Part], states: Sequence[State]) -> frozenset[str]:
    """The states that may be infinite: a fixed point."""
    found = frozenset(state.name for state in states if state.initial is INFINITY)
    while True:
        grown = found.union(*(_becoming_infinite(part, found) for part in parts))
        if grown == found:
            return found
        found = grown


def _becoming_infinite(part: Part, states: frozenset[str]) -> set[str]:
    may = may_be_infinite(part, states)
    return {name for name, number in part.updates.items() if may[number]}


def may_be_infinite(part: Part, states: frozenset[str]) -> tuple[bool, ...]:
    """Of each operation, whether what it gives may be infinite."""
    may: list[bool] = []
    for op in part.ops:
        if op.name == "state":
            may.append(op.argument in states)
        else:
            taken = TAKEN.get(op.name, _operands)(part, op, may)
            may.append(INFINITE[op.name](op, taken))
    return tuple(may)


def _operands(_: Part, op: Operation, may: Sequence[bool]) -> list[bool]:
    return [may[operand] for operand in op.operands]


def _branches(part: Part, op: Operation, may: Sequence[bool]) -> list[bool]:
    """Whether what `where` takes may be infinite *where it is taken*: `where(x < INFINITY, x, 0)` is finite."""
    if len(taken := part.taken(op)) == 1:
        return [may[taken[0]]]
    condition, yes, no = op.operands
    known = _Finite(part, may)
    return [
        may[yes] and not known.where(condition, yes, holds=True),
        may[no] and not known.where(condition, no, holds=False),
    ]


def _guarded(part: Part, op: Operation, may: Sequence[bool]) -> list[bool]:
    """The same of a `select`: the base is taken where no mask holds, a value where its own does."""
    base, masks, values = op.operands[0], op.operands[1::2], op.operands[2::2]
    known = _Finite(part, may)
    kept = may[base] and not any(known.where(mask, base, holds=False) for mask in masks)
    pairs = zip(masks, values, strict=True)
    return [kept, *(may[value] and not known.where(mask, value, holds=True) for mask, value in pairs)]


# How an operation takes its operands, where that is not as they are.
TAKEN: Mapping[str, Callable[[Part, Operation, Sequence[bool]], list[bool]]] = {"where": _branches, "select": _guarded}


class _Finite:
    """What conditions tell of a value: whether it is finite where they hold. Each question is asked once."""

    def __init__(self, part: Part, may: Sequence[bool]) -> None:
        self.part, self.may = part, may
        self.found: dict[tuple[int, int, bool], bool] = {}

    def where(self, condition: int, value: int, *, holds: bool) -> bool:
        """Whether a value is finite wherever a condition holds (or does not)."""
        key = condition, value, holds
        if key not in self.found:
            self.found[key] = self._where(self.part.ops[condition], value, holds=holds)
        return self.found[key]

    def _where(self, op: Operation, value: int, *, holds: bool) -> bool:
        if op.name == "not":
            return self.where(op.operands[0], value, holds=not holds)
        if op.name == ("and" if holds else "or"):
            return any(self.where(each, value, holds=holds) for each in op.operands)
        return op.name in {"less", "equal"} and value in op.operands and self._compared(op, value, holds=holds)

    def _compared(self, op: Operation, value: int, *, holds: bool) -> bool:
        left, right = op.operands
        if op.name == "less":  # left < right, so left is finite; or right ≤ left
            return value == left if holds else value == right and not self.may[left]
        other = right if value == left else left
        return not self.may[other] if holds else self.part.ops[other].argument is INFINITY


assert set(LINES) == set(INFINITE) == set(TYPES) | LOWERED
