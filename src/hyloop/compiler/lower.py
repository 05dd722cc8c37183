"""Lowering: from a program to one in core operations, with both sections in one. The interpreter runs it too.

The statements before the loop are the first iteration: what they assign is gated by *not started*, what the loop
assigns by *started*, a flag that the compiler adds as a state. An assignment becomes a `select`: a base, and guarded
values of which the last one wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from hyloop.lang.bounds import infinite_states, may_be_infinite, parts_of
from hyloop.lang.kinds import INFINITY, Kind, Scope, Type
from hyloop.lang.matrices import Matrix, along_each
from hyloop.lang.ops import AFAR, CORE, LANGUAGE, require_entries
from hyloop.lang.program import Argument, Op, Program, Section, State
from hyloop.lang.purpose import Part, Purpose, SectionName
from hyloop.lang.source import Location

# Operations that need a head: they read other rows.
ATTENTION = AFAR & CORE
STARTED = "loop started"  # no name that a user can give

LONG = 1 + 2 * 8  # operands of a select with eight guarded values

# The number of an operation in the program's one section.
Number = int


@dataclass(frozen=True)
class Core(Program):
    """A program in core operations, all of them in the loop; `source` is the one that it was made from."""

    source: Program

    # Results of analyses are cached by identity.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __getitem__(self, number: Number) -> Op:
        return self.body.ops[number]

    @property
    def halt(self) -> Number:
        """The flag that ends the loop."""
        assert self.body.stop is not None
        return self.body.stop

    @property
    def origin(self) -> Mapping[SectionName, tuple[Number, ...]]:
        """For each operation of the source, the one that gives its value in the same iteration.

        A shadow state holds the same value, and comes after it.
        """
        found: dict[Purpose, Number] = {}
        for number, op in enumerate(self.body.ops):
            for purpose in op.purposes:
                found.setdefault(purpose, number)
        names: tuple[SectionName, SectionName] = ("before", "body")
        sections = {name: range(len(self.source.section(name).ops)) for name in names}
        return {name: tuple(found[Purpose(name, op)] for op in ops) for name, ops in sections.items()}


def lower(program: Program) -> Core:
    """The same program in core operations."""
    lowering = _Lowering(program)
    before = lowering.section("before")
    body = lowering.section("body")
    assert program.body.stop is not None
    updates = {state.name: lowering.final(state.name, before, body) for state in program.states}
    lowering.now = Purpose("body", program.body.stop, "halt")
    halt = lowering.gated(body[program.body.stop], started=True)
    states, at_most = program.states, program.at_most
    if program.begins:
        updates[STARTED] = lowering.op("constant", (), Type(Kind.FLAG), True)
        states = (State(STARTED, Type(Kind.FLAG), False, program.body.ops[program.body.stop].where, "started"), *states)
        at_most = at_most + 1
    section = Section(lowering.purposeful(), updates, halt)
    return Core(
        program.name, program.about, program.inputs, states, Section(), section, at_most, program.outputs, program
    )


class _Lowering:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.ops: list[Op] = []
        self.known: dict[tuple[object, ...], Number] = {}
        self.under: list[int] = []  # the operations that each depends on, as a bit mask
        self.here = Location("", 0, 0, 0)
        self.label = ""
        self.now = Purpose("body", 0)  # of the operation that is being lowered
        self.purposes: list[set[Purpose]] = []
        self._infinite: dict[SectionName, tuple[bool, ...]] = {}

    def infinite(self, op: Op) -> list[bool]:
        """Of each operand of the operation that is being lowered, whether it may be infinite."""
        if not self._infinite:
            parts = parts_of(self.program)
            states = infinite_states(parts, self.program.states)
            before, body = (may_be_infinite(part, states) for part in parts)
            self._infinite = {"before": before, "body": body}
        return [self._infinite[self.now.section][operand] for operand in op.operands]

    def purposeful(self) -> tuple[Op, ...]:
        """The operations with their purposes."""
        found = zip(self.ops, self.purposes, strict=True)
        return tuple(replace(op, purposes=tuple(sorted(purposes))) for op, purposes in found)

    def op(
        self, name: str, operands: Sequence[Number], type_: Type, argument: Argument = None, *, part: Part | None = None
    ) -> Number:
        made = Op(name, tuple(operands), argument, type_, self.here, self.label)
        if made.key not in self.known:
            self.known[made.key] = len(self.ops)
            self.ops.append(made)
            self.purposes.append(set())
            self.under.append(reduce(or_, (self.under[each] | 1 << each for each in made.operands), 0))
        number = self.known[made.key]
        if part is not None:
            self.purposes[number].add(replace(self.now, part=part))
        return number

    def section(self, name: SectionName) -> list[Number]:
        """What each operation of a section becomes."""
        found: list[Number] = []
        for number, op in enumerate(self.program.section(name).ops):
            self.here, self.label, self.now = op.where, op.label, Purpose(name, number)
            args = [found[operand] for operand in op.operands]
            found.append(LOWER[op.name](self, op, args))
            self.purposes[found[-1]].add(self.now)
        return found

    def conjunction(self, flags: Sequence[Number], type_: Type) -> Number:
        """An AND of any number of flags; nested ANDs are flattened."""
        parts: list[Number] = []
        for flag in flags:
            op = self.ops[flag]
            inner = op.operands if op.name == "and" else (flag,)
            parts += [each for each in inner if each not in parts]
        return parts[0] if len(parts) == 1 else self.op("and", parts, type_)

    def select(self, base: Number, pairs: Sequence[Number], type_: Type) -> Number:
        """`base` with guarded values over it; a base that is a select itself is flattened."""
        below = self.ops[base]
        if below.name == "select" and below.type == type_ and not self._is_whole(base, pairs):
            base, *earlier = below.operands
            pairs = [*earlier, *pairs]
        base, open_ = self._decided(base, pairs)
        whole = [base, *open_]
        if all(self.ops[each].type.scope is not type_.scope for each in whole):
            base = self.op("spread", [base], type_, type_.scope)
        return self.op("select", [base, *open_], type_) if open_ else base

    def _decided(self, base: Number, pairs: Sequence[Number]) -> tuple[Number, list[Number]]:
        """The select without constant masks: a value under False is dropped, and True hides all values before it."""
        left: list[Number] = []
        for mask, value in zip(pairs[::2], pairs[1::2], strict=True):
            op = self.ops[mask]
            if op.name != "constant":
                left += [mask, value]
            elif op.argument:
                base, left = value, []
        return base, left

    def _is_whole(self, base: Number, pairs: Sequence[Number]) -> bool:
        """Whether a long select is not flattened, because the values over it depend on it.

        It is computed anyway then, so flattening saves nothing; and nested selects, each copied into the next, would
        grow quadratically.
        """
        return len(self.ops[base].operands) > LONG and any(self.under[each] >> base & 1 for each in pairs)

    def state(self, name: str) -> Number:
        return self.op("state", (), self.program.state(name).type, name)

    def gated(self, flag: Number, *, started: bool) -> Number:
        """A flag, in the loop's own iterations or in the first one only."""
        if not self.program.begins:
            return flag
        began = self.op("state", (), Type(Kind.FLAG), STARTED)
        gate = began if started else self.op("not", [began], Type(Kind.FLAG))
        made = self.conjunction([flag, gate], self.ops[flag].type)
        self.purposes[made].add(self.now)
        return made

    def final(self, name: str, before: Sequence[Number], body: Sequence[Number]) -> Number:
        """What a state becomes in an iteration."""
        state = self.state(name)
        pairs: list[Number] = []
        assignments: list[Purpose] = []
        sections: tuple[tuple[SectionName, Sequence[Number], bool], ...] = (
            ("before", before, False),
            ("body", body, True),
        )
        for where, found, started in sections:
            section = self.program.section(where)
            if name in section.updates:
                number = section.updates[name]
                # The purpose of these operations is the assignment itself.
                self.here, self.label, self.now = section.ops[number].where, name, Purpose(where, number, "gate")
                assignments.append(Purpose(where, number, "assignment"))
                pairs += self._guarded(state, found[number], started=started)
        made = self.select(state, pairs, self.ops[state].type)
        self.purposes[made].update(assignments)
        return made

    def _guarded(self, state: Number, value: Number, *, started: bool) -> list[Number]:
        """The guarded values of an update, gated; one that overwrites every row is guarded by the gate alone."""
        op = self.ops[value]
        if value == state:
            return []
        if op.name == "select" and op.operands[0] == state:
            masks, values = op.operands[1::2], op.operands[2::2]
            gated = [self.gated(mask, started=started) for mask in masks]
            return [each for pair in zip(gated, values, strict=True) for each in pair]
        true = self.op("constant", (), Type(Kind.FLAG), True, part="gate")
        return [self.gated(true, started=started), value]


LoweringRule = Callable[[_Lowering, Op, list[Number]], Number]


def _as_it_is(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    return lowering.op(op.name, args, op.type, op.argument)


def _and(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    return lowering.conjunction(args, op.type)


def _where(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    mask, value, base = args
    return lowering.select(base, [mask, value], op.type)


def _one_hot(scope: Scope, pointer: Kind, matrix: str) -> LoweringRule:
    """The members of a hyperedge: `Ã` times the one-hot of its row; likewise the hyperedges of a vertex."""

    def rule(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
        own = lowering.op("own", (), Type(pointer, scope), scope)
        hot = lowering.op("equal", [own, *args], Type(Kind.FLAG, scope), part="one-hot")
        return lowering.op("times", [hot], op.type, matrix)

    return rule


def _crossing(matrix: str) -> LoweringRule:
    """Whether any: a product with the incidence that is not 0."""

    def rule(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
        count = lowering.op("times", args, Type(Kind.COUNT, op.type.scope), matrix, part="count")
        return lowering.op("positive", [count], op.type)

    return rule


def _product(matrix: str) -> LoweringRule:
    def rule(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
        return lowering.op("times", args, op.type, matrix)

    return rule


def _along(matrix: Matrix) -> Mapping[str, LoweringRule]:
    """The operations along an incidence."""
    return {
        matrix.members: _one_hot(Scope.HYPEREDGES, Kind.HYPEREDGE, matrix.product),
        matrix.containing: _one_hot(Scope.VERTICES, Kind.VERTEX, matrix.transposed),
        matrix.touching: _crossing(matrix.transposed),
        matrix.covered: _crossing(matrix.product),
        matrix.product: _product(matrix.product),
        matrix.transposed: _product(matrix.transposed),
    }


def _all(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    """`all x` as `not any not x`."""
    lacking = lowering.op("not", args, lowering.ops[args[0]].type, part="lacking")
    return lowering.op("not", [lowering.op("any", [lacking], op.type, part="any-lacking")], op.type)


def _greatest(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    """An infinite length is no candidate for the greatest; for the least it never wins anyway."""
    x = lowering.ops[args[0]]
    if x.type.kind is not Kind.LENGTH or x.name in {"weight", "input"}:
        return _least(lowering, op, args)
    infinity = lowering.op("constant", (), Type(Kind.LENGTH), INFINITY)
    finite = lowering.op("less", [args[0], infinity], Type(Kind.FLAG, x.type.scope))
    return _among(lowering, op, args, finite)


def _least(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    """A pointer to none is no candidate; each row's own number is never none."""
    x = lowering.ops[args[0]]
    if not x.type.kind.is_pointer or x.name == "own":
        return lowering.op(op.name, args, op.type)
    type_ = Type(Kind.FLAG, x.type.scope)
    missing = lowering.op("missing", [args[0]], type_)
    return _among(lowering, op, args, lowering.op("not", [missing], type_))


def _among(lowering: _Lowering, op: Op, args: list[Number], candidates: Number) -> Number:
    """A search with fewer candidates."""
    mask = lowering.conjunction([*args[1:], candidates], lowering.ops[candidates].type)
    lowering.purposes[mask].add(replace(lowering.now, part="candidates"))
    return lowering.op(op.name, [args[0], mask], op.type)


def _read(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    """Simplified: own numbers read at a pointer are the pointer; an array read at own numbers is the array."""
    array, pointer = args
    if lowering.ops[array].name == "own":
        return pointer
    if lowering.ops[pointer].name == "own":
        return array
    return lowering.op(op.name, args, op.type)


# -- arithmetic on two values


def _ready(lowering: _Lowering, op: Op, args: Sequence[Number]) -> list[Number]:
    """Operands as a head can use them: 0 where they are infinite, and arrays if the result is one.

    A scalar stands on every row; a query made of it would look at some row outside the array's rows too.
    """
    found = []
    for arg, may in zip(args, lowering.infinite(op), strict=False):  # of a division by a constant, the first alone
        type_ = lowering.ops[arg].type
        made = lowering.op("finite", [arg], type_, part="count") if may else arg
        if type_.scope is not op.type.scope:
            made = lowering.op("spread", [made], Type(type_.kind, op.type.scope), op.type.scope, part="count")
        found.append(made)
    return found


def _multiply(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    """`⌊(a + b)²/4⌋ - ⌊(a - b)²/4⌋`; INFINITY where one is infinite and the other is not 0."""
    made = _multiplied(lowering, op.type, *_ready(lowering, op, args))
    for (arg, other), may in zip((args, args[::-1]), lowering.infinite(op), strict=True):
        if may:
            infinity = lowering.op("constant", (), Type(Kind.LENGTH), INFINITY)
            endless = lowering.op("equal", [arg, infinity], Type(Kind.FLAG, lowering.ops[arg].type.scope))
            some = lowering.op("positive", [other], Type(Kind.FLAG, lowering.ops[other].type.scope))
            mask = lowering.conjunction([endless, some], Type(Kind.FLAG, op.type.scope))
            made = lowering.select(made, [mask, infinity], op.type)
    return made


def _multiplied(lowering: _Lowering, type_: Type, a: Number, b: Number) -> Number:
    """The product of two finite numbers on the same rows."""
    count = Type(Kind.COUNT, type_.scope)
    gap = lowering.op("apart", [a, b], count, part="count")
    squares = [lowering.op("quarter", each, count, part="count") for each in ([a, b], [gap])]
    return lowering.op("difference", squares, type_, str(type_.kind))


def _by(lowering: _Lowering, op: Op, args: list[Number]) -> tuple[Number, Number]:
    """What is divided, and what divides it: a constant, or what is never 0 and gives 0 where nothing can be divided."""
    divisor = lowering.ops[args[1]]
    if divisor.name == "constant" and isinstance(divisor.argument, int) and divisor.argument:
        return _ready(lowering, op, [args[0]])[0], args[1]
    [a] = _ready(lowering, op, args[:1])
    # What divides may be a scalar or infinite: it is compared with the other first.
    return a, lowering.op("divisor", [args[1], a], Type(divisor.type.kind, op.type.scope), part="count")


def _quotient(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    return lowering.op("quotient", _by(lowering, op, args), op.type)


def _remainder(lowering: _Lowering, op: Op, args: list[Number]) -> Number:
    """`a - b (a // b)`; where b is 0 there is nothing left over."""
    a, b = _by(lowering, op, args)
    times = lowering.op("quotient", [a, b], Type(Kind.COUNT, op.type.scope), part="count")
    divisor = lowering.ops[b]
    if divisor.name == "constant":
        taken = lowering.op("multiple", [times], op.type, divisor.argument, part="count")
        return lowering.op("subtract", [a, taken], op.type)
    taken = _multiplied(lowering, op.type, b, times)
    zero = lowering.op("constant", (), Type(op.type.kind), 0)
    nothing = lowering.op("equal", [args[1], zero], Type(Kind.FLAG, lowering.ops[args[1]].type.scope))
    return lowering.select(lowering.op("subtract", [a, taken], op.type, part="count"), [nothing, zero], op.type)


LOWER: Mapping[str, LoweringRule] = {
    **dict.fromkeys(sorted(LANGUAGE & CORE), _as_it_is),
    "read": _read,
    "argmin": _least,
    "min": _least,
    "argmax": _greatest,
    "max": _greatest,
    "and": _and,
    "where": _where,
    **along_each(_along),
    "all": _all,
    "multiply": _multiply,
    "quotient": _quotient,
    "remainder": _remainder,
}
require_entries("lowering", LOWER, LANGUAGE)
