"""Data sets for PyTorch Geometric: `HyperGraphData`, or the star expansion as `Data`. Importing this needs PyG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch_geometric.data import Data
from torch_geometric.data import Dataset as PygDataset
from torch_geometric.data.hypergraph_data import HyperGraphData

from hyloop.data.loaders import Sample, Samples
from hyloop.data.torch_data import tensors
from hyloop.errors import HyloopError

_SHIFTED = frozenset({"x", "edge_index", "edge_attr"})  # what PyG knows how to join into a batch


class _Joined:
    """Arrays of ours are joined as they are. PyG shifts all that have `index` or `batch` in their name."""

    def __inc__(self, key: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        parent: Any = super()
        return parent.__inc__(key, value, *args, **kwargs) if key in _SHIFTED else 0

    def __cat_dim__(self, key: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        parent: Any = super()
        return parent.__cat_dim__(key, value, *args, **kwargs) if key in _SHIFTED else 0


class Star(_Joined, Data):
    """The graph of the incidences of an example."""


class Hypergraph(_Joined, HyperGraphData):
    """A `HyperGraphData` that knows how many vertices and hyperedges it has.

    The one of PyG takes the largest numbers in `edge_index` for the counts, so that batches of hypergraphs with a
    vertex in no hyperedge are shifted wrongly.
    """

    @property
    def num_nodes(self) -> int:
        """How many vertices there are."""
        return int(self.x.size(0))

    @property
    def num_edges(self) -> int:
        """How many hyperedges there are."""
        return int(self.edge_attr.size(0))


def hypergraph_data(sample: Sample) -> Hypergraph:
    """An example as hypergraph: `x`, `edge_index` (vertex, hyperedge), `edge_attr` of hyperedges, `output_NAME`.

    Pointers count from 0 in each example, also in a batch: `batch.ptr` has what to add.
    """
    found = tensors(sample.arrays())
    made = Hypergraph(x=found.pop("vertex"), edge_index=found.pop("incidence"), edge_attr=found.pop("hyperedge"))
    _finish(made, found, sample)
    return made


def star_data(sample: Sample) -> Star:
    """An example as the graph of its incidences: vertices, then hyperedges; an edge each way for every incidence.

    `x` has the channels of vertices, of hyperedges, and 1 for a hyperedge; the others' are 0. `edge_attr` is tail,
    head, and whether the edge leads to the hyperedge. `vertex_mask` and `hyperedge_mask` choose nodes.
    """
    found = tensors(sample.arrays())
    vertex, hyperedge, incidence = found.pop("vertex"), found.pop("hyperedge"), found.pop("incidence")
    n, ones = vertex.size(0), hyperedge.new_ones(hyperedge.size(0), 1)
    into = torch.stack([incidence[0], incidence[1] + n])
    sides = found.pop("incidence_features")
    leads = torch.cat([sides.new_ones(len(sides), 1), sides.new_zeros(len(sides), 1)])
    made = Star(
        x=_diagonal(vertex, torch.cat([hyperedge, ones], dim=1)),
        edge_index=torch.cat([into, into.flip(0)], dim=1),
        edge_attr=torch.cat([sides.repeat(2, 1), leads], dim=1),
    )
    made.vertex_mask = torch.arange(n + len(ones), device=vertex.device) < n
    made.hyperedge_mask = ~made.vertex_mask
    _finish(made, found, sample)
    return made


def _diagonal(above: torch.Tensor, below: torch.Tensor) -> torch.Tensor:
    """Two blocks, and 0 beside them."""
    found = above.new_zeros(len(above) + len(below), above.size(1) + below.size(1))
    found[: len(above), : above.size(1)] = above
    found[len(above) :, above.size(1) :] = below
    return found


def _finish(made: Any, found: dict[str, torch.Tensor], sample: Sample) -> None:
    for name, value in found.items():
        made[name] = value
    for name, value in sample.key.items():  # in a batch, `number` is a tensor, the names are lists
        made[name] = value


VIEWS = {"hypergraph": hypergraph_data, "star": star_data}


class PygSamples(PygDataset):
    """The examples of an algorithm for `torch_geometric.loader.DataLoader`, as "hypergraph" or as "star".

    Items hold `algorithm`, `part` and `number`: which example it is.
    """

    def __init__(self, samples: Sequence[Sample], *, view: str = "hypergraph") -> None:
        super().__init__()
        if view not in VIEWS:
            raise HyloopError(f"The view is one of {', '.join(VIEWS)}; not {view!r}.")
        self._all, self.view = samples, VIEWS[view]

    @property
    def samples(self) -> Sequence[Sample]:
        """The examples in the order of the data set, also of one that was sliced or shuffled."""
        return self._all if self._indices is None else Samples([self._all[place] for place in self.indices()])

    def len(self) -> int:
        """How many examples there are, whatever was chosen of them."""
        return len(self._all)

    def get(self, idx: int) -> Data:
        """An example in the chosen view."""
        return self.view(self._all[idx])
