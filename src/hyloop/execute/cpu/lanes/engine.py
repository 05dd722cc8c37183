"""Running many inputs of one hypergraph side by side."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.lanes.boxes import Boxes, Observed, fitting
from hyloop.execute.cpu.lanes.shape import Shape, runs_in_lanes, shape_of
from hyloop.execute.cpu.native.engine import NativeEngine
from hyloop.execute.cpu.native.library import UnusableError, function, loaded, unusable
from hyloop.execute.cpu.plan import Plan, integral, plan_for
from hyloop.execute.cpu.sparse import OPPOSITE, both_ways
from hyloop.execute.pages import zeros
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model
from hyloop.standstill import Standstill

FloatArray = npt.NDArray[np.floating]
Integers = npt.NDArray[np.signedinteger[Any]]
Tables = Mapping[int, FloatArray]  # for each column that depends on inputs, a row for every input

CHUNK = 256  # iterations between two checks for Ctrl-C and for a state that repeats


class LeftError(Exception):
    """A lane cannot run with the others: which one, by its number."""

    def __init__(self, lane: int) -> None:
        super().__init__(lane)
        self.lane = lane


@dataclass(frozen=True, eq=False)
class Lanes:
    """A model and a hypergraph, ready for many inputs."""

    model: Model
    begun: FloatArray  # the first state, without what depends on inputs
    incidence: PaddedIncidence
    shape: Shape
    observed: Observed
    bits: int
    boxes: Boxes

    @property
    def width(self) -> int:
        """How many inputs run at once."""
        from hyloop.execute.cpu.lanes.code import lanes_of  # needs llvmlite

        return lanes_of(self.bits)


def lanes_for(
    model: Model, begun: FloatArray, incidence: PaddedIncidence, wanted: frozenset[int], samples: Tables
) -> Lanes | None:
    """The lanes of a model on a hypergraph, with boxes from some inputs; None if it has to run one by one.

    `wanted` are the columns that will be read at the end.
    """
    ones = all(bool(np.all(incidence.of_kind(kind).value == 1)) for kind in incidence.kinds)
    if unusable() is not None or not integral(model) or not ones:
        return None
    plan = plan_for(model, _state(begun, samples, 0))
    if not runs_in_lanes(plan) or not _hold(plan, samples):
        return None
    shape, observed = shape_of(plan, frozenset(samples), wanted), Observed(plan)
    return _fitted(
        model, begun, incidence, shape, observed, [_state(begun, samples, n) for n in range(_count(samples))]
    )


def widened(lanes: Lanes, X: FloatArray) -> Lanes | None:
    """The same, with boxes for another input as well; None if there are none."""
    return _fitted(lanes.model, lanes.begun, lanes.incidence, lanes.shape, lanes.observed, [X])


def _fitted(
    model: Model,
    begun: FloatArray,
    incidence: PaddedIncidence,
    shape: Shape,
    observed: Observed,
    inputs: Sequence[FloatArray],
) -> Lanes | None:
    read = _read(shape)
    try:
        for X in inputs:
            observed.largest = max(observed.largest, float(np.abs(X[:, read]).max(initial=0)))
            observed.run(NativeEngine(model, shape.plan, X, incidence))
    except UnusableError:
        return None
    rows = len(begun) - 1
    entries = both_ways(incidence, model.dtype, rows)
    degrees: dict[str, int] = {kind: int(np.diff(entries[OPPOSITE[kind]].start).max(initial=0)) for kind in entries}
    found = fitting(observed, rows, degrees)
    return None if found is None else Lanes(model, begun, incidence, shape, observed, *found)


def _read(shape: Shape) -> list[int]:
    """The columns that are read at the end, but for positions, which are what they were."""
    return sorted(shape.wanted - set(shape.plan.positions or ()))


def _count(tables: Tables) -> int:
    return max(map(len, tables.values()), default=1)


def _state(begun: FloatArray, tables: Tables, number: int) -> FloatArray:
    X = begun.copy(order="K")
    for column, table in tables.items():
        X[:, column] = table[number]
    return X


def _hold(plan: Plan, tables: Tables) -> bool:
    """Whether what the plan believes of the first state holds for all inputs."""
    return all(_holds(plan, column, table) for column, table in tables.items())


def _holds(plan: Plan, column: int, table: FloatArray) -> bool:
    fact = plan.boundary[column]
    if column in (plan.positions or ()) or (fact.first is not None and bool((table[:, 0] != fact.first).any())):
        return False
    if fact.rest is not None:
        return bool((table[:, 1:] == fact.rest).all())
    return fact.vector or bool((table[:, 1:] == table[:, 1:2]).all())


class Block:
    """As many inputs as there are lanes, in memory of their own: blocks may run in several threads."""

    def __init__(self, lanes: Lanes) -> None:
        from hyloop.execute.cpu.lanes.code import slots

        self.lanes, shape = lanes, lanes.shape
        self.dtype, self.width, self.rows = np.dtype(f"int{lanes.bits}"), lanes.width, len(lanes.begun) - 1
        columns, rows = len(shape.plan.boundary), self.rows

        def table(count: int, width: int = self.width) -> Any:
            return zeros((max(count, 1), width), self.dtype)

        self.arrays: dict[str, npt.NDArray[Any]] = {
            "first": table(columns),
            "rest": table(columns),
            "body": table(len(shape.places) * rows).reshape(-1, self.width),
            "shared": table(len(shape.shared), max(rows, 1)),
            "brought": table(len(shape.brought) * rows),
            "running": table(1),
            "iterations": zeros((1, self.width), np.int32),
            "bad": np.zeros(1, np.int64),
            "low": np.zeros(len(shape.guarded), self.dtype),
            "span": np.zeros(len(shape.guarded), self.dtype),
        }
        for kind, entries in both_ways(lanes.incidence, lanes.model.dtype, rows).items():
            self.arrays |= {f"{OPPOSITE[kind]}_start": entries.start, f"{OPPOSITE[kind]}_source": entries.target}
        self._guards()
        for column, place in shape.shared.items():
            self.arrays["shared"][place, :rows] = self._wrapped(lanes.begun[1:, column])
        found = [self.arrays[slot].ctypes.data if slot in self.arrays else rows for slot in slots(shape)]
        self._context = np.array(found, np.int64)
        self._library = _library(shape, lanes.bits)
        size = self.width, rows + 1
        self.room = {column: np.empty(size, lanes.begun.dtype) for column in shape.given}  # for tables
        self._columns = {column: np.empty(size, self.dtype) for column in shape.wanted}

    def _guards(self) -> None:
        layers = len(self.lanes.shape.plan.layers)
        for (layer, slot, column), at in self.lanes.shape.guarded.items():
            key = (layer + 1) % layers, "first" if slot == "first" else "body", column
            low, high = self.lanes.boxes.get(key, (0.0, 0.0))
            self.arrays["low"][at] = int(low)
            self.arrays["span"][at : at + 1].view(f"uint{self.lanes.bits}")[0] = int(high - low)

    def _wrapped(self, numbers: FloatArray) -> Integers:
        """Numbers as so many bits have them: sums that fit do not depend on the others."""
        return numbers.astype(np.int64).astype(self.dtype)

    def run(self, tables: Tables, most: int, name: str) -> None:
        """Run inputs, at most as many as there are lanes, to the end. Raises `LeftError`."""
        self.begin(tables)
        done, standstill = 0, Standstill(name, CHUNK)
        while done < most and not self._halted():
            done += self.advance(min(CHUNK, most - done))
            if not self._halted():
                standstill.look(done, lambda: tuple(self.arrays[each].copy() for each in ("first", "rest", "body")))
        if not self._halted():
            raise LeftError(0)

    def advance(self, iterations: int) -> int:
        """Run at most that many iterations, and return how many it were. Raises `LeftError`."""
        done = self._library(self._context.ctypes.data, iterations)
        if bad := int(self.arrays["bad"][0]):
            raise LeftError((bad & -bad).bit_length() - 1)
        return int(done)

    def begin(self, tables: Tables) -> None:
        """Write the first state of every lane; the last input stands for those that are left over."""
        begun, shape, rows = self.lanes.begun, self.lanes.shape, self.rows
        count = _count(tables)
        self._require_boxes(tables)
        lanes = np.minimum(np.arange(self.width), count - 1)
        self.arrays["first"][:] = self._wrapped(begun[0])[:, np.newaxis]
        self.arrays["rest"][:] = self._wrapped(begun[min(1, rows)])[:, np.newaxis]
        body = self._body()
        for column, place in shape.places.items():
            body[place] = self._wrapped(begun[1:, column])[:, np.newaxis]
        for column, table in tables.items():
            numbers = self._wrapped(table[:, :2])[lanes].T
            self.arrays["first"][column], self.arrays["rest"][column] = numbers[0], numbers[min(1, rows)]
            if column in shape.places:
                body[shape.places[column]] = self._wrapped(table)[lanes].T[1:]
        self.arrays["iterations"][:] = 0
        self.arrays["bad"][:] = 0

    def _require_boxes(self, tables: Tables) -> None:
        if not _hold(self.lanes.shape.plan, tables):
            raise LeftError(0)
        for column, table in tables.items():
            for rows, part in (("first", table[:, :1]), ("body", table[:, 1:])):
                low, high = self.lanes.boxes.get((0, rows, column), (-np.inf, np.inf))
                beyond = ((part < low) | (part > high)).any(axis=1)
                if beyond.any():
                    raise LeftError(int(beyond.argmax()))
        for column in set(tables) & set(_read(self.lanes.shape)):
            beyond = (np.abs(tables[column]) >= 2 ** (self.lanes.bits - 1)).any(axis=1)
            if beyond.any():
                raise LeftError(int(beyond.argmax()))

    def _halted(self) -> bool:
        plan = self.lanes.shape.plan
        known = plan.boundary[plan.halt].first
        return bool((self.arrays["first"][plan.halt] == 1).all()) if known is None else known == 1

    def iterations(self) -> list[int]:
        """How many iterations each lane has run."""
        found: list[int] = self.arrays["iterations"][0].tolist()
        return found

    def column(self, column: int) -> Integers:
        """A column that was wanted: a table with a row for every lane, of rows 0 and on; the next run changes it."""
        fact, shape = self.lanes.shape.plan.boundary[column], self.lanes.shape
        found = self._columns[column]
        found[:, 0] = self.arrays["first"][column] if fact.first is None else fact.first
        if not fact.vector:
            found[:, 1:] = (self.arrays["rest"][column] if fact.rest is None else np.full(1, fact.rest))[:, np.newaxis]
        elif column in shape.shared:
            found[:, 1:] = self.arrays["shared"][shape.shared[column], : self.rows]
        else:
            found[:, 1:] = self._body()[shape.places[column]].T
        return found

    def _body(self) -> Integers:
        """The columns that differ from row to row and from lane to lane; there may be none, and no rows."""
        count = len(self.lanes.shape.places)
        found: Integers = self.arrays["body"][: count * self.rows].reshape(count, self.rows, self.width)
        return found


@lru_cache(maxsize=16)
def _library(shape: Shape, bits: int) -> Any:
    from hyloop.execute.cpu.lanes.code import module

    text = module(shape, bits)
    return function(loaded(text, lambda: text), "run", ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
