"""Which engine runs an input."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopWarning, ModelError
from hyloop.execute.columns import Columns, whole
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.native.engine import NativeEngine
from hyloop.execute.cpu.native.library import OLDEST, UnusableError, unusable
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.quiet.relay import ROWS, Relay
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]

ENGINE_VARIABLE = "HYLOOP_CPU_ENGINE"


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
        """Run at most that many iterations, until the halt flag is 1. An interrupted iteration has no effect."""


def engine_of(
    model: Model, plan: Plan, X: FloatArray | Columns, incidence: PaddedIncidence, wanted: str | None
) -> Engine:
    """The engine asked for, or the best available; all compute the same."""
    if wanted != "numpy":
        reason = unusable()
        if reason is None:
            try:
                if wanted == "quiet" or (wanted is None and len(X) > ROWS):
                    return Relay(model, plan, X, incidence, at_once=wanted == "quiet")
                return NativeEngine(model, plan, whole(X), incidence)
            except UnusableError as wrong:
                reason = str(wrong)
        if wanted is not None:
            raise ModelError(f"The {wanted} engine needs llvmlite {OLDEST} or later, and it cannot be used ({reason}).")
        _say_once(reason)
    return NumpyEngine(model, plan, whole(X), incidence)


@cache
def _say_once(reason: str) -> None:
    warnings.warn(
        f"The native engine needs llvmlite {OLDEST} or later, and it cannot be used ({reason}). Numpy computes the "
        f"same, but far slower; {ENGINE_VARIABLE}=numpy asks for it, without this warning.",
        HyloopWarning,
        stacklevel=2,
    )
