"""What of a row each layer reads and writes, and what has to be looked at again when a value changes.

Between two layers, a column that differs from row to row has a *slot*: one for each layer that writes it. A layer that
leaves a column alone leaves its slot alone. So a slot changes in one layer only, and whatever reads it is known: other
layers, scans and products, each of which has a list of the rows that it has to look at.

A slot that a scan reads may be *split* by a flag of the iteration: what rows become if it is 0 and if it is 1 is kept
side by side, in two slots, and the scan takes its best row from one of two trees. So a flag that changes on all rows
what they offer wakes none of them.

Rows may have an *index*: who has which value in a sum of its columns. It says whom a number names by that value, and
who points to a row that has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.expressions import ONE, Formulas, Ref, Sum, Value
from hyloop.execute.cpu.plan import Gather, Plan
from hyloop.execute.cpu.quiet.gadgets import Gadget, Linear, Shape, shape
from hyloop.execute.cpu.quiet.joins import joined
from hyloop.machine.layer import HeadKind
from hyloop.parallel import uncounted

IntArray = npt.NDArray[np.int64]
MARKS = 62  # lists at most: a row has a bit for each


@dataclass(frozen=True)
class Slot:
    """A column from the layer that writes it to the next one that does; `writer` is None if no layer does.

    Of a slot that is split there is one for each `case`: the value of the flag.
    """

    column: int
    writer: int | None
    case: int | None = None


@dataclass(frozen=True)
class Split:
    """Slots that a part of a layer writes, and the flag by which they are kept twice: the part's first number."""

    slots: frozenset[Slot]
    part: int
    flag: Ref


@dataclass(frozen=True)
class RowNode:
    """A node of the rows' formulas: its sum, whether it is a ReLU, and how it is bounded."""

    of: Linear
    relu: bool
    shape: Shape
    sways: bool


@dataclass(frozen=True)
class Watch:
    """A number of the iteration that wakes the rows it names, or (`across`) all those it passes: `-sign · offset`.

    It names rows by their number, or by a value of theirs, of which there is an index then.
    """

    sign: int
    offset: Linear
    across: bool
    own: Linear | None = None


@dataclass(frozen=True)
class RowScan:
    """A scan: what a row contributes to score and values, and what all rows of the body do."""

    layer: int
    number: int  # in the plan's layer
    score: tuple[Linear, Linear]
    values: tuple[tuple[Linear, Linear], ...]
    case: int | None = None  # of the flag, where it reads a slot that is split


@dataclass(frozen=True)
class RowProduct:
    """A product: what a row contributes, and what all rows do."""

    layer: int
    number: int  # in the plan's layer
    kind: HeadKind
    source: tuple[Linear, Linear]
    to: int


@dataclass(frozen=True)
class RowIndex:
    """Rows by the value of a sum of their columns before a layer: below 0 counts as 0, too much as the last row."""

    layer: int
    own: Linear


@dataclass(frozen=True)
class RowGather:
    """What each row receives from the row that it points to: on row 0, and what a row of the body contributes."""

    layer: int
    number: int  # in the plan's layer
    pointer: RowIndex
    values: tuple[tuple[Sum, Linear], ...]
    to: tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """Some outputs of a layer, on the rows of the body: no other output depends on what they depend on."""

    layer: int
    nodes: dict[int, RowNode]  # those that differ from row to row
    scalars: tuple[Ref, ...]  # the numbers that rows use
    outputs: tuple[tuple[Slot, Value], ...]
    watches: tuple[Watch, ...]
    reads: tuple[Ref, ...]  # columns and products that rows use
    cases: tuple[int, ...] | tuple[None] = (None,)  # of the flag, where it reads a slot that is split
    passing: Mapping[int, int] = field(default_factory=dict)  # of nodes with a watched step: which watch wakes rows


Listed = Part | RowScan | RowProduct | RowIndex | RowGather


class RefusedError(Exception):
    """A plan that cannot be run row by row, and why."""


class Wiring:
    """All layers of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan = joined(plan)
        self.depth = len(plan.layers)
        self.largest: dict[object, int] = {}  # what limits.py has found
        self.wide: dict[tuple[int, int], tuple[int, int]] = {}  # what boxes.py has found: by part and number
        self.expected: dict[tuple[int, int], tuple[int, int]] = {}  # boxes that runs begin with: wide, or one number
        self.narrow: set[tuple[int, int]] = set()
        self.late: set[tuple[int, int]] = set()  # of these, what stood still after a while
        self.moving: set[tuple[int, int]] = set()  # what did not, or may as well be wide
        self.loose: set[tuple[int, int]] = set()  # by part and watch: whom a number passes is not woken
        self.guards: IntArray | None = None  # floors and ceilings that a run has come by
        _require(plan)
        self.position = plan.positions[0] if plan.positions else -1
        self._slots = [self._slots_at(boundary) for boundary in range(self.depth)]
        self.parts: tuple[Part, ...] = ()
        self.split: Split | None = None
        self.shapes: list[dict[int, Shape]] = []  # of each layer, by the number of a node
        self.copies: dict[Slot, tuple[int, int]] = {}
        self.scans = tuple(self._all_scans())
        self.products = tuple(self._all_products())
        self.gathers = tuple(self._all_gathers())
        self.indexes: tuple[RowIndex, ...] = ()
        self.parts = tuple(self._all_parts())
        self.indexes = self._all_indexes()
        # Slots that are copies of a product and that nothing reads, no index either: the product itself is kept.
        self.copies = self._copies()
        self.parts = tuple(self._all_parts())
        self.indexes = self._all_indexes()
        self.split = next(self._splits(), None)
        if self.split is not None:
            self.scans = tuple(self._all_scans())
            self.parts = tuple(self._all_parts())
            self.indexes = self._all_indexes()
        if len(self.lists) > MARKS:
            raise RefusedError(f"it has more than {MARKS} layers, scans and products")

    def _copies(self) -> dict[Slot, tuple[int, int]]:
        needed = {slot for number in range(len(self.lists)) for slot in self.read_by(number)} | self._pointed()
        return {
            slot: (part.layer, value.number)
            for part in self.parts
            for slot, value in part.outputs
            if isinstance(value, Ref) and value.space == "brought" and slot not in needed
            if self.is_vector(part.layer, value)
        }

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

    def kept(self, slot: Slot, case: int | None) -> tuple[Slot, ...]:
        """Where a slot is kept: for one case of the flag, or for both, if it is split."""
        if self.split is None or slot not in self.split.slots:
            return (slot,)
        return tuple(Slot(slot.column, slot.writer, each) for each in ((0, 1) if case is None else (case,)))

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All slots that a layer writes, or that something reads."""
        read = {slot for number in range(len(self.lists)) for slot in self.read_by(number)}
        written = {slot for part in self.parts for slot, _ in part.outputs}
        return tuple(
            sorted(read | written | self._pointed(), key=lambda s: (s.column, -1 if s.writer is None else s.writer))
        )

    def _pointed(self) -> set[Slot]:
        """The slots that are read at the row that a number names."""
        found = set()
        for number, layer in enumerate(self.plan.layers):
            sums = [body for read in layer.reads for _, body in read.values]
            refs = {ref for of in sums for ref, _ in of.terms if self.is_vector(number, ref)}
            found |= {self.slot(number, ref.number) for ref in refs if ref.number != self.position}
        return found

    def _all_indexes(self) -> tuple[RowIndex, ...]:
        """Of pointers, and of the values by which numbers name rows."""
        watches = [(part.layer, watch.own) for part in self.parts for watch in part.watches]
        named = [RowIndex(layer, own) for layer, own in watches if own is not None]
        return tuple(dict.fromkeys((*(gather.pointer for gather in self.gathers), *named)))

    def index(self, layer: int, own: Linear) -> int:
        """The number of an index."""
        return self.indexes.index(RowIndex(layer, own))

    @property
    def lists(self) -> tuple[Listed, ...]:
        """Whatever has a list of rows: parts of layers, scans, products, indexes, and what rows point to."""
        return (*self.parts, *self.scans, *self.products, *self.indexes, *self.gathers)

    def read_by(self, number: int) -> set[Slot]:
        """The slots that a part of a layer, a scan, a product, an index or a gather reads."""
        each = self.lists[number]
        match each:
            case Part():
                refs = [ref for ref in each.reads if ref.space == "column"]
            case RowScan():
                refs = [ref for of in (each.score[0], *(own for own, _ in each.values)) for ref, _ in of.terms]
            case RowProduct():
                refs = [ref for ref, _ in each.source[0].terms]
            case RowIndex():
                refs = [ref for ref, _ in each.own.terms]
            case RowGather():
                refs = [ref for _, body in each.values for ref, _ in body.terms]
        case = each.case if isinstance(each, RowScan) else None
        slots = [self.slot(each.layer, ref.number) for ref in refs if ref.number != self.position]
        return {kept for slot in slots for kept in self.kept(slot, case)}

    @cached_property
    def readers(self) -> dict[Slot, int]:
        """The lists on which a row is put when a slot of it changes, as bits."""
        found = dict.fromkeys(self.slots, 0)
        for number in range(len(self.lists)):
            for slot in self.read_by(number):
                found[slot] |= 1 << number
        for slot in self.slots_before(0).values():
            if slot in found:
                found[slot] |= 1 << self.changed
        return found

    @property
    def changed(self) -> int:
        """The number of one more list: rows that are others between iterations than when they were asked for."""
        return len(self.lists)

    @property
    def received(self) -> list[tuple[int, int]]:
        """What rows receive, by layer and number: products, and what comes from the rows that they point to."""
        pointed = [(gather.layer, to) for gather in self.gathers for to in gather.to]
        return [*((product.layer, product.to) for product in self.products), *pointed]

    def woken(self, layer: int, to: int) -> list[int]:
        """The lists on which a row is put when it receives something else: the parts that use it."""
        ref = Ref("brought", to)
        found = [at for at, part in enumerate(self.parts) if part.layer == layer and ref in part.reads]
        shown = {self.copies.get(slot) for slot in self.slots_before(0).values()}
        return [*found, self.changed] if (layer, to) in shown else found

    def parts_of(self, layer: int) -> list[int]:
        """The parts of a layer, by their numbers."""
        return self._by_layer[layer]

    @cached_property
    def _by_layer(self) -> list[list[int]]:
        return [[at for at, part in enumerate(self.parts) if part.layer == layer] for layer in range(self.depth)]

    # -- layers

    def is_vector(self, number: int, ref: Ref) -> bool:
        """Whether a value of a layer differs from row to row."""
        return self.plan.layers[number].is_vector(ref)

    def _all_parts(self) -> Iterator[Part]:
        self.shapes = []
        for number in range(self.depth):
            yield from self._parts(number)

    def _parts(self, number: int) -> Iterator[Part]:
        layer = self.plan.layers[number]
        nodes = _Nodes(self, number, layer.body)
        self.shapes.append({at: node.shape for at, node in nodes.found.items()})
        outputs = [
            (self.slot(number + 1, column), layer.body.new[column])
            for column in range(len(layer.before))
            if number in self._writers(column)
        ]
        outputs = [(slot, value) for slot, value in outputs if slot not in self.copies]
        for group in _groups([(output, self._moving(number, nodes, output)) for output in outputs]):
            yield self._part(number, nodes, group)

    def _moving(self, number: int, nodes: _Nodes, output: tuple[Slot, Value]) -> set[object]:
        """All that may change of what an output depends on, the output itself included."""
        refs = [ref for ref in nodes.behind([output[1]]) if ref.space != "node" and self.is_vector(number, ref)]
        slots = {self.slot(number, ref.number) for ref in refs if ref.space == "column"}
        return {output[0], *(s for s in slots if s.writer is not None), *(r for r in refs if r.space == "brought")}

    def _part(self, number: int, nodes: _Nodes, outputs: Sequence[tuple[Slot, Value]]) -> Part:
        split = self.split if self.split is not None and any(s in self.split.slots for s, _ in outputs) else None
        if split is not None:
            outputs = [each for output in outputs for each in self._cases(nodes, split.flag, output)]
        behind = nodes.behind([value for _, value in outputs])
        chosen = {at: node for at, node in nodes.found.items() if Ref("node", at) in behind}
        used = dict.fromkeys(ref for node in chosen.values() for ref, _ in node.of.terms)
        used |= dict.fromkeys(value for _, value in outputs if isinstance(value, Ref))
        scalars = tuple(ref for ref in used if not self.is_vector(number, ref))
        if split is not None:  # it is watched, though no row uses it
            scalars = (split.flag, *(ref for ref in scalars if ref != split.flag))
        vectors = tuple(ref for ref in used if self.is_vector(number, ref) and ref.space != "node")
        both = any(len(self.kept(slot, None)) > 1 for slot in self._read(number, vectors))
        cases = (0, 1) if both else (None,)
        watches = nodes.watches(chosen)
        passing = {at: watches.index(watch) for at, watch in nodes.passing(chosen).items()}
        return Part(number, chosen, scalars, tuple(outputs), watches, vectors, cases, passing)

    def _read(self, number: int, refs: Sequence[Ref]) -> list[Slot]:
        """The slots of columns before a layer."""
        columns = [ref.number for ref in refs if ref.space == "column" and ref.number != self.position]
        return [self.slot(number, column) for column in columns]

    # -- slots that are split

    def _cases(self, nodes: _Nodes, flag: Ref, output: tuple[Slot, Value]) -> Iterator[tuple[Slot, Value]]:
        slot, value = output
        for kept in self.kept(slot, None):
            if kept.case is None or not isinstance(value, Ref):
                yield kept, value
            else:
                yield kept, nodes.given(flag, kept.case, value)

    def _splits(self) -> Iterator[Split]:
        """Flags by which what a part offers to scans may be split: nothing else needs to know it row by row."""
        elsewhere = {*self.slots_before(0).values(), *self._pointed()}
        others = (*self.products, *self.indexes, *self.gathers)
        elsewhere |= {slot for each in others for slot in self.read_by(self.lists.index(each))}
        scanned = {slot for scan in self.scans for slot in self.read_by(self.lists.index(scan))}
        for number, part in enumerate(self.parts):
            for flag in part.scalars:
                swayed = _swayed(part, flag)
                if swayed and swayed & scanned and not swayed & elsewhere and self._is_flag(part.layer, flag):
                    yield Split(frozenset(swayed), number, flag)

    def _is_flag(self, number: int, ref: Ref) -> bool:
        """Whether a number of the iteration is 0 or 1 if columns are not negative; a run looks whether it is."""
        if ref.space != "node":
            return False
        node = self.plan.layers[number].body.nodes[ref.number]
        return node.relu and node.of.constant == 1 and all(weight < 0 for _, weight in node.of.terms)

    def _apart(self, number: int, of: Sum) -> tuple[Linear, Linear]:
        return Linear.of(of).split(lambda ref: self.is_vector(number, ref))

    def _all_scans(self) -> Iterator[RowScan]:
        for number, layer in enumerate(self.plan.layers):
            for at, scan in enumerate(layer.scans):
                values = tuple(self._apart(number, body) for _, body in scan.values)
                score = self._apart(number, scan.score[1])
                refs = [ref for own, _ in (score, *values) for ref, _ in own.terms]
                both = any(len(self.kept(slot, None)) > 1 for slot in self._read(number, refs))
                for case in (0, 1) if both else (None,):
                    yield RowScan(number, at, score, values, case)

    def _all_products(self) -> Iterator[RowProduct]:
        for number, layer in enumerate(self.plan.layers):
            for at, product in enumerate(layer.products):
                source = self._apart(number, product.source)
                if source[1].terms:
                    raise RefusedError(f"layer {number + 1} multiplies the incidence with a number of the iteration")
                yield RowProduct(number, at, product.kind, source, product.to)

    def _all_gathers(self) -> Iterator[RowGather]:
        for number, layer in enumerate(self.plan.layers):
            for at, gather in enumerate(layer.gathers):
                values = [(first, self._apart(number, body)) for first, body in gather.values]
                if any(common.terms for _, (_, common) in values):
                    raise RefusedError(f"layer {number + 1} has a pointer for each row to a number of the iteration")
                bodies = tuple((first, Linear(common.constant, own.terms)) for first, (own, common) in values)
                yield RowGather(number, at, RowIndex(number, self._pointer(number, gather)), bodies, gather.to)

    def _pointer(self, number: int, gather: Gather) -> Linear:
        """Which row a row points to."""
        own, common = self._apart(number, gather.doubled)
        if gather.by != ONE or common.terms or common.constant % 2 or any(weight % 2 for _, weight in own.terms):
            raise RefusedError(f"layer {number + 1} divides")
        return Linear(common.constant // 2, tuple((ref, weight // 2) for ref, weight in own.terms))


class _Nodes:
    """The nodes of a layer's rows."""

    def __init__(self, wiring: Wiring, number: int, body: Formulas) -> None:
        self.wiring, self.number = wiring, number
        self.found: dict[int, RowNode] = {}
        row = Linear(0, ((Ref("column", wiring.position), 1),))
        same: dict[Ref, Ref] = {}  # the row's number is not negative: its ReLU is itself
        self._size, self._new = len(body.nodes), frozenset(body.new)
        for at, node in enumerate(body.nodes):
            if node.vector:
                of = Linear.of(node.of).renamed(same)
                if node.relu and of == row:
                    same[Ref("node", at)] = row.terms[0][0]
                self._add(at, of, relu=node.relu)

    def _add(self, at: int, of: Linear, *, relu: bool) -> None:
        sways = any(self.sways(ref) for ref, _ in of.terms)
        found = shape(of, self._argument, self.sways, self._watched)
        if not relu and Ref("node", at) in self._new:
            found = replace(found, gadgets=tuple(map(self._by_value, found.gadgets)))
        self.found[at] = RowNode(of, relu, found, sways)

    def _by_value(self, gadget: Gadget) -> Gadget:
        """A tent that nothing guards is watched if it stands on columns of the row: numbers name rows by their values.

        Elsewhere, as in Dijkstra, other columns say that it does not matter: an index would cost more than it saves.
        """
        rows = [ref for ref, _ in self.found[gadget.node].of.terms if self.wiring.is_vector(self.number, ref)]
        if gadget.kind == "step" or not rows or any(ref.space != "column" for ref in rows):
            return gadget
        return replace(gadget, watched=True)

    def given(self, flag: Ref, case: int, value: Ref) -> Ref:
        """A value, computed for one value of a flag: by nodes of its own, where they depend on it."""
        offset = (1 + case) * self._size
        names: dict[Ref, Ref] = {}
        for at in sorted(ref.number for ref in self.behind([value]) if ref.space == "node" and ref.number < self._size):
            node = self.found.get(at)
            if node is not None and any(ref == flag or ref in names for ref, _ in node.of.terms):
                names[Ref("node", at)] = Ref("node", at + offset)
                if at + offset not in self.found:
                    self._add(at + offset, node.of.renamed(names).at(flag, case), relu=node.relu)
        return names.get(value, value)

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

    def behind(self, values: Sequence[Value]) -> set[Ref]:
        """All that some values depend on, of nodes that differ from row to row; themselves included."""
        found: set[Ref] = set()
        waiting = [value for value in values if isinstance(value, Ref)]
        while waiting:
            ref = waiting.pop()
            if ref not in found:
                found.add(ref)
                if ref.space == "node" and ref.number in self.found:
                    waiting += [each for each, _ in self.found[ref.number].of.terms]
        return found

    def watches(self, nodes: Mapping[int, RowNode]) -> tuple[Watch, ...]:
        """The numbers that wake rows of some nodes."""
        found: dict[Watch, None] = {}
        for node in nodes.values():
            for gadget in node.shape.gadgets:
                if gadget.watched:
                    found[self._watch(gadget)] = None
        return tuple(found)

    def passing(self, nodes: Mapping[int, RowNode]) -> dict[int, Watch]:
        """The nodes on which watched steps stand, and the watch of each."""
        gadgets = [gadget for node in nodes.values() for gadget in node.shape.gadgets]
        return {each.node: self._watch(each) for each in gadgets if each.watched and each.kind == "step"}

    def _watch(self, gadget: Gadget) -> Watch:
        of = self.found[gadget.node].of
        own, offset = of.split(lambda ref: self.wiring.is_vector(self.number, ref))
        if self._watched(of):
            return Watch(own.terms[0][1], offset, gadget.kind == "step")
        sign = 1 if own.terms[0][1] > 0 else -1
        return Watch(
            sign, offset, across=False, own=Linear(0, tuple((ref, sign * weight) for ref, weight in own.terms))
        )


def _swayed(part: Part, flag: Ref) -> set[Slot]:
    """The slots of a part that depend on a number of the iteration."""
    found = {flag}
    for at, node in part.nodes.items():
        if any(ref in found for ref, _ in node.of.terms):
            found.add(Ref("node", at))
    return {slot for slot, value in part.outputs if value in found}


def _groups(outputs: Sequence[tuple[tuple[Slot, Value], set[object]]]) -> list[list[tuple[Slot, Value]]]:
    """Outputs together that share something."""
    groups: list[tuple[list[tuple[Slot, Value]], set[object]]] = []
    for output, moving in outputs:
        sharing = [group for group in groups if group[1] & moving]
        groups = [group for group in groups if not group[1] & moving]
        together = [each for group in sharing for each in group[0]]
        groups.append(([*together, output], moving.union(*(group[1] for group in sharing))))
    return [group for group, _ in groups]


def _require(plan: Plan) -> None:
    for number, layer in enumerate(plan.layers, start=1):
        if layer.slow:
            raise RefusedError(f"a head of layer {number} has no fast form")
        if any(read.by != ONE for read in layer.reads):
            raise RefusedError(f"layer {number} divides")


@lru_cache(maxsize=64)
def wiring_of(plan: Plan) -> Wiring:
    """The wiring of a plan. Raises `RefusedError`."""
    with uncounted():  # once a process, in the run that sleeps first
        return Wiring(plan)
