"""The padded incidence matrix `Ã`: `K × K`, row 0 and column 0 zero, kept by its non-zero entries.

For directed machines the matrices of tails and of heads stand beside it: of the same size, each a part of its entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

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
    of_rows: ClassVar[tuple[IntArray, IntArray] | None] = None  # in compressed rows from 0, where all entries are 1

    def __post_init__(self) -> None:
        self._require_within()
        if np.any(np.diff(self.vertex * self.size + self.hyperedge) <= 0):
            raise ModelError("The entries of the incidence must be in order of rows, then columns, each once.")
        if any(each is not None and each.size != self.size for each in (self.tails, self.heads)):
            raise ModelError("The incidences of tails and of heads must have the size of the whole one.")

    def _require_within(self) -> None:
        for numbers in (self.vertex, self.hyperedge):
            if len(numbers) and not (numbers.min() >= 1 and numbers.max() < self.size):
                raise ModelError(f"The incidence has entries outside rows and columns 1 to {self.size - 1}.")

    @staticmethod
    def of_sorted(size: int, vertex: IntArray, hyperedge: IntArray, value: Matrix) -> PaddedIncidence:
        """The same, of entries that are known to be in order, each once: that is not looked at again."""
        found = PaddedIncidence._made({"size": size, "vertex": vertex, "hyperedge": hyperedge, "value": value})
        found._require_within()
        return found

    @staticmethod
    def of_ones(size: int, indptr: IntArray, indices: IntArray) -> PaddedIncidence:
        """`Ã` with entries 1, from a matrix in compressed rows, whose rows and columns are numbered from 0.

        Each row is in order. Entries are listed one by one when they are first asked for.
        """
        if len(indptr) > size or (len(indices) and int(indices.max()) >= size - 1):
            raise ModelError(f"The incidence has entries outside rows and columns 1 to {size - 1}.")
        return PaddedIncidence._made({"size": size, "of_rows": (indptr, indices)})

    @staticmethod
    def _made(parts: Mapping[str, object]) -> PaddedIncidence:
        found: PaddedIncidence = object.__new__(PaddedIncidence)
        found.__dict__.update(parts)
        return found

    def __getattr__(self, name: str) -> Any:
        if name not in ("vertex", "hyperedge", "value") or self.of_rows is None:
            raise AttributeError(f"an incidence has no {name!r}")
        indptr, indices = self.of_rows
        vertex = np.repeat(np.arange(1, len(indptr)), np.diff(indptr))
        self.__dict__.update(vertex=vertex, hyperedge=indices + 1, value=np.ones(len(indices)))
        return self.__dict__[name]

    @cached_property
    def ones(self) -> bool:
        """Whether all entries are 1, those of tails and heads too."""
        parts = [each for each in (self.tails, self.heads) if each is not None and each is not self]
        plain = self.of_rows is not None or bool((self.value == 1).all())
        return plain and all(each.ones for each in parts)

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
        elif len(self.value) > MANY and np.all(self.value == self.value[0]):  # as nearly always: sorting is far quicker
            hyperedge, vertex = np.divmod(np.sort(self.hyperedge * self.size + self.vertex), self.size)
            return PaddedIncidence.of_sorted(self.size, hyperedge, vertex, self.value)
        else:
            order = np.lexsort((self.vertex, self.hyperedge))
        value = self.value if self.ones else self.value[order]
        return PaddedIncidence.of_sorted(self.size, self.hyperedge[order], self.vertex[order], value)

    def rows(self, start: int, stop: int, dtype: str = "float64") -> npt.NDArray[np.floating]:
        """Rows `start ... stop - 1`, all their zeros included."""
        first, last = np.searchsorted(self.vertex, (start, stop))
        block = np.zeros((stop - start, self.size), dtype=dtype)
        block[self.vertex[first:last] - start, self.hyperedge[first:last]] = self.value[first:last]
        return block
