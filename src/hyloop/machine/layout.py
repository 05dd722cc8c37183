"""Which column of the state `X` holds what, and its contents before the first layer.

The state has a *global* row 0; row `j ≥ 1` is vertex `j` and also hyperedge `j`. A column is *global* (a scalar, kept
in row 0) or an array (row 0 is zero). The initial value of a column is a sum of terms, none of which depends on the
incidence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.lang.purpose import Purpose
from hyloop.machine.positions import PositionCode

FloatArray = npt.NDArray[np.floating]

Region = Literal["global", "rows", "vertices", "hyperedges", "past vertices", "past hyperedges"]
# Where a column may be other than 0: on row 0, on the other rows, or on all of them with one value.
ColumnScope = Literal["global", "array", "uniform"]
MOST_TABLE = 2**20  # rows that a model may need for numbers that it looks up


# What a column is for: biases, positions, classes of rows, weights and sizes that the encoder writes; inputs; states of
# the program; states that the compiler made, for values computed an iteration ahead and for "the loop has started"; the
# halt flag; temporary values; room for hidden units. The paper's machines have values only.
Role = Literal[
    "bias", "position", "class", "weight", "size", "input", "state", "ahead", "started", "halt", "temporary", "spare",
    "value",
]  # fmt: skip


@dataclass(frozen=True)
class Fill:
    """A declared constant on a class of rows."""

    value: float
    rows: Region


@dataclass(frozen=True)
class Position:
    """The position code of each row `j ≥ 1`: its first (0) or second (1) part."""

    part: Literal[0, 1]


@dataclass(frozen=True)
class Pointer:
    """On row 0, the position code of a number: a constant, or an input of that name."""

    part: Literal[0, 1]
    to: int | str


@dataclass(frozen=True)
class Mark:
    """A declared constant on the one row that an input names."""

    value: float
    at: str


@dataclass(frozen=True)
class Weights:
    """The weight of hyperedge `j` on row `j`, in integer units."""


@dataclass(frozen=True)
class Everywhere:
    """On every row, an input: the number of a row, or an integer in the unit of the weights, up to `most`."""

    name: str
    most: int


@dataclass(frozen=True)
class Entries:
    """On row `j`, the entry of vertex or hyperedge `j` in an input that is an array: an integer up to `most`."""

    name: str
    of: Literal["vertices", "hyperedges"]
    most: int


@dataclass(frozen=True)
class Cardinality:
    """On every row, how many vertices or hyperedges there are."""

    of: Literal["vertices", "hyperedges"]


@dataclass(frozen=True)
class Numbers:
    """The number of each row `j` of a class of rows; 0 elsewhere."""

    rows: Literal["vertices", "hyperedges"]


@dataclass(frozen=True)
class QuarterSquares:
    """`⌊j²/4⌋` on row `j`: with it, two reads multiply, since `ab = ⌊(a + b)²/4⌋ - ⌊(a - b)²/4⌋`."""


InitialTerm = Fill | Position | Pointer | Mark | Weights | Everywhere | Entries | Cardinality | Numbers | QuarterSquares


@dataclass(frozen=True)
class Column:
    """One column of the state: its name, where it may be non-zero, and the sum of terms it starts with."""

    name: str
    scope: ColumnScope
    initial: tuple[InitialTerm, ...] = ()
    role: Role = "value"
    of: str = ""  # which state, input, class of rows or position
    purposes: tuple[Purpose, ...] = ()  # of values that the compiler keeps there: what they are for


def largest_written(column: Column, rows: int, weight: int) -> int:
    """An upper bound of the sum of the absolute values of a column's terms on one of so many rows besides row 0.

    Row 0 and the other rows are bounded separately: a scalar that fills both is written once on each.
    """
    here = [(on, abs(_largest(term, rows, weight))) for term in column.initial for on in _rows_of(term)]
    return max(sum(most for on, most in here if on == row) for row in ("global", "rows"))


def _largest(term: InitialTerm, rows: int, weight: int) -> int:
    match term:
        case Fill(value) | Mark(value):
            return math.ceil(abs(value))
        case Position(part) | Pointer(part):
            return rows * rows if part else rows
        case Weights():
            return weight
        case Everywhere(_, most) | Entries(_, _, most):
            return most
        case Cardinality() | Numbers():
            return rows
        case QuarterSquares():
            return rows * rows // 4


def _rows_of(term: InitialTerm) -> tuple[Literal["global", "rows"], ...]:
    """Whether a term is written on row 0, on the others, or on both."""
    match term:
        case Fill(_, "global") | Pointer():
            return ("global",)
        case Everywhere() | Cardinality():
            return "global", "rows"
        case _:
            return ("rows",)


# The columns that every machine has: the two biases and the positions.
B_GLOBAL, B_LOCAL, P1, P2 = "B_global", "B_local", "P_1", "P_2"
STANDARD = (
    Column(B_GLOBAL, "global", (Fill(1, "global"),), "bias", "global"),
    Column(B_LOCAL, "array", (Fill(1, "rows"),), "bias", "rows"),
    Column(P1, "array", (Position(0),), "position", "number"),
    Column(P2, "array", (Position(1),), "position", "square"),
)


# Reserved columns of a compiled machine; a state of such a name is kept in a column of another name.
OWN = frozenset({B_GLOBAL, B_LOCAL, P1, P2, "vertices", "hyperedges", "weight", "n_v", "n_e", "started", "halt"})


def state_column(name: str) -> str:
    """The column that holds a state: of the same name, unless that is one of the machine's own."""
    return f"state {name}" if name in OWN else name


@dataclass(frozen=True)
class Layout:
    """The columns of a machine in order, with its position code, kind of incidence entries and halt column.

    A `directed` machine is given the incidences of tails and of heads beside `Ã`. `least` is how many rows besides row
    0 there must be: a machine that multiplies or divides looks numbers up in the rows of these numbers. Where an input
    has fewer, the encoder adds padding rows.
    """

    columns: tuple[Column, ...]
    positions: PositionCode
    halt: str
    incidence: Literal["ones", "weights"] = "weights"
    directed: bool = False
    least: int = 0

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ModelError(f"Column names must differ; {', '.join(repeated)} occurs more than once.")
        for name in (B_GLOBAL, B_LOCAL, P1, P2, self.halt):
            if name not in names:
                raise ModelError(f"The layout has no column {name!r}; every machine needs it.")

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each column by its name."""
        return {column.name: number for number, column in enumerate(self.columns)}

    def __len__(self) -> int:
        return len(self.columns)

    def number(self, name: str) -> int:
        """The number of the column of that name."""
        try:
            return self.numbers[name]
        except KeyError:
            known = ", ".join(self.numbers)
            raise ModelError(f"There is no column {name!r}; the columns are {known}.") from None
