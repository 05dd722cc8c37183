"""XGI: `xgi.Hypergraph`, `xgi.SimplicialComplex` and `xgi.DiHypergraph`.

Labels, order, weights (the attribute weight of a hyperedge), attributes and metadata are kept both ways. Of a single
incidence, XGI holds only the direction.
"""

from __future__ import annotations

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Hypergraph, Label
from hyloop.interop.common import Foreign, Library, ObjectReader, ObjectWriter

KIND = Library(
    "XGI",
    "xgi",
    ("Hypergraph", "DiHypergraph", "SimplicialComplex"),
    "xgi",
    "an XGI Hypergraph, SimplicialComplex or DiHypergraph",
)
_RELABEL = "xgi.convert_labels_to_integers makes integers of any labels."


def from_xgi(thing: Foreign, *, weight: str | None = "weight") -> Hypergraph:
    """The hypergraph of an XGI object. `weight` names the attribute that is a hyperedge's weight (None: all are 1).

    A DiHypergraph gives a directed hypergraph, a SimplicialComplex one whose network type is asc.
    """
    KIND.require(thing)
    reading = ObjectReader(KIND, _RELABEL, weight)
    reading.metadata(thing._net_attr)  # there is no other way to ask for all of it
    for vertex in thing.nodes:
        reading.vertex(vertex, thing.nodes[vertex])
    if KIND.is_a("DiHypergraph", thing):
        _directed(thing, reading)
    else:
        reading.network_type = "asc" if KIND.is_a("SimplicialComplex", thing) else None
        members = thing.edges.members(dtype=dict)
        for hyperedge in thing.edges:
            label = reading.hyperedge(hyperedge, thing.edges[hyperedge])
            for vertex in members[hyperedge]:
                reading.incidence(label, vertex)
    return reading.hypergraph()


def _directed(thing: Foreign, reading: ObjectReader) -> None:
    reading.network_type = "directed"
    tails, heads = thing.edges.tail(dtype=dict), thing.edges.head(dtype=dict)
    for hyperedge in thing.edges:
        label = reading.hyperedge(hyperedge, thing.edges[hyperedge])
        for vertex in tails[hyperedge]:
            reading.incidence(label, vertex, direction="tail")
        for vertex in heads[hyperedge]:
            reading.incidence(label, vertex, direction="head")


def to_xgi(H: Hypergraph) -> Foreign:
    """An `xgi.Hypergraph`, or an `xgi.DiHypergraph` if the hypergraph is directed.

    Weights and attributes of incidences are lost, with a warning.
    """
    xgi = KIND.imported("xgi")
    writing = ObjectWriter(H, KIND)
    writing.leaves_behind("the network type asc", "weights of incidences", "attributes of incidences")
    made = xgi.DiHypergraph() if H.directed else xgi.Hypergraph()
    for name, value in writing.metadata().items():
        made[name] = value
    made.add_nodes_from((vertex, writing.vertex(vertex)) for vertex in H.vertices)
    try:
        made.add_edges_from({hyperedge: _members(writing, hyperedge) for hyperedge in H.hyperedges})
    except OverflowError:
        raise HypergraphError("XGI cannot hold a hyperedge whose label is an integer of over 300 digits.") from None
    made.set_edge_attributes(dict(writing.hyperedges()))
    writing.warn()
    return made


def _members(writing: ObjectWriter, hyperedge: Label) -> list[Label] | tuple[list[Label], list[Label]]:
    members = writing.H.members_of(hyperedge)
    if not writing.H.directed:
        return list(members)
    sides: dict[str | None, list[Label]] = {"tail": [], "head": []}
    for vertex in members:
        for record in writing.records(hyperedge, vertex):
            sides[record.direction].append(vertex)
    return sides["tail"], sides["head"]
