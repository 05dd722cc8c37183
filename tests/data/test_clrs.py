"""Examples in the manner of CLRS: stages, locations and types; what the arrays hold."""

import numpy as np
import pytest

from hyloop import data
from hyloop.errors import HyloopError
from hyloop.lang import Count, Outputs, Vertices
from hyloop.lang import algorithm as traced


def test_the_specification(small):
    spec = data.clrs_spec(data.load(small, "dijkstra").document)
    assert spec["source"] == ("input", "node", "mask_one")
    assert spec["weight"] == ("input", "hyperedge", "scalar")
    assert spec["incidence"] == ("input", "incidence", "mask")
    assert spec["predecessor"] == ("output", "node", "pointer")
    assert spec["distance_h"] == ("hint", "node", "scalar")
    assert spec["edge_h"] == ("hint", "hyperedge", "mask")
    assert spec["best_h"] == ("hint", "graph", "scalar")


@pytest.mark.parametrize("algorithm", ["dijkstra", "s_distance", "scc", "helly"])
def test_a_batch(algorithm, small):
    samples = data.load(small, algorithm)[3:8]  # of both sizes
    found = data.clrs_feedback(samples)
    spec, longest = found["spec"], max(found["lengths"])
    stages = {"input": found["inputs"], "output": found["outputs"], "hint": found["hints"]}
    assert {name: stage for stage, each in stages.items() for name in each} == {
        name: stage for name, (stage, _, _) in spec.items()
    }
    for name, value in found["hints"].items():
        assert value.shape[:2] == (longest, 5), name
    for place, sample in enumerate(samples):
        problem = sample.problem
        for side, wanted in (("tail", problem.direction <= 0), ("head", problem.direction >= 0)):
            there = set(zip(problem.member[wanted].tolist(), problem.hyperedge[wanted].tolist(), strict=True))
            assert {tuple(each) for each in np.argwhere(found["inputs"][side][place]).tolist()} == there


def test_pointers_and_hints(small):
    samples = data.load(small, "dijkstra")[3:8]
    found = data.clrs_feedback(samples)
    for place, sample in enumerate(samples):
        n, outputs = sample.example["vertices"], sample.outputs
        own = np.where(outputs["predecessor"] == -1, np.arange(n), outputs["predecessor"])
        assert found["outputs"]["predecessor"][place, :n].tolist() == own.tolist()
        assert found["outputs"]["hyperedge"][place, :n].tolist() == outputs["hyperedge"].tolist()
        for time, frame in enumerate(sample.steps()):
            assert found["hints"]["distance_h"][time, place, :n].tolist() == frame["distance"].tolist()
            mark = np.flatnonzero(found["hints"]["edge_h"][time, place]).tolist()
            assert mark == [each for each in frame["edge"].tolist() if each != -1]
        assert time + 1 == found["lengths"][place]
        assert (found["hints"]["settled_h"][time:, place, :n] == frame["settled"]).all()  # the last value stays


@pytest.mark.parametrize("algorithm", ["dijkstra", "s_distance", "scc", "helly"])
def test_padding_is_told_from_what_is_there(algorithm, small):
    samples = data.load(small, algorithm)[3:8]  # of both sizes
    found = data.clrs_feedback(samples)
    masks = found["masks"]
    assert not masks["node"].all()
    assert not masks["time"].all()
    for place, sample in enumerate(samples):
        n, m = sample.example["vertices"], sample.example["hyperedges"]
        assert (found["counts"]["node"][place], found["counts"]["hyperedge"][place]) == (n, m)
        assert np.flatnonzero(masks["node"][place]).tolist() == list(range(n))
        assert np.flatnonzero(masks["hyperedge"][place]).tolist() == list(range(m))
        assert np.argwhere(masks["incidence"][place]).tolist() == [[v, e] for v in range(n) for e in range(m)]
        assert np.flatnonzero(masks["time"][:, place]).tolist() == list(range(found["lengths"][place]))
    for name, (stage, location, _) in found["spec"].items():
        if stage != "hint" and location in masks:
            assert found[f"{stage}s"][name].shape == masks[location].shape, name
        if stage == "hint":
            assert found["hints"][name].shape[:2] == masks["time"].shape, name


def test_where_pointers_point(small):
    wanted = {
        "dijkstra": {"predecessor": "node", "hyperedge": "hyperedge", "hyperedge_h": "hyperedge"},
        "s_distance": {"previous": "hyperedge"},
        "helly": {"witness": "node"},
    }
    for algorithm, some in wanted.items():
        found = data.clrs_feedback(data.load(small, algorithm)[:2])
        assert some.items() <= found["targets"].items()
        assert set(found["targets"]) == {name for name, about in found["spec"].items() if about[2] == "pointer"}


def one_of(algorithm, folder):
    pytest.importorskip("pyarrow")
    [made] = data.make(data.custom([algorithm], sizes=[4], count=1), folder, processes=1)["shards"]
    return data.load(folder, made["algorithm"])


def test_two_arrays_of_one_name(tmp_path):
    def inputs(h, s: Vertices[Count], s_i: Vertices[Count]):
        """An input that is renamed to the name of another."""
        y = h.vertices.state(Count, 0)
        y.assign(s + s_i)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(s=y)

    def hints(h):
        """An output with the name of a hint."""
        x = h.vertices.state(Count, 0)
        x.assign(1)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(x_h=x)

    for function, name in ((inputs, "s_i"), (hints, "x_h")):
        with pytest.raises(HyloopError, match=f"Two arrays would be called {name} here, .* rename one of them"):
            data.clrs_feedback(one_of(traced(function), tmp_path / name))


def test_an_output_with_the_name_of_what_every_example_has(tmp_path):
    [sample] = one_of("spanning_tree", tmp_path / "a")
    found = data.clrs_feedback([sample])
    assert found["spec"]["weight_i"] == ("input", "hyperedge", "scalar")
    assert found["spec"]["weight"][0] == "output"
    assert found["inputs"]["weight_i"].tolist() == [sample.example["weight"].tolist()]
    assert "weight" not in found["inputs"]
    assert found["outputs"]["weight"].tolist() == [sample.example["output_weight"]]
