"""Scheduling: the fewest layers, then each head as late as possible, so that lifetimes are short.

A head needs its operands in columns when its layer begins; its output is available to the layer's MLP, which has
three ReLU stages. Values that the stages of one layer cannot compute are put into a column by an earlier layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyloop.compiler.bounds import CoreBounds
from hyloop.compiler.effort import spend
from hyloop.compiler.forms import WALK, Form, Growing, Unit, Workshop
from hyloop.compiler.lower import ATTENTION, Core, Number
from hyloop.compiler.tables import table
from hyloop.compiler.timing import FINDERS, Budget, Timing, columns_for, may_ride, needed, tails
from hyloop.errors import HyloopError
from hyloop.lang.ops import LEAVES, require_entries

SEARCH = 100_000  # steps for moving heads; the largest of the shipped algorithms takes 8,000
WIDE = 8  # a value gets a column itself, rather than this many others for it
NEVER = -(10**9)  # attentions on a path that does not exist
LOOK = 20_000  # steps for choosing what to hold in columns; the largest of the shipped algorithms takes 1,100


@dataclass(frozen=True)
class Schedule:
    """The layer (from 1) of every head, and the values held in columns after each layer (0: before the first)."""

    layers: int
    heads: Mapping[Number, int]
    waiting: tuple[frozenset[Number], ...]
    room: tuple[bool, ...]  # whether a layer has a free head, to erase columns with

    def different_heads(self, core: Core) -> int:
        """How many heads all layers have together, without those that erase columns."""
        return sum(len(found) for found in _signatures(core, self.heads).values())

    def in_layer(self, layer: int) -> list[Number]:
        """The heads of a layer."""
        return [head for head, at in self.heads.items() if at == layer]


def schedule(core: Core, bounds: CoreBounds, heads: int = 3, budget: Budget | None = None) -> Schedule:
    """A schedule with at most `heads` heads per layer: the best that the step budget finds."""
    if heads < 1:
        raise HyloopError(f"{core.name} does not fit into {heads} heads a layer; allow more: heads=.")
    workshop, search = Workshop(core, bounds), Budget(SEARCH)
    timing = _best(core, workshop, heads, search)
    at, layers = timing.at, timing.layers
    room = tuple(len(_signatures(core, at).get(layer, ())) < heads for layer in range(layers + 1))
    made = Schedule(layers, at, _waiting(core, workshop, at, layers, timing.all_ready), room)
    if budget is not None:
        budget.spend(search.spent + workshop.steps)
    return made


def _best(core: Core, workshop: Workshop, heads: int, search: Budget) -> Timing:
    """The schedule found by search; by list scheduling, if the search exceeds its budget or gives more layers."""
    searched = _searched(Timing(core, workshop, search), heads)
    if searched is not None and searched.layers <= fewest_layers(core, heads):
        return searched
    dealt = _dealt(Timing(core, workshop, Budget(SEARCH)), heads)
    return dealt if searched is None or dealt.layers < searched.layers else searched


def fewest_layers(core: Core, heads: int) -> int:
    """A lower bound of the layers: by the longest chain of attentions, and by the limit of heads per layer."""
    alike = {
        _signature(core, number, {})
        for number in needed(core)
        if core[number].name in ATTENTION and not may_ride(core, number)
    }
    return max(least_layers(core), -(-len(alike) // heads))


def least_layers(core: Core) -> int:
    """The longest chain of attentions inside one iteration."""
    depth: dict[Number, int] = {}
    for number, op in enumerate(core.body.ops):
        depth[number] = max((depth[arg] for arg in op.operands), default=0)
        rides = op.name == "read" and core[op.operands[1]].name in FINDERS
        if op.name in ATTENTION:
            depth[number] = max(depth[op.operands[0]] + 1, depth[op.operands[1]]) if rides else depth[number] + 1
    return max(depth[number] for number in [*core.body.updates.values(), core.halt])


def rides(core: Core, number: Number, at: Mapping[Number, int]) -> bool:
    """Whether a read is done by the head that finds its pointer, in the same layer."""
    op = core[number]
    return op.name == "read" and core[op.operands[1]].name in FINDERS and at.get(op.operands[1]) == at.get(number)


def head_columns(core: Core, number: Number, at: Mapping[Number, int]) -> frozenset[Number]:
    """The values that must be columns when a head's layer begins."""
    args = core[number].operands[:1] if rides(core, number, at) else core[number].operands
    return frozenset().union(*(columns_for(core, arg) for arg in args))


# A search for a row and one for its entry have the same attention. (`_signature` has that of products, reads, means.)
ATTENDS_AS: Mapping[str, str] = {
    "quarter": "quarter",
    "quotient": "quotient",
    "argmin": "argmin",
    "min": "argmin",
    "argmax": "argmax",
    "max": "argmax",
    "first": "first",
    "any": "any",
}
require_entries("how heads attend", ATTENDS_AS, ATTENTION - {"times", "read", "mean"})


def _signature(core: Core, number: Number, at: Mapping[Number, int]) -> tuple[object, ...]:
    """Heads of equal signature have the same attention and become one."""
    op = core[number]
    if op.name == "times":
        return ("times", op.argument)
    if op.name == "mean":
        return ("mean", core[op.operands[0]].type.scope)
    if op.name == "read":
        pointer = op.operands[1]
        return _signature(core, pointer, at) if rides(core, number, at) else ("read", pointer)
    return (ATTENDS_AS[op.name], op.operands)


def _signatures(core: Core, at: Mapping[Number, int]) -> dict[int, set[tuple[object, ...]]]:
    layers: dict[int, set[tuple[object, ...]]] = {}
    for number, layer in at.items():
        layers.setdefault(layer, set()).add(_signature(core, number, at))
    return layers


class _Crowd:
    """How full the layers of a timing are."""

    def __init__(self, timing: Timing, heads: int) -> None:
        core = timing.core
        self.timing, self.heads = timing, heads
        alone = {head: _signature(core, head, {}) for head in timing.heads if not may_ride(core, head)}
        self._alone = alone | {head: ("read", core[head].operands[1]) for head in timing.heads if may_ride(core, head)}
        self._pointer = {head: core[head].operands[1] for head in timing.heads if may_ride(core, head)}

    def signature(self, head: Number) -> tuple[object, ...]:
        """How a head attends."""
        pointer = self._pointer.get(head)
        if pointer is not None and self.timing.ready(pointer) == self.timing.ready(head):
            return self._alone[pointer]
        return self._alone[head]

    def excess(self) -> int:
        """The number of heads above the limit, summed over the layers."""
        spend(len(self.timing.heads))
        layers: dict[int, set[tuple[object, ...]]] = {}
        for head in self.timing.heads:
            layers.setdefault(self.timing.ready(head), set()).add(self.signature(head))
        return sum(max(len(found) - self.heads, 0) for found in layers.values())

    def groups(self, layer: int) -> dict[tuple[object, ...], list[Number]]:
        """The heads of a layer, by how they attend."""
        spend(len(self.timing.heads))
        found: dict[tuple[object, ...], list[Number]] = {}
        for head in self.timing.heads:
            if self.timing.ready(head) == layer:
                found.setdefault(self.signature(head), []).append(head)
        return found


def _searched(timing: Timing, heads: int) -> Timing | None:
    """As late as possible in the fewest layers; then heads leave crowded layers. None where the budget is too small."""
    crowd = _Crowd(timing, heads)
    _put_off(timing, crowd)
    return timing if _spread_out(timing, crowd) else None


def _put_off(timing: Timing, crowd: _Crowd) -> None:
    """Every head as late as the number of layers allows, so that few values are held in columns."""
    layers, excess, after = timing.layers, crowd.excess(), tails(timing.core)
    for head in reversed(timing.heads):
        for later in range(layers - after[head], timing.ready(head), -1):
            if timing.budget.left <= 0:
                return
            undo = timing.move({head: later}, layers)
            now = crowd.excess() if timing.fits(undo, layers) else excess + 1
            if now <= excess:
                excess = now
                break
            timing.undo(undo)


def _spread_out(timing: Timing, crowd: _Crowd) -> bool:
    """Move heads out of crowded layers: within the same number of layers if that is possible, else into more."""
    while excess := crowd.excess():
        layers = timing.layers
        options = [option for option in _moves(timing, crowd) if option[0] < excess]
        if timing.budget.left <= 0 or not options:
            return False
        within = [option for option in options if option[1] <= layers]
        _, _, head, layer = min(within, key=lambda option: option[:2]) if within else min(options)
        timing.move({head: layer})
    return True


def _moves(timing: Timing, crowd: _Crowd) -> Iterator[tuple[int, int, Number, int]]:
    """The outcome of every move of one head: the excess, the layers, and the move."""
    for head in timing.at:
        for layer in range(1, timing.layers + 2):
            if timing.layer_of(head, layer) == timing.ready(head):
                continue
            if timing.budget.left <= 0:
                return
            undo = timing.move({head: layer})
            yield crowd.excess(), timing.layers, head, layer
            timing.undo(undo)


def _dealt(timing: Timing, heads: int) -> Timing:
    """List scheduling: layer by layer, heads with the longest chain of successors go first. One pass, no search."""
    crowd, after = _Crowd(timing, heads), tails(timing.core)
    layer = 0
    while layer < max(timing.at.values(), default=0):
        layer += 1
        groups = sorted(crowd.groups(layer).values(), key=lambda group: (-max(after[head] for head in group), group))
        timing.move({head: layer + 1 for group in groups[heads:] for head in group})
    return timing


# -- what is held in columns ----------------------------------------------------------------------------------------


def _waiting(
    core: Core, workshop: Workshop, at: Mapping[Number, int], layers: int, ready: Mapping[Number, int]
) -> tuple[frozenset[Number], ...]:
    """From the last layer to the first: what each layer computes decides what must be held in columns for it."""
    waiting: list[set[Number]] = [set() for _ in range(layers + 1)]
    enough = workshop.steps + LOOK
    for layer in range(layers, 0, -1):
        before = waiting[layer - 1]
        for number, when in at.items():
            if when == layer:
                before |= head_columns(core, number, at)
        demand = _Demand(workshop, at, layer, ready, before, enough)
        made = [*core.body.updates.values(), core.halt] if layer == layers else []
        wanted = [number for number in [*made, *sorted(waiting[layer])] if core[number].name not in LEAVES]
        demand.provide_all(wanted)
    return tuple(frozenset(each) for each in waiting)


class _Demand:
    """The values that the MLP of a layer needs in columns, collected in `before`.

    `brought` are outputs of this layer's heads; outputs of `earlier` layers' heads must be held if they are used.
    """

    def __init__(
        self,
        workshop: Workshop,
        at: Mapping[Number, int],
        layer: int,
        ready: Mapping[Number, int],
        before: set[Number],
        enough: int,
    ) -> None:
        self.core, self.workshop, self.layer, self.ready, self.before = workshop.core, workshop, layer, ready, before
        self.enough = enough  # the step count of the workshop at which the search ends
        self.brought = frozenset(head for head, when in at.items() if when == layer)
        self.earlier = frozenset(head for head, when in at.items() if when < layer)
        self._forget(before)

    def _forget(self, known: Iterable[Number]) -> None:
        """Keep only these in `before`."""
        self.before.intersection_update(known)
        self.forms = Growing(self.workshop, self.before | self.brought)
        self.forms_with_earlier = Growing(self.workshop, self.before | self.brought | self.earlier)

    def wait(self, numbers: Iterable[Number]) -> None:
        """Add these to `before`: they must be held in columns."""
        new = set(numbers)
        self.before |= new
        self.forms.put(new)
        self.forms_with_earlier.put(new)

    def provide_all(self, numbers: Sequence[Number]) -> None:
        """Collect what must be held in columns, to a fixed point: a column can change the forms of other values."""
        known = -1
        while known != len(self.before):
            known = len(self.before)
            for number in numbers:
                if self.core[number].name in ATTENTION:
                    self.wait({number} & self.earlier)
                else:
                    self.provide(number)

    def provide(self, number: Number) -> None:
        """Collect what must be in columns so that the layer can compute a value; or the value itself, if cheaper."""
        spend(1 + len(self.before) // WALK)
        known = frozenset(self.before)
        while not self.forms.can(number):
            more = self._lacking(number)
            wide = WIDE if self.workshop.steps <= self.enough else 1
            if len(self.before | more) > len(known) + wide and self.ready[number] < self.layer:
                self._forget(known)
                more = {number}
            self.wait(more)

    def _lacking(self, number: Number) -> Set[Number]:
        """Some of what must be held in columns so that the layer's stages can compute a value."""
        forms = self.forms_with_earlier
        if not forms.can(number):
            return self._cut(number)
        used = values_in(forms.clean(number)) & self.earlier - self.before
        # A value can be needed as an intermediate and cancel out in the end; then all candidates are kept.
        return used or heads_under(self.core, number) & self.earlier

    def _cut(self, number: Number) -> set[Number]:
        """What to hold in columns: a value that is enough by itself, if there is one; else the latest."""
        forms = self.forms_with_earlier
        if self.workshop.steps > self.enough and (latest := self._out_of_reach(number)):
            return latest
        inside = _inside(self.core, number, forms.columns)
        candidates = sorted(each for each in inside if self.ready[each] < self.layer)
        if not candidates:
            raise HyloopError(f"{self.core.name} cannot be scheduled: a value is out of reach.")
        for each in candidates:
            if self.workshop.steps > self.enough:
                break
            if forms.beside(each).can(number):
                return {each}
        return {candidates[-1]}

    def _out_of_reach(self, number: Number) -> set[Number]:
        """The latest values under this one that earlier layers can compute and this layer cannot: all at once."""
        found: set[Number] = set()
        seen: set[Number] = set()
        stack = list(self.core[number].operands)
        while stack:
            each = stack.pop()
            if each in seen or self.forms_with_earlier.known(each) is not None:
                continue
            seen.add(each)
            if self.ready[each] < self.layer:
                found.add(each)
            else:
                stack += self.core[each].operands
        return found


@table
def heads_under(core: Core, number: Number, under: Sequence[frozenset[Number]]) -> frozenset[Number]:
    """The heads that a value depends on, with no other head between."""
    args = core[number].operands
    return frozenset().union(*({arg} if core[arg].name in ATTENTION else under[arg] for arg in args))


def _inside(core: Core, number: Number, there: set[Number]) -> set[Number]:
    """The intermediate values of this one that are not in columns."""
    found: set[Number] = set()
    stack = list(core[number].operands)
    while stack:
        each = stack.pop()
        if each not in found and each not in there and core[each].name not in LEAVES:
            found.add(each)
            stack += core[each].operands
    return found


def values_in(form: Form) -> set[Number]:
    """The values that a form is made of."""
    found: set[Number] = set()
    seen: set[Unit] = set()
    stack = [form]
    while stack:
        for atom, _ in stack.pop().terms:
            if isinstance(atom, int):
                found.add(atom)
            elif isinstance(atom, Unit) and atom not in seen:
                seen.add(atom)
                stack.append(atom.form)
    return found


# -- the paper's way of counting ------------------------------------------------------------------------------------


def one_a_layer(core: Core) -> Schedule:
    """One operation per layer, in order; the last layer writes the states."""
    order = [number for number in sorted(needed(core)) if core[number].name not in LEAVES]
    finals = {*core.body.updates.values(), core.halt}
    used = {arg for op in core.body.ops for arg in op.operands}
    inner = [number for number in order if number not in finals or number in used or core[number].name in ATTENTION]
    layers = len(inner) + 1
    place = {number: layer for layer, number in enumerate(inner, start=1)}
    last = dict.fromkeys(inner, 0)
    for user in order:
        for arg in core[user].operands:
            if arg in last:
                last[arg] = max(last[arg], place.get(user, layers))
    last |= {number: layers for number in inner if number in finals}
    waiting: list[set[Number]] = [set() for _ in range(layers + 1)]
    for number in inner:
        for layer in range(place[number], last[number]):
            waiting[layer].add(number)
    heads = {number: place[number] for number in inner if core[number].name in ATTENTION}
    return Schedule(layers, heads, tuple(frozenset(each) for each in waiting), (True,) * (layers + 1))


def least_for_any_schedule(core: Core) -> int:
    """The largest ratio of attentions to iterations over the cycles of dependence, rounded up.

    No schedule has fewer layers, not even one that begins the next iteration's work early. (Karp's theorem on the
    longest mean cycle, over the states.)
    """
    edges = _attentions_between(core)
    count = len(edges)
    walks = [np.zeros(count, dtype=np.int64)]  # the most attentions on walks of 0, 1, 2, ... iterations to each state
    for _ in range(count):
        walks.append((walks[-1][:, None] + edges).max(axis=0))
    best = 1
    for last, *rest in zip(walks[-1].tolist(), *(walk.tolist() for walk in walks[:-1]), strict=True):
        if last >= 0:
            ratios = [-(-(last - walk) // (count - length)) for length, walk in enumerate(rest) if walk >= 0]
            best = max(best, min(ratios, default=1))
    return best


def _attentions_between(core: Core) -> npt.NDArray[np.int64]:
    """From every state (row) to every state that depends on it, the most attentions on a path in one iteration.

    For all states at once: a program may have 500, each of which depends on all.
    """
    place = {name: number for number, name in enumerate(core.body.updates)}
    depth = np.full((len(core.body.ops), len(place)), NEVER, dtype=np.int64)
    for number, op in enumerate(core.body.ops):
        if op.name == "state":
            depth[number, place[str(op.argument)]] = 0
        for operand, arg in enumerate(op.operands):
            attends = op.name in ATTENTION and not (operand == 1 and may_ride(core, number))
            np.maximum(depth[number], depth[arg] + int(attends), out=depth[number])
    found = depth[list(core.body.updates.values())].T
    return np.where(found < 0, NEVER, found)
