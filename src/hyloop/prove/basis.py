"""What a proof about a model rests on: the meaning of its program, and what each column holds between iterations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.lang.bounds import Limits, bounds_of
from hyloop.lang.declared import require_within
from hyloop.lang.program import Program
from hyloop.machine.layout import Column, state_column
from hyloop.machine.model import EXACT, Model
from hyloop.machine.positions import Parabola
from hyloop.prove.layout import input_bounds, require_plain
from hyloop.prove.machine import SparseLayer, placed
from hyloop.prove.meaning import Meaning, RowFunction
from hyloop.prove.shadows import shadow
from hyloop.prove.solver import Obligation
from hyloop.prove.terms import Formula, Term, constant, function

# What a column is for: a state of the program, a flag of the machine, a value computed ahead, part of the input, or
# room for values within an iteration, empty at its start or erased by the first layer.
StartRole = Literal["state", "started", "halt", "ahead", "input", "empty", "emptied"]


@dataclass(frozen=True)
class Left:
    """The symbol for what the previous iteration has left behind in a column."""

    column: str


@dataclass(frozen=True, eq=False)
class Ahead:
    """What a column computed ahead holds: at first, before an iteration, after it."""

    first: RowFunction
    now: RowFunction
    next: RowFunction
    chosen: tuple[str | int, ...]  # the operation and its part


def program_in(model: Model) -> Program:
    """The program that a model carries; raises for a model that is not a compiled one."""
    if not model.program:
        raise ModelError(f"{model.name} carries no program, so there is nothing to prove it against.")
    if not isinstance(model.layout.positions, Parabola) or model.layout.incidence != "ones":
        raise ModelError(f"{model.name} is not a compiled model: those have positions (j, j²) and an incidence of 1s.")
    for layer, name, weight in tensors(model):
        if not np.all(np.isfinite(weight)) or np.any(weight != np.rint(weight)):
            raise ModelError(
                f"layers.{layer}.{name} has entries that are not whole numbers; a compiled model has none."
            )
        if np.any(weight != weight.astype(model.dtype)):
            raise ModelError(f"layers.{layer}.{name} has entries that {model.dtype} cannot hold.")
    program = model.parsed
    require_plain(model, program)
    return program


@dataclass(frozen=True)
class Tensor:
    """Weights of a layer: of a head (from 0), or without one of the MLP."""

    part: Literal["query", "key", "value", "w1", "w2", "w3", "w4"]
    head: int | None = None

    def __str__(self) -> str:
        """Its name in the file."""
        return f"mlp.{self.part}" if self.head is None else f"heads.{self.head}.{self.part}"


MLP = (Tensor("w1"), Tensor("w2"), Tensor("w3"), Tensor("w4"))


def tensors(model: Model) -> Iterator[tuple[int, Tensor, npt.NDArray[np.float64]]]:
    """Every tensor of a model: its layer (from 0), which it is there, and its entries."""
    for number, layer in enumerate(model.layers):
        for place, head in enumerate(layer.heads):
            yield number, Tensor("query", place), head.query
            yield number, Tensor("key", place), head.key
            yield number, Tensor("value", place), head.value
        yield from ((number, tensor, weight) for tensor, weight in zip(MLP, layer.mlp.weights, strict=True))


class Basis:
    """A model's program as terms, and the roles of its columns."""

    def __init__(self, model: Model, program: Program) -> None:
        self.model, self.program = model, program
        self.limit = EXACT[model.dtype]
        limits = Limits(model.capacity.rows, model.capacity.weight, input_bounds(model, program))
        self.ranges = bounds_of(program, limits)  # a guess; each of them is an obligation
        self.meaning = Meaning(program, limits, model.infinity, self.ranges, model.layout.least)
        if any(state.at_most is not None and self.meaning.declared(state.name) is None for state in program.states):
            require_within(program, limits)  # a bound that is no obligation is shown as the compiler shows it
        self.row = self.meaning.row_variable("i")
        self.next = self.meaning.after(self.meaning.now)
        self.first = self.meaning.first()
        self.layers = [SparseLayer.of(layer) for layer in model.layers]
        # Made here, since these values may contain new products, and the work proves the range of every product.
        self.ahead = {column.name: held for column in model.layout.columns if (held := self._ahead(column)) is not None}
        self.roles = [self._role(column) for column in model.layout.columns]

    @cached_property
    def _states(self) -> dict[str, str]:
        return {state_column(state.name): state.name for state in self.program.states}

    def _ahead(self, column: Column) -> Ahead | None:
        """What a column computed ahead holds, if it is one and its purposes say what."""
        held = shadow(self.meaning, column.purposes) if column.role == "ahead" else None
        if held is None:
            return None
        return Ahead(held.read(self.first), held.read(self.meaning.now), held.read(self.next), held.chosen)

    def _role(self, column: Column) -> StartRole:
        """States and halt flag are where they are read. The rest is a guess, from records and weights; the proof shows
        whether it is right.
        """
        if column.name in self._states:
            return "state"
        if column.name == self.model.layout.halt:
            return "halt"
        if column.role == "started" and self.program.begins:
            return "started"
        if column.name in self.ahead:
            return "ahead"
        if column.initial:
            return "input"
        number = self.model.layout.number(column.name)
        emptied = any(head.value[number, number] == -1 for head in self.model.layers[0].heads)
        return "emptied" if emptied else "empty"

    def starts(self, left: Mapping[str, tuple[int, int]] | None = None) -> list[RowFunction]:
        """What each column holds before an iteration; `left` bounds what the previous one has left behind."""
        columns = self.model.layout.columns
        return [self._start(column, role, left or {}) for column, role in zip(columns, self.roles, strict=True)]

    def _start(self, column: Column, role: StartRole, left: Mapping[str, tuple[int, int]]) -> RowFunction:
        now = self.meaning.now
        if role == "state":
            return now.values[self._states[column.name]]
        if role == "started":
            return lambda _: now.started
        if role == "ahead":
            return self.ahead[column.name].now
        if role == "input":
            return placed(column, self.meaning)
        if role in {"halt", "empty"}:
            return lambda _: constant(0)
        low, high = left.get(column.name, (-self.largest_left, self.largest_left))
        return lambda row: function(f"left in {column.name}", row, low, high, of=Left(column.name))

    @property
    def largest_left(self) -> int:
        """The assumed bound of what is left behind in a column; it is tightened before exactness is proved."""
        return self.limit - 1

    def at_first(self, number: int, row: Term) -> Term:
        """What a column should hold before the first iteration."""
        column, role = self.model.layout.columns[number], self.roles[number]
        if role == "state":
            return self.first.values[self._states[column.name]](row)
        if role == "ahead":
            return self.ahead[column.name].first(row)
        return placed(column, self.meaning)(row) if role == "input" else constant(0)

    def at_end(self, number: int, row: Term) -> Term | None:
        """What a column should hold after an iteration; None where it does not matter."""
        column, role = self.model.layout.columns[number], self.roles[number]
        if role == "state":
            return self.next.values[self._states[column.name]](row)
        if role == "ahead":
            return self.ahead[column.name].next(row)
        if role == "input":
            return placed(column, self.meaning)(row)
        if role == "emptied":
            return None
        return {"halt": self.meaning.stops(self.meaning.now), "started": constant(1)}.get(role, constant(0))

    def obligation(
        self,
        layer: int | None,
        part: str,
        says: str,
        goal: Formula,
        *,
        rows: Sequence[Term] = (),
        compares: tuple[Term, Term] | None = None,
    ) -> Obligation:
        """A statement about row `i`, with all that is known of the symbols in it."""
        facts = tuple(self.meaning.facts([goal], [self.row, *rows]))
        return Obligation(layer, part, says, goal, facts, compares)
