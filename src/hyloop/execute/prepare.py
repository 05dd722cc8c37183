"""From the user's arguments to a session: program and inputs in integers, first state and incidence.

algorithm ──program_of──▶ Program ┐
hypergraph, inputs ───given_to────┴▶ Given ──encoded──▶ Encoded (X, Ã) ──.start──▶ Session
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.algorithms import ALGORITHMS, meant, shipped
from hyloop.errors import HyloopError
from hyloop.execute import backends
from hyloop.execute.columns import MANY as MANY_ROWS
from hyloop.execute.columns import Columns, whole
from hyloop.execute.encode import (
    Frame,
    batch,
    encode,
    encode_by_column,
    encode_by_column_without_inputs,
    encode_without_inputs,
    largest,
    pad,
)
from hyloop.execute.given import numbers_of
from hyloop.execute.session import Session
from hyloop.hypergraph import Hypergraph, Integers, common_unit, multiples, shown
from hyloop.hypergraph.values import require_flags
from hyloop.interop import as_hypergraph
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Input, InputValue
from hyloop.lang.tracing import OPTIONS
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model
from hyloop.memory import require_memory

FloatArray = npt.NDArray[np.floating]


# -- the program ----------------------------------------------------------------------------------------------------


def program_of(algorithm: str | Algorithm | Program | Model) -> Program:
    """The program that a name, an algorithm, a program or a compiled model stands for."""
    program = _program_of(algorithm)
    for each in program.inputs:
        if each.name in OPTIONS:
            raise HyloopError(
                f"{program.name} has an input called {each.name!r}, but every run has an option of that name."
            )
    return program


def _program_of(algorithm: str | Algorithm | Program | Model) -> Program:
    if isinstance(algorithm, Model):
        return algorithm.parsed
    if isinstance(algorithm, Program):
        return algorithm
    if isinstance(algorithm, Algorithm):
        return algorithm.program
    ours = shipped(algorithm)
    if ours is None and str(algorithm).endswith(".py"):
        module = Path(algorithm).stem
        raise HyloopError(
            f"{shown(algorithm)} is a file, which the command line takes. In Python, import the algorithm and pass it: "
            f"from {module} import {module}."
        )
    if ours is None:
        others = meant(algorithm) or f" There are {', '.join(ALGORITHMS)}."
        raise HyloopError(f"There is no algorithm {shown(algorithm)}.{others}")
    return ours.program


# -- the input, in integers -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Given:
    """A hypergraph and the inputs in integers: weight = integer × unit."""

    hypergraph: Hypergraph
    weights: Integers
    inputs: Mapping[str, InputValue]
    unit: Fraction

    @property
    def counts(self) -> tuple[int, int]:
        """How many vertices and how many hyperedges there are."""
        return self.hypergraph.counts

    @property
    def heaviest(self) -> int:
        """The largest weight; 1 if there is none."""
        return largest(self.weights)

    @property
    def rows(self) -> int:
        """The rows that the hypergraph takes, besides row 0."""
        return max(*self.counts, 1)


def given_to(
    program: Program, hypergraph: object, inputs: Mapping[str, Any], *, ignore_direction: bool = False
) -> Given:
    """The input of a run, from a hypergraph of ours or of another library.

    Directed ones are refused where the program does not tell tails from heads.
    """
    require_flags(ignore_direction=ignore_direction)
    h = as_hypergraph(hypergraph)
    if ignore_direction:
        h = h.ignoring_direction()
    require_direction(program, h)
    return prepare(program, h, inputs)


def require_direction(program: Program, h: Hypergraph) -> None:
    """Raise for a directed hypergraph if the program does not tell tails from heads."""
    if not uses_direction(program):
        h.require_undirected()


def prepare(program: Program, h: Hypergraph, inputs: Mapping[str, Any]) -> Given:
    """Check the inputs and turn labels into numbers from 1, lengths and weights into integers of one unit."""
    check_names(program, inputs)
    numbers = {each.name: numbers_of(each, h, inputs[each.name]) for each in program.inputs}
    lengths = [length for each in program.inputs if each.type.kind is Kind.LENGTH for length in numbers[each.name]]
    weights, unit = h.in_units
    if lengths:
        coarse, unit = unit, common_unit([unit, *lengths] if len(weights) else lengths)
        weights = _in_finer(weights, int(coarse / unit))
    whole = {each.name: _whole(each, numbers[each.name], unit) for each in program.inputs}
    return Given(h, weights, whole, unit)


def _in_finer(weights: Integers, times: int) -> Integers:
    """Weights in a unit that is smaller by a whole number of times."""
    if isinstance(weights, tuple) or largest(weights) * times >= 2**62:
        return tuple(int(weight) * times for weight in weights)
    return weights * times


def _whole(each: Input, numbers: Sequence[Fraction], unit: Fraction) -> InputValue:
    """The numbers of an input as integers: lengths in units, anything else as it is."""
    entries = multiples(numbers, unit if each.type.kind is Kind.LENGTH else Fraction(1))
    return entries[0] if each.type.scope is Scope.SCALAR else entries


def require_known(program: Program, names: Iterable[str]) -> None:
    """Raise if a program has no input of one of these names."""
    wanted = [each.name for each in program.inputs]
    for name in names:
        if name not in wanted:
            takes = f"it takes {', '.join(wanted)}" if wanted else "it takes none"
            raise HyloopError(f"{program.name} has no input {name!r}; {takes}.")


def check_names(program: Program, inputs: Mapping[str, Any]) -> None:
    """Raise unless exactly the inputs of a program are given."""
    require_known(program, inputs)
    for each in program.inputs:
        if each.name not in inputs:
            raise HyloopError(f"{program.name} needs {each.name}, {each.type.phrase}: {each.name}=...")


# -- the input, as the machine takes it -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Encoded:
    """What a run of a model begins with: the first state and the padded incidence (`K × K`)."""

    model: Model
    first: FloatArray | Columns
    incidence: PaddedIncidence

    @cached_property
    def X(self) -> FloatArray:  # noqa: N802  (the paper's name)
        """The first state, `K × d`."""
        return whole(self.first)

    @property
    def size(self) -> int:
        """`K`."""
        return len(self.first)

    def start(self, backend: str, *, resumed: FloatArray | None = None) -> Session:
        """A session at the beginning of the run; or at `resumed`, a state of an earlier run."""
        return backends.start(backend, self.model, self.first if resumed is None else resumed, self.incidence)


def frame_of(given: Given, padding: int = 0) -> Frame:
    """What the encoder may know of an input."""
    return Frame(*given.counts, given.weights, given.inputs, padding)


# How often the state is there at once: as it is encoded, in the executor, and as it is read.
STATES = 3
MANY = 10_000  # rows from which on it is worth asking
INCIDENCE = 128  # bytes of an incidence, both ways, here and in the executor


def memory_needed(model: Model, given: Given, padding: int = 0) -> int:
    """About how many bytes a run takes at most, before any is taken."""
    rows = max(given.rows, model.layout.least) + 1 + padding
    state = rows * len(model.layout) * np.dtype(model.dtype).itemsize
    return STATES * state + INCIDENCE * len(given.hypergraph.incidence.indices)


def require_room(model: Model, given: Given, padding: int = 0, copies: int = 1) -> None:
    """Raise `NotEnoughMemoryError` if a run, or so many of its size at once, take more memory than is free."""
    if max(given.rows, model.layout.least) > MANY:
        needed = copies * memory_needed(model, given, padding)
        require_memory(needed, f"{model.name} on {max(given.counts):,} rows")


def encoded(model: Model, given: Given, padding: int = 0, *, inputs: bool = True) -> Encoded:
    """An input for a model; or all of it but its inputs, for `with_inputs`.

    Raises `CapacityError` for one that does not fit, and `NotEnoughMemoryError` before memory is taken that is not
    free.
    """
    require_room(model, given, padding)
    by_column = encode_by_column if inputs else encode_by_column_without_inputs
    as_a_whole = encode if inputs else encode_without_inputs
    first = (by_column if given.rows > MANY_ROWS else as_a_whole)(model, frame_of(given, padding))
    return Encoded(model, first, pad(model, given.hypergraph, len(first)))


def with_inputs(begun: Encoded, given: Given) -> Encoded:
    """What `encoded` gives for inputs of a hypergraph that was encoded without them."""
    model, frame, before = begun.model, frame_of(given), begun.first
    if isinstance(before, Columns):
        return replace(begun, first=encode_by_column(model, frame, before))
    return replace(begun, first=encode(model, frame, before))


def encoded_batch(model: Model, givens: Sequence[Given], padding: int = 0) -> tuple[FloatArray, list[PaddedIncidence]]:
    """Several inputs padded to one size: `batch × K × d`, and an incidence each."""
    require_room(model, max(givens, key=lambda given: given.rows), padding, len(givens))
    X = batch(model, [frame_of(given, padding) for given in givens])
    return X, [pad(model, given.hypergraph, X.shape[1]) for given in givens]
