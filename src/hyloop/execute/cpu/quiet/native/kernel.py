"""Generated code on the memory of a run."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.native import library
from hyloop.execute.cpu.quiet.memory import MARK, QuietMemory
from hyloop.execute.cpu.quiet.native.beginning import generator
from hyloop.execute.cpu.quiet.native.layers import module, products, slots
from hyloop.execute.cpu.quiet.native.scans import Tree, summed
from hyloop.execute.cpu.quiet.wiring import Wiring
from hyloop.execute.pages import Places, Together


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
    return f"{generator()}\n{wiring.plan.layers}\n{wiring.plan.halt}"


@lru_cache(maxsize=64)
def _places(wiring: Wiring, count: int) -> Places:
    """Where the arrays are that only native code uses; numbers of rows are half as long as others."""
    lists, rows = len(wiring.lists) + 1, -(-count // 2)
    found = {"counts": lists, **{f"list{number}": rows for number in range(lists)}}
    found |= {f"other{number}": rows for number in range(len(wiring.parts))}
    found |= {f"before{number}": count for number in products(wiring)}
    trees = enumerate(_trees(wiring, count))
    return Places(found | {f"{what}{at}": size for at, tree in trees for what, size in tree.sizes.items()}, apart=True)


@lru_cache(maxsize=64)
def _trees(wiring: Wiring, count: int) -> tuple[Tree, ...]:
    return tuple(Tree(len(summed(scan)), count) for scan in wiring.scans)


class NativeKernel:
    """Runs layers one after the other. Raises `UnusableError` where native code cannot be made."""

    def __init__(self, memory: QuietMemory) -> None:
        wiring = memory.wiring
        self._run = _compiled(wiring)
        self._memory = memory
        arrays: dict[str, npt.NDArray[Any]] = {"rows": memory.rows}
        for kind, sparse in memory.sparse.items():
            arrays |= {
                f"{kind}_start": sparse.start,
                f"{kind}_target": sparse.target,
                f"{kind}_value": memory.values[kind],
            }
        trees = _trees(wiring, memory.count)
        arrays |= {f"levels{number}": tree.levels for number, tree in enumerate(trees)}
        self._own = Together(_places(wiring, memory.count))
        self._own["counts"][:] = 0
        for number, tree in enumerate(trees):
            tree.clear(*(self._own[f"{what}{number}"] for what in tree.sizes))
        numbers = {"count": memory.count, "ones": int(memory.ones)}
        numbers |= {f"height{number}": tree.height for number, tree in enumerate(trees)}
        numbers |= memory.small.addresses | self._own.addresses
        numbers |= {name: array.ctypes.data for name, array in arrays.items()}
        self._arrays = arrays  # the context holds their addresses
        self._context = np.array([numbers[slot] for slot in slots(wiring)], dtype=np.int64)
        self._address = ctypes.c_void_p(self._context.ctypes.data)

    def changed(self) -> npt.NDArray[np.intp]:
        """The rows that have changed since the last call."""
        number = self._memory.wiring.changed
        counts = self._own["counts"]
        found: npt.NDArray[np.intp] = self._own[f"list{number}"].view(np.int32)[: counts[number]].astype(np.intp)
        counts[number] = 0
        self._memory.rows[found, MARK] &= ~(1 << number)
        return found

    def run(self, limit: int) -> None:
        """Iterate until so many iterations have been run, the halt flag is 1, or something is to be looked at."""
        self._run(self._address, limit)
