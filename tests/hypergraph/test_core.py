"""Hypergraphs: structure, equality, direction."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.hypergraph import (
    Annotations,
    Hypergraph,
    Incidence,
    IncidenceRecord,
)
from hyloop.hypergraph_batch import HypergraphBatch
from hypergraph_strategies import plain


class TestStructure:
    def test_numbers_follow_the_given_vertices_then_first_appearance(self, harbour):
        assert harbour.vertices == ("Mill", "Quay", "Isle", "Farm")
        assert harbour.hyperedges == ("ferry", "road", "path")
        assert harbour.vertex_number("Farm") == 3
        assert harbour.hyperedge_number("path") == 2

    def test_members_and_hyperedges_come_in_the_order_of_their_numbers(self, harbour):
        assert harbour.members_of("road") == ("Mill", "Quay", "Farm")
        assert harbour.hyperedges_of("Isle") == ("ferry", "path")

    def test_incidence_has_a_row_for_each_vertex(self, harbour):
        assert harbour.incidence.indptr.tolist() == [0, 1, 3, 5, 7]
        assert harbour.incidence.indices.tolist() == [1, 0, 1, 0, 2, 1, 2]
        assert harbour.incidence.row(3).tolist() == [1, 2]

    def test_transposed_incidence_has_a_row_for_each_hyperedge(self, harbour):
        assert harbour.incidence_transposed.indptr.tolist() == [0, 2, 5, 7]
        assert harbour.incidence_transposed.indices.tolist() == [1, 2, 0, 1, 3, 2, 3]

    def test_hyperedges_without_names_are_numbered_from_1(self):
        H = Hypergraph.from_hyperedges([["a", "b"], ["b"]])
        assert H.hyperedges == (1, 2)

    def test_a_vertex_twice_in_a_hyperedge_counts_once(self):
        assert Hypergraph.from_hyperedges([["a", "b", "a"]]).members_of(1) == ("a", "b")

    def test_empty_equal_and_isolated_parts_are_legal(self):
        H = Hypergraph.from_hyperedges({"e": [], "f": ["a"], "g": ["a"]}, vertices=["alone"])
        assert H.members_of("e") == ()
        assert H.hyperedges_of("alone") == ()
        assert H.members_of("f") == H.members_of("g")

    def test_nothing_at_all_is_legal(self):
        H = Hypergraph.from_hyperedges([])
        assert (H.vertices, H.hyperedges, H.integer_weights()) == ((), (), ((), 1))
        assert H.incidence_transposed.rows == 0

    def test_it_cannot_be_changed(self, harbour):
        with pytest.raises(FrozenInstanceError):
            harbour.vertices = ()
        with pytest.raises(ValueError, match="read-only"):
            harbour.incidence.indices[0] = 7
        with pytest.raises(ValueError, match="WRITEABLE"):
            harbour.incidence.indices.flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            harbour.incidence_transposed.indptr[0] = 7

    def test_long_weights_are_kept_without_directions(self):
        H = Hypergraph.from_arcs([(["a"], ["b"]), (["b"], ["c"])], weights=[Fraction(1, 10**30), 2])
        undirected = HypergraphBatch.of([H])[0].ignoring_direction()
        assert undirected == H.ignoring_direction()
        assert undirected.weights == (Fraction(1, 10**30), 2)

    def test_its_weights_cannot_be_changed(self):
        H = Hypergraph.from_arrays([0, 1, 1, 2], [0, 0, 1, 1], weights=np.array([2, 3]))
        for weights in (H.in_units[0], HypergraphBatch.of([H])[0].in_units[0]):
            with pytest.raises(ValueError, match="read-only"):
                weights[:] = [-5, -7]
            with pytest.raises(ValueError, match="WRITEABLE"):
                weights.flags.writeable = True

    def test_the_arrays_it_was_given_stay_the_callers(self):
        indices = np.array([0])
        H = Hypergraph(("a",), ("e",), Incidence(np.array([0, 1]), indices), (1,))
        indices[0] = 5
        assert H.members_of("e") == ("a",)

    def test_it_survives_pickling(self, harbour):
        assert pickle.loads(pickle.dumps(harbour)) == harbour

    def test_repr_is_one_line_with_the_counts_and_the_name(self, harbour):
        assert repr(harbour) == "<Hypergraph: 4 vertices, 3 hyperedges, 7 incidences>"
        named = replace(harbour, annotations=Annotations("directed", {"name": "harbour"}))
        assert repr(named) == "<Hypergraph 'harbour': 4 vertices, 3 hyperedges, 7 incidences, directed>"
        assert repr(Hypergraph.from_hyperedges([["a"]])) == "<Hypergraph: 1 vertex, 1 hyperedge, 1 incidence>"

    @given(plain())
    def test_the_two_directions_of_the_incidence_agree(self, H):
        by_hyperedge = {(vertex, hyperedge) for hyperedge in H.hyperedges for vertex in H.members_of(hyperedge)}
        by_vertex = {(vertex, hyperedge) for vertex in H.vertices for hyperedge in H.hyperedges_of(vertex)}
        assert by_hyperedge == by_vertex
        assert H.incidence_transposed.transposed(len(H.vertices)) == H.incidence

    @given(st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=6))
    def test_members_are_those_that_were_given(self, members):
        H = Hypergraph.from_hyperedges(members)
        assert [set(H.members_of(number)) for number in H.hyperedges] == [set(row) for row in members]


class TestEquality:
    def test_equal_parts_make_equal_hypergraphs(self):
        assert Hypergraph.from_hyperedges([["a", "b"]]) == Hypergraph.from_hyperedges([["a", "b", "a"]])

    @pytest.mark.parametrize(
        "other",
        [
            Hypergraph.from_hyperedges([["a", "c"]]),
            Hypergraph.from_hyperedges([["b", "a"]]),
            Hypergraph.from_hyperedges({"1": ["a", "b"]}),
            Hypergraph.from_hyperedges([["a", "b"]], weights=[2]),
            Hypergraph.from_hyperedges([["a"]], vertices=["a", "b"]),
            Hypergraph.from_hyperedges([["a", "b"]], annotations=Annotations(metadata={"name": "x"})),
        ],
    )
    def test_any_difference_makes_them_unequal(self, other):
        assert Hypergraph.from_hyperedges([["a", "b"]]) != other


ARCS = Hypergraph.from_arcs(
    {"both": (["a", "b"], ["b", "c"]), "fact": ([], ["a"]), "waste": (["c"], []), "empty": ([], [])},
    weights={"fact": 3},
)


def test_tails_and_heads():
    assert ARCS.directed
    assert [ARCS.tails_of(e) for e in ARCS.hyperedges] == [("a", "b"), (), ("c",), ()]
    assert [ARCS.heads_of(e) for e in ARCS.hyperedges] == [("b", "c"), ("a",), (), ()]
    assert [ARCS.members_of(e) for e in ARCS.hyperedges] == [("a", "b", "c"), ("a",), ("c",), ()]
    assert ARCS.weights == (1, 3, 1, 1)
    for side, transposed in ((ARCS.tails, ARCS.tails_transposed), (ARCS.heads, ARCS.heads_transposed)):
        assert side.transposed(4) == transposed


def test_a_member_without_a_direction_is_a_tail_and_a_head():
    told = {("e", "a"): (IncidenceRecord("tail"),), ("e", "b"): (IncidenceRecord(None, Fraction(2)),)}
    h = Hypergraph.from_hyperedges({"e": ["a", "b", "c"]}, annotations=Annotations(incidences=told))
    assert (h.tails_of("e"), h.heads_of("e")) == (("a", "b", "c"), ("b", "c"))
    only = replace(h, annotations=Annotations("directed"))
    assert only.tails is only.heads is only.incidence
    assert only.tails_transposed is only.incidence_transposed


def test_without_directions_all_three_are_one():
    h = ARCS.ignoring_direction()
    assert h.tails is h.heads is h.incidence
    assert h.tails_transposed is h.heads_transposed is h.incidence_transposed
