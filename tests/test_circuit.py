"""The circuit says what the weights say: it is run as a graph and must compute what the model computes."""

from __future__ import annotations

import json
from itertools import islice

import networkx as nx
import numpy as np
import pytest

import hyloop
from algorithm_inputs import encoded_inputs
from effort import sample
from hyloop.algorithms import ALGORITHMS
from hyloop.circuit import circuit
from hyloop.errors import HyloopError
from hyloop.execute.dense import Blocks, attend, feed_forward
from hyloop.execute.encode import Frame, encode, pad
from hyloop.memory import NotEnoughMemoryError
from hyloop.samples import hypergraphs


def run_graph(drawn, model, X, blocks):
    """One iteration, computed from the circuit's nodes and edges alone (and hardmax, and the incidence)."""
    names = [column.name for column in model.layout.columns]
    values = {f"{name}@0": X[:, number] for number, name in enumerate(names)}
    for node in sorted((node for node in drawn.nodes if node.place > 0), key=lambda node: node.place):
        edges = drawn.into(node.id)
        if node.kind == "head":
            values[node.id] = run_head(node, edges, values, blocks)
            continue
        total = np.zeros(len(X))
        for edge in edges:
            brought = values[edge.source]
            total += edge.weight * (brought[edge.part] if edge.role == "bring" else brought)
        values[node.id] = np.maximum(total, 0) if node.kind == "unit" else total
    return np.stack([values[f"{name}@{len(model.layers)}"] for name in names], axis=1)


def run_head(node, edges, values, blocks):
    rows = len(next(iter(values.values())))
    parts = {role: np.zeros((rows, 2)) for role in ("query", "key")}
    brought = {}
    for edge in edges:
        if edge.role == "value":
            brought[edge.part] = brought.get(edge.part, 0) + edge.weight * values[edge.source]
        else:
            parts[edge.role][:, edge.part - 1] += edge.weight * values[edge.source]
    scores = parts["query"] @ parts["key"].T
    chosen = (scores == scores.max(axis=1, keepdims=True)).astype(float)
    found = {}
    for column, value in brought.items():
        seen = (chosen @ value) / chosen.sum(axis=1)
        found[column] = blocks.times(node.name, seen[np.newaxis, :, np.newaxis])[0, :, 0]
    return found


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_the_graph_computes_what_the_model_computes(name):
    model = hyloop.compile(name, hyloop.Capacity(20, 100))
    drawn = circuit(model)
    for h in islice((h for h in hypergraphs(4, vertices=4, hyperedges=4) if h.vertices and h.hyperedges), 2):
        weights, _ = h.integer_weights()
        inputs = encoded_inputs(ALGORITHMS[name].program, h)
        frame = Frame(len(h.vertices), len(h.hyperedges), weights, inputs, 1)
        X = encode(model, frame)
        blocks = Blocks.of([pad(model, h, frame.size)], frame.size, frame.size, "float64")
        for _ in range(3):
            found = run_graph(drawn, model, X, blocks)
            expected = X[np.newaxis]
            for layer in model.layers:
                expected = feed_forward(layer.mlp, attend(layer.heads, expected, blocks))
            assert np.array_equal(found, expected[0])
            X = expected[0]


def test_every_weight_is_an_edge():
    model = hyloop.compile("dijkstra")
    weights = [edge for edge in circuit(model).edges if edge.role not in {"residual", "bring"}]
    assert len(weights) == model.nonzeros


def test_labels():
    drawn = circuit(hyloop.compile("dijkstra"))
    popping = drawn["layer1.head1"]
    assert (popping.kind, popping.variables) == ("head", ("edge", "best"))
    assert popping.where == ("dijkstra.py:22",)
    assert {node.name for node in drawn.find("distance") if node.kind == "column"} == {"distance"}
    assert any(node.kind == "unit" for node in drawn.find("distance"))
    held = drawn["temporary 1@1"]
    assert (held.variables, held.operations) == (("edge",), ("argmin",))
    assert [(each.section, each.part) for each in held.purposes] == [("body", "value")]


def test_unrolled():
    model = hyloop.compile("levels")
    one = circuit(model)
    three = one.unrolled(3)
    assert len(three.nodes) == 3 * len(one.nodes)
    loops = [edge for edge in three.edges if edge.role == "loop"]
    assert len(loops) == 2 * len(model.layout)
    assert nx.is_directed_acyclic_graph(three.to_networkx())
    assert {node.iteration for node in three.nodes} == {1, 2, 3}
    with pytest.raises(HyloopError, match="at least 1"):
        one.unrolled(0)
    with pytest.raises(NotEnoughMemoryError, match="over 1,000,000,000 iterations takes about"):
        one.unrolled(10**9)


def test_networkx_and_json(tmp_path):
    drawn = circuit(hyloop.compile("levels"))
    graph = drawn.to_networkx()
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (len(drawn.nodes), len(drawn.edges))
    drawn.save(tmp_path / "c.json")
    document = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert document == json.loads(json.dumps(drawn.to_json()))
    with pytest.raises(HyloopError, match="cannot be written"):
        drawn.save(tmp_path / "no" / "c.json")


def test_mistakes():
    drawn = circuit(hyloop.compile("levels"))
    with pytest.raises(HyloopError, match="no node"):
        drawn.into("layer9.head9")
    from hyloop.paper.run import model_of
    from hyloop.paper.steps import setting

    with pytest.raises(HyloopError, match="no program"):
        circuit(model_of("bfs", setting()))
