"""That every sum is exact: the largest number that can occur while values keep between their floors and ceilings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from time import thread_time

import numpy as np

from hyloop.execute.cpu.expressions import Formulas, Ref, Sum
from hyloop.execute.cpu.plan import LayerPlan, Plan
from hyloop.execute.cpu.quiet.gadgets import Linear, Shape, shape
from hyloop.execute.cpu.quiet.memory import IntArray, QuietMemory, first_of
from hyloop.execute.cpu.quiet.wiring import Wiring
from hyloop.execute.cpu.sparse import OPPOSITE
from hyloop.machine.layer import HeadKind

SMALL = 1000  # constants below it are no bounds of anything but flags

Between = tuple[int, int]
Bounds = Callable[[Ref], Between]


@lru_cache(maxsize=64)
def rungs(plan: Plan) -> list[int]:
    """What numbers may be bounded by: 1, and the large constants of the weights, which gates were made from."""
    found = {1}
    for layer in plan.layers:
        for program in (layer.first, layer.body):
            for node in program.nodes:
                found |= {abs(int(each)) for each in (node.of.constant, *(weight for _, weight in node.of.terms))}
    return sorted(each for each in found if each == 1 or each >= SMALL)


def rung(of: list[int], value: int) -> int:
    """The least that bounds a value."""
    return next((each for each in of if each >= value), 2 * value)


class Largest:
    """The largest absolute value of any sum of a run, or of some of its terms: all positive or all negative ones."""

    def __init__(self, memory: QuietMemory) -> None:
        self.memory, self.wiring = memory, memory.wiring
        self.degree = {kind: _degree(memory, kind) for kind in memory.sparse}
        self.negative = {kind: not memory.ones and bool((each < 0).any()) for kind, each in memory.values.items()}
        self.most = 0
        self._seconds = 0.0

    def seconds(self) -> float:
        """How long it has taken, since the last call, to find what was not remembered."""
        seconds, self._seconds = self._seconds, 0.0
        return seconds

    def found(self) -> int:
        """Over all layers. What was found is remembered: runs of one model come by the same floors and ceilings."""
        memory = self.memory
        boxes = memory.boxes * (memory.boxes[0] < memory.boxes[1])  # others are within the guards
        key = (memory.count, *self.degree.values(), *self.negative.values(), memory.guards.tobytes(), boxes.tobytes())
        known = self.wiring.largest.get(key)
        if known is None:
            begun = thread_time()
            known = self.wiring.largest[key] = self._found()
            self._seconds += thread_time() - begun
        return known

    def _found(self) -> int:
        self.most = 0
        for number, layer in enumerate(self.wiring.plan.layers):
            self._layer(number, layer)
        return self.most

    def _layer(self, number: int, layer: LayerPlan) -> None:
        numbers, vectors = self._brought(number, layer)
        wiring, memory = self.wiring, self.memory

        def first(ref: Ref) -> Between:
            return numbers[0].get(ref.number, (0, 0)) if ref.space == "brought" else self._first(ref)

        def rest(ref: Ref) -> Between:
            if ref.space == "brought":
                return vectors[ref.number] if ref.number in vectors else numbers[1][ref.number]
            return self._column(number, ref)

        self._nodes(layer.first, first, shapes(layer.first), {})
        shaped, boxes = shapes(layer.body) | wiring.shapes[number], dict[Ref, Between]()
        for at in wiring.parts_of(number):
            for ref, low, high in zip(wiring.parts[at].scalars, memory.low[at], memory.high[at], strict=True):
                if low < high:
                    before = boxes.get(ref, (int(low), int(high)))
                    boxes[ref] = min(before[0], int(low)), max(before[1], int(high))
        self._nodes(layer.body, rest, shaped, boxes)

    # -- values before the layer

    def _first(self, ref: Ref) -> Between:
        return int(self.memory.first_floors[ref.number]), int(self.memory.first_ceilings[ref.number])

    def _column(self, number: int, ref: Ref) -> Between:
        memory, wiring = self.memory, self.wiring
        if not wiring.is_vector(number, ref):
            return int(memory.rest_floors[ref.number]), int(memory.rest_ceilings[ref.number])
        if ref.number == wiring.position:
            return 0, memory.count
        places = [memory.fields.slots[slot] for slot in wiring.kept(wiring.slot(number, ref.number), None)]
        return int(memory.floors[places].min()), int(memory.ceilings[places].max())

    def _brought(
        self, number: int, layer: LayerPlan
    ) -> tuple[tuple[dict[int, Between], dict[int, Between]], dict[int, Between]]:
        """What heads bring: numbers to row 0 and to the body, and products."""
        numbers: tuple[dict[int, Between], dict[int, Between]] = ({}, {})
        everything = self.memory.count + 1

        def rest(ref: Ref) -> Between:
            return self._column(number, ref)

        def either(value: tuple[Sum, Sum], times: int) -> Between:
            ends = [self._sum(of, bounds, times=times) for of, bounds in zip(value, (self._first, rest), strict=True)]
            return min(low for low, _ in ends), max(high for _, high in ends)

        for scan in layer.scans:
            self._sum(scan.score[0], self._first)
            self._sum(scan.score[1], rest)
            for into, places in zip(numbers, (scan.to_first, scan.to_body), strict=True):
                into.update((to, either(value, everything)) for to, value in zip(places, scan.values, strict=False))
        for read in layer.reads:
            self._sum(read.doubled, rest if read.body else self._first)
            numbers[read.body].update((to, either(value, 2)) for to, value in zip(read.to, read.values, strict=True))
        vectors: dict[int, Between] = {}
        for gather in layer.gathers:
            self._sum(gather.doubled, rest)
            vectors |= {to: either(value, 1) for to, value in zip(gather.to, gather.values, strict=True)}
        for product in layer.products:
            low, high = self._sum(product.source, rest, times=self.degree[product.kind])
            most = max(-low, high) * self.degree[product.kind]
            vectors[product.to] = (-most if low < 0 or self.negative[product.kind] else 0, most)
        return numbers, vectors

    # -- sums

    def _sum(self, of: Sum | Linear, bounds: Bounds, shaped: Shape | None = None, times: int = 1) -> Between:
        constant = int(of.constant)
        low = high = 0
        up, down = max(constant, 0), max(-constant, 0)  # whatever the order, a sum of some terms is between them
        for ref, weight in of.terms:
            a, b = _times(int(weight), bounds(ref))
            low, high = low + a, high + b
            up, down = up + (b if b > 0 else 0), down - (a if a < 0 else 0)
        self.most = max(self.most, max(up, down) * times)
        if shaped is not None and shaped.gadgets:
            low = high = 0
            for a, b in self._shaped(shaped, bounds):
                low, high = low + a, high + b
        return low + constant, high + constant

    @staticmethod
    def _shaped(shaped: Shape, bounds: Bounds) -> Iterable[Between]:
        for ref, weight in shaped.plain:
            yield _times(weight, bounds(ref))
        for gadget in shaped.gadgets:
            ends = [gadget.height.constant, gadget.height.constant]
            for ref, weight in gadget.height.terms:
                a, b = _times(weight, bounds(ref))
                ends = [ends[0] + a, ends[1] + b]
            top = max(abs(ends[0]), abs(ends[1]))
            span = (0, top) if gadget.kind == "tent" else (min(0, ends[0]), max(0, ends[1]))
            yield _times(gadget.weight, span)

    def _nodes(
        self, program: Formulas, bounds: Bounds, shaped: Mapping[int, Shape], boxes: Mapping[Ref, Between]
    ) -> None:
        known: dict[Ref, Between] = {}

        def of(ref: Ref) -> Between:
            if ref not in known:
                known[ref] = joined(ref, bounds(ref))
            return known[ref]

        def joined(ref: Ref, between: Between) -> Between:
            box = boxes.get(ref, between)
            return min(between[0], box[0]), max(between[1], box[1])

        for number, node in enumerate(program.nodes):
            low, high = self._sum(node.of, of, shaped.get(number))
            ref = Ref("node", number)
            known[ref] = joined(ref, (max(low, 0), max(high, 0)) if node.relu else (low, high))


def _times(weight: int, between: Between) -> Between:
    low, high = between
    return (weight * low, weight * high) if weight >= 0 else (weight * high, weight * low)


@lru_cache(maxsize=1024)
def shapes(program: Formulas) -> dict[int, Shape]:
    """The gadgets of numbers: their arguments differ by constants only."""

    def argument(ref: Ref) -> Linear | None:
        node = program.nodes[ref.number] if ref.space == "node" else None
        return Linear.of(node.of) if node is not None and node.relu else None

    return {
        number: shape(Linear.of(node.of), argument, lambda _: True, lambda _: False)
        for number, node in enumerate(program.nodes)
        if not node.vector
    }


def _degree(memory: QuietMemory, kind: HeadKind) -> int:
    """The largest sum of absolute entries that a row receives."""
    if memory.ones:
        return int(np.diff(memory.sparse[OPPOSITE[kind]].start).max(initial=0)) + 1
    sparse = memory.sparse[kind]
    sums = np.bincount(sparse.target, weights=np.abs(sparse.value), minlength=1)
    return int(sums.max(initial=0)) + 1


def remember(memory: QuietMemory) -> None:
    """Keep floors and ceilings for other runs of this plan, which would come by them one after the other."""
    memory.wiring.guards = memory.guards.copy()


def anew(memory: QuietMemory, steps: list[int]) -> None:
    """Floors and ceilings for all that occurs now, and no more."""
    memory.guards[:] = 0
    fit(memory, steps, list(memory.fields.slots.values()))


def begin(memory: QuietMemory, steps: list[int]) -> None:
    """Floors and ceilings for the first state; at least those that a run before has come by."""
    if memory.wiring.guards is not None:
        memory.guards[:] = memory.wiring.guards
    given = first_of(memory.wiring).places
    columns, places = list(given), list(given.values())
    low, high = (each[columns].astype(np.int64) for each in memory.ends)
    floors, ceilings = memory.floors[places], memory.ceilings[places]
    _fit(floors, ceilings, low, high, steps)
    memory.floors[places], memory.ceilings[places] = floors, ceilings
    fit(memory, steps, [])


def fit(memory: QuietMemory, steps: list[int], places: list[int]) -> None:
    """Floors and ceilings for all that occurs now: on these places of rows, and in numbers."""
    if memory.count:
        for at in places:
            _fit(memory.floors[at : at + 1], memory.ceilings[at : at + 1], *_ends(memory.rows[:, at]), steps)
    _fit(memory.first_floors, memory.first_ceilings, memory.first, memory.first, steps)
    _fit(memory.rest_floors, memory.rest_ceilings, memory.rest, memory.rest, steps)


def _ends(column: IntArray) -> tuple[IntArray, IntArray]:
    return column.min(keepdims=True), column.max(keepdims=True)


def _fit(floors: IntArray, ceilings: IntArray, low: IntArray, high: IntArray, steps: list[int]) -> None:
    for at in np.flatnonzero((low < floors) | (high > ceilings)).tolist():
        if high[at] > ceilings[at]:
            ceilings[at] = rung(steps, int(high[at]))
        if low[at] < floors[at]:
            floors[at] = -rung(steps, -int(low[at]))


@lru_cache(maxsize=64)
def wiring_rungs(wiring: Wiring) -> list[list[list[int]]]:
    """For each number that the rows of each part use, what bounds it: thresholds of gates, and the common ones."""
    common = rungs(wiring.plan)
    found = []
    for part in wiring.parts:
        steps: dict[Ref, set[int]] = {ref: set(common) for ref in part.scalars}
        for node in part.nodes.values():
            positive = {ref: weight for ref, weight in node.of.terms if ref in steps and weight > 0}
            for ref, weight in positive.items():
                threshold = (-node.of.constant - sum(positive.values()) + weight) // weight
                if node.relu and threshold >= SMALL:
                    steps[ref].add(threshold)
        found.append([sorted(steps[ref]) for ref in part.scalars])
    return found
