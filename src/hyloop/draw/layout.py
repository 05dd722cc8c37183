"""The layout of a picture on the page: discs, outlines, texts. All lengths are in points (1/72 inch)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hyloop.draw.hulls import Floats
from hyloop.draw.positions import Positions
from hyloop.draw.shapes import outline
from hyloop.draw.text import Box, Taken, beside, number, printable, size_of
from hyloop.hypergraph import Hypergraph

TALLEST = 1.1  # height of a page divided by its width
TRIES = 4
SIDE = 5.0  # of a hyperedge's square
STEP = 2.3  # between the outlines of two hyperedges with a vertex in common


@dataclass(frozen=True)
class TextBox:
    """A line of text in its rectangle."""

    text: str
    box: Box
    points: float


@dataclass(frozen=True)
class DrawingSizes:
    """Sizes of the elements."""

    radius: float  # of a vertex
    text: float  # font size
    names: bool  # whether vertices have their labels
    hyperedges: bool  # whether hyperedges have their labels
    inside: bool  # whether there is room for a value in a vertex


@dataclass(frozen=True)
class Placed:
    """A picture, laid out."""

    vertices: Floats
    hyperedges: Floats
    outlines: tuple[Floats, ...]
    names: tuple[TextBox, ...]
    hyperedge_names: tuple[TextBox, ...]
    extent: Box


def place(h: Hypergraph, at: Positions, sizes: DrawingSizes, width: float, *, regions: bool) -> Placed:
    """Lay a picture out on a page of that width; the margins for texts are found by iteration."""
    inner, tried = width, []
    for _ in range(TRIES):
        tried.append(_placed(h, at, sizes, inner, regions=regions))
        over = tried[-1].extent.right - tried[-1].extent.left - width
        if -6 <= over <= 0:
            return tried[-1]
        inner = max(inner - 1.03 * over - 0.5, 0.3 * width)
    return min(tried, key=lambda placed: abs(placed.extent.right - placed.extent.left - width))


def _placed(h: Hypergraph, at: Positions, sizes: DrawingSizes, inner: float, *, regions: bool) -> Placed:
    vertices, hyperedges = _on_page(at, inner, regions=regions)
    taken = Taken([Box.around(x, y, 2 * sizes.radius + 1, 2 * sizes.radius + 1) for x, y in vertices.tolist()])
    if regions:
        outlines = _outlines(h, vertices, sizes.radius)
        names = _names(h, (vertices, hyperedges), outlines, sizes, taken) if sizes.names else ()
        told = _outline_names(h, outlines, sizes, taken) if sizes.hyperedges else ()
        taken.add_all(map(_box_of, outlines))  # after the texts, which may overlap them
    else:
        outlines = ()
        taken.add_all(Box.around(x, y, SIDE, SIDE) for x, y in hyperedges.tolist())
        names = _names(h, (vertices, hyperedges), outlines, sizes, taken) if sizes.names else ()
        told = _square_names(h, (vertices, hyperedges), sizes, taken) if sizes.hyperedges else ()
    return Placed(vertices, hyperedges, outlines, names, told, taken.extent())


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


def _names(
    h: Hypergraph, at: tuple[Floats, Floats], outlines: Sequence[Floats], sizes: DrawingSizes, taken: Taken
) -> tuple[TextBox, ...]:
    """Labels beside their vertices, preferably away from the hyperedges and across few outlines."""
    vertices, hyperedges = at
    lines = [_evenly(line, 160) for line in outlines]
    names = []
    for number_, point in enumerate(vertices):
        text = printable(h.vertices[number_])
        boxes = beside(point, sizes.radius, *size_of(text, sizes.text))
        mine = hyperedges[h.incidence.row(number_)]
        costs = [cost + 25 * _lines_in(box, lines) for box, cost in zip(boxes, _costs(point, boxes, mine), strict=True)]
        names.append(TextBox(text, taken.best(boxes, costs), sizes.text))
    return tuple(names)


def _costs(point: Floats, boxes: Sequence[Box], towards: Floats) -> list[float]:
    """The initial cost of each place: lower in directions with fewer lines."""
    away = towards - point
    away = away / np.maximum(np.sqrt((away**2).sum(1)), 1e-9)[:, None]
    places = np.array([box.middle for box in boxes]) - point
    places = places / np.maximum(np.sqrt((places**2).sum(1)), 1e-9)[:, None]
    costs = 12 * np.maximum(places @ away.T, 0).mean(1) if len(away) else np.zeros(len(boxes))
    return [float(cost) + (0 if place < 4 else 1) for place, cost in enumerate(costs)]


def _outline_names(h: Hypergraph, outlines: Sequence[Floats], sizes: DrawingSizes, taken: Taken) -> tuple[TextBox, ...]:
    """Labels of hyperedges on their outlines, away from other outlines."""
    names = []
    even = [_evenly(line, 160) for line in outlines]
    texts = hyperedge_texts(h)
    for number_, line in enumerate(outlines):
        text = texts[number_]
        width, height = size_of(text, sizes.text)
        points = _evenly(line, 48)
        boxes = [Box.around(x, y, width + 2, height) for x, y in points.tolist()]
        other = [each for place, each in enumerate(even) if place != number_]
        costs = [60.0 * _lines_in(box, other) + 10 * _lines_in(box, even[number_ : number_ + 1]) for box in boxes]
        names.append(TextBox(text, taken.best(boxes, costs), sizes.text))
    return tuple(names)


def _lines_in(box: Box, lines: Sequence[Floats]) -> float:
    """The length of lines (given by evenly spaced points) inside a rectangle, divided by its width."""
    if not lines:
        return 0.0
    x, y = np.stack(lines).transpose(2, 0, 1)
    step = np.hypot(x[:, 1] - x[:, 0], y[:, 1] - y[:, 0])
    hit = (x > box.left) & (x < box.right) & (y > box.bottom) & (y < box.top)
    return float((hit.sum(1) * step).sum()) / (box.right - box.left)


def _evenly(line: Floats, count: int) -> Floats:
    """`count` points along a closed line."""
    steps = np.sqrt((np.diff(line, axis=0) ** 2).sum(1))
    along = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = np.linspace(0, along[-1], count, endpoint=False)
    return np.stack([np.interp(wanted, along, line[:, axis]) for axis in (0, 1)], axis=1)


def _square_names(h: Hypergraph, at: tuple[Floats, Floats], sizes: DrawingSizes, taken: Taken) -> tuple[TextBox, ...]:
    vertices, hyperedges = at
    names = []
    texts = hyperedge_texts(h)
    for number_, point in enumerate(hyperedges):
        text = texts[number_]
        boxes = beside(point, SIDE / 2, *size_of(text, sizes.text))
        towards = vertices[h.incidence_transposed.row(number_)]
        names.append(TextBox(text, taken.best(boxes, _costs(point, boxes, towards)), sizes.text))
    return tuple(names)


def hyperedge_texts(h: Hypergraph) -> list[str]:
    """The label and weight of each hyperedge; only the label if all weights are 1."""
    labels = [printable(label) for label in h.hyperedges]
    if all(weight == 1 for weight in h.weights):
        return labels
    return [f"{label}: {number(weight)}" for label, weight in zip(labels, h.weights, strict=True)]
