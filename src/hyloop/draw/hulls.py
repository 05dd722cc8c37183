"""Convex hulls of few points, and distances of other points from them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def hull(points: Floats) -> Floats:
    """The corners of the convex hull, anticlockwise; of collinear points, the two ends; of one point, itself."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) <= 2:
        return np.array(ordered, float).reshape(-1, 2)
    return np.array(_chain(ordered)[:-1] + _chain(ordered[::-1])[:-1], float)


def _chain(ordered: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """The part of a hull to the right of the line from the first point to the last (Andrew's monotone chain)."""
    chain: list[tuple[float, ...]] = []
    for x, y in ordered:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def outwards(corners: Floats, points: Floats) -> tuple[Floats, Floats]:
    """The signed distance of each point from a hull (negative inside), and the direction of the shortest way out."""
    ends = np.roll(corners, -1, axis=0)
    along = ends - corners
    away = points[:, None, :] - corners[None]
    length = np.maximum((along**2).sum(1), 1e-30)
    part = np.clip((away * along).sum(2) / length, 0, 1)
    from_side = away - part[..., None] * along
    distance = np.sqrt((from_side**2).sum(2))
    nearest = distance.argmin(1)
    every = np.arange(len(points))
    least, towards = distance[every, nearest], from_side[every, nearest]
    normal = np.stack([along[nearest, 1], -along[nearest, 0]], axis=1)
    normal /= np.maximum(np.sqrt((normal**2).sum(1)), 1e-15)[:, None]
    inside = _inside(along, away) if len(corners) > 2 else np.zeros(len(points), bool)
    direction = np.where((inside | (least < 1e-12))[:, None], normal, towards / np.maximum(least, 1e-12)[:, None])
    return np.where(inside, -least, least), direction


def _inside(along: Floats, away: Floats) -> npt.NDArray[np.bool_]:
    cross = along[None, :, 0] * away[..., 1] - along[None, :, 1] * away[..., 0]
    return np.asarray((cross > 0).all(1), bool)
