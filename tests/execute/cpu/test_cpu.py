"""The compiled algorithms: after every iteration the whole state equals that of dense, on both engines."""

from itertools import islice

import numpy as np
import pytest

from algorithm_inputs import WIDE
from effort import every, sample
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute import cpu
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.encode import Frame, encode, pad
from hyloop.hypergraph import Hypergraph
from hyloop.lang.kinds import Kind
from hyloop.machine.model import Capacity
from hyloop.samples import hypergraphs, with_directions

SETTINGS = {
    "packed": {},
    "one operation per layer": {"packing": "one operation per layer"},
    "float32": {"dtype": "float32", "capacity": Capacity(12, 9)},
}
_models = {}


def model_of(name, setting="packed"):
    if (name, setting) not in _models:
        options = {key: given for key, given in SETTINGS[setting].items() if key != "dtype" or name not in WIDE}
        _models[name, setting] = compile_program(ALGORITHMS[name].program, options.pop("capacity", None), **options)
    return _models[name, setting]


def first_state(model, name, h, number=0, padding=0):
    """The encoded input: pointers go round the vertices and hyperedges, weights are small integers."""
    vertices, hyperedges = len(h.vertices), len(h.hyperedges)
    inputs = {
        each.name: 1 + number % max(vertices if each.type.kind is Kind.VERTEX else hyperedges, 1)
        for each in ALGORITHMS[name].program.inputs
    }
    frame = Frame(vertices, hyperedges, tuple(1 + 7 * e % 9 for e in range(hyperedges)), inputs, padding)
    return encode(model, frame), pad(model, h, frame.size)


@pytest.mark.parametrize("setting", every(2, SETTINGS))
@pytest.mark.parametrize("name", every(2, sample(ALGORITHMS)))
def test_small_hypergraphs_degenerate_ones_included(name, setting, engine, same):
    model = model_of(name, setting)
    count = 17 if name in {"motifs", "helly"} else 22  # these take long
    graphs = hypergraphs(3, vertices=7, hyperedges=7, directed=model.layout.directed)
    for number, h in enumerate(islice(graphs, 2 * count if model.layout.directed else count)):
        same(model, *first_state(model, name, h, number, padding=3 * (number % 2)), engine)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_every_head_has_a_fast_form(name, setting):
    model = model_of(name, setting)
    X, _ = first_state(model, name, Hypergraph.from_hyperedges([[1, 2], [2, 3]]))
    assert not any(layer.slow for layer in plan_for(model, X).layers)


def random_hypergraph(rng, vertices, hyperedges):
    edges = [rng.choice(vertices, size=int(rng.integers(0, 5)), replace=False) + 1 for _ in range(hyperedges)]
    return Hypergraph.from_hyperedges([edge.tolist() for edge in edges], vertices=range(1, vertices + 1))


@pytest.mark.parametrize("name", sample(ALGORITHMS))
@pytest.mark.parametrize(("vertices", "hyperedges"), [(8, 8), (16, 15), (17, 33), (70, 40)])
def test_rows_fill_several_vectors_of_the_cpu(name, vertices, hyperedges, engine, same):
    model = model_of(name)
    rng = np.random.default_rng(vertices)
    h = random_hypergraph(rng, vertices, hyperedges)
    h = with_directions(h, rng) if model.layout.directed else h
    same(model, *first_state(model, name, h, number=5), engine, iterations=25)


def test_many_iterations_in_one_call_end_where_single_ones_do(engine):
    model = model_of("dijkstra")
    h = random_hypergraph(np.random.default_rng(4), 30, 60)
    X, A = first_state(model, "dijkstra", h)
    at_once, one_by_one = (cpu.start(model, X, A, engine=engine) for _ in range(2))
    at_once.advance(1000)
    while not one_by_one.halted()[0]:
        one_by_one.advance(1)
    assert at_once.iterations() == one_by_one.iterations() > 16
    assert np.array_equal(at_once.state(), one_by_one.state())


def test_a_run_goes_on_from_a_state_that_was_kept(engine, same):
    """Columns that are one number before the first layer may be anything else later, and are then looked at anew."""
    for name in sample(ALGORITHMS):
        model = model_of(name)
        h = random_hypergraph(np.random.default_rng(6), 9, 12)
        X, A = first_state(model, name, h)
        begun = cpu.start(model, X, A, engine=engine)
        begun.advance(3)
        same(model, begun.state(), A, engine, iterations=8)


def test_temporaries_may_start_with_anything(engine, same):
    """Nothing is believed of the first state that is not true of it."""
    rng = np.random.default_rng(8)
    for name in ("dijkstra", "levels", "projection"):
        model = model_of(name)
        X, A = first_state(model, name, random_hypergraph(rng, 9, 12))
        for columns in range(4, X.shape[1], 3):
            changed = X.copy()
            changed[:, columns : columns + 3] += rng.integers(0, 3, changed[:, columns : columns + 3].shape)
            changed[0, model.layout.number(model.layout.halt)] = 0
            same(model, changed, A, engine, iterations=3)
