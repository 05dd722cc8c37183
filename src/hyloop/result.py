"""What a run gives back: labels instead of numbers, exact values, and a form for JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn

from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph, Label
from hyloop.labels import label_in_json
from hyloop.numbers import in_json, plural, short
from hyloop.references import above

Value = Label | Fraction | bool | None | tuple["Value", ...]
LABELLED = ("vertex", "hyperedge")  # the kinds whose values are labels


@dataclass(frozen=True)
class Entry:
    """One column of a stream: what it is about, and the values, without those that are 0, none or infinite.

    A length of 0 is among them.
    """

    about: Label
    values: Mapping[Label, Value]


@dataclass(frozen=True)
class Stream:
    """An array that was recorded while the algorithm ran: `kind` says whether its entries are about vertices.

    `over` says whether the array has an entry for each vertex or for each hyperedge, and `holds` the kind of these.
    """

    kind: str
    entries: tuple[Entry, ...]
    over: str = field(default="vertex", compare=False)
    holds: str = field(default="count", compare=False)

    @property
    def absent(self) -> Value:
        """What stands for a value that is left out."""
        return {"count": 0, "flag": False}.get(self.holds)


@dataclass(frozen=True)
class Matrix:
    """A result for pairs: a row for each entry of a stream, a column for each vertex or hyperedge.

    >>> import hyloop
    >>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "tug": ["Quay", "Mole"]})
    >>> overlaps = hyloop.run("projection", h).matrix("overlap")
    >>> overlaps["ferry", "tug"], overlaps.values
    (1, ((0, 1), (1, 0)))
    """

    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    values: tuple[tuple[Value, ...], ...]

    def __getitem__(self, pair: tuple[Label, Label]) -> Value:
        """The value for a row and a column, by their labels."""
        given: object = pair
        if not isinstance(given, tuple) or len(given) != 2:
            raise HyloopError(f"A matrix is asked for a row and a column, matrix[row, column]; not {pair!r}.")
        row, column = pair
        if row not in self.rows or column not in self.columns:
            raise HyloopError(f"The matrix has no entry for {row!r} and {column!r}.")
        return self.values[self.rows.index(row)][self.columns.index(column)]

    def to_frame(self) -> Any:
        """The matrix as a pandas DataFrame."""
        try:
            import pandas as pd
        except ImportError:
            raise HyloopError("A data frame needs pandas: pip install pandas.") from None
        return pd.DataFrame(list(self.values), index=list(self.rows), columns=list(self.columns), dtype=object)


@dataclass(frozen=True)
class Path:
    """A path from the source: its vertices in order, and the hyperedge between each two."""

    vertices: tuple[Label, ...]
    hyperedges: tuple[Label, ...]


class NoOutputError(HyloopError, KeyError):
    """There is no output of that name. `get` takes it for a no, as of any other mapping."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # a KeyError would put it in quotes


class Values(dict[Label, Any]):
    """The values of an output by label: a dictionary that cannot be changed, as all who ask for it get the same one."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise HyloopError("An output cannot be changed; dict(...) of it makes a copy that can.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[Values], tuple[dict[Label, Any]]]:
        return Values, (dict(self),)


@dataclass(frozen=True)
class Result(Mapping[str, Any]):
    """The outputs of a run, by name: one value a vertex, one a hyperedge, or one in all; and streams.

    A read-only mapping of them: `result["distance"]`, `in`, `len`, `for`, `keys`, `values`, `items` and `get`.

    >>> import hyloop
    >>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]}, weights={"ferry": 2})
    >>> hyloop.run("dijkstra", h, source="Quay")["distance"]
    {'Quay': Fraction(0, 1), 'Isle': Fraction(2, 1)}
    """

    algorithm: str
    backend: str
    iterations: int
    halted: bool
    hypergraph: Hypergraph = field(repr=False)
    vertices: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    hyperedges: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    scalars: Mapping[str, Value] = field(default_factory=dict)
    streams: Mapping[str, Stream] = field(default_factory=dict)
    memory: int | None = field(default=None, compare=False)  # bytes that the executor held; None: no executor
    verified: str | None = field(default=None, compare=False)  # how far the model is trusted; None: no model
    # What the values of each output are: flag, count, length, vertex or hyperedge. (Labels can be numbers, too.)
    kinds: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    _by_label: dict[str, Values] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        outputs = ", ".join(self)
        h = f"{len(self.hypergraph.vertices):,} vertices, {len(self.hypergraph.hyperedges):,} hyperedges"
        work = f"{plural(self.iterations, 'iteration')} ({self.backend})"
        doubt = f", {self.doubt}" if self.doubt else ""
        return f"<Result of {self.algorithm}: {outputs}; {h}; {work}{doubt}>"

    @property
    def doubt(self) -> str:
        """The warning to show with the result: empty, unless the model was unverified."""
        return "by an unverified model" if self.verified == "unverified" else ""

    def __getitem__(self, name: str) -> Any:
        """An output by its name: a value, or a dictionary by label, made once and not to be changed."""
        if name in self._by_label:
            return self._by_label[name]
        for labels, outputs in (
            (self.hypergraph.vertices, self.vertices),
            (self.hypergraph.hyperedges, self.hyperedges),
        ):
            if name in outputs:
                return self._by_label.setdefault(name, Values(zip(labels, outputs[name], strict=True)))
        if name in self.scalars:
            return self.scalars[name]
        if name in self.streams:
            return self.streams[name]
        raise NoOutputError(f"{self.algorithm} has no output {name!r}; it has {', '.join(self)}.")

    def __iter__(self) -> Iterator[str]:
        """The names of the outputs: those over the vertices, those over the hyperedges, single values, streams."""
        return iter((*self.vertices, *self.hyperedges, *self.scalars, *self.streams))

    def __len__(self) -> int:
        """How many outputs there are."""
        return len(self.vertices) + len(self.hyperedges) + len(self.scalars) + len(self.streams)

    def __contains__(self, name: object) -> bool:
        """Whether there is an output of this name."""
        return name in [*self]

    def __getattr__(self, name: str) -> Any:
        if "streams" in self.__dict__ and name in self:  # a copy is asked for names before it has any outputs
            raise AttributeError(f"outputs are taken by name: result[{name!r}].")
        raise AttributeError(f"a Result has no {name!r}")

    def matrix(self, name: str) -> Matrix:
        """A stream as a matrix: one row for each vertex or hyperedge that it is about, in the order of the stream."""
        if name not in self.streams:
            raise HyloopError(f"{self.algorithm} has no stream {name!r}; a matrix is made of one.")
        stream = self.streams[name]
        rows = tuple(entry.about for entry in stream.entries)
        if len(set(rows)) < len(rows):
            twice = next(row for number, row in enumerate(rows) if row in rows[:number])
            raise HyloopError(f"{name} has several entries about {twice!r}; a matrix has one row for each.")
        columns = self.hypergraph.vertices if stream.over == "vertex" else self.hypergraph.hyperedges
        found = (tuple(entry.values.get(label, stream.absent) for label in columns) for entry in stream.entries)
        return Matrix(rows, columns, tuple(found))

    def path(self, to: Label) -> Path | None:
        """The path to a vertex, from the predecessors; None if it was not reached.

        A vertex without a predecessor counts as reached if it has a distance, level or order; where the algorithm gives
        none of these, if it is the predecessor of another.
        """
        if "predecessor" not in self.vertices:
            raise HyloopError(f"{self.algorithm} gives no predecessors, so there is no path to follow.")
        if not self._reached(to):
            return None
        before = self["predecessor"]
        steps = [to]
        while before[steps[-1]] is not None:
            steps.append(before[steps[-1]])
            if len(steps) > len(before):
                raise HyloopError(
                    f"The predecessors that {self.algorithm} gives lead in a circle, through {steps[-1]!r}."
                )
        steps.reverse()
        through = self["hyperedge"] if "hyperedge" in self.vertices else None
        hyperedges = (through[v] if through else self._shared(u, v) for u, v in pairwise(steps))
        return Path(tuple(steps), tuple(hyperedges))

    def _shared(self, u: Label, v: Label) -> Label:
        """The first hyperedge with both vertices, where the algorithm does not say which it took."""
        for name in self.hypergraph.hyperedges_of(u):
            if v in self.hypergraph.members_of(name):
                return name
        raise HyloopError(f"{self.algorithm} gives {u!r} as the predecessor of {v!r}, but no hyperedge has both.")

    def _reached(self, vertex: Label) -> bool:
        number = self.hypergraph.vertex_number(vertex)
        if self.vertices["predecessor"][number] is not None:
            return True
        told = [self.vertices[name][number] for name in ("distance", "level", "order") if name in self.vertices]
        return any(value is not None for value in told) if told else vertex in self.vertices["predecessor"]

    def to_frame(self) -> Any:
        """The outputs over the vertices (or, if there are none, over the hyperedges) as a pandas DataFrame."""
        try:
            import pandas as pd
        except ImportError:
            raise HyloopError("A data frame needs pandas: pip install pandas.") from None
        if self.vertices or not self.hyperedges:
            return pd.DataFrame(dict(self.vertices), index=pd.Index(self.hypergraph.vertices, name="vertex"))
        return pd.DataFrame(dict(self.hyperedges), index=pd.Index(self.hypergraph.hyperedges, name="hyperedge"))

    def _repr_html_(self) -> str:
        return str(above("Result._repr_html_")(self))

    def to_json(self) -> dict[str, Any]:
        """A document of plain JSON types; infinite and none are null.

        A number that a double does not print as it is (1/3, integers beyond 2⁵³) is text, exact: `hyloop.numbers`. A
        label is written by `hyloop.labels.label_in_json`, wherever it stands.
        """
        return {
            "algorithm": self.algorithm,
            "backend": self.backend,
            "verified": self.verified,
            "iterations": self.iterations,
            "halted": self.halted,
            "memory": self.memory,
            "vertices": self._records("vertex", self.hypergraph.vertices, self.vertices),
            "hyperedges": self._records("hyperedge", self.hypergraph.hyperedges, self.hyperedges),
            "scalars": {name: plain(value, self.kinds.get(name)) for name, value in self.scalars.items()},
            "streams": {name: list(stream_records(stream)) for name, stream in self.streams.items()},
        }

    def _records(
        self, what: str, labels: tuple[Label, ...], outputs: Mapping[str, tuple[Value, ...]]
    ) -> list[dict[str, Any]]:
        if not outputs:
            return []
        return [
            {
                what: label_in_json(label),
                **{name: plain(values[number], self.kinds.get(name)) for name, values in outputs.items()},
            }
            for number, label in enumerate(labels)
        ]


def stream_records(stream: Stream) -> Iterator[dict[str, Any]]:
    """The entries of a stream as JSON."""
    for entry in stream.entries:
        yield {stream.kind: label_in_json(entry.about), "values": plain(entry.values, stream.holds)}


def inputs_in_json(inputs: Mapping[str, Any], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Inputs by name as JSON; `kinds` says what their values are."""
    return {name: plain(value, kinds.get(name)) for name, value in inputs.items()}


def in_cell(value: object, text: Callable[[object], str]) -> str:
    """A value as a cell of a table shows it; `text` is how labels are written there."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(in_cell(each, text) for each in value)
    return short(value) if isinstance(value, int | Fraction) else text(value)


def plain(value: Value | Mapping[Label, Any], kind: str | None = None) -> Any:
    """A value of a kind as JSON has it: numbers as `numbers.in_json` gives them, labels as `labels.label_in_json`.

    Only the kind tells a label from a count. A tuple is a list. An array that was given by label is a list of pairs: a
    JSON object could not tell the labels 1 and "1" apart.
    """
    if isinstance(value, Mapping):
        return [[label_in_json(label), plain(each, kind)] for label, each in value.items()]
    if isinstance(value, tuple):
        return [plain(each, kind) for each in value]
    if kind in LABELLED and isinstance(value, str | int):
        return label_in_json(value)
    return in_json(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value
