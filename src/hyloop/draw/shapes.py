"""The outline of a hyperedge: a rounded hull, or, if that would contain another vertex, arms to its members."""

from __future__ import annotations

import contourpy
import numpy as np

from hyloop.draw.hulls import Floats, hull, outwards

CORNER = 24  # points of the arc around half a circle: less than 1/40 point from the circle
GRID = 1.6  # points of the page between two samples of an outline with arms


def outline(members: Floats, others: Floats, radius: float, clear: float) -> Floats:
    """A closed line at a distance around `members`, which keeps the distance `clear` from `others`."""
    corners = hull(members)
    if len(others) and len(members) > 2 and (outwards(corners, others)[0] < radius + 0.3 * clear).any():
        return _arms(members, others, radius)
    return _rounded(corners, radius)


def _rounded(corners: Floats, radius: float) -> Floats:
    """The offset curve of a convex polygon: its sides, moved outwards, and arcs between them."""
    if len(corners) == 1:
        ring: Floats = corners[0] + radius * _arc(0, 2 * np.pi)
        return ring
    sides = np.roll(corners, -1, axis=0) - corners
    angles = np.arctan2(sides[:, 1], sides[:, 0]) - np.pi / 2
    pieces = []
    for number, corner in enumerate(corners):
        begin, end = angles[number - 1], angles[number]
        pieces.append(corner + radius * _arc(begin, begin + (end - begin) % (2 * np.pi)))
    return np.concatenate([*pieces, pieces[0][:1]])


def _arc(begin: float, end: float) -> Floats:
    count = max(2, int(np.ceil(CORNER * abs(end - begin) / np.pi)) + 1)
    angles = np.linspace(begin, end, count)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _arms(members: Floats, others: Floats, radius: float) -> Floats:
    """The offset curve of a shortest tree over the members, with rounded inner angles."""
    tree = _tree(members, others)
    low, high = members.min(0) - 2 * radius, members.max(0) + 2 * radius
    x = np.arange(low[0], high[0] + GRID, GRID)
    y = np.arange(low[1], high[1] + GRID, GRID)
    points = np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)
    # A soft minimum of the distances rounds the angles between two arms.
    near = sum(np.exp(-_to_segment(points, members[a], members[b]) / (0.28 * radius)) for a, b in tree)
    distance = -0.28 * radius * np.log(np.maximum(near, 1e-12))
    lines = contourpy.contour_generator(x, y, distance.reshape(len(y), len(x))).lines(radius)
    return max((np.asarray(line, float) for line in lines), key=len)


def _tree(members: Floats, others: Floats) -> list[tuple[int, int]]:
    """A minimum spanning tree of the members (Prim), with a penalty for edges close to another vertex."""
    length = np.sqrt(((members[:, None] - members[None]) ** 2).sum(2))
    for a in range(len(members)):
        for b in range(a):
            nearest = float(_to_segment(others, members[a], members[b]).min())
            length[a, b] = length[b, a] = length[a, b] * (1 + 2 * max(0.0, 1 - nearest / 20))
    joined, tree = [0], []
    while len(joined) < len(members):
        left = [v for v in range(len(members)) if v not in joined]
        part = length[np.ix_(joined, left)]
        at = np.unravel_index(int(part.argmin()), part.shape)
        tree.append((joined[int(at[0])], left[int(at[1])]))
        joined.append(left[int(at[1])])
    return tree


def _to_segment(points: Floats, a: Floats, b: Floats) -> Floats:
    along = b - a
    part = np.clip(((points - a) @ along) / max(float(along @ along), 1e-12), 0, 1)
    distance: Floats = np.sqrt(((points - a - part[:, None] * along) ** 2).sum(1))
    return distance
