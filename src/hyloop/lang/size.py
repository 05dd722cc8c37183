"""Numbers that follow from the size of the hypergraph alone: `h.vertices.count`, and a loop's `at_most`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from hyloop.errors import HyloopError
from hyloop.lang.budgets import DIGITS, ITERATIONS, SIZE_DEPTH, SIZE_PARTS, SIZE_TEXT
from hyloop.lang.kinds import exact
from hyloop.lang.refusals import NotDecided, called_right
from hyloop.lang.source import error


def _choices(n: int, k: int) -> int:
    """`n` choose `k`. Every factor is at least 2, so the limit is reached in a few steps or not at all."""
    if n >= ITERATIONS:
        return ITERATIONS if k else 1
    found, fewer = int(k <= n), min(k, n - k)
    for taken in range(1, fewer + 1):
        found = found * (n - fewer + taken) // taken
        if found >= ITERATIONS:
            return ITERATIONS
    return found


def _power(n: int, k: int) -> int:
    """`n` to the power `k`. A base of at least 2 reaches the limit in a few steps."""
    if n < 2:
        return n if k else 1
    found = 1
    for _ in range(k):
        found *= n
        if found >= ITERATIONS:
            return ITERATIONS
    return found


# `ITERATIONS` means "this or more", also after a subtraction.
_OPERATORS: Mapping[str, Callable[..., int]] = {
    "+": lambda a, b: min(a + b, ITERATIONS),
    "-": lambda a, b: a if a >= ITERATIONS else max(a - b, 0),
    "*": lambda a, b: min(a * b, ITERATIONS),
    "//": lambda a, b: a if a >= ITERATIONS else a // b,
    "**": _power,
    "max": max,
    "choose": _choices,
    "log2": lambda n: max(n - 1, 0).bit_length(),
}
SHOWN = 200  # characters of an invalid size that a message quotes
_BINDS = {"+": 1, "-": 1, "*": 2, "//": 2, "**": 3}
_NAMES = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Pow: "**"}
_CALLS = {"max": 2, "choose": 2, "log2": 1}
_TAKES = "takes sizes and whole numbers, and this is known at run time only; "
_NOT_TRACED = {
    "max": f"`largest` {_TAKES}write `larger(a, b)`, also in `at_most`.",
    "choose": f"`choose` {_TAKES}write a bound of the result as a size.",
    "log2": f"`log2` {_TAKES}of an input, declare a bound: `k: at_most(Count, 10)`.",
}


class Traced:
    """A value known only at run time. Its own operators handle operations between it and a size."""

    __slots__ = ()

    def _as_size(self) -> Size | None:
        """What it is at most, if that is a size."""
        return None


@dataclass(frozen=True)
class Size(NotDecided):
    """An expression in `n_v` and `n_e`, with `+`, `-` (at least 0), `*`, `//`, `**`, `max`, `choose` and `log2`.

    Intermediate values saturate at 10^18: no loop runs so long, and every size is computed quickly.

    >>> n = Size.of("n_v")
    >>> str(n * 2 + 1), (n * 2 + 1).at(5, 0)
    ('n_v * 2 + 1', 11)
    """

    operator: str
    parts: tuple[Size, ...] = ()
    value: int = 0
    extent: int = field(default=1, init=False, repr=False, compare=False)  # how many numbers and operators it has
    depth: int = field(default=1, init=False, repr=False, compare=False)

    @staticmethod
    def of(value: str | int | Size) -> Size:
        """`n_v`, `n_e`, or a whole number."""
        value = exact(value)
        if isinstance(value, Size):
            return value._plain()
        if isinstance(value, str) and value in {"n_v", "n_e"}:
            return Size(value)
        if type(value) is int and abs(value) >= 10**DIGITS:
            raise TypeError(f"a number of more than {DIGITS} digits cannot be a size")
        if type(value) is not int or value < 0:
            raise TypeError(f"{value!r} is not a whole number of at least 0")
        return Size("constant", value=value)

    def _plain(self) -> Size:
        """The size without a tracer, which Python compares as data."""
        return self

    def _wrapped(self, size: Size) -> Size:
        """The result of an operation with this size, with the same kind of comparison."""
        return size

    def at(self, vertices: int, hyperedges: int) -> int:
        """The number for a hypergraph of that size."""
        leaves = {"n_v": vertices, "n_e": hyperedges, "constant": min(self.value, ITERATIONS)}
        if self.operator in leaves:
            return leaves[self.operator]
        return _OPERATORS[self.operator](*(part.at(vertices, hyperedges) for part in self.parts))

    @property
    def counts(self) -> frozenset[str]:
        """Which of `n_v` and `n_e` occur in it."""
        if self.operator in {"n_v", "n_e"}:
            return frozenset({self.operator})
        return frozenset().union(*(part.counts for part in self.parts))

    def most(self, rows: int) -> int:
        """The maximum for at most `rows` vertices and hyperedges.

        Not always the number for the largest hypergraph: `n_v - n_e` is largest without hyperedges. An upper bound;
        exact if neither count occurs twice and each `choose` picks a count or a constant number.
        """
        return self._interval(rows)[1]

    @property
    def least(self) -> int:
        """No more than it is on any hypergraph."""
        return self._interval(ITERATIONS)[0]

    def never_exceeds(self, other: Size, rows: int) -> bool:
        """Whether it is shown that, on every hypergraph of so many rows, this is at most the other.

        Sums and multiples are compared count by count; anything else only with what is the same.
        """
        if other.most(rows) >= ITERATIONS:
            return False  # what a size beyond the limit is, nobody knows
        mine, its = self._linear(), other._linear()
        if mine is None or its is None:
            return self._plain() == other._plain()
        return False not in [a <= b for a, b in zip(mine, its, strict=True)]

    def _linear(self) -> tuple[int, int, int] | None:
        """How often it has each of the two counts, and 1; None for what is no sum of multiples."""
        leaves = {"n_v": (1, 0, 0), "n_e": (0, 1, 0), "constant": (0, 0, self.value)}
        if self.operator in leaves:
            return leaves[self.operator]
        if self.operator not in {"+", "*"}:
            return None
        left, right = (part._linear() for part in self.parts)
        if left is None or right is None:
            return None
        if self.operator == "+":
            return left[0] + right[0], left[1] + right[1], left[2] + right[2]
        if left[:2] != (0, 0) and right[:2] != (0, 0):
            return None
        factor, times = (left[2], right) if left[:2] == (0, 0) else (right[2], left)
        return factor * times[0], factor * times[1], factor * times[2]

    def _interval(self, rows: int) -> tuple[int, int]:
        if self.operator in {"n_v", "n_e"}:
            return 0, rows
        if self.operator == "constant":
            return (min(self.value, ITERATIONS),) * 2
        join = _OPERATORS[self.operator]
        if self.operator == "log2":
            (low, high) = self.parts[0]._interval(rows)
            return join(low), join(high)
        (low, high), (least, most) = (part._interval(rows) for part in self.parts)
        if self.operator == "-":
            # A saturated value minus anything may be anything.
            return (0 if most >= ITERATIONS else join(low, most)), join(high, least)
        if self.operator == "choose":
            # For fixed n, choose(n, k) is largest at the middle k and smallest at the ends.
            return min(join(low, least), join(low, most)), join(high, min(max(high // 2, least), most))
        return join(low, least), join(high, most)

    def __post_init__(self) -> None:
        if self.operator == "//" and (self.parts[1].operator != "constant" or self.parts[1].value < 1):
            raise TypeError(f"{self.parts[1]} is not a whole number of at least 1, by which a size can be divided")
        if self.operator == "**" and self.parts[1].operator != "constant":
            raise TypeError(f"{self.parts[1]} is not a whole number of at least 0, to whose power a size can be raised")
        object.__setattr__(self, "extent", 1 + sum(part.extent for part in self.parts))
        object.__setattr__(self, "depth", 1 + max((part.depth for part in self.parts), default=0))
        if self.extent > SIZE_PARTS or self.depth > SIZE_DEPTH:
            raise TypeError(f"a size has at most {SIZE_PARTS} numbers and operators, nested {SIZE_DEPTH} deep")

    @property
    def is_sum(self) -> bool:
        """Whether it is made of counts and constants with `+`, `-` and multiples: a machine can compute it."""
        if self.operator == "*" and "constant" not in {part.operator for part in self.parts}:
            return False
        return self.operator in {"n_v", "n_e", "constant", "+", "-", "*"} and all(part.is_sum for part in self.parts)

    @property
    def is_computed(self) -> bool:
        """Whether a machine can compute it, if only by looking numbers up; else it is a bound and nothing more."""
        return self.operator not in {"**", "choose", "log2"} and all(part.is_computed for part in self.parts)

    @called_right
    def choose(self, k: Size | int) -> Size:
        """The binomial coefficient: the number of subsets of size `k`."""
        return _joined("choose", self, k)

    def __add__(self, other: Size | int) -> Size:
        return NotImplemented if isinstance(other, Traced) else _joined("+", self, other)

    def __radd__(self, other: int) -> Size:
        return _joined("+", other, self)

    def __sub__(self, other: Size | int) -> Size:
        return NotImplemented if isinstance(other, Traced) else _joined("-", self, other)

    def __rsub__(self, other: int) -> Size:
        return _joined("-", other, self)

    def __mul__(self, other: Size | int) -> Size:
        return NotImplemented if isinstance(other, Traced) else _joined("*", self, other)

    def __rmul__(self, other: int) -> Size:
        return _joined("*", other, self)

    def __floordiv__(self, other: int) -> Size:
        return NotImplemented if isinstance(other, Traced) else _joined("//", self, other)

    def __pow__(self, other: int) -> Size:
        return NotImplemented if isinstance(other, Traced) else _joined("**", self, other)

    def _nothing_else(self, _: object = None) -> NoReturn:
        raise error(
            "a size has `+`, `-`, `*`, `//` and `**` by a whole number, `n.choose(k)`, `log2(n)` and `largest(a, b)`, "
            "nothing else."
        )

    def __mod__(self, other: object) -> Any:
        return NotImplemented if isinstance(other, Traced) else self._nothing_else()

    __truediv__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __neg__ = _nothing_else
    __pos__ = __abs__ = __invert__ = __divmod__ = __rdivmod__ = __lshift__ = __rshift__ = _nothing_else

    def _one_number(self, *_: object) -> NoReturn:
        raise error("a size is one number, not known yet; it has no length, no entries, and Python cannot visit it.")

    __len__ = __iter__ = __contains__ = __getitem__ = __setitem__ = __delitem__ = _one_number

    def __call__(self) -> NoReturn:
        """Refused: a size is not a method."""
        raise error("a count is not called; leave out the brackets: `h.vertices.count`.")

    def __str__(self) -> str:
        if not self.parts:
            return str(self.value) if self.operator == "constant" else self.operator
        if self.operator in _CALLS:
            return f"{self.operator}({', '.join(map(str, self.parts))})"
        left, right = self.parts
        binds = _BINDS[self.operator]
        if self.operator == "**":
            return f"{_bracketed(left, binds + 1)} ** {right}"
        return f"{_bracketed(left, binds)} {self.operator} {_bracketed(right, binds + 1)}"


def _bracketed(size: Size, binds: int) -> str:
    return f"({size})" if _BINDS.get(size.operator, 9) < binds else str(size)


def _joined(operator: str, *parts: Size | int) -> Size:
    """The combined size; errors point at the user's line."""
    if operator in _NOT_TRACED and any(isinstance(part, Traced) for part in parts):
        raise error(_NOT_TRACED[operator])
    try:
        size = Size(operator, tuple(Size.of(_counted(part)) for part in parts))
    except TypeError as wrong:
        raise error(f"{wrong}.") from None
    for each in parts:
        size = each._wrapped(size) if isinstance(each, Size) else size
    return size


def _counted(value: Size | int) -> Size | int:
    """True and False count as 1 and 0, as beside any number; anything else as it is."""
    plain: Size | int = exact(value)
    return int(plain) if isinstance(plain, bool) else plain


@called_right
def largest(a: Size | int, b: Size | int) -> Size:
    """The larger of two sizes."""
    return _joined("max", a, b)


def log2(a: Size | int) -> Size:
    """The logarithm to base 2, rounded up: how often `a` is halved until 1 is left. 0 for 0."""
    bound = a._as_size() if isinstance(a, Traced) else None
    return _joined("log2", a if bound is None else bound)


def parse_size(text: str) -> Size:
    """Parse a size that `str` wrote."""
    if len(text) > SIZE_TEXT:
        raise HyloopError(f"A size has at most {SIZE_TEXT:,} letters; this one has {len(text):,}.")
    try:
        return _parsed(ast.parse(text, mode="eval").body)
    except (SyntaxError, TypeError, KeyError, ValueError, RecursionError, MemoryError):
        raise HyloopError(f"{text[:SHOWN]!r} is not a size, such as `n_e + 1`.") from None


def _parsed(node: ast.expr) -> Size:
    match node:
        case ast.Constant(value=int(value)):
            return Size.of(value)
        case ast.Name(id=("n_v" | "n_e") as name):
            return Size.of(name)
        case ast.BinOp(left=left, op=op, right=right):
            return Size(_NAMES[type(op)], (_parsed(left), _parsed(right)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if _CALLS.get(name) == len(args):
            return Size(name, tuple(_parsed(arg) for arg in args))
        case _:
            raise TypeError
