"""From a hypergraph to the machine's input: the first state `X` and the padded incidence `Ã`.

The encoder writes positions, row classes, weights, declared constants and inputs, and computes nothing. Its input is a
`Frame`, which has no incidence, so the first state cannot depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from hyloop.errors import CapacityError, ModelError
from hyloop.execute.columns import Columns
from hyloop.execute.pages import zeros
from hyloop.hypergraph import Hypergraph, Incidence, Integers
from hyloop.lang.program import InputValue
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layout import (
    Cardinality,
    Entries,
    Everywhere,
    Fill,
    InitialTerm,
    Layout,
    Mark,
    Numbers,
    Pointer,
    Position,
    QuarterSquares,
    Region,
    Weights,
)
from hyloop.machine.model import Model
from hyloop.machine.positions import Parabola
from hyloop.numbers import counted

FloatArray = npt.NDArray[np.floating]

KEPT = 1 << 16  # rows up to which the common part of first states is kept for other runs: some megabytes


@dataclass(frozen=True)
class Frame:
    """All that the encoder may know: counts, integer weights, inputs (numbers of rows, from 1; arrays), and `K`."""

    vertices: int
    hyperedges: int
    weights: Integers
    inputs: Mapping[str, InputValue] = field(default_factory=dict)
    padding: int = 0

    def __post_init__(self) -> None:
        if type(self.padding) is not int or self.padding < 0:
            raise ModelError(f"There cannot be {self.padding!r} padding rows.")

    @cached_property
    def size(self) -> int:
        """`K`: the global row, and at least one other, since the paper's termination test needs a row to attend to."""
        return max(self.vertices, self.hyperedges, 1) + 1 + self.padding


def largest(weights: Integers) -> int:
    """The largest of integer weights; 1 if there is none."""
    return max(weights, default=1) if isinstance(weights, tuple) else int(weights.max(initial=1))


def frame(hypergraph: Hypergraph, inputs: Mapping[str, InputValue] | None = None, padding: int = 0) -> Frame:
    """What the encoder may know of a hypergraph."""
    return Frame(*hypergraph.counts, hypergraph.in_units[0], dict(inputs or {}), padding)


def encode(model: Model, given: Frame, begun: FloatArray | None = None) -> FloatArray:
    """The first state: every column the sum of its terms. Raises `CapacityError` for an input that does not fit.

    `begun` is what `encode_without_inputs` gives for the same model and hypergraph: only the inputs are added then.
    """
    if begun is None:
        return _placed(model, _fitting(model, given), lambda _: True).astype(model.dtype, copy=False)
    return _placed(model, _fitting(model, given), _takes_input, begun.copy(order="K"))


def encode_by_column(model: Model, given: Frame, begun: Columns | None = None) -> Columns:
    """The same, by its columns: only those are written on all rows that differ from row to row.

    `begun` is what `encode_by_column_without_inputs` gives.
    """
    given = _fitting(model, given)
    if begun is not None:
        return _placed_by_column(model, given, _takes_input, begun)
    if given.size > KEPT or model.dtype != "float64" or not has_integers(model):  # others depend on the order of sums
        return _placed_by_column(model, given, _is_any, None)
    common = _common(model, given.vertices, given.hyperedges, given.padding)
    return _placed_by_column(model, given, _is_given, common)


@lru_cache(maxsize=4)
def _common(model: Model, vertices: int, hyperedges: int, padding: int) -> Columns:
    """What the first states of all hypergraphs of a size have in common: all but weights and inputs."""
    found = _placed_by_column(model, Frame(vertices, hyperedges, (), {}, padding), _is_fixed, None)
    for vector in found.vectors.values():
        vector.flags.writeable = False
    return found


def encode_by_column_without_inputs(model: Model, given: Frame) -> Columns:
    """The first state without the terms that inputs determine, by its columns."""
    return _placed_by_column(model, _fitting(model, given), _is_not_input, None)


def _placed_by_column(
    model: Model, given: Frame, wanted: Callable[[InitialTerm], bool], begun: Columns | None
) -> Columns:
    """The wanted terms, added to what was begun."""
    numbers = np.zeros((2, len(model.layout))) if begun is None else begun.numbers.astype(np.float64)
    vectors = _codes(model, given) if begun is None else dict(begun.vectors)
    codes, changed = frozenset(vectors) if begun is None else frozenset(), []
    for number, terms, uniform in _wanted(model, wanted):
        if number in codes or not (terms or begun is None):
            continue  # there is nothing to add
        changed.append(number)
        into = numbers[:, number]
        if not uniform:
            into = vectors[number].astype(np.float64) if number in vectors else np.zeros(given.size)
            vectors[number] = into
        for term in terms:
            PLACE[type(term)](into, term, given, model.layout)
    for number in vectors if begun is None else vectors.keys() & changed:
        numbers[:, number] = vectors[number][:2]
        vectors[number] = vectors[number].astype(model.dtype, copy=False)
    parts = (given.size, numbers.astype(model.dtype, copy=False), vectors, has_integers(model))
    return Columns(*parts, begun, frozenset(changed) if begun is not None else frozenset())


@lru_cache(maxsize=64)
def _wanted(
    model: Model, wanted: Callable[[InitialTerm], bool]
) -> tuple[tuple[int, tuple[InitialTerm, ...], bool], ...]:
    """The wanted terms of each column, and whether all of its terms are one number on all rows but row 0."""
    return tuple(
        (number, tuple(filter(wanted, column.initial)), all(map(_is_uniform, column.initial)))
        for number, column in enumerate(model.layout.columns)
    )


@lru_cache(maxsize=64)
def has_integers(model: Model) -> bool:
    """Whether the first state is made of integers alone, whatever is given: its terms are sums of such."""
    layout = model.layout

    def is_integer(term: InitialTerm) -> bool:
        match term:
            case Position() | Pointer():
                return isinstance(layout.positions, Parabola)
            case Fill() | Mark():
                return float(term.value).is_integer()
        return True

    return all(is_integer(term) for column in layout.columns for term in column.initial)


def _codes(model: Model, given: Frame) -> dict[int, FloatArray]:
    """The columns that have nothing but codes of positions, as most models have two of; row 0 has none."""
    alone = [(n, column.initial[0]) for n, column in enumerate(model.layout.columns) if len(column.initial) == 1]
    parts = {number: term.part for number, term in alone if isinstance(term, Position)}
    codes: FloatArray = model.layout.positions.table(given.size - 1) if parts else np.zeros((1, 2))
    if codes[0].any():
        codes = codes.copy()
        codes[0] = 0
    return {number: codes[:, part] for number, part in parts.items()}


def _is_uniform(term: InitialTerm) -> bool:
    """Whether a term is one number on all rows but row 0: it can be placed on two rows then."""
    return isinstance(term, Everywhere | Cardinality | Pointer) or (
        isinstance(term, Fill) and term.rows in ("global", "rows")
    )


def encode_without_inputs(model: Model, given: Frame) -> FloatArray:
    """The first state without the terms that inputs determine."""
    return _placed(model, _fitting(model, given), lambda term: not _takes_input(term)).astype(model.dtype, copy=False)


def given_columns(model: Model) -> frozenset[int]:
    """The columns that inputs have a say in."""
    return frozenset(n for n, column in enumerate(model.layout.columns) if any(map(_takes_input, column.initial)))


def encode_columns(
    model: Model,
    given: Frame,
    begun: FloatArray,
    inputs: Sequence[Mapping[str, InputValue]],
    room: Mapping[int, FloatArray] | None = None,
) -> dict[int, FloatArray]:
    """The columns of the first state that depend on inputs: for each a table with a row for every input.

    `begun` is what `encode_without_inputs` gives; `room` has tables of at least as many rows to write them to.
    """
    now: dict[str, InputValue] = {}
    frame = replace(_fitting(model, given), inputs=now)  # one for all: a frame takes longer than what it places
    found = {}
    for number in sorted(given_columns(model)):
        table = np.empty((len(inputs), len(begun)), begun.dtype) if room is None else room[number][: len(inputs)]
        table[:] = begun[:, number]
        found[number] = table
    for at, each in enumerate(inputs):
        now.update(each)
        for number, rows in found.items():
            for term in model.layout.columns[number].initial:
                if _takes_input(term):
                    PLACE[type(term)](rows[at], term, frame, model.layout)
    return found


def _fitting(model: Model, given: Frame) -> Frame:
    """The frame with as many rows as the model needs; raises for one that does not fit."""
    model.require(given.vertices, given.hyperedges, largest(given.weights))
    given = _widened(given, max(given.size, model.layout.least + 1))
    if given.size > model.last + 1:  # positions must be exact too
        raise CapacityError(
            f"With {given.padding:,} padding rows there are {given.size - 1:,} rows besides row 0; "
            f"this model holds at most {model.last:,}."
        )
    return given


def _placed(
    model: Model, given: Frame, wanted: Callable[[InitialTerm], bool], X: FloatArray | None = None
) -> FloatArray:
    """The wanted terms, added to `X`."""
    if X is None:
        X = zeros((len(model.layout), given.size)).T  # columns contiguous: they are written one by one
    for number, column in enumerate(model.layout.columns):
        for term in column.initial:
            if wanted(term):
                PLACE[type(term)](X[:, number], term, given, model.layout)
    return X


def _is_any(_: InitialTerm) -> bool:
    return True


def _is_given(term: InitialTerm) -> bool:
    """Whether a term depends on more than the numbers of vertices, hyperedges and rows."""
    return isinstance(term, Weights) or _takes_input(term)


def _is_fixed(term: InitialTerm) -> bool:
    return not _is_given(term)


def _is_not_input(term: InitialTerm) -> bool:
    return not _takes_input(term)


def _takes_input(term: InitialTerm) -> bool:
    return isinstance(term, Mark | Everywhere | Entries) or (isinstance(term, Pointer) and isinstance(term.to, str))


def pad(model: Model, hypergraph: Hypergraph, size: int) -> PaddedIncidence:
    """`Ã` with entries 1, or the paper's `w(e)`, as the model's layout says; where it says so, tails and heads too."""
    whole = _padded(model, hypergraph, hypergraph.incidence, size)
    if not model.layout.directed:
        return whole
    tails, heads = (
        whole if part is hypergraph.incidence else _padded(model, hypergraph, part, size)
        for part in (hypergraph.tails, hypergraph.heads)
    )
    return replace(whole, tails=tails, heads=heads)


def _padded(model: Model, hypergraph: Hypergraph, incidence: Incidence, size: int) -> PaddedIncidence:
    if model.layout.incidence == "ones":
        return PaddedIncidence.of_ones(size, incidence.indptr, incidence.indices)
    value = np.array(hypergraph.in_units[0], dtype=np.float64)[incidence.indices]
    return PaddedIncidence.of_sorted(size, incidence.row_numbers() + 1, incidence.indices + 1, value)


def batch(model: Model, frames: Sequence[Frame]) -> FloatArray:
    """The first states of several inputs, padded to one size: `batch × K × d`."""
    size = max(model.layout.least + 1, *(given.size for given in frames))
    return np.stack([encode(model, _widened(given, size)) for given in frames])


def _widened(given: Frame, size: int) -> Frame:
    return Frame(given.vertices, given.hyperedges, given.weights, given.inputs, given.padding + size - given.size)


def _rows(region: Region, given: Frame) -> slice:
    past_vertices, past_hyperedges = given.vertices + 1, given.hyperedges + 1
    bounds: dict[Region, tuple[int, int]] = {
        "global": (0, 1),
        "rows": (1, given.size),
        "vertices": (1, past_vertices),
        "hyperedges": (1, past_hyperedges),
        "past vertices": (past_vertices, given.size),
        "past hyperedges": (past_hyperedges, given.size),
    }
    return slice(*bounds[region])


def _input(name: str, given: Frame) -> int:
    if name not in given.inputs:
        raise ModelError(f"The input {name!r} is missing.")
    number = given.inputs[name]
    if not isinstance(number, int):
        raise ModelError(f"The input {name!r} is an array; this model takes the number of a row.")
    last = max(given.vertices, given.hyperedges)
    if not 1 <= number <= last:
        raise ModelError(f"The input {name!r} is row {number}; the vertices and hyperedges are rows 1 to {last}.")
    return number


def _place_fill(column: FloatArray, term: Fill, given: Frame, _: Layout) -> None:
    column[_rows(term.rows, given)] += term.value


def _place_position(column: FloatArray, term: Position, given: Frame, layout: Layout) -> None:
    column[1:] += layout.positions.table(given.size - 1)[1:, term.part]


def _place_pointer(column: FloatArray, term: Pointer, given: Frame, layout: Layout) -> None:
    number = term.to if isinstance(term.to, int) else _input(term.to, given)
    column[0] += layout.positions.code(number)[term.part]


def _place_mark(column: FloatArray, term: Mark, given: Frame, _: Layout) -> None:
    column[_input(term.at, given)] += term.value


def _place_weights(column: FloatArray, _: Weights, given: Frame, __: Layout) -> None:
    column[1 : given.hyperedges + 1] += given.weights


def _place_everywhere(column: FloatArray, term: Everywhere, given: Frame, _: Layout) -> None:
    if term.name not in given.inputs:
        raise ModelError(f"The input {term.name!r} is missing.")
    value = given.inputs[term.name]
    if not isinstance(value, int):
        raise ModelError(f"The input {term.name!r} is an array; this model takes one value.")
    if not 0 <= value <= term.most:
        raise CapacityError(
            f"The input {term.name!r} is {counted(value)} as an integer; this model holds 0 to {counted(term.most)}. "
            "A larger capacity (rows for a count, weight for a length), or a bound of its own (`at_most`), takes it."
        )
    column += value


def _place_entries(column: FloatArray, term: Entries, given: Frame, _: Layout) -> None:
    values, rows = given.inputs.get(term.name), _rows(term.of, given)
    if not isinstance(values, tuple) or len(values) != rows.stop - rows.start:
        raise ModelError(f"The input {term.name!r} must be an array over the {term.of}, one integer for each of them.")
    largest = max(values, default=0)
    if min(values, default=0) < 0 or largest > term.most:
        raise CapacityError(
            f"An entry of the input {term.name!r} is {counted(largest)} as an integer; this model holds 0 to "
            f"{counted(term.most)}. A larger capacity (weight), or a bound of its own (`at_most`), takes it."
        )
    column[rows] += values


def _place_size(column: FloatArray, term: Cardinality, given: Frame, _: Layout) -> None:
    column += given.vertices if term.of == "vertices" else given.hyperedges


def _place_numbers(column: FloatArray, term: Numbers, given: Frame, _: Layout) -> None:
    rows = _rows(term.rows, given)
    column[rows] += np.arange(rows.start, rows.stop)


def _place_quarters(column: FloatArray, _: QuarterSquares, given: Frame, __: Layout) -> None:
    column += np.arange(given.size, dtype=np.int64) ** 2 // 4


PLACE: Mapping[type[InitialTerm], Callable[..., None]] = {
    Fill: _place_fill,
    Position: _place_position,
    Pointer: _place_pointer,
    Mark: _place_mark,
    Weights: _place_weights,
    Everywhere: _place_everywhere,
    Entries: _place_entries,
    Cardinality: _place_size,
    Numbers: _place_numbers,
    QuarterSquares: _place_quarters,
}
