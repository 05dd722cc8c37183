"""Notices a run that can never end, long before the iterations that its program declares are over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from hyloop.errors import HyloopError

FIRST = 32  # looks before the first one that counts
EARLY = 1_000  # iterations for which nobody need worry: a small bound is soon reached


class Standstill:
    """A state that came before, with nothing but itself to follow from, comes again and again.

    Looking costs a copy of the state, so it is done seldom: whenever the number of looks has doubled, the state is kept
    and compared with the next one. A run that goes round in a larger circle is not noticed.
    """

    def __init__(self, name: str) -> None:
        self.name, self.looks, self.at = name, 0, 0
        self.kept: Iterable[Any] | None = None

    def look(self, done: int, state: Callable[[], Iterable[Any]]) -> None:
        """Raise where the state, after so many iterations, is the one that was kept."""
        if done < EARLY:
            return
        self.looks += 1
        if self.kept is not None:
            if all(np.array_equal(old, new) for old, new in zip(self.kept, state(), strict=True)):
                raise HyloopError(
                    f"{self.name} never stops: after iteration {done:,} everything is as it was after {self.at:,}."
                )
            self.kept = None
        if self.looks >= FIRST and self.looks & (self.looks - 1) == 0:
            self.kept, self.at = state(), done
