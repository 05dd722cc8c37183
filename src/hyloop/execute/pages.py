"""Memory that runs use one after the other: a page that is new takes longer than what most runs do on it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

LINE = 64  # bytes of a cache line, and the most that an instruction of a common CPU takes at once
LEAST, MOST, ROOMS = 1 << 18, 1 << 23, 4  # bytes of what is kept for other runs, and how many
_room: list[npt.NDArray[np.uint8]] = []


def zeros(shape: tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """Zeros, on pages of an array that is no longer used if there is one; it begins at a cache line."""
    return _array(shape, np.dtype(dtype), clear=True)


def empty(shape: tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """The same with anything in it."""
    return _array(shape, np.dtype(dtype), clear=False)


class Places:
    """Where arrays of 64-bit numbers begin and end in one piece of memory, by their names: one after the other.

    With `apart`, each begins at a cache line.
    """

    def __init__(self, sizes: Mapping[str, int], *, apart: bool = False) -> None:
        line = LINE // 8 if apart else 1
        begins = accumulate((-(-size // line) * line for size in sizes.values()), initial=0)
        self.of = {name: (at, at + size) for at, (name, size) in zip(begins, sizes.items(), strict=False)}
        self.size = max((end for _, end in self.of.values()), default=0)


class Together:
    """Arrays of 64-bit numbers in one piece of memory, which is taken faster than many, with anything in them."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.all: npt.NDArray[np.int64] = empty((max(places.size, 1),), np.int64)

    def __getitem__(self, name: str) -> npt.NDArray[np.int64]:
        begin, end = self.places.of[name]
        return self.all[begin:end]

    def span(self, first: str, last: str) -> npt.NDArray[np.int64]:
        """All from one array to another, as one."""
        return self.all[self.places.of[first][0] : self.places.of[last][1]]

    @property
    def address(self) -> int:
        """Where it begins in memory."""
        return int(self.all.ctypes.data)


def _array(shape: tuple[int, ...], dtype: np.dtype[Any], *, clear: bool) -> npt.NDArray[Any]:
    size = prod(shape) * dtype.itemsize
    raw = _found(size + LINE) if size + LINE >= LEAST else None
    if raw is None:
        raw = np.zeros(size + LINE, np.uint8)
    elif clear:
        raw[: size + LINE] = 0
    if LEAST <= len(raw) <= MOST:
        _room.append(raw)
        del _room[:-ROOMS]
    start = -raw.ctypes.data % LINE
    return raw[start : start + size].view(dtype).reshape(shape)


def _found(size: int) -> npt.NDArray[np.uint8] | None:
    """Bytes that nobody uses, if there are enough and not far too many."""
    for _ in range(len(_room)):
        try:
            raw = _room.pop(0)  # whoever has taken it is alone with it
        except IndexError:
            return None
        if size <= len(raw) <= 2 * size and sys.getrefcount(raw) <= 2:  # its views count
            return raw
        _room.append(raw)
    return None
