"""From the states of a run to its result: the columns read as integers, the integers as labels and numbers.

Decoding only reads the state; it computes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.checkpoint import Checkpoint
from hyloop.errors import HyloopError
from hyloop.execute.given import labels_of
from hyloop.execute.integers import read, require_range
from hyloop.execute.prepare import Given, program_of
from hyloop.hypergraph import Hypergraph, Label
from hyloop.interpreter import IterationEnd
from hyloop.lang.kinds import POINTER_TO, SCOPE_OF, Kind, Scope, Type
from hyloop.lang.program import Output, Program, State
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model
from hyloop.numbers import Exact
from hyloop.result import Entry, Result, Stream, Value

FloatArray = npt.NDArray[np.floating]
Numbers = npt.NDArray[np.int64] | int


# -- from a run's states to its result ------------------------------------------------------------------------------


class Reader:
    """Decodes one input of a run. `read` is called after every iteration (without streams: after some) and at the end.

    `program` is by default the one that the model carries. A resumed run keeps the stream entries of its checkpoint.
    """

    def __init__(
        self, model: Model, given: Given, program: Program | None = None, resumed: Checkpoint | None = None
    ) -> None:
        self.model, self.given = model, given
        self.program = program_of(model) if program is None else program
        self.iterations = 0 if resumed is None else resumed.iterations
        self.streams = nothing_yet(self.program)
        if resumed is not None:
            self.streams |= {name: list(entries) for name, entries in resumed.streams.items()}
        self._step: IterationEnd | None = None

    @property
    def most_iterations(self) -> int:
        """The iterations that the program declares for this input."""
        return self.program.most_iterations(*self.given.counts)

    @property
    def halted(self) -> bool:
        """Whether the last state that was read is that of a halted run."""
        return self._step is not None and self._step.halted

    def read(self, state: Callable[[], FloatArray], iteration: int, *, halted: bool) -> None:
        """Read the state after `iteration` iterations; `state` is called only if needed. No state is read twice."""
        fresh, self.iterations = iteration > self.iterations, iteration
        if self.halted or not (halted or (fresh and self.streams)):
            return
        section = "before" if self.program.begins and iteration == 1 else "body"
        X = state()
        if self.model.doubtful:  # others have a certificate, and no number of theirs is as large
            require_range(X, iteration)
        states = States(self.model, self.program, X, self.given.counts)
        self._step = IterationEnd(iteration, section, states, (), halted, self.model.infinity)  # type: ignore[arg-type]
        if fresh:  # the checkpoint of a run that had ended has its last entries already
            collect(self.program, self.given.hypergraph, self._step, self.streams)

    def result(self, backend: str, verified: str, memory: int | None = None) -> Result:
        """The result of the run, which has halted; `verified` is how far its weights are trusted."""
        if self._step is None:
            raise HyloopError(f"The run of {self.model.name} has no state to read a result from.")
        about = (self.program, self.given, backend, self._step, self.streams)
        return result_of(*about, memory=memory, verified=verified)


class States(Mapping[str, Numbers]):
    """The program's states in a state of the machine, each read from its column on access."""

    def __init__(self, model: Model, program: Program, X: FloatArray, counts: tuple[int, int]) -> None:
        self._model, self._program, self._X, self._counts = model, program, X, counts

    def __getitem__(self, name: str) -> Numbers:
        return read_state(self._model, self._program.state(name), self._X, self._counts)

    def __iter__(self) -> Iterator[str]:
        return (state.name for state in self._program.states)

    def __len__(self) -> int:
        return len(self._program.states)


def read_state(model: Model, state: State, X: FloatArray, counts: tuple[int, int]) -> Numbers:
    """A state of the program, read from the column that holds it; `counts` are those of vertices and hyperedges.

    Raises `ModelError` for a number that is no value of the state's type; nothing is rounded.
    """
    column = X[:, model.layout.number(state_column(state.name))]
    if state.type.scope is Scope.SCALAR:
        return int(read(state.name, state.type, column[:1], counts)[0])
    last = counts[0] if state.type.scope is Scope.VERTICES else counts[1]
    return read(state.name, state.type, column[1 : last + 1], counts)


# -- from integers to labels ----------------------------------------------------------------------------------------


def nothing_yet(program: Program) -> dict[str, list[Entry]]:
    """An empty list for each stream."""
    return {output.name: [] for output in program.outputs if output.form == "stream"}


def collect(program: Program, h: Hypergraph, step: IterationEnd, collected: dict[str, list[Entry]]) -> None:
    """Add what an iteration streams, as integers: all but zeros, or, of lengths, all that are finite."""
    for output in program.outputs:
        if output.form != "stream" or not step.states[str(output.of)]:
            continue
        kind, scope = program.state(str(output.of)).type.kind, program.state(output.state).type.scope
        about = _pointed(h, kind, int(step.states[str(output.of)]))
        array, labels = step.states[output.state], labels_of(h, scope)
        assert about is not None
        absent = step.infinity if program.state(output.state).type.kind is Kind.LENGTH else 0
        values = {labels[row]: int(array[row]) for row in (array != absent).nonzero()[0]}
        collected[output.name].append(Entry(about, values))


def result_of(
    program: Program,
    given: Given,
    backend: str,
    step: IterationEnd,
    collected: Mapping[str, list[Entry]],
    *,
    memory: int | None = None,
    verified: str | None = None,
) -> Result:
    """The result: the last states and the streams, with labels."""
    vertices: dict[str, tuple[Value, ...]] = {}
    hyperedges: dict[str, tuple[Value, ...]] = {}
    scalars: dict[str, Value] = {}
    streams: dict[str, Stream] = {}
    for output in program.outputs:
        scope = program.state(output.state).type.scope
        if output.form == "stream":
            streams[output.name] = _stream(program, given, step, output, collected[output.name])
        elif output.form == "total" or scope is Scope.SCALAR:
            _put(scalars, output, _scalar(program, given, step, output))
        else:
            side = vertices if scope is Scope.VERTICES else hyperedges
            side[output.name] = _array(program, given, step, output)
    collapsed = {name: _all_or_none(value) for name, value in scalars.items()}
    shared = (program.name, backend, step.iteration, step.halted, given.hypergraph)
    kinds = {output.name: _kind(program, output) for output in program.outputs}
    return Result(*shared, vertices, hyperedges, collapsed, streams, memory, verified, kinds)


def _kind(program: Program, output: Output) -> str:
    return str(program.state(output.state).type.kind) if output.over is None else "quotient"


def decoded(given: Given, infinity: int, type_: Type, value: Any) -> Any:
    """A value of a program as people read it: one value, or a dictionary by label. `infinity` stands for infinite."""
    if type_.scope is Scope.SCALAR:
        [only] = _values(given, infinity, type_.kind, [int(value)])
        return only
    found = _values(given, infinity, type_.kind, value.tolist())
    return dict(zip(labels_of(given.hypergraph, type_.scope), found, strict=True))


def _stream(program: Program, given: Given, step: IterationEnd, output: Output, entries: Sequence[Entry]) -> Stream:
    """What was collected, decoded by kind."""
    type_, about = program.state(output.state).type, program.state(str(output.of)).type.kind

    def decoded(entry: Entry) -> Entry:
        integers: list[int] = list(entry.values.values())  # type: ignore[arg-type]
        return Entry(
            entry.about, dict(zip(entry.values, _values(given, step.infinity, type_.kind, integers), strict=True))
        )

    return Stream(str(about), tuple(map(decoded, entries)), str(POINTER_TO[type_.scope]), str(type_.kind))


def _put(scalars: dict[str, Value], output: Output, value: Value) -> None:
    """Outputs with a place form a list."""
    if output.place is None:
        scalars[output.name] = value
    else:
        before = scalars.get(output.name, ())
        scalars[output.name] = (*(before if isinstance(before, tuple) else ()), value)


def _all_or_none(value: Value) -> Value:
    """None for a list whose entries are all None."""
    return None if isinstance(value, tuple) and all(each is None for each in value) else value


def _scalar(program: Program, given: Given, step: IterationEnd, output: Output) -> Value:
    state = program.state(output.state)
    if output.form == "total":
        return int(sum(step.states[output.state].tolist()))
    if not _shown(step, output):
        return None
    [value] = _values(given, step.infinity, state.type.kind, [int(step.states[output.state])])
    if output.over is not None:
        by = program.state(output.over)
        return _divided(value, *_values(given, step.infinity, by.type.kind, [int(step.states[output.over])]))
    return value


def _array(program: Program, given: Given, step: IterationEnd, output: Output) -> tuple[Value, ...]:
    kind = program.state(output.state).type.kind
    found = _values(given, step.infinity, kind, step.states[output.state].tolist())
    if output.over is not None:
        by = _values(given, step.infinity, program.state(output.over).type.kind, step.states[output.over].tolist())
        return tuple(map(_divided, found, by))
    for flag, wanted in ((output.known, True), (output.unless, False)):
        if flag is not None:
            shown = step.states[flag].tolist()
            return tuple(value if bool(set_) is wanted else None for value, set_ in zip(found, shown, strict=True))
    return tuple(found)


def _divided(value: Any, by: Any) -> Value:
    """Exactly; None where a number is divided by 0, or where one of them is infinite."""
    return Exact(Fraction(value) / by) if value is not None and by else None


def _shown(step: IterationEnd, output: Output) -> bool:
    for flag, wanted in ((output.known, True), (output.unless, False)):
        if flag is not None:
            return bool(step.states[flag]) is wanted
    return True


def _values(given: Given, infinity: int, kind: Kind, values: list[int]) -> Sequence[Value]:
    """Integers decoded by kind. Equal lengths are one object."""
    if kind is Kind.FLAG:
        return [bool(value) for value in values]
    if kind is Kind.LENGTH:
        lengths: dict[int, Value] = {value: Exact(value * given.unit) for value in set(values)}
        lengths[infinity] = None
        return [lengths[value] for value in values]
    if not kind.is_pointer:
        return [int(value) for value in values]
    labels = (None, *labels_of(given.hypergraph, SCOPE_OF[kind]))
    return [labels[value] for value in values]


def _pointed(h: Hypergraph, kind: Kind, number: int) -> Label | None:
    return labels_of(h, SCOPE_OF[kind])[number - 1] if number else None
