"""PyTorch Geometric: `HyperGraphData`.

`edge_index` has the incidences: vertex numbers in row 0, hyperedge numbers in row 1. Weights are the float64 tensor
hyperedge_weight, named like the argument of `HypergraphConv`; the labels are the lists vertex_labels and
hyperedge_labels. It cannot hold attributes, and a hypergraph cannot hold feature tensors: both are lost with a warning.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.arrays import require_order
from hyloop.errors import HypergraphError
from hyloop.hypergraph import Hypergraph, positive_weight, shown
from hyloop.interop.common import EVERYTHING, Foreign, Library, ObjectReader, ObjectWriter, require_objects

KIND = Library(
    "PyTorch Geometric", "torch_geometric", ("HyperGraphData",), "pyg", "a HyperGraphData of PyTorch Geometric"
)
_RELABEL = "Put strings or integers into vertex_labels and hyperedge_labels."
_VERTICES, _HYPEREDGES = "vertex_labels", "hyperedge_labels"
_WEIGHT = "hyperedge_weight"
_KNOWN = frozenset({"num_nodes", _WEIGHT, _VERTICES, _HYPEREDGES})


def from_pyg(thing: Foreign, *, weight: str | None = _WEIGHT) -> Hypergraph:
    """The hypergraph of a HyperGraphData. `weight` names the tensor of the hyperedges' weights (None: all are 1).

    Without the lists vertex_labels and hyperedge_labels, the labels are the numbers in `edge_index`, from 0.
    """
    KIND.require(thing)
    fields = thing.to_dict()
    if "ptr" in fields:
        raise HypergraphError(
            "This is a batch; batch.to_data_list() has its hypergraphs, and hyloop.run_many runs them."
        )
    given = fields.pop("edge_index", None)
    pairs = np.zeros((2, 0), np.int64) if given is None else _array(given, "edge_index")
    if pairs.ndim != 2 or len(pairs) != 2 or pairs.dtype.kind not in "iu" or (pairs.size and pairs.min() < 0):
        raise HypergraphError("The edge_index must be a tensor of two rows of numbers from 0.")
    weights = None if weight is None else fields.pop(weight, None)
    if weight not in {None, _WEIGHT} and weights is None:
        raise HypergraphError(f"The HyperGraphData has no {weight}.")
    numbers = None if weights is None else _weights(weights, weight or "")
    reading = ObjectReader(KIND, _RELABEL)
    counts = _counts(fields, pairs, numbers)
    unread = fields.keys() - (_KNOWN - ({_WEIGHT} if weight is not None else set()))
    reading.left_out += [f"the field {name}" for name in fields if name in unread]
    if not fields.keys() & {_VERTICES, _HYPEREDGES}:
        reading.hypergraph()  # an empty one; it warns of what is left out
        return Hypergraph.from_arrays(pairs[0], pairs[1], numbers, counts=counts)  # nothing is made one by one
    require_objects(sum(counts), pairs.shape[1])
    vertices = _labels(fields, _VERTICES, counts[0], "vertices")
    hyperedges = _labels(fields, _HYPEREDGES, counts[1], "hyperedges")
    made = [reading.vertex(label) for label in vertices]
    if len(reading.vertices) != len(made):
        raise HypergraphError("Two vertices have the same label; each may occur once.")
    sets = [reading.hyperedge(label) for label in hyperedges]
    if numbers is not None:
        reading.weights = dict(zip(sets, map(positive_weight, numbers, sets), strict=True))
    for vertex, hyperedge in pairs.T.tolist():
        reading.incidence(sets[hyperedge], made[vertex])
    return reading.hypergraph()


def _weights(given: Foreign, name: str) -> npt.NDArray[Any]:
    """The numbers of a tensor with one for each hyperedge, which may stand in a column, as features do."""
    array = _array(given, name)
    column = array.ndim == 2 and array.shape[1] == 1
    if array.ndim != 1 and not column:
        raise HypergraphError(
            f"The weights {name} have the shape {array.shape}, not one number for each hyperedge; store the numbers "
            "that are meant in a field of their own, and name that one as weight (weight=None: all weights are 1)."
        )
    return array[:, 0] if column else array


def _array(given: Foreign, name: str) -> npt.NDArray[Any]:
    """The numbers of a tensor, or of an array or a list, which a HyperGraphData may hold as well."""
    try:
        if hasattr(given, "detach"):
            given = given.detach().cpu()
            # numpy has no bfloat16; Python prints one as the float64 that it is.
            given = (given.double() if str(given.dtype) == "torch.bfloat16" else given).numpy()
        return np.asarray(given)
    except (TypeError, ValueError, RuntimeError, OverflowError):  # a sparse tensor, lists of several lengths
        raise HypergraphError(f"The {name} must be a dense tensor of numbers, or an array or a list of them.") from None


def _counts(fields: dict[str, Foreign], pairs: Foreign, numbers: Foreign) -> tuple[int, int]:
    """The numbers of vertices and hyperedges; HyperGraphData's own properties guess, and may guess wrong."""
    vertices, hyperedges = (int(row.max()) + 1 if row.size else 0 for row in pairs)
    known = fields.get("num_nodes")
    if known is None:
        known = _length(fields, _VERTICES, _length(fields, "x", vertices))
    many = _length(fields, _HYPEREDGES, _length(fields, "edge_attr", hyperedges) if numbers is None else len(numbers))
    try:
        known = index(known)  # also a tensor of torch
    except TypeError:
        raise HypergraphError(f"num_nodes is how many vertices there are, not {shown(known)}.") from None
    for what, count, least in (("vertices", known, vertices), ("hyperedges", many, hyperedges)):
        if count < least:
            raise HypergraphError(f"The edge_index names {what} beyond the {count:,} there are.")
    if numbers is not None and len(numbers) != many:
        raise HypergraphError(f"There are {len(numbers):,} weights for {many:,} hyperedges.")
    return known, many


def _length(fields: dict[str, Foreign], name: str, otherwise: int) -> int:
    """How many entries a field has, if it is there."""
    if fields.get(name) is None:
        return otherwise
    try:
        return len(fields[name])
    except TypeError:
        raise HypergraphError(
            f"The field {name} has an entry for each row, and is not {shown(fields[name])}."
        ) from None


def _labels(fields: dict[str, Foreign], name: str, count: int, what: str) -> list[object]:
    many = _length(fields, name, count)
    require_order(**{name: fields.get(name)})
    if many != count:
        raise HypergraphError(f"There are {many:,} labels for {count:,} {what}.")
    return list(range(count)) if fields.get(name) is None else list(fields[name])


def to_pyg(H: Hypergraph) -> Foreign:
    """A `torch_geometric.data.HyperGraphData` with edge_index, hyperedge_weight and the lists of labels.

    A weight that no float stands for is rounded, and all annotations are lost, with a warning.
    """
    module = KIND.imported(
        "torch_geometric.data.hypergraph_data"
    )  # the package does not name it in torch_geometric.data
    torch = KIND.imported("torch")
    writing = ObjectWriter(H, KIND)
    writing.require_undirected()
    writing.leaves_behind(*EVERYTHING)
    incidence = H.incidence_transposed
    pairs = np.stack([incidence.indices, incidence.row_numbers()])
    made = module.HyperGraphData(edge_index=torch.tensor(pairs, device="cpu"))
    made.num_nodes = len(H.vertices)
    made.hyperedge_weight = torch.tensor(writing.float_weights(), device="cpu")
    made.vertex_labels, made.hyperedge_labels = list(H.vertices), list(H.hyperedges)
    writing.warn()
    return made
