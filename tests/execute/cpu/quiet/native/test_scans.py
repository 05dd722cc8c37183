"""Trees of scores: the best, how many rows have it, and the sums of their values."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from hyloop.execute.cpu.quiet.native.scans import FAN, NONE, Tree


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 64, 65, 600])
def test_levels_hold_all_rows_and_end_in_one_node(count):
    tree = Tree(2, count)
    assert tree.leaves >= max(count, 1)
    assert tree.levels[-1, 1] == 1
    assert tree.levels[0, 1] * FAN == tree.leaves
    arrays = {name: np.full(size, 7) for name, size in tree.sizes.items()}
    tree.clear(*arrays.values())
    assert np.all(arrays["best"] == NONE)
    assert np.all(arrays["scores"][count:] == NONE)
    assert not arrays["sums"].any()
