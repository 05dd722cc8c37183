"""Memory that runs use one after the other: a page that is new takes longer than what most runs do on it."""

from __future__ import annotations

import sys
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
