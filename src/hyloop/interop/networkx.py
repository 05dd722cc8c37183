"""NetworkX: bipartite graphs of vertices and hyperedges, and plain graphs as hypergraphs of pairs.

A bipartite graph is one in which every node has the attribute bipartite: 0 for a vertex, 1 for a hyperedge. Everything
is kept both ways: weights and attributes of a vertex or hyperedge on its node, those of an incidence on its edge. In a
directed graph, vertex → hyperedge is the tail and hyperedge → vertex the head.
"""

from __future__ import annotations

from collections.abc import Iterator

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Direction, Hypergraph, Label, shown
from hyloop.interop.common import Foreign, Library, ObjectReader, ObjectWriter, Said, equals

KIND = Library("NetworkX", "networkx", ("Graph",), "networkx", "a NetworkX graph")
_RELABEL = "networkx.relabel_nodes(G, str) makes strings of any labels."
_SIDE = "bipartite"
_HYPEREDGE = "hyperedge"


def from_networkx(thing: Foreign, *, weight: str | None = "weight", bipartite: bool | None = None) -> Hypergraph:
    """The hypergraph of a NetworkX graph: of a bipartite graph, or of a plain one, each edge a hyperedge of two.

    `bipartite` says which it is; by default it is bipartite if its nodes have the attribute bipartite. `weight` names
    the attribute that is a hyperedge's weight (None: all are 1). The hyperedges of a plain graph are 1, 2, ... in the
    order of `G.edges`; a loop has one vertex, and a key of a multigraph that is no integer becomes the attribute key.
    Parallel edges of a bipartite multigraph are one incidence; the last one counts where they differ, with a warning.
    """
    KIND.require(thing)
    reading = ObjectReader(KIND, _RELABEL, weight)
    reading.network_type = "directed" if thing.is_directed() else None
    reading.metadata(thing.graph)
    if _is_bipartite(thing) if bipartite is None else bipartite:
        _read_bipartite(thing, reading)
    else:
        _read_plain(thing, reading)
    return reading.hypergraph()


def _is_bipartite(thing: Foreign) -> bool:
    without = [node for node, attributes in thing.nodes(data=True) if _SIDE not in attributes]
    if not without or len(without) == len(thing):
        return not without and len(thing) > 0
    raise HypergraphError(
        f"Some nodes have the attribute bipartite and node {shown(without[0])} has none; give it to all of them "
        "(0: a vertex, 1: a hyperedge), or read a plain graph with from_networkx(G, bipartite=False)."
    )


def _read_plain(thing: Foreign, reading: ObjectReader) -> None:
    for node, attributes in thing.nodes(data=True):
        reading.vertex(node, attributes)
    ends: tuple[Direction | None, Direction | None] = ("tail", "head") if thing.is_directed() else (None, None)
    for number, (pair, attributes) in enumerate(_edges(thing, reading), 1):
        label = reading.hyperedge(number, attributes)
        for node, direction in zip(pair, ends, strict=True):
            reading.incidence(label, node, direction=direction)


def _edges(thing: Foreign, reading: ObjectReader) -> Iterator[tuple[tuple[object, object], Said]]:
    if not thing.is_multigraph():
        yield from (((u, v), attributes) for u, v, attributes in thing.edges(data=True))
        return
    for u, v, key, attributes in thing.edges(keys=True, data=True):
        own = {} if isinstance(key, int) else {"key": key}
        yield (u, v), reading.joined(own, attributes, f"the edge from {shown(u)} to {shown(v)}")


def _read_bipartite(thing: Foreign, reading: ObjectReader) -> None:
    hyperedges: dict[object, Label] = {}
    for node, given in thing.nodes(data=True):
        attributes = dict(given)
        side = attributes.pop(_SIDE, None)
        if not equals(side, 0) and not equals(side, 1):
            raise HypergraphError(
                f"The attribute bipartite of node {shown(node)} is {shown(side)}; it must be 0 (a vertex) or 1 "
                "(a hyperedge)."
            )
        if equals(side, 0):
            reading.vertex(node, attributes)
        else:
            hyperedges[node] = reading.hyperedge(_unwrapped(node), attributes)
    for (u, v), said in _edges(thing, reading):
        if (u in hyperedges) == (v in hyperedges):
            sort = "hyperedges" if u in hyperedges else "vertices"
            raise HypergraphError(
                f"The edge from {shown(u)} to {shown(v)} joins two {sort}: the graph is not bipartite."
            )
        hyperedge, vertex = (u, v) if u in hyperedges else (v, u)
        direction: Direction | None = ("head" if u in hyperedges else "tail") if thing.is_directed() else None
        reading.incidence(hyperedges[hyperedge], vertex, said, direction)


def _unwrapped(node: object) -> object:
    """The hyperedge's label, from a node that `to_networkx` made."""
    return node[1] if isinstance(node, tuple) and len(node) == 2 and equals(node[0], _HYPEREDGE) else node


def to_networkx(H: Hypergraph) -> Foreign:
    """The bipartite graph of a hypergraph, a `networkx.Graph`, or a `networkx.DiGraph` if it is directed.

    Vertex v is the node v, hyperedge e is the node `("hyperedge", e)`, since e may be a vertex too.
    """
    networkx = KIND.imported("networkx")
    writing = ObjectWriter(H, KIND)
    writing.leaves_behind("the network type asc")
    made = networkx.DiGraph() if H.directed else networkx.Graph()
    made.graph.update(writing.metadata())
    made.add_nodes_from((vertex, writing.vertex(vertex, bipartite=0)) for vertex in H.vertices)
    made.add_nodes_from(((_HYPEREDGE, label), kept) for label, kept in writing.hyperedges(bipartite=1))
    for hyperedge in H.hyperedges:
        for vertex in H.members_of(hyperedge):
            for record in writing.records(hyperedge, vertex):
                pair = (vertex, (_HYPEREDGE, hyperedge))
                ends = pair[::-1] if record.direction == "head" else pair
                made.add_edges_from([(*ends, writing.incidence(record))])
    writing.warn()
    return made
