"""Large programs: compiled within steps that do not blow up, and still exact."""

from __future__ import annotations

import random
from itertools import islice

import pytest

import hyloop
from compiler.large_programs import SHAPES, chain, doubling, heads, nest
from compiler.levels import CAPACITY, SAMPLES, hoisted
from compiler.random_programs import drawn, inputs_for, program_of
from hyloop import Capacity, HyloopError
from hyloop.compiler import compile as compiling
from hyloop.compiler import forms, schedule
from hyloop.compiler.bounds import bound
from hyloop.compiler.forms import Workshop
from hyloop.compiler.lower import lower
from hyloop.compiler.timing import Budget, Timing
from hyloop.compiler.verify import verify_schedule
from hyloop.lang import Flag, Outputs, algorithm, any
from hyloop.samples import DEGENERATE, hypergraphs

SMALL = Capacity(12, 300)


def some_hypergraphs(count, seed=1):
    """Random ones, past the degenerate."""
    found = (h for h in islice(hypergraphs(seed), len(DEGENERATE), None) if h.vertices and h.hyperedges)
    return list(islice(found, count))


def scheduled(program, limit):
    """The schedule of a program, and the steps that it took."""
    graph, budget = lower(program), Budget(0)
    return schedule.schedule(graph, bound(graph, SMALL), limit, budget), budget.spent


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_large_programs_do_what_the_interpreter_does(shape, limit):
    model = hyloop.compile(SHAPES[shape](45), SMALL, heads=limit)
    assert [layer for layer in model.layers if len(layer.heads) > limit] == []
    for h in some_hypergraphs(2):
        checked = hyloop.check(model, h)
        assert checked.agrees, checked.difference
        assert checked.iterations > 1


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_steps_beside_the_searches_grow_with_the_square_at_most(monkeypatch, shape, limit):
    """The searches have steps of their own, which do not grow."""
    monkeypatch.setattr(schedule, "SEARCH", 0)
    monkeypatch.setattr(schedule, "LOOK", 0)
    few, many = (scheduled(SHAPES[shape](operations), limit)[1] for operations in (40, 160))
    assert many <= 4**2 * few


def test_no_search_takes_more_than_its_steps(monkeypatch):
    monkeypatch.setattr(schedule, "SEARCH", 500)
    _, spent = scheduled(heads(60), 1)
    monkeypatch.setattr(schedule, "SEARCH", 10**9)
    _, endless = scheduled(heads(60), 1)
    assert spent < 2000 < endless


@pytest.mark.parametrize("name", ["dijkstra", "helly", "components"])
@pytest.mark.parametrize("limit", [1, 2])
def test_without_any_search_a_model_is_still_right(monkeypatch, name, limit):
    monkeypatch.setattr(schedule, "SEARCH", 0)
    monkeypatch.setattr(schedule, "LOOK", 0)
    monkeypatch.setattr(compiling, "HOISTING", 1)
    model = hyloop.compile(name, Capacity(12, 300), heads=limit)
    assert [layer for layer in model.layers if len(layer.heads) > limit] == []
    for h in some_hypergraphs(3):
        inputs = {"source": h.vertices[0]} if name == "dijkstra" else {}
        assert hyloop.check(model, h, **inputs).agrees


def test_more_layers_than_sixty():
    assert len(hyloop.compile(chain(70), Capacity(4, 1)).layers) == 71  # the first one marks the first vertex


def test_a_chain_that_is_a_tree_of_two_to_the_hundredth():
    for packing in ("packed", "one operation per layer"):
        hyloop.compile(doubling(100), Capacity(4, 1), schedule=packing)


def test_a_long_chain():
    hyloop.compile(SHAPES["long sum"](290), Capacity(4, 1), heads=1)


def test_one_head_a_layer_is_enough_for_every_program():
    """The search finds no way out of the crowded layers here; before, that was an error."""
    program = program_of(drawn(181, 30), infinite=False)
    core = lower(program)
    timing = Timing(core, Workshop(core, bound(core, SMALL)), Budget(schedule.SEARCH))
    assert schedule._searched(timing, 1) is None
    model = hyloop.compile(program, SMALL, heads=1)
    assert max(len(layer.heads) for layer in model.layers) == 1
    draw = random.Random(3)
    for h in some_hypergraphs(3):
        assert hyloop.check(model, h, **inputs_for(h, draw)).agrees


def test_helly_with_one_head_a_layer():
    assert len(hyloop.compile("helly", SMALL, heads=1).layers) == 11


@pytest.mark.parametrize("seed", range(101, 105))
def test_a_move_is_found_as_from_the_start(seed):
    graph = lower(program_of(drawn(seed, 30), infinite=False))
    bounds = bound(graph, SMALL)
    timing = Timing(graph, Workshop(graph, bounds), Budget(0))
    draw = random.Random(seed)
    first = timing.all_ready
    for _ in range(10):
        undo = timing.move({draw.choice(timing.heads): draw.randrange(1, 9)})
        again = Timing(graph, Workshop(graph, bounds), Budget(0))
        again.move(timing.earliest)
        assert timing.all_ready == again.all_ready
        if draw.random() < 0.5:
            timing.undo(undo)
    again = Timing(graph, Workshop(graph, bounds), Budget(0))
    assert again.all_ready == first
    assert timing.earliest


def test_too_many_operations_are_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(compiling, "MOST_OPERATIONS", 90)
    monkeypatch.setattr(compiling, "schedule", None)
    with pytest.raises(HyloopError, match=r"too large to compile: it has \d+ operations; .* 90 at most"):
        hyloop.compile(chain(100), SMALL)


def test_forms_that_grow_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(forms, "MOST_TERMS", 2000)
    hyloop.compile(nest(20), SMALL)
    with pytest.raises(HyloopError, match=r"too large to compile: the sums of its .* more than 2,000 terms"):
        hyloop.compile(nest(200), SMALL)


def test_the_least_for_any_schedule_of_many_states_that_all_depend_on_each_other():
    @algorithm
    def many(h):
        flags = [h.vertices.state(Flag, False) for _ in range(480)]
        with h.loop(at_most=h.vertices.count) as loop:
            values = list(flags)
            while len(values) > 1:
                pairs = zip(values[::2], values[1::2], strict=False)
                values = [one | ~other for one, other in pairs] + values[len(values) // 2 * 2 :]
            all_of_them = h.covered(h.touching(values[0]))
            for flag in flags:
                flag.assign(all_of_them & ~flag)
            loop.stop_when(any(all_of_them))
        return Outputs(**{f"output_{number}": flag for number, flag in enumerate(flags)})

    graph = lower(many.program)
    assert schedule.least_for_any_schedule(graph) == 2  # 0.3 s; it was 20 s


# -- what a schedule promises ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("name", SAMPLES)
def test_each_layer_makes_what_waits_after_it(name, limit):
    """From what waits before it and its heads bring, with three stages; and the last one what the states become."""
    core = hoisted(lower(SAMPLES[name]))
    bounds = bound(core, CAPACITY)
    plan = verify_schedule(core, schedule.schedule(core, bounds, limit))
    for layer in range(1, plan.layers + 1):
        there = forms.Forms(core, bounds, plan.waiting[layer - 1] | set(plan.in_layer(layer)))
        wanted = set(plan.waiting[layer])
        if layer == plan.layers:
            wanted |= {*core.body.updates.values(), core.halt}
        assert [number for number in wanted if not there.can(number)] == []
    assert not plan.waiting[plan.layers]


@pytest.mark.parametrize("name", SAMPLES)
def test_one_operation_a_layer(name):
    core = lower(SAMPLES[name])
    plan = verify_schedule(core, schedule.one_a_layer(core))
    assert len(set(plan.heads.values())) == len(plan.heads)
    assert plan.layers >= schedule.least_layers(core)
