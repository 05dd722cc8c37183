"""How large every value can get: `a + b·t` for each state, verified inductive, taken at the last iteration.

Lengths are bounded where they are finite; Ω is one more than any finite length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hyloop.compiler.lower import Graph, Node
from hyloop.lang.kinds import INFINITY, Kind
from hyloop.lang.program import Input
from hyloop.lang.source import LanguageError
from hyloop.machine.model import Capacity

# A bound a + b·t, for iteration t.
Line = tuple[int, int]

SETTLE = 3  # rounds in which a state may still be lifted as a whole, before it is taken to grow
ROUNDS = 40


@dataclass(frozen=True)
class Bounds:
    """The largest finite value of each node, Ω, and which nodes may be infinite."""

    largest: tuple[int, ...]
    omega: int
    infinite: tuple[bool, ...]
    capacity: Capacity

    def column(self, name: str) -> int:
        """The largest value of a standard column."""
        rows = self.capacity.rows
        return {"P_1": rows, "P_2": rows * rows, "weight": self.capacity.weight, "n_v": rows, "n_e": rows}.get(name, 1)

    def of(self, number: int) -> int:
        """The largest value that a node can have, Ω included."""
        return self.omega if self.infinite[number] else self.largest[number]


def bound(graph: Graph, capacity: Capacity) -> Bounds:
    """Bounds for every input within the capacity; raises for a state that grows without one."""
    last = graph.program.at_most.most(capacity.rows) + int(graph.program.begins) + 1
    states = _inductive(graph, capacity)
    lines = _lines(graph, capacity, states)
    largest = tuple(a + b * last for a, b in lines)
    lengths = [value for value, node in zip(largest, graph.nodes, strict=True) if node.type.kind is Kind.LENGTH]
    return Bounds(largest, max([capacity.weight, *lengths]) + 1, _infinite(graph), capacity)


def _inductive(graph: Graph, capacity: Capacity) -> dict[str, Line]:
    states: dict[str, Line] = {state.name: (_plain(state.initial), 0) for state in graph.states}
    growing: list[str] = []
    for round_ in range(ROUNDS):
        lines = _lines(graph, capacity, states)
        grown = {name: _lifted(states[name], lines[final], round_) for name, final in graph.finals.items()}
        growing = [name for name in states if grown[name] != states[name]]
        if not growing:
            return states
        states = grown
    worst = growing[0]
    raise LanguageError(
        f"{worst} has no bound: it may grow faster with every iteration, so no number format is sure to hold it.",
        graph.program.state(worst).where,
    )


def _lifted(state: Line, needed: Line, round_: int) -> Line:
    """The smallest change of `a + b·t` after which `needed(t) ≤ a + b·(t + 1)`."""
    (a, b), (c, d) = state, needed
    b = max(b, d)
    if c <= a + b:
        return a, b
    return (c, b) if round_ < SETTLE else (a, c - a)


def _lines(graph: Graph, capacity: Capacity, states: Mapping[str, Line]) -> list[Line]:
    lines: list[Line] = []
    for node in graph.nodes:
        args = [lines[arg] for arg in node.args]
        lines.append(LINES.get(node.op, _by_kind)(graph, node, capacity, states, args))
    return lines


def _plain(value: object) -> int:
    return 0 if value is None or value is INFINITY else int(value)  # type: ignore[call-overload]


Rule = Callable[[Graph, Node, Capacity, Mapping[str, Line], Sequence[Line]], Line]


def _by_kind(_: Graph, node: Node, capacity: Capacity, __: Mapping[str, Line], ___: Sequence[Line]) -> Line:
    """Flags are 0 and 1, pointers at most the rows."""
    if node.type.kind is Kind.FLAG:
        return 1, 0
    if node.type.kind.is_pointer or node.op == "size":
        return capacity.rows, 0
    raise AssertionError(f"no bound is known for {node.op}")


def _input(graph: Graph, node: Node, capacity: Capacity, _: Mapping[str, Line], __: Sequence[Line]) -> Line:
    given = next(each for each in graph.program.inputs if each.name == node.argument)
    return input_bound(given, capacity), 0


def input_bound(given: Input, capacity: Capacity) -> int:
    """The largest value of an input: its own bound, or the capacity's rows, or weight for a length."""
    usual = {Kind.FLAG: 1, Kind.LENGTH: capacity.weight}.get(given.type.kind, capacity.rows)
    return usual if given.at_most is None else given.at_most


def _times(graph: Graph, node: Node, capacity: Capacity, _: Mapping[str, Line], args: Sequence[Line]) -> Line:
    one_hot = graph[node.args[0]].op == "equal" and graph[graph[node.args[0]].args[0]].op == "own"
    return args[0] if one_hot else (args[0][0] * capacity.rows, args[0][1] * capacity.rows)


def _largest(values: Sequence[Line]) -> Line:
    return max(a for a, _ in values), max(b for _, b in values)


LINES: Mapping[str, Rule] = {
    "input": _input,
    "state": lambda _, node, __, states, ___: states[str(node.argument)],
    "constant": lambda _, node, __, ___, ____: (_plain(node.argument), 0),
    "weight": lambda _, __, capacity, ___, ____: (capacity.weight, 0),
    "add": lambda _, __, ___, ____, args: (args[0][0] + args[1][0], args[0][1] + args[1][1]),
    "subtract": lambda _, __, ___, ____, args: args[0],
    "multiple": lambda _, node, __, ___, args: (args[0][0] * _plain(node.argument), args[0][1] * _plain(node.argument)),
    "select": lambda _, __, ___, ____, args: _largest([args[0], *args[2::2]]),
    "number": lambda _, __, ___, ____, args: args[0],
    "spread": lambda _, __, ___, ____, args: args[0],
    "read": lambda _, __, ___, ____, args: args[0],
    "min": lambda _, __, ___, ____, args: args[0],
    "max": lambda _, __, ___, ____, args: args[0],
    "times": _times,
}


def _infinite(graph: Graph) -> tuple[bool, ...]:
    """Which values may be infinite: a fixed point over the states."""
    states = {state.name for state in graph.states if state.initial is INFINITY}
    while True:
        may: list[bool] = []
        for node in graph.nodes:
            args = [may[arg] for arg in node.args]
            may.append(_may_be(node, args, states))
        grown = states | {name for name, final in graph.finals.items() if may[final]}
        if grown == states:
            return tuple(may)
        states = grown


def _may_be(node: Node, args: Sequence[bool], states: set[str]) -> bool:
    if node.type.kind is not Kind.LENGTH:
        return False
    return {
        "state": node.argument in states,
        "constant": node.argument is INFINITY,
        "min": True,
        "select": any([*args[:1], *args[2::2]]),
        "subtract": bool(args and args[0]),
        "read": bool(args and args[0]),
    }.get(node.op, any(args) and node.op != "max")
