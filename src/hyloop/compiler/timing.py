"""The first layer in which every value is ready, with heads as early as possible; updated incrementally after a move.

A value is ready in the first layer whose three stages can compute it. That depends on its operands alone: on the layers
after which they are held in columns, and on their forms before that. So one pass over the core finds all, and when one
head is moved, only the values that depend on it are recomputed, as far as something changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from hyloop.compiler.bounds import CoreBounds
from hyloop.compiler.forms import Form, Forms, Workshop, linear, operands, parts
from hyloop.compiler.lower import ATTENTION, Core, Number
from hyloop.compiler.tables import once, table
from hyloop.errors import HyloopError
from hyloop.lang.ops import LEAVES

FINDERS = frozenset({"argmin", "argmax", "first"})


@table
def columns_for(core: Core, number: Number, known: Sequence[frozenset[Number]]) -> frozenset[Number]:
    """The values that must be columns for a head to use this value: itself, or the parts of a plain sum."""
    if core[number].name in LEAVES:
        return frozenset()
    summed = linear(core, number)
    if summed is None:
        return frozenset({number})
    return frozenset().union(*(known[part] for part in summed))


@once
def needed(core: Core) -> frozenset[Number]:
    """The values that the updates of the states and the halt flag depend on."""
    found: set[Number] = set()
    stack = [*core.body.updates.values(), core.halt]
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            stack += core[number].operands
    return frozenset(found)


def may_ride(core: Core, number: Number) -> bool:
    """Whether a read could be done by the head that finds its pointer."""
    op = core[number]
    return op.name == "read" and core[op.operands[1]].name in FINDERS


@dataclass
class Budget:
    """The step budget of a search. Steps, not seconds: the same program gives the same weights everywhere."""

    left: int
    spent: int = field(default=0)

    def spend(self, steps: int) -> None:
        """Count some steps."""
        self.left -= steps
        self.spent += steps


@dataclass(frozen=True)
class ValueTiming:
    """The first layer that can compute a value, its forms from there on, and the layer after which it is ready."""

    forms: Mapping[int, Form]
    first: int
    ready: int


@once
def _order(core: Core) -> tuple[Number, ...]:
    """The needed values in order of dependence. A conjunction may use its parts, so those come before it too."""
    wanted = needed(core)
    placed: set[Number] = set()
    order: list[Number] = []
    for root in sorted(wanted):
        stack = [root]
        while stack:
            number = stack[-1]
            first = [each for each in _before(core, number) if each not in placed and each in wanted]
            if first:
                stack += reversed(first)
                continue
            stack.pop()
            if number not in placed:
                placed.add(number)
                order.append(number)
    return tuple(order)


def _before(core: Core, number: Number) -> Iterable[Number]:
    """The values that a value's time depends on."""
    return (*operands(core, number), *parts(core).get(number, ()))


@once
def _users(core: Core) -> Mapping[Number, Sequence[Number]]:
    """The values whose times depend on a value's: also a head's, through the columns that it needs."""
    users: dict[Number, dict[Number, None]] = {}
    for number in _order(core):
        first = _before(core, number)
        if core[number].name in ATTENTION:
            first = {*first, *(column for arg in first for column in columns_for(core, arg))}
        for each in first:
            users.setdefault(each, {})[number] = None
    return {number: tuple(found) for number, found in users.items()}


@once
def tails(core: Core) -> Mapping[Number, int]:
    """For each needed op, the longest chain of attentions after it: at least that many layers must follow."""
    after = dict.fromkeys(needed(core), 0)
    for number in sorted(after, reverse=True):
        op = core[number]
        for place, arg in enumerate(op.operands):
            step = op.name in ATTENTION and core[arg].name not in LEAVES and not (place == 1 and may_ride(core, number))
            after[arg] = max(after[arg], after[number] + int(step))
    return after


class Timing:
    """When every needed value is ready, given the layers before which heads may not come (`earliest`)."""

    def __init__(self, core: Core, workshop: Workshop, budget: Budget) -> None:
        self.core, self.workshop, self.budget = core, workshop, budget
        self.earliest: dict[Number, int] = {}
        self._when: dict[Number, ValueTiming] = {}
        self._order = _order(core)
        self._place = {number: place for place, number in enumerate(self._order)}
        self._users, self._tails = _users(core), tails(core)
        self._finals = tuple({*core.body.updates.values(), core.halt})
        self.heads = sorted(number for number in self._order if core[number].name in ATTENTION)
        self._columns = {head: self._needs(head) for head in self.heads}
        for number in self._order:
            self._when[number] = self._found(number)

    def _needs(self, head: Number) -> Sequence[Number]:
        """The columns that a head needs; without those of its pointer, where it may share the head that finds it."""
        op = self.core[head]
        args = op.operands[:1] if may_ride(self.core, head) else op.operands
        return tuple(frozenset().union(*(columns_for(self.core, arg) for arg in args)))

    @property
    def at(self) -> dict[Number, int]:
        """The layer of every head: layer by layer."""
        return {head: layer for layer, head in sorted((self._when[head].ready, head) for head in self.heads)}

    @property
    def layers(self) -> int:
        """How many layers an iteration takes."""
        return max(1, *(self._when[number].ready for number in self._finals))

    def fits(self, undo: Undo, most: int) -> bool:
        """Whether an iteration takes at most `most` layers after a move (which may have been abandoned)."""
        late = any(self._when[number].first + self._tails[number] > most for number in undo.when)
        return not late and self.layers <= most

    def ready(self, number: Number) -> int:
        """The layer after which a value is available in a column; for a head, its layer."""
        return self._when[number].ready

    @property
    def all_ready(self) -> dict[Number, int]:
        """The same for every value."""
        return {number: when.ready for number, when in self._when.items()}

    def move(self, earliest: Mapping[Number, int], most: int | None = None) -> Undo:
        """Heads may not come before these layers; returns what undoes the move.

        The update is abandoned once an iteration is sure to take more than `most` layers.
        """
        undo = Undo(dict(self.earliest), {})
        self.earliest |= earliest
        waiting = sorted(self._place[head] for head in earliest)
        last = -1
        while waiting:
            place = heappop(waiting)
            if place == last:
                continue
            last = place
            number = self._order[place]
            found, before = self._found(number), self._when[number]
            if not _same(found, before):
                undo.when[number] = before
                self._when[number] = found
                if most is not None and found.first + self._tails[number] > most:
                    break
                for user in self._users.get(number, ()):
                    heappush(waiting, self._place[user])
        return undo

    def undo(self, undo: Undo) -> None:
        """Undo a move."""
        self.earliest = undo.earliest
        self._when |= undo.when

    def layer_of(self, head: Number, earliest: int) -> int:
        """The layer of a head that may not come before `earliest`."""
        first = max(1, earliest, *(1 + self._when[each].ready for each in self._columns[head]))
        if not may_ride(self.core, head):
            return first
        # A read shares the head of the search for its pointer, or comes after it.
        return max(first, self._when[self.core[head].operands[1]].ready)

    def _found(self, number: Number) -> ValueTiming:
        self.budget.spend(1)
        op = self.core[number].name
        if op in LEAVES:
            return ValueTiming({}, 0, 0)
        if op in ATTENTION:
            layer = self.layer_of(number, self.earliest.get(number, 1))
            return ValueTiming({}, layer, layer)
        return self._reached(number)

    def _reached(self, number: Number) -> ValueTiming:
        """The first layer that can compute a value, by trial: once all operands are in columns, any value can be."""
        args = self.core[number].operands
        begin = max(1, *(self._when[arg].first for arg in args))
        end = 1 + max(self._when[each].ready for each in operands(self.core, number))
        forms: dict[int, Form] = {}
        for layer in range(begin, max(begin, end) + 1):
            view = _View(self, layer)
            form = self.workshop.make(view, number)
            if form is None:
                continue
            forms[layer] = form
            if self.workshop.clean(view, number, form) is not None:
                return ValueTiming(forms, min(forms), layer)
        raise HyloopError(f"{self.core.name} cannot be scheduled: a value is out of reach.")

    def form_at(self, number: Number, layer: int) -> Form | None:
        """The form of a value in a layer; None where the layer does not reach it."""
        if self.stands(number, layer):
            if self.core[number].name == "constant":
                return self.workshop.make(_View(self, layer), number)
            return self.workshop.column(number)
        return self._when[number].forms.get(layer)

    def stands(self, number: Number, layer: int) -> bool:
        """Whether the MLP of a layer finds a value in a column."""
        when = self._when.get(number)
        if when is None:
            return False
        return when.ready < layer or (when.ready == layer and self.core[number].name in ATTENTION)


def _same(one: ValueTiming, other: ValueTiming) -> bool:
    """Whether nothing has changed. Equal forms are one object."""
    if (one.first, one.ready) != (other.first, other.ready) or one.forms.keys() != other.forms.keys():
        return False
    return all(form is other.forms[layer] for layer, form in one.forms.items())


@dataclass(frozen=True)
class Undo:
    """The values before a move, to undo it."""

    earliest: dict[Number, int]
    when: dict[Number, ValueTiming]


@dataclass(frozen=True)
class _There:
    timing: Timing
    layer: int

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.timing.stands(number, self.layer)


class _View(Forms):
    """The forms of one layer, as the timing has found them."""

    def __init__(self, timing: Timing, layer: int) -> None:
        super().__init__(timing.core, timing.workshop.bounds, _There(timing, layer), timing.workshop)
        self.timing, self.layer = timing, layer

    def known(self, number: Number) -> Form | None:
        """The form of a value, or None."""
        return self.timing.form_at(number, self.layer)


def timed(core: Core, bounds: CoreBounds, budget: Budget) -> Timing:
    """Every head as early as it can be."""
    return Timing(core, Workshop(core, bounds), budget)
