"""Memory that runs use one after the other."""

import numpy as np

from hyloop.execute.pages import LEAST, LINE, MOST, ROOMS, Places, Together, empty, zeros


def test_memory_of_a_run_that_has_ended_is_used_again_and_is_zero():
    rows = LEAST // 64
    for _ in range(6):
        one, other = (zeros((rows, 8), np.int64) for _ in range(2))
        assert not np.shares_memory(one, other)
        assert not one.any()
        assert not other.any()
        assert one.ctypes.data % LINE == 0
        kept = other[3:]  # a view is enough to hold it
        del other
        third = zeros((rows, 8), np.int64)
        assert not np.shares_memory(kept, third)
        for each in (one, kept, third):
            each[:] = 7


def test_it_is_the_same_memory():
    rows, places = LEAST // 64, set()
    for _ in range(8):
        array = zeros((rows, 8), np.int64)
        places.add(array.ctypes.data)
        del array
    assert len(places) < 8


def test_other_sizes_do_not_push_it_out_while_there_is_room():
    rows, places = LEAST // 64, set()
    for _ in range(8):
        array = zeros((rows, 8), np.int64)
        places.add(array.ctypes.data)
        del array
        zeros((MOST // 64 - 1, 8), np.int64)
        empty((LEAST // 2 - 1, 8), np.int64)
    assert len(places) < 3
    held = [empty((rows, 8)) for _ in range(ROOMS + 2)]
    assert len({each.ctypes.data for each in held}) == len(held)


def test_arrays_together_lie_one_after_the_other_in_one_piece_of_memory():
    sizes = {"a": 3, "none": 0, "b": 9, "c": 1}
    for apart in (False, True):
        found = Together(Places(sizes, apart=apart))
        for value, name in enumerate(sizes):
            found[name][:] = value
        assert {name: len(found[name]) for name in sizes} == sizes
        assert [found[name].tolist() for name in sizes] == [[0] * 3, [], [2] * 9, [3]]
        addresses = {name: found.address + 8 * begin for name, (begin, _) in found.places.of.items()}
        assert all(addresses[name] == found[name].ctypes.data for name in "abc")
        if apart:
            assert all(address % LINE == 0 for address in addresses.values())
    assert Together(Places(sizes)).span("a", "b").size == 12
    assert Together(Places({})).places.of == {}
