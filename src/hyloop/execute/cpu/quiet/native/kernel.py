"""Generated code on the memory of a run."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.native import library
from hyloop.execute.cpu.quiet.memory import MARK, QuietMemory, small_of
from hyloop.execute.cpu.quiet.native.beginning import generator
from hyloop.execute.cpu.quiet.native.indexes import NOBODY, sizes
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
    found |= {f"{what}{at}": size for at in range(len(wiring.indexes)) for what, size in sizes(count).items()}
    found |= {f"zero{number}": len(gather.to) for number, gather in enumerate(wiring.gathers)}
    trees = enumerate(_trees(wiring, count))
    return Places(found | {f"{what}{at}": size for at, tree in trees for what, size in tree.sizes.items()}, apart=True)


@lru_cache(maxsize=64)
def _trees(wiring: Wiring, count: int) -> tuple[Tree, ...]:
    return tuple(Tree(len(summed(scan)), count) for scan in wiring.scans)


@dataclass(frozen=True)
class _Known:
    """What of a context is known before the memory is: numbers, or places after one of its bases, and which base."""

    numbers: npt.NDArray[np.int64]
    base: npt.NDArray[np.intp]
    places: dict[str, int]  # of each slot
    trees: tuple[Tree, ...]  # whose levels some of the numbers are addresses of


@lru_cache(maxsize=64)
def _known(wiring: Wiring, count: int) -> _Known:
    names, trees = slots(wiring), _trees(wiring, count)
    numbers = {"count": count} | {f"height{number}": tree.height for number, tree in enumerate(trees)}
    numbers |= {f"levels{number}": tree.levels.ctypes.data for number, tree in enumerate(trees)}
    base = dict.fromkeys(numbers, 0)
    for number, places in enumerate((small_of(wiring), _places(wiring, count)), start=1):
        numbers |= {name: 8 * begin for name, (begin, _) in places.of.items()}
        base |= dict.fromkeys(places.of, number)
    of = [[each.get(name, 0) for name in names] for each in (numbers, base)]
    places_of = {name: at for at, name in enumerate(names)}
    return _Known(np.array(of[0], np.int64), np.array(of[1], np.intp), places_of, trees)


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
        known = _known(wiring, memory.count)
        self._own = Together(_places(wiring, memory.count))
        self._own["counts"][:] = 0
        for number, tree in enumerate(known.trees):
            tree.clear(*(self._own[f"{what}{number}"] for what in tree.sizes))
        for number in range(len(wiring.indexes)):  # links are written when a row is put on a list
            self._own[f"head{number}"][:] = self._own[f"key{number}"][:] = NOBODY
        for number in range(len(wiring.gathers)):
            self._own[f"zero{number}"][:] = 0  # the first pass is over all rows
        self._held = known, arrays  # the context holds their addresses
        bases = np.array([0, memory.small.address, self._own.address], np.int64)
        self._context = bases[known.base] + known.numbers
        self._context[known.places["ones"]] = memory.ones
        for name, array in arrays.items():
            if name in known.places:
                self._context[known.places[name]] = array.ctypes.data
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
