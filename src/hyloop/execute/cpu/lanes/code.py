"""Native code for lanes: a function for each layer, and one for the loop over iterations.

All values are vectors with a number for each lane: those of row 0, those that the rows of the body share, and those of
a row of the body. The parts of a layer, in order: scans over the rows; products that must be complete before a row is
written; the sums of row 0, and those that all rows share; then one loop over the rows, with all other products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from hyloop.execute.cpu.expressions import Formulas, Ref, Sum, Value
from hyloop.execute.cpu.lanes.shape import Shape, sums_of
from hyloop.execute.cpu.plan import Product, Scan

LINE = 64  # bytes of a row of a column: a cache line
SLOTS = ("first", "rest", "body", "shared", "brought", "running", "iterations", "low", "span", "bad", "rows")
LONG, SHORT, POINTER = ir.IntType(64), ir.IntType(32), ir.PointerType()
Operand = Any  # an `ir.Value`; llvmlite has no types of its own for type checkers
Environment = Callable[[Ref], Operand]


def lanes_of(bits: int) -> int:
    """How many inputs run at once."""
    return LINE * 8 // bits


def slots(shape: Shape) -> tuple[str, ...]:
    """What the context has: addresses, and the number of rows."""
    kinds = sorted({product.kind for layer in shape.plan.layers for product in layer.products})
    return (*SLOTS, *(f"{kind}_{part}" for kind in kinds for part in ("start", "source")))


def module(shape: Shape, bits: int) -> str:
    """The text of the module."""
    whole = ir.Module("lanes")
    layers = [_Layer(whole, shape, number, bits).function() for number in range(len(shape.plan.layers))]
    _run(whole, shape, bits, layers)
    return str(whole)


class _Code:
    """A function of a context, while it is written."""

    def __init__(self, whole: ir.Module, name: str, shape: Shape, bits: int, arguments: int = 0) -> None:
        self.shape, self.bits, self.lanes = shape, bits, lanes_of(bits)
        self.number = ir.IntType(bits)
        self.vector, self.flags = ir.VectorType(self.number, self.lanes), ir.VectorType(ir.IntType(1), self.lanes)
        kind = ir.FunctionType(LONG, [POINTER] + [LONG] * arguments)
        self.made = ir.Function(whole, kind, name)
        self.b = ir.IRBuilder(self.made.append_basic_block("entry"))
        self.slot = {
            name: self.b.load(self._at(self.made.args[0], at, LONG), typ=LONG if name == "rows" else POINTER)
            for at, name in enumerate(slots(shape))
        }

    def _at(self, array: Operand, index: Operand | int, kind: Any) -> Operand:
        place = ir.Constant(LONG, index) if isinstance(index, int) else index
        return self.b.gep(array, [place], source_etype=kind)

    def load(self, slot: str, index: Operand | int, kind: Any = None) -> Operand:
        """An element of an array; by default the numbers of all lanes."""
        return self.b.load(self._at(self.slot[slot], index, kind or self.vector), typ=kind or self.vector)

    def store(self, slot: str, index: Operand | int, value: Operand) -> None:
        """Write an element of an array."""
        self.b.store(value, self._at(self.slot[slot], index, value.type))

    def filled(self, value: float) -> Operand:
        """One number in all lanes."""
        half = 2 ** (self.bits - 1)
        return ir.Constant(self.vector, [(int(value) + half) % (2 * half) - half] * self.lanes)

    def splat(self, number: Operand) -> Operand:
        """The same, of a number that is computed."""
        kind = ir.VectorType(number.type, self.lanes)
        one = self.b.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(SHORT, 0))
        return self.b.shuffle_vector(one, one, ir.Constant(ir.VectorType(SHORT, self.lanes), [0] * self.lanes))

    def variable(self, start: Operand) -> Operand:
        """A variable; LLVM keeps it in a register."""
        with self.b.goto_entry_block():
            found = self.b.alloca(start.type)
        self.b.store(start, found)
        return found

    @contextmanager
    def each(self, first: Operand, end: Operand) -> Iterator[Operand]:
        """A loop over the numbers from `first` to before `end`."""
        b, at = self.b, self.variable(first)
        test, inner, done = (self.made.append_basic_block() for _ in range(3))
        b.branch(test)
        b.position_at_end(test)
        now = b.load(at, typ=LONG)
        b.cbranch(b.icmp_signed("<", now, end), inner, done)
        b.position_at_end(inner)
        yield now
        b.store(b.add(now, ir.Constant(LONG, 1)), at)
        b.branch(test)
        b.position_at_end(done)

    def rows(self) -> Any:
        """A loop over the rows of the body."""
        return self.each(ir.Constant(LONG, 0), self.slot["rows"])

    def running(self) -> Operand:
        """Which lanes have not halted."""
        return self.b.icmp_signed("!=", self.load("running", 0), self.filled(0))

    def bits_of(self, flags: Operand) -> Operand:
        """Flags of lanes as one number."""
        return self.b.zext(self.b.bitcast(flags, ir.IntType(self.lanes)), LONG)


class _Layer(_Code):
    """The function of one layer. It returns the lanes in which a number has left its box, or is no integer."""

    def __init__(self, whole: ir.Module, shape: Shape, number: int, bits: int) -> None:
        super().__init__(whole, f"layer{number}", shape, bits)
        self.layer, self.at = shape.plan.layers[number], number
        self.first: dict[Ref, Operand] = {}
        self.rest: dict[Ref, Operand] = {}

    def function(self) -> Operand:
        """Write it."""
        self.lives = self.running()
        self.bad = self.variable(ir.Constant(self.flags, [0] * self.lanes))
        self._load_numbers()
        for scan in self.layer.scans:
            self._scan(scan)
        complete = [each for each in self.layer.products if (self.at, each.to) in self.shape.brought]
        if complete:
            with self.rows() as row:
                for to, total in self._products(complete, row).items():
                    self.store("brought", self._in(self.shape.brought[self.at, to.number], row), total)
        self._numbers(self.layer.first, self.first)
        self._numbers(self.layer.body, self.rest)
        first, rest, body = self.shape.written[self.at]
        guards = {column: self._guard("body", column) for column in body}
        with self.rows() as row:
            self._row(row, complete, guards)
        for slot, columns in (("first", first), ("rest", rest)):
            known, new = (self.first, self.layer.first.new) if slot == "first" else (self.rest, self.layer.body.new)
            made = [(column, self._value(new[column], known.__getitem__)) for column in columns]
            for column, value in made:
                self._put(slot, column, value, self.load(slot, column), self._guard(slot, column))
        self.b.ret(self.bits_of(self.b.load(self.bad, typ=self.flags)))
        return self.made

    # -- numbers that rows share

    def _load_numbers(self) -> None:
        """Columns that are numbers, loaded before any loop."""
        formulas = (self.layer.first, self.layer.body)
        values = [value for each in formulas for value in each.new] + [
            r for each in self._sums() for r, _ in each.terms
        ]
        for ref in values:
            if isinstance(ref, Ref) and ref.space == "column":
                fact = self.layer.before[ref.number]
                if fact.first is None and ref not in self.first:
                    self.first[ref] = self.load("first", ref.number)
                if not fact.vector and fact.rest is None and ref not in self.rest:
                    self.rest[ref] = self.load("rest", ref.number)

    def _sums(self) -> Iterator[Sum]:
        yield from sums_of(self.layer)
        yield from (node.of for node in self.layer.first.nodes)
        for scan in self.layer.scans:
            yield scan.score[0]
            yield from (first for first, _ in scan.values)

    def _numbers(self, formulas: Formulas, known: dict[Ref, Operand]) -> None:
        for number, node in enumerate(formulas.nodes):
            if not node.vector:
                known[Ref("node", number)] = self._node(node.of, node.relu, known.__getitem__)

    # -- sums

    def _node(self, of: Sum, relu: bool, environment: Environment) -> Operand:
        total = self._total(of, environment)
        return self._larger(total, self.filled(0)) if relu else total

    def _larger(self, a: Operand, b: Operand) -> Operand:
        return self.b.select(self.b.icmp_signed(">", a, b), a, b)

    def _total(self, of: Sum, environment: Environment) -> Operand:
        total = self.filled(of.constant) if of.constant or not of.terms else None
        for ref, weight in sorted(of.terms, key=lambda term: term[1] != 1):
            value = environment(ref)
            if weight == -1 and total is not None:
                total = self.b.sub(total, value)
                continue
            if weight != 1:
                value = self.b.mul(value, self.filled(weight))
            total = value if total is None else self.b.add(total, value)
        return total

    def _value(self, value: Value, environment: Environment) -> Operand:
        return environment(value) if isinstance(value, Ref) else self.filled(value)

    def _in(self, place: int, row: Operand) -> Operand:
        """Where a row of a table of columns is."""
        if not place:
            return row
        return self.b.add(row, self.b.mul(self.slot["rows"], ir.Constant(LONG, place)))

    def _column(self, column: int, row: Operand) -> Operand:
        """A row of a column."""
        if column in self.shape.shared:
            return self.splat(self.load("shared", self._in(self.shape.shared[column], row), self.number))
        return self.load("body", self._in(self.shape.places[column], row))

    def _on_row(self, row: Operand, known: dict[Ref, Operand]) -> Environment:
        """What references stand for on a row; columns are loaded when they are asked for."""

        def found(ref: Ref) -> Operand:
            if ref not in known:
                known[ref] = self._column(ref.number, row)
            return known[ref]

        return found

    # -- heads

    def _scan(self, scan: Scan) -> None:
        """The best score, how often it occurs, and the sum of each value there; row 0 takes part."""
        wide = ir.VectorType(ir.IntType(min(64, 2 * self.bits)), self.lanes)
        summed = [n for n, value in enumerate(scan.values) if value != scan.score]  # others are the best score itself
        here = self.first.__getitem__
        best = self.variable(self._total(scan.score[0], here))
        count = self.variable(self.filled(1))
        sums = [self.variable(self._wide(self._total(scan.values[n][0], here), wide)) for n in summed]
        with self.rows() as row:
            environment = self._on_row(row, dict(self.rest))
            score, old = self._total(scan.score[1], environment), self.b.load(best, typ=self.vector)
            more, tie = self.b.icmp_signed(">", score, old), self.b.icmp_signed(">=", score, old)
            self.b.store(self.b.select(more, score, old), best)
            if summed:
                self._add_up(count, self.vector, more, tie, self.filled(1))
            for n, total in zip(summed, sums, strict=True):
                self._add_up(total, wide, more, tie, self._wide(self._total(scan.values[n][1], environment), wide))
        for n in range(len(scan.values)):
            average = self.b.load(best, typ=self.vector)
            if n in summed:
                average = self._average(
                    self.b.load(sums[summed.index(n)], typ=wide), self.b.load(count, typ=self.vector)
                )
            for known, to in ((self.first, scan.to_first), (self.rest, scan.to_body)):
                for each in to[n : n + 1]:
                    known[Ref("brought", each)] = average

    def _wide(self, value: Operand, wide: Any) -> Operand:
        return value if wide == self.vector else self.b.sext(value, wide)

    def _add_up(self, total: Operand, kind: Any, more: Operand, tie: Operand, value: Operand) -> None:
        nothing = ir.Constant(kind, [0] * self.lanes)
        old = self.b.select(more, nothing, self.b.load(total, typ=kind))
        self.b.store(self.b.add(old, self.b.select(tie, value, nothing)), total)

    def _average(self, total: Operand, count: Operand) -> Operand:
        by = self._wide(count, total.type)
        found = self.b.sdiv(total, by)
        self._note(self.b.icmp_signed("!=", self.b.mul(found, by), total))
        return found if total.type == self.vector else self.b.trunc(found, self.vector)

    def _products(self, products: Sequence[Product], row: Operand) -> dict[Ref, Operand]:
        """What a row receives from products; those with the same matrix are added up together."""
        found: dict[Ref, Operand] = {}
        for kind in sorted({product.kind for product in products}):
            some = [product for product in products if product.kind == kind]
            totals = [self.variable(self.filled(0)) for _ in some]
            following = self.b.add(row, ir.Constant(LONG, 1))
            ends = [self.load(f"{kind}_start", each, LONG) for each in (row, following)]
            with self.each(*ends) as entry:
                source = self.b.sext(self.load(f"{kind}_source", entry, SHORT), LONG)
                environment = self._on_row(source, dict(self.rest))
                for product, total in zip(some, totals, strict=True):
                    value = self._total(product.source, environment)
                    self.b.store(self.b.add(self.b.load(total, typ=self.vector), value), total)
            for product, total in zip(some, totals, strict=True):
                found[Ref("brought", product.to)] = self.b.load(total, typ=self.vector)
        return found

    # -- the rows

    def _row(self, row: Operand, complete: Sequence[Product], guards: dict[int, tuple[Operand, Operand]]) -> None:
        known = dict(self.rest)
        known |= self._products([each for each in self.layer.products if each not in complete], row)
        for product in complete:
            place = self.shape.brought[self.at, product.to]
            known[Ref("brought", product.to)] = self.load("brought", self._in(place, row))
        environment = self._on_row(row, known)
        for number, node in enumerate(self.layer.body.nodes):
            if node.vector:
                known[Ref("node", number)] = self._node(node.of, node.relu, environment)
        new = {column: self._value(self.layer.body.new[column], environment) for column in guards}
        for column, value in new.items():
            at = self._in(self.shape.places[column], row)
            self._put("body", column, value, self.load("body", at), guards[column], at)

    def _guard(self, slot: str, column: int) -> tuple[Operand, Operand]:
        """The least number of a box, and how many more there are."""
        at = self.shape.guarded[self.at, slot, column]
        low, span = (self.splat(self.load(each, at, self.number)) for each in ("low", "span"))
        return low, span

    def _put(
        self, slot: str, column: int, value: Operand, old: Operand, guard: tuple[Operand, Operand], at: Operand = None
    ) -> None:
        """Write a number where a lane still runs, and compare it with its box."""
        beyond = self.b.icmp_unsigned(">", self.b.sub(value, guard[0]), guard[1])
        self._note(beyond)
        self.store(slot, column if at is None else at, self.b.select(self.lives, value, old))

    def _note(self, wrong: Operand) -> None:
        old = self.b.load(self.bad, typ=self.flags)
        self.b.store(self.b.or_(old, self.b.and_(wrong, self.lives)), self.bad)


def _run(whole: ir.Module, shape: Shape, bits: int, layers: Sequence[Operand]) -> None:
    """Run at most some iterations, until all lanes have halted, or one is bad; returns how many were run."""
    code = _Code(whole, "run", shape, bits, arguments=1)
    b = code.b
    context, most = code.made.args
    known = shape.plan.boundary[shape.plan.halt].first
    counts = ir.VectorType(SHORT, code.lanes)
    leave = code.made.append_basic_block("leave")
    done = code.variable(ir.Constant(LONG, 0))
    with code.each(ir.Constant(LONG, 0), most) as iteration:
        b.store(iteration, done)
        halt = code.load("first", shape.plan.halt) if known is None else code.filled(known)
        lives = b.icmp_signed("!=", halt, code.filled(1))
        code.store("running", 0, b.zext(lives, code.vector))
        _go_on(code, b.icmp_signed("!=", code.bits_of(lives), ir.Constant(LONG, 0)), leave)
        code.store("iterations", 0, b.add(code.load("iterations", 0, counts), b.zext(lives, counts)))
        for layer in layers:
            bad = b.call(layer, [context])
            code.store("bad", 0, bad)
            _go_on(code, b.icmp_signed("==", bad, ir.Constant(LONG, 0)), leave)
    b.store(most, done)
    b.branch(leave)
    b.position_at_end(leave)
    b.ret(b.load(done, typ=LONG))


def _go_on(code: _Code, condition: Operand, leave: Operand) -> None:
    following = code.made.append_basic_block()
    code.b.cbranch(condition, following, leave)
    code.b.position_at_end(following)
