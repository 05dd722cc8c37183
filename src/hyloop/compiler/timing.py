"""When every value is ready, if each head comes as early as it can; and, without starting again, what a change changes.

A value is ready in the first layer whose three stages reach it. That depends on its operands alone: on the layers after
which they stand in columns, and on their forms before that. So one pass over the graph finds all, and when one head is
moved, only what depends on it is looked at again, as far as something changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from hyloop.compiler.bounds import Bounds
from hyloop.compiler.forms import Form, Forms, Workshop, linear, operands, parts
from hyloop.compiler.lower import ATTENTION, LEAVES, Graph, NodeId
from hyloop.compiler.tables import once, table
from hyloop.errors import HyloopError

SEARCHES = frozenset({"argmin", "argmax", "first"})


@table
def columns_for(graph: Graph, number: NodeId, known: Sequence[frozenset[NodeId]]) -> frozenset[NodeId]:
    """The nodes that must be columns for a head to use this value: itself, or the parts of a plain sum."""
    if graph[number].op in LEAVES:
        return frozenset()
    summed = linear(graph, number)
    if summed is None:
        return frozenset({number})
    return frozenset().union(*(known[part] for part in summed))


@once
def needed(graph: Graph) -> frozenset[NodeId]:
    """The nodes that what the states become, and the halt, depend on."""
    found: set[NodeId] = set()
    stack = [*graph.finals.values(), graph.halt]
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            stack += graph[number].args
    return frozenset(found)


def may_ride(graph: Graph, number: NodeId) -> bool:
    """Whether a read could be done by the head that finds its pointer."""
    node = graph[number]
    return node.op == "read" and graph[node.args[1]].op in SEARCHES


@dataclass
class Budget:
    """How many steps a search may take. Steps, not seconds: the same program gives the same weights everywhere."""

    left: int
    spent: int = field(default=0)

    def spend(self, steps: int) -> None:
        """Count some steps."""
        self.left -= steps
        self.spent += steps


@dataclass(frozen=True)
class When:
    """The first layer that reaches a value's form, the forms from there on, and the layer that leaves it ready."""

    forms: Mapping[int, Form]
    first: int
    ready: int


@once
def _order(graph: Graph) -> tuple[NodeId, ...]:
    """The needed nodes in order of dependence. A conjunction may use a part of it, so that comes before it too."""
    wanted = needed(graph)
    placed: set[NodeId] = set()
    order: list[NodeId] = []
    for root in sorted(wanted):
        stack = [root]
        while stack:
            number = stack[-1]
            first = [each for each in _before(graph, number) if each not in placed and each in wanted]
            if first:
                stack += reversed(first)
                continue
            stack.pop()
            if number not in placed:
                placed.add(number)
                order.append(number)
    return tuple(order)


def _before(graph: Graph, number: NodeId) -> Iterable[NodeId]:
    """What a value's time depends on."""
    return (*operands(graph, number), *parts(graph).get(number, ()))


@once
def _users(graph: Graph) -> Mapping[NodeId, Sequence[NodeId]]:
    """The values whose times depend on a value's: also a head's, through the columns that it needs."""
    users: dict[NodeId, dict[NodeId, None]] = {}
    for number in _order(graph):
        first = _before(graph, number)
        if graph[number].op in ATTENTION:
            first = {*first, *(column for arg in first for column in columns_for(graph, arg))}
        for each in first:
            users.setdefault(each, {})[number] = None
    return {number: tuple(found) for number, found in users.items()}


@once
def tails(graph: Graph) -> Mapping[NodeId, int]:
    """For each needed node, the longest chain of attentions after it: so many layers at least must follow."""
    after = dict.fromkeys(needed(graph), 0)
    for number in sorted(after, reverse=True):
        node = graph[number]
        for place, arg in enumerate(node.args):
            step = node.op in ATTENTION and graph[arg].op not in LEAVES and not (place == 1 and may_ride(graph, number))
            after[arg] = max(after[arg], after[number] + int(step))
    return after


class Timing:
    """When every needed value is ready, given the layers before which heads may not come (`earliest`)."""

    def __init__(self, graph: Graph, workshop: Workshop, budget: Budget) -> None:
        self.graph, self.workshop, self.budget = graph, workshop, budget
        self.earliest: dict[NodeId, int] = {}
        self._when: dict[NodeId, When] = {}
        self._order = _order(graph)
        self._place = {number: place for place, number in enumerate(self._order)}
        self._users, self._tails = _users(graph), tails(graph)
        self._finals = tuple({*graph.finals.values(), graph.halt})
        self.heads = sorted(number for number in self._order if graph[number].op in ATTENTION)
        self._columns = {head: self._needs(head) for head in self.heads}
        for number in self._order:
            self._when[number] = self._found(number)

    def _needs(self, head: NodeId) -> Sequence[NodeId]:
        """The columns that a head needs; where it may ride, without those for its pointer."""
        node = self.graph[head]
        args = node.args[:1] if may_ride(self.graph, head) else node.args
        return tuple(frozenset().union(*(columns_for(self.graph, arg) for arg in args)))

    @property
    def at(self) -> dict[NodeId, int]:
        """The layer of every head: layer by layer."""
        return {head: layer for layer, head in sorted((self._when[head].ready, head) for head in self.heads)}

    @property
    def layers(self) -> int:
        """How many layers an iteration takes."""
        return max(1, *(self._when[number].ready for number in self._finals))

    def fits(self, undo: Undo, most: int) -> bool:
        """Whether an iteration takes at most so many layers after a move (which may have ended half done)."""
        late = any(self._when[number].first + self._tails[number] > most for number in undo.when)
        return not late and self.layers <= most

    def ready(self, number: NodeId) -> int:
        """The layer after which a value stands in a column; for a head, its layer."""
        return self._when[number].ready

    @property
    def all_ready(self) -> dict[NodeId, int]:
        """The same for every value."""
        return {number: when.ready for number, when in self._when.items()}

    def move(self, earliest: Mapping[NodeId, int], most: int | None = None) -> Undo:
        """Heads may not come before these layers; returns what puts all back as it was.

        Where an iteration is sure to take more than `most` layers then, the work ends half done.
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
        """Put back what a move has changed."""
        self.earliest = undo.earliest
        self._when |= undo.when

    def layer_of(self, head: NodeId, earliest: int) -> int:
        """The layer of a head that may not come before `earliest`."""
        first = max(1, earliest, *(1 + self._when[each].ready for each in self._columns[head]))
        if not may_ride(self.graph, head):
            return first
        # A read rides with the search for its pointer, or comes after it.
        return max(first, self._when[self.graph[head].args[1]].ready)

    def _found(self, number: NodeId) -> When:
        self.budget.spend(1)
        op = self.graph[number].op
        if op in LEAVES:
            return When({}, 0, 0)
        if op in ATTENTION:
            layer = self.layer_of(number, self.earliest.get(number, 1))
            return When({}, layer, layer)
        return self._reached(number)

    def _reached(self, number: NodeId) -> When:
        """The first layer that reaches a value, by trying: once all operands stand in columns, every value is."""
        args = self.graph[number].args
        begin = max(1, *(self._when[arg].first for arg in args))
        end = 1 + max(self._when[each].ready for each in operands(self.graph, number))
        forms: dict[int, Form] = {}
        for layer in range(begin, max(begin, end) + 1):
            view = _View(self, layer)
            form = self.workshop.make(view, number)
            if form is None:
                continue
            forms[layer] = form
            if self.workshop.clean(view, number, form) is not None:
                return When(forms, min(forms), layer)
        raise HyloopError(f"{self.graph.program.name} cannot be scheduled: a value is out of reach.")

    def form_at(self, number: NodeId, layer: int) -> Form | None:
        """The form of a value in a layer; None where the layer does not reach it."""
        if self.stands(number, layer):
            if self.graph[number].op == "constant":
                return self.workshop.make(_View(self, layer), number)
            return self.workshop.column(number)
        return self._when[number].forms.get(layer)

    def stands(self, number: NodeId, layer: int) -> bool:
        """Whether the MLP of a layer finds a value in a column."""
        when = self._when.get(number)
        if when is None:
            return False
        return when.ready < layer or (when.ready == layer and self.graph[number].op in ATTENTION)


def _same(one: When, other: When) -> bool:
    """Whether nothing has changed. Equal forms are one object."""
    if (one.first, one.ready) != (other.first, other.ready) or one.forms.keys() != other.forms.keys():
        return False
    return all(form is other.forms[layer] for layer, form in one.forms.items())


@dataclass(frozen=True)
class Undo:
    """What was so before a move."""

    earliest: dict[NodeId, int]
    when: dict[NodeId, When]


@dataclass(frozen=True)
class _There:
    timing: Timing
    layer: int

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.timing.stands(number, self.layer)


class _View(Forms):
    """The forms of one layer, as the timing has found them."""

    def __init__(self, timing: Timing, layer: int) -> None:
        super().__init__(timing.graph, timing.workshop.bounds, _There(timing, layer), timing.workshop)
        self.timing, self.layer = timing, layer

    def known(self, number: NodeId) -> Form | None:
        """The form of a value, or None."""
        return self.timing.form_at(number, self.layer)


def timed(graph: Graph, bounds: Bounds, budget: Budget) -> Timing:
    """Every head as early as it can be."""
    return Timing(graph, Workshop(graph, bounds), budget)
