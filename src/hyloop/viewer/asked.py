"""The page's requests, parsed from JSON: a hypergraph, an algorithm with its inputs, and positions of vertices.

An invalid request raises HyloopError, whose message the page shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn

from hyloop.errors import FormatError, HyloopError, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, exact, positive_weight, shown
from hyloop.io.fields import number_from_text
from hyloop.labels import label_from_json
from hyloop.strict import require_room

Point = tuple[float, float]

# The limits of vertices, hyperedges and members in a request: with more, a run takes minutes and gigabytes, and nobody
# draws so many by hand.
MOST = 20_000
ROOM = 2**29  # bytes of memory for the parsed JSON of a request
MOST_MEMBERS = 500_000


@dataclass(frozen=True)
class Offer:
    """An algorithm that a page can run: its name, a one-line description, and the kind of each of its inputs."""

    name: str
    about: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The JSON for the page."""
        inputs = [{"name": name, "kind": kind} for name, kind in self.inputs.items()]
        return {"name": self.name, "about": self.about, "inputs": inputs}


@dataclass(frozen=True)
class Room:
    """The largest hypergraph that a page may request: vertices (and as many hyperedges), and members."""

    rows: int = MOST
    members: int = MOST_MEMBERS

    @classmethod
    def beside(cls, document: Mapping[str, Any]) -> Room:
        """The default limits, or the size of the trace that is already shown: whatever is shown can be edited."""
        shown = document.get("hypergraph")
        held = shown if isinstance(shown, Mapping) else {}
        rows = (len(held.get(side, ())) for side in ("vertices", "hyperedges"))
        return cls(max(MOST, *rows), max(MOST_MEMBERS, sum(map(len, held.get("members", ())))))

    def require(self, count: int, what: str) -> None:
        """Raise if there are too many vertices, hyperedges or members."""
        most = self.members if what == "members" else self.rows
        if count > most:
            raise HyloopError(
                f"The page asks for {count:,} {what}, and at most {most:,} are run from here; "
                "larger hypergraphs are for `hyloop run` and `hyloop trace`."
            )


@dataclass(frozen=True)
class Asked:
    """A requested run; `keep` has the current positions of vertices, so that the picture stays stable after an edit."""

    hypergraph: Hypergraph
    algorithm: str
    inputs: Mapping[str, Any]
    keep: Mapping[Label, Point]


def read(body: bytes) -> dict[str, Any]:
    """The JSON object in the body of a request."""
    try:
        require_room(body, ROOM)
    except ValueError as wrong:
        raise FormatError(f"The request is too large: {wrong}.") from None
    try:
        document = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_object)
    except RecursionError:
        raise FormatError("The request is nested too deeply to be read.") from None
    except ValueError as wrong:
        raise FormatError(f"The request is not JSON: {wrong}.") from None
    return _mapping(document, "The request")


def asked(document: Mapping[str, Any], offers: Sequence[Offer], room: Room | None = None) -> Asked:
    """Parse a request for a run."""
    _only_fields(document, "The request", {"hypergraph", "algorithm", "inputs", "positions"})
    h = hypergraph(document.get("hypergraph"), room)
    offer = _offer(document.get("algorithm"), offers)
    inputs = _inputs(offer, h, _mapping(document.get("inputs", {}), "inputs"))
    return Asked(h, offer.name, inputs, _keep(h, document.get("positions")))


# -- the hypergraph -------------------------------------------------------------------------------------------------


def hypergraph(value: object, room: Room | None = None) -> Hypergraph:
    """Parse the hypergraph of a request. Every member must be among the vertices; a weight is exact, as text."""
    given = _mapping(value, "hypergraph")
    _only_fields(given, "hypergraph", {"vertices", "hyperedges"})
    listed, records = (_list(given.get(side), f"hypergraph.{side}") for side in ("vertices", "hyperedges"))
    _require_room(room or Room(), listed, records)
    vertices = _distinct("vertex", listed)
    members: dict[Label, list[Label]] = {}
    weights: dict[Label, Fraction] = {}
    for place, record in enumerate(records):
        name, weight, inside = _hyperedge(record, f"hypergraph.hyperedges[{place}]", vertices)
        if name in members:
            raise HypergraphError(f"There are two hyperedges {shown(name)}; each label may occur once.")
        members[name], weights[name] = inside, weight
    return Hypergraph.from_hyperedges(members, weights, vertices)


def _require_room(room: Room, vertices: Sequence[object], hyperedges: Sequence[object]) -> None:
    """Raise if it is too large, before parsing it."""
    room.require(len(vertices), "vertices")
    room.require(len(hyperedges), "hyperedges")
    inside = (each.get("members") for each in hyperedges if isinstance(each, dict))
    room.require(sum(len(each) for each in inside if isinstance(each, list)), "members")


def _hyperedge(value: object, where: str, vertices: Mapping[Label, None]) -> tuple[Label, Fraction, list[Label]]:
    record = _mapping(value, where)
    _only_fields(record, where, {"name", "weight", "members"})
    name = label_from_json(record.get("name"))
    members = _distinct(f"member of {shown(name)}", _list(record.get("members"), f"{where}.members"))
    for label in members:
        if label not in vertices:
            raise HypergraphError(f"{shown(label)} is in hyperedge {shown(name)}, but there is no such vertex.")
    return name, _weight(record.get("weight", "1"), name), list(members)


def _weight(value: object, name: Label) -> Fraction:
    if not isinstance(value, str):
        raise HypergraphError(f'The weight of hyperedge {shown(name)} must be text, such as "1.5", not {shown(value)}.')
    try:
        number = number_from_text(value.strip())
    except HypergraphError as wrong:
        raise HypergraphError(f"The weight of hyperedge {shown(name)} cannot be used: {wrong}") from None
    return positive_weight(number, name)


def _distinct(kind: str, labels: Sequence[object]) -> dict[Label, None]:
    found: dict[Label, None] = {}
    for value in labels:
        label = label_from_json(value)
        if label in found:
            raise HypergraphError(f"There are two of {kind} {shown(label)}; each label may occur once.")
        found[label] = None
    return found


# -- the algorithm and its inputs -----------------------------------------------------------------------------------


def _offer(name: object, offers: Sequence[Offer]) -> Offer:
    for each in offers:
        if each.name == name:
            return each
    raise HyloopError(f"There is no algorithm {shown(name)}; there are {', '.join(each.name for each in offers)}.")


def _inputs(offer: Offer, h: Hypergraph, given: Mapping[str, Any]) -> dict[str, Any]:
    for name in given:
        if name not in offer.inputs:
            raise HyloopError(f"{offer.name} has no input {shown(name)}.")
    for name, kind in offer.inputs.items():
        if name not in given:
            raise HyloopError(f"{offer.name} needs {name}, a {kind}.")
    return {name: _READ[kind](name, h, given[name]) for name, kind in offer.inputs.items()}


def _vertex(_: str, h: Hypergraph, value: object) -> Label:
    return h.vertices[h.vertex_number(label_from_json(value))]


def _hyperedge_label(_: str, h: Hypergraph, value: object) -> Label:
    return h.hyperedges[h.hyperedge_number(label_from_json(value))]


def _flag(name: str, _: Hypergraph, value: object) -> bool:
    if not isinstance(value, bool):
        raise HyloopError(f"The input {name} is a flag: true or false, not {shown(value)}.")
    return value


def _number(name: str, _: Hypergraph, value: object) -> Fraction:
    try:
        return exact(number_from_text(value.strip()) if isinstance(value, str) else value)
    except HypergraphError as wrong:
        raise HyloopError(f"The input {name} cannot be used: {wrong}") from None


_READ: Mapping[str, Callable[[str, Hypergraph, Any], Any]] = {
    "vertex": _vertex,
    "hyperedge": _hyperedge_label,
    "flag": _flag,
    "count": _number,
    "length": _number,
}


# -- positions ------------------------------------------------------------------------------------------------------


def _keep(h: Hypergraph, value: object) -> dict[Label, Point]:
    """Points by label, from a list of pairs: in an object, 1 and "1" would be one name."""
    given = _mapping({} if value is None else value, "positions")
    _only_fields(given, "positions", {"vertices", "hyperedges"})
    pairs = _list(given.get("vertices", []), "positions.vertices")
    points = dict(_placed(pair, f"positions.vertices[{place}]") for place, pair in enumerate(pairs))
    return {label: points[label] for label in h.vertices if label in points}


def _placed(value: object, where: str) -> tuple[Label, Point]:
    if not isinstance(value, list) or len(value) != 2:
        raise FormatError(f"expected a label and a point, found {shown(value)}.", where=where)
    return label_from_json(value[0]), _point(value[1], where)


def _point(value: object, where: str) -> Point:
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_finite, value)):
        raise FormatError(f"expected two numbers, found {shown(value)}.", where=where)
    x, y = (min(max(float(each), 0.0), 1.0) for each in value)  # pictures are drawn in the unit square
    return x, y


def _is_finite(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= 1e9  # false for not-a-number, too


# -- shapes ---------------------------------------------------------------------------------------------------------


def _mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{where} must be an object, not {shown(value)}.")
    return value


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(f"{where} must be a list, not {shown(value)}.")
    return value


def _only_fields(given: Mapping[str, Any], where: str, known: set[str]) -> None:
    for name in given:
        if name not in known:
            raise FormatError(f"{where} has a field {shown(name)}; it may have {', '.join(sorted(known))}.")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON has")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("an object has a field twice")
    return made
