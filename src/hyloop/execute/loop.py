"""The loop around a session: advance until every input has halted, or the iteration limit is reached.

This is the only loop. `run`, `check`, `trace`, PyTorch and the paper's constructions all iterate over its pauses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from hyloop.errors import HyloopError, ModelError
from hyloop.execute.session import IterationLimitError, Session
from hyloop.standstill import Standstill

LOOKS = 256  # least number of iterations between two checks for a repeated state: each copies the state
COPIED = 200  # bytes that are copied in a fraction of the time of one iteration, however few rows it computes
GROWS = 256  # times as many iterations at a time as before, at most: a run of some milliseconds pauses three times
PAUSE = 0.1  # seconds between two pauses, where no stride is given


class Pause(NamedTuple):
    """Between two iterations: how many were run (by the inputs that still run), and whether all inputs have halted."""

    iteration: int
    halted: bool


def iterate(
    session: Session, limit: int, *, stride: int | None = 1, began: int = 0, program: str = "", circles: bool = False
) -> Iterator[Pause]:
    """Advance a session by at most `limit` iterations. Pauses before the first one, and then after every `stride`.

    Without a stride the pauses are about `PAUSE` seconds apart. `began` is how many iterations had been run before the
    session began (a resumed run). With `circles`, a run whose state repeats raises `NotStoppedError`. The last pause is
    the one at which all inputs have halted, or that of the limit: `require_halted` distinguishes them.
    """
    if limit < 0 or (stride is not None and stride < 1):
        raise HyloopError(f"The iteration limit must be at least 0; given {limit}.")
    pace = _Pace(stride)
    standstill = Standstill(program, max(LOOKS, session.memory() // COPIED)) if circles else None
    now = _pause(session, began)
    end = now.iteration + limit
    yield now
    while not now.halted and now.iteration < end:
        before = now.iteration
        pace.advance(session, end - before)
        now = _pause(session, began)
        if now.iteration == before and not now.halted:  # it would never end
            of = f" of {program}" if program else ""
            raise ModelError(f"The backend made no progress after iteration {before}{of}.")
        yield now
        if standstill is not None and not now.halted:
            standstill.look(now.iteration, lambda: (session.state(),))


def _pause(session: Session, began: int) -> Pause:
    # As lists: numpy's `max` and `all` take longer than a short run's iteration.
    return Pause(began + max(session.iterations().tolist()), all(session.halted().tolist()))


class _Pace:
    """How many iterations to run at a time: a fixed number, or as many as take about `PAUSE` seconds."""

    def __init__(self, stride: int | None) -> None:
        self._grows = stride is None
        self._chunk = stride or 1

    def advance(self, session: Session, most: int) -> None:
        started = time.perf_counter()
        session.advance(min(self._chunk, most))
        if self._grows:
            fitting = int(self._chunk * PAUSE / max(time.perf_counter() - started, 1e-9))
            self._chunk = max(1, min(GROWS * self._chunk, fitting))


def require_halted(session: Session, limit: int, program: str = "") -> None:
    """Raise `IterationLimitError` where inputs have not halted. `program` is the one that declares the limit."""
    running = session.halted().tolist().count(False)
    if running:
        raise IterationLimitError(limit, session.state(), session.iterations(), running, program)


def finish(session: Session, limit: int, progress: Callable[[int], None] | None = None, every: int = 64) -> None:
    """Advance until every input has halted. `progress` is called with their number after every `every` iterations."""
    for pause in islice(iterate(session, limit, stride=every), 1, None):
        if progress is not None:
            progress(pause.iteration)
    require_halted(session, limit)
