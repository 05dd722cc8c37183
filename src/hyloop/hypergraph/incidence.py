"""Incidences as sparse matrices of 0 and 1, immutable once built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from hyloop.errors import HypergraphError

IntArray: TypeAlias = npt.NDArray[np.int64]
T = TypeVar("T", bound=np.generic)
_EACH = 12  # entries a row, on average, from which on it is faster to search for where rows begin than to count
_TWO_BYTES = 1 << 16


@dataclass(frozen=True, eq=False, slots=True)
class Incidence:
    """A 0/1 matrix in compressed rows: row i has its ones in the columns `indices[indptr[i]:indptr[i + 1]]`, sorted."""

    indptr: IntArray
    indices: IntArray

    def __post_init__(self) -> None:
        for name in ("indptr", "indices"):
            object.__setattr__(self, name, _read_only(getattr(self, name)))
        if len(self.indptr) == 0 or self.indptr[0] != 0 or self.indptr[-1] != len(self.indices):
            raise HypergraphError("indptr must begin with 0 and end with the number of indices.")
        if (np.diff(self.indptr) < 0).any():
            raise HypergraphError("indptr must not decrease.")
        if not self._sorted():
            raise HypergraphError("The indices of each row must increase, and no index may be negative.")

    def _sorted(self) -> bool:
        if len(self.indices) == 0:
            return True
        increases = np.diff(self.indices, prepend=-1) > 0
        begins = self.indptr[:-1][np.diff(self.indptr) > 0]
        increases[begins] = True
        return bool(increases.all() and self.indices.min() >= 0)

    @classmethod
    def from_pairs(cls, rows: npt.ArrayLike, columns: npt.ArrayLike, shape: tuple[int, int]) -> Incidence:
        """The matrix with a one at every (row, column); duplicates are merged."""
        of_rows, of_columns = _in_order(np.asarray(rows, np.int64), np.asarray(columns, np.int64), max(shape[1], 1))
        found = object.__new__(cls)  # in order, so that it need not be looked through
        for name, part in (("indptr", _begins(of_rows, shape[0])), ("indices", of_columns)):
            object.__setattr__(found, name, _read_only(part))
        return found

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.indptr) - 1

    def row(self, number: int) -> IntArray:
        """The columns of a row's ones."""
        return self.indices[self.indptr[number] : self.indptr[number + 1]]

    def row_numbers(self) -> IntArray:
        """The row of each nonzero entry, in the order of `indices`."""
        return np.repeat(np.arange(self.rows, dtype=np.int64), np.diff(self.indptr))

    def transposed(self, columns: int) -> Incidence:
        """The same matrix with rows and columns exchanged; `columns` is how many columns this one has."""
        return Incidence.from_pairs(self.indices, self.row_numbers(), (columns, self.rows))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Incidence):
            return NotImplemented
        return np.array_equal(self.indptr, other.indptr) and np.array_equal(self.indices, other.indices)

    __hash__ = None  # type: ignore[assignment]


def _in_order(rows: IntArray, columns: IntArray, width: int) -> tuple[IntArray, IntArray]:
    """Each (row, column) once, in order: often they are; short numbers are sorted by their digits."""
    cells = rows * width + columns
    if (cells[1:] > cells[:-1]).all() and _within(columns, width):
        return rows, columns
    if not _within(rows, _TWO_BYTES) or not _within(columns, min(width, _TWO_BYTES)):
        cells = np.sort(cells)
    else:
        order = np.argsort(columns.astype(np.uint16), kind="stable")
        cells = cells[order[np.argsort(rows.astype(np.uint16)[order], kind="stable")]]
    of_rows, of_columns = np.divmod(cells[np.diff(cells, prepend=-1) > 0], width)
    return of_rows, of_columns


def _begins(rows: IntArray, count: int) -> IntArray:
    """Where the entries of each row begin, and where the last ones end; rows are in order."""
    if len(rows) > _EACH * count and rows[0] >= 0 and rows[-1] < count:
        return np.searchsorted(rows, np.arange(count + 1))
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count))))


def _within(numbers: IntArray, end: int) -> bool:
    return bool(numbers.min(initial=0) >= 0 and numbers.max(initial=0) < end)


def _read_only(values: npt.ArrayLike) -> IntArray:
    given = np.asarray(values)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise HypergraphError("indptr and indices must be one-dimensional arrays of integers.")
    return unchanging(given.astype(np.int64, copy=False))


def unchanging(given: npt.NDArray[T]) -> npt.NDArray[T]:
    """A copy that nobody can change."""
    array = given.copy()
    array.flags.writeable = False
    return array.view()  # which cannot be made writable, as the array itself could
