"""Examples in memory: what the arrays hold, and that batches hold the same."""

import numpy as np
import pytest

from hyloop import data
from hyloop.data.loaders import Sample
from hyloop.errors import HyloopError


def test_the_features_are_the_example(small):
    for sample in data.load(small, "dijkstra"):
        found, example = sample.arrays(), sample.example
        assert data.channels(sample.document) == {
            "vertex": ["position", "source"], "hyperedge": ["position", "weight"],
            "incidence": ["tail", "head"], "graph": [],
        }  # fmt: skip
        assert found["vertex"].shape == (example["vertices"], 2)
        assert np.flatnonzero(found["vertex"][:, 1]).tolist() == [example["input_source"]]
        assert found["hyperedge"][:, 1].tolist() == example["weight"].tolist()
        members = [found["incidence"][0][found["incidence"][1] == edge] for edge in range(example["hyperedges"])]
        at = example["member_at"]
        assert [each.tolist() for each in members] == [
            example["member"][at[edge] : at[edge + 1]].tolist() for edge in range(example["hyperedges"])
        ]
        assert found["output_distance"].tolist() == example["output_distance"].tolist()


def test_inputs_of_hyperedges_and_of_the_graph(small):
    sample = data.load(small, "s_distance")[0]
    found = sample.arrays()
    assert np.flatnonzero(found["hyperedge"][:, 2]).tolist() == [sample.inputs["source"]]
    assert found["graph"].tolist() == [[sample.inputs["s"]]]


def test_directions(small):
    samples = data.load(small, "scc")
    for sample in samples:
        sides = sample.arrays()["incidence_features"]
        assert [int(head - tail) for tail, head in sides] == sample.example["direction"].tolist()
    assert any(sample.example["direction"].any() for sample in samples)


@pytest.mark.parametrize("algorithm", ["dijkstra", "s_distance", "scc", "helly"])
def test_a_padded_batch_has_every_example_in_its_corner(algorithm, small):
    samples = data.load(small, algorithm, hints=False)
    batch = data.padded(samples)
    assert batch["vertex_mask"].sum() == sum(sample.example["vertices"] for sample in samples)
    for place, sample in enumerate(samples):
        found, n, m = sample.arrays(), sample.example["vertices"], sample.example["hyperedges"]
        assert np.array_equal(batch["vertex"][place][batch["vertex_mask"][place]], found["vertex"])
        assert np.array_equal(batch["hyperedge"][place][batch["hyperedge_mask"][place]], found["hyperedge"])
        where = np.argwhere(batch["incidence"][place])
        assert {tuple(each) for each in where.tolist()} == {tuple(each) for each in found["incidence"].T.tolist()}
        assert not batch["vertex"][place, n:].any()
        assert not batch["hyperedge"][place, m:].any()
        for name in sample.outputs:
            told = batch[f"output_{name}"][place]
            own = found[f"output_{name}"]
            assert told[: len(own)].tolist() == own.tolist()
            assert set(told[len(own) :].tolist()) <= {-1}


def test_a_packed_batch_is_one_hypergraph_with_shifted_pointers(small):
    samples = data.load(small, "dijkstra", hints=False)
    batch = data.packed(samples)
    for place, sample in enumerate(samples):
        found = sample.arrays()
        mine = batch["vertex_batch"] == place
        first = int(np.flatnonzero(mine)[0])
        first_edge = int(np.flatnonzero(batch["hyperedge_batch"] == place)[0])
        told = batch["output_predecessor"][mine]
        assert np.where(told == -1, -1, told - first).tolist() == found["output_predecessor"].tolist()
        edge = batch["output_hyperedge"][mine]
        assert np.where(edge == -1, -1, edge - first_edge).tolist() == found["output_hyperedge"].tolist()
        assert batch["output_distance"][mine].tolist() == found["output_distance"].tolist()
        inside = np.isin(batch["incidence"][0], np.flatnonzero(mine))
        assert np.array_equal(batch["incidence"][:, inside] - [[first], [first_edge]], found["incidence"])


def test_parts_and_slices(small):
    assert len(data.load(small, "dijkstra")) == 10
    part = data.load(small, "dijkstra", part="test-7")
    assert {sample.key["part"] for sample in part} == {"test-7"}
    assert [sample.key["number"] for sample in part[1:3]] == [1, 2]
    *_, last = part[0].steps()
    assert last["distance"].tolist() == part[0].outputs["distance"].tolist()


@pytest.mark.parametrize("batch", [data.padded, data.packed, data.clrs_feedback])
def test_what_is_no_batch(batch, small):
    one, other = data.load(small, "dijkstra")[0], data.load(small, "helly")[0]
    for given in ([], data.load(small, "helly")[99:]):
        with pytest.raises(HyloopError, match="A batch has at least one example; none was given"):
            batch(given)
    with pytest.raises(HyloopError, match="of one algorithm and program; given dijkstra and helly"):
        batch([one, other])
    for given in (None, one, [1], (each for each in [one])):
        with pytest.raises(HyloopError, match="A batch is a list of examples, as load"):
            batch(given)
    with pytest.raises(HyloopError, match="A batch has at least one example"):
        _ = data.load(small, "helly")[99:].document


def test_another_program_of_the_same_name_is_no_batch(small):
    one = data.load(small, "dijkstra")[0]
    other = Sample({**one.document, "variables": one.document["variables"][:3]}, one.example)
    with pytest.raises(HyloopError, match="of one algorithm and program"):
        data.padded([one, other])


def test_what_is_shown_of_them_is_short(small):
    samples = data.load(small, "dijkstra", part="test-7")
    edges = samples[1].example["hyperedges"]
    assert repr(samples[1]) == f"<Sample 1 of test-7 of dijkstra: 7 vertices, {edges} hyperedges>"
    assert (repr(samples), repr(samples[:0])) == ("<Samples: 5 examples of dijkstra>", "<Samples: 0 examples>")
    assert all(len(repr(shard)) < 200 + len(str(small)) for shard in data.shards(small))


def test_errors_are_sentences(small):
    for wrong in ({"algorithm": ["dijkstra"]}, {"algorithm": None}, {"split": 5}, {"part": ["test-4"]}):
        with pytest.raises(HyloopError, match=f"{next(iter(wrong))} is a name; given"):
            data.load(small, **{"algorithm": "dijkstra"} | wrong)
    with pytest.raises(HyloopError, match="no examples of dijkstra in the split train; hyloop data info shows"):
        data.load(small, "dijkstra", split="train")
    with pytest.raises(HyloopError, match="loaded without hints"):
        data.load(small, "dijkstra", hints=False)[0].steps()


def test_two_channels_of_one_name(small):
    document = data.load(small, "s_distance").document
    [first, *others] = document["inputs"]
    with pytest.raises(HyloopError, match="Two channels of a hyperedge would be called weight: rename that input"):
        data.channels({**document, "inputs": [{**first, "name": "weight"}, *others]})
