"""An upper bound of every value of a core program within a capacity, after its last iteration (`lang/bounds.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hyloop.compiler.lower import Core
from hyloop.lang.bounds import bounds_of, limits_of
from hyloop.lang.declared import require_within
from hyloop.machine.model import Capacity


@dataclass(frozen=True)
class CoreBounds:
    """The largest finite value of each operation, Ω, and which may be infinite; and of each state, Ω included."""

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
        """The largest value that an operation can give, Ω included."""
        return self.omega if self.infinite[number] else self.largest[number]


def bound(core: Core, capacity: Capacity) -> CoreBounds:
    """Bounds for every input within the capacity; raises for a state that grows without bound."""
    require_within(core.source, limits_of(core.source, capacity.rows, capacity.weight))
    found = bounds_of(core, limits_of(core, capacity.rows, capacity.weight))
    _, body = found.everywhere
    largest = tuple(found.at_end(line) for line in body)
    omega = found.longest(capacity.weight) + 1
    states = {
        name: omega if name in found.infinite_states else found.at_end(line) for name, line in found.states.items()
    }
    return CoreBounds(largest, omega, found.infinite_everywhere[1], capacity, states)
