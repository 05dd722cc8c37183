"""The state of a session, kept up by what changes."""

import numpy as np
import pytest

from execute.cpu.quiet.sweep import compiled, started
from hyloop.execute import cpu, dense
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
