"""Programs that fit at no capacity: the message says so, and names the operation and its line."""

import pytest

import hyloop
from hyloop import Capacity, CapacityError
from hyloop.lang import INFINITY, Count, Flag, Length, Outputs, algorithm, any, argmax, at_most


def program(step, bound=5, iterations=lambda h: h.vertices.count + 1, first=0):
    @algorithm
    def example(h, k: at_most(Count, bound), d: Length):
        s, f = h.state(Count, first), h.state(Flag, False)
        w = h.hyperedges.state(Length, INFINITY)
        with h.loop(at_most=iterations(h)) as loop:
            step(h, s, f, w, k, d)
            loop.stop_when(f | (s > k))
        return Outputs(s=s, f=f)

    return example


def line(step):
    return f"test_anyway.py:{step.__code__.co_firstlineno + 1}"


def times(h, s, f, w, k, d):
    s.assign(s * 10**30)


def plus(h, s, f, w, k, d):
    s.assign(s + 2**53)


def heavy(h, s, f, w, k, d):
    w.assign(10**20 * h.weight)


def twice(h, s, f, w, k, d):
    s.assign(2**27 * (k * 2**27))


def one_more(h, s, f, w, k, d):
    s.assign(s + 1)


def search(h, s, f, w, k, d):
    f.assign(any(h.hyperedges.number.exists & (h.weight * 2**52 < d)))


HOPELESS = {
    "a factor": (program(times), f"multiple ({line(times)}) needs integers up to about 10^30"),
    "a constant": (program(plus), f"constant ({line(plus)}) needs integers up to 9,007,199,254,740,992"),
    "a factor of the weights": (program(heavy), f"multiple ({line(heavy)}) needs"),
    "a product of factors": (program(twice), f"multiple ({line(twice)}) needs integers up to 90,071,992,547,409,920"),
    "a declared bound": (program(one_more, bound=10**20), "the input k, by its declared bound, needs"),
    "a first value": (program(one_more, first=2**60), "the first value of s (test_anyway.py:"),
    "many iterations": (program(one_more, iterations=lambda _: 2**55), f"add ({line(one_more)}) needs"),
}


@pytest.mark.parametrize("capacity", [None, Capacity(1, 1), Capacity(4, 7)])
@pytest.mark.parametrize("name", HOPELESS)
def test_what_no_capacity_helps(name, capacity):
    made, why = HOPELESS[name]
    with pytest.raises(CapacityError) as caught:
        hyloop.compile(made, capacity)
    sentence = str(caught.value)
    assert sentence.startswith("example fits into float64 at no capacity: ")
    assert why in sentence
    assert "Lower the capacity" not in sentence


def scores(h, s, f, w, k, d):
    f.assign(argmax((h.incidence @ h.hyperedges.every) * 2**52)[0].exists)


def test_what_only_the_machine_makes_too_large():
    """No value of the program is, but the score of a head."""
    with pytest.raises(CapacityError) as caught:
        hyloop.compile(program(scores), Capacity(1, 1))
    assert str(caught.value).startswith(f"example fits into float64 at no capacity: argmax ({line(scores)}) needs")


@pytest.mark.parametrize("name", HOPELESS)
def test_the_interpreter_takes_it(name):
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    if name not in {"a factor", "a factor of the weights", "a declared bound"}:  # these do not stop
        hyloop.run(HOPELESS[name][0], h, k=5, d=1, backend="interpreter")


def test_where_a_capacity_helps_it_is_still_said():
    with pytest.raises(CapacityError, match="Lower the capacity"):
        hyloop.compile(program(search), Capacity(4, 10**6))
    with pytest.raises(CapacityError, match="Lower the capacity"):
        hyloop.compile("dijkstra", Capacity(131_071, 2**50))


def cubes(h, s, f, w, k, d):
    s.assign((k + 2000) * (k + 2000) * (k + 2000) % 9)


def test_a_table_that_is_too_long_is_told_as_it_is():
    with pytest.raises(CapacityError) as caught:
        hyloop.compile(program(cubes))
    assert str(caught.value).startswith(
        "example fits into float64 at no capacity: its products and quotients look up numbers up to "
    )
    assert "; a model has 1,048,576 rows for that. A constant, " in str(caught.value)
