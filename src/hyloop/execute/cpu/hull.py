"""Hardmax with two-dimensional integer keys, exact for numbers of any size, in O(K log K).

The score of a key `(x, y)` for a query `(a, b)` is `ax + by`. For `b > 0` the best keys lie on the upper hull: the
query is a direction, the corner is found by binary search, and where the direction is normal to an edge all keys of
the edge tie. `b < 0` is the same with keys and queries negated; for `b = 0` the best keys have the largest or least
`x`. Predicates are computed in 64-bit integers where they fit and in Python's integers otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.floating]
ExactArray = npt.NDArray[Any]  # int64, or objects where 64 bits are too few


def hardmax(queries: IntArray, keys: IntArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each query the sum of the values over the keys with the largest score, and how many keys these are."""
    sums = np.empty((len(queries), values.shape[1]), dtype=values.dtype)
    counts = np.empty(len(queries), dtype=values.dtype)
    a, b = queries[:, 0], queries[:, 1]
    for chosen, sign in ((b > 0, 1), (b < 0, -1)):
        if chosen.any():
            sums[chosen], counts[chosen] = _upper(sign * queries[chosen], sign * keys, values)
    for chosen, best in (
        ((b == 0) & (a > 0), lambda: keys[:, 0] == keys[:, 0].max()),
        ((b == 0) & (a < 0), lambda: keys[:, 0] == keys[:, 0].min()),
        ((b == 0) & (a == 0), lambda: np.ones(len(keys), dtype=np.bool_)),
    ):
        if chosen.any():
            ties = best()
            sums[chosen], counts[chosen] = values[ties].sum(axis=0), ties.sum()
    return sums, counts


def _upper(queries: IntArray, keys: IntArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same for queries with `b > 0`."""
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    x, y = keys[order, 0], keys[order, 1]
    last = np.append(x[1:] != x[:-1], True)
    column = np.cumsum(last) - last
    px, py = x[last], y[last]
    top = y == py[column]  # of keys with one x, only the top ones can tie
    totals = _grouped(column[top], values[order][top], len(px))
    corners = _corners(px.tolist(), py.tolist())
    sums, counts = totals[:, :-1][corners], totals[:, -1][corners]
    if len(corners) == 1:
        place = np.zeros(len(queries), dtype=np.intp)
        return sums[place], counts[place]
    dx, dy = _exact(np.diff(px[corners]), queries), _exact(np.diff(py[corners]), queries)
    on_edge = _grouped(*_on_edges(px, py, corners, totals), len(dx))
    a, b = _exact(queries[:, 0], dx, dy), _exact(queries[:, 1], dx, dy)
    place = _search(a, b, dx, dy)
    edge = np.minimum(place, len(dx) - 1)
    tie = (place < len(dx)) & (a * dx[edge] + b * dy[edge] == 0)
    sums = np.where(tie[:, np.newaxis], on_edge[edge, :-2], sums[place])
    return sums.astype(values.dtype), np.where(tie, on_edge[edge, -2], counts[place]).astype(values.dtype)


def _grouped(group: npt.NDArray[np.intp], values: FloatArray, groups: int) -> FloatArray:
    """The sums of the values by group; a last column counts."""
    columns = [np.bincount(group, weights=column, minlength=groups) for column in values.T]
    return np.stack([*columns, np.bincount(group, minlength=groups)], axis=1)


def _corners(x: list[int], y: list[int]) -> npt.NDArray[np.intp]:
    """The corners of the upper hull of points in order of x, each x once; no three on a line."""
    hull: list[int] = []
    for point in range(len(x)):
        while len(hull) > 1:
            p, q = hull[-2], hull[-1]
            if (x[q] - x[p]) * (y[point] - y[p]) < (y[q] - y[p]) * (x[point] - x[p]):
                break
            hull.pop()
        hull.append(point)
    return np.array(hull, dtype=np.intp)


def _on_edges(
    x: IntArray, y: IntArray, corners: npt.NDArray[np.intp], totals: FloatArray
) -> tuple[npt.NDArray[np.intp], FloatArray]:
    """The points on each edge, both ends included, as edge numbers and the values of the points."""
    edge = np.clip(np.searchsorted(corners, np.arange(len(x)), side="right") - 1, 0, len(corners) - 2)
    start, end = corners[edge], corners[edge + 1]
    ex, ey, fx, fy = x[end] - x[start], y[end] - y[start], x - x[start], y - y[start]
    on = _exact(ex, fy) * _exact(fy, ex) == _exact(ey, fx) * _exact(fx, ey)
    inner = np.arange(1, len(corners) - 1)  # a corner between two edges is on both
    return np.concatenate([edge[on], inner - 1]), np.concatenate([totals[on], totals[corners[inner]]])


def _search(a: ExactArray, b: ExactArray, dx: ExactArray, dy: ExactArray) -> npt.NDArray[np.intp]:
    """For each query, how many edges go up: its first best corner."""
    low, high = np.zeros(len(a), dtype=np.intp), np.full(len(a), len(dx), dtype=np.intp)
    while (low < high).any():
        middle = (low + high) // 2
        at = np.minimum(middle, len(dx) - 1)
        up = (low < high) & (a * dx[at] + b * dy[at] > 0)
        low = np.where(up, middle + 1, low)
        high = np.where(up | (low > middle), high, middle)
    return low


def _exact(numbers: IntArray, *others: ExactArray) -> ExactArray:
    """The numbers, in a type in which the sum of two products with any of the others is exact."""
    most = max((int(abs(each).max()) for each in others if each.size), default=0)
    own = int(abs(numbers).max()) if numbers.size else 0
    return numbers if own * most < 2**61 else numbers.astype(object)
