"""Two ways to write the number of a row so that one inner product finds it: a parabola and the paper's circle.

Both give row `j` a pair of numbers, and queries and keys whose product is largest exactly at `j = i`:

* parabola, `(j, j²)`: the score is `2ij - j²`, an integer, with a margin of at least 1: exact and stable;
* circle, `(sin jδ, cos jδ)` (the paper's positional encoding): the score is `cos (i-j)δ`. Rounding breaks its ties, so
  an executor needs a tie tolerance for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.errors import CapacityError

# What feeds the two key dimensions: (column, dimension) -> coefficient.
Feeds = Mapping[tuple[str, int], float]
# The code of `c + 1` from the code of `c`: one row per part, coefficients of (first, second, 1).
PositionStep = tuple[tuple[float, float, float], tuple[float, float, float]]


class PositionCode(Protocol):
    """What a head needs to know of a position code."""

    @property
    def name(self) -> str:
        """The name that the command line uses."""

    @property
    def tie_tolerance(self) -> float:
        """How far below the best score a row still ties with it."""

    @property
    def step(self) -> PositionStep:
        """How to add one to a number."""

    def table(self, last: int) -> npt.NDArray[np.float64]:
        """The codes of 0, 1, ..., `last`, one row each."""

    def code(self, number: int) -> tuple[float, float]:
        """The code of one number."""

    def query(self, first: str, second: str, bias: Iterable[str]) -> Feeds:
        """The query of a row that holds a code in two columns; `bias` are columns that are 1 on that row."""

    def key(self, first: str, second: str) -> Feeds:
        """The key of a row that holds a code in two columns."""

    def origin(self, bias: str) -> Feeds:
        """The weights that give a row with 1 in column `bias`, and nothing else, the code of 0, in query and key."""

    def largest(self, last: int) -> float:
        """The largest absolute value in the codes of 0 ... `last`."""

    def number(self, first: float, second: float) -> int:
        """The number whose code this is (on the circle: whose code is nearest)."""


@dataclass(frozen=True)
class Parabola:
    """Row `j` is `(j, j²)`. Needs no tolerance: every score is an exact integer."""

    name = "parabola"
    tie_tolerance = 0.0
    step: PositionStep = ((1.0, 0.0, 1.0), (2.0, 1.0, 1.0))

    def table(self, last: int) -> npt.NDArray[np.float64]:
        """`(j, j²)` for `j = 0 ... last`."""
        found = np.empty((2, last + 1))  # columns contiguous: they are read one by one
        found[0] = np.arange(last + 1)
        np.multiply(found[0], found[0], out=found[1])
        return found.T

    def code(self, number: int) -> tuple[float, float]:
        """`(j, j²)`, without a table: a file may name any number."""
        return float(number), float(number * number)

    def query(self, first: str, second: str, bias: Iterable[str]) -> Feeds:
        """`(2i, -1)`."""
        del second
        return {(first, 0): 2.0} | {(column, 1): -1.0 for column in bias}

    def key(self, first: str, second: str) -> Feeds:
        """`(j, j²)`."""
        return {(first, 0): 1.0, (second, 1): 1.0}

    def origin(self, bias: str) -> Feeds:
        """Nothing to add: the code of 0 is `(0, 0)`."""
        del bias
        return {}

    def largest(self, last: int) -> float:
        """`last²`."""
        return float(last * last)

    def number(self, first: float, second: float) -> int:
        """The first part."""
        del second
        return int(first)


@dataclass(frozen=True)
class Circle:
    """Row `j` is `(sin jδ, cos jδ)` with `δ = 2π/(rows + 1)`, by the paper's recursion from `(0, 1)`."""

    rows: int
    dtype: str = "float64"
    tie_tolerance: float = 1e-9
    name = "circle"

    @cached_property
    def rotation(self) -> tuple[np.floating, np.floating]:
        """`(sin δ̂, cos δ̂)` in the machine's own precision."""
        kind = np.dtype(self.dtype).type
        delta = kind(2 * math.pi / (self.rows + 1))
        return np.sin(delta), np.cos(delta)

    @property
    def step(self) -> PositionStep:
        """The rotation by δ̂."""
        sine, cosine = (float(part) for part in self.rotation)
        return ((cosine, sine, 0.0), (-sine, cosine, 0.0))

    def table(self, last: int) -> npt.NDArray[np.float64]:
        """The codes of 0 ... `last` by the recursion, rounded after each operation as the paper's pointers are."""
        if last > self.rows:
            raise CapacityError(f"This circle has {self.rows:,} positions besides the first; {last:,} were asked for.")
        return self._codes[: last + 1]

    def code(self, number: int) -> tuple[float, float]:
        """The last of the codes up to this one."""
        first, second = self.table(number)[number]
        return float(first), float(second)

    @cached_property
    def _codes(self) -> npt.NDArray[np.float64]:
        return rotations(self.rows, *self.rotation).astype(np.float64)

    def query(self, first: str, second: str, bias: Iterable[str]) -> Feeds:
        """The code itself."""
        del bias
        return self.key(first, second)

    def key(self, first: str, second: str) -> Feeds:
        """The code itself."""
        return {(first, 0): 1.0, (second, 1): 1.0}

    def origin(self, bias: str) -> Feeds:
        """The code of 0 is `(0, 1)`."""
        return {(bias, 1): 1.0}

    def largest(self, last: int) -> float:
        """1, up to rounding: the paper's circle has radius 1."""
        del last
        return 1.0

    def number(self, first: float, second: float) -> int:
        """The number of the nearest code."""
        return int(np.argmax(self._codes @ np.array([first, second])))


def rotations(last: int, sine: np.floating, cosine: np.floating) -> npt.NDArray[np.floating]:
    """`p_0 = (0, 1)` and `p_j = Rᵀ p_{j-1}` up to `j = last`, in the precision of the two numbers given."""
    codes = np.zeros((last + 1, 2), dtype=sine.dtype)
    codes[0, 1] = 1
    for j in range(1, last + 1):
        s, c = codes[j - 1]
        codes[j] = cosine * s + sine * c, cosine * c - sine * s
    return codes
