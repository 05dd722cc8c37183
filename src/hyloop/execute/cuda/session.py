"""The backend `cuda`: one input, or a few, advanced on the GPU. Many at once are a `HypergraphBatch`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopWarning
from hyloop.execute import cpu, dense
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cuda.guess import unguarded
from hyloop.execute.cuda.launch import MOST_ITERATIONS, MOST_ROWS, SHAPES, address, bits_of, require_fit
from hyloop.execute.cuda.machines import Gpu, Machine
from hyloop.execute.cuda.source import ARRAYS, INEXACT, Shape, source
from hyloop.execute.session import OneByOne, Session
from hyloop.hypergraph_batch import ANY, HEAD, TAIL
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]


def start(
    model: Model,
    X: FloatArray,
    incidence: PaddedIncidence | Sequence[PaddedIncidence],
    *,
    machine: Machine | None = None,
) -> Session:
    """Begin a run: `X` is `K × d` with one incidence, or `batch × K × d` with as many incidences."""
    incidences = [incidence] if isinstance(incidence, PaddedIncidence) else list(incidence)
    states = dense.first_state(model, X[np.newaxis] if X.ndim == 2 else X)
    dense.require_shapes(model, states, incidences)
    require_fit(model)
    machine = machine or Gpu()
    slow = any(layer.slow for layer in plan_for(model, states[0]).layers)
    if states.shape[1] - 1 > MOST_ROWS or slow:
        why = "a head has no fast form" if slow else f"more than {MOST_ROWS:,} rows are faster there"
        warnings.warn(f"This runs on the CPU: {why}.", HyloopWarning, stacklevel=2)
        return cpu.start(model, X, incidence)
    items = [Item(model, state, one, machine) for state, one in zip(states, incidences, strict=True)]
    return OneByOne(items, single=X.ndim == 2)


class Item:
    """One input on the device. Where an average is not an integer, the cpu backend takes over from the last state."""

    def __init__(self, model: Model, X: FloatArray, incidence: PaddedIncidence, machine: Machine) -> None:
        self._model, self._incidence, self._machine = model, incidence, machine
        self._rows, self._halt = len(X) - 1, model.layout.number(model.layout.halt)
        _, width, each = next(shape for shape in SHAPES if shape[0] >= self._rows)
        self._shape = Shape(width, each, bits_of(model), given=True, whole=True)
        self._text = source(model, unguarded(plan_for(model, X)), self._shape, (), machine.dialect(self._shape))
        self.iterations = 0
        self._cpu: Session | None = None
        self._before = 0  # iterations when the cpu backend took over
        xp, number = machine.xp, np.int32 if self._shape.bits == 32 else np.int64
        self._state = xp.asarray(np.ascontiguousarray(X.T).astype(number).reshape(-1))
        self._arrays = {name: xp.asarray(array) for name, array in self._constants(number).items()}

    def _constants(self, number: Any) -> dict[str, Any]:
        by_vertex, by_hyperedge = _lists(self._incidence, transposed=False), _lists(self._incidence, transposed=True)
        one = np.array([self._rows], np.int32)
        zero = np.zeros(2, np.int32)
        names = {
            "vertices": one,
            "hyperedges": one,
            "rows": one,
            "order": zero,
            "vertex_at": zero,
            "hyperedge_at": zero,
        }
        names |= dict(zip(("member_at", "member", "member_role"), by_hyperedge, strict=True))
        names |= dict(zip(("incident_at", "incident", "incident_role"), by_vertex, strict=True))
        names |= {"limit": zero, "iterations": zero.copy(), "status": zero.copy(), "weight": np.zeros(1, number)}
        return names | {"state_at": np.zeros(2, np.int64)}

    def advance(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1."""
        end = self.iterations + iterations
        while self.iterations < end and not self.halted():
            if self._cpu is not None:
                self._cpu.advance(end - self.iterations)
                self.iterations = self._before + int(self._cpu.iterations()[0])
                continue
            self._launch(min(end - self.iterations, MOST_ITERATIONS))

    def _launch(self, most: int) -> None:
        xp = self._machine.xp
        before = self._state.copy()
        arrays = {**self._arrays, "state": self._state, "limit": xp.array([most], xp.int32)}
        # The code reads inputs and weights only where it encodes; a run that begins at a state has none.
        inputs = [self._arrays["weight"]] * 64
        addresses = [address(arrays[name]) for name, _ in ARRAYS] + [address(each) for each in inputs]
        self._machine.run(self._text, self._shape, addresses, 1)
        if int(arrays["status"][0]) == INEXACT:
            self._state = before
            self._cpu, self._before = cpu.start(self._model, self.state(), self._incidence), self.iterations
            return
        self.iterations += int(arrays["iterations"][0])

    def state(self) -> FloatArray:
        """A copy of the state."""
        if self._cpu is not None:
            return self._cpu.state()
        flat = self._state if isinstance(self._state, np.ndarray) else self._state.get()
        return np.ascontiguousarray(flat.reshape(-1, self._rows + 1).T).astype(self._model.dtype)

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        if self._cpu is not None:
            return bool(self._cpu.halted()[0])
        return bool(self._state[self._halt * (self._rows + 1)] == 1)

    def memory(self) -> int:
        """How many bytes it holds."""
        return int(self._state.nbytes + sum(array.nbytes for array in self._arrays.values()))


def _lists(incidence: PaddedIncidence, *, transposed: bool) -> tuple[Any, Any, Any]:
    """By vertex its hyperedges, or by hyperedge its vertices: where each begins, the numbers from 0, and the roles."""
    whole = incidence.transposed if transposed else incidence
    starts = np.zeros(incidence.size, np.int32)
    starts[1:] = np.cumsum(np.bincount(whole.vertex - 1, minlength=incidence.size - 1))
    roles = np.full(len(whole.vertex), ANY, np.uint8)
    cells = whole.vertex * incidence.size + whole.hyperedge
    for bit, part in ((TAIL, incidence.tails), (HEAD, incidence.heads)):
        if part is not None:
            own = part.transposed if transposed else part
            roles[np.searchsorted(cells, own.vertex * incidence.size + own.hyperedge)] |= bit
    return starts, (whole.hyperedge - 1).astype(np.int32), roles
