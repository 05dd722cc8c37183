"""What of a row each layer reads and writes, and what has to be looked at again when a value changes.

Between two layers, a column that differs from row to row has a *slot*: one for each layer that writes it. A layer that
leaves a column alone leaves its slot alone. So a slot changes in one layer only, and whatever reads it is known: other
layers, scans and products, each of which has a list of the rows that it has to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hyloop.execute.cpu.expressions import ONE, Formulas, Ref, Sum, Value
from hyloop.execute.cpu.plan import LayerPlan, Plan
from hyloop.execute.cpu.quiet.gadgets import Gadget, Linear, Shape, shape
from hyloop.machine.layer import HeadKind

MARKS = 62  # lists at most: a row has a bit for each


@dataclass(frozen=True)
class Slot:
    """A column from the layer that writes it to the next one that does; `writer` is None if no layer does."""

    column: int
    writer: int | None


@dataclass(frozen=True)
class RowNode:
    """A node of the rows' formulas: its sum, whether it is a ReLU, and how it is bounded."""

    of: Linear
    relu: bool
    shape: Shape
    sways: bool


@dataclass(frozen=True)
class Watch:
    """A number of the iteration that wakes the rows it names, or (`across`) all those it passes: `-sign · offset`."""

    sign: int
    offset: Linear
    across: bool


@dataclass(frozen=True)
class RowScan:
    """A scan: what a row contributes to score and values, and what all rows of the body do."""

    layer: int
    number: int  # in the plan's layer
    score: tuple[Linear, Linear]
    values: tuple[tuple[Linear, Linear], ...]


@dataclass(frozen=True)
class RowProduct:
    """A product: what a row contributes, and what all rows do."""

    layer: int
    number: int  # in the plan's layer
    kind: HeadKind
    source: tuple[Linear, Linear]
    to: int


@dataclass(frozen=True)
class LayerWiring:
    """One layer on the rows of the body."""

    number: int
    nodes: dict[int, RowNode]  # those that differ from row to row
    scalars: tuple[Ref, ...]  # the numbers that rows use
    outputs: tuple[tuple[Slot, Value], ...]
    watches: tuple[Watch, ...]
    reads: tuple[Ref, ...]  # columns and products that rows use


class RefusedError(Exception):
    """A plan that cannot be run row by row, and why."""


class Wiring:
    """All layers of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.depth = len(plan.layers)
        _require(plan)
        self.position = plan.positions[0] if plan.positions else -1
        self._slots = [self._slots_at(boundary) for boundary in range(self.depth)]
        self.layers = tuple(self._layer(number) for number in range(self.depth))
        self.scans = tuple(self._all_scans())
        self.products = tuple(self._all_products())
        if self.depth + len(self.scans) + len(self.products) > MARKS:
            raise RefusedError(f"it has more than {MARKS} layers, scans and products")

    # -- slots

    def _writers(self, column: int) -> list[int]:
        found = []
        for number, layer in enumerate(self.plan.layers):
            after = self.plan.after(number)[column].vector
            same = layer.body.new[column] == Ref("column", column) and layer.before[column].vector
            if after and not same:
                found.append(number)
        return found

    def _slots_at(self, boundary: int) -> dict[int, Slot]:
        found = {}
        for column, fact in enumerate(self.plan.layers[boundary].before):
            if fact.vector:
                writers = self._writers(column)
                earlier = [w for w in writers if w < boundary] or writers
                found[column] = Slot(column, earlier[-1] if writers else None)
        return found

    def slot(self, boundary: int, column: int) -> Slot:
        """The slot of a column before a layer."""
        return self._slots[boundary % self.depth][column]

    def slots_before(self, boundary: int) -> dict[int, Slot]:
        """The slots before a layer, by column."""
        return self._slots[boundary % self.depth]

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All slots that a layer writes, or that something reads."""
        read = {slot for number in range(len(self.lists)) for slot in self.read_by(number)}
        written = {slot for layer in self.layers for slot, _ in layer.outputs}
        return tuple(sorted(read | written | self._pointed(), key=lambda s: (s.column, -1 if s.writer is None else s.writer)))

    def _pointed(self) -> set[Slot]:
        """The slots that are read at the row that a number names."""
        found = set()
        for number, layer in enumerate(self.plan.layers):
            sums = [body for read in layer.reads for _, body in read.values]
            refs = {ref for of in sums for ref, _ in of.terms if self.is_vector(number, ref)}
            found |= {self.slot(number, ref.number) for ref in refs if ref.number != self.position}
        return found

    @cached_property
    def lists(self) -> tuple[LayerWiring | RowScan | RowProduct, ...]:
        """Whatever has a list of rows: layers, scans, products."""
        return (*self.layers, *self.scans, *self.products)

    def read_by(self, number: int) -> set[Slot]:
        """The slots that a layer, scan or product reads."""
        each = self.lists[number]
        match each:
            case LayerWiring():
                refs, layer = [ref for ref in each.reads if ref.space == "column"], each.number
            case RowScan():
                sums = [each.score[0], *(value for value, _ in each.values)]
                refs, layer = [ref for of in sums for ref, _ in of.terms], each.layer
            case RowProduct():
                refs, layer = [ref for ref, _ in each.source[0].terms], each.layer
        return {self.slot(layer, ref.number) for ref in refs if ref.number != self.position}

    @cached_property
    def readers(self) -> dict[Slot, int]:
        """The lists on which a row is put when a slot of it changes, as bits."""
        found = dict.fromkeys(self.slots, 0)
        for number in range(len(self.lists)):
            for slot in self.read_by(number):
                found[slot] |= 1 << number
        return found

    # -- layers

    def is_vector(self, number: int, ref: Ref) -> bool:
        """Whether a value of a layer differs from row to row."""
        layer = self.plan.layers[number]
        match ref.space:
            case "column":
                return layer.before[ref.number].vector
            case "brought":
                return layer.brought[ref.number].vector
            case "node":
                return layer.body.nodes[ref.number].vector

    def _layer(self, number: int) -> LayerWiring:
        layer = self.plan.layers[number]
        nodes = _Nodes(self, number, layer.body)
        outputs = tuple(
            (self.slot(number + 1, column), layer.body.new[column])
            for column in range(len(layer.before))
            if number in self._writers(column)
        )
        used = [ref for node in nodes.found.values() for ref, _ in node.of.terms]
        used += [value for _, value in outputs if isinstance(value, Ref)]
        scalars = tuple(dict.fromkeys(ref for ref in used if not self.is_vector(number, ref)))
        vectors = dict.fromkeys(ref for ref in used if self.is_vector(number, ref) and ref.space != "node")
        return LayerWiring(number, nodes.found, scalars, outputs, nodes.watches(), tuple(vectors))

    def _split(self, number: int, of: Sum) -> tuple[Linear, Linear]:
        return Linear.of(of).split(lambda ref: self.is_vector(number, ref))

    def _all_scans(self) -> Iterator[RowScan]:
        for number, layer in enumerate(self.plan.layers):
            for at, scan in enumerate(layer.scans):
                values = tuple(self._split(number, body) for _, body in scan.values)
                yield RowScan(number, at, self._split(number, scan.score[1]), values)

    def _all_products(self) -> Iterator[RowProduct]:
        for number, layer in enumerate(self.plan.layers):
            for at, product in enumerate(layer.products):
                source = self._split(number, product.source)
                if source[1].terms:
                    raise RefusedError(f"layer {number + 1} multiplies the incidence with a number of the iteration")
                yield RowProduct(number, at, product.kind, source, product.to)


class _Nodes:
    """The nodes of a layer's rows."""

    def __init__(self, wiring: Wiring, number: int, body: Formulas) -> None:
        self.wiring, self.number = wiring, number
        self.found: dict[int, RowNode] = {}
        for at, node in enumerate(body.nodes):
            if node.vector:
                of = Linear.of(node.of)
                sways = any(self.sways(ref) for ref, _ in of.terms)
                self.found[at] = RowNode(of, node.relu, shape(of, self._argument, self.sways, self._watched), sways)

    def sways(self, ref: Ref) -> bool:
        """Whether a value depends on a number of the iteration."""
        if not self.wiring.is_vector(self.number, ref):
            return True
        return ref.space == "node" and self.found[ref.number].sways

    def _argument(self, ref: Ref) -> Linear | None:
        node = self.found.get(ref.number) if ref.space == "node" else None
        return node.of if node is not None and node.relu else None

    def _watched(self, of: Linear) -> bool:
        """Whether a sum is plus or minus the row's number, and numbers of the iteration."""
        rows = [(ref, weight) for ref, weight in of.terms if self.wiring.is_vector(self.number, ref)]
        return len(rows) == 1 and rows[0][0] == Ref("column", self.wiring.position) and abs(rows[0][1]) == 1

    def watches(self) -> tuple[Watch, ...]:
        """The numbers that wake rows."""
        found: dict[Watch, None] = {}
        for node in self.found.values():
            for gadget in node.shape.gadgets:
                if gadget.watched:
                    found[self._watch(gadget)] = None
        return tuple(found)

    def _watch(self, gadget: Gadget) -> Watch:
        own, offset = self.found[gadget.node].of.split(lambda ref: self.wiring.is_vector(self.number, ref))
        return Watch(own.terms[0][1], offset, gadget.kind == "step")


def _require(plan: Plan) -> None:
    for number, layer in enumerate(plan.layers, start=1):
        if layer.slow:
            raise RefusedError(f"a head of layer {number} has no fast form")
        if layer.gathers:
            raise RefusedError(f"layer {number} has a pointer for each row")
        if any(read.by != ONE for read in layer.reads):
            raise RefusedError(f"layer {number} divides")


@lru_cache(maxsize=64)
def wiring_of(plan: Plan) -> Wiring:
    """The wiring of a plan. Raises `RefusedError`."""
    return Wiring(plan)


def layer_plan(wiring: Wiring, number: int) -> LayerPlan:
    """The plan of a layer."""
    return wiring.plan.layers[number]
