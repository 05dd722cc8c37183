"""The algorithms of the paper, corrected: each a looped model with fixed weights. One entry of `ALGORITHMS` each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hyloop.execute.integers import number
from hyloop.machine.layout import Layout
from hyloop.machine.model import Model
from hyloop.numbers import Exact
from hyloop.paper.algorithms import degradation, helly, minimum, search
from hyloop.paper.steps import Setting, parts

FloatArray = npt.NDArray[np.floating]
Name = Literal["minimum", "degradation", "dijkstra", "bfs", "dfs", "helly", "helly-lemmas"]
# Name of an output -> its value, or one value per vertex. Vertices and hyperedges are numbers from 0; None is none.
OutputValues = dict[str, Any]


@dataclass(frozen=True)
class Statement:
    """The paper's claims: layers and iterations (None if there is no claim)."""

    layers: int | None
    iterations: str


@dataclass(frozen=True)
class FinalState:
    """The final state of a run, read by name. A number that is not an integer is returned unchanged, never rounded."""

    layout: Layout
    X: FloatArray
    vertices: int
    unit: Fraction
    infinity: int

    def scalar(self, name: str) -> int | float:
        """The scalar of that name."""
        return number(self.X[0, self.layout.number(name)])

    def array(self, name: str) -> list[int | float]:
        """The entries of an array at the vertices."""
        return [number(entry) for entry in self.X[1 : self.vertices + 1, self.layout.number(name)]]

    def length(self, value: float) -> Fraction | float | None:
        """A length in the user's units; None if it is infinite or was never reached."""
        if not isinstance(value, int):
            return value  # not a length
        return None if value >= self.infinity - 1 else Exact(value * self.unit)

    def pointer(self, name: str, row: int = 0) -> int | None:
        """The number, from 0, that a pointer names; None for none."""
        first, second = (float(self.X[row, self.layout.number(part)]) for part in parts(name))
        row_number = self.layout.positions.number(first, second)
        return row_number - 1 if row_number else None

    def pointers(self, name: str) -> list[int | None]:
        """The same for an array of pointers."""
        return [self.pointer(name, row) for row in range(1, self.vertices + 1)]


@dataclass(frozen=True)
class PaperAlgorithm:
    """An algorithm of the paper: how to build it, read it, and how long it runs."""

    name: Name
    title: str
    claim: Statement
    build: Callable[[Setting], Model]
    read: Callable[[FinalState], OutputValues]
    formula: str
    iterations: Callable[[int, int], int]
    inputs: tuple[str, ...] = ()


def _read_minimum(answer: FinalState) -> OutputValues:
    return {"hyperedge": answer.pointer("best_at"), "weight": answer.length(answer.scalar("best"))}


def _read_degradation(answer: FinalState) -> OutputValues:
    return {"distance": [answer.length(value) for value in answer.array("candidates")]}


def _previous(answer: FinalState) -> list[int | None]:
    """Predecessors. An unreached vertex points to itself, as the paper initialises it."""
    return [None if other == own else other for own, other in enumerate(answer.pointers("previous"))]


def _read_dijkstra(answer: FinalState) -> OutputValues:
    return {"distance": [answer.length(value) for value in answer.array("keys")], "predecessor": _previous(answer)}


def _read_bfs(answer: FinalState) -> OutputValues:
    levels = [None if value >= answer.infinity - 1 else value for value in answer.array("keys")]
    return {"level": levels, "predecessor": _previous(answer)}


def _read_dfs(answer: FinalState) -> OutputValues:
    order = [None if place is None else place + 1 for place in answer.pointers("order")]
    return {"order": order, "predecessor": _previous(answer)}


def _read_helly(answer: FinalState) -> OutputValues:
    holds = answer.scalar("helly") == 1
    return {"helly": holds, "witness": None if holds else [answer.pointer(f"witness_{name}") for name in helly.TRIPLE]}


def _rounds(vertices: int, hyperedges: int) -> int:
    return vertices * (vertices + max(hyperedges, 1) - 1)


def _triples(vertices: int, _: int) -> int:
    return max(math.comb(vertices, 3), 1)


def _search(
    name: Name,
    title: str,
    layers: int | None,
    build: Callable[[Setting], Model],
    read: Callable[[FinalState], OutputValues],
) -> PaperAlgorithm:
    formula = "n_v (n_v + n_e - 1)"
    return PaperAlgorithm(name, title, Statement(layers, "unstated"), build, read, formula, _rounds, ("source",))


ALGORITHMS: Mapping[Name, PaperAlgorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        PaperAlgorithm(
            "minimum",
            "GetMinimumValue: the lightest hyperedge",
            Statement(7, "n_e"),
            minimum.build,
            _read_minimum,
            "n_e",
            lambda _, hyperedges: max(hyperedges, 1),
        ),
        PaperAlgorithm(
            "degradation",
            "VisitHyperedge: least weight of a hyperedge shared with the source",
            Statement(10, "n_e"),
            degradation.build,
            _read_degradation,
            "n_e",
            lambda _, hyperedges: max(hyperedges, 1),
            ("source",),
        ),
        _search("dijkstra", "least distances", 27, search.dijkstra, _read_dijkstra),
        _search("bfs", "breadth-first levels", None, search.bfs, _read_bfs),
        _search("dfs", "depth-first preorder", None, search.dfs, _read_dfs),
        PaperAlgorithm(
            "helly",
            "the Helly property, with the product Ã F",
            Statement(11, "unstated"),
            helly.with_product,
            _read_helly,
            "C(n_v, 3)",
            _triples,
        ),
        PaperAlgorithm(
            "helly-lemmas",
            "the Helly property, with the paper's ten lemmas only",
            Statement(11, "unstated"),
            helly.with_lemmas_only,
            _read_helly,
            "C(n_v, 3) n_e",
            lambda vertices, hyperedges: _triples(vertices, 0) * max(hyperedges, 1),
        ),
    )
}
