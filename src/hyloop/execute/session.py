"""A run in progress, on any backend: what the loop (`loop.py`) advances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError, ModelError

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


class Item(Protocol):
    """One input of a batch, being run by itself."""

    @property
    def iterations(self) -> int:
        """How many iterations have been run."""

    def advance(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1."""

    def state(self) -> FloatArray:
        """A copy of the state."""

    def halted(self) -> bool:
        """Whether the halt flag is 1."""

    def memory(self) -> int:
        """How many bytes it holds."""


Each = TypeVar("Each", bound=Item)


class OneByOne(Generic[Each]):
    """A session of inputs that are run one after the other: one input (`single`), or a batch."""

    def __init__(self, items: Sequence[Each], *, single: bool) -> None:
        self._items, self._single = items, single

    def advance(self, iterations: int) -> None:
        """Apply the layers that many times to every item that has not halted."""
        if iterations < 0:
            raise ModelError(f"A session cannot advance by {iterations} iterations.")
        for item in self._items:
            item.advance(iterations)

    def state(self) -> FloatArray:
        """A copy of the state, of the shape that was given."""
        return self._items[0].state() if self._single else np.stack([item.state() for item in self._items])

    def iterations(self) -> npt.NDArray[np.int64]:
        """How many iterations each item has run."""
        return np.array([item.iterations for item in self._items], dtype=np.int64)

    def halted(self) -> npt.NDArray[np.bool_]:
        """Whether `X[0, halt] = 1`, for each item."""
        return np.array([item.halted() for item in self._items], dtype=np.bool_)

    def memory(self) -> int:
        """What the items hold: states, the incidence both ways, and what they work with."""
        return sum(item.memory() for item in self._items)

    def close(self) -> None:
        """Release the memory."""
        self._items = ()


@runtime_checkable
class Telling(Protocol):
    """A session that can tell what has changed."""

    def changes(self) -> Changes | None:
        """What may have changed since the last call; None if all of it may: always for the first call, and a batch."""


# A copy of so many rows of a column of a state, by its number.
Columnwise = Callable[[int, int], FloatArray]


class ByColumn(Protocol):
    """A session that can give one column."""

    def by_column(self) -> Columnwise | None:
        """How a copy of one column is got as it is now; None where that is no quicker than the state."""


def _nothing() -> None:
    """What a session says that cannot tell."""


class Mirror:
    """The state of a session, brought up to date each time it is asked for, by what has changed since.

    It is one array, changed in place: whoever keeps it needs a copy. `touched` says which columns may be others than
    when it was asked for before; None if all may. A session has one mirror: what it has told one, it tells no other.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        # As `Telling` and `ByColumn`; to ask whether it is an instance of these takes 10 µs.
        self._changes: Callable[[], Changes | None] = getattr(session, "changes", _nothing)
        self._by_column: Callable[[], Columnwise | None] = getattr(session, "by_column", _nothing)
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

    def by_column(self) -> Columnwise:
        """How a column is got as it is now: of the session, where that is quicker than the state."""
        one = self._by_column() if self._state is None else None
        if one is not None:
            return one
        X = self.state()
        return lambda number, rows: X[:rows, number]


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
