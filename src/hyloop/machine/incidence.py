"""The padded incidence matrix `Ã`: `K × K`, row 0 and column 0 zero, kept by its non-zero entries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError

IntArray = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PaddedIncidence:
    """`Ã` by its entries: vertex row, hyperedge column (both from 1), value; in order of rows, then columns."""

    size: int
    vertex: IntArray
    hyperedge: IntArray
    value: Matrix

    def __post_init__(self) -> None:
        for numbers in (self.vertex, self.hyperedge):
            if len(numbers) and not (numbers.min() >= 1 and numbers.max() < self.size):
                raise ModelError(f"The incidence has entries outside rows and columns 1 to {self.size - 1}.")
        if np.any(np.diff(self.vertex * self.size + self.hyperedge) <= 0):
            raise ModelError("The entries of the incidence must be in order of rows, then columns, each once.")

    @cached_property
    def transposed(self) -> PaddedIncidence:
        """`Ãᵀ`."""
        order = np.lexsort((self.vertex, self.hyperedge))
        return PaddedIncidence(self.size, self.hyperedge[order], self.vertex[order], self.value[order])

    def rows(self, start: int, stop: int, dtype: str = "float64") -> npt.NDArray[np.floating]:
        """Rows `start ... stop - 1`, all their zeros included."""
        first, last = np.searchsorted(self.vertex, (start, stop))
        block = np.zeros((stop - start, self.size), dtype=dtype)
        block[self.vertex[first:last] - start, self.hyperedge[first:last]] = self.value[first:last]
        return block
