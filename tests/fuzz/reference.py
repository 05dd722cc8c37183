"""What a program means, from docs/language.md alone: dicts, lists, Python's numbers, `math.inf` and None.

This file shares nothing with hyloop, and must not: it is what the interpreter and every machine are held against. A
pointer is a row number from 0, or None. Every rule of the table "At the edges" has its line here.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from fuzz.syntax import UNSET, Case, Expr, Source, Statement, assigns, walk

INF = math.inf
ZERO: dict[str, Any] = {"flag": False, "count": 0, "length": 0, "vertex": None, "hyperedge": None}
INTO = {"vertex": "v", "hyperedge": "e"}
POINTS = {"v": "vertex", "e": "hyperedge"}
ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class RefusedError(Exception):
    """The language has no such expression."""


@dataclass(frozen=True)
class Value:
    """A kind, a scope, and one entry (a scalar) or a list of them."""

    kind: str
    scope: str
    data: Any

    def at(self, row: int) -> Any:
        """The entry of a row; a scalar goes with anything."""
        return self.data if self.scope == "s" else self.data[row]


@dataclass(frozen=True)
class Graph:
    """Vertices and hyperedges by number."""

    vertices: int
    members: list[list[int]]
    weights: list[Fraction]
    tails: list[list[int]] | None = None  # None: without direction, where every member is a tail and a head
    heads: list[list[int]] | None = None

    def along(self, matrix: str) -> Graph:
        """The graph whose members are the tails, the heads, or all members."""
        side = {"tails": self.tails, "heads": self.heads, "incidence": None}[matrix]
        return self if side is None else replace(self, members=side)

    def rows(self, scope: str) -> int:
        """How many rows an array has."""
        return self.vertices if scope == "v" else len(self.members)

    def containing(self, vertex: int) -> list[int]:
        """The hyperedges of a vertex."""
        return [e for e, members in enumerate(self.members) if vertex in members]


@dataclass
class World:
    """The graph, the inputs, the states now, and the names that were given to values."""

    graph: Graph
    inputs: dict[str, Value]
    states: dict[str, Value] = field(default_factory=dict)
    named: dict[str, Value] = field(default_factory=dict)


def joined(*values: Value) -> str:
    """The scope of a row-by-row operation."""
    scopes = {v.scope for v in values} - {"s"}
    if len(scopes) > 1:
        raise RefusedError("vertices and hyperedges do not meet row by row")
    return scopes.pop() if scopes else "s"


def each(world: World, kind: str, function: Callable[..., Any], *values: Value) -> Value:
    """A function applied row by row."""
    scope = joined(*values)
    if scope == "s":
        return Value(kind, scope, function(*[v.data for v in values]))
    return Value(kind, scope, [function(*[v.at(i) for v in values]) for i in range(world.graph.rows(scope))])


def less(a: Any, b: Any) -> Any:
    """`a - b`, which stops at 0; infinity less a finite number is infinity, less infinity it is 0."""
    if a == INF:
        return 0 if b == INF else INF
    return 0 if b == INF else max(0, a - b)


def plus(a: Any, b: Any) -> Any:
    """`a + b`, where infinity swallows everything; fractions must not become floats."""
    return INF if INF in {a, b} else a + b


def times(k: int, a: Any) -> Any:
    """A constant multiple; no times infinity is 0."""
    return 0 if k == 0 else INF if a == INF else k * a


def product(a: Any, b: Any) -> Any:
    """`a * b`; no times infinity is 0."""
    return 0 if 0 in {a, b} else INF if INF in {a, b} else a * b


def division(a: Any, b: Any) -> tuple[Any, Any]:
    """`a // b` and `a % b`: both are 0 where b is 0 or a is infinite; infinity goes into anything finite 0 times."""
    if b == 0 or a == INF:
        return 0, 0
    return (0, a) if b == INF else divmod(a, b)


def divided(world: World, op: str, a: Value, b: Value) -> Value:
    """A division of two numbers of one kind."""
    kind = number_kind(a, b)
    if "length" in {a.kind, b.kind} and a.kind != b.kind:
        raise RefusedError("lengths are divided by lengths")
    if op == "quotient":
        return each(world, "count", lambda x, y: division(x + 0, y + 0)[0], a, b)
    return each(world, kind, lambda x, y: division(x + 0, y + 0)[1], a, b)


def multiplied(world: World, a: Value, b: Value) -> Value:
    """A product; a length may be multiplied by a count."""
    kinds = [number_kind(a), number_kind(b)]
    if kinds == ["length", "length"]:
        raise RefusedError("lengths are not multiplied by lengths")
    return each(world, "length" if "length" in kinds else "count", lambda x, y: product(x + 0, y + 0), a, b)


def lesser_or_greater(op: str, x: Any, y: Any) -> Any:
    """Of two numbers one; infinity is above all, and stays what it is."""
    return sorted([x, y])[0 if op == "smaller" else 1]


def number_kind(*values: Value) -> str:
    """What comes of adding: flags count as 0 and 1."""
    kinds = {v.kind for v in values} - {"flag"}
    if len(kinds) > 1 or kinds & set(INTO):
        raise RefusedError("these do not add")
    return kinds.pop() if kinds else "count"


def add(world: World, a: Value, b: Value) -> Value:
    """`a + b`."""
    return each(world, number_kind(a, b), lambda x, y: plus(x + 0, y + 0), a, b)


def subtract(world: World, a: Value, b: Value) -> Value:
    """`a - b`."""
    return each(world, number_kind(a, b), lambda x, y: less(x + 0, y + 0), a, b)


def compare(world: World, op: str, a: Value, b: Value) -> Value:
    """A comparison. With none, only `==` and `!=` can hold, and none equals none."""
    if a.kind != b.kind:
        raise RefusedError("these do not compare")
    if op == "eq":
        return each(world, "flag", lambda x, y: x == y, a, b)
    if op == "ne":
        return each(world, "flag", lambda x, y: x != y, a, b)
    if a.kind in INTO:
        return each(world, "flag", lambda x, y: None not in {x, y} and ORDER[op](x, y), a, b)
    return each(world, "flag", ORDER[op], a, b)


def read(world: World, x: Value, p: Value) -> Value:
    """`x[p]`: at none, the kind's zero."""
    if p.kind not in INTO or INTO[p.kind] != x.scope:
        raise RefusedError("this pointer does not point into this array")
    return each(world, x.kind, lambda row: ZERO[x.kind] if row is None else x.data[row], p)


def following(world: World, p: Value) -> Value:
    """`p + 1`: none after the last and after none."""
    last = world.graph.rows(INTO[p.kind]) - 1
    return each(world, p.kind, lambda row: None if row is None or row == last else row + 1, p)


def preceding(world: World, p: Value) -> Value:
    """`p - 1`: none before the first and before none."""
    return each(world, p.kind, lambda row: None if row in {None, 0} else row - 1, p)


def ordinal(world: World, p: Value) -> Value:
    """`number(p)`: from 0; none has the number after the last."""
    last = world.graph.rows(INTO[p.kind])
    return each(world, "count", lambda row: last if row is None else row, p)


def candidates(x: Value, mask: Value | None) -> list[int]:
    """The rows that a search looks at; an infinite length never is one, nor is none."""
    rows = [i for i, entry in enumerate(x.data) if entry != INF and entry is not None]
    return rows if mask is None else [i for i in rows if mask.at(i)]


def searched(x: Value, mask: Value | None, pick: Callable[..., Any]) -> int | None:
    """The row that a search finds: of equal ones the lowest number, which Python's min and max give too."""
    return pick(candidates(x, mask), key=lambda i: x.data[i], default=None)


def entry_of(x: Value, row: int | None) -> Any:
    """The entry that a search found, which is a read at the row it found."""
    return ZERO[x.kind] if row is None else x.data[row]


def search(op: str, x: Value, mask: Value | None, part: int) -> Value:
    """`argmin` and `argmax`: the row or its entry."""
    row = searched(x, mask, min if op == "argmin" else max)
    return Value(POINTS[x.scope], "s", row) if part == 0 else Value(x.kind, "s", entry_of_search(op, x, row))


def entry_of_search(op: str, x: Value, row: int | None) -> Any:
    """The entry, which is `min` or `max` of the candidates: of nothing the min of lengths is infinite."""
    if row is None and op in {"argmin", "min"} and x.kind == "length":
        return INF
    return entry_of(x, row)


def incident(graph: Graph, x: Value, transposed: bool) -> Value:
    """The sum over the hyperedges of each vertex, or over the vertices of each hyperedge."""
    if x.scope != ("v" if transposed else "e"):
        raise RefusedError("the product goes from the other side")
    around = graph.members if transposed else [graph.containing(v) for v in range(graph.vertices)]
    sums = [sum((x.data[i] for i in rows), start=0) for rows in around]
    return Value(number_kind(x), "e" if transposed else "v", sums)


def evaluate(world: World, e: Expr) -> Value:
    """The value of an expression, now."""
    graph, (op, *rest) = world.graph, e
    match op:
        case "const":
            return Value(rest[0], "s", INF if rest[1] == "inf" else rest[1])
        case "input":
            return world.inputs[rest[0]]
        case "state":
            return world.states[rest[0]]
        case "let":
            return world.named[rest[0]]
        case "weight":
            return Value("length", "e", list(graph.weights))
        case "count":
            return Value("count", "s", graph.rows(rest[0]))
        case "every":
            return Value("flag", rest[0], [True] * graph.rows(rest[0]))
        case "number":
            return Value(POINTS[rest[0]], rest[0], list(range(graph.rows(rest[0]))))
        case "top":
            return Value(POINTS[rest[0]], "s", 0 if graph.rows(rest[0]) else None)
        case "mul":
            x = evaluate(world, rest[1])
            return each(world, number_kind(x), lambda y: times(rest[0], y + 0), x)
        case "argmin" | "argmax":
            return search(op, *searching(world, rest), rest[2])
        case "min" | "max":
            x, mask = searching(world, rest)
            row = searched(x, mask, min if op == "min" else max)
            return Value(x.kind, "s", entry_of_search(op, x, row))
    return applied(world, op, [evaluate(world, part) for part in rest])


def searching(world: World, rest: list[Any]) -> tuple[Value, Value | None]:
    """What a search looks at, and where."""
    x = evaluate(world, rest[0])
    mask = None if rest[1] is None else evaluate(world, rest[1])
    if x.scope == "s" or (mask is not None and joined(x, mask) != x.scope):
        raise RefusedError("a search looks at the rows of one array")
    return x, mask


def applied(world: World, op: str, a: list[Value]) -> Value:
    """An operation of which every operand is an expression."""
    graph = world.graph
    if "." in op:
        matrix, op = op.split(".")
        graph = graph.along(matrix)
    match op:
        case "add":
            return add(world, *a)
        case "sub":
            return subtract(world, *a)
        case "times":
            return multiplied(world, *a)
        case "quotient" | "remainder":
            return divided(world, op, *a)
        case "smaller" | "larger":
            return each(world, number_kind(*a), lambda x, y: lesser_or_greater(op, x + 0, y + 0), *a)
        case "lt" | "le" | "gt" | "ge" | "eq" | "ne":
            return compare(world, op, *a)
        case "and":
            return each(world, "flag", lambda x, y: x and y, *a)
        case "or":
            return each(world, "flag", lambda x, y: x or y, *a)
        case "not":
            return each(world, "flag", operator.not_, *a)
        case "where":
            if a[1].kind != a[2].kind:
                raise RefusedError("both branches are of one kind")
            return each(world, a[1].kind, lambda c, x, y: x if c else y, *a)
        case "read":
            return read(world, *a)
        case "next":
            return following(world, *a)
        case "previous":
            return preceding(world, *a)
        case "ordinal":
            return ordinal(world, *a)
        case "is_none":
            return each(world, "flag", lambda p: p is None, *a)
        case "exists":
            return each(world, "flag", lambda p: p is not None, *a)
        case "first":
            return Value(POINTS[a[0].scope], "s", next((i for i, f in enumerate(a[0].data) if f), None))
        case "any":
            return Value("flag", "s", any(a[0].data))
        case "all":
            return Value("flag", "s", all(a[0].data))
        case "sum":
            if a[0].scope == "s":
                raise RefusedError("a sum is over the rows of an array")
            return Value(number_kind(a[0]), "s", sum(a[0].data, start=0))
        case "members":
            inside = [] if a[0].data is None else graph.members[a[0].data]
            return Value("flag", "v", [v in inside for v in range(graph.vertices)])
        case "containing":
            return Value("flag", "e", [a[0].data in members for members in graph.members])
        case "touching":
            return Value("flag", "e", [any(a[0].data[v] for v in members) for members in graph.members])
        case "covered":
            return Value("flag", "v", [any(a[0].data[e] for e in graph.containing(v)) for v in range(graph.vertices)])
        case "within":
            return Value("flag", "e", [all(a[0].data[v] for v in members) for members in graph.members])
        case "incidence" | "incidence_t" | "tails" | "tails_t" | "heads" | "heads_t":
            return incident(graph.along(op.removesuffix("_t")), a[0], op.endswith("_t"))
    raise RefusedError(f"there is no operation {op}")


def write(world: World, name: str, value: Value, masks: list[Value]) -> None:
    """`name` becomes `value` on the rows where all masks hold."""
    old = world.states[name]
    if joined(old, value, *masks) != old.scope:
        raise RefusedError("an array cannot be assigned to a scalar")
    if value.kind != old.kind:
        raise RefusedError("the state is of another kind")
    if old.data == UNSET and masks:
        raise RefusedError("a state without a first value is assigned as a whole")
    if old.scope == "s":
        changed: Any = value.data if all(m.data for m in masks) else old.data
    else:
        rows = range(world.graph.rows(old.scope))
        changed = [value.at(i) if all(m.at(i) for m in masks) else old.at(i) for i in rows]
    world.states[name] = Value(old.kind, old.scope, changed)


def put(world: World, name: str, pointer: Value, value: Value, masks: list[Value]) -> None:
    """`name[pointer] = value`: one entry, and nothing at none."""
    scope = world.states[name].scope
    if pointer.scope != "s" or INTO.get(pointer.kind) != scope:
        raise RefusedError("many rows cannot write to rows that they point at")
    here = Value("flag", scope, [i == pointer.data for i in range(world.graph.rows(scope))])
    write(world, name, value, [*masks, here])


def execute(world: World, statements: list[Statement], masks: list[Value]) -> bool:
    """Runs statements in order; whether one of them stopped the loop."""
    flag: Value | None = None  # of the last `when`
    for op, *rest in statements:
        if op == "let":
            world.named[rest[0]] = evaluate(world, rest[1])
        elif op == "pair":
            x, mask = searching(world, rest[3:])
            world.named[rest[0]], world.named[rest[1]] = search(rest[2], x, mask, 0), search(rest[2], x, mask, 1)
        elif op == "assign":
            own = [] if rest[2] is None else [evaluate(world, rest[2])]
            write(world, rest[0], evaluate(world, rest[1]), masks + own)
        elif op == "put":
            put(world, rest[0], evaluate(world, rest[1]), evaluate(world, rest[2]), masks)
        elif op == "stop":
            if all(m.data for m in [*masks, evaluate(world, rest[0])]):
                return True
        else:
            flag = other(world, flag) if op == "otherwise" else evaluate(world, rest[0])
            if execute(world, rest[-1], [*masks, flag]):
                return True
    return False


def other(world: World, flag: Value | None) -> Value:
    """The flag of an `otherwise`: where that of the `when` before it does not hold."""
    if flag is None:
        raise RefusedError("`otherwise` stands after `when`")
    return each(world, "flag", operator.not_, flag)


def nested(
    world: World,
    statements: list[Statement],
    most: int | None,
    done: dict[int, int],
    masks: tuple[Value, ...] = (),
) -> Rounds:
    """One round of a loop that may have loops in it; whether it stopped. An iteration of the machine ends at each
    `yield`: where an inner loop begins, and after each of its rounds but the last.

    Each inner loop ends at most `most` times; `done` counts. Then the run goes on for ever, and nothing changes. Where
    the `when` around it does not hold, it takes the iteration in which it would begin.
    """
    flag: Value | None = None  # of the last `when`
    for statement in statements:
        if statement[0] in {"when", "otherwise"}:
            flag = other(world, flag) if statement[0] == "otherwise" else evaluate(world, statement[1])
            if (yield from nested(world, statement[-1], most, done, (*masks, flag))):
                return True
        elif statement[0] in {"loop", "each"}:
            yield
            while done.setdefault(id(statement), 0) == most:
                yield
            if all(mask.data for mask in masks):
                yield from inner(world, statement)
            done[id(statement)] += 1
        elif execute(world, [statement], [*masks]):
            return True
    return False


def inner(world: World, statement: Statement) -> Generator[None, None, None]:
    """A loop in a loop. One that needs more rounds than it declares goes on for ever, and nothing changes."""
    op, what, *_, body = statement
    done: dict[int, int] = {}
    if op == "each":
        rows = world.graph.rows(what)
        for number in range(rows) if rows else [None]:
            world.states[statement[2]] = Value(POINTS[what], "s", number)
            if number is not None:
                yield from nested(world, body, None, done)
                if number + 1 < rows:
                    yield
        return
    limit = size(world.graph, what)
    for _ in range(limit):
        if (yield from nested(world, body, limit, done)):
            return
        yield
    while True:
        yield


Rounds = Generator[None, None, bool]


def is_sum(e: Any) -> bool:
    """Whether the rounds of the outermost loop are counted: its bound is made of sums and constant multiples."""
    if not isinstance(e, list):
        return True
    if e[0] == "*":
        return isinstance(e[1], int) and is_sum(e[2])
    return e[0] in {"+", "-"} and all(map(is_sum, e[1:]))


def loops_in(statements: list[Statement]) -> list[Statement]:
    """The loops of a loop, also those in its conditions."""
    found: list[Statement] = []
    for statement in statements:
        if statement[0] in {"loop", "each"}:
            found.append(statement)
        elif statement[0] in {"when", "otherwise"}:
            found += loops_in(statement[-1])
    return found


def most(graph: Graph, at_most: Any, statements: list[Statement]) -> int:
    """The iterations of a loop: its own, times those of the loops in it and one more to come to them."""
    loops = loops_in(statements)
    inside = sum(most(graph, ["largest", s[1], 1] if s[0] == "each" else s[1], s[-1]) for s in loops)
    return size(graph, at_most) * (inside + 1 if loops else 1)


def size(graph: Graph, e: Any) -> int:
    """A bound on the loop as a number."""
    if isinstance(e, int):
        return e
    if isinstance(e, str):
        return graph.rows(e)
    op, a, b = e[0], size(graph, e[1]), size(graph, e[2])
    if op == "choose":
        return math.comb(a, b)
    return {"+": a + b, "-": max(0, a - b), "*": a * b, "//": a // b if op == "//" else 0, "largest": max(a, b)}[op]


@dataclass(frozen=True)
class Step:
    """The states after an iteration, and whether it was the last."""

    states: dict[str, Value]
    stopped: bool


def started(source: Source, graph: Graph, inputs: dict[str, Any]) -> World:
    """The world before the first iteration. An input of kind length is a `Fraction`, a pointer a number or None."""
    given = {name: Value(kind, scope[0] if scope else "s", inputs[name]) for name, kind, _, *scope in source.inputs}
    world = World(graph, given)
    for name, kind, scope, first in source.states:
        value = INF if first == "inf" else ZERO[kind] if first == UNSET and kind in INTO else first
        data = value if scope == "s" or value == UNSET else [value] * graph.rows(scope)
        world.states[name] = Value(kind, scope, data)
    for statement in walk(source.body):
        if statement[0] == "each":
            world.states[statement[2]] = Value(POINTS[statement[1]], "s", None)
    return world


def exceeds(source: Source, world: World) -> bool:
    """Whether a state is above the bound that it declares."""
    for name, bound in source.bounds.items():
        state = world.states[name]
        entries = [state.data] if state.scope == "s" or state.data == UNSET else state.data
        if any(entry != UNSET and entry > size(world.graph, bound) for entry in entries):
            return True
    return False


def iterations(source: Source, graph: Graph, inputs: dict[str, Any]) -> Iterator[Step]:
    """The run, one step an iteration. If the last one did not stop, the program needs more than it declares.

    That is: more iterations, or, in the next one, more than the bound of a state.
    """
    world = started(source, graph, inputs)
    execute(world, source.before, [])
    if assigns(source.before):
        if exceeds(source, world):
            return
        yield Step(dict(world.states), stopped=False)
    done: dict[int, int] = {}
    limit = size(graph, source.at_most) if is_sum(source.at_most) else None
    run = nested(world, source.body, limit, done)
    for _ in range(most(graph, source.at_most, source.body)):
        try:
            next(run)
            stopped = False
        except StopIteration as ended:
            stopped, run = ended.value, nested(world, source.body, limit, done)
        if exceeds(source, world):
            return
        yield Step(dict(world.states), stopped)
        if stopped:
            return


def graph_of(case: Case) -> Graph:
    """The case's hypergraph."""
    sides = (
        None if told is None else [[v for v in e if v in side] for e, side in zip(case.hyperedges, told, strict=True)]
        for told in (case.tails, case.leads)
    )
    return Graph(case.vertices, case.hyperedges, [Fraction(w) for w in case.weights], *sides)


def inputs_of(case: Case) -> dict[str, Any]:
    """The case's inputs, as this file has them."""
    lengths = {name for name, kind, *_ in case.source.inputs if kind == "length"}
    return {name: as_lengths(value) if name in lengths else value for name, value in case.inputs.items()}


def as_lengths(value: Any) -> Any:
    """A length, or an array of them, from their texts."""
    return [Fraction(entry) for entry in value] if isinstance(value, list) else Fraction(value)


def outputs(source: Source, steps: list[Step]) -> dict[str, Any]:
    """What the result has, by name: pointers still as numbers, infinite lengths as None."""
    final = steps[-1].states
    return {output[0]: one_output(final, steps, *output[1:]) for output in source.outputs}


def plain(value: Any) -> Any:
    """Infinite and none are both None in a result."""
    return None if value == INF else value


def over(a: Any, b: Any) -> Any:
    """A quotient that the decoder makes: none by 0, and none of what is infinite or by it."""
    return None if b == 0 or INF in {a, b} else Fraction(a) / b


def one_output(final: dict[str, Value], steps: list[Step], how: str, state: Any, *more: str) -> Any:
    """One output from the states after each iteration."""
    if how == "list":
        found = tuple(plain(final[name].data) for name in state)
        return None if all(entry is None for entry in found) else found
    x = final[state]
    if how == "total":
        return sum(x.data)
    if how == "stream":
        kept = [s.states for s in steps if s.states[more[0]].data is not None]
        absent = {"length": INF, "count": 0, "flag": False}.get(x.kind)
        return [(s[more[0]].data, {i: n for i, n in enumerate(s[state].data) if n != absent}) for s in kept]
    if how == "quotient":
        by = final[more[0]]
        if x.scope == "s":
            return over(x.data, by.data)
        return [over(entry, divisor) for entry, divisor in zip(x.data, by.data, strict=True)]
    if how in {"where", "unless"}:
        flags = final[more[0]]
        if x.scope == "s":
            return plain(x.data) if flags.data == (how == "where") else None
        return [
            plain(entry) if flag == (how == "where") else None for entry, flag in zip(x.data, flags.data, strict=True)
        ]
    return plain(x.data) if x.scope == "s" else [plain(entry) for entry in x.data]
