"""A program: a traced algorithm, typed and immutable. All later stages work on it.

A section is a list of operations in topological order, followed by the new value of each assigned state and, in the
loop, by the flag that stops it. Operations are pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from hyloop.lang.key import key_of
from hyloop.lang.kinds import Constant, Scope, Type
from hyloop.lang.purpose import Purpose
from hyloop.lang.size import Size
from hyloop.lang.source import Location

Argument = Constant | str | Scope
# What is given for an input, in integers: rows from 1 (0 is none), flags 0 and 1; an array in the order of its rows.
InputValue = int | tuple[int, ...]
StateRole = Literal["written", "started", "ahead"]
# Which loop runs; how often an inner one has run, and what follows it; the flag of a `when` around it; the pointer of
# `each()`, and the one that is next.
Made = Literal["", "phase", "rounds", "times", "held", "each", "coming"]


@dataclass(frozen=True)
class Op:
    """One operation: its name, the numbers of its operands (earlier operations of the section), and an argument."""

    name: str
    operands: tuple[int, ...]
    argument: Argument
    type: Type
    where: Location
    label: str = field(default="", compare=False)  # the user's name for the value, if it has one
    purposes: tuple[Purpose, ...] = field(default=(), compare=False)  # only on operations that the compiler generated

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for operations that give the same value, whatever their source line. (In Python, True equals 1.)"""
        return self.name, self.operands, self.argument, type(self.argument), self.type


@dataclass(frozen=True)
class Input:
    """A value that the user gives: a vertex, a hyperedge, a flag, or a number with its bound (None: the capacity's).

    An array has one for each vertex or hyperedge.
    """

    name: str
    type: Type
    at_most: int | None = None


@dataclass(frozen=True)
class State:
    """A variable that persists from iteration to iteration.

    The compiler adds its own: whether the statements before the loop are done (`started`), and values that one
    iteration computes for the next (`ahead`), with the purposes of those values.
    """

    name: str
    type: Type
    initial: Constant
    where: Location
    role: StateRole = "written"
    purposes: tuple[Purpose, ...] = field(default=(), compare=False)
    at_most: Size | None = None  # of counts: the bound that the program declares; None: there is none
    # For what the language added it to run loops in loops, such as "phase"; "" if its author declared it. A hint for
    # readers, known of traced programs only: it is no part of the program, nor of its text.
    made: Made = field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class Assignment:
    """One assignment to a state: operation `op` is the state after it, `value` what it becomes, where `mask` holds."""

    op: int
    value: int
    mask: int | None  # None: on all rows
    where: Location


@dataclass(frozen=True)
class Section:
    """Operations in order; then, for each state that is assigned, the operation that is its new value.

    `assigned` says where an operation is assigned to a state, which need not be where it is computed.
    """

    ops: tuple[Op, ...] = ()
    updates: Mapping[str, int] = field(default_factory=dict)
    stop: int | None = None
    assigned: Mapping[tuple[str, int], Location] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "updates", MappingProxyType(dict(self.updates)))
        object.__setattr__(self, "assigned", MappingProxyType(dict(self.assigned)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be copied or pickled; the underlying dict can.
        return Section, (self.ops, dict(self.updates), self.stop, dict(self.assigned))

    def assignments(self, state: str) -> Iterator[Assignment]:
        """The assignments to a state, the last one first; what stands before one on all rows has no effect."""
        at, where = self.updates.get(state), None
        while at is not None:
            op = self.ops[at]
            if op.name == "state" and op.argument == state:
                return
            where = self.assigned.get((state, at), where or op.where)  # a choice that is assigned is one assignment
            if op.name != "where":
                yield Assignment(at, at, None, where)
                return
            mask, value, before = op.operands
            yield Assignment(at, value, mask, where)
            at = before


@dataclass(frozen=True)
class Output:
    """An output of a run: a state, shown only where the flag `known` is set (or the flag `unless` is not).

    `total`: the sum of a counter array, which the decoder adds up. `stream`: an array recorded after every iteration in
    which the pointer `of` names something. Outputs of one name and increasing `place` form a list. `over`: the state
    that divides it, which the decoder does.
    """

    name: str
    state: str
    form: Literal["value", "total", "stream"] = "value"
    known: str | None = None
    unless: str | None = None
    of: str | None = None
    place: int | None = None
    over: str | None = None


# A sentence with values: text, and the numbers of operations of the loop.
Sentence = tuple[str | int, ...]


@dataclass(frozen=True)
class Note:
    """What an iteration of a loop does, in its author's words.

    An operation stands for its value; in `about`, which is one sentence, that of an array stands for its name. `each`
    is said of every row of its arrays. `guard`: the flag that says whether the loop runs; None: always.
    """

    about: Sentence
    each: Sentence
    guard: int | None
    where: Location

    @property
    def ops(self) -> list[int]:
        """The operations that it is about."""
        guard = [] if self.guard is None else [self.guard]
        return [*(part for part in (*self.about, *self.each) if isinstance(part, int)), *guard]


@dataclass(frozen=True)
class Program:
    """A traced algorithm."""

    name: str
    about: str
    inputs: tuple[Input, ...]
    states: tuple[State, ...]
    before: Section
    body: Section
    at_most: Size
    outputs: tuple[Output, ...]
    # Hints for readers, known of traced programs only: no part of the program, nor of its text.
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    @cached_property
    def key(self) -> str:
        """A digest of the program: equal only for equal programs, labels included."""
        return key_of(self)

    @property
    def begins(self) -> bool:
        """Whether there are statements before the loop: they are the first iteration."""
        return bool(self.before.updates)

    @property
    def reads_weights(self) -> bool:
        """Whether an operation reads the weights of the hyperedges: if not, they may be as large as they like."""
        return any(op.name == "weight" for section in (self.before, self.body) for op in section.ops)

    def section(self, name: str) -> Section:
        """The statements before the loop ("before"), or those of the loop ("body")."""
        return self.before if name == "before" else self.body

    def state(self, name: str) -> State:
        """The state of that name."""
        return next(state for state in self.states if state.name == name)

    def most_iterations(self, vertices: int, hyperedges: int) -> int:
        """The iterations that a run may take, the first one included."""
        return int(self.begins) + self.at_most.at(vertices, hyperedges)

    def most_iterations_within(self, rows: int) -> int:
        """The most iterations of a run on any hypergraph with at most `rows` vertices and hyperedges.

        The largest hypergraph does not always need most: `n_v - n_e + 1` is largest without hyperedges.
        """
        return int(self.begins) + self.at_most.most(rows)
