"""A run on the CPU: each input on its own, by the available engine, or by dense where sums are not integers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from time import perf_counter

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.execute import dense
from hyloop.execute.columns import Columns, whole
from hyloop.execute.cpu.engines import ENGINE_VARIABLE, engine_of
from hyloop.execute.cpu.native.engine import NativeEngine
from hyloop.execute.cpu.plan import integral, plan_for
from hyloop.execute.cpu.quiet.relay import Relay
from hyloop.execute.cpu.slow import InexactError
from hyloop.execute.gathering import Gathered, Wanted
from hyloop.execute.loop import GROWS
from hyloop.execute.session import Changes, Columnwise, OneByOne, Session
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import EXACT, Model

FloatArray = npt.NDArray[np.floating]

ENGINES = ("native", "numpy", "quiet")
CHUNK_SECONDS = 0.1  # that native code runs, about, between two checks for Ctrl-C


def start(
    model: Model,
    X: FloatArray | Columns,
    incidence: PaddedIncidence | Sequence[PaddedIncidence],
    *,
    engine: str | None = None,
) -> Session:
    """Begin a run: `X` is `K × d`, or by its columns, with one incidence; or `batch × K × d` with as many incidences.

    `engine` is "native" (all rows), "quiet" (rows that are awake) or "numpy"; by default the variable
    HYLOOP_CPU_ENGINE says which. Otherwise, where llvmlite can be imported, it is native, and on many rows quiet once
    a run has taken some time and few rows change. A model with weights that are no integers is run by dense.
    """
    incidences = [incidence] if isinstance(incidence, PaddedIncidence) else list(incidence)
    single = len(X.shape) == 2
    dense.require_shape(model, (1, *X.shape) if single else X.shape, incidences)
    if not (_are_integers(X) and all(map(_has_integers, incidences)) and integral(model)):
        return dense.start(model, whole(X), incidence)
    wanted = engine or os.environ.get(ENGINE_VARIABLE) or None
    if wanted not in (None, *ENGINES):
        raise ModelError(f"There is no engine {wanted!r}; there are {', '.join(ENGINES)}.")
    states: Sequence[FloatArray | Columns]
    if isinstance(X, Columns):
        states = [X if X.dtype == model.dtype else whole(X).astype(model.dtype)]
    else:  # engines copy what they need, and -0 as 0
        states = (X[np.newaxis] if single else X).astype(model.dtype, copy=False)  # type: ignore[assignment]
    items = [Item(model, state, one, wanted) for state, one in zip(states, incidences, strict=True)]
    return CpuSession(items, single=single)


class CpuSession(OneByOne["Item"]):
    """A batch, one item after the other."""

    def changes(self) -> Changes | None:
        """What may have changed since the last call; None if all of it may."""
        return self._items[0].changes() if self._single else None

    def by_column(self) -> Columnwise | None:
        """How a copy of one column is got as it is now; None where that is no quicker than the state."""
        return self._items[0].by_column() if self._single else None

    def gather(self, wanted: Sequence[Wanted], most: int) -> list[Gathered]:
        """Advance by at most that many iterations, and give what was wanted of each; none if it cannot go on so."""
        return self._items[0].gather(wanted, most) if self._single else []


class Item:
    """One input. Where an average is not an integer, dense takes over before that layer."""

    def __init__(self, model: Model, X: FloatArray | Columns, incidence: PaddedIncidence, wanted: str | None) -> None:
        self._model, self._incidence = model, incidence
        self._engine = engine_of(model, plan_for(model, X), X, incidence, wanted)
        self._dense: dense.DenseSession | None = None
        self._stopped: int | None = None  # the layer whose average is no integer
        self._pace = 16

    @property
    def iterations(self) -> int:
        """How many iterations have been run."""
        self._settle()
        return self._engine.iterations + (0 if self._dense is None else 1 + int(self._dense.iterations()[0]))

    def advance(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1."""
        done = self.iterations
        end = done + iterations
        while done < end and not self.halted():
            if self._dense is not None:
                self._dense.advance(1)
            else:
                self._chunk(min(end - done, self._pace))
            before, done = done, self.iterations
            if done == before:  # it would never end
                raise ModelError(f"The engine made no progress after iteration {done}, and the model has not halted.")

    def _chunk(self, most: int) -> None:
        begun = perf_counter()
        try:
            self._engine.run(most)
        except InexactError as inexact:
            self._stopped = inexact.layer
        pace = int(most * CHUNK_SECONDS / max(perf_counter() - begun, 1e-9)) + 1
        self._pace = max(1, min(GROWS * self._pace, pace))

    def gather(self, wanted: Sequence[Wanted], most: int) -> list[Gathered]:
        """Advance and gather; nothing where the engine cannot."""
        engine = self._engine.all_rows if isinstance(self._engine, Relay) else self._engine
        if not isinstance(engine, NativeEngine) or self._dense is not None:
            return []
        found = engine.gather(wanted, most)
        self._stopped = engine.stopped
        return found

    def _settle(self) -> None:
        if self._stopped is not None and self._dense is None:
            self._leave(self._stopped)

    def _leave(self, layer: int) -> None:
        """Finish the iteration from a layer on with dense, and use dense from then on."""
        X = self._engine.stopped_before(layer)[np.newaxis]
        rows = max(1, min(len(X[0]), dense.MEMORY // (8 * len(X[0]) * X.itemsize)))
        blocks = dense.Blocks.of([self._incidence], rows, len(X[0]), self._model.dtype)
        for each in self._model.layers[layer:]:
            X = dense.apply(dense.cast(each, self._model.dtype), X, blocks)
        self._dense = dense.start(self._model, X[0], self._incidence)

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        self._settle()
        return self._engine.halted() if self._dense is None else bool(self._dense.halted()[0])

    def memory(self) -> int:
        """How many bytes it holds."""
        return self._engine.bytes() + (0 if self._dense is None else self._dense.memory())

    def changes(self) -> Changes | None:
        """What may have changed since the last call; None if all of it may."""
        self._settle()
        return self._engine.changes() if self._dense is None and isinstance(self._engine, Relay) else None

    def by_column(self) -> Columnwise | None:
        """How a copy of one column is got, where that is quicker than the state."""
        self._settle()
        return self._engine.by_column() if self._dense is None and isinstance(self._engine, Relay) else None

    def state(self) -> FloatArray:
        """A copy of the state."""
        self._settle()
        return self._engine.state() if self._dense is None else self._dense.state()


BLOCK = 1 << 16  # numbers that are looked at together: as many as a cache holds


def _has_integers(incidence: PaddedIncidence) -> bool:
    return incidence.ones or _are_integers(incidence.value)


def _are_integers(numbers: FloatArray | Columns) -> bool:
    """Whether all are integers that are exact."""
    if isinstance(numbers, Columns):
        least, most = numbers.ends
        parts = [numbers.numbers, *numbers.vectors.values()]
        exact = _are_exact(least, most)
        return exact and (numbers.integral or all(bool((each == np.rint(each)).all()) for each in parts))
    flat = numbers.ravel(order="K")  # no copy of what lies together
    return all(_are_integers_together(flat[at : at + BLOCK]) for at in range(0, flat.size, BLOCK))


def _are_integers_together(numbers: FloatArray) -> bool:
    return _are_exact(numbers, numbers) and bool(np.array_equal(numbers, np.rint(numbers)))


def _are_exact(least: FloatArray, most: FloatArray) -> bool:
    """Whether floats are exact between the least and the largest of numbers."""
    return bool(max(-float(least.min(initial=0)), float(most.max(initial=0))) < EXACT["float64"])
