"""Generated code for all layers of a wiring, and for the loop over iterations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from llvmlite import ir

from hyloop.execute.cpu.expressions import Formulas, Ref, Sum, Value
from hyloop.execute.cpu.memory import stores
from hyloop.execute.cpu.plan import LayerPlan, Read, Scan
from hyloop.execute.cpu.quiet.boxes import BURST, FEW, MANY, SELDOM
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.kernel import BOX, CEILING, INEXACT, LOOK
from hyloop.execute.cpu.quiet.memory import COMPUTED, ITERATIONS, LAYER, LINE, MARK, OF_PARTS, WHY, Fields
from hyloop.execute.cpu.quiet.native.code import LANES, LONG, Code, Lanes, Number
from hyloop.execute.cpu.quiet.native.indexes import GatherCode, IndexCode
from hyloop.execute.cpu.quiet.native.scans import ScanCode, summed
from hyloop.execute.cpu.quiet.ranges import Range, Row, either
from hyloop.execute.cpu.quiet.wiring import MARKS, RowGather, RowIndex, RowProduct, RowScan, Slot, Watch, Wiring


@lru_cache(maxsize=64)
def slots(wiring: Wiring) -> tuple[str, ...]:
    """The slots of the context: addresses and numbers, 8 bytes each."""
    common = ["rows", "count", "first", "rest", "control", "whole", "restless", "counts", "ones", "beyond", "looked"]
    common += [f"{scope}{side}" for scope in ("", "first_", "rest_") for side in ("floors", "ceilings")]
    for number in range(len(wiring.parts)):
        common += [f"{what}{number}" for what in (*OF_PARTS, "other")]
    for number in range(len(wiring.scans)):
        common += [f"{what}{number}" for what in ("scores", "best", "who", "sums", "levels", "height")]
    common += [f"list{number}" for number in range(len(wiring.lists) + 1)]
    common += [f"before{number}" for number in products(wiring)]
    common += [f"{what}{number}" for number in range(len(wiring.indexes)) for what in ("head", "next", "prev", "key")]
    common += [f"zero{number}" for number in range(len(wiring.gathers))]
    for kind in sorted({product.kind for product in wiring.products}):
        common += [f"{kind}_{what}" for what in ("start", "target", "value")]
    return tuple(common)


def products(wiring: Wiring) -> range:
    """The lists of products, by their numbers: beside a row they have what it contributed before."""
    first = len(wiring.parts) + len(wiring.scans)
    return range(first, first + len(wiring.products))


def module(wiring: Wiring) -> str:
    """The text of all functions."""
    return str(_Writer(wiring).module)


class _Writer:
    def __init__(self, wiring: Wiring) -> None:
        self.wiring, self.fields = wiring, Fields(wiring)
        self.module = ir.Module("quiet")
        self.slots = slots(wiring)
        self.width = self.fields.width
        self.place = {id(each): at for at, each in enumerate(wiring.lists)}
        self.scans = [
            ScanCode(self.module, self.slots, number, scan, self._scanned(scan), self._asking(scan))
            for number, scan in enumerate(wiring.scans)
        ]
        self.indexes = [
            IndexCode(self.module, self.slots, number, partial(self._summed, index.layer, index.own))
            for number, index in enumerate(wiring.indexes)
        ]
        self.gathers = [self._gathered(number, gather) for number, gather in enumerate(wiring.gathers)]
        functions = [_LayerCode(self, number).code for number in range(wiring.depth)]
        _run(self, functions)

    def _scanned(self, scan: RowScan) -> Callable[[Code, Number, int], Number]:
        def value(code: Code, row: Number, at: int) -> Number:
            return self.linear(code, scan.layer, row, scan.score[0] if at < 0 else scan.values[at][0], scan.case)

        return value

    def _asking(self, scan: RowScan) -> Callable[[Code, Number], None] | None:
        """How a row is asked for whose values a scan reads; None if it reads nothing but numbers of rows."""
        read = {ref for own, _ in scan.values for ref, _ in own.terms} - {Ref("column", self.wiring.position)}
        return (lambda code, row: code.prefetch(code.slot("rows"), self.at(code, row, MARK))) if read else None

    def _summed(self, layer: int, of: Linear, code: Code, row: Number) -> Number:
        return self.linear(code, layer, row, of)

    def _gathered(self, number: int, gather: RowGather) -> GatherCode:
        def receive(code: Code, row: Number, at: int, value: Number) -> None:
            rows, to = code.slot("rows"), gather.to[at]
            place = self.at(code, row, self.fields.products[gather.layer, to])
            with code.b.if_then(code.is_(code.get(rows, place), "!=", value)):
                code.put(rows, place, value)
                for part in self.wiring.woken(gather.layer, to):
                    self.wake(code, part, row)

        pointer = self.indexes[self.wiring.indexes.index(gather.pointer)]
        values = [partial(self._summed, gather.layer, body) for _, body in gather.values]
        return GatherCode(self.module, self.slots, number, pointer, values, receive)

    def field(self, layer: int, ref: Ref, case: int | None = None) -> int:
        """Where a row has a value; in a case, if its slot is split."""
        if ref.space == "brought":
            return self.fields.products[layer, ref.number]
        (slot,) = self.wiring.kept(self.wiring.slot(layer, ref.number), case)
        return self.fields.slots[slot]

    def own(self, code: Code, layer: int, row: Number, ref: Ref, case: int | None = None) -> Number:
        """A value of a row."""
        if ref == Ref("column", self.wiring.position):
            return code.sum(row, 1)
        return code.get(code.slot("rows"), self.at(code, row, self.field(layer, ref, case)))

    def case(self, code: Code) -> Number | None:
        """The value of the flag that splits slots, as it was when they were written last."""
        split = self.wiring.split
        return None if split is None else code.get(code.slot(f"scalars{split.part}"), 0)

    def at(self, code: Code, row: Number, field: int) -> Number:
        """The index of a field of a row."""
        return code.sum(code.b.mul(row, code.number(self.width)), field)

    def linear(self, code: Code, layer: int, row: Number, of: Linear, case: int | None = None) -> Number:
        """A sum of values of a row."""
        return code.total(of.constant, [(self.own(code, layer, row, ref, case), weight) for ref, weight in of.terms])

    def push(self, code: Code, number: int, row: Number, before: Number | None = None) -> None:
        """Put a row on a list; that of a product has also what the row contributed. Its mark is set by the caller."""
        counts, target = code.slot("counts"), code.reload(f"list{number}")
        count = code.get(counts, number)
        code.put_short(target, count, row)
        if before is not None:
            code.put(code.slot(f"before{number}"), count, before)
        code.put(counts, number, code.sum(count, 1))

    def taken(self, code: Code, number: int, each: Callable[[Number, Number, Number], None]) -> None:
        """Do something for each row of a list, whose mark is taken off; then the list is empty.

        `each` takes the row, its place on the list, and whether all rows are taken, not those of the list.
        """
        whole = code.get(code.slot("whole"), number)
        count = code.get(code.slot("counts"), number)
        every = code.is_(whole, "!=", 0)
        listed = code.slot(f"list{number}")
        with code.loop(0, code.either(every, code.slot("count"), count)) as at:
            chosen = code.variable(at)
            with code.b.if_then(code.b.not_(every), likely=True):
                code.write(chosen, code.get_short(listed, at))
            row = code.read(chosen)
            self.unmark(code, number, row)
            each(row, at, every)
        code.put(code.slot("counts"), number, 0)
        code.put(code.slot("whole"), number, 0)

    def source(self, code: Code, product: RowProduct, row: Number) -> Number:
        """What a row contributes to a product."""
        return code.sum(self.linear(code, product.layer, row, product.source[0]), product.source[1].constant)

    def unmark(self, code: Code, number: int, row: Number) -> None:
        """Take a row off a list."""
        place = self.at(code, row, MARK)
        marks = code.get(code.slot("rows"), place)
        code.put(code.slot("rows"), place, code.b.and_(marks, code.number(~(1 << number))))

    def wake(self, code: Code, number: int, row: Number) -> None:
        """Put a row on a list unless it is there."""
        place = self.at(code, row, MARK)
        marks = code.get(code.slot("rows"), place)
        with code.b.if_then(code.is_(code.b.and_(marks, code.number(1 << number)), "==", 0)):
            code.put(code.slot("rows"), place, code.b.or_(marks, code.number(1 << number)))
            for line in self.fields.lines[number][1:] if number < len(self.fields.lines) else ():
                code.prefetch(code.slot("rows"), self.at(code, row, line))
            self.push(code, number, row)


class _LayerCode:
    """The function of one layer: returns what is to be looked at, as `kernel.py` does."""

    def __init__(self, writer: _Writer, number: int) -> None:
        self.writer, self.wiring, self.number = writer, writer.wiring, number
        self.parts = self.wiring.parts_of(number)
        self.plan: LayerPlan = self.wiring.plan.layers[number]
        self.code = Code(writer.module, f"layer{number}", writer.slots, inner=True)
        self.first: dict[Ref, Number] = {}
        self.rest: dict[Ref, Number] = {}
        self._scalars()
        self._receive()
        self.looked = self.beyond = self.code.number(0)
        for part in self.parts:
            _PartCode(self, part).rows()
        self._commit()

    # -- the numbers of the iteration

    def _number(self, known: dict[Ref, Number], ref: Ref) -> Number:
        if ref not in known:
            assert ref.space == "column"
            array = self.code.slot("first" if known is self.first else "rest")
            known[ref] = self.code.get(array, ref.number)
        return known[ref]

    def _sum(self, known: dict[Ref, Number], of: Sum | Linear) -> Number:
        return self.code.total(int(of.constant), [(self._number(known, ref), int(weight)) for ref, weight in of.terms])

    def _scalars(self) -> None:
        code = self.code
        self._load()
        for planned in range(len(self.plan.scans)):
            trees = [(at, each) for at, each in enumerate(self.wiring.scans) if each.layer == self.number]
            self._scan([(at, each) for at, each in trees if each.number == planned], self.plan.scans[planned])
        for read in self.plan.reads:
            self._read(read)
        self._nodes(self.plan.first, self.first, everything=True)
        self._nodes(self.plan.body, self.rest, everything=False)
        outside = code.b.icmp_signed("!=", code.number(0), code.number(0))
        self.boxes: dict[int, dict[Ref, Range[Number]]] = {}
        for part in self.parts:
            boxes = self.boxes[part] = {}
            for at, ref in enumerate(self.wiring.parts[part].scalars):
                now = self._number(self.rest, ref)
                code.put(code.slot(f"scalars{part}"), at, now)
                low, high, left = self._box(part, at, now)
                outside = code.b.or_(outside, left)
                boxes[ref] = Range(now, low, high)
        code.leave_if(outside, BOX)

    def _box(self, part: int, at: int, now: Number) -> tuple[Number, Number, Number]:
        """The box of a number, and a condition: that it has left it. If it may, it takes the box along."""
        code = self.code
        low, high, narrow, until = (code.slot(f"{what}{part}") for what in ("low", "high", "narrow", "until"))
        ends = [code.variable(code.get(side, at)) for side in (low, high)]
        left = code.variable(code.flag(code.outside(code.read(ends[0]), now, code.read(ends[1]))))
        with code.b.if_then(code.is_(code.read(left), "!=", 0), likely=False):
            iteration = code.get(code.slot("control"), ITERATIONS)
            then = code.sum(code.larger(code.get(until, at), iteration), SELDOM)
            seldom = code.is_(then, "<=", code.sum(iteration, BURST * SELDOM))
            with code.b.if_then(code.b.and_(seldom, code.is_(code.get(narrow, at), "!=", 0))):
                for side, end in zip((low, high), ends, strict=True):
                    code.put(side, at, now)
                    code.write(end, now)
                code.put(until, at, then)
                code.put(code.slot("whole"), part, 1)
                code.write(left, 0)
        return code.read(ends[0]), code.read(ends[1]), code.is_(code.read(left), "!=", 0)

    def _load(self) -> None:
        """Load all columns that are numbers here: later, conditions would come between."""
        for column, fact in enumerate(self.plan.before):
            if fact.first is None:
                self._number(self.first, Ref("column", column))
            if fact.rest is None and not fact.vector:
                self._number(self.rest, Ref("column", column))

    def _root(self, number: int, scan: RowScan) -> list[Number]:
        """Of the best rows: their score, how many there are, and their sums."""
        code, tree = self.code, self.writer.scans[number]
        self._refresh(scan, tree)
        return tree.read(code)

    def _of_case(self, trees: Sequence[tuple[int, RowScan]]) -> list[Number]:
        """The same, of the tree that is the flag's."""
        code, flag = self.code, self.writer.case(self.code)
        if flag is None or len(trees) == 1:
            return self._root(*trees[0])
        found = [code.variable() for _ in range(2 + len(self.writer.scans[trees[0][0]].sums))]
        for number, scan in trees:
            with code.b.if_then(code.is_(flag, "==", code.number(int(scan.case or 0)))):
                for each, value in zip(found, self._root(number, scan), strict=True):
                    code.write(each, value)
        return [code.read(each) for each in found]

    def _scan(self, trees: Sequence[tuple[int, RowScan]], planned: Scan) -> None:
        code, scan = self.code, trees[0][1]
        best, ties, *sums = self._of_case(trees)
        score = self._sum(self.first, planned.score[0])
        body = code.sum(best, self._sum(self.rest, scan.score[1]))
        none = code.is_(ties, "==", 0)
        body_wins = code.b.and_(code.is_(body, ">=", score), code.b.not_(none))
        first_wins = code.b.or_(code.is_(score, ">=", body), none)
        ties = code.either(body_wins, ties, 0)
        count = code.sum(ties, code.flag(first_wins))
        places = summed(scan)
        for at, (own, common) in enumerate(scan.values):
            total = code.b.mul(ties, self._sum(self.rest, common))
            if own.terms:
                total = code.sum(total, code.either(body_wins, sums[places.index(at)], 0))
            zero = self._sum(self.first, planned.values[at][0])
            average = self._average(code.sum(total, code.either(first_wins, zero, 0)), count)
            for known, to in ((self.first, planned.to_first), (self.rest, planned.to_body)):
                if at < len(to):
                    known[Ref("brought", to[at])] = average

    def _refresh(self, scan: RowScan, tree: ScanCode) -> None:
        """Bring the tree up to date."""
        code, place = self.code, self.writer.place[id(scan)]
        whole = code.is_(code.get(code.slot("whole"), place), "!=", 0)
        with code.b.if_else(whole, likely=False) as (every, some):
            with every:
                code.call(tree.rebuild)
                self.writer.taken(code, place, lambda *_: None)
            with some:
                self.writer.taken(code, place, lambda row, *_: code.call(tree.update, row))

    def _average(self, total: Number, count: Number) -> Number:
        """A quotient that is an integer, or else the function is left."""
        code = self.code
        found = code.variable(total)
        with code.b.if_then(code.is_(count, "!=", 1), likely=False):
            quotient = code.b.sdiv(total, count)
            code.write(found, quotient)
            code.leave_if(code.is_(code.b.mul(quotient, count), "!=", total), INEXACT)
        return code.read(found)

    def _read(self, read: Read) -> None:
        code = self.code
        known = self.rest if read.body else self.first
        doubled = self._sum(known, read.doubled)
        low = code.b.ashr(doubled, code.number(1))
        high = code.b.ashr(code.sum(doubled, 1), code.number(1))
        rows = [code.smaller(code.larger(each, code.number(0)), code.slot("count")) for each in (low, high)]
        for to, (first, body) in zip(read.to, read.values, strict=True):
            total = code.sum(*(self._at(row, first, Linear.of(body)) for row in rows))
            code.leave_if(code.is_(code.b.and_(total, code.number(1)), "!=", 0), INEXACT)
            known[Ref("brought", to)] = code.b.ashr(total, code.number(1))

    def _at(self, row: Number, first: Sum, body: Linear) -> Number:
        """A value on any row: of row 0 if it is that."""
        code = self.code
        own, common = body.split(lambda ref: self.wiring.is_vector(self.number, ref))
        found = code.variable(self._sum(self.first, first))
        shared = self._sum(self.rest, common)
        with code.b.if_then(code.is_(row, ">", 0)):
            code.write(found, code.sum(self.writer.linear(code, self.number, code.sum(row, -1), own), shared))
        return code.read(found)

    def _nodes(self, program: Formulas, known: dict[Ref, Number], *, everything: bool) -> None:
        for number, node in enumerate(program.nodes):
            if everything or not node.vector:
                total = self._sum(known, node.of)
                known[Ref("node", number)] = self.code.larger(total, self.code.number(0)) if node.relu else total

    # -- what rows receive

    def _receive(self) -> None:
        for product in self.wiring.products:
            if product.layer == self.number:
                self._product(product)
        for number, index in enumerate(self.wiring.indexes):
            if index.layer == self.number:
                self._index(number, index)
        for number, gather in enumerate(self.wiring.gathers):
            if gather.layer == self.number:
                self._gather(self.writer.gathers[number], gather)
        for part in self.parts:
            for at, watch in enumerate(self.wiring.parts[part].watches):
                self._watch(part, at, watch)

    def _product(self, product: RowProduct) -> None:
        code, writer = self.code, self.writer
        number = writer.place[id(product)]
        into = writer.fields.products[product.layer, product.to]
        rows = code.slot("rows")
        start, target, value = (code.slot(f"{product.kind}_{what}") for what in ("start", "target", "value"))

        def each(row: Number, place: Number, every: Number) -> None:
            before = code.variable()
            with code.b.if_then(code.b.not_(every), likely=True):
                code.write(before, code.get(code.slot(f"before{number}"), place))
            change = code.b.sub(writer.source(code, product, row), code.read(before))
            with code.b.if_then(code.is_(change, "!=", 0)):
                entries = code.get(start, row), code.get(start, code.sum(row, 1))
                with code.loop(*entries) as entry:  # all are asked for before the first is needed
                    to = code.get_short(target, entry)
                    for field in {MARK, into // LINE * LINE}:
                        code.prefetch(rows, writer.at(code, to, field))
                with code.loop(*entries) as entry:
                    to = code.get_short(target, entry)
                    at = writer.at(code, to, into)
                    more = code.variable(change)
                    with code.b.if_then(code.is_(code.slot("ones"), "==", 0), likely=False):
                        code.write(more, code.b.mul(change, code.get(value, entry)))
                    code.put(rows, at, code.sum(code.get(rows, at), code.read(more)))
                    for part in self.wiring.woken(product.layer, product.to):
                        writer.wake(code, part, to)

        writer.taken(code, number, each)

    def _index(self, number: int, index: RowIndex) -> None:
        """Bring an index up to date, and rows that point elsewhere now what they receive from there."""
        code, writer = self.code, self.writer
        pointers = [each for each in writer.gathers if each.pointer is writer.indexes[number]]

        def each(row: Number, *_: Number) -> None:
            code.call(writer.indexes[number].move, row)
            for gather in pointers:
                code.call(gather.bring, row)

        writer.taken(code, writer.place[id(index)], each)

    def _gather(self, code_of: GatherCode, gather: RowGather) -> None:
        """Bring what has changed to the rows that point there."""
        code = self.code
        code_of.hold(code, [self._sum(self.first, first) for first, _ in gather.values])
        place = self.writer.place[id(gather)]
        self.writer.taken(code, place, lambda row, *_: code_of.give(code, code.sum(row, 1)))

    def _watch(self, part: int, at: int, watch: Watch) -> None:
        code, writer = self.code, self.writer
        offset = self._sum(self.rest, watch.offset)
        named = code.b.mul(offset, code.number(-watch.sign))
        array = code.slot(f"watched{part}")
        low = high = named
        if watch.across:
            before = code.get(array, at)
            low, high = code.sum(code.smaller(before, named), -1), code.sum(code.larger(before, named), 1)
        code.put(array, at, named)
        wide = [code.is_(self.boxes[part][ref].low, "!=", self.boxes[part][ref].high) for ref, _ in watch.offset.terms]
        moves = wide[0] if wide else code.is_(named, "!=", named)
        for each in wide[1:]:
            moves = code.b.or_(moves, each)
        if watch.own is not None:
            index = writer.indexes[self.wiring.index(self.number, watch.own)]
            with code.b.if_then(moves), index.having(code, index.within(code, named)) as row:
                writer.wake(code, part, row)
            return
        start = code.sum(code.larger(low, code.number(1)), -1)
        end = code.either(moves, code.smaller(high, code.slot("count")), 0)
        if watch.across:
            end = code.either(code.is_(code.get(code.slot(f"loose{part}"), at), "==", 0), end, 0)
            rows, passed = code.larger(code.b.sub(end, start), code.number(0)), code.slot(f"passed{part}")
            code.put(passed, at, code.sum(code.get(passed, at), rows))
        with code.loop(start, end) as row:
            writer.wake(code, part, row)

    # -- row 0, and columns that are one number on the body

    def _commit(self) -> None:
        code = self.code
        beyond = code.flag(code.is_(self.beyond, "!=", 0))
        after = self.wiring.plan.after(self.number)
        first = stores(self.plan.before, after, self.plan.first.new, 0)
        rest = [c for c in stores(self.plan.before, after, self.plan.body.new, 1) if not after[c].vector]
        pending = [("first", column, self._new(self.first, self.plan.first.new[column])) for column in first]
        pending += [("rest", column, self._new(self.rest, self.plan.body.new[column])) for column in rest]
        for array, column, value in pending:
            code.put(code.slot(array), column, value)
            floor, ceiling = (code.get(code.slot(f"{array}_{side}"), column) for side in ("floors", "ceilings"))
            beyond = code.b.or_(beyond, code.flag(code.outside(floor, value, ceiling)))
        looked = code.either(code.is_(self.looked, "!=", 0), LOOK, 0)
        code.leave(code.sum(looked, code.either(code.is_(beyond, "!=", 0), CEILING, 0)))

    def _new(self, known: dict[Ref, Number], value: Value) -> Number:
        return self._number(known, value) if isinstance(value, Ref) else self.code.number(int(value))


class _PartCode:
    """The rows of a part of a layer."""

    def __init__(self, within: _LayerCode, number: int) -> None:
        self.within, self.number = within, number
        self.code, self.writer, self.wiring = within.code, within.writer, within.wiring
        self.part = self.wiring.parts[number]
        self.boxes = within.boxes[number]
        self.case = self.writer.case(self.code)
        self.loose = {at: self.code.get(self.code.slot(f"loose{number}"), at) for at in self.part.passing.values()}
        self.chosen = [self.code.variable() for _ in range(LANES)]  # the rows that are computed side by side
        self.new = [Lanes(self.code).room() for _ in self.part.outputs]  # and what they become

    def rows(self) -> None:
        code, writer, number = self.code, self.writer, self.number
        counts = code.slot("counts")
        whole = code.get(code.slot("whole"), number)
        every = code.is_(whole, "!=", 0)
        code.put(code.slot("looked"), number, whole)
        listed, other = code.reload(f"list{number}"), code.reload(f"other{number}")
        count = code.either(every, code.slot("count"), code.get(counts, number))
        code.put_slot(f"list{number}", other)  # rows that stay awake are put on the other list
        code.put_slot(f"other{number}", listed)
        code.put(counts, number, 0)
        code.put(code.slot("whole"), number, 0)
        self.beyond, restless = code.variable(), code.variable()
        guards = [
            tuple(code.get(code.slot(side), writer.fields.slots[slot]) for side in ("floors", "ceilings"))
            for slot, _ in self.part.outputs
        ]
        with code.loop(0, count, LANES) as at:
            self._block(at, count, every, listed, guards, restless)
        code.put(code.slot("restless"), number, code.read(restless))
        code.put(code.slot("beyond"), number, code.read(self.beyond))
        many = code.is_(code.b.mul(code.read(restless), code.number(MANY)), ">", code.slot("count"))
        many = code.b.and_(many, code.is_(code.read(restless), ">=", FEW))  # otherwise there is nothing to look at
        self.within.looked = code.b.or_(self.within.looked, code.either(many, whole, 0))
        self.within.beyond = code.b.or_(self.within.beyond, code.read(self.beyond))
        control = code.slot("control")
        code.put(control, COMPUTED, code.sum(code.get(control, COMPUTED), count))

    def _block(
        self,
        at: Number,
        count: Number,
        every: Number,
        listed: Number,
        guards: Sequence[tuple[Number, ...]],
        restless: Number,
    ) -> None:
        """Some rows side by side; the last ones may be fewer, and then one of them is computed several times."""
        code, lanes = self.code, Lanes(self.code)
        places = [code.smaller(code.sum(at, lane), code.sum(count, -1)) for lane in range(LANES)]
        with code.b.if_else(every, likely=False) as (all_rows, some):
            with all_rows:
                for chosen, place in zip(self.chosen, places, strict=True):
                    code.write(chosen, place)
            with some:
                for chosen, place in zip(self.chosen, places, strict=True):
                    code.write(chosen, code.get_short(listed, place))
        here = [code.read(chosen) for chosen in self.chosen]
        found = self._outputs(lanes, here)
        rows = code.slot("rows")
        moves = differs = lanes.all(code.number(0))
        for (slot, _), each in zip(self.part.outputs, found, strict=True):
            old = lanes.of([code.get(rows, self._place(row, slot)) for row in here])
            differs = code.b.or_(differs, code.b.xor(old, each.now))
            if not each.is_fixed:
                moves = code.b.or_(moves, code.b.or_(code.b.xor(each.low, each.now), code.b.xor(each.high, each.now)))
        for row in here:
            self.writer.unmark(code, self.number, row)
        there = lanes.first(code.b.sub(count, at))
        awake = code.b.and_(lanes.nonzero(moves), there)
        waiting = code.variable(code.b.or_(code.b.and_(lanes.nonzero(differs), there), awake))
        with code.b.if_then(code.is_(code.read(waiting), "!=", 0)):
            for kept, each in zip(self.new, found, strict=True):
                code.b.store(each.now, kept)
            with code.while_(waiting):
                lane = code.lowest_bit(code.read(waiting))
                self._changed(lane, code.b.and_(code.b.lshr(awake, lane), code.number(1)), guards, restless)
                code.write(waiting, code.b.and_(code.read(waiting), code.sum(code.read(waiting), -1)))

    def _outputs(self, lanes: Lanes, here: Sequence[Number]) -> list[Range[Number]]:
        """What rows become."""
        code = self.code

        def vector(ref: Ref, case: int | None) -> Number:
            return lanes.of([self.writer.own(code, self.part.layer, row, ref, case) for row in here])

        boxes = {
            ref: Range(lanes.all(box.now), lanes.all(box.low), lanes.all(box.high)) for ref, box in self.boxes.items()
        }
        loose = {watch: lanes.all(flag) for watch, flag in self.loose.items()}.__getitem__
        cases = [
            Row(self.part, lanes, partial(vector, case=case), boxes.__getitem__, loose) for case in self.part.cases
        ]
        return either(lanes, None if self.case is None else lanes.all(self.case), [each.outputs() for each in cases])

    def _place(self, row: Number, slot: Slot) -> Number:
        return self.writer.at(self.code, row, self.writer.fields.slots[slot])

    def _changed(self, lane: Number, awake: Number, guards: Sequence[tuple[Number, ...]], restless: Number) -> None:
        """A row that becomes something else, or may: write it, and put it on lists."""
        code, rows, possible = self.code, self.code.slot("rows"), 1 << self.number
        row = code.variable(code.read(self.chosen[0]))
        for at, chosen in enumerate(self.chosen[1:], start=1):
            code.write(row, code.either(code.is_(lane, "==", at), code.read(chosen), code.read(row)))
        number = code.read(row)
        code.write(restless, code.sum(code.read(restless), awake))
        gave = self._gave(number)
        new, beyond = code.b.shl(awake, code.number(self.number)), code.read(self.beyond)
        for at, ((slot, _), kept, guard) in enumerate(zip(self.part.outputs, self.new, guards, strict=True)):
            readers = self.wiring.readers[slot]
            possible |= readers
            place = self._place(number, slot)
            now = code.b.load(code.b.gep(kept, [lane], source_etype=LONG), typ=LONG)
            new = code.b.or_(new, code.either(code.is_(code.get(rows, place), "!=", now), readers, 0))
            outside = code.outside(guard[0], now, guard[1])
            beyond = code.b.or_(beyond, code.either(outside, 1 << min(at, MARKS), 0))
            code.put(rows, place, now)
        code.write(self.beyond, beyond)
        self._mark(number, rows, new, possible, gave)

    def _gave(self, row: Number) -> dict[int, Number]:
        """What a row contributes to the products of which this part writes a slot, before that is written."""
        written = {slot for slot, _ in self.part.outputs}
        return {
            number: self.writer.source(self.code, self.wiring.products[at], row)
            for at, number in enumerate(products(self.wiring))
            if written & self.wiring.read_by(number)
        }

    def _mark(self, row: Number, rows: Number, marks: Number, possible: int, gave: Mapping[int, Number]) -> None:
        """Put the row on lists; `gave` is what it contributed to products."""
        code, writer = self.code, self.writer
        place = writer.at(code, row, MARK)
        before = code.b.and_(code.get(rows, place), code.number(~(1 << self.number)))
        code.put(rows, place, code.b.or_(before, marks))
        new = code.b.and_(marks, code.b.not_(before))
        with code.b.if_then(code.is_(new, "!=", 0)):
            for number in range(len(self.wiring.lists) + 1):
                if possible >> number & 1:
                    with code.b.if_then(code.is_(code.b.and_(new, code.number(1 << number)), "!=", 0)):
                        writer.push(code, number, row, gave.get(number))


def _run(writer: _Writer, layers: Sequence[Code]) -> None:
    """Iterate until so many iterations have been run, the halt flag is 1, or something is to be looked at."""
    code = Code(writer.module, "run", writer.slots, 1)
    (limit,) = code.arguments
    plan = writer.wiring.plan
    control = code.slot("control")
    known = plan.boundary[plan.halt].first
    blocks = [code.function.append_basic_block(f"apply{number}") for number in range(len(layers))]
    test, going = (code.function.append_basic_block(name) for name in ("test", "going"))
    finished = code.function.append_basic_block("finished")
    choice = code.b.switch(code.get(control, LAYER), test)
    for number, block in enumerate(blocks[1:], start=1):
        choice.add_case(code.number(number), block)
    code.b.position_at_end(test)
    flag = code.get(code.slot("first"), plan.halt) if known is None else code.number(int(known))
    less = code.is_(code.get(control, ITERATIONS), "<", limit)
    code.b.cbranch(code.b.and_(less, code.is_(flag, "!=", 1)), going, finished)
    code.b.position_at_end(going)
    code.b.branch(blocks[0])
    code.b.position_at_end(finished)
    code.leave(0)
    for number, (block, layer) in enumerate(zip(blocks, layers, strict=True)):
        code.b.position_at_end(block)
        stopped = code.call(layer)
        undone = code.is_(code.b.and_(stopped, code.number(INEXACT | BOX)), "!=", 0)
        with code.b.if_then(undone, likely=False):
            code.put(control, WHY, stopped)
            code.leave(stopped)
        last = number + 1 == len(layers)
        code.put(control, LAYER, 0 if last else number + 1)
        if last:
            code.put(control, ITERATIONS, code.sum(code.get(control, ITERATIONS), 1))
        with code.b.if_then(code.is_(stopped, "!=", 0), likely=False):
            code.put(control, WHY, stopped)
            code.leave(stopped)
        code.b.branch(test if last else blocks[number + 1])
