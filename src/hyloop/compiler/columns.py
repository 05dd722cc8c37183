"""Column allocation: lifetimes, reuse, and which head erases which column."""

from __future__ import annotations

from dataclasses import dataclass, field

from hyloop.compiler.bounds import CoreBounds
from hyloop.compiler.forms import Forms
from hyloop.compiler.lower import Core, Number
from hyloop.compiler.schedule import Schedule, values_in


@dataclass
class Placing:
    """Where values are held.

    `after`: the column of every value that is live after a layer. `brought`: the column that each head writes.
    `erased`: the columns that a head erases in a layer, because the lifetime of their values has ended.
    """

    after: list[dict[Number, str]] = field(default_factory=list)
    brought: list[dict[Number, str]] = field(default_factory=list)
    erased: list[set[str]] = field(default_factory=list)
    temporaries: list[str] = field(default_factory=list)
    cleared: set[str] = field(default_factory=set)  # erased by the last layer's MLP, where no head is free

    def free(self, taken: set[str]) -> str:
        """A free temporary column; a new one if there is none."""
        for name in self.temporaries:
            if name not in taken:
                return name
        self.temporaries.append(f"temporary {len(self.temporaries) + 1}")
        return self.temporaries[-1]

    def standing(self) -> list[dict[str, Number]]:
        """For each layer, the value that each temporary column holds before it: live, or left behind.

        Before the first layer that is what the previous iteration has left there.
        """
        held: dict[str, Number] = {}
        for _ in range(2):
            found = []
            for layer in range(1, len(self.after)):
                found.append(dict(held))
                held = {column: number for column, number in held.items() if column not in self.erased[layer]}
                held |= {column: number for number, column in self.brought[layer].items()}
                held |= {column: number for number, column in self.after[layer].items()}
            held = {column: number for column, number in held.items() if column not in self.cleared}
        return found


def place(core: Core, bounds: CoreBounds, schedule: Schedule) -> Placing:
    """Columns for all live values, reused at the end of their lifetimes.

    A layer's attention erases what no later MLP reads; what the MLP reads for the last time is erased by the next
    layer's attention (after the last layer: by the first layer's).
    """
    placing = Placing([{}], [{}], [set()])
    stale: set[str] = set()
    for layer in range(1, schedule.layers + 1):
        before, waiting = placing.after[layer - 1], schedule.waiting[layer]
        used = _used_by_mlp(core, bounds, schedule, layer)
        kept = {number: column for number, column in before.items() if number in used or number in waiting}
        stale |= set(before.values()) - set(kept.values())
        erased = stale if schedule.room[layer] else set()
        stale = stale - erased
        brought: dict[Number, str] = {}
        for number in schedule.in_layer(layer):
            brought[number] = placing.free({*kept.values(), *brought.values(), *stale})
        there = kept | brought
        after = {number: there[number] for number in sorted(waiting) if number in there}
        for number in sorted(waiting):
            if number not in after:
                after[number] = placing.free({*there.values(), *after.values(), *stale})
        placing.after.append(after)
        placing.brought.append(brought)
        placing.erased.append(erased)
        stale |= set(there.values()) - set(after.values())
    if schedule.room[1]:
        placing.erased[1] |= stale
    else:
        placing.cleared = stale
    return placing


def _used_by_mlp(core: Core, bounds: CoreBounds, schedule: Schedule, layer: int) -> set[Number]:
    """The live values that a layer's MLP reads."""
    there = schedule.waiting[layer - 1] | set(schedule.in_layer(layer))
    forms = Forms(core, bounds, frozenset(there))
    made = [number for number in schedule.waiting[layer] if number not in there]
    if layer == schedule.layers:
        made += [*core.body.updates.values(), core.halt]
    return set().union(*(values_in(forms.clean(number)) for number in made))
