"""The dense executor is the paper's formulas: held against a reference in exact rationals, written from them."""

import tracemalloc
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.errors import CapacityError, ModelError
from hyloop.execute import dense
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, Layer, Mlp, head
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.model import Capacity, Model
from hyloop.machine.positions import Parabola

LAYOUT = Layout((*STANDARD, Column("x", "array"), Column("halt", "global")), Parabola(), "halt")
D, HALT = len(LAYOUT), LAYOUT.number("halt")
KINDS = ("plain", "incidence", "transposed")
DIRECTED = (*KINDS, "tails", "tails_transposed", "heads", "heads_transposed")


# The reference: matrices are lists of rows of integers or Fractions.


def product(A, B):
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A]


def total(A, B):
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(A, B, strict=True)]


def transposed(A):
    return [list(row) for row in zip(*A, strict=True)]


def relu(A):
    return [[max(entry, 0) for entry in row] for row in A]


def average_of_best(scores, V):
    """σ(scores) V: for each row the mean of the rows of V with the largest score."""
    rows = []
    for row in scores:
        best = [v for score, v in zip(row, V, strict=True) if score == max(row)]
        rows.append([Fraction(sum(column), len(best)) for column in zip(*best, strict=True)])
    return rows


def reference(layer, X, A, tails=None, heads=None):
    """`X + Σ M σ(X Wq Wkᵀ Xᵀ) X Wv`, then `X + relu(relu(relu(X W1) W2) W3) W4`."""
    attended = X
    for each in layer.heads:
        Wq, Wk, Wv = (exact(weight) for weight in (each.query, each.key, each.value))
        scores = product(product(X, Wq), transposed(product(X, Wk)))
        seen = average_of_best(scores, product(X, Wv))
        by = {
            "plain": lambda Y: Y,
            "incidence": lambda Y: product(A, Y),
            "transposed": lambda Y: product(transposed(A), Y),
            "tails": lambda Y: product(tails, Y),
            "tails_transposed": lambda Y: product(transposed(tails), Y),
            "heads": lambda Y: product(heads, Y),
            "heads_transposed": lambda Y: product(transposed(heads), Y),
        }
        attended = total(attended, by[each.kind](seen))
    W1, W2, W3, W4 = (exact(weight) for weight in layer.mlp.weights)
    hidden = relu(product(relu(product(relu(product(attended, W1)), W2)), W3))
    return total(attended, product(hidden, W4))


def exact(array):
    return [[int(entry) for entry in row] for row in array]


# Weights are small random integers, so that scores tie often. Those of values are multiples of 12: averages over at
# most 4 rows are integers too, and everything is exact.

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def integers(rng, rows, columns, *, low=-2, factor=1):
    return factor * rng.integers(low, 3, (rows, columns)).astype(np.float64)


def random_head(rng, kind, factor=12):
    return Head(kind, integers(rng, D, 2), integers(rng, D, 2), integers(rng, D, D, factor=factor))


def random_layer(rng, *kinds, width=3, factor=12):
    shapes = ((D, width), (width, width), (width, width), (width, D))
    first, second, third, last = (integers(rng, *shape) for shape in shapes)
    names = tuple(f"unit {number}" for number in range(width))
    return Layer(
        tuple(random_head(rng, kind, factor) for kind in kinds), Mlp((first, second, third, last), names=names)
    )


def random_input(rng, size):
    A = integers(rng, size, size, low=0)
    A[0] = A[:, 0] = 0
    return integers(rng, size, D), A


def padded(A):
    vertex, hyperedge = np.nonzero(A)
    return PaddedIncidence(len(A), vertex, hyperedge, A[vertex, hyperedge])


def blocks(A, rows=None):
    return dense.Blocks.of([padded(A)], rows or len(A), len(A), "float64")


def model(*layers, dtype="float64"):
    return Model("test", LAYOUT, layers, Capacity(9, 9), dtype)


@given(rng=seeds, size=st.integers(1, 4), kinds=st.lists(st.sampled_from(KINDS), max_size=3))
def test_a_layer_is_the_formula_word_for_word(rng, size, kinds):
    layer = random_layer(rng, *kinds)
    X, A = random_input(rng, size)
    assert dense.apply(layer, X[np.newaxis], blocks(A))[0].tolist() == reference(layer, exact(X), exact(A))


@pytest.mark.parametrize("rows", [None, 1])
@given(rng=seeds, size=st.integers(1, 4), kinds=st.lists(st.sampled_from(DIRECTED), max_size=3))
def test_a_directed_layer_is_the_formula_word_for_word(rows, rng, size, kinds):
    layer = random_layer(rng, *kinds)
    X, A = random_input(rng, size)
    tails, heads = (A * rng.integers(0, 2, A.shape) for _ in range(2))
    whole = replace(padded(A), tails=padded(tails), heads=padded(heads))
    found = dense.apply(layer, X[np.newaxis], dense.Blocks.of([whole], rows or size, size, "float64"))[0]
    assert found.tolist() == reference(layer, exact(X), exact(A), exact(tails), exact(heads))


def test_a_directed_model_is_not_run_without_directions():
    directed = replace(LAYOUT, directed=True)
    rng = np.random.default_rng(1)
    made = Model("test", directed, (random_layer(rng, "tails"),), Capacity(9, 9))
    X, A = random_input(rng, 3)
    with pytest.raises(ModelError, match="tells tails from heads; it needs an incidence with both"):
        dense.start(made, X, padded(A))


@pytest.mark.parametrize("kind", KINDS)
@given(rng=seeds, size=st.integers(1, 4))
def test_each_kind_of_head_by_itself_is_the_formula(kind, rng, size):
    layer = Layer((random_head(rng, kind),), random_layer(rng).mlp)
    X, A = random_input(rng, size)
    assert dense.apply(layer, X[np.newaxis], blocks(A))[0].tolist() == reference(layer, exact(X), exact(A))


@given(rng=seeds, size=st.integers(1, 2), kind=st.sampled_from(KINDS))
def test_float32_computes_the_same_integers(rng, size, kind):
    layer = random_layer(rng, kind, width=2, factor=2)
    X, A = random_input(rng, size)
    X[0, HALT] = 0
    run = dense.start(model(layer, dtype="float32"), X, padded(A))
    run.advance(1)
    assert run.state().dtype == np.float32
    assert run.state().tolist() == reference(layer, exact(X), exact(A))


class TestAverage:
    """Averages over ties are sum ÷ count; a product with 1/count is not exact."""

    @given(rng=seeds, size=st.integers(1, 9))
    def test_it_is_the_sum_divided_by_the_count_rounded_once(self, rng, size):
        one = random_head(rng, "plain", factor=1)
        X, A = random_input(rng, size)
        V = X @ one.value
        scores = product(product(exact(X), exact(one.query)), transposed(product(exact(X), exact(one.key))))
        expected = [[float(entry) for entry in row] for row in average_of_best(scores, exact(V))]
        assert dense.hardmax(one, X[np.newaxis], V[np.newaxis], blocks(A), 0.0)[0].tolist() == expected

    def test_49_ones_average_to_one(self):
        assert 49 * (1 / 49) != 1  # why it matters
        everyone = head(LAYOUT, "plain", {}, {}, {})  # all scores are 0: every row ties
        ones = np.ones((1, 49, 1))
        assert (dense.hardmax(everyone, np.zeros((1, 49, D)), ones, blocks(np.zeros((49, 49))), 0.0) == 1).all()

    @pytest.mark.parametrize("dtype", ["float64", "float32"])
    def test_equal_values_keep_their_value_whatever_the_count(self, dtype):
        everyone = head(LAYOUT, "plain", {}, {}, {})
        for count in range(1, 200):
            X, ones = np.zeros((1, count, D), dtype), np.ones((1, count, 1), dtype)
            seen = dense.hardmax(everyone, X, ones, dense.Blocks([], count, count, dtype), 0.0)
            assert (seen == 1).all(), count

    def test_a_tolerance_lets_nearly_equal_scores_tie(self):
        by_x = head(LAYOUT, "plain", {("B_local", 0): 1}, {("x", 0): 1}, {})
        X = np.zeros((1, 3, D))
        X[:, :, LAYOUT.number("B_local")] = 1
        X[0, :, LAYOUT.number("x")] = 1, 1 - 1e-12, 0
        V = np.array([[[0.0], [6.0], [9.0]]])
        assert dense.hardmax(by_x, X, V, blocks(np.zeros((3, 3))), 0.0)[0, 0] == 0
        assert dense.hardmax(by_x, X, V, blocks(np.zeros((3, 3))), 1e-9)[0, 0] == 3


def a_batch(rng, count, size):
    """States and incidences, none of them halted."""
    pairs = [random_input(rng, size) for _ in range(count)]
    X = np.stack([state for state, _ in pairs])
    X[:, 0, HALT] = 0
    return X, [padded(A) for _, A in pairs]


def advanced(run, iterations=1):
    run.advance(iterations)
    return run.state()


class TestBatch:
    @given(rng=seeds, count=st.integers(1, 5), size=st.integers(1, 5))
    def test_a_batch_gives_what_each_input_gives_alone(self, rng, count, size):
        layer = random_layer(rng, *KINDS)
        X, incidences = a_batch(rng, count, size)
        together = advanced(dense.start(model(layer), X, incidences))
        for one, incidence, state in zip(X, incidences, together, strict=True):
            assert advanced(dense.start(model(layer), one, incidence)).tolist() == state.tolist()

    def test_what_was_given_is_not_changed_and_a_state_is_a_copy(self):
        X, incidences = a_batch(np.random.default_rng(1), 2, 3)
        before = X.copy()
        run = dense.start(model(random_layer(np.random.default_rng(0), *KINDS)), X, incidences)
        first = advanced(run)
        assert first.tolist() != X.tolist()
        first[:] = 99
        assert (run.state() != 99).any()
        assert X.tolist() == before.tolist()

    def test_a_single_input_comes_back_without_a_batch_axis(self):
        X, (incidence,) = a_batch(np.random.default_rng(1), 1, 3)
        run = dense.start(model(random_layer(np.random.default_rng(0))), X[0], incidence)
        assert run.state().shape == (3, D)
        assert run.iterations().tolist() == [0]

    def test_a_state_for_other_columns_is_refused(self):
        with pytest.raises(ModelError, match=rf"must be K × {D}, or a batch of such; given shape \(1, 3, {D + 1}\)"):
            dense.start(model(random_layer(np.random.default_rng(0))), np.zeros((3, D + 1)), padded(np.zeros((3, 3))))

    def test_one_incidence_too_few_is_refused(self):
        with pytest.raises(ModelError, match="2 states were given with 1 incidences"):
            dense.start(model(random_layer(np.random.default_rng(0))), np.zeros((2, 3, D)), padded(np.zeros((3, 3))))

    def test_an_incidence_of_another_size_is_refused(self):
        with pytest.raises(ModelError, match="The state has 3 rows, the incidence 4"):
            dense.start(model(random_layer(np.random.default_rng(0))), np.zeros((3, D)), padded(np.zeros((4, 4))))


def memory_for(X, rows):
    """What the executor asks for to hold so many rows of the attention matrix at once: the rule it documents."""
    batch, size, d = X.shape
    return (8 * d + 8 * rows) * batch * size * X.itemsize


class TestMemory:
    @given(rng=seeds, count=st.integers(1, 3), size=st.integers(1, 7), rows=st.integers(1, 7))
    def test_blocks_of_rows_give_what_the_whole_matrix_gives(self, rng, count, size, rows):
        layer = random_layer(rng, *KINDS)
        X, incidences = a_batch(rng, count, size)
        whole = advanced(dense.start(model(layer), X, incidences))
        blocked = advanced(dense.start(model(layer), X, incidences, memory=memory_for(X, rows)))
        assert blocked.tolist() == whole.tolist()

    def test_little_memory_means_several_blocks(self):
        cut = dense.Blocks.of([padded(np.zeros((7, 7)))], 3, 7, "float64")
        assert list(cut.ranges()) == [(0, 3), (3, 6), (6, 7)]
        assert not cut.stacks

    def test_too_little_for_one_row_is_refused_with_both_figures(self):
        size = 300_000
        X, incidence = np.zeros((size, D)), PaddedIncidence(size, *(np.zeros(0, dtype=np.int64),) * 2, np.zeros(0))
        needed = memory_for(X[np.newaxis], 1)
        with pytest.raises(
            CapacityError,
            match=f"1 × {size:,} rows of {D} columns need at least {needed:,} bytes of memory; 52,428,800 are",
        ):
            dense.start(model(random_layer(np.random.default_rng(0))), X, incidence, memory=50 * 2**20)

    @pytest.mark.parametrize("rows", [4, 40, 400])
    def test_the_memory_used_stays_within_what_is_allowed(self, rows):
        """The entries of a sparse incidence are few; what must stay bounded is the attention matrix."""
        rng = np.random.default_rng(0)
        X, _ = a_batch(rng, 2, 400)
        incidences = [padded(np.diag([0.0] + [1.0] * 399)) for _ in range(2)]
        counted = model(random_layer(rng, *KINDS, width=D))
        allowed = memory_for(X, rows)
        tracemalloc.start()
        try:
            dense.start(counted, X, incidences, memory=allowed).advance(1)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most <= allowed
