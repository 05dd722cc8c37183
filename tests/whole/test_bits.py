"""Bit for bit: the bytes of a state are the same on every backend, and no state ever holds -0."""

from __future__ import annotations

import importlib.util
import random
from functools import lru_cache
from itertools import islice

import numpy as np
import pytest

from algorithm_inputs import encoded_inputs
from compiler.random_programs import drawn, inputs_for, program_of
from effort import sample
from execute.cpu.test_plan import (
    BOTH,
    HALT,
    LAYOUT,
    POSITIONS,
    D,
    random_incidence,
    random_layer,
    random_state,
    small_enough,
)
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.errors import CapacityError
from hyloop.execute import backends, cpu, dense
from hyloop.execute.backends import BACKENDS
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.encode import Frame, encode, pad
from hyloop.lang import LanguageError
from hyloop.lang.kinds import Kind
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, Layer, Mlp, head, no_mlp
from hyloop.machine.model import Capacity, Model
from hyloop.samples import hypergraphs


class Onnx:
    """A session that runs the ONNX file, one call for each iteration."""

    def __init__(self, model, X, incidence, folder):
        onnxruntime = pytest.importorskip("onnxruntime")
        model.to_onnx(folder / "model.onnx")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(folder / "model.onnx", options, providers=["CPUExecutionProvider"])
        sides = {"A": "incidence"} | ({"tails": "tails", "heads": "heads"} if model.layout.directed else {})
        self.X = X.astype(model.dtype)
        self.A = {name: incidence.of_kind(kind).rows(0, incidence.size, model.dtype) for name, kind in sides.items()}

    def advance(self, iterations):
        given = {"X": self.X, **self.A, "limit": np.array(iterations)}
        self.X, _ = self.session.run(["state", "iterations"], given)

    def state(self):
        return self.X


APART = {"cpu", "cuda", "dense"}  # cpu has two engines; cuda has no floats, and refuses weights that nothing bounds
TORCH = importlib.util.find_spec("torch") is not None
ENGINES = ["native", "numpy", "onnx", *(name for name in BACKENDS if name not in APART and (TORCH or name != "torch"))]


@pytest.fixture(params=ENGINES)
def start(request, tmp_path):
    """How each backend is started."""
    if request.param == "torch":
        import torch

        torch.set_num_threads(1)  # the states are tiny
        from hyloop.export import start_torch

        return start_torch
    if request.param == "onnx":
        pytest.importorskip("onnx")
        return lambda *args: Onnx(*args, tmp_path)
    if request.param in BACKENDS:
        return lambda *args: backends.start(request.param, *args)
    if request.param == "native":
        pytest.importorskip("llvmlite")
    return lambda *args: cpu.start(*args, engine=request.param)


def same_bytes(start, model, X, A, iterations=8, enough=lambda _: True):
    """Hold the bytes of two backends against each other after every iteration."""
    ours, other = dense.start(model, X, A), start(model, X, A)
    done = 0
    while done < iterations and not ours.halted().all() and enough(ours.state()):
        ours.advance(1)
        other.advance(1)
        done += 1
        a, b = ours.state(), other.state()
        assert not np.signbit(a[a == 0]).any(), f"iteration {done}: -0 in dense"
        differ = (a != b) | (np.signbit(a) != np.signbit(b))
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes() or not f"iteration {done}: {np.argwhere(differ)[:3]}"
    return done


@lru_cache
def compiled(name):
    return compile_program(ALGORITHMS[name].program, Capacity(12, 9))


def algorithm_is_the_same(start, name, which):
    """One algorithm on some of the small hypergraphs."""
    program, model = ALGORITHMS[name].program, compiled(name)
    for h in islice(hypergraphs(1, vertices=6, hyperedges=6, directed=model.layout.directed), *which):
        counts = {Kind.VERTEX: len(h.vertices), Kind.HYPEREDGE: len(h.hyperedges)}
        if any(not counts.get(each.type.kind, 1) for each in program.inputs):
            continue
        frame = Frame(*counts.values(), (1,) * len(h.hyperedges), encoded_inputs(program, h))
        assert same_bytes(start, model, encode(model, frame), pad(model, h, frame.size))


def program_is_the_same(start, seed, *, every=False, directed=False):
    """A random program on a random hypergraph; how many iterations were run."""
    try:
        program = program_of(drawn(seed, 8, every=every or directed), before=2 if seed % 2 else 0)
    except LanguageError:
        return 0
    h = next(islice(hypergraphs(seed, vertices=5, hyperedges=5, directed=directed), 40 if directed else 9, None))
    if inputs_for(h, random.Random(seed)) is None:
        return 0
    try:
        model = compile_program(program, Capacity(8, 9))
    except (CapacityError, LanguageError):  # products may have no bound
        if not every:
            raise
        return 0
    frame = Frame(len(h.vertices), len(h.hyperedges), (1,) * len(h.hyperedges), encoded_inputs(program, h))
    X = encode(model, frame)
    return same_bytes(start, model, X, pad(model, h, len(X)))


@pytest.mark.parametrize("name", sorted({*sample(ALGORITHMS)} - {"motifs"}))  # which takes long: see thorough/
def test_every_algorithm(name, start):
    algorithm_is_the_same(start, name, (9, 11))


def test_random_programs(start):
    assert sum(program_is_the_same(start, seed) > 0 for seed in range(5)) > 1


def test_random_programs_with_directions(start):
    assert sum(program_is_the_same(start, seed, directed=True) > 0 for seed in range(100, 106)) > 1


def test_random_programs_that_multiply_and_divide(start):
    assert sum(program_is_the_same(start, seed, every=True) > 0 for seed in (6, 9, 14, 40)) > 1


# -- weights that no compiler writes --------------------------------------------------------------------------------


def negated(source, target):
    """A head that sets a column to minus another: the old value cancels, so nothing but `-1 · x` is left."""
    known = head(LAYOUT, "plain", {("P_1", 0): 2.0} | BOTH, POSITIONS, {})
    value = np.zeros((D, D))
    value[LAYOUT.number(target), LAYOUT.number(target)] -= 1
    value[LAYOUT.number(source), LAYOUT.number(target)] -= 1
    return Head("plain", known.query, known.key, value)


def erased(target):
    """A hidden unit that takes away what a column holds, if that is more than 0, and three times another."""
    units = ("old", "other")
    first, last = np.zeros((D, 2)), np.zeros((2, D))
    first[LAYOUT.number(target), 0] = first[LAYOUT.number("y"), 1] = 1
    last[0, LAYOUT.number(target)], last[1, LAYOUT.number(target)] = -1, -3
    return Mlp((first, np.eye(2), np.eye(2), last), names=units)


ODD = {
    "minus a vector": (Layer((negated("y", "x"),), no_mlp(LAYOUT)),),
    "minus a number": (Layer((negated("empty", "scalar"),), no_mlp(LAYOUT)),),
    "minus a number on all rows": (Layer((negated("empty", "uniform"),), no_mlp(LAYOUT)),),
    "minus itself": (Layer((negated("x", "x"),), no_mlp(LAYOUT)),),
    "three times less than nothing": (Layer((negated("y", "empty"),), erased("x")),),
    "minus what the neighbours hold": (
        Layer(
            (
                negated("empty", "empty"),
                head(LAYOUT, "incidence", {("P_1", 0): 2.0} | BOTH, POSITIONS, {("x", "empty"): -1, ("y", "x"): -2}),
            ),
            no_mlp(LAYOUT),
        ),
    ),
    "minus what the first row holds": (
        Layer(
            (
                negated("empty", "empty"),
                head(
                    LAYOUT, "plain", {("B_global", 0): 1, ("B_local", 0): 1}, {("B_global", 0): 1}, {("x", "empty"): -1}
                ),
                head(LAYOUT, "plain", {("uniform", 0): 1, ("x", 1): -1}, {("x", 0): 1, ("y", 1): 1}, {("x", "y"): -5}),
            ),
            no_mlp(LAYOUT),
        ),
    ),
}


def of_few_values(rng, size):
    """A state with many zeros, some of them -0."""
    X = random_state(rng, size, encoded=True)
    free = [LAYOUT.number(name) for name in ("x", "y")]
    X[:, free] = rng.integers(-1, 2, (size, 2)) * (rng.random((size, 2)) < 0.4)
    return np.where(X == 0, rng.choice([0.0, -0.0], X.shape), X)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("what", ODD)
def test_odd_weights(what, dtype, start):
    model = Model("odd", LAYOUT, ODD[what], Capacity(30, 9), dtype)
    rng = np.random.default_rng(5)
    size = 13 if dtype == "float64" else 7
    assert same_bytes(start, model, of_few_values(rng, size), random_incidence(rng, size), 3, small_enough)


def test_a_weight_of_nothing_in_the_incidence(start):
    """`0 · -2` is -0: in a product that is computed once, of columns that never change."""
    bring = head(LAYOUT, "incidence", {("P_1", 0): 2.0} | BOTH, POSITIONS, {("y", "empty"): -2})
    model = Model("once", LAYOUT, (Layer((negated("empty", "empty"), bring), no_mlp(LAYOUT)),), Capacity(30, 9))
    X = random_state(np.random.default_rng(0), 5, encoded=True)
    X[:, LAYOUT.number("y")] = 0, 0, 1, 0, 0
    A = PaddedIncidence(5, np.array([1, 3]), np.array([2, 2]), np.array([0.0, 1.0]))
    assert plan_for(model, X).layers[0].products[0].fixed
    assert same_bytes(start, model, X, A, 2) == 2


def test_a_first_state_with_minus_zero(start):
    """Columns that nobody writes stay as they are given, but for that."""
    model = Model("still", LAYOUT, ODD["minus itself"], Capacity(30, 9))
    X = np.where((X := random_state(np.random.default_rng(1), 9, encoded=True)) == 0, -0.0, X)
    X[0, HALT] = -0.0
    assert same_bytes(start, model, X, random_incidence(np.random.default_rng(2), 9), 2) == 2


def test_random_weights_that_erase(start):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        layers = [random_layer(rng, keep=True) for _ in range(2)]
        names = [str(name) for name in rng.choice(["x", "y", "empty", "scalar", "uniform"], 2, replace=False)]
        layers.insert(1, Layer((negated(*names),), no_mlp(LAYOUT)))
        model = Model("random", LAYOUT, tuple(layers), Capacity(30, 9))
        same_bytes(start, model, of_few_values(rng, 12), random_incidence(rng, 12), 3, small_enough)


@pytest.mark.skipif(not TORCH, reason="torch is not installed here: make test-interop brings it")
def test_torch_is_here():
    """Where it is not, this is skipped, instead of every test above."""
    assert "torch" in ENGINES
