"""A run in progress, on any backend: what the loop (`loop.py`) advances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError

FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Changes:
    """What may have changed of a state since it was last asked for.

    On some rows, the values of some columns; row 0 as a whole; and columns that have one number on all other rows.
    """

    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    values: FloatArray
    first: FloatArray
    shared: npt.NDArray[np.intp]
    numbers: FloatArray

    def touched(self, X: FloatArray) -> npt.NDArray[np.bool_]:
        """The columns that may differ from those of a state that was right when changes were last asked for."""
        found: npt.NDArray[np.bool_] = X[0] != self.first
        if len(self.rows):
            found[self.columns] = True
        found[self.shared[X[min(1, len(X) - 1), self.shared] != self.numbers]] = True
        return found

    def apply(self, X: FloatArray) -> None:
        """Bring a state up to date that was right when changes were last asked for."""
        X[np.ix_(self.rows, self.columns)] = self.values
        X[0] = self.first
        for column, number in zip(self.shared.tolist(), self.numbers.tolist(), strict=True):
            if len(X) > 1 and X[1, column] != number:
                X[1:, column] = number


class Session(Protocol):
    """One input, or a batch of them, being run. A backend is a function `start(model, X, incidence) -> Session`."""

    def advance(self, iterations: int) -> None:
        """Apply the layers that many times; an item whose halt flag is 1 stays as it is."""

    def state(self) -> FloatArray:
        """A copy of the state, of the shape that was given to `start`."""

    def iterations(self) -> npt.NDArray[np.int64]:
        """How many iterations each item has run (one entry for a single input)."""

    def halted(self) -> npt.NDArray[np.bool_]:
        """Whether each item has halted."""

    def memory(self) -> int:
        """How many bytes the session holds: the state, the incidence, and what it works with."""

    def close(self) -> None:
        """Release what the session holds."""


@runtime_checkable
class Telling(Protocol):
    """A session that can tell what has changed."""

    def changes(self) -> Changes | None:
        """What may have changed since the last call; None if all of it may: always for the first call, and a batch."""


class Mirror:
    """The state of a session, brought up to date each time it is asked for, by what has changed since.

    It is one array, changed in place: whoever keeps it needs a copy. `touched` says which columns may be others than
    when it was asked for before; None if all may.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._changes = session.changes if isinstance(session, Telling) else lambda: None  # asked once: it is slow
        self._state: FloatArray | None = None
        self.touched: npt.NDArray[np.bool_] | None = None

    def state(self) -> FloatArray:
        """The state as it is now."""
        changes = self._changes()
        if changes is None or self._state is None:
            self._state, self.touched = self._session.state(), None
        else:
            self.touched = changes.touched(self._state)
            changes.apply(self._state)
        return self._state


class IterationLimitError(HyloopError):
    """The loop did not halt within the limit. `state` and `iterations` are kept as they were then."""

    def __init__(
        self, limit: int, state: FloatArray, iterations: npt.NDArray[np.int64], running: int, program: str = ""
    ) -> None:
        which = "The model has" if len(iterations) == 1 else f"{running} of {len(iterations)} inputs have"
        declared = f"{program} did not stop within the {limit} iterations that it declares (`at_most`)."
        asked = f"{which} not halted after {limit} iterations; raise the limit. (The state is kept.)"
        super().__init__(declared if program else asked)
        self.limit = limit
        self.state = state
        self.iterations = iterations
        self.running = running
        self.program = program

    def __reduce__(self) -> tuple[type[IterationLimitError], tuple[object, ...]]:
        return IterationLimitError, (self.limit, self.state, self.iterations, self.running, self.program)
