"""Other labels for the same hypergraph: the names that a file keeps as an attribute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Hypergraph, Label, Numbering, looks_like_integer, shown
from hyloop.io.exact_json import json_text
from hyloop.io.lookalikes import warn_of_lookalikes


def labelled_by(h: Hypergraph, attribute: str) -> Hypergraph:
    """The same hypergraph under other labels; see `Hypergraph.labelled_by`."""
    kept = h.annotations
    if not any(attribute in each for each in (*kept.vertex_attributes.values(), *kept.hyperedge_attributes.values())):
        known = _names([*kept.vertex_attributes.values(), *kept.hyperedge_attributes.values()])
        there_are = f"there are {known}" if known else "it has no attributes at all"
        raise HypergraphError(f"Nothing in this hypergraph has an attribute {attribute!r}; {there_are}.")
    vertices = _labels("vertex", h.vertices, kept.vertex_attributes, attribute)
    hyperedges = _labels("hyperedge", h.hyperedges, kept.hyperedge_attributes, attribute)
    annotations = replace(
        kept,
        vertex_weights=_renamed(kept.vertex_weights, vertices),
        vertex_attributes=_renamed(kept.vertex_attributes, vertices),
        hyperedge_attributes=_renamed(kept.hyperedge_attributes, hyperedges),
        incidences={(hyperedges[e], vertices[v]): records for (e, v), records in kept.incidences.items()},
    )
    named = Hypergraph(
        tuple(vertices[label] for label in h.vertices),
        tuple(hyperedges[label] for label in h.hyperedges),
        h.incidence,
        h.weights,
        annotations,
    )
    warn_of_lookalikes(named, f"Labels by {attribute!r}", stacklevel=4)  # the caller of the method
    return named


# -- names for people -------------------------------------------------------------------------------------------------

NAME = "name"  # the attribute that names things in most files


def display_names(h: Hypergraph) -> tuple[Sequence[Label], Sequence[Label]]:
    """What to call vertices and hyperedges in a picture: their attributes `name`, if all labels are bare numbers."""
    kept = h.annotations
    return _named(h.vertices, kept.vertex_attributes), _named(h.hyperedges, kept.hyperedge_attributes)


EDGE = "e"  # before the number of a hyperedge where a bare number would be taken for a vertex


def told_apart(vertices: Sequence[Label], hyperedges: Sequence[Label]) -> Sequence[Label]:
    """What to call hyperedges in a picture: e1, e2, … where all are bare numbers and a vertex is one, too.

    The page has the same rule (`viewer/src/labels.ts`).

    >>> told_apart([1, 2], [1, 2]), told_apart(["Quay", "Isle"], [1, 2])
    (['e1', 'e2'], [1, 2])
    """
    if not (all(map(_is_bare, hyperedges)) and any(map(_is_bare, vertices))):
        return hyperedges
    named = [f"{EDGE}{label}" for label in hyperedges]
    return hyperedges if set(named) & set(vertices) else named


def has_names(h: Hypergraph) -> bool:
    """Whether something in a hypergraph whose labels are bare numbers has a name as an attribute."""
    vertices, hyperedges = display_names(h)
    return vertices is not h.vertices or hyperedges is not h.hyperedges


def names_differ(h: Hypergraph) -> bool:
    """Whether a hypergraph `has_names` that can be its labels: no two are the same."""
    return has_names(h) and all(len(set(side)) == len(side) for side in display_names(h))


def _named(labels: Sequence[Label], attributes: Mapping[Label, Mapping[str, Any]]) -> Sequence[Label]:
    if not attributes or not all(map(_is_bare, labels)):
        return labels
    names = {label: each[NAME] for label, each in attributes.items() if isinstance(each.get(NAME), str) and each[NAME]}
    return labels if all(map(_is_bare, names.values())) else [names.get(label, label) for label in labels]


def _is_bare(label: Label) -> bool:
    """Whether a label is nothing but a number."""
    return isinstance(label, int) or looks_like_integer(label)


# -- labels -----------------------------------------------------------------------------------------------------------


def _labels(
    kind: str, labels: Sequence[Label], attributes: Mapping[Label, Mapping[str, Any]], attribute: str
) -> dict[Label, Label]:
    found = {label: _label(kind, label, attributes.get(label, {}).get(attribute, label)) for label in labels}
    known = Numbering()
    for place, new in enumerate(found.values()):
        if known.number(new) != place:
            same = [label for label, other in found.items() if type(other) is type(new) and other == new]
            raise HypergraphError(
                f"{len(same)} {'vertices' if kind == 'vertex' else 'hyperedges'} would be called {shown(new)} by "
                f"{attribute!r}, {shown(same[0])} the first of them; labels must differ."
            )
    return found


def _label(kind: str, label: Label, value: object) -> Label:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise HypergraphError(
            f"The {kind} {shown(label)} cannot be called {_said(value)}: a label is text or an integer."
        )
    return value


def _said(value: object) -> str:
    """The value as the file has it: 15.0 is not 15."""
    return f"the decimal number {json_text(value)[:60]}" if isinstance(value, Decimal) else shown(value)


def _renamed(given: Mapping[Label, Any], names: Mapping[Label, Label]) -> dict[Label, Any]:
    return {names[label]: value for label, value in given.items()}


def _names(attributes: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(list(dict.fromkeys(name for each in attributes for name in each))[:8])
