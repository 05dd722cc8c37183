"""From the states of a run to its result: the columns read as integers, the integers as labels and numbers.

Decoding only reads the state; it computes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.checkpoint import Checkpoint
from hyloop.errors import HyloopError, ModelError
from hyloop.execute.gathering import Gathered, Gathering, Wanted
from hyloop.execute.given import labels_of, numbers_in
from hyloop.execute.integers import integers, read, read_one, require_range, require_values
from hyloop.execute.prepare import Given, program_of
from hyloop.execute.session import Columnwise, Session
from hyloop.hypergraph import Hypergraph
from hyloop.interpreter import IterationEnd
from hyloop.lang.kinds import POINTER_TO, SCOPE_OF, Kind, Scope, Type
from hyloop.lang.program import Output, Program, State
from hyloop.machine.layout import state_column
from hyloop.machine.model import Capacity, Model
from hyloop.result import (
    ArrayOutput,
    ArrayOutputs,
    Entry,
    Numbered,
    QuotientOutput,
    Result,
    Scale,
    Stream,
    Value,
    divided,
)

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int64]
Numbers = IntArray | int


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
        self._collector = Collector(self.program, given.hypergraph)
        if resumed is not None:
            self._collector.resume(resumed.streams)
        self._step: IterationEnd | None = None

    @property
    def streams(self) -> dict[str, list[Entry]]:
        """The entries of each stream so far; their values are integers."""
        return self._collector.entries

    def gathering(self, session: Session) -> Gathering | None:
        """The session as one that gathers what this run streams, many iterations at a time.

        None if there are no streams, or if every state has to be looked at.
        """
        if not self.streams or self.model.doubtful:
            return None
        number, counts = self.model.layout.number, self.given.counts
        return Gathering(
            session,
            [
                Wanted(
                    number(state_column(of.name)),
                    number(state_column(state.name)),
                    _rows_of(state, counts),
                    self.model.infinity if state.type.kind is Kind.LENGTH else 0,
                )
                for of, state in self._collector.streams.values()
            ],
        )

    def take(self, gathering: Gathering) -> None:
        """Collect what was gathered."""
        for stretch in gathering.taken():
            for name, gathered in zip(self.streams, stretch, strict=True):
                self._collector.add(name, gathered, self.given.counts)

    @property
    def most_iterations(self) -> int:
        """The iterations that the program declares for this input."""
        return self.program.most_iterations(*self.given.counts)

    @property
    def halted(self) -> bool:
        """Whether the last state that was read is that of a halted run."""
        return self._step is not None and self._step.halted

    def read(
        self,
        state: Callable[[], FloatArray],
        iteration: int,
        *,
        halted: bool,
        collects: bool = True,
        by_column: Callable[[], Columnwise] | None = None,
    ) -> None:
        """Read the state after `iteration` iterations; `state` is called only if needed. No state is read twice.

        Without `collects`, what it streams is left to `take`. `by_column` says how one column is got, if not from the
        state.
        """
        fresh, self.iterations = collects and iteration > self.iterations, iteration
        if self.halted or not (halted or (fresh and self.streams)):
            return
        section = "before" if self.program.begins and iteration == 1 else "body"
        X = state() if by_column is None or self.model.doubtful else by_column()
        if not callable(X) and self.model.doubtful:  # others have a certificate, and no number of theirs is as large
            require_range(X, iteration)
        states = States(self.model, self.program, X, self.given.counts)
        self._step = IterationEnd(iteration, section, states, (), halted, self.model.infinity)  # type: ignore[arg-type]
        if fresh:  # the checkpoint of a run that had ended has its last entries already
            self._collector.collect(self._step)

    @property
    def states(self) -> Mapping[str, Numbers] | None:
        """The last states that were read; None if there are none."""
        return None if self._step is None else self._step.states

    def result(self, backend: str, verified: str, memory: int | None = None) -> Result:
        """The result of the run, which has halted; `verified` is how far its weights are trusted."""
        if self._step is None:
            raise HyloopError(f"The run of {self.model.name} has no state to read a result from.")
        about = (self.program, self.given, backend, self._step, self.streams)
        return result_of(*about, memory=memory, verified=verified, capacity=self.model.capacity)


class States(Mapping[str, Numbers]):
    """The program's states in a state of the machine, each read from its column on access."""

    def __init__(self, model: Model, program: Program, X: FloatArray | Columnwise, counts: tuple[int, int]) -> None:
        """`X` is the whole state, or says what a column of it holds."""
        self._model, self._program, self._counts = model, program, counts
        self._column: Columnwise = X if callable(X) else lambda number, rows: X[:rows, number]

    def __getitem__(self, name: str) -> Numbers:
        state = self._program.state(name)
        return _read_state(state, self._rows(state), self._counts)

    def where_not(self, state: State, absent: int) -> tuple[IntArray, IntArray]:
        """The places, from 0, where an array is anything but `absent`, and what it is there."""
        rows = self._rows(state)[1:]
        places = (rows != absent).nonzero()[0]
        try:
            return places, read(state.name, state.type, rows[places], self._counts)
        except ModelError:
            read(state.name, state.type, rows, self._counts)  # the same, which knows the row
            raise

    def _rows(self, state: State) -> FloatArray:
        """Row 0, and those of the state."""
        rows = 0 if state.type.scope is Scope.SCALAR else _rows_of(state, self._counts)
        return self._column(self._model.layout.number(state_column(state.name)), 1 + rows)

    def __iter__(self) -> Iterator[str]:
        return (state.name for state in self._program.states)

    def __len__(self) -> int:
        return len(self._program.states)


def read_state(model: Model, state: State, X: FloatArray, counts: tuple[int, int]) -> Numbers:
    """A state of the program, read from the column that holds it; `counts` are those of vertices and hyperedges.

    Raises `ModelError` for a number that is no value of the state's type; nothing is rounded.
    """
    return _read_state(state, X[:, model.layout.number(state_column(state.name))], counts)


def _read_state(state: State, column: FloatArray, counts: tuple[int, int]) -> Numbers:
    if state.type.scope is Scope.SCALAR:
        return read_one(state.name, state.type, column, counts)
    return read(state.name, state.type, column[1 : 1 + _rows_of(state, counts)], counts)


def _rows_of(state: State, counts: tuple[int, int]) -> int:
    return counts[0] if state.type.scope is Scope.VERTICES else counts[1]


# -- streams --------------------------------------------------------------------------------------------------------


class Collector:
    """What a run streams, as integers: all but zeros, or, of lengths, all that are finite."""

    def __init__(self, program: Program, h: Hypergraph) -> None:
        self._h = h
        self.entries: dict[str, list[Entry]] = {}
        self.streams: dict[str, tuple[State, State]] = {}
        for output in program.outputs:
            if output.form == "stream":
                self.entries[output.name] = []
                self.streams[output.name] = program.state(str(output.of)), program.state(output.state)

    def collect(self, step: IterationEnd) -> None:
        """Add what an iteration streams."""
        for name, (of, state) in self.streams.items():
            if about := int(step.states[of.name]):
                absent = step.infinity if state.type.kind is Kind.LENGTH else 0
                self._add(name, about - 1, *_where_not(step.states, state, absent))

    def _add(self, name: str, about: int, places: IntArray, integers: Any) -> None:
        of, state = self.streams[name]
        kinds = str(of.type.kind), str(POINTER_TO[state.type.scope])
        self.entries[name].append(Entry.numbered(Numbered(self._h, *kinds, about, places, integers)))

    def add(self, name: str, gathered: Gathered, counts: tuple[int, int]) -> None:
        """Add what was gathered, a column of the stream for each entry."""
        of, state = self.streams[name]
        kinds = str(of.type.kind), str(POINTER_TO[state.type.scope])
        about = (read(of.name, of.type, gathered.about, counts) - 1).tolist()
        ends, values = gathered.ends.tolist(), _checked(state, gathered, counts)
        add, places, h, begin = self.entries[name].append, gathered.places, self._h, 0
        for one, end in zip(about, ends, strict=True):
            add(Entry.numbered(Numbered(h, *kinds, one, places[begin:end], values[begin:end])))
            begin = end

    def resume(self, streams: Mapping[str, Sequence[Entry]]) -> None:
        """Begin with the entries of a checkpoint."""
        for name, entries in streams.items():
            of, state = self.streams[name]
            for entry in entries:
                [about] = numbers_in(self._h, SCOPE_OF[of.type.kind], [entry.about])
                places = numbers_in(self._h, state.type.scope, list(entry.values))
                self._add(name, about, np.array(places, np.int64), integers(list(entry.values.values())))


def _checked(state: State, gathered: Gathered, counts: tuple[int, int]) -> IntArray:
    """The values that were gathered, as integers."""
    try:
        return read(state.name, state.type, gathered.values, counts)
    except ModelError:  # the same, a column at a time, which knows the row
        for begin, end in zip([0, *gathered.ends], gathered.ends, strict=False):
            column = np.zeros(_rows_of(state, counts))
            column[gathered.places[begin:end]] = gathered.values[begin:end]
            read(state.name, state.type, column, counts)
        raise


def _where_not(states: Mapping[str, Any], state: State, absent: int) -> tuple[IntArray, Any]:
    if isinstance(states, States):
        return states.where_not(state, absent)
    array = states[state.name]
    places = (array != absent).nonzero()[0]
    return places, array[places]


# -- from integers to labels ----------------------------------------------------------------------------------------


def result_of(
    program: Program,
    given: Given,
    backend: str,
    step: IterationEnd,
    collected: Mapping[str, list[Entry]],
    *,
    memory: int | None = None,
    verified: str | None = None,
    capacity: Capacity | None = None,
) -> Result:
    """The result: the last states and the streams, with labels."""
    scale = Scale(given.hypergraph, given.unit, step.infinity)
    kinds = {output.name: _kind(program, output) for output in program.outputs}
    vertices: dict[str, ArrayOutput | QuotientOutput] = {}
    hyperedges: dict[str, ArrayOutput | QuotientOutput] = {}
    scalars: dict[str, Value] = {}
    streams: dict[str, Stream] = {}
    for output in program.outputs:
        scope = program.state(output.state).type.scope
        if output.form == "stream":
            streams[output.name] = _stream(program, scale, output, collected[output.name])
        elif output.form == "total" or scope is Scope.SCALAR:
            _put(scalars, output, _scalar(program, scale, step, output))
        else:
            side = vertices if scope is Scope.VERTICES else hyperedges
            side[output.name] = array_output(program, scale, step, output)
    collapsed = {name: _all_or_none(value) for name, value in scalars.items()}
    shared = (program.name, backend, step.iteration, step.halted, given.hypergraph)
    arrays = ArrayOutputs(vertices), ArrayOutputs(hyperedges)
    room = None if capacity is None else (capacity.rows, capacity.weight)
    return Result(*shared, *arrays, collapsed, streams, memory, verified, kinds, given.unit, room)


def states_of(output: Output) -> tuple[str, ...]:
    """The states that an output is made of at the end of a run."""
    states = (output.state, output.known, output.unless, output.over)
    return tuple(each for each in states if each is not None)


def columns_of(model: Model, output: Output) -> dict[str, int]:
    """The states that an output over vertices or hyperedges is read from, and their columns."""
    return {each: model.layout.number(state_column(each)) for each in states_of(output)}


def write_array(
    model: Model,
    given: Given,
    output: Output,
    column: Callable[[int], IntArray],
    out: npt.NDArray[Any],
) -> None:
    """Write an output of many runs, a row each, as `Result.array` has it. `column` gives tables with a row a run."""
    program = program_of(model)
    states: dict[str, Any] = {}
    for state, number in columns_of(model, output).items():
        of = program.state(state)
        states[state] = column(number)[: len(out), 1 : 1 + _rows_of(of, given.counts)]
        require_values(of.name, of.type, states[state], given.counts)
    step = IterationEnd(0, "body", states, (), halted=True, infinity=model.infinity)
    array_output(program, Scale(given.hypergraph, given.unit, model.infinity), step, output).write(out)


def _kind(program: Program, output: Output) -> str:
    return str(program.state(output.state).type.kind) if output.over is None else "quotient"


def decoded(given: Given, infinity: int, type_: Type, value: Any) -> Any:
    """A value of a program as people read it: one value, or a dictionary by label. `infinity` stands for infinite."""
    scale = Scale(given.hypergraph, given.unit, infinity)
    if type_.scope is Scope.SCALAR:
        [only] = scale.values(str(type_.kind), [int(value)])
        return only
    found = scale.values(str(type_.kind), value.tolist())
    return dict(zip(labels_of(given.hypergraph, type_.scope), found, strict=True))


def _stream(program: Program, scale: Scale, output: Output, entries: Sequence[Entry]) -> Stream:
    """What was collected, decoded by kind."""
    type_, about = program.state(output.state).type, program.state(str(output.of)).type.kind
    return Stream.numbered(scale, str(about), entries, str(POINTER_TO[type_.scope]), str(type_.kind))


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


def _scalar(program: Program, scale: Scale, step: IterationEnd, output: Output) -> Value:
    state = program.state(output.state)
    if output.form == "total":
        return int(sum(step.states[output.state].tolist()))
    if not _shown(step, output):
        return None
    [value] = scale.values(str(state.type.kind), [int(step.states[output.state])])
    if output.over is not None:
        by = str(program.state(output.over).type.kind)
        return divided(value, *scale.values(by, [int(step.states[output.over])]))
    return value


def array_output(program: Program, scale: Scale, step: IterationEnd, output: Output) -> ArrayOutput | QuotientOutput:
    """An output that has several values: one for each vertex or hyperedge, or for each hypergraph of a batch."""
    kind = str(program.state(output.state).type.kind)
    if output.over is not None:
        by = ArrayOutput(scale, str(program.state(output.over).type.kind), step.states[output.over])
        return QuotientOutput(ArrayOutput(scale, kind, step.states[output.state]), by)
    for flag, wanted in ((output.known, True), (output.unless, False)):
        if flag is not None:
            there: Any = step.states[flag] != 0
            return ArrayOutput(scale, kind, step.states[output.state], there if wanted else ~there)
    return ArrayOutput(scale, kind, step.states[output.state])


def _shown(step: IterationEnd, output: Output) -> bool:
    for flag, wanted in ((output.known, True), (output.unless, False)):
        if flag is not None:
            return bool(step.states[flag]) is wanted
    return True
