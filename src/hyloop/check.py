"""The simulation check: interpreter and transformer side by side, after every layer and every iteration.

The paper's definition of simulation, to the letter: every state and the halt flag after each iteration, and every value
of the program after the layer where the model's layout says that a column holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.compiler.compile import compile_program
from hyloop.errors import HyloopError
from hyloop.execute.dense import MEMORY, Blocks, apply, cast, require_rows
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.simulate import BACKENDS
from hyloop.hypergraph import Hypergraph
from hyloop.interop import as_hypergraph
from hyloop.interpreter import Step, Value, interpret
from hyloop.lang import Algorithm
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.program import Program
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model
from hyloop.numbers import Exact, short
from hyloop.run import prepare, program_of

Matrix = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Difference:
    """The first place where transformer and interpreter part: what the program says, what the machine has."""

    iteration: int
    layer: int | None  # from 1; None: at the end of the iteration
    variable: str
    row: int
    expected: int
    found: float
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
    """The outcome of a check: how much was compared, and the first difference, if there is one."""

    iterations: int
    compared: int
    difference: Difference | None

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
    **inputs: Any,  # noqa: ANN401  (labels and numbers of any kind)
) -> Checked:
    """Run interpreter and transformer side by side on a hypergraph; stop at the first difference.

    An algorithm that is no model yet is compiled first. The dense formulas are compared with the interpreter after
    every layer. Any other backend is run beside them and its whole state is compared with theirs after every iteration.
    """
    if backend not in BACKENDS:
        raise HyloopError(f"There is no executor {backend!r}; there are {', '.join(BACKENDS)}.")
    if not isinstance(model, Model):
        model = compile_program(program_of(model))
    program, h = program_of(model), as_hypergraph(hypergraph)
    given = prepare(program, h, inputs)
    counts = len(h.vertices), len(h.hyperedges)
    frame = Frame(*counts, given.weights, given.inputs, padding)
    require_rows(frame.size)
    X = encode(model, frame)[np.newaxis]
    rows = min(frame.size, MEMORY // (8 * frame.size * X.itemsize))
    blocks = Blocks.of([pad(model, h, frame.size)], rows, frame.size, model.dtype)
    layers = [cast(layer, model.dtype) for layer in model.layers]
    other = None if backend == "dense" else BACKENDS[backend](model, X[0], pad(model, h, frame.size))
    compared = 0
    for step in interpret(program, h, given.inputs, given.weights):
        seen = _Seen(model, program, step, counts)
        for number, layer in enumerate(layers, start=1):
            X = apply(layer, X, blocks)
            for difference in seen.after_layer(number, X[0]):
                compared += 1
                if difference is not None:
                    return Checked(step.iteration, compared, difference)
        differences = [seen.after_iteration(X[0])]
        if other is not None:
            other.advance(1)
            differences.append(seen.beside(X[0], other.state(), backend))
        for difference in chain(*differences):
            compared += 1
            if difference is not None:
                return Checked(step.iteration, compared, difference)
    return Checked(step.iteration, compared, None)


def random_inputs(program: Program, h: Hypergraph, rng: np.random.Generator) -> dict[str, Any] | None:
    """A random value for every input; None where there is nothing to choose from."""
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
            found[each.name] = Exact(int(rng.integers(10)) * unit)
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
        for number, column in enumerate(self.model.layout.columns):
            wrong = np.flatnonzero(X[:, number] != found[:, number])
            if not len(wrong):
                yield None
                continue
            row = int(wrong[0])
            values = int(X[row, number]), float(found[row, number])
            writers = tuple(_writers(self.model, number))
            what = f"column {column.name} of backend {backend}"
            yield Difference(self.step.iteration, None, what, row, *values, "as dense computes it", writers)

    def _compare(self, X: Matrix, what: _What, value: Value) -> Difference | None:
        number = self.model.layout.number(what.column)
        expected = self._rows(what.type, value, len(X))
        wrong = np.flatnonzero(X[:, number] != expected)
        if not len(wrong):
            return None
        row = int(wrong[0])
        return Difference(
            self.step.iteration,
            what.layer,
            what.name,
            row,
            int(expected[row]),
            float(X[row, number]),
            what.where,
            tuple(_writers(self.model, number)),
        )

    def _rows(self, type_: Type, value: Value, size: int) -> npt.NDArray[np.float64]:
        """A value as the machine has it: a scalar on every row, an array on its rows, infinity as the model's Ω."""
        expected = np.zeros(size)
        if type_.scope is Scope.SCALAR:
            expected[:] = self._integer(value)
        else:
            count = self.counts[0] if type_.scope is Scope.VERTICES else self.counts[1]
            expected[1 : count + 1] = [self._integer(each) for each in value]
        return expected

    def _integer(self, value: Value) -> int:
        return self.model.infinity if value == self.step.infinity else int(value)


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
    for number, layer in enumerate(model.layers, start=1):
        for place, head in enumerate(layer.heads, start=1):
            if column in head.writes:
                yield f"layer {number}, head {place} ({', '.join(head.serves)})"
        units = np.flatnonzero(layer.mlp.weights[3][:, column])
        if len(units):
            yield f"layer {number}, units {', '.join(str(unit + 1) for unit in units)}"
