"""Which layer does what: the fewest layers, then as late as possible, so that few values wait in columns.

A head needs its operands as columns when its layer begins; what it brings is there for the layer's MLP, which has three
ReLU stages. Values that the stages of one layer cannot reach are left in a column by an earlier layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hyloop.compiler.bounds import Bounds
from hyloop.compiler.forms import Form, Forms, TooDeepError, Unit, linear
from hyloop.compiler.lower import ATTENTION, LEAVES, Graph, NodeId
from hyloop.errors import HyloopError

SEARCHES = frozenset({"argmin", "argmax", "first"})
MOST_LAYERS = 60


@dataclass(frozen=True)
class Schedule:
    """The layer (from 1) of every head, and the values that wait in columns after each layer (0: before the first)."""

    layers: int
    heads: Mapping[NodeId, int]
    waiting: tuple[frozenset[NodeId], ...]
    room: tuple[bool, ...]  # whether a layer has a head to spare, to empty columns with

    def in_layer(self, layer: int) -> list[NodeId]:
        """The heads of a layer."""
        return [node for node, at in self.heads.items() if at == layer]


def schedule(graph: Graph, bounds: Bounds, heads: int = 3) -> Schedule:
    """A schedule with at most so many heads a layer."""
    needed = _needed(graph)
    earliest: dict[NodeId, int] = {}
    at, layers, _ = _asap(graph, bounds, needed, earliest)
    for node in sorted((each for each in needed if graph[each].op in ATTENTION), reverse=True):
        for later in range(layers, at[node], -1):
            trial = earliest | {node: later}
            moved, length, _ = _asap(graph, bounds, needed, trial)
            if length == layers and _excess(graph, moved, heads) <= _excess(graph, at, heads):
                earliest, at = trial, moved
                break
    at, layers, ready = _spread_out(graph, bounds, needed, earliest, heads)
    room = tuple(len(_signatures(graph, at).get(layer, ())) < heads for layer in range(layers + 1))
    return Schedule(layers, at, _waiting(graph, bounds, at, layers, ready), room)


def least_layers(graph: Graph) -> int:
    """The longest chain of attentions inside one iteration."""
    depth: dict[NodeId, int] = {}
    for number, node in enumerate(graph.nodes):
        depth[number] = max((depth[arg] for arg in node.args), default=0)
        rides = node.op == "read" and graph[node.args[1]].op in SEARCHES
        if node.op in ATTENTION:
            depth[number] = max(depth[node.args[0]] + 1, depth[node.args[1]]) if rides else depth[number] + 1
    return max(depth[number] for number in [*graph.finals.values(), graph.halt])


def _needed(graph: Graph) -> frozenset[NodeId]:
    found: set[NodeId] = set()
    stack = [*graph.finals.values(), graph.halt]
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            stack += graph[number].args
    return frozenset(found)


def columns_for(graph: Graph, number: NodeId) -> frozenset[NodeId]:
    """The nodes that must be columns for a head to use this value: itself, or the parts of a plain sum."""
    if graph[number].op in LEAVES:
        return frozenset()
    parts = linear(graph, number)
    if parts is None:
        return frozenset({number})
    return frozenset().union(*(columns_for(graph, part) for part in parts))


def rides(graph: Graph, number: NodeId, at: Mapping[NodeId, int]) -> bool:
    """Whether a read is done by the head that finds its pointer, in the same layer."""
    node = graph[number]
    return node.op == "read" and graph[node.args[1]].op in SEARCHES and at.get(node.args[1]) == at.get(number)


def head_columns(graph: Graph, number: NodeId, at: Mapping[NodeId, int]) -> frozenset[NodeId]:
    """The nodes that must be columns when a head's layer begins."""
    args = graph[number].args[:1] if rides(graph, number, at) else graph[number].args
    return frozenset().union(*(columns_for(graph, arg) for arg in args))


def _asap(
    graph: Graph, bounds: Bounds, needed: Iterable[NodeId], earliest: Mapping[NodeId, int]
) -> tuple[dict[NodeId, int], int, dict[NodeId, int]]:
    """Every head as early as it can be (but not before `earliest`); the layers; and when each value is ready."""
    order = sorted(needed)
    ready = {number: 0 for number in order if graph[number].op in LEAVES}
    at: dict[NodeId, int] = {}
    layer = 0
    while len(ready) < len(order):
        layer += 1
        if layer > MOST_LAYERS:
            raise HyloopError(f"{graph.program.name} needs more than {MOST_LAYERS} layers.")
        before = set(ready)
        for number in order:
            if graph[number].op in ATTENTION and number not in ready and earliest.get(number, 1) <= layer:
                trial = {**at, number: layer}
                if head_columns(graph, number, trial) <= before:
                    at[number] = ready[number] = layer
        forms = Forms(graph, bounds, frozenset(before | {number for number, when in at.items() if when == layer}))
        for number in order:
            if number not in ready and graph[number].op not in ATTENTION and _can(forms, number):
                ready[number] = layer
    finals = [*graph.finals.values(), graph.halt]
    return at, max(1, *(ready[number] for number in finals)), ready


def _can(forms: Forms, number: NodeId) -> bool:
    try:
        forms.clean(number)
    except TooDeepError:
        return False
    return True


def _signature(graph: Graph, number: NodeId, at: Mapping[NodeId, int]) -> tuple[object, ...]:
    """Heads of equal signature attend alike and become one."""
    node = graph[number]
    if node.op == "times":
        return ("times", node.argument)
    if node.op == "read":
        pointer = node.args[1]
        return _signature(graph, pointer, at) if rides(graph, number, at) else ("read", pointer)
    least = {"min": "argmin", "max": "argmax"}.get(node.op, node.op)
    return (least, node.args)


def _excess(graph: Graph, at: Mapping[NodeId, int], heads: int) -> int:
    """By how many heads the layers together exceed the limit."""
    return sum(max(len(found) - heads, 0) for found in _signatures(graph, at).values())


def _signatures(graph: Graph, at: Mapping[NodeId, int]) -> dict[int, set[tuple[object, ...]]]:
    layers: dict[int, set[tuple[object, ...]]] = {}
    for number, layer in at.items():
        layers.setdefault(layer, set()).add(_signature(graph, number, at))
    return layers


def _spread_out(
    graph: Graph, bounds: Bounds, needed: Iterable[NodeId], earliest: dict[NodeId, int], heads: int
) -> tuple[dict[NodeId, int], int, dict[NodeId, int]]:
    """Move heads out of crowded layers: within the same number of layers if that is possible, else into more."""
    at, layers, ready = _asap(graph, bounds, needed, earliest)
    while _excess(graph, at, heads):
        options = []
        for number in at:
            for layer in range(1, layers + 2):
                trial = {**earliest, number: layer}
                moved, length, _ = _asap(graph, bounds, needed, trial)
                options.append((_excess(graph, moved, heads), length, number, layer))
        excess, _, number, layer = min(options, key=lambda option: (option[1] > layers, option[0], option[1]))
        if excess >= _excess(graph, at, heads):
            excess, _, number, layer = min(options)
            if excess >= _excess(graph, at, heads):
                raise HyloopError(f"{graph.program.name} does not fit into {heads} heads a layer; allow more: heads=.")
        earliest = {**earliest, number: layer}
        at, layers, ready = _asap(graph, bounds, needed, earliest)
    return at, layers, ready


# -- what waits in columns ------------------------------------------------------------------------------------------


def _waiting(
    graph: Graph, bounds: Bounds, at: Mapping[NodeId, int], layers: int, ready: Mapping[NodeId, int]
) -> tuple[frozenset[NodeId], ...]:
    """From the last layer to the first: what each layer makes decides what must wait for it in columns."""
    waiting: list[set[NodeId]] = [set() for _ in range(layers + 1)]
    for layer in range(layers, 0, -1):
        before = waiting[layer - 1]
        for number, when in at.items():
            if when == layer:
                before |= head_columns(graph, number, at)
        demand = _Demand(graph, bounds, at, layer, ready, before)
        made = [*graph.finals.values(), graph.halt] if layer == layers else []
        wanted = [number for number in [*made, *sorted(waiting[layer])] if graph[number].op not in LEAVES]
        demand.provide_all(wanted)
    return tuple(frozenset(each) for each in waiting)


@dataclass(frozen=True)
class _Demand:
    """What the MLP of a layer needs to find in columns; `before` is filled in."""

    graph: Graph
    bounds: Bounds
    at: Mapping[NodeId, int]
    layer: int
    ready: Mapping[NodeId, int]
    before: set[NodeId]

    @property
    def brought(self) -> set[NodeId]:
        """What this layer's heads bring."""
        return {head for head, when in self.at.items() if when == self.layer}

    @property
    def earlier(self) -> set[NodeId]:
        """What earlier layers' heads have brought; where it is used, it must wait in a column."""
        return {head for head, when in self.at.items() if when < self.layer}

    def provide_all(self, numbers: Sequence[NodeId]) -> None:
        """Note what must wait in columns, until nothing new must: a column can change how other values are made."""
        known = -1
        while known != len(self.before):
            known = len(self.before)
            for number in numbers:
                if self.graph[number].op in ATTENTION:
                    self.before.update({number} & self.earlier)
                else:
                    self.provide(number)

    def provide(self, number: NodeId) -> None:
        """Note what must wait in columns so that the layer's stages reach a value."""
        while not _can(Forms(self.graph, self.bounds, frozenset(self.before | self.brought)), number):
            forms = Forms(self.graph, self.bounds, frozenset(self.before | self.brought | self.earlier))
            if _can(forms, number):
                used = nodes_of(forms.clean(number)) & self.earlier - self.before
                # A value can be needed on the way and cancel out in the end; then all that could be are kept.
                self.before.update(used or _heads_under(self.graph, number) & self.earlier)
            else:
                self.before.add(self._cut(number))

    def _cut(self, number: NodeId) -> NodeId:
        """The value to leave in a column: one that is enough by itself, if there is one; else the latest."""
        there = self.before | self.brought | self.earlier
        inside = _inside(self.graph, number, there)
        candidates = sorted(each for each in inside if self.ready[each] < self.layer)
        if not candidates:
            raise HyloopError(f"{self.graph.program.name} cannot be scheduled: a value is out of reach.")
        for each in candidates:
            if _can(Forms(self.graph, self.bounds, frozenset(there | {each})), number):
                return each
        return candidates[-1]


def _heads_under(graph: Graph, number: NodeId) -> set[NodeId]:
    """The heads that a value depends on, with no other head between."""
    found: set[NodeId] = set()
    for arg in graph[number].args:
        found |= {arg} if graph[arg].op in ATTENTION else _heads_under(graph, arg)
    return found


def _inside(graph: Graph, number: NodeId, there: set[NodeId]) -> set[NodeId]:
    """The values that would be computed on the way to this one."""
    found: set[NodeId] = set()
    stack = list(graph[number].args)
    while stack:
        each = stack.pop()
        if each not in found and each not in there and graph[each].op not in LEAVES:
            found.add(each)
            stack += graph[each].args
    return found


def nodes_of(form: Form) -> set[NodeId]:
    """The nodes that a form is made of."""
    found: set[NodeId] = set()
    for atom, _ in form.terms:
        if isinstance(atom, Unit):
            found |= nodes_of(atom.form)
        elif isinstance(atom, int):
            found.add(atom)
    return found


# -- the paper's way of counting ------------------------------------------------------------------------------------


def one_a_layer(graph: Graph) -> Schedule:
    """One operation a layer, in order; the last layer writes the states."""
    order = [number for number in sorted(_needed(graph)) if graph[number].op not in LEAVES]
    finals = {*graph.finals.values(), graph.halt}
    inner = [number for number in order if number not in finals or _is_used(graph, number)]
    layers = len(inner) + 1
    place = {number: layer for layer, number in enumerate(inner, start=1)}
    last = {number: layers if number in finals else _last_use(graph, number, order, place) for number in inner}
    waiting = tuple(
        frozenset(number for number in inner if place[number] <= layer < last[number]) for layer in range(layers + 1)
    )
    heads = {number: place[number] for number in inner if graph[number].op in ATTENTION}
    return Schedule(layers, heads, waiting, (True,) * (layers + 1))


def _last_use(graph: Graph, number: NodeId, order: Sequence[NodeId], place: Mapping[NodeId, int]) -> int:
    users = [user for user in order if number in graph[user].args]
    return max((place.get(user, len(place) + 1) for user in users), default=0)


def _is_used(graph: Graph, number: NodeId) -> bool:
    return any(number in node.args for node in graph.nodes) or graph[number].op in ATTENTION


def least_for_any_schedule(graph: Graph) -> int:
    """The largest ratio of attentions to iterations over the cycles of dependence, rounded up.

    No schedule has fewer layers, not even one that begins the next iteration's work early. (Karp's theorem on the
    longest mean cycle, over the states.)
    """
    names = list(graph.finals)
    edges = {name: _attentions_from(graph, name) for name in names}
    best = 1
    walks = [dict.fromkeys(names, 0)]
    for _ in names:
        walks.append({target: _longest_walk(walks[-1], edges, target) for target in names})
    last = len(names)
    for name in names:
        if walks[last][name] < 0:
            continue
        ratios = [-(-(walks[last][name] - walks[k][name]) // (last - k)) for k in range(last) if walks[k][name] >= 0]
        best = max(best, min(ratios, default=1))
    return best


def _longest_walk(before: Mapping[str, int], edges: Mapping[str, Mapping[str, int]], target: str) -> int:
    return max((before[source] + edge[target] for source, edge in edges.items() if target in edge), default=-(10**9))


def _attentions_from(graph: Graph, state: str) -> dict[str, int]:
    """For every state that depends on this one, the most attentions on the way within one iteration."""
    depth: dict[NodeId, int] = {}
    for number, node in enumerate(graph.nodes):
        if node.op == "state" and node.argument == state:
            depth[number] = 0
        known = [(place, depth[arg]) for place, arg in enumerate(node.args) if arg in depth]
        if known:
            riding = node.op == "read" and graph[node.args[1]].op in SEARCHES
            costs = [count + (node.op in ATTENTION and not (riding and place == 1)) for place, count in known]
            depth[number] = max(costs)
    return {name: depth[final] for name, final in graph.finals.items() if final in depth}
