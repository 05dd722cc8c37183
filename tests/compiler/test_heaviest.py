"""The largest weight that fits: the same that halving would find, in fewer attempts."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.algorithms import ALGORITHMS
from hyloop.compiler import compile as compiling
from hyloop.compiler.heaviest import TooLargeError, heaviest

TOP = 2_000
numbers = st.tuples(st.integers(0, 3_000), st.integers(0, 50), st.integers(1, 3), st.integers(0, TOP))


def machine(parts, limit, tried):
    """Numbers a + b·w, rounded up to steps, each of which only begins to grow at some weight."""

    def attempt(weight):
        tried.append(weight)
        for place, (a, b, step, start) in enumerate(parts):
            most = a + step * (b * max(weight - start, 0) // step)
            if most >= limit:
                raise TooLargeError(f"{place} is {most}", most, str(place))
        return weight

    return attempt


def by_trying(attempt):
    best = None
    for weight in range(1, TOP + 1):
        try:
            best = attempt(weight)
        except TooLargeError:
            break
    return best


@given(st.lists(numbers, min_size=1, max_size=5), st.integers(3_001, 20_000))
def test_it_is_the_largest_that_fits(parts, limit):
    tried: list[int] = []
    assert heaviest(machine(parts, limit, tried), TOP, limit) == by_trying(machine(parts, limit, []))
    assert len(tried) <= 2 + 3 * TOP.bit_length()


@given(st.lists(numbers, min_size=1, max_size=5), st.integers(3_001, 20_000), st.integers(1, TOP))
def test_it_is_refused_below_the_least_that_is_asked_for(parts, limit, least):
    """Or found all the same: what it costs to find out is all that `least` changes."""
    most = by_trying(machine(parts, limit, []))
    try:
        assert heaviest(machine(parts, limit, []), TOP, limit, least) == most
    except TooLargeError:
        assert most < least


def test_one_number_that_grows_takes_five_attempts():
    tried: list[int] = []
    found = heaviest(machine([(1_000, 7, 1, 0)], 2**53, tried), 2**53 - 1, 2**53)
    assert found == (2**53 - 1 - 1_000) // 7
    assert len(tried) <= 5


def test_nothing_fits():
    with pytest.raises(TooLargeError) as wrong:
        heaviest(machine([(5, 1, 1, 0)], 5, []), TOP, 5)
    assert wrong.value.number == 6


def test_the_error_travels_between_processes():
    error = TooLargeError("too large", 7, "distance")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.number, again.what) == ("too large", 7, "distance")


@pytest.mark.parametrize("name", ["dijkstra", "degradation"])
def test_a_shipped_algorithm_is_emitted_a_few_times(name, monkeypatch):
    calls = []
    emit = compiling.emit
    monkeypatch.setattr(compiling, "emit", lambda *given: calls.append(1) or emit(*given))
    compiling.compile_program(ALGORITHMS[name].program)
    assert len(calls) <= 6
