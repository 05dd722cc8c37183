"""The memory of a run: each row with all that is kept of it side by side, the numbers of the iteration, and guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hyloop.execute.columns import Columns
from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.memory import padded_rows
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.wiring import Part, RowIndex, RowProduct, Slot, Wiring
from hyloop.execute.cpu.sparse import Sparse, both_ways
from hyloop.execute.pages import Places, Together, empty, zeros
from hyloop.execute.session import Changes
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import HeadKind

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int64]
# Writes columns to their places in rows, and 0 to all others; whether it could.
Fill = Callable[[IntArray, Sequence[FloatArray], Sequence[int]], bool]

MARK = 0  # the field of a row that says on which lists it is
LINE = 8  # numbers of a cache line: rows begin at its multiples

Field = Slot | tuple[str, int, int]

# The control block: what the layers and the run tell each other.
ITERATIONS, LAYER, COMPUTED, WHY = range(4)


class Fields:
    """Where a row keeps what: marks, slots, products.

    What a part of a layer needs stands together, so that a row that is awake in it takes few cache lines.
    """

    def __init__(self, wiring: Wiring) -> None:
        places: dict[Field, int] = {}
        waiting = list(reversed(wiring.parts))
        while waiting:
            waiting.remove(part := self._next(places, wiring, waiting))
            self._add_part(places, wiring, part)
        for received in wiring.received:
            places.setdefault(("product", *received), len(places) + 1)
        for slot in wiring.slots:
            self._add(places, wiring, 0, slot)
        self.slots = {each: at for each, at in places.items() if isinstance(each, Slot)}
        named = [(each, at) for each, at in places.items() if not isinstance(each, Slot)]
        self.products = {each[1:]: at for each, at in named if each[0] == "product"}
        self.width = -(-(len(places) + 1) // LINE) * LINE
        self.lines = [self._lines(wiring, part) for part in wiring.parts]

    def _next(self, places: dict[Field, int], wiring: Wiring, waiting: Sequence[Part]) -> Part:
        """The last part; then always one that needs the fewest new places."""

        def more(part: Part) -> int:
            after = dict(places)
            self._add_part(after, wiring, part)
            return len(after) - len(places)

        return min(waiting, key=more) if places else waiting[0]

    def _add_part(self, places: dict[Field, int], wiring: Wiring, part: Part) -> None:
        for ref in part.reads:
            self._add(places, wiring, part.layer, ref)
        for slot, _ in part.outputs:
            self._add(places, wiring, part.layer, slot)

    def _lines(self, wiring: Wiring, part: Part) -> list[int]:
        """Where the cache lines begin that a part needs of a row."""
        needed: dict[Field, int] = {}
        self._add_part(needed, wiring, part)
        places = [self.slots[each] if isinstance(each, Slot) else self.products[each[1:]] for each in needed]
        return sorted({place // LINE * LINE for place in (MARK, *places)})

    @staticmethod
    def _add(places: dict[Field, int], wiring: Wiring, layer: int, what: Ref | Slot) -> None:
        field: Field
        if isinstance(what, Slot):
            field = what
        elif what.space == "brought":
            field = ("product", layer, what.number)
        elif what.number == wiring.position:
            return
        else:
            field = wiring.slot(layer, what.number)
        for kept in wiring.kept(field, None) if isinstance(field, Slot) else (field,):
            if not isinstance(kept, Slot) or kept.column != wiring.position:
                places.setdefault(kept, len(places) + 1)


@lru_cache(maxsize=64)
def fields_of(wiring: Wiring) -> Fields:
    """Where the rows of a wiring keep what."""
    return Fields(wiring)


@dataclass(frozen=True)
class First:
    """What becomes of the columns of a first state: by column, the places in rows, and the slots that are copies."""

    places: Mapping[int, int]
    kept: tuple[int, ...]  # columns that no layer writes
    copied: Mapping[int, Slot]


@lru_cache(maxsize=64)
def first_of(wiring: Wiring) -> First:
    """What becomes of the first states of a wiring."""
    slots, places = wiring.slots_before(0), fields_of(wiring).slots
    return First(
        {column: places[slot] for column, slot in slots.items() if slot in places},
        tuple(column for column, slot in slots.items() if slot.writer is None),
        {column: slot for column, slot in slots.items() if slot in wiring.copies},
    )


OF_PARTS = ("scalars", "low", "high", "narrow", "until", *(OF_WATCHES := ("watched", "loose", "passed")))


@lru_cache(maxsize=64)
def small_of(wiring: Wiring) -> Places:
    """Where the arrays of a memory are that have no number for each row."""
    columns, width, parts = len(wiring.plan.boundary), fields_of(wiring).width, wiring.parts
    sizes = {"first": columns, "rest": columns, "control": 4, "whole": len(wiring.lists)}
    sizes |= dict.fromkeys(("restless", "beyond", "looked"), len(parts))
    for what in OF_PARTS:
        counts = [len(part.watches if what in OF_WATCHES else part.scalars) for part in parts]
        sizes |= {f"{what}{number}": count for number, count in enumerate(counts)}
    sizes |= dict.fromkeys(("floors", "ceilings"), width)
    for scope in ("first", "rest"):
        sizes |= dict.fromkeys((f"{scope}_floors", f"{scope}_ceilings"), columns)
    return Places(sizes)


class QuietMemory:
    """The state of one input. Row `i` of `rows` is row `i + 1` of the state."""

    def __init__(
        self, wiring: Wiring, X: FloatArray | Columns, incidence: PaddedIncidence, fill: Fill | None = None
    ) -> None:
        """`fill` writes rows faster than numpy does, if it can."""
        self.wiring, self.plan = wiring, wiring.plan
        self._halt = self.plan.boundary[self.plan.halt].first  # None if it is not known
        self.fields = fields_of(wiring)
        given, first = Columns.of(X), first_of(wiring)
        self.dtype = given.dtype
        self.count = len(given) - 1
        self.small = Together(small_of(wiring))  # all but rows: what is looked at together stands together
        self.small.all[:] = 0
        self.first, self.rest = self.small["first"], self.small["rest"]
        self.first[:], self.rest[:] = given.numbers
        # Columns that no layer writes are kept as they were given: a whole state is the caller's, who may change it.
        kept = {c: given.body(c) for c in first.kept}
        self._given = kept if isinstance(X, Columns) else {c: column.copy() for c, column in kept.items()}
        self.ends = given.ends  # of each column, at the beginning
        self.rows: IntArray = self._first_rows(given, fill)
        copied = {slot: given.body(column) for column, slot in first.copied.items()}
        self._early = {slot: column + 0 for slot, column in copied.items() if column.any()}
        padded = padded_rows(self.count, self.dtype.itemsize)
        self.sparse: Mapping[HeadKind, Sparse] = both_ways(incidence, self.dtype.name, padded)
        self.ones = incidence.ones
        one = np.ones(1, np.int64)
        self.values: dict[HeadKind, IntArray] = {
            kind: np.ndarray(len(each.value), np.int64, one, 0, (0,)) if self.ones else each.value.astype(np.int64)
            for kind, each in self.sparse.items()
        }
        # `narrow`: numbers whose boxes native code may move; `until`: what that counts for, as an iteration.
        # `loose`: watches that do not wake the rows that their number passes; `passed`: how many others have passed.
        self.scalars, self.low, self.high, self.narrow, self.until, self.watched, self.loose, self.passed = (
            [self.small[f"{what}{number}"] for number in range(len(wiring.parts))] for what in OF_PARTS
        )
        # Of all parts together: the low ends, and the high ones.
        last = len(wiring.parts) - 1
        ends = self.small.span("low0", f"high{last}") if wiring.parts else self.small.all[:0]
        self.boxes: IntArray = ends.reshape(2, len(ends) // 2)
        self.unbox()
        for watched in self.watched:
            watched[:] = -1
        self.whole = self.small["whole"]  # lists that have all rows
        self.whole[:] = 1
        self.restless, self.control = self.small["restless"], self.small["control"]
        # Of each part: the outputs that are beyond floor or ceiling, and whether all rows have been computed.
        self.beyond, self.looked = self.small["beyond"], self.small["looked"]
        self.floors, self.ceilings = self.small["floors"], self.small["ceilings"]
        self.first_floors, self.first_ceilings = self.small["first_floors"], self.small["first_ceilings"]
        self.rest_floors, self.rest_ceilings = self.small["rest_floors"], self.small["rest_ceilings"]
        self.guards: IntArray = self.small.span("floors", "rest_ceilings")

    def _first_rows(self, given: Columns, fill: Fill | None) -> IntArray:
        """The rows at the beginning: columns that are not 0."""
        (least, most), shape = (each.tolist() for each in given.ends), (self.count, self.fields.width)
        places = first_of(self.wiring).places.items()
        wanted = {place: given.body(column) for column, place in places if least[column] or most[column]}
        vectors = {place: column for place, column in wanted.items() if len(column) == self.count}
        rows: IntArray = empty(shape, np.int64) if fill else zeros(shape, np.int64)
        filled = fill is not None and fill(rows, list(vectors.values()), list(vectors))
        if fill is not None and not filled:
            rows[:] = 0
        for place, column in wanted.items():
            if not (filled and place in vectors):
                rows[:, place] = column
        return rows

    def unbox(self) -> None:
        """Empty boxes, so that the next pass is full. What splits slots is 0 or 1, always."""
        self.boxes[0], self.boxes[1] = 1, 0
        split = self.wiring.split
        if split is not None:
            self.low[split.part][0], self.high[split.part][0] = 0, 1

    @property
    def case(self) -> int | None:
        """The value of the flag that splits slots, as it was when they were written last."""
        split = self.wiring.split
        return None if split is None else int(self.scalars[split.part][0])

    # -- values of rows

    def at(
        self, layer: int, ref: Ref, chosen: npt.NDArray[np.intp] | slice = slice(None), case: int | None = None
    ) -> IntArray:
        """A column before a layer, in a case if its slot is split, or a product that it receives, on some rows."""
        if ref.space == "brought":
            return self.rows[chosen, self.fields.products[layer, ref.number]]
        if ref.number == self.wiring.position:
            return np.arange(1, self.count + 1, dtype=np.int64)[chosen]
        return self.rows[chosen, self._place(self.wiring.slot(layer, ref.number), case)]

    def total(
        self, layer: int, of: Linear, chosen: npt.NDArray[np.intp] | slice = slice(None), case: int | None = None
    ) -> IntArray:
        """A sum of columns of rows."""
        size = len(self.rows[chosen])
        found = np.full(size, of.constant, np.int64)
        for ref, weight in of.terms:
            found += weight * self.at(layer, ref, chosen, case)
        return found

    def source(self, product: RowProduct, chosen: npt.NDArray[np.intp] | slice = slice(None)) -> IntArray:
        """What rows contribute to a product."""
        return self.total(product.layer, product.source[0], chosen) + product.source[1].constant

    def named(self, index: RowIndex) -> IntArray:
        """Which row the value of each row names."""
        return np.clip(self.total(index.layer, index.own), 0, self.count)

    # -- the state

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        return bool((self.first[self.plan.halt] if self._halt is None else self._halt) == 1)

    def state(self, layer: int = 0) -> FloatArray:
        """The whole state before a layer."""
        X = empty((len(self.plan.boundary), self.count + 1), self.dtype)
        for number, column in enumerate(X):
            self._write(layer, number, column)
        return X.T

    def column(self, number: int, rows: int) -> FloatArray:
        """The first rows of a column of the state between iterations."""
        found: FloatArray = np.empty(rows, self.dtype)
        self._write(0, number, found)
        return found

    def _write(self, layer: int, number: int, column: FloatArray) -> None:
        """Write the first rows of a column, as it is before a layer."""
        fact, body = self.plan.layers[layer].before[number], column[1:]
        rows = slice(len(body))
        column[0] = self.first[number] if fact.first is None else fact.first
        if not fact.vector:
            body[:] = self.rest[number] if fact.rest is None else fact.rest
            return
        slot = self.wiring.slots_before(layer)[number]
        if number in self._given:
            np.add(self._given[number][rows], 0, out=body)  # -0 is 0
        elif self._is_early(slot):
            body[:] = self._early[slot][rows]
        else:
            body[:] = self.rows[rows, self._place(slot)]

    def changes(self, rows: npt.NDArray[np.intp]) -> Changes:
        """The state between iterations, as far as these rows and all numbers may have changed."""
        facts, slots = self.plan.boundary, self.wiring.slots_before(0)
        columns = [c for c, slot in slots.items() if slot.writer is not None]
        values = np.empty((len(rows), len(columns)), self.dtype)
        for at, column in enumerate(columns):
            values[:, at] = self.rows[rows, self._place(slots[column])]
        first = [self.first[c] if fact.first is None else fact.first for c, fact in enumerate(facts)]
        shared = [c for c, fact in enumerate(facts) if not fact.vector and fact.rest is None]
        return Changes(
            rows + 1,
            np.array(columns, np.intp),
            values,
            np.array(first, self.dtype),
            np.array(shared, np.intp),
            self.rest[shared].astype(self.dtype),
        )

    def _is_early(self, slot: Slot) -> bool:
        """Whether a slot holds what was given: its layer has not been run."""
        return (
            slot in self._early and not self.control[ITERATIONS] and self.control[LAYER] <= self.wiring.copies[slot][0]
        )

    def _place(self, slot: Slot, case: int | None = None) -> int:
        copied = self.wiring.copies.get(slot)
        if copied is not None:
            return self.fields.products[copied]
        return self.fields.slots[self.wiring.kept(slot, self.case if case is None else case)[0]]

    def bytes(self) -> int:
        """How much memory it holds."""
        kept = [self.rows, *self._given.values(), *(() if self.ones else self.values.values())]
        kept += [array for each in self.sparse.values() for array in (each.start, each.target, each.value)]
        return sum(array.nbytes for array in kept)
