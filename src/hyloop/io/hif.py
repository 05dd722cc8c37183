"""HIF, the Hypergraph Interchange Format (0.1): the only format that keeps all annotations of a hypergraph."""

from __future__ import annotations

import json
import re
import warnings
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn, TypeGuard, cast

import numpy as np

from hyloop.errors import FormatError, HyloopWarning, HypergraphError
from hyloop.hypergraph import (
    Alike,
    Annotations,
    Hypergraph,
    IncidenceRecord,
    Json,
    Label,
    exact,
    shown,
)
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.exact_json import FAULTS, decoder, exact_number, exact_weight, is_number, json_text, refusal
from hyloop.io.fields import told_of_file
from hyloop.io.gathering import Gathering
from hyloop.io.hif_plain import Run, plain_run
from hyloop.io.hif_schema import RECORDS, check_document, record_check, require_part, step
from hyloop.io.window import Window
from hyloop.numbers import decimal_places, written

__all__ = ["HyloopWarning", "read", "write"]

# A record that has been checked against the schema: the one place where the shape of a value is known to hold.
_Record = dict[str, Any]

# -- reading ----------------------------------------------------------------------------------------------------


def read(text: str | Window, budgets: Budgets = BUDGETS) -> Hypergraph:
    """The hypergraph of a HIF document.

    >>> read('{"incidences": [{"edge": "ferry", "node": "Quay"}]}').members_of("ferry")
    ('Quay',)
    """
    scanner = _Scanner(text, budgets)
    reading = _Reading(Gathering(budgets))
    document: dict[str, object] = {}
    for name in scanner.fields():
        require_part(name)
        if name in document:
            raise FormatError(f"the field {shown(name)} occurs twice.", where="$")
        if name in RECORDS and scanner.peek() == "[":
            document[name] = []  # each record is checked and used on its own; the list is never held as a whole
            reading.take(name, scanner)
        else:
            document[name] = scanner.value(f"$.{name}")
    check_document(document)
    return reading.hypergraph(document)


class _Scanner:
    """Walks through the top level of a JSON document; its values are parsed one by one, or many plain ones at once."""

    def __init__(self, text: str | Window, budgets: Budgets) -> None:
        self.window = text if isinstance(text, Window) else Window(text)
        self._decoder = decoder(budgets)

    def fields(self) -> Iterator[str]:
        """The names of the document's fields; the value of each must be read before the next name."""
        if self.peek() != "{":
            raise FormatError("a HIF file is a JSON object and begins with {.", where="$")
        self.window.position += 1
        if self.peek() != "}":
            yield self._name()
            while self._punctuation(",}") == ",":
                yield self._name()
        else:
            self.window.position += 1
        if self.peek():
            self._fail("nothing may follow the document's closing }", "$")

    def _name(self) -> str:
        if self.peek() != '"':
            self._fail("expected the name of a field in double quotes", "$")
        name = self.value("$")
        self._punctuation(":")
        self.peek()
        return str(name)

    def begins(self) -> bool:
        """Enter the next array; False if it is empty, and thus left again."""
        self._punctuation("[")
        if self.peek() != "]":
            return True
        self.window.position += 1
        return False

    def continues(self, path: str) -> bool:
        """Go on to the next value of an array; False after the last."""
        found = self.peek()
        if found not in {",", "]"}:
            self._fail("expected , or ]", path)
        self.window.position += 1
        if found == ",":
            self.peek()
        return found == ","

    def value(self, path: str, place: int | None = None) -> object:
        """The next value; `path` and `place` are for its error message."""
        while True:
            window = self.window
            try:
                value, end = self._decoder.raw_decode(window.text, window.position)
            except FAULTS as error:
                if _may_continue(error, window.text) and window.more():
                    continue
                self._refuse(error, path if place is None else f"{path}[{place}]")
            # A number goes on behind the end of the window: 1, 1. and 1e+ are cut off alike.
            if end < len(window.text) - 3 or window.text[end - 1] in '"]}' or not window.more():
                window.position = end
                return value

    def _refuse(self, error: Exception, where: str) -> NoReturn:
        if isinstance(error, json.JSONDecodeError):
            self.window.position = error.pos
            self._fail(error.msg, where)
        raise refusal(error, where) from None

    def peek(self) -> str:
        """The next character that is not white space, or an empty string at the end."""
        window = self.window
        while True:
            blank = _BLANK.match(window.text, window.position)
            window.position = blank.end() if blank else window.position
            if window.position < len(window.text) or not window.more():
                return window.text[window.position : window.position + 1]

    def _punctuation(self, allowed: str, path: str = "$") -> str:
        found = self.peek()
        if not found or found not in allowed:
            self._fail(f"expected {' or '.join(allowed)}", path)
        self.window.position += 1
        return found

    def _fail(self, message: str, path: str) -> NoReturn:
        line, column = self.window.place()
        raise FormatError(f"this is not JSON at line {line}, column {column}: {message}.", where=path) from None


def _may_continue(error: Exception, text: str) -> bool:
    """Whether a fault may be one of the window alone: a value that is cut off where the window ends."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated string") or error.pos >= len(text) - _LONGEST_WORD


_LONGEST_WORD = 16  # characters of a word or escape of JSON, and some more
_BLANK = re.compile(r"[ \t\n\r]*+")


class _Place(NamedTuple):
    """A record and its position."""

    part: str
    place: int
    record: _Record

    def told(self, where: str) -> str:
        """A field of the record, for messages: its path, and what the record is about."""
        kinds = (("node", "vertex"), ("edge", "hyperedge"))
        about = " in ".join(f"{kind} {shown(self.record[key])}" for key, kind in kinds if key in self.record)
        return f"$.{self.part}[{self.place}]{where} of {about}"


@dataclass
class _Told:
    """The content of a warning: the first few items, and their number."""

    first: list[str] = field(default_factory=list)
    number: int = 0

    def add(self, text: str) -> None:
        self.number += 1
        if self.number <= _AT_MOST:
            self.first.append(text)

    def __str__(self) -> str:
        more = f"; and {self.number - _AT_MOST:,} more" if self.number > _AT_MOST else ""
        return "; ".join(self.first) + more


_AT_MOST = 3


@dataclass
class _Reading:
    """The content of the records read so far.

    Records of nodes and edges come first in the numbering even if they come last in the file, so incidences have
    preliminary numbers until the end: 16 bytes for each incidence without annotations.
    """

    gathered: Gathering
    vertex_weights: dict[Label, Fraction] = field(default_factory=dict)
    vertex_attributes: dict[Label, dict[str, Json]] = field(default_factory=dict)
    hyperedge_attributes: dict[Label, dict[str, Json]] = field(default_factory=dict)
    incidences: dict[tuple[Label, Label], tuple[IncidenceRecord, ...]] = field(default_factory=dict)
    replaced: _Told = field(default_factory=_Told)
    contradictions: _Told = field(default_factory=_Told)
    _alike: Alike = field(default_factory=Alike)
    _told: array[int] = field(default_factory=lambda: array("q"))  # the places of annotated incidences
    _from_attributes: dict[int, int] = field(default_factory=dict)  # edge records whose attributes have the weight

    def take(self, part: str, scanner: _Scanner) -> None:
        """Check and use the records of one part of the document."""
        check = record_check(part)
        use = {"nodes": self._node, "edges": self._edge, "incidences": self._incidence}[part]
        path, place, slow = f"$.{part}", 0, 0
        more = scanner.begins()
        while more:
            if not slow:
                taken, slow = self._take_many(part, scanner)
                place += taken
            slow = max(0, slow - 1)
            record: Any = scanner.value(path, place)
            self.gathered.record()
            check(record, place)
            try:
                use(record, place)
            except HypergraphError as error:
                raise FormatError(str(error), where=f"{path}[{place}]") from None
            place += 1
            more = scanner.continues(path)

    def _take_many(self, part: str, scanner: _Scanner) -> tuple[int, int]:
        """Take runs of plain records at once: how many were taken, and how many are to be read one by one then."""
        taken, window = 0, scanner.window
        while run := plain_run(part, window.text, window.position):
            count = len(run)
            try:
                if not self.gathered.has_room(count, count):
                    raise HypergraphError("too many")
                {"nodes": self._nodes, "edges": self._edges, "incidences": self._plain_incidences}[part](run)
            except HypergraphError:  # one by one, they tell the place
                return taken, count
            self.gathered.record(count)
            window.position, taken = run.end, taken + count
            scanner.peek()  # what is left may be blank, and the next run in the next piece
        return taken, 0

    def _nodes(self, run: Run) -> None:
        self.gathered.list_vertices(run.labels("node"))

    def _plain_incidences(self, run: Run) -> None:
        numbers = self.gathered.hyperedges.number_all(run.labels("edge"))
        self.gathered.incidences(numbers, run.labels("node"))

    def _edges(self, run: Run) -> None:
        """Edges with a weight, or none; a weight twice is the same twice."""
        labels = run.labels("edge")
        if not run.shape.weights:
            self.gathered.list_hyperedges(labels)
            return
        weights = [weight for text in run.weights() if (weight := _plain_weight(text)) is not None]
        known = self.gathered.hyperedges
        if len(weights) < len(labels) or known.has_any(labels) or len(set(labels)) < len(labels):
            raise HypergraphError("records that may contradict each other")
        self.gathered.weights.update(zip(self.gathered.list_hyperedges(labels), weights, strict=True))

    def _node(self, record: _Record, place: int) -> None:
        label: Label = record["node"]
        self.gathered.list_vertices([label])
        if "weight" in record:
            weight = exact_number(record["weight"], f"$.nodes[{place}].weight")
            self._compare(self.vertex_weights.get(label), weight, _Place("nodes", place, record), ".weight")
            self.vertex_weights[label] = weight
        if record.get("attrs"):
            known = self.vertex_attributes.setdefault(label, {})
            self._add(known, record["attrs"], _Place("nodes", place, record))

    def _edge(self, record: _Record, place: int) -> None:
        label: Label = record["edge"]
        [number] = self.gathered.list_hyperedges([label])
        attributes = record.get("attrs", {})
        weight = self._weight(record, attributes, f"$.edges[{place}]")
        if weight is not None:
            self._state_weight(number, weight, _Place("edges", place, record))
            # The weight has one place; `write` puts it back into attrs.
            if is_number(attributes.get("weight")):
                del attributes["weight"]
        if attributes:
            known = self.hyperedge_attributes.setdefault(label, {})
            self._add(known, attributes, _Place("edges", place, record))

    def _state_weight(self, number: int, weight: Fraction, place: _Place) -> None:
        """Take the weight of a record: a `weight` counts more than an attribute of any record, else the later one."""
        old, own = self.gathered.weights.get(number), "weight" in place.record
        earlier = self._from_attributes.pop(number, None) if own else self._from_attributes.get(number)
        if old is not None and own and earlier is not None:
            if old != weight:
                self.replaced.add(f"$.edges[{earlier}].attrs.weight")
        elif old is not None and not own and earlier is None:
            if old != weight:
                self.replaced.add(f"$.edges[{place.place}].attrs.weight")
            return
        elif old is not None:
            self._compare(old, weight, place, ".weight" if own else ".attrs.weight")
        if not own:
            self._from_attributes[number] = place.place
        self.gathered.weights[number] = weight

    def _add(self, known: dict[str, Json], new: Mapping[str, Json], place: _Place) -> None:
        """Add attributes to those of earlier records of the same item."""
        for name in new if known else ():
            if name in known:
                self._compare(known[name], new[name], place, f".attrs{step(name)}")
        known.update(new)

    def _compare(self, old: object, new: object, place: _Place, where: str) -> None:
        """Record a contradiction with an earlier record of the same item; None means no weight yet."""
        if (old is not None or where != ".weight") and _differ(old, new):
            self.contradictions.add(f"{place.told(where)} is {shown(new)}, before {shown(old)}")

    def _weight(self, record: _Record, attributes: dict[str, Json], path: str) -> Fraction | None:
        """The weight that an edge record states: its own first, then a number among its attributes."""
        attribute = attributes.get("weight")
        if "weight" not in record:
            return exact_weight(attribute, record["edge"], f"{path}.attrs.weight") if is_number(attribute) else None
        weight = exact_weight(record["weight"], record["edge"], f"{path}.weight")
        if is_number(attribute) and attribute != record["weight"]:
            self.replaced.add(f"{path}.attrs.weight")
        return weight

    def _incidence(self, record: _Record, place: int) -> None:
        self.gathered.incidence(self.gathered.hyperedges.number(record["edge"]), record["node"])
        if len(record) > 2:
            self._told.append(self.gathered.incidence_count - 1)
            self._incidence_record(record, place)

    def _incidence_record(self, record: _Record, place: int) -> None:
        pair = (record["edge"], record["node"])
        weight = exact_number(record["weight"], f"$.incidences[{place}].weight") if "weight" in record else None
        said = IncidenceRecord(record.get("direction"), weight, record.get("attrs", _NOTHING))
        known = self.incidences.get(pair, ())
        if not known and _is_wide(pair):
            self._alike.add(pair)
        same = next((number for number, old in enumerate(known) if old.direction == said.direction), None)
        if same is None:
            self.incidences[pair] = (*known, said)
        else:
            both = self._merged(known[same], said, _Place("incidences", place, record))
            self.incidences[pair] = (*known[:same], both, *known[same + 1 :])

    def _merged(self, old: IncidenceRecord, new: IncidenceRecord, place: _Place) -> IncidenceRecord:
        """Merge two records of one incidence and direction; the later one takes precedence."""
        if new.weight is not None:
            self._compare(old.weight, new.weight, place, ".weight")
        # In place, since nothing else refers to these dictionaries: copies would take quadratic time.
        attributes = cast("dict[str, Json]", old.attributes or {})
        self._add(attributes, new.attributes, place)
        return IncidenceRecord(new.direction, old.weight if new.weight is None else new.weight, attributes)

    def hypergraph(self, document: Mapping[str, Any]) -> Hypergraph:
        """The hypergraph of everything that was read; `document` holds the fields that are not records."""
        self._warn()
        self._note_undirected()
        try:
            return self.gathered.hypergraph(self._annotations(document))
        except HypergraphError as error:  # for example, attributes nested too deeply
            raise FormatError(str(error)) from None

    def _note_undirected(self) -> None:
        """Add an empty record to each incidence with a direction that also has a record without anything."""
        directed = [pair for pair, records in self.incidences.items() if any(each.direction for each in records)]
        if not directed or len(self._told) == self.gathered.incidence_count:
            return
        cell = self.gathered.cell
        plain = np.delete(self.gathered.cells(), np.array(self._told, np.int64))
        theirs = [cell(edge, vertex) for edge, vertex in directed]
        for place in np.flatnonzero(np.isin(np.array(theirs, np.int64), plain)):
            known = self.incidences[directed[place]]
            if all(each.direction for each in known):
                self.incidences[directed[place]] = (*known, IncidenceRecord())

    def _annotations(self, document: Mapping[str, Any]) -> Annotations:
        return Annotations(
            document.get("network-type"),
            document.get("metadata", {}),
            self.vertex_weights,
            self.vertex_attributes,
            self.hyperedge_attributes,
            self.incidences,
        )

    def _warn(self) -> None:
        if self.replaced.number:
            more = self.replaced.number - 1
            message = (
                f"{self.replaced.first[0]} contradicts the weight of its edge record and was replaced by it"
                f"{f', and so were {more:,} more' if more else ''}."
            )
            warnings.warn(told_of_file(message), HyloopWarning, stacklevel=5)
        if self.contradictions.number:
            message = f"Records contradict earlier ones of the same name, and the later count: {self.contradictions}."
            warnings.warn(told_of_file(message), HyloopWarning, stacklevel=5)


_NOTHING: dict[str, Json] = {}


@lru_cache(maxsize=2**16)
def _plain_weight(text: str) -> Fraction | None:
    """A positive decimal as it is; equal ones are one object. None for what needs a closer look."""
    weight = exact(Decimal(text))
    return weight if weight > 0 else None


def _is_wide(pair: tuple[Label, Label]) -> TypeGuard[tuple[int, int]]:
    """Whether hash collisions of such pairs are easy to construct; for two smaller integers they are not."""
    return all(isinstance(label, int) for label in pair) and any(abs(int(label)) >= 2**32 for label in pair)


def _differ(old: object, new: object) -> bool:
    """Whether two JSON values differ; in Python, True equals 1."""
    try:
        return old != new or isinstance(old, bool) != isinstance(new, bool)
    except RecursionError:  # nested too deeply, which is refused later
        return True


# -- writing ----------------------------------------------------------------------------------------------------


def write(H: Hypergraph) -> Iterator[str]:
    """The HIF document of a hypergraph, piece by piece: one record per line, for every vertex and hyperedge."""
    kept = H.annotations
    yield "{\n"
    if kept.network_type is not None:
        yield f'"network-type": {json_text(kept.network_type)},\n'
    if kept.metadata:
        yield f'"metadata": {json_text(dict(kept.metadata))},\n'
    yield from _array("nodes", _node_records(H))
    yield ",\n"
    yield from _array("edges", _edge_records(H))
    yield ",\n"
    yield from _array("incidences", _incidence_records(H))
    yield "\n}\n"


def _array(name: str, records: Iterable[dict[str, Json]]) -> Iterator[str]:
    yield f'"{name}": ['
    separator = "\n"
    for record in records:
        yield f"{separator}  {json_text(record)}"
        separator = ",\n"
    yield "]" if separator == "\n" else "\n]"


def _node_records(H: Hypergraph) -> Iterator[dict[str, Json]]:
    for label in H.vertices:
        weight = H.annotations.vertex_weights.get(label)
        yield {
            "node": label,
            **({} if weight is None else {"weight": _decimal(weight, f"vertex {shown(label)}")}),
            **_attrs(H.annotations.vertex_attributes.get(label, {})),
        }


def _edge_records(H: Hypergraph) -> Iterator[dict[str, Json]]:
    weighted = any(weight != 1 for weight in H.weights)
    for label, weight in zip(H.hyperedges, H.weights, strict=True):
        attributes = H.annotations.hyperedge_attributes.get(label, {})
        if not weighted:
            yield {"edge": label, **_attrs(attributes)}
            continue
        number = _decimal(weight, f"hyperedge {shown(label)}")
        # Some libraries read one weight, some the other, so both are written.
        yield {"edge": label, "weight": number, **_attrs({"weight": number, **attributes})}


def _incidence_records(H: Hypergraph) -> Iterator[dict[str, Json]]:
    incidence = H.incidence_transposed
    for row, label in enumerate(H.hyperedges):
        for number in incidence.row(row):
            vertex = H.vertices[number]
            for record in H.annotations.incidences.get((label, vertex), (IncidenceRecord(),)):
                yield {"edge": label, "node": vertex, **_said(record, label, vertex)}


def _said(record: IncidenceRecord, hyperedge: Label, vertex: Label) -> dict[str, Json]:
    said: dict[str, Json] = {}
    if record.weight is not None:
        said["weight"] = _decimal(record.weight, f"vertex {shown(vertex)} in hyperedge {shown(hyperedge)}")
    if record.direction is not None:
        said["direction"] = record.direction
    return {**said, **_attrs(record.attributes)}


def _attrs(attributes: Mapping[str, Json]) -> dict[str, Json]:
    return {"attrs": dict(attributes)} if attributes else {}


def _decimal(weight: Fraction, what: str) -> int | Decimal:
    if decimal_places(weight.denominator) is None:
        raise FormatError(
            f"The weight of {what} is {shown(weight)}, which no decimal number equals, and HIF has only "
            "decimal numbers. The formats edge-list and incidence-csv hold fractions."
        )
    return weight.numerator if weight.denominator == 1 else Decimal(written(weight))
