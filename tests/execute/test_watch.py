"""Layer by layer: the same state as the dense formulas, and who looks at whom as a search over all pairs says."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
from effort import examples, sample
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.dense import Blocks, apply, cast
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import prepare, program_of
from hyloop.execute.watch import Watched, looks
from hyloop.machine.layer import Head
from hyloop.samples import hypergraphs, random_inputs

# Every algorithm in its usual form, and some in the others.
FORMS = [
    *((name, {}) for name in sample(ALGORITHMS)),
    ("dijkstra", {"schedule": "one operation per layer"}),
    ("helly", {"dtype": "float32"}),
]


@pytest.mark.parametrize(("name", "options"), FORMS)
def test_every_layer_is_that_of_the_dense_formulas(name, options):
    model = hyloop.compile(name, hyloop.Capacity(12, 20), **options)
    program, rng = program_of(model), np.random.default_rng(5)
    for h in islice(hypergraphs(12), 20):
        inputs = random_inputs(program, h, rng)
        if (
            inputs is None
            or max(len(h.vertices), len(h.hyperedges)) > 10
            or max(h.integer_weights()[0], default=1) > 20
        ):
            continue
        given_ = prepare(program, h, inputs)
        frame = Frame(len(h.vertices), len(h.hyperedges), given_.weights, given_.inputs)
        incidence = pad(model, h, frame.size)
        X = encode(model, frame).astype(model.dtype)
        watched, blocks = (
            Watched(model, incidence, frame.size),
            Blocks.of([incidence], frame.size, frame.size, model.dtype),
        )
        for _ in range(4):
            for number, layer in enumerate(model.layers):
                wanted = apply(cast(layer, model.dtype), X[np.newaxis], blocks)[0]
                X, _ = watched.apply(number, X)
                assert X.dtype == wanted.dtype
                assert np.array_equal(X, wanted)


def slow_looks(queries, keys):
    """Rows, ties and margins from all pairs, in Python's own integers."""
    for a, b in queries:
        scores = [a * x + b * y for x, y in keys]
        best = max(scores)
        rest = [score for score in scores if score != best]
        yield scores.index(best), scores.count(best), best - max(rest) if rest else np.inf


points = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@given(st.lists(st.tuples(points, points), min_size=1, max_size=12))
def test_looks_are_those_of_all_pairs(rows):
    X = np.array([[*query, *key, 1] for query, key in rows], dtype=np.float64)
    query, key, value = np.zeros((5, 2)), np.zeros((5, 2)), np.zeros((5, 5))
    query[[0, 1], [0, 1]] = key[[2, 3], [0, 1]] = 1
    value[2, 4] = 1
    found = looks(Head("plain", query, key, value), X)
    wanted = list(slow_looks([row[0] for row in rows], [row[1] for row in rows]))
    assert list(zip(found.row.tolist(), found.ties.tolist(), found.margin.tolist(), strict=True)) == wanted
    for at, (first, ties, _) in enumerate(wanted):
        if ties == 1:
            assert found.brought[at, 0] == rows[first][1][0]
            assert found.matters[at] == (rows[first][1][0] != 0)


@examples(100)
@given(st.lists(st.integers(-3, 30), min_size=1, max_size=9), st.integers(1, 9))
def test_looks_on_the_parabola_are_those_of_all_pairs(doubled, size):
    doubled = (doubled * size)[:size]
    j = np.arange(size, dtype=np.float64)
    X = np.stack([np.array(doubled, dtype=np.float64), -np.ones(size), j, j * j, 3 + j], axis=1)
    query, key, value = np.zeros((5, 2)), np.zeros((5, 2)), np.zeros((5, 5))
    query[[0, 1], [0, 1]] = key[[2, 3], [0, 1]] = 1
    value[4, 4] = 1
    found = looks(Head("plain", query, key, value), X)
    keys = [(int(x), int(y)) for x, y in X[:, 2:4]]
    wanted = list(slow_looks([(each, -1) for each in doubled], keys))
    assert list(zip(found.row.tolist(), found.ties.tolist(), found.margin.tolist(), strict=True)) == wanted
