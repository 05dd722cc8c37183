"""The three incidences of a hypergraph: all members, tails, heads; and what the operations along each are called.

Without direction all three are equal: every member is a tail and a head.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from hyloop.lang.kinds import Scope
from hyloop.lang.program import Program

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Matrix:
    """An incidence and the names of the operations along it; `product` and `transposed` are also kinds of heads."""

    handle: str  # as people write it, after `h.`
    product: str
    transposed: str
    members: str
    containing: str
    touching: str
    covered: str

    @property
    def operations(self) -> frozenset[str]:
        """All operations along it."""
        crossings = {self.members, self.containing, self.touching, self.covered}
        return frozenset({self.product, self.transposed, *crossings})

    @property
    def sides(self) -> Mapping[str, tuple[Scope, Scope]]:
        """Of it and of its transpose: from where to where."""
        there = Scope.HYPEREDGES, Scope.VERTICES
        return {self.product: there, self.transposed: there[::-1]}


def _directed(name: str) -> Matrix:
    crossings = (f"{name}_{each}" for each in ("transposed", "members", "containing", "touching", "covered"))
    return Matrix(name, name, *crossings)


INCIDENCE = Matrix("incidence", "incidence", "transposed", "members", "containing", "touching", "covered")
TAILS, HEADS = _directed("tails"), _directed("heads")
MATRICES = (INCIDENCE, TAILS, HEADS)

# Of each matrix and transpose: from where to where.
SIDES: Mapping[str, tuple[Scope, Scope]] = {name: sides for each in MATRICES for name, sides in each.sides.items()}
# Operations that tell tails from heads.
DIRECTED = TAILS.operations | HEADS.operations


def along_each(entries: Callable[[Matrix], Mapping[str, Entry]]) -> dict[str, Entry]:
    """The entries of a table of operations for all three incidences."""
    return {name: entry for each in MATRICES for name, entry in entries(each).items()}


def uses_direction(program: Program) -> bool:
    """Whether a program tells tails from heads."""
    return any(op.name in DIRECTED for section in (program.before, program.body) for op in section.ops)
