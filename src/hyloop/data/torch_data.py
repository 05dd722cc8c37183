"""Data sets for torch: a `Dataset`, and what to give a `DataLoader` as `collate_fn`. Importing this needs torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils.data import Dataset

from hyloop.data.loaders import Sample, packed, padded

Tensors = dict[str, torch.Tensor]


def tensors(arrays: Mapping[str, Any]) -> Tensors:
    """Arrays of numpy as tensors."""
    return {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in arrays.items()}


class TorchSamples(Dataset[Sample]):
    """The examples of an algorithm; a `DataLoader` makes batches of them with `pad` or `pack`.

    `DataLoader(TorchSamples(data.load(folder, "dijkstra")), batch_size=32, shuffle=True, collate_fn=pad)`
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, place: int) -> Sample:
        return self.samples[place]


def pad(samples: Sequence[Sample]) -> Tensors:
    """A batch in rectangles, with masks; see `loaders.padded`."""
    return tensors(padded(samples))


def pack(samples: Sequence[Sample]) -> Tensors:
    """A batch end to end, as one hypergraph; see `loaders.packed`."""
    return tensors(packed(samples))
