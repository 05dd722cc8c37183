"""What a hypergraph says besides its structure and weights: direction, attributes, weights of vertices."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

import numpy as np

from hyloop.errors import HypergraphError
from hyloop.hypergraph.labels import Numbering, as_label, require_known
from hyloop.hypergraph.rational import exact, printed
from hyloop.hypergraph.values import Label, is_integer, is_number, shown
from hyloop.numbers import writable

Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"
Attributes: TypeAlias = Mapping[str, Json]
Direction: TypeAlias = Literal["head", "tail"]
NetworkType: TypeAlias = Literal["undirected", "directed", "asc"]
_DIRECTIONS: tuple[Direction | None, ...] = (None, "head", "tail")
ENDS: tuple[Direction, Direction] = ("tail", "head")
NESTING = 100
KEPT_DIGITS = 4000  # of an integer that is only kept: Python reads and writes 4,300 at once. A Decimal may have more
_NOT_KEPT = 10**KEPT_DIGITS  # computed once: it takes longer than reading a small integer does


@dataclass(frozen=True, slots=True)
class IncidenceRecord:
    """The annotations of one incidence: weight, direction and attributes."""

    direction: Direction | None = None
    weight: Fraction | None = None
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Annotations:
    """The annotations of a hypergraph, besides its structure and weights. Algorithms read directions only; files keep
    all.

    All mappings are sparse: what is not in them has no weight, no direction and no attributes. `incidences` is
    keyed by (hyperedge, vertex) and has at most one record for each direction (head, tail, none); empty records are
    left out. A record without a direction is one of a tail and of a head: beside a tail, there is then a head, too. Do
    not modify the dictionaries.
    """

    network_type: NetworkType | None = None
    metadata: Attributes = field(default_factory=dict)
    vertex_weights: Mapping[Label, Fraction] = field(default_factory=dict)
    vertex_attributes: Mapping[Label, Attributes] = field(default_factory=dict)
    hyperedge_attributes: Mapping[Label, Attributes] = field(default_factory=dict)
    incidences: Mapping[tuple[Label, Label], tuple[IncidenceRecord, ...]] = field(default_factory=dict)

    @property
    def directed(self) -> bool:
        """Whether the network type says so, or any incidence has a direction."""
        records = itertools.chain.from_iterable(self.incidences.values())
        return self.network_type == "directed" or any(record.direction for record in records)


def checked_annotations(given: Annotations, vertices: Numbering, hyperedges: Numbering) -> Annotations:
    """A copy of `given` in which every value is JSON, every label known, and nothing is empty."""
    if given.network_type not in (None, *get_args(NetworkType)):
        raise HypergraphError(
            f"The network type is {shown(given.network_type)}; it must be one of {', '.join(get_args(NetworkType))}."
        )
    return Annotations(
        given.network_type,
        _json_object(given.metadata, "The metadata"),
        _checked_vertex_weights(given.vertex_weights, vertices),
        _checked_attributes("vertex", given.vertex_attributes, vertices),
        _checked_hyperedge_attributes(given.hyperedge_attributes, hyperedges),
        _checked_incidences(given.incidences, vertices, hyperedges),
    )


def _checked_vertex_weights(given: Mapping[Label, Fraction], vertices: Numbering) -> dict[Label, Fraction]:
    require_known("vertex", given, vertices)
    return {as_label(label): exact(weight) for label, weight in given.items()}


def _checked_attributes(kind: str, given: Mapping[Label, Attributes], known: Numbering) -> dict[Label, dict[str, Json]]:
    require_known(kind, given, known)
    return {
        as_label(label): _json_object(attributes, f"The attributes of {kind} {shown(label)}")
        for label, attributes in given.items()
        if attributes
    }


def _checked_hyperedge_attributes(
    given: Mapping[Label, Attributes], hyperedges: Numbering
) -> dict[Label, dict[str, Json]]:
    checked = _checked_attributes("hyperedge", given, hyperedges)
    for label, attributes in checked.items():
        # One weight only: in other libraries, weights get lost where there are two that may differ.
        if is_number(attributes.get("weight")):
            raise HypergraphError(
                f"Hyperedge {shown(label)} has a number as its attribute 'weight'; give it as the weight itself."
            )
    return checked


def _checked_incidences(
    given: Mapping[tuple[Label, Label], tuple[IncidenceRecord, ...]], vertices: Numbering, hyperedges: Numbering
) -> dict[tuple[Label, Label], tuple[IncidenceRecord, ...]]:
    require_known("hyperedge", (hyperedge for hyperedge, _ in given), hyperedges)
    require_known("vertex", (vertex for _, vertex in given), vertices)
    checked = {}
    for pair, records in given.items():
        try:
            said = _checked_records(records)
        except HypergraphError as error:
            where = f"vertex {shown(pair[1])} in hyperedge {shown(pair[0])}"
            raise HypergraphError(f"The annotations of {where} cannot be kept: {error}") from None
        if said:
            checked[pair] = said
    return checked


def _checked_records(records: Iterable[IncidenceRecord]) -> tuple[IncidenceRecord, ...]:
    by_direction: dict[Direction | None, IncidenceRecord] = {}
    for record in records:
        if record.direction not in _DIRECTIONS:
            raise HypergraphError(f"the direction {shown(record.direction)} is neither head nor tail.")
        if record.direction in by_direction:
            raise HypergraphError(f"there are two records with the direction {record.direction}.")
        by_direction[record.direction] = _checked_record(record)
    if None in by_direction and len(by_direction) > 1:
        for end in ENDS:
            by_direction.setdefault(end, IncidenceRecord(end))
    ordered = sorted(by_direction, key=_DIRECTIONS.index)
    return tuple(by_direction[direction] for direction in ordered if _says_something(by_direction[direction]))


def _checked_record(record: IncidenceRecord) -> IncidenceRecord:
    weight = None if record.weight is None else exact(record.weight)
    return IncidenceRecord(record.direction, weight, _json_mapping(record.attributes, 1))


def _says_something(record: IncidenceRecord) -> bool:
    return record.direction is not None or record.weight is not None or bool(record.attributes)


def without_direction(records: Iterable[IncidenceRecord]) -> IncidenceRecord:
    """What the records of an incidence say together, without their directions."""
    weight: Fraction | None = None
    attributes: dict[str, Json] = {}
    for record in records:
        weight = weight if record.weight is None else record.weight
        attributes.update(record.attributes)
    return IncidenceRecord(None, weight, attributes)


def _json_object(value: object, what: str) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise HypergraphError(f"{what} must be a mapping from names to values, not {shown(value)}.")
    try:
        return _json_mapping(value, 1)
    except HypergraphError as error:
        raise HypergraphError(f"{what} cannot be kept: {error}") from None


def _json_mapping(value: Mapping[str, object], depth: int) -> dict[str, Json]:
    copy: dict[str, Json] = {}
    for name, item in value.items():
        if not isinstance(name, str):
            raise HypergraphError(f"the name {shown(name)} is not a string.")
        copy[name] = json_copy(item, depth + 1)
    return copy


def json_copy(value: object, depth: int) -> Json:
    """A copy of `value` with exact numbers, so that reading gives back what was written."""
    if depth > NESTING + 1:
        raise HypergraphError(f"it is nested more than {NESTING} deep.")
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Mapping):
        return _json_mapping(value, depth)
    if isinstance(value, list | tuple):
        return [json_copy(item, depth + 1) for item in value]
    return bool(value) if isinstance(value, np.bool_) else _json_number(value)


def _json_number(value: object) -> int | Decimal:
    if is_integer(value):
        if abs(int(value)) >= _NOT_KEPT:
            raise HypergraphError(f"it has an integer of more than {KEPT_DIGITS:,} digits; give it as a Decimal.")
        return writable(int(value))
    if isinstance(value, Decimal | float | np.floating):
        number = value if isinstance(value, Decimal) else printed(value)
        if number.is_finite():
            return number
    raise HypergraphError(f"{shown(value)} is not a value that JSON has.")
