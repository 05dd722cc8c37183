"""Algorithms in the paper's style: columns declared first, then lists of lemmas, one list per layer.

`Steps` binds the ten corrected lemmas to one layout, so that a line of an algorithm reads like the paper's pseudo-code.
A pointer `p` is the pair of columns `p_1`, `p_2`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from hyloop.errors import CapacityError
from hyloop.machine.heads import Pair, identity
from hyloop.machine.layer import Layer, merge, no_mlp
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, STANDARD, Column, Fill, InitialTerm, Layout, Pointer, Position
from hyloop.machine.model import EXACT, Capacity, DType, Model
from hyloop.machine.positions import Circle, Parabola, PositionCode
from hyloop.numbers import counted, written
from hyloop.paper.lemmas import (
    comparison,
    conjunction,
    increment,
    read_incidence,
    read_scalar,
    repeat_addition,
    repeat_and,
    selection,
    termination,
    write_scalar,
)

CodeName = Literal["parabola", "circle"]

# Sums inside a layer stay below this many times the gate: a write adds two rows of two doubled values and a stale one.
SLACK = 16
# Helly's pointers run up to three past the last vertex.
PAST_THE_END = 3


@dataclass(frozen=True)
class Setting:
    """The parameters of a model of the paper: capacity, position code, precision; and the constants that follow."""

    capacity: Capacity
    code: PositionCode
    dtype: DType

    @property
    def infinity(self) -> int:
        """The paper's Ω: above every finite value that an algorithm holds, pointers included."""
        return infinity(self.capacity.rows, self.capacity.weight)

    @property
    def gate(self) -> int:
        """The Ω of the lemmas: no column exceeds it, not even `Ω + distance`."""
        return 2 * self.infinity


def infinity(rows: int, weight: int) -> int:
    """Four weights per row suffice for Helly's sums, a square for pointers that run on through both loops."""
    return max(4 * rows * weight, (2 * rows + PAST_THE_END) ** 2) + 2


# Default rows; on the circle so few that only true ties are within the tolerance.
ROWS: Mapping[tuple[CodeName, DType], int] = {
    ("parabola", "float64"): 131_071,
    ("parabola", "float32"): 100,
    ("circle", "float64"): 1000,
    ("circle", "float32"): 100,
}
TOLERANCE: Mapping[DType, float] = {"float64": 1e-9, "float32": 1e-4}


def setting(
    rows: int | None = None, weight: int | None = None, *, code: CodeName = "parabola", dtype: DType = "float64"
) -> Setting:
    """A setting for inputs of that size; by default `ROWS` and the largest weight that then fits."""
    if (code, dtype) not in ROWS:
        raise CapacityError(f"There is no machine with positions {code!r} in {dtype!r}.")
    rows = rows if rows is not None else ROWS[code, dtype]
    most = EXACT[dtype] // (2 * SLACK)
    weight = weight if weight is not None else max(1, (most - 2) // (4 * max(rows, 1)))
    capacity = Capacity(rows, weight)
    if infinity(rows, weight) > most:
        raise CapacityError(
            f"{counted(rows)} rows with weights up to {counted(weight)} need integers up to "
            f"{counted(2 * SLACK * infinity(rows, weight))}; "
            f"{dtype} is exact up to {EXACT[dtype]:,}. {_what_fits(rows, most)}"
        )
    return Setting(capacity, Parabola() if code == "parabola" else _circle(rows, dtype), dtype)


def _what_fits(rows: int, most: int) -> str:
    largest = (math.isqrt(most - 2) - PAST_THE_END) // 2
    if rows > largest:
        return f"At most {largest:,} rows fit."
    return f"With {rows:,} rows, weights up to {(most - 2) // (4 * rows):,} fit."


def _circle(rows: int, dtype: DType) -> Circle:
    positions, tolerance = rows + PAST_THE_END, TOLERANCE[dtype]
    margin = 1 - math.cos(2 * math.pi / (positions + 1))
    if margin < 10 * tolerance:
        about = written(Decimal(f"{margin:.1e}"))
        raise CapacityError(
            f"On a circle of {positions:,} positions neighbours differ by {about}, too little for the "
            f"tie tolerance of {written(tolerance)} in {dtype}. Use fewer rows, or the parabola."
        )
    return Circle(positions, dtype, tolerance)


def scalar(name: str, value: float = 0) -> tuple[Column, ...]:
    """A scalar that starts with a constant."""
    return (Column(name, "global", (Fill(value, "global"),) if value else ()),)


def array(name: str, *initial: InitialTerm) -> tuple[Column, ...]:
    """An array that starts with a sum of terms."""
    return (Column(name, "array", initial),)


def pointer(name: str, to: int | str = 0) -> tuple[Column, ...]:
    """A pointer, in two columns; 0 is none."""
    first, second = parts(name)
    return (Column(first, "global", (Pointer(0, to),)), Column(second, "global", (Pointer(1, to),)))


def pointers(name: str, *, own: bool = False) -> tuple[Column, ...]:
    """An array of pointers, in two columns: all empty, or each row's own position."""
    first, second = parts(name)
    return (
        Column(first, "array", (Position(0),) if own else ()),
        Column(second, "array", (Position(1),) if own else ()),
    )


def parts(name: str) -> Pair:
    """The two columns of a pointer."""
    return f"{name}_1", f"{name}_2"


def constants(given: Setting) -> tuple[Column, ...]:
    """Columns that no layer changes: 0, Ω, the pointer to nothing, rows past the vertices and past the hyperedges."""
    return (
        *array("zero"),
        Column("infinity", "array", (Fill(given.infinity, "global"), Fill(given.infinity, "rows"))),
        *pointer("none"),
        *array("past_vertices", Fill(1, "past vertices")),
        *array("past_hyperedges", Fill(1, "past hyperedges")),
    )


class Steps:
    """The corrected lemmas on one layout."""

    def __init__(self, given: Setting, *columns: tuple[Column, ...], halt: str = "halt") -> None:
        declared = tuple(column for group in columns for column in group)
        self.given = given
        self.layout = Layout((*STANDARD, *constants(given), *declared), given.code, halt)
        self._pointer_bound = given.code.largest(2 * given.capacity.rows + PAST_THE_END)

    def model(self, name: str, *layers: Sequence[Sequence[Layer]]) -> Model:
        """The model whose layers are these lists, each merged into one."""
        merged = tuple(merge(self.layout, [part for group in layer for part in group]) for layer in layers)
        tolerance = self.given.code.tie_tolerance
        return Model(name, self.layout, merged, self.given.capacity, self.given.dtype, tolerance)

    def select(self, target: str, condition: str, if_one: str, if_zero: str | None = None) -> list[Layer]:
        """`target ← if_one where condition`, else `if_zero` (unchanged if that is not given)."""
        return [self._select(target, condition, if_one, if_zero or target, self.given.gate)]

    def select_pointer(self, target: str, condition: str, if_one: str, if_zero: str | None = None) -> list[Layer]:
        """The same for both parts of a pointer.

        It has a smaller gate: a large one would round away the small sines of the circle.
        """
        columns = zip(parts(target), parts(if_one), parts(if_zero or target), strict=True)
        return [self._select(part, condition, one, zero, self._pointer_bound) for part, one, zero in columns]

    def copy(self, target: str, source: str) -> list[Layer]:
        """`target ← source`: a selection whose condition is always 0."""
        layer = selection.corrected(self.layout, "zero", source, source, target, omega=self.given.gate)
        return [layer.named(f"{target} ← {source}")]

    def clear_pointers(self, target: str) -> list[Layer]:
        """Both parts of an array of pointers become 0."""
        return [self._select(part, "zero", "zero", "zero", self._pointer_bound) for part in parts(target)]

    def _select(self, target: str, condition: str, if_one: str, if_zero: str, bound: float) -> Layer:
        layer = selection.corrected(self.layout, condition, if_zero, if_one, target, omega=bound)
        otherwise = "" if if_zero == target else f" else {if_zero}"
        return layer.named(f"{target} ← {if_one} if {condition}{otherwise}")

    def increment(self, target: str, source: str) -> list[Layer]:
        """`target ← source + 1`, for pointers."""
        layer = increment.corrected(self.layout, parts(source), parts(target))
        return [layer.named(f"{target} ← {source} + 1")]

    def less(self, target: str, smaller: str, larger: str) -> list[Layer]:
        """`target ← smaller < larger`."""
        return [comparison.corrected(self.layout, smaller, larger, target).named(f"{target} ← {smaller} < {larger}")]

    def both(self, target: str, left: str, right: str) -> list[Layer]:
        """`target ← left ∧ right`."""
        return [conjunction.corrected(self.layout, left, right, target).named(f"{target} ← {left} ∧ {right}")]

    def repeat_and(self, target: str, flag: str, without: str = "zero") -> list[Layer]:
        """`target[i] ← flag ∧ target[i] ∧ ¬without[i]`."""
        layer = repeat_and.corrected(self.layout, flag, target, without, "scratch")
        return [layer.named(f"{target} ← {flag} ∧ {target}" + (f" ∧ ¬{without}" if without != "zero" else ""))]

    def repeat_add(self, target: str, scalars: str | Mapping[str, float]) -> list[Layer]:
        """`target[i] += scalar`, or a signed sum of scalars."""
        layer = repeat_addition.corrected(self.layout, scalars, target)
        return [layer.named(f"{target} += {scalars if isinstance(scalars, str) else _sum(scalars)}")]

    def read(self, target: str, source: str, at: str) -> list[Layer]:
        """`target ← source[at]`."""
        layer = read_scalar.corrected(self.layout, parts(at), source, target, self.given.gate)
        return [layer.named(f"{target} ← {source}[{at}]")]

    def write(self, target: str, at: str, source: str) -> list[Layer]:
        """`target[at] ← source`."""
        return [self._write(target, at, source, self.given.gate)]

    def write_pointer(self, target: str, at: str, source: str) -> list[Layer]:
        """The same for both parts of a pointer, into an array of pointers."""
        columns = zip(parts(target), parts(source), strict=True)
        return [self._write(part, at, one, self._pointer_bound) for part, one in columns]

    def _write(self, target: str, at: str, source: str, bound: float) -> Layer:
        layer = write_scalar.corrected(self.layout, source, parts(at), target, bound)
        return layer.named(f"{target}[{at}] ← {source}")

    def all(self, target: str, source: str) -> list[Layer]:
        """`target ← no zero in source`."""
        layer = termination.corrected(self.layout, source, target, self.given.gate)
        return [layer.named(f"{target} ← no 0 in {source}")]

    def column(self, target: str, hyperedge: str) -> list[Layer]:
        """`target ← Ã[:, hyperedge]`."""
        return [read_incidence.corrected(self.layout, parts(hyperedge), target).named(f"{target} ← Ã[:, {hyperedge}]")]

    def row(self, target: str, vertex: str) -> list[Layer]:
        """`target ← Ã[vertex, :]`."""
        layer = read_incidence.corrected(self.layout, parts(vertex), target, "transposed")
        return [layer.named(f"{target} ← Ã[{vertex}, :]")]

    def product(self, target: str, source: str, factor: int = 1) -> list[Layer]:
        """`target ← factor · Ã source`: not among the paper's lemmas, but a head of its architecture."""
        heads = (
            identity(self.layout, {(source, target): factor}, "incidence"),
            identity(self.layout, {(target, target): -1}),
        )
        times = "" if factor == 1 else f"{factor} "
        return [Layer(heads, no_mlp(self.layout)).named(f"{target} ← {times}Ã {source}")]


def _sum(scalars: Mapping[str, float]) -> str:
    return " ".join(f"{'-' if factor < 0 else '+'} {name}" for name, factor in scalars.items()).removeprefix("+ ")


ONE, ONES = B_GLOBAL, B_LOCAL
