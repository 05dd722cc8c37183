"""Random weights: whatever the layers are, cpu computes what dense computes."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import examples, share
from hyloop.execute import cpu, dense
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.encode import batch, pad
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, Layer, Mlp, head, no_mlp
from hyloop.machine.layout import STANDARD, Cardinality, Column, Everywhere, Fill, Layout, Mark
from hyloop.machine.model import Capacity, Model
from hyloop.machine.positions import Parabola
from hyloop.paper.algorithms import ALGORITHMS
from hyloop.paper.run import ProblemInstance, model_of
from hyloop.paper.steps import setting
from hyloop.samples import hypergraphs

COLUMNS = (
    Column("uniform", "uniform", (Everywhere("number", 9),)),
    Column("other uniform", "uniform", (Cardinality("vertices"),)),
    Column("scalar", "global", (Fill(2, "global"),)),
    Column("constant", "uniform", (Fill(3, "global"), Fill(3, "rows"))),
    Column("x", "array", (Mark(1, "number"),)),
    Column("y", "array", (Fill(1, "vertices"),)),
    Column("empty", "array"),
)
LAYOUT = Layout((*STANDARD, *COLUMNS, Column("halt", "global")), Parabola(), "halt")
D = len(LAYOUT)
FIXED = [LAYOUT.number(column.name) for column in STANDARD]
HALT = LAYOUT.number("halt")
KINDS = ("plain", "plain", "incidence", "transposed")
BOTH = {("B_global", 1): -1.0, ("B_local", 1): -1.0}
POSITIONS = {("P_1", 0): 1.0, ("P_2", 1): 1.0}


def sparse(rng, rows, columns, share=0.25, most=2):
    return rng.integers(-most, most + 1, (rows, columns)) * (rng.random((rows, columns)) < share).astype(np.float64)


def random_value(rng, *, keep):
    value = sparse(rng, D, D, 0.08)
    value[:, HALT] = 0
    if keep:
        value[:, FIXED] = 0
    return value


def random_head(rng, *, keep):
    """One of the known forms, or anything."""
    kind = str(rng.choice(KINDS))
    names = [column.name for column in LAYOUT.columns]
    form = rng.choice(["identity", "pointer", "scan", "two scans", "any"])
    if form == "any":
        return Head(kind, sparse(rng, D, 2), sparse(rng, D, 2), random_value(rng, keep=keep))
    if form in {"identity", "pointer"}:
        column = "P_1" if form == "identity" else str(rng.choice(names))
        weight = 2.0 if rng.random() < 0.8 else 1.0
        known = head(LAYOUT, kind, {(column, 0): weight} | BOTH, POSITIONS, {})
        return Head(kind, known.query, known.key, random_value(rng, keep=keep))
    a, b = rng.integers(-3, 4, 2), rng.integers(-3, 4, 2)
    b = a if form == "scan" else b
    query = {("B_global", n): float(a[n]) for n in (0, 1)} | {("B_local", n): float(b[n]) for n in (0, 1)}
    known = head(LAYOUT, kind, query, {}, {})
    return Head(kind, known.query, sparse(rng, D, 2), random_value(rng, keep=keep))


def random_layer(rng, *, keep):
    width = int(rng.integers(0, 5))
    shapes = ((D, width), (width, width), (width, width), (width, D))
    first, second, third, last = (sparse(rng, *shape, 0.4, most=1) for shape in shapes)
    last[:, HALT] = 0
    if keep:
        last[:, FIXED] = 0
    units = Mlp((first, second, third, last), names=tuple(f"unit {n}" for n in range(width)))
    return Layer(tuple(random_head(rng, keep=keep) for _ in range(int(rng.integers(0, 4)))), units)


def random_state(rng, size, *, encoded):
    X = rng.integers(-3, 4, (size, D)).astype(np.float64)
    if encoded:  # as the encoder would write it, in most of its columns
        j = np.arange(size)
        X[:, FIXED] = np.stack([j == 0, j > 0, j, j * j], axis=1)
        X[:, LAYOUT.number("uniform")] = rng.integers(0, 9)
        X[:, LAYOUT.number("other uniform")] = size
        X[:, LAYOUT.number("scalar")] = 2 * (j == 0)
        X[:, LAYOUT.number("constant")] = 3
        X[:, LAYOUT.number("empty")] = 0
    X[:, HALT] = 0
    return X


def random_incidence(rng, size, most=2):
    A = np.triu(rng.integers(0, most + 1, (size, size)) * (rng.random((size, size)) < 0.3)).astype(np.float64)
    A[0] = A[:, 0] = 0
    vertex, hyperedge = np.nonzero(A)
    return PaddedIncidence(size, vertex, hyperedge, A[vertex, hyperedge])


def small_enough(X):
    """Whether the next iteration's numbers are exact for sure: scores are products of two sums."""
    return bool(np.abs(X).max() < (2**14 if X.dtype == np.float64 else 2**6))


seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_random_models(dtype, engine, same):
    @examples(20 if engine == "native" else 40)
    @given(seed=seeds, size=st.integers(1, 20 if dtype == "float64" else 7))
    def check(seed, size):
        rng = np.random.default_rng(seed)
        keep, encoded = bool(rng.random() < 0.8), bool(rng.random() < 0.8)
        layers = tuple(random_layer(rng, keep=keep) for _ in range(int(rng.integers(1, 4))))
        model = Model("random", LAYOUT, layers, Capacity(30, 9), dtype)
        X, A = random_state(rng, size, encoded=encoded), random_incidence(rng, size)
        same(model, X, A, engine, iterations=4, small_enough=small_enough)

    check()


class TestPointers:
    """Query `(2c, -1)` on keys `(j, j²)`: the nearest row; two rows at the same distance share."""

    @pytest.mark.parametrize("c", [-3, -0.5, 0, 1, 2, 4, 5, 6, 99])
    @pytest.mark.parametrize("where", ["uniform", "x"])
    def test_out_of_range_it_is_the_nearest_row(self, c, where, engine, same):
        read = head(LAYOUT, "plain", {(where, 0): 1} | BOTH, POSITIONS, {("y", "empty"): 2})
        model = Model("read", LAYOUT, (Layer((read,), no_mlp(LAYOUT)),), Capacity(9, 9))
        X = random_state(np.random.default_rng(1), 6, encoded=True)
        X[:, LAYOUT.number(where)] = 2 * c
        X[:, LAYOUT.number("y")] = 10, 21, 32, 43, 54, 65
        runs = same(model, X, random_incidence(np.random.default_rng(0), 6), engine, iterations=2)
        assert runs.fast.state()[3, LAYOUT.number("empty")] == 2 * 2 * (10 + 11 * min(max(c, 0), 5))

    def test_each_row_may_have_its_own(self, engine, same):
        read = head(LAYOUT, "plain", {("x", 0): 2} | BOTH, POSITIONS, {("y", "empty"): 1, ("uniform", "empty"): 3})
        model = Model("read", LAYOUT, (Layer((read,), no_mlp(LAYOUT)),), Capacity(9, 9))
        rng = np.random.default_rng(5)
        X = random_state(rng, 40, encoded=True)
        X[:, LAYOUT.number("x")] = rng.permutation(40)
        X[:, LAYOUT.number("y")] = rng.integers(0, 99, 40)
        assert plan_for(model, X).layers[0].gathers
        runs = same(model, X, random_incidence(rng, 40), engine, iterations=3)
        assert runs.fast.iterations().tolist() == [3]

    @pytest.mark.parametrize("doubled", [1, 3, 5, -1, 11])
    def test_between_two_rows_it_is_their_average(self, doubled, engine, same):
        read = head(LAYOUT, "plain", {("uniform", 0): 1} | BOTH, POSITIONS, {("y", "empty"): 1})
        model = Model("read", LAYOUT, (Layer((read,), no_mlp(LAYOUT)),), Capacity(9, 9))
        X = random_state(np.random.default_rng(1), 6, encoded=True)
        X[:, LAYOUT.number("uniform")] = doubled
        same(model, X, random_incidence(np.random.default_rng(0), 6), engine, iterations=3)


class TestAverages:
    """An average that is no integer ends the reign of exact sums: dense goes on from there, bit for bit."""

    @staticmethod
    def averaging(weight):
        everyone = head(LAYOUT, "plain", {}, {}, {("x", "empty"): weight})
        add = head(LAYOUT, "incidence", {("P_1", 0): 2} | BOTH, POSITIONS, {("empty", "x"): 1})
        return Model(
            "average", LAYOUT, tuple(Layer((each,), no_mlp(LAYOUT)) for each in (add, everyone)), Capacity(9, 9)
        )

    @pytest.mark.parametrize("weight", [1, 7, 12])
    def test_sum_by_count(self, weight, engine, same):
        rng = np.random.default_rng(weight)
        X, A = random_state(rng, 7, encoded=True), random_incidence(rng, 7, most=1)
        X[:, LAYOUT.number("x")] = 1, 0, 0, 5, 2, 2, 1
        runs = same(self.averaging(weight), X, A, engine, iterations=6)
        whole = np.array_equal(runs.fast.state(), np.rint(runs.fast.state()))
        assert whole == (weight == 7)  # seven rows

    def test_the_state_before_is_kept(self, engine):
        """Whole iterations before, and layers before in the same iteration, are not done again."""
        rng = np.random.default_rng(3)
        X, A = random_state(rng, 7, encoded=True), random_incidence(rng, 7)
        slow, fast = dense.start(self.averaging(1), X, A), cpu.start(self.averaging(1), X, A, engine=engine)
        slow.advance(9)
        fast.advance(9)
        assert np.array_equal(slow.state(), fast.state())
        assert fast.iterations().tolist() == [9]


def test_weights_that_are_no_integers_are_left_to_dense(engine):
    half = head(LAYOUT, "plain", {}, {}, {("x", "empty"): 0.5})
    model = Model("half", LAYOUT, (Layer((half,), no_mlp(LAYOUT)),), Capacity(9, 9))
    rng = np.random.default_rng(0)
    run = cpu.start(model, random_state(rng, 4, encoded=True), random_incidence(rng, 4), engine=engine)
    assert isinstance(run, dense.DenseSession)


@pytest.mark.parametrize("code", ["parabola", "circle"])
@pytest.mark.parametrize("name", share(ALGORITHMS, "dijkstra", "helly"))
def test_the_papers_models(name, code, engine, same):
    given_setting = setting(rows=12, weight=100, code=code)
    model = model_of(name, given_setting)
    graphs = [h for h in islice(hypergraphs(2), 40) if max(len(h.vertices), len(h.hyperedges)) <= 8][10:22]
    tasks = [ProblemInstance(h, dict.fromkeys(ALGORITHMS[name].inputs, 0)) for h in graphs]
    X = batch(model, [task.frame() for task in tasks])
    same(model, X, [pad(model, task.hypergraph, X.shape[1]) for task in tasks], engine, iterations=25)
