"""Bounds of core programs: nothing that the interpreter ever computes is above them."""

import numpy as np
import pytest

from compiler.levels import CAPACITY, SAMPLES, hoisted, runs, steps
from hyloop import Capacity
from hyloop.compiler.bounds import bound
from hyloop.compiler.lower import lower


def entries(value):
    return value.tolist() if isinstance(value, np.ndarray) else [value]


@pytest.mark.parametrize("name", SAMPLES)
def test_no_value_is_above_its_bound(name):
    core = hoisted(lower(SAMPLES[name]))
    bounds = bound(core, CAPACITY)
    for h, inputs in runs(core, seed=len(name)):
        for step in steps(core, h, inputs):
            for number, value in enumerate(step.values):
                for entry in entries(value):
                    if entry == step.infinity:
                        assert bounds.infinite[number], core[number]
                    else:
                        assert 0 <= entry <= bounds.largest[number] <= bounds.of(number), core[number]
            for state in core.states:
                finite = [each for each in entries(step.states[state.name]) if each != step.infinity]
                assert max(finite, default=0) <= bounds.states[state.name], state.name


@pytest.mark.parametrize("name", SAMPLES)
def test_infinity_is_above_all_finite_lengths_that_anything_depends_on(name):
    core = lower(SAMPLES[name])
    bounds = bound(core, CAPACITY)
    used = [*core.body.updates.values(), core.halt]
    lengths = [bounds.largest[number] for number in used if str(core[number].type.kind) == "length"]
    assert max([CAPACITY.weight, *lengths]) < bounds.omega


def test_that_the_loop_has_started_is_a_flag():
    core = lower(SAMPLES["dijkstra"])
    [started] = [state.name for state in core.states if state.role == "started"]
    assert bound(core, CAPACITY).states[started] == 1


def test_bounds_grow_with_the_capacity():
    core = lower(SAMPLES["dijkstra"])
    small, large = bound(core, CAPACITY), bound(core, Capacity(9, 31))
    assert small.omega < large.omega
    assert all(a <= b for a, b in zip(small.largest, large.largest, strict=True))
