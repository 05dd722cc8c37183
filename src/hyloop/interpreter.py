"""The interpreter: what a program *means*. It runs on exact integers, one iteration at a time.

It shares no code with the compiler or any executor. A flag is 0 or 1, a pointer is a number from 1 (0 is none), an
array is a numpy vector over the vertices or hyperedges. Infinity is one integer above all finite ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph, Incidence
from hyloop.lang.kinds import INFINITY, Constant, Kind, Scope
from hyloop.lang.program import Op, Program, Section, State

# A scalar or a vector of integers; of Python's own where they could outgrow 64 bits.
Value = Any
Vector = npt.NDArray[Any]

SMALL = 2**61  # infinity, where all finite lengths stay far below it


@dataclass(frozen=True, eq=False)
class World:
    """What operations can look at besides their operands: the hypergraph in integers, the inputs, infinity."""

    incidence: Incidence
    transposed: Incidence
    weight: Vector
    inputs: Mapping[str, int]
    infinity: int

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return self.incidence.rows

    @property
    def hyperedges(self) -> int:
        """How many hyperedges there are."""
        return self.transposed.rows

    def count(self, scope: Scope) -> int:
        """How many rows an array of that scope has."""
        return {Scope.SCALAR: 1, Scope.VERTICES: self.vertices, Scope.HYPEREDGES: self.hyperedges}[scope]

    def vector(self, scope: Scope, value: int) -> Vector:
        """An array of one value."""
        return np.full(self.count(scope), value, dtype=self.weight.dtype)


@dataclass(frozen=True, eq=False)
class Step:
    """The end of an iteration: every state, every local by its number in the section, and whether the loop halts.

    `infinity` is the integer that stands for it.
    """

    iteration: int
    section: Literal["before", "body"]
    states: Mapping[str, Value]
    values: tuple[Value, ...]
    halted: bool
    infinity: int


def world(h: Hypergraph, weights: Sequence[int], inputs: Mapping[str, int], *, most: int) -> World:
    """A hypergraph in integers. `most` bounds how many weights a length can add up to."""
    largest = max([*weights, *inputs.values(), 1]) * (most + 2) * (len(weights) + len(h.vertices) + 2)
    small = largest < SMALL // 2**10
    infinity = SMALL if small else largest * SMALL
    weight = np.array(weights, dtype=np.int64 if small else object)
    return World(h.incidence, h.incidence_transposed, weight, dict(inputs), infinity)


def interpret(
    program: Program, h: Hypergraph, inputs: Mapping[str, int], weights: Sequence[int] | None = None
) -> Iterator[Step]:
    """Run a program. Inputs are numbers from 1 for vertices and hyperedges, and integers in the unit of the weights.

    `weights` are the integers for the hyperedges' weights, by default the smallest in proportion.
    """
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    here = world(h, h.integer_weights()[0] if weights is None else weights, inputs, most=most)
    states: dict[str, Value] = {state.name: _initial(state, here) for state in program.states}
    iteration = 0
    if program.begins:
        iteration += 1
        values = evaluate(program.before, states, here)
        states = states | {name: values[number] for name, number in program.before.updates.items()}
        yield Step(iteration, "before", states, values, halted=False, infinity=here.infinity)
    while True:
        if iteration >= most:
            raise HyloopError(f"{program.name} did not stop within the {most} iterations that it declares (`at_most`).")
        iteration += 1
        values = evaluate(program.body, states, here)
        states = states | {name: values[number] for name, number in program.body.updates.items()}
        assert program.body.stop is not None  # noqa: S101  (the verifier saw to it)
        halted = bool(values[program.body.stop])
        yield Step(iteration, "body", states, values, halted, here.infinity)
        if halted:
            return


def evaluate(section: Section, states: Mapping[str, Value], here: World) -> tuple[Value, ...]:
    """The value of every operation of a section."""
    values: list[Value] = []
    for op in section.ops:
        operands = [values[number] for number in op.operands]
        if op.name == "state":
            values.append(states[str(op.argument)])
        else:
            values.append(MEANING[op.name](here, op, *operands))
    return tuple(values)


def plain(value: Constant, here: World) -> int:
    """A constant as an integer."""
    return here.infinity if value is INFINITY else int(value or 0)  # type: ignore[arg-type]


def _initial(state: State, here: World) -> Value:
    value = plain(state.initial, here)
    return value if state.type.scope is Scope.SCALAR else here.vector(state.type.scope, value)


# -- meanings -------------------------------------------------------------------------------------------------------


def _add(here: World, op: Op, a: Value, b: Value) -> Value:
    """Lengths saturate: infinity plus anything is infinity."""
    return np.minimum(a + b, here.infinity) if op.type.kind is Kind.LENGTH else a + b


def _subtract(here: World, op: Op, a: Value, b: Value) -> Value:
    """`-` stops at 0; infinity minus a finite length is infinity."""
    less = np.maximum(a - b, 0)
    if op.type.kind is not Kind.LENGTH:
        return less
    return np.where((a == here.infinity) & (b != here.infinity), here.infinity, less)


def _multiple(here: World, op: Op, a: Value) -> Value:
    product = a * op.argument
    if op.type.kind is not Kind.LENGTH or op.argument == 0:
        return product
    # The product of infinity may outgrow 64 bits; it is not used.
    return np.where(a == here.infinity, here.infinity, product)


def _as_flag(truth: Value) -> Value:
    return truth.astype(np.int64) if isinstance(truth, np.ndarray) else int(truth)


def _read(here: World, _: Op, array: Vector, at: Value) -> Value:
    """Reading at none gives 0: a row 0 is put before the others."""
    padded = np.concatenate([np.zeros(1, dtype=here.weight.dtype), array])
    return padded[at.astype(np.int64)] if isinstance(at, np.ndarray) else padded[int(at)]


def _candidates(here: World, x: Vector, mask: Vector | None) -> Vector:
    """The rows that a search may choose, by their places from 0: finite and not masked."""
    finite = x < here.infinity
    return np.flatnonzero(finite if mask is None else finite & (mask != 0))


def _search(best: Callable[[Vector], Any]) -> Callable[..., Value]:
    """The place, from 1, of the best candidate, the lowest first; 0 where there is none."""

    def meaning(here: World, _: Op, x: Vector, mask: Vector | None = None) -> Value:
        rows = _candidates(here, x, mask)
        return int(rows[int(best(x[rows]))]) + 1 if len(rows) else 0

    return meaning


def _extreme(best: Callable[[Vector], Any], *, least: bool) -> Callable[..., Value]:
    """The best value; of none, INFINITY for the least length, else 0."""

    def meaning(here: World, op: Op, x: Vector, mask: Vector | None = None) -> Value:
        rows = _candidates(here, x, mask)
        if len(rows):
            return int(best(x[rows]))
        return here.infinity if least and op.type.kind is Kind.LENGTH else 0

    return meaning


def _first(_: World, __: Op, flags: Vector) -> Value:
    rows = np.flatnonzero(flags)
    return int(rows[0]) + 1 if len(rows) else 0


def _product(matrix: Incidence, x: Vector) -> Vector:
    """Sums of runs, as differences of running totals: exact on integers of any size."""
    totals = np.concatenate([np.zeros(1, dtype=x.dtype), np.cumsum(x[matrix.indices], dtype=x.dtype)])
    sums: Vector = totals[matrix.indptr[1:]] - totals[matrix.indptr[:-1]]
    return sums


def _one_hot(here: World, scope: Scope, number: Value) -> Vector:
    flags = here.vector(scope, 0)
    if number:
        flags[int(number) - 1] = 1
    return flags


def _next(here: World, op: Op, p: Value) -> Value:
    last = here.count(Scope.VERTICES if op.type.kind is Kind.VERTEX else Scope.HYPEREDGES)
    return np.where((p == 0) | (p == last), 0, p + 1) if isinstance(p, np.ndarray) else (p + 1 if 0 < p < last else 0)


def _where(_: World, __: Op, condition: Value, a: Value, b: Value) -> Value:
    chosen = np.asarray(np.where(np.not_equal(condition, 0), a, b))
    return chosen if chosen.ndim else chosen.item()


# What each operation computes, from the world, itself, and the values of its operands. (`state` is looked up.)
MEANING: Mapping[str, Callable[..., Value]] = {
    "input": lambda here, op: here.inputs[op.argument],
    "state": lambda _, __: None,
    "constant": lambda here, op: plain(op.argument, here),
    "weight": lambda here, _: here.weight,
    "size": lambda here, op: here.vertices if op.argument == "n_v" else here.hyperedges,
    "own": lambda here, op: np.arange(1, here.count(op.argument) + 1, dtype=here.weight.dtype),
    "add": _add,
    "subtract": _subtract,
    "multiple": _multiple,
    "less": lambda _, __, a, b: _as_flag(a < b),
    # A pointer to none is in no order with anything.
    "precedes": lambda _, __, a, b: _as_flag((a < b) & np.not_equal(a, 0)),
    "equal": lambda _, __, a, b: _as_flag(np.equal(a, b)),
    "and": lambda _, __, a, b: a * b,
    "or": lambda _, __, a, b: _as_flag(np.greater(a + b, 0)),
    "not": lambda _, __, a: 1 - a,
    "where": _where,
    "number": lambda _, __, a: a,
    "spread": lambda here, op, a: here.vector(op.type.scope, a),
    "missing": lambda _, __, p: _as_flag(np.equal(p, 0)),
    "next": _next,
    "read": _read,
    "argmin": _search(np.argmin),
    "argmax": _search(np.argmax),
    "min": _extreme(np.min, least=True),
    "max": _extreme(np.max, least=False),
    "first": _first,
    "any": lambda _, __, flags: int(np.any(flags)),
    "all": lambda _, __, flags: int(np.all(flags)),
    "members": lambda here, _, e: _product(here.incidence, _one_hot(here, Scope.HYPEREDGES, e)),
    "containing": lambda here, _, v: _product(here.transposed, _one_hot(here, Scope.VERTICES, v)),
    "touching": lambda here, _, flags: _as_flag(_product(here.transposed, flags) > 0),
    "covered": lambda here, _, flags: _as_flag(_product(here.incidence, flags) > 0),
    "incidence": lambda here, _, x: _product(here.incidence, x),
    "transposed": lambda here, _, x: _product(here.transposed, x),
}
