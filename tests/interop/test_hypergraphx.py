"""Objects as the users of hypergraphx make them: `make test-interop`."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Hypergraph, IncidenceRecord
from hyloop.interop import as_hypergraph, from_hypergraphx, to_hypergraphx


@pytest.fixture
def hgx(library):
    return library("hypergraphx")


def test_hypergraphx_is_read_with_weights_and_metadata(hgx):
    made = hgx.Hypergraph([(3, 1), (1, 2, 3)], weighted=True, weights=[0.1, 2])
    made.add_node(9, metadata={"alone": True})
    made.set_edge_metadata((1, 3), {"colour": "red"})
    made.set_incidence_metadata((1, 3), 3, {"role": "end"})
    H = from_hypergraphx(made)
    assert (H.vertices, H.hyperedges, H.weights) == ((1, 3, 2, 9), (1, 2), (Fraction(1, 10), 2))
    assert H.annotations.hyperedge_attributes == {1: {"colour": "red"}}
    assert H.annotations.vertex_attributes == {9: {"alone": True}}
    assert H.annotations.incidences == {(1, 3): (IncidenceRecord(None, None, {"role": "end"}),)}
    assert from_hypergraphx(made, weight=None).weights == (1, 1)
    assert as_hypergraph(hgx.Hypergraph([(1, 2)], weighted=False)).weights == (1,)


def test_hypergraphx_directed_is_read_and_the_others_refused(hgx):
    H = from_hypergraphx(hgx.DirectedHypergraph([((1, 2), (3,))], weighted=True, weights=[2]))
    assert H.directed
    assert H.weights == (2,)
    assert H.annotations.incidences[(1, 3)] == (IncidenceRecord("head"),)
    assert H.annotations.incidences[(1, 1)] == (IncidenceRecord("tail"),)
    temporal = hgx.TemporalHypergraph(weighted=False)
    temporal.add_edge((1, 2), 0)
    with pytest.raises(HypergraphError, match=r"A TemporalHypergraph is many hypergraphs; .* to_hypergraph\(\)"):
        as_hypergraph(temporal)
    assert as_hypergraph(temporal.to_hypergraph()).members_of(1) == (1, 2)


@pytest.mark.usefixtures("hgx")
def test_hypergraphx_refuses_what_would_change_the_hypergraph():
    with pytest.raises(HypergraphError, match="Hyperedges 'e' and 'f' have the same vertices"):
        to_hypergraphx(Hypergraph.from_hyperedges({"e": [1, 2], "f": [2, 1]}))
    with pytest.raises(HypergraphError, match="Among the vertices of hyperedge 'e' are integers and strings"):
        to_hypergraphx(Hypergraph.from_hyperedges({"e": [1, "1"]}))


def test_hypergraphx_works_with_what_is_written(hgx):
    made = to_hypergraphx(Hypergraph.from_hyperedges({"e": [1, 2, 3], "f": [3, 4]}, weights=[0.5, 2]))
    assert made.get_weight((1, 2, 3)) == 0.5
    assert made.get_edge_metadata((3, 4)) == {"edge": "f"}
    assert made.is_connected()


@pytest.mark.parametrize("weights", [None, [3]])
def test_hypergraphx_own_weight_counts_and_a_warning_names_the_other(hgx, weights):
    made = hgx.Hypergraph([("a", "b")], weighted=True, weights=weights)
    made.set_edge_metadata(("a", "b"), {"weight": 7, "colour": "red"})
    own = weights[0] if weights else 1
    with pytest.warns(HyloopWarning, match=rf"'weight' of hyperedge \('a', 'b'\), 7, beside which {own} counts"):
        H = from_hypergraphx(made)
    assert H.weights == (own,)
    assert H.annotations.hyperedge_attributes == {1: {"colour": "red"}}
    made.set_edge_metadata(("a", "b"), {"weight": float(own)})
    assert from_hypergraphx(made).weights == (own,)
    made.set_edge_metadata(("a", "b"), {"weight": 7})
    assert from_hypergraphx(made, weight=None).weights == (1,)


def test_hypergraphx_own_label_of_an_empty_hyperedge_counts(hgx):
    made = hgx.Hypergraph([(1, 2)], weighted=False)
    made.set_edge_metadata((1, 2), {"edge": "e"})
    made.add_empty_edge("f", {"edge": "g"})
    with pytest.warns(HyloopWarning, match="'edge' of hyperedge 'f', 'g', beside which 'f' counts"):
        assert from_hypergraphx(made).hyperedges == ("e", "f")


def test_hypergraphx_without_metadata_is_read(hgx):
    made = hgx.Hypergraph([(1, 2)], weighted=False)
    made.set_edge_metadata((1, 2), None)
    assert from_hypergraphx(made).annotations.hyperedge_attributes == {}
