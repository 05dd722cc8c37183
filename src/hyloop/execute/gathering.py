"""What a run streams, as columns: after every iteration the rows where an array is anything but absent.

An engine that can do so gathers them itself, many iterations at a time. Otherwise they are read from the state, an
iteration at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from hyloop.execute.session import Mirror, Session

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Wanted:
    """What to gather of the state: column `of` on row 0, and where that is not 0, the rows 1 to `rows` of `column`."""

    of: int
    column: int
    rows: int
    absent: float


@dataclass(frozen=True, eq=False)
class Gathered:
    """Some iterations: what each is about (the number on row 0), where its entries end, their places and values.

    Places count from 0: place 0 is row 1.
    """

    about: FloatArray
    ends: IntArray
    places: IntArray
    values: FloatArray


@runtime_checkable
class Gatherer(Protocol):
    """A session that can gather while it runs."""

    def gather(self, wanted: Sequence[Wanted], most: int) -> list[Gathered]:
        """Advance by at most that many iterations, and give what was wanted of each; none if it cannot go on so."""


class Gathering:
    """A session that gathers whenever it is advanced. `mirror` has its state: there is one for a session."""

    def __init__(self, session: Session, wanted: Sequence[Wanted]) -> None:
        self.session, self.wanted = session, wanted
        self._gather = session.gather if isinstance(session, Gatherer) else _nothing
        self.mirror = Mirror(session)
        self._found: list[list[Gathered]] = []

    def advance(self, iterations: int) -> None:
        """Advance, by what the session gathers itself, and else an iteration at a time."""
        session, end = self.session, self._done() + iterations
        while (done := self._done()) < end and not bool(session.halted()[0]):
            found = self._gather(self.wanted, end - done)
            if self._done() == done:  # it cannot, or not any longer
                session.advance(1)
                X = self.mirror.state()
                found = [_read(X, each) for each in self.wanted]
            self._found.append(found)

    def _done(self) -> int:
        return int(self.session.iterations()[0])

    def taken(self) -> list[list[Gathered]]:
        """What was gathered since it was last taken: for each stretch of iterations, an entry a stream."""
        found, self._found = self._found, []
        return found

    def state(self) -> FloatArray:
        """A copy of the state."""
        return self.session.state()

    def iterations(self) -> npt.NDArray[np.int64]:
        """How many iterations have been run."""
        return self.session.iterations()

    def halted(self) -> npt.NDArray[np.bool_]:
        """Whether the run has halted."""
        return self.session.halted()

    def memory(self) -> int:
        """How many bytes the session holds."""
        return self.session.memory()

    def close(self) -> None:
        """Release what the session holds."""
        self.session.close()


def _nothing(wanted: Sequence[Wanted], most: int) -> list[Gathered]:
    del wanted, most
    return []


def _read(X: FloatArray, wanted: Wanted) -> Gathered:
    about = X[0, wanted.of]
    rows = X[1 : 1 + wanted.rows, wanted.column]
    places = (rows != wanted.absent).nonzero()[0] if about else np.zeros(0, np.int64)
    entries = 1 if about else 0
    return Gathered(np.full(entries, about), np.full(entries, len(places), np.int64), places, rows[places])
