"""One program and all that runs it: reference, interpreter, dense, native, numpy, quiet, torch, ONNX, prover.

What only a share of the programs meets is in engines.py.
"""

from __future__ import annotations

import importlib.util
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import hyloop
from fuzz.engines import ENGINES, held_beside, usable
from fuzz.runs import (
    MOST_ITERATIONS,
    MOST_SCORES,
    Counts,
    DisagreementError,
    Failure,
    Run,
    Trial,
    begun,
    differ,
    failure_of,
    first_wrong,
    fits,
    held_against_machine,
    integers,
    labels_of,
    require,
    run_of,
    same_result,
    started,
    traced,
)
from fuzz.syntax import UNSET, Case
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet.engine import LeftError, QuietEngine
from hyloop.execute.cpu.quiet.kernel import NumpyKernel
from hyloop.execute.cpu.quiet.wiring import RefusedError
from hyloop.interpreter import interpret
from hyloop.lang import LanguageError, Program
from hyloop.machine.layer import HeadKind
from hyloop.machine.model import Capacity, Model


@dataclass(frozen=True)
class Wanted:
    """What is run beside reference, interpreter, dense, native, numpy, and sleeping rows in numpy."""

    quiet: bool = False  # sleeping rows by generated code
    torch: bool = False
    onnx: bool = False
    prove: bool = False
    check: bool = False
    strict: bool = False  # whether a row that refutes is a failure, though no run reaches it
    engines: frozenset[str] = frozenset()  # names in engines.py


def held_against_interpreter(run: Run) -> None:
    """Interpreter and reference after every iteration."""
    found = interpret(run.program, run.given.hypergraph, run.given.inputs, run.given.weights)
    for number, step in enumerate(run.steps, start=1):
        here = next(found, None)
        if here is None:
            raise DisagreementError("interpreter", f"it has stopped before iteration {number}")
        for name, value in step.states.items():
            if value.data == UNSET:
                continue
            expected = integers(value, run.given.unit, here.infinity)
            got = here.states[name] if value.scope == "s" else [int(x) for x in here.states[name]]
            if got != expected:
                raise differ("interpreter", run, number, name, got, expected)
        if here.halted != step.stopped:
            raise differ("interpreter", run, number, "halt", here.halted, step.stopped)
    if len(run.steps) < MOST_ITERATIONS and not run.stops:
        refused_beyond(found)


def refused_beyond(found: Iterator[Any]) -> None:
    """A program that needs more iterations than it declares is an error."""
    try:
        next(found)
    except HyloopError:
        return
    raise DisagreementError("interpreter", "it goes on after the bound of the loop")


def held_against_dense(run: Run, model: Model, padding: int, states: list[Any], counts: Counts) -> None:
    """The formulas as they stand, after every iteration; `states` is filled with the machine's states."""
    X, incidence = begun(run, model, padding)
    session = started("dense", model, X, incidence)
    for _ in run.steps:
        session.advance(1)
        states.append(session.state())
        counts.add("iterations")
    for number, state in enumerate(states, start=1):
        held_against_machine(run, model, number, state, "dense")


def held_alone(run: Run, model: Model, padding: int, name: str, counts: Counts) -> None:
    """An executor after every iteration, where dense would take minutes: what the reference says of the state."""
    session = started(name, model, *begun(run, model, padding))
    for number in range(1, len(run.steps) + 1):
        session.advance(1)
        counts.add("iterations")
        held_against_machine(run, model, number, session.state(), name)


def held_beside_dense(run: Run, model: Model, padding: int, name: str, states: list[Any]) -> None:
    """Another executor: the same bits after every iteration."""
    X, incidence = begun(run, model, padding)
    session = started(name, model, X, incidence)
    for number, wanted in enumerate(states, start=1):
        session.advance(1)
        state = session.state()
        if state.dtype != wanted.dtype or not np.array_equal(state, wanted):
            raise DisagreementError(
                f"{name} beside dense", f"iteration {number}: {first_wrong(model, state, wanted, state != wanted)}"
            )
        if name != "torch" and state.tobytes() != wanted.tobytes():
            where = np.signbit(state) != np.signbit(wanted)
            raise DisagreementError(
                f"{name} beside dense, bits", f"iteration {number}: {first_wrong(model, state, wanted, where)}"
            )


def held_asleep(run: Run, model: Model, padding: int, states: list[Any], counts: Counts) -> None:
    """Sleeping rows, each of them recomputed and compared: the bits of dense after every iteration."""
    X, incidence = begun(run, model, padding)
    try:
        quiet = QuietEngine(plan_for(model, X), X, incidence, partial(NumpyKernel, debug=True), patient=True)
    except (RefusedError, LeftError):
        counts.add("inputs whose rows cannot sleep")
        return
    counts.add("engine: sleeping rows")
    for number, wanted in enumerate(states, start=1):
        try:
            quiet.run(1)
        except LeftError:  # the rest is for an engine that computes all rows
            return
        state = quiet.state()
        if state.tobytes() != wanted.tobytes():
            where = (state != wanted) | (np.signbit(state) != np.signbit(wanted))
            told = f"iteration {number}: {first_wrong(model, state, wanted, where)}"
            raise DisagreementError("sleeping rows beside dense", told)


def held_against_onnx(run: Run, model: Model, padding: int, states: list[Any]) -> None:
    """The loop in one ONNX file, stopped after every iteration."""
    import onnxruntime  # an extra

    from hyloop.export import to_onnx

    X, incidence = begun(run, model, padding)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "fuzzed.onnx"
        to_onnx(model, path)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3  # errors; it tells of every tensor that it optimises away
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    kinds: dict[str, HeadKind] = {"A": "incidence", "tails": "tails", "heads": "heads"}
    sides = {
        name: incidence.of_kind(kind).rows(0, incidence.size, model.dtype)
        for name, kind in kinds.items()
        if kind in incidence.kinds
    }
    for number, wanted in enumerate(states, start=1):
        state, done = session.run(["state", "iterations"], {"X": X, **sides, "limit": np.array(number)})
        require(int(done), number, "onnx beside dense, iterations", "limit")
        if state.dtype != wanted.dtype or not np.array_equal(state, wanted):
            told = f"iteration {number}: {first_wrong(model, state, wanted, state != wanted)}"
            raise DisagreementError("onnx beside dense", told)


def held_against_result(run: Run, algorithm: Model | Program, backend: str) -> None:
    """What `hyloop.run` gives: outputs by label and the number of iterations; or that it refuses to go on."""
    if run.is_known:
        labels = labels_of(run.case)
        same_result(
            f"result ({backend})", run, lambda: hyloop.run(algorithm, run.given.hypergraph, backend=backend, **labels)
        )


def compiled(case: Case, program: Program) -> Model:
    """The model of a case."""
    capacity = None if case.capacity is None else Capacity(*case.capacity)
    return hyloop.compile(program, capacity, dtype=case.dtype, heads=case.heads, schedule=case.schedule)  # type: ignore[arg-type]


def proved(model: Model, counts: Counts, *, strict: bool = False) -> None:
    """The prover on a model that was compiled: it may fail to prove, and that is counted; no run may refute it."""
    from hyloop.prove import bad_run, prove  # an extra

    proof = prove(model)
    by_a_row = proof.failure is not None and proof.failure.outcome.answer == "refuted"
    if by_a_row and (strict or bad_run(model) is not None):
        raise DisagreementError("prover", f"it refutes the model: {str(proof.failure)[:400]}")
    counts.add(f"prover: {'a row that no run reaches' if by_a_row else proof.answer}")


def tried(cases: list[Case], wanted: Wanted, counts: Counts) -> list[tuple[Case, Failure]]:
    """Cases of one program: every way in which they fail, once each."""
    found: dict[str, tuple[Case, Failure]] = {}
    program, model = None, None
    counts.add("programs")
    for number, case in enumerate(cases):
        try:
            if program is None:
                program = traced(case.source)
                model = compiled_or_none(case, program, counts)
                if model is not None and wanted.prove:
                    proved(model, counts, strict=wanted.strict)
            for failure in tried_one(case, program, model, wanted, counts):
                found.setdefault(failure.what, (case, failure))
        except LanguageError as refused:
            counts.add("refused by the language")
            counts.add(f"refused: {without_numbers(refused.message)}")
            break
        except Exception as wrong:  # whatever else comes out is a failure
            failure = failure_of(wrong)
            found.setdefault(failure.what, (case, failure))
            if program is None or number == 0:
                break
    return list(found.values())


def compiled_or_none(case: Case, program: Program, counts: Counts) -> Model | None:
    """The model; none where the capacity does not hold the program, or the program has no bounds."""
    try:
        model = compiled(case, program)
    except CapacityError:
        counts.add("programs that do not fit")
        return None
    except LanguageError as refused:
        counts.add("refused by the compiler")
        counts.add(f"refused: {without_numbers(refused.message)}")
        return None
    counts.add("compiled")
    return model


def tried_one(case: Case, program: Program, model: Model | None, wanted: Wanted, counts: Counts) -> Iterator[Failure]:
    """One input of a traced program: every comparison, whether or not the ones before failed."""
    counts.add("inputs")
    run = run_of(case, program)
    if len(run.steps) > 1 or run.stops:
        counts.add("inputs that stop" if run.stops else "inputs that do not stop")
    parts: list[Callable[[], None]] = [lambda: held_against_interpreter(run)]
    counts.add("engine: interpreter")
    if run.steps:
        parts.append(lambda: held_against_result(run, program, "interpreter"))
    if run.steps and model is not None and fits(run, model):
        parts += machine_parts(run, model, wanted, counts)
    for part in parts:
        try:
            part()
        except Exception as wrong:  # whatever comes out is a failure
            yield failure_of(wrong)


def machine_parts(run: Run, model: Model, wanted: Wanted, counts: Counts) -> list[Callable[[], None]]:
    """What is compared where there is a model."""
    padding = len(run.case.hyperedges) % 2 if run.case.capacity is None else 0
    if len(begun(run, model, padding)[0]) ** 2 * len(model.layers) * len(run.steps) > MOST_SCORES:
        counts.add("inputs of too many rows for dense")
        counts.add("engine: native")
        return [
            partial(held_alone, run, model, padding, "native", counts),
            partial(held_against_result, run, model, "cpu"),
        ]
    states: list[Any] = []
    parts: list[Callable[[], None]] = [lambda: held_against_dense(run, model, padding, states, counts)]
    names = ("native", "numpy", *(["quiet"] if wanted.quiet else []), *(["torch"] if wanted.torch else []))
    parts += [partial(held_beside_dense, run, model, padding, name, states) for name in names]
    for name in ("dense", *names, *(["onnx"] if wanted.onnx else []), "result"):
        counts.add(f"engine: {name}")
    parts.append(lambda: held_asleep(run, model, padding, states, counts))
    if wanted.onnx:
        parts.append(lambda: held_against_onnx(run, model, padding, states))
    if wanted.check and run.stops:
        parts.append(lambda: held_by_check(run, model))
        counts.add("engine: check")
    parts.append(lambda: held_against_result(run, model, "cpu"))
    trial = Trial(run, model, padding, states, wanted.quiet)
    return parts + [partial(held_beside, name, trial, counts) for name in sorted(wanted.engines)]


def held_by_check(run: Run, model: Model) -> None:
    """`hyloop.check`: every value after the layer that computes it, which is 0 on row 0 and outside its scope."""
    found = hyloop.check(model, run.given.hypergraph, **labels_of(run.case))
    if not found.agrees:
        raise DisagreementError("check", str(found.difference))


def without_numbers(message: str) -> str:
    """The beginning of a message, the same for all programs."""
    return re.sub(r"fuzzed-\d+\.py|\b[a-z]\d+\b|\d+", "…", message)[:60]


def installed() -> dict[str, bool]:
    """Which extras there are, by the name that `Wanted` has for them."""
    needs = {"prove": "z3", "torch": "torch", "onnx": "onnxruntime"}
    return {name: importlib.util.find_spec(package) is not None for name, package in needs.items()}


def available(asked: Mapping[str, bool]) -> Wanted:
    """What is asked for and installed, by the names of `Wanted` and of the engines."""
    there = installed()
    own = {name: is_on and there.get(name, True) for name, is_on in asked.items() if name not in ENGINES}
    engines = frozenset(name for name, is_on in asked.items() if name in ENGINES and is_on and usable(name))
    return Wanted(**own, engines=engines)  # type: ignore[arg-type]
