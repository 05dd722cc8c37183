"""Transformer and interpreter side by side: what each column must hold by the program, and where it does not.

`places` says which column holds which value of the program after which layer; `Interpreted` says what that value is in
an iteration. The check (`compare`), recordings and the search for mutants all use it.

Integers are compared, exactly: what the program says is never rounded to what a float can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError, NotStoppedError
from hyloop.execute import dense
from hyloop.execute.backends import BACKENDS
from hyloop.execute.integers import Integers, differing, expected, number
from hyloop.execute.loop import iterate
from hyloop.execute.prepare import Given, encoded, frame_of, program_of
from hyloop.execute.session import Session
from hyloop.interpreter import IterationEnd, Value, interpret
from hyloop.lang.kinds import INFINITY, Kind, Scope, Type
from hyloop.lang.program import Program
from hyloop.machine.layout import state_column
from hyloop.machine.model import Local, Model
from hyloop.machine.words import Words
from hyloop.numbers import short
from hyloop.references import above

Matrix = npt.NDArray[np.floating]
ValueRole = Literal["local", "state", "halt"]


# -- what should stand where ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A value of the program, and the column (by its number) that must hold it after the layers `begin` to `end`.

    A local is operation `op` of one section, and is held in that section's iterations. States and the halt flag
    are those of the program after the last layer of every iteration.
    """

    name: str
    type: Type
    role: ValueRole
    column: int
    where: str
    begin: int
    end: int
    section: str = ""
    op: int = -1

    def stands(self, layer: int, section: str) -> bool:
        """Whether it must be there after a layer (from 1) of an iteration of that section."""
        return self.begin <= layer <= self.end and self.section in {"", section}


def places(model: Model, program: Program) -> tuple[Place, ...]:
    """Every value of the program that a column holds after some layer: the locals, the states, the halt flag."""
    last, number_of = len(model.layers), model.layout.number
    states = [
        Place(each.name, each.type, "state", number_of(state_column(each.name)), str(each.where), last, last)
        for each in program.states
    ]
    halt = Place("halt", Type(Kind.FLAG), "halt", number_of(model.layout.halt), "stop_when", last, last)
    return (*(_local(model, program, stay) for stay in _stays(model)), *states, halt)


def _local(model: Model, program: Program, stay: list[Local]) -> Place:
    first, last = stay[0], stay[-1]
    op, column = program.section(first.section).ops[first.op], model.layout.number(first.column)
    name = op.label or f"{op.name} %{first.op}"
    return Place(name, op.type, "local", column, str(op.where), first.layer, last.layer, first.section, first.op)


def _stays(model: Model) -> Iterator[list[Local]]:
    """The locals, grouped: one value in one column after consecutive layers."""
    for _, same in groupby(sorted(model.locals, key=lambda local: (*_stay(local), local.layer)), key=_stay):
        stay: list[Local] = []
        for local in same:
            if stay and local.layer != stay[-1].layer + 1:
                yield stay
                stay = []
            stay.append(local)
        yield stay


def _stay(local: Local) -> tuple[str, int, str]:
    return local.section, local.op, local.column


class Interpreted:
    """The interpreter beside a run, an iteration at a time. It stays at its end if the transformer continues."""

    def __init__(self, model: Model, program: Program, given: Given) -> None:
        self.program, self.places = program, places(model, program)
        self.most_iterations = program.most_iterations(*given.counts)
        self.step: IterationEnd | None = None
        self.over = False
        self._steps = interpret(program, given.hypergraph, given.inputs, given.weights)
        self._infinity = model.infinity

    def advance(self) -> None:
        """Another iteration. Raises `NotStoppedError` where the program does not stop."""
        step = next(self._steps, None)
        self.over = step is None
        self.step = step or self.step

    def holds(self, place: Place, layer: int) -> bool:
        """Whether a column must hold a value after a layer of the current iteration."""
        if self.step is None or (self.over and place.role == "local"):
            return False
        return place.stands(layer, self.step.section)

    def numbers(self, place: Place) -> Integers:
        """A value as the machine should have it: one integer, or one for each row of its scope; infinity as Ω."""
        step = self._now()
        if place.role == "halt":
            return self.integers(place.type, int(step.halted))
        return self.integers(place.type, step.states[place.name] if place.role == "state" else step.values[place.op])

    def integers(self, type_: Type, value: Value) -> Integers:
        """Any value of the current iteration as the machine's integers."""
        return expected(type_, value, (self._now().infinity, self._infinity))

    def column(self, place: Place, size: int) -> Integers:
        """The whole column: a scalar on every row, an array on its rows and 0 elsewhere."""
        wanted = self.numbers(place)
        if place.type.scope is Scope.SCALAR:
            return np.full(size, wanted[0], dtype=wanted.dtype)
        rows = np.zeros(size, dtype=wanted.dtype)
        rows[1 : len(wanted) + 1] = wanted
        return rows

    def _now(self) -> IterationEnd:
        if self.step is None:
            raise HyloopError("The program has not run an iteration yet: advance() first.")
        return self.step


# -- where they differ ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """The first place where transformer and interpreter differ: what the program says, what the machine has.

    `found` is an integer where the machine's number is one, else a float.
    """

    iteration: int
    layer: int | None  # from 1; None: at the end of the iteration
    variable: str
    row: int
    expected: int | float
    found: int | float
    where: str
    writers: tuple[str, ...]

    def __str__(self) -> str:
        after = "the iteration" if self.layer is None else f"layer {self.layer}"
        when = f"iteration {self.iteration}, after {after}" if self.iteration else "before the first iteration"
        return (
            f"{when}: {self.variable} at row {self.row} is {short(self.found)}, not "
            f"{short(self.expected)} ({self.where}); its column is written by {'; '.join(self.writers) or 'nothing'}"
        )


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: how much was compared, and the first difference, if there is one.

    `changed` says whether the loop changed any state: where it did not, little was tested.
    """

    iterations: int
    compared: int
    difference: Difference | None
    changed: bool = False
    stopped: bool = True  # within the iterations that the program declares
    never: str = ""  # the sentence for a program whose state repeats, so that it never stops

    @property
    def agrees(self) -> bool:
        """Whether everything was equal."""
        return self.difference is None

    def _repr_html_(self) -> str:
        return str(above("Checked._repr_html_")(self))

    def require_stopped(self, program: str) -> None:
        """Raise `NotStoppedError` where the program did not stop."""
        if not self.stopped:
            raise NotStoppedError(
                self.never
                or f"{program} did not stop within the {self.iterations:,} iterations that it declares (`at_most`)."
            )


def compare(
    model: Model,
    given: Given,
    *,
    padding: int = 0,
    backend: str = "dense",
    watch: Callable[[Matrix, IterationEnd], None] | None = None,
) -> Checked:
    """The check of a model on one input: stops at the first difference. `watch` gets the machine's state after every
    iteration.

    The dense formulas are compared with the interpreter after every layer. Any other backend is run beside them, and
    its whole state is compared with theirs after every iteration.
    """
    if backend not in BACKENDS:
        raise HyloopError(f"There is no executor {backend!r}; there are {', '.join(BACKENDS)}.")
    beside = Interpreted(model, program_of(model), given)
    dense.require_rows(max(frame_of(given, padding).size, model.layout.least + 1))
    begin = encoded(model, given, padding)
    with ExitStack() as stack, np.errstate(over="ignore", invalid="ignore"):  # a wrong model may overflow
        session = stack.enter_context(closing(dense.start(model, begin.X, begin.incidence, layers=True)))
        other = None if backend == "dense" else stack.enter_context(closing(begin.start(backend)))
        return _Comparison(model, beside, session, backend, other).run(watch)


class _Comparison:
    """A model's dense session beside its program, and another backend's session if one is asked for."""

    def __init__(
        self, model: Model, beside: Interpreted, session: dense.DenseSession, backend: str, other: Session | None
    ) -> None:
        self._model, self._beside = model, beside
        self._session, self._backend, self._other = session, backend, other
        self._iteration, self._compared, self._changed = 0, 0, False

    def run(self, watch: Callable[[Matrix, IterationEnd], None] | None) -> Checked:
        """Run until both halt, or they differ, or the declared number of iterations is reached."""
        halted, never = False, ""
        try:
            for pause in iterate(self._session, self._beside.most_iterations):
                halted = pause.halted
                difference = self._iterated() if pause.iteration else self._begun(halted=halted)
                if difference is not None:
                    return Checked(self._iteration, self._compared, difference, self._changed)
                if watch is not None and self._beside.step is not None:
                    watch(self._session.state(), self._beside.step)
        except NotStoppedError as error:
            halted, never = False, str(error)
        return Checked(self._iteration, self._compared, None, self._changed, halted, never)

    def _begun(self, *, halted: bool) -> Difference | None:
        """A machine whose halt flag is set before the first iteration runs none; a program runs one at least."""
        if not halted:
            return None
        halt = next(place for place in self._beside.places if place.role == "halt")
        found = number(self._session.state()[0, halt.column])
        return Difference(0, None, halt.name, 0, 0, found, halt.where, self._writers(halt.column))

    def _iterated(self) -> Difference | None:
        """The first difference in the iteration that was just run."""
        before = None if self._beside.step is None else self._beside.step.states
        self._beside.advance()
        step = self._beside.step
        assert step is not None
        self._iteration = step.iteration
        self._changed = self._changed or (step.section == "body" and _changes(self._beside.program, before, step))
        for found in self._comparisons():
            self._compared += 1
            if found is not None:
                return found
        return None

    def _comparisons(self) -> Iterator[Difference | None]:
        """What each comparison of an iteration finds; None for what is equal."""
        for layer, states in enumerate(self._session.after_layers(), start=1):
            for place in self._beside.places:
                if self._beside.holds(place, layer):
                    yield self._compare(states[0], place, layer)
        if self._other is not None:
            self._other.advance(1)
            yield from self._columns(self._session.state(), self._other.state())

    def _compare(self, X: Matrix, place: Place, layer: int) -> Difference | None:
        wanted = self._beside.column(place, len(X))
        found = X[:, place.column]
        wrong = differing(found, wanted)
        if not len(wrong):
            return None
        row = int(wrong[0])
        after = layer if place.role == "local" else None
        values = int(wanted[row]), number(found[row])
        return Difference(self._iteration, after, place.name, row, *values, place.where, self._writers(place.column))

    def _columns(self, X: Matrix, found: Matrix) -> Iterator[Difference | None]:
        """Every column of the other backend's state, against that of dense."""
        for place, column in enumerate(self._model.layout.columns):
            wrong = np.flatnonzero(X[:, place] != found[:, place])
            if not len(wrong):
                yield None
                continue
            row = int(wrong[0])
            values = number(X[row, place]), number(found[row, place])
            what = f"column {column.name} of backend {self._backend}"
            yield Difference(self._iteration, None, what, row, *values, "as dense computes it", self._writers(place))

    def _writers(self, column: int) -> tuple[str, ...]:
        return tuple(_writers(self._model, column))


def _changes(program: Program, before: Mapping[str, Value] | None, step: IterationEnd) -> bool:
    """Whether an iteration has changed a state; without an earlier one, from their initial values."""
    for state in program.states:
        if before is not None:
            old = before[state.name]
        else:
            old = step.infinity if state.initial is INFINITY else int(state.initial or 0)  # type: ignore[arg-type]
        if np.any(np.not_equal(np.asarray(step.states[state.name], dtype=object), old)):
            return True
    return False


def _writers(model: Model, column: int) -> Iterator[str]:
    """The heads and units that write a column, by layer."""
    words = Words(model)
    for depth, layer in enumerate(model.layers, start=1):
        for place, head in enumerate(layer.heads, start=1):
            if column in head.writes:
                yield f"layer {depth}, head {place} ({', '.join(words.of_head(head))})"
        units = np.flatnonzero(layer.mlp.weights[3][:, column])
        if len(units):
            yield f"layer {depth}, units {', '.join(str(unit + 1) for unit in units)}"
