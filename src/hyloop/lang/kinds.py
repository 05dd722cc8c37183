"""The type of a value: its kind (flag, count, length, pointer) and its scope (scalar, per vertex, per hyperedge).

Users write the kinds as `Flag`, `Count`, `Length`, `Vertex` and `Hyperedge`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from typing import Any

from hyloop.lang.source import error


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
    """The length that is longer than all others; see `INFINITY`. With other constants it is what it is with values."""

    def __add__(self, other: object) -> Any:
        return INFINITY if _is_length(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> Any:
        if not _is_length(other):
            return NotImplemented
        return 0 if isinstance(other, Infinity) else INFINITY

    def __rsub__(self, other: object) -> Any:
        return 0 if _is_length(other) else NotImplemented

    def __mul__(self, factor: object) -> Any:
        times = exact(factor)
        if isinstance(times, Infinity):
            raise error("a length times a length is no length: multiply a length by a count.")
        if not isinstance(times, int):
            return NotImplemented
        if times < 0:
            raise error(f"a length can be multiplied by a whole number of at least 0 only, not by {times}.")
        return INFINITY if times else 0

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> Any:
        """0, as is the remainder: infinity is divided by nothing."""
        if not _is_length(other):
            return NotImplemented
        if not isinstance(other, Infinity):
            raise not_divided(other)
        return 0

    def __rfloordiv__(self, other: object) -> Any:
        return 0 if _is_length(other) else NotImplemented

    __mod__, __rmod__ = __floordiv__, __rfloordiv__

    def __lt__(self, other: object) -> Any:
        return False if _is_length(other) else NotImplemented

    def __le__(self, other: object) -> Any:
        return isinstance(other, Infinity) if _is_length(other) else NotImplemented

    def __gt__(self, other: object) -> Any:
        return not isinstance(other, Infinity) if _is_length(other) else NotImplemented

    def __ge__(self, other: object) -> Any:
        return True if _is_length(other) else NotImplemented

    def __repr__(self) -> str:
        return "INFINITY"

    def __reduce__(self) -> str:
        return "INFINITY"  # a singleton, also in copies


def _is_length(value: object) -> bool:
    """Whether a constant is a length; a number that is none is refused, and of anything else it is not our turn."""
    plain = exact(value)
    if isinstance(plain, int) and (plain or isinstance(plain, bool)):
        raise not_a_length(plain)
    return isinstance(plain, int | Infinity)


def not_a_length(value: object) -> Exception:
    """The error for a number beside lengths."""
    return error(
        f"{value} is not a length: lengths are in units of the weights, so only 0 and INFINITY can be written "
        "outright. Make it an input: `def f(h, limit: Length)`."
    )


def not_divided(by: object) -> Exception:
    """The error for a division by a constant 0, which is a mistake."""
    return error(f"nothing is divided by {by!r}. By a value that is 0, `a // b` and `a % b` give 0.")


def exact(value: Any) -> Any:
    """An integer or boolean of NumPy's as Python's own, which is equal; other numbers of NumPy's as far as they can be;
    anything else as it is."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.generic) or isinstance(value, numpy.timedelta64):
        return value
    return value.item()


def of_numpy(value: object) -> bool:
    """Whether something is a number or an array of NumPy's. Who has not imported it has neither."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic | numpy.ndarray)


INFINITY = Infinity()

# The constants of a program: False, True, a whole number, INFINITY, and None for "no vertex".
Constant = bool | int | Infinity | None

# The scope that a pointer points into, and the inverse.
SCOPE_OF = {Kind.VERTEX: Scope.VERTICES, Kind.HYPEREDGE: Scope.HYPEREDGES}
POINTER_TO = {scope: kind for kind, scope in SCOPE_OF.items()}

Flag, Count, Length, Vertex, Hyperedge = Kind
