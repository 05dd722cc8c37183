"""The memory of a run: each row with all that is kept of it side by side, the numbers of the iteration, and guards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.memory import padded_rows
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.wiring import Part, RowProduct, Slot, Wiring
from hyloop.execute.cpu.sparse import Sparse, both_ways
from hyloop.execute.pages import empty, zeros
from hyloop.execute.session import Changes
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import HeadKind

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int64]

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
        for product in wiring.products:
            places.setdefault(("product", product.layer, product.to), len(places) + 1)
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


class QuietMemory:
    """The state of one input. Row `i` of `rows` is row `i + 1` of the state."""

    def __init__(self, wiring: Wiring, X: FloatArray, incidence: PaddedIncidence) -> None:
        self.wiring, self.plan = wiring, wiring.plan
        self.fields = fields_of(wiring)
        self.dtype = X.dtype
        self.count = len(X) - 1
        self.rows: IntArray = zeros((self.count, self.fields.width), np.int64)
        self.first, self.rest = X[0].astype(np.int64), X[min(1, self.count)].astype(np.int64)
        # Columns that no layer writes are kept as they were given.
        self._given = {c: X[1:, c] + 0 for c, slot in wiring.slots_before(0).items() if slot.writer is None}
        self.ends = X.min(axis=0), X.max(axis=0)  # of each column, at the beginning
        for column, slot in wiring.slots_before(0).items():
            if slot in self.fields.slots and (self.ends[0][column] or self.ends[1][column]):
                self.rows[:, self.fields.slots[slot]] = X[1:, column]
        copied = {slot: X[1:, column] for column, slot in wiring.slots_before(0).items() if slot in wiring.copies}
        self._early = {slot: column + 0 for slot, column in copied.items() if column.any()}
        self.sparse: Mapping[HeadKind, Sparse] = both_ways(incidence, X.dtype.name, padded_rows(self.count, X.itemsize))
        self.ones = all(bool(np.all(incidence.of_kind(kind).value == 1)) for kind in incidence.kinds)
        one = np.ones(1, np.int64)
        self.values = {
            kind: np.broadcast_to(one, len(each.value)) if self.ones else each.value.astype(np.int64)
            for kind, each in self.sparse.items()
        }
        parts = wiring.parts
        self.scalars = [np.zeros(len(each.scalars), np.int64) for each in parts]
        # Of all parts, and of each: views of one array, so that all can be looked at together.
        self.boxes: IntArray = np.empty((2, sum(len(each.scalars) for each in parts)), np.int64)
        ends = np.cumsum([0, *(len(each.scalars) for each in parts)]).tolist()
        self.low, self.high = ([side[a:b] for a, b in pairwise(ends)] for side in self.boxes)
        self.unbox()
        self.watched = [np.full(len(each.watches), -1, np.int64) for each in parts]
        self.whole = np.ones(len(wiring.lists), np.int64)  # lists that have all rows
        self.restless = np.zeros(len(parts), np.int64)
        self.control = np.zeros(4, np.int64)
        # Of each part: the outputs that are beyond floor or ceiling, and whether all rows have been computed.
        self.beyond, self.looked = (np.zeros(len(parts), np.int64) for _ in range(2))
        width, columns = self.fields.width, X.shape[1]
        self.guards: IntArray = np.zeros(2 * (width + 2 * columns), np.int64)  # floors and ceilings
        self.floors, self.ceilings = self.guards[:width], self.guards[width : 2 * width]
        numbers = self.guards[2 * width :].reshape(4, columns)
        self.first_floors, self.first_ceilings, self.rest_floors, self.rest_ceilings = numbers

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

    # -- the state

    def halted(self) -> bool:
        """Whether the halt flag is 1."""
        known = self.plan.boundary[self.plan.halt].first
        return bool((self.first[self.plan.halt] if known is None else known) == 1)

    def state(self, layer: int = 0) -> FloatArray:
        """The whole state before a layer."""
        facts = self.plan.layers[layer].before
        X = empty((len(facts), self.count + 1), self.dtype)
        slots = self.wiring.slots_before(layer)
        for column, fact in enumerate(facts):
            X[column, 0] = self.first[column] if fact.first is None else fact.first
            if not fact.vector:
                X[column, 1:] = self.rest[column] if fact.rest is None else fact.rest
            elif column in self._given:
                X[column, 1:] = self._given[column]
            elif self._is_early(slots[column]):
                X[column, 1:] = self._early[slots[column]]
            else:
                X[column, 1:] = self.rows[:, self._place(slots[column])]
        return X.T

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
