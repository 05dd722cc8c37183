"""The memory of native code: the columns, each contiguous, the outputs of heads, and the incidence both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.expressions import Facts, Ref, Value
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.sparse import both_ways
from hyloop.execute.pages import LINE, empty, zeros
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]


class Memory:
    """The state of one input during a run. Row 0 is kept apart; `body` has a row for each column that needs one."""

    def __init__(self, model: Model, plan: Plan, X: FloatArray, incidence: PaddedIncidence) -> None:
        self.plan = plan
        self.size = len(X)
        self.rows = self.size - 1
        self.padded = padded_rows(self.rows, X.itemsize)
        self.place = places(plan)
        self.first = X[0] + 0  # copies, without -0
        self.rest = X[min(1, self.rows)] + 0
        self.body = zeros((len(set(self.place.values())), self.padded), X.dtype)
        for column, row in self.place.items():
            if X[1:, column].any():  # the memory of zeros is not even touched
                np.add(X[1:, column], 0, out=self.body[row, : self.rows])
        self._offsets = [sum(len(each.brought) for each in plan.layers[:n]) for n in range(len(plan.layers))]
        count = sum(len(layer.brought) for layer in plan.layers)
        self.brought_first, self.brought_rest = np.zeros(count, X.dtype), np.zeros(count, X.dtype)
        self.brought_place, vectors = brought_places(plan)
        self.brought = zeros((vectors, self.padded), X.dtype)
        self.sparse = both_ways(incidence, X.dtype.name, self.padded)
        self._fill_fixed(X, model)

    def _fill_fixed(self, X: FloatArray, model: Model) -> None:
        """Products of columns that never change are computed once."""
        for number, layer in enumerate(self.plan.layers):
            for product in layer.products:
                if product.fixed:
                    head, column = model.layers[number].heads[product.head], layer.brought[product.to].column
                    found = self.sparse[product.kind].times((X @ head.value[:, column])[1:].astype(X.dtype))
                    self.brought[self.brought_place[number, product.to], : self.rows] = found

    def offset(self, layer: int) -> int:
        """Where the numbers that a layer's heads write begin."""
        return self._offsets[layer]

    def kept(self) -> tuple[FloatArray, ...]:
        """A copy of all that changes from one iteration to the next."""
        return self.first.copy(), self.rest.copy(), self.body.copy()

    def restore(self, kept: tuple[FloatArray, ...]) -> None:
        """Restore a copy."""
        self.first[:], self.rest[:], self.body[:] = kept

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        known = self.plan.boundary[self.plan.halt].first
        return bool((self.first[self.plan.halt] if known is None else known) == 1)

    def state(self, layer: int = 0) -> FloatArray:
        """The whole state before a layer."""
        kept = parts(self.plan, layer)
        X = empty((len(kept.first), self.size), self.first.dtype)  # columns contiguous, as they are here
        X[:, 0] = np.where(kept.first_known, kept.first, self.first)
        numbers = np.where(kept.rest_known, kept.rest, self.rest)
        X[kept.numbers, 1:] = numbers[kept.numbers, np.newaxis]
        X[kept.vectors, 1:] = self.body[kept.places, : self.rows]
        return X.T


def padded_rows(rows: int, itemsize: int) -> int:
    """An odd number of cache lines a column, so that columns do not compete for the same cache sets."""
    line = LINE // itemsize
    return (-(-rows // line) | 1) * line


@dataclass(frozen=True, eq=False)
class Parts:
    """Which columns are constants, numbers and vectors before a layer."""

    first_known: npt.NDArray[np.bool_]
    first: FloatArray
    rest_known: npt.NDArray[np.bool_]
    rest: FloatArray
    numbers: npt.NDArray[np.intp]
    vectors: npt.NDArray[np.intp]
    places: npt.NDArray[np.intp]


@lru_cache(maxsize=256)
def parts(plan: Plan, layer: int) -> Parts:
    """The columns before a layer, by what they are."""
    facts, place = plan.layers[layer].before, places(plan)
    vectors = [column for column, fact in enumerate(facts) if fact.vector]
    return Parts(
        np.array([fact.first is not None for fact in facts]),
        np.array([fact.first or 0.0 for fact in facts], dtype=plan.dtype),
        np.array([fact.rest is not None for fact in facts]),
        np.array([fact.rest or 0.0 for fact in facts], dtype=plan.dtype),
        np.array([column for column, fact in enumerate(facts) if not fact.vector], dtype=np.intp),
        np.array(vectors, dtype=np.intp),
        np.array([place[column] for column in vectors], dtype=np.intp),
    )


@lru_cache(maxsize=256)
def places(plan: Plan) -> Mapping[int, int]:
    """The row of `body` for each column that is a vector before some layer."""
    vectors = [c for c in range(len(plan.boundary)) if any(layer.before[c].vector for layer in plan.layers)]
    return {column: row for row, column in enumerate(vectors)}


@lru_cache(maxsize=256)
def brought_places(plan: Plan) -> tuple[Mapping[tuple[int, int], int], int]:
    """The row of `brought` for each vector that a head writes, by layer and number; and how many there are."""
    found: dict[tuple[int, int], int] = {}
    for number, layer in enumerate(plan.layers):
        for at, brought in enumerate(layer.brought):
            if brought.vector:
                found[number, at] = len(found)
    return found, len(found)


def stores(before: Facts, after: Facts, new: tuple[Value, ...], rows: int) -> list[int]:
    """The columns that a layer must write on row 0 (`rows` = 0) or on the body, as a number or a vector."""
    found = []
    for column, (old, fact, value) in enumerate(zip(before, after, new, strict=True)):
        if (fact.rest if rows else fact.first) is not None:
            continue
        same = value == Ref("column", column) and (rows == 0 or old.vector == fact.vector)
        if not same:
            found.append(column)
    return found
