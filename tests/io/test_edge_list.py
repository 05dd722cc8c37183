from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from hyloop.errors import FormatError, HyloopWarning
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord
from hyloop.io.budgets import BUDGETS
from hyloop.io.edge_list import read, write
from hyloop.io.fields import OTHER_LINE_ENDS
from hypergraph_strategies import plain


def text_of(H: Hypergraph) -> str:
    return "".join(write(H))


class TestReading:
    def test_a_line_is_a_hyperedge(self):
        H = read("Quay Isle\n\n  # a comment\nQuay\tMill Farm  # the road\r\n")
        assert Hypergraph.from_hyperedges([["Quay", "Isle"], ["Quay", "Mill", "Farm"]]) == H

    def test_names_and_weights_are_optional(self):
        H = read("ferry: Quay Isle | 1/2\nQuay Mill | 0.25\npath : Mill Isle\n")
        expected = {"ferry": ["Quay", "Isle"], 2: ["Quay", "Mill"], "path": ["Mill", "Isle"]}
        assert Hypergraph.from_hyperedges(expected, weights=[Fraction(1, 2), Fraction(1, 4), 1]) == H

    def test_integers_are_integers_unless_quoted(self):
        assert read('1 "1" -7 007 1.5').vertices == (1, "1", -7, "007", "1.5")

    def test_quoted_labels_may_hold_anything(self):
        assert read(r'"a b" "#" "x:|," "\"\n\u00e9" "" "*"').vertices == ("a b", "#", "x:|,", '"\né', "", "*")

    def test_vertices_and_empty_hyperedges_can_be_stated(self):
        H = read("* c a\nnone:\nb a\nlight: | 2\n*\n")
        expected = {"none": [], 2: ["b", "a"], "light": []}
        assert Hypergraph.from_hyperedges(expected, [1, 1, 2], vertices=["c", "a"]) == H

    def test_listed_vertices_come_first_wherever_they_are_listed(self):
        H = read("a b c\n* d c\n* c b\ne d")
        assert H.vertices == ("d", "c", "b", "a", "e")
        assert [H.members_of(name) for name in H.hyperedges] == [("c", "b", "a"), ("d", "e")]

    @pytest.mark.parametrize("comment", ["", " # a comment"])
    @pytest.mark.parametrize(
        ("faulty", "message"),
        [
            ("*Lighthouse", r"'\*Lighthouse' begins the line: .* a blank after the first \*; .* double quotes"),
            ("*Lighthouse: a | 2", r"'\*Lighthouse' begins the line"),
            ("**", r"'\*\*' begins the line"),
            (" *a b", r"'\*a' begins the line"),
            ("* *", r'\* begins a line .* "\*" needs double quotes'),
            ("a * b", r'\* begins a line .* "\*" needs double quotes'),
            ("e: *", r'\* begins a line .* "\*" needs double quotes'),
        ],
    )
    def test_a_star_lists_vertices_and_a_blank_follows_it(self, faulty, message, comment):
        with pytest.raises(FormatError, match=f"^line 2: {message}"):
            read(f"a b\n{faulty}{comment}")

    def test_vertices_that_are_listed_are_records(self):
        with pytest.raises(FormatError, match="more than 2 records"):
            read("* a\n* b\n* c", replace(BUDGETS, records=2))

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n", "\n\r"])
    def test_a_line_ends_as_on_any_system(self, end):
        text = end.join(["# a comment", "Quay Isle", 'ferry: Quay "Mill" | 2', "* Farm", ""])
        expected = Hypergraph.from_hyperedges(
            {1: ["Quay", "Isle"], "ferry": ["Quay", "Mill"]}, [1, 2], ["Quay", "Isle"]
        )
        assert read(text).hyperedges == expected.hyperedges
        assert read(text).vertices == ("Farm", "Quay", "Isle", "Mill")
        assert read(text).weights == expected.weights

    @pytest.mark.parametrize("other", [*OTHER_LINE_ENDS])
    @pytest.mark.parametrize(
        "text", ["a b%sc d", "a b | 2%sc d", "# a comment%sa b", "%s", "e:%sa", "* a%s", '"a"%s"b"']
    )
    def test_what_may_be_the_end_of_a_line_is_refused_outside_quotes(self, text, other):
        assert read(json.dumps(f"a{other}b", ensure_ascii=ord(other) < 32)).vertices == (f"a{other}b",)
        with pytest.raises(FormatError, match=rf"^line 2: .*(U\+{ord(other):04X}|something is attached)"):
            read("a b\n" + text % other)

    @pytest.mark.parametrize(
        "text", ["\ufeffc d", "\ufeffe: c | 2", "\ufeff# c", "\ufeff", "\ufeff* c", "# c\ufeffd e", "c\ufeffd"]
    )
    def test_a_byte_order_mark_further_down_tells_of_joined_files(self, text):
        assert read('a b\n"\ufeffc" d').vertices == ("a", "b", "\ufeffc", "d")
        with pytest.raises(FormatError, match=r"^line 2: .*U\+FEFF, the byte order mark .* files were joined"):
            read(f"a b\n{text}\nf g\n")

    @pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\u2009", "\ufeff", "\x1f", "\x1b", "\x7f"])
    def test_other_white_space_and_control_characters_need_quotes(self, blank):
        assert read(json.dumps(f"a{blank}b", ensure_ascii=ord(blank) < 32)).vertices == (f"a{blank}b",)
        with pytest.raises(FormatError, match=rf"U\+{ord(blank):04X}"):
            read(f"a{blank}b")

    def test_short_cut_and_grammar_agree(self):
        lines = [
            "a b",
            " a\tb ",
            "* a b",
            "*",
            "a* b*c *d",
            "-7 07 7 - 1.5",
            "a;b (c) [d] {e} 'f' <g>",
            "~!$%&+=?@^_`",
        ]
        for line in lines:
            # A comment is not for the short cut.
            assert read(line) == read(f"{line} # a comment"), line

    def test_an_empty_file_is_the_empty_hypergraph(self):
        assert read("") == Hypergraph.from_hyperedges([])

    @pytest.mark.parametrize(
        ("faulty", "message", "sound"),
        [
            ("a, b", "separated by white space", "a b"),
            ('a"b"', "separated by white space", 'a "b"'),
            ('"a b', "has no end", '"a b"'),
            ('"a"b', "something is attached", '"a" b'),
            (r'"\x"', "escape", r'"\\x"'),
            (r'"\ud800"', "not valid Unicode", r'"\ud83d\ude00"'),
            ("a b c: d", ": is out of place", '"a b c": d'),
            (": a", ": is out of place", '"": a'),
            ("e: f: a", ": is out of place", "e: f a"),
            ("| 2", "needs a name", "e: | 2"),
            ("a |", "after | one number", "a | 1"),
            ("a | 1 2", "after | one number", "a | 12"),
            ("a | 1 | 2", "after | one number", "a | 1"),
            ('a | "1"', "after | one number", "a | 1"),
            ("a | heavy", "'heavy' is not a number", "a | 7"),
            ("a | 1/0", "'1/0' is not a number", "a | 0.1"),
            ("a | 0x10", "'0x10' is not a number", "a | 16"),
            ("a | 1_000", "'1_000' is not a number", "a | 1000"),
            ("a | ١", "'١' is not a number", "a | 1"),
            ("a | -0", "must be positive", "a | +5"),
            ("a | 1e-5000", "beyond the limit", "a | 1e-999"),
            ("a | nan", "'nan' is not a number", "a | 1e3"),
            ("a | 0", "weight of hyperedge 1 is", "a | 0.001"),
            ("e: a | -1/2", "weight of hyperedge 'e' is", "e: a | 1/2"),
            ("a | 1e999999999", "beyond the limit", "a | 1e99"),
            ("a | 1e99999999999999999999", "is not a number", "a | 1e99"),
            ("a | 1/" + "9" * 5000, "has 5,002 characters", "a | 1/99"),
            ("e: a\ne: b", "hyperedge 'e' already", "e: a\nf: b"),
            ("2: a\nb", "hyperedge 2 already", "1: a\nb"),
        ],
        ids=range(29),
    )
    def test_faults_name_the_line_and_what_was_expected(self, faulty, message, sound):
        assert isinstance(read(f"# first\n{sound}"), Hypergraph)
        with pytest.raises(FormatError) as raised:
            read(f"# first\n{faulty}")
        assert message in str(raised.value)
        assert raised.value.where == f"line {2 + faulty.count(chr(10))}"


class TestWriting:
    def test_what_can_be_left_out_is(self):
        H = Hypergraph.from_hyperedges([["a", "b"], ["b", "c d"]], weights=[1, Fraction(1, 3)])
        assert text_of(H) == 'a b\nb "c d" | 1/3\n'

    def test_vertices_are_listed_where_their_order_or_existence_needs_it(self):
        H = Hypergraph.from_hyperedges({"e": [], "f": ["b", "a"]}, vertices=["a", "alone"])
        assert text_of(H) == "* a alone b\ne:\nf: a b\n"

    @pytest.mark.parametrize(
        ("annotations", "lost"),
        [
            (Annotations(metadata={"name": "x"}), "the metadata"),
            (Annotations(vertex_attributes={"a": {"x": 1}}), "attributes"),
            (Annotations(vertex_weights={"a": Fraction(2)}), "weights of vertices"),
            (Annotations("directed"), "the network type"),
            (Annotations(incidences={(1, "a"): (IncidenceRecord("head"),)}), "directions"),
            (Annotations(incidences={(1, "a"): (IncidenceRecord(weight=Fraction(2)),)}), "weights of incidences"),
        ],
    )
    def test_what_is_lost_is_said(self, annotations, lost):
        H = Hypergraph.from_hyperedges([["a"]], annotations=annotations)
        with pytest.warns(HyloopWarning, match=f"edge-list cannot hold {lost}: not written"):
            assert text_of(H) == "a\n"

    def test_an_undirected_network_type_is_no_loss(self):
        assert text_of(Hypergraph.from_hyperedges([["a"]], annotations=Annotations("undirected"))) == "a\n"

    @given(plain())
    def test_a_round_trip_loses_nothing(self, H):
        assert read(text_of(H)) == H

    def test_labels_that_begin_with_a_star_are_quoted(self):
        H = Hypergraph.from_hyperedges({"**": ["*a", "b*"], "e": ["*"]})
        assert text_of(H) == '"**": "*a" b*\ne: "*"\n'
        assert read(text_of(H)) == H
