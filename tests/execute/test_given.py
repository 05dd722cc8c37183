"""What a user gives for an input, as exact numbers."""

import copy
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest

from hyloop.errors import HyloopError
from hyloop.execute.given import Attribute, entries_of, numbers_of
from hyloop.hypergraph import Annotations, Hypergraph
from hyloop.lang import Count, Flag, Hyperedges, Length, Vertex, Vertices, at_most
from hyloop.lang.inputs import declared

ABC = Hypergraph.from_hyperedges(
    {"e": ["A", "B"], "f": ["B", "C"]},
    weights={"e": 2, "f": 0.5},
    annotations=Annotations(
        vertex_weights={"A": Fraction(3)},
        vertex_attributes={
            "A": {"people": 30, "home": True},
            "B": {"people": 7, "home": False, "next": "C"},
            "C": {"weight": 5},
        },
        hyperedge_attributes={"e": {"toll": 1}, "f": {"toll": 0.25}},
    ),
)


@pytest.mark.parametrize(
    ("what", "given", "numbers"),
    [
        (Vertices[Flag], {"A", "C"}, (1, 0, 1)),
        (Vertices[Flag], frozenset(), (0, 0, 0)),
        (Vertices[Flag], [True, False, np.True_], (1, 0, 1)),
        (Vertices[Flag], np.array([False, True, False]), (0, 1, 0)),
        (Vertices[Flag], {"C": True, "A": False, "B": False}, (0, 0, 1)),
        (Vertices[Flag], Attribute("home", default=True), (1, 0, 1)),
        (Vertices[Count], {"B": 2, "C": 0, "A": 3.0}, (3, 2, 0)),
        (Vertices[Count], (5, Fraction(6), np.int64(7)), (5, 6, 7)),
        (Vertices[Count], Attribute("people", default=0), (30, 7, 0)),
        (Hyperedges[Length], Attribute("toll"), (1, Fraction(1, 4))),
        (Hyperedges[Length], Attribute("weight"), (2, Fraction(1, 2))),
        (Hyperedges[Length], [0.1, Fraction(1, 3)], (Fraction(1, 10), Fraction(1, 3))),
        (Vertices[Vertex], {"A": None, "B": "A", "C": "C"}, (0, 1, 3)),
        (Vertices[Vertex], Attribute("next", default=None), (0, 3, 0)),
        (Vertices[Vertex], Attribute("next", default="A"), (1, 3, 1)),
        (Vertices[Count], Attribute("weight", default=9), (3, 9, 5)),
    ],
)
def test_ways_to_give_an_array(what, given, numbers):
    assert numbers_of(declared("a", what), ABC, given) == numbers


@pytest.mark.parametrize(
    ("what", "given", "told"),
    [
        (Vertices[Flag], {"A", "Q"}, "The input a: There is no vertex 'Q' in this hypergraph."),
        (Vertices[Flag], ["A"], "the list has 1 entries. Labels are given as a set"),
        (Vertices[Flag], [1, 0, 1], "The input a of vertex 'A' is a flag: True or False, not 1."),
        (Vertices[Flag], "A", "a set of vertices, a dictionary by label, or a list with one for each vertex in order"),
        (Vertices[Count], {"A", "B"}, "a set says only where a flag holds"),
        (Vertices[Count], {"A": 1}, "has no entry for vertex 'B'; every one needs its own."),
        (Vertices[Count], {"A": 1, "B": 1, "C": 1, "D": 1}, "There is no vertex 'D'"),
        (Vertices[Count], [1, 2], "counts over the vertices, of which there are 3; the list has 2 entries."),
        (Vertices[Count], [1, 2.5, 3], "The input a of vertex 'B' is a count of at least 0, not 2.5."),
        (Vertices[Count], [1, 2, -3], "The input a of vertex 'C' is a count of at least 0, not -3."),
        (Vertices[Count], [1, float("nan"), 3], "The input a of vertex 'B' cannot be used: NaN is not a finite"),
        (Vertices[Count], [1, True, 3], "The input a of vertex 'B' cannot be used: True is not a number."),
        (Vertices[Count], [1, np.timedelta64(3), 3], "The input a of vertex 'B' cannot be used: np.timedelta64(3) is"),
        (Count, np.timedelta64(3), "np.timedelta64(3) is not a number"),
        (Length, np.timedelta64(3, "s"), "np.timedelta64(3,'s') is not a number"),
        (Vertex, np.timedelta64(3), "np.timedelta64(3) cannot be a label"),
        (Vertices[Count], ["1", 2, 3], "The input a of vertex 'A' cannot be used: '1' is not a number."),
        (Vertices[Count], Attribute("people"), "the attribute 'people', which vertex 'C' does not have; a default"),
        (Vertices[Count], Attribute("home", default=0), "The input a of vertex 'A' cannot be used: True is not"),
        (Vertices[at_most(Count, 5)], [1, 2, 6], "The input a of vertex 'C' is at most 5; 6 is more."),
        (Hyperedges[Length], [1, -0.5], "The input a of hyperedge 'f' is a length of at least 0, not -0.5."),
        (Vertices[Vertex], {"A": "Q", "B": None, "C": None}, "The input a of vertex 'A': There is no vertex 'Q'"),
        (Vertices[Vertex], [None, "Q", None], "The input a of vertex 'B': There is no vertex 'Q'"),
        (Vertices[Vertex], Attribute("next"), "Attribute('next', default=None), or a=@next,default= (none)."),
        (Vertices[Flag], Attribute("home"), "Attribute('home', default=False), or a=@home,default=false."),
        (Vertices[Count], Attribute("people"), "Attribute('people', default=0), or a=@people,default=0."),
        (Vertices[Count], Attribute("people", default=None), "which vertex 'C' does not have; a default"),
        (Vertices[Count], np.array(5), "The input a is counts over the vertices: a dictionary by label, or a list"),
        (Vertices[Flag], np.array(True), "a set of vertices, a dictionary by label, or a list with one for each"),
        (Count, Attribute("people"), "The input a is a count, one value; an attribute has one a row."),
    ],
)
def test_what_is_refused(what, given, told):
    with pytest.raises(HyloopError, match=re.escape(told)):
        numbers_of(declared("a", what), ABC, given)


def test_entries_by_label():
    assert entries_of(declared("a", Vertices[Count]), ABC, [5, 6, 7]) == {"A": 5, "B": 6, "C": 7}


def test_a_copied_attribute_has_no_default_either():
    for made in (copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))):
        assert made(Attribute("p")) == Attribute("p")
        assert made(Attribute("p")).default is Attribute("p").default
