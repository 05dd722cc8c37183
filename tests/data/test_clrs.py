"""Examples in the manner of CLRS: stages, locations and types; what the arrays hold."""

import numpy as np
import pytest

from hyloop import data


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
