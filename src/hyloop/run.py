"""`hyloop.run`: an algorithm on a hypergraph, from labels to labels."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hyloop.checkpoint import EVERY, Checkpoint, Keeper, input_hash, read_checkpoint, require_no_run
from hyloop.errors import HyloopError
from hyloop.execute.backends import BACKENDS as EXECUTORS
from hyloop.execute.encode import Frame
from hyloop.execute.prepare import Given, prepare, program_of
from hyloop.execute.simulate import Simulation
from hyloop.fitting import fitting_model
from hyloop.hypergraph import Hypergraph, Label
from hyloop.interop import as_hypergraph
from hyloop.interpreter import Step, interpret
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import SCOPE_OF, Kind, Scope
from hyloop.lang.program import Output
from hyloop.machine.files import model_hash
from hyloop.machine.model import Model
from hyloop.numbers import Exact
from hyloop.result import Entry, Result, Stream, Value
from hyloop.resume import misfit

# What runs an algorithm: the transformer, on one of its executors, or the interpreter.
BACKENDS = (*EXECUTORS, "interpreter")
DEFAULT_BACKEND = "cpu"


def run(
    algorithm: str | Algorithm | Program | Model,
    hypergraph: object,
    *,
    backend: str | None = None,
    ignore_direction: bool = False,
    progress: Callable[[int], None] | None = None,
    checkpoint: str | Path | None = None,
    every: float = EVERY,
    resume: str | Path | None = None,
    **inputs: Any,
) -> Result:
    """Run an algorithm, by its name or your own, on a hypergraph. Inputs are labels and numbers, by name.

    The hypergraph is ours, or an object of another library (XGI, HyperNetX, NetworkX, ...; see `hyloop.interop`). The
    algorithm is compiled and run as a looped transformer; `backend="interpreter"` runs the program itself instead.
    `checkpoint` is a file that is written every so many seconds, and on Ctrl-C; `resume` is one to go on from.

    >>> import hyloop
    >>> h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    >>> hyloop.run("bfs", h, source="a")["level"]
    {'a': 0, 'b': 1, 'c': 2}
    """
    program = program_of(algorithm)
    backend = DEFAULT_BACKEND if backend is None else backend
    if backend not in BACKENDS:
        raise HyloopError(f"There is no backend {backend!r}; there are {', '.join(BACKENDS)}.")
    h = as_hypergraph(hypergraph)
    if ignore_direction:
        h = h.ignoring_direction()
    h.require_undirected()
    given = prepare(program, h, inputs)
    if backend == "interpreter":
        if checkpoint is not None or resume is not None:
            raise HyloopError("The interpreter keeps no checkpoints; the transformer does.")
        return _interpreted(program, given, progress)
    model = algorithm if isinstance(algorithm, Model) else fitting_model(program, given)
    keeper, begin = _keeper(model, given, checkpoint, every, resume)
    return _simulated(model, program, given, backend, keeper, begin, progress)


def _interpreted(program: Program, given: Given, progress: Callable[[int], None] | None) -> Result:
    collected = nothing_yet(program)
    step: Step | None = None
    for step in interpret(program, given.hypergraph, given.inputs, given.weights):
        collect(program, given.hypergraph, step, collected)
        if progress is not None:
            progress(step.iteration)
    assert step is not None
    return result_of(program, given, "interpreter", step, collected)


def _simulated(
    model: Model,
    program: Program,
    given: Given,
    backend: str,
    keeper: Keeper | None,
    begin: Checkpoint | None,
    progress: Callable[[int], None] | None,
) -> Result:
    collected = nothing_yet(program)
    if begin is not None:
        collected |= {name: list(entries) for name, entries in begin.streams.items()}
    simulation = Simulation(
        model,
        program,
        given.hypergraph,
        given.inputs,
        weights=given.weights,
        backend=backend,
        every=bool(collected),
        begin=None if begin is None else (begin.X, begin.iterations),
    )
    step: Step | None = None
    with _interrupts(wanted=keeper is not None) as interrupted:
        for step in simulation:
            if step.iteration > simulation.began:  # the checkpoint of a run that had ended has its last one already
                collect(program, given.hypergraph, step, collected)
            if progress is not None:
                progress(step.iteration)
            if keeper is not None and (step.halted or interrupted() or keeper.due):
                kept = keeper.keep(simulation.session.state(), step.iteration, collected)
                if interrupted() and not step.halted:
                    until = (
                        f"{keeper.path} has the run until iteration {step.iteration:,}" if kept else "nothing is kept"
                    )
                    raise KeyboardInterrupt(f"interrupted; {until}.")
    assert step is not None
    found = result_of(program, given, backend, step, collected)
    return replace(found, memory=simulation.memory, verified=model.verified)


def nothing_yet(program: Program) -> dict[str, list[Entry]]:
    """An empty list for each stream."""
    return {output.name: [] for output in program.outputs if output.form == "stream"}


def _keeper(
    model: Model, given: Given, checkpoint: str | Path | None, every: float, resume: str | Path | None
) -> tuple[Keeper | None, Checkpoint | None]:
    """Who writes checkpoints, and the one to go on from; a run that is gone on with is kept in the same file."""
    if checkpoint is None and resume is None:
        return None, None
    model_is = model_hash(model)
    input_is = input_hash(given.hypergraph, given.weights, given.inputs)
    begin = None if resume is None else read_checkpoint(resume)
    if begin is not None and begin.model != model_is:
        raise HyloopError(f"{resume}: this is a checkpoint of another model.")
    if begin is not None and begin.input != input_is:
        raise HyloopError(f"{resume}: this is a checkpoint of another input: hypergraph, weights or inputs differ.")
    if begin is not None:
        h = given.hypergraph
        frame = Frame(len(h.vertices), len(h.hyperedges), given.weights, given.inputs)
        if wrong := misfit(begin, model, program_of(model), h, frame):
            raise HyloopError(f"{resume}: this is no checkpoint of such a run: {wrong}.")
    path = checkpoint if checkpoint is not None else resume
    assert path is not None
    if resume is None or Path(path) != Path(resume):
        require_no_run(path)
    return Keeper(path, model_is, input_is, every), begin


@contextmanager
def _interrupts(*, wanted: bool) -> Iterator[Callable[[], bool]]:
    """Ctrl-C is noted, so that the run can stop between two iterations; a second one ends it at once."""
    seen: list[int] = []
    if not wanted or threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return

    def note(number: int, _: object) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(seen)
    finally:
        signal.signal(signal.SIGINT, before)


# -- from integers to labels ----------------------------------------------------------------------------------------


def collect(program: Program, h: Hypergraph, step: Step, collected: dict[str, list[Entry]]) -> None:
    """Add what an iteration streams."""
    for output in program.outputs:
        if output.form != "stream" or not step.states[str(output.of)]:
            continue
        kind, scope = program.state(str(output.of)).type.kind, program.state(output.state).type.scope
        about = _pointed(h, kind, int(step.states[str(output.of)]))
        array, labels = step.states[output.state], _labels(h, scope)
        assert about is not None
        values = {labels[row]: int(array[row]) for row in array.nonzero()[0]}
        collected[output.name].append(Entry(about, values))


def result_of(program: Program, given: Given, backend: str, step: Step, collected: Mapping[str, list[Entry]]) -> Result:
    """The last states and what was streamed, with labels."""
    vertices: dict[str, tuple[Value, ...]] = {}
    hyperedges: dict[str, tuple[Value, ...]] = {}
    scalars: dict[str, Value] = {}
    streams: dict[str, Stream] = {}
    for output in program.outputs:
        scope = program.state(output.state).type.scope
        if output.form == "stream":
            kind = program.state(str(output.of)).type.kind
            streams[output.name] = Stream(str(kind), tuple(collected[output.name]))
        elif output.form == "total" or scope is Scope.SCALAR:
            _put(scalars, output, _scalar(program, given, step, output))
        else:
            side = vertices if scope is Scope.VERTICES else hyperedges
            side[output.name] = _array(program, given, step, output)
    collapsed = {name: _all_or_none(value) for name, value in scalars.items()}
    shared = (program.name, backend, step.iteration, step.halted, given.hypergraph)
    return Result(*shared, vertices, hyperedges, collapsed, streams)


def _put(scalars: dict[str, Value], output: Output, value: Value) -> None:
    """Outputs with a place form a list."""
    if output.place is None:
        scalars[output.name] = value
    else:
        before = scalars.get(output.name, ())
        scalars[output.name] = (*(before if isinstance(before, tuple) else ()), value)


def _all_or_none(value: Value) -> Value:
    """A list of which nothing is known is none itself."""
    return None if isinstance(value, tuple) and all(each is None for each in value) else value


def _scalar(program: Program, given: Given, step: Step, output: Output) -> Value:
    state = program.state(output.state)
    if output.form == "total":
        return int(sum(step.states[output.state].tolist()))
    if not _shown(step, output):
        return None
    [value] = _values(given, step.infinity, state.type.kind, [int(step.states[output.state])])
    return value


def _array(program: Program, given: Given, step: Step, output: Output) -> tuple[Value, ...]:
    kind = program.state(output.state).type.kind
    found = _values(given, step.infinity, kind, step.states[output.state].tolist())
    for flag, wanted in ((output.known, True), (output.unless, False)):
        if flag is not None:
            shown = step.states[flag].tolist()
            return tuple(value if bool(set_) is wanted else None for value, set_ in zip(found, shown, strict=True))
    return tuple(found)


def _shown(step: Step, output: Output) -> bool:
    for flag, wanted in ((output.known, True), (output.unless, False)):
        if flag is not None:
            return bool(step.states[flag]) is wanted
    return True


def _values(given: Given, infinity: int, kind: Kind, values: list[int]) -> Sequence[Value]:
    """Integers as what they stand for. A length is made once, however often it occurs."""
    if kind is Kind.FLAG:
        return [bool(value) for value in values]
    if kind is Kind.LENGTH:
        lengths: dict[int, Value] = {value: Exact(value * given.unit) for value in set(values)}
        lengths[infinity] = None
        return [lengths[value] for value in values]
    if not kind.is_pointer:
        return [int(value) for value in values]
    labels = (None, *_labels(given.hypergraph, SCOPE_OF[kind]))
    return [labels[value] for value in values]


def _pointed(h: Hypergraph, kind: Kind, number: int) -> Label | None:
    return _labels(h, SCOPE_OF[kind])[number - 1] if number else None


def _labels(h: Hypergraph, scope: Scope) -> tuple[Label, ...]:
    return h.vertices if scope is Scope.VERTICES else h.hyperedges
