"""Labels from an attribute: the same hypergraph under the names that a file keeps."""

import io

import pytest
from hypothesis import given

import hyloop
from hyloop import Hypergraph, HypergraphError
from hyloop.errors import HyloopWarning
from hyloop.hypergraph import Annotations
from hyloop.relabel import told_apart
from hypergraph_strategies import annotated


def with_names(vertex_names, hyperedge_names=None):
    h = Hypergraph.from_hyperedges({1: [10, 20], 2: [20, 30]}, weights=[2, 3])
    named = {label: {"name": name} for label, name in vertex_names.items()}
    edges = {label: {"name": name} for label, name in (hyperedge_names or {}).items()}
    notes = Annotations(vertex_attributes=named, hyperedge_attributes=edges)
    return Hypergraph(h.vertices, h.hyperedges, h.incidence, h.weights, notes)


def test_names_become_labels_and_the_rest_stays():
    h = with_names({10: "Ada", 20: "Bo"}, {2: "choir"}).labelled_by("name")
    assert h.vertices == ("Ada", "Bo", 30)
    assert h.hyperedges == (1, "choir")
    assert h.members_of("choir") == ("Bo", 30)
    assert h.annotations.vertex_attributes["Ada"] == {"name": "Ada"}
    assert hyloop.run("dijkstra", h, source="Ada")["distance"] == {"Ada": 0, "Bo": 2, 30: 5}


def test_names_that_do_not_differ_are_refused():
    with pytest.raises(HypergraphError, match=r"2 vertices would be called 'Ada' by 'name', 10 the first"):
        with_names({10: "Ada", 20: "Ada"}).labelled_by("name")


def test_names_that_look_the_same_are_warned_of():
    told = r"Labels by 'name': these are different vertices, though they look the same: 'x' and 'x '\."
    with pytest.warns(HyloopWarning, match=told) as warned:
        assert with_names({10: "x", 20: "x "}).labelled_by("name").vertices == ("x", "x ", 30)
    assert [each.filename for each in warned] == [__file__]
    with pytest.warns(HyloopWarning, match=r"different hyperedges, .*'e\\u0301' and '\\xe9'"):
        with_names({}, {1: "e\u0301", 2: "\u00e9"}).labelled_by("name")


def test_a_name_that_is_the_label_of_another_is_refused():
    with pytest.raises(HypergraphError, match="would be called 30"):
        with_names({10: 30}).labelled_by("name")


def test_what_is_no_label_is_refused():
    with pytest.raises(HypergraphError, match="The vertex 10 cannot be called True: a label is text or an integer"):
        with_names({10: True}).labelled_by("name")


def test_an_attribute_that_nothing_has():
    with pytest.raises(HypergraphError, match="has an attribute 'title'; there are name"):
        with_names({10: "Ada"}).labelled_by("title")
    with pytest.raises(HypergraphError, match="no attributes at all"):
        Hypergraph.from_hyperedges([[1]]).labelled_by("name")


@pytest.mark.filterwarnings("ignore:Labels by 'k'")  # of hyperedges, whose labels stay
@given(annotated())
def test_structure_and_weights_stay(h):
    names = {
        label: {**h.annotations.vertex_attributes.get(label, {}), "k": f"v{at}"} for at, label in enumerate(h.vertices)
    }
    if not names:
        return
    notes = Annotations(
        h.annotations.network_type,
        h.annotations.metadata,
        h.annotations.vertex_weights,
        names,
        {e: {k: v for k, v in a.items() if k != "k"} for e, a in h.annotations.hyperedge_attributes.items()},
        h.annotations.incidences,
    )
    before = Hypergraph(h.vertices, h.hyperedges, h.incidence, h.weights, notes)
    after = before.labelled_by("k")
    assert after.incidence == h.incidence
    assert after.weights == h.weights
    assert after.vertices == tuple(f"v{at}" for at in range(len(h.vertices)))
    assert len(after.annotations.incidences) == len(before.annotations.incidences)
    assert after.directed == h.directed


def test_a_decimal_is_told_from_an_integer():
    h = hyloop.read(io.StringIO('{"incidences": [], "nodes": [{"node": "a", "attrs": {"p": 1.5e1}}]}'))
    with pytest.raises(HypergraphError, match=r"The vertex 'a' cannot be called the decimal number 15\.0: a label is"):
        h.labelled_by("p")


@pytest.mark.parametrize(
    ("vertices", "hyperedges", "wanted"),
    [
        ([1, 2], [1, 2], ["e1", "e2"]),
        (["1", "Quay"], ["-7", 10**20], ["e-7", "e100000000000000000000"]),
        (["Quay"], [1], [1]),
        ([1], [1, "ferry"], [1, "ferry"]),
        ([1, "e1"], [1], [1]),
        ([1], ["01"], ["01"]),
    ],
)
def test_hyperedges_that_would_be_taken_for_vertices_get_a_letter(vertices, hyperedges, wanted):
    assert list(told_apart(vertices, hyperedges)) == wanted
