"""How narrow the numbers can be: intervals of all sums of a layer, from the boxes of the columns before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hyloop.execute.cpu.expressions import Formulas, Ref, Sum, Value
from hyloop.execute.cpu.native.engine import NativeEngine
from hyloop.execute.cpu.plan import LayerPlan, Plan
from hyloop.execute.cpu.slow import InexactError

WIDTHS = (16, 32, 64)  # bits of a number
OBSERVED = 64  # iterations of an input that are looked at

Interval = tuple[float, float]
Key = tuple[int, str, int]  # before a layer, on "first" or "body", a column
Boxes = Mapping[Key, Interval]


class TooWideError(Exception):
    """A sum that might not fit."""


@dataclass
class Observed:
    """The least and the largest number that was seen in each column before each layer, on row 0 and on the body."""

    plan: Plan
    seen: dict[Key, Interval] = field(default_factory=dict)
    largest: float = 0.0  # number that an input begins with in a column that is read at the end

    def look(self, layer: int, engine: NativeEngine) -> None:
        """Take in the state before a layer."""
        memory = engine.memory
        for column, fact in enumerate(self.plan.layers[layer].before):
            if fact.first is None:
                self._see((layer, "first", column), memory.first[column], memory.first[column])
            if fact.rest is None and not fact.vector:
                self._see((layer, "body", column), memory.rest[column], memory.rest[column])
            if fact.vector and memory.rows:
                rows = memory.body[memory.place[column], : memory.rows]
                self._see((layer, "body", column), rows.min(), rows.max())

    def _see(self, key: Key, low: float, high: float) -> None:
        old = self.seen.get(key, (low, high))
        self.seen[key] = min(old[0], float(low)), max(old[1], float(high))

    def run(self, engine: NativeEngine) -> None:
        """Look at an input for some iterations."""
        layers = range(len(self.plan.layers))
        for _ in range(OBSERVED):
            if engine.halted():
                break
            for layer in layers:
                self.look(layer, engine)
                try:
                    engine.apply(layer)
                except InexactError:
                    return
        self.look(0, engine)

    def boxes(self, room: Callable[[float], float]) -> Boxes:
        """Flags as they are; of all else, as much as `room` gives. A column that a layer leaves keeps its box."""
        found = {key: _roomy(interval, room) for key, interval in self.seen.items()}
        while True:
            wider = dict(found)
            for (layer, rows, column), box in found.items():
                here, following = self.plan.layers[layer], (layer + 1) % len(self.plan.layers)
                new = here.first.new if rows == "first" else here.body.new
                if new[column] == Ref("column", column):
                    old = wider.get((following, rows, column), box)
                    wider[following, rows, column] = min(old[0], box[0]), max(old[1], box[1])
            if wider == found:
                return found
            found = wider


def _roomy(interval: Interval, room: Callable[[float], float]) -> Interval:
    low, high = interval
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    return (0.0 if low >= 0 else -room(-low)), (room(high) if high > 0 else 0.0)


def fitting(observed: Observed, rows: int, degrees: Mapping[str, int]) -> tuple[int, Boxes] | None:
    """The narrowest numbers, with boxes in which no sum overflows; None if there are none.

    `degrees` has for each kind of product the most entries that a row adds up.
    """
    rooms: tuple[Callable[[float], float], ...] = (lambda x: max(4 * x, float(rows)), lambda x: 2 * x + 16)
    for bits in WIDTHS:
        if observed.largest >= 2 ** (bits - 1):  # a column that no layer writes is in no sum, and read all the same
            continue
        for room in rooms:
            boxes = observed.boxes(room)
            try:
                for number in range(len(observed.plan.layers)):
                    _Layer(observed.plan, number, boxes, rows, degrees, bits).check()
            except TooWideError:
                continue
            return bits, boxes
    return None


@dataclass
class _Layer:
    plan: Plan
    number: int
    boxes: Boxes
    rows: int
    degrees: Mapping[str, int]
    bits: int
    brought: dict[tuple[str, int], Interval] = field(default_factory=dict)

    @property
    def here(self) -> LayerPlan:
        return self.plan.layers[self.number]

    def check(self) -> None:
        """Raise where a number might not fit."""
        self._require(0, self.rows + 1)
        for scan in self.here.scans:
            self._total(scan.score[0], "first")
            self._total(scan.score[1], "body")
            for number, (first, body) in enumerate(scan.values):
                ends = self._total(first, "first"), self._total(body, "body")
                value = min(each[0] for each in ends), max(each[1] for each in ends)
                if max(map(abs, value)) * (self.rows + 1) >= 2**62:
                    raise TooWideError
                for rows, to in (("first", scan.to_first), ("body", scan.to_body)):
                    for each in to[number : number + 1]:
                        self.brought[rows, each] = value
        for product in self.here.products:
            low, high = self._total(product.source, "body")
            most = self.degrees[product.kind]
            self.brought["body", product.to] = self._require(min(0, most * low), max(0, most * high))
        self._formulas(self.here.first, "first")
        self._formulas(self.here.body, "body")

    def _formulas(self, formulas: Formulas, rows: str) -> None:
        nodes: list[Interval] = []
        for node in formulas.nodes:
            low, high = self._total(node.of, rows, nodes)
            nodes.append((max(low, 0.0), max(high, 0.0)) if node.relu else (low, high))
        for column, value in enumerate(formulas.new):
            if value != Ref("column", column):
                self._require(*self._value(value, rows, nodes))

    def _value(self, value: Value, rows: str, nodes: list[Interval]) -> Interval:
        if not isinstance(value, Ref):
            return value, value
        if value.space == "node":
            return nodes[value.number]
        if value.space == "brought":
            return self.brought[rows, value.number]
        fact = self.here.before[value.number]
        known = fact.first if rows == "first" else fact.rest
        if known is not None:
            return known, known
        if (self.number, rows, value.number) not in self.boxes:  # it was never seen
            raise TooWideError
        return self.boxes[self.number, rows, value.number]

    def _total(self, of: Sum, rows: str, nodes: list[Interval] | None = None) -> Interval:
        low = high = of.constant
        for ref, weight in of.terms:
            ends = [weight * end for end in self._value(ref, rows, nodes or [])]
            low, high = low + min(ends), high + max(ends)
        return self._require(low, high)

    def _require(self, low: float, high: float) -> Interval:
        # Sums may be longer on the way: what does not fit wraps around, and comes back.
        limit = 2 ** (self.bits - 1) if self.bits < 64 else 2**53
        if low <= -limit or high >= limit:
            raise TooWideError
        return low, high
