"""The annotations of a file, kept for whatever still exists after an edit in the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord, Label, shown

T = TypeVar("T")


def kept(edited: Hypergraph, seen: Hypergraph, original: Hypergraph) -> Hypergraph:
    """The edited hypergraph with the annotations of the original, and with its labels if the page showed others.

    `seen` is what the page showed initially: the original, possibly relabelled.
    """
    vertices = _own(edited.vertices, dict(zip(seen.vertices, original.vertices, strict=True)))
    hyperedges = _own(edited.hyperedges, dict(zip(seen.hyperedges, original.hyperedges, strict=True)))
    told = original.annotations
    pairs = {(hyperedges[name], vertices[member]) for name in edited.hyperedges for member in edited.members_of(name)}
    annotations = replace(
        told,
        vertex_weights=_of(told.vertex_weights, vertices),
        vertex_attributes=_of(told.vertex_attributes, vertices),
        hyperedge_attributes=_of(told.hyperedge_attributes, hyperedges),
        incidences={pair: records for pair, records in told.incidences.items() if pair in pairs},
    )
    return Hypergraph(
        tuple(vertices.values()),
        tuple(hyperedges.values()),
        edited.incidence,
        edited.weights,
        annotations if told != Annotations() else told,
    )


def directed_as(edited: Hypergraph, seen: Hypergraph) -> Hypergraph:
    """The edited hypergraph with the directions of the one that the page showed at first.

    A member that was put in since has none: it is a tail and a head.
    """
    if not seen.directed:
        return edited
    pairs = {(name, member) for name in edited.hyperedges for member in edited.members_of(name)}
    told = {
        pair: tuple(IncidenceRecord(record.direction) for record in records)
        for pair, records in seen.annotations.incidences.items()
        if pair in pairs
    }
    return replace(edited, annotations=Annotations("directed", incidences=told))


def _own(labels: Sequence[Label], known: Mapping[Label, Label]) -> dict[Label, Label]:
    """The label in the file for each label in the page; a new label is unchanged."""
    found = {label: known.get(label, label) for label in labels}
    if len({(type(label), label) for label in found.values()}) < len(found):
        twice = next(label for label in labels if label not in known and label in known.values())
        raise HypergraphError(
            f"{shown(twice)} is new here, but the file has something of that label already; rename it."
        )
    return found


def _of(told: Mapping[Label, T], own: Mapping[Label, Label]) -> dict[Label, T]:
    mine = set(own.values())
    return {label: value for label, value in told.items() if label in mine}
