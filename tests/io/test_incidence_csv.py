from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from hyloop.errors import FormatError
from hyloop.hypergraph import Annotations, HyloopWarning, Hypergraph, label_from_text
from hyloop.io.incidence_csv import read, write
from hypergraph_strategies import labels, plain


def text_of(H: Hypergraph) -> str:
    return "".join(write(H))


def holds(label) -> bool:
    """Whether an incidence table can hold a label."""
    return label != "" and label_from_text(str(label)) == label and "\0" not in str(label)


class TestReading:
    @pytest.mark.parametrize(
        "text",
        [
            "vertex,hyperedge\nQuay,ferry\nIsle,ferry\nQuay,7\n",
            "node,edge\r\nQuay,ferry\r\nIsle,ferry\r\nQuay,7",
            'Edge , Node\nferry, Quay\n\nferry,"Isle"\n7,Quay\n',
            "weight,vertex,hyperedge\n1,Quay,ferry\n,Isle,ferry\n,Quay,7\n",
        ],
    )
    def test_a_row_is_an_incidence(self, text):
        assert read(text) == Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], 7: ["Quay"]})

    def test_a_weight_belongs_to_its_hyperedge(self):
        H = read("vertex,hyperedge,weight\na,e,1/2\nb,e,0.50\nc,e,\na,f,\n")
        assert H.weights == (Fraction(1, 2), 1)

    def test_vertices_and_empty_hyperedges_can_be_stated(self):
        H = read("vertex,hyperedge,weight\nalone,,\na,e,\n,none,3\n")
        assert Hypergraph.from_hyperedges({"e": ["a"], "none": []}, [1, 3], vertices=["alone"]) == H

    def test_a_header_alone_is_the_empty_hypergraph(self):
        assert read("vertex,hyperedge\n") == Hypergraph.from_hyperedges([])

    @pytest.mark.parametrize(
        ("faulty", "line", "message", "sound"),
        [
            ("", 1, "expected the columns vertex, hyperedge", "vertex,hyperedge"),
            ("a,e", 1, "the header is 'a,e'", "vertex,hyperedge\na,e"),
            ("vertex\na", 1, "expected the columns", "vertex,hyperedge\na,"),
            ("vertex,node,edge", 1, "expected the columns", "vertex,edge"),
            ("vertex,edge,colour", 1, "expected the columns", "vertex,edge,weight"),
            ("vertex,edge\na", 2, "has 1 fields, but the header has 2", "vertex,edge\na,"),
            ("vertex,edge\na,e,2", 2, "has 3 fields", "vertex,edge,weight\na,e,2"),
            ("vertex,edge\n,", 2, "names no hyperedge", "vertex,edge\na,"),
            ("vertex,edge,weight\na,,2", 2, "names no hyperedge", "vertex,edge,weight\na,e,2"),
            ("vertex,edge,weight\na,e,2\nb,e,3", 3, "is 3 here, but 2 in an earlier", "node,edge,weight\na,e,2\nb,e,2"),
            ("vertex,edge,weight\na,e,0", 2, "hyperedge 'e' is", "vertex,edge,weight\na,e,0.1"),
            ("vertex,edge,weight\na,e,x", 2, "'x' is not a number", "vertex,edge,weight\na,e,1e2"),
            ('vertex,edge\n"a,e', 2, "has no end", 'vertex,edge\n"a",e'),
            ('vertex,edge\n"a"b,e', 2, "a separator is expected", 'vertex,edge\n"ab",e'),
            ("vertex,edge\n" + "a" * 140_000 + ",e", 2, "cannot be a label", "vertex,edge\n" + "a" * 999 + ",e"),
        ],
        ids=range(15),
    )
    def test_faults_name_the_line_and_what_was_expected(self, faulty, line, message, sound):
        assert isinstance(read(sound), Hypergraph)
        with pytest.raises(FormatError) as raised:
            read(faulty)
        assert message in str(raised.value)
        assert raised.value.where == f"line {line}"


class TestWriting:
    def test_weights_are_written_where_there_are_any(self):
        H = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": []}, weights=[Fraction(1, 3), 1])
        assert text_of(H) == "vertex,hyperedge,weight\na,e,1/3\nb,e,1/3\n,f,1\n"

    def test_vertices_are_listed_where_their_order_or_existence_needs_it(self):
        H = Hypergraph.from_hyperedges({"e": ["b", "a"]}, vertices=["a", "x,y"])
        assert text_of(H) == 'vertex,hyperedge\na,\n"x,y",\nb,\na,e\nb,e\n'

    @pytest.mark.parametrize("bad", ["", "1", "-7"])
    def test_labels_that_would_be_read_as_something_else_are_refused(self, bad):
        assert text_of(Hypergraph.from_hyperedges([["007"]]))
        with pytest.raises(FormatError, match="cannot be a label in an incidence table"):
            text_of(Hypergraph.from_hyperedges([[bad]]))

    def test_what_is_lost_is_said(self):
        H = Hypergraph.from_hyperedges([["a"]], annotations=Annotations(metadata={"name": "x"}))
        with pytest.warns(HyloopWarning, match="incidence-csv cannot hold the metadata"):
            text_of(H)

    @given(plain(labels.filter(holds)))
    def test_a_round_trip_loses_nothing(self, H):
        assert read(text_of(H)) == H
