"""A run that begins with all rows, and goes on with those that are awake once it has taken long enough to be worth it.

What it costs to begin with sleeping rows is paid after about as much has been paid for the run, and if few rows change
then: so no run takes much longer than it would have, and a long one pays for what changes. Where too many rows are
awake, it goes back. Seconds are of the processor, so that other work on the machine decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import thread_time
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.execute.columns import Columns, whole
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.memory import padded_rows
from hyloop.execute.cpu.native.engine import NativeEngine
from hyloop.execute.cpu.native.library import UnusableError
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.quiet.engine import AWAKE, LeftError, QuietEngine
from hyloop.execute.cpu.quiet.wiring import RefusedError, wiring_of
from hyloop.execute.session import Changes, Columnwise
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]

# Seconds that it takes, about, to begin where runs have been before, to begin (once in a process), and to compile (a
# part of that, since it is done once).
AGAIN, BEGINS, COMPILES = 0.002, 0.06, 0.5
LONG = 256  # iterations with sleeping rows after which another run begins with them
ROWS = 512  # with fewer, a full pass takes no longer than what a few rows need, and all of it hardly a millisecond
MANY = 768  # with fewer, runs do not begin with sleeping rows, which costs about a millisecond
SETTLED = 24  # iterations after which it shows how many rows change: a search that widens has reached most rows
SAMPLE = 1024  # rows that are looked at for that


class Engine(Protocol):
    """Runs one input: `engines.Engine` without what only other engines need."""

    @property
    def iterations(self) -> int: ...  # noqa: D102

    def bytes(self) -> int: ...  # noqa: D102

    def halted(self) -> bool: ...  # noqa: D102

    def state(self) -> FloatArray: ...  # noqa: D102

    def stopped_before(self, layer: int) -> FloatArray: ...  # noqa: D102

    def run(self, iterations: int) -> None: ...  # noqa: D102


@dataclass
class Experience:
    """What the runs of a plan have shown in this process."""

    ran: int = 0  # iterations of the last run to the end
    paid: float = 0.0  # seconds that runs have taken with all rows
    left: int = 0  # runs in which all rows were faster
    pays: bool = False  # whether rows slept to the end of a run


@lru_cache(maxsize=64)
def experience_of(_plan: Plan) -> Experience:
    """What is known of a plan. It takes no wiring: most runs are too short to make one."""
    return Experience()


class Relay:
    """Runs one input by one engine after the other. With `at_once`, it begins with sleeping rows."""

    def __init__(
        self, model: Model, plan: Plan, X: FloatArray | Columns, incidence: PaddedIncidence, *, at_once: bool = False
    ) -> None:
        self._model, self._plan, self._incidence = model, plan, incidence
        self._known = experience_of(plan)
        self._done, self._paid = 0, 0.0  # by engines before; by this one
        self._patient = at_once
        self._engine: Engine
        self._compress(X)
        self._look = 0.0  # seconds after which it is looked how many rows change
        quiet = self._quiet(X) if at_once or (len(X) > MANY and self._known.pays) else None
        self._engine = quiet or NativeEngine(model, plan, whole(X), incidence)
        self._may_sleep = quiet is None and not at_once

    def _compress(self, X: FloatArray | Columns) -> None:
        """Make the incidence both ways now: native code takes a quarter of the time that numpy does."""
        from hyloop.execute.cpu.quiet.native.beginning import compress  # needs llvmlite

        compress(self._incidence, X.dtype.name, padded_rows(len(X) - 1, X.dtype.itemsize))

    def _pace(self) -> float:
        """Seconds an iteration, with all rows; infinite if it is not known."""
        done = self._engine.iterations if self._paid else 0
        return self._paid / done if done else float("inf")

    def _worth_it(self) -> bool:
        """Whether the run (with others of this process, if code has to be compiled) has taken long enough to sleep."""
        known, done = self._known, self._engine.iterations
        if self._paid < self._look or done < SETTLED or known.left > 1:  # it was tried, and did not pay
            return False
        # Seconds that are left if this run is as long as the last one; or else, as long again as it has taken.
        left = (known.ran - done) * self._pace() if done < known.ran else self._paid
        return left >= AGAIN and self._can_begin()

    def _can_begin(self) -> bool:
        """Whether what it takes to begin is known in this process, or worth it."""
        if self._known.paid < BEGINS:
            return False
        try:
            wiring = wiring_of(self._plan)
        except RefusedError:
            self._may_sleep = False
            return False
        from hyloop.execute.cpu.quiet.native.kernel import is_kept  # needs llvmlite

        return bool(wiring.largest) or is_kept(wiring) or self._known.paid > COMPILES

    def _few_change(self) -> bool:
        """Run one iteration, and look whether it changes few rows; if not, look again later."""
        engine = self._engine
        assert isinstance(engine, NativeEngine)
        memory = engine.memory
        rows = slice(0, memory.rows, max(1, memory.rows // SAMPLE))
        before = memory.body[:, rows].copy()
        engine.run(1)
        changed = np.any(before != memory.body[:, rows], axis=0)
        entries = sum(len(each.target) for each in memory.sparse.values())
        woken = np.count_nonzero(changed) * (1 + entries / memory.rows)  # each wakes those that receive from it
        few = bool(woken * AWAKE <= len(changed))
        self._look = 0.0 if few else 2 * self._paid
        return few

    def _quiet(self, X: FloatArray | Columns) -> QuietEngine | None:
        from hyloop.execute.cpu.quiet.native.beginning import fill
        from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

        given = (self._plan, X, self._incidence, NativeKernel)
        try:
            return QuietEngine(*given, patient=self._patient, pace=self._pace(), fill=fill)
        except (RefusedError, LeftError, UnusableError):
            return None

    @property
    def is_quiet(self) -> bool:
        """Whether rows may sleep now."""
        return isinstance(self._engine, QuietEngine)

    @property
    def all_rows(self) -> NativeEngine | None:
        """The engine that computes all rows, while it is the one that runs."""
        return self._engine if isinstance(self._engine, NativeEngine) else None

    @property
    def iterations(self) -> int:
        """How many iterations have been run."""
        return self._done + self._engine.iterations

    def bytes(self) -> int:
        """How much memory it holds."""
        return self._engine.bytes()

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        return self._engine.halted()

    def state(self) -> FloatArray:
        """A copy of the state between iterations."""
        return self._engine.state()

    def by_column(self) -> Columnwise | None:
        """How a copy of one column is got, where that is quicker than the state."""
        return self._engine.column if isinstance(self._engine, QuietEngine) else None

    def changes(self) -> Changes | None:
        """What may have changed since the last call; None if all of it may."""
        return self._engine.changes() if isinstance(self._engine, QuietEngine) else None

    def stopped_before(self, layer: int) -> FloatArray:
        """A copy of the state before the layer that could not be applied."""
        return self._engine.stopped_before(layer)

    def run(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1."""
        done = self.iterations
        limit = done + iterations
        while done < limit and not self.halted():
            if self._may_sleep and self._pays_now():
                if self._few_change():
                    self._sleep()
                done = self.iterations
                continue
            begun, left = thread_time() if self._may_sleep else 0.0, limit - done
            try:
                self._engine.run(min(left, SETTLED) if self._may_sleep and not self._paid else left)
            except LeftError:
                self._leave()
            if self._may_sleep:
                self._pay(thread_time() - begun)
            done = self.iterations
        if self.halted():
            self._end()

    def _end(self) -> None:
        """Remember what other runs of this plan may expect."""
        self._known.ran = self.iterations
        self._known.pays |= self.is_quiet and self._engine.iterations > LONG

    def _pay(self, seconds: float) -> None:
        self._paid += seconds
        self._known.paid += seconds

    def _pays_now(self) -> bool:
        return self._paid > 0 and self._worth_it()

    def _sleep(self) -> None:
        self._may_sleep = False
        quiet = None if self.halted() else self._quiet(self._engine.state())
        if quiet is not None:
            self._done, self._engine = self.iterations, quiet

    def _leave(self) -> None:
        """Finish the iteration in numpy, and go on with all rows."""
        quiet = self._engine
        assert isinstance(quiet, QuietEngine)
        self._known.pays = False
        self._known.left += 1
        self._done, layer = self.iterations, quiet.layer
        last = NumpyEngine(self._model, self._plan, quiet.stopped_before(layer), self._incidence)
        self._engine = last
        if layer:
            last.finish(layer)
        self._done += last.iterations
        self._engine = NativeEngine(self._model, self._plan, last.state(), self._incidence)
