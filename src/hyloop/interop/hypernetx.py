"""HyperNetX: `hypernetx.Hypergraph`.

Labels, order, weights and attributes (misc_properties) of vertices, hyperedges and incidences are kept both ways.
HyperNetX holds only what occurs in an incidence: vertices in no hyperedge and empty hyperedges are lost. It gives
everything a weight, so the weight 1 of a vertex or incidence is read as none; of the metadata it keeps the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Hypergraph, IncidenceRecord, Label, is_number, shown
from hyloop.interop.common import (
    Foreign,
    Library,
    ObjectReader,
    ObjectWriter,
    as_float,
    direction_in,
    equals,
    holds_exactly,
    is_missing,
)

KIND = Library("HyperNetX", "hypernetx", ("Hypergraph",), "hypernetx", "a HyperNetX Hypergraph")
_RELABEL = "Rename the uids in the table that the HyperNetX hypergraph is made from."
_MISC = "misc_properties"
# What `to_hypernetx` makes carries the order of its labels in this attribute. HyperNetX lists items as the incidences
# mention them, and the tables of properties of what it derives (clone, rename, union) are in the order of a set.
_ORDER = "hyloop_order"


def from_hypernetx(thing: Foreign, *, weight: str | None = "weight") -> Hypergraph:
    """The hypergraph of a HyperNetX one. `weight` names the property that is a hyperedge's weight (None: all are 1).

    An incidence whose property direction is head or tail has that direction.
    """
    KIND.require(thing)
    reading = ObjectReader(KIND, _RELABEL, weight)
    reading.metadata({} if thing.name is None else {"name": thing.name})
    order = vars(thing).get(_ORDER, ((), ()))
    vertices = _properties(reading, thing.nodes, "vertex")
    hyperedges = _properties(reading, thing.edges, "hyperedge")
    for vertex in _in_order(thing.nodes, order[0]):
        reading.vertex(vertex, _without_ones(vertices.get(vertex, {})))
    usual = _without_ones(_usual_weight(thing.edges))
    labels = {}
    for hyperedge in _in_order(thing.edges, order[1]):
        labels[hyperedge] = reading.hyperedge(hyperedge, {**usual, **hyperedges.get(hyperedge, {})})
    for (hyperedge, vertex), said in _properties(reading, thing.incidences, "incidence").items():
        properties = _without_ones(said)
        direction = direction_in(properties.get("direction"))
        if direction:
            del properties["direction"]
        reading.incidence(labels[hyperedge], vertex, properties, direction)
    return reading.hypergraph()


def _properties(reading: ObjectReader, view: Foreign, what: str) -> dict[Foreign, dict[Foreign, Foreign]]:
    """The properties of each item, from the table; HyperNetX's own getters flatten nested ones."""
    table = view.property_store.properties
    found: dict[Foreign, dict[Foreign, Foreign]] = {}
    for uid, row in zip(table.index, _rows(table), strict=True):
        misc = row.pop(_MISC, None)
        stated = {name: value for name, value in row.items() if not is_missing(value)}
        found[uid] = reading.joined(stated, misc if isinstance(misc, Mapping) else {}, f"{what} {shown(uid)}")
    return found


def _usual_weight(view: Foreign) -> dict[Foreign, Foreign]:
    """The weight of whatever has none of its own, which HyperNetX keeps apart (`default_edge_weight`)."""
    usual = getattr(view.property_store, "default_properties", {})
    usual = usual() if callable(usual) else usual
    return {"weight": usual["weight"]} if usual.get("weight") is not None else {}


def _rows(table: Foreign) -> Iterator[dict[object, object]]:
    names = list(table.columns)
    columns: Sequence[list[object]] = [list(table.iloc[:, place].array) for place in range(len(names))]
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def _in_order(view: Foreign, first: Sequence[Label]) -> list[Foreign]:
    """The items of a view: those of `first` that are there, then the others as HyperNetX lists them."""
    items = dict.fromkeys(view)
    return list(dict.fromkeys([*(uid for uid in first if uid in items), *items]))


def _without_ones(properties: dict[Foreign, Foreign]) -> dict[Foreign, Foreign]:
    return {name: value for name, value in properties.items() if name != "weight" or not equals(value, 1)}


def to_hypernetx(H: Hypergraph) -> Foreign:
    """A `hypernetx.Hypergraph`. Vertices in no hyperedge and empty hyperedges are lost, with a warning."""
    hypernetx, pandas = KIND.imported("hypernetx"), KIND.imported("pandas")
    writing = ObjectWriter(H, KIND)
    writing.require_undirected()
    _require_room_for_labels((*H.vertices, *H.hyperedges))
    writing.leaves_behind("the network type asc")
    name = writing.metadata().get("name")
    if H.annotations.metadata.keys() - {"name"} or not isinstance(name, str | None):
        writing.lost["metadata other than a name"] = None
    name = name if isinstance(name, str) else None
    _note_the_lonely(writing)
    incidences = [
        (hyperedge, vertex, _said(writing, record))
        for hyperedge in H.hyperedges
        for vertex in H.members_of(hyperedge)
        for record in writing.records(hyperedge, vertex)
    ]
    vertices = [(vertex, _weighed(writing, writing.vertex(vertex), "vertices")) for vertex in H.vertices]
    hyperedges = [(label, _weighed(writing, properties, "hyperedges")) for label, properties in writing.hyperedges()]
    made = hypernetx.Hypergraph(
        _table(pandas, ("edges", "nodes"), incidences),
        misc_cell_properties_col=_MISC,
        edge_properties=_table(pandas, ("uid",), hyperedges),
        node_properties=_table(pandas, ("uid",), vertices),
        misc_properties_col=_MISC,
        name=name,
    )
    setattr(made, _ORDER, (H.vertices, H.hyperedges))
    writing.warn()
    return made


def _require_room_for_labels(labels: Sequence[Label]) -> None:
    """Raise for an integer beyond all floats, with which pandas fails inside of HyperNetX."""
    with suppress(OverflowError):
        for label in labels:
            float(label if isinstance(label, int) else 0)
        return
    raise HypergraphError("HyperNetX cannot hold a label that is an integer beyond all floats; make it a string.")


def _said(writing: ObjectWriter, record: IncidenceRecord) -> dict[str, object]:
    if direction_in(record.attributes.get("direction")):
        writing.lost["'direction' among the attributes of incidences other than as their direction"] = None
    return _weighed(writing, writing.incidence(record), "incidences")


def _weighed(writing: ObjectWriter, properties: dict[str, object], of_what: str) -> dict[str, object]:
    """Without an attribute `weight` that is no number: HyperNetX has a column of numbers of that name."""
    if "weight" not in properties or is_number(properties["weight"]):
        return properties
    writing.lost[f"attributes of {of_what} that are called 'weight'"] = None
    return {name: value for name, value in properties.items() if name != "weight"}


def _note_the_lonely(writing: ObjectWriter) -> None:
    H = writing.H
    vertices = sum(not len(H.incidence.row(number)) for number in range(len(H.vertices)))
    hyperedges = sum(not len(H.incidence_transposed.row(number)) for number in range(len(H.hyperedges)))
    if vertices:
        writing.lost[f"vertices in no hyperedge (there are {vertices:,})"] = None
    if hyperedges:
        writing.lost[f"hyperedges without vertices (there are {hyperedges:,})"] = None


def _table(pandas: Foreign, names: tuple[str, ...], rows: Sequence[tuple[Foreign, ...]]) -> Foreign:
    """A table of labels, weights and misc_properties; as objects, since pandas would round mixed numbers.

    HyperNetX lets pandas choose the dtype of weights again: where that would round an integer, it is a Fraction.
    """
    split = [(*labels, properties.pop("weight", 1), properties) for *labels, properties in rows]
    columns = list(zip(*split, strict=True)) or [()] * (len(names) + 2)
    if not holds_exactly(columns[-2]):
        columns[-2] = tuple(each if as_float(each) else Fraction(each) for each in columns[-2])
    return pandas.DataFrame(
        {
            name: pandas.Series(list(column), dtype=object)
            for name, column in zip((*names, "weight", _MISC), columns, strict=True)
        }
    )
