"""hypergraphx: `Hypergraph` and, to read only, `DirectedHypergraph`.

hypergraphx identifies a hyperedge by its vertices, which it sorts: it cannot hold two hyperedges with the same
vertices, nor a hyperedge with both integers and strings. Both are errors. Its hyperedges have no labels; the label is
the entry `edge` of the metadata. Everything else is kept, except that empty hyperedges come last.
"""

from __future__ import annotations

from typing import Any

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Direction, Hypergraph, Label, shown
from hyloop.interop.common import Foreign, Library, ObjectReader, ObjectWriter, Said

KIND = Library(
    "hypergraphx",
    "hypergraphx",
    ("Hypergraph", "DirectedHypergraph", "TemporalHypergraph", "MultiplexHypergraph"),
    "hypergraphx",
    "a Hypergraph or DirectedHypergraph of hypergraphx",
)
_RELABEL = "Give the nodes other names before they go into hypergraphx."
_LABEL = "edge"
_OWN_METADATA = ("weighted", "type")


def from_hypergraphx(thing: Foreign, *, weight: str | None = "weight") -> Hypergraph:
    """The hypergraph of a hypergraphx object, with its weights (with weight=None, all are 1; other names: metadata).

    The labels of the hyperedges are the entries edge of their metadata if all have one and they differ, else 1, 2, ...
    """
    KIND.require(thing)
    for name in ("TemporalHypergraph", "MultiplexHypergraph"):
        if KIND.is_a(name, thing):
            raise HypergraphError(f"A {name} is many hypergraphs; its method to_hypergraph() makes one of them.")
    reading = ObjectReader(KIND, _RELABEL, weight)
    given = thing.get_hypergraph_metadata()
    reading.metadata({key: value for key, value in given.items() if key not in _OWN_METADATA})
    for vertex, attributes in thing.get_nodes(metadata=True).items():
        reading.vertex(vertex, attributes)
    _read_hyperedges(thing, reading)
    return reading.hypergraph()


def _read_hyperedges(thing: Foreign, reading: ObjectReader) -> None:
    weights = thing.get_weights(asdict=True) if thing.is_weighted() else {}
    said = thing.get_all_incidences_metadata()
    directed = KIND.is_a("DirectedHypergraph", thing)
    reading.network_type = "directed" if directed else None
    found: list[tuple[Foreign, dict[Any, object]]] = [
        (key, reading.joined(_stated(weights, key), attributes or {}, f"hyperedge {shown(key)}"))
        for key, attributes in thing.get_edges(metadata=True).items()
    ]
    empty = thing.expose_data_structures().get("empty_edges", {})  # which directed hypergraphs do not have
    found += [
        ((), reading.joined({_LABEL: label}, attributes or {}, f"hyperedge {shown(label)}"))
        for label, attributes in empty.items()
    ]
    labels = _labels([attributes for _, attributes in found])
    for (key, attributes), label in zip(found, labels, strict=True):
        hyperedge = reading.hyperedge(label, attributes)
        sides: list[tuple[Direction | None, Foreign]] = (
            [("tail", key[0]), ("head", key[1])] if directed else [(None, key)]
        )
        for direction, side in sides:
            for vertex in side:
                reading.incidence(hyperedge, vertex, said.get((key, vertex)) or {}, direction)


def _stated(weights: Said, key: Foreign) -> Said:
    return {"weight": weights[key]} if key in weights else {}


def _labels(metadata: list[dict[Any, object]]) -> list[object]:
    """The labels of the hyperedges, removed from their metadata if they are there."""
    labels = [attributes.get(_LABEL) for attributes in metadata]
    proper = [label for label in labels if isinstance(label, str | int) and not isinstance(label, bool)]
    if len(set(proper)) < len(labels):
        return list(range(1, len(labels) + 1))
    for attributes in metadata:
        del attributes[_LABEL]
    return labels


def to_hypergraphx(H: Hypergraph) -> Foreign:
    """A `hypergraphx.Hypergraph`; the label of a hyperedge is the entry edge of its metadata."""
    hypergraphx = KIND.imported("hypergraphx")
    writing = ObjectWriter(H, KIND)
    writing.require_undirected()
    writing.leaves_behind("the network type asc")
    metadata = writing.metadata()
    for name in _OWN_METADATA:
        if name in metadata:
            del metadata[name]
            writing.lost[f"metadata that are called {shown(name)}"] = None
    made = hypergraphx.Hypergraph(weighted=writing.weighted, hypergraph_metadata=metadata)
    for vertex in H.vertices:
        made.add_node(vertex, metadata=writing.vertex(vertex))
    keys: dict[tuple[Label, ...], Label] = {}
    for label, attributes in writing.hyperedges():
        _add(made, writing, keys, label, attributes)
    writing.warn()
    return made


def _add(
    made: Foreign,
    writing: ObjectWriter,
    keys: dict[tuple[Label, ...], Label],
    label: Label,
    attributes: dict[str, object],
) -> None:
    if _LABEL in attributes:
        writing.lost[f"attributes of hyperedges that are called {shown(_LABEL)}"] = None
    attributes[_LABEL] = label
    members = writing.H.members_of(label)
    if not members:
        del attributes[_LABEL]
        made.add_empty_edge(label, attributes)
        return
    weight = attributes.pop("weight", None) if writing.weighted else None
    key = _key(members, label)
    if key in keys:
        raise HypergraphError(
            f"Hyperedges {shown(keys[key])} and {shown(label)} have the same vertices, and hypergraphx holds only one "
            "of them; merge them first."
        )
    keys[key] = label
    made.add_edge(key, weight=weight, metadata=attributes)
    for vertex in members:
        for record in writing.records(label, vertex):
            if said := writing.incidence(record):
                made.set_incidence_metadata(key, vertex, said)


def _key(members: tuple[Label, ...], label: Label) -> tuple[Label, ...]:
    if len({type(vertex) for vertex in members}) > 1:
        raise HypergraphError(
            f"Among the vertices of hyperedge {shown(label)} are integers and strings, which hypergraphx cannot sort; "
            "make all of them strings, or all integers."
        )
    return tuple(sorted(members))
