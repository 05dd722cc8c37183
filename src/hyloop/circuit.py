"""The circuit of a compiled model: columns, heads and hidden units as nodes, weights as edges, and what each is for.

For interpretability: ground truth about a looped transformer, down to the variable, operation and source line that a
weight implements. One iteration is a graph without cycles; `unrolled(T)` is that of T iterations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hyloop.atomic import write_out
from hyloop.errors import HyloopError
from hyloop.lang.purpose import Purpose, joined
from hyloop.machine.layer import Head, Layer
from hyloop.machine.model import Model
from hyloop.machine.words import ERASE, Words
from hyloop.memory import require_memory

_BYTES = 500  # of a node or an edge, about
NodeKind = Literal["column", "head", "unit"]
# How an edge enters its target: into a query or key (of dimension 1 or 2), as the value that a head writes to a column,
# through a matrix of the MLP, or as the residual. `loop` leads to the next iteration.
EdgeRole = Literal["query", "key", "value", "bring", "w1", "w2", "w3", "w4", "residual", "loop"]


@dataclass(frozen=True)
class Node:
    """A column at a place in the iteration, a head, or a hidden unit.

    `place` is 0 before the first layer, `l` after layer `l`, and `l - 0.5` between the heads and the MLP of layer `l`.
    `variables` are the names of the values that it is for, `operations` what the program does there, `where` the
    source lines, `purposes` the records that all this is made of. A unit that `carries` passes a value on unchanged.
    """

    id: str
    kind: NodeKind
    place: float
    name: str
    variables: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    purposes: tuple[Purpose, ...] = ()
    carries: bool = False
    iteration: int = 1


@dataclass(frozen=True)
class Edge:
    """A weight that is not 0, from one node to another."""

    source: str
    target: str
    weight: int
    role: EdgeRole
    part: int = 0  # of a query or key: its dimension, from 1; of a value: the number of the column it is written to


@dataclass(frozen=True)
class Circuit:
    """The graph of one iteration, or of several."""

    model: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def __getitem__(self, node: str) -> Node:
        try:
            return self._by_id[node]
        except KeyError:
            raise HyloopError(f"The circuit of {self.model} has no node {node!r}.") from None

    @cached_property
    def _by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in self.nodes}

    def find(self, variable: str) -> tuple[Node, ...]:
        """Every node for a variable or an operation of that name."""
        return tuple(node for node in self.nodes if variable in {node.name, *node.operations, *node.variables})

    def into(self, node: str) -> tuple[Edge, ...]:
        """The edges that end in a node."""
        return tuple(edge for edge in self.edges if edge.target == self[node].id)

    def out_of(self, node: str) -> tuple[Edge, ...]:
        """The edges that begin in a node."""
        return tuple(edge for edge in self.edges if edge.source == self[node].id)

    def unrolled(self, iterations: int) -> Circuit:
        """The graph of several iterations, one after the other: `T` iterations of `L` layers are `T · L` layers."""
        if iterations < 1:
            raise HyloopError(f"A circuit is unrolled over at least 1 iteration, not {iterations:,}.")
        each = _BYTES * (len(self.nodes) + len(self.edges))
        require_memory(each * iterations, f"The circuit of {self.model} over {iterations:,} iterations")
        last = max(node.place for node in self.nodes)
        ends = [node for node in self.nodes if node.kind == "column" and node.place == last]
        nodes: list[Node] = []
        edges: list[Edge] = []
        for t in range(1, iterations + 1):
            nodes += [replace(node, id=_in(t, node.id), iteration=t) for node in self.nodes]
            edges += [replace(edge, source=_in(t, edge.source), target=_in(t, edge.target)) for edge in self.edges]
            if t < iterations:
                edges += [Edge(_in(t, end.id), _in(t + 1, _column(end.name, 0)), 1, "loop") for end in ends]
        return Circuit(self.model, tuple(nodes), tuple(edges))

    def to_json(self) -> dict[str, Any]:
        """A document of plain JSON types."""
        return {
            "model": self.model,
            "nodes": [asdict(node) for node in self.nodes],
            "edges": [asdict(edge) for edge in self.edges],
        }

    def save(self, path: str | Path) -> None:
        """Write the circuit to a JSON file."""
        write_out(path, (json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n").encode())

    def to_networkx(self) -> Any:
        """A networkx `MultiDiGraph`: nodes and edges with all their fields."""
        try:
            import networkx as nx
        except ImportError:
            raise HyloopError("A graph of networkx needs networkx: pip install 'hyloop[networkx]'.") from None
        graph = nx.MultiDiGraph(name=self.model)
        for node in self.nodes:
            graph.add_node(node.id, **{key: value for key, value in asdict(node).items() if key != "id"})
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target, weight=edge.weight, role=edge.role, part=edge.part)
        return graph


def circuit(model: Model) -> Circuit:
    """The circuit of one iteration of a compiled model."""
    if not model.program:
        raise HyloopError(f"{model.name} carries no program, so nothing is known of what its weights are for.")
    drawn = _Drawing(model)
    return Circuit(model.name, tuple(drawn.nodes()), tuple(drawn.edges()))


def _in(iteration: int, node: str) -> str:
    return f"{iteration}/{node}"


def _column(name: str, place: float) -> str:
    return f"{name}@{place:g}"


def _head(layer: int, head: int) -> str:
    return f"layer{layer}.head{head}"


def _unit(layer: int, stage: int, unit: int) -> str:
    return f"layer{layer}.stage{stage}.unit{unit}"


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


class _Drawing:
    def __init__(self, model: Model) -> None:
        self.model, self.words = model, Words(model)
        self.names = [column.name for column in model.layout.columns]
        self.held = {(each.layer, each.column): each.purposes for each in model.held}
        self.states = {} if self.words.program is None else {state.name: state for state in self.words.program.states}

    def nodes(self) -> Iterator[Node]:
        for column in range(len(self.names)):
            yield self._column(column, 0)
        for number, layer in enumerate(self.model.layers, start=1):
            for place, head in enumerate(layer.heads, start=1):
                yield self._head(number, place, head)
            for column in sorted(layer.attention_writes):
                yield self._column(column, number - 0.5)
            yield from self._units(number, layer)
            for column in range(len(self.names)):
                yield self._column(column, number)

    def _column(self, number: int, place: float) -> Node:
        column = self.model.layout.columns[number]
        id_ = _column(column.name, place)
        if column.role == "state" and column.of in self.states:
            where = str(self.states[column.of].where)
            return Node(id_, "column", place, column.name, (column.of,), ("state",), (where,))
        purposes = column.purposes or self._standing(number, place)
        return self._purposeful(Node(id_, "column", place, column.name), purposes)

    def _standing(self, column: int, place: float) -> tuple[Purpose, ...]:
        """What a temporary column holds: a value, or the output of a head."""
        if place == int(place):
            return self.held.get((int(place), column), ())
        heads = self.model.layers[int(place)].heads
        return joined(*(each.purposes for head in heads for each in head.purpose.value if each.column == column))

    def _head(self, layer: int, place: int, head: Head) -> Node:
        node = Node(_head(layer, place), "head", layer - 0.75, head.kind)
        found = self._purposeful(node, head.purpose.brings)
        return replace(found, operations=(*found.operations, ERASE)) if head.purpose.empties else found

    def _units(self, layer: int, drawn: Layer) -> Iterator[Node]:
        for unit in range(drawn.mlp.width):
            for number, stage in enumerate(drawn.mlp.purposes, start=1):
                id_, each = _unit(layer, number, unit + 1), stage[unit]
                node = Node(id_, "unit", layer - 0.5 + number / 8, f"unit {unit + 1}", carries=each.carries)
                yield self._purposeful(node, each.purposes)

    def _purposeful(self, node: Node, purposes: tuple[Purpose, ...]) -> Node:
        """A node with what it is for, in words and in records."""
        return replace(
            node,
            variables=_each_once(self.words.name(each) for each in purposes if self.words.named(each)),
            operations=_each_once(self.words.op(each).name for each in purposes),
            where=_each_once(str(self.words.op(each).where) for each in purposes),
            purposes=purposes,
        )

    def edges(self) -> Iterator[Edge]:
        for number, layer in enumerate(self.model.layers, start=1):
            written = layer.attention_writes
            for place, head in enumerate(layer.heads, start=1):
                yield from self._head_edges(number, place, head)
            for column in sorted(written):
                name = self.names[column]
                yield Edge(_column(name, number - 1), _column(name, number - 0.5), 1, "residual")
            middle = [number - 0.5 if column in written else number - 1 for column in range(len(self.names))]
            yield from self._mlp_edges(number, layer, middle)
            for column, name in enumerate(self.names):
                yield Edge(_column(name, middle[column]), _column(name, number), 1, "residual")

    def _head_edges(self, layer: int, place: int, head: Head) -> Iterator[Edge]:
        target = _head(layer, place)
        roles: tuple[tuple[EdgeRole, npt.NDArray[np.float64]], ...] = (("query", head.query), ("key", head.key))
        for role, matrix in roles:
            for column, dimension in np.argwhere(matrix).tolist():
                source = _column(self.names[column], layer - 1)
                yield Edge(source, target, int(matrix[column, dimension]), role, dimension + 1)
        for seen, column in np.argwhere(head.value).tolist():
            weight = int(head.value[seen, column])
            yield Edge(_column(self.names[seen], layer - 1), target, weight, "value", column)
        for column in sorted(head.writes):
            yield Edge(target, _column(self.names[column], layer - 0.5), 1, "bring", column)

    def _mlp_edges(self, layer: int, drawn: Layer, middle: list[float]) -> Iterator[Edge]:
        first, second, third, last = drawn.mlp.weights
        for column, unit in np.argwhere(first).tolist():
            source = _column(self.names[column], middle[column])
            yield Edge(source, _unit(layer, 1, unit + 1), int(first[column, unit]), "w1")
        inner: tuple[tuple[EdgeRole, int, npt.NDArray[np.float64]], ...] = (("w2", 1, second), ("w3", 2, third))
        for role, stage, matrix in inner:
            for a, b in np.argwhere(matrix).tolist():
                yield Edge(_unit(layer, stage, a + 1), _unit(layer, stage + 1, b + 1), int(matrix[a, b]), role)
        for unit, column in np.argwhere(last).tolist():
            target = _column(self.names[column], layer)
            yield Edge(_unit(layer, 3, unit + 1), target, int(last[unit, column]), "w4")
