from __future__ import annotations

from datetime import date
from fractions import Fraction

import numpy as np
import pytest

import hyloop
from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Annotations, IncidenceRecord
from hyloop.interop import as_hypergraph, from_xgi, to_xgi


@pytest.fixture
def xgi(library):
    return library("xgi")


def test_an_xgi_hypergraph_is_read_with_its_weights_attributes_and_metadata(xgi):
    X = xgi.Hypergraph(name="harbour")
    X.add_node("Isle", inhabitants=12)
    X.add_edge(["Quay", "Isle"], idx="ferry", weight=0.1, colour="red")
    X.add_edge([1, 2, "Quay"], weight=np.float32(0.2))
    H = from_xgi(X)
    assert set(H.vertices) == {"Isle", "Quay", 1, 2}
    assert (H.hyperedges, H.weights) == (("ferry", 0), (Fraction(1, 10), Fraction(1, 5)))
    assert H.annotations.metadata == {"name": "harbour"}
    assert H.annotations.vertex_attributes == {"Isle": {"inhabitants": 12}}
    assert H.annotations.hyperedge_attributes == {"ferry": {"colour": "red"}}


def test_the_weight_may_have_another_name_or_be_ignored(xgi):
    X = xgi.Hypergraph()
    X.add_edge([1, 2], weight=5, cost=7)
    X.add_edge([2, 3], cost=2)
    with pytest.warns(HyloopWarning, match="the attribute 'weight' of hyperedge 0 cannot be kept"):
        assert from_xgi(X, weight="cost").weights == (7, 2)
    assert from_xgi(X, weight=None).weights == (1, 1)
    with pytest.raises(HypergraphError, match="No hyperedge has a number as its attribute 'price'"):
        from_xgi(X, weight="price")


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), 1j, {1}])
def test_a_weight_that_is_none_names_its_hyperedge(xgi, weight):
    X = xgi.Hypergraph()
    X.add_edge([1, 2], idx="e", weight=weight)
    with pytest.raises(HypergraphError, match="weight of hyperedge 'e'"):
        from_xgi(X)


def test_a_weight_that_is_no_number_is_warned_of(xgi):
    X = xgi.Hypergraph()
    X.add_edge([1, 2], idx="e", weight="heavy")
    with pytest.warns(HyloopWarning, match="The weight of hyperedge 'e' is 'heavy', which is no number"):
        H = from_xgi(X)
    assert H.annotations.hyperedge_attributes == {"e": {"weight": "heavy"}}


def test_attributes_that_json_does_not_have_are_left_out_with_a_warning(xgi):
    X = xgi.Hypergraph()
    X.add_node(1, born=date(1862, 1, 1), name="Jean")
    X.add_edge([1], pos=np.zeros(2), rank=np.int64(3), nothing=None)
    with pytest.warns(HyloopWarning, match="'born' among the attributes of vertex 1 cannot be kept .*so were 1 more"):
        H = from_xgi(X)
    assert H.annotations.vertex_attributes == {1: {"name": "Jean"}}
    assert H.annotations.hyperedge_attributes == {0: {"rank": 3, "nothing": None}}


@pytest.mark.parametrize("label", [(1, 2), 1.5, True, frozenset({1}), b"a", "\ud800"])
def test_other_labels_are_refused_with_what_to_do(xgi, label):
    X = xgi.Hypergraph()
    X.add_edge([label, "a"])
    with pytest.raises(HypergraphError, match=r"cannot be a label: .* xgi.convert_labels_to_integers"):
        as_hypergraph(X)


def test_what_to_do_about_other_labels_does_it(xgi):
    X = xgi.Hypergraph()
    X.add_edge([(1, 2), "a"])
    H = as_hypergraph(xgi.convert_labels_to_integers(X))
    assert H.vertices == (0, 1)
    assert {"label": [1, 2]} in H.annotations.vertex_attributes.values()


def test_directed_and_simplicial_ones_say_what_they_are(xgi):
    D = xgi.DiHypergraph()
    D.add_edge(([1, 2], [2, 3]), idx="e", weight=2)
    H = from_xgi(D)
    assert H.directed
    assert H.weights == (2,)
    assert H.annotations.incidences[("e", 2)] == (IncidenceRecord("head"), IncidenceRecord("tail"))
    assert sorted(to_xgi(H).edges.dimembers("e")[0]) == [1, 2]
    with pytest.raises(HypergraphError, match="is directed"):
        hyloop.run("bfs", H, source=1, backend="interpreter")
    assert hyloop.run("bfs", H, source=1, backend="interpreter", ignore_direction=True)["level"] == {1: 0, 2: 1, 3: 1}
    S = xgi.SimplicialComplex([[1, 2, 3]])
    assert from_xgi(S).annotations.network_type == "asc"
    assert len(from_xgi(S).hyperedges) == 4


def test_a_member_without_a_direction_is_in_the_tail_and_in_the_head(xgi):
    H = hyloop.Hypergraph.from_hyperedges(
        {"e": ["a", "b"]}, annotations=Annotations(incidences={("e", "a"): (IncidenceRecord("tail"),)})
    )
    assert (to_xgi(H).edges.tail("e"), to_xgi(H).edges.head("e")) == ({"a", "b"}, {"b"})
    found = from_xgi(to_xgi(H))
    assert (found.tails_of("e"), found.heads_of("e")) == (H.tails_of("e"), H.heads_of("e")) == (("a", "b"), ("b",))


def test_attributes_may_have_the_names_of_arguments(xgi):
    names = {"members": 1, "idx": 2, "node": 3, "self": 4, "": 5}
    H = hyloop.Hypergraph.from_hyperedges(
        {"e": ["a"]}, annotations=Annotations(None, names, {}, {"a": names}, {"e": names})
    )
    assert from_xgi(to_xgi(H)) == H


def test_what_is_written_can_be_added_to(xgi):
    X = to_xgi(hyloop.Hypergraph.from_hyperedges({5: [1, 2], 0: [2, 3], 3: [1, 3]}))
    X.add_edge([1, 2, 3])
    assert list(X.edges) == [5, 0, 3, 6]
    assert xgi.is_connected(X)


def test_an_enormous_label_is_refused(xgi):
    with pytest.raises(HypergraphError, match="over 300 digits"):
        to_xgi(hyloop.Hypergraph.from_hyperedges({10**400: [1]}))


def test_a_class_of_ones_own_is_recognised(xgi):
    class Mine(xgi.Hypergraph):
        pass

    assert as_hypergraph(Mine([[1, 2]])).members_of(0) == (1, 2)
