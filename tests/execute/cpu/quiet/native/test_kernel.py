"""Native code computes what the kernel in numpy does."""

import numpy as np
import pytest

from effort import share
from execute.cpu.quiet.cases import beside
from execute.cpu.quiet.sweep import compiled, started
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute import cpu
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet.engine import QuietEngine
from hyloop.execute.prepare import encoded, given_to
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Capacity

pytest.importorskip("llvmlite")


@pytest.mark.parametrize("name", share(sorted(ALGORITHMS), "dfs", "matching"))
def test_every_iteration_is_the_same(name):
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    for seed in range(8):
        first = started(compiled(name), seed, size=17)
        if first is not None:
            assert beside(compiled(name), *first, NativeKernel) is not None


def test_trees_of_three_levels_are_kept_up(monkeypatch):
    from hyloop.execute.cpu.quiet.native import scans
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    monkeypatch.setattr(scans, "TOP", 1)
    model = compile_program(ALGORITHMS["dijkstra"].program, Capacity(150, 3))
    draw = np.random.default_rng(3)
    edges = [[int(v) for v in draw.choice(140, 3, replace=False)] for _ in range(140)]
    h = Hypergraph.from_hyperedges(edges, weights=draw.integers(1, 4, 140).tolist())
    given = {each.name: h.vertices[0] for each in model.parsed.inputs}
    first = encoded(model, given_to(model.parsed, h, given))
    assert beside(model, first.X, first.incidence, NativeKernel, iterations=150) is not None


def test_a_flag_that_is_seldom_1_stops_nothing(monkeypatch):
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    searches, stops, draw = 300, [], np.random.default_rng(1)
    model = compile_program(ALGORITHMS["all_pairs"].program, Capacity(searches, 9))
    edges = [[int(v) for v in draw.choice(searches, 3, replace=False)] for _ in range(searches)]
    h = Hypergraph.from_hyperedges(edges, weights=draw.integers(1, 10, searches).tolist())
    first = encoded(model, given_to(model.parsed, h, {}))
    stopped = QuietEngine._stopped
    monkeypatch.setattr(QuietEngine, "_stopped", lambda self, why: (stops[-1].append(why), stopped(self, why)))
    other = cpu.start(model, first.X, first.incidence, engine="native")
    other.advance(30_000)
    for _ in range(3):
        stops.append([])
        quiet = QuietEngine(plan_for(model, first.X), first.X, first.incidence, NativeKernel, patient=True)
        quiet.run(30_000)
        assert quiet.state().tobytes() == other.state().tobytes()
    assert any(each.any() for each in quiet.memory.narrow)
    assert len(stops[-1]) < 30_000 / searches
