"""How large every node of a lowered graph can get within a capacity: the analysis of the language, on the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hyloop.compiler.lower import Graph
from hyloop.lang.bounds import Part, bounds, limits_of
from hyloop.machine.model import Capacity


@dataclass(frozen=True)
class Bounds:
    """The largest finite value of each node, Ω, and which nodes may be infinite; and of each state, Ω included."""

    largest: tuple[int, ...]
    omega: int
    infinite: tuple[bool, ...]
    capacity: Capacity
    states: Mapping[str, int]

    def column(self, name: str) -> int:
        """The largest value of a standard column."""
        rows = self.capacity.rows
        return {"P_1": rows, "P_2": rows * rows, "weight": self.capacity.weight, "n_v": rows, "n_e": rows}.get(name, 1)

    def of(self, number: int) -> int:
        """The largest value that a node can have, Ω included."""
        return self.omega if self.infinite[number] else self.largest[number]


def bound(graph: Graph, capacity: Capacity) -> Bounds:
    """Bounds for every input within the capacity; raises for a state that grows without one."""
    part = Part(graph.nodes, graph.finals, graph.halt)
    limits = limits_of(graph.program, capacity.rows, capacity.weight)
    found = bounds(graph.program, [part], graph.states, limits)
    largest = tuple(found.at_end(line) for line in found.values[0])
    omega = found.longest(capacity.weight) + 1
    states = {
        name: omega if name in found.infinite_states else found.at_end(line) for name, line in found.states.items()
    }
    return Bounds(largest, omega, found.infinite[0], capacity, states)
