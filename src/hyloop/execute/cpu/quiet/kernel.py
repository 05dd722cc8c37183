"""The layers on rows that are awake, in numpy: slow, clear, and the reference for native code.

A row is on the list of a layer, scan or product if its bit is set among the marks of the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.expressions import Formulas, Ref, Sum
from hyloop.execute.cpu.plan import LayerPlan, Read
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.memory import COMPUTED, ITERATIONS, LAYER, MARK, WHY, IntArray, QuietMemory
from hyloop.execute.cpu.quiet.ranges import Range, Row, either
from hyloop.execute.cpu.quiet.wiring import MARKS, Listed, RowGather, RowIndex, RowProduct, RowScan

# What a kernel stops for. The first two: before the layer, of which nothing has been done. The others: after it.
INEXACT, BOX, LOOK, CEILING = 1, 2, 4, 8

Rows = npt.NDArray[np.intp]


class SleepingRowError(AssertionError):
    """A row slept that should not have: a fault of this executor, found by its debug mode."""


class NumpyArithmetic:
    """Integers of many rows at a time."""

    def total(self, constant: int, terms: Sequence[tuple[IntArray, int]]) -> IntArray:
        """`constant + Σ weight · value`."""
        found = np.asarray(constant, np.int64)
        for value, weight in terms:
            found = found + weight * value
        return found

    def larger(self, a: IntArray, b: IntArray) -> IntArray:
        """The larger of two."""
        return np.maximum(a, b)

    def smaller(self, a: IntArray, b: IntArray) -> IntArray:
        """The smaller of two."""
        return np.minimum(a, b)

    def between(self, low: IntArray, value: IntArray, high: IntArray, then: IntArray, otherwise: IntArray) -> IntArray:
        """One value if `low <= value <= high`, and another if not."""
        return np.where((low <= value) & (value <= high), then, otherwise)


def outputs(memory: QuietMemory, number: int, chosen: Rows) -> list[Range[IntArray]]:
    """What a part makes of some rows, with ranges, from the numbers and boxes as they are."""
    part = memory.wiring.parts[number]
    numbers = {ref: at for at, ref in enumerate(part.scalars)}

    def vector(ref: Ref, case: int | None) -> IntArray:
        return memory.at(part.layer, ref, chosen, case)

    def scalar(ref: Ref) -> Range[IntArray]:
        kept = (memory.scalars[number], memory.low[number], memory.high[number])
        return Range(*(np.asarray(each[numbers[ref]]) for each in kept))

    def loose(watch: int) -> IntArray:
        return np.asarray(memory.loose[number][watch])

    found = [Row(part, NumpyArithmetic(), partial(vector, case=case), scalar, loose).outputs() for case in part.cases]
    return either(NumpyArithmetic(), None if memory.case is None else np.asarray(memory.case), found)


def restless(found: Sequence[Range[IntArray]], size: int) -> npt.NDArray[np.bool_]:
    """Rows that may become something else for other numbers within the boxes."""
    moves = np.zeros(size, np.bool_)
    for each in found:
        if not each.is_fixed:
            moves |= (each.low != each.now) | (each.high != each.now)
    return moves


@dataclass
class Numbers:
    """The numbers of a layer: what heads bring, nodes, and the new values of row 0 and of the body."""

    first: dict[Ref, int]
    rest: dict[Ref, int]
    new_first: dict[int, int]
    new_rest: dict[int, int]


class InexactAverageError(ArithmeticError):
    """An average is no integer."""


class NumpyKernel:
    """Runs layers one after the other. With `debug`, every row is computed, and compared."""

    def __init__(self, memory: QuietMemory, *, debug: bool = False) -> None:
        self.memory, self.wiring, self.debug = memory, memory.wiring, debug
        self._bit = {id(each): 1 << at for at, each in enumerate(self.wiring.lists)}
        self._place = {id(each): at for at, each in enumerate(self.wiring.lists)}
        # What rows contributed to products when these were last brought up to date.
        self._sources = {id(each): np.zeros(memory.count, np.int64) for each in self.wiring.products}

    def run(self, limit: int) -> None:
        """Iterate until so many iterations have been run, the halt flag is 1, or something is to be looked at."""
        self.memory.control[WHY] = self._run(limit)

    def changed(self) -> Rows:
        """The rows that have changed since the last call."""
        bit = 1 << self.wiring.changed
        found = np.flatnonzero(self.memory.rows[:, MARK] & bit)
        self.memory.rows[found, MARK] &= ~bit
        return found

    def _run(self, limit: int) -> int:
        control = self.memory.control
        while control[LAYER] or (control[ITERATIONS] < limit and not self.memory.halted()):
            number = int(control[LAYER])
            try:
                numbers = self._scalars(number)
            except InexactAverageError:
                return INEXACT
            if numbers is None:
                return BOX
            looked = self._layer(number, numbers)
            exceeded = self._commit(number, numbers)
            control[LAYER] = (number + 1) % self.wiring.depth
            control[ITERATIONS] += control[LAYER] == 0
            if looked or exceeded:
                return (LOOK if looked else 0) | (CEILING if exceeded else 0)
        return 0

    def _layer(self, number: int, numbers: Numbers) -> bool:
        """The rows of a layer; whether it was a full pass for one of its parts."""
        self._receive(number, numbers)
        memory, looked = self.memory, False
        for part in self.wiring.parts_of(number):
            memory.looked[part] = memory.whole[part]
            looked |= bool(memory.whole[part])
            expected = outputs(memory, part, np.arange(memory.count)) if self.debug else []
            self._rows(part)
            self._compare(part, expected)
        return looked

    # -- the numbers of the iteration

    def _scalars(self, number: int) -> Numbers | None:
        """None if one is outside its box."""
        plan, memory = self.wiring.plan.layers[number], self.memory
        first, rest = ({Ref("column", c): int(v) for c, v in enumerate(each)} for each in (memory.first, memory.rest))
        found = Numbers(first, rest, {}, {})
        brought: list[tuple[dict[Ref, int], int, int]] = []
        for scan in self.wiring.scans:
            if scan.layer == number and scan.case in (None, memory.case):
                brought += self._scan(scan, plan, found)
        for read in plan.reads:
            brought += self._read(number, read, found)
        for into, to, value in brought:
            into[Ref("brought", to)] = value
        self._nodes(plan.first, found.first, everything=True)
        self._nodes(plan.body, found.rest, everything=False)
        self._new(number, plan, found)
        outside = False
        for at in self.wiring.parts_of(number):
            now = memory.scalars[at]
            now[:] = [found.rest[ref] for ref in self.wiring.parts[at].scalars]
            outside |= bool(((now < memory.low[at]) | (now > memory.high[at])).any())
        return None if outside else found

    def _scan(self, scan: RowScan, plan: LayerPlan, found: Numbers) -> list[tuple[dict[Ref, int], int, int]]:
        memory, planned = self.memory, plan.scans[scan.number]
        self._taken(scan)
        scores = memory.total(scan.layer, scan.score[0], case=scan.case)
        shared = _linear(scan.score[1], found.rest)
        score = _sum(planned.score[0], found.first)
        best = max(score, int(scores.max()) + shared) if memory.count else score
        ties = np.flatnonzero(scores == best - shared)
        count = len(ties) + (score == best)
        averages = []
        for (own, common), (zero, _) in zip(scan.values, planned.values, strict=True):
            total = int(memory.total(scan.layer, own, ties, scan.case).sum()) + len(ties) * _linear(common, found.rest)
            averages.append(_average(total + (_sum(zero, found.first) if score == best else 0), count))
        return [
            (into, to, average)
            for into, places in ((found.first, planned.to_first), (found.rest, planned.to_body))
            for to, average in zip(places, averages, strict=False)
        ]

    def _read(self, number: int, read: Read, found: Numbers) -> list[tuple[dict[Ref, int], int, int]]:
        into = found.rest if read.body else found.first
        doubled = _sum(read.doubled, into)
        near = [min(max(row, 0), self.memory.count) for row in (doubled // 2, -(-doubled // 2))]

        def at(row: int, first: Sum, body: Sum) -> int:
            if row == 0:
                return _sum(first, found.first)
            terms = Linear.of(body)
            own, common = terms.split(lambda ref: self.wiring.is_vector(number, ref))
            return int(self.memory.total(number, own, np.array([row - 1]))[0]) + _linear(common, found.rest)

        return [
            (into, to, _average(sum(at(row, *value) for row in near), 2))
            for to, value in zip(read.to, read.values, strict=True)
        ]

    @staticmethod
    def _nodes(program: Formulas, known: dict[Ref, int], *, everything: bool) -> None:
        for number, node in enumerate(program.nodes):
            if everything or not node.vector:
                total = _sum(node.of, known)
                known[Ref("node", number)] = max(total, 0) if node.relu else total

    def _new(self, number: int, plan: LayerPlan, found: Numbers) -> None:
        for column, fact in enumerate(self.wiring.plan.after(number)):
            if fact.first is None:
                value = plan.first.new[column]
                found.new_first[column] = found.first[value] if isinstance(value, Ref) else int(value)
            if fact.rest is None and not fact.vector:
                value = plan.body.new[column]
                found.new_rest[column] = found.rest[value] if isinstance(value, Ref) else int(value)

    def _commit(self, number: int, numbers: Numbers) -> bool:
        """Write row 0 and the numbers of the body; whether anything is beyond its floor or ceiling."""
        memory = self.memory
        for kept, new in ((memory.first, numbers.new_first), (memory.rest, numbers.new_rest)):
            for column, value in new.items():
                kept[column] = value
        return bool(
            memory.beyond[self.wiring.parts_of(number)].any()
            or _outside(numbers.new_first, memory.first_floors, memory.first_ceilings)
            or _outside(numbers.new_rest, memory.rest_floors, memory.rest_ceilings)
        )

    # -- rows

    def _taken(self, each: Listed) -> Rows:
        """The rows of a list, which is empty then."""
        bit, place, marks = self._bit[id(each)], self._place[id(each)], self.memory.rows[:, MARK]
        found = np.arange(self.memory.count) if self.memory.whole[place] else np.flatnonzero(marks & bit)
        marks[found] &= ~bit
        self.memory.whole[place] = 0
        return found

    def _receive(self, number: int, numbers: Numbers) -> None:
        """Bring the products up to date, and wake the rows that receive something else, or that numbers name."""
        for product in self.wiring.products:
            if product.layer == number:
                self._product(product)
        for index in self.wiring.indexes:
            if index.layer == number:
                self._taken(index)  # here, all rows are looked through
        for gather in self.wiring.gathers:
            if gather.layer == number:
                self._gather(gather, numbers)
        for part in self.wiring.parts_of(number):
            self._watch(part)

    def _watch(self, number: int) -> None:
        memory, part = self.memory, self.wiring.parts[number]
        known = dict(zip(part.scalars, memory.scalars[number].tolist(), strict=True))
        wide = dict(zip(part.scalars, (memory.low[number] < memory.high[number]).tolist(), strict=True))
        for at, watch in enumerate(part.watches):
            named = -watch.sign * _linear(watch.offset, known)
            before = int(memory.watched[number][at]) if watch.across else named
            memory.watched[number][at] = named
            if (watch.across and memory.loose[number][at]) or not any(wide[ref] for ref, _ in watch.offset.terms):
                continue
            if watch.own is not None:
                has = memory.named(RowIndex(part.layer, watch.own)) == min(max(named, 0), memory.count)
                memory.rows[has, MARK] |= 1 << number
            else:
                low, high = min(before, named) - watch.across, max(before, named) + watch.across
                passed = memory.rows[max(low, 1) - 1 : max(high, 0)]
                passed[:, MARK] |= 1 << number
                memory.passed[number][at] += len(passed)

    def _product(self, product: RowProduct) -> None:
        memory = self.memory
        bits = sum(1 << part for part in self.wiring.woken(product.layer, product.to))
        rows = self._taken(product)
        new, before = memory.source(product, rows), self._sources[id(product)]
        change = new - before[rows]
        before[rows] = new
        into = memory.rows[:, memory.fields.products[product.layer, product.to]]
        sparse, values = memory.sparse[product.kind], memory.values[product.kind]
        for row in np.flatnonzero(change):
            entries = slice(sparse.start[rows[row]], sparse.start[rows[row] + 1])
            targets = sparse.target[entries]
            np.add.at(into, targets, change[row] * values[entries])
            memory.rows[targets, MARK] |= bits

    def _gather(self, gather: RowGather, numbers: Numbers) -> None:
        """Bring what rows receive from those that they point to up to date."""
        memory = self.memory
        self._taken(gather)
        points = memory.named(gather.pointer)
        for to, (first, body) in zip(gather.to, gather.values, strict=True):
            found = np.append(_sum(first, numbers.first), memory.total(gather.layer, body))[points]
            into = memory.rows[:, memory.fields.products[gather.layer, to]]
            bits = sum(1 << part for part in self.wiring.woken(gather.layer, to))
            memory.rows[found != into, MARK] |= bits
            into[:] = found

    def _rows(self, number: int) -> None:
        memory, part = self.memory, self.wiring.parts[number]
        rows = self._taken(part)
        memory.control[COMPUTED] += len(rows)
        found = outputs(memory, number, rows)
        moves = restless(found, len(rows))
        memory.restless[number] = int(moves.sum())
        memory.beyond[number] = 0
        marks = np.where(moves, 1 << number, 0)
        for at, ((slot, _), each) in enumerate(zip(part.outputs, found, strict=True)):
            place = memory.fields.slots[slot]
            marks |= np.where(memory.rows[rows, place] != each.now, self.wiring.readers[slot], 0)
            memory.rows[rows, place] = each.now
            outside = (each.now < memory.floors[place]) | (each.now > memory.ceilings[place])
            memory.beyond[number] |= int(bool(np.any(outside))) << min(at, MARKS)
        memory.rows[rows, MARK] |= marks

    def _compare(self, number: int, expected: Sequence[Range[IntArray]]) -> None:
        part = self.wiring.parts[number]
        for (slot, _), each in zip(part.outputs, expected, strict=False):
            kept = self.memory.rows[:, self.memory.fields.slots[slot]]
            wrong = np.flatnonzero(kept != each.now)
            if len(wrong):
                raise SleepingRowError(
                    f"Row {wrong[0] + 1} slept in layer {part.layer + 1} of iteration "
                    f"{self.memory.control[ITERATIONS] + 1}, though column {slot.column} would have changed "
                    f"({len(wrong)} rows in all)."
                )


def _outside(new: Mapping[int, int], floors: IntArray, ceilings: IntArray) -> bool:
    return any(not floors[column] <= value <= ceilings[column] for column, value in new.items())


def _sum(of: Sum, known: Mapping[Ref, int]) -> int:
    return _linear(Linear.of(of), known)


def _linear(of: Linear, known: Mapping[Ref, int]) -> int:
    return of.constant + sum(weight * known[ref] for ref, weight in of.terms)


def _average(total: int, count: int) -> int:
    average, left = divmod(total, count)
    if left:
        raise InexactAverageError
    return average
