"""One iteration of a model as a file of `torch.export`: PyTorch runs it, for any batch and any number of rows.

The loop depends on the data, so it stays with the caller: `X = step(X, A)` until `X[0, halt]` is 1. The extra file
`model.json` has what the metadata of an ONNX file have: the columns, the capacity, the program.
"""

from __future__ import annotations

import json
import warnings
from io import BytesIO
from pathlib import Path

import torch

from hyloop.atomic import path_of, write_out
from hyloop.export.names import labels
from hyloop.export.torch import build
from hyloop.machine.model import Model

ABOUT = "model.json"


def write(model: Model, path: str | Path) -> None:
    """Implements `hyloop.export.to_pt2`. The same model gives the same bytes, with one version of PyTorch."""
    path = path_of(path)
    data = BytesIO()
    torch.export.save(exported(model), data, extra_files={ABOUT: json.dumps(labels(model), sort_keys=True)})
    write_out(path, data.getvalue())


def exported(model: Model) -> torch.export.ExportedProgram:
    """One iteration, traced with two small inputs of no meaning; batch and rows are free."""
    module = build(model)
    three = (3,) if model.layout.directed else ()
    least = max(model.layout.least + 1, 2)  # rows; a file that is given fewer refuses them
    size = max(least, 3)
    X, A = module.zero.new_zeros(2, size, len(module.columns)), module.zero.new_zeros(2, *three, size, size)
    batch, rows = torch.export.Dim("batch", min=1), torch.export.Dim("rows", min=least)
    shapes = {"X": {0: batch, 1: rows}, "A": {0: batch, A.ndim - 2: rows, A.ndim - 1: rows}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's own
        return torch.export.export(module.iteration(), (X, A), dynamic_shapes=shapes)
