"""What the compiler certifies the prover proves, at the same capacity: one analysis, and the same sums."""

import pytest

import hyloop
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    Length,
    Outputs,
    Vertex,
    algorithm,
    argmin,
    at_most,
    first,
    min,
    where,
)
from hyloop.prove import prove


def once(h):
    """A flag for a loop that runs once."""
    return h.state(Flag, False)


def walks(h, source: Vertex):
    """How many walks of four steps lead to each vertex: numbers up to the fourth power of the rows."""
    x, done = h.vertices.state(Count, 0), once(h)
    with h.loop(at_most=2) as loop:
        loop.stop_when(done)
        near = h.incidence @ (h.incidence.T @ (h.vertices.number == source))
        x.assign(h.incidence @ (h.incidence.T @ near))
        done.assign(True)
    return Outputs(x=x)


def look_up(h, source: Vertex):
    large, y, done = h.vertices.state(Count, 2**40), h.state(Count, 0), once(h)
    with h.loop(at_most=2) as loop:
        loop.stop_when(done)
        y.assign(large[source])
        done.assign(True)
    return Outputs(y=y)


def look_up_what_grows(h, source: Vertex):
    large, y = h.vertices.state(Count, 0), h.state(Count, 0)
    with h.loop(at_most=h.vertices.count) as loop:
        large.assign(large + 2**30)
        y.assign(large[source])
        loop.stop_when(y > 2**45)
    return Outputs(y=y)


def weight_at(h, e: Hyperedge):
    y, done = h.state(Length, 0), once(h)
    with h.loop(at_most=2) as loop:
        loop.stop_when(done)
        y.assign(h.weight[e])
        done.assign(True)
    return Outputs(y=y)


def lightest(h):
    y, best = h.state(Length, 0), h.state(Hyperedge)
    with h.loop(at_most=2) as loop:
        e, w = argmin(h.weight)
        loop.stop_when(best.exists)
        best.assign(e)
        y.assign(w)
    return Outputs(y=y)


def scalar_near_the_limit(h):
    x, done = h.state(Count, 2**53 - 1), once(h)
    with h.loop(at_most=2) as loop:
        loop.stop_when(done)
        done.assign(True)
    return Outputs(x=x)


def own_at_a_pointer(h):
    p, q, clock = h.state(Vertex), h.state(Vertex), h.state(Count, 0)
    with h.loop(at_most=3) as loop:
        q.assign(h.vertices.number[p])
        clock.assign(clock + 1)
        loop.stop_when(clock > 1)
    return Outputs(q=q)


def relaxation(h, source: Vertex):
    d, e = h.vertices.state(Length, INFINITY), h.state(Hyperedge)
    d[source] = 0
    with h.loop(at_most=h.vertices.count * h.hyperedges.count + 1) as loop:
        e.assign(where(e.is_none, first(h.hyperedges.every), e + 1))
        loop.stop_when(e.is_none)
        near = min(d, where=h.members(e)) + h.weight[e]
        d.assign(where(near < d, near, d), where=h.members(e))
    return Outputs(d=d)


def a_length_given(h, d: at_most(Length, 10)):
    x = h.state(Length, 0)
    with h.loop(at_most=1) as loop:
        x.assign(d)
        loop.stop_when(x >= 0)
    return Outputs(x=x)


def nothing_is_covered(h):
    """The hyperedges outside all hyperedges cover no vertex: a sum of nothing, for which the machine has no head."""
    s = h.vertices.state(Vertex)
    with h.loop(at_most=6) as loop:
        s.assign(h.vertices.number, where=h.covered(~h.hyperedges.every))
        loop.stop_when(h.vertices.count >= 0)
    return Outputs(s=s)


def growth_that_never_happens(h):
    x, far = h.state(Count, 0), h.vertices.state(Length, INFINITY)
    with h.loop(at_most=3) as loop:
        x.assign(x + x, where=False)
        far.assign(10**20 * min(h.weight), where=False)
        loop.stop_when(x == 0)
    return Outputs(x=x, far=far)


def a_flag_that_is_never_set(h):
    """Its bound is 0 in the compiler, which takes `s & s` for `s`; it must be 0 for the prover, too."""
    s, t = h.vertices.state(Flag, False), h.vertices.state(Flag, False)
    with h.loop(at_most=2) as loop:
        s.assign(s, where=s)
        s.assign(s & s, where=s)
        t.assign(t | s, where=t)
        loop.stop_when(h.vertices.count >= 0)
    return Outputs(s=s, t=t)


PROGRAMS = [
    a_flag_that_is_never_set,
    growth_that_never_happens,
    nothing_is_covered,
    walks,
    look_up,
    look_up_what_grows,
    weight_at,
    lightest,
    scalar_near_the_limit,
    own_at_a_pointer,
    relaxation,
    a_length_given,
]


@pytest.mark.parametrize("schedule", ["packed", "one operation per layer"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_what_is_certified_at_the_default_capacity_is_proved_there(function, schedule):
    model = hyloop.compile(algorithm(function), schedule=schedule)
    proof = prove(model)
    assert proof.answer == "proved", proof.failure and proof.failure.obligation.says


def test_rows_are_given_up_for_weights():
    """A model for many rows and hardly a weight is of little use; so rows and weights are balanced."""
    model = hyloop.compile(algorithm(relaxation))
    assert model.takes_weights
    assert model.capacity.weight >= 1000
    assert model.capacity.rows >= 1000
    assert hyloop.compile("bfs").capacity.rows == 131_071
    assert not hyloop.compile("bfs").takes_weights
