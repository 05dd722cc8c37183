"""An upper bound of every value of a core program within a capacity, after its last iteration (`lang/bounds.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hyloop.compiler.lower import Core
from hyloop.lang.bounds import Bounds, Known, Limits, bounds_of, bounds_or_none, limits_of
from hyloop.lang.declared import require_within
from hyloop.lang.ops import OPERATIONS, TABLES
from hyloop.lang.program import Op
from hyloop.lang.ranges import BoundRule, number_of, remainder
from hyloop.machine.model import Capacity

# The rules that give a bound which the operations made by lowering do not show: `a - b (a // b)` is below b.
HIDDEN: frozenset[BoundRule] = frozenset({remainder})


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
    limits = limits_of(core, capacity.rows, capacity.weight)
    require_within(core.source, limits)
    found = _found(core, limits)
    _, body = found.everywhere
    largest = tuple(found.at_end(line) for line in body)
    omega = found.longest(capacity.weight) + 1
    states = {
        name: omega if name in found.infinite_states else found.at_end(line) for name, line in found.states.items()
    }
    # A head is given arrays that are 0 outside their rows, whatever is computed there.
    inside = tuple(found.at_end(line) for line in found.values[1])
    looked_up = [_looked_up(core, inside, op) for op in core.body.ops if op.name in TABLES]
    return CoreBounds(
        largest,
        omega,
        found.infinite_everywhere[1],
        capacity,
        states,
        max(looked_up, default=0),
        tables=bool(looked_up),
    )


def _found(core: Core, limits: Limits) -> Bounds:
    """The bounds of a core program; with those of its source, where one is declared, hidden, larger or alone found.

    Lowering simplifies, so that the core may show less of a state than its source does. The prover knows the source
    alone: a machine made for less would be right in every run, and refuted.
    """
    declared = any(state.at_most is not None for state in core.states)
    hidden = any(map(_is_hidden, core.source.before.ops + core.source.body.ops))
    found = None if declared or hidden else bounds_or_none(core, limits)
    if found is None:  # the source may have bounds, and else a better place for the message
        return bounds_of(core, limits, _known(core, bounds_of(core.source, limits)))
    source = bounds_or_none(core.source, limits)
    return found if source is None or _is_within(source, found) else bounds_of(core, limits, _known(core, source))


def _is_within(one: Bounds, other: Bounds) -> bool:
    """Whether no state of one is larger than in the other."""
    return all(one.at_end(line) <= other.at_end(other.states[name]) for name, line in one.states.items())


def _is_hidden(op: Op) -> bool:
    return OPERATIONS[op.name].bound in HIDDEN


def _known(core: Core, source: Bounds) -> Known:
    """What the source says: of its states, and of the operations that give a value whose bound is hidden."""
    sections = {"before": 0, "body": 1}
    values = {
        number: source.at_end(source.values[sections[each.section]][each.op])
        for number, op in enumerate(core.body.ops)
        for each in op.purposes
        if each.part == "value" and not each.ahead and _is_hidden(core.source.section(each.section).ops[each.op])
    }
    return Known(values, {name: source.at_end(line) for name, line in source.states.items()})


def _looked_up(core: Core, largest: Sequence[int], op: Op) -> int:
    """The largest number whose row a head may look at."""
    if op.name == "quarter":
        return sum(largest[operand] for operand in op.operands)
    divisor = core[op.operands[1]]
    most = largest[op.operands[0]]
    return most // number_of(divisor.argument) if divisor.name == "constant" else most
