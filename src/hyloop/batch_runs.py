"""One algorithm on a `HypergraphBatch`: integers in, integers out, a million hypergraphs at a time.

>>> import hyloop
>>> batch = hyloop.HypergraphBatch.random(2, seed=4, vertices=3, hyperedges=2)
>>> found = hyloop.run_many("levels", batch, backend="cpu", source=1)
>>> found.array("level").tolist(), found.iterations.tolist()
([0, 1, 1, 0, 1, 1], [3, 3])
>>> found[1]["level"]
{1: 0, 2: 1, 3: 1}
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError, HyloopWarning, ModelError
from hyloop.execute import backends
from hyloop.execute.cplusplus import compiler
from hyloop.execute.cuda.launch import MOST_ROWS, SHAPES, Launch
from hyloop.execute.cuda.machines import Cpu, Gpu, Machine
from hyloop.execute.cuda.source import BEYOND, HALTED, INEXACT, Reading
from hyloop.execute.decode import States, result_of
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import Given, program_of
from hyloop.execute.session import IterationLimitError
from hyloop.fitting import compiled
from hyloop.hypergraph import as_label, shown
from hyloop.hypergraph_batch import Draw, HypergraphBatch, array_of, owners
from hyloop.interpreter import IterationEnd
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Input
from hyloop.machine.layout import state_column
from hyloop.machine.model import Capacity, Model
from hyloop.result import Result

Array = Any
IntArray = npt.NDArray[np.int64]
MANY = 10_000  # hypergraphs of a batch that are worth compiling code for on the CPU: seconds
PORTION = 10_000  # that are run in one go there
ONE_BY_ONE = "run_many also takes a list of hypergraphs (`list(batch)`), and runs them one by one."
FLOOR = 8  # weights are rounded up to a power of two from here on, so that batches share their models


@dataclass(frozen=True, eq=False)
class BatchResult:
    """The results of a batch, as arrays; item `i` is the `Result` of hypergraph `i`, made when it is asked for.

    `arrays` has the states that the outputs are made of, by name: a number for each hypergraph, or one for each
    vertex or hyperedge of all. Pointers are numbers from 1 (0: none), flags 0 and 1, lengths integers in the unit of
    the weights (`batch.units`), and `infinity` stands for an infinite one. `halted` is false where the loop did not
    stop in time.
    """

    program: Program
    batch: HypergraphBatch
    model: Model
    backend: str
    inputs: Mapping[str, Array]
    iterations: Array
    halted: Array
    arrays: Mapping[str, Array] = field(repr=False)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def infinity(self) -> int:
        """The integer that stands for an infinite length."""
        return self.model.infinity

    def array(self, name: str) -> Array:
        """The array of an output, for all hypergraphs one after the other; -1 where the output has no value."""
        found = [output for output in self.program.outputs if output.name == name]
        if not found:
            names = dict.fromkeys(output.name for output in self.program.outputs)
            raise HyloopError(f"There is no output {name!r}; there are {', '.join(names)}.")
        output, *more = found
        if more or output.place is not None or output.form != "value" or output.over is not None:
            raise HyloopError(
                f"{name} is a list, a sum or a quotient, which is made for each hypergraph: `found[i][{name!r}]`. What "
                "it is made of is in `found.arrays`."
            )
        values = self.arrays[output.state]
        for flag, needed in ((output.known, 1), (output.unless, 0)):
            if flag is not None:
                there = self._spread(flag, self.program.state(output.state).type.scope) == needed
                values = self.batch.xp.where(there, values, -1)
        return values

    def _spread(self, flag: str, scope: Scope) -> Array:
        """A flag for each entry of such an array: one that each hypergraph has is the same for all of its entries."""
        if self.program.state(flag).type.scope is scope:
            return self.arrays[flag]
        at = self.batch.vertex_at if scope is Scope.VERTICES else self.batch.hyperedge_at
        return self.arrays[flag][owners(self.batch.xp, at)]

    def __getitem__(self, place: int) -> Result:
        given = self._given(place)
        place %= len(self)
        if not bool(self.halted[place]):
            most = self.program.most_iterations(*given.counts)
            raise IterationLimitError(most, np.zeros((0, 0)), np.array([most]), 1, self.program.name)
        states: dict[str, Any] = {name: self._state(name, place) for name in self.arrays}
        step = IterationEnd(int(self.iterations[place]), "body", states, (), True, self.infinity)
        return result_of(self.program, given, self.backend, step, {}, verified=self.model.verified)

    def __iter__(self) -> Iterator[Result]:
        return (self[place] for place in range(len(self)))

    def _given(self, place: int) -> Given:
        h = self.batch[place]  # raises where there is none
        place %= len(self)
        unit = self.batch.units[place] if self.batch.units else Fraction(1)
        weights = self.batch.weight[int(self.batch.hyperedge_at[place]) : int(self.batch.hyperedge_at[place + 1])]
        inputs = {
            each.name: part_of(self.inputs[each.name], each.type.scope, self.batch, place)
            for each in self.program.inputs
        }
        return Given(h, tuple(int(each) for each in weights), inputs, unit)

    def _state(self, name: str, place: int) -> Any:
        part = part_of(self.arrays[name], self.program.state(name).type.scope, self.batch, place)
        return part if isinstance(part, int) else np.array(part, np.int64)


def part_of(array: Array, scope: Scope, batch: HypergraphBatch, place: int) -> Any:
    """What belongs to one hypergraph: a number, or the numbers of its vertices or hyperedges."""
    place %= len(batch)
    if scope is Scope.SCALAR:
        return int(array[place])
    at = batch.vertex_at if scope is Scope.VERTICES else batch.hyperedge_at
    return tuple(int(each) for each in array[int(at[place]) : int(at[place + 1])])


def run_packed(
    algorithm: str | Algorithm | Program | Model,
    batch: HypergraphBatch,
    inputs: Mapping[str, Any],
    *,
    backend: str = "cuda",
    machine: Machine | None = None,
    progress: Callable[[int], None] | None = None,
) -> BatchResult:
    """Run an algorithm on every hypergraph of a batch.

    An input is one integer for all, an array with one for each hypergraph, or, where the program takes an array, the
    entries of all hypergraphs one after the other. Vertices and hyperedges are named by their labels: numbers from 1,
    unless the batch was packed of hypergraphs with others. A name or program is compiled for the rows and weights of
    this batch, so that numbers are narrow; a model is run as it is.
    """
    program = program_of(algorithm)
    if backend not in backends.BACKENDS:
        raise HyloopError(f"A batch runs by {', '.join(backends.BACKENDS)}; not by {backend}. {ONE_BY_ONE}")
    if any(output.form == "stream" for output in program.outputs):
        raise HyloopError(
            f"{program.name} has a stream, which is read after every iteration, and a batch has no room for it. "
            f"{ONE_BY_ONE}"
        )
    if batch.directed and not uses_direction(program):
        raise HyloopError(f"{program.name} does not tell tails from heads, and the batch is directed.")
    if batch.units and any(each.type.kind is Kind.LENGTH for each in program.inputs):
        batch = batch.in_parts_of_one()  # lengths that are given are numbers of the user, as weights are
    given = _inputs(program, batch, inputs)
    model = algorithm if isinstance(algorithm, Model) else fitted(program, batch, given)
    names = output_states(program)
    if backend == "cuda":
        found = _at_once(program, model, batch, given, names, machine or Gpu(), "cuda")
        if progress is not None:
            progress(len(batch))
        return found
    if backend == "cpu" and (found_at_once := _on_cpu(program, model, batch, given, names, progress)) is not None:
        return found_at_once
    arrays = {name: np.zeros(_entries(program, name, batch), np.int64) for name in names}
    iterations, halted = np.zeros(len(batch), np.int64), np.zeros(len(batch), np.bool_)
    host, there = batch.to(np), {name: np.asarray(array) for name, array in given.items()}
    for place in range(len(batch)):
        _one(program, model, host, there, place, backend, arrays, iterations, halted)
        if progress is not None:
            progress(place + 1)
    return BatchResult(program, host, model, backend, there, iterations, halted, arrays)


def fitted(program: Program, batch: HypergraphBatch, given: Mapping[str, Array]) -> Model:
    """The model for the rows and weights of a batch: rows as many as a shape takes, weights to a power of two."""
    numbers = [given[each.name] for each in program.inputs if each.type.kind is Kind.COUNT and each.at_most is None]
    counts = (batch.vertices, batch.hyperedges, *numbers)  # a count without a bound may be as large as there are rows
    rows = max([1, *(int(array.max()) for array in counts if len(array))])
    room = next((room for room, _, _ in SHAPES if rows <= room), rows)
    measured = [given[each.name] for each in program.inputs if each.type.kind in {Kind.LENGTH, Kind.COUNT}]
    largest = max([FLOOR, *(int(array.max()) for array in (batch.weight, *measured) if len(array))])
    return compiled(program, Capacity(room, 1 << (largest - 1).bit_length()))


def _inputs(program: Program, batch: HypergraphBatch, inputs: Mapping[str, Any]) -> dict[str, Array]:
    names = [each.name for each in program.inputs]
    if wrong := sorted(set(inputs) ^ set(names)):
        raise HyloopError(f"{program.name} takes {', '.join(names) or 'no inputs'}; {wrong[0]} is missing or unknown.")
    xp, found = batch.xp, {}
    for each in program.inputs:
        count = _count(each.type.scope, batch)
        told = f"The input {each.name} of a batch is an integer, or an array of {count:,} of them."
        value = inputs[each.name]
        array = _by_label(each, batch, value) if _has_labels(each, batch) else array_of(value, told)
        array = _on_host(array) if xp is np else xp.asarray(array)
        if array.dtype.kind not in "iub" or array.ndim > 1 or (array.ndim == 1 and len(array) != count):
            raise HyloopError(told)
        found[each.name] = xp.ascontiguousarray(xp.broadcast_to(array.astype(xp.int64), (count,)))
        _require_number(each, found[each.name], batch)
        if each.type.kind is Kind.LENGTH and batch.units:
            found[each.name] = _in_units(each, found[each.name], batch)
    return found


def _in_units(each: Input, values: Array, batch: HypergraphBatch) -> Array:
    """Lengths in the units of the hypergraphs, each of which is 1 divided by an integer."""
    xp = batch.xp
    parts = xp.asarray(np.array([unit.denominator for unit in batch.units], np.int64))
    at = {Scope.VERTICES: batch.vertex_at, Scope.HYPEREDGES: batch.hyperedge_at}.get(each.type.scope)
    factors = parts if at is None else parts[owners(xp, at)]
    if len(values) and int(values.max()) * int(factors.max()) >= 2**62:
        raise HyloopError(f"The input {each.name} is too large in the unit of the weights.")
    return values * factors


def _has_labels(each: Input, batch: HypergraphBatch) -> bool:
    """Whether an input names vertices or hyperedges of hypergraphs that have labels of their own."""
    return bool(batch.labels) and each.type.kind.is_pointer


def _by_label(each: Input, batch: HypergraphBatch, given: Any) -> IntArray:
    """The numbers of what an input names: one label for all hypergraphs, or a list with one for each."""
    if each.type.scope is not Scope.SCALAR:
        raise HyloopError(
            f"The input {each.name} names a {each.type.kind.value} for each row, and this batch has labels. "
            f"{ONE_BY_ONE}"
        )
    one = isinstance(given, str | int) or np.ndim(given) == 0
    named = [given] * len(batch) if one else list(given)
    if len(named) != len(batch):
        raise HyloopError(f"The input {each.name} of a batch is a label, or a list of {len(batch):,} of them.")
    kind = 0 if each.type.kind is Kind.VERTEX else 1
    found = np.zeros(len(batch), np.int64)
    for place, label in enumerate(named):
        names = {name: number for number, name in enumerate(batch.labels[place][kind], start=1)}
        found[place] = names.get(as_label(label), 0)
        if not found[place]:
            raise HyloopError(
                f"The input {each.name}: hypergraph {place} has no {each.type.kind.value} {shown(label)}."
            )
    return found


def _require_number(each: Input, values: Array, batch: HypergraphBatch) -> None:
    """Pointers name a vertex or hyperedge that is there, in arrays also none; nothing is negative, flags are 0 or 1."""
    kind = each.type.kind
    least = int(kind.is_pointer and each.type.scope is Scope.SCALAR)
    bound = each.at_most if kind in {Kind.COUNT, Kind.LENGTH} else None
    most: Any = 1 if kind is Kind.FLAG else 2**62 if bound is None else bound
    if kind.is_pointer:
        most = _candidates(each, batch)
    if len(values) and not bool(((values >= least) & (values <= most)).all()):
        pointer = f"the number of a {kind.value}, from {least} on"
        other = "0 or 1" if kind is Kind.FLAG else "0 or more" if bound is None else f"from 0 to {bound}"
        raise HyloopError(f"The input {each.name} has an entry that is not {pointer if kind.is_pointer else other}.")


def _candidates(each: Input, batch: HypergraphBatch) -> Array:
    """How many vertices or hyperedges each entry of a pointer input can name."""
    counts = batch.vertices if each.type.kind is Kind.VERTEX else batch.hyperedges
    if each.type.scope is Scope.SCALAR:
        return counts
    starts = batch.vertex_at if each.type.scope is Scope.VERTICES else batch.hyperedge_at
    return counts[owners(batch.xp, starts)]


def _count(scope: Scope, batch: HypergraphBatch) -> int:
    if scope is Scope.SCALAR:
        return len(batch)
    return int((batch.vertex_at if scope is Scope.VERTICES else batch.hyperedge_at)[-1])


def _entries(program: Program, name: str, batch: HypergraphBatch) -> int:
    return _count(program.state(name).type.scope, batch)


def output_states(program: Program) -> list[str]:
    """The states that the outputs are made of."""
    named = [each for output in program.outputs for each in (output.state, output.known, output.unless) if each]
    return list(dict.fromkeys(named))


def limits(program: Program, batch: HypergraphBatch) -> IntArray:
    """The iterations that the program declares for each hypergraph; the same for hypergraphs of one size."""
    xp = batch.xp
    pairs, of = xp.unique(batch.vertices.astype(xp.int64) << 32 | batch.hyperedges, return_inverse=True)
    most = [min(program.most_iterations(pair >> 32, pair & (2**32 - 1)), 2**62) for pair in pairs.tolist()]
    found: IntArray = np.array(most, np.int64)[_on_host(of).reshape(-1)]
    return found


def _on_cpu(
    program: Program,
    model: Model,
    batch: HypergraphBatch,
    given: Mapping[str, Array],
    names: list[str],
    progress: Callable[[int], None] | None,
) -> BatchResult | None:
    """A large batch by the code that a GPU would run, compiled for this CPU; None where that cannot be had."""
    if len(batch) < MANY or batch.xp is not np or compiler() is None:
        return None
    parts: list[BatchResult] = []
    for first in range(0, len(batch), PORTION):  # between two of them, Ctrl-C is seen
        part = batch.part(first, first + PORTION)
        own = inputs_of_part(program, given, batch, first, first + len(part))
        try:
            parts.append(_at_once(program, model, part, own, names, Cpu(), "cpu"))
        except ModelError:  # this model has no such code, or this compiler makes none of it
            return None
        if progress is not None:
            progress(first + len(part))
    iterations, halted = (np.concatenate([getattr(each, name) for each in parts]) for name in ("iterations", "halted"))
    arrays = {name: np.concatenate([each.arrays[name] for each in parts]).astype(np.int64) for name in names}
    return BatchResult(program, batch, model, "cpu", given, iterations.astype(np.int64), halted, arrays)


def inputs_of_part(
    program: Program, inputs: Mapping[str, Array], batch: HypergraphBatch, first: int, last: int
) -> dict[str, Array]:
    """The inputs of the hypergraphs from `first` up to `last`."""
    at = {Scope.VERTICES: batch.vertex_at, Scope.HYPEREDGES: batch.hyperedge_at}
    ends = {each.name: at[each.type.scope] for each in program.inputs if each.type.scope in at}
    return {
        name: array[int(ends[name][first]) : int(ends[name][last])] if name in ends else array[first:last]
        for name, array in inputs.items()
    }


def _at_once(
    program: Program,
    model: Model,
    batch: HypergraphBatch,
    given: Mapping[str, Array],
    names: list[str],
    machine: Machine,
    backend: str,
) -> BatchResult:
    launch = Launch(model, machine, readings(model, names))
    batch = batch.to(machine.xp)
    ran = launch.run(batch, given, limits(program, batch))
    found = dict(zip(names, ran.read, strict=True))
    iterations, halted = ran.iterations, ran.status == HALTED
    left = machine.xp.flatnonzero((ran.status == INEXACT) | (ran.status == BEYOND)).tolist()
    if left and backend == "cuda":
        warnings.warn(
            f"{len(left):,} of {len(batch):,} hypergraphs run on the CPU: they have more than {MOST_ROWS:,} rows, or "
            "an average that is no integer.",
            HyloopWarning,
            stacklevel=3,
        )
    if left:
        host = batch.to(np)
        there = {name: np.asarray(_on_host(array)) for name, array in given.items()}
        kept = {name: _on_host(array).astype(np.int64) for name, array in found.items()}
        iterations, halted = _on_host(iterations), _on_host(halted)
        for place in left:
            _one(program, model, host, there, place, "cpu", kept, iterations, halted)
        found = {name: machine.xp.asarray(array) for name, array in kept.items()}
        iterations, halted = machine.xp.asarray(iterations), machine.xp.asarray(halted)
    return BatchResult(program, batch, model, backend, given, iterations, halted, found)


def _on_host(array: Array) -> Any:
    return array if isinstance(array, np.ndarray) else array.get()


OF: dict[Scope, Literal["scalar", "vertices", "hyperedges"]] = {
    Scope.SCALAR: "scalar",
    Scope.VERTICES: "vertices",
    Scope.HYPEREDGES: "hyperedges",
}


def readings(model: Model, names: Iterable[str] | None = None) -> list[Reading]:
    """The columns of these states of a model's program, or of all that its outputs are made of."""
    program = model.parsed
    scopes = {name: program.state(name).type.scope for name in (output_states(program) if names is None else names)}
    return [Reading(model.layout.number(state_column(name)), OF[scope]) for name, scope in scopes.items()]


def _one(
    program: Program,
    model: Model,
    batch: HypergraphBatch,
    given: Mapping[str, Array],
    place: int,
    backend: str,
    found: Mapping[str, IntArray],
    iterations: IntArray,
    halted: npt.NDArray[np.bool_],
) -> None:
    """Run one hypergraph of a batch by itself, and put what is read where it belongs."""
    h = batch[place]
    counts = int(batch.vertices[place]), int(batch.hyperedges[place])
    first, last = int(batch.hyperedge_at[place]), int(batch.hyperedge_at[place + 1])
    inputs = {each.name: part_of(given[each.name], each.type.scope, batch, place) for each in program.inputs}
    X = encode(model, Frame(*counts, tuple(batch.weight[first:last].tolist()), inputs))
    session = backends.start(backend, model, X, pad(model, h, len(X)))
    most = program.most_iterations(*counts)
    session.advance(min(most, 2**62))
    iterations[place], halted[place] = session.iterations()[0], session.halted()[0]
    states = States(model, program, session.state(), counts)
    for name, array in found.items():
        at = {Scope.SCALAR: place, Scope.VERTICES: int(batch.vertex_at[place]), Scope.HYPEREDGES: first}
        scope = program.state(name).type.scope
        value = np.atleast_1d(states[name])
        array[at[scope] : at[scope] + len(value)] = value
    session.close()


def random_inputs(program: Program, batch: HypergraphBatch, seed: int = 0) -> dict[str, Array]:
    """Random inputs for a batch: any vertex or hyperedge, flags, and small numbers. There must be one to point to."""
    draw, xp = Draw(seed, batch.xp), batch.xp
    found = {}
    for place, each in enumerate(program.inputs):
        count, kind = _count(each.type.scope, batch), each.type.kind
        bound: Any = 2 if kind is Kind.FLAG else (9 if each.at_most is None else min(each.at_most, 9)) + 1
        least = int(kind.is_pointer and each.type.scope is Scope.SCALAR)
        if kind.is_pointer:
            bound = _candidates(each, batch) + 1 - least
        found[each.name] = draw.below(1000 + place, bound, xp.arange(count)) + least
    return found
