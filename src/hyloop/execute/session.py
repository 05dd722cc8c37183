"""A run in progress, on any backend: what the loop (`loop.py`) advances."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError

FloatArray = npt.NDArray[np.floating]


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
