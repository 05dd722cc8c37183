"""The type of a value: its kind (flag, count, length, pointer) and its scope (scalar, per vertex, per hyperedge).

Users write the kinds as `Flag`, `Count`, `Length`, `Vertex` and `Hyperedge`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a value means."""

    FLAG = "flag"
    COUNT = "count"
    LENGTH = "length"
    VERTEX = "vertex"
    HYPEREDGE = "hyperedge"

    def __str__(self) -> str:
        return self.value

    @property
    def is_pointer(self) -> bool:
        """Whether a value is a vertex or hyperedge, or none."""
        return self is Kind.VERTEX or self is Kind.HYPEREDGE

    @property
    def is_number(self) -> bool:
        """Whether values can be added and ordered."""
        return self is Kind.COUNT or self is Kind.LENGTH

    @property
    def zero(self) -> Constant:
        """What reading at none gives: False, 0, or none."""
        return {Kind.FLAG: False, Kind.COUNT: 0, Kind.LENGTH: 0}.get(self)


class Scope(Enum):
    """A scalar, or an array over the vertices or hyperedges."""

    SCALAR = "scalar"
    VERTICES = "vertices"
    HYPEREDGES = "hyperedges"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Type:
    """A kind and a scope."""

    kind: Kind
    scope: Scope = Scope.SCALAR

    def __str__(self) -> str:
        return str(self.kind) if self.scope is Scope.SCALAR else f"{self.kind}[{self.scope}]"

    @property
    def phrase(self) -> str:
        """The type in words, for messages."""
        many = {Kind.VERTEX: "vertices", Kind.HYPEREDGE: "hyperedges"}.get(self.kind, f"{self.kind}s")
        if self.scope is Scope.SCALAR:
            return f"a {self.kind}"
        return f"{many} over the {self.scope}"


class Infinity:
    """The length that is longer than all others; see `INFINITY`."""

    def __repr__(self) -> str:
        return "INFINITY"

    def __reduce__(self) -> str:
        return "INFINITY"  # a singleton, also in copies


INFINITY = Infinity()

# The constants of a program: False, True, a whole number, INFINITY, and None for "no vertex".
Constant = bool | int | Infinity | None

# The scope that a pointer points into, and the inverse.
SCOPE_OF = {Kind.VERTEX: Scope.VERTICES, Kind.HYPEREDGE: Scope.HYPEREDGES}
POINTER_TO = {scope: kind for kind, scope in SCOPE_OF.items()}

Flag, Count, Length, Vertex, Hyperedge = Kind
