"""One program and all that runs it: reference, interpreter, dense, native, numpy, quiet, torch, ONNX, prover."""

from __future__ import annotations

import importlib.util
import itertools
import linecache
import re
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import hyloop
from fuzz import reference
from fuzz.syntax import UNSET, Case, Source, print_source
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute import cpu, dense
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet.engine import LeftError, QuietEngine
from hyloop.execute.cpu.quiet.kernel import NumpyKernel
from hyloop.execute.cpu.quiet.wiring import RefusedError
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import Given, prepare
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord
from hyloop.interpreter import interpret
from hyloop.lang import LanguageError, Program
from hyloop.lang.matrices import uses_direction
from hyloop.machine.layer import HeadKind
from hyloop.machine.layout import state_column
from hyloop.machine.model import Capacity, Model

_NUMBERS = itertools.count()
MOST_ITERATIONS = 40


@dataclass(frozen=True)
class Failure:
    """Two that must agree and do not. `what` is short and stays the same while a case is made smaller."""

    what: str
    told: str

    def __str__(self) -> str:
        return f"{self.what}: {self.told}"


class DisagreementError(Exception):
    """Carries a failure out of a comparison."""

    def __init__(self, what: str, told: str) -> None:
        super().__init__(f"{what}: {told}")
        self.failure = Failure(what, told)


@dataclass(frozen=True)
class Wanted:
    """What is run beside reference, interpreter, dense, native, numpy, and sleeping rows in numpy."""

    quiet: bool = False  # sleeping rows by generated code
    torch: bool = False
    onnx: bool = False
    prove: bool = False
    check: bool = False
    strict: bool = False  # whether a row that refutes is a failure, though no run reaches it


@dataclass
class Counts:
    """How much was looked at, by kind."""

    of: Counter[str] = field(default_factory=Counter)

    def add(self, what: str) -> None:
        """One more of a kind."""
        self.of[what] += 1


def traced(source: Source) -> Program:
    """The program that hyloop reads in the printed source. Every way to fail but a `LanguageError` is a failure."""
    path = Path(tempfile.gettempdir()) / f"fuzzed-{next(_NUMBERS)}.py"
    text = print_source(source)
    # The file is not written: hyloop finds the lines where Python's own tracebacks find them.
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    try:
        space: dict[str, Any] = {"__name__": "fuzzed"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # what is made smaller may read `True[p]`
            exec(compile(text, str(path), "exec"), space)
        return space["fuzzed"].program  # type: ignore[no-any-return]
    finally:
        linecache.cache.pop(str(path), None)


def hypergraph_of(case: Case, program: Program | None = None) -> Hypergraph:
    """The case's hypergraph, with labels; with its directions, if the program uses any."""
    members = {f"e{n}": [f"v{v}" for v in vertices] for n, vertices in enumerate(case.hyperedges)}
    weights = [Fraction(w) for w in case.weights]
    told = annotations_of(case) if program is not None and uses_direction(program) else None
    return Hypergraph.from_hyperedges(members, weights, [f"v{n}" for n in range(case.vertices)], annotations=told)


def annotations_of(case: Case) -> Annotations | None:
    """The directions of the case's hypergraph."""
    if case.tails is None or case.leads is None:
        return None
    told: dict[tuple[str | int, str | int], tuple[IncidenceRecord, ...]] = {}
    for e, (members, tails, heads) in enumerate(zip(case.hyperedges, case.tails, case.leads, strict=True)):
        for v in members:
            directions = [*(["tail"] if v in tails else []), *(["head"] if v in heads else [])]
            told[f"e{e}", f"v{v}"] = tuple(map(IncidenceRecord, directions))  # type: ignore[arg-type]
    return Annotations("directed", incidences=told)


def labels_of(case: Case) -> dict[str, Any]:
    """The case's inputs as `hyloop.run` takes them."""
    found: dict[str, Any] = {}
    for name, kind, _, *scope in case.source.inputs:
        value = case.inputs[name]
        if not scope:
            found[name] = label_of(kind, value)
        elif len(value) % 2:  # both ways to give an array
            found[name] = [label_of(kind, entry) for entry in value]
        else:
            found[name] = {f"{scope[0]}{row}": label_of(kind, entry) for row, entry in enumerate(value)}
    return found


def label_of(kind: str, value: Any) -> Any:
    """One value as `hyloop.run` takes it."""
    if kind in {"vertex", "hyperedge"}:
        return None if value is None else f"{kind[0] if kind == 'vertex' else 'e'}{value}"
    return Fraction(value) if kind == "length" else value


def integers(value: reference.Value, unit: Fraction, infinity: int) -> Any:
    """A reference value as the machine writes it: numbers from 1, none as 0, lengths in units, infinity as Ω."""

    def one(entry: Any) -> int:
        if entry is None:
            return 0
        if value.kind in reference.INTO:
            return int(entry) + 1
        if entry == reference.INF:
            return infinity
        if value.kind == "length":
            scaled = Fraction(entry) / unit
            assert scaled.denominator == 1
            return int(scaled)
        return int(entry)

    return one(value.data) if value.scope == "s" else [one(entry) for entry in value.data]


@dataclass(frozen=True)
class Run:
    """A case, ready to be run: its program, input and reference run."""

    case: Case
    program: Program
    given: Given
    steps: list[reference.Step]

    @property
    def counts(self) -> tuple[int, int]:
        """Vertices and hyperedges."""
        return self.case.vertices, len(self.case.hyperedges)

    @property
    def stops(self) -> bool:
        """Whether it stops within its bound."""
        return bool(self.steps) and self.steps[-1].stopped


def run_of(case: Case, program: Program) -> Run:
    """The reference run, and the input as hyloop has it."""
    steps = list(
        itertools.islice(
            reference.iterations(case.source, reference.graph_of(case), reference.inputs_of(case)), MOST_ITERATIONS
        )
    )
    return Run(case, program, prepare(program, hypergraph_of(case, program), labels_of(case)), steps)


def differ(what: str, run: Run, number: int, name: str, found: Any, expected: Any) -> DisagreementError:
    """A failure in words."""
    return DisagreementError(what, f"iteration {number}: {name} is {found}, the reference has {expected}")


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


def expected_column(value: reference.Value, rows: int, run: Run, infinity: int) -> list[int]:
    """What a state's column holds: a scalar on every row; an array is 0 on row 0 and past its last row."""
    found = integers(value, run.given.unit, infinity)
    return [found] * rows if value.scope == "s" else [0, *found, *[0] * (rows - 1 - len(found))]


def held_against_machine(run: Run, model: Model, number: int, X: Any, what: str) -> None:
    """A state of the machine and the reference after an iteration, as integers."""
    step = run.steps[number - 1]
    for name, value in step.states.items():
        if value.data == UNSET:
            continue
        expected = expected_column(value, len(X), run, model.infinity)
        column = X[:, model.layout.number(state_column(name))]
        if [Fraction(float(x)) for x in column] != expected:
            raise differ(what, run, number, name, column.tolist(), expected)
    halt = X[:, model.layout.number(model.layout.halt)]
    if halt.tolist() != [float(step.stopped)] * len(X):
        raise differ(what, run, number, "halt", halt.tolist(), step.stopped)


def begun(run: Run, model: Model, padding: int) -> tuple[Any, Any]:
    """The first state and the incidence."""
    frame = Frame(*run.counts, run.given.weights, run.given.inputs, padding)
    X = encode(model, frame)
    return X, pad(model, run.given.hypergraph, len(X))


def started(name: str, model: Model, X: Any, incidence: Any) -> Any:
    """An executor at its beginning."""
    if name == "dense":
        return dense.start(model, X, incidence)
    if name == "torch":
        from hyloop.export import start_torch  # an extra

        return start_torch(model, X, incidence)
    return cpu.start(model, X, incidence, engine=name)


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


def first_wrong(model: Model, state: Any, wanted: Any, where: Any) -> str:
    """The first entry that differs, in words."""
    row, column = (int(n) for n in np.argwhere(where)[0])
    name = model.layout.columns[column].name
    return f"row {row}, column {name}: {state[row, column]!r}, dense has {wanted[row, column]!r}"


def held_against_onnx(run: Run, model: Model, padding: int, states: list[Any]) -> None:
    """The loop in one ONNX file, against the last state of dense."""
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
    state, done = session.run(["state", "iterations"], {"X": X, **sides, "limit": np.array(len(states))})
    if int(done) != len(states) or not np.array_equal(state, states[-1]):
        told = f"{done} iterations of {len(states)}, {first_wrong(model, state, states[-1], state != states[-1])}"
        raise DisagreementError("onnx beside dense", told)


def labelled(case: Case, kind: str, entry: Any) -> Any:
    """An entry of a result."""
    return entry if entry is None or kind not in reference.INTO else f"{kind[0].replace('h', 'e')}{entry}"


def expected_outputs(run: Run) -> dict[str, Any]:
    """The reference's outputs with labels."""
    case, kinds = run.case, {name: (kind, scope) for name, kind, scope, _ in run.case.source.states}
    found = reference.outputs(case.source, run.steps)
    for name, how, state, *more in case.source.outputs:
        if how == "list":
            entries = zip(state, found[name] or (), strict=False)
            found[name] = tuple(labelled(case, kinds[each][0], entry) for each, entry in entries) or None
            continue
        kind, scope = kinds[state]
        if how == "stream":
            about = kinds[more[0]][0]
            found[name] = [
                (labelled(case, about, p), {f"{scope}{row}": labelled(case, kind, n) for row, n in entries.items()})
                for p, entries in found[name]
            ]
        elif isinstance(found[name], list):
            found[name] = {f"{scope}{row}": labelled(case, kind, entry) for row, entry in enumerate(found[name])}
        else:
            found[name] = labelled(case, kind, found[name])
    return found


def held_against_result(run: Run, algorithm: Model | Program, backend: str) -> None:
    """What `hyloop.run` gives: outputs by label and the number of iterations; or that it refuses to go on."""
    if any(v.data == UNSET for v in run.steps[-1].states.values()) or len(run.steps) == MOST_ITERATIONS:
        return
    what = f"result ({backend})"
    try:
        result = hyloop.run(algorithm, run.given.hypergraph, backend=backend, **labels_of(run.case))
    except HyloopError as refused:
        if run.stops:
            raise DisagreementError(what, f"it is refused: {refused}") from None
        return
    if not run.stops:
        raise DisagreementError(what, "it stops, and the reference does not")
    if result.iterations != len(run.steps):
        raise DisagreementError(what, f"{result.iterations} iterations, not {len(run.steps)}")
    for name, expected in expected_outputs(run).items():
        got = result[name]
        if hasattr(got, "entries"):
            got = [(entry.about, dict(entry.values)) for entry in got.entries]
        if got != expected:
            raise DisagreementError(what, f"output {name} is {got}, not {expected}")


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


def failure_of(wrong: Exception) -> Failure:
    """What went wrong, with the place where it was raised."""
    if isinstance(wrong, DisagreementError):
        return wrong.failure
    places = traceback.extract_tb(wrong.__traceback__)
    place = f"{Path(places[-1].filename).name}, {places[-1].name}" if places else ""
    return Failure(f"raises {type(wrong).__name__} in {place}", str(wrong)[:500])


def tried_one(case: Case, program: Program, model: Model | None, wanted: Wanted, counts: Counts) -> Iterator[Failure]:
    """One input of a traced program: every comparison, whether or not the ones before failed."""
    counts.add("inputs")
    run = run_of(case, program)
    if len(run.steps) > 1 or run.stops:
        counts.add("inputs that stop" if run.stops else "inputs that do not stop")
    parts: list[Callable[[], None]] = [lambda: held_against_interpreter(run)]
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
    states: list[Any] = []
    parts: list[Callable[[], None]] = [lambda: held_against_dense(run, model, padding, states, counts)]
    names = ("native", "numpy", *(["quiet"] if wanted.quiet else []), *(["torch"] if wanted.torch else []))
    parts += [partial(held_beside_dense, run, model, padding, name, states) for name in names]
    parts.append(lambda: held_asleep(run, model, padding, states, counts))
    if wanted.onnx:
        parts.append(lambda: held_against_onnx(run, model, padding, states))
    if wanted.check and run.stops:
        parts.append(lambda: held_by_check(run, model))
    parts.append(lambda: held_against_result(run, model, "cpu"))
    return parts


def fits(run: Run, model: Model) -> bool:
    """Whether the input is within the capacity that the model says it has."""
    rows, heaviest = max(*run.counts, 1), max(run.given.weights, default=1)
    sizes = [run.given.inputs[name] for name, kind, *_ in run.case.source.inputs if kind == "length"]
    lengths = [length for size in sizes for length in (size if isinstance(size, tuple) else [size])]
    return rows <= model.capacity.rows and max([heaviest, *lengths]) <= model.capacity.weight


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
    """What is asked for and installed."""
    there = installed()
    return Wanted(**{name: is_on and there.get(name, True) for name, is_on in asked.items()})
