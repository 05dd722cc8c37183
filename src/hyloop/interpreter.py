"""The interpreter: what a program *means*. It runs on exact integers, one iteration at a time.

It shares no code with the compiler or any executor. A flag is 0 or 1, a pointer is a number from 1 (0 is none), an
array is a numpy vector over the vertices or hyperedges. Infinity is one integer above all finite ones.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError, NotStoppedError
from hyloop.hypergraph import Hypergraph, Incidence
from hyloop.lang.bounds import Limits, bounds_of
from hyloop.lang.kinds import INFINITY, Constant, Kind, Scope
from hyloop.lang.matrices import HEADS, INCIDENCE, TAILS, Matrix, along_each
from hyloop.lang.ops import OPERATIONS, require_entries
from hyloop.lang.program import InputValue, Op, Program, Section, State
from hyloop.lang.source import LanguageError
from hyloop.standstill import Standstill

# A scalar, one of Python's own integers; or a vector: of 64 bits if all entries are below WIDE, else of Python's own.
Value = Any
Vector = npt.NDArray[Any]

SMALL = 2**61  # infinity, where all finite lengths stay far below it
WIDE = 2**62  # two numbers below it add up within 64 bits


@dataclass(frozen=True, eq=False)
class World:
    """What operations can read besides their operands: the hypergraph in integers, the inputs, infinity.

    `matrices` has the incidence, that of tails and that of heads, and each of them transposed.
    """

    matrices: Mapping[str, Incidence]
    weight: Vector
    inputs: Mapping[str, Value]  # integers; arrays as vectors
    infinity: int

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return self.matrices[INCIDENCE.product].rows

    @property
    def hyperedges(self) -> int:
        """How many hyperedges there are."""
        return self.matrices[INCIDENCE.transposed].rows

    def count(self, scope: Scope) -> int:
        """How many rows an array of that scope has."""
        return {Scope.SCALAR: 1, Scope.VERTICES: self.vertices, Scope.HYPEREDGES: self.hyperedges}[scope]

    def vector(self, scope: Scope, value: int) -> Vector:
        """An array of one value."""
        return np.full(self.count(scope), value, dtype=np.int64 if value < WIDE else object)


@dataclass(frozen=True, eq=False)
class IterationEnd:
    """The end of an iteration: every state, every local by its number in the section, and whether the loop halts.

    `infinity` is the integer that stands for it.
    """

    iteration: int
    section: Literal["before", "body"]
    states: Mapping[str, Value]
    values: tuple[Value, ...]
    halted: bool
    infinity: int


def world(
    h: Hypergraph, weights: Sequence[int], inputs: Mapping[str, InputValue], *, most: int, longest: int = 0
) -> World:
    """A hypergraph in integers. `most` bounds how many weights a length can add up to, `longest` all finite lengths."""
    largest = max([*weights, *map(largest_of, inputs.values()), 1]) * (most + 2) * (len(weights) + len(h.vertices) + 2)
    small = max(largest * 2**10, longest) < SMALL
    infinity = SMALL if small else max(largest * SMALL, longest + 1)
    weight = np.array(weights, dtype=np.int64 if small else object)
    given = {name: value if isinstance(value, int) else _array(value) for name, value in inputs.items()}
    return World(_matrices(h), weight, given, infinity)


def largest_of(value: InputValue) -> int:
    """The value of an input, or the largest entry of an array."""
    return value if isinstance(value, int) else max(value, default=0)


def _array(values: Sequence[int]) -> Vector:
    return np.array(values, dtype=np.int64 if max(values, default=0) < WIDE else object)


def _matrices(h: Hypergraph) -> dict[str, Incidence]:
    return {
        INCIDENCE.product: h.incidence,
        INCIDENCE.transposed: h.incidence_transposed,
        TAILS.product: h.tails,
        TAILS.transposed: h.tails_transposed,
        HEADS.product: h.heads,
        HEADS.transposed: h.heads_transposed,
    }


def interpret(
    program: Program, h: Hypergraph, inputs: Mapping[str, InputValue], weights: Sequence[int] | Vector | None = None
) -> Iterator[IterationEnd]:
    """Run a program. Inputs are numbers from 1 for vertices and hyperedges, and integers in the unit of the weights.

    `weights` are the integers for the hyperedges' weights, by default the smallest in proportion.
    """
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    integers = h.integer_weights()[0] if weights is None else weights
    if isinstance(integers, np.ndarray):
        integers = integers.tolist()  # Python's own, which do not overflow
    longest = _longest(program, h, integers, inputs) if _multiplies_lengths(program) else 0
    here = world(h, integers, inputs, most=most, longest=longest)
    states: dict[str, Value] = {state.name: _initial(state, here) for state in program.states}
    iteration, standstill = 0, Standstill(program.name)
    if program.begins:
        iteration += 1
        values = evaluate(program.before, states, here)
        states = states | {name: values[number] for name, number in program.before.updates.items()}
        _require_within(program, states, here)
        yield IterationEnd(iteration, "before", states, values, halted=False, infinity=here.infinity)
    while True:
        if iteration >= most:
            raise NotStoppedError(
                f"{program.name} did not stop within the {most:,} iterations that it declares (`at_most`)."
            )
        iteration += 1
        values = evaluate(program.body, states, here)
        states = states | {name: values[number] for name, number in program.body.updates.items()}
        _require_within(program, states, here)
        assert program.body.stop is not None
        halted = bool(values[program.body.stop])
        yield IterationEnd(iteration, "body", states, values, halted, here.infinity)
        if halted:
            return
        standstill.look(iteration, states.values)


def _require_within(program: Program, states: Mapping[str, Value], here: World) -> None:
    """Raise where a state is more than the bound that the program declares for it."""
    for state in program.states:
        if state.at_most is not None:
            bound, value = state.at_most.at(here.vertices, here.hyperedges), states[state.name]
            most = max(map(int, value), default=0) if isinstance(value, np.ndarray) else value
            if most > bound:
                raise HyloopError(
                    f"{state.name} becomes {most:,}, but is declared to be at most {state.at_most}, here {bound:,}."
                )


def _bounds(inputs: Mapping[str, InputValue]) -> dict[str, int]:
    return {name: largest_of(value) for name, value in inputs.items()}


def _multiplies_lengths(program: Program) -> bool:
    """Whether lengths may be more than sums of weights, a few for each iteration."""
    ops = (*program.before.ops, *program.body.ops)
    return any(op.name in {"multiple", "multiply"} and op.type.kind is Kind.LENGTH for op in ops)


def _longest(program: Program, h: Hypergraph, weights: Sequence[int], inputs: Mapping[str, InputValue]) -> int:
    """The largest finite length on this input; 0 where the program has no bound, and each is checked."""
    limits = Limits(max(len(h.vertices), len(h.hyperedges), 1), max(weights, default=1), _bounds(inputs))
    try:
        return bounds_of(program, limits).longest(limits.weight, unused=True)  # all are computed here
    except LanguageError:
        return 0


def evaluate(section: Section, states: Mapping[str, Value], here: World) -> tuple[Value, ...]:
    """The value of every operation of a section."""
    values: list[Value] = []
    for op in section.ops:
        operands = [values[number] for number in op.operands]
        kinds = [section.ops[number].type.kind for number in op.operands]
        if op.name in SEARCHES:
            operands = _among_finite(kinds[0], here, *operands)
        elif op.name in ARITHMETIC:
            operands = _finite_parts(kinds, here, operands)
        if op.name == "state":
            values.append(states[str(op.argument)])
        else:
            values.append(MEANING[op.name](here, op, *operands))
    return tuple(values)


def plain(value: Constant, here: World) -> int:
    """A constant as an integer."""
    return here.infinity if value is INFINITY else int(value or 0)  # type: ignore[arg-type]


# -- integers of any size -------------------------------------------------------------------------------------------


def _is_wide(value: Value) -> bool:
    return bool(value.dtype == object) if isinstance(value, np.ndarray) else value >= WIDE


def _matched(*values: Value) -> Sequence[Value]:
    """Operands that numpy computes with exactly: it would round an integer of 64 bits that meets a longer one."""
    if not any(isinstance(value, np.ndarray) for value in values) or not any(map(_is_wide, values)):
        return values
    return [np.asarray(value, dtype=object) for value in values]


def _largest(value: Value) -> int:
    return int(value.max(initial=0)) if isinstance(value, np.ndarray) else int(value)


def _settled(value: Value) -> Value:
    """A result, of Python's own integers if it could not be added to another one within 64 bits."""
    if isinstance(value, np.ndarray) and not _is_wide(value) and _largest(value) >= WIDE:
        return value.astype(object)
    return value


def _chosen(condition: Value, a: Value, b: Value) -> Value:
    """`a` where the condition holds, `b` elsewhere; the condition is True, False, 0 or 1."""
    if not any(isinstance(value, np.ndarray) for value in (condition, a, b)):
        return a if condition else b
    if any(map(_is_wide, (a, b))):
        a, b = np.asarray(a, dtype=object), np.asarray(b, dtype=object)
    return np.where(np.not_equal(condition, 0), a, b)


def _below_infinity(here: World, length: Value) -> Value:
    """A length that was made from finite ones; one that has reached infinity would be taken for it."""
    if _largest(length) >= here.infinity:
        raise HyloopError("A length grows so fast with the iterations that it cannot be told from INFINITY any more.")
    return length


def _initial(state: State, here: World) -> Value:
    value = plain(state.initial, here)
    return value if state.type.scope is Scope.SCALAR else here.vector(state.type.scope, value)


# -- meanings -------------------------------------------------------------------------------------------------------


def _add(here: World, op: Op, a: Value, b: Value) -> Value:
    """Lengths saturate: infinity plus anything is infinity."""
    a, b = _matched(a, b)
    if op.type.kind is not Kind.LENGTH:
        return _settled(a + b)
    infinite = (a == here.infinity) | (b == here.infinity)
    return _chosen(infinite, here.infinity, _below_infinity(here, _chosen(infinite, 0, a + b)))


def _subtract(here: World, op: Op, a: Value, b: Value) -> Value:
    """`-` stops at 0; infinity minus a finite length is infinity."""
    a, b = _matched(a, b)
    less = _chosen(a > b, a - b, 0)
    if op.type.kind is not Kind.LENGTH:
        return less
    return _chosen((a == here.infinity) & (b != here.infinity), here.infinity, less)


def _multiple(here: World, op: Op, a: Value) -> Value:
    times = int(op.argument)  # type: ignore[arg-type]
    infinite = (a == here.infinity) & (op.type.kind is Kind.LENGTH)
    finite = _chosen(infinite, 0, a)
    if isinstance(finite, np.ndarray) and max(_largest(finite), 1) * times >= WIDE:
        finite = finite.astype(object)
    if op.type.kind is not Kind.LENGTH:
        return finite * times
    return _chosen(infinite, here.infinity if times else 0, _below_infinity(here, finite * times))


def _as_flag(truth: Value) -> Value:
    return truth.astype(np.int64) if isinstance(truth, np.ndarray) else int(truth)


def _less(a: Value, b: Value) -> Value:
    a, b = _matched(a, b)
    return a < b


def _equal(a: Value, b: Value) -> Value:
    a, b = _matched(a, b)
    return a == b


def _read(_: World, __: Op, array: Vector, at: Value) -> Value:
    """Reading at none gives 0: a row 0 is put before the others."""
    padded = np.concatenate([np.zeros(1, dtype=array.dtype), array])
    return padded[at.astype(np.int64)] if isinstance(at, np.ndarray) else int(padded[int(at)])


def _among_finite(kind: Kind, here: World, x: Vector, mask: Value = 1) -> list[Value]:
    """The numbers that a search compares, and its candidates. Counts are never infinite, however large."""
    some = np.ones(len(x), dtype=bool)
    if kind is Kind.LENGTH:
        some = _less(x, here.infinity)
    elif kind.is_pointer:  # none is nothing to be found
        some = np.not_equal(x, 0)
    return [x, some & np.not_equal(mask, 0)]


def _search(best: Callable[[Vector], Any]) -> Callable[..., Value]:
    """The place, from 1, of the best candidate, the lowest first; 0 where there is none."""

    def meaning(_: World, __: Op, x: Vector, mask: Vector) -> Value:
        rows = np.flatnonzero(mask)
        return int(rows[int(best(x[rows]))]) + 1 if len(rows) else 0

    return meaning


def _extreme(best: Callable[[Vector], Any], *, least: bool) -> Callable[..., Value]:
    """The best value; of none, INFINITY for the least length, else 0."""

    def meaning(here: World, op: Op, x: Vector, mask: Vector) -> Value:
        rows = np.flatnonzero(mask)
        if len(rows):
            return int(best(x[rows]))
        return here.infinity if least and op.type.kind is Kind.LENGTH else 0

    return meaning


def _first(_: World, __: Op, flags: Vector) -> Value:
    rows = np.flatnonzero(flags)
    return int(rows[0]) + 1 if len(rows) else 0


def _product(matrix: Incidence, x: Vector) -> Vector:
    """Sums of runs, as differences of running totals: exact on integers of any size."""
    if _largest(x) * len(matrix.indices) >= WIDE:
        x = x.astype(object)
    totals = np.concatenate([np.zeros(1, dtype=x.dtype), np.cumsum(x[matrix.indices], dtype=x.dtype)])
    sums: Vector = totals[matrix.indptr[1:]] - totals[matrix.indptr[:-1]]
    return sums


def _lengths_too(matrix: str) -> Callable[..., Value]:
    """A product of counts, or of lengths, none of which is infinite (the verifier ensures it)."""

    def meaning(here: World, op: Op, x: Vector) -> Value:
        sums = _product(here.matrices[matrix], x)
        return _below_infinity(here, sums) if op.type.kind is Kind.LENGTH else sums

    return meaning


def _one_hot(here: World, scope: Scope, number: Value) -> Vector:
    flags = here.vector(scope, 0)
    if number:
        flags[int(number) - 1] = 1
    return flags


def _crossings(along: Matrix) -> Mapping[str, Callable[..., Value]]:
    """What the operations along an incidence compute."""
    there, back = along.product, along.transposed
    return {
        along.members: lambda here, _, e: _product(here.matrices[there], _one_hot(here, Scope.HYPEREDGES, e)),
        along.containing: lambda here, _, v: _product(here.matrices[back], _one_hot(here, Scope.VERTICES, v)),
        along.touching: lambda here, _, flags: _as_flag(_product(here.matrices[back], flags) > 0),
        along.covered: lambda here, _, flags: _as_flag(_product(here.matrices[there], flags) > 0),
        there: _lengths_too(there),
        back: _lengths_too(back),
    }


def _select(_: World, __: Op, base: Value, *guarded: Value) -> Value:
    """The value of the last mask that holds; the base where none does."""
    for mask, value in zip(guarded[::2], guarded[1::2], strict=True):
        base = _chosen(mask, value, base)
    return base


def _times(here: World, op: Op, x: Vector) -> Value:
    return MEANING[str(op.argument)](here, op, x)


def _next(here: World, op: Op, p: Value) -> Value:
    last = here.count(Scope.VERTICES if op.type.kind is Kind.VERTEX else Scope.HYPEREDGES)
    return np.where((p == 0) | (p == last), 0, p + 1) if isinstance(p, np.ndarray) else (p + 1 if 0 < p < last else 0)


def _ordinal(here: World, op: Op, p: Value) -> Value:
    """From 0; none has the number after the last."""
    assert isinstance(op.argument, Scope)
    return _chosen(np.equal(p, 0), here.count(op.argument), p - 1)


def _mean(here: World, op: Op, x: Vector) -> Value:
    """The verifier has seen to it that the number of rows divides every entry."""
    del here, op
    whole = x.astype(object) if len(x) * _largest(x) >= WIDE else x
    return int(whole.sum()) // len(x) if len(x) else 0


SEARCHES = frozenset({"argmin", "argmax", "min", "max"})
# Of these, meanings get the finite parts of the operands, and whether each is infinite.
ARITHMETIC = frozenset({"multiply", "quotient", "remainder"})


def _finite_parts(kinds: Sequence[Kind], here: World, operands: Sequence[Value]) -> list[Value]:
    """The operands, 0 where they are infinite, then whether they are. A count may happen to be as large."""
    infinite = [
        _equal(x, here.infinity) if kind is Kind.LENGTH else False for kind, x in zip(kinds, operands, strict=True)
    ]
    return [*(_chosen(flag, 0, x) for flag, x in zip(infinite, operands, strict=True)), *infinite]


def _multiply(here: World, op: Op, a: Value, b: Value, *infinite: Value) -> Value:
    """Infinity times anything is infinity, but times 0 it is 0."""
    if _largest(a) * _largest(b) >= WIDE:
        a, b = (x.astype(object) if isinstance(x, np.ndarray) else x for x in (a, b))
    product = a * b
    if op.type.kind is not Kind.LENGTH:
        return product
    endless = (infinite[0] & np.not_equal(b, 0)) | (infinite[1] & np.not_equal(a, 0))
    return _chosen(endless, here.infinity, _below_infinity(here, product))


def _divided(divide: Callable[[Value, Value], Value]) -> Callable[..., Value]:
    """0 where there is nothing to divide by, or infinity is divided. Infinity goes into anything finite 0 times."""

    def meaning(here: World, _: Op, a: Value, b: Value, endless: Value, by_endless: Value) -> Value:
        by = _chosen(by_endless, here.infinity, b)
        a, by = _matched(a, _chosen(np.equal(by, 0), 1, by))
        return _chosen((np.equal(b, 0) & ~np.asarray(by_endless, dtype=bool)) | endless, 0, divide(a, by))

    return meaning


def _divisor(here: World, op: Op, b: Value, a: Value) -> Value:
    del here, op
    b, a = _matched(b, a)
    return _chosen(np.equal(b, 0) | np.greater(b, a), a + 1, b)


def _quarter(here: World, op: Op, *parts: Value) -> Value:
    del here, op
    wide = sum(_largest(part) for part in parts) ** 2 >= WIDE
    total = reduce(operator.add, (x.astype(object) if wide and isinstance(x, np.ndarray) else x for x in parts))
    return total * total // 4


def _apart(here: World, op: Op, a: Value, b: Value) -> Value:
    del here, op
    a, b = _matched(a, b)
    return abs(a - b)


def _difference(here: World, op: Op, x: Value, y: Value) -> Value:
    x, y = _matched(x, y)
    return _below_infinity(here, x - y) if op.type.kind is Kind.LENGTH else x - y


# What each operation computes, from the world, itself, and the values of its operands. (`state` is looked up.)
MEANING: Mapping[str, Callable[..., Value]] = {
    "input": lambda here, op: here.inputs[op.argument],
    "state": lambda _, __: None,
    "constant": lambda here, op: plain(op.argument, here),
    "weight": lambda here, _: here.weight,
    "size": lambda here, op: here.vertices if op.argument == "n_v" else here.hyperedges,
    "own": lambda here, op: np.arange(1, here.count(op.argument) + 1),
    "add": _add,
    "subtract": _subtract,
    "multiple": _multiple,
    "smaller": lambda _, __, a, b: _chosen(_less(a, b), a, b),
    "larger": lambda _, __, a, b: _chosen(_less(a, b), b, a),
    "less": lambda _, __, a, b: _as_flag(_less(a, b)),
    # None (0) precedes nothing.
    "precedes": lambda _, __, a, b: _as_flag((a < b) & np.not_equal(a, 0)),
    "equal": lambda _, __, a, b: _as_flag(_equal(a, b)),
    "and": lambda _, __, *flags: reduce(operator.mul, flags),
    "or": lambda _, __, a, b: _as_flag(np.greater(a + b, 0)),
    "not": lambda _, __, a: 1 - a,
    "where": lambda _, __, condition, a, b: _chosen(condition, a, b),
    "number": lambda _, __, a: a,
    "spread": lambda here, op, a: here.vector(op.type.scope, a),
    "missing": lambda _, __, p: _as_flag(np.equal(p, 0)),
    "next": _next,
    "previous": lambda _, __, p: _chosen(np.equal(p, 0), 0, p - 1),
    "ordinal": _ordinal,
    "read": _read,
    "argmin": _search(np.argmin),
    "argmax": _search(np.argmax),
    "min": _extreme(np.min, least=True),
    "max": _extreme(np.max, least=False),
    "first": _first,
    "any": lambda _, __, flags: int(np.any(flags)),
    "all": lambda _, __, flags: int(np.all(flags)),
    "mean": _mean,
    **along_each(_crossings),
    "multiply": _multiply,
    "quotient": _divided(operator.floordiv),
    "remainder": _divided(operator.mod),
    "finite": lambda here, _, a: _chosen(_equal(a, here.infinity), 0, a),
    "divisor": _divisor,
    "apart": _apart,
    "quarter": _quarter,
    "difference": _difference,
    "select": _select,
    "times": _times,
    "positive": lambda _, __, count: _as_flag(np.greater(count, 0)),
}
require_entries("the interpreter", MEANING, frozenset(OPERATIONS))
