"""The capacity of position codes: the largest n up to which every pointer finds its own row and no other.

Every operation is rounded to the given precision in software, so half precisions need no hardware. On the circle the
step is `2π/(n+1)`, so each n has its own circle; positions and pointers come from the same recursion. On the quarter
circle the printed increment works.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Precision = Literal["bfloat16", "float16", "float32", "float64"]
Code = Literal["parabola", "circle", "quarter circle"]
CODES: tuple[Code, ...] = ("parabola", "circle", "quarter circle")

# Bits of the significand, including the hidden one.
BITS: Mapping[Precision, int] = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
TURN: Mapping[str, float] = {"circle": 2 * math.pi, "quarter circle": math.pi / 2}

# Two rows this far apart on the parabola differ by more than any rounding near the limit.
WINDOW = 3
CHUNK = 1_000_000
# The recursion takes n sequential steps; beyond this a search in float64 would take hours.
BREAK_OFF = 4_000_000

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Largest:
    """The largest n with every pointer right.

    `sampled`: not every n, or not every pair of rows, was tried. `at_least`: the search stopped there.
    """

    code: Code
    dtype: Precision
    rows: int
    sampled: bool
    at_least: bool = False


def largest(code: Code, dtype: Precision, progress: Progress | None = None) -> Largest:
    """Search the largest n. `progress` is called with the current n."""
    tell = progress or (lambda _: None)
    if code == "parabola":
        rows = _parabola_by_window(tell) if dtype == "float64" else _parabola(dtype, tell)
        return Largest(code, dtype, rows, sampled=dtype == "float64")
    if dtype == "float64":
        rows = _circle_sampled(TURN[code], tell)
        return Largest(code, dtype, rows, sampled=True, at_least=rows >= BREAK_OFF)
    return Largest(code, dtype, _first_failure(code, dtype, tell) - 1, sampled=False)


def rounded(x: Matrix, dtype: Precision) -> Matrix:
    """Round each number to that precision, ties to even. Exact for one sum or product of such numbers."""
    if dtype in {"float64", "float32"}:  # rounded by hardware; the code below gives the same, slowly
        return np.asarray(x.astype(dtype), dtype=np.float64)
    significand, exponent = np.frexp(x)
    return np.asarray(np.ldexp(np.rint(np.ldexp(significand, BITS[dtype])), exponent - BITS[dtype]))


def circle(n: int, turn: float, dtype: Precision) -> Matrix:
    """The codes of 0 ... n by the paper's recursion, each operation rounded."""
    delta = float(rounded(np.array(turn / (n + 1)), dtype))
    sine, cosine = (float(rounded(np.array(part(delta)), dtype)) for part in (math.sin, math.cos))
    codes = np.empty((n + 1, 2))
    s, c = 0.0, 1.0
    for j in range(n + 1):
        codes[j] = s, c
        if dtype == "float64":
            s, c = cosine * s + sine * c, cosine * c - sine * s
        else:
            products = rounded(np.array([cosine * s, sine * c, cosine * c, -sine * s]), dtype)
            s, c = rounded(np.array([products[0] + products[1], products[2] + products[3]]), dtype).tolist()
    return codes


def reads_right(codes: Matrix, dtype: Precision) -> bool:
    """Whether each code scores highest with itself, strictly."""
    scores = _scores(codes, codes, dtype)
    own = np.diag(scores).copy()
    np.fill_diagonal(scores, -np.inf)
    return bool(np.all(scores.max(axis=1, initial=-np.inf) < own))


def _scores(queries: Matrix, keys: Matrix, dtype: Precision) -> npt.NDArray[np.floating]:
    """`q_1 k_1 + q_2 k_2` for every pair, each operation rounded."""
    if dtype == "float32":
        queries, keys = queries.astype(dtype), keys.astype(dtype)
        return np.outer(queries[:, 0], keys[:, 0]) + np.outer(queries[:, 1], keys[:, 1])
    products = (rounded(np.outer(queries[:, part], keys[:, part]), dtype) for part in (0, 1))
    return rounded(np.add(*products), dtype)


def _first_failure(code: Code, dtype: Precision, tell: Progress) -> int:
    n = 1
    while reads_right(circle(n, TURN[code], dtype), dtype):
        tell(n)
        n += 1
    return n


def _parabola(dtype: Precision, tell: Progress) -> int:
    """Test all pairs of rows up to a size, which is doubled until some pair fails; n is below that pair."""
    size = 16
    while True:
        j = np.arange(size + 1, dtype=np.float64)
        queries = np.stack([2 * j, -np.ones_like(j)], axis=1)
        scores = _scores(queries, np.stack([j, rounded(j * j, dtype)], axis=1), dtype)
        bad = scores >= np.diag(scores)[:, np.newaxis]
        np.fill_diagonal(bad, val=False)
        tell(size)
        if bad.any():
            return int(np.maximum(*np.nonzero(bad)).min()) - 1
        size *= 2


def _parabola_by_window(tell: Progress) -> int:
    """Test every n in float64, each row only against its neighbours."""
    for first in _counting(0, CHUNK):
        c = np.arange(first, first + CHUNK, dtype=np.float64)
        own = 2 * c * c - c * c
        for step in range(1, WINDOW + 1):
            for j in (c - step, c + step):
                bad = (2 * c * j - j * j >= own) & (j >= 0)
                if bad.any():
                    own = np.where(bad, -np.inf, own)
        failing = np.flatnonzero(np.isneginf(own))
        tell(first + CHUNK)
        if len(failing):
            return first + int(failing[0]) - 1
    raise AssertionError("unreachable: counting does not end")


def _circle_sampled(turn: float, tell: Progress) -> int:
    """Exponential, then binary search; each n is tested with every row against its neighbours (and across the wrap)."""
    low = 1000
    while _neighbours_right(circle(2 * low, turn, "float64")):
        low *= 2
        tell(low)
        if low >= BREAK_OFF:
            return low
    high = 2 * low
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (middle, high) if _neighbours_right(circle(middle, turn, "float64")) else (low, middle)
        tell(low)
    return low


def _neighbours_right(codes: Matrix) -> bool:
    own = codes[:, 0] * codes[:, 0] + codes[:, 1] * codes[:, 1]
    for step in range(1, WINDOW + 1):
        for other in (np.roll(codes, step, axis=0), np.roll(codes, -step, axis=0)):
            if np.any(codes[:, 0] * other[:, 0] + codes[:, 1] * other[:, 1] >= own):
                return False
    return True


def _counting(first: int, step: int) -> Iterator[int]:
    while True:
        yield first
        first += step
