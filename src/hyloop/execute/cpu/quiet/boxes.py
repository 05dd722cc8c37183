"""The boxes of numbers: bounds within which rows were shown not to depend on them.

Boxes decide how fast a run is, never what it computes. A box is wide, up to a threshold of the gates that its number
meets; or, if too many rows could not sleep then, it is the number itself: the layer is a full pass whenever that changes.
"""

from __future__ import annotations

import numpy as np

from hyloop.execute.cpu.quiet.kernel import outputs, restless
from hyloop.execute.cpu.quiet.limits import rung, wiring_rungs
from hyloop.execute.cpu.quiet.memory import ITERATIONS, MARK, QuietMemory

MANY = 8  # more than an 8-th of the rows restless: some box is too wide
OFTEN, FADES = 4, 0.75  # so often a narrow number may change, lately
SAMPLE = 512  # restless rows that are asked which


class Boxes:
    """The boxes of all layers. A number is wide or narrow."""

    def __init__(self, memory: QuietMemory) -> None:
        self.memory = memory
        self._rungs = wiring_rungs(memory.wiring)
        self.narrow: list[set[int]] = [set() for _ in memory.wiring.layers]
        self._left: dict[tuple[int, int], tuple[int, float]] = {}  # when a narrow number changed, and how often lately
        self._opened: dict[tuple[int, int], int] = {}
        self._wide_until: dict[tuple[int, int], int] = {}

    def fit(self, layer: int) -> None:
        """Widen the boxes that a number of a layer has left. All rows of the layer are to be computed then."""
        memory = self.memory
        for at, value in enumerate(memory.scalars[layer].tolist()):
            low, high = int(memory.low[layer][at]), int(memory.high[layer][at])
            if not low <= value <= high:
                self._open_again(layer, at)
                memory.low[layer][at], memory.high[layer][at] = self._box(layer, at, value, (low, high))
        memory.whole[layer] = 1

    def _open_again(self, layer: int, at: int) -> None:
        """A narrow number that changes again and again is wide, for longer each time."""
        if at not in self.narrow[layer]:
            return
        now, key = int(self.memory.control[ITERATIONS]), (layer, at)
        when, often = self._left.get(key, (now, 0.0))
        often = often * FADES ** (now - when) + 1
        if often > OFTEN:
            self.narrow[layer].remove(at)
            self._opened[key] = self._opened.get(key, 0) + 1
            self._wide_until[key] = now + (OFTEN << 2 * self._opened[key])
            often = 0.0
        self._left[key] = now, often

    def _box(self, layer: int, at: int, value: int, old: tuple[int, int]) -> tuple[int, int]:
        if at in self.narrow[layer]:
            return value, value
        steps = self._rungs[layer][at]
        least, most = (min(old[0], value), max(old[1], value)) if old[0] <= old[1] else (value, value)
        low = min(1, least) if least >= 0 else -rung(steps, -least)
        return low, rung(steps, max(most, 1))

    def look(self, layer: int) -> None:
        """If many rows cannot sleep, make the boxes narrow that keep them awake."""
        memory = self.memory
        if memory.restless[layer] * MANY <= memory.count:
            return
        rows = np.flatnonzero(memory.rows[:, MARK] & (1 << layer))
        rows = rows[:: max(1, len(rows) // SAMPLE)]
        closed = False
        while self._awake(layer, rows) * MANY > len(rows):
            open_ = [at for at in range(len(memory.low[layer])) if self._may_close(layer, at)]
            if not open_:
                break
            self._close(layer, min(open_, key=lambda at: self._without(layer, at, rows)))
            closed = True
        if closed:
            memory.whole[layer] = 1  # shown anew in the next iteration

    def _may_close(self, layer: int, at: int) -> bool:
        now, until = int(self.memory.control[ITERATIONS]), self._wide_until.get((layer, at), 0)
        return bool(self.memory.low[layer][at] < self.memory.high[layer][at]) and now >= until

    def _awake(self, layer: int, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> int:
        found = outputs(self.memory, self.memory.wiring.layers[layer], rows)
        return int(restless(found, len(rows)).sum())

    def _without(self, layer: int, at: int, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> int:
        low, high = self.memory.low[layer], self.memory.high[layer]
        kept = low[at], high[at]
        low[at] = high[at] = self.memory.scalars[layer][at]
        found = self._awake(layer, rows)
        low[at], high[at] = kept
        return found

    def _close(self, layer: int, at: int) -> None:
        self.narrow[layer].add(at)
        value = self.memory.scalars[layer][at]
        self.memory.low[layer][at] = self.memory.high[layer][at] = value
