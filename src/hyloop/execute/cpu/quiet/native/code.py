"""Writing functions on 64-bit integers in LLVM's language: variables, loops, conditions, arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

LONG, SHORT, POINTER = ir.IntType(64), ir.IntType(32), ir.PointerType()
EIGHT = ir.VectorType(LONG, 8)
LANES = 4  # rows that are computed side by side: few are awake at a time
Number = Any  # an `ir.Value` of 64 bits; llvmlite has no types of its own for type checkers


class Code:
    """The body of one function of a context, while it is written. The context's slots are loaded at its beginning."""

    def __init__(
        self, module: ir.Module, name: str, slots: Sequence[str], arguments: int = 0, *, inner: bool = False
    ) -> None:
        function = ir.Function(module, ir.FunctionType(LONG, [POINTER] + [LONG] * arguments), name)
        if inner:
            function.linkage = "internal"
        self.function, self.module = function, module
        self.context, *self.arguments = function.args
        self._start = function.append_basic_block("entry")
        self.b = ir.IRBuilder(self._start)
        self._slots = {slot: at for at, slot in enumerate(slots)}
        self._loaded: dict[str, Number] = {}
        first = function.append_basic_block("begin")
        self._jump = self.b.branch(first)
        self.b.position_at_end(first)

    # -- the context

    def slot(self, name: str) -> Number:
        """A number of the context, loaded once."""
        if name not in self._loaded:
            with self.b.goto_block(self._start):
                at = self.b.gep(self.context, [self.number(self._slots[name])], source_etype=LONG)
                self._loaded[name] = self.b.load(at, typ=LONG)
        return self._loaded[name]

    def reload(self, name: str) -> Number:
        """A number of the context that other functions change."""
        at = self.b.gep(self.context, [self.number(self._slots[name])], source_etype=LONG)
        return self.b.load(at, typ=LONG)

    def put_slot(self, name: str, value: Number) -> None:
        """Write a number of the context."""
        self.b.store(value, self.b.gep(self.context, [self.number(self._slots[name])], source_etype=LONG))

    # -- numbers

    @staticmethod
    def number(value: int) -> Number:
        """A constant."""
        return ir.Constant(LONG, value)

    def sum(self, *terms: Number | int) -> Number:
        """The sum of numbers."""
        total = self._long(terms[0])
        for each in terms[1:]:
            total = self.b.add(total, self._long(each))
        return total

    def _long(self, value: Number | int) -> Number:
        return self.number(value) if isinstance(value, int) else value

    def total(
        self, constant: int, terms: Sequence[tuple[Number, int]], number: Callable[[int], Number] | None = None
    ) -> Number:
        """`constant + Σ weight · value`; `number` makes constants of the values' kind."""
        number = number or self.number
        found = None
        for value, weight in sorted(terms, key=lambda term: term[1] != 1):
            if found is None:
                found = value if weight == 1 else self.b.mul(value, number(weight))
            elif weight == 1:
                found = self.b.add(found, value)
            elif weight == -1:
                found = self.b.sub(found, value)
            else:
                found = self.b.add(found, self.b.mul(value, number(weight)))
        if found is None:
            return number(constant)
        return self.b.add(found, number(constant)) if constant else found

    def larger(self, a: Number, b: Number) -> Number:
        """The larger of two."""
        return self.b.select(self.b.icmp_signed(">", a, b), a, b)

    def smaller(self, a: Number, b: Number) -> Number:
        """The smaller of two."""
        return self.b.select(self.b.icmp_signed("<", a, b), a, b)

    def between(self, low: Number, value: Number, high: Number, then: Number, otherwise: Number) -> Number:
        """One value if `low <= value <= high`, and another if not."""
        return self.b.select(self.b.not_(self.outside(low, value, high)), then, otherwise)

    def outside(self, low: Number, value: Number, high: Number) -> Number:
        """A condition: not `low <= value <= high`."""
        return self.b.or_(self.b.icmp_signed("<", value, low), self.b.icmp_signed(">", value, high))

    def is_(self, a: Number, how: str, b: Number | int) -> Number:
        """A condition on two numbers."""
        return self.b.icmp_signed(how, a, self._long(b))

    def either(self, condition: Number, then: Number | int, otherwise: Number | int) -> Number:
        """One of two numbers."""
        return self.b.select(condition, self._long(then), self._long(otherwise))

    def flag(self, condition: Number) -> Number:
        """A condition as 0 or 1."""
        return self.b.zext(condition, LONG)

    # -- arrays: `base` is an address as a number

    def address(self, base: Number, index: Number | int, kind: Any = LONG) -> Number:
        """Where an element is."""
        return self.b.gep(self.b.inttoptr(base, POINTER), [self._long(index)], source_etype=kind)

    def get(self, base: Number, index: Number | int) -> Number:
        """An element of 64 bits."""
        return self.b.load(self.address(base, index), typ=LONG)

    def put(self, base: Number, index: Number | int, value: Number | int) -> None:
        """Write an element of 64 bits."""
        self.b.store(self._long(value), self.address(base, index))

    def get_short(self, base: Number, index: Number | int) -> Number:
        """An element of 32 bits that is not negative."""
        return self.b.zext(self.b.load(self.address(base, index, SHORT), typ=SHORT), LONG)

    def put_short(self, base: Number, index: Number | int, value: Number) -> None:
        """Write an element of 32 bits."""
        self.b.store(self.b.trunc(value, SHORT), self.address(base, index, SHORT))

    def prefetch(self, base: Number, index: Number) -> None:
        """Ask for an element that is going to be needed."""
        kind = ir.FunctionType(ir.VoidType(), [POINTER, SHORT, SHORT, SHORT])
        name = "llvm.prefetch.p0"
        known = self.module.globals.get(name)
        function = known if known is not None else ir.Function(self.module, kind, name)
        self.b.call(function, [self.address(base, index), *(ir.Constant(SHORT, each) for each in (1, 3, 1))])

    # -- 8 numbers at a time

    def get_eight(self, base: Number, index: Number) -> Number:
        """The 8 elements from an index on that is a multiple of 8; the array begins at a cache line."""
        return self.b.load(self.address(base, index), typ=EIGHT, align=64)

    def largest_of_eight(self, numbers: Number) -> Number:
        """The largest of 8 numbers."""
        name = "llvm.vector.reduce.smax.v8i64"
        known = self.module.globals.get(name)
        function = known if known is not None else ir.Function(self.module, ir.FunctionType(LONG, [EIGHT]), name)
        return self.b.call(function, [numbers])

    def equal_of_eight(self, numbers: Number, value: Number) -> Number:
        """Which of 8 numbers equal a value, as bits."""
        bits = self.b.bitcast(self.b.icmp_signed("==", numbers, self.every_eight(value)), ir.IntType(8))
        return self.b.zext(bits, LONG)

    def with_one_of_eight(self, numbers: Number, place: Number, value: Number) -> Number:
        """The same 8 numbers, but for one of them."""
        places = ir.Constant(EIGHT, list(range(8)))
        chosen = self.b.icmp_signed("==", places, self.every_eight(place))
        return self.b.select(chosen, self.every_eight(value), numbers)

    def every_eight(self, value: Number) -> Number:
        """A number 8 times."""
        one = self.b.insert_element(ir.Constant(EIGHT, ir.Undefined), value, ir.Constant(SHORT, 0))
        every = ir.Constant(ir.VectorType(SHORT, 8), [0] * 8)
        return self.b.shuffle_vector(one, ir.Constant(EIGHT, ir.Undefined), every)

    def lowest_bit(self, bits: Number) -> Number:
        """The number of the lowest bit that is set."""
        return self.b.cttz(bits, ir.Constant(ir.IntType(1), 1))

    # -- control

    def variable(self, value: Number | int = 0) -> Number:
        """A place for a number that changes."""
        found = self.place(LONG)
        self.b.store(self._long(value), found)
        return found

    def place(self, kind: Any) -> Number:
        """Memory of the function for a value of a kind."""
        with self.b.goto_block(self._start):
            return self.b.alloca(kind)

    def read(self, variable: Number) -> Number:
        """What a variable holds."""
        return self.b.load(variable, typ=LONG)

    def write(self, variable: Number, value: Number | int) -> None:
        """Change a variable."""
        self.b.store(self._long(value), variable)

    @contextmanager
    def loop(self, start: Number | int, end: Number, step: int = 1) -> Iterator[Number]:
        """For each number from `start` up to, but without, `end`."""
        head, body, done = (self.function.append_basic_block(name) for name in ("head", "body", "done"))
        index = self.variable(start)
        self.b.branch(head)
        self.b.position_at_end(head)
        now = self.read(index)
        self.b.cbranch(self.is_(now, "<", end), body, done)
        self.b.position_at_end(body)
        yield now
        self.write(index, self.sum(now, step))
        self.b.branch(head)
        self.b.position_at_end(done)

    @contextmanager
    def while_(self, variable: Number) -> Iterator[None]:
        """As long as a variable is not 0."""
        head, body, done = (self.function.append_basic_block(name) for name in ("again", "round", "over"))
        self.b.branch(head)
        self.b.position_at_end(head)
        self.b.cbranch(self.is_(self.read(variable), "!=", 0), body, done)
        self.b.position_at_end(body)
        yield
        self.b.branch(head)
        self.b.position_at_end(done)

    def leave(self, value: Number | int) -> None:
        """Return a number."""
        self.b.ret(self._long(value))

    def leave_if(self, condition: Number, value: int) -> None:
        """Return a number if a condition holds."""
        with self.b.if_then(condition, likely=False):
            self.leave(value)

    def call(self, function: Code, *arguments: Number) -> Number:
        """Call another function of the context."""
        return self.b.call(function.function, [self.context, *arguments])


class Lanes:
    """Arithmetic on as many numbers side by side as there are lanes."""

    KIND = ir.VectorType(LONG, LANES)

    def __init__(self, code: Code) -> None:
        self._code, self._b = code, code.b

    def all(self, value: Number) -> Number:
        """A number in all lanes."""
        return self.of([value] * LANES)

    def of(self, values: Sequence[Number]) -> Number:
        """A number a lane."""
        if all(isinstance(each, ir.Constant) for each in values):
            return ir.Constant(self.KIND, [each.constant for each in values])
        found = ir.Constant(self.KIND, ir.Undefined)
        for lane, value in enumerate(values):
            found = self._b.insert_element(found, value, ir.Constant(SHORT, lane))
        return found

    def total(self, constant: int, terms: Sequence[tuple[Number, int]]) -> Number:
        """`constant + Σ weight · value`."""
        return self._code.total(constant, terms, self.number)

    def number(self, value: int) -> Number:
        """A constant in all lanes."""
        return self.all(self._code.number(value))

    def larger(self, a: Number, b: Number) -> Number:
        """The larger of two."""
        return self._code.larger(a, b)

    def smaller(self, a: Number, b: Number) -> Number:
        """The smaller of two."""
        return self._code.smaller(a, b)

    def between(self, low: Number, value: Number, high: Number, then: Number, otherwise: Number) -> Number:
        """One value if `low <= value <= high`, and another if not."""
        return self._code.between(low, value, high, then, otherwise)

    def nonzero(self, values: Number) -> Number:
        """The lanes that are not 0, as bits."""
        return self._bits(self._b.icmp_signed("!=", values, self.number(0)))

    def first(self, count: Number) -> Number:
        """The first lanes, at most all, as bits."""
        numbers = ir.Constant(self.KIND, list(range(LANES)))
        return self._bits(self._b.icmp_signed("<", numbers, self.all(count)))

    def _bits(self, conditions: Number) -> Number:
        return self._b.zext(self._b.bitcast(conditions, ir.IntType(LANES)), LONG)

    def room(self) -> Number:
        """A place for a number a lane."""
        return self._code.place(self.KIND)
