"""Objects as the users of PyTorch Geometric make them: `make test-interop`."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

import hyloop
from hyloop.errors import HyloopError, HyloopWarning, HypergraphError
from hyloop.hypergraph import Hypergraph
from hyloop.interop import ADAPTERS, as_hypergraph, from_pyg, to_pyg


@pytest.fixture
def torch(library):
    library("torch_geometric")
    return library("torch")


@pytest.fixture
def data(library):
    library("torch_geometric")
    return library("torch_geometric.data.hypergraph_data").HyperGraphData


def test_pyg_is_read_as_it_stands(torch, data):
    made = data(edge_index=torch.tensor([[0, 1, 2, 1], [0, 0, 0, 1]]), num_nodes=5)
    H = as_hypergraph(made)
    assert (H.vertices, H.hyperedges, H.weights) == ((0, 1, 2, 3, 4), (0, 1), (1, 1))
    assert H.members_of(0) == (0, 1, 2)
    made.hyperedge_weight = torch.tensor([0.1, 2.0])
    assert as_hypergraph(made).weights == (Fraction(1, 10), 2)
    made.hyperedge_weight = made.hyperedge_weight.bfloat16()
    assert as_hypergraph(made).weights == (Fraction("0.10009765625"), 2)  # as made.hyperedge_weight.tolist() has it
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


def test_arrays_and_lists_instead_of_tensors(torch, data):
    expected = Hypergraph.from_hyperedges({0: [0, 1]}, weights=[0.5])
    index = torch.tensor([[0, 1], [0, 0]])
    for given in (index, index.numpy(), index.tolist()):
        for weight in (torch.tensor([0.5]), torch.tensor([[0.5]]), torch.tensor([0.5]).numpy(), [0.5]):
            assert from_pyg(data(edge_index=given, hyperedge_weight=weight)) == expected


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda torch: {"edge_index": torch.eye(2).to_sparse()}, "The edge_index must be a dense tensor"),
        (lambda _: {"edge_index": [[0, 1], [0]]}, "The edge_index must be a dense tensor"),
        (lambda torch: {"edge_index": torch.tensor([[0, 10**12], [0, 0]])}, "takes about 80.0 TB of memory"),
        (lambda _: {"num_nodes": "x"}, "num_nodes is how many vertices there are, not 'x'"),
        (lambda _: {"vertex_labels": 5}, "The field vertex_labels has an entry for each row"),
        (lambda _: {"hyperedge_weight": [object()]}, "is not a number"),
        (lambda _: {"hyperedge_weight": 5}, r"have the shape \(\), not one number for each hyperedge"),
        (lambda torch: {"hyperedge_weight": torch.ones(1, 2)}, r"have the shape \(1, 2\), not one number"),
        (lambda torch: {"hyperedge_weight": torch.ones(2, 1, 1)}, r"have the shape \(2, 1, 1\), not one number"),
        (lambda _: {"vertex_labels": {0: "a", 1: "b"}}, "vertex_labels is a list or an array, in order"),
        (lambda _: {"vertex_labels": {"a", "b"}}, "vertex_labels is a list or an array, in order"),
    ],
)
def test_what_is_no_hypergraph_is_refused_before_the_work(torch, data, change, told):
    fields = {"edge_index": torch.tensor([[0, 1], [0, 0]]), **change(torch)}
    with pytest.raises(HyloopError, match=told):
        from_pyg(data(**fields))


def test_pyg_weights_that_are_not_asked_for_are_said_to_be_left_out(torch, data):
    made = data(edge_index=torch.tensor([[0], [0]]), hyperedge_weight=torch.tensor([2.0]), cost=torch.tensor([3.0]))
    with pytest.warns(HyloopWarning, match="the field hyperedge_weight cannot be kept"):
        assert from_pyg(made, weight="cost").weights == (3,)


def test_pyg_features_of_hyperedges_are_no_weights(torch, data):
    made = data(edge_index=torch.tensor([[0, 1, 1, 2], [0, 0, 1, 1]]), edge_attr=torch.tensor([[1.0, 20], [3, 40]]))
    with pytest.raises(HypergraphError, match=r"The weights edge_attr have the shape \(2, 2\)"):
        from_pyg(made, weight="edge_attr")


def test_pyg_labels_that_are_no_list_are_refused(torch, data):
    made = data(edge_index=torch.tensor([[0], [0]]), num_nodes=1, vertex_labels=5)
    with pytest.raises(HypergraphError, match="The field vertex_labels has an entry for each row, and is not 5"):
        from_pyg(made)
