"""Random hypergraphs by the batch: on a GPU, each held against the cpu backend, and a sample against the interpreter.

Nothing is drawn, encoded or decoded one by one, so the GPU is never what a check waits for.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hyloop.batch import in_parallel, portable, require_processes, unpacked
from hyloop.batch_runs import fitted, inputs_of_part, limits, random_inputs
from hyloop.errors import HyloopError
from hyloop.execute import backends
from hyloop.execute.batch_inputs import part_of
from hyloop.execute.cplusplus import compiler
from hyloop.execute.cpu.native.batch import Left, comparable, differing
from hyloop.execute.cuda.launch import SHAPES, Launch
from hyloop.execute.cuda.machines import Gpu, Machine
from hyloop.execute.cuda.source import BEYOND, HALTED, INEXACT
from hyloop.execute.decode import States
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.integers import expected
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.hypergraph.values import require_progress
from hyloop.hypergraph_batch import HypergraphBatch, on_host
from hyloop.interpreter import IterationEnd, interpret
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.machine.model import Model
from hyloop.numbers import plural
from hyloop.survey import Finding

Array = Any
Shapes = Sequence[tuple[int, int, int]]
ROWS = 60  # vertices, and hyperedges, of the largest
SAMPLE = 1000  # hypergraphs that are also interpreted
ENTRIES = 100_000_000  # numbers of the states of one batch, about
LARGEST, TASK = 40_000, 200  # hypergraphs of a batch, at most; and of what one process compares at a time, one by one


@dataclass(frozen=True)
class Sweep:
    """What a sweep found: how many hypergraphs, iterations and numbers were compared, and what differs.

    `interpreted` were also compared with the interpreter. `left` were not compared: an average in them is no integer,
    or they have too many rows, so that the cpu backend runs them anyway. `seconds` is what the GPU took, with
    launches.
    """

    algorithm: str
    bits: int
    inputs: int
    iterations: int
    compared: int
    interpreted: int
    left: int
    guessed_wrong: int
    seconds: float
    findings: tuple[Finding, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not self.findings

    @property
    def verdict(self) -> str:
        """In a sentence."""
        differ = plural(len(self.findings), "difference")
        work = f"{plural(self.iterations, 'iteration')}, {plural(self.compared, 'number')} compared"
        return f"{self.algorithm}: {differ} from cpu on {plural(self.inputs, 'hypergraph')}, {work}."

    @property
    def tested(self) -> str:
        """In a few sentences: how."""
        left = f" {self.left:,} were left to the cpu." if self.left else ""
        return (
            f"Last states and iterations of {self.bits}-bit code; {self.interpreted:,} runs were also interpreted. The "
            f"GPU took {self.seconds:.3g} s: {self.iterations / max(self.seconds, 1e-9):,.0f} iterations a second."
            f"{left}"
        )

    def document(self) -> dict[str, Any]:
        """As JSON."""
        found = {**vars(self), "agrees": self.agrees, "findings": [each.document() for each in self.findings]}
        return {**found, "difference": str(self.findings[0]) if self.findings else None}


def sweep(
    algorithm: str | Algorithm | Program | Model,
    count: int,
    *,
    seed: int = 0,
    rows: int = ROWS,
    sample: int = SAMPLE,
    machine: Machine | None = None,
    shapes: Shapes = SHAPES,
    processes: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Sweep:
    """Run `count` random hypergraphs of up to `rows` rows on the GPU, and compare each last state with the cpu's.

    A name or program is compiled for these hypergraphs; a model is run as it is. `sample` of the runs are also
    compared with the interpreter.
    """
    require_processes(processes)
    require_progress(progress, "inputs")
    machine = machine or Gpu()
    program = program_of(algorithm)
    if count < 1:
        raise HyloopError(f"A sweep has at least one hypergraph; not {count}.")
    found: list[Sweep] = []
    done = 0
    for number, size in enumerate(_sizes(algorithm, count, rows)):
        batch = _drawn(algorithm, program, size, (seed * 2**32 + number) % 2**64, rows, machine.xp)
        interpreted = max(0, min(size, sample - sum(each.interpreted for each in found)))
        part = _batch(algorithm, batch, (machine, shapes), interpreted, processes, (done, seed))
        found.append(part)
        done += part.inputs
        if progress is not None:
            progress(done)
    return _joined(found)


def _sizes(algorithm: Any, count: int, rows: int) -> Iterator[int]:
    """How many hypergraphs each batch has: the states of one fit into memory."""
    least, columns = (algorithm.layout.least, len(algorithm.layout)) if isinstance(algorithm, Model) else (0, 64)
    size = max(TASK, min(LARGEST, ENTRIES // (columns * (1 + max(least, rows)))))
    for first in range(0, count, size):
        yield min(size, count - first)


def _drawn(algorithm: Any, program: Program, size: int, seed: int, rows: int, xp: Any) -> HypergraphBatch:
    """Random hypergraphs, empty hyperedges among them, none at all where the inputs name none."""
    weight = 10
    if isinstance(algorithm, Model):
        rows, weight = min(rows, algorithm.capacity.rows), min(weight, algorithm.capacity.weight)
    named = any(each.type.kind is Kind.HYPEREDGE and each.type.scope is Scope.SCALAR for each in program.inputs)
    return HypergraphBatch.random(
        size,
        seed=seed,
        vertices=(1, rows),
        hyperedges=(int(named), rows),
        sizes=(0, 6),
        weights=(1, weight),
        directed=uses_direction(program),
        xp=xp,
    )


def _batch(
    algorithm: Any,
    batch: HypergraphBatch,
    on: tuple[Machine, Shapes],
    interpreted: int,
    processes: int | None,
    about: tuple[int, int],
) -> Sweep:
    """Run a batch, and compare it. `about` is how many came before, and the seed."""
    program = program_of(algorithm)
    inputs = random_inputs(program, batch, about[1])
    model = algorithm if isinstance(algorithm, Model) else fitted(program, batch, inputs)
    launch = Launch(model, on[0], whole=True, shapes=on[1])
    most = limits(program, batch)
    began = time.perf_counter()
    ran = launch.run(batch, inputs, most)
    state = on[0].fetched(ran.state)
    kept = Kept(on_host(ran.iterations), on_host(ran.status), state, on_host(ran.state_at), most)
    seconds = time.perf_counter() - began
    host, given = batch.to(np), {name: on_host(array) for name, array in inputs.items()}
    looked = _looked_at(model, host, given, kept, processes)
    looked[:interpreted] = True
    ends = [(first, min(first + TASK, len(host))) for first in range(0, len(host), TASK)]
    some = [end for end in ends if looked[slice(*end)].any()]
    packed = portable(model)
    tasks = (
        (
            packed,
            host.part(*end),
            inputs_of_part(program, given, host, *end),
            kept.part(*end),
            (looked[slice(*end)], interpreted - end[0]),
        )
        for end in some
    )
    found = [
        replace(part, findings=tuple(_numbered(each, about[0] + first, about[1]) for each in part.findings))
        for (first, _), part in zip(some, in_parallel(compared, tasks, processes if len(some) > 1 else 1), strict=True)
    ]
    left = int(np.isin(kept.status, (INEXACT, BEYOND)).sum())
    return Sweep(
        model.name,
        launch.bits,
        len(host),
        int(kept.iterations.sum()),
        int(kept.state_at[-1]),
        sum(part.interpreted for part in found),
        left,
        launch.misguessed,
        seconds,
        findings=tuple(each for part in found for each in part.findings),
    )


def _looked_at(
    model: Model, batch: HypergraphBatch, inputs: Mapping[str, Array], kept: Kept, threads: int | None
) -> Array:
    """Which runs are looked at one by one: those that the native engine, by the batch, does not find to be its own."""
    looked = np.ones(len(batch), np.bool_)
    if compiler() is None or not comparable(model):
        return looked
    program, several = model.parsed, threads or os.cpu_count() or 1
    size = max(TASK, -(-len(batch) // several))
    ends = [(first, min(first + size, len(batch))) for first in range(0, len(batch), size)]

    def one(end: tuple[int, int]) -> Array:
        part = kept.part(*end)
        left = Left(part.iterations, part.status == HALTED, part.state, part.state_at, part.most)
        return differing(model, batch.part(*end), inputs_of_part(program, inputs, batch, *end), left)

    one((0, min(1, len(batch))))  # compiles it, once
    with ThreadPoolExecutor(several) as pool:  # one call of native code each: no other thread waits for it
        for (first, last), places in zip(ends, pool.map(one, ends), strict=True):
            looked[first:last] = False
            looked[first + places] = True
    return looked & ~np.isin(kept.status, (INEXACT, BEYOND))


def _numbered(found: Finding, first: int, seed: int) -> Finding:
    number = first + int(found.number or 0)
    return replace(found, name=f"random hypergraph {number} (seed {seed})", number=number)


def _joined(parts: list[Sweep]) -> Sweep:
    findings = sorted((each for part in parts for each in part.findings), key=_size)
    summed = ("inputs", "iterations", "compared", "interpreted", "left", "guessed_wrong", "seconds")
    totals = {name: sum(getattr(part, name) for part in parts) for name in summed}
    return Sweep(parts[0].algorithm, max(part.bits for part in parts), **totals, findings=tuple(findings))


def _size(found: Finding) -> int:
    return len(found.hypergraph.vertices) + len(found.hypergraph.hyperedges)


# -- comparing ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Kept:
    """What a GPU left of a batch: iterations, how each run ended, the last states one after the other; and limits."""

    iterations: Array
    status: Array
    state: Array
    state_at: Array
    most: Array

    def part(self, first: int, last: int) -> Kept:
        """That of the hypergraphs from `first` up to `last`."""
        begin, end = int(self.state_at[first]), int(self.state_at[last])
        own = self.iterations[first:last], self.status[first:last], self.state[begin:end]
        return Kept(*own, self.state_at[first : last + 1] - begin, self.most[first:last])

    def last_state(self, place: int, columns: int) -> Array:
        """The last state of one, as `K × d`."""
        flat: Array = self.state[self.state_at[place] : self.state_at[place + 1]]
        return flat.reshape(columns, -1).T


@dataclass(frozen=True)
class Compared:
    """What came of comparing one by one."""

    interpreted: int
    findings: tuple[Finding, ...]


def compared(
    packed: bytes,
    batch: HypergraphBatch,
    inputs: Mapping[str, Array],
    kept: Kept,
    which: tuple[Array, int],
) -> Compared:
    """Compare some runs with the cpu backend one by one, the first of the batch also with the interpreter."""
    model = unpacked(packed)
    assert isinstance(model, Model)
    program, (looked, first) = model.parsed, which
    findings, interpreted = [], 0
    for place in np.flatnonzero(looked & ~np.isin(kept.status, (INEXACT, BEYOND))).tolist():
        h, given = batch[place], _inputs_of(program, inputs, batch, place)
        told = _from_cpu(model, batch, h, given, kept, place)
        if not told and place < first:
            told = _from_interpreter(model, program, batch, h, given, kept, place)
            interpreted += 1
        if told:
            findings.append(Finding("differs", "", told, h, given, place))
    return Compared(interpreted, tuple(findings))


def _inputs_of(program: Program, inputs: Mapping[str, Array], batch: HypergraphBatch, place: int) -> dict[str, Any]:
    return {each.name: part_of(inputs[each.name], each.type.scope, batch, place) for each in program.inputs}


def _weights(batch: HypergraphBatch, place: int) -> tuple[int, ...]:
    return tuple(batch.weight[int(batch.hyperedge_at[place]) : int(batch.hyperedge_at[place + 1])].tolist())


def _from_cpu(
    model: Model, batch: HypergraphBatch, h: Hypergraph, given: Mapping[str, Any], kept: Kept, place: int
) -> str:
    """What differs from the cpu backend; empty if nothing does."""
    X = encode(model, Frame(len(h.vertices), len(h.hyperedges), _weights(batch, place), given))
    session = backends.start("cpu", model, X, pad(model, h, len(X)))
    session.advance(int(kept.most[place]))
    theirs, ours = session.state(), kept.last_state(place, len(model.layout))
    iterations, halted = int(session.iterations()[0]), bool(session.halted()[0])
    session.close()
    if iterations != kept.iterations[place] or halted != (kept.status[place] == HALTED):
        return f"{kept.iterations[place]} iterations on the GPU, {iterations} on the CPU."
    if np.array_equal(theirs, ours):
        return ""
    row, column = map(int, np.argwhere(theirs != ours)[0])
    name = model.layout.columns[column].name
    return f"{name} of row {row} is {ours[row, column]} on the GPU, and {theirs[row, column]:.0f} on the CPU."


def _from_interpreter(
    model: Model,
    program: Program,
    batch: HypergraphBatch,
    h: Hypergraph,
    given: Mapping[str, Any],
    kept: Kept,
    place: int,
) -> str:
    """What differs from the interpreter at the end of the run."""
    last: deque[IterationEnd] = deque(maxlen=1)
    try:
        last.extend(interpret(program, h, given, _weights(batch, place)))
    except HyloopError as wrong:
        return "" if kept.status[place] != HALTED else f"the GPU halts, the interpreter does not: {wrong}"
    step = last[0]
    if step.iteration != kept.iterations[place]:
        return f"{kept.iterations[place]} iterations on the GPU, {step.iteration} by the interpreter."
    X = kept.last_state(place, len(model.layout)).astype(model.dtype)
    states = States(model, program, X, (len(h.vertices), len(h.hyperedges)))
    for state in program.states:
        right = expected(state.type, step.states[state.name], (step.infinity, model.infinity))
        try:
            ours = states[state.name]
        except HyloopError as wrong:
            return str(wrong)
        if not np.array_equal(np.atleast_1d(right), np.atleast_1d(ours)):
            return f"{state.name} is {ours} on the GPU, and {right} by the interpreter."
    return ""
