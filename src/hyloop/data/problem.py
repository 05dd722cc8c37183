"""The problem that an example poses: its hypergraph as arrays, and its inputs. Verifiers read nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.data.columns import Example
from hyloop.hypergraph_batch import owners

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Problem:
    """A hypergraph with `n` vertices and `m` hyperedges as its incidences: `member[i]` is in `hyperedge[i]`.

    Incidences are sorted by hyperedge, then by vertex. `direction` is -1 for a tail, 1 for a head, 0 for both.
    """

    n: int
    m: int
    member: IntArray
    hyperedge: IntArray
    direction: IntArray
    weight: IntArray
    inputs: Mapping[str, Any]

    @staticmethod
    def of(document: Mapping[str, Any], example: Example) -> Problem:
        """The problem of an example; its outputs and hints are not read."""
        return Problem(
            int(example["vertices"]),
            int(example["hyperedges"]),
            np.asarray(example["member"], np.int64),
            owners(np, np.asarray(example["member_at"], np.int64)),
            np.asarray(example["direction"], np.int64),
            np.asarray(example["weight"], np.int64),
            {each["name"]: example[each["column"]] for each in document["inputs"]},
        )

    @cached_property
    def members_of(self) -> list[list[int]]:
        """The members of every hyperedge."""
        return _grouped(self.hyperedge, self.member, self.m)

    @cached_property
    def hyperedges_of(self) -> list[list[int]]:
        """The hyperedges of every vertex."""
        return _grouped(self.member, self.hyperedge, self.n)

    @cached_property
    def _keys(self) -> IntArray:
        return self.hyperedge * max(self.n, 1) + self.member

    def has(self, hyperedge: IntArray, vertex: IntArray) -> BoolArray:
        """Whether each hyperedge has the vertex; no for numbers that are none."""
        there: BoolArray = (vertex >= 0) & (vertex < self.n) & (hyperedge >= 0) & (hyperedge < self.m)
        if not len(self._keys):
            return np.zeros_like(there)
        key = np.where(there, hyperedge * max(self.n, 1) + vertex, 0)
        place = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
        there &= self._keys[place] == key
        return there

    def neighbours(self, a: int, b: int) -> bool:
        """Whether two vertices have a hyperedge in common."""
        return not set(self.hyperedges_of[a]).isdisjoint(self.hyperedges_of[b])

    def overlaps(self, hyperedge: int) -> IntArray:
        """How many vertices each hyperedge has in common with one of them."""
        met = [each for vertex in self.members_of[hyperedge] for each in self.hyperedges_of[vertex]]
        return np.bincount(np.array(met, np.int64), minlength=self.m)


def _grouped(by: IntArray, values: IntArray, count: int) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(count)]
    for group, value in zip(by.tolist(), values.tolist(), strict=True):
        found[group].append(value)
    return found
