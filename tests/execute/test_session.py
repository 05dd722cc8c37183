"""The state of a session, kept up by what changes."""

import numpy as np
import pytest

from execute.cpu.quiet.sweep import compiled, started
from hyloop.execute import cpu, dense
from hyloop.execute.columns import Columns
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet.engine import QuietEngine
from hyloop.execute.cpu.quiet.kernel import NumpyKernel
from hyloop.execute.session import Mirror, Telling


class Quiet:
    """A session of the quiet engine in numpy."""

    def __init__(self, model, X, incidence):
        self.engine = QuietEngine(plan_for(model, X), X, incidence, NumpyKernel, patient=True)
        self.state, self.changes = self.engine.state, self.engine.changes

    def advance(self, iterations):
        self.engine.run(iterations)

    def halted(self):
        return np.array([self.engine.halted()])


def mirrored(session, *, most=60):
    """Ask a mirror after every iteration, or every second one; how often it was."""
    mirror, times = Mirror(session), 0
    while not session.halted().all() and times < most:
        before = mirror.state().copy()
        assert before.tobytes() == session.state().tobytes()
        session.advance(1 + times % 2)
        times += 1
        differ = (mirror.state() != before).any(axis=0)
        assert mirror.touched is None or not (differ & ~mirror.touched).any()
    assert mirror.state().tobytes() == session.state().tobytes()
    return times


@pytest.mark.parametrize("name", ["dijkstra", "levels", "components", "core_numbers", "helly"])
def test_a_mirror_is_the_state(name):
    assert mirrored(Quiet(compiled(name), *started(compiled(name), 4))) > 1


def test_of_native_code():
    pytest.importorskip("llvmlite")
    session = cpu.start(compiled("dfs"), *started(compiled("dfs"), 4), engine="quiet")
    assert isinstance(session, Telling)
    assert session.changes() is None  # nothing was asked for before
    session.advance(2)
    told = session.changes()
    assert set(told.rows.tolist()) <= set(range(1, len(session.state())))
    assert mirrored(session)


def test_in_the_end_little_changes():
    session = Quiet(compiled("dfs"), *started(compiled("dfs"), 4))
    session.changes()
    session.advance(100)
    session.changes()
    assert len(session.changes().rows) == 0


def test_of_sessions_that_cannot_tell():
    session = dense.start(compiled("levels"), *started(compiled("levels"), 4))
    assert not isinstance(session, Telling)
    assert mirrored(session)


@pytest.mark.parametrize("engine", ["quiet", "native", "numpy", None])
def test_columns_of_a_session_are_those_of_its_state(engine):
    if engine in ("quiet", "native"):
        pytest.importorskip("llvmlite")
    session = cpu.start(compiled("dijkstra"), *started(compiled("dijkstra"), 4), engine=engine)
    assert (session.by_column() is not None) is (engine == "quiet")
    while not session.halted().all():
        session.advance(1)
        mirror, state = Mirror(session), session.state()
        for rows in (1, 2, len(state)):
            for number in range(state.shape[1]):
                assert mirror.by_column()(number, rows).tobytes() == state[:rows, number].tobytes()
        mirror.state()
        assert mirror.by_column()(1, 2).tobytes() == state[:2, 1].tobytes()


@pytest.mark.parametrize("engine", ["quiet", "native", "numpy"])
@pytest.mark.parametrize("name", ["dijkstra", "levels", "core_numbers"])
def test_a_run_from_columns_is_the_run_from_the_state(engine, name):
    if engine != "numpy":
        pytest.importorskip("llvmlite")
    X, incidence = started(compiled(name), 4)
    same = (X[1:] == X[1]).all(axis=0)
    first = Columns(len(X), X[:2].copy(), {n: X[:, n].copy() for n in np.flatnonzero(~same).tolist()})
    assert 0 < len(first.vectors) < X.shape[1]
    ours, theirs = (cpu.start(compiled(name), begin, incidence, engine=engine) for begin in (first, X))
    while not theirs.halted().all():
        assert ours.state().tobytes() == theirs.state().tobytes()
        ours.advance(1)
        theirs.advance(1)
    assert ours.state().tobytes() == theirs.state().tobytes()
    assert ours.halted().all()


def test_columns_that_are_no_integers_are_left_to_dense():
    X, incidence = started(compiled("levels"), 4)
    first = Columns(len(X), X[:2] + 0.0, {})
    first.numbers[1, -1] = 0.5
    assert isinstance(cpu.start(compiled("levels"), first, incidence), dense.DenseSession)
