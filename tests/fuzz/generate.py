"""Random programs of the language, grown from the types that docs/language.md gives its operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from fuzz.syntax import UNSET, Case, Expr, Source, Statement, is_directed, walk

Type = tuple[str, str]  # kind, scope
POINTERS = {"v": "vertex", "e": "hyperedge"}
INTO = {"vertex": "v", "hyperedge": "e"}
OTHER = {"v": "e", "e": "v"}
NUMBERS = ("count", "length")
ARITHMETIC = frozenset({"times", "quotient", "remainder", "sum"})
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
COUNTS = (0, 1, 1, 2, 3, 5, 9)
LARGE = (2**20, 2**31, 2**40, 2**53 - 1, 2**53 + 1)


@dataclass
class Growing:
    """What expressions can use: the names so far, by type."""

    rng: Random
    states: dict[str, Type] = field(default_factory=dict)
    lets: dict[str, Type] = field(default_factory=dict)
    inputs: dict[str, Type] = field(default_factory=dict)
    used: int = 0
    directed: bool = False  # whether it tells tails from heads

    def name(self, letter: str) -> str:
        """A name that is not taken."""
        self.used += 1
        return f"{letter}{self.used}"

    def along(self, name: str) -> str:
        """An operation along the incidence; sometimes along that of tails or heads."""
        if not self.directed or self.chance(0.3):
            return name
        return f"{self.rng.choice(['tails', 'heads'])}.{name}"

    def chance(self, probability: float) -> bool:
        """Whether something happens that often."""
        return self.rng.random() < probability

    # -- expressions ---------------------------------------------------------------------------------------------

    def expr(self, kind: str, scope: str, depth: int, *, exact: bool = True, constant: bool = True) -> Expr:
        """An expression of a kind. `exact`: of that very scope, not a scalar. `constant`: a literal will do."""
        if not exact and scope != "s" and self.chance(0.35):
            scope = "s"
        literal = constant and (scope == "s" or not exact)
        if literal and self.chance(0.12):
            return self.constant(kind)
        named = self.named(kind, scope)
        if named and (depth <= 0 or self.chance(0.3)):
            return self.rng.choice(named)
        grown = self.grown(kind, scope, depth) if depth > 0 else []
        if grown and (depth > 0 or not named):
            return self.rng.choice(grown)()
        return self.leaf(kind, scope, literal=literal)

    def named(self, kind: str, scope: str) -> list[Expr]:
        """States, inputs and lets of a type."""
        sources = (("state", self.states), ("let", self.lets), ("input", self.inputs))
        # The pointer of an `each` is read, and never assigned.
        scopes = {"s", "each"} if scope == "s" else {scope}
        return [
            [what, name]
            for what, names in sources
            for name, its in names.items()
            if its[0] == kind and its[1] in scopes
        ]

    def constant(self, kind: str) -> Expr:
        """A literal."""
        if kind == "flag":
            return ["const", kind, self.chance(0.5)]
        if kind == "count":
            return ["const", kind, self.rng.choice(COUNTS if self.chance(0.97) else LARGE)]
        return ["const", kind, self.rng.choice([0, "inf"]) if kind == "length" else None]

    def leaf(self, kind: str, scope: str, *, literal: bool) -> Expr:  # one a type
        """The smallest expression of a type."""
        if literal and self.chance(0.4):
            return self.constant(kind)
        if kind == "flag":
            return ["every", scope] if scope != "s" else ["any", ["every", self.rng.choice("ve")]]
        if kind in POINTERS.values():
            side = INTO[kind]
            if scope == "s":
                return ["top", side]
            return (
                ["number", side] if side == scope else ["where", ["every", scope], ["top", side], self.constant(kind)]
            )
        if kind == "count":
            side = self.rng.choice("ve")
            plain: Expr = ["count", side] if self.chance(0.5) else ["max", ["add", ["every", side], self.one()], None]
            return plain if scope == "s" else ["add", ["every", scope], self.rng.choice([plain, self.one()])]
        if scope == "e":
            return ["weight"]
        if scope == "v":
            return ["incidence", ["weight"]]
        return [self.rng.choice(["min", "max"]), ["weight"], None]

    def one(self) -> Expr:
        """A small count."""
        return ["const", "count", self.rng.choice(COUNTS)]

    def grown(self, kind: str, scope: str, depth: int) -> list[Callable[[], Expr]]:
        """Every way to make an expression of a type from smaller ones."""
        down = depth - 1
        both = [lambda: self.choice(kind, scope, down), lambda: self.at(kind, scope, down)]
        if kind == "flag":
            return both + self.grown_flags(scope, down)
        if kind in NUMBERS:
            return both + self.grown_numbers(kind, scope, down)
        return both + self.grown_pointers(kind, scope, down)

    def pair(self, kind: str, scope: str, down: int) -> list[Expr]:
        """Two operands of which at least one has the scope, and at most one is a literal."""
        two = [self.expr(kind, scope, down, constant=False), self.expr(kind, scope, down, exact=False)]
        self.rng.shuffle(two)
        return two

    def choice(self, kind: str, scope: str, down: int) -> Expr:
        """`where(condition, a, b)`; one of the three has the scope. Literals are fine where their kind is clear."""
        has = self.rng.randrange(3)
        clear = kind in {"flag", "count"} or has != 0
        parts = [self.expr("flag", scope, down, exact=has == 0, constant=self.chance(0.1))]
        parts += [self.expr(kind, scope, down, exact=has == n, constant=has != n and clear) for n in (1, 2)]
        if kind in {"flag", "count"} and has == 0 and self.chance(0.3):
            parts[1:] = [self.constant(kind), self.constant(kind)]
        return ["where", *parts]

    def at(self, kind: str, scope: str, down: int) -> Expr:
        """`x[p]`."""
        side = self.rng.choice("ve")
        return ["read", self.expr(kind, side, down), self.expr(POINTERS[side], scope, down, constant=self.chance(0.1))]

    def grown_flags(self, scope: str, down: int) -> list[Callable[[], Expr]]:
        rng = self.rng
        ways: list[Callable[[], Expr]] = [
            lambda: [rng.choice(COMPARISONS), *self.pair(rng.choice(NUMBERS), scope, down)],
            lambda: [rng.choice(COMPARISONS), *self.pair(rng.choice(["vertex", "hyperedge"]), scope, down)],
            lambda: [rng.choice(["eq", "ne"]), *self.pair("flag", scope, down)],
            lambda: [rng.choice(["and", "or"]), *self.pair("flag", scope, down)],
            lambda: [rng.choice(["and", "or"]), *self.pair("flag", scope, down)],
            lambda: ["not", self.expr("flag", scope, down, constant=False)],
            lambda: (
                ["not", ["where", ["every", scope], self.constant("flag"), self.constant("flag")]]
                if scope != "s"
                else ["not", self.expr("flag", scope, down, constant=False)]
            ),
            lambda: [
                rng.choice(["is_none", "exists"]),
                self.expr(rng.choice(["vertex", "hyperedge"]), scope, down, constant=False),
            ],
        ]
        if scope == "s":
            return [*ways, lambda: [rng.choice(["any", "all"]), self.expr("flag", rng.choice("ve"), down)]]
        around, through = ("members", "covered") if scope == "v" else ("containing", "touching")
        ways.append(
            lambda: [self.along(around), self.expr(POINTERS[OTHER[scope]], "s", down, constant=self.chance(0.1))]
        )
        ways.append(lambda: [self.along(through), self.expr("flag", OTHER[scope], down)])
        if self.directed and scope == "e":
            ways.append(lambda: [f"{rng.choice(['tails', 'heads'])}.within", self.expr("flag", "v", down)])
        return ways

    def grown_numbers(self, kind: str, scope: str, down: int) -> list[Callable[[], Expr]]:
        rng = self.rng
        ways: list[Callable[[], Expr]] = [
            lambda: ["add", *self.pair(kind, scope, down)],
            lambda: ["sub", *self.pair(kind, scope, down)],
            lambda: [rng.choice(["smaller", "larger"]), *self.pair(kind, scope, down)],
            lambda: self.clamp(kind, scope, down),
            lambda: ["mul", rng.choice([0, 1, 2, 3, 7]), self.expr(kind, scope, down, constant=False)],
        ]
        ways.append(lambda: self.arithmetic(kind, scope, down))
        if kind == "count":
            ways.append(lambda: ["add", *self.pair("flag", scope, down)])
            ways.append(lambda: ["sub", self.expr(kind, scope, down, constant=False), self.expr("flag", scope, down)])
            ways.append(lambda: [rng.choice(["smaller", "larger"]), *self.pair("flag", scope, down)])
            ways.append(lambda: ["mul", rng.choice([1, 2, 5]), self.expr("flag", scope, down, constant=False)])
            ways.append(
                lambda: ["ordinal", self.expr(rng.choice(["vertex", "hyperedge"]), scope, down, constant=False)]
            )
        if scope == "s":
            ways.append(lambda: self.search(kind, down))
            ways.append(lambda: ["sum", self.finite(self.added(kind), rng.choice("ve"), down)])
            return ways
        matrix = rng.choice(["incidence", "tails", "heads"]) if self.directed else "incidence"
        product = matrix if scope == "v" else f"{matrix}_t"
        summed = self.added(kind)
        ways.append(lambda: [product, self.finite(summed, OTHER[scope], down)])
        return ways

    def added(self, kind: str) -> str:
        """The kind of what is added up to numbers of a kind."""
        return self.rng.choice(["flag", "count"]) if kind == "count" else kind

    def clamp(self, kind: str, scope: str, down: int) -> Expr:
        """A choice by a comparison of the two: what the analysis of bounds understands."""
        a, b = self.pair(kind, scope, down)
        compared = [self.rng.choice(COMPARISONS), *self.rng.sample([a, b], 2)]
        return ["where", compared, *self.rng.sample([a, b], 2)]

    def arithmetic(self, kind: str, scope: str, down: int) -> Expr:
        """A product, a quotient or a remainder."""
        rng = self.rng
        if kind == "length" and self.chance(0.5):
            two = [self.expr("length", scope, down, constant=False), self.expr("count", scope, down, exact=False)]
            rng.shuffle(two)
            return ["times", *two]
        if kind == "length":
            return ["remainder", *self.pair("length", scope, down)]
        of = rng.choice(["count", "count", "flag", "length"])
        op = "quotient" if of == "length" else rng.choice(["times", "quotient", "remainder"])
        return [op, *self.pair(of, scope, down)]

    def finite(self, kind: str, scope: str, down: int) -> Expr:
        """What can be added up: lengths mostly with the finite ones chosen by a comparison of the value itself."""
        x = self.expr(kind, scope, down)
        if kind != "length" or self.chance(0.3):
            return x
        return ["where", [self.rng.choice(["lt", "ne"]), x, ["const", kind, "inf"]], x, ["const", kind, 0]]

    def search(self, kind: str, down: int) -> Expr:
        """The entry that a search finds."""
        side = self.rng.choice("ve")
        x, mask = self.expr(kind, side, down), self.mask(side, down)
        if self.chance(0.5):
            return [self.rng.choice(["argmin", "argmax"]), x, mask, 1]
        return [self.rng.choice(["min", "max"]), x, mask]

    def searched(self) -> str:
        """The kind of what a search looks at."""
        return self.rng.choice(NUMBERS if self.chance(0.8) else ("vertex", "hyperedge"))

    def mask(self, scope: str, down: int, *, search: bool = True) -> Expr | None:
        """What stands behind `where=`. A search wants rows; an assignment takes literals and scalars too."""
        if self.chance(0.4):
            return None
        if self.chance(0.01 if search else 0.25):
            return self.constant("flag")
        return self.expr("flag", scope, down, exact=search or self.chance(0.7), constant=False)

    def grown_pointers(self, kind: str, scope: str, down: int) -> list[Callable[[], Expr]]:
        rng, side = self.rng, INTO[kind]
        step = rng.choice(["next", "previous"])
        ways: list[Callable[[], Expr]] = [lambda: [step, self.expr(kind, scope, down, constant=False)]] * 2
        if scope != "s":
            return ways
        ways.append(lambda: ["first", self.expr("flag", side, down)])
        find = rng.choice(["argmin", "argmax"])
        ways.append(lambda: [find, self.expr(self.searched(), side, down), self.mask(side, down), 0])
        ways.append(lambda: self.search(kind, down))
        return ways

    # -- statements ----------------------------------------------------------------------------------------------

    def statement(self, depth: int, masks: str, *, looping: bool) -> Statement:
        """One statement. `masks` is the scope of the `when` blocks around it."""
        rng = self.rng
        what = rng.random()
        if what < 0.12:
            return self.let(depth)
        if what < 0.17:
            return self.both(depth)
        if what < 0.3 and masks != "deep":
            scope = rng.choice("sve") if masks == "s" else masks
            flag = self.expr("flag", scope, depth, constant=self.chance(0.1))
            inside = [self.statement(depth, scope, looping=looping) for _ in range(rng.randint(1, 3))]
            return ["when", flag, inside]
        if looping and masks == "s" and what < 0.4:
            return ["stop", self.expr("flag", "s", depth)]
        return self.assignment(depth, masks)

    def assignment(self, depth: int, masks: str) -> Statement:
        """A change of a state that the masks allow."""
        rng = self.rng
        fitting = [name for name, its in self.states.items() if masks in {"s", its[1]} and its[1] != "each"]
        if not fitting:
            return self.let(depth)
        name = rng.choice(fitting)
        kind, scope = self.states[name]
        if scope != "s" and self.chance(0.2):
            pointer = self.expr(POINTERS[scope], "s", depth, constant=self.chance(0.1))
            return ["put", name, pointer, self.expr(kind, "s", depth)]
        return ["assign", name, self.value(name, kind, scope, depth), self.mask(scope, depth, search=False)]

    def value(self, name: str, kind: str, scope: str, depth: int) -> Expr:
        """What a state becomes; often something of its own old value."""
        if self.chance(0.15):
            return ["state", name]
        if self.chance(0.2) and kind == "count":
            return ["add", ["state", name], self.one()]
        if self.chance(0.3) and kind in INTO:
            return ["next", ["state", name]]
        return self.expr(kind, scope, depth, exact=False)

    def let(self, depth: int) -> Statement:
        """A name for a value; never for a state or a literal as they stand, which Python would only rename."""
        its = self.rng.choice(["flag", "count", "length", "vertex", "hyperedge"]), self.rng.choice("sve")
        value = self.expr(*its, max(depth, 1), constant=False)
        if value[0] in {"state", "const"}:
            value = copied(its[0], value)
        name = self.name("a")
        self.lets[name] = its
        return ["let", name, value]

    def both(self, depth: int) -> Statement:
        """`row, entry = argmin(...)`."""
        side, kind = self.rng.choice("ve"), self.searched()
        row, entry = self.name("p"), self.name("b")
        find = self.rng.choice(["argmin", "argmax"])
        made: Statement = ["pair", row, entry, find, self.expr(kind, side, depth), self.mask(side, depth)]
        self.lets |= {row: (POINTERS[side], "s"), entry: (kind, "s")}
        return made


def copied(kind: str, value: Expr) -> Expr:
    """The same value, but built now."""
    if kind == "flag":
        return ["not", ["not", value]] if value[0] != "const" else ["any", ["every", "v"]]
    if kind in NUMBERS:
        return ["add", value, ["const", kind, 0]]
    return ["where", ["any", ["every", "v"]], value, value]


def first_value(rng: Random, kind: str) -> Any:
    """What a state starts with."""
    if kind == "flag":
        return rng.random() < 0.5
    if kind == "count":
        return rng.choice(LARGE) if rng.random() < 0.04 else rng.choice((0, 0, 1, 2, 5))
    return rng.choice([0, "inf"]) if kind == "length" else rng.choice([None, UNSET])


def bound(rng: Random) -> Any:
    """A bound on the loop that stays small."""
    small = [1, 2, 3, 4, 6, 6]
    n, m = rng.choice(["v", "e"]), rng.choice(["v", "e"])
    shapes: list[Any] = [["+", n, rng.choice(small)], ["+", ["choose", n, 2], 1], ["+", ["//", ["*", n, m], 2], 1]]
    shapes += [["+", ["largest", n, m], 1], ["+", ["-", n, m], 1], ["*", 2, ["+", m, 1]], n]
    return rng.choice(small) if rng.random() < 0.6 else rng.choice(shapes)


def output(rng: Random, growing: Growing, name: str) -> list[Any]:
    """An output made of a state."""
    kind, scope = growing.states[name]
    flags = [n for n, its in growing.states.items() if its == ("flag", scope)]
    called = f"{name}_out"
    if flags and rng.random() < 0.2:
        return [called, rng.choice(["where", "unless"]), name, rng.choice(flags)]
    numbers = [n for n, its in growing.states.items() if its[0] in NUMBERS and its[1] == scope]
    if kind in NUMBERS and rng.random() < 0.1:
        return [called, "quotient", name, rng.choice(numbers)]
    if kind == "count" and scope != "s" and rng.random() < 0.3:
        pointers = [n for n, its in growing.states.items() if its[0] in INTO and its[1] == "s"]
        if pointers and rng.random() < 0.5:
            return [called, "stream", name, rng.choice(pointers)]
        return [called, "total", name]
    return [called, "state", name]


def asked(growing: Growing) -> list[list[Any]]:
    """A few inputs; some are arrays."""
    rng, inputs = growing.rng, []
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        kind = rng.choice(["flag", "count", "length", "vertex", "hyperedge"])
        name = growing.name("i")
        scope = rng.choice("sssve")
        growing.inputs[name] = (kind, scope)
        inputs.append([name, kind, rng.choice([None, 5, 9]) if kind in NUMBERS else None, *scope.replace("s", "")])
    return inputs


def source(rng: Random) -> Source:
    """A program."""
    growing = Growing(rng, directed=rng.random() < 0.3)
    small = rng.random() < 0.75  # most programs are: they compile in no time, and what they show is easy to see
    inputs = asked(growing)
    states = []
    for _ in range(rng.randint(1, 3 if small else 5)):
        kind, scope = rng.choice(["flag", "count", "length", "vertex", "hyperedge"]), rng.choice("sve")
        name = growing.name("s")
        growing.states[name] = (kind, scope)
        states.append([name, kind, scope, first_value(rng, kind)])
    depth = rng.choice([1, 1, 2] if small else [1, 2, 2, 3])
    before = [
        growing.statement(depth, "s", looping=False)
        for _ in range(rng.choice([0, 0, 0, 1, 1 if small else 2, 1 if small else 3]))
    ]
    growing.lets = {n: its for n, its in growing.lets.items() if pure(before, n)}
    length = rng.randint(1, 3 if small else 5)
    stops = rng.randint(0, length)
    counter = clock(growing, states) if rng.random() < 0.5 else None
    body = []
    for number in range(length + 1):
        ends = number == stops
        body += stopping(growing, counter, depth) if ends else [growing.statement(depth, "s", looping=counter is None)]
    growing.states |= {counter: ("count", "s")} if counter else {}  # only now: nothing else assigns it
    outputs = [output(rng, growing, name) for name, *_ in states if rng.random() < 0.8] or [
        ["o", "state", states[0][0]]
    ]
    scalars = [name for name, its in growing.states.items() if its[1] == "s"]
    if scalars and rng.random() < 0.2:
        outputs.append(["all_of_them", "list", rng.sample(scalars, rng.randint(1, len(scalars)))])
    at_most = bound(rng)
    made = settled(Source(states, body, at_most, before, inputs, outputs), rng)
    return hastened(bounded(made, Random(repr(made)), but=counter), Random(f"{made}, hastened"), counter)


def bounded(source: Source, rng: Random, *, but: str | None) -> Source:
    """The program with bounds on some counts. Most are kept: what is assigned is the smaller of it and the bound."""
    for name, kind, _, first in source.states:
        if kind == "count" and name != but and rng.random() < 0.3:
            least = (0 if first == UNSET else first) + rng.choice([0, 1, 3, 9])
            bound = rng.choice([least, ["+", rng.choice(["v", "e"]), least]])
            kept = rng.random() < 0.85
            source = replace(
                source,
                bounds={**source.bounds, name: bound},
                before=[kept_below(each, name, bound) for each in source.before] if kept else source.before,
                body=[kept_below(each, name, bound) for each in source.body] if kept else source.body,
            )
    return source


def kept_below(statement: Statement, name: str, bound: Any) -> Statement:
    """The statement, where what it assigns to a state never exceeds a bound."""
    if statement[0] == "when":
        return ["when", statement[1], [kept_below(each, name, bound) for each in statement[2]]]
    if statement[0] not in {"assign", "put"} or statement[1] != name:
        return statement
    place = 2 if statement[0] == "assign" else 3
    below = [*statement]
    below[place] = smaller_of(statement[place], bound)
    return below


def smaller_of(value: Expr, bound: Any) -> Expr:
    """A value or a bound, whichever is smaller; of two constants Python knows which."""
    if isinstance(bound, int):
        if value[0] == "const":
            return ["const", "count", min(int(value[2]), bound)]
        return ["smaller", value, ["const", "count", bound]]
    return ["smaller", value, ["add", ["count", bound[1]], ["const", "count", bound[2]]]]


def clock(growing: Growing, states: list[list[Any]]) -> str:
    """A state that counts iterations, so that loops go on for a while."""
    name = growing.name("s")
    states.append([name, "count", "s", 0])
    return name


def stopping(growing: Growing, counter: str | None, depth: int) -> list[Statement]:
    """What ends the loop: any flag, or that it has gone on for so long."""
    if counter is None:
        return [["stop", growing.expr("flag", "s", depth)]]
    steps: Expr = ["state", counter]
    last: Expr = ["const", "count", growing.rng.choice([1, 2, 3, 4])]
    ends: Statement = ["stop", [growing.rng.choice(["eq", "ge"]), steps, last]]
    counts: Statement = ["assign", counter, ["add", steps, ["const", "count", 1]], None]
    return [counts, ends] if growing.chance(0.5) else [ends, counts]


def hastened(made: Source, rng: Random, counter: str | None) -> Source:
    """Often, where an input can say so, it says when the loop ends: inputs that run side by side end one by one."""
    scalars = [(name, kind) for name, kind, _, *scope in made.inputs if not scope and kind in {"count", *INTO}]
    if counter is None or not scalars or rng.random() < 0.3:
        return made
    name, kind = rng.choice(scalars)
    last: Expr = ["input", name] if kind == "count" else ["ordinal", ["input", name]]
    ends: Statement = ["stop", ["ge", ["state", counter], last]]
    enough = 11 if kind == "count" else ["+", INTO[kind], 2]
    body = [ends if each[0] == "stop" and ["state", counter] in each[1] else each for each in made.body]
    return replace(made, body=body, at_most=enough if rng.random() < 0.7 else made.at_most)


def pure(statements: list[Statement], name: str) -> bool:
    """Whether no state went into a value that was made before the loop."""
    lets = {part[1]: part[2:] for part in walk(statements) if part[0] == "let" and len(part) == 3}
    if name not in lets:
        return False
    return all(
        part[0] not in {"state"} and (part[0] != "let" or pure(statements, part[1])) for part in walk(lets[name])
    )


def settled(made: Source, rng: Random) -> Source:
    """Now and then a state without a first value, assigned as a whole before anything else."""
    if rng.random() > 0.1:
        return made
    name, kind, scope, _ = made.states[0]
    value: Expr = ["const", kind, {"flag": True, "count": 4, "length": 0}.get(kind)]
    first: Statement = ["assign", name, value, None]
    states = [[name, kind, scope, UNSET], *made.states[1:]]
    if made.before:
        return replace(made, states=states, before=[first, *made.before])
    return replace(made, states=states, body=[first, *made.body])


def graph(rng: Random) -> tuple[int, list[list[int]], list[str]]:
    """A small hypergraph: empty hyperedges, lonely vertices, doubles and ties are all common."""
    vertices = rng.choice([0, 1, 1, 2, 3, 3, 4, 5])
    count = rng.choice([0, 1, 1, 2, 3, 3, 4, 5])
    hyperedges = [sorted(v for v in range(vertices) if rng.random() < 0.45) for _ in range(count)]
    pool = rng.choice([["1"], ["1", "2", "3"], ["1", "2", "9"], ["1/2", "3/2", "1"], ["1/3", "0.37"], ["5", "700"]])
    return vertices, hyperedges, [rng.choice(pool) for _ in range(count)]


def given(rng: Random, made: Source, vertices: int, hyperedges: int) -> dict[str, Any] | None:
    """A value for every input; None where there is none to choose."""
    found: dict[str, Any] = {}
    counts = {"v": vertices, "e": hyperedges}
    for name, kind, most, *scope in made.inputs:
        if scope:
            found[name] = [entry(rng, kind, most, counts) for _ in range(counts[scope[0]])]
        elif kind in INTO and not counts[INTO[kind]]:
            return None
        else:
            found[name] = rng.randrange(counts[INTO[kind]]) if kind in INTO else entry(rng, kind, most, counts)
    return found


def entry(rng: Random, kind: str, most: int | None, counts: dict[str, int]) -> Any:
    """One value; a pointer may be none."""
    if kind in INTO:
        return rng.choice([None, *range(counts[INTO[kind]])])
    if kind == "flag":
        return rng.random() < 0.5
    number = rng.choice([0, 1, 2, 3, 5 if most is None else most])
    return rng.choice([str(number), "1/2", "3"]) if kind == "length" else number


def cases(seed: int, graphs: int = 3, make: Callable[[Random], Source] = source) -> list[Case]:
    """One program with several inputs, all from one seed."""
    rng = Random(seed)
    made = make(rng)
    dtype = "float32" if rng.random() < 0.15 else "float64"
    heads, schedule = rng.choice([1, 2, 3, 3]), rng.choice(["packed", "packed", "one operation per layer"])
    capacity = rng.choice([[5, 700], [7, 3000]]) if dtype == "float32" or rng.random() < 0.5 else None
    if any(part[0] in ARITHMETIC for part in walk([made.before, made.body])):
        capacity = [5, 40]  # every input is padded to the numbers that are looked up
    found = []
    for _ in range(graphs):
        vertices, hyperedges, weights = graph(rng)
        inputs = given(rng, made, vertices, len(hyperedges))
        sides = directions(rng, hyperedges) if is_directed(made) and rng.random() < 0.9 else (None, None)
        if inputs is not None:
            note = f"seed {seed}"
            found.append(
                Case(made, vertices, hyperedges, weights, inputs, heads, schedule, dtype, capacity, note, *sides)
            )
    return found


def directions(rng: Random, hyperedges: list[list[int]]) -> tuple[list[list[int]], list[list[int]]]:
    """Tails and heads: each member is one or both; sides without any are common."""
    tails, heads = [], []
    for members in hyperedges:
        ways = rng.choice([[(1, 0), (0, 1)], [(1, 0), (0, 1), (1, 1)], [(1, 0)], [(0, 1)], [(1, 1)]])
        sides = [rng.choice(ways) for _ in members]
        tails.append([v for v, (tail, _) in zip(members, sides, strict=True) if tail])
        heads.append([v for v, (_, head) in zip(members, sides, strict=True) if head])
    return tails, heads
