"""The layout of a picture on the page: discs, outlines, texts. All lengths are in points (1/72 inch)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hyloop.draw.hulls import Floats
from hyloop.draw.labelling import Label as TextLabel
from hyloop.draw.labelling import Lines, around, beside, placed, strangers
from hyloop.draw.positions import Positions
from hyloop.draw.shapes import outline
from hyloop.draw.text import Box, Taken, TextBox, number, printable, size_of
from hyloop.hypergraph import Hypergraph, Label

TALLEST = 1.1  # height of a page divided by its width
TRIES = 4
SIDE = 5.0  # of a hyperedge's square
NAMED = 80  # most vertices that all have labels; with more, those for which there is room
MOST_NAMES = 400  # that are tried
FAR_OFF = 8.0  # the cost of a place that is not right beside a vertex
FEW_SQUARES, MOST_JOINS = 300, 5_000  # squares and lines that labels stay off
BOLD = 1.12  # how much wider bold text is; on a path, names of hyperedges are bold
# What a label pays for a point of a line that it covers: its own outline, a line to a member, the outline of another
# hyperedge, an arrow, the path.
OWN, JOIN, OUTLINE, ARROW, WAY = 0.3, 1.0, 4.0, 5.0, 15.0
STEP = 2.3  # between the outlines of two hyperedges with a vertex in common


@dataclass(frozen=True)
class DrawingSizes:
    """Sizes of the elements."""

    radius: float  # of a vertex
    text: float  # font size
    names: bool  # whether vertices have their labels
    hyperedges: bool  # whether hyperedges have their labels
    inside: bool  # whether there is room for a value in a vertex
    every: bool = False  # whether every label is written, also where there is no room


@dataclass(frozen=True)
class Placed:
    """A picture, laid out."""

    vertices: Floats
    hyperedges: Floats
    outlines: tuple[Floats, ...]
    names: tuple[TextBox, ...]  # of the vertices that have one
    hyperedge_names: tuple[TextBox | None, ...]
    extent: Box


@dataclass(frozen=True)
class Drawn:
    """What is laid out: a hypergraph under the names to be written, and the steps of a path, as numbers."""

    h: Hypergraph
    vertices: Sequence[str]
    hyperedges: Sequence[str]
    steps: tuple[tuple[int, int, int], ...] = ()  # vertex, hyperedge, next vertex


def place(drawn: Drawn, at: Positions, sizes: DrawingSizes, width: float, *, regions: bool) -> Placed:
    """Lay a picture out on a page of that width; the margins for texts are found by iteration."""
    inner, tried = width, []
    for _ in range(TRIES):
        tried.append(_placed(drawn, at, sizes, inner, regions=regions))
        over = tried[-1].extent.right - tried[-1].extent.left - width
        if -6 <= over <= 0:
            return tried[-1]
        inner = max(inner - 1.03 * over - 0.5, 0.3 * width)
    return min(tried, key=lambda placed: abs(placed.extent.right - placed.extent.left - width))


def _placed(drawn: Drawn, at: Positions, sizes: DrawingSizes, inner: float, *, regions: bool) -> Placed:
    vertices, hyperedges = _on_page(at, inner, regions=regions)
    taken = Taken([Box.around(x, y, 2 * sizes.radius + 1, 2 * sizes.radius + 1) for x, y in vertices.tolist()])
    outlines = _outlines(drawn.h, vertices, sizes.radius) if regions else ()
    if not regions and len(hyperedges) <= FEW_SQUARES:
        taken.add_all(Box.around(x, y, SIDE, SIDE) for x, y in hyperedges.tolist())
    page = _Page(drawn, vertices, hyperedges, outlines, sizes)
    of_vertices = list(page.vertex_labels())
    texts = placed([*of_vertices, *page.hyperedge_labels()], taken)
    names = tuple(each for each in texts[: len(of_vertices)] if each is not None)
    taken.add_all(map(_box_of, outlines))  # after the texts, which may overlap them
    taken.add_all(Box.around(x, y, SIDE, SIDE) for x, y in hyperedges[: 0 if regions else None].tolist())
    return Placed(vertices, hyperedges, outlines, names, tuple(texts[len(of_vertices) :]), taken.extent())


def _on_page(at: Positions, inner: float, *, regions: bool) -> tuple[Floats, Floats]:
    """Positions in points: as wide as the page, but not taller than it may be."""
    everything = np.concatenate([at.vertices, at.hyperedges[: 0 if regions else None]])
    if not len(everything):
        everything = np.full((1, 2), 0.5)
    low, extent = everything.min(0), np.ptp(everything, axis=0)
    scale = min(inner / max(float(extent[0]), 1e-3), TALLEST * inner / max(float(extent[1]), 1e-3), 3 * inner)
    return (at.vertices - low) * scale, (at.hyperedges - low) * scale


def _box_of(points: Floats) -> Box:
    (left, bottom), (right, top) = points.min(0).tolist(), points.max(0).tolist()
    return Box(left - 1, bottom - 1, right + 1, top + 1)


# -- outlines ---------------------------------------------------------------------------------------------------------


def _outlines(h: Hypergraph, vertices: Floats, radius: float) -> tuple[Floats, ...]:
    found = []
    empty = 0
    for number_, level in enumerate(_levels(h)):
        members = h.incidence_transposed.row(number_)
        others = np.delete(vertices, members, axis=0)
        if not len(members):  # a ring around nothing, above the picture
            top = float(vertices[:, 1].max(initial=0)) + 5 * radius + 24
            found.append(outline(np.array([[10.0 + 60 * empty, top]]), others[:0], 5.0, 0.0))
            empty += 1
            continue
        found.append(outline(vertices[members], others, radius + 3.6 + STEP * level, radius))
    return tuple(found)


def _levels(h: Hypergraph) -> list[int]:
    """A greedy colouring: a level for each hyperedge, different from those it intersects; low ones are inside."""
    members = [set(h.incidence_transposed.row(number_).tolist()) for number_ in range(len(h.hyperedges))]
    levels = [0] * len(members)
    done: list[int] = []
    for each in sorted(range(len(members)), key=lambda e: (len(members[e]), e)):
        near = {levels[other] for other in done if members[other] & members[each]}
        levels[each] = next(level for level in range(len(members) + 1) if level not in near)
        done.append(each)
    return levels


# -- texts ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Page:
    """What is on the page when the texts come: they stay off the lines that are not their own."""

    drawn: Drawn
    vertices: Floats
    hyperedges: Floats
    outlines: Sequence[Floats]
    sizes: DrawingSizes

    @cached_property
    def named(self) -> int:
        """How many vertices have names, at most."""
        return min(len(self.vertices), MOST_NAMES) if self.sizes.names else 0

    @cached_property
    def _way(self) -> Floats:
        """The segments of the path."""
        stops = [
            [self.vertices[u], self.vertices[v]]
            if self.outlines
            else [self.vertices[u], self.hyperedges[e], self.vertices[v]]
            for u, e, v in self.drawn.steps
        ]
        return _segments([np.array(each) for each in stops])

    def _lines(self, but: int = -1) -> Lines:
        """All lines; an outline that is the label's own costs nearly nothing."""
        kinds = [(_segments([each]), OWN if number_ == but else OUTLINE) for number_, each in enumerate(self._coarse)]
        kinds += [(self._joins, ARROW if self.drawn.h.directed else JOIN), (self._way, WAY)]
        costs = [np.full(len(lines), cost) for lines, cost in kinds]
        return Lines(np.concatenate([lines for lines, _ in kinds]), np.concatenate(costs))

    @cached_property
    def _coarse(self) -> list[Floats]:
        """The outlines in few segments, closed."""
        return [np.concatenate([line, line[:1]]) for line in (evenly(each, 96) for each in self.outlines)]

    @cached_property
    def _joins(self) -> Floats:
        """The lines between vertices and squares; of so many that no label stays off them, none."""
        incidence = self.drawn.h.incidence
        if self.outlines or len(incidence.indices) > MOST_JOINS:
            return np.zeros((0, 2, 2))
        return np.stack([self.vertices[incidence.row_numbers()], self.hyperedges[incidence.indices]], axis=1)

    def vertex_labels(self) -> Iterator[TextLabel]:
        """Labels beside their vertices; where there are many, first those of the vertices in most hyperedges."""
        degrees = np.diff(self.drawn.h.incidence.indptr)
        order = np.argsort(-degrees, kind="stable") if self._crowded else np.arange(len(self.vertices))
        lines = self._lines()
        for number_ in order[: self.named].tolist():
            text = self.drawn.vertices[number_]
            boxes, costs = beside(self.vertices[number_], self.sizes.radius, *self._size(text))
            strange = strangers(boxes, number_, *self._marks)
            if self._crowded:  # only where nobody can take it for the name of another
                clear = (strange == 0) & (costs < FAR_OFF)
                boxes, costs, strange = boxes[clear], costs[clear], strange[clear]
            if len(boxes):
                yield self._label(text, boxes, costs + strange, lines, may_go=self._crowded)

    @cached_property
    def _marks(self) -> tuple[Floats, Floats]:
        """What a label could be taken to name, and how large each is: vertices, and squares if they are few."""
        squares = self.hyperedges if not self.outlines and len(self.hyperedges) <= FEW_SQUARES else self.hyperedges[:0]
        radii = [np.full(len(self.vertices), self.sizes.radius), np.full(len(squares), SIDE / 2)]
        return np.concatenate([self.vertices, squares]), np.concatenate(radii)

    def _estranged(self, boxes: Floats, hyperedge: int) -> Floats | float:
        own = len(self.vertices) + hyperedge
        return strangers(boxes, own, *self._marks) if own < len(self._marks[0]) else 0.0

    @property
    def _crowded(self) -> bool:
        """Whether there is no room for all names."""
        return len(self.vertices) > NAMED and not self.sizes.every

    def hyperedge_labels(self) -> Iterator[TextLabel]:
        """Labels on the outlines of their hyperedges, or beside their squares. They go before a vertex name does."""
        every = self._lines()
        for number_, text in enumerate(self.drawn.hyperedges if self.sizes.hyperedges else ()):
            width, height = self._size(text)
            width *= BOLD if self.drawn.steps else 1
            if self.outlines:
                boxes, costs = around(evenly(self.outlines[number_], 64), width + 2, height), np.zeros(64)
                lines = self._lines(but=number_)
            else:
                boxes, costs = beside(self.hyperedges[number_], SIDE / 2, width, height)
                costs = costs + self._estranged(boxes, number_)
                lines = every
            yield self._label(text, boxes, costs, lines, may_go=not self.sizes.every)

    def _size(self, text: str) -> tuple[float, float]:
        return size_of(text, self.sizes.text)

    def _label(self, text: str, boxes: Floats, costs: Floats, lines: Lines, *, may_go: bool) -> TextLabel:
        paid, crossed = lines.under(boxes)
        return TextLabel(text, self.sizes.text, boxes, costs + paid, may_go, crossed)


def _segments(lines: Sequence[Floats]) -> Floats:
    """The segments of lines, each of which is a list of points."""
    found = [np.stack([line[:-1], line[1:]], axis=1) for line in lines]
    return np.concatenate([np.zeros((0, 2, 2)), *found])


def evenly(line: Floats, count: int) -> Floats:
    """`count` points along a closed line."""
    steps = np.sqrt((np.diff(line, axis=0) ** 2).sum(1))
    along = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = np.linspace(0, along[-1], count, endpoint=False)
    return np.stack([np.interp(wanted, along, line[:, axis]) for axis in (0, 1)], axis=1)


def hyperedge_texts(h: Hypergraph, names: Sequence[Label]) -> list[str]:
    """The name and weight of each hyperedge; only the name if all weights are 1."""
    labels = [printable(name) for name in names]
    if all(weight == 1 for weight in h.weights):
        return labels
    return [f"{label}: {number(weight)}" for label, weight in zip(labels, h.weights, strict=True)]
