"""The PyTorch module as a backend: what `hyloop.run` and `hyloop.check` ask of one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from hyloop.errors import ModelError
from hyloop.export.torch import Looped, LoopedTransformer, build
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]


def start(
    model: Model,
    X: FloatArray,
    incidence: PaddedIncidence | Sequence[PaddedIncidence],
    *,
    device: str | torch.device | None = None,
) -> TorchSession:
    """Begin a run: `X` is `K × d` with one incidence, or `batch × K × d` with as many incidences."""
    module = build(model, device=device)
    incidences = [incidence] if isinstance(incidence, PaddedIncidence) else list(incidence)
    return TorchSession(module, *module.tensors(X[np.newaxis] if X.ndim == 2 else X, incidences), single=X.ndim == 2)


class TorchSession:
    """A batch being run by PyTorch."""

    def __init__(self, module: LoopedTransformer, X: torch.Tensor, A: torch.Tensor, *, single: bool) -> None:
        self._module, self._A, self._single = module, A, single
        self._found = self._run(X, 0)
        self._iterations = self._found.iterations

    def advance(self, iterations: int) -> None:
        """Apply the layers that many times to every item that has not halted."""
        if iterations < 0:
            raise ModelError(f"A session cannot advance by {iterations} iterations.")
        self._found = self._run(self._found.X, iterations)
        self._iterations = self._iterations + self._found.iterations

    def state(self) -> FloatArray:
        """A copy of the state, of the shape that was given."""
        X = self._found.X[0] if self._single else self._found.X
        return np.array(X.cpu().numpy())

    def iterations(self) -> npt.NDArray[np.int64]:
        """How many iterations each item has run."""
        return np.array(self._iterations.cpu().numpy())

    def halted(self) -> npt.NDArray[np.bool_]:
        """Whether `X[0, halt] = 1`, for each item."""
        return np.array(self._found.halted.cpu().numpy())

    def memory(self) -> int:
        """The states and copies, the incidence, and three matrices of its size: scores, pattern, and one between."""
        X = self._found.X
        return int(4 * X.nbytes + 4 * self._A.nbytes)

    def close(self) -> None:
        """Nothing to release."""

    def _run(self, X: torch.Tensor, limit: int) -> Looped:
        with torch.no_grad():
            return Looped(*self._module(X, self._A, limit))
