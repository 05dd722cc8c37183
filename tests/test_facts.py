"""What is said of hypergraphs, algorithms and models, as plain values."""

import json
from fractions import Fraction
from pathlib import Path

import hyloop
from hyloop import facts
from hyloop.algorithms import ALGORITHMS
from hyloop.lang.tracing import load

PROGRAMS = Path(__file__).parents[1] / "examples" / "programs"


def test_a_hypergraph():
    h = hyloop.Hypergraph.from_hyperedges({"a": [1, 2, 3], "b": []}, vertices=[1, 2, 3, 4], weights={"a": 1.5, "b": 2})
    found = facts.of_hypergraph(h)
    assert (found["vertices"], found["hyperedges"], found["incidences"], found["largest_hyperedge"]) == (4, 2, 3, 3)
    assert (found["empty_hyperedges"], found["isolated_vertices"]) == (1, 1)
    assert (found["least_weight"], found["largest_integer_weight"], found["unit_of_weight"]) == (1.5, 4, 0.5)
    assert facts.attribute_names(h) == {"vertices": [], "hyperedges": []}


def test_every_algorithm_and_its_model_as_json():
    for name in ("dijkstra", "components"):
        found = json.loads(json.dumps(facts.of_algorithm(ALGORITHMS[name])))
        assert found["algorithm"] == name
        model = hyloop.compile(name)
        of_model = json.loads(json.dumps(facts.of_model(model)))
        assert of_model["at_most"] == found["at_most"]
        layers = json.loads(json.dumps(facts.of_layers(model)))
        assert [len(layer["heads"]) for layer in layers] == of_model["heads"]


def test_a_capacity_of_little_use_is_remarked():
    assert facts.remark_on_capacity(hyloop.compile("dijkstra")) is None
    assert facts.remark_on_capacity(hyloop.compile("components", hyloop.Capacity(9, 1))) is None  # it has no weights
    told = facts.remark_on_capacity(hyloop.compile("dijkstra", hyloop.Capacity(9, 5)))
    assert told is not None
    assert told.startswith("dijkstra holds weights up to 5 only, in integer units, with 9 rows")


def test_weights_without_a_common_unit_are_described():
    weights = [Fraction(1, 10**300 + 2 * place + 1) for place in range(8)]
    found = facts.of_hypergraph(hyloop.Hypergraph.from_hyperedges([["a"]] * 8, weights=weights))
    assert found["largest_weight"] == weights[0]
    assert found["largest_integer_weight"] is found["unit_of_weight"] is None


def test_why_a_model_holds_fewer_rows_than_most():
    [program] = load(PROGRAMS / "bellman_ford.py")
    few = hyloop.compile(program)
    assert few.capacity.rows < 131_071
    reason = facts.reason_for_few_rows(few)
    assert f"{few.certificate.largest_at} can reach {few.certificate.largest:,} here" in reason
    assert facts.reason_for_few_rows(hyloop.compile("dijkstra")) is None
