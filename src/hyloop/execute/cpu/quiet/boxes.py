"""The boxes of numbers: bounds within which rows were shown not to depend on them.

Boxes decide how fast a run is, never what it computes. A box is the number itself until it changes; then it is wide, up
to a threshold of the gates that the number meets. If too many rows cannot sleep then, it is the number itself again:
the part of the layer is a full pass whenever that changes. A box may become narrower at any time: rows that sleep were
shown not to depend on the number within the wider one, and all others are awake. Where a narrow number changes seldom,
native code moves its box and computes all rows without being stopped. Runs of one plan begin with the boxes
with which one before has ended, so that they need not be found out again; those of numbers that stood still later are
wide at first.
"""

from __future__ import annotations

import numpy as np

from hyloop.execute.cpu.quiet.kernel import outputs, restless
from hyloop.execute.cpu.quiet.limits import rung, wiring_rungs
from hyloop.execute.cpu.quiet.memory import ITERATIONS, MARK, QuietMemory

MANY = 8  # more than an 8-th of the rows restless: some box is too wide
OFTEN, FADES = 3, 0.75  # so often a narrow number may change, lately; one that always does comes near 4
FEW = 32  # restless rows that do not matter
SELDOM, BURST = 16, 3  # a narrow number changes seldom: once in so many iterations, and so often in a row
STILL = 4  # restless rows that are hardly any
ALONE = 8  # rows of a full pass that take as long as one that is awake alone
ASKED = 4096  # rows that are computed in the time of asking which number keeps rows awake
SAMPLE = 512  # restless rows that are asked which


class Boxes:
    """The boxes of all parts of layers. A number is wide or narrow."""

    def __init__(self, memory: QuietMemory) -> None:
        self.memory = memory
        self._rungs = wiring_rungs(memory.wiring)
        self.narrow: list[set[int]] = [set() for _ in memory.wiring.parts]
        self._left: dict[tuple[int, int], tuple[int, float]] = {}  # when a narrow number changed, and how often lately
        self._seen: dict[int, tuple[list[int], list[int]]] = {}  # numbers, and when they were seen to have changed
        self._settled: dict[int, int] = {}  # when numbers may be made narrow again
        self._opened: set[tuple[int, int]] = set()
        self._wide_until: dict[tuple[int, int], int] = {}
        self._late = set(memory.wiring.late)  # numbers that are narrow, but only after some iterations
        for part, at in memory.wiring.narrow - memory.wiring.late:
            self._narrow(part, at)
        self._passed: dict[tuple[int, int], float] = {}  # rows an iteration that loose watches had woken before
        self._tight_until: dict[tuple[int, int], int] = {}  # when a watch may be loose again
        for part, watch in memory.wiring.loose:
            memory.loose[part][watch] = 1
        self._expect()

    def _expect(self) -> None:
        """Begin with the boxes of an earlier run: a number that is within its own need not be looked at."""
        for (part, at), (low, high) in self.memory.wiring.expected.items():
            if at not in self.narrow[part]:
                self.memory.low[part][at], self.memory.high[part][at] = low, high

    def _narrow(self, part: int, at: int) -> None:
        self.narrow[part].add(at)
        self.memory.narrow[part][at] = (part, at) not in self._late

    def _widen(self, part: int, at: int) -> None:
        self.narrow[part].remove(at)
        self.memory.narrow[part][at] = 0

    def remember(self) -> None:
        """Keep for other runs of this plan which numbers were wide, and how wide, and which narrow."""
        wiring = self.memory.wiring
        wiring.narrow = {(part, at) for part, each in enumerate(self.narrow) for at in each}
        wiring.late = self._late & wiring.narrow
        still = {}
        loose = enumerate(self.memory.loose)
        wiring.loose = {(part, watch) for part, each in loose for watch in np.flatnonzero(each).tolist()}
        for part in range(len(wiring.parts)):
            ends = zip(self.memory.low[part].tolist(), self.memory.high[part].tolist(), strict=True)
            for at, (low, high) in enumerate(ends):
                if low < high:
                    self._remember_wide(part, at, low, high)
                else:
                    still[part, at] = low, high
        wiring.expected = still | wiring.wide  # a new one: other threads may look at that of before

    def _remember_wide(self, part: int, at: int, low: int, high: int) -> None:
        wide = self.memory.wiring.wide
        least, most = wide.get((part, at), (0, 0))
        wide[part, at] = min(least, low), max(most, high)

    def fit(self, part: int) -> None:
        """Widen the boxes that a number of a part has left. All rows of the part are to be computed then."""
        memory = self.memory
        numbers = (each[part].tolist() for each in (memory.scalars, memory.low, memory.high))
        first = not memory.control[ITERATIONS]
        for at, (value, low, high) in enumerate(zip(*numbers, strict=True)):
            if not low <= value <= high:
                memory.whole[part] = 1
                self._open_again(part, at)
                # A box that was only expected says nothing of how this run's number moves.
                old = (1, 0) if first else (low, high)
                memory.low[part][at], memory.high[part][at] = self._box(part, at, value, old)

    def _open_again(self, part: int, at: int) -> None:
        """A narrow number that changes again and again is wide, once in a run.

        What another run has found on other rows need not hold here. If too many rows cannot sleep, it is narrow again.
        """
        if at not in self.narrow[part]:
            return
        now, key = int(self.memory.control[ITERATIONS]), (part, at)
        if key in self._late:  # it did not stand still
            self._late.discard(key)
            self.memory.wiring.moving.add(key)
            self._widen(part, at)
            self._wide_until[key] = 2 * now
            return
        when, often = self._left.get(key, (now, 0.0))
        often = often * FADES ** (now - when) + 1
        if often > OFTEN and key not in self._opened:
            self._widen(part, at)
            self._opened.add(key)
        self._left[key] = now, often

    def _box(self, part: int, at: int, value: int, old: tuple[int, int]) -> tuple[int, int]:
        if at in self.narrow[part]:
            return value, value
        if old[0] > old[1]:  # it may never change, unless it did in an earlier run
            low, high = self.memory.wiring.wide.get((part, at), (value, value))
            return min(low, value), max(high, value)
        steps, least, most = self._rungs[part][at], min(old[0], value), max(old[1], value)
        low = min(1, least) if least >= 0 else -rung(steps, -least)
        return low, rung(steps, max(most, 1))

    def look(self, part: int) -> None:
        """If many rows cannot sleep, make the boxes narrow that keep them awake."""
        memory = self.memory
        if memory.restless[part] < FEW or memory.restless[part] * MANY <= memory.count:
            return
        if memory.loose[part].any():
            self._tighten(part)  # rows may be restless for that
            return
        rows = np.flatnonzero(memory.rows[:, MARK] & (1 << part))
        rows = rows[:: max(1, len(rows) // SAMPLE)]
        while self._awake(part, rows) * MANY > len(rows):
            open_ = [at for at in range(len(memory.low[part])) if self._may_close(part, at)]
            if not open_:
                break
            self._close(part, min(open_, key=lambda at: self._without(part, at, rows)))

    def relax(self, part: int, iterations: int) -> None:
        """From time to time: a watch that has woken many rows is loose if fewer could not sleep without it.

        Steps that other columns guard need no watch; and a number that jumps, as that of an inner loop, passes many.
        """
        memory = self.memory
        for watch in set(memory.wiring.parts[part].passing.values()):
            key, passed = (part, watch), int(memory.passed[part][watch]) / max(iterations, 1)
            memory.passed[part][watch] = 0
            if memory.loose[part][watch]:
                if memory.restless[part] > max(self._passed.get(key, 0.0), FEW):
                    self._tighten(part)
            elif passed > FEW and memory.control[ITERATIONS] >= self._tight_until.get(key, 0):
                self._loosen(part, watch, passed)

    def _loosen(self, part: int, watch: int, passed: float) -> None:
        memory = self.memory
        rows = np.arange(0, memory.count, max(1, memory.count // ASKED))
        memory.loose[part][watch] = 1
        if 2 * self._awake(part, rows) * memory.count < passed * len(rows):
            memory.whole[part] = 1  # rows that sleep may rely on being woken
            self._passed[part, watch] = passed
        else:
            memory.loose[part][watch] = 0

    def _tighten(self, part: int) -> None:
        """Wake whom numbers pass again. Rows that sleep do not rely on it: none has to be computed."""
        for watch in np.flatnonzero(self.memory.loose[part]).tolist():
            self.memory.loose[part][watch] = 0
            self._tight_until[part, watch] = 2 * int(self.memory.control[ITERATIONS])

    def settle(self, part: int) -> None:
        """From time to time, if some rows are restless: numbers that have not changed lately are narrow, if that lets
        most of these rows sleep."""
        memory, iteration = self.memory, int(self.memory.control[ITERATIONS])
        restless = int(memory.restless[part])
        moving = memory.wiring.moving if restless <= FEW else set()
        chosen = [at for at in range(len(memory.low[part])) if (part, at) not in moving and self._may_close(part, at)]
        if not chosen:
            return
        now = memory.scalars[part].tolist()
        seen, before = self._seen.get(part, (now, [iteration] * len(now)))
        since = [iteration if new != old else at for new, old, at in zip(now, seen, before, strict=True)]
        self._seen[part] = now, since
        if iteration < self._settled.get(part, 0):
            return
        # All rows are computed when it changes: until then, restless rows must have taken as long.
        worth = max(memory.count // ALONE, ASKED)
        still = [at for at in chosen if restless * (iteration - since[at]) > worth]
        if not still:
            return
        self._settled[part] = 2 * iteration  # all rows are looked through: seldom enough not to matter
        rows = np.flatnonzero(memory.rows[:, MARK] & (1 << part))
        rows = rows[:: max(1, len(rows) // SAMPLE)]
        kept = memory.low[part].copy(), memory.high[part].copy()
        memory.low[part][still] = memory.high[part][still] = [now[at] for at in still]
        awake = self._awake(part, rows)
        for at in list(still):
            memory.low[part][at], memory.high[part][at] = kept[0][at], kept[1][at]
            if 2 * awake > len(rows) or self._awake(part, rows) == awake:
                still.remove(at)  # it may as well be wide
                memory.wiring.moving.add((part, at))
            else:
                memory.low[part][at] = memory.high[part][at] = now[at]
        self._late.update((part, at) for at in still)
        memory.low[part][:], memory.high[part][:] = kept
        self.close_late(part)

    def close_late(self, part: int) -> None:
        """Make the numbers narrow that stood still in an earlier run."""
        for at in [at for of, at in self._late if of == part and at not in self.narrow[part]]:
            if self._may_close(part, at):
                self._close(part, at)

    def _may_close(self, part: int, at: int) -> bool:
        split = self.memory.wiring.split
        if self.memory.low[part][at] >= self.memory.high[part][at] or (split and (split.part, 0) == (part, at)):
            return False
        return bool(self.memory.control[ITERATIONS] >= self._wide_until.get((part, at), 0))

    def _awake(self, part: int, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> int:
        found = outputs(self.memory, part, rows)
        return int(restless(found, len(rows)).sum())

    def _without(self, part: int, at: int, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> int:
        low, high = self.memory.low[part], self.memory.high[part]
        kept = low[at], high[at]
        low[at] = high[at] = self.memory.scalars[part][at]
        found = self._awake(part, rows)
        low[at], high[at] = kept
        return found

    def _close(self, part: int, at: int) -> None:
        self._remember_wide(part, at, int(self.memory.low[part][at]), int(self.memory.high[part][at]))
        self._narrow(part, at)
        value = self.memory.scalars[part][at]
        self.memory.low[part][at] = self.memory.high[part][at] = value
