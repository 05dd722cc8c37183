"""Heads without a fast form: any two-dimensional queries and keys, exactly."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.hull import hardmax
from hyloop.execute.cpu.sparse import Sparse
from hyloop.machine.layer import Head, HeadKind

FloatArray = npt.NDArray[np.floating]


EXACT = 2.0**53  # integers below it are floats, and twice as much fits into 64 bits


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


def divided(queries: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Sums and counts for queries `(a, -b)` on keys `(j, j²)`: the row nearest to `a / 2b`, as two of it, or both.

    None unless b is 1 or more on every row, and all numbers are such that integers hold them.
    """
    if not np.all((queries[:, 1] <= -1) & (np.abs(queries) < EXACT).all(axis=1)):
        return None
    a, b = queries[:, 0].astype(np.int64), -queries[:, 1].astype(np.int64)
    # From j to j + 1 the score changes by `a - b(2j + 1)`: it is largest at the first j at which that is no gain.
    low, high = (np.clip(row, 0, len(values) - 1) for row in (-((b - a) // (2 * b)), (a + b) // (2 * b)))
    return values[low] + values[high], np.full(len(queries), 2, dtype=values.dtype)


def _hardmax(queries: FloatArray, keys: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    j = np.arange(len(keys), dtype=np.float64)
    if np.array_equal(keys[:, 0], j) and np.array_equal(keys[:, 1], j * j) and np.all(queries[:, 1] == -1):
        return pointed(queries[:, 0], values)
    return hardmax(queries.astype(np.int64), keys.astype(np.int64), values)
