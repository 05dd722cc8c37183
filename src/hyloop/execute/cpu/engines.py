"""Which engine runs an input."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.native.engine import NativeEngine
from hyloop.execute.cpu.native.library import usable
from hyloop.execute.cpu.plan import Plan
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]


class Engine(Protocol):
    """Runs one input."""

    def bytes(self) -> int:
        """How much memory it holds."""

    def halted(self) -> bool:
        """Whether the halt flag is 1."""

    def state(self) -> FloatArray:
        """A copy of the state between iterations."""

    def stopped_before(self, layer: int) -> FloatArray:
        """A copy of the state before the layer that could not be applied."""

    @property
    def iterations(self) -> int:
        """How many iterations have been run."""

    def run(self, iterations: int) -> None:
        """Run so many iterations, fewer where the halt flag is 1 before. An interrupted one has not begun."""


def engine_of(model: Model, plan: Plan, X: FloatArray, incidence: PaddedIncidence, wanted: str | None) -> Engine:
    """The engine that is wanted, or the best that is there."""
    if wanted == "native" and not usable():
        raise ModelError("The native engine needs llvmlite, and it is not installed or does not know this CPU.")
    if wanted != "numpy" and usable():
        return NativeEngine(model, plan, X, incidence)
    return NumpyEngine(model, plan, X, incidence)
