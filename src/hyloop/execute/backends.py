"""What can run a model. A backend is a function `start(model, X, incidence) -> Session`, named here and nowhere else.

`X` is `K × d` with one incidence, or `batch × K × d` with as many incidences. The function is imported when a run asks
for it: nobody waits for a backend that is not used, and one may stand above this layer, or need an extra (PyTorch). To
add one, write the function and name it here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from hyloop.execute.session import Session
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model
from hyloop.references import resolve

FloatArray = npt.NDArray[np.floating]

BACKENDS: Mapping[str, str] = {
    "cpu": "hyloop.execute.cpu:start",
    "dense": "hyloop.execute.dense:start_bounded",
    "torch": "hyloop.export:start_torch",
}


def start(backend: str, model: Model, X: FloatArray, incidence: PaddedIncidence | Sequence[PaddedIncidence]) -> Session:
    """Begin a run on the backend of that name."""
    session: Session = resolve(BACKENDS[backend])(model, X, incidence)
    return session
