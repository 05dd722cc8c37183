"""Data sets for PyTorch Geometric, with the real package: layers for hypergraphs and for graphs on real batches."""

import pickle

import pytest

torch = pytest.importorskip("torch", reason="the loader for PyTorch Geometric needs torch")
pytest.importorskip("torch_geometric", reason="the loader for PyTorch Geometric needs torch_geometric")
from torch_geometric.loader import DataLoader  # noqa: E402 (after the check that it is there)
from torch_geometric.nn import GCNConv, HypergraphConv  # noqa: E402

from hyloop import data  # noqa: E402
from hyloop.data.loaders import Sample  # noqa: E402
from hyloop.data.pyg import PygSamples, hypergraph_data, star_data  # noqa: E402
from hyloop.errors import HyloopError  # noqa: E402
from hyloop.lang import Count, Outputs, Vertex, algorithm  # noqa: E402

ALGORITHMS = ["dijkstra", "s_distance", "scc", "helly"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_batch_of_hypergraphs_is_the_packed_one(algorithm, small):
    samples = PygSamples(data.load(small, algorithm))
    [batch] = DataLoader(samples, batch_size=len(samples))
    wanted = data.packed(samples.samples)
    assert batch.edge_index.numpy().tolist() == wanted["incidence"].tolist()
    assert batch.x.numpy().tolist() == wanted["vertex"].tolist()
    assert batch.edge_attr.numpy().tolist() == wanted["hyperedge"].tolist()
    assert batch.batch.numpy().tolist() == wanted["vertex_batch"].tolist()
    told = HypergraphConv(batch.x.size(1), 5)(batch.x, batch.edge_index)
    assert told.shape == (len(batch.x), 5)
    assert batch.validate()


@pytest.mark.parametrize("view", ["hypergraph", "star"])
def test_no_name_of_an_output_shifts_it_in_a_batch(view, tmp_path):
    """PyG shifts what has `index` or `batch` in its name by the number of nodes."""

    @algorithm
    def degrees(h):
        d, last = h.vertices.state(Count, 0), h.hyperedges.state(Vertex)
        d.assign(h.incidence @ h.hyperedges.every)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(degree=d, degree_index=d, batch_degree=d, index=d, batch=last)

    data.make(data.custom([degrees], sizes=[4], count=3), tmp_path / "set", processes=1)
    samples = PygSamples(data.load(tmp_path / "set", "degrees"), view=view)
    [batch] = DataLoader(samples, batch_size=3)
    wanted = [number for sample in samples.samples for number in sample.example["output_degree"].tolist()]
    for name in ("degree", "degree_index", "batch_degree", "index"):
        assert batch[f"output_{name}"].tolist() == wanted
    assert set(batch.output_batch.tolist()) == {-1}


def test_vertices_and_hyperedges_without_incidences_are_counted(small):
    """n = m, and the last vertex is in no hyperedge: PyG's own class takes n for smaller."""
    [sample] = data.load(small, "scc")[:1]
    example = dict(sample.example, vertices=3, hyperedges=3, member_at=[0, 2, 3, 3], member=[0, 1, 0])
    example |= {"direction": [-1, 1, 0], "weight": [1, 1, 1], "output_component": [0, 1, 2]}
    made = hypergraph_data(Sample(sample.document, example))
    assert (made.num_nodes, made.num_edges) == (3, 3)
    [batch] = DataLoader([made, made], batch_size=2)
    assert batch.edge_index.tolist() == [[0, 1, 0, 3, 4, 3], [0, 0, 1, 3, 3, 4]]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_star_expansion(algorithm, small):
    samples = PygSamples(data.load(small, algorithm), view="star")
    for sample, star in zip(samples.samples, samples, strict=True):
        found, n = sample.arrays(), sample.example["vertices"]
        half = star.edge_index.size(1) // 2
        into, out = star.edge_index[:, :half], star.edge_index[:, half:]
        assert (into - torch.tensor([[0], [n]])).tolist() == found["incidence"].tolist()
        assert out.flip(0).tolist() == into.tolist()
        assert star.x[star.vertex_mask][:, : found["vertex"].shape[1]].tolist() == found["vertex"].tolist()
        assert star.x[star.hyperedge_mask][:, found["vertex"].shape[1] : -1].tolist() == found["hyperedge"].tolist()
        assert star.edge_attr[:, 2].sum() == half
    [batch] = DataLoader(samples, batch_size=len(samples))
    told = GCNConv(batch.x.size(1), 1)(batch.x, batch.edge_index)
    located = {"vertex": batch.vertex_mask, "hyperedge": batch.hyperedge_mask}
    for each in samples.samples.document["outputs"]:
        if each["location"] in located:
            assert len(told[located[each["location"]]]) == len(batch[each["column"]])


def test_the_examples_of_a_slice_or_shuffle_are_those_of_its_items(small):
    every = PygSamples(data.load(small, "dijkstra"), view="star")
    for chosen in (every, every[3:7], every.shuffle(), every.shuffle()[2:5], every[[8, 1]], every[3:9][1:2]):
        keys = [(item.algorithm, item.part, item.number) for item in chosen]
        assert [tuple(sample.key.values()) for sample in chosen.samples] == keys
        assert len(chosen) == len(keys)
    assert {sample.key["part"] for sample in every[3:7].samples} == {"test-4", "test-7"}
    assert len(every[3:7].samples) == 4


@pytest.mark.parametrize("view", ["hypergraph", "star"])
def test_a_batch_says_which_examples_it_has(view, small):
    samples = PygSamples(data.load(small, "scc"), view=view)
    [batch] = DataLoader(samples[[2, 9, 4]], batch_size=3)
    batch = batch.to("cpu")
    found = list(zip(batch.algorithm, batch.part, batch.number.tolist(), strict=True))
    assert found == [tuple(samples.samples[place].key.values()) for place in (2, 9, 4)]


def test_they_can_be_sent_to_workers(small):
    sample = data.load(small, "dijkstra")[0]
    for made in (hypergraph_data(sample), star_data(sample)):
        assert pickle.loads(pickle.dumps(made)).x.tolist() == made.x.tolist()


def test_another_view_is_refused(small):
    with pytest.raises(HyloopError, match="The view is one of hypergraph, star; not 'clique'"):
        PygSamples(data.load(small, "dijkstra"), view="clique")
