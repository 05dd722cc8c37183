"""The two algorithms of the paper exactly as printed, in plain Python, for comparison with the corrected ones.

Arrays have entries 0 ... K-1; entry 0 is unused, as in the paper's column of zeros. Each function returns None if the
loop has not ended after `limit` passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Number = float | Fraction
PrintedMatrix = Sequence[Sequence[Number]]


@dataclass
class _Loops:
    """The variables of GetMinimumValue and VisitHyperedge, initialised as printed."""

    size: int
    vertices: int
    hyperedges: int
    omega: Number
    index: int = 0
    best_index: int = 0
    best: Number = 0
    visit_min: list[int] = field(default_factory=list)
    done_min: int = 0
    edge: int = 0
    value: list[Number] = field(default_factory=list)
    visit_edge: list[int] = field(default_factory=list)
    candidates: list[Number] = field(default_factory=list)
    done_edge: int = 0

    def __post_init__(self) -> None:
        self.restart_minimum()
        self.restart_hyperedges()

    def restart_minimum(self) -> None:
        self.index, self.best_index, self.best = 0, 0, self.omega
        self.visit_min = [1] + [0] * self.vertices + [1] * (self.size - 1 - self.vertices)

    def restart_hyperedges(self) -> None:
        self.edge = 0
        self.candidates = [self.omega] * self.size
        self.visit_edge = [1] + [0] * self.hyperedges + [1] * (self.size - 1 - self.hyperedges)

    def minimum(self, x: Sequence[Number]) -> None:
        """Algorithm "Iteration of minimum value", one pass."""
        if self.done_min:
            self.restart_minimum()
            self.done_min = 0
        self.index += 1
        if self.index < self.size:
            if x[self.index] < self.best:
                self.best, self.best_index = x[self.index], self.index
            self.visit_min[self.index] = 1
        self.done_min = int(0 not in self.visit_min)

    def hyperedge(self, incidence: PrintedMatrix) -> None:
        """Algorithm "Degradation Iterate of hyperedge", one pass: it tests `visit_min` and no membership."""
        if self.done_edge:
            self.restart_hyperedges()
            self.done_min = 0
        self.edge += 1
        column = [row[self.edge] if self.edge < self.size else 0 for row in incidence]
        self.value = [self.omega if entry <= 0 else entry for entry in column]
        self.candidates = [min(pair) for pair in zip(self.value, self.candidates, strict=True)]
        if self.edge < self.size:
            self.visit_edge[self.edge] = 1
        self.done_edge = int(0 not in self.visit_min)
        self.done_min = self.done_min & self.done_edge


def dijkstra(
    incidence: PrintedMatrix,
    vertices: int,
    hyperedges: int,
    start: int,
    *,
    first_candidates: str = "zero",
    limit: int = 2000,
) -> list[Number] | None:
    """HypergraphDijkstra as printed: distances by vertex number (entry 0 unused), or None if it does not end.

    The paper never says what `candidates` starts with: 0 like its other arrays, or Ω like `candidates_hyperedge`.
    """
    size = len(incidence)
    omega: Number = 1 + sum(sum(row) for row in incidence)
    loops = _Loops(size, vertices, hyperedges, omega)
    dists: list[Number] = [omega] * size
    visit = [1] + [0] * vertices + [1] * (size - 1 - vertices)
    visit[start] = 0
    node: int = 0
    dist: Number = 0
    is_zero = [0] * size
    candidates: list[Number] = [0 if first_candidates == "zero" else omega] * size
    for _ in range(limit):
        masked = [omega if seen else key for seen, key in zip(visit, dists, strict=True)]
        loops.minimum(masked)
        if loops.done_min:
            node, dist = loops.best_index, loops.best
        loops.hyperedge(incidence)
        if loops.done_edge:
            candidates = list(loops.candidates)
        candidates = [entry + dist for entry in candidates]
        changes = [new < old for new, old in zip(candidates, dists, strict=True)]
        if not loops.done_min:
            changes = [change and not zero for change, zero in zip(changes, is_zero, strict=True)]
        dists = [new if change else old for change, new, old in zip(changes, candidates, dists, strict=True)]
        visit[node] += loops.done_min
        if 0 not in visit[1:]:
            return dists
    return None


def helly(incidence: PrintedMatrix, vertices: int, *, limit: int = 2000) -> bool | None:
    """Helly as printed: `idx_x` and `idx_v` start at 0, and so does the first triple of *columns*."""
    size = len(incidence)
    x, y, v = 0, 1, 0
    for _ in range(limit):
        columns = [[row[index] > 0 if index < size else False for row in incidence] for index in (x, y, v)]
        if not any(all(entries) for entries in zip(*columns, strict=True)):
            return False
        v += 1
        if v > vertices:
            v, y = 1, y + 1
        if y > vertices:
            x, y = x + 1, x + 2
        if x == vertices:
            return True
    return None


def helly_from_one(incidence: PrintedMatrix, vertices: int, hyperedges: int) -> bool:
    """The same, interpreted charitably: triples of existing columns, from 1 on. Still not the Helly property."""
    size = len(incidence)
    held = [{row for row in range(1, size) if incidence[row][column] > 0} for column in range(1, hyperedges + 1)]
    last = min(vertices, hyperedges)
    return all(held[x] & held[y] & held[v] for x in range(last) for y in range(x + 1, last) for v in range(last))
