"""A run that begins with all rows, and goes on with those that are awake once it has taken long enough to be worth it.

What it costs to begin with sleeping rows is paid after about as much has been paid for the run: so no run takes much
longer than it would have, and a long one pays for what changes. Where too many rows are awake, it goes back.
"""

from __future__ import annotations

from time import perf_counter
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.native.engine import NativeEngine
from hyloop.execute.cpu.native.library import UnusableError
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.quiet.engine import LeftError, QuietEngine
from hyloop.execute.cpu.quiet.wiring import RefusedError, wiring_of
from hyloop.execute.session import Changes
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]

# Seconds that it takes, about, to begin where runs have been before, to begin, and to compile (a part of that, since it
# is done once).
AGAIN, BEGINS, COMPILES = 0.003, 0.03, 0.25
LONG = 256  # iterations with sleeping rows after which another run begins with them
ROWS = 256  # with fewer, a full pass takes no longer than what a few rows need


class Engine(Protocol):
    """Runs one input: `engines.Engine` without what only other engines need."""

    @property
    def iterations(self) -> int: ...  # noqa: D102

    def bytes(self) -> int: ...  # noqa: D102

    def halted(self) -> bool: ...  # noqa: D102

    def state(self) -> FloatArray: ...  # noqa: D102

    def stopped_before(self, layer: int) -> FloatArray: ...  # noqa: D102

    def run(self, iterations: int) -> None: ...  # noqa: D102


class Relay:
    """Runs one input by one engine after the other. With `at_once`, it begins with sleeping rows."""

    def __init__(
        self, model: Model, plan: Plan, X: FloatArray, incidence: PaddedIncidence, *, at_once: bool = False
    ) -> None:
        self._model, self._plan, self._incidence = model, plan, incidence
        self._done, self._paid = 0, 0.0  # by engines before; by this one
        self._patient = at_once
        self._engine: Engine
        quiet = self._quiet(X) if at_once or self._paid_before() else None
        self._engine = quiet or NativeEngine(model, plan, X, incidence)
        self._may_sleep = quiet is None and not at_once

    def _pace(self) -> float:
        """Seconds an iteration, with all rows; infinite if it is not known."""
        done = self._engine.iterations if self._paid else 0
        return self._paid / done if done else float("inf")

    def _paid_before(self) -> bool:
        """Whether rows slept to the end in an earlier run of this plan."""
        try:
            return wiring_of(self._plan).pays
        except RefusedError:
            return False

    def _worth_it(self) -> bool:
        """Whether the run (with others of this process, if code has to be compiled) has taken long enough to sleep."""
        from hyloop.execute.cpu.quiet.native.kernel import is_kept  # needs llvmlite

        if self._paid < AGAIN:
            return False
        wiring = wiring_of(self._plan)
        if wiring.left > 1:  # it was tried, and did not pay
            return False
        if wiring.largest:
            return True
        return (self._paid > BEGINS and is_kept(wiring)) or wiring.paid > COMPILES

    def _quiet(self, X: FloatArray) -> QuietEngine | None:
        from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

        try:
            return QuietEngine(self._plan, X, self._incidence, NativeKernel, patient=self._patient, pace=self._pace())
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

    def changes(self) -> Changes | None:
        """What may have changed since the last call; None if all of it may."""
        return self._engine.changes() if isinstance(self._engine, QuietEngine) else None

    def stopped_before(self, layer: int) -> FloatArray:
        """A copy of the state before the layer that could not be applied."""
        return self._engine.stopped_before(layer)

    def run(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1."""
        limit = self.iterations + iterations
        while self.iterations < limit and not self.halted():
            begun, left = perf_counter(), limit - self.iterations
            try:
                self._engine.run(left)
            except LeftError:
                self._leave()
            if self._may_sleep:
                self._pay(perf_counter() - begun)
        if self.is_quiet and self.halted() and self._engine.iterations > LONG:
            wiring_of(self._plan).pays = True

    def _pay(self, seconds: float) -> None:
        self._paid += seconds
        try:
            wiring_of(self._plan).paid += seconds
        except RefusedError:
            self._may_sleep = False
        if self._may_sleep and self._worth_it():
            self._sleep()

    def _sleep(self) -> None:
        self._may_sleep = False
        quiet = None if self.halted() else self._quiet(self._engine.state())
        if quiet is not None:
            self._done, self._engine = self.iterations, quiet

    def _leave(self) -> None:
        """Finish the iteration in numpy, and go on with all rows."""
        quiet = self._engine
        assert isinstance(quiet, QuietEngine)
        wiring_of(self._plan).pays = False
        wiring_of(self._plan).left += 1
        self._done, layer = self.iterations, quiet.layer
        last = NumpyEngine(self._model, self._plan, quiet.stopped_before(layer), self._incidence)
        self._engine = last
        if layer:
            last.finish(layer)
        self._done += last.iterations
        self._engine = NativeEngine(self._model, self._plan, last.state(), self._incidence)
