"""What a program means, as terms: a second semantics of the language, independent of the interpreter.

A value over the rows is a function from a row to a term. An operation that reads other rows becomes a symbol with
known facts: a search is *the row it finds*, a product with the incidence is *a sum*. Nothing here depends on how a
program is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast

from hyloop.lang.bounds import Bounds, Limits, Line
from hyloop.lang.kinds import INFINITY, SCOPE_OF, Kind, Scope, Type
from hyloop.lang.matrices import SIDES, Matrix, along_each
from hyloop.lang.ops import LANGUAGE, require_entries
from hyloop.lang.program import Input, Op, Program, Section
from hyloop.lang.purpose import Purpose
from hyloop.lang.size import Size
from hyloop.prove.arithmetic import Dividing, Multiplying, Symbol, Table, quarter_square
from hyloop.prove.terms import (
    FALSE,
    TRUE,
    Atom,
    Formula,
    Term,
    absolute,
    at_least,
    atoms_of,
    below,
    choice,
    combination,
    conjunction,
    constant,
    disjunction,
    equal,
    flag,
    function,
    implies,
    interval,
    is_in_full,
    negation,
    relu,
    truth,
    variable,
)

# A value at a row; a scalar is the same at all of them.
RowFunction = Callable[[Term], Term]
Mode = Literal["least", "greatest", "first"]

# Of each matrix (the incidence, that of tails, that of heads, their transposes): from where, and to where. All that is
# used of them is that their entries are 0 or 1; nothing is assumed of one beside another.
SOURCE: Mapping[str, Scope] = {name: source for name, (source, _) in SIDES.items()}
TARGET: Mapping[str, Scope] = {name: target for name, (_, target) in SIDES.items()}
ZERO = constant(0)


def size_term(size: Size, counts: Mapping[Scope, Term]) -> Term | None:
    """A size as a term: of counts and numbers, with `+`, `-`, `max`, and `*` by a number; None for any other."""
    if not size.counts:
        return constant(size.at(0, 0))
    if size.operator in {"n_v", "n_e"}:
        return counts[Scope.VERTICES if size.operator == "n_v" else Scope.HYPEREDGES]
    parts = [size_term(part, counts) for part in size.parts]
    if size.operator not in {"+", "-", "max", "*"} or None in parts:
        return None
    a, b = cast("list[Term]", parts)
    if size.operator == "*":
        numbers = [part.at(0, 0) for part in size.parts if not part.counts]
        return combination([(numbers[0], b if size.parts[1].counts else a)]) if numbers else None
    if size.operator == "max":
        return choice(below(a, b), b, a)
    return combination([(1, a), (1, b)]) if size.operator == "+" else relu(combination([(1, a), (-1, b)]))


@dataclass(frozen=True, eq=False)
class Search:
    """A search over the rows: the candidates, what is compared, and the symbol for the row that is found, or 0."""

    mode: Mode
    x: RowFunction
    candidate: Callable[[Term], Formula]
    row: Term
    name: str


@dataclass(frozen=True, eq=False)
class ProductSymbol:
    """A product of an incidence with an array: the symbol for its value at each row."""

    matrix: str
    x: RowFunction
    name: str
    most: Line
    one_hot_at: Term | None

    def at(self, row: Term, last: int) -> Term:
        """The sum at a row, at most `last`."""
        return function(self.name, row, 0, last)


@dataclass(frozen=True, eq=False)
class MeanSymbol:
    """The mean of an array over its rows: the symbol for it, one number; of no rows it is 0.

    The array is a number times the number of rows, so that the mean is the sum of these numbers.
    """

    scope: Scope
    x: RowFunction
    name: str
    most: Line

    def value(self, last: int) -> Term:
        """The mean, at most `last`."""
        return variable(self.name, 0, last)


@dataclass(frozen=True)
class OperationRef:
    """An operation of the program: its section, its number there."""

    section: Section
    number: int

    @property
    def op(self) -> Op:
        """The operation."""
        return self.section.ops[self.number]

    def operand(self, number: int) -> OperationRef:
        """The operation of an operand."""
        return OperationRef(self.section, self.op.operands[number])

    @property
    def operands(self) -> list[OperationRef]:
        """The operations of all its operands."""
        return [OperationRef(self.section, number) for number in self.op.operands]


@dataclass(frozen=True, eq=False)
class SymbolicStates:
    """The state in which a program is evaluated: each variable, and whether the loop has begun."""

    values: Mapping[str, RowFunction]
    started: Term


@dataclass(frozen=True)
class Untouched:
    """That a state has its initial value on every row where a flag is not set (or is, if `unless` is False).

    Without a flag: before the loop has begun.
    """

    state: str
    flag: str | None
    unless: bool = True

    def __str__(self) -> str:
        if self.flag is None:
            return f"{self.state} has its initial value until the loop begins"
        return f"{self.state} has its initial value where {self.flag} is {'not ' * self.unless}set"

    def holds(self, meaning: Meaning, states: SymbolicStates, row: Term) -> Formula:
        """The statement at a row."""
        declared = meaning.program.state(self.state)
        touched = truth(states.started if self.flag is None else states.values[self.flag](row))
        same = equal(states.values[self.state](row), meaning.plain(declared.initial))
        inside = meaning.inside(declared.type.scope, row)
        return implies(inside, disjunction(touched if self.unless else negation(touched), same))


def _word(label: str) -> str:
    """A label made fit for a symbol's name; nothing parses it."""
    return "".join(letter if letter.isalnum() or letter in "_[] .-" else "_" for letter in label)


class Meaning:
    """A program's values as terms over symbols, and what is known of the symbols."""

    def __init__(self, program: Program, limits: Limits, infinity: int, ranges: Bounds, least: int = 0) -> None:
        self.program, self.infinity, self.ranges = program, infinity, ranges
        self.rows, self.weight, self.inputs = limits.rows, limits.weight, limits.inputs
        rows = self.rows
        self.last = max(rows, least)  # the last row that there may be
        self.size = variable("K", max(2, least + 1), self.last + 1)
        self.counts = {Scope.VERTICES: variable("n_v", 0, rows), Scope.HYPEREDGES: variable("n_e", 0, rows)}
        self.time = variable("t", 0, max(ranges.iterations - 1, 0))  # the iterations done before this one
        self.searches: dict[Term, Search] = {}
        self.products: dict[str, ProductSymbol] = {}
        self.one = variable("row", 0, self.last)  # an arbitrary row, at which searches and products are compared
        self._search_keys: dict[tuple[object, ...], Search] = {}
        self._product_keys: dict[tuple[object, ...], ProductSymbol] = {}
        self.means: dict[str, MeanSymbol] = {}
        self._mean_keys: dict[tuple[object, ...], MeanSymbol] = {}
        self.operands: dict[Symbol, RowFunction] = {}  # what is multiplied or divided, and what it is in the program
        self._arithmetic: dict[tuple[object, ...], Multiplying | Dividing] = {}
        self._known = self._leaves()
        self._memo: dict[tuple[SymbolicStates, int, int], RowFunction] = {}
        self._same: dict[ProductSymbol, ProductSymbol] = {}
        self._nothing: set[ProductSymbol] = set()
        self._nothing_yet: set[ProductSymbol | MeanSymbol] = set()
        self.learned: list[Untouched] = []
        self.origins: dict[Formula, str] = {}  # of each fact, what it is about
        self.now = self._now()
        self._evaluate(program.before)
        self.early = tuple(self.products.values())  # those that are needed before the loop
        self._evaluate(program.body)

    def _evaluate(self, section: Section) -> None:
        """Make the symbols of a section."""
        for number in range(len(section.ops)):
            self.value(section, number, self.now)(self.one)

    # -- symbols

    def row_variable(self, name: str) -> Term:
        """A variable for an arbitrary row: 0 to `K - 1`."""
        row = variable(f"row {name}", 0, self.last)
        self._known[f"row {name}"] = lambda _: [below(row, self.size)]
        return row

    def bind(self, name: str, term: Term) -> Term:
        """A variable for the row that a term is."""
        row = variable(f"row {name}", 0, self.last)
        self._known[f"row {name}"] = lambda _: [below(row, self.size), equal(row, term)]
        return row

    def inside(self, scope: Scope, row: Term) -> Formula:
        """Whether a row is a vertex, a hyperedge; a scalar is everywhere."""
        if scope is Scope.SCALAR:
            return TRUE
        return conjunction(at_least(row, 1), at_least(self.counts[scope], row))

    def _now(self) -> SymbolicStates:
        """The state before an iteration: symbols."""
        values = {
            state.name: self._symbol(f"state {state.name}", state.type, state.name) for state in self.program.states
        }
        started = variable("started", 0, 1) if self.program.begins else constant(1)
        return SymbolicStates(values, started)

    def _symbol(self, name: str, type_: Type, state: str) -> RowFunction:
        finite = self.ranges.states[state]
        infinite = state in self.ranges.infinite_states
        high = self.infinity if infinite else self.ranges.at_end(finite)
        if type_.kind is Kind.FLAG:
            high = min(high, 1)

        def known(row: Term) -> list[Formula]:
            learned = [each.holds(self, self.now, row) for each in self.learned if each.state == state]
            return [self.in_range(state, read(row), self.now, row), *learned]

        def read(row: Term) -> Term:
            return variable(name, 0, high) if type_.scope is Scope.SCALAR else function(name, row, 0, high)

        self._known[name] = known
        return read

    def in_range(self, name: str, value: Term, states: SymbolicStates, row: Term, time: Term | None = None) -> Formula:
        """That a state has a value of its type and within its bound, by the time or by the clock of these states."""
        type_, line = self.program.state(name).type, self.ranges.states[name]
        infinite = name in self.ranges.infinite_states
        if (clocked := self.ranges.clocked.get(name)) is not None:
            line, time = clocked.line, states.values[clocked.clock](row)
        return self.within(type_, value, line, row, infinite=infinite, time=time, declared=self.declared(name))

    def declared(self, name: str) -> Term | None:
        """The bound that the program declares for a state, if it declares one that has a term."""
        bound = self.program.state(name).at_most
        return None if bound is None else size_term(bound, self.counts)

    def bound(self, line: Line, time: Term | None = None) -> Term:
        """`a + b·t`, after the iterations done before this one or at another time."""
        a, b = line
        return combination([(a, constant(1)), (b, self.time if time is None else time)])

    def within(
        self,
        type_: Type,
        value: Term,
        line: Line,
        row: Term,
        *,
        infinite: bool,
        time: Term | None = None,
        declared: Term | None = None,
    ) -> Formula:
        """That a value is one of its type: in its range, and 0 outside its rows."""
        fits = at_least(self.bound(line, time), value)
        if declared is not None:
            fits = conjunction(fits, at_least(declared, value))
        if type_.kind is Kind.FLAG:
            fits = conjunction(fits, at_least(1, value))
        if type_.kind.is_pointer:
            fits = conjunction(fits, at_least(self.counts[SCOPE_OF[type_.kind]], value))
        if infinite:
            fits = disjunction(fits, equal(value, self.infinity))
        fits = conjunction(fits, at_least(value, 0))
        if type_.scope is Scope.SCALAR:
            return fits
        inside = self.inside(type_.scope, row)
        return conjunction(implies(inside, fits), implies(negation(inside), equal(value, 0)))

    def input(self, name: str) -> RowFunction:
        """An input of the program: numbers up to a bound, or vertices or hyperedges that there are.

        An array is 0 outside its rows; a scalar is the same on all.
        """
        symbol, most = f"input {name}", self.inputs[name]
        if next(given for given in self.program.inputs if given.name == name).type.scope is Scope.SCALAR:
            return lambda _: variable(symbol, 0, most)
        return lambda row: function(symbol, row, 0, most)

    def weight_at(self, row: Term) -> Term:
        """The weight of a hyperedge, at least 1; 0 elsewhere."""
        return function("weight", row, 0, self.weight)

    def _leaves(self) -> dict[str, Callable[[Term], list[Formula]]]:
        """What is known of the symbols that every program has, and of the inputs."""
        known: dict[str, Callable[[Term], list[Formula]]] = {
            "K": lambda _: [below(count, self.size) for count in self.counts.values()],
            "n_v": lambda _: [below(self.counts[Scope.VERTICES], self.size)],
            "n_e": lambda _: [below(self.counts[Scope.HYPEREDGES], self.size)],
            "weight": self._of_weight,
            "quarter square": lambda row: [implies(equal(row, 0), equal(self.quarter_square(row), 0))],
        }
        for given in self.program.inputs:
            if given.type.kind.is_pointer or given.type.scope is not Scope.SCALAR:
                known[f"input {given.name}"] = partial(self._of_input, given)
        return known

    def _of_input(self, given: Input, row: Term) -> list[Formula]:
        value = self.input(given.name)(row)
        known = [at_least(self.counts[SCOPE_OF[given.type.kind]], value)] if given.type.kind.is_pointer else []
        if given.type.scope is not Scope.SCALAR:
            known.append(implies(negation(self.inside(given.type.scope, row)), equal(value, 0)))
        return known

    def _of_weight(self, row: Term) -> list[Formula]:
        inside, weight = self.inside(Scope.HYPEREDGES, row), self.weight_at(row)
        return [implies(inside, at_least(weight, 1)), implies(negation(inside), equal(weight, 0))]

    # -- values

    def full(self, section: Section, number: int, states: SymbolicStates) -> RowFunction:
        """A value of the program as the machine keeps it: 0 outside its rows."""
        value, scope = self.value(section, number, states), section.ops[number].type.scope
        if scope is Scope.SCALAR:
            return value
        return lambda row: choice(self.inside(scope, row), value(row), 0)

    def value(self, section: Section, number: int, states: SymbolicStates) -> RowFunction:
        """A value of the program, on the rows where it has one."""
        key = (states, id(section), number)
        if key not in self._memo:
            made = MEANING[section.ops[number].name](self, self._here(section, number, states))
            cache: dict[Term, Term] = {}

            def read(row: Term) -> Term:
                if row not in cache:
                    cache[row] = made(row)
                return cache[row]

            self._memo[key] = read
        return self._memo[key]

    def _here(self, section: Section, number: int, states: SymbolicStates) -> _Here:
        op = section.ops[number]
        args = [self.value(section, operand, states) for operand in op.operands]
        types = [section.ops[operand].type for operand in op.operands]
        lines = [self.ranges.values[section is self.program.body][operand] for operand in op.operands]
        written = [section.ops[operand].name == "constant" for operand in op.operands]
        return _Here(op, args, types, states, self._line(section, op), lines, written)

    def places(self, purposes: Iterable[Purpose]) -> Iterator[OperationRef]:
        """The operations that purposes name; those that name none are left out."""
        for purpose in purposes:
            section = self.program.section(purpose.section)
            if 0 <= purpose.op < len(section.ops):
                yield OperationRef(section, purpose.op)

    def search_of(self, place: OperationRef) -> Search:
        """The search that an operation makes."""
        return SEARCH[place.op.name](self, self._here(place.section, place.number, self.now))

    def arithmetic_of(self, place: OperationRef) -> list[Multiplying | Dividing]:
        """What an operation multiplies and divides."""
        made = ARITHMETIC[place.op.name](self, self._here(place.section, place.number, self.now))
        return [made, *([made.taken] if isinstance(made, Dividing) and made.taken is not None else [])]

    def product_of(self, place: OperationRef) -> ProductSymbol:
        """The product with the incidence that an operation makes."""
        return PRODUCT[place.op.name](self, self._here(place.section, place.number, self.now))

    def mean_of(self, place: OperationRef) -> MeanSymbol:
        """The mean that an operation takes."""
        return _averages(self, self._here(place.section, place.number, self.now))

    def value_of_leaf(self, op: Op) -> Term:
        """What an operation without operands gives."""
        return MEANING[op.name](self, _Here(op, (), (), self.now, (0, 0)))(self.one)

    def _line(self, section: Section, op: Op) -> Line:
        """The bound of an operation's first operand."""
        if not op.operands:
            return 0, 0
        return self.ranges.values[section is self.program.body][op.operands[0]]

    def after(self, states: SymbolicStates) -> SymbolicStates:
        """The state after one iteration: what the statements before the loop make of it, or the loop."""
        values: dict[str, RowFunction] = {}
        for state in self.program.states:
            values[state.name] = self._after(state.name, states)
        return SymbolicStates(values, constant(1))

    def _after(self, name: str, states: SymbolicStates) -> RowFunction:
        old = states.values[name]

        def new(section: Section) -> RowFunction:
            return self.full(section, section.updates[name], states) if name in section.updates else old

        before, body = new(self.program.before), new(self.program.body)
        return lambda row: choice(truth(states.started), body(row), before(row))

    def stops(self, states: SymbolicStates) -> Term:
        """Whether the loop halts in this iteration; the statements before it never do."""
        stop = self.program.body.stop
        assert stop is not None
        halts = self.value(self.program.body, stop, states)(ZERO)
        return choice(truth(states.started), halts, 0)

    def first(self) -> SymbolicStates:
        """The state before the first iteration."""
        values = {state.name: self._first(state.type, self.plain(state.initial)) for state in self.program.states}
        return SymbolicStates(values, constant(0 if self.program.begins else 1))

    def _first(self, type_: Type, value: int) -> RowFunction:
        return lambda row: choice(self.inside(type_.scope, row), value, 0)

    def plain(self, value: object) -> int:
        """A constant as an integer."""
        return self.infinity if value is INFINITY else int(value or 0)  # type: ignore[call-overload]

    # -- arithmetic

    def quarter_square(self, row: Term) -> Term:
        """`⌊row²/4⌋`."""
        return quarter_square(row, self.last)

    def operand(self, scope: Scope, value: RowFunction, line: Line, what: str, *, least: int = 0) -> Symbol:
        """A number that is multiplied or divided: finite, and `least` outside its rows."""
        made = Symbol(f"{what} {len(self.operands) + 1}", scope is Scope.SCALAR, least, self.ranges.at_end(line))

        def full(row: Term) -> Term:
            return choice(self.inside(scope, row), value(row), least)

        self.operands[made] = full
        self._known[made.name] = lambda row: [equal(made.at(row), full(row))]
        return made

    def multiplying(self, scope: Scope, a: Symbol, b: Symbol, most: int) -> Multiplying:
        """The product of two numbers, which is at most so much."""
        name = f"product of {a.name} and {b.name}"
        made = Multiplying(
            a, b, Symbol(name, scope is Scope.SCALAR, 0, most), lambda row: self.inside(scope, row), self.last
        )
        self._known[name] = made.known
        return made

    def product_of_two(self, here: _Here) -> Multiplying:
        """What a `multiply` multiplies; two that multiply the same are one."""
        key = ("product", here.op.type.scope, *(arg(self.one) for arg in here.args))
        if key not in self._arithmetic:
            scope = here.op.type.scope
            values = [self.finite(type_.kind, arg) for type_, arg in zip(here.types, here.args, strict=True)]
            a, b = (self.operand(scope, value, line, "factor") for value, line in zip(values, here.lines, strict=True))
            self._arithmetic[key] = self.multiplying(scope, a, b, a.high * b.high)
        found = self._arithmetic[key]
        assert isinstance(found, Multiplying)
        return found

    def division(self, here: _Here) -> Dividing:
        """What a `quotient` or `remainder` divides; two that divide the same are one."""
        key = ("division", here.op.type.scope, *(arg(self.one) for arg in here.args), *here.written)
        if key not in self._arithmetic:
            self._arithmetic[key] = self._division(here)
        found = self._arithmetic[key]
        assert isinstance(found, Dividing)
        return found

    def _division(self, here: _Here) -> Dividing:
        scope, (numerator, by) = here.op.type.scope, here.args
        value = self.finite(here.types[0].kind, numerator)
        a = self.operand(scope, value, here.lines[0], "dividend")
        fixed = by(self.one).value if here.written[1] and here.types[1].kind is Kind.COUNT else None
        if fixed:  # one more than what is divided is as good as anything above it
            fixed = min(fixed, a.high + 1)
            quotient = Symbol(f"quotient of {a.name}", a.scalar, 0, a.high // fixed)
            made = Dividing(a, fixed, quotient, None)
        else:
            b = self.operand(scope, self._divisor(here), (a.high + 1, 0), "divisor", least=1)
            quotient = Symbol(f"quotient of {a.name} and {b.name}", a.scalar, 0, a.high)
            made = Dividing(a, b, quotient, self.multiplying(scope, b, quotient, a.high))
        self._known[quotient.name] = made.known
        return made

    def _divisor(self, here: _Here) -> RowFunction:
        """What divides; where that is 0 or more than what is divided, one more than that, which gives 0 as well."""
        value, by = self.finite(here.types[0].kind, here.args[0]), here.args[1]

        def divisor(row: Term) -> Term:
            beyond = disjunction(equal(by(row), 0), below(value(row), by(row)))
            return choice(beyond, value(row) + 1, by(row))

        return divisor

    def prepared(self, place: OperationRef, states: SymbolicStates) -> RowFunction:
        """What is computed before a head multiplies or divides: how far two factors are apart, or what divides."""
        here, scope = self._here(place.section, place.number, states), place.op.type.scope
        if place.op.name == "multiply":
            a, b = (self.finite(type_.kind, arg) for type_, arg in zip(here.types, here.args, strict=True))
            return lambda row: choice(self.inside(scope, row), absolute(a(row) - b(row)), 0)
        divisor = self._divisor(here)
        return lambda row: choice(self.inside(scope, row), divisor(row), 0)

    def finite(self, kind: Kind, value: RowFunction) -> RowFunction:
        """A number, 0 where it is infinite."""
        if kind is not Kind.LENGTH:
            return value
        return lambda row: choice(equal(value(row), self.infinity), 0, value(row))

    # -- what looks at other rows

    def search(self, mode: Mode, x: RowFunction, candidate: Callable[[Term], Formula], label: str) -> Search:
        """A search; equal searches share one symbol."""
        key = (mode, x(self.one), candidate(self.one))
        if key not in self._search_keys:
            name = f"row {len(self._search_keys) + 1} found by {_word(label)}"
            row = variable(name, 0, self.rows)
            made = Search(mode, x, candidate, row, name)
            self._search_keys[key] = self.searches[row] = made
            self._known[name] = lambda _: [below(row, self.size), implies(at_least(row, 1), candidate(row))]
        return self._search_keys[key]

    def no_better(self, search: Search, row: Term) -> Formula:
        """That no row is a better candidate than the one found, and none is a candidate if none was found."""
        found, x = search.row, search.x
        if search.mode == "first":
            worse = at_least(row, found)
        else:
            gap = x(row) - x(found) if search.mode == "least" else x(found) - x(row)
            worse = disjunction(at_least(gap, 1), conjunction(equal(gap, 0), at_least(row, found)))
        return implies(search.candidate(row), conjunction(at_least(found, 1), worse))

    def product(
        self, matrix: str, x: RowFunction, most: Line, label: str, one_hot_at: Term | None = None
    ) -> ProductSymbol:
        """A product with the incidence; two of the same array are one."""
        key = (matrix, x(self.one), one_hot_at)
        if key not in self._product_keys:
            name = f"sum {len(self._product_keys) + 1} for {_word(label)}"
            made = ProductSymbol(matrix, x, name, most, one_hot_at)
            self._product_keys[key] = self.products[name] = made
            self._known[name] = lambda row: self._of_sum(made, row)
        return self._product_keys[key]

    def same(self, product: ProductSymbol, other: ProductSymbol) -> None:
        """Add the fact that two products are equal."""
        self._same[product] = other

    def nothing(self, product: ProductSymbol) -> None:
        """Add the fact that a product is 0 everywhere."""
        self._nothing.add(product)

    def nothing_yet(self, mean: ProductSymbol | MeanSymbol) -> None:
        """Add the fact that a mean is 0 until the loop begins."""
        self._nothing_yet.add(mean)

    def same_as(self, product: ProductSymbol) -> ProductSymbol | None:
        """The product that this one is known to be equal to, if there is one."""
        return self._same.get(product)

    def is_nothing(self, product: ProductSymbol) -> bool:
        """Whether a product is known to be 0 everywhere."""
        return product in self._nothing

    def is_nothing_yet(self, made: ProductSymbol | MeanSymbol) -> bool:
        """Whether a product or a mean is known to be 0 until the loop begins."""
        return made in self._nothing_yet

    def sum_at(self, product: ProductSymbol, row: Term) -> Term:
        """The value of a product at a row."""
        return product.at(row, self.ranges.at_end(product.most))

    def _of_sum(self, product: ProductSymbol, row: Term) -> list[Formula]:
        value = self.sum_at(product, row)
        known = [
            implies(negation(self.inside(TARGET[product.matrix], row)), equal(value, 0)),
            at_least(self.bound(product.most), value),
        ]
        if product in self._nothing:
            known.append(equal(value, 0))
        if product in self._nothing_yet:
            known.append(disjunction(truth(self.now.started), equal(value, 0)))
        if product in self._same:
            known.append(equal(value, self.sum_at(self._same[product], row)))
        if product.one_hot_at is not None:
            known.append(implies(equal(product.one_hot_at, 0), equal(value, 0)))
        return known

    def mean(self, scope: Scope, x: RowFunction, most: Line, label: str) -> MeanSymbol:
        """The mean of an array over its rows; two of the same array are one."""
        key = (scope, x(self.one))
        if key not in self._mean_keys:
            made = MeanSymbol(scope, x, f"mean {len(self._mean_keys) + 1} for {_word(label)}", most)
            self._mean_keys[key] = self.means[made.name] = made
            self._known[made.name] = lambda _: self._of_mean(made)
        return self._mean_keys[key]

    def mean_value(self, mean: MeanSymbol) -> Term:
        """The value of a mean."""
        return mean.value(self.ranges.at_end(mean.most))

    def _of_mean(self, mean: MeanSymbol) -> list[Formula]:
        """No more than the most that is averaged, and 0 of no rows."""
        value = self.mean_value(mean)
        known = [at_least(self.bound(mean.most), value), implies(equal(self.counts[mean.scope], 0), equal(value, 0))]
        if mean in self._nothing_yet:
            known.append(disjunction(truth(self.now.started), equal(value, 0)))
        return known

    # -- what is known

    def facts(self, about: Iterable[Formula | Term], rows: Sequence[Term] = ()) -> list[Formula]:
        """What is known of every symbol that occurs; searches are known at the rows given, and at those found."""
        found: dict[Formula, None] = {}
        seen: set[Atom] = set()
        searched: set[tuple[Term, Term]] = set()
        primary = [ZERO, *rows]
        fresh = atoms_of(about)
        while fresh:
            new: list[Formula] = []
            for atom in fresh:
                seen.add(atom)
                known = self._of_atom(atom)
                self.origins.update((each, f"known of {atom.name}") for each in known)
                new += known
            present = [row for row in self.searches if row.terms[0][0] in seen]
            for row in [*primary, *present]:
                for where in present:
                    if (where, row) not in searched:
                        searched.add((where, row))
                        new.append(self.no_better(self.searches[where], row))
                        self.origins[new[-1]] = f"nothing is better than {self.searches[where].name}"
            found.update(dict.fromkeys(each for each in new if each is not TRUE))
            fresh = [atom for atom in atoms_of(new) if atom not in seen]
        return list(found)

    def _of_atom(self, atom: Atom) -> list[Formula]:
        if atom.kind not in {"variable", "function"}:
            return []
        index = ZERO if atom.kind == "variable" else atom.index
        known = self._known.get(atom.name)
        range_ = atom.of.known(atom) if isinstance(atom.of, Table) and is_in_full() else interval(atom)
        return range_ + (known(index) if known else [])


@dataclass(frozen=True)
class _Here:
    """An operation with its operands, their types, the state it is evaluated in, and a bound of its first operand."""

    op: Op
    args: Sequence[RowFunction]
    types: Sequence[Type]
    states: SymbolicStates
    line: Line
    lines: Sequence[Line] = ()
    written: Sequence[bool] = ()  # whether each operand is a constant that stands in the program

    @property
    def label(self) -> str:
        """The name of the operation: its label, if it has one."""
        return self.op.label or self.op.name


MeaningRule = Callable[[Meaning, _Here], RowFunction]


def _rowwise(rule: Callable[..., Term]) -> MeaningRule:
    """An operation that reads its own row only."""

    def meaning(known: Meaning, here: _Here) -> RowFunction:
        return lambda row: rule(known, here.op, *(arg(row) for arg in here.args))

    return meaning


def _is_infinite(known: Meaning, op: Op, value: Term) -> Formula:
    """Only lengths can be infinite; a count may happen to be as large."""
    return equal(value, known.infinity) if op.type.kind is Kind.LENGTH else FALSE


def _add(known: Meaning, op: Op, a: Term, b: Term) -> Term:
    infinite = disjunction(_is_infinite(known, op, a), _is_infinite(known, op, b))
    return choice(infinite, known.infinity, a + b)


def _subtract(known: Meaning, op: Op, a: Term, b: Term) -> Term:
    infinite = conjunction(_is_infinite(known, op, a), negation(_is_infinite(known, op, b)))
    return choice(infinite, known.infinity, relu(a - b))


def _multiple(known: Meaning, op: Op, a: Term) -> Term:
    times = int(op.argument)  # type: ignore[arg-type]
    if not times:
        return ZERO
    return choice(_is_infinite(known, op, a), known.infinity, times * a)


def _multiply(known: Meaning, here: _Here) -> RowFunction:
    """The product of the finite parts; infinite where one is, and the other is not 0."""
    made = known.product_of_two(here)

    def endless(row: Term) -> Formula:
        a, b = (arg(row) for arg in here.args)
        first, second = (
            equal(x, known.infinity) if type_.kind is Kind.LENGTH else FALSE
            for x, type_ in zip((a, b), here.types, strict=True)
        )
        return disjunction(conjunction(first, at_least(b, 1)), conjunction(second, at_least(a, 1)))

    return lambda row: choice(endless(row), known.infinity, made.made.at(row))


def _undivided(known: Meaning, here: _Here, row: Term) -> Formula:
    """Whether there is nothing to divide by, or infinity is divided: both results are 0 then."""
    a, b = (arg(row) for arg in here.args)
    endless = equal(a, known.infinity) if here.types[0].kind is Kind.LENGTH else FALSE
    return disjunction(equal(b, 0), endless)


def _quotient(known: Meaning, here: _Here) -> RowFunction:
    made = known.division(here)
    return lambda row: choice(_undivided(known, here, row), 0, made.quotient.at(row))


def _remainder(known: Meaning, here: _Here) -> RowFunction:
    made = known.division(here)

    def left(row: Term) -> Term:
        taken = made.multiple(row) if made.taken is None else made.taken.made.at(row)
        return made.a.at(row) - taken

    return lambda row: choice(_undivided(known, here, row), 0, left(row))


def _next(known: Meaning, op: Op, p: Term) -> Term:
    last = known.counts[SCOPE_OF[op.type.kind]]
    return choice(disjunction(equal(p, 0), equal(p, last)), 0, p + 1)


def _ordinal(known: Meaning, op: Op, p: Term) -> Term:
    assert isinstance(op.argument, Scope)
    return choice(equal(p, 0), known.counts[op.argument], p - 1)


def _read(_: Meaning, here: _Here) -> RowFunction:
    array, pointer = here.args
    return lambda row: choice(equal(pointer(row), 0), 0, array(pointer(row)))


# -- searches -------------------------------------------------------------------------------------------------------

Seek = Callable[[Meaning, _Here], Search]


def _best_of(mode: Mode) -> Seek:
    """The least or greatest number of the candidates; an infinite one is no candidate."""

    def seek(known: Meaning, here: _Here) -> Search:
        x = here.args[0]
        scope, kind = here.types[0].scope, here.types[0].kind

        def candidate(row: Term) -> Formula:
            finite = negation(equal(x(row), known.infinity)) if kind is Kind.LENGTH else TRUE
            if kind.is_pointer:
                finite = at_least(x(row), 1)
            chosen = truth(here.args[1](row)) if len(here.args) > 1 else TRUE
            return conjunction(known.inside(scope, row), chosen, finite)

        return known.search(mode, x, candidate, here.label)

    return seek


def _first_of(*, lacking: bool) -> Seek:
    """The first row whose flag is set, or (`lacking`) is not."""

    def seek(known: Meaning, here: _Here) -> Search:
        scope, flags = here.types[0].scope, here.args[0]

        def candidate(row: Term) -> Formula:
            chosen = truth(flags(row))
            return conjunction(known.inside(scope, row), negation(chosen) if lacking else chosen)

        return known.search("first", lambda _: ZERO, candidate, here.label)

    return seek


# What each operation that searches all rows looks for.
SEARCH: Mapping[str, Seek] = {
    "argmin": _best_of("least"),
    "argmax": _best_of("greatest"),
    "min": _best_of("least"),
    "max": _best_of("greatest"),
    "first": _first_of(lacking=False),
    "any": _first_of(lacking=False),
    "all": _first_of(lacking=True),
}


def _place(name: str) -> MeaningRule:
    def meaning(known: Meaning, here: _Here) -> RowFunction:
        found = SEARCH[name](known, here).row
        return lambda _: found

    return meaning


def _best(name: str) -> MeaningRule:
    def meaning(known: Meaning, here: _Here) -> RowFunction:
        search = SEARCH[name](known, here)
        none = known.infinity if search.mode == "least" and here.op.type.kind is Kind.LENGTH else 0
        return lambda _: choice(equal(search.row, 0), none, here.args[0](search.row))

    return meaning


def _any(known: Meaning, here: _Here) -> RowFunction:
    found = SEARCH["any"](known, here).row
    return lambda _: flag(at_least(found, 1))


def _all(known: Meaning, here: _Here) -> RowFunction:
    found = SEARCH["all"](known, here).row
    return lambda _: flag(equal(found, 0))


# -- means ----------------------------------------------------------------------------------------------------------


def _averages(known: Meaning, here: _Here) -> MeanSymbol:
    return known.mean(here.types[0].scope, here.args[0], here.line, here.label)


def _mean(known: Meaning, here: _Here) -> RowFunction:
    value = known.mean_value(_averages(known, here))
    return lambda _: value


# -- products -------------------------------------------------------------------------------------------------------

Multiply = Callable[[Meaning, _Here], ProductSymbol]


def _one_hot(matrix: str) -> Multiply:
    """The members of a hyperedge are the incidence times a flag that is set at that hyperedge alone."""

    def multiply(known: Meaning, here: _Here) -> ProductSymbol:
        at = here.args[0](ZERO)
        return known.product(matrix, lambda row: flag(equal(row, at)), (1, 0), here.label, at)

    return multiply


def _array(matrix: str) -> Multiply:
    def multiply(known: Meaning, here: _Here) -> ProductSymbol:
        a, b = here.line
        return known.product(matrix, here.args[0], (known.rows * a, known.rows * b), here.label)

    return multiply


def _products(along: Matrix) -> Mapping[str, Multiply]:
    return {
        along.members: _one_hot(along.product),
        along.containing: _one_hot(along.transposed),
        along.touching: _array(along.transposed),
        along.covered: _array(along.product),
        along.product: _array(along.product),
        along.transposed: _array(along.transposed),
    }


# What each operation that goes along an incidence multiplies.
PRODUCT: Mapping[str, Multiply] = along_each(_products)


def _sum(name: str) -> MeaningRule:
    def meaning(known: Meaning, here: _Here) -> RowFunction:
        product = PRODUCT[name](known, here)
        return lambda row: known.sum_at(product, row)

    return meaning


def _is_any(name: str) -> MeaningRule:
    def meaning(known: Meaning, here: _Here) -> RowFunction:
        product = PRODUCT[name](known, here)
        return lambda row: flag(at_least(known.sum_at(product, row), 1))

    return meaning


def _crossings(along: Matrix) -> Mapping[str, MeaningRule]:
    return {
        along.members: _sum(along.members),
        along.containing: _sum(along.containing),
        along.touching: _is_any(along.touching),
        along.covered: _is_any(along.covered),
        along.product: _sum(along.product),
        along.transposed: _sum(along.transposed),
    }


# What each operation that multiplies or divides two values multiplies or divides.
ARITHMETIC: Mapping[str, Callable[[Meaning, _Here], Multiplying | Dividing]] = {
    "multiply": Meaning.product_of_two,
    "quotient": Meaning.division,
    "remainder": Meaning.division,
}

# Operations whose values depend on other rows; of all others, a value follows from its own row.
AFAR = frozenset({*SEARCH, *PRODUCT, "read", "mean"})

# What each operation of the language means.
MEANING: Mapping[str, MeaningRule] = {
    "input": lambda known, here: known.input(str(here.op.argument)),
    "state": lambda _, here: here.states.values[str(here.op.argument)],
    "constant": _rowwise(lambda known, op: constant(known.plain(op.argument))),
    "weight": lambda known, _: known.weight_at,
    "size": _rowwise(lambda known, op: known.counts[Scope.VERTICES if op.argument == "n_v" else Scope.HYPEREDGES]),
    "own": lambda _, __: lambda row: row,
    "add": _rowwise(_add),
    "subtract": _rowwise(_subtract),
    "multiple": _rowwise(_multiple),
    "multiply": _multiply,
    "quotient": _quotient,
    "remainder": _remainder,
    "smaller": _rowwise(lambda _, __, a, b: choice(below(a, b), a, b)),
    "larger": _rowwise(lambda _, __, a, b: choice(below(a, b), b, a)),
    "less": _rowwise(lambda _, __, a, b: flag(below(a, b))),
    "precedes": _rowwise(lambda _, __, a, b: flag(conjunction(below(a, b), at_least(a, 1)))),
    "equal": _rowwise(lambda _, __, a, b: flag(equal(a, b))),
    "and": _rowwise(lambda _, __, a, b: flag(conjunction(truth(a), truth(b)))),
    "or": _rowwise(lambda _, __, a, b: flag(disjunction(truth(a), truth(b)))),
    "not": _rowwise(lambda _, __, a: flag(negation(truth(a)))),
    "where": _rowwise(lambda _, __, mask, a, b: choice(truth(mask), a, b)),
    "number": _rowwise(lambda _, __, a: a),
    "spread": _rowwise(lambda _, __, a: a),
    "missing": _rowwise(lambda _, __, p: flag(equal(p, 0))),
    "next": _rowwise(_next),
    "previous": _rowwise(lambda _, __, p: relu(p - 1)),
    "ordinal": _rowwise(_ordinal),
    "read": _read,
    "argmin": _place("argmin"),
    "argmax": _place("argmax"),
    "min": _best("min"),
    "max": _best("max"),
    "first": _place("first"),
    "any": _any,
    "all": _all,
    "mean": _mean,
    **along_each(_crossings),
}
require_entries("the meaning that proofs use", MEANING, LANGUAGE)
