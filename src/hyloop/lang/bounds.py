"""Upper bounds of every value of a program, and which lengths may be infinite.

Bounds have the form `a + b·t` after `t` iterations. Those of the states are a fixed point: they hold initially, and an
iteration preserves them, from `t` to `t + 1`. A state that is reset whenever an inner loop begins has a bound `a + b·c`
instead, where `c` is the state that counts the iterations of that loop (`lang.clocks`). The verifier, the compiler and
the prover use this analysis. The prover does not rely on it: every bound is an obligation for the solver.

How an operation's bound follows from those of its operands is part of its record in `lang.ops`.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hyloop.lang.clocks import Clock, Timed, clocks_of, timed, written
from hyloop.lang.conditions import Branch
from hyloop.lang.kinds import INFINITY, Kind, Scope
from hyloop.lang.ops import OPERATIONS, TABLES
from hyloop.lang.program import Input, Program, State
from hyloop.lang.ranges import (
    BasicBlock,
    Bounding,
    Doubting,
    Limits,
    Line,
    least_of,
    number_of,
    where_taken,
    widest,
)
from hyloop.lang.source import LanguageError

__all__ = [
    "BasicBlock",
    "Bounds",
    "Clocked",
    "Limits",
    "Line",
    "bounds_of",
    "bounds_or_none",
    "infinite_states",
    "input_bound",
    "limits_of",
    "may_be_infinite",
    "parts_of",
]

SETTLE = 3  # rounds in which the constant part of a bound may rise, before the state is assumed to grow
ROUNDS = 64
STEADY = 4  # rounds in which the same rises by the same, or by twice as much, before it is asked whether that ends
ATTEMPTS = 8  # searches for bounds by clocks


@dataclass(frozen=True)
class Clocked:
    """A bound `a + b·c` of a state: the state `c` that counts, and the line."""

    clock: str
    line: Line


@dataclass(frozen=True)
class Known:
    """What is known of a program beforehand: the most that operations of its loop can be, and that states can be."""

    values: Mapping[int, int] = field(default_factory=dict)
    states: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Bounds:
    """The bounds of states and values, part by part, and the iterations that a run may take at most.

    `clocked` has the inductive bounds of states that are bounded by a clock; in `states` theirs are constants.
    """

    parts: tuple[BasicBlock, ...]
    states: Mapping[str, Line]
    values: tuple[tuple[Line, ...], ...]
    infinite_states: frozenset[str]
    infinite: tuple[tuple[bool, ...], ...]
    iterations: int
    # The same of all rows of the machine, those outside a value's scope included.
    everywhere: tuple[tuple[Line, ...], ...]
    infinite_everywhere: tuple[tuple[bool, ...], ...]
    clocked: Mapping[str, Clocked] = field(default_factory=dict)

    def at_end(self, line: Line) -> int:
        """A bound after the last iteration, where it is largest."""
        return line[0] + line[1] * self.iterations

    def longest(self, weight: int, *, unused: bool = False) -> int:
        """The largest finite length of all live operations, or also of unused ones; infinity must be larger."""
        lengths = [
            self.at_end(values[number])
            for part, values in zip(self.parts, self.everywhere, strict=True)
            for number in (range(len(part.ops)) if unused else part.live)
            if part.ops[number].type.kind is Kind.LENGTH
        ]
        return max([weight, *lengths])


def input_bound(given: Input, rows: int, weight: int) -> int:
    """The upper bound of an input in the machine: an integer.

    A declared bound of a length is in the user's unit, which the machine does not know. The bound is the heaviest
    weight, or the declared bound if that is larger (unit 1). The counts of an array measure vertices or hyperedges as
    weights do, and have the same room.
    """
    usual = {Kind.FLAG: 1, Kind.LENGTH: weight}.get(given.type.kind, rows)
    if given.type.kind is Kind.COUNT and given.type.scope is not Scope.SCALAR:
        usual = max(rows, weight)
    if given.at_most is None:
        return usual
    return max(usual, given.at_most) if given.type.kind is Kind.LENGTH else given.at_most


def limits_of(program: Program, rows: int, weight: int) -> Limits:
    """The limits of a program's inputs within a capacity."""
    return Limits(rows, weight, {each.name: input_bound(each, rows, weight) for each in program.inputs})


def bounds_of(program: Program, limits: Limits, known: Known | None = None) -> Bounds:
    """The bounds of a program's two sections; raises for a state without a bound."""
    analysis = _analysis(program, limits, known or Known())
    try:
        return _bounds(analysis, _infinity_of(program).states)
    except _GrowingError as growing:
        raise _unbounded(analysis, growing) from None


def bounds_or_none(program: Program, limits: Limits) -> Bounds | None:
    """The bounds of a program's two sections; None where a state has no bound. Why, and where, takes long to find."""
    try:
        return _bounds(_analysis(program, limits, Known()), _infinity_of(program).states)
    except (LanguageError, _GrowingError):
        return None


def _analysis(program: Program, limits: Limits, known: Known) -> _Analysis:
    parts, _, may = _infinity_of(program)
    iterations = program.most_iterations_within(limits.rows)
    return _Analysis(parts, may, program.states, limits, iterations, _declared(program.states, limits, known), known)


class _Infinity(NamedTuple):
    """Which states and results of a program may be infinite, whatever its limits; and its parts, which know more."""

    parts: tuple[BasicBlock, BasicBlock]
    states: frozenset[str]
    may: tuple[tuple[bool, ...], ...]


_INFINITIES: dict[int, _Infinity] = {}  # by the identity of programs that are there


def _infinity_of(program: Program) -> _Infinity:
    """Found once for each program: the compiler asks for bounds within one limit after another."""
    if id(program) not in _INFINITIES:
        parts = parts_of(program)
        states = infinite_states(parts, program.states)
        found = _Infinity(parts, states, tuple(may_be_infinite(part, states) for part in parts))
        weakref.finalize(program, _INFINITIES.pop, id(program), None).atexit = False
        _INFINITIES[id(program)] = found
    return _INFINITIES[id(program)]


def _bounds(analysis: _Analysis, infinite: frozenset[str]) -> Bounds:
    lines, clocked = _solved(analysis)
    values = analysis.values(lines)
    rows = [_everywhere(analysis, number, lines, values[number]) for number in range(len(analysis.parts))]
    everywhere, anywhere = tuple(each for each, _ in rows), tuple(each for _, each in rows)
    may = analysis.infinite
    return Bounds(analysis.parts, lines, values, infinite, may, analysis.iterations, everywhere, anywhere, clocked)


def parts_of(program: Program) -> tuple[BasicBlock, BasicBlock]:
    """The section before the loop, and the loop."""
    before, body = program.before, program.body
    return BasicBlock(before.ops, before.updates), BasicBlock(body.ops, body.updates, body.stop)


def _declared(states: Sequence[State], limits: Limits, known: Known) -> dict[str, Line]:
    """The bounds that a program declares, which `lang.declared` shows; and those that are known."""
    declared = {state.name: state.at_most.most(limits.rows) for state in states if state.at_most is not None}
    return {name: (most, 0) for name, most in (declared | dict(known.states)).items()}


Solution = tuple[dict[str, Line], dict[str, Clocked]]


def _solved(analysis: _Analysis) -> Solution:
    """The bounds of all states, and those by clocks.

    A declared bound is true, and may be more than what is found without it. So both are sought; but what is known
    beforehand is kept, for the prover relies on the same.
    """
    found = _found(analysis)
    if not analysis.declared or analysis.known.states:
        return found
    try:
        other = _found(replace(analysis, declared={}))
    except (LanguageError, _GrowingError):
        return found
    return _lesser(analysis, found, other)


def _lesser(analysis: _Analysis, declared: Solution, other: Solution) -> Solution:
    """Of each state the lesser bound, if an iteration preserves that; else the bounds of one of the two."""
    (lines, clocked), (free, _) = declared, other
    lower = {name for name in lines if analysis.at_end(free[name]) < analysis.at_end(lines[name])}
    if not any(analysis.at_end(lines[name]) < analysis.at_end(free[name]) for name in lines):
        return other if lower else declared
    mixed = lines | {name: free[name] for name in lower}
    kept = {name: line for name, line in analysis.declared.items() if name not in lower}
    if not clocked and replace(analysis, declared=kept).lifted(mixed, may_grow=True) == mixed:
        return mixed, {}
    return declared


def _found(analysis: _Analysis) -> Solution:
    return _by_clocks(analysis) or (analysis.inductive(), {})


# -- how large ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Analysis:
    parts: tuple[BasicBlock, ...]
    infinite: tuple[tuple[bool, ...], ...]
    states: Sequence[State]
    limits: Limits
    iterations: int
    declared: Mapping[str, Line]  # true bounds of states, perhaps more than can be found
    known: Known
    pinned: Mapping[str, Line] = field(default_factory=dict)
    # The last bounds of all operations of a part, for which states: few change from one question to the next.
    last: dict[tuple[int, int], tuple[Mapping[str, Line], tuple[Line, ...]]] = field(default_factory=dict, repr=False)
    # What is known of all operations, for bounds of the states: a search asks for the same more than once.
    _known: dict[object, tuple[tuple[Line, ...], ...]] = field(default_factory=dict, init=False, repr=False)

    @property
    def initial(self) -> dict[str, Line]:
        """The bound of each state's initial value, or the declared one."""
        return {state.name: (number_of(state.initial), 0) for state in self.states} | dict(self.declared)

    def inductive(self, pinned: Mapping[str, Line] | None = None) -> dict[str, Line]:
        """A bound for every state: a fixed point. Those of `pinned` states are given, and stay.

        The iteration starts from below. It may assume growth of a state that is in fact limited (by `smaller`, say),
        and of others that depend on it: its bound is then tightened, and the others are computed again.
        """
        if pinned:
            return replace(self, pinned=pinned).inductive()
        initial = self.initial | dict(self.pinned)
        lines = self.settled(initial)
        lower = self.drawn_in(lines)
        known = {name: line for name, line in lower.items() if line != lines[name]}
        again = self.settled(initial | known) if known else lines
        return lower if any(self._less(lower[name], again[name]) for name in lower) else again

    def settled(self, lines: dict[str, Line]) -> dict[str, Line]:
        """These bounds, raised until an iteration preserves them."""
        for round_ in range(ROUNDS):
            grown = self.lifted(lines, may_grow=round_ >= SETTLE)
            if grown == lines:
                return lines
            rising, before = frozenset(name for name in grown if grown[name] != lines[name]), lines
            lines = grown
        raise _GrowingError(rising, before)

    def lifted(self, lines: Mapping[str, Line], *, may_grow: bool) -> dict[str, Line]:
        """These bounds, raised so that they hold after one iteration."""
        grown = dict(lines)
        for part, values in zip(self.parts, self._assigning(lines), strict=True):
            for name, number in self._free(part):
                grows = may_grow and part.ops[number].type.kind.is_number
                grown[name] = _lifted(grown[name], values[number], grows=grows)
        return grown

    def drawn_in(self, lines: dict[str, Line]) -> dict[str, Line]:
        """The bounds of what the states become, where that is less, if those are a fixed point too."""
        for anew in (True, False):
            reached = self.reached(lines, anew=anew)
            lower = lines | {name: line for name, line in reached.items() if self._less(line, lines[name])}
            lower |= self.declared
            if self.lifted(lower, may_grow=True) == lower:
                return lower
        return lines

    def reached(self, lines: Mapping[str, Line], *, anew: bool) -> dict[str, Line]:
        """The bounds of what each state that is assigned becomes (`anew`: where it does not stay), or is at first."""
        found: dict[str, Line] = {}
        initial = {state.name: number_of(state.initial) for state in self.states}
        parts = zip(self.parts, self._assigning(lines), self.infinite, strict=True)
        for part, values, infinite in parts:
            for name, number in self._free(part):
                here = self.here(part, infinite, lines, values, number)
                line = _Becoming(here, name).bound(number) if anew else values[number]
                before = found.get(name, (initial[name], 0))
                found[name] = before if line is None else widest([before, line])
        return found

    def _assigning(self, lines: Mapping[str, Line]) -> tuple[tuple[Line, ...], ...]:
        """The bound of every operation, for what is assigned: before the loop, every state has its initial value."""
        key = "assigning", tuple(lines.items())
        if key not in self._known:
            first = {state.name: (number_of(state.initial), 0) for state in self.states}
            places = zip(self.parts, self.infinite, (first, lines), strict=True)
            self._known[key] = tuple(self._values(part, infinite, states) for part, infinite, states in places)
        return self._known[key]

    def _free(self, part: BasicBlock) -> list[tuple[str, int]]:
        """The states that are assigned and whose bounds are sought: neither declared nor pinned."""
        known = self.pinned.keys() | self.declared.keys()
        return [(name, number) for name, number in part.updates.items() if name not in known]

    def at_end(self, line: Line) -> int:
        """A bound after the last iteration."""
        return line[0] + line[1] * self.iterations

    def _less(self, line: Line, other: Line) -> bool:
        return self.at_end(line) < self.at_end(other)

    def values(self, states: Mapping[str, Line]) -> tuple[tuple[Line, ...], ...]:
        """The bound of every operation, part by part."""
        key = tuple(states.items())
        if key not in self._known:
            parts = zip(self.parts, self.infinite, strict=True)
            self._known[key] = tuple(self._values(part, infinite, states) for part, infinite in parts)
        return self._known[key]

    def _values(self, part: BasicBlock, infinite: Sequence[bool], states: Mapping[str, Line]) -> tuple[Line, ...]:
        key = id(part), self.iterations
        states_before, before = self.last.get(key, ({}, ()))
        found, changed = [*before] or [(0, 0)] * len(part.ops), set[int]()
        known = self.known.values if part is self.parts[-1] else {}
        for number in self._affected(part, states_before, states) if before else range(len(part.ops)):
            op = part.ops[number]
            if before and op.name != "state" and changed.isdisjoint(part.read[number]):
                continue
            line = OPERATIONS[op.name].bound(self.here(part, infinite, states, found, number))
            most = known.get(number)
            found[number] = line if most is None or self.at_end(line) <= most else (most, 0)
            if before and found[number] != before[number]:
                changed.add(number)
        self.last[key] = dict(states), tuple(found)
        return self.last[key][1]

    def _affected(self, part: BasicBlock, before: Mapping[str, Line], states: Mapping[str, Line]) -> list[int]:
        """The operations that may have another bound, in order, because states have."""
        other = (part.affected(name) for name, line in states.items() if line != before[name])
        return sorted(frozenset[int]().union(*other))

    def here(
        self, part: BasicBlock, infinite: Sequence[bool], states: Mapping[str, Line], lines: Sequence[Line], number: int
    ) -> Bounding:
        """An operation with what is known of its operands."""
        op = part.ops[number]
        args, may = [lines[each] for each in op.operands], [infinite[each] for each in op.operands]
        return Bounding(op, part, self.limits, states, args, may, self.iterations, lines, infinite)


def _everywhere(
    analysis: _Analysis, place: int, states: Mapping[str, Line], inside: Sequence[Line]
) -> tuple[tuple[Line, ...], tuple[bool, ...]]:
    """The bounds of a part's operations on all rows of the machine, and whether they may be infinite there.

    An array is computed on all rows. Outside its scope a state is 0, and a scalar is what it is; but which branch a
    `where` takes there follows from no comparison of the row's values. What is looked up there is the number 0, and
    what is found is 0: a head is given arrays that are 0 outside their rows (`compiler.forms`).
    """
    part, may_inside = analysis.parts[place], analysis.infinite[place]
    lines: list[Line] = []
    may: list[bool] = []
    for number, op in enumerate(part.ops):
        record = OPERATIONS[op.name]
        if op.type.scope is not Scope.SCALAR and op.name in {"state", *TABLES}:
            line, infinite = (0, 0), False
        elif op.type.scope is Scope.SCALAR or not op.operands or record.afar:
            line, infinite = inside[number], may_inside[number]
        else:
            here = analysis.here(part, may, states, lines, number)
            line = record.bound(here._replace(outside=True))
            infinite = record.infinite(Doubting(op, part, frozenset(), may, outside=True))
        lines.append(line)
        may.append(infinite)
    widened = tuple(widest(pair) for pair in zip(inside, lines, strict=True))
    return widened, tuple(a or b for a, b in zip(may_inside, may, strict=True))


CHOICES = 8  # of `where` within `where` that are looked through, for what a state becomes


@dataclass(frozen=True)
class _Becoming:
    """What a state may become where it does not stay as it is. Each operation is looked at once."""

    here: Bounding  # of any operation of the part
    name: str
    found: dict[int, Line | None] = field(default_factory=dict)

    def bound(self, number: int, depth: int = CHOICES) -> Line | None:
        """A bound of what the state becomes if it becomes this operation; None where it stays."""
        if number not in self.found:
            self.found[number] = self._bound(number, depth)
        return self.found[number]

    def _bound(self, number: int, depth: int) -> Line | None:
        if self._stays(number):
            return None
        chosen = self.here.part.choices(self.here.part.ops[number]) if depth else ()
        changed = [line for branch in chosen if (line := self._branch(branch, depth)) is not None]
        return self.here.lines[number] if not chosen else widest(changed) if changed else None

    def _branch(self, branch: Branch, depth: int) -> Line | None:
        lines = [self.bound(branch.whole.value, depth - 1)]
        if branch.finer:
            changed = [least_of(self.here, each) for each in branch.finer if not self._stays(each.value)]
            lines.append(widest(changed) if changed else None)
        found = [where_taken(self.here, branch), *(line for line in lines if line is not None)]
        return None if None in lines else min(found, key=lambda each: (self.here.at_end(each), each))

    def _stays(self, number: int) -> bool:
        op = self.here.part.ops[number]
        return op.name == "state" and op.argument == self.name


def _lifted(line: Line, needed: Line, *, grows: bool) -> Line:
    """The smallest change of `a + b·t` after which `needed(t) ≤ a + b·(t + 1)`."""
    a, b = line[0], max(line[1], needed[1])
    if needed[0] <= a + b:
        return a, b
    return (a, needed[0] - a) if grows else (needed[0], b)


# -- what grows without end -----------------------------------------------------------------------------------------

SUSPECTS = 16  # assignments that are tried, for the one that makes a state grow


class _GrowingError(Exception):
    """There is no fixed point: the states that still rise, and bounds of all states that they have risen to."""

    def __init__(self, rising: frozenset[str], lines: Mapping[str, Line]) -> None:
        super().__init__()
        self.rising, self.lines = rising, lines


def _unbounded(analysis: _Analysis, growing: _GrowingError) -> LanguageError:
    """The error for states that grow, at the assignment that makes them grow."""
    *_, body = analysis.parts
    rising = growing.rising & body.updates.keys()
    suspects = sorted((at, value, name) for name in rising for _, value, at in written(body, name))
    *_, values = analysis.values(growing.lines)

    def rank(suspect: tuple[int, int, str]) -> tuple[int, int]:
        """How many states still grow if what is assigned is small; then how large it is."""
        _, value, _ = suspect
        return len(_still_rising(analysis, value)), -analysis.at_end(values[value])

    at, _, name = min(suspects[:SUSPECTS], key=rank)
    return LanguageError(
        f"{name} has no bound: it may grow faster with every iteration, so no number format is sure to hold it. "
        "Instead of the value, assign `smaller(value, c)` here, with a number c that it never needs to exceed.",
        body.ops[at].where,
    )


def _still_rising(analysis: _Analysis, value: int) -> frozenset[str]:
    """The states that grow even if an operation of the loop is never more than 1."""
    try:
        replace(analysis, known=Known({**analysis.known.values, value: 1}), last={}).inductive()
    except _GrowingError as growing:
        return growing.rising
    except LanguageError:  # a product
        return frozenset(analysis.initial)
    return frozenset()


# -- how large, counted from a reset --------------------------------------------------------------------------------


def _by_clocks(analysis: _Analysis) -> tuple[dict[str, Line], dict[str, Clocked]] | None:
    """The bounds of a program with clocks: those of the states, and the inductive ones of states with a clock.

    Each state that is reset with a clock is tried with it. Where no bound is found, it is tried with another clock, or
    without. None if no state has a clock.
    """
    clocks = clocks_of(analysis.parts, analysis.states)
    untried = {
        state.name: [(clock, timed(analysis.parts, state, clock)) for clock in clocks] for state in analysis.states
    }
    choices = {name: [(clock, use) for clock, use in each if use] for name, each in untried.items()}
    for _ in range(ATTEMPTS):
        chosen = {name: each[-1] for name, each in choices.items() if each}
        if not chosen:
            break
        search = _ClockSearch(analysis, clocks, chosen)
        if not (failed := search.failed()):
            return search.lines, {name: Clocked(chosen[name][0].state, line) for name, line in search.clocked.items()}
        # States rise with others that have the wrong clock: those that have another one are tried with it first.
        for name in [name for name in failed if len(choices[name]) > 1] or failed:
            choices[name].pop()
    return None


class _ClockSearch:
    """The search for a fixed point in which some states are bounded by clocks."""

    def __init__(
        self, analysis: _Analysis, clocks: Sequence[Clock], chosen: Mapping[str, tuple[Clock, list[Timed]]]
    ) -> None:
        self.analysis, self.chosen = analysis, chosen
        limits = analysis.values(analysis.initial)[-1]
        self.limits = {clock.state: max(limits[clock.limit][0], 0) for clock in clocks}
        self.clocked: dict[str, Line] = {name: analysis.initial[name] for name in chosen}
        self.lines: dict[str, Line] = {}

    def failed(self) -> list[str]:
        """The states for which no bound was found: none, if this is a fixed point."""
        rising: list[str] = []
        before: dict[str, Line] = {}
        steady = doubling = 0
        for round_ in range(ROUNDS):
            grown = self._grown(may_grow=round_ >= SETTLE)
            if grown is None:
                return list(self.chosen)
            rise = self._rise(grown)
            rising = list(rise)
            if not rising:
                return []
            steady = steady + 1 if rise == before and round_ > SETTLE else 0
            doubling = doubling + 1 if _doubles(rise, before) and round_ > SETTLE else 0
            if steady == STEADY and self._rises_on(rise, ROUNDS - round_):
                return rising
            if doubling == STEADY and self._doubles_on(rise, before, ROUNDS - round_):
                return rising
            before, self.clocked = rise, grown
        return rising

    def _grown(self, *, may_grow: bool) -> dict[str, Line] | None:
        """The bounds by clocks after one more round; None if the other states have none."""
        try:
            self.lines = self.analysis.inductive(self._pinned())
        except (LanguageError, _GrowingError):
            return None
        return self._lifted(may_grow=may_grow)

    def _rise(self, grown: Mapping[str, Line]) -> dict[str, Line]:
        """By how much the bounds by clocks rise, of those that do."""
        pairs = {name: (line, self.clocked[name]) for name, line in grown.items() if line != self.clocked[name]}
        return {name: (new[0] - old[0], new[1] - old[1]) for name, (new, old) in pairs.items()}

    def _rises_on(self, rise: Mapping[str, Line], rounds: int) -> bool:
        """Whether bounds that rise by the same in every round do so after the last one too: then they need no wait."""
        return self._rise_after({name: (a * rounds, b * rounds) for name, (a, b) in rise.items()}) == rise

    def _doubles_on(self, rise: Mapping[str, Line], before: Mapping[str, Line], rounds: int) -> bool:
        """The same of bounds that rise by several times as much in every round, as they do through a loop in a loop.

        They are asked for beyond the last round.
        """
        faster = max(sum(rise[name]) // sum(before[name]) for name in rise) + 1
        later = {name: (a * faster**rounds, b * faster**rounds) for name, (a, b) in rise.items()}
        return _doubles(self._rise_after(later), rise)

    def _rise_after(self, risen: Mapping[str, Line]) -> dict[str, Line]:
        """By how much the bounds by clocks rise once they have risen by this; empty if the other states have none."""
        kept = self.clocked
        self.clocked = kept | {name: (kept[name][0] + a, kept[name][1] + b) for name, (a, b) in risen.items()}
        grown = self._grown(may_grow=True)
        found = {} if grown is None else self._rise(grown)
        self.clocked = kept
        return found

    def _pinned(self) -> dict[str, Line]:
        """Clocks and what they bound, as constants."""
        limits = {name: (limit, 0) for name, limit in self.limits.items()}
        ends = {name: (a + b * self.limits[self.chosen[name][0].state], 0) for name, (a, b) in self.clocked.items()}
        return limits | ends

    def _lifted(self, *, may_grow: bool) -> dict[str, Line]:
        """The bounds by clocks, raised so that they hold after one iteration."""
        grown = dict(self.clocked)
        for clock in {clock.state for clock, _ in self.chosen.values()}:
            values = self._values(clock)
            for name, (own, uses) in self.chosen.items():
                for use in uses if own.state == clock else ():
                    line = values[use.part][use.value]
                    grown[name] = _raised(grown[name], line, use.when, self.limits[clock], grows=may_grow and use.grows)
        return grown

    def _values(self, clock: str) -> tuple[tuple[Line, ...], ...]:
        """The bound of every operation as `a + b·c`: other states have the bound at their end."""
        states = {name: (self.analysis.at_end(line), 0) for name, line in self.lines.items()}
        own = {name: line for name, line in self.clocked.items() if self.chosen[name][0].state == clock}
        return replace(self.analysis, iterations=self.limits[clock]).values(states | own | {clock: (0, 1)})


def _doubles(rise: Mapping[str, Line], before: Mapping[str, Line]) -> bool:
    """Whether the same bounds rise, each by at least twice as much as before."""
    return rise.keys() == before.keys() and all(sum(rise[name]) >= 2 * sum(before[name]) for name in rise)


def _raised(line: Line, needed: Line, when: str, limit: int, *, grows: bool) -> Line:
    """The smallest change of `a + b·c` after which it bounds what is assigned: `c` may be 0 then, or one more."""
    if when == "ticking":
        return _lifted(line, needed, grows=grows)
    if when == "running":
        return max(line[0], needed[0]), max(line[1], needed[1])
    return max(line[0], needed[0] + needed[1] * limit), line[1]


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
    """For each operation, whether its result may be infinite."""
    may: list[bool] = []
    for op in part.ops:
        may.append(OPERATIONS[op.name].infinite(Doubting(op, part, states, may)))
    return tuple(may)
