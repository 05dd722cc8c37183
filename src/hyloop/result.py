"""What a run gives back: labels instead of numbers, exact values, and a form for JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph, Label, shown
from hyloop.labels import label_in_json
from hyloop.memory import require_memory
from hyloop.numbers import Exact, in_json, plural, short
from hyloop.references import above

Value = Label | Fraction | bool | None | tuple["Value", ...]
Integers = npt.NDArray[Any]  # of 64 bits; Python's own where the interpreter needs longer ones
NONE = -1  # in arrays: none, or infinite
LABELLED = ("vertex", "hyperedge")  # the kinds whose values are labels
NUMBERS = ("count", "length")  # the kinds whose values are numbers
FEW = 5  # numbers that are written one after the other


# -- from integers to values --------------------------------------------------------------------------------------


def labels_of(h: Hypergraph, kind: str) -> tuple[Label, ...]:
    """The labels that pointers of a kind ("vertex" or "hyperedge") are numbers of."""
    return h.vertices if kind == "vertex" else h.hyperedges


class Scale(NamedTuple):
    """What the integers of a run mean: numbers from 1 in this hypergraph, lengths in a unit, and what is infinite."""

    hypergraph: Hypergraph
    unit: Fraction
    infinity: int

    def values(self, kind: str, integers: Sequence[int]) -> list[Value]:
        """Integers of a kind as people read them. Equal lengths are one object."""
        if kind == "flag":
            return [bool(value) for value in integers]
        if kind == "length":
            lengths: dict[int, Value] = {value: Exact(value * self.unit) for value in set(integers)}
            lengths[self.infinity] = None
            return [lengths[value] for value in integers]
        if kind == "count":
            return [int(value) for value in integers]
        labels = labels_of(self.hypergraph, kind)
        return [labels[value - 1] if value else None for value in integers]

    def coded(self, kind: str, integers: Integers) -> Integers:
        """Integers of a kind as `Result.array` has them: places from 0, lengths in units, -1 for none and infinite."""
        if kind == "flag":
            return integers.astype(np.bool_)
        if kind == "length":
            return np.where(integers == self.infinity, NONE, integers)
        return integers.copy() if kind == "count" else integers - 1


class ArrayOutput(NamedTuple):
    """An output over the vertices or hyperedges as a run left it: integers of a kind, and which of them are there."""

    scale: Scale
    kind: str
    integers: Integers
    there: npt.NDArray[np.bool_] | None = None  # None: all

    def values(self) -> tuple[Value, ...]:
        """The values, None for those that are not there."""
        integers = self.integers.tolist()
        found = integers if self.kind == "count" else self.scale.values(self.kind, integers)
        if self.there is None:
            return tuple(found)
        return tuple(value if there else None for value, there in zip(found, self.there.tolist(), strict=True))

    def array(self) -> Integers:
        """The values as an array that cannot be changed, `NONE` for those that are not there."""
        found = self.coded()
        found.flags.writeable = False
        return found

    def coded(self) -> Integers:
        """The same as a new array; of numpy, or of CuPy if the integers are."""
        found = self.scale.coded(self.kind, self.integers)
        if self.there is not None:
            found = np.where(self.there, found, found.dtype.type(NONE) if found.dtype.kind == "i" else NONE)
        return found

    def write(self, out: Integers) -> None:
        """Write what `array` gives into an array of that type: of many outputs at once, none is copied."""
        np.copyto(out, self.integers, casting="unsafe")
        if self.kind in LABELLED:
            out -= 1
        if self.kind == "length":
            np.putmask(out, self.integers == self.scale.infinity, NONE)
        if self.there is not None:
            np.putmask(out, ~self.there, NONE)


class QuotientOutput(NamedTuple):
    """An output that is the quotient of two arrays, exact: fractions, so there is no array of integers for it."""

    value: ArrayOutput
    by: ArrayOutput

    def values(self) -> tuple[Value, ...]:
        """The quotients, None where there is none."""
        return tuple(map(divided, self.value.values(), self.by.values()))

    def write(self, out: Integers) -> None:
        """Raises, as `array` does."""
        del out
        self.coded()

    def array(self) -> Integers:
        """Raises: integers do not hold it."""
        return self.coded()

    def coded(self) -> Integers:
        """Raises, as `array` does."""
        raise HyloopError("A quotient is a fraction, which an array of integers does not hold: read it by label.")


def divided(value: Any, by: Any) -> Value:
    """Exactly; None where a number is divided by 0, or where one of them is infinite."""
    return Exact(Fraction(value) / by) if value is not None and by else None


class ArrayOutputs(Mapping[str, tuple[Value, ...]]):
    """Outputs over the vertices or hyperedges, by name; the values of each are made when they are asked for."""

    def __init__(self, numbers: Mapping[str, ArrayOutput | QuotientOutput]) -> None:
        self.numbers = numbers
        self._made: dict[str, tuple[Value, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Value, ...]:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self.numbers[name].values()
        return made

    def __contains__(self, name: object) -> bool:
        return name in self.numbers  # and does not make its values

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self))


# -- streams ------------------------------------------------------------------------------------------------------


class Numbered(NamedTuple):
    """One column of a stream in numbers: what it is about and where its entries are, from 0, and the entries."""

    hypergraph: Hypergraph
    of: str  # vertex or hyperedge: what it is about
    over: str  # vertex or hyperedge: what its entries are for
    about: int
    places: npt.NDArray[np.int64]
    integers: Integers


@dataclass(frozen=True)
class Entry:
    """One column of a stream: what it is about, and the values, without those that are 0, none or infinite.

    A length of 0 is among them.
    """

    about: Label
    values: Mapping[Label, Value]

    @classmethod
    def numbered(cls, numbered: Numbered) -> Entry:
        """An entry whose labels are looked up when they are asked for; its values are integers."""
        found = cls.__new__(cls)
        object.__setattr__(found, "in_numbers", numbered)
        return found

    def __getattr__(self, name: str) -> Any:
        numbered = self.__dict__.get("in_numbers")
        if numbered is None or name not in ("about", "values"):
            raise AttributeError(f"an Entry has no {name!r}")
        made = _about(numbered) if name == "about" else _values_by_label(numbered)
        object.__setattr__(self, name, made)
        return made


def _about(numbered: Numbered) -> Label:
    return labels_of(numbered.hypergraph, numbered.of)[numbered.about]


def _values_by_label(numbered: Numbered) -> dict[Label, int]:
    labels = labels_of(numbered.hypergraph, numbered.over)
    return dict(zip(map(labels.__getitem__, numbered.places.tolist()), numbered.integers.tolist(), strict=True))


class Pairs(NamedTuple):
    """A stream as arrays, one place each for every value that is there: about `rows[i]`, at `columns[i]`, `values[i]`.

    Rows and columns are places in `h.vertices` or `h.hyperedges`, from 0. Values are as in `Result.array`.
    """

    rows: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    values: Integers


@dataclass(frozen=True)
class Stream:
    """An array that was recorded while the algorithm ran: `kind` says whether its entries are about vertices.

    `over` says whether the array has an entry for each vertex or for each hyperedge, and `holds` the kind of these.
    """

    kind: str
    entries: tuple[Entry, ...]
    over: str = field(default="vertex", compare=False)
    holds: str = field(default="count", compare=False)

    @classmethod
    def numbered(cls, scale: Scale, kind: str, entries: Sequence[Entry], over: str, holds: str) -> Stream:
        """A stream of entries in numbers, of which those by label are made when they are asked for."""
        found = cls.__new__(cls)
        parts = {"kind": kind, "over": over, "holds": holds, "in_numbers": (scale, tuple(entries))}
        for name, part in parts.items():
            object.__setattr__(found, name, part)
        return found

    def __getattr__(self, name: str) -> Any:
        if name != "entries" or "in_numbers" not in self.__dict__:
            raise AttributeError(f"a Stream has no {name!r}")
        scale, entries = self.__dict__["in_numbers"]
        made = tuple(self._decoded(scale, entry) for entry in entries)
        object.__setattr__(self, name, made)
        return made

    def _decoded(self, scale: Scale, entry: Entry) -> Entry:
        integers: Any = list(entry.values.values())
        return Entry(entry.about, dict(zip(entry.values, scale.values(self.holds, integers), strict=True)))

    @property
    def absent(self) -> Value:
        """What stands for a value that is left out."""
        return {"count": 0, "flag": False}.get(self.holds)

    def pairs(self) -> Pairs:
        """All values as arrays; see `Result.pairs`."""
        if "in_numbers" not in self.__dict__:
            raise HyloopError("This stream was not made by a run; it has no arrays.")
        scale, entries = self.__dict__["in_numbers"]
        columns: list[Numbered] = [entry.in_numbers for entry in entries]
        if not columns:
            none = np.zeros(0, np.int64)
            return Pairs(none, none.copy(), scale.coded(self.holds, none))
        rows = np.repeat([column.about for column in columns], [len(column.places) for column in columns])
        places = np.concatenate([column.places for column in columns])
        integers = np.concatenate([column.integers for column in columns])
        return Pairs(rows.astype(np.int64), places, scale.coded(self.holds, integers))


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
        given: object = pair  # a label of two letters could be taken apart, too
        if not isinstance(given, tuple) or len(given) != 2:
            raise HyloopError(
                f"A matrix is read at a row and a column, by labels: matrix[row, column]; given {shown(pair)}."
            )
        row, column = pair
        if row not in self.rows or column not in self.columns:
            raise HyloopError(f"The matrix has no entry for {shown(row)} and {shown(column)}.")
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
    """Outputs by name, or the values of one by label: a dictionary that cannot be changed, as all get the same one."""

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
    unit: Fraction = field(default=Exact(1), repr=False, compare=False)  # of the lengths in arrays
    # Rows and weight that the model is exact for; None: no model.
    capacity: tuple[int, int] | None = field(default=None, repr=False, compare=False)
    _by_label: dict[str, Values] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("vertices", "hyperedges", "scalars", "streams", "kinds"):
            if type(given := getattr(self, name)) is dict:
                object.__setattr__(self, name, Values(given))

    def __repr__(self) -> str:
        outputs = ", ".join(self)
        vertices, hyperedges = self.hypergraph.counts
        h = f"{vertices:,} vertices, {hyperedges:,} hyperedges"
        work = f"{plural(self.iterations, 'iteration')} ({self.backend})"
        doubt = f", {self.doubt}" if self.doubt else ""
        return f"<Result of {self.algorithm}: {outputs}; {h}; {work}{doubt}>"

    @property
    def doubt(self) -> str:
        """The warning to show with the result: empty, unless the model was unverified."""
        return "by an unverified model" if self.verified == "unverified" else ""

    def __getitem__(self, name: str) -> Any:
        """An output by its name: a value, or a dictionary by label, made once and not to be changed."""
        self._require_name(name)
        if name in self._by_label:
            return self._by_label[name]
        if name in self.vertices:
            made = Values(zip(self.hypergraph.vertices, self.vertices[name], strict=True))
            return self._by_label.setdefault(name, made)
        if name in self.hyperedges:
            made = Values(zip(self.hypergraph.hyperedges, self.hyperedges[name], strict=True))
            return self._by_label.setdefault(name, made)
        if name in self.scalars:
            return self.scalars[name]
        if name in self.streams:
            return self.streams[name]
        raise self._no_output(name)

    def _require_name(self, name: object) -> None:
        """Raise for what no output can be called, such as a list of names."""
        if not isinstance(name, str):
            raise self._no_output(name)

    def _no_output(self, name: object) -> NoOutputError:
        return NoOutputError(f"{self.algorithm} has no output {shown(name)}; it has {', '.join(self)}.")

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
        self._require_name(name)
        if name not in self.streams:
            raise HyloopError(f"{self.algorithm} has no stream {name!r}; a matrix is made of one.")
        stream = self.streams[name]
        rows = tuple(entry.about for entry in stream.entries)
        if len(set(rows)) < len(rows):
            twice = next(row for number, row in enumerate(rows) if row in rows[:number])
            raise HyloopError(f"{name} has several entries about {twice!r}; a matrix has one row for each.")
        columns = labels_of(self.hypergraph, stream.over)
        found = (tuple(entry.values.get(label, stream.absent) for label in columns) for entry in stream.entries)
        return Matrix(rows, columns, tuple(found))

    def array(self, name: str) -> npt.NDArray[Any]:
        """An output as a numpy array that cannot be changed, in the order of `h.vertices` or `h.hyperedges`.

        Flags are booleans; all else are integers: counts, lengths in units (a length is its integer times `unit`,
        exactly), and vertices and hyperedges as places from 0. -1 is none or infinite; where a flag may be none, it
        is 1, 0 or -1. A stream is a matrix with a row for each vertex or hyperedge that it may be about.

        >>> import hyloop
        >>> h = hyloop.Hypergraph.from_arrays([0, 1, 2], [0, 0, 1], weights=[2, 3])
        >>> hyloop.run("dijkstra", h, source=0).array("distance").tolist()
        [0, 2, -1]
        """
        self._require_name(name)
        if name in self.streams:
            return self._as_array(name)
        for outputs in (self.vertices, self.hyperedges):
            if name in outputs:
                if not isinstance(outputs, ArrayOutputs):
                    raise HyloopError(f"{name} was not made by a run of hyloop; it has no array.")
                return outputs.numbers[name].array()
        if name in self.scalars:
            raise HyloopError(f"{name} is one value, no array: result[{name!r}].")
        raise self._no_output(name)

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The outputs over the vertices and over the hyperedges as arrays, by name; see `array`. Without quotients."""
        names = (name for name in (*self.vertices, *self.hyperedges) if self.kinds.get(name) != "quotient")
        return {name: self.array(name) for name in names}

    def pairs(self, name: str) -> Pairs:
        """A stream as three arrays, with a place for each value that is there: far smaller than the matrix.

        >>> import hyloop
        >>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "tug": ["Quay", "Mole"]})
        >>> [part.tolist() for part in hyloop.run("projection", h).pairs("overlap")]
        [[0, 1], [1, 0], [1, 1]]
        """
        self._require_name(name)
        if name not in self.streams:
            raise HyloopError(f"{self.algorithm} has no stream {name!r}; pairs are made of one.")
        return self.streams[name].pairs()

    def _as_array(self, name: str) -> npt.NDArray[Any]:
        stream, pairs = self.streams[name], self.pairs(name)
        about = [entry.in_numbers.about for entry in stream.__dict__["in_numbers"][1]]
        if len(set(about)) < len(about):
            raise HyloopError(
                f"{name} has several entries about the same {stream.kind}; a matrix has one row for each."
            )
        places = ("vertex", "hyperedge").index
        shape = self.hypergraph.counts[places(stream.kind)], self.hypergraph.counts[places(stream.over)]
        require_memory(8 * shape[0] * shape[1], f"{name} as a matrix", f"`result.pairs({name!r})` takes less.")
        absent = {"count": 0, "flag": False}.get(stream.holds, NONE)
        found = np.full(shape, absent, dtype=pairs.values.dtype)
        found[pairs.rows, pairs.columns] = pairs.values
        found.flags.writeable = False
        return found

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
        over, labels, name = self.vertices, self.hypergraph.vertices, "vertex"
        if self.hyperedges and not self.vertices:
            over, labels, name = self.hyperedges, self.hypergraph.hyperedges, "hyperedge"
        index = pd.Index(labels, name=name, dtype=_dtype(labels))
        return pd.DataFrame({each: pd.Series(values, index, _dtype(values)) for each, values in over.items()}, index)

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
            "capacity": None if self.capacity is None else dict(zip(("rows", "weight"), self.capacity, strict=True)),
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


def _dtype(values: Collection[Value]) -> str | None:
    """The dtype of a column of pandas, which alone would make floats of integers beside None, and round them."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean" if None in values else "bool"
    if kinds == {int} and all(abs(value) < 2**63 for value in values if isinstance(value, int)):
        return "Int64" if None in values else "int64"
    return None if kinds == {str} else "object"


def inputs_in_json(inputs: Mapping[str, Any], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Inputs by name as JSON; `kinds` says what their values are. What was refused is a text."""
    known = (Mapping, str, int, Fraction, type(None))
    return {
        name: plain(value, kinds.get(name)) if isinstance(value, known) else shown(value)
        for name, value in inputs.items()
    }


def in_cell(value: object, text: Callable[[object], str]) -> str:
    """A value as a cell of a table shows it; `text` is how labels are written there."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(in_cell(each, text) for each in value)
    return short(value) if isinstance(value, int | Fraction) else text(value)


def in_line(value: Value, kind: str | None, text: Callable[[object], str]) -> str:
    """An output that is one value, in a line: several numbers by their places, and those that are 0 in one word.

    >>> in_line((0, 2, 0, 0, 0, 0, 0, 0, 3), "count", str)
    'number 2 = 2, number 9 = 3, the other 7 are 0'
    """
    if not isinstance(value, tuple) or kind not in NUMBERS or len(value) <= FEW:
        return in_cell(value, text)
    found = [f"number {place} = {in_cell(each, text)}" for place, each in enumerate(value, start=1) if each != 0]
    rest = len(value) - len(found)
    return ", ".join([*found, *([f"{'the other' if found else 'all'} {rest} are 0"] if rest else [])])


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
