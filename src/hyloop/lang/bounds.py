"""How large every value of a program can get, and which lengths may be infinite. The one analysis of it.

Bounds have the form `a + b·t` after `t` iterations. Those of the states are sought as a fixed point: they hold at
first, and an iteration leads from `t` to `t + 1`. The verifier, the compiler and the prover all ask here. The prover
does not believe the answer: it puts every bound to the solver as an obligation.

What one operation makes of the bounds of its operands is part of its record in `lang.ops`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hyloop.lang.kinds import INFINITY, Kind
from hyloop.lang.ops import OPERATIONS
from hyloop.lang.program import Input, Program, State
from hyloop.lang.ranges import BasicBlock, Bounding, Doubting, Limits, Line, number_of
from hyloop.lang.source import LanguageError

__all__ = [
    "BasicBlock",
    "Bounds",
    "Limits",
    "Line",
    "bounds_of",
    "infinite_states",
    "input_bound",
    "limits_of",
    "may_be_infinite",
    "parts_of",
]

SETTLE = 3  # rounds in which a state may still be lifted as a whole, before it is taken to grow
ROUNDS = 64


@dataclass(frozen=True)
class Bounds:
    """The bounds of states and values, part by part, and the iterations that a run may take at most."""

    parts: tuple[BasicBlock, ...]
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
    parts, states = parts_of(program), program.states
    infinite = infinite_states(parts, states)
    may = tuple(may_be_infinite(part, infinite) for part in parts)
    analysis = _Analysis(parts, may, states, limits, program.most_iterations_within(limits.rows))
    lines = analysis.inductive()
    return Bounds(parts, lines, analysis.values(lines), infinite, may, analysis.iterations)


def parts_of(program: Program) -> tuple[BasicBlock, BasicBlock]:
    """What comes before the loop, and the loop."""
    before, body = program.before, program.body
    return BasicBlock(before.ops, before.updates), BasicBlock(body.ops, body.updates, body.stop)


# -- how large ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Analysis:
    parts: Sequence[BasicBlock]
    infinite: Sequence[Sequence[bool]]
    states: Sequence[State]
    limits: Limits
    iterations: int

    def inductive(self) -> dict[str, Line]:
        """A bound for every state: a fixed point.

        It is sought from below. A state that something (as `smaller`) stops may have been taken to grow by then, and
        others with it: it is drawn in, and the others are sought once more.
        """
        initial: dict[str, Line] = {state.name: (number_of(state.initial), 0) for state in self.states}
        lines = self.settled(initial)
        lower = self.drawn_in(lines)
        known = {name: line for name, line in lower.items() if line != lines[name]}
        again = self.settled(initial | known) if known else lines
        return lower if any(self._less(lower[name], again[name]) for name in lower) else again

    def settled(self, lines: dict[str, Line]) -> dict[str, Line]:
        """These bounds, lifted until an iteration leads to no others."""
        for round_ in range(ROUNDS):
            grown = self.lifted(lines, may_grow=round_ >= SETTLE)
            if grown == lines:
                return lines
            rising = [state for state in self.states if grown[state.name] != lines[state.name]]
            lines = grown
        raise LanguageError(
            f"{rising[0].name} has no bound: it may grow faster with every iteration, so no number format is sure to "
            "hold it.",
            rising[0].where,
        )

    def lifted(self, lines: Mapping[str, Line], *, may_grow: bool) -> dict[str, Line]:
        """Bounds that an iteration leads to from these."""
        grown = dict(lines)
        for part, values in zip(self.parts, self.values(lines), strict=True):
            for name, number in part.updates.items():
                grows = may_grow and part.ops[number].type.kind.is_number
                grown[name] = _lifted(grown[name], values[number], grows=grows)
        return grown

    def drawn_in(self, lines: dict[str, Line]) -> dict[str, Line]:
        """The bounds of what the states become, where that is less, if those are a fixed point too."""
        lower = lines | {name: line for name, line in self.reached(lines).items() if self._less(line, lines[name])}
        return lower if self.lifted(lower, may_grow=True) == lower else lines

    def reached(self, lines: Mapping[str, Line]) -> dict[str, Line]:
        """The bounds of what each state that is assigned becomes, or is at first."""
        found: dict[str, Line] = {}
        initial = {state.name: number_of(state.initial) for state in self.states}
        for part, values in zip(self.parts, self.values(lines), strict=True):
            for name, number in part.updates.items():
                a, b = values[number]
                before = found.get(name, (initial[name], 0))
                found[name] = max(before[0], a), max(before[1], b)
        return found

    def _less(self, line: Line, other: Line) -> bool:
        return line[0] + line[1] * self.iterations < other[0] + other[1] * self.iterations

    def values(self, states: Mapping[str, Line]) -> tuple[tuple[Line, ...], ...]:
        """The bound of every operation, part by part."""
        parts = zip(self.parts, self.infinite, strict=True)
        return tuple(self._values(part, infinite, states) for part, infinite in parts)

    def _values(self, part: BasicBlock, infinite: Sequence[bool], states: Mapping[str, Line]) -> tuple[Line, ...]:
        found: list[Line] = []
        for op in part.ops:
            args = [found[number] for number in op.operands]
            may = [infinite[number] for number in op.operands]
            here = Bounding(op, part, self.limits, states, args, may, self.iterations, found)
            found.append(OPERATIONS[op.name].bound(here))
        return tuple(found)


def _lifted(line: Line, needed: Line, *, grows: bool) -> Line:
    """The smallest change of `a + b·t` after which `needed(t) ≤ a + b·(t + 1)`."""
    a, b = line[0], max(line[1], needed[1])
    if needed[0] <= a + b:
        return a, b
    return (a, needed[0] - a) if grows else (needed[0], b)


# -- what may be infinite -------------------------------------------------------------------------------------------


def infinite_states(parts: Sequence[BasicBlock], states: Sequence[State]) -> frozenset[str]:
    """The states that may be infinite: a fixed point."""
    found = frozenset(state.name for state in states if state.initial is INFINITY)
    while True:
        grown = found.union(*(_becoming_infinite(part, found) for part in parts))
        if grown == found:
            return found
        found = grown


def _becoming_infinite(part: BasicBlock, states: frozenset[str]) -> set[str]:
    may = may_be_infinite(part, states)
    return {name for name, number in part.updates.items() if may[number]}


def may_be_infinite(part: BasicBlock, states: frozenset[str]) -> tuple[bool, ...]:
    """Of each operation, whether what it gives may be infinite."""
    may: list[bool] = []
    for op in part.ops:
        may.append(OPERATIONS[op.name].infinite(Doubting(op, part, states, may)))
    return tuple(may)
