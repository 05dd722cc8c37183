"""The simulation check: interpreter and transformer side by side, after every layer and every iteration.

Integers are compared, exactly: what the program says is never rounded to what a float can hold.

The paper's definition of simulation, to the letter: every state and the halt flag after each iteration, and every value
of the program after the layer where the model's layout says that a column holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hyloop.compiler.compile import compile_program
from hyloop.errors import HyloopError, NotStoppedError
from hyloop.execute.dense import MEMORY, Blocks, apply, cast, require_rows
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.integers import Integers, differing, expected, number
from hyloop.execute.simulate import BACKENDS
from hyloop.hypergraph import Hypergraph
from hyloop.interop import as_hypergraph
from hyloop.interpreter import Step, Value, interpret
from hyloop.lang import Algorithm
from hyloop.lang.kinds import INFINITY, Kind, Scope, Type
from hyloop.lang.program import Program
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model
from hyloop.numbers import Exact, short
from hyloop.run import Given, prepare, program_of

Matrix = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Difference:
    """The first place where transformer and interpreter part: what the program says, what the machine has.

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
        return (
            f"iteration {self.iteration}, after {after}: {self.variable} at row {self.row} is {short(self.found)}, not "
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

    @property
    def agrees(self) -> bool:
        """Whether everything was equal."""
        return self.difference is None


def check(
    model: Model | str | Algorithm | Program,
    hypergraph: object,
    *,
    padding: int = 0,
    backend: str = "dense",
    **inputs: Any,  # labels and numbers of any kind
) -> Checked:
    """Run interpreter and transformer side by side on a hypergraph; stop at the first difference.

    An algorithm that is no model yet is compiled first. The dense formulas are compared with the interpreter after
    every layer. Any other backend is run beside them and its whole state is compared with theirs after every iteration.
    """
    if not isinstance(model, Model):
        model = compile_program(program_of(model))
    program, h = program_of(model), as_hypergraph(hypergraph)
    h.require_undirected()
    found = compare(model, prepare(program, h, inputs), padding=padding, backend=backend)
    if not found.stopped:
        raise NotStoppedError(
            f"{program.name} did not stop within the {found.iterations} iterations that it declares (`at_most`)."
        )
    return found


def compare(
    model: Model,
    given: Given,
    *,
    padding: int = 0,
    backend: str = "dense",
    watch: Callable[[Matrix, Step], None] | None = None,
) -> Checked:
    """The check of a model on one prepared input. `watch` is shown the machine's state after every iteration."""
    if backend not in BACKENDS:
        raise HyloopError(f"There is no executor {backend!r}; there are {', '.join(BACKENDS)}.")
    program, h = program_of(model), given.hypergraph
    counts = len(h.vertices), len(h.hyperedges)
    beside = _Machines(model, given, padding, backend)
    compared, iteration, changed = 0, 0, False
    before: Mapping[str, Value] | None = None
    try:
        for step in interpret(program, h, given.inputs, given.weights):
            iteration = step.iteration
            changed = changed or (step.section == "body" and _changes(program, before, step))
            before = step.states
            for difference in beside.iterate(_Seen(model, program, step, counts)):
                compared += 1
                if difference is not None:
                    return Checked(iteration, compared, difference, changed)
            if watch is not None:
                watch(beside.X[0], step)
    except NotStoppedError:
        return Checked(iteration, compared, None, changed, stopped=False)
    return Checked(iteration, compared, None, changed)


def _changes(program: Program, before: Mapping[str, Value] | None, step: Step) -> bool:
    """Whether an iteration has changed a state; without an earlier one, from what the states begin with."""
    for state in program.states:
        if before is not None:
            old = before[state.name]
        else:
            old = step.infinity if state.initial is INFINITY else int(state.initial or 0)  # type: ignore[arg-type]
        if np.any(np.not_equal(np.asarray(step.states[state.name], dtype=object), old)):
            return True
    return False


class _Machines:
    """The dense formulas, layer by layer; and beside them another executor, iteration by iteration, if one is asked."""

    def __init__(self, model: Model, given: Given, padding: int, backend: str) -> None:
        h = given.hypergraph
        frame = Frame(len(h.vertices), len(h.hyperedges), given.weights, given.inputs, padding)
        require_rows(frame.size)
        self.X = encode(model, frame)[np.newaxis]
        rows = min(frame.size, MEMORY // (8 * frame.size * self.X.itemsize))
        incidence = pad(model, h, frame.size)
        self._blocks = Blocks.of([incidence], rows, frame.size, model.dtype)
        self._layers = [cast(layer, model.dtype) for layer in model.layers]
        self._backend = backend
        self._other = None if backend == "dense" else BACKENDS[backend](model, self.X[0], incidence)

    def iterate(self, seen: _Seen) -> Iterator[Difference | None]:
        """Run an iteration; yields what each comparison finds, None for what is equal."""
        for place, layer in enumerate(self._layers, start=1):
            self.X = apply(layer, self.X, self._blocks)
            yield from seen.after_layer(place, self.X[0])
        yield from seen.after_iteration(self.X[0])
        if self._other is not None:
            self._other.advance(1)
            yield from seen.beside(self.X[0], self._other.state(), self._backend)


class Chance(Protocol):
    """Where random numbers come from: a generator of numpy, or `hyloop.sampling.Draw`."""

    def integers(self, low: int, /) -> Any:  # an integer of Python or numpy
        """An integer from 0 on, below `low`."""


def random_inputs(program: Program, h: Hypergraph, rng: Chance, *, largest: int = 9) -> dict[str, Any] | None:
    """A random value for every input, lengths up to `largest` units; None where there is nothing to choose from."""
    found: dict[str, Any] = {}
    for each in program.inputs:
        kind = each.type.kind
        if kind.is_pointer:
            labels = h.vertices if kind is Kind.VERTEX else h.hyperedges
            if not labels:
                return None
            found[each.name] = labels[int(rng.integers(len(labels)))]
        elif kind is Kind.FLAG:
            found[each.name] = bool(rng.integers(2))
        elif kind is Kind.LENGTH:
            _, unit = h.integer_weights()
            most = largest if each.at_most is None else min(largest, int(each.at_most / unit))
            found[each.name] = Exact(int(rng.integers(most + 1)) * unit)
        else:
            most = len(h.vertices) if each.at_most is None else each.at_most
            found[each.name] = int(rng.integers(most + 1))
    return found


class _Seen:
    """What the interpreter says of one iteration, to be held against the state."""

    def __init__(self, model: Model, program: Program, step: Step, counts: tuple[int, int]) -> None:
        self.model, self.program, self.step, self.counts = model, program, step, counts

    def after_layer(self, layer: int, X: Matrix) -> Iterator[Difference | None]:
        section = self.program.section(self.step.section)
        for local in self.model.locals:
            if local.layer == layer and local.section == self.step.section:
                op = section.ops[local.op]
                what = _What(op.label or f"{op.name} %{local.op}", local.column, op.type, str(op.where), layer)
                yield self._compare(X, what, self.step.values[local.op])

    def after_iteration(self, X: Matrix) -> Iterator[Difference | None]:
        for state in self.program.states:
            what = _What(state.name, state_column(state.name), state.type, str(state.where), None)
            yield self._compare(X, what, self.step.states[state.name])
        halt = _What("halt", self.model.layout.halt, Type(Kind.FLAG), "stop_when", None)
        yield self._compare(X, halt, int(self.step.halted))

    def beside(self, X: Matrix, found: Matrix, backend: str) -> Iterator[Difference | None]:
        """Every column of another backend's state, against that of dense."""
        for place, column in enumerate(self.model.layout.columns):
            wrong = np.flatnonzero(X[:, place] != found[:, place])
            if not len(wrong):
                yield None
                continue
            row = int(wrong[0])
            values = number(X[row, place]), number(found[row, place])
            writers = tuple(_writers(self.model, place))
            what = f"column {column.name} of backend {backend}"
            yield Difference(self.step.iteration, None, what, row, *values, "as dense computes it", writers)

    def _compare(self, X: Matrix, what: _What, value: Value) -> Difference | None:
        column = self.model.layout.number(what.column)
        wanted = self._rows(what.type, value, len(X))
        wrong = differing(X[:, column], wanted)
        if not len(wrong):
            return None
        row = int(wrong[0])
        return Difference(
            self.step.iteration,
            what.layer,
            what.name,
            row,
            int(wanted[row]),
            number(X[row, column]),
            what.where,
            tuple(_writers(self.model, column)),
        )

    def _rows(self, type_: Type, value: Value, size: int) -> Integers:
        """A value as the machine should have it: a scalar on every row, an array on its rows, infinity as Ω."""
        wanted = expected(type_, value, (self.step.infinity, self.model.infinity))
        if type_.scope is Scope.SCALAR:
            return np.full(size, wanted[0], dtype=wanted.dtype)
        count = self.counts[0] if type_.scope is Scope.VERTICES else self.counts[1]
        rows = np.zeros(size, dtype=wanted.dtype)
        rows[1 : count + 1] = wanted
        return rows


@dataclass(frozen=True)
class _What:
    """A value to compare: its name, where it stands, its type and source line, and after which layer."""

    name: str
    column: str
    type: Type
    where: str
    layer: int | None


def _writers(model: Model, column: int) -> Iterator[str]:
    """The heads and units that write a column, by layer."""
    for depth, layer in enumerate(model.layers, start=1):
        for place, head in enumerate(layer.heads, start=1):
            if column in head.writes:
                yield f"layer {depth}, head {place} ({', '.join(head.serves)})"
        units = np.flatnonzero(layer.mlp.weights[3][:, column])
        if len(units):
            yield f"layer {depth}, units {', '.join(str(unit + 1) for unit in units)}"
