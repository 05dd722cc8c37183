"""An upper bound of every value of a core program within a capacity, after its last iteration (`lang/bounds.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hyloop.compiler.lower import Core
from hyloop.lang.bounds import bounds_of, limits_of
from hyloop.lang.declared import require_within
from hyloop.lang.ops import TABLES
from hyloop.lang.program import Op
from hyloop.lang.ranges import number_of
from hyloop.machine.model import Capacity


@dataclass(frozen=True)
class CoreBounds:
    """The largest finite value of each operation, Ω, and which may be infinite; and of each state, Ω included."""

    largest: tuple[int, ...]
    omega: int
    infinite: tuple[bool, ...]
    capacity: Capacity
    states: Mapping[str, int]
    least: int = 0  # the rows besides row 0 that there must be, whatever the input: numbers are looked up there
    tables: bool = False  # whether any are

    @property
    def last(self) -> int:
        """The number of the last row that there may be."""
        return max(self.capacity.rows, self.least)

    def column(self, name: str) -> int:
        """The largest value of a standard column."""
        rows, last = self.capacity.rows, self.last
        known = {"P_1": last, "P_2": last * last, "quarter squares": last * last // 4}
        known |= dict.fromkeys(("n_v", "n_e", "vertex number", "hyperedge number"), rows)
        return known.get(name, self.capacity.weight if name == "weight" else 1)

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
    looked_up = [_looked_up(core, largest, op) for op in core.body.ops if op.name in TABLES]
    return CoreBounds(
        largest,
        omega,
        found.infinite_everywhere[1],
        capacity,
        states,
        max(looked_up, default=0),
        tables=bool(looked_up),
    )


def _looked_up(core: Core, largest: Sequence[int], op: Op) -> int:
    """The largest number whose row a head may look at."""
    if op.name == "quarter":
        return sum(largest[operand] for operand in op.operands)
    divisor = core[op.operands[1]]
    most = largest[op.operands[0]]
    return most // number_of(divisor.argument) if divisor.name == "constant" else most
