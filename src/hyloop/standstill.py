"""Detects an infinite loop, long before the declared number of iterations is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from hyloop.errors import NotStoppedError

EARLY = 1_000  # iterations before the first comparison: a small bound is soon reached


class Standstill:
    """Cycle detection: the next state depends on the state alone, so a state that repeats repeats for ever.

    Whenever the number of looks has doubled, the state is kept; every later one is compared with it (Brent's
    algorithm). A cycle is found after at most about twice as many looks as it has states. A look may copy the state;
    `stride` is the least number of iterations between two looks.
    """

    def __init__(self, name: str, stride: int = 1) -> None:
        self.name, self.stride, self.looks, self.at, self.last = name, stride, 0, 0, 0
        self.kept: tuple[Any, ...] | None = None

    def look(self, done: int, state: Callable[[], Iterable[Any]]) -> None:
        """Raise if the state after `done` iterations equals the one that was kept."""
        if done < max(EARLY, self.last + self.stride):
            return
        self.looks, self.last = self.looks + 1, done
        now = tuple(state())
        if self.kept is not None and all(np.array_equal(old, new) for old, new in zip(self.kept, now, strict=True)):
            raise NotStoppedError(
                f"{self.name} never stops: after iteration {done:,} everything is as it was after {self.at:,}."
            )
        if self.looks & (self.looks - 1) == 0:
            self.kept, self.at = now, done
