"""Hypergraphs: labels, incidence and exact weights, immutable once built.

>>> H = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "road": ["Quay", "Mill"]}, weights={"ferry": 0.5})
>>> H
<Hypergraph: 3 vertices, 2 hyperedges, 4 incidences>
>>> H.members_of("ferry"), H.weights
(('Quay', 'Isle'), (Fraction(1, 2), Fraction(1, 1)))
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hyloop.errors import HypergraphError
from hyloop.hypergraph.annotations import (
    ENDS,
    Annotations,
    Direction,
    IncidenceRecord,
    checked_annotations,
    without_direction,
)
from hyloop.hypergraph.given import as_collection, as_members, as_named, as_sides, exact_weights
from hyloop.hypergraph.incidence import Incidence, IntArray, unchanging
from hyloop.hypergraph.labels import Consecutive, Numbering, as_label, distinct_labels, found_label, unknown_label
from hyloop.hypergraph.rational import common_unit, multiples, positive_weight
from hyloop.hypergraph.values import Label, Number, shown
from hyloop.numbers import Exact
from hyloop.references import above

Arc: TypeAlias = "tuple[Iterable[Label], Iterable[Label]]"  # tails, then heads
_SOME = 200  # weights that are compared one by one
Integers: TypeAlias = "tuple[int, ...] | IntArray"  # an array, where the hypergraph was made from arrays
TAIL, HEAD = 1, 2  # what is said of an incidence, as bits


@dataclass(frozen=True, eq=False)
class Arrays:
    """A hypergraph without a Python object for each label, weight or direction: those are made when asked for.

    Labels are a range, an array of integers, or a tuple of valid labels. Weights are integers, and their unit; None,
    where 64 bits do not hold them.
    `directions` says of each entry of the incidence, in its order, whether it is a tail, a head, or both (as bits).
    """

    vertices: range | IntArray | tuple[Label, ...]
    hyperedges: range | IntArray | tuple[Label, ...]
    weights: IntArray | None
    unit: Exact
    directions: npt.NDArray[np.uint8] | None = None

    def __post_init__(self) -> None:
        for name in ("vertices", "hyperedges", "weights", "directions"):
            if isinstance(given := getattr(self, name), np.ndarray) and given.flags.writeable:
                object.__setattr__(self, name, unchanging(given))


@dataclass(frozen=True, eq=False, repr=False)
class Hypergraph:
    """Vertices, hyperedges, which vertices each hyperedge contains, and an exact positive weight for each.

    `incidence` has a row for each vertex and a column for each hyperedge; both are numbered from 0 in the order of
    `vertices` and `hyperedges`. Equality compares everything, including order and annotations.
    `Hypergraph.from_hyperedges` is the convenient way to build one, `Hypergraph.from_arrays` the one for large ones.
    `counts` says how many vertices and hyperedges there are.
    """

    vertices: tuple[Label, ...]
    hyperedges: tuple[Label, ...]
    incidence: Incidence
    weights: tuple[Fraction, ...]
    annotations: Annotations = field(default_factory=Annotations)
    counts: tuple[int, int] = field(init=False)
    _vertex_numbers: Numbering = field(init=False)
    _hyperedge_numbers: Numbering = field(init=False)

    def __post_init__(self) -> None:
        self._set("_vertex_numbers", distinct_labels("vertex", self.vertices))
        self._set("_hyperedge_numbers", distinct_labels("hyperedge", self.hyperedges))
        self._set("vertices", tuple(self._vertex_numbers))
        self._set("hyperedges", tuple(self._hyperedge_numbers))
        self._set("counts", (len(self.vertices), len(self.hyperedges)))
        self._check_sizes()
        self._set("weights", tuple(map(positive_weight, self.weights, self.hyperedges)))
        self._check_annotations()

    def _check_annotations(self) -> None:
        if self.annotations != Annotations():
            checked = checked_annotations(self.annotations, self._vertex_numbers, self._hyperedge_numbers)
            self._set("annotations", checked)
            if checked.incidences:
                self._check_annotated_incidences()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """What is made when it is first asked for, of a hypergraph that was made from arrays."""
        if name not in _LATER or "_arrays" not in self.__dict__:
            raise AttributeError(f"a Hypergraph has no {name!r}")
        made = _LATER[name](self, self.__dict__["_arrays"])
        self._set(name, made)
        return made

    @classmethod
    def _of_arrays(cls, incidence: Incidence, arrays: Arrays, **known: object) -> Hypergraph:
        """A hypergraph of what has been checked; `known` are parts that need not be made."""
        found = cls.__new__(cls)
        counts = len(arrays.vertices), len(arrays.hyperedges)
        for name, value in {"incidence": incidence, "counts": counts, "_arrays": arrays, **known}.items():
            found._set(name, value)
        return found

    def _check_sizes(self) -> None:
        if self.incidence.rows != len(self.vertices):
            raise HypergraphError(
                f"The incidence has {self.incidence.rows:,} rows for {len(self.vertices):,} vertices."
            )
        if (self.incidence.indices >= len(self.hyperedges)).any():
            raise HypergraphError(f"The incidence names a hyperedge beyond the {len(self.hyperedges):,} there are.")
        if len(self.weights) != len(self.hyperedges):
            raise HypergraphError(f"There are {len(self.weights):,} weights for {len(self.hyperedges):,} hyperedges.")

    def _check_annotated_incidences(self) -> None:
        pairs = tuple(self.annotations.incidences)
        rows = np.array([self._vertex_numbers.number(vertex) for _, vertex in pairs], np.int64)
        columns = np.array([self._hyperedge_numbers.number(hyperedge) for hyperedge, _ in pairs], np.int64)
        width = max(len(self.hyperedges), 1)
        cells = self.incidence.row_numbers() * width + self.incidence.indices
        missing = np.flatnonzero(~np.isin(rows * width + columns, cells))
        if len(missing):
            hyperedge, vertex = pairs[missing[0]]
            raise HypergraphError(
                f"There are annotations for vertex {shown(vertex)} in hyperedge {shown(hyperedge)}, "
                "which does not contain it."
            )

    @classmethod
    def of_numbered(
        cls,
        vertices: Numbering,
        hyperedges: Numbering,
        incidence: Incidence,
        weights: tuple[Fraction, ...],
        annotations: Annotations | None = None,
    ) -> Hypergraph:
        """A hypergraph of labels and weights that have been checked, as readers of files have them."""
        found = cls.__new__(cls)
        parts = {
            "vertices": tuple(vertices),
            "hyperedges": tuple(hyperedges),
            "incidence": incidence,
            "weights": weights,
            "annotations": annotations or Annotations(),
            "counts": (len(vertices), len(hyperedges)),
            "_vertex_numbers": vertices,
            "_hyperedge_numbers": hyperedges,
        }
        for name, part in parts.items():
            found._set(name, part)
        found._check_sizes()
        found._check_annotations()
        return found

    @classmethod
    def from_hyperedges(
        cls,
        hyperedges: Mapping[Label, Iterable[Label]] | Iterable[Iterable[Label]],
        weights: Mapping[Label, Number] | Iterable[Number] | None = None,
        vertices: Iterable[Label] = (),
        *,
        annotations: Annotations | None = None,
    ) -> Hypergraph:
        """A hypergraph from the members of its hyperedges, given by label or, labelled 1, 2, ..., one after another.

        `vertices` come first in the numbering, then the others as they appear. A weight that is not given is 1.

        >>> Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[2, Fraction(1, 3)]).hyperedges_of("b")
        (1, 2)
        """
        named = as_named(hyperedges)
        labels = distinct_labels("hyperedge", named)
        numbering = Numbering(as_collection(vertices, "The vertices"))
        members = [[numbering.number(vertex) for vertex in as_members(*item)] for item in named.items()]
        columns = np.repeat(np.arange(len(members), dtype=np.int64), [len(row) for row in members])
        rows = np.fromiter(itertools.chain.from_iterable(members), np.int64, len(columns))
        incidence = Incidence.from_pairs(rows, columns, (len(numbering), len(labels)))
        return cls.of_numbered(numbering, labels, incidence, exact_weights(weights, labels), annotations)

    @classmethod
    def from_arcs(
        cls,
        hyperedges: Mapping[Label, Arc] | Iterable[Arc],
        weights: Mapping[Label, Number] | Iterable[Number] | None = None,
        vertices: Iterable[Label] = (),
    ) -> Hypergraph:
        """A directed hypergraph from the tails and the heads of its hyperedges, labelled as by `from_hyperedges`.

        Either side may be empty, and a vertex may be on both.

        >>> H = Hypergraph.from_arcs({"burn": (["H2", "O2"], ["H2O"])})
        >>> H.tails_of("burn"), H.heads_of("burn")
        (('H2', 'O2'), ('H2O',))
        """
        sides = {label: as_sides(label, arc) for label, arc in as_named(hyperedges).items()}
        said: dict[tuple[Label, Label], dict[Direction, IncidenceRecord]] = {}
        for label, ends in sides.items():
            for direction, side in zip(ENDS, ends, strict=True):
                for vertex in side:
                    said.setdefault((label, as_label(vertex)), {})[direction] = IncidenceRecord(direction)
        records = {pair: tuple(found.values()) for pair, found in said.items()}
        members = {label: [*tails, *heads] for label, (tails, heads) in sides.items()}
        annotations = Annotations("directed", incidences=records)
        return cls.from_hyperedges(members, weights, vertices, annotations=annotations)

    @classmethod
    def from_arrays(
        cls,
        vertices: npt.ArrayLike,
        hyperedges: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        *,
        direction: npt.ArrayLike | None = None,
        vertex_labels: Sequence[Label] | npt.ArrayLike | None = None,
        hyperedge_labels: Sequence[Label] | npt.ArrayLike | None = None,
        counts: tuple[int, int] | None = None,
    ) -> Hypergraph:
        """A hypergraph from its incidences: vertex `vertices[i]` is in hyperedge `hyperedges[i]`, numbered from 0.

        There is one weight for each hyperedge; without, all are 1. `direction` says of each incidence whether it is a
        tail (-1), a head (1) or neither (0). One that is stated as a tail and as a head, or as one of them and as
        neither, is both. Labels are 0, 1, ... unless they are given. `counts`, how many vertices and hyperedges there
        are, follows from labels, weights and the largest numbers unless it is given. No Python object is made for a
        label or a weight before it is asked for.

        >>> Hypergraph.from_arrays([0, 1, 1, 2], [0, 0, 1, 1], weights=[2, 3]).members_of(1)
        (1, 2)
        """
        found: Hypergraph = above("Hypergraph.from_arrays")(
            vertices, hyperedges, weights, direction, vertex_labels, hyperedge_labels, counts
        )
        return found

    @cached_property
    def incidence_transposed(self) -> Incidence:
        """The incidence with a row for each hyperedge and a column for each vertex."""
        return self.incidence.transposed(self.counts[1])

    @cached_property
    def tails(self) -> Incidence:
        """The incidence of tails: the vertices that a hyperedge leads from. A member without a direction is one."""
        return self._ends("tail")

    @cached_property
    def heads(self) -> Incidence:
        """The incidence of heads: the vertices that a hyperedge leads to. A member without a direction is one."""
        return self._ends("head")

    @cached_property
    def tails_transposed(self) -> Incidence:
        """The incidence of tails with a row for each hyperedge."""
        same = self.tails is self.incidence
        return self.incidence_transposed if same else self.tails.transposed(self.counts[1])

    @cached_property
    def heads_transposed(self) -> Incidence:
        """The incidence of heads with a row for each hyperedge."""
        same = self.heads is self.incidence
        return self.incidence_transposed if same else self.heads.transposed(self.counts[1])

    def _ends(self, direction: Direction) -> Incidence:
        """The incidence without the members that have the other direction only."""
        if "annotations" not in self.__dict__:  # of arrays: it need not be made
            return self._ends_of_arrays(HEAD if direction == "tail" else TAIL)
        other = [
            (self._vertex_numbers.number(vertex), self._hyperedge_numbers.number(hyperedge))
            for (hyperedge, vertex), records in self.annotations.incidences.items()
            if {record.direction for record in records} - {None} not in (set(), {direction}, set(ENDS))
        ]
        if not other:
            return self.incidence
        width = max(self.counts[1], 1)
        rows, columns = self.incidence.row_numbers(), self.incidence.indices
        kept = ~np.isin(rows * width + columns, np.array(other, np.int64) @ np.array([width, 1]))
        return Incidence.from_pairs(rows[kept], columns[kept], self.counts)

    def _ends_of_arrays(self, other: int) -> Incidence:
        directions = self._arrays.directions
        if directions is None:
            return self.incidence
        kept = directions != other
        if kept.all():
            return self.incidence
        indptr = np.concatenate(([0], np.cumsum(kept)))[self.incidence.indptr]
        return Incidence(indptr, self.incidence.indices[kept])

    def vertex_number(self, label: Label) -> int:
        """The place of a vertex in `vertices`, from 0."""
        number = self._vertex_numbers.get(label)
        if number is None:
            raise unknown_label("vertex", label, self.vertices)
        return number

    def hyperedge_number(self, label: Label) -> int:
        """The place of a hyperedge in `hyperedges`, from 0."""
        number = self._hyperedge_numbers.get(label)
        if number is None:
            raise unknown_label("hyperedge", label, self.hyperedges)
        return number

    def find_vertex(self, text: str) -> Label:
        """The vertex that `text` stands for: `1` is the integer if there is one, `"1"` the string."""
        return found_label("vertex", text, self._vertex_numbers)

    def find_hyperedge(self, text: str) -> Label:
        """The hyperedge that `text` stands for: `1` is the integer if there is one, `"1"` the string."""
        return found_label("hyperedge", text, self._hyperedge_numbers)

    def members_of(self, hyperedge: Label) -> tuple[Label, ...]:
        """The vertices of a hyperedge, in the order of `vertices`."""
        row = self.incidence_transposed.row(self.hyperedge_number(hyperedge))
        return tuple(self.vertices[number] for number in row)

    def tails_of(self, hyperedge: Label) -> tuple[Label, ...]:
        """The vertices that a hyperedge leads from; without direction, all of its members."""
        row = self.tails_transposed.row(self.hyperedge_number(hyperedge))
        return tuple(self.vertices[number] for number in row)

    def heads_of(self, hyperedge: Label) -> tuple[Label, ...]:
        """The vertices that a hyperedge leads to; without direction, all of its members."""
        row = self.heads_transposed.row(self.hyperedge_number(hyperedge))
        return tuple(self.vertices[number] for number in row)

    def hyperedges_of(self, vertex: Label) -> tuple[Label, ...]:
        """The hyperedges that contain a vertex, in the order of `hyperedges`."""
        return tuple(self.hyperedges[number] for number in self.incidence.row(self.vertex_number(vertex)))

    def weight_of(self, hyperedge: Label) -> Fraction:
        """The weight of a hyperedge."""
        return self.weights[self.hyperedge_number(hyperedge)]

    def _repr_html_(self) -> str:
        return str(above("Hypergraph._repr_html_")(self))

    def integer_weights(self) -> tuple[tuple[int, ...], Fraction]:
        """The smallest integers in proportion to the weights, and the unit: weight = integer * unit, exactly.

        >>> Hypergraph.from_hyperedges([[1], [2]], weights=[0.5, 0.75]).integer_weights()
        ((2, 3), Fraction(1, 4))
        """
        integers, unit = self.in_units
        return integers if isinstance(integers, tuple) else tuple(integers.tolist()), unit

    @cached_property
    def in_units(self) -> tuple[Integers, Exact]:
        """What `integer_weights` gives; as an array, if the hypergraph was made from arrays."""
        arrays: Arrays | None = self.__dict__.get("_arrays")
        if arrays is not None and arrays.weights is not None:
            return arrays.weights, arrays.unit
        if len(self.weights) <= _SOME:
            unit = common_unit(self.weights)
            return multiples(self.weights, unit), unit
        # Equal weights of a large hypergraph are nearly always one object, and fractions take long to compare.
        distinct = {id(weight): weight for weight in self.weights}
        unit = common_unit(distinct.values())
        integers = dict(zip(distinct, multiples(distinct.values(), unit), strict=True))
        return tuple(map(integers.__getitem__, map(id, self.weights))), unit

    @property
    def directed(self) -> bool:
        """Whether the network type says so, or any incidence has a direction."""
        if "annotations" not in self.__dict__:  # of arrays: it need not be made
            return self._arrays.directions is not None
        return self.annotations.directed

    def ignoring_direction(self) -> Hypergraph:
        """The undirected hypergraph of the same members; head and tail records are merged."""
        if not self.directed:
            return self
        if "annotations" not in self.__dict__:
            known: dict[str, object] = {"annotations": Annotations("undirected")}
            if self._arrays.weights is None:
                known["weights"] = self.weights
            return self._of_arrays(self.incidence, replace(self._arrays, directions=None), **known)
        merged = {pair: (without_direction(records),) for pair, records in self.annotations.incidences.items()}
        return replace(self, annotations=replace(self.annotations, network_type="undirected", incidences=merged))

    def labelled_by(self, attribute: str) -> Hypergraph:
        """The same hypergraph, with an attribute as labels, such as `name` in many files.

        A vertex or hyperedge without the attribute keeps its label; duplicate labels are refused.
        """
        found: Hypergraph = above("Hypergraph.labelled_by")(self, attribute)
        return found

    def require_undirected(self) -> None:
        """Raise HypergraphError if this hypergraph is directed."""
        if self.directed:
            raise HypergraphError(
                "This hypergraph is directed, and this algorithm reads hyperedges as sets of vertices. "
                "To run on it as if it had no directions, pass h.ignoring_direction(), or to hyloop.run "
                "ignore_direction=True (on the command line, --ignore-direction)."
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hypergraph):
            return NotImplemented
        return (
            self.counts == other.counts
            and self.incidence == other.incidence
            and (self.vertices, self.hyperedges, self.weights) == (other.vertices, other.hyperedges, other.weights)
            and self.annotations == other.annotations
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = self.annotations.metadata.get("name") if "annotations" in self.__dict__ else None
        title = f" {shown(name)}" if isinstance(name, str) else ""
        directed = ", directed" if self.directed else ""
        return (
            f"<Hypergraph{title}: {_count(self.counts[0], 'vertex', 'vertices')}, "
            f"{_count(self.counts[1], 'hyperedge', 'hyperedges')}, "
            f"{_count(len(self.incidence.indices), 'incidence', 'incidences')}{directed}>"
        )


def _labels_of(labels: range | IntArray | tuple[Label, ...]) -> tuple[Label, ...]:
    return tuple(labels.tolist() if isinstance(labels, np.ndarray) else labels)


def _vertex_numbering(h: Hypergraph, arrays: Arrays) -> Numbering:
    given = arrays.vertices
    return Consecutive(given) if isinstance(given, range) else distinct_labels("vertex", h.vertices)


def _hyperedge_numbering(h: Hypergraph, arrays: Arrays) -> Numbering:
    given = arrays.hyperedges
    return Consecutive(given) if isinstance(given, range) else distinct_labels("hyperedge", h.hyperedges)


def _weights_of(_: Hypergraph, arrays: Arrays) -> tuple[Fraction, ...]:
    """The weights; equal ones are one object."""
    assert arrays.weights is not None
    integers, places = np.unique(arrays.weights, return_inverse=True)
    each = [Exact(integer * arrays.unit) for integer in integers.tolist()]
    return tuple(map(each.__getitem__, places.tolist()))


_SAID: Mapping[int, tuple[IncidenceRecord, ...]] = {
    TAIL: (IncidenceRecord("tail"),),
    HEAD: (IncidenceRecord("head"),),
    TAIL | HEAD: (IncidenceRecord("head"), IncidenceRecord("tail")),
}


def _annotations_of(h: Hypergraph, arrays: Arrays) -> Annotations:
    if arrays.directions is None:
        return Annotations()
    said = arrays.directions.nonzero()[0]
    rows, columns = h.incidence.row_numbers()[said].tolist(), h.incidence.indices[said].tolist()
    pairs = ((h.hyperedges[column], h.vertices[row]) for row, column in zip(rows, columns, strict=True))
    records = map(_SAID.__getitem__, arrays.directions[said].tolist())
    return Annotations("directed", incidences=dict(zip(pairs, records, strict=True)))


_LATER: Mapping[str, Callable[[Hypergraph, Arrays], object]] = {
    "vertices": lambda _, arrays: _labels_of(arrays.vertices),
    "hyperedges": lambda _, arrays: _labels_of(arrays.hyperedges),
    "weights": _weights_of,
    "annotations": _annotations_of,
    "_vertex_numbers": _vertex_numbering,
    "_hyperedge_numbers": _hyperedge_numbering,
}


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
