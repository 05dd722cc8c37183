"""The algorithms that a page has inside."""

import base64
import gzip
import json
from dataclasses import replace

import pytest

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.in_short import IN_SHORT
from hyloop.lang import Count, Flag, Hyperedges, Outputs, algorithm
from hyloop.machine.files import from_bytes
from hyloop.recording import record_run
from hyloop.recording.schema import require_trace
from hyloop.viewer.library import library, shipped, template

H = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})


@pytest.fixture(scope="module")
def ours():
    return shipped()["algorithms"]


def unpacked(text):
    return gzip.decompress(base64.b64decode(text))


def test_all_algorithms_are_there_with_their_models_and_inputs(ours):
    assert [each["name"] for each in ours] == list(ALGORITHMS)
    inputs = {each["name"]: each["inputs"] for each in ours}
    assert inputs["dijkstra"] == [{"name": "source", "kind": "vertex", "scope": "scalar"}]
    assert {"name": "positive", "kind": "count", "scope": "vertices"} in inputs["subleq"]
    assert {each["name"]: each["short"] for each in ours} == IN_SHORT
    directed = {each["name"] for each in ours if each["directed"]}
    assert directed >= {"scc", "reachable", "pagerank"}
    assert directed.isdisjoint({"dijkstra", "helly", "subleq"})
    for each in ours[:3]:
        model = from_bytes(unpacked(each["model"]))
        assert model.program == hyloop.compile(each["name"]).program
        recorded = json.loads(unpacked(each["template"]))
        require_trace(recorded, "template")
        assert recorded["algorithm"]["source"]  # with its source lines, not those of the model's program
        assert not recorded["algorithm"]["listing"]


def test_they_take_less_than_half_a_megabyte(ours):
    assert len(json.dumps(ours)) < 500_000


def test_they_are_kept_for_the_next_page(ours, monkeypatch):
    monkeypatch.setattr("hyloop.viewer.library.template", lambda _: pytest.fail("it is there already"))
    assert shipped()["algorithms"] == ours


def test_an_algorithm_of_ones_own_comes_first_and_its_trace_is_the_template():
    @algorithm
    def heaviest(h, load: Hyperedges[Count]):
        total = h.hyperedges.state(Count, 0)
        done = h.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done)
            total.assign(load)
            done.assign(True)
        return Outputs(total=total)

    found = library(record_run(heaviest, H, {"load": {"ferry": 3}}))["algorithms"]
    assert (found[0]["name"], found[0]["template"]) == ("heaviest", "")
    assert found[0]["inputs"] == [{"name": "load", "kind": "count", "scope": "hyperedges"}]
    assert len(found) == len(ALGORITHMS) + 1
    assert template(heaviest).iterations == 1


def test_another_capacity_takes_the_place_of_ours(ours):
    trace = hyloop.trace(hyloop.compile("dijkstra", hyloop.Capacity(5, 5)), H, source="Quay")
    found = library(trace)["algorithms"]
    assert [each["name"] for each in found].count("dijkstra") == 1
    assert (found[0]["name"], found[0]["template"]) == ("dijkstra", "")
    assert library(hyloop.trace("dijkstra", H, source="Quay"))["algorithms"] == ours


def test_a_model_that_a_page_would_not_compute_alike_is_left_out_and_ours_does_not_stand_in(ours):
    trace = hyloop.trace("dijkstra", H, source="Quay")
    found = library(replace(trace, model=replace(trace.model)))["algorithms"]  # a copy: nobody vouches for it
    assert found == [each for each in ours if each["name"] != "dijkstra"]
