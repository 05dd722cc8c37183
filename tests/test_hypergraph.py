from __future__ import annotations

import enum
import itertools
import pickle
import re
import sys
import time
from collections import defaultdict
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal
from fractions import Fraction
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop import hypergraph
from hyloop.errors import HypergraphError
from hyloop.hypergraph import (
    ALIKE,
    LABEL,
    Annotations,
    Hypergraph,
    Incidence,
    IncidenceRecord,
    Numbering,
    as_label,
    common_unit,
    exact,
    label_from_text,
    labels_from_texts,
    multiples,
)
from hypergraph_strategies import annotated, plain, positive_fractions


@pytest.fixture
def harbour() -> Hypergraph:
    return Hypergraph.from_hyperedges(
        {"ferry": ["Quay", "Isle"], "road": ["Quay", "Mill", "Farm"], "path": ["Farm", "Isle"]},
        weights={"ferry": 2, "path": 0.5},
        vertices=["Mill"],
    )


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


class TestLabels:
    def test_integers_and_strings_are_kept_apart(self):
        H = Hypergraph.from_hyperedges({1: [1, "1"], "1": ["1"]})
        assert H.vertices == (1, "1")
        assert H.members_of("1") == ("1",)

    def test_numpy_labels_become_plain_ones(self):
        H = Hypergraph.from_hyperedges([np.array([3, 4])])
        assert [type(label) for label in H.vertices] == [int, int]
        assert type(as_label(np.str_("a"))) is str

    @pytest.mark.parametrize(
        "bad",
        [True, 1.0, None, b"1", ("a",), ["a"], np.bool_(True), "\ud800", 10**1000, -(10**5000), np.timedelta64(3)],
        ids=type,
    )
    def test_other_labels_are_refused(self, bad):
        with pytest.raises(HypergraphError, match="cannot be a label"):
            Hypergraph.from_hyperedges([[1, bad]])
        with pytest.raises(HypergraphError, match=r"cannot be a label|There is no vertex"):
            Hypergraph.from_hyperedges([[1]]).vertex_number(bad)

    def test_a_label_twice_is_refused_by_the_constructor(self):
        incidence = Incidence([0, 0, 0], [])
        assert Hypergraph(("a", "b"), (), incidence, ()).vertices == ("a", "b")
        with pytest.raises(HypergraphError, match="two records of vertex 'a'"):
            Hypergraph(("a", "a"), (), incidence, ())

    def test_a_string_is_not_a_list_of_members(self):
        with pytest.raises(HypergraphError, match="members of hyperedge 'road' must be a collection"):
            Hypergraph.from_hyperedges({"road": "Quay"})

    def test_unknown_labels_are_named_and_close_ones_suggested(self, harbour):
        with pytest.raises(HypergraphError, match=r"no vertex 'Quai' .* Did you mean 'Quay'"):
            harbour.vertex_number("Quai")
        with pytest.raises(HypergraphError, match=r"no hyperedge 'ferrys' .* Did you mean 'ferry'"):
            harbour.members_of("ferrys")
        with pytest.raises(
            HypergraphError, match=r"no vertex 'zzzzzz' in this hypergraph\. There is 'Mill', for example\.$"
        ):
            harbour.hyperedges_of("zzzzzz")
        with pytest.raises(HypergraphError, match=r"no vertex 'A' in this hypergraph\. Did you mean 'a'\?"):
            Hypergraph.from_hyperedges([["a", "b"]]).vertex_number("A")

    def test_the_other_kind_of_label_is_suggested(self):
        with pytest.raises(HypergraphError, match=r"Did you mean 1\?"):
            Hypergraph.from_hyperedges([[1]]).vertex_number("1")

    def test_text_finds_the_integer_first_as_tables_write_it(self):
        H = Hypergraph.from_hyperedges({7: [1, "1", 2, "02"]})
        assert H.find_vertex("1") == 1
        assert H.find_vertex("2") == 2
        assert H.find_vertex("02") == "02"
        assert H.find_hyperedge("7") == 7
        with pytest.raises(HypergraphError, match="no vertex '3'"):
            H.find_vertex("3")
        with pytest.raises(HypergraphError, match="no hyperedge '07'"):
            H.find_hyperedge("07")

    def test_quotes_are_those_of_tables(self):
        H = Hypergraph.from_hyperedges({"e": [1, "1", '"1"', '"a"', "b"]})
        given_as = ["1", '"1"', r'"\"1\""', '"a"', '"b"', "b"]
        assert [H.find_vertex(text) for text in given_as] == [1, "1", '"1"', '"a"', "b", "b"]

    @pytest.mark.parametrize(
        ("text", "label"),
        [
            ("Quay", "Quay"),
            ("7", 7),
            ('"7"', "7"),
            ("8", "8"),
            (r'"say \"hi\""', 'say "hi"'),
            ('say "hi"', 'say "hi"'),
            (r'"C:\new"', r"C:\new"),
            (r'"C:\\new"', r"C:\new"),
            ('"b"', '"b"'),
        ],
    )
    def test_labels_on_a_command_line_are_those_of_the_page(self, text, label):
        H = Hypergraph.from_hyperedges([["Quay", 7, "7", "8", 'say "hi"', r"C:\new", '"b"']])
        assert H.find_vertex(text) == label
        with pytest.raises(HypergraphError, match="no vertex"):
            H.find_vertex('"say ""hi"""')

    @pytest.mark.parametrize("text", ["0", "7", "-7", "1" * 1000, "-" + "1" * 1000], ids=len)
    def test_text_that_looks_like_an_integer(self, text):
        assert label_from_text(text) == int(text)

    @pytest.mark.parametrize("text", ["", "07", "-0", "+7", "1.0", "1_000", " 1", "٣", "1\n"], ids=len)
    def test_text_that_does_not(self, text):
        assert label_from_text(text) == text

    @pytest.mark.parametrize("text", ["1" * 1001, "-" + "1" * 1001, "1" * 5000], ids=len)
    def test_an_integer_that_is_too_long_is_refused(self, text):
        with pytest.raises(HypergraphError, match="more than 1000 digits cannot be a label"):
            label_from_text(text)
        assert Hypergraph.from_hyperedges({text: ["a"]}).find_hyperedge(text) == text


class TestWeights:
    @pytest.mark.parametrize(
        ("given_as", "meant"),
        [
            (3, Fraction(3)),
            (Fraction(1, 3), Fraction(1, 3)),
            (Decimal("2.50"), Fraction(5, 2)),
            (0.1, Fraction(1, 10)),
            (5e-324, Fraction(5, 10**324)),
            (1.7976931348623157e308, Fraction(17976931348623157 * 10**292)),
            (np.int8(7), Fraction(7)),
            (np.float64(0.1), Fraction(1, 10)),
            (np.float32(0.1), Fraction(1, 10)),
            (Decimal("1e999"), Fraction(10**999)),
            (Fraction(1, 2**3300), Fraction(1, 2**3300)),
        ],
    )
    def test_numbers_mean_what_they_print(self, given_as, meant):
        assert Hypergraph.from_hyperedges([["a"]], weights=[given_as]).weights == (meant,)

    @given(st.floats(allow_nan=False, allow_infinity=False))
    def test_a_float_means_its_shortest_decimal(self, number):
        assert exact(number) == Fraction(repr(number))

    @pytest.mark.parametrize(
        "bad",
        [
            0,
            -1,
            0.0,
            Decimal("-0.5"),
            float("nan"),
            float("inf"),
            Decimal("NaN"),
            Decimal("sNaN"),
            True,
            "1",
            None,
            1j,
            np.float64("nan"),
            np.bool_(True),
            np.timedelta64(3),
            np.timedelta64(3, "s"),
            10**1000,
            Decimal("1e1000"),
            Decimal("1e-1000"),
            Decimal("1e999999999"),
        ],
        ids=type,
    )
    def test_other_weights_are_refused_and_the_hyperedge_named(self, bad):
        with pytest.raises(HypergraphError, match="weight of hyperedge 'road'"):
            Hypergraph.from_hyperedges({"road": ["a"]}, weights={"road": bad})

    def test_a_weight_that_is_not_given_is_1(self, harbour):
        assert harbour.weights == (2, 1, Fraction(1, 2))
        assert harbour.weight_of("road") == 1

    def test_weights_must_fit_the_hyperedges(self):
        with pytest.raises(HypergraphError, match=r"no hyperedge 'rode' .* Did you mean 'road'"):
            Hypergraph.from_hyperedges({"road": ["a"]}, weights={"rode": 2})
        with pytest.raises(HypergraphError, match="2 weights for 1 hyperedges"):
            Hypergraph.from_hyperedges([["a"]], weights=[1, 2])

    def test_integer_weights_are_the_smallest(self):
        H = Hypergraph.from_hyperedges([["a"]] * 3, weights=[0.5, 6, Fraction(3, 4)])
        assert H.integer_weights() == ((2, 24, 3), Fraction(1, 4))
        assert Hypergraph.from_hyperedges([["a"]] * 2, weights=[10, 20]).integer_weights() == ((1, 2), 10)

    @given(plain())
    def test_integer_weights_are_exact(self, H):
        integers, unit = H.integer_weights()
        assert tuple(integer * unit for integer in integers) == H.weights
        assert gcd(*integers) == (1 if integers else 0)

    def test_weights_without_a_common_unit_are_refused_before_they_fill_the_memory(self):
        weights = [Fraction(1, 10**400 + number) for number in (1, 3, 7)]
        assert len(Hypergraph.from_hyperedges([["a"]] * 2, weights=weights[:2]).integer_weights()[0]) == 2
        with pytest.raises(HypergraphError, match="no common unit"):
            Hypergraph.from_hyperedges([["a"]] * 3, weights=weights).integer_weights()

    def test_200_long_denominators_are_refused_in_a_moment(self):
        weights = [Fraction(1, 10**998 + 7 * number + 1) for number in range(2000)]
        begin = time.process_time()
        with pytest.raises(HypergraphError, match="no common unit"):
            Hypergraph.from_hyperedges([["a"]] * len(weights), weights=weights).integer_weights()
        assert time.process_time() - begin < 2

    @pytest.mark.parametrize(
        "weight",
        [
            10**5000,
            Fraction(1, 3**20_000),
            Decimal("1e999999999"),
            Decimal("-1e-999999999"),
            Decimal("1." + "1" * 10**6),
        ],
        ids=["int", "fraction", "large", "small", "digits"],
    )
    def test_absurd_weights_are_refused_in_a_moment(self, weight):
        begin = time.process_time()
        with pytest.raises(
            HypergraphError, match=r"weight of hyperedge 1 cannot be used: .* beyond the limit"
        ) as raised:
            Hypergraph.from_hyperedges([["a"]], weights=[weight])
        assert time.process_time() - begin < 1
        assert len(str(raised.value)) < 300

    @given(st.lists(positive_fractions))
    def test_the_common_unit_is_the_largest(self, lengths):
        unit = common_unit(lengths)
        numbers = [length / unit for length in lengths]
        assert all(number.denominator == 1 for number in numbers)
        assert gcd(*map(int, numbers)) == (1 if lengths else 0)
        assert multiples(lengths, unit) == tuple(map(int, numbers))


class TestManyLabels:
    def test_labels_have_a_length(self):
        assert Hypergraph.from_hyperedges([["a" * LABEL]])
        with pytest.raises(HypergraphError, match="10,001 characters cannot be a label"):
            Hypergraph.from_hyperedges([["a" * (LABEL + 1)]])

    def test_integers_chosen_to_collide_are_refused(self):
        labels = [(number + 1) * sys.hash_info.modulus for number in range(ALIKE + 1)]
        assert Hypergraph.from_hyperedges([labels[:-1]]).vertices == tuple(labels[:-1])
        with pytest.raises(HypergraphError, match="the same hash value"):
            Hypergraph.from_hyperedges([labels])
        attributes = {place: {"name": label} for place, label in enumerate(labels)}
        H = Hypergraph.from_hyperedges([range(len(labels))], annotations=Annotations(vertex_attributes=attributes))
        with pytest.raises(HypergraphError, match="the same hash value"):
            H.labelled_by("name")


class TestIncidence:
    def test_pairs_in_any_order_and_number_give_sorted_rows(self):
        made = Incidence.from_pairs([1, 0, 1, 1], [2, 0, 1, 2], (3, 3))
        assert made == Incidence([0, 1, 3, 3], [0, 1, 2])

    @pytest.mark.parametrize(
        ("indptr", "indices", "message"),
        [
            ([], [], "begin with 0"),
            ([1, 2], [0, 1], "begin with 0"),
            ([0, 1], [0, 1], "begin with 0"),
            ([0, 2, 1, 2], [0, 1], "must not decrease"),
            ([0, 2], [1, 0], "must increase"),
            ([0, 2], [1, 1], "must increase"),
            ([0, 1], [-1], "negative"),
            ([0.0, 1.0], [0.5], "integers"),
            ([[0, 1]], [0], "one-dimensional"),
        ],
    )
    def test_what_is_no_matrix_is_refused(self, indptr, indices, message):
        with pytest.raises(HypergraphError, match=message):
            Incidence(indptr, indices)

    def test_the_constructor_refuses_sizes_that_do_not_fit(self):
        incidence = Incidence([0, 1], [1])
        assert Hypergraph(("a",), ("e", "f"), incidence, (1, 1)).members_of("f") == ("a",)
        with pytest.raises(HypergraphError, match="1 rows for 2 vertices"):
            Hypergraph(("a", "b"), ("e", "f"), incidence, (1, 1))
        with pytest.raises(HypergraphError, match="beyond the 1 there are"):
            Hypergraph(("a",), ("e",), incidence, (1,))
        with pytest.raises(HypergraphError, match="1 weights for 2 hyperedges"):
            Hypergraph(("a",), ("e", "f"), incidence, (1,))


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


def test_an_integer_and_a_string_of_the_same_digits_can_both_be_named():
    h = Hypergraph.from_hyperedges([[1, "1", "a"]])
    assert h.find_vertex("1") == 1
    assert h.find_vertex('"1"') == "1"
    assert h.find_vertex('"a"') == "a"
    assert Hypergraph.from_hyperedges([["1"]]).find_vertex("1") == "1"


# -- directions


ARCS = Hypergraph.from_arcs(
    {"both": (["a", "b"], ["b", "c"]), "fact": ([], ["a"]), "waste": (["c"], []), "empty": ([], [])},
    weights={"fact": 3},
)


class Unspeakable:
    """As a pandas Series of Decimal("sNaN")."""

    def __repr__(self):
        raise ArithmeticError("no text")


def test_what_cannot_be_shown_is_refused_in_a_sentence():
    with pytest.raises(HypergraphError, match=r"^a Unspeakable \(its repr raises ArithmeticError\) cannot be a label"):
        Hypergraph.from_hyperedges([[Unspeakable()]])
    with pytest.raises(HypergraphError, match="weight of hyperedge 1 cannot be used: a Unspeakable"):
        Hypergraph.from_hyperedges([["a"]], weights=[Unspeakable()])


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


def test_a_record_without_a_direction_beside_a_directed_one_is_both():
    for side in ("tail", "head"):
        for said in (IncidenceRecord(), IncidenceRecord(weight=Fraction(2))):
            notes = Annotations(incidences={("e", "a"): (IncidenceRecord(side), said)})
            h = Hypergraph.from_hyperedges({"e": ["a"]}, annotations=notes)
            assert (h.tails_of("e"), h.heads_of("e")) == (("a",), ("a",))
            assert Hypergraph(h.vertices, h.hyperedges, h.incidence, h.weights, h.annotations) == h


@pytest.mark.parametrize(
    "texts",
    [["7", "-7", "0"], ["7", "07"], ["-0", "1"], ["1_0", "10"], ["+1"], [" 1", "1"], ["x", "1"], ["9" * 30, "1"], []],
)
def test_many_labels_from_texts_are_the_same_as_each(texts):
    expected = [label_from_text(text) for text in texts]
    found = labels_from_texts(texts)
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))


def test_whether_any_label_is_known():
    known = Numbering(["a", 1])
    assert known.has_any(["b", 1])
    assert not known.has_any(["1", "b"])


@pytest.mark.parametrize("order", ["as they are", "by hyperedge", "shuffled"])
@pytest.mark.parametrize("shape", [(5, 7), (300, 400), (70_000, 3), (3, 70_000)])
def test_an_incidence_is_the_same_in_whatever_order_its_pairs_come(shape, order):
    draw = np.random.default_rng(1)
    cells = np.unique(draw.integers(0, shape[0] * shape[1], 500))
    rows, columns = np.divmod(cells, shape[1])
    twice = np.concatenate([np.arange(len(cells))] if order == "as they are" else [np.arange(len(cells))] * 2)
    chosen = {"by hyperedge": np.lexsort((rows[twice], columns[twice])), "shuffled": draw.permutation(len(twice))}
    places = twice[chosen.get(order, twice)]
    found = Incidence.from_pairs(rows[places], columns[places], shape)
    assert found.row_numbers().tolist() == rows.tolist()
    assert found.indices.tolist() == columns.tolist()


class Place(str, enum.Enum):  # noqa: UP042  (of older code: it prints its name)
    QUAY = "Quay"


class Price(float, enum.Enum):
    HIGH = 2.123


class Rounded(float):
    def __str__(self):
        return f"{float(self):.1f}"

    __repr__ = __str__


def test_a_label_of_a_class_of_strings_is_its_string():
    h = Hypergraph.from_hyperedges({"ferry": [Place.QUAY, "Isle"], "tug": ["Quay", "Mole"]})
    assert h.vertices == ("Quay", "Isle", "Mole")
    assert all(type(label) is str for label in h.vertices)
    assert h.vertex_number(Place.QUAY) == 0


@pytest.mark.parametrize("weight", [Price.HIGH, Rounded(2.123), np.float64(2.123)])
def test_a_weight_of_a_class_of_floats_is_its_number(weight):
    assert Hypergraph.from_hyperedges({"e": ["a"]}, weights={"e": weight}).weights == (Fraction("2.123"),)


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
