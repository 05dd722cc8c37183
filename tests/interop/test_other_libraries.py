"""Objects as the users of HyperNetX, hypergraphx, PyTorch Geometric, pandas and scipy make them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Annotations, HyloopWarning, Hypergraph, IncidenceRecord
from hyloop.interop import (
    as_hypergraph,
    from_hypergraphx,
    from_hypernetx,
    from_pandas,
    from_pyg,
    from_scipy,
    to_hypergraphx,
    to_hypernetx,
    to_pandas,
    to_pyg,
    to_scipy,
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


# -- pandas -----------------------------------------------------------------------------------------------------


def test_pandas_columns_are_understood(pd):
    table = pd.DataFrame({"node": ["a", "b", "b"], "edge": [1, 1, 2], "weight": np.array([0.1, 0.1, 2], np.float32)})
    H = as_hypergraph(table)
    assert (H.vertices, H.hyperedges, H.weights) == (("a", "b"), (1, 2), (Fraction(1, 10), 2))
    other = table.rename(columns={"node": "who", "edge": "where", "weight": "cost"})
    assert from_pandas(other, vertex="who", hyperedge="where", weight="cost") == H
    assert from_pandas(table, weight=None).weights == (1, 1)


def test_pandas_further_columns_and_tables_are_attributes(pd):
    table = pd.DataFrame({"vertex": ["a", "b"], "hyperedge": ["e", "e"], "role": ["x", None]})
    vertices = pd.DataFrame({"age": [3.5, np.nan], "weight": [2, 1]}, index=["b", "alone"])
    hyperedges = pd.DataFrame({"weight": [0.1], "colour": ["red"]}, index=["e"])
    H = from_pandas(table, vertices, hyperedges)
    assert (H.vertices, H.weights) == (("b", "alone", "a"), (Fraction(1, 10),))
    assert H.annotations == Annotations(
        vertex_weights={"b": Fraction(2), "alone": Fraction(1)},
        vertex_attributes={"b": {"age": 3.5}},
        hyperedge_attributes={"e": {"colour": "red"}},
        incidences={("e", "a"): (IncidenceRecord(None, None, {"role": "x"}),)},
    )


def test_pandas_holds_lonely_things_in_the_table_of_incidences_alone(pd):
    H = Hypergraph.from_hyperedges({"e": [1, 2], "none": []}, weights=[1, Fraction(1, 3)], vertices=[1, 2, 3])
    table = to_pandas(H).incidences
    assert list(table.columns) == ["vertex", "hyperedge", "weight"]
    assert len(table) == 4
    assert as_hypergraph(table) == H
    plain = to_pandas(Hypergraph.from_hyperedges({"e": [1, 2]})).incidences
    assert list(plain.columns) == ["vertex", "hyperedge"]
    assert plain["vertex"].dtype == np.int64


def test_pandas_does_not_round_integers_beside_floats(pd):
    weights = [2**60 + 1, 0.5, 10**30]
    H = Hypergraph.from_hyperedges([[1], [2], [3]], weights=weights)
    assert from_pandas(*to_pandas(H)).weights == (2**60 + 1, Fraction(1, 2), 10**30)


PANDAS_FAULTS = {
    "columns": ({"a": [1], "b": [2]}, "Expected one column vertex or node .* columns are 'a', 'b'"),
    "both": ({"vertex": [1], "node": [1], "edge": [2]}, "Expected one column vertex or node"),
    "float labels": ({"vertex": [1, None], "edge": [1, 2]}, r"Row 0 of the table: .* astype\('Int64'\)"),
    "two weights": ({"vertex": [1, 2], "edge": [1, 1], "weight": [1, 2]}, "Row 1 .* is 2 here and 1 elsewhere"),
    "weight zero": ({"vertex": [1], "edge": [1], "weight": [0]}, "must be positive"),
    "weight text": ({"vertex": [1], "edge": [1], "weight": ["x"]}, "'x' is not a number"),
    "nothing": ({"vertex": ["a", None], "edge": ["e", None]}, "Row 1 of the table: it names no hyperedge"),
    "direction": ({"vertex": [1], "edge": [1], "direction": ["up"]}, "must be head or tail"),
    "no vertex": ({"vertex": ["a", None], "edge": ["e", "f"], "role": [None, "x"]}, "Row 1 .* names no vertex"),
}


@pytest.mark.parametrize("name", PANDAS_FAULTS)
def test_pandas_faults_say_where(pd, name):
    columns, message = PANDAS_FAULTS[name]
    with pytest.raises(HypergraphError, match=message):
        as_hypergraph(pd.DataFrame(columns))


def test_pandas_tables_have_each_label_once(pd):
    table = pd.DataFrame({"vertex": ["a"], "hyperedge": ["e"]})
    with pytest.raises(HypergraphError, match="two rows of vertex 'a'"):
        from_pandas(table, pd.DataFrame(index=["a", "a"]))
    with pytest.raises(HypergraphError, match="two hyperedges 'e'"):
        from_pandas(table, None, pd.DataFrame(index=["e", "e"]))
    with pytest.raises(HypergraphError, match="no column 'cost'; its columns are 'vertex', 'hyperedge'"):
        from_pandas(table, weight="cost")


def test_pandas_integers_with_empty_cells_can_be_kept(pd):
    table = pd.DataFrame({"vertex": pd.array([1, None], "Int64"), "edge": pd.array([1, 2], "Int64")})
    assert as_hypergraph(table) == Hypergraph.from_hyperedges({1: [1], 2: []})


# -- scipy ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "csr_matrix", "lil_matrix", "dok_array"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.float32])
def test_scipy_matrices_of_all_forms_are_read(sparse, form, dtype):
    matrix = getattr(sparse, form)(np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 0]], dtype))
    found = as_hypergraph(matrix)
    assert found == Hypergraph.from_hyperedges({0: [0, 1], 1: [1], 2: []}, vertices=[0, 1, 2, 3])


def test_scipy_entries_are_what_scipy_says(sparse):
    entries = ([1, 1, 0.5, 0], ([0, 0, 1, 2], [0, 0, 0, 0]))  # two that add up, and a zero that is stored
    H = from_scipy(sparse.coo_array(entries, shape=(3, 1)), [0.1], ["a", "b", "c"], ["e"])
    assert (H.vertices, H.members_of("e"), H.weights) == (("a", "b", "c"), ("a", "b"), (Fraction(1, 10),))
    assert H.annotations.incidences == {
        ("e", "a"): (IncidenceRecord(None, Fraction(2)),),
        ("e", "b"): (IncidenceRecord(None, Fraction(1, 2)),),
    }


def test_scipy_adjacency_is_warned_of(sparse):
    with pytest.warns(HyloopWarning, match="like the adjacency matrix of a graph"):
        as_hypergraph(sparse.csr_array(np.array([[0, 1], [1, 0]])))


def test_scipy_faults_are_named(sparse):
    matrix = sparse.csr_array(np.array([[1, 1], [0, 1]]))
    with pytest.raises(HypergraphError, match="negative entries"):
        from_scipy(-matrix)
    with pytest.raises(HypergraphError, match="real entries"):
        from_scipy(matrix * 1j)
    with pytest.raises(HypergraphError, match="There are 1 weights for 2 columns"):
        from_scipy(matrix, [1])
    with pytest.raises(HypergraphError, match="There are 3 labels of vertices for 2 rows"):
        from_scipy(matrix, vertices=["a", "b", "c"])
    with pytest.raises(HypergraphError, match="Two vertices have the same label"):
        from_scipy(matrix, vertices=["a", "a"])
    with pytest.raises(HypergraphError, match="weight of hyperedge 0 is -1"):
        from_scipy(matrix, [-1, 1])


@pytest.mark.usefixtures("sparse")
def test_scipy_matrix_is_ready_for_algebra():
    H = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"]}, weights=[0.5, 2])
    incidence, weights, vertices, hyperedges = to_scipy(H)
    assert (incidence @ weights).tolist() == [0.5, 2.5, 2.0]
    assert (vertices, hyperedges) == (("a", "b", "c"), ("e", "f"))
    incidence.data[:], incidence.indices[:] = 7, 0
    assert H.members_of("f") == ("b", "c")
