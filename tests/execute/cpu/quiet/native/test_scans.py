"""Trees of scores: the best, how many rows have it, and the sums of their values."""

import ctypes
from functools import cache

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from llvmlite import ir

from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.native.library import function, loaded
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.native import scans
from hyloop.execute.cpu.quiet.native.code import Code
from hyloop.execute.cpu.quiet.native.scans import FAN, NOBODY, NONE, TOP, ScanCode, Tree
from hyloop.execute.cpu.quiet.wiring import RowScan

SLOTS = ("rows", "count", "scores0", "best0", "who0", "sums0", "levels0", "height0", "found")
VALUES = 2


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 64, 65, 600])
def test_levels_hold_all_rows_and_end_in_few_nodes(count):
    tree = Tree(2, count)
    assert tree.leaves >= max(count, 1)
    assert 1 <= tree.levels[-1, 1] <= TOP
    assert tree.levels[0, 1] * FAN == tree.leaves
    arrays = {name: np.full(size, 7) for name, size in tree.sizes.items()}
    tree.clear(*arrays.values())
    assert np.all(arrays["best"] == NONE)
    assert np.all(arrays["scores"][count:] == NONE)
    assert np.all(arrays["who"] == NOBODY)
    assert not arrays["sums"].any()


@cache
def compiled():
    """Functions of a scan of rows that have a score and two values: all rows, one row, and what was found."""
    module, none = ir.Module("scan"), Linear(0, ())
    values = tuple((Linear(0, ((Ref("column", at), 1),)), none) for at in range(VALUES))

    def value(code, row, at):
        return code.get(code.slot("rows"), code.sum(code.b.mul(row, code.number(1 + VALUES)), 1 + at))

    tree = ScanCode(module, SLOTS, 0, RowScan(0, 0, (none, none), values), value)
    rebuild, update, read = Code(module, "all", SLOTS), Code(module, "one", SLOTS, 1), Code(module, "read", SLOTS)
    rebuild.leave(rebuild.call(tree.rebuild))
    update.leave(update.call(tree.update, *update.arguments))
    for at, each in enumerate(tree.read(read)):
        read.put(read.slot("found"), at, each)
    read.leave(0)
    engine = loaded(str(module), lambda: str(module))
    number, address = ctypes.c_int64, ctypes.c_void_p
    return [function(engine, *each) for each in (("all", number, address), ("one", number, address, number))] + [
        function(engine, "read", number, address)
    ]


@pytest.mark.parametrize("top", [1, TOP])
@pytest.mark.parametrize("count", [1, 8, 9, 70, 300, 2500])
def test_rows_that_tie_and_values_that_change_alone_are_kept_up(monkeypatch, count, top):
    monkeypatch.setattr(scans, "TOP", top)
    rebuild, update, read = compiled()
    draw, tree = np.random.default_rng(count), Tree(VALUES, count)
    arrays = {f"{name}0": np.zeros(size + FAN, np.int64) for name, size in tree.sizes.items()}
    arrays = {name: each[-each.ctypes.data // 8 % FAN :][: len(each) - FAN] for name, each in arrays.items()}
    tree.clear(*arrays.values())
    rows, found = draw.integers(-3, 4, (count, 1 + VALUES)), np.zeros(2 + VALUES, np.int64)
    arrays |= {"rows": rows, "levels0": tree.levels, "found": found}
    numbers = {"count": count, "height0": tree.height} | {name: each.ctypes.data for name, each in arrays.items()}
    context = np.array([numbers[slot] for slot in SLOTS])
    address = ctypes.c_void_p(context.ctypes.data)
    rebuild(address)
    for step in range(400):
        row, most = int(draw.integers(count)), rows[:, 0].max()
        if step % 3:
            row = int(draw.choice(np.flatnonzero(rows[:, 0] == most)))  # one of the best
        kind = draw.integers(4)
        rows[row, int(kind > 1) :] += draw.integers(-1, 2, 1 + VALUES)[int(kind > 1) :]  # perhaps its values alone
        if kind == 0:
            rows[row, 0] = most + draw.integers(2)
        update(address, row)
        read(address)
        best = rows[rows[:, 0] == rows[:, 0].max()]
        assert found.tolist() == [best[0, 0], len(best), *best[:, 1:].sum(axis=0)]
