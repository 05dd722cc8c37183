"""A hypergraph as plain Python sets, and as a graph of networkx or XGI: what all oracles start from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import xgi

from hyloop import Hypergraph

Oracle = Callable[..., Mapping[str, Any]]


class UnsuitedError(Exception):
    """This oracle cannot judge this input; the message says why."""


def _is(side: str, H: Hypergraph, edge: Any, label: Any) -> bool:
    told = {record.direction for record in H.annotations.incidences.get((edge, label), ())}
    return side in told or told <= {None}


@dataclass(frozen=True)
class Sets:
    """Hyperedges as sets of vertex numbers, from 0, also of tails and of heads; weights; the labels by number.

    A member of which no direction is told is a tail and a head.
    """

    vertices: tuple[Any, ...]
    hyperedges: tuple[Any, ...]
    members: tuple[frozenset[int], ...]
    weights: tuple[Fraction, ...]
    tails: tuple[frozenset[int], ...]
    heads: tuple[frozenset[int], ...]

    @staticmethod
    def of(H: Hypergraph) -> Sets:
        number = {label: place for place, label in enumerate(H.vertices)}
        members = tuple(frozenset(number[label] for label in H.members_of(edge)) for edge in H.hyperedges)
        weights = tuple(H.weight_of(edge) for edge in H.hyperedges)
        tails, heads = (
            tuple(
                frozenset(number[label] for label in H.members_of(edge) if _is(side, H, edge, label))
                for edge in H.hyperedges
            )
            for side in ("tail", "head")
        )
        return Sets(H.vertices, H.hyperedges, members, weights, tails, heads)

    def vertex(self, label: object) -> int:
        return self.vertices.index(label)

    def over_vertices(self, values: Mapping[int, Any], labels: Iterable[Any] | None = None) -> dict[Any, Any]:
        """One value a vertex, by label, None where there is none; `labels` if the values are numbers of these."""
        names = None if labels is None else tuple(labels)
        found = (values.get(number) for number in range(len(self.vertices)))
        shown = [value if names is None or value is None else names[value] for value in found]
        return dict(zip(self.vertices, shown, strict=True))

    def hyperedges_of(self) -> list[list[int]]:
        """The hyperedges of each vertex, in order."""
        found: list[list[int]] = [[] for _ in self.vertices]
        for edge, members in enumerate(self.members):
            for vertex in members:
                found[vertex].append(edge)
        return found

    def degraded(self, weights: Iterable[Fraction | int] | None = None) -> nx.Graph:
        """The graph on the vertices whose edges have the least weight of a hyperedge with both ends."""
        graph = nx.Graph()
        graph.add_nodes_from(range(len(self.vertices)))
        for members, weight in zip(self.members, self.weights if weights is None else weights, strict=True):
            for u, v in combinations(sorted(members), 2):
                if not graph.has_edge(u, v) or weight < graph[u][v]["weight"]:
                    graph.add_edge(u, v, weight=weight)
        return graph

    def star(self, weights: Iterable[Fraction | int] | None = None) -> nx.DiGraph:
        """Vertices `("v", i)` and hyperedges `("e", j)`: entering a hyperedge costs its weight, leaving nothing."""
        graph = nx.DiGraph()
        graph.add_nodes_from(("v", number) for number in range(len(self.vertices)))
        graph.add_nodes_from(("e", number) for number in range(len(self.hyperedges)))
        for edge, weight in enumerate(self.weights if weights is None else weights):
            for vertex in self.members[edge]:
                graph.add_edge(("v", vertex), ("e", edge), weight=weight)
                graph.add_edge(("e", edge), ("v", vertex), weight=0)
        return graph

    def arcs(self) -> nx.DiGraph:
        """An arc from every tail to every head of each hyperedge."""
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(self.vertices)))
        for tails, heads in zip(self.tails, self.heads, strict=True):
            graph.add_edges_from((tail, head) for tail in tails for head in heads)
        return graph

    def directed_star(self) -> nx.DiGraph:
        """Vertices `("v", i)` and hyperedges `("e", j)`: from tails into the hyperedge, out of it to heads."""
        graph = nx.DiGraph()
        graph.add_nodes_from(("v", number) for number in range(len(self.vertices)))
        for edge, (tails, heads) in enumerate(zip(self.tails, self.heads, strict=True)):
            graph.add_edges_from((("v", tail), ("e", edge)) for tail in tails)
            graph.add_edges_from((("e", edge), ("v", head)) for head in heads)
        return graph

    def intersecting(self) -> nx.Graph:
        """The graph on the non-empty hyperedges whose edges are the pairs with a common vertex."""
        graph = nx.Graph()
        graph.add_nodes_from(number for number, members in enumerate(self.members) if members)
        for edges in self.hyperedges_of():
            graph.add_edges_from(combinations(edges, 2))
        return graph

    def xgi(self) -> xgi.Hypergraph:
        """The same in XGI."""
        graph = xgi.Hypergraph()
        graph.add_nodes_from(range(len(self.vertices)))
        if self.members:
            graph.add_edges_from({number: set(members) for number, members in enumerate(self.members)})
        if graph.num_edges != len(self.members):
            raise UnsuitedError("XGI did not keep all hyperedges.")
        return graph
