"""Annotations: what is kept, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from hyloop import hypergraph
from hyloop.errors import HypergraphError
from hyloop.hypergraph import (
    Annotations,
    Hypergraph,
    IncidenceRecord,
)
from hypergraph_strategies import annotated


def _with(**annotations):
    return Hypergraph.from_hyperedges({"e": ["a"], "f": []}, annotations=Annotations(**annotations))


class TestAnnotations:
    def test_floats_are_kept_as_the_decimals_they_mean(self):
        assert _with(metadata={"p": [0.1, (np.float32(0.1),)]}).annotations.metadata == {
            "p": [Decimal("0.1"), [Decimal("0.1")]]
        }

    def test_what_says_nothing_is_left_out(self):
        empty = _with(vertex_attributes={"a": {}}, incidences={("e", "a"): (IncidenceRecord(),)})
        assert empty == _with()

    def test_what_is_kept_is_a_copy(self):
        attributes = {"colours": ["red"]}
        H = _with(vertex_attributes={"a": attributes})
        attributes["colours"].append("blue")
        assert H.annotations.vertex_attributes == {"a": {"colours": ["red"]}}

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"network_type": "mixed"}, "network type is 'mixed'"),
            ({"metadata": ["name"]}, "metadata must be a mapping"),
            ({"metadata": {1: "x"}}, "name 1 is not a string"),
            ({"metadata": {"x": float("nan")}}, "not a value that JSON has"),
            ({"metadata": {"x": {1, 2}}}, "not a value that JSON has"),
            ({"metadata": {"x": np.timedelta64(3, "s")}}, "not a value that JSON has"),
            ({"metadata": {"x": 10**4000}}, "more than 4,000 digits; give it as a Decimal"),
            ({"vertex_attributes": {"b": {}}}, "no vertex 'b'"),
            ({"vertex_weights": {"a": float("inf")}}, "not a finite number"),
            ({"hyperedge_attributes": {"e": {"weight": 2}}}, "give it as the weight itself"),
            ({"incidences": {("f", "a"): (IncidenceRecord("head"),)}}, "hyperedge 'f', which does not contain it"),
            ({"incidences": {("e", "a"): (IncidenceRecord("up"),)}}, "'up' is neither head nor tail"),
            ({"incidences": {("e", "a"): (IncidenceRecord("head"),) * 2}}, "two records with the direction head"),
        ],
    )
    def test_what_cannot_be_kept_is_refused(self, bad, message):
        with pytest.raises(HypergraphError, match=message):
            _with(**bad)

    def test_attributes_may_be_nested_but_not_without_end(self):
        def nested(depth):
            return {"x": nested(depth - 1)} if depth else {}

        assert _with(metadata=nested(99)).annotations.metadata == nested(99)
        with pytest.raises(HypergraphError, match="nested more than 100 deep"):
            _with(metadata=nested(101))

    def test_the_largest_integer_that_is_kept_is_not_computed_for_each_integer(self, monkeypatch):
        class Digits(int):
            powers = 0

            def __rpow__(self, base):
                Digits.powers += 1
                return base ** int(self)

        monkeypatch.setattr(hypergraph, "KEPT_DIGITS", Digits(hypergraph.KEPT_DIGITS))
        assert 10**hypergraph.KEPT_DIGITS > 0
        assert _with(metadata={"x": list(range(100))}).annotations.metadata == {"x": list(range(100))}
        assert Digits.powers == 1  # the one above: each takes as long as reading thirty small integers


def test_a_record_without_a_direction_beside_a_directed_one_is_both():
    for side in ("tail", "head"):
        for said in (IncidenceRecord(), IncidenceRecord(weight=Fraction(2))):
            notes = Annotations(incidences={("e", "a"): (IncidenceRecord(side), said)})
            h = Hypergraph.from_hyperedges({"e": ["a"]}, annotations=notes)
            assert (h.tails_of("e"), h.heads_of("e")) == (("a",), ("a",))
            assert Hypergraph(h.vertices, h.hyperedges, h.incidence, h.weights, h.annotations) == h


class TestDirection:
    def test_a_direction_or_the_network_type_makes_it_directed(self):
        assert _with(network_type="directed").directed
        assert _with(incidences={("e", "a"): (IncidenceRecord("tail"),)}).directed
        assert not _with(network_type="asc", incidences={("e", "a"): (IncidenceRecord(weight=Fraction(2)),)}).directed

    def test_directed_hypergraphs_are_refused_where_sets_are_meant(self):
        _with(network_type="undirected").require_undirected()
        with pytest.raises(HypergraphError, match=r"ignore_direction=True .*--ignore-direction"):
            _with(network_type="directed").require_undirected()

    def test_ignoring_direction_keeps_the_rest(self):
        head = IncidenceRecord("head", Fraction(2), {"x": 1})
        tail = IncidenceRecord("tail", None, {"y": 2})
        H = _with(metadata={"name": "n"}, incidences={("e", "a"): (tail, head)}).ignoring_direction()
        both = IncidenceRecord(None, Fraction(2), {"x": 1, "y": 2})
        assert _with(network_type="undirected", metadata={"name": "n"}, incidences={("e", "a"): (both,)}) == H

    @given(annotated())
    def test_ignoring_direction_changes_no_member(self, H):
        undirected = H.ignoring_direction()
        undirected.require_undirected()
        assert undirected.incidence == H.incidence
        assert (undirected is H) == (not H.directed)
