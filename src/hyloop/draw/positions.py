"""Positions of the vertices and hyperedges of a hypergraph in a picture. Needs numpy only.

>>> from hyloop import Hypergraph
>>> positions(Hypergraph.from_hyperedges([["a", "b", "c"]])).vertices.shape
(3, 2)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np

from hyloop.draw.forces import EXACT, Connected, Ints, by_rank, circle, layout, pushed_apart
from hyloop.draw.hulls import Floats
from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph, Label, shown
from hyloop.interop import as_hypergraph

MARGIN = 0.05
CAREFUL, LAID_OUT = 3, 40  # components with the best of several layouts, and with one; the others become circles
GAP = 1.3  # between two components, in distances between vertices
STRETCH = 1.7  # most stretching of one axis against the other, to fill the square
REGIONS, CROWDED = 40, 4.5  # more hyperedges, or incidences for each vertex, are drawn without regions
MANY = 40  # vertices, from which on such pictures are made even
RANKED = 0.5  # how far even positions are those of their order along each axis
EVEN = 0.85  # the least distance of even positions, as a part of that on a full square
SETTLING = 60
ONE_BY_ONE = 100  # new vertices, up to which each one is placed separately
REMEMBERED = 100_000  # incidences of a hypergraph whose layout is kept for the next time
PLACES = 5  # decimals; enough for a picture, and the same on every machine


@dataclass(frozen=True, eq=False)
class Positions:
    """A point of the unit square for each vertex and each hyperedge, in their order."""

    vertices: Floats
    hyperedges: Floats


def positions(h: Hypergraph, keep: Mapping[Label, tuple[float, float]] | None = None) -> Positions:
    """A layout of a hypergraph: members near each other, components apart, isolated vertices at the lower edge.

    The same hypergraph always gets the same positions. Vertices in `keep` have those positions (unknown labels are
    ignored, as are places that are not finite); the others are placed around them.
    """
    h = as_hypergraph(h)
    held = _held(h, kept_places(keep))
    placed = _fresh(h) if not held else _around(h, held)
    vertices = np.asarray(np.round(np.clip(placed, 0, 1), PLACES), np.float64)
    return Positions(vertices, np.round(_hyperedges(h, vertices), PLACES))


def kept_places(keep: Mapping[Label, tuple[float, float]] | None) -> dict[Label, tuple[float, float]]:
    """The places that somebody gives for vertices, as floats; raises for what is none."""
    if not isinstance(cast("object", keep), Mapping | None):
        raise HyloopError(f"keep is a dictionary of places by label; not {shown(keep)}.")
    for label, place in (keep or {}).items():
        if not _is_place(place):
            raise HyloopError(f"A vertex is kept at two numbers, x and y; not {shown(label)} at {shown(place)}.")
    return {label: (float(x), float(y)) for label, (x, y) in (keep or {}).items()}


def _held(h: Hypergraph, keep: Mapping[Label, tuple[float, float]]) -> dict[int, tuple[float, float]]:
    numbers = {label: number for number, label in enumerate(h.vertices)} if keep else {}
    return {numbers[label]: (x, y) for label, (x, y) in keep.items() if label in numbers and np.isfinite([x, y]).all()}


def _is_place(place: Any) -> bool:
    try:
        return np.asarray(place, np.float64).shape == (2,) and None not in tuple(place)  # which numpy reads as a number
    except (TypeError, ValueError, OverflowError):
        return False


# -- from scratch -----------------------------------------------------------------------------------------------------


def _fresh(h: Hypergraph) -> Floats:
    vertex, hyperedge = h.incidence.row_numbers(), h.incidence.indices
    place = _placed if len(vertex) <= REMEMBERED else _placed.__wrapped__
    return place(
        len(h.vertices), len(h.hyperedges), *(np.asarray(each, np.int64).tobytes() for each in (vertex, hyperedge))
    )


@lru_cache(maxsize=16)  # the same hypergraph is recorded, drawn and edited many times over
def _placed(n_v: int, n_e: int, incident_vertices: bytes, incident_hyperedges: bytes) -> Floats:
    """Where the vertices go: it depends on the incidences alone."""
    vertex, hyperedge = (np.frombuffer(each, np.int64) for each in (incident_vertices, incident_hyperedges))
    parts, alone = _components(n_v, n_e, vertex, hyperedge)
    placed = np.full((n_v, 2), 0.5)
    laid = [_level(_laid_out(part.shape, number)) for number, part in enumerate(parts)]
    lowest = _row_height(len(alone)) if parts else 0.0
    if parts:
        corners, extent = _packed([np.ptp(x, axis=0) for x in laid])
        whole = np.concatenate([x - x.min(0) + corner for x, corner in zip(laid, corners, strict=True)])
        fitted = _fitted(whole, extent, lowest)
        crowded = (n_e > REGIONS or len(vertex) > CROWDED * n_v) and MANY <= len(fitted) <= EXACT
        placed[np.concatenate([part.vertices for part in parts])] = _even(fitted, lowest) if crowded else fitted
    placed[alone] = _rows(len(alone), lowest or 1.0)
    placed.flags.writeable = False
    return placed


def _laid_out(shape: Connected, number: int) -> Floats:
    return layout(shape, careful=number < CAREFUL) if number < LAID_OUT else circle(shape.vertices)


@dataclass(frozen=True, eq=False)
class _Part:
    vertices: Ints
    shape: Connected


def _components(n_v: int, n_e: int, vertex: Ints, hyperedge: Ints) -> tuple[list[_Part], Ints]:
    """The components with hyperedges, the largest first, and the isolated vertices."""
    label = _component_labels(n_v, n_e, vertex, hyperedge)
    degrees = np.bincount(vertex, minlength=n_v)
    alone = np.flatnonzero(degrees == 0)
    connected = np.flatnonzero(degrees > 0)
    names, sizes = np.unique(label[connected], return_counts=True)
    order = connected[np.argsort(label[connected], kind="stable")]
    groups = np.split(order, np.cumsum(sizes)[:-1]) if len(names) else []
    by_component = np.argsort(label[vertex], kind="stable")
    counts = np.searchsorted(label[vertex][by_component], names[1:])
    incidences = np.split(by_component, counts) if len(names) else []
    largest_first = sorted(range(len(groups)), key=lambda g: (-sizes[g], groups[g][0]))
    return [_part(groups[g], vertex[incidences[g]], hyperedge[incidences[g]]) for g in largest_first], alone


def _part(vertices: Ints, vertex: Ints, hyperedge: Ints) -> _Part:
    edges, edge = np.unique(hyperedge, return_inverse=True)
    return _Part(vertices, Connected(len(vertices), len(edges), np.searchsorted(vertices, vertex), edge.reshape(-1)))


def _component_labels(n_v: int, n_e: int, vertex: Ints, hyperedge: Ints) -> Ints:
    """For each vertex, the lowest vertex of its component, by label propagation with pointer jumping."""
    label = np.arange(n_v)
    while True:
        least = np.full(n_e, n_v)
        np.minimum.at(least, hyperedge, label[vertex])
        spread = label.copy()
        np.minimum.at(spread, vertex, least[hyperedge])
        # Pointer jumping: the number of rounds is mostly logarithmic in the diameter.
        np.minimum.at(spread, label, spread)
        spread = spread[spread] if n_v else spread
        if np.array_equal(spread, label):
            return label
        label = spread


def _level(x: Floats) -> Floats:
    """Rotated so that the long side is horizontal and the first vertex is on the left."""
    x = x - x.mean(0)
    if len(x) < 3:
        return x
    values, axes = np.linalg.eigh(x.T @ x)
    long = axes[:, 1] * (1 if (x @ axes[:, 1])[0] <= 0 else -1)
    turned = np.stack([x @ long, x @ np.array([-long[1], long[0]])], axis=1)
    return turned if values[1] > 1.2 * values[0] else x


def _packed(extents: list[Floats]) -> tuple[Floats, Floats]:
    """The lower left corners of boxes packed in rows, the highest first, into about a square; and the total extent."""
    boxes = np.array(extents) + GAP
    # 1.5 times as wide as a square: rows are never full.
    width = max(float(np.sqrt(1.3 * boxes.prod(1).sum())), float(boxes[:, 0].max()))
    corners, at, height, used = np.zeros_like(boxes), np.zeros(2), 0.0, 0.0
    order = np.argsort(-boxes[:, 1], kind="stable")
    for box in [0, *order[order != 0].tolist()]:
        if at[0] + boxes[box, 0] > width + 1e-9:
            at = np.array([0.0, at[1] + height])
            height = 0.0
        corners[box] = at
        at = at + np.array([boxes[box, 0], 0.0])
        height, used = max(height, float(boxes[box, 1])), max(used, float(at[0]))
    return corners, np.array([used - GAP, at[1] + height - GAP])


def _fitted(x: Floats, extent: Floats, lowest: float) -> Floats:
    """Scaled into the square above `lowest`."""
    room = np.array([1 - 2 * MARGIN, 1 - 2 * MARGIN - lowest])
    scale = room / np.maximum(extent, 1.0)
    scale = np.minimum(scale, scale.min() * STRETCH)
    fitted: Floats = [MARGIN, MARGIN + lowest] + (room - scale * extent) / 2 + scale * x
    return fitted


def _even(x: Floats, lowest: float, rounds: int = 80) -> Floats:
    """The same picture with its crowds spread over the square, so that there is room for names in them."""
    low, high = np.array([MARGIN, MARGIN + lowest]), np.full(2, 1 - MARGIN)
    x = (1 - RANKED) * x + RANKED * (low + (high - low) * (by_rank(x) + 1) / 2)
    least = EVEN * float(np.sqrt((high - low).prod() / len(x)))
    for _ in range(rounds):
        push = pushed_apart(x, least)
        if not push.any():
            break
        x = np.clip(x + 0.3 * push, low, high)
    return x


def _row_height(alone: int) -> float:
    """The height of the rows of isolated vertices, if there are hyperedges too."""
    return min(0.4, 0.12 * -(-alone // 12)) if alone else 0.0


def _rows(count: int, height: float) -> Floats:
    """Points in rows at the lower edge, from the left; over the whole square if there are no others."""
    if count == 0:
        return np.zeros((0, 2))
    least = 12 if height < 1 else int(np.ceil(np.sqrt(count)))
    columns = max(least, int(np.ceil(np.sqrt(count / height))))
    rows = -(-count // columns)
    across = min(columns, count) if height < 1 else columns
    x, y = np.arange(count) % columns, np.arange(count) // columns
    step = (1 - 2 * MARGIN) / max(across - 1, 1)
    if height < 1:
        step = min(step, 0.15)
        return np.stack([MARGIN + x * step, MARGIN + y * (height * 0.7) / max(rows - 1, 1)], axis=1)
    middle = np.array([(across - 1) / 2, (rows - 1) / 2])
    return 0.5 + step * (np.stack([x, y], axis=1) - middle) if count > 1 else np.full((1, 2), 0.5)


# -- around fixed vertices--------------------------------------------------------------------------------------------


def _around(h: Hypergraph, held: Mapping[int, tuple[float, float]]) -> Floats:
    """Fixed vertices stay; the others move to the mean of their neighbours, then away from vertices too close."""
    n_v = len(h.vertices)
    shape = Connected(n_v, len(h.hyperedges), h.incidence.row_numbers(), h.incidence.indices)
    fixed = np.zeros(n_v, bool)
    fixed[list(held)] = True
    x = np.full((n_v, 2), 0.5)
    x[fixed] = np.clip(np.array([held[v] for v in np.flatnonzero(fixed).tolist()]), 0, 1)
    x[~fixed] = x[fixed].mean(0)
    moving = ~fixed & (shape.degrees > 0)
    for _ in range(SETTLING):
        x[moving] = shape.smoothed(x)[moving]
    alone = np.flatnonzero(~fixed & (shape.degrees == 0))
    x[alone] = _free_places(x[fixed], len(alone))
    return _apart(x, np.flatnonzero(moving))


def _apart(x: Floats, movable: Ints) -> Floats:
    """Each `movable` vertex moves to the free place nearest to its position."""
    x = x.copy()
    space = 0.5 / np.sqrt(len(x) + 1)
    if len(movable) > ONE_BY_ONE:
        x[movable] = np.clip(_clear(x[movable], np.delete(x, movable, axis=0), space), MARGIN, 1 - MARGIN)
        return x
    for number, v in enumerate(movable.tolist()):
        taken = np.delete(x, movable[number:], axis=0)
        x[v] = _nearest_free(x[v], taken, space)
    return x


def _nearest_free(wanted: Floats, taken: Floats, space: float) -> Floats:
    angles = np.arange(400) * 2.399963  # the golden angle: an even spiral
    spiral = wanted + 0.25 * space * np.sqrt(np.arange(400))[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
    spiral = np.clip(spiral, MARGIN, 1 - MARGIN)
    gaps = ((spiral[:, None] - taken[None]) ** 2).sum(2).min(1) if len(taken) else np.full(400, np.inf)
    free = np.flatnonzero(gaps >= space**2)
    place: Floats = spiral[free[0]] if len(free) else spiral[int(gaps.argmax())]
    return place


def _free_places(taken: Floats, count: int) -> Floats:
    """Places in a row at the lower edge, those with room for a label first."""
    columns = max(12, count)
    row = np.stack([np.linspace(MARGIN, 1 - MARGIN, columns), np.full(columns, MARGIN)], axis=1)
    if count > columns // 2:
        gaps = ((row[:, None] - taken[None]) ** 2).sum(2).min(1)
        return row[np.argsort(gaps < (0.4 / columns) ** 2, kind="stable")[:count]]
    found: list[int] = []
    for _ in range(count):
        gaps = ((row[:, None] - np.concatenate([taken, row[found]])[None]) ** 2).sum(2).min(1)
        roomy = np.flatnonzero(gaps > (1.9 / columns) ** 2)
        found.append(int(roomy[0]) if len(roomy) else int(gaps.argmax()))
    return row[found]


# -- hyperedges -------------------------------------------------------------------------------------------------------


def _hyperedges(h: Hypergraph, vertices: Floats) -> Floats:
    """Near the mean of the members, but apart from vertices and from each other."""
    n_e = len(h.hyperedges)
    shape = Connected(len(h.vertices), n_e, h.incidence.row_numbers(), h.incidence.indices)
    x = shape.centres(vertices) if n_e else np.zeros((0, 2))
    empty = np.flatnonzero(shape.sizes == 0)
    x[empty] = np.stack([np.linspace(1 - MARGIN, MARGIN, len(empty) + 2)[1:-1], np.full(len(empty), 1 - MARGIN / 2)], 1)
    space = min(0.05, 0.45 / np.sqrt(n_e + len(vertices) + 1))
    return np.clip(_clear(x, vertices, space), 0.01, 0.99)


def _clear(x: Floats, vertices: Floats, space: float, rounds: int = 12) -> Floats:
    """Points moved away from near vertices and from each other, by a grid with cells of side `space`."""
    nudge = space * _directions(len(x))
    if len(x) + len(vertices) <= EXACT:
        return _clear_exactly(x + 1e-3 * nudge, vertices, space)
    for _ in range(rounds):
        everyone = np.concatenate([vertices, x])
        push = np.zeros_like(x)
        for shift in (0.0, 0.5):
            cell = np.floor(everyone / space + shift).astype(np.int64)
            _, of, count = np.unique(cell[:, 0] * 1_000_003 + cell[:, 1], return_inverse=True, return_counts=True)
            of = of.reshape(-1)
            middle = np.stack([np.bincount(of, everyone[:, axis]) for axis in (0, 1)], 1) / count[:, None]
            mine = of[len(vertices) :]
            crowd = count[mine] > 1
            away = x - middle[mine]
            away = np.where((np.abs(away).max(1) < 1e-3 * space)[:, None], nudge, away)
            size = np.maximum(np.sqrt((away**2).sum(1)), 1e-12)
            push += np.where(crowd[:, None], 0.35 * space * away / size[:, None], 0)
        if not push.any():
            break
        x = x + push
    return x


def _clear_exactly(x: Floats, vertices: Floats, space: float, rounds: int = 40) -> Floats:
    """The same for few points, by all pairs."""
    for _ in range(rounds):
        gap = x[:, None] - np.concatenate([vertices, x])[None]
        distance = np.sqrt((gap**2).sum(2))
        short = np.where((distance < space) & (distance > 0), space - distance, 0)
        if not short.any():
            break
        x = x + 0.4 * (gap * (short / np.maximum(distance, 1e-9))[..., None]).sum(1)
    return x


def _directions(count: int) -> Floats:
    angles = np.arange(count) * 2.399963
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)
