"""Sparse products with the incidence: zeros of the matrix and of the vector are skipped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from hyloop.hypergraph_batch import ANY, HEAD, TAIL
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import HeadKind

FloatArray = npt.NDArray[np.floating]


# Of each matrix its transpose.
OPPOSITE: Mapping[HeadKind, HeadKind] = {
    "incidence": "transposed",
    "transposed": "incidence",
    "tails": "tails_transposed",
    "tails_transposed": "tails",
    "heads": "heads_transposed",
    "heads_transposed": "heads",
}

# The members of hyperedges that a matrix has entries for, as bits of their role; and those that lead to hyperedges.
ROLES: Mapping[HeadKind, int] = {
    "incidence": ANY,
    "transposed": ANY,
    "tails": TAIL,
    "tails_transposed": TAIL,
    "heads": HEAD,
    "heads_transposed": HEAD,
}
TO_HYPEREDGES: frozenset[HeadKind] = frozenset({"transposed", "tails_transposed", "heads_transposed"})


@dataclass(frozen=True, eq=False)
class Sparse:
    """Where each row of the body is added to: row `j` goes to `target[start[j]:start[j + 1]]`, times `value`."""

    start: npt.NDArray[np.int64]
    target: npt.NDArray[np.int32]
    value: FloatArray

    @staticmethod
    def of(incidence: PaddedIncidence, kind: HeadKind, padded: int, dtype: str) -> Sparse:
        """The entries for products with a kind's matrix: `Ã` (by hyperedge), `Ãᵀ` (by vertex) and so on."""
        entries = incidence.of_kind(OPPOSITE[kind])
        start = np.cumsum(np.bincount(entries.vertex, minlength=padded + 1))  # rows are numbered from 1
        return Sparse(start, (entries.hyperedge - 1).astype(np.int32), entries.value.astype(dtype, copy=False))

    def times(self, vector: FloatArray) -> FloatArray:
        """The product with a vector, zeros skipped."""
        found = np.zeros(len(vector), dtype=self.value.dtype)
        sources = np.flatnonzero(vector)
        if len(sources) == 1:
            (j,) = sources
            places = slice(self.start[j], self.start[j + 1])
            found[self.target[places]] += self.value[places] * vector[j]  # never -0
        elif len(sources):
            counts = np.diff(self.start)[: len(vector)]
            spread = np.repeat(vector, counts) * self.value
            found += np.bincount(self.target, weights=spread, minlength=len(vector)).astype(found.dtype)
        return found


_kept: WeakKeyDictionary[PaddedIncidence, dict[tuple[str, int], Mapping[HeadKind, Sparse]]] = WeakKeyDictionary()


def both_ways(incidence: PaddedIncidence, dtype: str, padded: int) -> Mapping[HeadKind, Sparse]:
    """The entries for products with `Ã` and with `Ãᵀ`; where there are tails and heads, with those too.

    They are kept as long as the incidence is: several engines may run one input, and several inputs have one incidence.
    """
    known = _kept.setdefault(incidence, {})
    if (dtype, padded) not in known:
        known[dtype, padded] = {kind: Sparse.of(incidence, kind, padded, dtype) for kind in incidence.kinds}
    return known[dtype, padded]


def keep_both_ways(
    incidence: PaddedIncidence, dtype: str, padded: int, made: Callable[[], Mapping[HeadKind, Sparse] | None]
) -> None:
    """The same, to be made by a faster function, if it can."""
    known = _kept.setdefault(incidence, {})
    if (dtype, padded) not in known and (found := made()) is not None:
        known[dtype, padded] = found
