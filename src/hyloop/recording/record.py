"""`hyloop.trace`: run a transformer and the interpreter side by side, and record what changes.

The executor's state after every iteration is authoritative; the layers in between are computed one by one from the
state before, and must end in that same state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from hyloop._version import __version__
from hyloop.errors import HyloopError
from hyloop.execute.backends import BACKENDS
from hyloop.execute.loop import iterate
from hyloop.execute.prepare import Encoded, Given, encoded, given_to, program_of
from hyloop.execute.session import Mirror
from hyloop.execute.watch import Looks, Watched
from hyloop.fitting import fitting_model
from hyloop.hypergraph import Label, shown
from hyloop.hypergraph.labels import is_unicode
from hyloop.hypergraph.values import is_integer, require_flags, require_progress
from hyloop.lang import Algorithm, Program
from hyloop.machine.model import EXACT, Model
from hyloop.numbers import counted, written
from hyloop.recording.attention import RecordedHead
from hyloop.recording.beside import Beside
from hyloop.recording.changes import Changes
from hyloop.recording.describe import (
    arrays_document,
    hypergraph_document,
    inputs_document,
    model_document,
    named_locals,
    note_document,
    operations_document,
    outputs_document,
    variables,
)
from hyloop.recording.fits import names_fit
from hyloop.recording.schema import FORMAT, SAFE, VERSION
from hyloop.recording.shows import shows
from hyloop.recording.source import source_of, with_source
from hyloop.recording.trace import Trace
from hyloop.running import DEFAULT_BACKEND

FloatArray = npt.NDArray[np.floating]

LIMIT = 100 * 10**6  # bytes of the document
FEW = 4_000_000  # up to so many rows × layers × iterations, layers are recorded by default


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# Options of `trace` that `run` does not have: inputs of such a name are for `record_run`.
OPTIONS = frozenset(("first", "keep", "last", "layers", "limit", "name"))


@dataclass(frozen=True)
class IterationSelection:
    """Which iterations to record: every n-th of the first and of the last ones. `total` is for the last ones only."""

    every: int = 1
    first: int | None = None
    last: int | None = None
    total: int = 0

    def __post_init__(self) -> None:
        for name, value in (("every", self.every), ("first", self.first), ("last", self.last)):
            if (value is not None or name == "every") and not (_is_whole(value) and cast("int", value) >= 1):
                raise HyloopError(f"`{name}` is a number of iterations, at least 1; not {shown(value)}.")
            if value is not None and value > SAFE:
                raise HyloopError(f"`{name}` is a number of iterations, below 2^53; not {counted(value)}.")

    def has(self, iteration: int) -> bool:
        """Whether the options select an iteration (the last one is always recorded)."""
        if iteration % self.every and iteration != 1:
            return False
        if self.first is None and self.last is None:
            return True
        return iteration <= (self.first or 0) or (self.last is not None and iteration > self.total - self.last)

    def over(self, iteration: int) -> bool:
        """Whether no later iteration is wanted."""
        return self.first is not None and self.last is None and iteration >= self.first

    def count(self, most: int) -> int:
        """An upper bound of the number of recorded iterations."""
        among = most if self.first is None and self.last is None else min(most, (self.first or 0) + (self.last or 0))
        return -(-among // self.every) + 2


def trace(
    algorithm: str | Algorithm | Program | Model,
    hypergraph: object,
    *,
    name: str = "",
    layers: bool | None = None,
    every: int = 1,
    first: int | None = None,
    last: int | None = None,
    limit: int = LIMIT,
    backend: str | None = None,
    ignore_direction: bool = False,
    keep: Mapping[Label, tuple[float, float]] | None = None,
    progress: Callable[[int], None] | None = None,
    **inputs: Any,
) -> Trace:
    """Run an algorithm as a looped transformer, beside the interpreter, and record it.

    `layers` also records the state after every layer and the attention of each head; by default only for small
    hypergraphs. `every`, `first` and `last` select iterations. `limit` is the maximum size of the document in bytes of
    JSON; the recording stops with the iteration that reaches it, and says so. `name` is the title of the hypergraph,
    `keep` gives positions of vertices in its picture. Everything else is as for `hyloop.run`.

    >>> import hyloop
    >>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]}, weights={"ferry": 2})
    >>> found = hyloop.trace("dijkstra", h, source="Quay")
    >>> found.at(1)["distance"], found.at(2)["distance"]
    ({'Quay': Fraction(0, 1), 'Isle': None}, {'Quay': Fraction(0, 1), 'Isle': Fraction(2, 1)})
    """
    program = program_of(algorithm)
    for each in program.inputs:
        if each.name in OPTIONS:
            raise HyloopError(
                f"{program.name} has an input called {each.name!r}, an option of every recording: rename it, or use "
                f"hyloop.recording.record_run, which takes the inputs as a dictionary."
            )
    return record_run(
        algorithm,
        hypergraph,
        inputs,
        name=name,
        layers=layers,
        every=every,
        first=first,
        last=last,
        limit=limit,
        backend=backend,
        ignore_direction=ignore_direction,
        keep=keep,
        progress=progress,
    )


def record_run(
    algorithm: str | Algorithm | Program | Model,
    hypergraph: object,
    inputs: Mapping[str, Any],
    *,
    name: str = "",
    layers: bool | None = None,
    every: int = 1,
    first: int | None = None,
    last: int | None = None,
    limit: int = LIMIT,
    backend: str | None = None,
    ignore_direction: bool = False,
    keep: Mapping[Label, tuple[float, float]] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Trace:
    """As `trace`, with the inputs in a dictionary: an input may be called as an option is, such as `limit`."""
    program = with_source(program_of(algorithm))
    backend = DEFAULT_BACKEND if backend is None else backend
    if backend not in BACKENDS:
        raise HyloopError(f"A recording is of the transformer, by one of {', '.join(BACKENDS)}; not by {backend!r}.")
    require_progress(progress, "iterations")
    if not is_integer(limit) or limit < 1:
        raise HyloopError(f"The limit is a number of bytes, at least 1; not {shown(limit)}.")
    require_flags(**({} if layers is None else {"layers": layers}))
    _require_title(name)
    given = given_to(program, hypergraph, inputs, ignore_direction=ignore_direction)
    model = algorithm if isinstance(algorithm, Model) else fitting_model(program, given)
    most = program.most_iterations(*given.counts)
    wanted = IterationSelection(every, first, last)
    if last is not None:
        wanted = IterationSelection(every, first, last, _length(encoded(model, given), backend, most, program.name))
    if layers is None:
        rows = max(given.counts) + 1
        layers = rows * len(model.layers) * wanted.count(most) <= FEW
    pictured = hypergraph_document(given.hypergraph, name, keep)
    recorder = _Recorder(model, program, given, backend, wanted, pictured, layers=layers, limit=limit)
    recorder.run(most, progress)
    return Trace(recorder.document(), model)


def _require_title(name: object) -> None:
    """Raise for a name of the hypergraph that a file cannot hold."""
    if not isinstance(name, str) or not is_unicode(name):
        raise HyloopError(f"The name of the hypergraph is a text, of whole letters; not {shown(name)}.")


def _length(begin: Encoded, backend: str, most: int, program: str) -> int:
    """The number of iterations of a run. An edited model need not halt: then the number that is allowed."""
    with closing(begin.start(backend)) as session:
        *_, last = iterate(session, most, stride=None, program=program, circles=True)
    return last.iteration


class _Recorder:
    def __init__(
        self,
        model: Model,
        program: Program,
        given: Given,
        backend: str,
        wanted: IterationSelection,
        hypergraph: Mapping[str, Any],
        *,
        layers: bool,
        limit: int,
    ) -> None:
        self.model, self.program, self.given, self.wanted, self.hypergraph = model, program, given, wanted, hypergraph
        self.layers, self.limit, self.backend = layers, limit, backend
        begin = encoded(model, given)
        self.X = begin.X
        self.session = begin.start(backend)
        self.mirror = Mirror(self.session)
        self.watched = Watched(model, begin.incidence, begin.size) if layers else None
        self.source = source_of(program)
        self.variables = variables(model, program, self.source, layers=layers)
        self.beside = Beside(model, program, given, self.source, named_locals(program, self.source))
        self.columns = [Changes(self.X[:, number].copy()) for number in range(len(model.layout))]
        self.states = {each.place.column: each.name for each in self.variables if each.place.role == "state"}
        for number in self.states:
            self.columns[number].line = []
        self.attention = [
            RecordedHead(layer, head, spreads=part.kind != "plain")
            for layer, each in enumerate(model.layers, start=1)
            for head, part in enumerate(each.heads, start=1)
        ]
        self.iterations, self.layer_of = [0], [0]
        self.done, self.halted, self.stopped = 0, False, ""
        begun = self.document()
        if not names_fit(begun):
            self.session.close()
            raise HyloopError(
                "The columns of the model are not those of its program: what they are said to hold was edited. It "
                "cannot be recorded."
            )
        self.size = len(json.dumps(begun, ensure_ascii=False, separators=(",", ":")).encode())

    def run(self, most: int, progress: Callable[[int], None] | None) -> None:
        """Run until the transformer halts or the recording ends."""
        before: FloatArray | None = None
        with closing(self.session):
            for pause in iterate(self.session, most):
                self.done, self.halted = pause.iteration, pause.halted
                before = self._iterated(before) if pause.iteration else self._begun()
                if pause.iteration and progress is not None:
                    progress(self.done)
                if self._ends():
                    return
        if not self.halted:
            self.stopped = f"The transformer did not halt within the {most:,} iterations that the program declares."

    def _ends(self) -> bool:
        if self.halted or self.stopped:
            return bool(self.stopped)
        if self.done and self.size > self.limit:
            self.stopped = (
                f"The recording reached its limit of {written(self.limit / 10**6)} MB after iteration {self.done:,}. "
                "To see more, record fewer iterations (every, first, last), leave out the layers, or raise the limit."
            )
        elif self.wanted.over(self.done):
            self.stopped = f"Only the first {self.done:,} iterations were recorded."
        return bool(self.stopped)

    def _begun(self) -> FloatArray | None:
        """The initial state, if layers are recorded: those of the first iteration are computed from it."""
        if self.halted:
            self.beside.halted_at_once(self.X, self.variables)
        return self.session.state() if self.watched is not None else None

    def _iterated(self, before: FloatArray | None) -> FloatArray | None:
        """Record the iteration that was just run, if it is wanted; returns the state after it, if layers are."""
        self.beside.advance()
        wanted = self.wanted.has(self.done) or self.halted
        if self.watched is None:
            if wanted:
                self._record(None, self.mirror.state())
            return None
        after = self.session.state()
        if wanted:
            self._record(before, after)
        return after

    def _record(self, before: FloatArray | None, after: FloatArray) -> None:
        """The frames of the iteration that was just run, from the state before it and the one after it."""
        steps: list[tuple[FloatArray, list[Looks]]] = [(after, [])]
        last = len(self.model.layers)
        if self.watched is not None and before is not None:
            steps = list(self.watched.iteration(before))
            steps[-1] = (self._same(steps[-1][0], after), steps[-1][1])
        if not all(np.isfinite(X).all() for X, _ in steps):
            self.stopped = f"In iteration {self.done:,} the transformer left the numbers that a float can hold."
            return
        for layer, (X, seen) in enumerate(steps, start=last + 1 - len(steps)):
            self.X = X
            frame = self._frame(layer)
            mine = (each for each in self.attention if each.layer == layer) if seen else ()
            for each, look in zip(mine, seen, strict=True):
                self.size += each.note(frame, look)
        self.size += self.beside.record(len(self.iterations) - 1)

    def _same(self, watched: FloatArray, state: FloatArray) -> FloatArray:
        """The executor's state; the layers must have led to it, unless numbers are no integers any more."""
        whole = np.array_equal(state, np.rint(state)) and np.abs(state).max() < EXACT[self.model.dtype]
        if whole and not np.array_equal(watched, state):
            raise HyloopError(self._parted())
        return state

    def _parted(self) -> str:
        """Why the layers and the executor part: a model that nobody vouches for, or else an executor that is wrong."""
        name, done = self.model.name, f"In iteration {self.done:,}"
        if self.model.verified == "unverified":
            return (
                f"{done} a number within a layer of {name} leaves the range in which the machine is exact, so that "
                "layers and executor end in different states. The model is unverified; it can be recorded without its "
                "layers, and `hyloop prove` says more."
            )
        return (
            f"{done} the executor {self.backend!r} ends in another state than the layers of {name}, which is verified: "
            "this is a fault of that executor. Please report it; another backend may be right."
        )

    def _frame(self, layer: int) -> int:
        """Add a frame for the current state."""
        frame = len(self.iterations)
        # The first layers after iterations that are not recorded have made none of this iteration's assignments.
        known = self.done - self.iterations[-1] <= 1 or layer == len(self.model.layers)
        self.iterations.append(self.done)
        self.layer_of.append(layer)
        touched = (
            range(len(self.columns)) if self.mirror.touched is None else np.flatnonzero(self.mirror.touched).tolist()
        )
        for number in touched:
            column, name = self.columns[number], self.states.get(number)
            line_of = (lambda row, name=name: self.beside.line(name, row)) if name is not None and known else None
            self.size += column.become(frame, self.X[:, number], line_of)
        self.beside.compare(frame, layer, self.X, self.variables)
        return frame

    def document(self) -> dict[str, Any]:
        """The document of the trace."""
        source = self.source
        unplaced = arrays_document(self.model, self.program, self.given)
        return {
            "format": FORMAT,
            "version": VERSION,
            "hyloop": __version__,
            "algorithm": {
                "name": self.program.name,
                "about": self.program.about,
                "file": source.file,
                "source": list(source.lines),
                "first": source.first,
                "listing": source.listing,
                "begins": self.program.begins,
                "ops": operations_document(self.program, source),
                "outputs": outputs_document(self.program),
                **({} if source.shipped else {"shipped": False}),
                **({"meaning": source.meaning} if source.meaning else {}),
                **({"functions": [asdict(each) for each in source.functions]} if source.functions else {}),
                **({"notes": [note_document(each) for each in source.notes]} if source.notes else {}),
            },
            "inputs": inputs_document(self.program, self.given),
            **({"arrays": unplaced} if unplaced else {}),
            "hypergraph": self.hypergraph,
            "unit": written(self.given.unit),
            "model": model_document(self.model),
            "recorded": {
                "layers": self.layers,
                "every": self.wanted.every,
                "first": self.wanted.first,
                "last": self.wanted.last,
                "iterations": self.done,
                "halted": self.halted,
                "stopped": self.stopped,
                "backend": self.backend,
            },
            "frames": {"iteration": self.iterations, "layer": self.layer_of},
            "columns": [column.document() for column in self.columns],
            "variables": [each.document() for each in self.variables],
            "program": list(self.beside.documents()),
            "attention": [each.document() for each in self.attention] if self.layers else [],
            "differences": {
                "first": self.beside.first,
                "more": self.beside.more,
                "values": self.beside.differences,
            },
            "shows": shows(self.program, [each for each, _ in self.beside.named]),
        }
