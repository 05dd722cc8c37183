"""Execution layer by layer, with the attention of every head: for recordings, not for fast runs.

Rows with equal queries attend to the same rows, so each distinct query is scored once against all keys. Scores are
exact integers, so the chosen rows are those of the dense formulas, and so is the state after the layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyloop.execute import dense
from hyloop.execute.cpu.sparse import Sparse, both_ways
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, HeadKind, Layer
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]
Rows = npt.NDArray[np.intp]

BLOCK = 2**22  # scores that are held at a time


@dataclass(frozen=True, eq=False)
class Looks:
    """What each row attends to in a head: the lowest row of the best score, how many rows tie, and the margin.

    The margin is the distance to the next score, infinite where there is none. `brought` is the output of each row in
    the columns that the head writes, before the incidence.
    """

    row: Rows
    ties: npt.NDArray[np.int64]
    margin: npt.NDArray[np.float64]
    brought: FloatArray

    @property
    def matters(self) -> npt.NDArray[np.bool_]:
        """The rows whose output is not 0 in every column."""
        found: npt.NDArray[np.bool_] = np.any(self.brought != 0, axis=1)
        return found


def looks(head: Head, X: FloatArray) -> Looks:
    """What each row of a state attends to in a head."""
    queries, keys = (np.asarray(X @ weight, dtype=np.float64) for weight in (head.query, head.key))
    values = X @ head.value[:, sorted(head.writes)]
    if _on_parabola(queries, keys):
        return _nearest(queries[:, 0], values)
    distinct, which = np.unique(queries, axis=0, return_inverse=True)
    found = _scored(distinct, keys, values)
    which = which.reshape(-1)
    return Looks(found.row[which], found.ties[which], found.margin[which], found.brought[which])


def _scored(queries: npt.NDArray[np.float64], keys: npt.NDArray[np.float64], values: FloatArray) -> Looks:
    """Every query against every key, in blocks of queries."""
    step = max(1, BLOCK // len(keys))
    parts = [_block(queries[at : at + step], keys, values) for at in range(0, len(queries), step)]
    return Looks(
        np.concatenate([part.row for part in parts]),
        np.concatenate([part.ties for part in parts]),
        np.concatenate([part.margin for part in parts]),
        np.concatenate([part.brought for part in parts]),
    )


def _block(queries: npt.NDArray[np.float64], keys: npt.NDArray[np.float64], values: FloatArray) -> Looks:
    scores = queries @ keys.T
    best = scores.max(axis=1, keepdims=True)
    chosen = scores == best
    ties = chosen.sum(axis=1)
    next_best = np.where(chosen, -np.inf, scores).max(axis=1)
    brought = (chosen.astype(values.dtype) @ values) / ties[:, np.newaxis].astype(values.dtype)
    return Looks(chosen.argmax(axis=1), ties, best[:, 0] - next_best, brought)


def _on_parabola(queries: npt.NDArray[np.float64], keys: npt.NDArray[np.float64]) -> bool:
    """Whether keys are `(j, j²)` and queries `(2c, -1)`: then the row nearest to `c` wins."""
    j = np.arange(len(keys), dtype=np.float64)
    return bool(np.array_equal(keys[:, 0], j) and np.array_equal(keys[:, 1], j * j) and np.all(queries[:, 1] == -1))


def _nearest(doubled: npt.NDArray[np.float64], values: FloatArray) -> Looks:
    last = len(values) - 1
    low, high = (np.clip(side(doubled / 2), 0, last) for side in (np.floor, np.ceil))
    low, high = (
        np.where(_height(doubled, low) < _height(doubled, high), high, low),
        np.where(_height(doubled, high) < _height(doubled, low), low, high),
    )
    beside = [
        np.where(inside, _height(doubled, at), -np.inf) for inside, at in ((low > 0, low - 1), (high < last, high + 1))
    ]
    margin = _height(doubled, low) - np.maximum(*beside)
    rows = low.astype(np.intp), high.astype(np.intp)
    brought = (values[rows[0]] + values[rows[1]]) / values.dtype.type(2)
    return Looks(rows[0], 1 + (rows[0] != rows[1]).astype(np.int64), margin, brought)


def _height(doubled: npt.NDArray[np.float64], j: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The score of row `j` for the query `(doubled, -1)`."""
    found: npt.NDArray[np.float64] = doubled * j - j * j
    return found


class Watched:
    """A model on one hypergraph, layer by layer."""

    def __init__(self, model: Model, incidence: PaddedIncidence, size: int) -> None:
        self.layers: Sequence[Layer] = [dense.cast(layer, model.dtype) for layer in model.layers]
        self._sparse: Mapping[HeadKind, Sparse] = both_ways(incidence, model.dtype, size - 1)

    def apply(self, number: int, X: FloatArray) -> tuple[FloatArray, list[Looks]]:
        """The state after layer `number` (from 0), and the attention of each of its heads."""
        layer = self.layers[number]
        seen = [looks(head, X) for head in layer.heads]
        out = X.copy()
        for head, look in zip(layer.heads, seen, strict=True):
            out[:, sorted(head.writes)] += self._times(head.kind, look.brought.astype(X.dtype))
        return dense.feed_forward(layer.mlp, out), seen

    def iteration(self, X: FloatArray) -> Iterator[tuple[FloatArray, list[Looks]]]:
        """The states after each layer, with the attention of its heads."""
        for number in range(len(self.layers)):
            X, seen = self.apply(number, X)
            yield X, seen

    def _times(self, kind: HeadKind, brought: FloatArray) -> FloatArray:
        if kind == "plain":
            return brought
        product = np.zeros_like(brought)
        for column in range(brought.shape[1]):
            product[1:, column] = self._sparse[kind].times(brought[1:, column])
        return product
