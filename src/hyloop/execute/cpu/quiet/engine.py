"""A run in which only rows that are awake are computed; where that does not pay, or is not exact, the other engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.quiet.boxes import Boxes
from hyloop.execute.cpu.quiet.kernel import BOX, CEILING, INEXACT, LOOK
from hyloop.execute.cpu.quiet.limits import Largest, fit, rungs
from hyloop.execute.cpu.quiet.memory import COMPUTED, ITERATIONS, LAYER, QuietMemory
from hyloop.execute.cpu.quiet.wiring import wiring_of
from hyloop.execute.cpu.slow import InexactError
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import EXACT

FloatArray = npt.NDArray[np.floating]

WINDOW = 256  # iterations between two looks at whether sleeping pays
AWAKE = 8  # it does not if more than an 8-th of the rows are awake


class Kernel(Protocol):
    """Computes layers on a memory."""

    def run(self, limit: int) -> int:
        """Iterate until so many iterations have been run, the halt flag is 1, or something is to be looked at."""


class LeftError(Exception):
    """The rest of the run is for another engine: sums are too large to be exact, or too many rows are awake."""


class QuietEngine:
    """Runs one input. Raises `RefusedError` for a plan that cannot be run row by row."""

    def __init__(
        self,
        plan: Plan,
        X: FloatArray,
        incidence: PaddedIncidence,
        kernel: Callable[[QuietMemory], Kernel],
        *,
        patient: bool = False,
    ) -> None:
        self.plan = plan
        self.memory = QuietMemory(wiring_of(plan), X, incidence)
        self._boxes, self._rungs = Boxes(self.memory), rungs(plan)
        self._largest = Largest(self.memory)
        self._exact = EXACT[plan.dtype]
        self._patient = patient
        self._window = (0, 0)
        self._guard()
        self._kernel = kernel(self.memory)

    @property
    def iterations(self) -> int:
        """How many iterations have been run."""
        return int(self.memory.control[ITERATIONS])

    @property
    def layer(self) -> int:
        """The layer that is next: 0 between iterations."""
        return int(self.memory.control[LAYER])

    def bytes(self) -> int:
        """How much memory it holds."""
        return self.memory.bytes()

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        return self.memory.halted()

    def state(self) -> FloatArray:
        """A copy of the state between iterations."""
        return self.memory.state()

    def stopped_before(self, layer: int) -> FloatArray:
        """A copy of the state before the layer that could not be applied."""
        return self.memory.state(layer)

    def run(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1. Raises `LeftError`."""
        limit = self.iterations + iterations
        while self.layer or (self.iterations < limit and not self.halted()):
            self._stopped(self._kernel.run(min(limit, self._window[0] + WINDOW)))
            if self.layer == 0 and self.iterations >= self._window[0] + WINDOW:
                self._weigh()

    def _stopped(self, why: int) -> None:
        """Do what a kernel stopped for."""
        if why & INEXACT:
            raise InexactError(self.layer)
        if why & BOX:
            self._boxes.fit(self.layer)
            self._require_exact()
        if why & LOOK:
            self._boxes.look((self.layer - 1) % len(self.plan.layers))
        if why & CEILING:
            self._guard()

    def _guard(self) -> None:
        fit(self.memory, self._rungs)
        self._require_exact()

    def _require_exact(self) -> None:
        if self._largest.found() >= self._exact:
            raise LeftError

    def _weigh(self) -> None:
        """After some iterations: look at the boxes again, and leave if too many rows are awake."""
        iterations, computed = self._window
        now = int(self.memory.control[COMPUTED])
        self._window = (self.iterations, now)
        for layer in range(len(self.plan.layers)):
            self._boxes.look(layer)
        rows = (self.iterations - iterations) * self.memory.count * len(self.plan.layers)
        if (now - computed) * AWAKE > rows and not self._patient:
            raise LeftError
