"""A program that never stops is told from one that takes long, in every executor."""

import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.lang import Count, Flag, Outputs, algorithm
from hyloop.running import BACKENDS

H = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])


@algorithm
def stuck(h):
    """Never sets the flag that would stop it."""
    flag = h.state(Flag, False)
    with h.loop(at_most=10**12) as loop:
        loop.stop_when(flag)
    return Outputs(flag=flag)


@algorithm
def slow(h):
    """Looks the same for most of the time in all but one count."""
    count = h.state(Count, 0)
    with h.loop(at_most=10**12) as loop:
        count.assign(count + 1)
        loop.stop_when(count == 3_000)
    return Outputs(count=count)


@pytest.mark.parametrize("backend", [each for each in BACKENDS if each not in {"cuda", "torch"}])
def test_a_run_that_never_ends(backend):
    with pytest.raises(HyloopError, match=r"stuck never stops: after iteration [\d,]+ everything is as it was after"):
        hyloop.run(stuck, H, backend=backend)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_run_that_takes_long(backend):
    assert hyloop.run(slow, H, backend=backend)["count"] == 3_000


@algorithm
def swinging(h):
    """Goes to and fro for ever."""
    flag = h.state(Flag, False)
    with h.loop(at_most=10**12) as loop:
        flag.assign(~flag)
        loop.stop_when(flag & ~flag)
    return Outputs(flag=flag)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_run_in_a_circle_never_ends(backend):
    with pytest.raises(HyloopError, match="swinging never stops"):
        hyloop.run(swinging, H, backend=backend)


def test_a_check_names_the_hypergraph_and_goes_on():
    found = hyloop.check_random(swinging, 3)
    assert found.count("did not stop") == 3
    assert all("swinging never stops: after iteration" in each.told for each in found.findings)


def test_a_check_does_not_blame_the_declared_bound():
    with pytest.raises(HyloopError, match=r"^swinging never stops: after iteration [\d,]+ everything is as it was"):
        hyloop.check(swinging, H)
