"""A download of an edited hypergraph keeps what the file said of all that is still there."""

import pytest
from hypothesis import given

from hyloop import Hypergraph, HypergraphError
from hyloop.hypergraph import Annotations
from hyloop.viewer.kept import directed_as, kept
from hypergraph_strategies import annotated


def people():
    h = Hypergraph.from_hyperedges({10: [1, 2], 20: [2, 3]}, weights=[2, 3])
    told = Annotations(
        metadata={"source": "mine"},
        vertex_attributes={1: {"name": "Ada", "age": 36}, 2: {"name": "Bo"}},
        hyperedge_attributes={10: {"room": "A"}},
    )
    return Hypergraph(h.vertices, h.hyperedges, h.incidence, h.weights, told)


def test_ids_attributes_and_metadata_stay_and_new_ones_are_added():
    original = people()
    seen = original.labelled_by("name")
    edited = Hypergraph.from_hyperedges({10: ["Ada", "Bo", "Cy"], "new": ["Cy"]}, weights=[5, 1])
    found = kept(edited, seen, original)
    assert found.vertices == (1, 2, "Cy")
    assert found.hyperedges == (10, "new")
    assert found.members_of(10) == (1, 2, "Cy")
    assert found.annotations.vertex_attributes == original.annotations.vertex_attributes
    assert found.annotations.hyperedge_attributes == {10: {"room": "A"}}
    assert found.annotations.metadata == {"source": "mine"}
    assert found.weight_of(10) == 5


def test_what_was_dropped_takes_its_attributes_along():
    original = people()
    found = kept(Hypergraph.from_hyperedges({20: ["Bo"]}), original.labelled_by("name"), original)
    assert found.annotations.vertex_attributes == {2: {"name": "Bo"}}
    assert found.annotations.hyperedge_attributes == {}


def test_a_new_label_that_the_file_uses_for_something_else():
    original = people()
    edited = Hypergraph.from_hyperedges({10: ["Ada", 1]})
    with pytest.raises(HypergraphError, match="1 is new here, but the file has something of that label"):
        kept(edited, original.labelled_by("name"), original)


@given(annotated())
def test_nothing_edited_is_nothing_lost(h):
    plain = Hypergraph(h.vertices, h.hyperedges, h.incidence, h.weights)
    assert kept(plain, h, h) == h


def test_what_the_page_edits_keeps_its_directions():
    seen = Hypergraph.from_arcs({"e": (["a"], ["b"]), "f": ([], ["a"])})
    edited = Hypergraph.from_hyperedges({"e": ["a", "b", "c"], "new": ["a"]}, vertices=["a", "b", "c"])
    found = directed_as(edited, seen)
    assert (found.tails_of("e"), found.heads_of("e")) == (("a", "c"), ("b", "c"))
    assert found.tails_of("new") == found.heads_of("new") == ("a",)
    assert directed_as(edited, edited) is edited
