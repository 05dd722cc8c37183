"""Numbers are exact, however large: around 2^61, 2^62, 2^63 and 2^64, where a machine's own integers end."""

import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.lang import Count, Flag, Length, Outputs, Vertex, algorithm, argmax, total
from hyloop.lang import min as least_of

pytestmark = pytest.mark.usefixtures("interpreted")

LARGE = [2**61, 2**61 + 1, 2**62 - 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30]


def counting(large):
    """A program that takes a large count, and another one as an input, through the operations."""

    @algorithm
    def example(h, k: Count, v: Vertex):
        x, y = h.vertices.state(Count, large), h.vertices.state(Count, 0)
        sums = h.hyperedges.state(Count, 0)
        most, least, entry, top = h.state(Count, 0), h.state(Count, 0), h.state(Count, 0), h.state(Vertex)
        less, equal = h.vertices.state(Flag, False), h.vertices.state(Flag, False)
        with h.loop(at_most=1) as loop:
            x[v] = k
            y.assign(3 * x - large + h.vertices.count)
            vertex, greatest = argmax(x)
            top.assign(vertex)
            most.assign(greatest)
            least.assign(least_of(x))
            entry.assign(x[v] * 7 - 1)
            sums.assign(h.incidence.T @ x)
            less.assign(x < k)
            equal.assign(x == large)
            loop.stop_when(True)
        return Outputs(
            y=y, most=most, top=top, least=least, entry=entry, sums=sums, less=less, equal=equal, total=total(x)
        )

    return example


@pytest.mark.parametrize("weight", [1, 10**30])
@pytest.mark.parametrize("large", LARGE)
def test_counts(large, weight):
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[1, weight])
    for k in (0, large - 1, large, large + 1, 3 * large):
        found = hyloop.run(counting(large), h, k=k, v="b")
        rows = [large, k, large]
        assert list(found["y"].values()) == [max(3 * x - large, 0) + 3 for x in rows]
        assert (found["most"], found["top"]) == (max(rows), "abc"[rows.index(max(rows))])
        assert (found["least"], found["entry"]) == (min(rows), max(7 * k - 1, 0))
        assert list(found["sums"].values()) == [large + k, large + k]
        assert list(found["less"].values()) == [x < k for x in rows]
        assert list(found["equal"].values()) == [x == large for x in rows]
        assert found["total"] == sum(rows)


@algorithm
def doubling(h, times: Count):
    """Lengths that double: more than the bound on the iterations lets expect."""
    long, done = h.hyperedges.state(Length, 0), h.state(Count, 0)
    long.assign(h.weight)
    with h.loop(at_most=200) as loop:
        loop.stop_when(done == times)
        done.assign(done + 1)
        long.assign(long + long)
    return Outputs(long=long)


def test_a_length_is_exact_or_refused_but_never_taken_for_infinity():
    h = hyloop.Hypergraph.from_hyperedges([["a"], ["b"]], weights=[1, 3])
    assert list(hyloop.run(doubling, h, times=50)["long"].values()) == [2**50, 3 * 2**50]
    with pytest.raises(HyloopError, match="cannot be told from INFINITY"):
        hyloop.run(doubling, h, times=100)


def long_lengths(factor):
    @algorithm
    def example(h):
        x, far = h.hyperedges.state(Length, 0), h.hyperedges.state(Length, 0)
        done = h.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done)
            x.assign(factor * h.weight)
            far.assign(x + h.weight)
            done.assign(True)
        return Outputs(x=x, far=far)

    return example


@pytest.mark.parametrize("factor", [2**50, 2**60, 2**61, 2**62, 2**70, 10**40])
def test_multiples_of_lengths_are_told_from_infinity(factor):
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[2, 1.5])
    found = hyloop.run(long_lengths(factor), h, backend="interpreter")
    assert found["x"] == {1: 2 * factor, 2: 3 * factor // 2}
    assert found["far"] == {1: 2 * factor + 2, 2: found["x"][2] + h.weights[1]}


def test_a_long_length_that_nobody_uses_is_no_fault():
    @algorithm
    def example(h):
        done = h.state(Count, 0)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done == 1)
            far = (2**60 - 1) * h.weight  # noqa: F841 (it has a name, and nothing depends on it)
            done.assign(done + 1)
        return Outputs(done=done)

    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[30, 1.5])
    assert hyloop.check(example, h).agrees
    for backend in ("cpu", "dense", "interpreter"):
        assert hyloop.run(example, h, backend=backend)["done"] == 1
