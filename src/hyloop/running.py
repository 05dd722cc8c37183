"""`hyloop.run`: an algorithm on a hypergraph, from labels to labels."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from hyloop.checkpoint import (
    EVERY,
    Checkpoint,
    CheckpointWriter,
    input_hash,
    read_checkpoint,
    require_no_run,
    require_seconds,
)
from hyloop.errors import HyloopError
from hyloop.execute.backends import BACKENDS as EXECUTORS
from hyloop.execute.decode import Collector, Reader, result_of
from hyloop.execute.loop import iterate, require_halted
from hyloop.execute.prepare import Encoded, Given, encoded, frame_of, given_to, program_of
from hyloop.execute.session import Mirror
from hyloop.fitting import fitting_model
from hyloop.hypergraph import shown
from hyloop.hypergraph.values import require_progress
from hyloop.interpreter import IterationEnd, interpret
from hyloop.lang import Algorithm, Program
from hyloop.machine.files import model_hash
from hyloop.machine.model import Model
from hyloop.result import Result
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
    `checkpoint` is a file that is written every `every` seconds, on Ctrl-C, and when `progress` raises; `resume` is
    one to resume from.

    >>> import hyloop
    >>> h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    >>> hyloop.run("bfs", h, source="a")["level"]
    {'a': 0, 'b': 1, 'c': 2}
    """
    program = program_of(algorithm)
    backend = DEFAULT_BACKEND if backend is None else backend
    if backend not in BACKENDS:
        raise HyloopError(f"There is no backend {shown(backend)}; there are {', '.join(BACKENDS)}.")
    require_seconds(every)
    require_progress(progress, "iterations")
    for name, file in (("checkpoint", checkpoint), ("resume", resume)):
        if file is not None and not isinstance(file, str | Path):
            raise HyloopError(f"{name} is the name of a file; not {shown(file)}.")
    given = given_to(program, hypergraph, inputs, ignore_direction=ignore_direction)
    if backend == "interpreter":
        if checkpoint is not None or resume is not None:
            raise HyloopError("The interpreter keeps no checkpoints; the transformer does.")
        return _interpreted(program, given, progress)
    model = algorithm if isinstance(algorithm, Model) else fitting_model(program, given)
    keeper, resumed = _keeper(model, given, checkpoint, every, resume)
    begin = encoded(model, given)
    return simulated(Reader(model, given, program, resumed), begin, backend, keeper, resumed, progress)


def _interpreted(program: Program, given: Given, progress: Callable[[int], None] | None) -> Result:
    collector = Collector(program, given.hypergraph)
    step: IterationEnd | None = None
    for step in interpret(program, given.hypergraph, given.inputs, given.weights):
        collector.collect(step)
        if progress is not None:
            progress(step.iteration)
    assert step is not None
    return result_of(program, given, "interpreter", step, collector.entries)


def simulated(
    reader: Reader,
    begin: Encoded,
    backend: str,
    keeper: CheckpointWriter | None = None,
    resumed: Checkpoint | None = None,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Run a model to the end: from what was encoded, or from a checkpoint."""
    model, most, began = reader.model, reader.most_iterations, reader.iterations
    session = begin.start(backend, resumed=None if resumed is None else resumed.X)
    with closing(session), _interrupts(wanted=keeper is not None) as interrupted:
        memory, gathering = session.memory(), reader.gathering(session)
        mirror = Mirror(session) if gathering is None else gathering.mirror
        name, stride = reader.program.name, 1 if reader.streams and gathering is None else None
        pauses = iterate(gathering or session, most - began, stride=stride, began=began, program=name, circles=True)
        for pause in pauses:
            if pause.iteration == began and not pause.halted:
                continue  # nothing has happened yet
            if gathering is not None:
                reader.take(gathering)
            collects = gathering is None
            reader.read(
                mirror.state, pause.iteration, halted=pause.halted, collects=collects, by_column=mirror.by_column
            )
            if progress is not None:
                with _kept_on_error(keeper, mirror, reader):
                    progress(pause.iteration)
            if keeper is not None and (pause.halted or interrupted() or keeper.due):
                _keep(keeper, mirror, reader, stop=interrupted() and not pause.halted)
        if not reader.halted:  # the certificate ends here: another iteration might leave the exact range
            require_halted(session, most, name)
    return reader.result(backend, model.verified, memory)


@contextmanager
def _kept_on_error(keeper: CheckpointWriter | None, mirror: Mirror, reader: Reader) -> Iterator[None]:
    """A callback that raises ends the run, as Ctrl-C does: the checkpoint has it until here."""
    try:
        yield
    except BaseException:
        if keeper is not None:
            keeper.keep(mirror.state(), reader.iterations, reader.streams)
        raise


def _keep(keeper: CheckpointWriter, mirror: Mirror, reader: Reader, *, stop: bool) -> None:
    """Write a checkpoint; end a run that was interrupted."""
    written = keeper.keep(mirror.state(), reader.iterations, reader.streams)
    if stop:
        until = f"{keeper.path} has the run until iteration {reader.iterations:,}" if written else "nothing is kept"
        raise KeyboardInterrupt(f"interrupted; {until}.")


def _keeper(
    model: Model, given: Given, checkpoint: str | Path | None, every: float, resume: str | Path | None
) -> tuple[CheckpointWriter | None, Checkpoint | None]:
    """The checkpoint writer, and the checkpoint to resume from; a resumed run writes to the same file."""
    if checkpoint is None and resume is None:
        return None, None
    model_is = model_hash(model)
    input_is = input_hash(given.hypergraph, given.weights, given.inputs)
    begin = None if resume is None else read_checkpoint(resume)
    if begin is not None and begin.model != model_is:
        raise HyloopError(f"{resume}: this is a checkpoint of another model.")
    if begin is not None and begin.input != input_is:
        raise HyloopError(f"{resume}: this is a checkpoint of another input: hypergraph, weights or inputs differ.")
    if begin is not None and (wrong := misfit(begin, model, program_of(model), given.hypergraph, frame_of(given))):
        raise HyloopError(f"{resume}: this is no checkpoint of such a run: {wrong}.")
    path = checkpoint if checkpoint is not None else resume
    assert path is not None
    if resume is None or Path(path) != Path(resume):
        require_no_run(path)
    return CheckpointWriter(path, model_is, input_is, every), begin


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
