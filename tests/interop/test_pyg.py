"""Objects as the users of HyperNetX, hypergraphx and PyTorch Geometric make them: `make test-interop`."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

import hyloop
from hyloop.errors import HyloopError, HypergraphError
from hyloop.hypergraph import HyloopWarning, Hypergraph, IncidenceRecord
from hyloop.interop import (
    ADAPTERS,
    as_hypergraph,
    from_hypergraphx,
    from_hypernetx,
    from_pyg,
    to_hypergraphx,
    to_hypernetx,
    to_pyg,
)


@pytest.fixture
def hnx(library):
    return library("hypernetx")


@pytest.fixture
def hgx(library):
    return library("hypergraphx")


@pytest.fixture
def pd(library):
    return library("pandas")


@pytest.fixture
def torch(library):
    library("torch_geometric")
    return library("torch")


@pytest.fixture
def data(library):
    library("torch_geometric")
    return library("torch_geometric.data.hypergraph_data").HyperGraphData


@pytest.fixture
def sparse(library):
    return library("scipy.sparse")


# -- HyperNetX --------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # HyperNetX 2.4 with pandas 3.1
def test_hypernetx_tables_are_read_with_all_their_properties(hnx, pd):
    incidences = pd.DataFrame({"e": ["f", "f", 2], "n": ["a", 1, "a"], "weight": [1, 0.5, 1], "role": ["x", None, "y"]})
    hyperedges = pd.DataFrame({"uid": ["f", 2], "weight": [0.1, 3], "colour": ["red", None]})
    made = hnx.Hypergraph(incidences, edge_properties=hyperedges, name="harbour")
    H = from_hypernetx(made)
    assert (H.vertices, H.hyperedges, H.weights) == (("a", 1), ("f", 2), (Fraction(1, 10), 3))
    assert H.annotations.metadata == {"name": "harbour"}
    assert H.annotations.hyperedge_attributes == {"f": {"colour": "red"}}
    assert H.annotations.incidences == {
        ("f", "a"): (IncidenceRecord(None, None, {"role": "x"}),),
        ("f", 1): (IncidenceRecord(None, Fraction(1, 2)),),
        (2, "a"): (IncidenceRecord(None, None, {"role": "y"}),),
    }


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_lists_are_read(hnx):
    H = as_hypergraph(hnx.Hypergraph([[1, 2], [2, 3]]))
    assert (H.vertices, H.hyperedges, H.members_of(1)) == ((1, 2, 3), (0, 1), (2, 3))


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_directions_and_labels(hnx, pd):
    directed = hnx.Hypergraph(pd.DataFrame({"e": ["f", "f"], "n": ["a", "b"], "direction": ["tail", "head"]}))
    assert from_hypernetx(directed).directed
    bad = hnx.Hypergraph(pd.DataFrame({"e": ["f", "f"], "n": [1.5, 2.5]}))
    with pytest.raises(HypergraphError, match=r"1.5.* cannot be a label: .* Rename the uids"):
        from_hypernetx(bad)


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_works_with_what_is_written(hnx):
    made = to_hypernetx(Hypergraph.from_hyperedges({"e": [1, 2, 3], "f": [3, 4]}, weights=[0.5, 2]))
    assert made.edges["e"].weight == 0.5
    assert made.is_connected()
    assert made.restrict_to_edges(["e"]).shape == (3, 1)
    assert set(from_hypernetx(made.restrict_to_edges(["e"])).vertices) == {1, 2, 3}


# -- hypergraphx ------------------------------------------------------------------------------------------------


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


# -- PyTorch Geometric ------------------------------------------------------------------------------------------


def test_pyg_is_read_as_it_stands(torch, data):
    made = data(edge_index=torch.tensor([[0, 1, 2, 1], [0, 0, 0, 1]]), num_nodes=5)
    H = as_hypergraph(made)
    assert (H.vertices, H.hyperedges, H.weights) == ((0, 1, 2, 3, 4), (0, 1), (1, 1))
    assert H.members_of(0) == (0, 1, 2)
    made.hyperedge_weight = torch.tensor([0.1, 2.0])
    assert as_hypergraph(made).weights == (Fraction(1, 10), 2)
    made.hyperedge_weight = made.hyperedge_weight.bfloat16()
    assert as_hypergraph(made).weights[1] == 2
    assert from_pyg(made, weight=None).weights == (1, 1)
    with pytest.raises(HypergraphError, match="has no cost"):
        from_pyg(made, weight="cost")


def test_pyg_features_are_not_read_and_that_is_said(torch, data):
    made = data(x=torch.zeros(4, 2), edge_index=torch.tensor([[0, 1], [0, 0]]), y=torch.zeros(4))
    with pytest.warns(HyloopWarning, match="the field x cannot be kept .* 1 more"):
        assert len(from_pyg(made).vertices) == 4


def test_pyg_counts_do_not_depend_on_its_guesses(torch, data):
    # As many vertices as hyperedges, and the last of both in no incidence: here num_nodes and num_edges guess wrong.
    H = Hypergraph.from_hyperedges({"e": ["a"], "none": []}, vertices=["a", "alone"])
    assert from_pyg(to_pyg(H)) == H


def test_pyg_faults_are_named(torch, data):
    index = torch.tensor([[0, 5], [0, 0]])
    with pytest.raises(HypergraphError, match="names vertices beyond the 3"):
        from_pyg(data(edge_index=index, num_nodes=3))
    with pytest.raises(HypergraphError, match="names hyperedges beyond the 0"):
        from_pyg(data(edge_index=index, num_nodes=9, hyperedge_weight=torch.zeros(0)))
    with pytest.raises(HypergraphError, match="two rows of numbers"):
        from_pyg(data(edge_index=torch.zeros(2, 2), num_nodes=3))
    with pytest.raises(HypergraphError, match="Two vertices have the same label"):
        from_pyg(data(edge_index=index, num_nodes=6, vertex_labels=["a"] * 6))
    with pytest.raises(HypergraphError, match="There are 1 labels for 6 vertices"):
        from_pyg(data(edge_index=index, num_nodes=6, vertex_labels=["a"]))
    with pytest.raises(HypergraphError, match=r"weight of hyperedge 0 is .*; a weight must be positive"):
        from_pyg(data(edge_index=index, num_nodes=6, hyperedge_weight=torch.zeros(1)))


def test_pyg_batches_are_refused_with_what_to_do(torch, data, library):
    item = to_pyg(Hypergraph.from_hyperedges({"e": ["a", "b"]}))
    batch = library("torch_geometric.data").Batch.from_data_list([item, item])
    with pytest.raises(HypergraphError, match=r"batch.to_data_list\(\)"):
        as_hypergraph(batch)


def test_pyg_convolution_takes_what_is_written(torch, library):
    made = to_pyg(Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"]}, weights=[0.5, 2]))
    convolution = library("torch_geometric.nn").HypergraphConv(2, 3).double()
    features = torch.ones(made.num_nodes, 2, dtype=torch.float64)
    assert convolution(features, made.edge_index, made.hyperedge_weight).shape == (3, 3)


def test_a_package_that_lacks_another_says_so(monkeypatch, library):
    library("torch_geometric")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        HyloopError, match=r"PyTorch Geometric cannot be imported \(.*torch.*'hyloop\[pyg\]' may mend it"
    ):
        next(adapter for adapter in ADAPTERS if adapter.kind.extra == "pyg").write(
            hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})
        )
