"""A program: what a traced algorithm is, typed, immutable, and complete. Everything later consumes this.

A section is a list of operations, each with its operands before it, followed by what each state becomes and, in the
loop, by the flag that stops it. Operations are pure; an assignment is the last version of its state.
"""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True)
class Op:
    """One operation: its name, the numbers of its operands (earlier operations of the section), and a constant part."""

    name: str
    operands: tuple[int, ...]
    argument: Argument
    type: Type
    where: Location
    label: str = field(default="", compare=False)  # the user's name for the value, if it has one
    purposes: tuple[Purpose, ...] = field(default=(), compare=False)  # of one that the compiler made: what for

    @property
    def key(self) -> tuple[object, ...]:
        """The same for operations that give the same value, wherever they were written. (To Python, True equals 1.)"""
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
    """A variable that lives from iteration to iteration.

    The compiler adds some of its own: that the statements before the loop are done (`started`), and values that one
    iteration computes for the next (`ahead`), with the purposes of what they hold.
    """

    name: str
    type: Type
    initial: Constant
    where: Location
    role: StateRole = "written"
    purposes: tuple[Purpose, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Section:
    """Operations in order; then, for each state that is assigned, the operation that is its new value."""

    ops: tuple[Op, ...] = ()
    updates: Mapping[str, int] = field(default_factory=dict)
    stop: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "updates", MappingProxyType(dict(self.updates)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be copied or pickled; what it was made from can.
        return Section, (self.ops, dict(self.updates), self.stop)


@dataclass(frozen=True)
class Output:
    """What a run gives back: a state, shown only where the flag `known` is set (or the flag `unless` is not).

    `total`: the sum of a counter array, which the decoder adds up. `stream`: an array recorded after every iteration in
    which the pointer `of` names something. Outputs of one name and increasing `place` form a list.
    """

    name: str
    state: str
    form: Literal["value", "total", "stream"] = "value"
    known: str | None = None
    unless: str | None = None
    of: str | None = None
    place: int | None = None


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

    @cached_property
    def key(self) -> str:
        """One word for the whole program: that of another is the same only if the two are equal, labels included."""
        return key_of(self)

    @property
    def begins(self) -> bool:
        """Whether there are statements before the loop: they are an iteration by themselves, the first."""
        return bool(self.before.updates)

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
        """The iterations that a run may take on any hypergraph of at most so many vertices and hyperedges.

        Not always those on the largest one: `n_v - n_e + 1` is most where there are no hyperedges.
        """
        return int(self.begins) + self.at_most.most(rows)
