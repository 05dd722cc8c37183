"""From all rows to those that are awake, and back."""

import pytest

pytest.importorskip("llvmlite")
from execute.cpu.quiet.sweep import compiled
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet import engine
from hyloop.execute.cpu.quiet.relay import Relay
from hyloop.execute.cpu.quiet.wiring import wiring_of
from hyloop.execute.prepare import encoded, given_to
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Capacity


@pytest.fixture
def both():
    model, path = compiled("dfs"), Hypergraph.from_hyperedges([[i, i + 1] for i in range(18)])
    first = encoded(model, given_to(model.parsed, path, {"source": 0}))
    plan = plan_for(model, first.X)
    return model, plan, first.X, first.incidence, NumpyEngine(model, plan, first.X, first.incidence)


def same(ours, other):
    assert ours.iterations == other.iterations
    assert ours.state().tobytes() == other.state().tobytes()


def test_a_run_that_takes_long_goes_on_with_sleeping_rows(both, monkeypatch):
    *given, other = both
    monkeypatch.setattr(Relay, "_worth_it", lambda _: True)
    monkeypatch.setattr(Relay, "_few_change", lambda _: True)
    monkeypatch.setattr(engine, "GRACE", float("inf"))  # however slow it is, on so few rows
    ours = Relay(*given)
    assert not ours.is_quiet
    while not other.halted():
        other.run(1)
        ours.run(1)
        same(ours, other)
    assert ours.is_quiet
    assert ours.halted()


def test_a_short_run_does_not(both, monkeypatch):
    *given, other = both
    monkeypatch.setattr(Relay, "_worth_it", lambda _: False)
    ours = Relay(*given)
    ours.run(1000)
    other.run(1000)
    same(ours, other)
    assert not ours.is_quiet


def test_it_goes_back_in_the_middle_of_an_iteration(both, monkeypatch):
    *given, other = both
    layers = []
    for iterations in range(1, 4):
        wiring_of(given[1]).guards = None  # a run that knows no other comes by its ceilings on its way
        ours = Relay(*given, at_once=True)
        ours.run(iterations)
        monkeypatch.setattr(ours._engine, "_exact", 0)  # sums are too large from now on, as soon as it is looked at
        quiet = ours._engine
        ours.run(10)  # so that each run is longer than the one before
        layers.append(quiet.layer)
        assert not ours.is_quiet
        other.run(ours.iterations - other.iterations)
        same(ours, other)
    assert any(layers)


def test_it_goes_back_where_all_rows_are_faster(both, monkeypatch):
    *given, other = both
    monkeypatch.setattr(Relay, "_worth_it", lambda _: True)
    monkeypatch.setattr(Relay, "_few_change", lambda _: True)
    monkeypatch.setattr(engine, "GRACE", float("-inf"))
    ours = Relay(*given)
    for _ in range(12):
        ours.run(1)
        other.run(1)
        same(ours, other)
    assert not ours.is_quiet


def begun(name, hyperedges, *, iterations):
    """A run of a model of 300 rows, after some iterations that were worth a look."""
    model = compile_program(ALGORITHMS[name].program, Capacity(400, 1))
    given = {each.name: hyperedges[0][0] for each in ALGORITHMS[name].program.inputs}
    first = encoded(model, given_to(model.parsed, Hypergraph.from_hyperedges(hyperedges), given))
    plan = plan_for(model, first.X)
    ours = Relay(model, plan, first.X, first.incidence)
    other = NumpyEngine(model, plan, first.X, first.incidence)
    for _ in range(iterations):
        ours.run(1)
        other.run(1)
        same(ours, other)
    return ours


def test_rows_sleep_if_few_of_them_change(monkeypatch):
    monkeypatch.setattr(Relay, "_worth_it", lambda relay: relay.iterations > 0)
    monkeypatch.setattr(engine, "GRACE", float("inf"))
    assert begun("levels", [[i, i + 1] for i in range(300)], iterations=6).is_quiet
    assert not begun("levels", [[0, i + 1] for i in range(300)], iterations=2).is_quiet  # it reaches all at once
