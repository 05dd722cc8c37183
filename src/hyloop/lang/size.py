"""Numbers that follow from the size of the hypergraph alone: `h.vertices.count`, and a loop's `at_most`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from hyloop.errors import HyloopError
from hyloop.lang.budgets import DIGITS, ITERATIONS, SIZE_DEPTH, SIZE_PARTS, SIZE_TEXT
from hyloop.lang.refusals import NotDecided
from hyloop.lang.source import error


def _choices(n: int, k: int) -> int:
    """`n` choose `k`. Every factor is at least 2, so that the limit is reached in a few steps or not at all."""
    if n >= ITERATIONS:
        return ITERATIONS if k else 1
    found, fewer = int(k <= n), min(k, n - k)
    for taken in range(1, fewer + 1):
        found = found * (n - fewer + taken) // taken
        if found >= ITERATIONS:
            return ITERATIONS
    return found


# `ITERATIONS` stands for itself and all beyond, also after something was taken from it.
_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: min(a + b, ITERATIONS),
    "-": lambda a, b: a if a >= ITERATIONS else max(a - b, 0),
    "*": lambda a, b: min(a * b, ITERATIONS),
    "//": lambda a, b: a if a >= ITERATIONS else a // b,
    "max": max,
    "choose": _choices,
}
SHOWN = 200  # letters of a bad size that a message shows
_BINDS = {"+": 1, "-": 1, "*": 2, "//": 2}
_NAMES = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}


class Traced:
    """What is known only when the program runs. It takes over the operations that a size has with it."""

    __slots__ = ()


@dataclass(frozen=True)
class Size(NotDecided):
    """An expression in `n_v` and `n_e`, with `+`, `-` (at least 0), `*`, `//`, `max` and `choose`.

    Whatever reaches 10^18 on the way is 10^18: a loop is never waited for so long, and every size is found at once.

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
        """The size alone, which Python compares as data."""
        return self

    def _wrapped(self, size: Size) -> Size:
        """What an operation with this size gives: one that compares as this one does."""
        return size

    def at(self, vertices: int, hyperedges: int) -> int:
        """The number for a hypergraph of that size."""
        leaves = {"n_v": vertices, "n_e": hyperedges, "constant": min(self.value, ITERATIONS)}
        if self.operator in leaves:
            return leaves[self.operator]
        left, right = (part.at(vertices, hyperedges) for part in self.parts)
        return _OPERATORS[self.operator](left, right)

    def most(self, rows: int) -> int:
        """The largest that it can be while there are at most so many vertices and hyperedges.

        Not always the number for the largest hypergraph: `n_v - n_e` is largest where there are no hyperedges. Never
        too small; exact where neither count occurs twice and each `choose` picks a count or a constant number.
        """
        return self._interval(rows)[1]

    def _interval(self, rows: int) -> tuple[int, int]:
        if self.operator in {"n_v", "n_e"}:
            return 0, rows
        if self.operator == "constant":
            return (min(self.value, ITERATIONS),) * 2
        (low, high), (least, most) = (part._interval(rows) for part in self.parts)
        join = _OPERATORS[self.operator]
        if self.operator == "-":
            # Of what is beyond the limit anything may be left over.
            return (0 if most >= ITERATIONS else join(low, most)), join(high, least)
        if self.operator == "choose":
            # For a fixed number of things the middle has the most choices, and the ends have the fewest.
            return min(join(low, least), join(low, most)), join(high, min(max(high // 2, least), most))
        return join(low, least), join(high, most)

    def __post_init__(self) -> None:
        if self.operator == "//" and (self.parts[1].operator != "constant" or self.parts[1].value < 1):
            raise TypeError(f"{self.parts[1]} is not a whole number of at least 1, by which a size can be divided")
        object.__setattr__(self, "extent", 1 + sum(part.extent for part in self.parts))
        object.__setattr__(self, "depth", 1 + max((part.depth for part in self.parts), default=0))
        if self.extent > SIZE_PARTS or self.depth > SIZE_DEPTH:
            raise TypeError(f"a size has at most {SIZE_PARTS} numbers and operators, nested {SIZE_DEPTH} deep")

    def choose(self, k: Size | int) -> Size:
        """How many sets of `k` there are among so many things."""
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

    def _nothing_else(self, _: object = None) -> NoReturn:
        raise error(
            "a size has `+`, `-`, `*`, `//` by a whole number, `n.choose(k)` and `largest(a, b)`, nothing else."
        )

    def __mod__(self, other: object) -> Any:
        return NotImplemented if isinstance(other, Traced) else self._nothing_else()

    __truediv__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __pow__ = __rpow__ = __neg__ = _nothing_else
    __pos__ = __abs__ = __invert__ = __divmod__ = __rdivmod__ = __lshift__ = __rshift__ = _nothing_else

    def _one_number(self, *_: object) -> NoReturn:
        raise error("a size is one number, not known yet; it has no length, no entries, and Python cannot visit it.")

    __len__ = __iter__ = __contains__ = __getitem__ = _one_number

    def __call__(self) -> NoReturn:
        """Refused: a size is no method."""
        raise error("a count is not called; leave out the brackets: `h.vertices.count`.")

    def __str__(self) -> str:
        if not self.parts:
            return str(self.value) if self.operator == "constant" else self.operator
        if self.operator in {"max", "choose"}:
            return f"{self.operator}({self.parts[0]}, {self.parts[1]})"
        left, right = self.parts
        binds = _BINDS[self.operator]
        return f"{_bracketed(left, binds)} {self.operator} {_bracketed(right, binds + 1)}"


def _bracketed(size: Size, binds: int) -> str:
    return f"({size})" if _BINDS.get(size.operator, 9) < binds else str(size)


def _joined(operator: str, left: Size | int, right: Size | int) -> Size:
    """Two sizes in one, or the error for the user's line."""
    try:
        size = Size(operator, (Size.of(left), Size.of(right)))
    except TypeError as wrong:
        raise error(f"{wrong}.") from None
    for each in (left, right):
        size = each._wrapped(size) if isinstance(each, Size) else size
    return size


def largest(a: Size | int, b: Size | int) -> Size:
    """The larger of two sizes."""
    return _joined("max", a, b)


def parse_size(text: str) -> Size:
    """The size that `str` wrote."""
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
        case ast.Call(func=ast.Name(id=("max" | "choose") as name), args=[first, second], keywords=[]):
            return Size(name, (_parsed(first), _parsed(second)))
        case _:
            raise TypeError
