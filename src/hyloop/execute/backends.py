"""The table of backends. A backend is a function `start(model, X, incidence) -> Session`; only this table names it.

`X` is `K × d` with one incidence, or `batch × K × d` with as many incidences. The function is imported on
first use, so it may be in a higher layer or need an optional package (PyTorch).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from hyloop.execute.columns import Columns, whole
from hyloop.execute.session import Session
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model
from hyloop.references import resolve

FloatArray = npt.NDArray[np.floating]

BACKENDS: Mapping[str, str] = {
    "cpu": "hyloop.execute.cpu:start",
    "cuda": "hyloop.execute.cuda:start",
    "dense": "hyloop.execute.dense:start_bounded",
    "torch": "hyloop.export:start_torch",
}


# Those that take one state by its columns, too.
BY_COLUMN = frozenset({"cpu"})


def start(
    backend: str, model: Model, X: FloatArray | Columns, incidence: PaddedIncidence | Sequence[PaddedIncidence]
) -> Session:
    """Start a session on the backend of that name."""
    session: Session = resolve(BACKENDS[backend])(model, X if backend in BY_COLUMN else whole(X), incidence)
    return session
