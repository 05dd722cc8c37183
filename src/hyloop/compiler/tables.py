"""What a node is, from what its operands are: asked once for each node, and without recursion.

Values are shared: `b = a + a; c = b + b; ...` is a chain of 30 nodes and a tree of a billion. A question that walks the
tree never ends; one that fills a table in order of dependence is linear, and no program is too deep for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar
from weakref import WeakKeyDictionary

from hyloop.compiler.lower import Graph, NodeId

Answer = TypeVar("Answer")


def table(rule: Callable[[Graph, NodeId, Sequence[Answer]], Answer]) -> Callable[[Graph, NodeId], Answer]:
    """A question about the nodes of a graph; `rule` answers it for one, given the answers for all before it."""
    tables: WeakKeyDictionary[Graph, list[Answer]] = WeakKeyDictionary()

    def ask(graph: Graph, number: NodeId) -> Answer:
        known = tables.get(graph)
        if known is None:
            known = tables[graph] = []
        while len(known) <= number:
            known.append(rule(graph, len(known), known))
        return known[number]

    return ask


def once(rule: Callable[[Graph], Answer]) -> Callable[[Graph], Answer]:
    """A question about a whole graph, answered once."""
    answers: WeakKeyDictionary[Graph, Answer] = WeakKeyDictionary()

    def ask(graph: Graph) -> Answer:
        if graph not in answers:
            answers[graph] = rule(graph)
        return answers[graph]

    return ask


def cone(graph: Graph, numbers: Sequence[NodeId], stop: Callable[[NodeId], bool]) -> list[NodeId]:
    """These nodes and all under them, operands first; what is under a node where `stop` holds is left out."""
    found: set[NodeId] = set()
    stack = list(numbers)
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            if not stop(number):
                stack += graph[number].args
    return sorted(found)
