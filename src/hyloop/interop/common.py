"""Shared by the adapters: recognising an object, reading one into a hypergraph, and warning of losses.

A library is imported only when an object of it is created: objects are recognised by the names of their class and of
its package.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError, HyloopWarning, HypergraphError
from hyloop.hypergraph import (
    Annotations,
    Attributes,
    Direction,
    Hypergraph,
    IncidenceRecord,
    Json,
    Label,
    NetworkType,
    as_label,
    exact,
    is_number,
    json_copy,
    positive_weight,
    shown,
)
from hyloop.memory import require_memory
from hyloop.numbers import decimal_places, meant_by

# An object of another library, without types here.
Foreign: TypeAlias = Any

# Attributes of a vertex, a hyperedge or an incidence, by name.
Said: TypeAlias = Mapping[Any, object]

_NOTHING: Said = {}
_ENDS: tuple[Direction, Direction] = ("tail", "head")


@dataclass(frozen=True)
class Library:
    """The objects of one library that can be read: its package and the names of the classes."""

    library: str
    package: str
    classes: tuple[str, ...]
    extra: str
    in_words: str

    def has(self, thing: object) -> bool:
        """Whether `thing` is an instance of one of the classes, or of a subclass."""
        return any(self.is_a(name, thing) for name in self.classes)

    def is_a(self, name: str, thing: object) -> bool:
        """Whether `thing` is an instance of the library's class `name`, or of a subclass."""
        return any(
            parent.__name__ == name and parent.__module__.partition(".")[0] == self.package
            for parent in type(thing).__mro__
        )

    def require(self, thing: object) -> None:
        """Raise HyloopError unless `thing` is an instance of one of the classes."""
        if not self.has(thing):
            raise HyloopError(f"Expected {self.in_words}, not {described(thing)}.")

    def imported(self, module: str) -> Foreign:
        """Import a module of the library; if it is not installed, the error says how to install it."""
        try:
            return import_module(module)
        except ImportError as error:
            how = f"pip install 'hyloop[{self.extra}]'"
            if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == self.package:
                raise HyloopError(f"{self.library} is not installed; {how} installs it.") from None
            raise HyloopError(f"{self.library} cannot be imported ({error}); {how} may mend it.") from error


def described(thing: object) -> str:
    """The type of `thing`, for error messages."""
    kind = type(thing)
    place = "" if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}."
    return f"an object of type {place}{kind.__qualname__}"


def is_missing(value: object) -> bool:
    """Whether `value` marks an empty cell of a table: None, NaN or pandas.NA."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def equals(value: object, wanted: str | int) -> bool:
    """Whether a value of another library is this text or number; `==` of an array is an array, and that of NA is NA."""
    return isinstance(value, str | int | float | np.number | np.bool_) and bool(value == wanted)


def direction_in(value: object) -> Direction | None:
    """The direction that a value of another library names; None if it is none."""
    return next((end for end in _ENDS if equals(value, end)), None)


OBJECT = 400  # bytes of a label or an incidence, as objects of Python; seen were 170


def require_objects(labels: int, incidences: int) -> None:
    """Raise `NotEnoughMemoryError`, before the work, where labels and incidences do not fit into the free memory."""
    what = f"A hypergraph of {labels:,} vertices and hyperedges, and {incidences:,} incidences,"
    require_memory(OBJECT * (labels + incidences), what)


# -- reading ----------------------------------------------------------------------------------------------------


@dataclass
class ObjectReader:
    """The content of an object read so far; `hypergraph` builds the hypergraph.

    `relabel` says what to do about labels that are neither strings nor integers. `weight` is the name of the attribute
    with a hyperedge's weight; with None, every weight is 1.
    """

    kind: Library
    relabel: str
    weight: str | None = "weight"
    network_type: NetworkType | None = None
    vertices: dict[Label, None] = field(default_factory=dict)
    members: dict[Label, list[Label]] = field(default_factory=dict)
    weights: dict[Label, Fraction] = field(default_factory=dict)
    kept_metadata: dict[str, Json] = field(default_factory=dict)
    vertex_weights: dict[Label, Fraction] = field(default_factory=dict)
    vertex_attributes: dict[Label, Attributes] = field(default_factory=dict)
    hyperedge_attributes: dict[Label, Attributes] = field(default_factory=dict)
    records: dict[tuple[Label, Label], dict[Direction | None, IncidenceRecord]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    not_weights: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)
    told: Counter[tuple[Label, Label]] = field(default_factory=Counter)  # how often an incidence is annotated

    def label(self, value: object) -> Label:
        """`value` as a label."""
        try:
            return as_label(value)
        except HypergraphError as error:
            raise HypergraphError(f"{error} {self.relabel}") from None

    def metadata(self, given: Said) -> None:
        """Add metadata."""
        self.kept_metadata |= self._attributes(given, "the metadata")

    def vertex(self, value: object, attributes: Said = _NOTHING) -> Label:
        """Add a vertex; a numeric attribute `weight` is its weight."""
        label = self.label(value)
        self.vertices.setdefault(label)
        if attributes:
            weight, kept = self._weight_and_attributes(attributes, f"vertex {shown(label)}")
            if weight is not None:
                self.vertex_weights[label] = weight
            self.vertex_attributes[label] = {**self.vertex_attributes.get(label, {}), **kept}
        return label

    def hyperedge(self, value: object, attributes: Said = _NOTHING) -> Label:
        """Add a hyperedge, which must be new; one of its attributes may be its weight."""
        label = self.label(value)
        if label in self.members:
            raise HypergraphError(f"There are two hyperedges {shown(label)}; each label may occur once.")
        self.members[label] = []
        if attributes:
            self.hyperedge_attributes[label] = self._hyperedge_attributes(label, dict(attributes))
        return label

    def _hyperedge_attributes(self, label: Label, attributes: dict[object, object]) -> dict[str, Json]:
        what = f"hyperedge {shown(label)}"
        if self.weight in attributes:
            stated = attributes[self.weight]
            if stated is None or isinstance(stated, bool | str | list | tuple | Mapping):
                self.not_weights.append(f"The {self.weight} of {what} is {shown(stated)}")
            else:
                self.weights[label] = positive_weight(attributes.pop(self.weight), label)
        if is_number(attributes.get("weight")):  # another attribute is the weight
            attributes.pop("weight")
            if self.weight is not None:
                self.left_out.append(f"the attribute 'weight' of {what}")
        return self._attributes(attributes, what)

    def joined(self, own: Said, attributes: Said, what: str) -> dict[Any, object]:
        """The library's `own` properties and the attributes beside them; where both have a name, its own counts."""
        for name in own.keys() & attributes.keys():
            ignored = name == "weight" and self.weight is None
            if not ignored and not _same(own[name], attributes[name]):
                told = f"the attribute {shown(name)} of {what}, {shown(attributes[name])}"
                self.left_out.append(f"{told}, beside which {shown(own[name])} counts,")
        return {**attributes, **own}

    def incidence(
        self,
        hyperedge: Label,
        value: object,
        attributes: Said = _NOTHING,
        direction: Direction | None = None,
    ) -> None:
        """Add a vertex to a hyperedge; a numeric attribute `weight` is the incidence's weight."""
        vertex = self.label(value)
        self.vertices.setdefault(vertex)
        self.members[hyperedge].append(vertex)
        if not attributes and direction is None:
            return
        what = f"vertex {shown(vertex)} in hyperedge {shown(hyperedge)}"
        weight, kept = self._weight_and_attributes(attributes, what)
        self.told[hyperedge, vertex] += 1
        records = self.records.setdefault((hyperedge, vertex), {})
        old = records.get(direction, IncidenceRecord())
        self._compare(old, weight, kept, what)
        weight = old.weight if weight is None else weight
        records[direction] = IncidenceRecord(direction, weight, {**old.attributes, **kept})

    def _compare(self, old: IncidenceRecord, weight: Fraction | None, kept: Said, what: str) -> None:
        """Note what contradicts an earlier record of the same incidence."""
        if weight is not None and old.weight not in {None, weight}:
            self.contradictions.append(f"the weight of {what} is {shown(weight)}, before {shown(old.weight)}")
        for name, now in kept.items():
            before = old.attributes.get(name, now)
            if _differ(before, now):
                self.contradictions.append(
                    f"the attribute {shown(name)} of {what} is {shown(now)}, before {shown(before)}"
                )

    def _weight_and_attributes(self, given: Said, what: str) -> tuple[Fraction | None, dict[str, Json]]:
        attributes = dict(given)
        if not is_number(attributes.get("weight")):
            return None, self._attributes(attributes, what)
        try:
            weight = exact(attributes.pop("weight"))
        except HypergraphError:  # no algorithm reads it, so NaN is accepted
            self.left_out.append(f"the weight of {what}")
            return None, self._attributes(attributes, what)
        return weight, self._attributes(attributes, what)

    def _attributes(self, given: Said, what: str) -> dict[str, Json]:
        """The attributes that JSON can hold; the others are listed for a warning."""
        kept: dict[str, Json] = {}
        for name, value in given.items():
            try:
                if not isinstance(name, str):
                    raise HypergraphError("a name is a string.")
                kept[name] = json_copy(value, 2)
            except HypergraphError:
                of_what = what if what == "the metadata" else f"the attributes of {what}"
                self.left_out.append(f"{shown(name)} among {of_what}")
        return kept

    def hypergraph(self) -> Hypergraph:
        """The hypergraph of everything that was read; warns of what could not be kept."""
        if self.weight not in {None, "weight"} and self.members and not self.weights:
            raise HypergraphError(f"No hyperedge has a number as its attribute {shown(self.weight)}.")
        self._note_undirected()
        annotations = Annotations(
            self.network_type,
            self.kept_metadata,
            self.vertex_weights,
            self.vertex_attributes,
            self.hyperedge_attributes,
            {pair: tuple(records.values()) for pair, records in self.records.items()},
        )
        H = Hypergraph.from_hyperedges(self.members, self.weights, self.vertices, annotations=annotations)
        self._warn()
        return H

    def _note_undirected(self) -> None:
        """Add an empty record to each incidence with a direction that also stands there without anything."""
        directed = {pair for pair, records in self.records.items() if records.keys() - {None}}
        counts = {hyperedge: Counter(self.members[hyperedge]) for hyperedge, _ in directed}
        for hyperedge, vertex in directed:
            if counts[hyperedge][vertex] > self.told[hyperedge, vertex]:
                self.records[hyperedge, vertex].setdefault(None, IncidenceRecord())

    def _warn(self) -> None:
        if self.left_out:
            first, more = self.left_out[0], len(self.left_out) - 1
            and_more = f", and so were {more} more" if more else ""
            message = f"From {self.kind.library}, {first} cannot be kept in a hypergraph and was left out"
            warnings.warn(f"{message}{and_more}.", HyloopWarning, stacklevel=4)
        if self.not_weights:
            message = f"{self.not_weights[0]}, which is no number: it was kept as an attribute, and the weight is 1."
            warnings.warn(message, HyloopWarning, stacklevel=4)
        if self.contradictions:
            others = f"; and {len(self.contradictions) - 1:,} more" if self.contradictions[1:] else ""
            message = f"From {self.kind.library}, records of one incidence contradict each other, and the last counts"
            warnings.warn(f"{message}: {self.contradictions[0]}{others}.", HyloopWarning, stacklevel=4)


def _differ(one: object, other: object) -> bool:
    """Whether two values of JSON differ."""
    return one != other or isinstance(one, bool) != isinstance(other, bool)  # in Python, True equals 1


def _same(one: object, other: object) -> bool:
    """Whether two values of another library are the same number, or the same JSON."""
    try:
        if is_number(one) and is_number(other):
            return exact(one) == exact(other)
        return not _differ(json_copy(one, 2), json_copy(other, 2))
    except HypergraphError:
        return False


# -- writing ----------------------------------------------------------------------------------------------------


def float_for(value: Fraction) -> float | None:
    """The float for which Python prints a decimal equal to `value`; None if there is none."""
    return meant_by(value)


def number_for(value: Fraction) -> int | float | Fraction:
    """`value` as an int, else as the float that stands for it, else unchanged: always exact."""
    if value.denominator == 1:
        return value.numerator
    meant = float_for(value)
    return value if meant is None else meant


def holds_exactly(values: Collection[object]) -> bool:
    """Whether pandas, which picks one dtype for a column, rounds none of these numbers: int64, or floats."""
    kinds = {type(value) for value in values}
    if kinds <= {int}:
        return all(-(2**63) <= cast("int", number) < 2**63 for number in values)
    return kinds <= {int, float} and all(map(as_float, values))


def as_float(value: object) -> bool:
    """Whether a number is what a float of it is read as: the decimal that Python prints. 2^62 prints another."""
    return isinstance(value, float) or (isinstance(value, int) and float_for(Fraction(value)) is not None)


def value_for(value: Json) -> object:
    """An attribute for other libraries: decimals as floats where that is exact, else as Decimals."""
    if isinstance(value, Decimal):
        nearest = float(value)
        return nearest if np.isfinite(nearest) and Decimal(str(nearest)) == value else value
    if isinstance(value, dict):
        return {name: value_for(item) for name, item in value.items()}
    return [value_for(item) for item in value] if isinstance(value, list) else value


_LOSSES: Mapping[str, Callable[[Annotations], object]] = {
    "the metadata": lambda kept: kept.metadata,
    "the network type asc": lambda kept: kept.network_type == "asc",
    "weights of vertices": lambda kept: kept.vertex_weights,
    "attributes of vertices": lambda kept: kept.vertex_attributes,
    "attributes of hyperedges": lambda kept: kept.hyperedge_attributes,
    "weights of incidences": lambda kept: any(
        record.weight is not None for records in kept.incidences.values() for record in records
    ),
    "attributes of incidences": lambda kept: any(
        record.attributes for records in kept.incidences.values() for record in records
    ),
}
EVERYTHING = tuple(_LOSSES)


@dataclass
class ObjectWriter:
    """The conversion of a hypergraph into an object of another library, with a list of what is lost."""

    H: Hypergraph
    kind: Library
    lost: dict[str, None] = field(default_factory=dict)

    @property
    def weighted(self) -> bool:
        """Whether any weight differs from 1; if not, no weights are written."""
        return any(weight != 1 for weight in self.H.weights)

    def require_undirected(self) -> None:
        """Raise HypergraphError if the hypergraph is directed."""
        if self.H.directed:
            raise HypergraphError(
                f"This hypergraph is directed, and {self.kind.library} cannot hold directions here; "
                "convert h.ignoring_direction(), which is the same hypergraph without them."
            )

    def leaves_behind(self, *what: str) -> None:
        """List these (keys of `_LOSSES`) as lost, if the hypergraph has them."""
        self.lost.update(dict.fromkeys(each for each in what if _LOSSES[each](self.H.annotations)))

    def vertex(self, label: Label, **own: object) -> dict[str, object]:
        """The attributes of a vertex, its weight among them, and the library's `own`."""
        kept = self.H.annotations
        weight = kept.vertex_weights.get(label)
        stated = {} if weight is None else {"weight": number_for(weight)}
        attributes = kept.vertex_attributes.get(label, {})
        self._note_weight(attributes, stated, "vertices")
        return self._merged(attributes, {**stated, **own}, "vertices")

    def hyperedges(self, **own: object) -> Iterator[tuple[Label, dict[str, object]]]:
        """Every hyperedge with its attributes, its weight among them, and the library's `own`."""
        weighted = self.weighted
        for label, weight in zip(self.H.hyperedges, self.H.weights, strict=True):
            stated = {"weight": number_for(weight)} if weighted else {}
            attributes = self.H.annotations.hyperedge_attributes.get(label, {})
            yield label, self._merged(attributes, {**stated, **own}, "hyperedges")

    def incidence(self, record: IncidenceRecord) -> dict[str, object]:
        """The attributes of an incidence, its weight among them."""
        stated: dict[str, object] = {} if record.weight is None else {"weight": number_for(record.weight)}
        self._note_weight(record.attributes, stated, "incidences")
        return self._merged(record.attributes, stated, "incidences")

    def _note_weight(self, attributes: Attributes, stated: Said, of_what: str) -> None:
        """List a number that is an attribute `weight` and not the weight: other libraries have one place for both."""
        if not stated and is_number(attributes.get("weight")):
            self.lost[f"a number 'weight' among the attributes of {of_what} other than as their weight"] = None

    def records(self, hyperedge: Label, vertex: Label) -> tuple[IncidenceRecord, ...]:
        """The records of an incidence; in a directed hypergraph each has a direction, and one without is both."""
        records = self.H.annotations.incidences.get((hyperedge, vertex), (IncidenceRecord(),))
        if not self.H.directed:
            return records
        known = {record.direction: record for record in records}
        both = known.pop(None, None)
        return tuple(known.values()) if both is None else tuple(self._end(end, known, both) for end in _ENDS)

    def _end(self, end: Direction, known: Mapping[Any, IncidenceRecord], both: IncidenceRecord) -> IncidenceRecord:
        """What an incidence says as a tail or head: also what it says without a direction."""
        own = known.get(end, IncidenceRecord(end))
        merged = {**both.attributes, **own.attributes}
        weights = {own.weight, both.weight} - {None}
        if len(weights) > 1 or merged != {**own.attributes, **both.attributes}:
            self.lost["what an incidence says without a direction, where it says another as a tail or head"] = None
        weight = both.weight if own.weight is None else own.weight
        return IncidenceRecord(end, weight, merged)

    def metadata(self) -> dict[str, object]:
        """The metadata, for other libraries."""
        return {name: value_for(value) for name, value in self.H.annotations.metadata.items()}

    def _merged(self, attributes: Attributes, own: dict[str, object], of_what: str) -> dict[str, object]:
        taken = own.keys() & attributes.keys()
        self.lost.update({f"attributes of {of_what} that are called {shown(name)}": None for name in sorted(taken)})
        return {**{name: value_for(value) for name, value in attributes.items()}, **own}

    def float_weights(self) -> npt.NDArray[np.float64]:
        """The weights as floats; those that no float stands for are rounded and listed as lost."""
        meant = [float_for(weight) for weight in self.H.weights]
        rounded = [place for place, value in enumerate(meant) if value is None]
        if rounded:
            first = f"{shown(self.H.weights[rounded[0]])} of hyperedge {shown(self.H.hyperedges[rounded[0]])}"
            more = f" and {len(rounded) - 1} more" if rounded[1:] else ""
            self.lost[f"the exact weight {first}{more} (rounded to the nearest float)"] = None
        pairs = zip(self.H.weights, meant, strict=True)
        return np.array([self._rounded(weight) if value is None else value for weight, value in pairs], np.float64)

    def _rounded(self, weight: Fraction) -> float:
        try:
            nearest = float(weight)
        except OverflowError:
            nearest = 0.0
        if nearest == 0.0:
            raise HypergraphError(
                f"The weight {shown(weight)} is beyond all floats, and {self.kind.library} has no more."
            )
        return nearest

    def _instead(self) -> str:
        """Which format holds what is lost: HIF is JSON, and has no fractions such as 1/3."""
        if all(decimal_places(weight.denominator) is not None for weight in set(self.H.weights)):
            return "The format hif can (hyloop.write)."
        return "The format edge-list holds exact weights; hif holds the rest, with decimal weights (hyloop.write)."

    def warn(self) -> None:
        """Warn once of what was lost."""
        if self.lost:
            message = f"{self.kind.library} cannot hold {'; '.join(self.lost)}. {self._instead()}"
            warnings.warn(message, HyloopWarning, stacklevel=3)
