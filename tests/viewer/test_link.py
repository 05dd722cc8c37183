"""Links to runs; tests/browser/test_playground.py opens one."""

import base64
import json
import zlib

import pytest

import hyloop
from hyloop import HyloopError, Hypergraph
from hyloop.viewer.link import fragment


def unpacked(text):
    data = text.removeprefix("#h=")
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), -zlib.MAX_WBITS))


def test_a_link_holds_hypergraph_algorithm_inputs_and_places():
    h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", 2**60]}, weights={"ferry": 1.5})
    found = unpacked(fragment("dijkstra", h, {"source": 2**60}, name="boats"))
    long = {"integer": str(2**60)}
    assert found["hypergraph"] == {
        "name": "boats",
        "vertices": ["Quay", long],
        "hyperedges": [{"name": "ferry", "weight": "1.5", "members": ["Quay", long]}],
    }
    assert (found["algorithm"], found["inputs"]) == ("dijkstra", {"source": long})
    assert [label for label, _ in found["positions"]["vertices"]] == ["Quay", long]


def test_arrays_have_an_entry_for_each_row():
    h = hyloop.Hypergraph.from_hyperedges({"a": [1, 2]})
    zeros = {1: 0, 2: 0}
    found = unpacked(fragment("subleq", h, {"positive": {1: 3, 2: 4}, "negative": zeros, "budget": 5}))
    assert found["inputs"] == {"positive": ["3", "4"], "negative": ["0", "0"], "budget": "5"}


def test_inputs_may_be_lists_as_in_a_run_and_are_refused_as_there():
    h = Hypergraph.from_hyperedges({}, vertices=[1, 2])
    found = unpacked(fragment("subleq", h, {"positive": [3, 4], "negative": [0, 0], "budget": 5}))
    assert found["inputs"] == {"positive": ["3", "4"], "negative": ["0", "0"], "budget": "5"}
    for inputs in ({"source": 3}, {"source": None}, {}, {"source": 1, "sources": 2}):
        with pytest.raises(HyloopError):
            fragment("dijkstra", h, inputs)
