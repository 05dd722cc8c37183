"""How large the values of a program can get: `a + b·t` after `t` iterations, guessed here and proved by the solver.

Written against the language alone; it shares nothing with the bounds that the compiler uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hyloop.lang.kinds import INFINITY, Kind
from hyloop.lang.program import Op, Program, Section
from hyloop.lang.source import LanguageError

# At most `a + b·t` after t iterations.
Line = tuple[int, int]
PATIENCE = 64


@dataclass(frozen=True)
class Ranges:
    """The bound of each finite state and value, and which of them may be infinite."""

    states: Mapping[str, Line]
    infinite: frozenset[str]
    values: Mapping[str, tuple[Line, ...]]
    iterations: int  # that a run may take, at most

    def at_end(self, line: Line) -> int:
        """A bound at the last iteration."""
        return line[0] + line[1] * self.iterations


def guess(program: Program, rows: int, weight: int, inputs: Mapping[str, int]) -> Ranges:
    """Bounds that no run within the capacity should leave; `inputs` are the bounds of the inputs."""
    here = _Guess(program, rows, weight, inputs)
    states = here.states()
    values = {"before": here.lines(program.before, states), "body": here.lines(program.body, states)}
    most = int(program.begins) + program.at_most.most(rows)
    return Ranges(states, here.infinite(), values, most)


class _Guess:
    def __init__(self, program: Program, rows: int, weight: int, inputs: Mapping[str, int]) -> None:
        self.program, self.rows, self.weight, self.inputs = program, rows, weight, inputs
        self.sections = (program.before, program.body)

    def states(self) -> dict[str, Line]:
        """Lines that hold at the start and that an iteration leads from `t` to `t + 1`."""
        lines = {state.name: (_number(state.initial), 0) for state in self.program.states}
        for attempt in range(PATIENCE):
            grown = dict(lines)
            for section in self.sections:
                values = self.lines(section, lines)
                for name, op in section.updates.items():
                    growing = attempt > 2 and section.ops[op].type.kind.is_number
                    grown[name] = _raised(grown[name], values[op], growing=growing)
            if grown == lines:
                return lines
            lines = grown
        name = next(name for name, line in lines.items() if grown[name] != line)
        raise LanguageError(f"{name} has no bound that the proof could use.", self.program.state(name).where)

    def lines(self, section: Section, states: Mapping[str, Line]) -> tuple[Line, ...]:
        found: list[Line] = []
        for op in section.ops:
            found.append(self._line(op, states, [found[number] for number in op.operands]))
        return tuple(found)

    def _line(self, op: Op, states: Mapping[str, Line], args: Sequence[Line]) -> Line:
        if op.name in {"state", "input"}:
            name = str(op.argument)
            return states[name] if op.name == "state" else (self.inputs[name], 0)
        if op.name in {"incidence", "transposed"}:
            return self.rows * args[0][0], self.rows * args[0][1]
        if op.name in LINES:
            return LINES[op.name](op, args)
        usual = {Kind.FLAG: 1, Kind.LENGTH: self.weight}
        return usual.get(op.type.kind, self.rows), 0

    def infinite(self) -> frozenset[str]:
        """The states that may be infinite."""
        states = {state.name for state in self.program.states if state.initial is INFINITY}
        while True:
            grown = set(states)
            for section in self.sections:
                may: list[bool] = []
                for op in section.ops:
                    may.append(_may_be_infinite(op, states, [may[number] for number in op.operands]))
                grown |= {name for name, number in section.updates.items() if may[number]}
            if grown == states:
                return frozenset(states)
            states = grown


def _number(value: object) -> int:
    return 0 if value is None or value is INFINITY else int(value)  # type: ignore[call-overload]


def _raised(line: Line, needed: Line, *, growing: bool) -> Line:
    """The line raised so that `needed` at `t` is below it at `t + 1`."""
    a, b = line[0], max(line[1], needed[1])
    if needed[0] <= a + b:
        return a, b
    return (a, needed[0] - a) if growing else (needed[0], b)


def _may_be_infinite(op: Op, states: set[str], args: Sequence[bool]) -> bool:
    if op.type.kind is not Kind.LENGTH:
        return False
    if op.name == "state":
        return op.argument in states
    if op.name == "constant":
        return op.argument is INFINITY
    if op.name == "where":
        return any(args[1:])
    if op.name in {"subtract", "read"}:
        return args[0]
    return op.name == "min" or (op.name not in {"max", "incidence", "transposed"} and any(args))


def _widest(lines: Sequence[Line]) -> Line:
    return max(a for a, _ in lines), max(b for _, b in lines)


# Operations that hand on or add up; all others give flags, pointers, sizes and weights, with the bounds of their kind.
LINES: Mapping[str, Callable[[Op, Sequence[Line]], Line]] = {
    "constant": lambda op, _: (_number(op.argument), 0),
    "add": lambda _, args: (args[0][0] + args[1][0], args[0][1] + args[1][1]),
    "subtract": lambda _, args: args[0],
    "multiple": lambda op, args: (args[0][0] * _number(op.argument), args[0][1] * _number(op.argument)),
    "where": lambda _, args: _widest(args[1:]),
    "number": lambda _, args: args[0],
    "and": lambda _, args: min(args),
    "or": lambda _, args: _widest(args),
    "spread": lambda _, args: args[0],
    "read": lambda _, args: args[0],
    "min": lambda _, args: args[0],
    "max": lambda _, args: args[0],
}
