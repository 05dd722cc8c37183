"""What is guessed of a model, and watched while it runs: with it the code is half as long.

Compiled arrays are 0 on row 0 and nowhere negative. No analysis of the weights alone shows that, so the code assumes
it, and every iteration looks whether it still holds: a run in which it once did not is run again without the guess.
Nothing is believed. What follows from the guess is found by intervals: a ReLU of what is never negative is left out,
and so is one of what is never positive; a number that is the same on row 0 and on the body is computed once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from hyloop.execute.cpu.claims import Claims
from hyloop.execute.cpu.expressions import Expression, Fact, Facts, Formulas, Ref, Sum, Value, summed
from hyloop.execute.cpu.plan import LayerPlan, Plan, Planner, Product, Read
from hyloop.machine.layout import Column, Pointer, largest_written
from hyloop.machine.model import Model

Range = tuple[float, float]
ANY: Range = (-math.inf, math.inf)
EXACT = 2.0**53  # floats below it are added and multiplied exactly, where the result is below it too
PASSING = frozenset({"temporary", "spare"})  # columns that hold one thing after the other, also numbers
ROUNDS, MOST_ROUNDS = 4, 60  # after the first, what still grows is taken to grow without end


@dataclass(frozen=True)
class Tent(Expression):
    """`relu(|b| - |a|)`: what `relu(a + b) + relu(a - b) - 2 relu(a)` is. `of` is a; with b = 1, whether a is 0."""

    b: Sum = field(default=Sum(0.0, ()))
    positive: bool = False  # whether b is known not to be negative


@dataclass(frozen=True)
class Ranges:
    """The least and the largest value of every column before a layer: on row 0, and on the body."""

    first: tuple[Range, ...]
    body: tuple[Range, ...]


@dataclass(frozen=True)
class Holds:
    """How large any value is in a run, by the certificate; and below what the numbers of the code stay exact."""

    value: float
    number: float


@dataclass(frozen=True)
class Phase:
    """One pass through the layers: the first iteration, or any later one. `zero` and `signs` are what is watched.

    `zero`: for each layer the columns that must be as guessed on row 0 after it, with that value. `signs`: those whose
    body must not be negative. `reads`: the reads that give what an earlier one gives. `after` is what is known at the
    end.
    """

    layers: tuple[LayerPlan, ...]
    after: Facts
    zero: tuple[Mapping[int, float], ...]
    signs: tuple[tuple[int, ...], ...]
    reads: tuple[Mapping[int, int], ...]
    ones: tuple[frozenset[int], ...] = ()  # for each layer the products (by what they bring) of zeros and ones only

    def known_after(self, number: int) -> Facts:
        """What is known after a layer."""
        return self.layers[number + 1].before if number + 1 < len(self.layers) else self.after


@dataclass(frozen=True)
class Guess:
    """The first iteration, if it has code of its own, and all others; they hold while the guess does.

    `same`: columns that are one number, the same on row 0 and on the body.
    """

    first: Phase | None
    steady: Phase
    halt: int
    same: frozenset[int]

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Both phases, or the only one."""
        return (self.steady,) if self.first is None else (self.first, self.steady)

    @property
    def start(self) -> Facts:
        """What is known of the first state."""
        return self.phases[0].layers[0].before

    @property
    def boundary(self) -> Facts:
        """What is known between iterations, and at the end."""
        return self.steady.layers[0].before


def unguarded(plan: Plan) -> Guess:
    """No guess: the plan as it is."""
    nothing: tuple[Mapping[int, int], ...] = tuple({} for _ in plan.layers)
    phase = Phase(plan.layers, plan.boundary, tuple({} for _ in plan.layers), tuple(() for _ in plan.layers), nothing)
    return Guess(None, phase, plan.halt, frozenset())


def guessed(model: Model, believed: Claims, rows: int, bits: int) -> Guess:
    """The code under the guess, for hypergraphs of at most so many rows, in numbers of so many bits."""
    holds = Holds(math.inf if model.largest is None else model.largest, 2.0 ** (bits - 1))
    phases = [_with_tents(phase) for phase in _assumed(model, believed)]
    start = _start(model, phases[0].layers[0].before, rows)
    found = []
    for number, phase in enumerate(phases):
        ranges, start = _ranges(phase, start, rows, again=bool(number))
        found.append(_folded(phase, ranges, rows, holds))
    same, reads = _same(model, [layer for phase in found for layer in phase.layers])
    split = len(model.layers)
    first, steady = (
        replace(each, reads=part) for each, part in zip(found, (reads[:split], reads[split:]), strict=True)
    )
    return Guess(first, steady, model.layout.number(model.layout.halt), same)


def _folded(phase: Phase, ranges: Sequence[Ranges], rows: int, holds: Holds) -> Phase:
    layers, signs = [], []
    for number, layer in enumerate(phase.layers):
        sides = (
            _fold(formulas, layer, ranges[number], side, rows, holds)
            for side, formulas in enumerate((layer.first, layer.body))
        )
        first, body = sides
        layers.append(replace(layer, first=first, body=body))
        signs.append(_watched(layers[-1], ranges[number], phase.known_after(number), rows))
    zero = tuple({c: v for c, v in each.items() if layers[n].first.new[c] != v} for n, each in enumerate(phase.zero))
    ones = tuple(
        frozenset(product.to for product in layer.products if _of_ones(product, ranges[n]))
        for n, layer in enumerate(phase.layers)
    )
    return Phase(tuple(layers), phase.after, zero, tuple(signs), phase.reads, ones)


def _of_ones(product: Product, now: Ranges) -> bool:
    """Whether a product's source is 0 or 1 on every row."""
    ref = product.source.plain
    return ref is not None and now.body[ref.number][0] >= 0 and now.body[ref.number][1] <= 1


# -- arrays are 0 on row 0 ------------------------------------------------------------------------------------------


def _assumed(model: Model, believed: Claims) -> tuple[Phase, Phase]:
    """Both phases if the arrays stay on row 0 what they are there at first; and where that is not known."""
    written = frozenset().union(*(layer.writes for layer in model.layers))
    positions = believed.positions if believed.positions and not written & set(believed.positions) else None
    arrays = {
        c: fact.first
        for c, (fact, column) in enumerate(zip(believed.facts, model.layout.columns, strict=True))
        if column.scope == "array" and column.role not in PASSING and fact.first is not None
    }

    def through(now: Facts) -> tuple[Phase, Facts]:
        layers, zero = [], []
        for layer in model.layers:
            planned, after = Planner(now, positions, written).layer(layer)
            now = tuple(replace(fact, first=arrays.get(c, fact.first)) for c, fact in enumerate(after))
            layers.append(planned)
            zero.append({c: v for c, v in arrays.items() if after[c].first != v})
        nothing: tuple[Mapping[int, int], ...] = tuple({} for _ in layers)
        return Phase(tuple(layers), now, tuple(zero), tuple(() for _ in layers), nothing), now

    first, facts = through(believed.facts)
    while True:
        steady, now = through(facts)
        joined = tuple(map(Fact.joined, facts, now))
        if joined == facts:
            return replace(first, after=facts), replace(steady, after=facts)
        facts = joined


# -- tents ----------------------------------------------------------------------------------------------------------


def _with_tents(phase: Phase) -> Phase:
    layers = (replace(each, first=_tented(each.first), body=_tented(each.body)) for each in phase.layers)
    return replace(phase, layers=tuple(layers))


def _tented(formulas: Formulas) -> Formulas:
    """The same formulas, three ReLUs that make a tent replaced by it."""
    nodes: list[Expression] = []
    moved: list[Ref] = []
    for node in formulas.nodes:
        total = summed([*((_moved(ref, moved), weight) for ref, weight in node.of.terms), (node.of.constant, 1.0)])
        while (found := _tent(total, nodes)) is not None:
            tent, total = found
            nodes.append(tent)
            total = summed([*total.terms, (total.constant, 1.0)])
        moved.append(Ref("node", len(nodes)))
        nodes.append(replace(node, of=total))
    return _needed(Formulas(tuple(nodes), tuple(_moved(value, moved) for value in formulas.new)))


def _moved(value: Value, moved: Sequence[Ref]) -> Any:
    return moved[value.number] if isinstance(value, Ref) and value.space == "node" else value


def _tent(total: Sum, nodes: Sequence[Expression]) -> tuple[Tent, Sum] | None:
    """A tent in a sum, and the sum with it instead of its parts."""
    relus = [(ref, weight) for ref, weight in total.terms if ref.space == "node" and _is_relu(nodes[ref.number])]
    for top, weight in relus:
        sides = [ref for ref, each in relus if each == -weight / 2 and ref != top]
        for left, right in combinations(sides, 2):
            p, q, t = (nodes[ref.number].of for ref in (left, right, top))
            if _plus(p, q, 1.0) != _plus(t, t, 1.0):
                continue
            twice = _plus(p, q, -1.0)
            b = _times(twice, 0.5)
            whole = all(number == int(number) for number in (b.constant, *(each for _, each in b.terms)))
            if not whole or not _exact(twice) or not _exact(_plus(p, q, 1.0)):
                continue
            vector = any(nodes[ref.number].vector for ref in (left, right, top))
            rest = [(ref, each) for ref, each in total.terms if ref not in {left, right, top}]
            return Tent(t, True, vector, b), Sum(total.constant, (*rest, (Ref("node", len(nodes)), -weight / 2)))
    return None


def _exact(of: Sum) -> bool:
    """Whether its numbers are below what floats hold exactly: then none was rounded when they were added up."""
    return all(abs(number) < EXACT for number in (of.constant, *(weight for _, weight in of.terms)))


def _is_relu(node: Expression) -> bool:
    return node.relu and not isinstance(node, Tent)


def _plus(a: Sum, b: Sum, weight: float) -> Sum:
    total = summed(
        [*a.terms, *((ref, weight * each) for ref, each in b.terms), (a.constant + weight * b.constant, 1.0)]
    )
    return Sum(total.constant, tuple(sorted(total.terms)))


def _times(a: Sum, factor: float) -> Sum:
    return Sum(a.constant * factor, tuple((ref, weight * factor) for ref, weight in a.terms))


# -- intervals ------------------------------------------------------------------------------------------------------


def _start(model: Model, facts: Facts, rows: int) -> Ranges:
    weight = model.capacity.weight
    first, body = [], []
    for column, fact in zip(model.layout.columns, facts, strict=True):
        own = _initial(column, rows, weight)
        first.append(own if fact.first is None else (fact.first, fact.first))
        body.append(own if fact.rest is None else (fact.rest, fact.rest))
    return Ranges(tuple(first), tuple(body))


def _initial(column: Column, rows: int, weight: int) -> Range:
    """Terms are never negative but where they are constants that are."""
    most = float(largest_written(column, rows, weight))
    negative = any(getattr(term, "value", 0) < 0 for term in column.initial if not isinstance(term, Pointer))
    return (-most if negative else 0.0, most)


def _ranges(phase: Phase, start: Ranges, rows: int, *, again: bool) -> tuple[list[Ranges], Ranges]:
    """The ranges before every layer while no body is negative, and those at the end.

    Those of the first iteration, or of all others (`again`).
    """
    for attempt in range(MOST_ROUNDS):
        found, now = [], start
        for number, layer in enumerate(phase.layers):
            found.append(now)
            now = _after(layer, now, phase.known_after(number), rows)
        if not again:
            return found, now
        wider = Ranges(
            tuple(_joined(a, b, attempt >= ROUNDS) for a, b in zip(start.first, now.first, strict=True)),
            tuple(_joined(a, b, attempt >= ROUNDS) for a, b in zip(start.body, now.body, strict=True)),
        )
        if wider == start:
            return found, now
        start = wider
    nothing = Ranges((ANY,) * len(phase.after), (ANY,) * len(phase.after))
    return [nothing] * len(phase.layers), nothing


def _joined(a: Range, b: Range, widen: bool) -> Range:
    low, high = min(a[0], b[0]), max(a[1], b[1])
    if widen:
        return (low if low == a[0] else -math.inf, high if high == a[1] else math.inf)
    return low, high


def _after(layer: LayerPlan, now: Ranges, facts: Facts, rows: int) -> Ranges:
    parts = []
    for side, formulas in ((0, layer.first), (1, layer.body)):
        known = _Known(layer, now, side, rows, formulas.nodes)
        nodes: list[Range] = []
        for node in formulas.nodes:
            nodes.append(known.node(node, nodes))
        column = []
        for new, fact in zip(formulas.new, facts, strict=True):
            constant = fact.rest if side else fact.first
            low, high = known.value(new, nodes) if constant is None else (constant, constant)
            column.append((max(low, 0.0), max(high, 0.0)) if side and constant is None else (low, high))
        parts.append(tuple(column))
    return Ranges(*parts)


class _Known:
    """The ranges of what the formulas of one side of a layer refer to."""

    def __init__(self, layer: LayerPlan, now: Ranges, side: int, rows: int, nodes: Sequence[Expression]) -> None:
        self._formulas = nodes
        self._columns = now.body if side else now.first
        self._brought = _brought(layer, now, rows)

    def value(self, value: Value, nodes: Sequence[Range]) -> Range:
        """The range of a value."""
        if not isinstance(value, Ref):
            return value, value
        if value.space == "node":
            return nodes[value.number]
        return self._columns[value.number] if value.space == "column" else self._brought.get(value.number, ANY)

    def node(self, node: Expression, nodes: Sequence[Range]) -> Range:
        """The range of a node."""
        if isinstance(node, Tent):
            return 0.0, max(map(abs, self.of(node.b, nodes)))
        low, high = self.of(node.of, nodes)
        return (max(low, 0.0), max(high, 0.0)) if node.relu else (low, high)

    def of(self, total: Sum, nodes: Sequence[Range]) -> Range:
        """The range of a sum."""
        ranges = {ref: self.value(ref, nodes) for ref, _ in total.terms}
        for ref, weight in total.terms:
            if (larger := self._larger(ref, weight, total)) is not None:
                of, than = larger
                ranges[of], ranges[ref] = (max(ranges[of][0], than), max(ranges[of][1], than)), (0.0, 0.0)
        return _spanned(total, ranges)

    def size(self, total: Sum, nodes: Sequence[Range], most: float) -> float:
        """How large a sum may get on the way, in any order, where no value is above `most`."""
        sizes = (min(max(map(abs, self.value(ref, nodes))), most) * abs(weight) for ref, weight in total.terms)
        return abs(total.constant) + sum(sizes)

    def _larger(self, ref: Ref, weight: float, total: Sum) -> tuple[Ref, float] | None:
        """Whether a term is `relu(c - x)` beside an x of the same weight: the two are the larger of x and c."""
        if ref.space != "node" or not _is_relu(self._formulas[ref.number]):
            return None
        of = self._formulas[ref.number].of
        if len(of.terms) != 1 or of.terms[0][1] != -1 or (of.terms[0][0], weight) not in total.terms:
            return None
        return of.terms[0][0], of.constant


def _brought(layer: LayerPlan, now: Ranges, rows: int) -> dict[int, Range]:
    """The ranges of what heads bring: averages lie between the values; sums are of at most so many rows."""
    found: dict[int, Range] = {}

    def of(total: Sum, side: int) -> Range:
        columns = now.body if side else now.first
        return _spanned(total, {ref: columns[ref.number] for ref, _ in total.terms})

    def put(to: Sequence[int], values: Sequence[tuple[Sum, Sum]]) -> None:
        for number, (first, body) in zip(to, values, strict=False):
            (a, b), (c, d) = of(first, 0), of(body, 1)
            low, high = found.get(number, (math.inf, -math.inf))
            found[number] = (min(a, c, low), max(b, d, high))

    for scan in layer.scans:
        put(scan.to_first, scan.values)
        put(scan.to_body, scan.values)
    for read in layer.reads:
        put(read.to, read.values)
    for gather in layer.gathers:
        put(gather.to, gather.values)
    for product in layer.products:
        low, high = of(product.source, 1)
        found[product.to] = (min(_below(low * rows), 0.0), max(_above(high * rows), 0.0))
    return found


def _spanned(total: Sum, ranges: Mapping[Ref, Range]) -> Range:
    """The range of a sum. What floats round is rounded outwards, so a range holds all that it should."""
    low = high = total.constant
    for ref, weight in total.terms:
        a, b = ranges[ref] if weight > 0 else ranges[ref][::-1]
        low = _below(low + _below(weight * a))
        high = _above(high + _above(weight * b))
    return low, high


def _below(number: float) -> float:
    """At most the integer that a float stands for, which was rounded if it is large."""
    return number if abs(number) < EXACT else math.nextafter(number, -math.inf)


def _above(number: float) -> float:
    """At least that integer."""
    return number if abs(number) < EXACT else math.nextafter(number, math.inf)


# -- formulas, shortened --------------------------------------------------------------------------------------------


def _fold(formulas: Formulas, layer: LayerPlan, now: Ranges, side: int, rows: int, holds: Holds) -> Formulas:
    """The same formulas without ReLUs that do nothing, and without what cancels then."""
    nodes: list[Expression] = []
    known = _Known(layer, now, side, rows, nodes)
    values: list[Value] = []
    ranges: list[Range] = []
    places: dict[tuple[float, frozenset[tuple[Ref, float]], bool], Ref] = {}

    def moved(value: Value) -> Value:
        return values[value.number] if isinstance(value, Ref) and value.space == "node" else value

    def vector(ref: Ref) -> bool:
        if ref.space == "node":
            return nodes[ref.number].vector
        if not side:
            return False
        return layer.before[ref.number].vector if ref.space == "column" else layer.brought[ref.number].vector

    def opened(total: Sum) -> Sum:
        """The sum with sums in it spelt out, if that makes it no longer, and all of it is still exact."""
        plain = {ref for ref, _ in total.terms if ref.space == "node" and not nodes[ref.number].relu}
        if not plain:
            return total
        terms: list[tuple[Value, float]] = [(total.constant, 1.0)]
        for ref, weight in total.terms:
            inner = nodes[ref.number].of if ref in plain else Sum(0.0, ((ref, 1.0),))
            terms += [(inner.constant, weight), *((each, weight * factor) for each, factor in inner.terms)]
        longer = summed(terms)
        short = len(longer.terms) <= len(total.terms)
        return longer if short and _exact(longer) and known.size(longer, ranges, holds.value) < holds.number else total

    def whole(of: Sum) -> Sum:
        return opened(summed([*((moved(ref), weight) for ref, weight in of.terms), (of.constant, 1.0)]))

    for node in formulas.nodes:
        if isinstance(node, Tent):
            a, b = whole(node.of), whole(node.b)
            is_vector = any(vector(ref) for ref, _ in (*a.terms, *b.terms))
            values.append(Ref("node", len(nodes)))
            ranges.append((0.0, max(map(abs, known.of(b, ranges)))))
            nodes.append(Tent(a, True, is_vector, b, known.of(b, ranges)[0] >= 0))
            continue
        total = whole(node.of)
        low, high = known.of(total, ranges)
        relu = node.relu and low < 0
        if node.relu and high <= 0:
            values.append(0.0)
        elif not total.terms:
            values.append(total.constant)
        elif not relu and total.plain is not None:
            values.append(total.plain)
        else:
            key = (total.constant, frozenset(total.terms), relu)
            if key not in places:
                places[key] = Ref("node", len(nodes))
                nodes.append(Expression(total, relu, any(vector(ref) for ref, _ in total.terms)))
                ranges.append((max(low, 0.0), max(high, 0.0)) if relu else (low, high))
            values.append(places[key])
    return _needed(Formulas(tuple(nodes), tuple(moved(value) for value in formulas.new)))


def _needed(formulas: Formulas) -> Formulas:
    """Without the nodes that no new value needs."""
    wanted: set[int] = set()
    waiting = [value.number for value in formulas.new if isinstance(value, Ref) and value.space == "node"]
    while waiting:
        number = waiting.pop()
        if number not in wanted:
            wanted.add(number)
            waiting += [ref.number for ref, _ in _terms(formulas.nodes[number]) if ref.space == "node"]
    place = {number: Ref("node", at) for at, number in enumerate(sorted(wanted))}

    def moved(ref: Ref) -> Ref:
        return place[ref.number] if ref.space == "node" else ref

    def renumbered(of: Sum) -> Sum:
        return Sum(of.constant, tuple((moved(ref), weight) for ref, weight in of.terms))

    nodes = []
    for number in sorted(wanted):
        node = formulas.nodes[number]
        node = replace(node, of=renumbered(node.of))
        nodes.append(replace(node, b=renumbered(node.b)) if isinstance(node, Tent) else node)
    return Formulas(tuple(nodes), tuple(moved(v) if isinstance(v, Ref) else v for v in formulas.new))


def _terms(node: Expression) -> tuple[tuple[Ref, float], ...]:
    return (*node.of.terms, *node.b.terms) if isinstance(node, Tent) else node.of.terms


def _watched(layer: LayerPlan, now: Ranges, facts: Facts, rows: int) -> tuple[int, ...]:
    """The columns whose body the layer may make negative, as far as intervals tell."""
    known = _Known(layer, now, 1, rows, layer.body.nodes)
    nodes: list[Range] = []
    for node in layer.body.nodes:
        nodes.append(known.node(node, nodes))
    return tuple(
        c
        for c, (new, fact) in enumerate(zip(layer.body.new, facts, strict=True))
        if fact.rest is None and known.value(new, nodes)[0] < 0
    )


# -- one number on row 0 and on the body ----------------------------------------------------------------------------


def _same(model: Model, layers: Sequence[LayerPlan]) -> tuple[frozenset[int], tuple[Mapping[int, int], ...]]:
    """The columns that are one number for all rows, and the reads that need not be done twice."""
    same = {c for c in range(len(model.layout)) if all(_alike(layer.before[c]) for layer in layers)}
    same &= {c for c, column in enumerate(model.layout.columns) if _written_alike(column)}
    while True:
        twice = [_twice(layer, same) for layer in layers]
        lost = {
            c
            for layer, reads in zip(layers, twice, strict=True)
            for c in same
            if _key(layer.first.new[c], 0, layer, same, reads) != _key(layer.body.new[c], 1, layer, same, reads)
        }
        if not lost:
            return frozenset(same), tuple(twice)
        same -= lost


def _alike(fact: Fact) -> bool:
    return not fact.vector and fact.first == fact.rest


def _written_alike(column: Column) -> bool:
    """Whether the encoder writes one number on every row: nothing, or what it writes everywhere."""
    return all(type(term).__name__ in {"Everywhere", "Cardinality"} for term in column.initial)


def _twice(layer: LayerPlan, same: set[int]) -> dict[int, int]:
    """The reads of the body that find what a read of row 0 finds."""
    found: dict[int, int] = {}
    for at, read in enumerate(layer.reads):
        for earlier, other in enumerate(layer.reads[:at]):
            if read.body and not other.body and read.head == other.head and _query(read, same) == _query(other, same):
                found[at] = earlier
    return found


def _query(read: Read, same: set[int]) -> object:
    own = frozenset(
        (ref if ref.number in same else (read.body, ref), weight)
        for total in (read.doubled, read.by)
        for ref, weight in total.terms
    )
    return own, read.doubled.constant, read.by.constant


def _key(value: Value, side: int, layer: LayerPlan, same: set[int], reads: Mapping[int, int]) -> object:
    """A name for a value, equal for equal values on row 0 and on the body."""
    if not isinstance(value, Ref):
        return value
    if value.space == "column":
        return value if value.number in same else (side, value)
    if value.space == "brought":
        shared = {to for scan in layer.scans for to in set(scan.to_first) & set(scan.to_body)}
        shared |= {to for at in reads for to in layer.reads[at].to}
        return value if value.number in shared else (side, value)
    node = (layer.body if side else layer.first).nodes[value.number]
    sums = (node.of, node.b) if isinstance(node, Tent) else (node.of,)
    return node.relu, *(
        (of.constant, frozenset((_key(ref, side, layer, same, reads), weight) for ref, weight in of.terms))
        for of in sums
    )
