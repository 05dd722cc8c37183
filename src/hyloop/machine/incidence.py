"""The padded incidence matrix `Ã`: `K × K`, row 0 and column 0 zero, kept by its non-zero entries.

For directed machines the matrices of tails and of heads stand beside it: of the same size, each a part of its entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.machine.layer import HeadKind

IntArray = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float64]
MANY = 10_000  # entries that are sorted as numbers of cells
SHORT = 1 << 16  # numbers below it take two bytes
TRANSPOSED: frozenset[HeadKind] = frozenset({"transposed", "tails_transposed", "heads_transposed"})


@dataclass(frozen=True, eq=False)
class PaddedIncidence:
    """`Ã` by its entries: vertex row, hyperedge column (both from 1), value; in order of rows, then columns."""

    size: int
    vertex: IntArray
    hyperedge: IntArray
    value: Matrix
    tails: PaddedIncidence | None = None
    heads: PaddedIncidence | None = None

    def __post_init__(self) -> None:
        for numbers in (self.vertex, self.hyperedge):
            if len(numbers) and not (numbers.min() >= 1 and numbers.max() < self.size):
                raise ModelError(f"The incidence has entries outside rows and columns 1 to {self.size - 1}.")
        if np.any(np.diff(self.vertex * self.size + self.hyperedge) <= 0):
            raise ModelError("The entries of the incidence must be in order of rows, then columns, each once.")
        if any(each is not None and each.size != self.size for each in (self.tails, self.heads)):
            raise ModelError("The incidences of tails and of heads must have the size of the whole one.")

    @property
    def directed(self) -> bool:
        """Whether the incidences of tails and of heads are there."""
        return self.tails is not None and self.heads is not None

    @property
    def kinds(self) -> tuple[HeadKind, ...]:
        """The kinds of heads that there is a matrix for."""
        both: tuple[HeadKind, ...] = ("incidence", "transposed")
        return (*both, "tails", "tails_transposed", "heads", "heads_transposed") if self.directed else both

    def of_kind(self, kind: HeadKind) -> PaddedIncidence:
        """The matrix that a kind of heads multiplies by."""
        whole = {
            "incidence": self,
            "transposed": self,
            "tails": self.tails,
            "tails_transposed": self.tails,
            "heads": self.heads,
            "heads_transposed": self.heads,
        }[kind]
        if whole is None:
            raise ModelError(f"A head multiplies by {kind}, and this incidence does not tell tails from heads.")
        return whole.transposed if kind in TRANSPOSED else whole

    @cached_property
    def transposed(self) -> PaddedIncidence:
        """`Ãᵀ`."""
        if self.size <= SHORT:  # entries are in order of vertices already, and short numbers are sorted by their digits
            order = np.argsort(self.hyperedge.astype(np.uint16), kind="stable")
            return PaddedIncidence(self.size, self.hyperedge[order], self.vertex[order], self.value[order])
        if len(self.value) > MANY and np.all(self.value == self.value[0]):  # as nearly always: sorting is far quicker
            hyperedge, vertex = np.divmod(np.sort(self.hyperedge * self.size + self.vertex), self.size)
            return PaddedIncidence(self.size, hyperedge, vertex, self.value)
        order = np.lexsort((self.vertex, self.hyperedge))
        return PaddedIncidence(self.size, self.hyperedge[order], self.vertex[order], self.value[order])

    def rows(self, start: int, stop: int, dtype: str = "float64") -> npt.NDArray[np.floating]:
        """Rows `start ... stop - 1`, all their zeros included."""
        first, last = np.searchsorted(self.vertex, (start, stop))
        block = np.zeros((stop - start, self.size), dtype=dtype)
        block[self.vertex[first:last] - start, self.hyperedge[first:last]] = self.value[first:last]
        return block
