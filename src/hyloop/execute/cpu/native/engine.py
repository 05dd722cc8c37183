"""Running native code on the memory of one input."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.memory import Memory
from hyloop.execute.cpu.native.emit import SLOTS
from hyloop.execute.cpu.native.gather import can_gather, gather
from hyloop.execute.cpu.native.layers import sources
from hyloop.execute.cpu.native.library import library
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.slow import InexactError, attend
from hyloop.execute.gathering import Gathered, Wanted
from hyloop.execute.pages import zeros
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]
ITERATIONS, STOPPED = SLOTS.index("iterations"), SLOTS.index("stopped")


class NativeEngine:
    """Runs one input. Where a layer has slow heads, layers are called one by one, and Python computes those heads."""

    def __init__(self, model: Model, plan: Plan, X: FloatArray, incidence: PaddedIncidence) -> None:
        self.model, self.plan = model, plan
        memory = self.memory = Memory(model, plan, X, incidence)
        self._library = library(plan)
        self._slow = any(layer.slow for layer in plan.layers)
        count = len(sources(plan))
        dtype = memory.first.dtype
        arrays = {
            "first": memory.first,
            "rest": memory.rest,
            "body": memory.body,
            "brought_first": memory.brought_first,
            "brought_rest": memory.brought_rest,
            "brought": memory.brought,
            "sources": zeros((count, memory.padded), dtype),
            "lists": np.empty((count, memory.padded), np.int32),
            "counts": np.zeros(count, np.int64),
            "flags": np.zeros(len(plan.layers), np.int64),
            "valid": zeros((1, memory.padded), dtype),
        }
        arrays["valid"][0, memory.rows :] = -np.inf
        for kind, sparse in memory.sparse.items():
            arrays |= {f"{kind}_start": sparse.start, f"{kind}_target": sparse.target, f"{kind}_value": sparse.value}
        self._arrays = arrays  # the context holds their addresses
        numbers = {"rows": memory.rows, "padded": memory.padded, "stopped": -1, "iterations": 0}
        slots = [arrays[slot].ctypes.data if slot in arrays else numbers.get(slot, 0) for slot in SLOTS]
        self._context = np.array(slots, dtype=np.int64)
        self._address = ctypes.c_void_p(self._context.ctypes.data)
        self._library.begin(self._address)

    def bytes(self) -> int:
        """How much memory it holds."""
        return sum(array.nbytes for array in self._arrays.values())

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        return self.memory.halted()

    def state(self) -> FloatArray:
        """A copy of the state between iterations."""
        return self.memory.state()

    def stopped_before(self, layer: int) -> FloatArray:
        """A copy of the state before the layer that could not be applied."""
        return self.memory.state(layer)

    @property
    def iterations(self) -> int:
        """How many iterations have been run; native code counts them itself, so that no interruption loses one."""
        return int(self._context[ITERATIONS])

    def run(self, iterations: int) -> None:
        """Run at most that many iterations, until the halt flag is 1. An interrupted iteration has no effect."""
        if self._slow:
            self._by_layers(iterations)
            return
        self._library.run(self._address, iterations)
        if self.stopped is not None:
            raise InexactError(self.stopped)

    def gather(self, wanted: Sequence[Wanted], most: int) -> list[Gathered]:
        """Run at most that many iterations and gather columns after each; nothing where it cannot be done so."""
        if not can_gather(self.plan, wanted):
            return []
        return gather(self.memory, self._library.run, self._address, wanted, most)

    @property
    def stopped(self) -> int | None:
        """The layer that could not be applied."""
        layer = int(self._context[STOPPED])
        return None if layer < 0 else layer

    def apply(self, layer: int) -> None:
        """Apply one layer, between two iterations or after the layer before. Raises `InexactError`."""
        self._layer(layer)

    def _by_layers(self, iterations: int) -> None:
        for _ in range(iterations):
            if self.memory.halted():
                return
            kept = self.memory.kept()
            try:
                for number in range(len(self.plan.layers)):
                    self._layer(number)
                self._context[ITERATIONS] += 1
            except InexactError:
                raise
            except BaseException:
                self.memory.restore(kept)
                self._library.begin(self._address)
                raise

    def _bring(self, number: int) -> None:
        """Compute the outputs of the slow heads of a layer."""
        memory = self.memory
        slow = self.plan.layers[number].slow
        X = memory.state(number) if slow else None
        for each in slow:
            assert X is not None
            seen = attend(self.model.layers[number].heads[each.head], X, memory.sparse)
            for column, to in enumerate(each.to):
                memory.brought_first[memory.offset(number) + to] = seen[0, column]
                memory.brought[memory.brought_place[number, to], : memory.rows] = seen[1:, column]

    def _layer(self, number: int) -> None:
        try:
            self._bring(number)
        except InexactError:
            raise InexactError(number) from None
        if self._library.layers[number](self._address):
            raise InexactError(number)
