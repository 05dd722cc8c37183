"""Running the quiet engine beside dense, after every iteration, with every sleeping row computed and compared."""

import numpy as np
import pytest

from hyloop.execute import dense
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet import boxes, engine
from hyloop.execute.cpu.quiet.engine import LeftError, QuietEngine
from hyloop.execute.cpu.quiet.kernel import NumpyKernel
from hyloop.execute.cpu.quiet.wiring import RefusedError
from hyloop.execute.cpu.slow import InexactError


def debugging(memory):
    """The kernel in numpy that recomputes every sleeping row."""
    return NumpyKernel(memory, debug=True)


def beside(model, X, incidence, kernel=debugging, *, iterations=60, reference="numpy"):
    """Run until the end; the engine, or None where the plan is refused or sums are too large."""
    plan = plan_for(model, X)
    try:
        quiet = QuietEngine(plan, X, incidence, kernel, patient=True)
    except (RefusedError, LeftError):
        return None
    other = NumpyEngine(model, plan, X, incidence) if reference == "numpy" else dense.start(model, X, incidence)
    for iteration in range(1, iterations + 1):
        if _halted(other):
            break
        try:
            _advance(other)
        except InexactError as inexact:
            _stops_at_the_same(quiet, other, inexact)
            return quiet
        try:
            quiet.run(1)
        except LeftError:
            return quiet
        assert quiet.iterations == iteration
        assert quiet.halted() == _halted(other)
        assert quiet.state().tobytes() == other.state().tobytes(), f"iteration {iteration}"
    return quiet


def narrows_often(monkeypatch):
    """Boxes are looked at every few iterations, and become narrow where that lets a single row sleep."""
    for name, value in (("FIRST", 3), ("WINDOW", 4), ("WIDEST", 1)):
        monkeypatch.setattr(engine, name, value)
    for name, value in (("ASKED", 0), ("ALONE", 10**9)):
        monkeypatch.setattr(boxes, name, value)


def _stops_at_the_same(quiet, other, inexact):
    with pytest.raises((InexactError, LeftError)) as ours:
        quiet.run(1)
    if ours.type is InexactError:
        assert ours.value.layer == inexact.layer
        assert np.array_equal(quiet.stopped_before(inexact.layer), other.stopped_before(inexact.layer))


def _halted(other):
    return bool(np.all(other.halted()))


def _advance(other):
    other.run(1) if isinstance(other, NumpyEngine) else other.advance(1)
