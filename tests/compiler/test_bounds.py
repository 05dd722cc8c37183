"""Bounds of core programs: nothing that the interpreter ever computes is above them."""

import numpy as np
import pytest

import hyloop
from compiler.levels import CAPACITY, SAMPLES, hoisted, runs, steps
from hyloop import Capacity
from hyloop.compiler.bounds import bound
from hyloop.compiler.lower import lower
from hyloop.lang import Count, Outputs, algorithm, at_most
from hyloop.lang import number as number_of
from hyloop.prove import prove


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


def modulo(**declared):
    @algorithm
    def remainders(h, m: at_most(Count, 30)):
        x, c = h.state(Count, 3, **declared), h.state(Count, 0)
        with h.loop(at_most=10) as loop:
            c.assign(c + 1)
            y = x * x % m
            x.assign((y * y + x) % m)
            loop.stop_when(c > 8)
        return Outputs(x=x)

    return remainders.program


@pytest.mark.parametrize("declared", [{}, {"at_most": 29}, {"at_most": 10**9}])
def test_a_remainder_is_below_its_divisor_in_the_core_too(declared):
    core = lower(modulo(**declared))
    bounds = bound(core, CAPACITY)
    assert bounds.states["x"] == 29
    assert bounds.least == 2 * (29 * 29 + 29) + 1  # of the second remainder: what is divided, and one more, as divisor
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    for m in (0, 1, 7, 30):
        for step in steps(core, h, {"m": m}):
            assert all(entry <= most for entry, most in zip(step.values, bounds.largest, strict=True))


def powers(times):
    @algorithm
    def squares(h):
        x = h.vertices.state(Count, 0)
        with h.loop(at_most=1) as loop:
            t = (number_of(h.vertices.number) + 3) % 61
            for _ in range(times):
                t = t * t % 61
            x.assign(t)
            loop.stop_when(True)
        return Outputs(x=x)

    return squares.program


@pytest.mark.parametrize("times", [1, 3, 12])
def test_a_remainder_is_below_its_divisor_where_the_same_iteration_goes_on_with_it(times):
    core, rows = lower(powers(times)), 131_071
    bounds = bound(core, Capacity(rows, 1))
    assert bounds.least == (rows + 3) // 61  # of the first remainder alone: what comes later is at most 2 * 60
    assert bounds.largest[core.body.updates["x"]] == 60


def test_products_of_remainders_have_the_usual_capacity_and_a_proof():
    model = hyloop.compile(powers(1))
    assert model.capacity.rows == 131_071
    assert prove(model).answer == "proved"
    h = hyloop.Hypergraph.from_hyperedges([list(range(70)), [70]])
    found = hyloop.run(model, h)["x"]
    assert [found[v] for v in range(71)] == [pow(v + 3, 2, 61) for v in range(71)]
    assert hyloop.check(model, h).agrees


@algorithm
def once(h):
    """Growth that happens once, before the loop: the source knows, and the core, which has no such part, is told."""
    x, y = h.state(Count, 1), h.state(Count, 0)
    x.assign(3 * x)
    x.assign(x + x)
    with h.loop(at_most=9) as loop:
        y.assign(y + 1)
        loop.stop_when(y > x)
    return Outputs(x=x, y=y)


def test_what_grows_before_the_loop_grows_once():
    assert bound(lower(once.program), CAPACITY).states["x"] == 6
    model = hyloop.compile(once)
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    assert hyloop.run(model, h)["x"] == 6
    assert prove(model).answer == "proved"
