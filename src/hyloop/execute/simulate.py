"""The backends, by name: each a function `start(model, X, incidence) -> Session`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute import dense
from hyloop.execute.session import Session
from hyloop.machine.model import Model

FloatArray = npt.NDArray[np.floating]


def _cpu(*args: Any, **options: Any) -> Session:  # noqa: ANN401  (what a backend takes)
    from hyloop.execute import cpu  # noqa: PLC0415  (whoever does not use it need not wait for it)

    return cpu.start(*args, **options)


def _torch(*args: Any, **options: Any) -> Session:  # noqa: ANN401  (what a backend takes)
    from hyloop.export import start_torch  # noqa: PLC0415  (an extra, and it takes seconds)

    return start_torch(*args, **options)


def _dense(model: Model, X: FloatArray, *args: Any, **options: Any) -> Session:  # noqa: ANN401  (what a backend takes)
    dense.require_rows(X.shape[-2])
    return dense.start(model, X, *args, **options)


BACKENDS: Mapping[str, Callable[..., Session]] = {"cpu": _cpu, "dense": _dense, "torch": _torch}
