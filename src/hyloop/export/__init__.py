"""Export: a PyTorch module, a file of one iteration for PyTorch, and an ONNX file that contains the loop.

>>> import hyloop
>>> from hyloop.export import to_torch
>>> module = to_torch(hyloop.compile("bfs", hyloop.Capacity(rows=10, weight=1)))  # doctest: +SKIP
>>> h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
>>> module.run(h, source="a")["level"]  # doctest: +SKIP
{'a': 0, 'b': 1, 'c': 2}
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyloop.errors import HyloopError
from hyloop.execute.session import Session
from hyloop.machine.model import Model

if TYPE_CHECKING:
    import torch

    from hyloop.export.torch import Attention, LoopedTransformer

__all__ = ["start_torch", "to_onnx", "to_pt2", "to_torch"]


def to_torch(
    model: Model,
    *,
    dtype: str | torch.dtype | None = None,
    device: str | torch.device | None = None,
    attention: Attention = "hard",
    temperature: float | None = None,
    trainable: bool = False,
) -> LoopedTransformer:
    """The model as a `torch.nn.Module`, with heads and MLPs named after their purposes.

    `attention="softmax"` with a temperature is a differentiable relaxation; `trainable` makes the weights parameters
    that require gradients. The dtype is the model's by default; with hard attention and fixed weights, another
    one must be exact too.
    """
    try:
        from hyloop.export.torch import build
    except ModuleNotFoundError as missing:
        raise _needs("PyTorch", "torch", missing) from None
    return build(model, dtype=dtype, device=device, attention=attention, temperature=temperature, trainable=trainable)


def start_torch(*args: Any, **options: Any) -> Session:
    """The backend `torch`: a run by the module."""
    try:
        from hyloop.export.session import start
    except ModuleNotFoundError as missing:
        raise _needs("PyTorch", "torch", missing) from None
    return start(*args, **options)


def to_onnx(model: Model, path: str | Path) -> None:
    """Write the model to one ONNX file: the layers, the loop around them, the halting, and labels for everything."""
    try:
        from hyloop.export.onnx import write
    except ModuleNotFoundError as missing:
        raise _needs("onnx", "onnx", missing) from None
    write(model, path)


def to_pt2(model: Model, path: str | Path) -> None:
    """Write one iteration to a file of `torch.export` (.pt2), which PyTorch loads and runs without hyloop.

    The loop around it, until the halt flag is 1, is the caller's. The extra file `model.json` describes the columns.
    """
    try:
        from hyloop.export.pt2 import write
    except ModuleNotFoundError as missing:
        raise _needs("PyTorch", "torch", missing) from None
    write(model, path)


def _needs(what: str, package: str, missing: ModuleNotFoundError) -> Exception:
    """An error that says what to install (the extra has the package's name); other errors are returned unchanged."""
    if (missing.name or "").partition(".")[0] != package:
        return missing
    return HyloopError(f"This needs {what}, which is not installed: pip install 'hyloop[{package}]'.")
