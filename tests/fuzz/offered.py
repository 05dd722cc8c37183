"""What `import hyloop` offers beside `run`: matrices, batches, checkpoints, recordings, PyTorch. Results by label."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import hyloop
from fuzz import reference
from fuzz.companions import companions
from fuzz.runs import (
    DisagreementError,
    Run,
    Trial,
    integers,
    label_of,
    labelled,
    labels_of,
    require,
    same_bits,
    same_result,
)
from fuzz.syntax import UNSET
from fuzz.together import runs_on_a_gpu
from hyloop import batch_runs
from hyloop.batch import Failure
from hyloop.batch_runs import BatchResult, run_packed
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute import loop
from hyloop.execute.cpu.engines import ENGINE_VARIABLE
from hyloop.execute.cpu.native.library import unusable
from hyloop.execute.cuda.machines import Cpu, LockStep
from hyloop.fitting import fitting_model
from hyloop.hypergraph_batch import HypergraphBatch, on_host
from hyloop.lang import LanguageError, Program
from hyloop.machine.model import Model
from hyloop.watching import watch

COMPANIONS = 5
ROWS = 19  # of a matrix: more than run one by one


def algorithm_of(trial: Trial, purpose: str) -> Model | Program:
    """The model, or the program: that is compiled for the input, or for the batch."""
    return trial.model if trial.drawn(f"{purpose}, algorithm").random() < 0.6 else fitted(trial)


def fitted(trial: Trial) -> Model | Program:
    """The program, if it has a model for this input: with other rows than the case has, it may have no bounds."""
    try:
        fitting_model(trial.run.program, trial.run.given)
    except (LanguageError, CapacityError):
        return trial.model
    return trial.run.program


def known(trial: Trial, purpose: str, *, large: bool = False) -> list[Run]:
    """Runs of which the reference knows the outputs, in any order."""
    runs = companions(trial.run, trial.model, trial.affordable(COMPANIONS), purpose, large=large)
    found = [run for run in runs if run.is_known]
    trial.drawn(f"{purpose}, order").shuffle(found)
    return found


def any_engine(trial: Trial, purpose: str) -> Any:
    """One of the engines of cpu, for whatever runs inside."""
    name = trial.drawn(f"{purpose}, engine").choice(["", *trial.engines])
    return patch.dict(os.environ, {ENGINE_VARIABLE: "" if unusable() else name})


# -- many inputs of one hypergraph ------------------------------------------------------------------------------------


def matrix(trial: Trial) -> int:
    """Outputs for many values of one input, as a matrix; the rows are those that the interpreter has alone."""
    pointers = [each for each in trial.run.case.source.inputs if each[1] in reference.INTO and len(each) == 3]
    arrays = [each for each in trial.run.case.source.outputs if each[1] in {"state", "where", "unless", "quotient"}]
    scopes = {state[0]: state[2] for state in trial.run.case.source.states}
    names = [name for name, _, state, *_ in arrays if scopes[state] != "s"]
    if not pointers or not names:
        return 0
    rng, h = trial.drawn("matrix"), trial.run.given.hypergraph
    name, kind, _ = rng.choice(pointers)
    rows = trial.run.counts[0 if kind == "vertex" else 1]
    values = [label_of(kind, rng.randrange(rows)) for _ in range(ROWS)]
    prepared = hyloop.prepare(algorithm_of(trial, "matrix"), h)
    threads = rng.choice([1, 2])
    rest = {**labels_of(trial.run.case), name: values}
    for output in names:
        _same_matrix(
            trial, output, lambda output=output: prepared.matrix(output, processes=threads, **rest), rest, name
        )  # type: ignore[misc]
    return 1


def row_of(trial: Trial, output: str, labels: Mapping[str, Any]) -> list[Any]:
    """A row of a matrix: what the interpreter has for one input."""
    result = hyloop.run(trial.run.program, trial.run.given.hypergraph, backend="interpreter", **labels)
    values: list[Any] = result.array(output).tolist()
    return values


def _same_matrix(trial: Trial, output: str, found: Callable[[], Any], rest: Mapping[str, Any], name: str) -> None:
    try:
        expected = [row_of(trial, output, {**rest, name: label}) for label in rest[name]]
    except HyloopError:  # one that does not stop, or a quotient
        try:
            found()
        except HyloopError:
            return
        raise DisagreementError("not refused", f"{output}: what the interpreter refuses") from None
    require(found().tolist(), expected, "another matrix", output)


def prepared_run(trial: Trial) -> int:
    """A run on a hypergraph that was prepared without inputs."""
    if not trial.run.is_known:
        return 0
    prepared = hyloop.prepare(algorithm_of(trial, "prepared"), trial.run.given.hypergraph)
    for _ in range(2):
        with any_engine(trial, "prepared"):
            same_result("prepared", trial.run, lambda: prepared.run(**labels_of(trial.run.case)))
    return 1


# -- many hypergraphs -------------------------------------------------------------------------------------------------


def packed(trial: Trial) -> int:
    """A packed batch, one hypergraph after the other."""
    with any_engine(trial, "packed"):
        backend = trial.drawn("packed").choice(["cpu", "cpu", "dense"])
        return _same_batch(trial, "packed", partial(run_packed, backend=backend), large=backend == "cpu")


def packed_in_lock_step(trial: Trial) -> int:
    """A packed batch as the backend cuda runs it, in lock-step."""
    run = partial(run_packed, backend="cuda", machine=LockStep(0))
    return _same_batch(trial, "packed in lock-step", run, large=True) if runs_on_a_gpu(trial.model) else 0


def packed_on_a_gpu(trial: Trial) -> int:
    """A packed batch by the backend cuda."""
    run = partial(run_packed, backend="cuda")
    return _same_batch(trial, "packed on a GPU", run, large=True) if runs_on_a_gpu(trial.model) else 0


def packed_in_vectors(trial: Trial) -> int:
    """A packed batch as the backend cpu runs a large one: in portions, by compiled code."""
    if not runs_on_a_gpu(trial.model):
        return 0
    with (
        patch.object(batch_runs, "MANY", 1),
        patch.object(batch_runs, "PORTION", 3),
        patch.object(batch_runs, "Cpu", partial(Cpu, 0)),
    ):
        return _same_batch(trial, "packed in vectors", partial(run_packed, backend="cpu"), large=True)


def _same_batch(trial: Trial, purpose: str, run: Callable[..., BatchResult], *, large: bool) -> int:
    runs = known(trial, purpose, large=large)
    if not runs or any(output[1] == "stream" for output in trial.run.case.source.outputs):
        return 0
    batch = HypergraphBatch.of([each.given.hypergraph for each in runs])
    inputs = {each[0]: _together(trial, runs, *each) for each in trial.run.case.source.inputs}
    algorithm = algorithm_of(trial, purpose)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of those that the CPU runs
            found = run(algorithm, batch, inputs)
    except (LanguageError, CapacityError):
        if algorithm is trial.model:
            raise
        return 0  # no one model holds all of them
    require(found.halted.tolist(), [each.stops for each in runs], "halted", purpose)
    for place, each in enumerate(runs):
        same_result(f"item {place}", each, lambda place=place: found[place])  # type: ignore[misc]
    _same_integers(found, runs)
    if all(each.stops for each in runs):
        _same_arrays(found, runs)
    return len(runs)


def _together(trial: Trial, runs: list[Run], name: str, kind: str, _: Any, *scope: str) -> list[Any]:
    """An input of a batch: what `run` takes for each; or the entries of all, one after the other."""
    if scope and kind not in reference.INTO and trial.drawn(f"{name}, flat").random() < 0.5:
        return [label_of(kind, entry) for run in runs for entry in run.case.inputs[name]]
    return [labels_of(run.case)[name] for run in runs]


def _same_integers(found: BatchResult, runs: list[Run]) -> None:
    """The states that outputs are made of, as integers of all hypergraphs one after the other."""
    for name, array in found.arrays.items():
        numbers, at = on_host(array).tolist(), 0
        for place, run in enumerate(runs):
            value = run.steps[-1].states[name]
            wanted = integers(value, run.given.unit, found.infinity)
            wanted = [wanted] if value.scope == "s" else wanted
            got, at = numbers[at : at + len(wanted)], at + len(wanted)
            if run.stops:
                require(got, wanted, "another number", f"{name} of item {place}")
        require(len(numbers), at, "another size", name)


def _same_arrays(found: BatchResult, runs: list[Run]) -> None:
    """The arrays of all hypergraphs, one after the other."""
    scopes = {state[0]: state[2] for state in runs[0].case.source.states}
    for name, how, state, *_ in runs[0].case.source.outputs:
        if how in {"state", "where", "unless"} and scopes[state] != "s":
            parts = [found[place].array(name) for place in range(len(runs))]
            require(on_host(found.array(name)).tolist(), np.concatenate(parts).tolist(), "another array", name)


def one_by_one(trial: Trial) -> int:
    """A list of hypergraphs with their own inputs."""
    runs = known(trial, "run_many")
    items = [(each.given.hypergraph, labels_of(each.case)) for each in runs]
    algorithm = algorithm_of(trial, "run_many")
    # By name, the model may look products up in thousands of rows, all pairs of which dense compares.
    dense = ["dense"] if isinstance(algorithm, Model) else []
    backend = trial.drawn("run_many").choice(["cpu", "interpreter", *dense])
    found = list(hyloop.run_many(algorithm, items, processes=1, backend=backend))
    require(len(found), len(runs), "results", backend)
    for each, result in zip(runs, found, strict=True):
        same_result(backend, each, lambda result=result: _given(result))  # type: ignore[misc]
    return len(runs)


def _given(result: Any) -> Any:
    if isinstance(result, Failure):
        raise result.error
    return result


# -- one run ----------------------------------------------------------------------------------------------------------


class Crash(Exception):  # noqa: N818  (nothing is wrong)
    """Ends a run between two checkpoints."""


def checkpointed(trial: Trial) -> int:
    """A run that ends after some iterations, another that goes on from its checkpoint, and one from the last."""
    run, model = trial.run, trial.model
    if not run.is_known:
        return 0
    rng, labels = trial.drawn("checkpoint"), labels_of(run.case)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, patch.object(loop, "PAUSE", 0.0):
        path = Path(folder) / "now"
        crash = rng.randint(2, max(2, len(run.steps)))

        def stop(iteration: int) -> None:
            if iteration == crash:
                raise Crash

        try:
            with any_engine(trial, "before"):
                begin = partial(hyloop.run, model, run.given.hypergraph, checkpoint=path, every=0, progress=stop)
                same_result("before", run, lambda: begin(**labels))
        except Crash:
            require(hyloop.checkpoint.iterations_in(path), crash, "iterations", "checkpoint")
        for purpose in ("after", "again") if path.exists() else ():
            backend = rng.choice(["cpu", "cpu", "dense"])
            with any_engine(trial, purpose):
                again = partial(hyloop.run, model, run.given.hypergraph, resume=path, every=0, backend=backend)
                same_result(f"{purpose} ({backend})", run, lambda again=again: again(**labels))  # type: ignore[misc]
    return 1


def read_by_people(run: Run, name: str, value: reference.Value) -> Any:
    """A state as a recording shows it."""

    def one(entry: Any) -> Any:
        return None if entry == reference.INF else labelled(run.case, value.kind, entry)

    if value.scope == "s":
        return one(value.data)
    return {f"{value.scope}{row}": one(entry) for row, entry in enumerate(value.data)}


def same_states(what: str, run: Run, number: int, values: Mapping[str, Any]) -> None:
    """States by label after an iteration."""
    for name, value in run.steps[number - 1].states.items():
        if value.data != UNSET:
            wanted = read_by_people(run, name, value)
            require(values[name], wanted, "another value", f"{what}, iteration {number}: {name}")


def watched(trial: Trial) -> int:
    """Every state after every iteration, and the result."""
    run = trial.run
    if not run.is_known:
        return 0
    names = list(run.steps[0].states)

    def result() -> Any:
        watching = watch(algorithm_of(trial, "watch"), run.given.hypergraph, names, **labels_of(run.case))
        for number, row in enumerate(watching, start=1):
            same_states("watch", run, number, row.values)
        return watching.result

    with any_engine(trial, "watch"):
        same_result("watch", run, result)
    return 1


def traced(trial: Trial) -> int:
    """A recording: every state after every iteration."""
    run = trial.run
    if not run.is_known:
        return 0
    layers = trial.drawn("trace").random() < 0.5
    with any_engine(trial, "trace"):
        found = hyloop.trace(trial.model, run.given.hypergraph, layers=layers, **labels_of(run.case))
    require((found.agrees, found.iterations), (True, len(run.steps)), "another recording", str(found.difference))
    for number in range(1, len(run.steps) + 1):
        same_states("trace", run, number, found.at(number))
    return 1


def backends(trial: Trial) -> int:
    """The program on a model that fits this input, and the model on dense."""
    run = trial.run
    if not run.is_known:
        return 0
    labels = labels_of(run.case)
    for algorithm, backend in ((fitted(trial), "cpu"), (trial.model, "dense")):
        ran = partial(hyloop.run, algorithm, run.given.hypergraph, backend=backend)
        same_result(backend, run, lambda ran=ran: ran(**labels))  # type: ignore[misc]
    return 1


# -- PyTorch ----------------------------------------------------------------------------------------------------------


def torch_module(trial: Trial) -> int:
    """A batch by the module."""
    from hyloop.export import to_torch  # an extra

    runs = [run for run in known(trial, "torch") if run.stops]
    if not runs:
        return 0
    found = to_torch(trial.model).run([(run.given.hypergraph, labels_of(run.case)) for run in runs])
    for run, result in zip(runs, found, strict=True):
        same_result("item", run, lambda result=result: result)  # type: ignore[misc]
    return len(runs)


def exported(trial: Trial) -> int:
    """One iteration as a file of `torch.export`, again and again."""
    import torch  # an extra

    from hyloop.export import to_pt2, to_torch

    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        to_pt2(trial.model, Path(folder) / "step.pt2")
        step = torch.export.load(Path(folder) / "step.pt2").module()
    X, incidence = trial.start
    state, A = to_torch(trial.model).tensors(X[np.newaxis], [incidence])
    for number, wanted in enumerate(trial.states, start=1):
        state = step(state, A)
        same_bits(trial.model, f"iteration {number}", state[0].detach().numpy(), wanted)
    return 1
