"""What holds at every layer boundary of the paper's models, whatever they run; no number leaves the exact range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import every, examples
from hyloop.execute import dense
from hyloop.execute.encode import encode, pad
from hyloop.machine.model import EXACT
from hyloop.paper.run import model_of
from hyloop.paper.steps import constants, setting
from paper.cases import SETTINGS, all_algorithms, all_settings, hypergraph, hypergraphs, task

# Ω is the one array that stands on row 0 too: both scalars and arrays are compared with it.
EVERYWHERE = {"infinity"}
STANDARD = ("B_global", "B_local", "P_1", "P_2")


def walk(model, one, *, iterations):
    """Before every layer of a run: its layer, the state and the incidence; and the state at the end."""
    X = encode(model, one.frame())[np.newaxis]
    incidence = pad(model, one.hypergraph, X.shape[1])
    blocks = dense.Blocks.of([incidence], X.shape[1], X.shape[1], model.dtype)
    halt = model.layout.number(model.layout.halt)
    for _ in range(iterations):
        for layer in model.layers:
            after = dense.apply(layer, X, blocks, model.tie_tolerance).astype(model.dtype)
            yield layer, X[0], after[0], incidence
            X = after
        if X[0, 0, halt] == 1:
            return


@all_settings
@all_algorithms
@examples(8)
@given(h=hypergraphs(largest=4), data=st.data())
def test_arrays_stay_off_the_top_row_scalars_off_the_others_and_constants_as_they_were(name, given_setting, h, data):
    model = model_of(name, given_setting)
    close = 1e-6 if model.tie_tolerance else 0
    one = task(name, h, data.draw(st.integers(0, len(h.vertices) - 1)))
    first = encode(model, one.frame())
    constant = [model.layout.number(n) for n in (*STANDARD, *(column.name for column in constants(given_setting)))]
    arrays = [n for n, each in enumerate(model.layout.columns) if each.scope == "array" and each.name not in EVERYWHERE]
    scalars = [n for n, each in enumerate(model.layout.columns) if each.scope == "global"]
    for _, _, X, _ in walk(model, one, iterations=9):
        assert np.abs(X[0, arrays]).max() <= close
        assert np.abs(X[1:, scalars]).max() <= close
        assert np.array_equal(X[:, constant], first[:, constant])


@all_algorithms
@examples(15)
@given(h=hypergraphs(largest=5))
def test_on_the_parabola_every_number_is_an_integer_at_every_layer(name, h):
    for _, _, X, _ in walk(model_of(name, SETTINGS["parabola-float64"]), task(name, h), iterations=12):
        assert np.array_equal(X, np.rint(X))


def largest_sum(layer, X, incidence):
    """The largest sum of the absolute values of the terms of any product: no order of adding can go beyond it."""
    sums = []

    def product(Y, W):
        sums.append(np.abs(Y) @ np.abs(W))
        return Y @ W

    X = X.astype(np.float64)
    A = incidence.rows(0, len(X))
    attended, added = X, np.abs(X)
    for head in layer.heads:
        q, k, V = (product(X, weight) for weight in (head.query, head.key, head.value))
        scores = product(q, k.T)
        seen = (scores == scores.max(axis=1, keepdims=True)).astype(np.float64)
        average = product(seen, V) / seen.sum(axis=1, keepdims=True)
        brought = average if head.kind == "plain" else product(A if head.kind == "incidence" else A.T, average)
        attended, added = attended + brought, added + np.abs(brought)
    Z = attended
    for weight in layer.mlp.weights[:3]:
        Z = np.maximum(product(Z, weight), 0)
    out = product(Z, layer.mlp.weights[3])
    return max(each.max(initial=0) for each in (*sums, added, np.abs(attended) + np.abs(out)))


def heavy(rows, weight):
    """As many vertices and hyperedges as fit, as heavy as may be: a ring of hyperedges of three."""
    edges = [[v % rows + 1, (v + 1) % rows + 1, (v + 2) % rows + 1] for v in range(rows)]
    return hypergraph(edges, [weight - v % 2 for v in range(rows)], vertices=rows)


@pytest.mark.parametrize(("dtype", "rows"), every(3, [("float64", 7), ("float32", 7), ("float32", 100)]))
@all_algorithms
def test_at_the_largest_capacity_no_sum_reaches_the_limit_of_exact_integers(name, dtype, rows):
    """Enough iterations for one whole round of a search, in which its pointers run furthest."""
    given_setting = setting(rows=rows, dtype=dtype)
    one = task(name, heavy(rows, given_setting.capacity.weight), source=rows - 1)
    iterations = 2 * rows + 1 if rows < 50 or name in {"minimum", "degradation", "dijkstra"} else 20
    most = max(
        largest_sum(layer, X, A) for layer, X, _, A in walk(model_of(name, given_setting), one, iterations=iterations)
    )
    assert given_setting.infinity < most < EXACT[dtype]
