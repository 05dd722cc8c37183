"""Motifs by code that computes its 26 counters only where one of them changes, beside numpy, which computes all."""

import random
from itertools import count

import numpy as np
import pytest

from effort import every
from execute.cpu.quiet.sweep import compiled, started
from hyloop.execute import cpu
from hyloop.execute.cpu.native.combs import combs
from hyloop.execute.cpu.plan import plan_for
from hyloop.machine.model import EXACT
from hyloop.prove.mutants import mutants

pytest.importorskip("llvmlite")


def begun(seed, size=9):
    """A random input; not every seed has one."""
    found = (started(compiled("motifs"), each, size=size) for each in count(seed, 1000))
    return next(each for each in found if each is not None)


def same(model, X, incidence, iterations):
    """Run both as long as numbers are exact; how many iterations that were."""
    native, numpy = (cpu.start(model, X, incidence, engine=engine) for engine in ("native", "numpy"))
    for iteration in range(iterations):
        native.advance(1)
        numpy.advance(1)
        state = numpy.state()
        if np.abs(state).max() >= EXACT["float64"]:
            return iteration
        assert native.state().tobytes() == state.tobytes()
        if numpy.halted()[0]:
            break
    return iterations


def test_motifs_have_one_comb():
    model = compiled("motifs")
    layers = plan_for(model, begun(100)[0]).layers
    found = [comb for layer in layers for comb in combs(layer.body, range(len(layer.before)))]
    assert [len(comb.columns) for comb in found] == [26]


@pytest.mark.parametrize("seed", every(4, range(16)))
def test_they_count_the_same(seed):
    assert same(compiled("motifs"), *begun(seed, 19), 400) == 400


@pytest.mark.parametrize("seed", every(6, range(24)))
def test_whatever_the_state_holds(seed):
    """Flags that are none, and counters that are not 0."""
    draw, (X, incidence) = np.random.default_rng(seed), begun(seed, 19)
    names = [column.name for column in compiled("motifs").layout.columns]
    X[1:, names.index("hyperedges")] = draw.integers(-1, 4, len(X) - 1)
    for number, name in enumerate(names):
        if name.startswith("counters"):
            X[1:, number] = draw.integers(0, 5, len(X) - 1)
    assert same(compiled("motifs"), X, incidence, 40) > 5


@pytest.mark.parametrize("seed", every(10, range(100, 160)))
def test_changed_weights(seed):
    model, first = compiled("motifs"), begun(seed)
    chosen = random.Random(seed).choice(mutants(model, zeros=100, seed=seed))
    same(chosen.model(model), *first, 25)
