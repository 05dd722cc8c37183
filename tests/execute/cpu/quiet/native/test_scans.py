"""Trees of scores: the best, how many rows have it, and the sums of their values."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.native.scans import FAN, NONE, Tree
from hyloop.execute.cpu.quiet.wiring import RowScan


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 64, 65, 600])
def test_levels_hold_all_rows_and_end_in_one_node(count):
    scan = RowScan(0, 0, (Linear(0, ()), Linear(0, ())), ((Linear(0, ((Ref("column", 0), 1),)), Linear(0, ())),))
    tree = Tree(scan, count)
    assert len(tree.scores) >= max(count, 1)
    assert tree.levels[-1, 1] == 1
    assert tree.levels[0, 1] * FAN == len(tree.scores)
    assert np.all(tree.best == NONE)
    assert np.all(tree.scores == NONE)
    assert not tree.sums.any()
