"""Programs as definitions of Coq. That Coq takes them, and means by them what the interpreter does: tests/thorough."""

import pytest

from hyloop import HyloopError
from hyloop.algorithms import ALGORITHMS
from hyloop.lang import Count, Flag, Length, Outputs, algorithm, argmin, log2, max
from hyloop.lang.coq import to_coq


def test_a_program():
    text = to_coq(ALGORITHMS["levels"].program)
    assert "Made by `hyloop program levels --coq`" in text
    for line in (
        "  Variable source : nat.",
        "    level : nat -> nat;",
        "    reached : nat -> bool;",
        "    depth : nat;",
        "  Definition initial : state := State (fun _ => 0) (fun _ => false) (fun _ => false) 0.",
        "    let x3 := fun i => Nat.eqb (x1 i) x0 in",
        "    State s.(level) x5 x6 s.(depth).",
        "    let x5 := any (vertices n_v) x4 in",
        "    let x14 := fun i => if (x12 i) then x11 else (x13 i) in",
        "    (State x14 x16 x18 x11, x6).",
        "  Definition at_most : nat := n_v.",
    ):
        assert line in text.splitlines(), line


def test_lengths_and_searches():
    lines = to_coq(ALGORITHMS["dijkstra"].program).splitlines()
    for line in (
        "    distance : nat -> Length;",
        "    let x2 := least (hyperedges n_e) x0 in",
        "    let x11 := read (Some 0) (hyperedges n_e) x10 x1 in",
        "    let x13 := fun i => plus (x12 i) x11 in",
        "    let x14 := fun i => same (x13 i) x2 in",
        "    let x16 := first (vertices n_v) x15 in",
        "  Definition at_most : nat := (n_e + 1).",
    ):
        assert line in lines, line


def test_a_search_among_some_and_no_statements_before_the_loop():
    @algorithm
    def nearest(h, k: Length):
        best = h.state(Length, 0)
        some = h.hyperedges.state(Flag, True)
        with h.loop(at_most=3) as loop:
            edge, least = argmin(h.weight, where=some)
            best.assign(least)
            loop.stop_when((least < k) | edge.is_none)
        return Outputs(best=best)

    text = to_coq(nearest.program)
    assert "argmin (hyperedges n_e) (fun i => if x1 i then x0 i else infinity)" in text
    assert "iterate body at_most initial." in text


def _counted(h):
    x = h.vertices.state(Count, 0)
    n = h.state(Count, 0)
    with h.loop(at_most=3) as loop:
        n.assign(max(x))
        loop.stop_when(True)
    return Outputs(n=n)


def _pairs(h):
    x = h.vertices.state(Flag, True)
    n = h.state(Flag, False)
    with h.loop(at_most=log2(h.vertices.count)) as loop:
        n.assign(True)
        loop.stop_when(n)
    return Outputs(x=x)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (_counted, "_counted uses the operation 'max', which has no form in Coq"),
        (_pairs, r"The bound log2\(n_v\) has no form in Coq: 'log2' has none"),
    ],
)
def test_what_has_no_form_is_refused(program, told):
    with pytest.raises(HyloopError, match=told):
        to_coq(algorithm(program).program)
