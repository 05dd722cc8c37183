"""The algorithms in examples/ against brute force over sets, which shares nothing with them."""

import importlib.util
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
import hypergraph_strategies as some

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name):
    """The algorithm of that name in the file of that name."""
    spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


MATCHING, CORE = example("matching"), example("core")

weights = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2)])
hypergraphs = some.plain(weights=weights)


def greedy(h):
    """Of all sets of disjoint hyperedges, the one whose ranks (heavier first, then the lower number) come first."""
    weight = dict(zip(h.hyperedges, h.weights, strict=True))
    members = {e: set(h.members_of(e)) for e in h.hyperedges}
    ranked = sorted(h.hyperedges, key=lambda e: (-weight[e], h.hyperedge_number(e)))
    families = [
        family
        for size in range(len(ranked) + 1)
        for family in combinations(range(len(ranked)), size)
        if all(not members[ranked[i]] & members[ranked[j]] for i, j in combinations(family, 2))
    ]
    # Without a prefix of another: only families to which nothing can be added.
    maximal = [f for f in families if not any(set(f) < set(g) for g in families)]
    return {ranked[place] for place in min(maximal)}


def largest_core(h, k):
    """The largest set of vertices that each have k hyperedges inside the set."""
    members = {e: set(h.members_of(e)) for e in h.hyperedges}
    for size in range(len(h.vertices), -1, -1):
        for left in combinations(h.vertices, size):
            # A hyperedge goes with the first of its vertices; an empty one has none to go with.
            inside = [e for e in h.hyperedges if members[e] <= set(left)]
            if all(sum(v in members[e] for e in inside) >= k for v in left):
                return set(left), set(inside)
    raise AssertionError("the empty set will do")


@given(hypergraphs)
def test_matching_is_the_greedy_one(h):
    found = hyloop.run(MATCHING, h)
    chosen = greedy(h)
    assert {e for e, is_chosen in found["chosen"].items() if is_chosen} == chosen
    assert found["hyperedge"] == {v: next((e for e in chosen if v in h.members_of(e)), None) for v in h.vertices}
    assert found["worth"] == sum(w for e, w in zip(h.hyperedges, h.weights, strict=True) if e in chosen)


few = some.plain(labels=st.integers(0, 6), weights=weights)


@given(few, st.integers(0, 3))
def test_core_is_the_largest(h, k):
    found = hyloop.run(CORE, h, k=k)
    vertices, hyperedges = largest_core(h, k)
    assert {v for v, left in found["core"].items() if left} == vertices
    assert {e for e, left in found["kept"].items() if left} == hyperedges


@pytest.mark.parametrize("k", [0, 1, 4])
def test_core_of_nothing(k):
    h = hyloop.Hypergraph.from_hyperedges({})
    assert hyloop.run(CORE, h, k=k)["core"] == {}


def test_weights_far_apart():
    h = hyloop.Hypergraph.from_hyperedges({"a": [1, 2], "b": [3]}, weights=[1, 10**30])
    assert hyloop.run(MATCHING, h, backend="interpreter")["worth"] == 10**30 + 1
