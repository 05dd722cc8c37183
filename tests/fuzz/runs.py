"""A case that is being run: its program, its input, the reference's states, and how they are compared."""

from __future__ import annotations

import itertools
import linecache
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fuzz import reference
from fuzz.syntax import UNSET, Case, Source, print_source
from hyloop.errors import HyloopError
from hyloop.execute import cpu, dense
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import Given, prepare
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord
from hyloop.lang import Program
from hyloop.lang.matrices import uses_direction
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model

_NUMBERS = itertools.count()
MOST_ITERATIONS = 40
SCORES = 10**8  # of dense, for all that one comparison takes: about a second
MOST_SCORES = 60 * SCORES  # of dense, for one input: programs that look products up may need thousands of rows


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


@dataclass
class Counts:
    """How much was looked at, by kind."""

    of: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, number: int = 1) -> None:
        """One more of a kind, or several."""
        self.of[what] += number


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

    @property
    def is_known(self) -> bool:
        """Whether the reference says how it ends, and what its outputs are."""
        unset = any(value.data == UNSET for step in self.steps[-1:] for value in step.states.values())
        return 0 < len(self.steps) < MOST_ITERATIONS and not unset


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


def expected_column(value: reference.Value, rows: int, run: Run, infinity: int) -> list[int]:
    """What a state's column holds: a scalar on every row; an array is 0 on row 0 and past its last row."""
    found = integers(value, run.given.unit, infinity)
    return [found] * rows if value.scope == "s" else [0, *found, *[0] * (rows - 1 - len(found))]


def started(name: str, model: Model, X: Any, incidence: Any) -> Any:
    """An executor at its beginning."""
    if name == "dense":
        return dense.start(model, X, incidence)
    if name == "torch":
        from hyloop.export import start_torch  # an extra

        return start_torch(model, X, incidence)
    return cpu.start(model, X, incidence, engine=name)


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


@dataclass(frozen=True)
class Trial:
    """A run on a model, and what dense has after every iteration: what another executor is held against."""

    run: Run
    model: Model
    padding: int
    states: list[Any]
    quiet: bool = True  # whether rows may sleep by generated code, which takes seconds to compile for a program

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines of cpu to try."""
        return ("native", "numpy", "quiet") if self.quiet else ("native", "numpy")

    @property
    def start(self) -> tuple[Any, Any]:
        """The first state and the incidence."""
        return begun(self.run, self.model, self.padding)

    def affordable(self, count: int) -> int:
        """So many other inputs, or fewer: dense scores all pairs of rows, and products are looked up in many rows."""
        one = len(self.states[0]) ** 2 * len(self.model.layers) * len(self.states)
        return min(count, SCORES // one)

    def alone(self, run: Run, X: Any, incidence: Any) -> list[Any]:
        """What dense has of one input before the first iteration and after each, as long as the reference runs it."""
        first, _ = self.start
        if run is self.run and X.shape == first.shape:  # dense has run it
            return [first.astype(self.model.dtype) + 0, *self.states]
        return states_alone(self.model, X, incidence, len(run.steps))

    def drawn(self, purpose: str) -> Random:
        """Random numbers that stay the same while the case is made smaller."""
        return Random(f"{self.run.case.note}, {purpose}")

    def same(self, what: str, number: int, state: Any) -> None:
        """Raise unless a state is dense's after so many iterations, bit for bit."""
        same_bits(self.model, f"{what}, iteration {number}", state, self.states[number - 1])


def states_alone(model: Model, X: Any, incidence: Any, most: int) -> list[Any]:
    """What dense has of one input after every iteration, until it halts."""
    session, found = dense.start(model, X, incidence), [X.astype(model.dtype) + 0]
    while len(found) <= most and not session.halted()[0]:
        session.advance(1)
        found.append(session.state())
    return found


def same_bits(model: Model, where: str, state: Any, wanted: Any) -> None:
    """Raise unless two states have the same bits."""
    if state.dtype != wanted.dtype or state.shape != wanted.shape:
        told = f"{where}: {state.shape} in {state.dtype}, dense has {wanted.shape} in {wanted.dtype}"
        raise DisagreementError("another shape", told)
    if state.tobytes() != wanted.tobytes():
        differs = (state != wanted) | (np.signbit(state) != np.signbit(wanted))
        raise DisagreementError("another state", f"{where}: {first_wrong(model, state, wanted, differs)}")


def require(found: Any, expected: Any, what: str, told: str) -> None:
    """Raise unless two are equal."""
    if found != expected:
        raise DisagreementError(what, f"{told}: {found}, not {expected}")


def first_wrong(model: Model, state: Any, wanted: Any, where: Any) -> str:
    """The first entry that differs, in words."""
    row, column = (int(n) for n in np.argwhere(where)[0])
    name = model.layout.columns[column].name
    return f"row {row}, column {name}: {state[row, column]!r}, dense has {wanted[row, column]!r}"


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


def same_result(what: str, run: Run, found: Callable[[], Any]) -> None:
    """A result, or the error instead of it: outputs by label and the number of iterations; a refusal if no stop."""
    try:
        result = found()
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


def fits(run: Run, model: Model) -> bool:
    """Whether the input is within the capacity that the model says it has."""
    rows, heaviest = max(*run.counts, 1), max(run.given.weights, default=1)
    sizes = [run.given.inputs[name] for name, kind, *_ in run.case.source.inputs if kind == "length"]
    lengths = [length for size in sizes for length in (size if isinstance(size, tuple) else [size])]
    return rows <= model.capacity.rows and max([heaviest, *lengths]) <= model.capacity.weight


def failure_of(wrong: Exception) -> Failure:
    """What went wrong, with the place where it was raised."""
    if isinstance(wrong, DisagreementError):
        return wrong.failure
    places = traceback.extract_tb(wrong.__traceback__)
    place = f"{Path(places[-1].filename).name}, {places[-1].name}" if places else ""
    return Failure(f"raises {type(wrong).__name__} in {place}", str(wrong)[:500])
