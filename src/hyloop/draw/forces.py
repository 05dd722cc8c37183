"""Force-directed layout of a connected hypergraph: members of a hyperedge attract each other, all vertices repel.

Lengths are in units of the intended distance of two vertices. Up to `EXACT` vertices, all pairs repel each other;
beyond, each vertex is repelled by the cells of a grid. Small hypergraphs are laid out several times; the best layout
has the fewest vertices in hulls of hyperedges to which they do not belong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyloop.draw.hulls import Floats, hull, outwards

Ints = npt.NDArray[np.int64]

EXACT = 600  # up to so many vertices, all pairs repel each other
SMALL, FEW = 80, 40  # up to so many vertices and hyperedges, there are several layouts, since hulls are drawn
STARTS = 16
FINALISTS = 3
STEPS = 200
UNTANGLING = 70
SPACE = 0.75  # between a hull and a vertex outside
CELLS = 28  # of the grid, in each direction


@dataclass(frozen=True, eq=False)
class Connected:
    """A connected hypergraph by its incidences: vertex `vertex[i]` is a member of hyperedge `hyperedge[i]`."""

    vertices: int
    hyperedges: int
    vertex: Ints
    hyperedge: Ints

    @cached_property
    def sizes(self) -> Floats:
        """The size of each hyperedge."""
        return np.bincount(self.hyperedge, minlength=self.hyperedges).astype(float)

    @cached_property
    def degrees(self) -> Floats:
        """The degree of each vertex."""
        return np.bincount(self.vertex, minlength=self.vertices).astype(float)

    @cached_property
    def members(self) -> list[Ints]:
        """The vertices of each hyperedge."""
        order = np.argsort(self.hyperedge, kind="stable")
        return np.split(self.vertex[order], np.cumsum(self.sizes.astype(int))[:-1])

    @cached_property
    def others(self) -> list[Ints]:
        """The vertices that are not in each hyperedge."""
        return [np.setdiff1d(np.arange(self.vertices), members) for members in self.members]

    def centres(self, x: Floats) -> Floats:
        """The mean of each hyperedge's members."""
        sums = [np.bincount(self.hyperedge, x[self.vertex, axis], self.hyperedges) for axis in (0, 1)]
        return np.stack(sums, axis=1) / np.maximum(self.sizes, 1)[:, None]

    def smoothed(self, x: Floats) -> Floats:
        """For each vertex, the mean of the centres of its hyperedges."""
        centres = self.centres(x)
        sums = [np.bincount(self.vertex, centres[self.hyperedge, axis], self.vertices) for axis in (0, 1)]
        return np.stack(sums, axis=1) / np.maximum(self.degrees, 1)[:, None]


def layout(h: Connected, *, careful: bool = True) -> Floats:
    """Positions of the vertices, about one unit apart; `careful` chooses the best of several layouts."""
    if h.vertices == 1:
        return np.zeros((1, 2))
    if h.vertices == 2:
        return np.array([[-0.5, 0.0], [0.5, 0.0]])
    if careful and h.vertices <= SMALL and h.hyperedges <= FEW:
        return _best_of_several(h)
    start = spectral(h)
    x = _settled(h, start[None])[0] if h.vertices <= EXACT else _settled_on_grid(h, start)
    return spaced(x) if h.vertices <= EXACT else x


def circle(count: int) -> Floats:
    """`count` points on a circle, one unit apart."""
    angles = 2 * np.pi * np.arange(count) / count
    radius = 0.5 if count == 2 else count / (2 * np.pi)
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1) if count > 1 else np.zeros((count, 2))


# -- starts ---------------------------------------------------------------------------------------------------------


def spectral(h: Connected, rounds: int = 60) -> Floats:
    """Two eigenvectors of the smoothing (by power iteration), spread out so that they fill a square."""
    x = np.random.default_rng(7).standard_normal((h.vertices, 2))
    for _ in range(rounds):
        x = _orthonormal(0.5 * (x + h.smoothed(x)), h.degrees)
    side = np.sqrt(h.vertices)
    # Eigenvectors of large hypergraphs cluster at 0; averaged with their ranks, they fill the square.
    spread: Floats = side * (0.4 * by_rank(x) + 0.1 * x / np.abs(x).max(0)) + _shaken(h.vertices, 0.05 * side)
    return spread


def _shaken(count: int, size: float) -> Floats:
    return np.random.default_rng(11).uniform(-size, size, (count, 2))


def _orthonormal(x: Floats, degrees: Floats) -> Floats:
    total = degrees.sum()
    x = x - (degrees @ x) / total
    first = x[:, 0] / np.sqrt(np.maximum((degrees * x[:, 0] ** 2).sum(), 1e-30))
    second = x[:, 1] - first * (degrees * first * x[:, 1]).sum()
    return np.stack([first, second / np.sqrt(np.maximum((degrees * second**2).sum(), 1e-30))], axis=1)


def by_rank(x: Floats) -> Floats:
    """Each coordinate by its order along its axis, from -1 to 1."""
    ranks = np.empty_like(x)
    for axis in (0, 1):
        ranks[np.argsort(x[:, axis], kind="stable"), axis] = np.linspace(-1, 1, len(x))
    return ranks


# -- all pairs repel ------------------------------------------------------------------------------------------------


def _pull(h: Connected) -> Floats:
    """The matrix from positions to attraction by hyperedges: the random walk over hyperedges minus the identity."""
    walk = np.zeros((h.vertices, h.vertices))
    step = max(1, 4_000_000 // h.vertices)
    order = np.argsort(h.hyperedge, kind="stable")
    vertex, hyperedge = h.vertex[order], h.hyperedge[order]
    for begin in range(0, h.hyperedges, step):
        among = slice(*np.searchsorted(hyperedge, [begin, begin + step]))
        part = np.zeros((h.vertices, min(step, h.hyperedges - begin)))
        part[vertex[among], hyperedge[among] - begin] = 1 / np.sqrt(h.sizes[hyperedge[among]])
        walk += part @ part.T
    # A hub attracts less through each of its hyperedges; otherwise everything would collapse onto it.
    scale = 1 / np.sqrt(np.maximum(h.degrees, 1))
    walk *= scale[:, None] * scale[None]
    return walk - np.diag(walk.sum(1))


def _settled(h: Connected, x: Floats, steps: int = STEPS) -> Floats:
    """Equilibrium positions, for several starts at once: x[start, vertex, axis]."""
    pull = _pull(h)
    strength = 1.6 / max(-float(np.diag(pull).mean()), 1e-9)
    for step in range(steps):
        force = strength * (pull @ x) + _repulsion(x)
        x = x + _limited(force, 0.02 + 0.9 * np.sqrt(h.vertices) * (1 - step / steps) ** 2 / 4)
    return x


def _repulsion(x: Floats) -> Floats:
    """Pairwise repulsion by 1/distance, as of charges in the plane."""
    dx = x[:, :, None, 0] - x[:, None, :, 0]
    dy = x[:, :, None, 1] - x[:, None, :, 1]
    near = 1 / (dx * dx + dy * dy + 0.01)
    return np.stack([(dx * near).sum(2), (dy * near).sum(2)], axis=2)


def _limited(force: Floats, most: float) -> Floats:
    size = np.sqrt((force**2).sum(-1, keepdims=True))
    limited: Floats = 0.25 * force * np.minimum(1, most / np.maximum(0.25 * size, 1e-12))
    return limited


def spaced(x: Floats, least: float = 0.6, rounds: int = 40) -> Floats:
    """The same positions, scaled to unit spacing, with vertices that are too close pushed apart."""
    x = (x - x.mean(0)) / _spacing(x)
    for _ in range(rounds):
        push = pushed_apart(x, least)
        if not push.any():
            break
        x = x + 0.3 * push
    return x


def pushed_apart(x: Floats, least: float) -> Floats:
    """How far each point is pushed away from those that are nearer than `least`; two in one place part sideways."""
    gap = x[:, None] - x[None]
    gap[..., 0] += np.triu(np.full((len(x), len(x)), 1e-6), 1) - np.tril(np.full((len(x), len(x)), 1e-6), -1)
    distance = np.sqrt((gap**2).sum(2))
    short = np.where(distance < least, least - distance, 0)
    np.fill_diagonal(short, 0)
    push: Floats = (gap * (short / np.maximum(distance, 1e-9))[..., None]).sum(1)
    return push


def _spacing(x: Floats) -> float:
    """The square root of the area per vertex."""
    extent = np.maximum(np.ptp(x, axis=0), 1e-9)
    return max(float(np.sqrt(extent.prod() / len(x))), float(extent.max()) / len(x))


# -- the most readable of several layouts -----------------------------------------------------------------------------


def _best_of_several(h: Connected) -> Floats:
    rng = np.random.default_rng(3)
    starts = np.sqrt(h.vertices) * rng.uniform(-0.5, 0.5, (STARTS, h.vertices, 2))
    starts[0] = spectral(h)
    starts[1] = circle(h.vertices)
    settled = [spaced(x) for x in _settled(h, starts)]
    finalists = sorted(settled, key=lambda x: _confusion(h, x))[:FINALISTS]
    return min((_untangled(h, x) for x in finalists), key=lambda x: _confusion(h, x))


def _untangled(h: Connected, x: Floats) -> Floats:
    """Vertices pushed out of hulls to which they do not belong, and hulls away from them."""
    pull = _pull(h)
    strength = 1.6 / max(-float(np.diag(pull).mean()), 1e-9)
    for step in range(UNTANGLING):
        gently = 0.3 * (1 - step / UNTANGLING)
        force = gently * 0.3 * (strength * (pull @ x) + _repulsion(x[None])[0]) + _out_of_hulls(h, x)
        x = x + np.clip(force, -0.4, 0.4)
    return spaced(x, 0.7)


def _out_of_hulls(h: Connected, x: Floats) -> Floats:
    push = np.zeros_like(x)
    for members, others in zip(h.members, h.others, strict=True):
        if len(members) < 2 or not len(others):
            continue
        outside, direction = outwards(hull(x[members]), x[others])
        shift = 0.35 * np.maximum(SPACE - outside, 0)[:, None] * direction
        push[others] += shift
        push[members] -= shift.sum(0) / len(members)
    return push


def _confusion(h: Connected, x: Floats) -> float:
    """The cost of a layout: vertices in or near wrong hulls, crossing lines, large hulls."""
    near, length = 0.0, 0.0
    for members, others in zip(h.members, h.others, strict=True):
        if len(members) < 2:
            continue
        corners = hull(x[members])
        length += float(np.sqrt(((corners - np.roll(corners, -1, axis=0)) ** 2).sum(1)).sum()) / len(corners)
        if len(others):
            outside = outwards(corners, x[others])[0]
            near += float(np.clip((SPACE - outside) / SPACE, 0, 1.5).sum())
    return 2 * near + _crossings(h, x) + 0.3 * length


def _crossings(h: Connected, x: Floats) -> float:
    """The number of lines from centres to members that cross lines of other hyperedges."""
    a, b = h.centres(x)[h.hyperedge], x[h.vertex]
    to_a, to_b = _side(a, b, a), _side(a, b, b)
    crossing = (to_a * to_b < 0) & (to_a * to_b < 0).T
    crossing &= (h.hyperedge[:, None] != h.hyperedge[None]) & (h.vertex[:, None] != h.vertex[None])
    return float(crossing.sum()) / 2


def _side(a: Floats, b: Floats, points: Floats) -> Floats:
    """The side of the line from a[i] to b[i] on which points[j] is."""
    along = (b - a)[:, None]
    away = points[None] - a[:, None]
    side: Floats = along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]
    return np.where(np.abs(side) < 1e-12, 0, side)


# -- repelled by the cells of a grid ----------------------------------------------------------------------------------


def _settled_on_grid(h: Connected, x: Floats, steps: int = 50) -> Floats:
    for step in range(steps):
        force = 1.6 * (h.smoothed(x) - x) + _grid_repulsion(x)
        x = x + _limited(force, 0.05 + 0.12 * np.sqrt(h.vertices) * (1 - step / steps))
    return x + _shaken(h.vertices, 0.3)


def _grid_repulsion(x: Floats) -> Floats:
    """An approximation of `_repulsion`: the vertices of each cell act from its centre."""
    low, extent = x.min(0), np.maximum(np.ptp(x, axis=0), 1e-9)
    at = (x - low) / extent * (CELLS - 1)
    corner = np.minimum(at.astype(np.int64), CELLS - 2)
    part = at - corner
    share = [(1 - part[:, 0]) * (1 - part[:, 1]), part[:, 0] * (1 - part[:, 1])]
    share += [(1 - part[:, 0]) * part[:, 1], part[:, 0] * part[:, 1]]
    cell = corner[:, 0] + CELLS * corner[:, 1]
    cells = [cell, cell + 1, cell + CELLS, cell + CELLS + 1]
    mass = sum(np.bincount(c, s, CELLS * CELLS) for c, s in zip(cells, share, strict=True))
    grid = np.stack(np.meshgrid(np.arange(CELLS), np.arange(CELLS)), axis=2).reshape(-1, 2) * extent / (CELLS - 1)
    gap = grid[:, None] - grid[None]
    softened = (extent / CELLS).max() ** 2 / 4
    field = (gap * (mass / ((gap**2).sum(2) + softened))[..., None]).sum(1)
    return sum((s[:, None] * field[c] for c, s in zip(cells, share, strict=True)), np.zeros_like(x))
