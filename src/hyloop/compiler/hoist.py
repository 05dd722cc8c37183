"""Begin the next iteration's work early.

A head of the first layer can only look at columns. Where it needs more than a state, say the one-hot of a pointer, a
whole layer would go to computing that. Instead the value is kept in a *shadow* state, which the end of each iteration
computes for the next one. What a program means does not change: a shadow is a function of the other states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hyloop.compiler.lower import ATTENTION, LEAVES, Graph, Node, NodeId
from hyloop.compiler.tables import cone, table
from hyloop.compiler.timing import columns_for
from hyloop.lang.kinds import Kind
from hyloop.lang.program import State


def candidates(graph: Graph) -> list[NodeId]:
    """Values that heads need, that follow from the states alone, and whose first value is one constant."""
    wanted = {
        column
        for node in graph.nodes
        if node.op in ATTENTION
        for arg in node.args
        for column in columns_for(graph, arg)
    }
    return [number for number in sorted(wanted) if _of_states(graph, number) and first_value(graph, number) is not None]


def hoist(graph: Graph, number: NodeId) -> Graph:
    """The graph with a value kept in a shadow state."""
    node = graph[number]
    made = _Rewriting(list(graph.nodes))
    ahead = made.again(graph, number)
    first = first_value(graph, number)
    shadow = State(
        f"ahead {len(graph.shadows) + 1}", node.type, bool(first) if node.type.kind is Kind.FLAG else first, node.where
    )
    column = made.add(Node("state", (), shadow.name, node.type, node.where, node.label, node.purposes))
    nodes = [_pointed_at(each, number, column) if each.op in ATTENTION else each for each in made.nodes]
    return _sorted(
        replace(
            graph, nodes=tuple(nodes), finals={**graph.finals, shadow.name: ahead}, shadows=(*graph.shadows, shadow)
        )
    )


def _pointed_at(node: Node, old: NodeId, new: NodeId) -> Node:
    if old not in node.args:
        return node
    return replace(node, args=tuple(new if arg == old else arg for arg in node.args))


def _with_args(node: Node, args: tuple[NodeId, ...]) -> Node:
    return node if args == node.args else replace(node, args=args)


class _Rewriting:
    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.known = {node: number for number, node in enumerate(nodes)}

    def add(self, node: Node) -> NodeId:
        if node not in self.known:
            self.known[node] = len(self.nodes)
            self.nodes.append(node)
        return self.known[node]

    def again(self, graph: Graph, number: NodeId) -> NodeId:
        """The same value one iteration later: every state is what it becomes, and the loop has started."""
        later: dict[NodeId, NodeId] = {}
        for each in cone(graph, [number], lambda _: False):
            later[each] = self._later(graph, each, later)
        return later[number]

    def _later(self, graph: Graph, number: NodeId, later: Mapping[NodeId, NodeId]) -> NodeId:
        node = graph[number]
        if node.op == "state":
            return graph.finals[str(node.argument)]
        if node.op == "started":
            return self.add(replace(node, op="constant", argument=True))
        if node.op in LEAVES:
            return number
        ahead = tuple(replace(each, ahead=True) for each in node.purposes)
        return self.add(replace(node, args=tuple(later[arg] for arg in node.args), purposes=ahead))


def _sorted(graph: Graph) -> Graph:
    """The graph with every operand before its use."""
    order: list[NodeId] = []
    place: dict[NodeId, NodeId] = {}

    for root in range(len(graph.nodes)):
        stack = [root]
        while stack:
            lacking = [arg for arg in graph[stack[-1]].args if arg not in place]
            if lacking:
                stack.append(lacking[0])
                continue
            number = stack.pop()
            if number not in place:
                place[number] = len(order)
                order.append(number)
    nodes = tuple(_with_args(graph[number], tuple(place[arg] for arg in graph[number].args)) for number in order)
    origin = {name: tuple(place[number] for number in numbers) for name, numbers in graph.origin.items()}
    finals = {name: place[number] for name, number in graph.finals.items()}
    return replace(graph, nodes=nodes, finals=finals, halt=place[graph.halt], origin=origin)


@table
def _of_states(graph: Graph, number: NodeId, known: Sequence[bool]) -> bool:
    node = graph[number]
    if node.op in LEAVES:
        return node.op not in {"input", "weight"}
    return node.op not in ATTENTION and all(known[arg] for arg in node.args)


@table
def first_value(graph: Graph, number: NodeId, known: Sequence[int | None]) -> int | None:
    """What a value is before the first iteration, if it is one constant on all its rows; else None."""
    node = graph[number]
    if node.op == "state":
        initial = next(state.initial for state in graph.states if state.name == node.argument)
        return int(initial or 0) if initial is None or isinstance(initial, int) else None
    if node.op == "started":
        return 0
    if node.op == "constant":
        return int(node.argument or 0) if node.argument is None or isinstance(node.argument, int) else None
    if node.op in {"equal", "precedes"} and "own" in {graph[arg].op for arg in node.args}:
        # A row's own number is never none, and none is in no order with it.
        others = [known[arg] for arg in node.args if graph[arg].op != "own"]
        return 0 if others == [0] else None
    args = [known[arg] for arg in node.args]
    if node.op in LEAVES or None in args or node.op not in VALUES:
        return None
    return VALUES[node.op](*args)


VALUES: Mapping[str, Callable[..., int]] = {
    "and": lambda *args: int(all(args)),
    "or": lambda *args: int(any(args)),
    "not": lambda a: 1 - a,
    "missing": lambda p: int(p == 0),
    "positive": lambda x: int(x > 0),
    "equal": lambda a, b: int(a == b),
    "less": lambda a, b: int(a < b),
    "number": lambda a: a,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: max(a - b, 0),
}
