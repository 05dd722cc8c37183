"""Heads without a fast form: any two-dimensional queries and keys, exactly."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.hull import hardmax
from hyloop.execute.cpu.sparse import Sparse
from hyloop.machine.layer import Head, HeadKind

FloatArray = npt.NDArray[np.floating]


class InexactError(ArithmeticError):
    """An average is not an integer: from here on results depend on the order of summation, which dense defines.

    The state is the one before `layer`.
    """

    def __init__(self, layer: int = 0) -> None:
        super().__init__("An average is not an integer.")
        self.layer = layer


def attend(head: Head, X: FloatArray, sparse: Mapping[HeadKind, Sparse]) -> FloatArray:
    """What a head adds to the columns that it writes, in their order."""
    written = sorted(head.writes)
    queries, keys, values = X @ head.query, X @ head.key, X @ head.value[:, written]
    seen = averaged(*_hardmax(queries, keys, values)).astype(X.dtype) + 0  # where nothing is added to it, -0 would stay
    if head.kind == "plain":
        return seen
    product = np.zeros_like(seen)
    for column in range(len(written)):
        product[1:, column] = sparse[head.kind].times(seen[1:, column])
    return product


def averaged(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Sum ÷ count, if that is an integer throughout."""
    found: FloatArray = sums / counts[:, np.newaxis]
    if not np.array_equal(found, np.rint(found)):
        raise InexactError
    return found


def pointed(doubled: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sums and counts for queries `(2c, -1)` on keys `(j, j²)`: the nearest row, counted twice, or the two nearest."""
    c = doubled.astype(np.float64) / 2
    low, high = (np.clip(side(c), 0, len(values) - 1).astype(np.intp) for side in (np.floor, np.ceil))
    return values[low] + values[high], np.full(len(doubled), 2, dtype=values.dtype)


def _hardmax(queries: FloatArray, keys: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    j = np.arange(len(keys), dtype=np.float64)
    if np.array_equal(keys[:, 0], j) and np.array_equal(keys[:, 1], j * j) and np.all(queries[:, 1] == -1):
        return pointed(queries[:, 0], values)
    return hardmax(queries.astype(np.int64), keys.astype(np.int64), values)
