"""Generated code on the memory of a run."""

from __future__ import annotations

import ctypes
import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.native import library
from hyloop.execute.cpu.quiet.memory import MARK, QuietMemory
from hyloop.execute.cpu.quiet.native.layers import module, products, slots
from hyloop.execute.cpu.quiet.native.scans import Tree
from hyloop.execute.cpu.quiet.wiring import Wiring


@lru_cache(maxsize=64)
def _compiled(wiring: Wiring) -> Any:
    """The function `run`."""
    engine = library.loaded(_made_from(wiring), lambda: module(wiring))
    return library.function(engine, "run", ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)


@lru_cache(maxsize=64)
def is_kept(wiring: Wiring) -> bool:
    """Whether the code need not be compiled."""
    return library.is_kept(_made_from(wiring))


def _made_from(wiring: Wiring) -> str:
    return f"{_generator()}\n{wiring.plan.layers}\n{wiring.plan.halt}"


@cache
def _generator() -> str:
    """A digest of the sources that write the text: with the plan, they are all that it depends on."""
    sources = sorted(Path(__file__).parents[2].rglob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


class NativeKernel:
    """Runs layers one after the other. Raises `UnusableError` where native code cannot be made."""

    def __init__(self, memory: QuietMemory) -> None:
        wiring = memory.wiring
        self._run = _compiled(wiring)
        self._memory = memory
        arrays = {
            name: getattr(memory, name)
            for name in (
                *("rows", "first", "rest", "control", "whole", "restless", "beyond", "looked", "floors", "ceilings"),
                *("first_floors", "first_ceilings", "rest_floors", "rest_ceilings"),
            )
        }
        arrays["counts"] = np.zeros(len(wiring.lists) + 1, np.int64)
        for number in range(len(wiring.lists) + 1):
            arrays[f"list{number}"] = np.zeros(memory.count, np.int32)
        arrays |= {f"before{number}": np.zeros(memory.count, np.int64) for number in products(wiring)}
        for number in range(len(wiring.parts)):
            arrays |= {
                f"{what}{number}": getattr(memory, what)[number] for what in ("scalars", "low", "high", "watched")
            }
            arrays[f"other{number}"] = np.zeros(memory.count, np.int32)
        numbers = {"count": memory.count, "ones": int(memory.ones)}
        for number, scan in enumerate(wiring.scans):
            tree = Tree(scan, memory.count)
            arrays |= {f"{what}{number}": getattr(tree, what) for what in ("scores", "best", "sums", "levels")}
            numbers[f"height{number}"] = tree.height
        for kind, sparse in memory.sparse.items():
            arrays |= {
                f"{kind}_start": sparse.start,
                f"{kind}_target": sparse.target,
                f"{kind}_value": memory.values[kind],
            }
        self._arrays = arrays  # the context holds their addresses
        context = [numbers[slot] if slot in numbers else arrays[slot].ctypes.data for slot in slots(wiring)]
        self._context = np.array(context, dtype=np.int64)
        self._address = ctypes.c_void_p(self._context.ctypes.data)

    def changed(self) -> npt.NDArray[np.intp]:
        """The rows that have changed since the last call."""
        number = self._memory.wiring.changed
        count = int(self._arrays["counts"][number])
        found: npt.NDArray[np.intp] = self._arrays[f"list{number}"][:count].astype(np.intp)
        self._arrays["counts"][number] = 0
        self._memory.rows[found, MARK] &= ~(1 << number)
        return found

    def run(self, limit: int) -> None:
        """Iterate until so many iterations have been run, the halt flag is 1, or something is to be looked at."""
        self._run(self._address, limit)
