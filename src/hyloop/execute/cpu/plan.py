"""The execution plan, found from the weights: for every head the cheapest way to compute it exactly.

* identity: query `(2j, -1)` on keys `(j, j²)`. Each row attends to itself, so the head is part of the sums of its row;
* product: the same before `Ã` or `Ãᵀ`: a sparse product with a column;
* scan: the query is a constant of the row class. One pass over the rows answers all queries of the class;
* pointer: query `(2c, -1)` on keys `(j, j²)`: row `c` is read, once for the class if `c` is the same on its rows;
* quotient: query `(a, -b)` on keys `(j, j²)`: the row nearest to `a / 2b` is read, found by division;
* slow: anything else; it is computed by `slow.py`, exactly.

What the layout says of a column's first value is a claim, checked against the given state. From there a
small dataflow analysis finds the columns that have one value on all rows but row 0 before and after every layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hyloop.execute.columns import Columns
from hyloop.execute.cpu.claims import Claims, Expected, claims, held, hold_positions
from hyloop.execute.cpu.expressions import Builder, Fact, Facts, Formulas, Ref, Sum, Value, summed
from hyloop.machine.layer import Head, HeadKind, Layer
from hyloop.machine.model import EXACT, Model

FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True)
class BroughtColumn:
    """One output column of a head: a number for row 0 and one for the body, or a vector for the body."""

    column: int
    vector: bool


@dataclass(frozen=True)
class Scan:
    """The rows with the largest score, for one query: scores and values on row 0 and on the body.

    `to_first` and `to_body` name what is written to row 0 and to the body: one number for each value, or none.
    """

    head: int
    query: tuple[float, float]
    score: tuple[Sum, Sum]
    values: tuple[tuple[Sum, Sum], ...]
    to_first: tuple[int, ...]
    to_body: tuple[int, ...]


@dataclass(frozen=True)
class Read:
    """The row that one query `(2c, -b)` names, the nearest to `c / b`.

    `doubled` is `2c` and `by` is b, both sums of numbers of the class.
    """

    head: int
    doubled: Sum
    values: tuple[tuple[Sum, Sum], ...]
    to: tuple[int, ...]
    body: bool  # whether the body reads, or row 0
    by: Sum


@dataclass(frozen=True)
class Gather:
    """The same for the body where each row has its own `c` or b: `doubled` or `by` is a vector."""

    head: int
    doubled: Sum
    values: tuple[tuple[Sum, Sum], ...]
    to: tuple[int, ...]
    by: Sum


@dataclass(frozen=True)
class Product:
    """`Ã` or `Ãᵀ` times a sum of columns (on the body). `fixed`: no layer changes those columns."""

    head: int
    kind: HeadKind
    source: Sum
    to: int
    fixed: bool


@dataclass(frozen=True)
class Slow:
    """A head without a fast form; its outputs, in the order of the columns that it writes."""

    head: int
    to: tuple[int, ...]


@dataclass(frozen=True)
class LayerPlan:
    """One layer: the outputs of the heads, the program of row 0 and that of the body, and what is known before it."""

    before: Facts
    brought: tuple[BroughtColumn, ...]
    scans: tuple[Scan, ...]
    reads: tuple[Read, ...]
    gathers: tuple[Gather, ...]
    products: tuple[Product, ...]
    slow: tuple[Slow, ...]
    identity: tuple[int, ...]  # plain heads whose rows attend to themselves: part of the programs
    first: Formulas
    body: Formulas

    def is_vector(self, ref: Ref) -> bool:
        """Whether a value of the layer differs from row to row."""
        match ref.space:
            case "column":
                return self.before[ref.number].vector
            case "brought":
                return self.brought[ref.number].vector
            case "node":
                return ref.number >= len(self.body.nodes) or self.body.nodes[ref.number].vector


@dataclass(frozen=True, eq=False)
class Plan:
    """All layers. What is known after the last layer is what is known before the first."""

    layers: tuple[LayerPlan, ...]
    halt: int
    dtype: str
    believed: Claims

    @property
    def positions(self) -> tuple[int, int] | None:
        """The columns that hold the position code, if it is one."""
        return self.believed.positions

    @property
    def boundary(self) -> Facts:
        """What is known of the columns between iterations."""
        return self.layers[0].before

    def after(self, number: int) -> Facts:
        """What is known after a layer."""
        return self.layers[(number + 1) % len(self.layers)].before


@lru_cache(maxsize=64)
def integral(model: Model) -> bool:
    """Whether all weights are integers and ties are exact, so that sums may be taken in any order."""
    if model.tie_tolerance:
        return False
    matrices = [m for layer in model.layers for head in layer.heads for m in (head.query, head.key, head.value)]
    matrices += [m for layer in model.layers for m in layer.mlp.weights]
    return all(bool(np.all(m == np.rint(m))) and float(np.abs(m).max(initial=0)) < EXACT[model.dtype] for m in matrices)


def plan_for(model: Model, X: FloatArray | Columns) -> Plan:
    """The plan of a model, from the claims that hold of this state."""
    plan, given = _usual(model), Columns.of(X)
    while True:
        true = plan.boundary if _expected(plan).is_met(given) else held(plan.boundary, given)
        positions = plan.positions if plan.positions and hold_positions(plan.positions, given) else None
        if (true is plan.boundary or true == plan.boundary) and positions == plan.positions:
            return plan
        plan = analyse(model, Claims(tuple(map(Fact.joined, plan.believed.facts, true)), positions))


@lru_cache(maxsize=64)
def _expected(plan: Plan) -> Expected:
    return Expected.of(plan.boundary)


@lru_cache(maxsize=64)
def _usual(model: Model) -> Plan:
    """The plan for states of which the layout's claims hold, as all that are encoded."""
    return analyse(model, claims(model))


@lru_cache(maxsize=64)
def analyse(model: Model, believed: Claims) -> Plan:
    """The plan that holds whenever the claims hold of the first state."""
    written = frozenset().union(*(layer.writes for layer in model.layers))
    positions = believed.positions if believed.positions and not written & set(believed.positions) else None
    facts = believed.facts
    while True:
        layers, now = [], facts
        for layer in model.layers:
            planned, now = Planner(now, positions, written).layer(layer)
            layers.append(planned)
        joined = tuple(map(Fact.joined, facts, now))
        if joined == facts:
            halt = model.layout.number(model.layout.halt)
            return Plan(tuple(layers), halt, model.dtype, replace(believed, positions=positions))
        facts = joined


class Planner:
    """Plans one layer from what is known before it."""

    def __init__(self, facts: Facts, positions: tuple[int, int] | None, written: frozenset[int]) -> None:
        self.facts, self.positions, self.written = facts, positions, written
        self.brought: list[BroughtColumn] = []
        self.scans: list[Scan] = []
        self.reads: list[Read] = []
        self.gathers: list[Gather] = []
        self.products: list[Product] = []
        self.slow: list[Slow] = []
        self.identity: list[int] = []
        self.added: list[tuple[int, int, float]] = []  # (to, from, weight): heads whose rows attend to themselves

    def layer(self, layer: Layer) -> tuple[LayerPlan, Facts]:
        """The plan of a layer, and what is known after it."""
        for number, head in enumerate(layer.heads):
            self._head(number, head)
        first, body = self._program(layer, 0), self._program(layer, 1)
        after = tuple(
            Fact(_constant(a), _constant(b), self._is_vector(body, b)) for a, b in zip(first.new, body.new, strict=True)
        )
        found = LayerPlan(
            self.facts,
            tuple(self.brought),
            tuple(self.scans),
            tuple(self.reads),
            tuple(self.gathers),
            tuple(self.products),
            tuple(self.slow),
            tuple(self.identity),
            first,
            body,
        )
        return found, after

    # -- values of columns on a class of rows: 0 is row 0, 1 the body

    def _column(self, number: int, rows: int) -> Value:
        known = self.facts[number].rest if rows else self.facts[number].first
        return Ref("column", number) if known is None else known

    def _sum(self, weights: FloatArray, rows: int) -> Sum:
        return summed((self._column(int(c), rows), float(weights[c])) for c in np.flatnonzero(weights))

    def _vector(self, ref: Ref) -> bool:
        return self.facts[ref.number].vector if ref.space == "column" else self.brought[ref.number].vector

    def _is_vector(self, program: Formulas, value: Value) -> bool:
        if not isinstance(value, Ref):
            return False
        return program.nodes[value.number].vector if value.space == "node" else self._vector(value)

    # -- heads

    def _head(self, number: int, head: Head) -> None:
        targets = sorted(head.writes)
        if not targets:
            return
        queries = [[self._sum(head.query[:, part], rows) for part in (0, 1)] for rows in (0, 1)]
        seekers = [1] if head.kind != "plain" else [0, 1]  # row 0 of Ã and of Ãᵀ is zero, and so is column 0
        if all(self._sees_itself(head, queries[rows], rows) for rows in seekers):
            self._identity(number, head, targets)
        elif head.kind == "plain" and all(self._is_easy(head, query) for query in queries):
            self._class_head(number, head, targets, queries)
        else:
            self.slow.append(Slow(number, self._bring(targets, vector=True)))

    def _bring(self, targets: Sequence[int], *, vector: bool) -> tuple[int, ...]:
        start = len(self.brought)
        self.brought += [BroughtColumn(column, vector) for column in targets]
        return tuple(range(start, len(self.brought)))

    def _on_positions(self, head: Head) -> bool:
        if self.positions is None:
            return False
        wanted = np.zeros_like(head.key)
        wanted[self.positions, (0, 1)] = 1
        return bool(np.array_equal(head.key, wanted))

    def _sees_itself(self, head: Head, query: Sequence[Sum], rows: int) -> bool:
        if self.positions is None or not self._on_positions(head):
            return False
        return query[0] == summed([(self._column(self.positions[0], rows), 2.0)]) and query[1] == Sum(-1.0, ())

    def _is_easy(self, head: Head, query: Sequence[Sum]) -> bool:
        return self._is_constant(query) or self._is_pointer(head, query)

    @staticmethod
    def _is_constant(query: Sequence[Sum]) -> bool:
        return not any(part.terms for part in query)

    def _is_pointer(self, head: Head, query: Sequence[Sum]) -> bool:
        """Whether a query on positions is `(2c, -b)`; on the body `c` and b may differ from row to row.

        Where b is no constant, whoever runs the plan sees to it that it is 1 or more.
        """
        if not self._on_positions(head):
            return False
        divides = bool(query[1].terms) or (bool(query[0].terms) and query[1].constant < 0)
        return query[1] == Sum(-1.0, ()) or divides

    def _identity(self, number: int, head: Head, targets: Sequence[int]) -> None:
        if head.kind == "plain":
            self.identity.append(number)
            sources, columns = np.nonzero(head.value)
            self.added += [(int(c), int(s), float(head.value[s, c])) for s, c in zip(sources, columns, strict=True)]
            return
        for target in targets:
            source = self._sum(head.value[:, target], 1)
            if source.constant or source.terms:
                fixed = not any(ref.number in self.written for ref, _ in source.terms)
                (to,) = self._bring([target], vector=True)
                self.products.append(Product(number, head.kind, source, to, fixed))

    def _class_head(self, number: int, head: Head, targets: Sequence[int], queries: Sequence[Sequence[Sum]]) -> None:
        pointers = [self._is_pointer(head, query) for query in queries]
        gathers = pointers[1] and any(self._vector(ref) for part in queries[1] for ref, _ in part.terms)
        to = self._bring(targets, vector=gathers)
        values = tuple((self._sum(head.value[:, t], 0), self._sum(head.value[:, t], 1)) for t in targets)
        if queries[0] == queries[1] and not pointers[0]:
            self._scan(number, head, queries[0], values, (to, to))
            return
        for rows, query in enumerate(queries):
            if rows and gathers:
                self.gathers.append(Gather(number, query[0], values, to, _negated(query[1])))
            elif pointers[rows]:
                self.reads.append(Read(number, query[0], values, to, bool(rows), _negated(query[1])))
            else:
                self._scan(number, head, query, values, ((), to) if rows else (to, ()))

    def _scan(
        self,
        number: int,
        head: Head,
        query: Sequence[Sum],
        values: tuple[tuple[Sum, Sum], ...],
        to: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> None:
        a, b = query[0].constant, query[1].constant
        weights = head.key[:, 0] * a + head.key[:, 1] * b
        self.scans.append(Scan(number, (a, b), (self._sum(weights, 0), self._sum(weights, 1)), values, *to))

    # -- the sums of a row

    def _program(self, layer: Layer, rows: int) -> Formulas:
        builder = Builder(self._vector if rows else lambda _: False)
        d = len(self.facts)
        terms: list[list[tuple[Value, float]]] = [[(self._column(c, rows), 1.0)] for c in range(d)]
        for to, source, weight in self.added:
            terms[to].append((self._column(source, rows), weight))
        for number, brought in enumerate(self.brought):
            if rows or not self._only_body(number):
                terms[brought.column].append((Ref("brought", number), 1.0))
        attended = [builder.add(each) for each in terms]
        hidden: list[Value] = attended
        for weights in layer.mlp.weights[:3]:
            hidden = [builder.add(_column_of(hidden, weights, unit), relu=True) for unit in range(layer.mlp.width)]
        last = layer.mlp.weights[3]
        new = [
            builder.add([(value, 1.0), *_column_of(hidden, last, c)]) if layer.mlp.width else value
            for c, value in enumerate(attended)
        ]
        return builder.program(new)

    def _only_body(self, number: int) -> bool:
        return any(product.to == number for product in self.products)


def _negated(of: Sum) -> Sum:
    return Sum(-of.constant, tuple((ref, -weight) for ref, weight in of.terms))


def _column_of(values: Sequence[Value], weights: FloatArray, column: int) -> list[tuple[Value, float]]:
    return [(values[row], float(weights[row, column])) for row in np.flatnonzero(weights[:, column]).tolist()]


def _constant(value: Value) -> float | None:
    return None if isinstance(value, Ref) else value
