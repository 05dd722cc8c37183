"""From a `Program` to a graph of few operations, both sections in one.

The statements before the loop are the first iteration: what they assign is gated by *not started*, what the loop
assigns by *started*. An assignment becomes a `select`: a base, and guarded values of which the last one wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_

from hyloop.lang.kinds import INFINITY, Kind, Scope, Type
from hyloop.lang.program import Argument, Op, Program, State
from hyloop.lang.purpose import Part, Purpose, SectionName
from hyloop.lang.source import Location

LEAVES = frozenset({"input", "state", "constant", "weight", "size", "own", "started"})
# What needs a head: it looks at other rows.
ATTENTION = frozenset({"argmin", "argmax", "min", "max", "first", "any", "read", "times"})

LONG = 1 + 2 * 8  # operands of a select with eight guarded values

NodeId = int


@dataclass(frozen=True)
class Node:
    """An operation of the graph."""

    op: str
    args: tuple[NodeId, ...]
    argument: Argument
    type: Type
    where: Location = field(compare=False)
    label: str = field(default="", compare=False)
    purposes: tuple[Purpose, ...] = field(default=(), compare=False)  # what it was made for, each once

    # As an operation of a program has them.

    @property
    def name(self) -> str:
        """Which operation."""
        return self.op

    @property
    def operands(self) -> tuple[NodeId, ...]:
        """The numbers of its operands."""
        return self.args


@dataclass(frozen=True, eq=False)  # a graph is itself: what is found out about it is kept by identity
class Graph:
    """Operations in order of dependence, what each state becomes, and the flag that halts."""

    program: Program
    nodes: tuple[Node, ...]
    finals: Mapping[str, NodeId]
    halt: NodeId
    # For each operation of the two sections, its node: where the simulation check finds a local.
    origin: Mapping[str, tuple[NodeId, ...]]
    # States that the compiler has added: values that one iteration computes for the next.
    shadows: tuple[State, ...] = ()

    @property
    def states(self) -> tuple[State, ...]:
        """The program's states and the compiler's own."""
        return (*self.program.states, *self.shadows)

    def __getitem__(self, number: NodeId) -> Node:
        return self.nodes[number]


def lower(program: Program) -> Graph:
    """The graph of a program."""
    lowering = _Lowering(program)
    before = lowering.section("before")
    body = lowering.section("body")
    assert program.body.stop is not None
    finals = {state.name: lowering.final(state.name, before, body) for state in program.states}
    lowering.now = Purpose("body", program.body.stop, "halt")
    halt = lowering.gated(body[program.body.stop], started=True)
    return Graph(program, lowering.purposeful(), finals, halt, {"before": tuple(before), "body": tuple(body)})


class _Lowering:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.nodes: list[Node] = []
        self.known: dict[Node, NodeId] = {}
        self.under: list[int] = []  # the nodes that each depends on, as bits
        self.here = Location("", 0, 0, 0)
        self.label = ""
        self.now = Purpose("body", 0)  # what is being made
        self.purposes: list[set[Purpose]] = []

    def purposeful(self) -> tuple[Node, ...]:
        """The nodes with all that each is for."""
        found = zip(self.nodes, self.purposes, strict=True)
        return tuple(replace(node, purposes=tuple(sorted(purposes))) for node, purposes in found)

    def node(
        self, op: str, args: Sequence[NodeId], type_: Type, argument: Argument = None, *, part: Part | None = None
    ) -> NodeId:
        made = Node(op, tuple(args), argument, type_, self.here, self.label)
        # True and 1, False and 0 are equal to Python, so constants are told apart by their types too.
        if made not in self.known:
            self.known[made] = len(self.nodes)
            self.nodes.append(made)
            self.purposes.append(set())
            self.under.append(reduce(or_, (self.under[arg] | 1 << arg for arg in made.args), 0))
        if part is not None:
            self.purposes[self.known[made]].add(replace(self.now, part=part))
        return self.known[made]

    def section(self, name: SectionName) -> list[NodeId]:
        """The node of each operation of a section."""
        found: list[NodeId] = []
        for number, op in enumerate(self.program.section(name).ops):
            self.here, self.label, self.now = op.where, op.label, Purpose(name, number)
            args = [found[operand] for operand in op.operands]
            found.append(LOWER.get(op.name, _as_it_is)(self, op, args))
            self.purposes[found[-1]].add(self.now)
        return found

    def conjunction(self, flags: Sequence[NodeId], type_: Type) -> NodeId:
        """An AND of any number of flags; what is an AND itself is taken apart."""
        parts: list[NodeId] = []
        for flag in flags:
            node = self.nodes[flag]
            inner = node.args if node.op == "and" else (flag,)
            parts += [each for each in inner if each not in parts]
        return parts[0] if len(parts) == 1 else self.node("and", parts, type_)

    def select(self, base: NodeId, pairs: Sequence[NodeId], type_: Type) -> NodeId:
        """`base` with guarded values over it; a base that is a select itself is taken apart."""
        below = self.nodes[base]
        if below.op == "select" and below.type == type_ and not self._is_whole(base, pairs):
            base, *earlier = below.args
            pairs = [*earlier, *pairs]
        base, open_ = self._decided(base, pairs)
        if open_:
            return self.node("select", [base, *open_], type_)
        same = self.nodes[base].type == type_
        return base if same else self.node("spread", [base], type_, type_.scope)

    def _decided(self, base: NodeId, pairs: Sequence[NodeId]) -> tuple[NodeId, list[NodeId]]:
        """What constant masks leave of a select: under False nothing is taken, and True hides all that lies below."""
        left: list[NodeId] = []
        for mask, value in zip(pairs[::2], pairs[1::2], strict=True):
            node = self.nodes[mask]
            if node.op != "constant":
                left += [mask, value]
            elif node.argument:
                base, left = value, []
        return base, left

    def _is_whole(self, base: NodeId, pairs: Sequence[NodeId]) -> bool:
        """A long select is not taken apart where what comes over it depends on it.

        It is made anyway then, before the others, so that nothing is won; and a nest of such, each written out in the
        next, would grow with the square of its length.
        """
        return len(self.nodes[base].args) > LONG and any(self.under[each] >> base & 1 for each in pairs)

    def state(self, name: str) -> NodeId:
        return self.node("state", (), self.program.state(name).type, name)

    def gated(self, flag: NodeId, *, started: bool) -> NodeId:
        """A flag, in the loop's own iterations or in the first one only."""
        if not self.program.begins:
            return flag
        began = self.node("started", (), Type(Kind.FLAG))
        gate = began if started else self.node("not", [began], Type(Kind.FLAG))
        made = self.conjunction([flag, gate], self.nodes[flag].type)
        self.purposes[made].add(self.now)
        return made

    def final(self, name: str, before: Sequence[NodeId], body: Sequence[NodeId]) -> NodeId:
        """What a state becomes in an iteration."""
        state = self.state(name)
        pairs: list[NodeId] = []
        assignments: list[Purpose] = []
        sections: tuple[tuple[SectionName, Sequence[NodeId], bool], ...] = (
            ("before", before, False),
            ("body", body, True),
        )
        for where, found, started in sections:
            section = self.program.section(where)
            if name in section.updates:
                number = section.updates[name]
                # What is made here is for the assignment itself.
                self.here, self.label, self.now = section.ops[number].where, name, Purpose(where, number, "gate")
                assignments.append(Purpose(where, number, "assignment"))
                pairs += self._guarded(state, found[number], started=started)
        made = self.select(state, pairs, self.nodes[state].type)
        self.purposes[made].update(assignments)
        return made

    def _guarded(self, state: NodeId, value: NodeId, *, started: bool) -> list[NodeId]:
        """The guarded values of an update, gated; one that keeps nothing is guarded by the gate alone."""
        node = self.nodes[value]
        if value == state:
            return []
        if node.op == "select" and node.args[0] == state:
            masks, values = node.args[1::2], node.args[2::2]
            gated = [self.gated(mask, started=started) for mask in masks]
            return [each for pair in zip(gated, values, strict=True) for each in pair]
        true = self.node("constant", (), Type(Kind.FLAG), True, part="gate")
        return [self.gated(true, started=started), value]


Rule = Callable[[_Lowering, Op, list[NodeId]], NodeId]


def _as_it_is(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
    return lowering.node(op.name, args, op.type, op.argument)


def _and(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
    return lowering.conjunction(args, op.type)


def _where(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
    mask, value, base = args
    return lowering.select(base, [mask, value], op.type)


def _one_hot(scope: Scope, pointer: Kind, matrix: str) -> Rule:
    """The members of a hyperedge: `Ã` times the one-hot of its row; likewise the hyperedges of a vertex."""

    def rule(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
        own = lowering.node("own", (), Type(pointer, scope), scope)
        hot = lowering.node("equal", [own, *args], Type(Kind.FLAG, scope), part="one-hot")
        return lowering.node("times", [hot], op.type, matrix)

    return rule


def _crossing(matrix: str) -> Rule:
    """Whether any: a product with the incidence that is not 0."""

    def rule(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
        count = lowering.node("times", args, Type(Kind.COUNT, op.type.scope), matrix, part="count")
        return lowering.node("positive", [count], op.type)

    return rule


def _product(matrix: str) -> Rule:
    def rule(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
        return lowering.node("times", args, op.type, matrix)

    return rule


def _all(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
    """All, by none that is not."""
    lacking = lowering.node("not", args, lowering.nodes[args[0]].type, part="lacking")
    return lowering.node("not", [lowering.node("any", [lacking], op.type, part="any-lacking")], op.type)


def _greatest(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
    """An infinite length is no candidate for the greatest; for the least it never wins anyway."""
    x = lowering.nodes[args[0]]
    if x.type.kind is not Kind.LENGTH or x.op == "weight":
        return lowering.node(op.name, args, op.type)
    infinity = lowering.node("constant", (), Type(Kind.LENGTH), INFINITY)
    finite = lowering.node("less", [args[0], infinity], Type(Kind.FLAG, x.type.scope))
    mask = lowering.conjunction([*args[1:], finite], Type(Kind.FLAG, x.type.scope))
    lowering.purposes[mask].add(replace(lowering.now, part="candidates"))
    return lowering.node(op.name, [args[0], mask], op.type)


def _read(lowering: _Lowering, op: Op, args: list[NodeId]) -> NodeId:
    """Each row's own number at a pointer is the pointer; an array at each row's own number is the array."""
    array, pointer = args
    if lowering.nodes[array].op == "own":
        return pointer
    if lowering.nodes[pointer].op == "own":
        return array
    return lowering.node(op.name, args, op.type)


LOWER: Mapping[str, Rule] = {
    "read": _read,
    "argmax": _greatest,
    "max": _greatest,
    "and": _and,
    "where": _where,
    "members": _one_hot(Scope.HYPEREDGES, Kind.HYPEREDGE, "incidence"),
    "containing": _one_hot(Scope.VERTICES, Kind.VERTEX, "transposed"),
    "touching": _crossing("transposed"),
    "covered": _crossing("incidence"),
    "incidence": _product("incidence"),
    "transposed": _product("transposed"),
    "all": _all,
}
