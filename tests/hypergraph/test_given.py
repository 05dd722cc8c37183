"""What people may give as hyperedges, members and weights."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict

import numpy as np
import pytest

from hyloop.errors import HypergraphError
from hyloop.hypergraph import (
    Hypergraph,
)


@pytest.mark.parametrize("arc", [["a", "b", "c"], "ab", {"a"}])
def test_an_arc_is_tails_and_heads(arc):
    with pytest.raises(HypergraphError, match=r"Hyperedge 'e' must be given as \(tails, heads\)"):
        Hypergraph.from_arcs({"e": arc})


def test_tails_are_a_collection():
    with pytest.raises(HypergraphError, match="must be a collection of vertices, not 'ab'"):
        Hypergraph.from_arcs({"e": ("ab", [])})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((None,), "The hyperedges must be a dictionary"),
        ((np.array(5),), "The hyperedges must be a dictionary"),
        (({"e": np.array(5)},), "The members of hyperedge 'e' must be a collection of vertices, not"),
        (([["a"]], 5), "The weights must be a dictionary from labels to numbers, or a list of numbers; not 5."),
        (([["a"]], np.array(5)), "The weights must be a dictionary"),
        (([["a"]], "5"), "The weights must be a dictionary"),
        (([["a"]], None, "ab"), "The vertices must be a collection of vertices, not 'ab'."),
        (([["a"]], None, np.array(5)), "The vertices must be a collection"),
    ],
    ids=range(8),
)
def test_what_has_no_items_is_refused(given, told):
    with pytest.raises(HypergraphError, match=re.escape(told)):
        Hypergraph.from_hyperedges(*given)


def test_sets_are_taken_sorted():
    """In another order than that of their hashes, which differs from process to process."""
    h = Hypergraph.from_hyperedges([{"q", "b", 10, 9}, {"a", "b"}], vertices=frozenset({"z", "y"}))
    assert h.vertices == ("y", "z", 9, 10, "b", "q", "a")
    assert Hypergraph.from_arcs({"e": ({"d", "c"}, {"b", "a"})}).vertices == ("c", "d", "a", "b")


def test_what_needs_an_order_is_no_set():
    with pytest.raises(HypergraphError, match=r"a dictionary from labels to numbers, or a list of numbers; not \{"):
        Hypergraph.from_hyperedges({"e": ["a"], "f": ["b"]}, weights={9, 3})
    with pytest.raises(HypergraphError, match="a dictionary from labels to members, or a list"):
        Hypergraph.from_hyperedges({frozenset("ab"), frozenset("bc")})


def test_a_dictionary_of_weights_may_have_a_default():
    weights = defaultdict(lambda: 7, f=2)
    assert Hypergraph.from_hyperedges({"e": ["a"], "f": ["b"]}, weights).weights == (7, 2)
    assert list(weights) == ["f"]  # it is not changed


def test_weights_without_end_are_refused():
    with pytest.raises(HypergraphError, match="There are 2 or more weights for 1 hyperedges"):
        Hypergraph.from_hyperedges({"e": ["a"]}, weights=itertools.repeat(1))


@pytest.mark.parametrize("labels", [[2, 3, 1], [1, 0, "x"], [1, 2, 4], ["x", 2, "y"]])
def test_an_index_that_names_some_of_the_labels_is_refused(labels):
    pandas = pytest.importorskip("pandas")
    with pytest.raises(HypergraphError, match="counts from 0, and some of the labels are such numbers"):
        Hypergraph.from_hyperedges({label: ["a"] for label in labels}, pandas.Series([5, 2, 7]))


@pytest.mark.parametrize("labels", [[1, 2, 3], ["a", "b", "c"], [5, 6, 7]])
def test_an_index_that_counts_is_that_of_a_list(labels):
    pandas = pytest.importorskip("pandas")
    weights = pandas.Series([5, 2, 7])
    assert Hypergraph.from_hyperedges({label: ["a"] for label in labels}, weights).weights == (5, 2, 7)
