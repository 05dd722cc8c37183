"""The columns of a model, and the names that states may have."""

from itertools import islice

import pytest

import hyloop
from compiler.agreement import assert_agrees
from hyloop import Capacity
from hyloop.lang import Count, Flag, Length, Outputs, algorithm
from hyloop.paper.sweep import hypergraphs

GRAPHS = [H for H in islice(hypergraphs(48, vertices=5, hyperedges=5), 30) if H.vertices and H.hyperedges]


@algorithm
def named_like_columns(h):
    halt, n_v, P_1 = h.state(Count, 0), h.state(Count, 0), h.state(Count, 0)
    started, vertices, weight = h.state(Flag, False), h.vertices.state(Flag, False), h.hyperedges.state(Length, 0)
    n_v.assign(h.vertices.count)
    with h.loop(at_most=3) as loop:
        halt.assign(halt + 1)
        P_1.assign(n_v)
        started.assign(True)
        vertices.assign(h.covered(h.hyperedges.every))
        weight.assign(h.weight)
        loop.stop_when(halt == 2)
    return Outputs(halt=halt, vertices=vertices, weight=weight, started=started, P_1=P_1)


@pytest.mark.parametrize("schedule", ["packed", "one operation per layer"])
def test_states_may_be_named_like_the_columns_of_the_machine(schedule):
    model = hyloop.compile(named_like_columns, Capacity(8, 300), schedule=schedule)
    for H in GRAPHS[:12]:
        assert_agrees(model, H, {}, 1)
