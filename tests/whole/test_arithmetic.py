"""Products, quotients and remainders: every backend, padding, files and capacities, held against Python's numbers."""

import random

import numpy as np
import pytest

import hyloop
from hyloop import Capacity, CapacityError
from hyloop.compare import compare
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.slow import divided
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import encoded, prepare, program_of
from hyloop.lang import INFINITY, Count, Length, Outputs, algorithm, at_most, max, number, smaller


@algorithm
def table(h, k: at_most(Count, 30), d: Length):
    """Everything at once, on scalars and on arrays."""
    times, over, left = (h.vertices.state(Count, 0) for _ in range(3))
    far, rest, often = h.hyperedges.state(Length, 0), h.hyperedges.state(Length, 0), h.hyperedges.state(Count, 0)
    total, last = h.state(Count, 0), h.vertices.state(Count, 0)
    with h.loop(at_most=3) as loop:
        degree, own = h.incidence @ h.hyperedges.every, number(h.vertices.number)
        times.assign(degree * k)
        over.assign(k // own)
        left.assign(k % own)
        last.assign((k * own) // 7 + own % 3)
        far.assign(h.weight * number(h.hyperedges.number))
        rest.assign((h.weight + d) % d)
        often.assign(max(h.weight) // h.weight)
        total.assign(h.vertices.count * h.hyperedges.count % (k + 1))
        loop.stop_when(total >= 0)
    return Outputs(times=times, over=over, left=left, far=far, rest=rest, often=often, total=total, last=last)


def graph(seed):
    draw = random.Random(seed)
    vertices = [f"v{n}" for n in range(draw.randint(1, 6))]
    edges = {f"e{n}": draw.sample(vertices, draw.randint(1, len(vertices))) for n in range(draw.randint(1, 5))}
    return hyloop.Hypergraph.from_hyperedges(edges, weights={e: draw.randint(1, 9) for e in edges}, vertices=vertices)


def expected(h, k, d):
    """By Python's own arithmetic."""
    own = range(len(h.vertices))
    degree = [sum(v in h.members_of(e) for e in h.hyperedges) for v in h.vertices]
    weights = [int(weight) for weight in h.weights]
    largest = sorted(weights)[-1]
    return {
        "times": [each * k for each in degree],
        "over": [k // n if n else 0 for n in own],
        "left": [k % n if n else 0 for n in own],
        "last": [k * n // 7 + n % 3 for n in own],
        "far": [weight * n for n, weight in enumerate(weights)],
        "rest": [(weight + d) % d if d else 0 for weight in weights],
        "often": [largest // weight for weight in weights],
        "total": len(h.vertices) * len(h.hyperedges) % (k + 1),
    }


MODEL = hyloop.compile(table, Capacity(6, 9))


@pytest.mark.parametrize("backend", ["cpu", "dense", "interpreter"])
def test_every_backend_computes_what_python_does(backend):
    for seed in range(12):
        h, k, d = graph(seed), seed * 3 % 31, seed % 4
        result = hyloop.run(table if backend == "interpreter" else MODEL, h, backend=backend, k=k, d=d)
        found = {name: result[name] for name in expected(h, k, d)}
        plain = {name: list(each.values()) if isinstance(each, dict) else each for name, each in found.items()}
        assert plain == expected(h, k, d), seed


def test_the_machine_holds_what_the_interpreter_says_after_every_layer():
    found = compare(MODEL, prepare(program_of(MODEL), graph(3), {"k": 29, "d": 2}), backend="cpu")
    assert found.difference is None


def test_both_engines_divide_as_the_dense_formulas_do():
    h = graph(4)
    begin = encoded(MODEL, prepare(program_of(MODEL), h, {"k": 23, "d": 3}))
    plan = plan_for(MODEL, begin.X)
    assert not any(layer.slow for layer in plan.layers)
    assert any(each.by.terms or each.by.constant > 1 for layer in plan.layers for each in layer.gathers)
    engine = NumpyEngine(MODEL, plan, begin.X, begin.incidence)
    engine.run(3)
    for backend in ("cpu", "dense"):
        session = begin.start(backend)
        session.advance(3)
        assert np.array_equal(session.state(), engine.state())
        session.close()


def test_the_division_of_a_query_finds_the_rows_with_the_largest_score():
    """For every query, also with ties, and beyond the rows that there are."""
    j = np.arange(9.0)
    values = (j * 2)[:, np.newaxis]
    queries = np.array([[a, -b] for a in range(-9, 60) for b in range(1, 9)], dtype=float)
    scores = queries @ np.stack([j, j * j])
    best = scores == scores.max(axis=1, keepdims=True)
    sums, counts = divided(queries, values)
    assert np.array_equal(sums[:, 0] * best.sum(axis=1), (best @ values)[:, 0] * counts)
    assert divided(np.array([[3.0, 0.0]]), values) is None
    assert divided(np.array([[3.0, 1.0]]), values) is None


def test_a_small_input_is_padded_to_the_rows_that_numbers_need():
    h = graph(1)
    least = MODEL.layout.least
    assert least > MODEL.capacity.rows
    given = prepare(program_of(MODEL), h, {"k": 3, "d": 1})
    assert encoded(MODEL, given).size == encoded(MODEL, given, padding=2).size == least + 1
    frame = Frame(len(h.vertices), len(h.hyperedges), given.weights, given.inputs, padding=least)
    with pytest.raises(CapacityError, match=f"at most {least:,}"):
        encode(MODEL, frame)
    X = encode(MODEL, Frame(len(h.vertices), len(h.hyperedges), given.weights, given.inputs))
    assert X[:, MODEL.layout.number("quarter squares")].tolist() == [row * row // 4 for row in range(least + 1)]
    own = X[:, MODEL.layout.number("vertex number")]
    assert own.tolist() == [row if row <= len(h.vertices) else 0 for row in range(least + 1)]
    assert pad(MODEL, h, len(X)).size == len(X)


def test_files_keep_the_least_number_of_rows(tmp_path):
    hyloop.save(MODEL, tmp_path / "table.safetensors")
    again = hyloop.load(tmp_path / "table.safetensors")
    assert again.layout.least == MODEL.layout.least
    assert again.verified == "reproduced"


@algorithm
def squares(h):
    x = h.vertices.state(Count, 0)
    with h.loop(at_most=1) as loop:
        degree = h.incidence @ h.hyperedges.every
        x.assign(smaller(degree, 5000) * degree)
        loop.stop_when(True)
    return Outputs(x=x)


def test_the_default_capacity_keeps_inputs_small_and_a_larger_one_is_possible():
    assert hyloop.compile(squares).layout.least <= 4095
    assert hyloop.compile(squares, Capacity(5000, 1)).layout.least == 10_000
    with pytest.raises(CapacityError, match="look up numbers up to 4,005,000, each in a row of its own"):
        hyloop.compile(squares, Capacity(4_000_000, 1))


@algorithm
def endless(h):
    far, x = h.hyperedges.state(Length, INFINITY), h.hyperedges.state(Length, 0)
    with h.loop(at_most=1) as loop:
        x.assign(far * number(h.hyperedges.number))
        loop.stop_when(True)
    return Outputs(x=x)


def test_infinity_times_nothing_is_nothing_on_the_machine():
    h = hyloop.Hypergraph.from_hyperedges({"e": ["a"], "f": ["a"]})
    model = hyloop.compile(endless, Capacity(4, 3))
    assert hyloop.run(model, h, backend="dense")["x"] == hyloop.run(model, h, backend="cpu")["x"]
    assert hyloop.run(model, h)["x"]["e"] == 0
    assert hyloop.run(model, h)["x"]["f"] is None  # as an output, infinity
