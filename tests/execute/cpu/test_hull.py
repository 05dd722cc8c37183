"""The hull search against the definition, in integers of any size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.execute.cpu.hull import hardmax

SMALL, MIDDLE, HUGE = 3, 2**20, 2**40


def brute_force(queries, keys, values):
    """For every query the sum over the best keys and their number."""
    sums, counts = [], []
    for a, b in queries.tolist():
        scores = [a * x + b * y for x, y in keys.tolist()]
        best = [number for number, score in enumerate(scores) if score == max(scores)]
        sums.append(values[best].sum(axis=0).tolist())
        counts.append(len(best))
    return sums, counts


def agree(queries, keys):
    queries, keys = (np.array(each, dtype=np.int64).reshape(-1, 2) for each in (queries, keys))
    values = np.random.default_rng(len(keys)).integers(-9, 10, (len(keys), 2)).astype(np.float64)
    sums, counts = hardmax(queries, keys, values)
    assert (sums.tolist(), counts.tolist()) == brute_force(queries, keys, values)


def pairs(most, size=24):
    return st.lists(st.tuples(st.integers(-most, most), st.integers(-most, most)), min_size=1, max_size=size)


@pytest.mark.parametrize("most", [1, SMALL, MIDDLE, HUGE])
def test_arbitrary_keys_and_queries(most):
    @given(queries=pairs(most), keys=pairs(most))
    def check(queries, keys):
        agree(queries, keys)

    check()


@given(
    start=st.tuples(st.integers(-HUGE, HUGE), st.integers(-HUGE, HUGE)),
    step=st.tuples(st.integers(-HUGE, HUGE), st.integers(-HUGE, HUGE)),
    places=st.lists(st.integers(0, 5), min_size=1, max_size=12),
    others=pairs(HUGE, 4),
)
def test_keys_on_a_line_and_equal_keys_all_tie(start, step, places, others):
    keys = [(start[0] + at * step[0], start[1] + at * step[1]) for at in places]
    square = [(-step[1], step[0]), (step[1], -step[0])]
    agree([*square, step, start, *others], keys)
    agree([*square, *others], keys + others)


@given(size=st.integers(1, 40), queries=pairs(HUGE))
def test_keys_on_the_parabola(size, queries):
    keys = [(j, j * j) for j in range(size)]
    agree([*queries, *((c, -1) for c in range(-3, 2 * size + 3))], keys)


def test_a_difference_that_64_bits_would_lose():
    big = 2**40
    agree([(big, big + 1), (big + 1, big), (big, big)], [(big, -big), (-big, big), (big - 1, 1 - big), (0, 0), (0, 1)])


def test_many_keys_of_large_hulls():
    rng = np.random.default_rng(2)
    x = rng.integers(-(2**20), 2**20, 300)
    agree(rng.integers(-(2**30), 2**30, (200, 2)), np.stack([x, -(x**2)], axis=1))
