"""The PyTorch module as a backend of `hyloop.run` and `hyloop.check`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from hyloop.errors import HyloopError
from hyloop.export.torch import TorchSession, build, hooked_everywhere
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
    if hooked_everywhere():
        raise HyloopError(
            "PyTorch has hooks for all modules (register_module_forward_hook), which could change any number: "
            "remove them, or run with another backend."
        )
    module = build(model, device=device)
    incidences = [incidence] if isinstance(incidence, PaddedIncidence) else list(incidence)
    return TorchSession(module, *module.tensors(X[np.newaxis] if X.ndim == 2 else X, incidences), single=X.ndim == 2)
