"""The engine that works everywhere: heads by the plan, the MLP by its matrices, in numpy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hyloop.execute import dense
from hyloop.execute.cpu.expressions import ONE
from hyloop.execute.cpu.plan import Gather, LayerPlan, Plan, Read
from hyloop.execute.cpu.slow import InexactError, attend, averaged, divided, pointed
from hyloop.execute.cpu.sparse import both_ways
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, Layer
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]
Columns = npt.NDArray[np.intp]


@dataclass(frozen=True)
class NonzeroBlock:
    """A matrix without its rows and columns of zeros."""

    sources: Columns
    targets: Columns
    matrix: FloatArray

    @staticmethod
    def of(matrix: FloatArray) -> NonzeroBlock:
        """The part of a matrix that is not zero."""
        sources, targets = (np.flatnonzero(np.any(matrix != 0, axis=axis)) for axis in (1, 0))
        return NonzeroBlock(sources, targets, np.ascontiguousarray(matrix[np.ix_(sources, targets)]))

    def times(self, X: FloatArray) -> FloatArray:
        """The product with rows of a state; only the targets."""
        found: FloatArray = X[:, self.sources] @ self.matrix
        return found


class Prepared:
    """A layer of the plan with the weights that each of its parts needs."""

    def __init__(self, layer: Layer, plan: LayerPlan) -> None:
        self.layer, self.plan = layer, plan
        self.values = [NonzeroBlock.of(head.value) for head in layer.heads]
        own = [layer.heads[number].value for number in plan.identity]
        self.own = NonzeroBlock.of(np.sum(own, axis=0)) if own else None
        self.scores = [NonzeroBlock.of(_score(layer.heads[scan.head], scan.query)) for scan in plan.scans]
        self.pointers = [NonzeroBlock.of(layer.heads[read.head].query[:, :1]) for read in plan.reads]
        self.gathers = [NonzeroBlock.of(layer.heads[gather.head].query[:, :1]) for gather in plan.gathers]
        pointers: list[Read | Gather] = [*plan.reads, *plan.gathers]
        self.queries = {each.head: layer.heads[each.head].query for each in pointers if each.by != ONE}
        self.products = sorted({product.head for product in plan.products})


def _score(head: Head, query: tuple[float, float]) -> FloatArray:
    found: FloatArray = head.key @ np.array([[query[0]], [query[1]]], dtype=head.key.dtype)
    return found


@lru_cache(maxsize=32)
def _prepared(model: Model, plan: Plan) -> list[Prepared]:
    layers = [dense.cast(layer, model.dtype) for layer in model.layers]
    return [Prepared(layer, planned) for layer, planned in zip(layers, plan.layers, strict=True)]


class NumpyEngine:
    """Runs one input. A state is replaced, never changed in place, so that an interruption leaves it consistent."""

    def __init__(self, model: Model, plan: Plan, X: FloatArray, incidence: PaddedIncidence) -> None:
        self._halt = plan.halt
        self._layers = _prepared(model, plan)
        self._sparse = both_ways(incidence, model.dtype, len(X) - 1)
        self._before: FloatArray = X + 0  # a copy, without -0
        self._done: tuple[int, FloatArray] = (0, self._before)

    @property
    def iterations(self) -> int:
        """How many iterations have been run."""
        return self._done[0]

    def bytes(self) -> int:
        """How much memory it holds: two states, and the incidence both ways."""
        entries = sum(each.start.nbytes + each.target.nbytes + each.value.nbytes for each in self._sparse.values())
        return 2 * self._done[1].nbytes + entries

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        return bool(self._done[1][0, self._halt] == 1)

    def state(self) -> FloatArray:
        """A copy of the state between iterations."""
        return self._done[1].copy()

    def stopped_before(self, layer: int) -> FloatArray:
        """A copy of the state before the layer that could not be applied."""
        del layer
        return self._before.copy()

    def run(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1. An interrupted iteration has no effect."""
        for _ in range(iterations):
            if self.halted():
                return
            self.finish(0)

    def finish(self, first: int) -> None:
        """Run one iteration from a layer on: the state is the one before that layer."""
        count, X = self._done
        for number, layer in enumerate(self._layers[first:], start=first):
            try:
                X = self._applied(layer, X)
            except InexactError:
                self._before = X
                raise InexactError(number) from None
        self._done = (count + 1, X)

    def _applied(self, layer: Prepared, X: FloatArray) -> FloatArray:
        out = X.copy()
        if layer.own is not None:
            out[:, layer.own.targets] += layer.own.times(X)
        for score, scan in zip(layer.scores, layer.plan.scans, strict=True):
            scores = score.times(X).sum(axis=1)
            ties = np.flatnonzero(scores == scores.max())
            self._share(layer, scan.head, X[ties], out, bool(scan.to_first), bool(scan.to_body))
        for pointer, read in zip(layer.pointers, layer.plan.reads, strict=True):
            rows = slice(1, 2) if read.body else slice(0, 1)
            if read.by != ONE:
                share = self._divided(layer, read.head, X, rows)
                out[(1 if read.body else 0) : (len(out) if read.body else 1), layer.values[read.head].targets] += share
                continue
            for doubled in pointer.times(X[rows]).sum(axis=1).tolist():
                near = [min(max(side(doubled / 2), 0), len(X) - 1) for side in (np.floor, np.ceil)]
                self._share(layer, read.head, X[np.array(near, dtype=np.intp)], out, not read.body, read.body)
        for pointer, gather in zip(layer.gathers, layer.plan.gathers, strict=True):
            value = layer.values[gather.head]
            if gather.by != ONE:
                out[1:, value.targets] += self._divided(layer, gather.head, X, slice(1, None))
                continue
            out[1:, value.targets] += averaged(*pointed(pointer.times(X[1:]).sum(axis=1), value.times(X)))
        for number in layer.products:
            value, kind = layer.values[number], layer.layer.heads[number].kind
            for column, vector in zip(value.targets, value.times(X).T, strict=True):
                out[1:, column] += self._sparse[kind].times(vector[1:])
        for slow in layer.plan.slow:
            head = layer.layer.heads[slow.head]
            out[:, sorted(head.writes)] += attend(head, X, self._sparse)
        return dense.feed_forward(layer.layer.mlp, out)

    def _divided(self, layer: Prepared, number: int, X: FloatArray, rows: slice) -> FloatArray:
        """What a head that divides brings to some rows."""
        found = divided(X[rows] @ layer.queries[number], layer.values[number].times(X))
        if found is None:
            return attend(layer.layer.heads[number], X, self._sparse)[rows]
        return averaged(*found)

    @staticmethod
    def _share(layer: Prepared, head: int, seen: FloatArray, out: FloatArray, first: bool, rest: bool) -> None:
        """Add the average of some rows to row 0, to the body, or to both."""
        value = layer.values[head]
        sums = value.times(seen).sum(axis=0, keepdims=True)
        average = averaged(sums, np.array([len(seen)], dtype=sums.dtype))
        out[(0 if first else 1) : (len(out) if rest else 1), value.targets] += average
