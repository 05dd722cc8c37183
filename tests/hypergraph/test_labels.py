"""Labels: what can be one, how texts stand for them, their numbers."""

from __future__ import annotations

import enum
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from hyloop.errors import HypergraphError
from hyloop.hypergraph import (
    ALIKE,
    LABEL,
    Annotations,
    Hypergraph,
    Incidence,
    Numbering,
    as_label,
    label_from_text,
    labels_from_texts,
)
from hyloop.hypergraph.labels import SEARCHED, unknown_label


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

    def test_similar_ones_are_looked_for_among_some_labels_only(self):
        class Vast(Sequence):
            """A billion labels, of which a search reads few."""

            read = 0

            def __len__(self):
                return 10**9

            def __getitem__(self, place):
                self.read += 1
                return place + 10

        known = Vast()
        assert "There is no vertex 0" in str(unknown_label("vertex", 0, known))
        assert known.read <= SEARCHED + 1

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


def test_an_integer_and_a_string_of_the_same_digits_can_both_be_named():
    h = Hypergraph.from_hyperedges([[1, "1", "a"]])
    assert h.find_vertex("1") == 1
    assert h.find_vertex('"1"') == "1"
    assert h.find_vertex('"a"') == "a"
    assert Hypergraph.from_hyperedges([["1"]]).find_vertex("1") == "1"


class Unspeakable:
    """As a pandas Series of Decimal("sNaN")."""

    def __repr__(self):
        raise ArithmeticError("no text")


def test_what_cannot_be_shown_is_refused_in_a_sentence():
    with pytest.raises(HypergraphError, match=r"^a Unspeakable \(its repr raises ArithmeticError\) cannot be a label"):
        Hypergraph.from_hyperedges([[Unspeakable()]])
    with pytest.raises(HypergraphError, match="weight of hyperedge 1 cannot be used: a Unspeakable"):
        Hypergraph.from_hyperedges([["a"]], weights=[Unspeakable()])


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


class Place(str, enum.Enum):  # noqa: UP042  (of older code: it prints its name)
    QUAY = "Quay"


def test_a_label_of_a_class_of_strings_is_its_string():
    h = Hypergraph.from_hyperedges({"ferry": [Place.QUAY, "Isle"], "tug": ["Quay", "Mole"]})
    assert h.vertices == ("Quay", "Isle", "Mole")
    assert all(type(label) is str for label in h.vertices)
    assert h.vertex_number(Place.QUAY) == 0
