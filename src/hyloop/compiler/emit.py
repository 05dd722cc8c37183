"""From a schedule to weights: columns are allocated, forms become units, heads get queries, keys and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from hyloop.compiler.bounds import CoreBounds
from hyloop.compiler.columns import Placing, place
from hyloop.compiler.effort import require_weights, spend
from hyloop.compiler.forms import EVERYWHERE, ONE, OWN_NUMBER, STAGES, ZERO, Form, Forms, Unit
from hyloop.compiler.heaviest import TooLargeError
from hyloop.compiler.lower import ATTENTION, Core
from hyloop.compiler.lower import Number as NodeId
from hyloop.compiler.schedule import Schedule, rides
from hyloop.compiler.verify import verify_placing
from hyloop.lang.bounds import input_bound
from hyloop.lang.kinds import INFINITY, Kind, Scope
from hyloop.lang.matrices import SIDES, uses_direction
from hyloop.lang.ops import TABLES, require_entries
from hyloop.lang.program import Input, State
from hyloop.lang.program import Op as Node
from hyloop.lang.purpose import Purpose
from hyloop.lang.text import to_text
from hyloop.machine.layer import KEY_SIZE, Head, HeadKind, Layer, Mlp, join
from hyloop.machine.layout import (
    MOST_TABLE,
    STANDARD,
    Cardinality,
    Column,
    ColumnScope,
    Entries,
    Everywhere,
    Fill,
    InitialTerm,
    Layout,
    Numbers,
    QuarterSquares,
    Region,
    Weights,
    largest_written,
    state_column,
)
from hyloop.machine.model import EXACT, Certificate, DType, Model
from hyloop.machine.positions import Parabola
from hyloop.machine.purpose import Brought, HeadPurpose, Held, UnitPurpose
from hyloop.numbers import counted

REGION: Mapping[Scope, tuple[Region, ...]] = {
    Scope.SCALAR: ("global", "rows"),
    Scope.VERTICES: ("vertices",),
    Scope.HYPEREDGES: ("hyperedges",),
}
KINDS: Mapping[str, HeadKind] = {name: name for name in get_args(HeadKind) if name != "plain"}
assert KINDS.keys() == SIDES.keys()
HALT, STARTED = "halt", "started"
WEIGHTS_A_STEP = 500  # entries that are zeroed, added or copied in the time of one step


def emit(graph: Core, bounds: CoreBounds, schedule: Schedule, dtype: DType, table: int = MOST_TABLE) -> Model:
    """The model of a scheduled graph; refused where it needs more than `table` rows to look numbers up in."""
    _require_table(graph, bounds, table, EXACT[dtype])
    columns = _fixed_columns(graph, bounds)
    placing = verify_placing(schedule, place(graph, bounds, schedule))
    temporaries = tuple(Column(name, "array", role="temporary") for name in placing.temporaries)
    directed = uses_direction(graph.source)
    layout = Layout((*columns, *temporaries), Parabola(), HALT, "ones", directed=directed, least=bounds.least)
    emitter = _Emitter(graph, bounds, schedule, placing, layout, EXACT[dtype])
    layers = emitter.layers()
    width = max(layer.mlp.width for layer in layers)
    if width > len(layout):  # the machine has as many hidden units as columns: spare columns make room for units
        spare = tuple(Column(f"spare {number + 1}", "array", role="spare") for number in range(width - len(layout)))
        layout = replace(layout, columns=(*layout.columns, *spare))
        emitter = _Emitter(graph, bounds, schedule, placing, layout, EXACT[dtype])
        layers = emitter.layers()
    certificate = Certificate(*emitter.largest)
    return Model(
        graph.source.name,
        layout,
        layers,
        bounds.capacity,
        dtype,
        program=to_text(graph.source),
        certificate=certificate,
        infinity=bounds.omega,
        held=tuple(_held(graph, placing, layout)),
    )


def _require_table(graph: Core, bounds: CoreBounds, most: int, limit: int) -> None:
    if bounds.least > most:
        number = bounds.least * limit // most  # as if that were what is too large, so that the search for a weight ends
        why = (
            f"its products and quotients look up numbers up to {counted(bounds.least)}, each in a row of its own; a "
            f"model has {most:,} rows for that"
        )
        raise TooLargeError(
            f"{graph.source.name}: {why}. Lower the capacity (rows, weight), or keep the numbers smaller: "
            "`smaller(x, bound)`, `at_most`.",
            number,
            "the number of rows",
            why,
        )


def _held(graph: Core, placing: Placing, layout: Layout) -> Iterator[Held]:
    """The contents of temporary columns after each layer: whole values and parts of them."""
    for layer, after in enumerate(placing.after):
        for number, column in after.items():
            if purposes := graph[number].purposes:
                yield Held(layer, layout.number(column), purposes)


# -- columns --------------------------------------------------------------------------------------------------------


def _fixed_columns(graph: Core, bounds: CoreBounds) -> tuple[Column, ...]:
    used = {node.name for node in graph.body.ops}
    used |= {str(node.argument) for node in graph.body.ops if node.name == "size"}
    used |= {"n_v" if node.type.kind is Kind.VERTEX else "n_e" for node in graph.body.ops if node.name == "next"}
    ordinals = [node for node in graph.body.ops if node.name == "ordinal"]
    used |= {"n_v" if node.argument is Scope.VERTICES else "n_e" for node in ordinals}
    extra: list[Column] = [
        Column("vertices", "array", (Fill(1, "vertices"),), "class", "vertices"),
        Column("hyperedges", "array", (Fill(1, "hyperedges"),), "class", "hyperedges"),
    ]
    owned = {node.argument for node in graph.body.ops if node.name == "own" and bounds.tables}
    numbers = {Scope.VERTICES: Numbers("vertices"), Scope.HYPEREDGES: Numbers("hyperedges")}
    for scope, placed in numbers.items():
        if scope in owned:
            extra.append(Column(OWN_NUMBER[scope], "array", (placed,), "position", "number"))
    if "quarter" in used:
        extra.append(Column("quarter squares", "array", (QuarterSquares(),), "position", "quarter"))
    if "weight" in used:
        extra.append(Column("weight", "array", (Weights(),), "weight"))
    if "n_v" in used:
        extra.append(Column("n_v", "uniform", (Cardinality("vertices"),), "size", "vertices"))
    if "n_e" in used:
        extra.append(Column("n_e", "uniform", (Cardinality("hyperedges"),), "size", "hyperedges"))
    if graph.source.begins:
        extra.append(Column(STARTED, "uniform", role="started"))
    extra += [_input_column(given, bounds) for given in graph.source.inputs if "input" in used]
    extra += [_state_column(state, bounds) for state in graph.states if state.role == "written"]
    extra += [_ahead_column(state, bounds) for state in graph.states if state.role == "ahead"]
    return (*STANDARD, *extra, Column(HALT, "uniform", role="halt"))


def _input_column(given: Input, bounds: CoreBounds) -> Column:
    most = input_bound(given, bounds.capacity.rows, bounds.capacity.weight)
    scope = given.type.scope
    if scope is Scope.SCALAR:
        return Column(f"input {given.name}", "uniform", (Everywhere(given.name, most),), "input", given.name)
    of: Literal["vertices", "hyperedges"] = "vertices" if scope is Scope.VERTICES else "hyperedges"
    return Column(f"input {given.name}", "array", (Entries(given.name, of, most),), "input", given.name)


def _state_column(state: State, bounds: CoreBounds) -> Column:
    return Column(state_column(state.name), _scope(state), _initial(state, bounds), "state", state.name)


def _ahead_column(state: State, bounds: CoreBounds) -> Column:
    """A value that the end of an iteration computes for the next one."""
    return Column(state_column(state.name), _scope(state), _initial(state, bounds), "ahead", purposes=state.purposes)


def _scope(state: State) -> ColumnScope:
    return "uniform" if state.type.scope is Scope.SCALAR else "array"


def _initial(state: State, bounds: CoreBounds) -> tuple[InitialTerm, ...]:
    value = bounds.omega if state.initial is INFINITY else int(state.initial or 0)  # type: ignore[arg-type]
    return tuple(Fill(value, region) for region in REGION[state.type.scope]) if value else ()


# -- layers ---------------------------------------------------------------------------------------------------------


class _Emitter:
    def __init__(
        self, graph: Core, bounds: CoreBounds, schedule: Schedule, placing: Placing, layout: Layout, limit: int
    ) -> None:
        self.graph, self.bounds, self.schedule, self.placing, self.layout = graph, bounds, schedule, placing, layout
        self.limit = limit
        self.columns = {
            each.name: STARTED if each.role == "started" else state_column(each.name) for each in graph.states
        }
        self.largest = (0, "")
        self.big = bounds.capacity.rows + 1
        self.standing = placing.standing()
        self.weights = 0  # of the matrices made so far

    def make_room(self, weights: int) -> None:
        """Count the weights of matrices before they are made; raises if they exceed the limits."""
        self.weights += weights
        spend(weights // WEIGHTS_A_STEP)
        what = f"{self.schedule.layers:,} layers and {len(self.layout):,} columns"
        require_weights(self.graph.source.name, self.weights, what)

    def _check_encoder(self) -> None:
        """Numbers that the encoder writes must be exact too: constants, inputs, positions, Ω."""
        capacity = self.bounds.capacity
        for column in self.layout.columns:
            most = largest_written(column, self.bounds.last, capacity.weight)
            self._note(most, f"the first value of {column.name}")

    def layers(self) -> tuple[Layer, ...]:
        self._check_encoder()
        d = len(self.layout)
        self.make_room(self.schedule.different_heads(self.graph) * d * (d + 2 * KEY_SIZE))
        return tuple(self.layer(number) for number in range(1, self.schedule.layers + 1))

    def layer(self, number: int) -> Layer:
        brought, erased = self.placing.brought[number], self.placing.erased[number]
        kept = {node: column for node, column in self.placing.after[number - 1].items() if column not in erased}
        there = kept | brought
        heads: list[Head] = []
        for node in self.schedule.in_layer(number):
            spend(len(self.layout) ** 2 // WEIGHTS_A_STEP)
            heads = join(heads, self._head(number, node))
        if self.placing.erased[number]:
            heads = join(heads, self._eraser(number))
        # The same forms as in the passes before: a value that is not used in the end may be needed as an intermediate.
        seen = self.schedule.waiting[number - 1] | set(self.schedule.in_layer(number))
        forms = Forms(self.graph, self.bounds, frozenset(seen))
        deltas = self._deltas(number, there, forms)
        self._check_columns(number, forms, deltas)
        mlp = _Stages(self, there, forms).mlp(deltas)
        return Layer(tuple(heads), mlp)

    def column(self, atom: str | int, there: Mapping[NodeId, str]) -> int:
        """The number of the column that an atom stands for."""
        if isinstance(atom, str):
            return self.layout.number(atom)
        node = self.graph[atom]
        if node.name == "state":
            return self.layout.number(self.columns[str(node.argument)])
        if node.name == "input":
            return self.layout.number(f"input {node.argument}")
        return self.layout.number(there[atom])

    def _check_columns(self, layer: int, forms: Forms, deltas: Mapping[str, Form]) -> None:
        """The terms of each column: the old value, what the heads erase and add, what the MLP adds."""
        stood = {column: self.bounds.of(node) for column, node in self.standing[layer - 1].items()}
        stood |= {self.columns[name]: most for name, most in self.bounds.states.items()}
        brought = {column: node for node, column in self.placing.brought[layer].items()}
        erased = self.placing.erased[layer]
        for column in {**dict.fromkeys(brought), **dict.fromkeys(sorted(erased)), **deltas}:
            old = stood.get(column, 0)
            new = self._bound_brought(layer, brought[column]) if column in brought else 0
            self._note(old * (1 + (column in erased)) + new, f"{column} after the heads of layer {layer}")
            if column in deltas:
                left = new if column in erased else old + new
                self._note(left + forms.most(deltas[column]), f"{column} after layer {layer}")

    def _bound_brought(self, layer: int, number: NodeId) -> int:
        """The most that a head adds to a column."""
        node = self.graph[number]
        if node.name == "times":
            return self.bounds.of(number)
        return Forms(self.graph, self.bounds, frozenset()).most(self._brings(layer, node))

    # -- what the MLP changes

    def _deltas(self, number: int, there: Mapping[NodeId, str], forms: Forms) -> dict[str, Form]:
        """What is added to each column: the new values, each into an empty one."""
        deltas = {
            column: forms.clean(node)
            for node, column in self.placing.after[number].items()
            if there.get(node) != column
        }
        if number < self.schedule.layers:
            return deltas
        held = {column: node for node, column in there.items()}
        cleared = {column: Form(((held.get(column, column), -1),)) for column in sorted(self.placing.cleared)}
        return deltas | cleared | self._finals(forms)

    def _finals(self, forms: Forms) -> dict[str, Form]:
        deltas: dict[str, Form] = {}
        for name, final in self.graph.body.updates.items():
            node = self.graph[final]
            if node.name == "state" and node.argument == name:
                continue
            old = [n for n, each in enumerate(self.graph.body.ops) if each.name == "state" and each.argument == name]
            delta = forms.clean(final) - Form(tuple((number, 1) for number in old))
            deltas[self.columns[name]] = forms.relu(final, delta, 1) if self.columns[name] == STARTED else delta
        deltas[HALT] = forms.form(self.graph.halt)
        return dict(sorted(deltas.items(), key=lambda each: each[0] == STARTED))

    # -- heads

    def _eraser(self, layer: int) -> Head:
        """Each row attends to itself, and subtracts the contents of columns whose lifetime has ended."""
        value = np.zeros((len(self.layout), len(self.layout)))
        for name in self.placing.erased[layer]:
            value[self.layout.number(name), self.layout.number(name)] = -1
        query, key = _identity(self, layer, self.graph[0])
        self._check_scores(query, key, self.graph[0])
        empties = tuple(self.layout.number(name) for name in sorted(self.placing.erased[layer]))
        wq, wk = self._key_matrix(layer, query), self._key_matrix(layer, key)
        return Head("plain", wq, wk, value, HeadPurpose(empties=empties))

    def _head(self, layer: int, number: NodeId) -> Head:
        node = self.graph[number]
        pointer = node.operands[1] if rides(self.graph, number, self.schedule.heads) else None
        seeker = self.graph[pointer] if pointer is not None else node
        query, key = HEADS[seeker.name](self, layer, seeker)
        brings = self._brings(layer, node)
        # Before any weight is made: numbers beyond the range may not even be floats.
        self._check_scores(query, key, node)
        # Rows may tie, and an average is first a sum of up to all rows; so is a product with the incidence.
        most = Forms(self.graph, self.bounds, frozenset()).most(brings)
        self.require(self._at_once(node) * most, node)
        kind: HeadKind = KINDS[str(node.argument)] if node.name == "times" else "plain"
        target = self.layout.number(self.placing.brought[layer][number])
        value = np.zeros((len(self.layout), len(self.layout)))
        for column, weight in self._weights(layer, brings).items():
            value[column, target] += weight
        wq, wk = self._key_matrix(layer, query), self._key_matrix(layer, key)
        purpose = HeadPurpose(seeker.purposes, seeker.purposes, (Brought(target, node.purposes),))
        return Head(kind, wq, wk, value, purpose)

    def _at_once(self, node: Node) -> int:
        """How many rows a head may add up: of the heads that look numbers up, none ties."""
        if node.name in TABLES:
            return 1
        return (self.bounds.capacity.rows if node.name == "times" else self.bounds.last) + 1

    def _brings(self, layer: int, node: Node) -> Form:
        """The value of the head at the attended rows."""
        if node.name in {"argmin", "argmax", "first", "quotient"}:
            return Form((("P_1", 1),))
        if node.name == "quarter":
            return Form((("quarter squares", 1),))
        form = self.operand(layer, node.operands[0])
        if node.name == "min" and node.type.kind is Kind.LENGTH:
            return form + Form((("B_global", self.bounds.omega),))
        return form

    def operand(self, layer: int, number: NodeId) -> Form:
        """An operand of a head: a plain sum of columns."""
        form = Forms(self.graph, self.bounds, frozenset(self.placing.after[layer - 1])).form(number)
        assert form.depth == 0, (self.graph[number], form)
        return form

    def _weights(self, layer: int, form: Form) -> dict[int, int]:
        there = self.placing.after[layer - 1]
        weights: dict[int, int] = {}
        for atom, weight in form.terms:
            assert not isinstance(atom, Unit)
            column = self.column(atom, there)
            weights[column] = weights.get(column, 0) + weight
            self.check_weight(weights[column])
        return weights

    def _key_matrix(self, layer: int, dimensions: Sequence[Form]) -> np.ndarray:
        matrix = np.zeros((len(self.layout), KEY_SIZE))
        for dimension, form in enumerate(dimensions):
            for column, weight in self._weights(layer, form).items():
                matrix[column, dimension] += weight
        return matrix

    def _check_scores(self, query: Sequence[Form], key: Sequence[Form], node: Node) -> None:
        forms = Forms(self.graph, self.bounds, frozenset())
        most = sum(forms.most(q) * forms.most(k) for q, k in zip(query, key, strict=False))
        self.require(most, node)

    def require(self, most: int, node: Node) -> None:
        """Record how large a number of an operation can be; refuse one that could leave the exact range."""
        self._note(most, f"{node.name} ({node.where})")

    def check_weight(self, weight: int) -> None:
        """A weight must be exact too, even if it only multiplies 0."""
        self._note(abs(weight), "a weight")

    def _note(self, most: int, what: str) -> None:
        self.largest = max(self.largest, (most, what))
        if most >= self.limit:
            why = f"{what} needs integers up to {counted(most)}; exact are those below {self.limit:,}"
            raise TooLargeError(
                f"{self.graph.source.name}: {why}. Lower the capacity (rows, weight).{self._hopeless()}",
                most,
                what,
                why,
            )

    def _hopeless(self) -> str:
        """A hint for hyperedge weights that no model holds, at any number of rows."""
        weight = self.bounds.capacity.weight
        if weight < self.limit:
            return ""
        return (
            f" The largest weight is {counted(weight)} times the unit of which all weights and given lengths are "
            'multiples, too large for any model; the interpreter (backend="interpreter", or --backend interpreter) '
            "takes weights of any size."
        )


QueryKey = tuple[Sequence[Form], Sequence[Form]]
P1, P2 = Form((("P_1", 1),)), Form((("P_2", 1),))


def _mask(emitter: _Emitter, layer: int, node: Node) -> Form:
    if len(node.operands) > 1:
        return emitter.operand(layer, node.operands[1])
    return ONE[emitter.graph[node.operands[0]].type.scope]


def _least(emitter: _Emitter, layer: int, node: Node) -> QueryKey:
    """The least `N·x + j` of the candidates; row 0 where there are none."""
    x = emitter.operand(layer, node.operands[0])
    infinite = emitter.bounds.infinite[node.operands[0]]
    top = emitter.bounds.omega if infinite else emitter.bounds.largest[node.operands[0]] + 1
    key = x + top * (EVERYWHERE - _mask(emitter, layer, node))
    return (-emitter.big * EVERYWHERE, -1 * EVERYWHERE), (key, P1)


def _greatest(emitter: _Emitter, layer: int, node: Node) -> QueryKey:
    x = emitter.operand(layer, node.operands[0])
    top = emitter.bounds.of(node.operands[0]) + 1
    key = x - top * (EVERYWHERE - _mask(emitter, layer, node)) + Form((("B_global", top - 1),))
    return (emitter.big * EVERYWHERE, -1 * EVERYWHERE), (key, P1)


def _first(emitter: _Emitter, layer: int, node: Node) -> QueryKey:
    return (EVERYWHERE,), (emitter.big * emitter.operand(layer, node.operands[0]) - P1,)


def _any(emitter: _Emitter, layer: int, node: Node) -> QueryKey:
    return (EVERYWHERE,), (emitter.operand(layer, node.operands[0]),)


def _mean(emitter: _Emitter, _: int, node: Node) -> QueryKey:
    """All rows of the array tie; where there are none, all rows do, and every value is 0."""
    return (EVERYWHERE,), (ONE[emitter.graph[node.operands[0]].type.scope],)


def _identity(emitter: _Emitter, _: int, __: Node) -> QueryKey:
    del emitter
    return (2 * P1, -1 * EVERYWHERE), (P1, P2)


def _read(emitter: _Emitter, layer: int, node: Node) -> QueryKey:
    return (2 * emitter.operand(layer, node.operands[1]), -1 * EVERYWHERE), (P1, P2)


def _quarter(emitter: _Emitter, layer: int, node: Node) -> QueryKey:
    """The row of a number, or of the sum of two."""
    number = sum((emitter.operand(layer, operand) for operand in node.operands), start=ZERO)
    return (2 * number, -1 * EVERYWHERE), (P1, P2)


def _quotient(emitter: _Emitter, layer: int, node: Node) -> QueryKey:
    """`(2a - b + 1, -b)`: from j to j + 1 the score changes by `2a + 1 - 2b(j + 1)`, so row ⌊a/b⌋ has the largest.

    Outside the rows of an array a is 0, and b is taken for 1: such a row sees row 0.
    """
    a, b = (emitter.operand(layer, operand) for operand in node.operands)
    divisor = emitter.graph[node.operands[1]]
    if divisor.name == "constant":  # one more than a is as good as anything above it
        by = min(int(divisor.argument or 0), emitter.bounds.of(node.operands[0]) + 1)  # type: ignore[arg-type]
        b = by * EVERYWHERE
    elif node.type.scope is not Scope.SCALAR:
        b = b + EVERYWHERE - ONE[node.type.scope]
    return (2 * a - b + EVERYWHERE, -1 * b), (P1, P2)


HEADS = {
    "quarter": _quarter,
    "quotient": _quotient,
    "argmin": _least,
    "min": _least,
    "argmax": _greatest,
    "max": _greatest,
    "first": _first,
    "any": _any,
    "mean": _mean,
    "times": _identity,
    "read": _read,
}
require_entries("heads", HEADS, ATTENTION)


# -- the MLP --------------------------------------------------------------------------------------------------------


# 1 on every row, as one unit: past the first stage it is carried instead of its two columns.
ONE_UNIT = Unit(EVERYWHERE, 1, 1, 0)


def _paired(terms: Sequence[tuple[str | int | Unit, int]]) -> list[tuple[str | int | Unit, int]]:
    weights = dict(terms)
    if "B_global" not in weights or weights["B_global"] != weights.get("B_local"):
        return list(terms)
    both = weights["B_global"]
    return [*((atom, weight) for atom, weight in terms if atom not in {"B_global", "B_local"}), (ONE_UNIT, both)]


class _Stages:
    """The units of a layer's MLP, stage by stage. A value that a later stage reads is carried by a unit."""

    def __init__(self, emitter: _Emitter, there: Mapping[NodeId, str], forms: Forms) -> None:
        self.emitter, self.there, self.forms = emitter, there, forms
        self.units: list[dict[tuple[str, object], int]] = [{} for _ in range(STAGES)]
        self.entries: list[dict[tuple[int, int], int]] = [{} for _ in range(STAGES + 1)]

    def mlp(self, deltas: Mapping[str, Form]) -> Mlp:
        for name, delta in deltas.items():
            column = self.emitter.layout.number(name)
            for atom, weight in _paired(delta.terms):
                unit = self._at(atom, STAGES)
                self._add(STAGES, (unit, column), weight)
        width = max(len(stage) for stage in self.units)
        d = len(self.emitter.layout)
        shapes = [(d, width), (width, width), (width, width), (width, d)]
        self.emitter.make_room(2 * width * (d + width))
        weights = [np.zeros(shape) for shape in shapes]
        for matrix, entries in zip(weights, self.entries, strict=True):
            for (row, column), weight in entries.items():
                matrix[row, column] = weight
        purposes = tuple(self._purposes(stage, width) for stage in self.units)
        return Mlp((weights[0], weights[1], weights[2], weights[3]), purposes)

    def _purposes(self, stage: Mapping[tuple[str, object], int], width: int) -> tuple[UnitPurpose, ...]:
        """What each unit of a stage is for; units beyond those of the stage are zero and have no purpose."""
        found = [UnitPurpose()] * width
        for (kind, atom), unit in stage.items():
            found[unit] = UnitPurpose(self._purposes_of(atom), kind == "carry")
        return tuple(found)

    def _purposes_of(self, atom: object) -> tuple[Purpose, ...]:
        if atom is ONE_UNIT or isinstance(atom, str):
            return ()
        number = atom.implements if isinstance(atom, Unit) else atom
        assert isinstance(number, int)
        node = self.emitter.graph[number]
        # A constant has no units of its own: this one writes `started`, which no operation of the program asks for.
        return () if isinstance(atom, Unit) and node.name == "constant" else node.purposes

    def _add(self, stage: int, entry: tuple[int, int], weight: int) -> None:
        self.entries[stage][entry] = self.entries[stage].get(entry, 0) + weight
        self.emitter.check_weight(self.entries[stage][entry])

    def _at(self, atom: str | int | Unit, stage: int) -> int:
        """The number of the unit of a stage that holds an atom: itself, or one that carries it."""
        own = isinstance(atom, Unit) and atom.depth == stage
        key = ("unit" if own else "carry", atom)
        known = self.units[stage - 1]
        if key in known:
            return known[key]
        feeds = atom.form.terms if own else ((atom, 1),)  # type: ignore[union-attr]
        if own:
            assert isinstance(atom, Unit)
            self.emitter.require(self.forms.most(atom.form), self.emitter.graph[atom.implements])
        sources = [(self._source(each, stage), weight) for each, weight in (_paired(feeds) if stage > 1 else feeds)]
        known[key] = len(known)
        for source, weight in sources:
            self._add(stage - 1, (source, known[key]), weight)
        return known[key]

    def _source(self, atom: str | int | Unit, stage: int) -> int:
        if stage > 1:
            return self._at(atom, stage - 1)
        assert not isinstance(atom, Unit)
        return self.emitter.column(atom, self.there)
