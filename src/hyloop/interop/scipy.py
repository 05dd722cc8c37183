"""scipy: a sparse incidence matrix (vertices × hyperedges) and a vector of weights."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from hyloop.arrays import require_room
from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, Number, by_label, is_integer, positive_weight, shown, weights_in_order
from hyloop.interop.common import EVERYTHING, Foreign, Library, ObjectReader, ObjectWriter, require_objects

KIND = Library("scipy", "scipy", ("sparray", "spmatrix"), "scipy", "a sparse matrix of scipy")
_RELABEL = "Pass other labels."


class Matrix(NamedTuple):
    """A hypergraph as a matrix; `from_scipy` reads it back."""

    incidence: Foreign
    weights: Foreign
    vertices: tuple[Label, ...]
    hyperedges: tuple[Label, ...]


def from_scipy(
    incidence: Foreign,
    weights: Iterable[Number] | None = None,
    vertices: Iterable[Label] | None = None,
    hyperedges: Iterable[Label] | None = None,
) -> Hypergraph:
    """The hypergraph of an incidence matrix, whose nonzero entries are the incidences.

    An entry that is not 1 becomes the weight of its incidence, which no algorithm reads; the weights of the hyperedges
    are `weights`, by default 1: in order, or a dictionary by label. Labels that are not given are the numbers of rows
    and columns, from 0. What `to_scipy` makes has all of them; those that are given replace its own.
    """
    if isinstance(incidence, Matrix):
        weights = incidence.weights if weights is None else weights
        vertices = incidence.vertices if vertices is None else vertices
        hyperedges = incidence.hyperedges if hyperedges is None else hyperedges
        incidence = incidence.incidence
    KIND.require(incidence)
    matrix = _copied(incidence)
    cells = matrix.tocoo()
    _warn_of_adjacency(matrix)
    columns = _labels(hyperedges, incidence.shape[1], "hyperedges", "columns")
    stated = None if weights is None else weights_in_order(weights, columns)
    if vertices is None and hyperedges is None and bool(np.isin(cells.data, (0, 1)).all()):
        there = cells.data == 1  # no label is given, and no incidence weighs anything: nothing is made one by one
        return Hypergraph.from_arrays(cells.row[there], cells.col[there], cast("Any", stated), counts=incidence.shape)
    require_objects(sum(incidence.shape), len(cells.data))
    reading = ObjectReader(KIND, _RELABEL)
    rows = _labels(vertices, incidence.shape[0], "vertices", "rows")
    for label in rows:
        reading.vertex(label)
    if len(reading.vertices) != len(rows):
        raise HypergraphError("Two vertices have the same label; each may occur once.")
    made = [reading.hyperedge(label) for label in columns]
    if stated is not None:
        reading.weights = dict(zip(made, map(positive_weight, stated, made), strict=True))
    for row, column, entry in zip(cells.row.tolist(), cells.col.tolist(), list(cells.data), strict=True):
        if entry != 0:
            said = {} if entry == 1 else {"weight": entry}
            reading.incidence(made[column], rows[row], said)
    return reading.hypergraph()


# -- consistent matrices ----------------------------------------------------------------------------------------
#
# The arrays of a matrix can be changed, and scipy then reads memory that is none of theirs.


def _copied(given: Foreign) -> Foreign:
    """A `csr_array` of the same entries, those of one place added as scipy does, or HypergraphError."""
    try:
        if len(given.shape) == 2 and given.dtype.kind in "biuf":
            require_room(given.shape[0], given.shape[1], given.nnz)
            if not _CONSISTENT[given.format](given):
                raise ValueError
            return _added(_wide(given))
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError):
        raise HypergraphError(
            "The arrays inside the sparse matrix are inconsistent: numbers or lengths do not fit its shape. "
            "scipy.sparse.coo_array((entries, (rows, columns)), shape) makes one from numbers from 0."
        ) from None
    raise HypergraphError("An incidence matrix has two dimensions and real entries.")


def _added(wide: Foreign) -> Foreign:
    """With one entry for each place. Signs are looked at first: those of one place could cancel."""
    if (wide.tocoo().data < 0).any():
        raise HypergraphError(
            "The matrix has negative entries, as oriented incidence matrices do; abs(matrix) is the one without signs."
        )
    matrix = wide.tocsr(copy=True)
    matrix.sum_duplicates()
    return matrix


def _wide(given: Foreign) -> Foreign:
    """The same entries as integers of 64 bits, so that no sum of those of one place wraps around."""
    if given.dtype.kind not in "iu":
        return given
    if given.format in {"csr", "csc", "bsr"}:
        given = given.copy()
        given.prune()  # of room for more
    entries = given.tocoo().data
    if given.nnz * max(int(entries.max(initial=0)), -int(entries.min(initial=0))) >= 2**63:
        raise HypergraphError("The entries of the matrix are too large to be added up exactly in 64 bits.")
    return given.astype(np.int64)


def _are_numbers(array: Foreign, below: int) -> bool:
    """Whether an array has one dimension, and numbers from 0 that are less than `below`."""
    if array.ndim != 1 or array.dtype.kind not in "iu":
        return False
    return not array.size or (int(array.min()) >= 0 and int(array.max()) < below)


def _are_compressed(given: Foreign, starts: int, below: int) -> bool:
    """Whether there are this many rows (csc: columns; bsr: rows of blocks), of numbers that are less than `below`."""
    ends, numbers = given.indptr, given.indices
    return (
        _are_numbers(ends, len(numbers) + 1)
        and _are_numbers(numbers[: ends[-1]], below)  # there may be room for more
        and len(ends) == starts + 1
        and int(ends[0]) == 0
        and bool((ends[1:] >= ends[:-1]).all())
        and len(given.data) == len(numbers)
    )


def _is_bsr(given: Foreign) -> bool:
    _, height, width = given.data.shape
    rows, columns = given.shape
    fits = min(height, width) > 0 and rows % height == 0 and columns % width == 0
    return fits and _are_compressed(given, rows // height, columns // width)


def _is_coo(given: Foreign) -> bool:
    numbers = (given.row, given.col)
    same = len({given.data.size, *map(len, numbers)}) == 1
    return given.data.ndim == 1 and same and all(map(_are_numbers, numbers, given.shape))


def _is_dia(given: Foreign) -> bool:
    count = len(given.offsets)
    numbers = given.offsets.ndim == 1 and given.offsets.dtype.kind in "iu"
    return numbers and given.data.ndim == 2 and count == len(given.data) == len(np.unique(given.offsets))


def _is_dok(given: Foreign) -> bool:
    return all(is_integer(number) for place in given.keys() for number in place)  # noqa: SIM118  (no dictionary)


def _is_lil(given: Foreign) -> bool:
    lines = len(given.rows) == len(given.data) == given.shape[0]
    return lines and all(
        len(numbers) == len(entries) and all(is_integer(number) and 0 <= number < given.shape[1] for number in numbers)
        for numbers, entries in zip(given.rows, given.data, strict=True)
    )


_CONSISTENT: Mapping[str, Callable[[Foreign], bool]] = {
    "csr": lambda given: given.data.ndim == 1 and _are_compressed(given, *given.shape),
    "csc": lambda given: given.data.ndim == 1 and _are_compressed(given, *given.shape[::-1]),
    "bsr": _is_bsr,
    "coo": _is_coo,
    "dia": _is_dia,
    "dok": _is_dok,
    "lil": _is_lil,
}


# -- labels and warnings ----------------------------------------------------------------------------------------


def _warn_of_adjacency(matrix: Foreign) -> None:
    if matrix.shape[0] != matrix.shape[1] or not matrix.nnz or matrix.diagonal().any():
        return
    if (matrix != matrix.T).nnz == 0:
        message = (
            "The sparse matrix is square and symmetric with an empty diagonal, like the adjacency matrix of a graph; "
            "it was read as an incidence matrix. networkx.from_scipy_sparse_array makes a graph of such a one."
        )
        warnings.warn(message, HyloopWarning, stacklevel=3)


def _labels(given: Iterable[Label] | None, count: int, what: str, lines: str) -> Sequence[Label]:
    if given is None:
        return range(count)
    # A set has no order, a string is probably a forgotten bracket, and an index or a dictionary may have another order.
    if isinstance(given, str | bytes | set | frozenset | Mapping) or by_label(given) is not given:
        advice = " [labels[row] for row in range(len(labels))] is one." if isinstance(given, Mapping) else ""
        raise HypergraphError(
            f"The labels of {what} are a list, in the order of the {lines}; not {shown(given)}.{advice}"
        )
    labels = list(given)
    if len(labels) != count:
        raise HypergraphError(f"There are {len(labels):,} labels of {what} for {count:,} {lines}.")
    return labels


def to_scipy(H: Hypergraph) -> Matrix:
    """The incidence matrix (a `csr_array` of 0 and 1 in float64), the weights, and the labels of rows and columns.

    A weight that no float stands for is rounded, and all annotations are lost, with a warning.
    """
    sparse = KIND.imported("scipy.sparse")
    writing = ObjectWriter(H, KIND)
    writing.require_undirected()
    writing.leaves_behind(*EVERYTHING)
    ones = np.ones(len(H.incidence.indices))
    shape = (len(H.vertices), len(H.hyperedges))
    matrix = sparse.csr_array((ones, H.incidence.indices.copy(), H.incidence.indptr.copy()), shape=shape)
    made = Matrix(matrix, writing.float_weights(), H.vertices, H.hyperedges)
    writing.warn()
    return made
