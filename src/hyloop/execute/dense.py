"""The dense executor: the paper's formulas, literally, in numpy. Slow and simple: the reference for all others.

    attention:  X + Σ M σ(X Wq Wkᵀ Xᵀ) X Wv        M = I, Ã, Ãᵀ, ...; σ averages over ties, as sum ÷ count
    MLP:        X + relu(relu(relu(X W1) W2) W3) W4

Rows of the attention matrix are computed in blocks, so that memory stays bounded although it has `K²` entries.
Only the columns that a value matrix or `W4` writes are computed; the others would be sums of zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from hyloop.errors import CapacityError, ModelError
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, HeadKind, Layer, Mlp
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]

MEMORY = 2**30  # bytes, for the state, its copies and one block of the attention matrix
MOST_ROWS = 2**15  # an iteration on more takes minutes


def start(
    model: Model,
    X: FloatArray,
    incidence: PaddedIncidence | Sequence[PaddedIncidence],
    *,
    memory: int = MEMORY,
    layers: bool = False,
) -> DenseSession:
    """Begin a run: `X` is `K × d` with one incidence, or `batch × K × d` with as many incidences.

    With `layers` the session keeps the states after each layer of its last iteration.
    """
    incidences = [incidence] if isinstance(incidence, PaddedIncidence) else list(incidence)
    states = X[np.newaxis] if X.ndim == 2 else X
    require_shapes(model, states, incidences)
    rows = _block_rows(states, memory)
    return DenseSession(model, first_state(model, states), incidences, rows, single=X.ndim == 2, layers=layers)


def start_bounded(model: Model, X: FloatArray, incidence: PaddedIncidence | Sequence[PaddedIncidence]) -> DenseSession:
    """`start` as a backend: raises `CapacityError` for too many rows."""
    require_rows(X.shape[-2])
    return start(model, X, incidence)


def first_state(model: Model, X: FloatArray) -> FloatArray:
    """A copy in the model's precision, without -0.

    A layer only adds to a state, and a sum is -0 only if all of its terms are: so no state ever holds -0, and there is
    one sequence of bytes for each. Every backend starts from it.
    """
    found: FloatArray = X.astype(model.dtype) + 0
    return found


def require_rows(size: int) -> None:
    """Raise `CapacityError` for too many rows: every head scores all pairs of rows."""
    if size > MOST_ROWS:
        raise CapacityError(
            f"The dense formulas score every pair of rows, and {size:,} rows are too many for that (at most "
            f"{MOST_ROWS:,}); the backend cpu computes the same."
        )


class DenseSession:
    """A run of a batch by the dense formulas."""

    def __init__(
        self,
        model: Model,
        states: FloatArray,
        incidences: list[PaddedIncidence],
        rows: int,
        *,
        single: bool,
        layers: bool = False,
    ) -> None:
        self._model = model
        self._after: list[FloatArray] | None = [] if layers else None
        self._layers = [cast(layer, model.dtype) for layer in model.layers]
        self._states = states
        self._single = single
        self._halt = model.layout.number(model.layout.halt)
        self._iterations = np.zeros(len(states), dtype=np.int64)
        self._running = np.arange(len(states))
        self._blocks = Blocks.of(incidences, rows, states.shape[1], model.dtype)

    def advance(self, iterations: int) -> None:
        """Apply the layers that many times to every item that has not halted."""
        if iterations < 0:
            raise ModelError(f"A session cannot advance by {iterations} iterations.")
        for _ in range(iterations):
            self._drop_halted()
            if not len(self._running):
                return
            self._states[self._running] = self._pass(self._states[self._running])
            self._iterations[self._running] += 1

    def state(self) -> FloatArray:
        """A copy of the state, of the shape that was given."""
        return (self._states[0] if self._single else self._states).copy()

    def after_layers(self) -> tuple[FloatArray, ...]:
        """The states after each layer of the last iteration, of the items that ran in it."""
        if self._after is None:
            raise ModelError("This session keeps no states between layers; start it with `layers`.")
        return tuple(self._after)

    def iterations(self) -> npt.NDArray[np.int64]:
        """How many iterations each item has run."""
        return self._iterations.copy()

    def halted(self) -> npt.NDArray[np.bool_]:
        """Whether `X[0, halt] = 1`, for each item."""
        return np.asarray(self._states[:, 0, self._halt] == 1)

    def memory(self) -> int:
        """The states and a copy, one block of the attention matrix, and the incidence as it is kept."""
        batch, size, _ = self._states.shape
        block = 2 * batch * min(self._blocks.rows, size) * size * self._states.itemsize
        kept = sum(stack.nbytes for stack in self._blocks.stacks.values())
        entries = sum(each.value.nbytes for each in self._blocks.incidences)
        return int(2 * self._states.nbytes + block + kept + 3 * entries)

    def close(self) -> None:
        """Nothing to release."""

    def _drop_halted(self) -> None:
        going = ~self.halted()[self._running]
        if not going.all():
            self._running = self._running[going]
            self._blocks = self._blocks.only(np.flatnonzero(going))

    def _pass(self, X: FloatArray) -> FloatArray:
        if self._after is not None:
            self._after = []
        for layer in self._layers:
            X = apply(layer, X, self._blocks, self._model.tie_tolerance)
            if self._after is not None:
                self._after.append(X)
        return X


@dataclass(frozen=True)
class Blocks:
    """`Ã` and `Ãᵀ` of a batch, a block of rows at a time; kept whole (`stacks`) where one block holds all rows.

    In a directed machine also those of tails and of heads.
    """

    incidences: Sequence[PaddedIncidence]
    rows: int
    size: int
    dtype: str
    stacks: Mapping[HeadKind, FloatArray] = field(default_factory=dict)

    @staticmethod
    def of(incidences: Sequence[PaddedIncidence], rows: int, size: int, dtype: str) -> Blocks:
        """The blocks of some incidences of one size."""
        blocks = Blocks(incidences, rows, size, dtype)
        if rows < size:
            return blocks
        kinds = incidences[0].kinds if incidences else ()
        stacks: dict[HeadKind, FloatArray] = {kind: blocks.stack(kind, 0, size) for kind in kinds}
        return replace(blocks, stacks=stacks)

    def only(self, items: npt.NDArray[np.intp]) -> Blocks:
        """The blocks of some items of the batch."""
        stacks = {kind: stack[items] for kind, stack in self.stacks.items()}
        return replace(self, incidences=[self.incidences[item] for item in items], stacks=stacks)

    def ranges(self) -> Iterator[tuple[int, int]]:
        """The blocks of rows."""
        for first in range(0, self.size, self.rows):
            yield first, min(first + self.rows, self.size)

    def stack(self, kind: HeadKind, first: int, last: int) -> FloatArray:
        """Some rows of the matrix of a kind of heads, of every item."""
        if kind in self.stacks:
            return self.stacks[kind][:, first:last]
        return np.stack([each.of_kind(kind).rows(first, last, self.dtype) for each in self.incidences])

    def times(self, kind: HeadKind, Y: FloatArray) -> FloatArray:
        """`M Y`."""
        if kind == "plain":
            return Y
        return np.concatenate([self.stack(kind, first, last) @ Y for first, last in self.ranges()], axis=1)


def apply(layer: Layer, X: FloatArray, blocks: Blocks, tie_tolerance: float = 0.0) -> FloatArray:
    """One layer on a batch of states."""
    return feed_forward(layer.mlp, attend(layer.heads, X, blocks, tie_tolerance))


def attend(heads: Sequence[Head], X: FloatArray, blocks: Blocks, tie_tolerance: float = 0.0) -> FloatArray:
    """Attention with its residual: `X` plus the output of every head."""
    out = X.copy()
    for head in heads:
        written = sorted(head.writes)
        seen = hardmax(head, X, X @ head.value[:, written], blocks, tie_tolerance)
        out[..., written] += blocks.times(head.kind, seen)
    return out


def hardmax(head: Head, X: FloatArray, V: FloatArray, blocks: Blocks, tie_tolerance: float) -> FloatArray:
    """`σ(X Wq Wkᵀ Xᵀ) V`: each row the average of the rows of `V` with the largest score, as sum ÷ count."""
    queries, keys = X @ head.query, np.swapaxes(X @ head.key, 1, 2)
    parts = []
    for first, last in blocks.ranges():
        scores = queries[:, first:last] @ keys
        best = scores.max(axis=2, keepdims=True)
        chosen = (scores >= best - X.dtype.type(tie_tolerance)).astype(X.dtype)
        parts.append((chosen @ V) / chosen.sum(axis=2, keepdims=True))
    return np.concatenate(parts, axis=1)


def feed_forward(mlp: Mlp, X: FloatArray) -> FloatArray:
    """The MLP with its residual."""
    if not mlp.width:
        return X
    Z = X
    for weight in mlp.weights[:3]:
        Z = np.maximum(Z @ weight, 0)
    return X + Z @ mlp.weights[3]


def cast(layer: Layer, dtype: str) -> Layer:
    """The same layer in another precision; itself, if that is its own."""
    arrays = (*layer.mlp.weights, *(each for head in layer.heads for each in (head.query, head.key, head.value)))
    if all(array.dtype == dtype for array in arrays):
        return layer
    heads = tuple(
        Head(head.kind, head.query.astype(dtype), head.key.astype(dtype), head.value.astype(dtype), head.purpose)
        for head in layer.heads
    )
    first, second, third, last = (weight.astype(dtype) for weight in layer.mlp.weights)
    return Layer(heads, Mlp((first, second, third, last), layer.mlp.purposes, layer.mlp.names), layer.notes)


def require_shapes(model: Model, states: FloatArray, incidences: Sequence[PaddedIncidence]) -> None:
    """Raise unless there is an incidence for each state, and all are of the sizes that the model needs."""
    require_shape(model, states.shape, incidences)


def require_shape(model: Model, shape: tuple[int, ...], incidences: Sequence[PaddedIncidence]) -> None:
    """The same, of states of a shape: `batch × K × d`."""
    if len(shape) != 3 or shape[2] != len(model.layout) or 0 in shape:
        raise ModelError(f"The state must be K × {len(model.layout)}, or a batch of such; given shape {shape}.")
    if len(incidences) != shape[0]:
        raise ModelError(f"{shape[0]:,} states were given with {len(incidences):,} incidences; there must be one each.")
    for incidence in incidences:
        if incidence.size != shape[1]:
            raise ModelError(f"The state has {shape[1]:,} rows, the incidence {incidence.size:,}.")
        if model.layout.directed and not incidence.directed:
            raise ModelError("This model tells tails from heads; it needs an incidence with both.")


def _block_rows(states: FloatArray, memory: int) -> int:
    """How many rows of the attention matrix fit into the memory allowed, beside the state and its copies."""
    batch, size, d = states.shape
    fixed = 8 * batch * size * d * states.itemsize  # the state, the new one, values, temporaries of heads and MLP
    row = 8 * batch * size * states.itemsize  # scores, the chosen ones, rows of Ã and Ãᵀ, their temporaries
    rows = (memory - fixed) // row
    if rows < 1:
        raise CapacityError(
            f"{batch:,} × {size:,} rows of {d} columns need at least {fixed + row:,} bytes of memory; "
            f"{memory:,} are allowed. Raise `memory`, or run fewer inputs at a time."
        )
    return int(min(rows, size))
