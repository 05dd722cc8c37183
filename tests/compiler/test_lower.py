"""Lowering: constant masks, and flags that are set on every row. Programs without statements before the loop."""

import pytest

import hyloop
from hyloop.lang import Count, Flag, Hyperedge, Outputs, Vertex, algorithm, any, where

H = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d", "e"]])


def never(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(5, where=False)


def always(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(5, where=True)


def always_a_sum(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(x + 2, where=True)


def one_value_over_many(h):
    x, one = h.vertices.state(Count, 1), h.state(Count, 3)
    yield x
    x.assign(one + 1, where=True)


def never_after_always(h):
    x = h.hyperedges.state(Count, 1)
    yield x
    x.assign(2, where=True)
    x.assign(7, where=False)


def always_after_some(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(2, where=h.vertices.number > h.vertices.number[x_first(h)])
    x.assign(3, where=True)


def some_after_always(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(3, where=True)
    x.assign(2, where=h.vertices.number > x_first(h))


def x_first(h):
    return hyloop.lang.first(h.vertices.every)


def a_flag_never(h):
    x = h.state(Flag, False)
    yield x
    x.assign(True, where=False)


def a_pointer_kept_on_no_row(h):
    """The negated flag is set on every row, past the last one too: its negation must be 0 there, not -1."""
    after = h.hyperedges.state(Hyperedge)
    yield after
    after.assign(after, where=~where(h.hyperedges.every, True, True))
    after.assign(after + 1, where=h.hyperedges.every)


def a_number_where_nothing_is_lacking(h):
    kept = h.vertices.state(Vertex)
    yield kept
    kept.assign(h.vertices.number, where=~where(kept.is_none, True, True))


def nothing_is_lacking(h):
    lacking = h.state(Flag, True)
    yield lacking
    lacking.assign(any(~where(h.vertices.every, True, lacking)))


PROGRAMS = [
    never,
    always,
    always_a_sum,
    one_value_over_many,
    never_after_always,
    always_after_some,
    some_after_always,
    a_flag_never,
    a_pointer_kept_on_no_row,
    a_number_where_nothing_is_lacking,
    nothing_is_lacking,
]


def looped(steps, *, begins):
    """The program whose loop takes the steps twice, with or without a statement before the loop."""

    def whole(h):
        clock = h.state(Count, 0)
        taken = steps(h)
        x = next(taken)
        if begins:
            clock.assign(0)
        with h.loop(at_most=3) as loop:
            next(taken, None)
            clock.assign(clock + 1)
            loop.stop_when(clock >= 2)
        return Outputs(x=x)

    return algorithm(whole).program


@pytest.mark.parametrize("begins", [False, True])
@pytest.mark.parametrize("schedule", ["packed", "one operation per layer"])
@pytest.mark.parametrize("steps", PROGRAMS, ids=lambda steps: steps.__name__)
def test_transformer_agrees_with_the_interpreter(steps, schedule, begins):
    model = hyloop.compile(looped(steps, begins=begins), schedule=schedule)
    checked = hyloop.check(model, H)
    assert checked.difference is None, str(checked.difference)
    assert checked.iterations == 2 + begins
