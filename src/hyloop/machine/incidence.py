"""The padded incidence matrix `Ã`: `K × K`, row 0 and column 0 zero, kept by its non-zero entries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PaddedIncidence:
    """`Ã` by its entries: vertex row, hyperedge column (both from 1), value; in order of rows, then columns."""

    size: int
    vertex: IntArray
    hyperedge: IntArray
    value: Matrix

    @cached_property
    def transposed(self) -> PaddedIncidence:
        """`Ãᵀ`."""
        order = np.lexsort((self.vertex, self.hyperedge))
        return PaddedIncidence(self.size, self.hyperedge[order], self.vertex[order], self.value[order])

    def rows(self, start: int, stop: int) -> Matrix:
        """Rows `start ... stop - 1`, all their zeros included."""
        first, last = np.searchsorted(self.vertex, (start, stop))
        block = np.zeros((stop - start, self.size))
        block[self.vertex[first:last] - start, self.hyperedge[first:last]] = self.value[first:last]
        return block
