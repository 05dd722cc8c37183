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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hyloop.arrays import require_room
from hyloop.compiler.heaviest import TooLargeError
from hyloop.errors import CapacityError, HyloopError, HyloopWarning, ModelError, NotStoppedError
from hyloop.execute import backends
from hyloop.execute.batch_inputs import (
    ONE_BY_ONE,
    BatchInputs,
    candidates,
    entries_in,
    place_of,
    read_inputs,
    span,
    told_of,
)
from hyloop.execute.cplusplus import compiler
from hyloop.execute.cuda.launch import MOST_ROWS, SHAPES, Launch
from hyloop.execute.cuda.machines import Cpu, Gpu, Machine
from hyloop.execute.cuda.source import BEYOND, HALTED, INEXACT, Reading
from hyloop.execute.decode import Reader, array_output, result_of, states_of
from hyloop.execute.encode import encode
from hyloop.execute.prepare import Given, encoded, frame_of, program_of
from hyloop.execute.session import IterationLimitError
from hyloop.fitting import compiled, fitting_model
from hyloop.hypergraph import Hypergraph, shown
from hyloop.hypergraph_batch import Draw, HypergraphBatch, on_host, place_in
from hyloop.interpreter import IterationEnd
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.machine.layout import state_column
from hyloop.machine.model import Capacity, Model, Verified
from hyloop.memory import require_memory
from hyloop.numbers import Exact, counted, plural
from hyloop.result import NoOutputError, Result, Scale
from hyloop.running import simulated

Array = Any
IntArray = npt.NDArray[np.int64]
MANY = 10_000  # hypergraphs of a batch that are worth compiling code for on the CPU: seconds
PORTION = 10_000  # that are run in one go there
NOTHING = Hypergraph.from_hyperedges([])
ENTRY = 8  # bytes of a number in the arrays of a result
FLOOR = 8  # weights are rounded up to a power of two from here on, so that batches share their models


@dataclass(frozen=True, eq=False)
class BatchResult:
    """The results of a batch, as arrays; item `i` is the `Result` of hypergraph `i`, made when it is asked for.

    `arrays` has the states that the outputs are made of, by name, as the machine holds them: a number for each
    hypergraph, or one for each vertex or hyperedge of all. Pointers are numbers from 1 (0: none), flags 0 and 1,
    lengths integers in the unit of the weights (`batch.units`), and `infinity` stands for an infinite one. Where
    `halted` is false, the loop did not stop in time; numbers of such a run mean nothing, and its item raises what
    `hyloop.run` raises.
    """

    given: BatchInputs
    model: Model
    backend: str
    iterations: Array
    halted: Array
    arrays: Mapping[str, Array] = field(repr=False)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def program(self) -> Program:
        """What was run."""
        return self.given.program

    @property
    def batch(self) -> HypergraphBatch:
        """The hypergraphs, with weights in the units of the lengths."""
        return self.given.batch

    @property
    def inputs(self) -> Mapping[str, Array]:
        """The inputs, as integers."""
        return self.given.arrays

    @property
    def verified(self) -> Verified:
        """What is known of the model, as `Model.verified` has it."""
        return self.model.verified

    @property
    def infinity(self) -> int:
        """The integer that stands for an infinite length."""
        return self.model.infinity

    def array(self, name: str) -> Array:
        """The array of an output, for all hypergraphs one after the other, each as `Result.array` has it.

        Of an output that is one value, it has one for each hypergraph, in the same form.
        """
        asked: Any = name
        found = [output for output in self.program.outputs if isinstance(asked, str) and output.name == asked]
        if not found:
            names = ", ".join(dict.fromkeys(output.name for output in self.program.outputs))
            raise NoOutputError(f"{self.program.name} has no output {shown(name)}; it has {names}.")
        output, *more = found
        if more or output.place is not None or output.form != "value":
            raise HyloopError(
                f"{name} is a list or a sum, which is made for each hypergraph: `found[i][{name!r}]`. What it is made "
                "of is in `found.arrays`."
            )
        step = IterationEnd(0, "body", self.arrays, (), halted=True, infinity=self.infinity)
        return array_output(self.program, Scale(NOTHING, Exact(1), self.infinity), step, output).coded()

    def __getitem__(self, place: int) -> Result:
        place = place_in(place, len(self))
        given = self.given.given(place)
        if not bool(self.halted[place]):  # raises what one run raises
            return simulated(Reader(self.model, given, self.program), encoded(self.model, given), "cpu")
        states = {state: self._state(state, place) for state in self.arrays}
        step = IterationEnd(int(self.iterations[place]), "body", states, (), halted=True, infinity=self.infinity)
        model = self.model
        trust, room = model.verified, model.capacity
        return result_of(self.program, given, self.backend, step, {}, verified=trust, capacity=room)

    def __iter__(self) -> Iterator[Result]:
        return (self[place] for place in range(len(self)))

    def _state(self, name: str, place: int) -> Any:
        scope = self.program.state(name).type.scope
        own = on_host(self.arrays[name][span(scope, self.batch, place)]).astype(np.int64)
        return int(own[0]) if scope is Scope.SCALAR else own


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

    An input is what `hyloop.run` takes, for all hypergraphs, or a list or array with one such for each. Where the
    program takes an array, it may also be the entries of all hypergraphs one after the other. Vertices and hyperedges
    are named by their labels: numbers from 1, unless the batch was packed of hypergraphs with others; in an array of
    those numbers, 0 is a pointer to none. A name or program is compiled for the rows and weights of this batch, so that
    numbers are narrow; a model is run as it is.
    """
    program = program_of(algorithm)
    if backend not in backends.BACKENDS:
        raise HyloopError(f"A batch runs by {', '.join(backends.BACKENDS)}; not by {backend}. {ONE_BY_ONE}")
    if any(output.form == "stream" for output in program.outputs):
        raise HyloopError(
            f"{program.name} has a stream, which is read after every iteration, and a batch has no room for it. "
            f"{ONE_BY_ONE}"
        )
    _require_room(program, batch)
    own = algorithm if isinstance(algorithm, Model) else None

    def fit(alone: Given) -> None:
        encode(own or fitting_model(program, alone), frame_of(alone))

    given = read_inputs(program, batch, inputs, fit)
    try:
        return _run(own or fitted(program, given.batch, given.arrays), given, backend, machine, progress)
    except CapacityError:
        _require_each(given, fit)
        raise


def _require_room(program: Program, batch: HypergraphBatch) -> None:
    """Raise if the largest of the hypergraphs, or the arrays of all results, take more memory than is free."""
    if not len(batch):
        return
    starts = batch.member_at[batch.hyperedge_at]
    members = (starts[1:] - starts[:-1]).astype(batch.xp.int64)
    largest = int((members + batch.vertices + batch.hyperedges).argmax())
    with told_of(largest):
        require_room(*(int(counts[largest]) for counts in (batch.vertices, batch.hyperedges, members)))
    scopes = [program.state(name).type.scope for name in output_states(program)]
    needed = ENTRY * sum(entries_in(scope, batch) for scope in scopes)
    require_memory(needed, f"What {program.name} finds on {counted(len(batch))} hypergraphs")


def _run(
    model: Model,
    given: BatchInputs,
    backend: str,
    machine: Machine | None,
    progress: Callable[[int], None] | None,
) -> BatchResult:
    count = len(given.batch)
    if backend == "cuda":
        found = _at_once(model, given, machine or Gpu(), "cuda")
        if progress is not None:
            progress(count)
        return found
    if backend == "cpu" and (found_at_once := _on_cpu(model, given, progress)) is not None:
        return found_at_once
    given = _on_this_machine(given)
    names, batch = output_states(given.program), given.batch
    arrays = {name: np.zeros(entries_in(given.program.state(name).type.scope, batch), np.int64) for name in names}
    found = BatchResult(given, model, backend, np.zeros(count, np.int64), np.zeros(count, np.bool_), arrays)
    for place in range(count):
        _one(found, place)
        if progress is not None:
            progress(place + 1)
    return found


def _on_this_machine(given: BatchInputs) -> BatchInputs:
    arrays = {name: on_host(array) for name, array in given.arrays.items()}
    return BatchInputs(given.program, given.batch.to(np), arrays)


# -- the model --------------------------------------------------------------------------------------------------------


def fitted(program: Program, batch: HypergraphBatch, given: Mapping[str, Array]) -> Model:
    """The model for the rows and weights of a batch: rows as many as a shape takes, weights to a power of two.

    Where that is too much, a model that just holds them, or the one at the default capacity.
    """
    rows = max(1, _most(batch.vertices), _most(batch.hyperedges))
    numbers = [given[each.name] for each in program.inputs if each.type.kind is Kind.COUNT and each.at_most is None]
    needed = max([rows, *map(_most, numbers)])  # a count without a bound may be as large as there are rows
    if needed > max(rows, MOST_ROWS):
        needed = max(rows, min(needed, compiled(program, None).capacity.rows))  # as many as one run has
    room = next((room for room, _, _ in SHAPES if needed <= room), needed)
    measured = [given[each.name] for each in program.inputs if each.type.kind in {Kind.LENGTH, Kind.COUNT}]
    heaviest = batch.heaviest if program.reads_weights else 1
    largest = max([FLOOR, heaviest, *map(_most, measured)])
    for capacity in (Capacity(room, 1 << (largest - 1).bit_length()), Capacity(needed, largest), None):
        with suppress(TooLargeError):
            model = compiled(program, capacity)
            if rows <= model.capacity.rows and heaviest <= model.capacity.weight:
                return model
    raise CapacityError(
        f"{program.name}: no model holds all of these hypergraphs, with up to {plural(rows, 'row')} and integers up to "
        f"{counted(largest)}. Make batches of such as are alike (`batch.part`). {ONE_BY_ONE}"
    )


def _most(array: Array) -> int:
    return int(array.max()) if len(array) else 0


def _require_each(given: BatchInputs, fit: Callable[[Given], object]) -> None:
    """Raise what one run raises of the hypergraphs with the most rows and the largest numbers, where it does."""
    batch = given.batch
    scopes = [(each.type.scope, given.arrays[each.name]) for each in given.program.inputs]
    rows = batch.xp.maximum(batch.vertices, batch.hyperedges)
    for scope, array in ((Scope.SCALAR, rows), (Scope.HYPEREDGES, batch.weight), *scopes):
        if len(array):
            place = place_of(int(array.argmax()), scope, batch)
            with told_of(place):
                fit(given.given(place, members=False))
    for place in batch.long:
        with told_of(place):
            fit(given.given(place, members=False))


def output_states(program: Program) -> list[str]:
    """The states that the outputs are made of."""
    return list(dict.fromkeys(each for output in program.outputs for each in states_of(output)))


# -- running it -------------------------------------------------------------------------------------------------------


def limits(program: Program, batch: HypergraphBatch) -> IntArray:
    """The iterations that the program declares for each hypergraph; the same for hypergraphs of one size."""
    xp = batch.xp
    pairs, of = xp.unique(batch.vertices.astype(xp.int64) << 32 | batch.hyperedges, return_inverse=True)
    most = [min(program.most_iterations(pair >> 32, pair & (2**32 - 1)), 2**62) for pair in pairs.tolist()]
    found: IntArray = np.array(most, np.int64)[on_host(of).reshape(-1)]
    return found


def _on_cpu(model: Model, given: BatchInputs, progress: Callable[[int], None] | None) -> BatchResult | None:
    """A large batch by the code that a GPU would run, compiled for this CPU; None where that cannot be had."""
    batch = given.batch
    if len(batch) < MANY or batch.xp is not np or compiler() is None:
        return None
    parts: list[BatchResult] = []
    for first in range(0, len(batch), PORTION):  # between two of them, Ctrl-C is seen
        part = batch.part(first, first + PORTION)
        own = inputs_of_part(given.program, given.arrays, batch, first, first + len(part))
        try:
            parts.append(_at_once(model, BatchInputs(given.program, part, own), Cpu(), "cpu"))
        except ModelError:  # this model has no such code, or this compiler makes none of it
            return None
        if progress is not None:
            progress(first + len(part))
    iterations, halted = (np.concatenate([getattr(each, name) for each in parts]) for name in ("iterations", "halted"))
    names = output_states(given.program)
    arrays = {name: np.concatenate([each.arrays[name] for each in parts]).astype(np.int64) for name in names}
    return BatchResult(given, model, "cpu", iterations.astype(np.int64), halted, arrays)


def inputs_of_part(
    program: Program, inputs: Mapping[str, Array], batch: HypergraphBatch, first: int, last: int
) -> dict[str, Array]:
    """The inputs of the hypergraphs from `first` up to `last`."""
    return {each.name: inputs[each.name][span(each.type.scope, batch, first, last)] for each in program.inputs}


def _at_once(model: Model, given: BatchInputs, machine: Machine, backend: str) -> BatchResult:
    names = output_states(given.program)
    launch = Launch(model, machine, readings(model, names))
    batch = given.batch.to(machine.xp)
    ran = launch.run(batch, given.arrays, limits(given.program, batch))
    arrays = dict(zip(names, ran.read, strict=True))
    given = BatchInputs(given.program, batch, given.arrays)
    found = BatchResult(given, model, backend, ran.iterations, ran.status == HALTED, arrays)
    left = machine.xp.flatnonzero((ran.status == INEXACT) | (ran.status == BEYOND)).tolist()
    if left and backend == "cuda":
        warnings.warn(
            f"{len(left):,} of {len(batch):,} hypergraphs run on the CPU: they have more than {MOST_ROWS:,} rows, or "
            "an average that is no integer.",
            HyloopWarning,
            stacklevel=4,
        )
    return _completed(found, left) if left else found


def _completed(found: BatchResult, left: Sequence[int]) -> BatchResult:
    """The same with those that the CPU runs one by one."""
    asarray = found.batch.xp.asarray
    arrays = {name: on_host(array).astype(np.int64) for name, array in found.arrays.items()}
    ends = on_host(found.iterations), on_host(found.halted)
    host = BatchResult(_on_this_machine(found.given), found.model, "cpu", *ends, arrays)
    for place in left:
        _one(host, place)
    moved = {name: asarray(array) for name, array in arrays.items()}
    return replace(found, iterations=asarray(ends[0]), halted=asarray(ends[1]), arrays=moved)


def _one(found: BatchResult, place: int) -> None:
    """Run one hypergraph of a batch by itself, as `hyloop.run` does, and write what is read into the arrays."""
    given = found.given.given(place)
    reader = Reader(found.model, given, found.program)
    try:
        simulated(reader, encoded(found.model, given), found.backend)
    except (IterationLimitError, NotStoppedError):
        found.iterations[place] = min(reader.most_iterations, 2**62)
    found.halted[place] = reader.halted
    if reader.states is not None:
        found.iterations[place] = reader.iterations
        for name, array in found.arrays.items():
            array[span(found.program.state(name).type.scope, found.batch, place)] = reader.states[name]


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


def random_inputs(program: Program, batch: HypergraphBatch, seed: int = 0) -> dict[str, Array]:
    """Random inputs for a batch: any vertex or hyperedge, flags, and small numbers. There must be one to point to."""
    draw, xp = Draw(seed, batch.xp), batch.xp
    found = {}
    for place, each in enumerate(program.inputs):
        count, kind = entries_in(each.type.scope, batch), each.type.kind
        bound: Any = 2 if kind is Kind.FLAG else (9 if each.at_most is None else min(each.at_most, 9)) + 1
        least = int(kind.is_pointer and each.type.scope is Scope.SCALAR)
        if kind.is_pointer:
            bound = candidates(each, batch) + 1 - least
        drawn = draw.below(1000 + place, bound, xp.arange(count)) + least
        found[each.name] = drawn.astype(bool) if kind is Kind.FLAG else drawn
    return found
