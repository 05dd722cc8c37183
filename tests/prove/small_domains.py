"""Programs of one operation each, of every shape that the language allows, and all small situations of each.

What a shape is follows from the typing rules; so an operation that is new is tried without a word here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, islice, product
from math import prod

import numpy as np

from hyloop import Hypergraph
from hyloop.interpreter import IterationEnd, evaluate, world
from hyloop.lang import LanguageError
from hyloop.lang.bounds import Known, Limits, bounds_of
from hyloop.lang.kinds import INFINITY, POINTER_TO, Constant, Kind, Scope, Type
from hyloop.lang.matrices import DIRECTED, INCIDENCE
from hyloop.lang.ops import LEAVES, OPERATIONS
from hyloop.lang.program import Argument, Input, Op, Program, Section, State
from hyloop.lang.size import Size
from hyloop.lang.source import Location
from hyloop.lang.verify import verify
from hyloop.prove.meaning import ARITHMETIC, SEARCH, Meaning
from hyloop.prove.terms import Valuation, constant, forget
from prove.situations import Situation, values

MOST = 3  # the largest finite number of a domain, and the most rows
TABLE = 10  # rows of quarter squares: enough for the sums of two numbers here
TYPES = [Type(kind, scope) for scope in Scope for kind in Kind]
WRITTEN: dict[Kind, tuple[Constant, ...]] = {
    Kind.FLAG: (False, True),
    Kind.COUNT: (0, 1, 2, 5),
    Kind.LENGTH: (0, INFINITY),
    Kind.VERTEX: (None,),
    Kind.HYPEREDGE: (None,),
}
ARGUMENTS: dict[str, tuple[Argument, ...]] = {
    "nothing": (None,),
    "scope": tuple(POINTER_TO),
    "constant": tuple(range(MOST + 1)),
}
HERE = Location("", 1, 0, 0)
YES = Op("constant", (), True, Type(Kind.FLAG), HERE)


@dataclass(frozen=True)
class Shape:
    """An operation, the types of its operands, its argument; and an operand that is a constant, with its value."""

    name: str
    types: tuple[Type, ...] = ()
    argument: Argument = None
    written: tuple[int, Constant] | None = None

    def __str__(self) -> str:
        operands = [str(each) for each in self.types]
        if self.written is not None:
            operands[self.written[0]] = repr(self.written[1])
        return f"{self.name}({', '.join(operands)}; {self.argument})"


def shapes(name: str) -> list[Shape]:
    """All shapes of an operation."""
    if name in LEAVES:
        return LEAF_SHAPES[name]
    if name == "mean":  # of a number, and of a flag, times the number of rows
        return [Shape(name, (each,)) for each in TYPES if each.scope in POINTER_TO and not each.kind.is_pointer]
    plain = [
        Shape(name, types, argument)
        for count in range(OPERATIONS[name].language[0], OPERATIONS[name].language[1] + 1)
        for types in product(TYPES, repeat=count)
        for argument in ARGUMENTS[OPERATIONS[name].argument]
        if result(name, types, argument) is not None
    ]
    return plain + [
        replace(shape, written=(at, value))
        for shape in plain
        for at, each in enumerate(shape.types)
        if each.scope is Scope.SCALAR
        for value in WRITTEN[each.kind]
    ]


LEAF_SHAPES = {
    "input": [Shape("input", (each,), "a") for each in TYPES],
    "state": [Shape("state", (each,), "a") for each in TYPES],
    "constant": [Shape("constant", (Type(kind),), value) for kind in Kind for value in WRITTEN[kind]],
    "weight": [Shape("weight")],
    "size": [Shape("size", (), each) for each in ("n_v", "n_e")],
    "own": [Shape("own", (), scope) for scope in POINTER_TO],
}


def result(name: str, types: tuple[Type, ...], argument: Argument) -> Type | None:
    """The type of an operation that is no leaf; None where it does not take such operands."""
    try:
        return OPERATIONS[name].types(types, argument)
    except TypeError:
        return None


def _leaf(shape: Shape) -> Op:
    scope = shape.argument
    fixed = {"weight": Type(Kind.LENGTH, Scope.HYPEREDGES), "size": Type(Kind.COUNT)}
    of = shape.types[0] if shape.types else fixed.get(shape.name) or Type(POINTER_TO[scope], scope)
    return Op(shape.name, (), shape.argument, of, HERE)


def _ops(shape: Shape) -> list[Op]:
    """The operation, last, after its operands."""
    if shape.name in LEAVES:
        return [_leaf(shape)]
    ops = [Op("state", (), "abc"[at], each, HERE) for at, each in enumerate(shape.types)]
    if shape.written is not None:
        at, value = shape.written
        ops[at] = Op("constant", (), value, shape.types[at], HERE)
    if shape.name == "mean":
        return _averaged(ops, shape.types[0])
    return [*ops, Op(shape.name, tuple(range(len(ops))), shape.argument, _type(shape.name, ops, shape.argument), HERE)]


def _type(name: str, ops: list[Op], argument: Argument = None) -> Type:
    found = result(name, tuple(op.type for op in ops), argument)
    assert found is not None
    return found


def _averaged(ops: list[Op], of: Type) -> list[Op]:
    """The verifier takes a mean only of what the number of rows divides."""
    ops = [*ops, Op("size", (), "n_v" if of.scope is Scope.VERTICES else "n_e", Type(Kind.COUNT), HERE)]
    name = "multiply"
    if of.kind is Kind.FLAG:
        ops, name = [*ops, Op("constant", (), 0, Type(Kind.COUNT), HERE)], "where"
    many = Op(name, tuple(range(len(ops))), None, _type(name, ops), HERE)
    return [*ops, many, Op("mean", (len(ops),), None, _type("mean", [many]), HERE)]


def _program(shape: Shape, *, infinite: bool) -> Program:
    ops = _ops(shape)
    given = {op.argument: op.type for op in ops if op.name in {"state", "input"}}
    inputs = tuple(Input(name, of) for name, of in given.items() if shape.name == "input")
    states = tuple(
        State(name, of, INFINITY if infinite and of.kind is Kind.LENGTH else of.kind.zero, HERE)
        for name, of in given.items()
        if shape.name != "input"
    )
    body = Section((*ops, YES), {}, len(ops))
    return verify(Program("one", "", inputs, states, Section(), body, Size.of(1), ()))


class Subject:
    """The program of a shape, with the meaning that a proof gives it.

    Infinity is as low as it can be. Where there is no length, counts go up to that number, which is then a count like
    any other.
    """

    def __init__(self, shape: Shape) -> None:
        forget()
        self.shape = shape
        try:
            self.program, self.infinite = _program(shape, infinite=True), True
        except LanguageError:  # what is added up is finite
            self.program, self.infinite = _program(shape, infinite=False), False
        ops = self.program.body.ops
        self.number = len(ops) - 2
        self.op = ops[self.number]
        self.counts = MOST if any(op.type.kind is Kind.LENGTH for op in ops) else MOST + 1
        most = {each.name: self._most(each.type.kind) for each in (*self.program.states, *self.program.inputs)}
        limits = Limits(MOST, MOST, most if self.program.inputs else {})
        ranges = bounds_of(self.program, limits, Known(states={} if self.program.inputs else most))
        lengths = [line for op, line in zip(ops, ranges.values[1], strict=True) if op.type.kind is Kind.LENGTH]
        self.infinity = max([MOST, *map(ranges.at_end, lengths)]) + 1
        self.least = TABLE if any(op.name in ARITHMETIC for op in ops) else 0
        self.meaning = Meaning(self.program, limits, self.infinity, ranges, self.least)
        self._stated: dict[int, tuple[list, list]] = {}

    def _most(self, kind: Kind) -> int:
        return {Kind.FLAG: 1, Kind.COUNT: self.counts}.get(kind, MOST)

    def stated(self, rows: int) -> tuple[list, list]:
        """The terms of the operation on these rows, and all that a proof takes for granted there."""
        if rows not in self._stated:
            read = self.meaning.full(self.program.body, self.number, self.meaning.now)
            at = [constant(row) for row in range(rows)]
            terms = [read(row) for row in at]
            self._stated[rows] = terms, self.meaning.facts([*terms, self.meaning.size], at)
        return self._stated[rows]

    @cached_property
    def found(self) -> str | None:
        """The symbol of the row that is found, where the operation is a search."""
        return next((each.name for each in self.meaning.searches.values()), None) if self.op.name in SEARCH else None

    # -- situations

    def domain(self, of: Type, counts: dict[Scope, int]) -> list:
        """All values of a type: single ones, or all arrays of them."""
        kind = of.kind
        top = {Kind.VERTEX: counts[Scope.VERTICES], Kind.HYPEREDGE: counts[Scope.HYPEREDGES]}.get(kind)
        single = list(range((self._most(kind) if top is None else top) + 1))
        if kind is Kind.LENGTH and self.infinite and not self.program.inputs:
            single.append(self.infinity)
        return single if of.scope is Scope.SCALAR else list(product(single, repeat=counts[of.scope]))

    def situations(self, vertices: int, hyperedges: int, step: int = 1) -> Iterator[Situation]:
        """All values of all operands, and all incidences and weights where they matter; or every n-th of these."""
        counts = {Scope.VERTICES: vertices, Scope.HYPEREDGES: hyperedges}
        given = self.program.inputs or self.program.states
        domains = [self.domain(each.type, counts) for each in given]
        weights = list(product(range(1, MOST + 1) if self.op.name == "weight" else [1], repeat=hyperedges))
        every = product(_hypergraphs(self.op.name, vertices, hyperedges), weights, *domains)
        for h, weight, *operands in islice(every, 0, None, step):
            yield self._situation(h, weight, {each.name: x for each, x in zip(given, operands, strict=True)})

    def many(self, vertices: int, hyperedges: int) -> int:
        """How many situations there are of that size."""
        counts = {Scope.VERTICES: vertices, Scope.HYPEREDGES: hyperedges}
        domains = [self.domain(each.type, counts) for each in (*self.program.inputs, *self.program.states)]
        weights = MOST**hyperedges if self.op.name == "weight" else 1
        return len(_hypergraphs(self.op.name, vertices, hyperedges)) * weights * prod(map(len, domains))

    def _situation(self, h: Hypergraph, weight: tuple[int, ...], given: dict) -> Situation:
        inputs, states = (given, {}) if self.program.inputs else ({}, given)
        here = replace(world(h, weight, inputs, most=1), infinity=self.infinity)
        vectors = {name: x if isinstance(x, int) else np.array(x, dtype=np.int64) for name, x in states.items()}
        made = evaluate(self.program.body, vectors, here)
        step = IterationEnd(1, "body", vectors, made, halted=True, infinity=self.infinity)
        size = max(*h.counts, 1, self.least) + 1
        return Situation(h, "body", 0, size, weight, inputs, states, step, [], self.infinity)

    # -- the comparison

    def compare(self, situation: Situation) -> None:
        """The operation on every row, what is known there; and that nothing else than what is found could be."""
        rows = max(*situation.h.counts, 1) + 1
        terms, facts = self.stated(rows)
        known = values(self.meaning, situation, rows=rows)
        at = known.of([*terms, *facts])
        entries = situation.entries(self.op.type.scope, situation.step.values[self.number])
        about = f"{self.shape} of {situation.inputs or situation.states}, {situation.h.counts}"
        for row, term in enumerate(terms):
            assert at.term(term) == entries[row], f"{about} at row {row}"
            assert term.low <= entries[row] <= term.high, f"{about} at row {row} is outside its interval"
        assert all(map(at.formula, facts)), f"{about}: a fact that does not hold"
        if self.found is not None:
            self._nothing_else(known, facts, rows, about)

    def _nothing_else(self, known: Valuation, facts: list, rows: int, about: str) -> None:
        """The facts about a search leave one row only, the one that the interpreter finds."""
        for row in set(range(rows)) - {known.variables[self.found]}:
            other = Valuation({**known.variables, self.found: row}, known.functions).of(facts)
            assert not all(map(other.formula, facts)), f"{about}: row {row} may be found, too"


def _hypergraphs(name: str, vertices: int, hyperedges: int) -> list[Hypergraph]:
    """All incidences of that size, also all of tails and heads up to 2 x 2; an empty one where they do not matter."""
    if name not in INCIDENCE.operations | DIRECTED:
        return _undirected(vertices, hyperedges)[:1]
    directed = _directed(vertices, hyperedges) if vertices * hyperedges <= 4 else []
    return _undirected(vertices, hyperedges) + directed


@cache
def _undirected(vertices: int, hyperedges: int) -> list[Hypergraph]:
    members = _members(vertices, hyperedges)
    return [Hypergraph.from_hyperedges(each, vertices=range(1, vertices + 1)) for each in members]


@cache
def _directed(vertices: int, hyperedges: int) -> list[Hypergraph]:
    both = product(_members(vertices, hyperedges), repeat=2)
    return [
        Hypergraph.from_arcs({e: (tails[e], heads[e]) for e in tails}, vertices=range(1, vertices + 1))
        for tails, heads in both
    ]


def _members(vertices: int, hyperedges: int) -> list[dict[int, list[int]]]:
    """All families of so many hyperedges; the first one has no members."""
    subsets = [list(each) for size in range(vertices + 1) for each in combinations(range(1, vertices + 1), size)]
    return [dict(enumerate(each, start=1)) for each in product(subsets, repeat=hyperedges)]
