"""Notices a run that can never end, long before the iterations that its program declares are over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from hyloop.errors import NotStoppedError

EARLY = 1_000  # iterations for which nobody need worry: a small bound is soon reached


class Standstill:
    """A state that came before, with nothing but itself to follow from, comes again and again.

    Whenever the number of looks has doubled, the state is kept; every later one is compared with it (Brent's way of
    finding a cycle). So a circle is noticed as soon as there have been twice as many looks as it has states. Where
    looking costs a copy of the state, `stride` is how many iterations lie between two looks, at least.
    """

    def __init__(self, name: str, stride: int = 1) -> None:
        self.name, self.stride, self.looks, self.at, self.last = name, stride, 0, 0, 0
        self.kept: tuple[Any, ...] | None = None

    def look(self, done: int, state: Callable[[], Iterable[Any]]) -> None:
        """Raise where the state, after so many iterations, is the one that was kept."""
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
