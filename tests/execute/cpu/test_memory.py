"""Arrays for native code."""

import numpy as np

from hyloop.execute.cpu.memory import LEAST, LINE, aligned


def test_memory_of_a_run_that_has_ended_is_used_again_and_is_zero():
    rows = LEAST // 64
    for _ in range(6):
        one, other = (aligned(rows, 8, np.dtype(np.int64)) for _ in range(2))
        assert not np.shares_memory(one, other)
        assert not one.any()
        assert not other.any()
        assert one.ctypes.data % LINE == 0
        kept = other[3:]  # a view is enough to hold it
        del other
        third = aligned(rows, 8, np.dtype(np.int64))
        assert not np.shares_memory(kept, third)
        for each in (one, kept, third):
            each[:] = 7


def test_it_is_the_same_memory():
    rows, places = LEAST // 64, set()
    for _ in range(8):
        array = aligned(rows, 8, np.dtype(np.int64))
        places.add(array.ctypes.data)
        del array
    assert len(places) < 8
