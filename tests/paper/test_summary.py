"""The figures of an algorithm of the paper."""

import json

from hyloop.paper.summary import summary


def test_without_a_sweep():
    found = summary("dijkstra")
    assert (found.swept, found.printed) == (None, None)
    told = json.loads(json.dumps(found.document()))
    assert (told["claimed_layers"], told["layers"]) == (27, 15)
    assert told["measured_iterations"] == {"vertices": 5, "hyperedges": 4, "iterations": 5 * (5 + 4 - 1)}


def test_with_a_sweep():
    seen = []
    found = summary("helly", sweep_on=10, progress=seen.append)
    assert (found.swept.inputs, found.swept.mismatches, seen[-1]) == (10, (), 10)
    assert found.printed is not None
