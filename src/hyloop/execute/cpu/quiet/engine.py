"""A run in which only rows that are awake are computed; where that does not pay, or is not exact, the other engines."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.execute.columns import Columns
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.quiet.boxes import STILL, Boxes
from hyloop.execute.cpu.quiet.kernel import BOX, CEILING, INEXACT, LOOK
from hyloop.execute.cpu.quiet.limits import Largest, anew, begin, fit, remember, rungs
from hyloop.execute.cpu.quiet.memory import COMPUTED, ITERATIONS, LAYER, WHY, Fill, QuietMemory
from hyloop.execute.cpu.quiet.wiring import MARKS, Wiring, wiring_of
from hyloop.execute.cpu.slow import InexactError
from hyloop.execute.session import Changes
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import EXACT

FloatArray = npt.NDArray[np.floating]

FIRST = 32  # iterations of the beginning, whose full passes show nothing
WINDOW = 256  # iterations between two looks at whether sleeping pays
WIDEST = 16  # windows that are one while hardly any row is restless
GRACE = 0.02  # seconds after which it is looked at whether all rows would be faster
FULL = 300  # iterations with all rows that take as long as the full passes of the beginning, and more
AWAKE = 8  # it does not if more than an 8-th of the rows are awake


class Kernel(Protocol):
    """Computes layers on a memory."""

    def run(self, limit: int) -> None:
        """Iterate until so many iterations have been run, the halt flag is 1, or something is to be looked at.

        What is to be looked at stands in the control block then.
        """

    def changed(self) -> npt.NDArray[np.intp]:
        """The rows that have changed since the last call."""


class LeftError(Exception):
    """The rest of the run is for another engine: sums are too large to be exact, or too many rows are awake."""


class QuietEngine:
    """Runs one input. Raises `RefusedError` for a plan that cannot be run row by row."""

    def __init__(
        self,
        plan: Plan,
        X: FloatArray | Columns,
        incidence: PaddedIncidence,
        kernel: Callable[[QuietMemory], Kernel],
        *,
        patient: bool = False,
        pace: float = float("inf"),
        wiring: Wiring | None = None,
        fill: Fill | None = None,
    ) -> None:
        """`pace` is how many seconds an iteration takes with all rows. A `patient` run never leaves for being slow."""
        self.plan = plan
        self.memory = QuietMemory(wiring or wiring_of(plan), X, incidence, fill)
        self._boxes, self._rungs = Boxes(self.memory), rungs(plan)
        self._largest = Largest(self.memory)
        self._exact = EXACT["float64" if plan.dtype == "float64" else "float32"]
        self._patient, self._pace, self._taken = patient, pace, 0.0
        self._window, self._next = (0, 0, 0.0), FIRST
        self._told = False
        begin(self.memory, self._rungs)
        self._require_exact()
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

    def column(self, number: int, rows: int) -> FloatArray:
        """A copy of the first rows of a column of the state between iterations."""
        return self.memory.column(number, rows)

    def changes(self) -> Changes | None:
        """What may have changed since the last call; None for the first."""
        if not self._told:  # the second call tells of what has changed since the beginning
            self._told = True
            return None
        return self.memory.changes(self._kernel.changed())

    def stopped_before(self, layer: int) -> FloatArray:
        """A copy of the state before the layer that could not be applied."""
        return self.memory.state(layer)

    def run(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1. Raises `LeftError`."""
        limit = self.iterations + iterations
        try:
            self._advance(limit)
        except KeyboardInterrupt:
            self._advance(self.iterations)  # up to the end of an iteration
            raise

    def _advance(self, limit: int) -> None:
        control, begun = self.memory.control, thread_time()
        while True:
            iterations, layer, _, why = control.tolist()
            if why:
                self._stopped(why)
                control[WHY] = 0
            if layer == 0 and iterations >= self._next:
                self._weigh()
            if layer == 0 and (iterations >= limit or self.halted()):
                self._end()
                return
            self._kernel.run(min(limit, self._next))
            now = thread_time()  # asked for once a stretch: it takes as long as an iteration
            self._taken += now - begun
            begun = now
            if self._taken > GRACE and not self._patient and self.layer == 0 and self._is_slow():
                raise LeftError

    def _is_slow(self) -> bool:
        """Whether all rows would have been faster."""
        return self._taken > GRACE + (self.iterations + FULL) * self._pace

    def _end(self) -> None:
        if self.halted():
            self._boxes.remember()
            remember(self.memory)

    def _stopped(self, why: int) -> None:
        """Do what a kernel stopped for."""
        if why & INEXACT:
            raise InexactError(self.layer)
        if why & BOX:
            if self.memory.case not in (None, 0, 1):
                raise LeftError  # it was taken for a flag
            for part in self.memory.wiring.parts_of(self.layer):
                self._boxes.fit(part)
            self._require_exact()
            self._next = min(self._next, self.iterations + WINDOW)  # what was still may be restless now
        done = self.memory.wiring.parts_of((self.layer - 1) % len(self.plan.layers))
        if why & LOOK:
            for part in done:
                if self.memory.looked[part]:
                    self._boxes.look(part)
        if why & CEILING:
            self._guard([place for part in done for place in self._beyond(part)])

    def _beyond(self, part: int) -> list[int]:
        """The places of a part that are beyond floor or ceiling."""
        beyond, outputs = int(self.memory.beyond[part]), self.memory.wiring.parts[part].outputs
        chosen = [slot for at, (slot, _) in enumerate(outputs) if beyond >> min(at, MARKS) & 1]
        return [self.memory.fields.slots[slot] for slot in chosen]

    def _guard(self, places: list[int]) -> None:
        fit(self.memory, self._rungs, places)
        self._require_exact()

    def _require_exact(self) -> None:
        if self._largest.found() >= self._exact:
            anew(self.memory, self._rungs)  # ceilings of an earlier run may be too high for this one
            if self._largest.found() >= self._exact:
                raise LeftError
        self._taken -= self._largest.seconds()  # done once: it says nothing of how fast rows are

    def _weigh(self) -> None:
        """After some iterations: look at the boxes again, and leave if too many rows are awake."""
        iterations, computed, taken = self._window
        now = int(self.memory.control[COMPUTED])
        self._window = (self.iterations, now, self._taken)
        length, awake = self.iterations - iterations, self.memory.restless.tolist()
        still = max(awake, default=0) <= STILL
        self._next = self.iterations + (max(WINDOW, min(4 * length, WIDEST * WINDOW)) if still else WINDOW)
        for part, restless in enumerate(awake):
            self._boxes.relax(part, length)
            if not iterations:
                self._boxes.close_late(part)
            elif restless:
                self._boxes.look(part)
                self._boxes.settle(part)
        rows = (self.iterations - iterations) * self.memory.count * len(self.memory.wiring.parts)
        slower = iterations > 0 and self._taken - taken > length * self._pace
        if (slower or (now - computed) * AWAKE > rows) and not self._patient:
            raise LeftError
