from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import hyloop
from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Annotations, IncidenceRecord
from hyloop.interop import as_hypergraph, from_networkx, to_networkx


@pytest.fixture
def nx(library):
    return library("networkx")


def test_a_plain_graph_is_a_hypergraph_of_pairs(nx):
    G = nx.Graph(name="roads")
    G.add_node("alone", inhabitants=1)
    G.add_edge("Quay", "Mill", weight=0.1, paved=True)
    G.add_edge("Mill", "Mill")
    H = from_networkx(G)
    assert H.vertices == ("alone", "Quay", "Mill")
    assert [H.members_of(e) for e in H.hyperedges] == [("Quay", "Mill"), ("Mill",)]
    assert (H.hyperedges, H.weights) == ((1, 2), (Fraction(1, 10), 1))
    assert H.annotations.metadata == {"name": "roads"}
    assert H.annotations.hyperedge_attributes == {1: {"paved": True}}
    assert H.annotations.vertex_attributes == {"alone": {"inhabitants": 1}}
    assert not H.directed


def test_distances_in_a_plain_graph_are_those_of_networkx(nx):
    G = nx.les_miserables_graph()
    distance = hyloop.run("dijkstra", as_hypergraph(G), source="Valjean", backend="interpreter")["distance"]
    assert distance == nx.single_source_dijkstra_path_length(G, "Valjean")


def test_a_directed_graph_has_tails_and_heads(nx):
    H = from_networkx(nx.DiGraph([("a", "b"), ("b", "b")]))
    assert H.directed
    assert H.annotations.incidences[(1, "a")] == (IncidenceRecord("tail"),)
    assert H.annotations.incidences[(2, "b")] == (IncidenceRecord("head"), IncidenceRecord("tail"))


def test_the_edges_of_a_multigraph_are_hyperedges_of_their_own(nx):
    G = nx.MultiGraph()
    G.add_edge(1, 2, weight=3)
    G.add_edge(1, 2, key="ferry")
    H = from_networkx(G)
    assert [H.members_of(e) for e in H.hyperedges] == [(1, 2), (1, 2)]
    assert H.weights == (3, 1)
    assert H.annotations.hyperedge_attributes == {2: {"key": "ferry"}}


def test_a_bipartite_graph_is_read_as_a_hypergraph(nx):
    G = nx.davis_southern_women_graph()
    H = from_networkx(G)
    assert (len(H.vertices), len(H.hyperedges), len(H.incidence.indices)) == (18, 14, G.number_of_edges())
    assert set(H.members_of("E1")) == set(G["E1"])
    plain = from_networkx(G, bipartite=False)
    assert (len(plain.vertices), len(plain.hyperedges)) == (32, G.number_of_edges())


def test_parallel_edges_of_a_bipartite_multigraph_are_one_incidence(nx):
    G = nx.MultiGraph()
    G.add_node("a", bipartite=0)
    G.add_node("e", bipartite=1)
    G.add_edge("a", "e", weight=2, role="x")
    G.add_edge("a", "e", key="k", since=1)
    merged = IncidenceRecord(None, Fraction(2), {"role": "x", "since": 1, "key": "k"})
    assert from_networkx(G).annotations.incidences == {("e", "a"): (merged,)}
    G.add_edge("a", "e", weight=3, role="y", since=True)
    with pytest.warns(HyloopWarning, match=r"the last counts: the weight of .* is 3, before 2; and 2 more\.") as told:
        H = from_networkx(G)
    assert told[0].filename == __file__
    last = IncidenceRecord(None, Fraction(3), {"role": "y", "since": True, "key": "k"})
    assert H.annotations.incidences == {("e", "a"): (last,)}


def test_the_bipartite_graph_of_xgi_is_read(nx, library):
    xgi = library("xgi")
    G, vertices, hyperedges = xgi.to_bipartite_graph(xgi.Hypergraph([[1, 2, 3], [3, 4]]), index=True)
    H = from_networkx(G)
    assert (len(H.vertices), [len(H.members_of(e)) for e in H.hyperedges]) == (len(vertices), [3, 2])
    assert len(hyperedges) == 2


def test_vertices_and_hyperedges_may_share_labels(nx):
    H = hyloop.Hypergraph.from_hyperedges({1: [1, 2], "hyperedge": [2, "hyperedge"]})
    G = to_networkx(H)
    assert set(G["hyperedge"]) == {("hyperedge", "hyperedge")}
    assert nx.is_bipartite(G)
    assert from_networkx(G) == H


FAULTS = {
    "some": (lambda G: G.add_node("c"), "node 'c' has none"),
    "other": (lambda G: G.add_node("c", bipartite="left"), "The attribute bipartite of node 'c' is 'left'"),
    "two vertices": (lambda G: G.add_edge("a", "b"), "The edge from 'a' to 'b' joins two vertices"),
    "two hyperedges": (lambda G: G.add_edge("e", "f"), "joins two hyperedges"),
    "same": (lambda G: G.add_node(("hyperedge", "e"), bipartite=1), "There are two hyperedges 'e'"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_graph_that_is_not_bipartite_says_where(nx, name):
    G = nx.Graph()
    G.add_nodes_from(["a", "b"], bipartite=0)
    G.add_nodes_from(["e", "f"], bipartite=1)
    G.add_edges_from([("a", "e"), ("b", "f")])
    assert len(from_networkx(G).hyperedges) == 2
    fault, message = FAULTS[name]
    fault(G)
    with pytest.raises(HypergraphError, match=message):
        from_networkx(G)


def test_other_labels_are_refused_with_what_to_do(nx):
    G = nx.grid_2d_graph(2, 2)
    with pytest.raises(HypergraphError, match=r"\(0, 0\) cannot be a label: .* networkx.relabel_nodes\(G, str\)"):
        as_hypergraph(G)
    assert "(0, 0)" in as_hypergraph(nx.relabel_nodes(G, str)).vertices


def test_a_member_without_a_direction_has_an_arc_each_way(nx):
    told = Annotations(
        incidences={
            ("e", "b"): (IncidenceRecord("head"),),
            ("e", "c"): (IncidenceRecord(weight=Fraction(2), attributes={"x": 1}), IncidenceRecord("tail")),
            ("e", "d"): (IncidenceRecord(attributes={"x": 1}), IncidenceRecord("tail", attributes={"x": 2})),
        }
    )
    H = hyloop.Hypergraph.from_hyperedges({"e": ["a", "b", "c", "d"]}, annotations=told)
    with pytest.warns(HyloopWarning, match="what an incidence says without a direction, where it says another as a ta"):
        G = to_networkx(H)
    edge = ("hyperedge", "e")
    assert {*G.edges} == {("a", edge), (edge, "a"), (edge, "b"), *((v, edge) for v in "cd"), *((edge, v) for v in "cd")}
    assert G.edges["c", edge] == G.edges[edge, "c"] == {"x": 1, "weight": 2}
    assert (G.edges["d", edge], G.edges[edge, "d"]) == ({"x": 2}, {"x": 1})
    found = from_networkx(G)
    assert (found.tails_of("e"), found.heads_of("e")) == (H.tails_of("e"), H.heads_of("e"))


@pytest.mark.parametrize("side", [np.array([0, 1]), np.array([1]), [1], "1", None])
def test_a_side_that_is_no_number_is_refused(nx, side):
    G = nx.Graph([("a", "e")])
    nx.set_node_attributes(G, {"a": 0, "e": side}, "bipartite")
    with pytest.raises(HypergraphError, match=r"must be 0 \(a vertex\) or 1 \(a hyperedge\)"):
        from_networkx(G)


def test_the_key_of_a_multigraph_counts_before_an_attribute_of_that_name(nx):
    G = nx.MultiGraph()
    G.add_edge("a", "b", key="by sea")
    G["a"]["b"]["by sea"]["key"] = "other"
    with pytest.warns(HyloopWarning, match="'key' of the edge from 'a' to 'b', 'other', beside which 'by sea' counts"):
        assert from_networkx(G).annotations.hyperedge_attributes == {1: {"key": "by sea"}}
