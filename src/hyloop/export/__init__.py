"""The same weights in other tools: a PyTorch module, and an ONNX file with the loop inside.

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

__all__ = ["start_torch", "to_onnx", "to_torch"]


def to_torch(
    model: Model,
    *,
    dtype: str | torch.dtype | None = None,
    device: str | torch.device | None = None,
    attention: Attention = "hard",
    temperature: float | None = None,
    trainable: bool = False,
) -> LoopedTransformer:
    """The model as an ordinary `torch.nn.Module`, with heads and MLPs named after what they do.

    `attention="softmax"` with a temperature is the relaxation that gradients flow through; `trainable` lets them reach
    the weights. The dtype is the model's own unless another one is exact, or exactness is not asked for.
    """
    try:
        from hyloop.export.torch import build
    except ModuleNotFoundError as missing:
        raise _needs("PyTorch", "torch", missing) from None
    return build(model, dtype=dtype, device=device, attention=attention, temperature=temperature, trainable=trainable)


def start_torch(*args: Any, **options: Any) -> Session:
    """A run by the module, as a backend: what `backend="torch"` is."""
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


def _needs(what: str, package: str, missing: ModuleNotFoundError) -> Exception:
    """The sentence that says what to install (the extra is called like the package); other errors stay as they are."""
    if (missing.name or "").partition(".")[0] != package:
        return missing
    return HyloopError(f"This needs {what}, which is not installed: pip install 'hyloop[{package}]'.")
