"""Watches that do not wake the rows that their number passes: rows that sleep must not rely on them."""

from functools import cache

import numpy as np
import pytest

from effort import TIMES
from execute.cpu.quiet.cases import debugging
from execute.cpu.quiet.sweep import compiled, started
from hyloop import lang
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.native.library import unusable
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet import boxes, engine
from hyloop.execute.cpu.quiet.engine import QuietEngine
from hyloop.execute.cpu.quiet.kernel import NumpyKernel, SleepingRowError
from hyloop.execute.cpu.quiet.memory import COMPUTED
from hyloop.execute.prepare import encoded, given_to
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Flag, Outputs, algorithm
from hyloop.machine.model import Capacity


def kernels():
    if unusable() is not None:
        return [debugging]
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    return [debugging, NativeKernel]


@algorithm
def passed(h):
    """Which vertices a number has passed: nothing else says what becomes of a row."""
    unused, after = h.vertices.state(Flag, True), h.vertices.state(Flag, False)
    with h.loop(at_most=h.vertices.count + 1) as loop:
        x = lang.first(unused)
        loop.stop_when(x.is_none)
        unused[x] = False
        after.assign(h.vertices.number > x)
    return Outputs(after=after)


@cache
def model_of(name):
    return compiled(name) if name in ALGORITHMS else compile_program(passed.program, Capacity(20, 9))


def begun(program, count, kernel=NumpyKernel):
    """An algorithm on random triples."""
    model = compile_program(program, Capacity(2000, 1))
    draw = np.random.default_rng(1)
    edges = [draw.choice(count, 3, replace=False).tolist() for _ in range(count)]
    first = encoded(model, given_to(model.parsed, Hypergraph.from_hyperedges(edges), {}))
    return QuietEngine(plan_for(model, first.X), first.X, first.incidence, kernel, patient=True)


def turned(quiet, draw):
    """Make some watches loose, and others not."""
    memory = quiet.memory
    for number, part in enumerate(memory.wiring.parts):
        for watch in part.passing.values():
            loose = int(draw.integers(2))
            memory.whole[number] |= loose > memory.loose[number][watch]
            memory.loose[number][watch] = loose


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("name", ["triangles", "passed"])
def test_states_are_the_same_whatever_is_loose(name, kernel):
    model, turns = model_of(name), 0
    for seed in range(3 * TIMES):
        first, draw = started(model, seed, size=15), np.random.default_rng(seed)
        if first is None:
            continue
        plan = plan_for(model, first[0])
        quiet, other = QuietEngine(plan, *first, kernel, patient=True), NumpyEngine(model, plan, *first)
        while not other.halted() and quiet.iterations < 60:
            turned(quiet, draw)
            quiet.run(1)
            other.run(1)
            assert quiet.state().tobytes() == other.state().tobytes()
            turns += any(each.any() for each in quiet.memory.loose)
    assert turns > 5


def test_a_row_that_relied_on_being_woken_is_found_out():
    quiet = begun(passed.program, 60, debugging)
    quiet.run(20)
    for each in quiet.memory.loose:
        each[:] = 1  # and no full pass
    with pytest.raises(SleepingRowError):
        quiet.run(20)


def test_a_watch_that_wakes_many_is_loose(monkeypatch):
    monkeypatch.setattr(boxes, "FEW", 8)
    monkeypatch.setattr(engine, "WINDOW", 40)
    quiet = begun(ALGORITHMS["triangles"].program, 600)
    quiet.run(200)
    assert any(each.any() for each in quiet.memory.loose)
    before = int(quiet.memory.control[COMPUTED])
    quiet.run(100)
    computed = int(quiet.memory.control[COMPUTED]) - before
    assert not quiet.halted()
    for each in quiet.memory.loose:
        each[:] = 0
    monkeypatch.setattr(engine, "WINDOW", 10**6)
    quiet.run(100)
    assert 2 * computed < int(quiet.memory.control[COMPUTED]) - before - computed


def test_it_is_tight_again_where_more_rows_cannot_sleep():
    quiet = begun(ALGORITHMS["triangles"].program, 150)
    quiet.run(20)
    part = next(at for at, each in enumerate(quiet.memory.wiring.parts) if each.passing)
    quiet.memory.loose[part][list(quiet.memory.wiring.parts[part].passing.values())] = 1
    quiet.memory.restless[part] = 100
    quiet._boxes.relax(part, 10)
    assert not quiet.memory.loose[part].any()
    quiet.memory.passed[part][:] = 1000
    quiet._boxes.relax(part, 10)
    assert not quiet.memory.loose[part].any()  # not at once
