"""The random hypergraphs of a check: what they are like, that they repeat, and what conditions do."""

import hashlib
from dataclasses import replace
from fractions import Fraction

import pytest

import hyloop
from compiler.arrays import spread
from hyloop import Capacity, HyloopError, Hypergraph
from hyloop.lang import Count, Flag, Hyperedge, Length, Outputs, Vertex, algorithm, at_most
from hyloop.sampling import (
    ALL_CONNECTED,
    ALL_GRAPHS,
    ODD,
    Condition,
    Draw,
    draw_cases,
    is_connected,
    is_graph,
    random_hypergraph,
    weight_remarks,
)


@pytest.fixture(scope="module")
def model():
    return hyloop.compile("dijkstra", Capacity(30, 1000))


@pytest.fixture(scope="module")
def drawn(model):
    return [case.hypergraph for case in draw_cases(model, 400, 0, []).cases]


def share(hypergraphs, holds):
    return sum(map(holds, hypergraphs)) / len(hypergraphs)


def sizes(h):
    return [len(h.members_of(label)) for label in h.hyperedges]


def integer_weights(h):
    return h.integer_weights()[0]


@pytest.mark.parametrize(
    ("what", "least"),
    [
        (lambda h: any(not h.hyperedges_of(v) for v in h.vertices), 0.2),  # isolated vertices
        (lambda h: 0 in sizes(h), 0.1),
        (lambda h: 1 in sizes(h), 0.1),
        (lambda h: len({h.members_of(e) for e in h.hyperedges}) < len(h.hyperedges), 0.2),  # repeated hyperedges
        (lambda h: not is_connected(h), 0.2),
        (is_connected, 0.3),
        (is_graph, 0.1),
        (lambda h: len(h.vertices) > 8, 0.05),
        (lambda h: len(h.vertices) > 4, 0.5),
        (lambda h: len(h.hyperedges) > len(h.vertices), 0.1),
        (lambda h: max(integer_weights(h), default=0) == 1000, 0.03),  # as heavy as the model holds
        (lambda h: len(h.weights) > 2 and len(set(h.weights)) == 1, 0.05),  # nothing but ties
        (lambda h: len(set(h.weights)) > 3, 0.2),
        (lambda h: any(weight.denominator > 1 for weight in h.weights), 0.2),
    ],
)
def test_there_are_enough_of_each_kind(drawn, what, least):
    assert share(drawn, what) >= least


def test_the_odd_ones_come_first(drawn):
    with_vertices = [(vertices, edges) for vertices, edges in ODD if vertices]
    for h, (vertices, edges) in zip(drawn, with_vertices, strict=False):
        assert len(h.vertices) == vertices
        assert [list(h.members_of(label)) for label in h.hyperedges] == edges


def test_few_are_repeated(drawn):
    different = {(h.vertices, tuple(map(h.members_of, h.hyperedges)), h.weights) for h in drawn}
    assert len(different) > 0.85 * len(drawn)


def test_the_model_holds_them(model, drawn):
    for h in drawn:
        model.capacity.require(len(h.vertices), len(h.hyperedges), max(integer_weights(h), default=1))


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("weight", [1, 2])
def test_small_capacities(rows, weight):
    for number in range(60):
        for graphs in (False, True):
            h = random_hypergraph(5, number + len(ODD), rows=rows, weight=weight, large=True, graphs=graphs)
            assert max(len(h.vertices), len(h.hyperedges)) <= rows
            assert max(integer_weights(h), default=1) <= weight


def test_the_same_on_every_machine():
    """What is drawn is part of what a seed means: a change of it must be meant."""
    found = [random_hypergraph(7, n, rows=100, weight=10**6, large=True, graphs=n % 2 == 0) for n in range(80)]
    text = "\n".join(f"{h.vertices} {[h.members_of(e) for e in h.hyperedges]} {h.weights}" for h in found)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "f85297650f7125c1"


def test_a_hypergraph_depends_on_its_number_alone(model):
    few, many = draw_cases(model, 30, 3, []), draw_cases(model, 60, 3, [])
    assert few.cases == many.cases[:30]
    some = draw_cases(model, 20, 3, [ALL_CONNECTED])
    by_number = {case.number: case for case in many.cases}
    assert all(by_number[case.number] == case for case in some.cases if case.number in by_number)
    assert draw_cases(model, 30, 4, []).cases[20:] != few.cases[20:]


def test_draws():
    draw = Draw(1, 2)
    assert {draw.integers(3) for _ in range(100)} == {0, 1, 2}
    assert {draw.integers(1) for _ in range(9)} == {0}
    large = [draw.integers(10**400) for _ in range(50)]
    assert all(0 <= number < 10**400 for number in large)
    assert max(large) > 10**399
    assert sorted(draw.some(range(5), 5)) == [0, 1, 2, 3, 4]
    assert len(draw.some(range(2), 5)) == 2
    assert 0.3 < sum(draw.chance(0.4) for _ in range(1000)) / 1000 < 0.5


# -- conditions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edges", "vertices", "connected", "graph"),
    [
        ([], [], True, True),
        ([], [1], True, True),
        ([], [1, 2], False, True),
        ([[1, 2], [2, 3]], [1, 2, 3], True, True),
        ([[1, 2], [2, 3], []], [1, 2, 3], True, False),
        ([[1, 2, 3]], [1, 2, 3], True, False),
        ([[1, 2], [3, 4]], [1, 2, 3, 4], False, True),
        ([[1, 2], [3, 4], [4, 1]], [1, 2, 3, 4], True, True),
        ([[1]], [1], True, False),
    ],
)
def test_what_the_conditions_say(edges, vertices, connected, graph):
    h = Hypergraph.from_hyperedges(edges, vertices=vertices)
    assert (is_connected(h), is_graph(h)) == (connected, graph)


def test_conditions_are_met_and_counted(model):
    drawn = draw_cases(model, 100, 0, [ALL_GRAPHS, ALL_CONNECTED])
    assert len(drawn.cases) == 100
    assert all(is_graph(case.hypergraph) and is_connected(case.hypergraph) for case in drawn.cases)
    assert drawn.tried == 100 + sum(drawn.rejected.values())
    assert max(len(case.hypergraph.vertices) for case in drawn.cases) > 8
    assert drawn.remarks == ()


def test_nearly_all_are_rejected(model, monkeypatch):
    monkeypatch.setattr("hyloop.sampling.AT_LEAST", 200)
    rare = Condition("mine.py:rare", lambda h: len(h.vertices) == 5 and not h.hyperedges)
    drawn = draw_cases(model, 9, 0, [rare])
    assert 0 < len(drawn.cases) < 9
    assert drawn.remarks[0] == (
        f"Only {len(drawn.cases)} of the 9 wanted were found among 200 random hypergraphs: "
        f"{200 - len(drawn.cases)} are rejected by mine.py:rare."
    )
    scarce = draw_cases(model, 1, 0, [Condition("ninth", lambda h: len(h.hyperedges) > 8)])
    assert "are rejected by ninth" in scarce.remarks[0]
    with pytest.raises(HyloopError, match="None of 200 random hypergraphs can be checked on: 200 are rejected by no"):
        draw_cases(model, 3, 0, [Condition("no", lambda _: False)])


# -- inputs and remarks ---------------------------------------------------------------------------------------------


@algorithm
def of_everything(
    h, v: Vertex, e: Hyperedge, f: Flag, c: Count, k: at_most(Count, 3), d: Length, m: at_most(Length, 2)
):
    """An input of every kind."""
    far = h.hyperedges.state(Length, 0)
    count = h.state(Count, 0)
    seen = h.state(Flag, False)
    at = h.state(Vertex, None)
    on = h.state(Hyperedge, None)
    with h.loop(at_most=1) as loop:
        loop.stop_when(True)
        far.assign(h.weight + d + m)
        count.assign(c + k)
        seen.assign(f)
        at.assign(v)
        on.assign(e)
    return Outputs(far=far, count=count, seen=seen, at=at, on=on)


def test_random_inputs_of_every_kind_fit():
    model = hyloop.compile(of_everything, Capacity(10, 50))
    cases = draw_cases(model, 150, 0, []).cases
    units = [case.inputs["d"] / (case.hypergraph.integer_weights()[1]) for case in cases]
    assert {0, 50} <= set(units) or max(units) > 20  # up to what the model holds
    assert all(unit.denominator == 1 and 0 <= unit <= 50 for unit in map(Fraction, units))
    assert {case.inputs["k"] for case in cases} == {0, 1, 2, 3}
    assert {case.inputs["f"] for case in cases} == {True, False}
    assert hyloop.check_random(model, 25).agrees


def test_an_input_that_never_fits_is_refused_with_the_reason(monkeypatch):
    monkeypatch.setattr("hyloop.sampling.AT_LEAST", 20)
    with pytest.raises(HyloopError, match=r"fits of_everything; .* refused: The input c is a count of at least 0, not"):
        draw_cases(hyloop.compile(of_everything, Capacity(9, 9)), 1, 0, [], fixed={"c": -1})


def test_random_arrays_fit():
    model = hyloop.compile(spread, Capacity(10, 50))
    cases = draw_cases(model, 60, 0, []).cases
    loads = [entry for case in cases for entry in case.inputs["load"].values()]
    assert 40 < max(loads) <= 50
    assert all(case.inputs["start"].keys() == {*case.hypergraph.vertices} for case in cases)
    assert all(case.inputs["toll"].keys() == {*case.hypergraph.hyperedges} for case in cases)


def test_small_weights_are_told(model):
    assert list(weight_remarks(model)) == []
    assert list(weight_remarks(hyloop.compile("components", Capacity(5, 1)))) == []  # it looks at no weight
    [told] = weight_remarks(replace(model, capacity=Capacity(30, 1)))
    assert told.startswith("This model holds weights up to 1: only unit weights were tried.")
    [told] = draw_cases(replace(model, capacity=Capacity(30, 3)), 5, 0, []).remarks
    assert told.startswith("This model holds weights up to 3: no larger ones were tried.")


def test_directions_are_drawn_for_programs_that_use_them():
    drawn = draw_cases(hyloop.compile("reachable", hyloop.Capacity(20, 9)), 150, 3, ()).cases
    again = draw_cases(hyloop.compile("reachable", hyloop.Capacity(20, 9)), 150, 3, ()).cases
    assert [case.hypergraph for case in drawn] == [case.hypergraph for case in again]
    found = [case.hypergraph for case in drawn]
    ends = [(h.tails_of(e), h.heads_of(e)) for h in found if h.directed for e in h.hyperedges if h.members_of(e)]
    assert 5 < sum(not h.directed for h in found) < 75
    assert sum(not tails for tails, _ in ends) > 15
    assert sum(not heads for _, heads in ends) > 15
    assert sum(bool(set(tails) & set(heads)) for tails, heads in ends) > 15
    assert sum(bool(set(tails) - set(heads)) for tails, heads in ends) > 50
