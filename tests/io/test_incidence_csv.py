from __future__ import annotations

import gzip
from fractions import Fraction

import pytest
from hypothesis import given

from hyloop import io
from hyloop.errors import FormatError, HyloopWarning
from hyloop.hypergraph import Annotations, Hypergraph, looks_like_integer
from hyloop.io.fields import OTHER_LINE_ENDS
from hyloop.io.incidence_csv import read, write, write_tabs
from hypergraph_strategies import labels, plain


def text_of(H: Hypergraph) -> str:
    return "".join(write(H))


def holds(label) -> bool:
    """Whether an incidence table can hold a label."""
    return label != "" and (isinstance(label, int) or not looks_like_integer(label)) and "\0" not in str(label)


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

    def test_stated_vertices_come_first_wherever_they_are_stated(self):
        H = read("vertex,hyperedge\na,e\nb,e\n,none\nb,\nc,f\nd,\n")
        assert (H.vertices, H.hyperedges) == (("b", "d", "a", "c"), ("e", "none", "f"))
        assert [H.members_of(name) for name in H.hyperedges] == [("b", "a"), (), ("c",)]

    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_the_header_tells_what_separates_the_fields(self, separator, end):
        rows = [("weight", "node", '"edge"'), ("1/2", "Quay", "ferry"), ("", '"a,b;c\td"', "ferry"), ("", "x y", "7")]
        H = read(end.join(separator.join(row) for row in rows))
        assert Hypergraph.from_hyperedges({"ferry": ["Quay", "a,b;c\td"], 7: ["x y"]}, [Fraction(1, 2), 1]) == H

    def test_blanks_around_a_field_do_not_count_and_in_quotes_they_do(self):
        H = read('vertex , hyperedge\nQuay ,ferry\n Quay,ferry \n\tQuay\t,"ferry"\n "Quay" , ferry\n')
        assert (H.vertices, H.hyperedges) == (("Quay",), ("ferry",))
        assert read('vertex,hyperedge\n" Quay ","ferry "').vertices == (" Quay ",)

    @pytest.mark.parametrize("weight", ["\u00a0", "1\u00a0", '"\x1c"', '"\u2028"', '"1\n"', "\u3000"])
    def test_white_space_other_than_blanks_is_no_weight_and_not_none(self, weight):
        assert read('vertex,hyperedge,weight\na,e, "\t 2 "\nb,f," "\n').weights == (2, 1)
        with pytest.raises(FormatError, match="is not a number"):
            read(f"vertex,hyperedge,weight\na,e,{weight}\n")

    @pytest.mark.parametrize("header", ["VERTEX,Hyperedge", '"Node","EDGE"', 'vertex,"hyperedge"'])
    def test_a_header_in_any_case_with_quotes_or_without(self, header):
        assert read(f"{header}\na,e\n") == read("vertex,hyperedge\na,e\n")

    def test_a_quote_that_begins_no_field_is_part_of_it(self):
        H = read('vertex,hyperedge\n5" pipe,a""\n')
        assert (H.vertices, H.hyperedges) == (('5" pipe',), ('a""',))

    @pytest.mark.parametrize("row", ['"vertex","hyperedge"', 'vertex,"hyperedge"', '"VERTEX",edge'])
    def test_a_row_like_a_header_is_data_where_it_alone_has_quotes(self, row):
        H = read(f"vertex,hyperedge\n{row}\n")
        assert H.counts == (1, 1)
        with pytest.raises(FormatError, match="a header is repeated here"):
            read(f'vertex,"hyperedge"\n{row}\n')

    def test_quotes_hold_anything(self):
        H = read('vertex,hyperedge\n"a\n""b"",\r\nc",e\nd"d,e\n"x\u2028y",e\n')
        assert H.vertices == ('a\n"b",\r\nc', 'd"d', "x\u2028y")

    def test_a_fault_behind_several_lines_in_quotes_is_found_where_it_is(self):
        with pytest.raises(FormatError) as raised:
            read('vertex,hyperedge\n"a\r\nb\rc\n",e\nx\n')
        assert raised.value.where == "line 6"

    @pytest.mark.parametrize("other", [*OTHER_LINE_ENDS])
    def test_what_may_be_the_end_of_a_line_is_refused_outside_quotes(self, other):
        for place, text in enumerate(
            ["vertex,hyperedge%sa,e", "vertex,hyperedge\na,e%s", 'vertex,hyperedge\n\n"a",e%sb'], 1
        ):
            with pytest.raises(FormatError, match=rf"^line {place}: .* U\+{ord(other):04X}"):
                read(text % other)

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
            ("vertex;edge;weight\na;e;1,5", 2, "with a point", "vertex;edge;weight\na;e;1.5"),
            ("vertex,edge\na;e", 2, "has 1 fields", "vertex;edge\na;e"),
            ("vertex,edge\na,e\nvertex,edge\nb,e", 3, "header is repeated", 'vertex,edge\na,e\n"vertex",edge\nb,e'),
            ("vertex,edge\nNode, Hyperedge", 2, "header is repeated", "vertex,edge\nNode, ferry"),
            ("vertex,edge\na,e\nedge,vertex\nb,f", 3, "header is repeated", 'vertex,edge\na,e\n"edge",vertex\nb,f'),
            ("vertex,edge\na,e\nvertex,edge,weight\nb,f,1", 3, "header is repeated", "vertex,edge\na,e\nvertex,weight"),
            ('"vertex","edge"\na,e\n"vertex","edge"\n', 3, "header is repeated", 'vertex,edge\na,e\n"vertex","edge"\n'),
            ('"edge",vertex\ne,a\nVertex,edge\n', 3, "header is repeated", '"edge",vertex\ne,a\nvertex,a\n'),
            ("vertex,edge\na,e\n\xa0vertex,edge\n", 3, "header is repeated", "vertex,edge\na,e\n\xa0vertex,e\n"),
            ("vertex,edge\na,e\n\ufeffvertex,edge\nb,f", 3, "U+FEFF", 'vertex,edge\na,e\n"\ufeffvertex",edge\nb,f'),
            ('vertex,edge\na,e\n\ufeff"vertex",edge\n', 3, "U+FEFF", "vertex,edge\na,e\nb\ufeff,f"),
            ("vertex,edge\na,e\ufeffvertex,edge\nb,f", 2, "has 3 fields", "vertex,edge\na,e\n\nb,f"),
            ("vertex,edge,vertex\n", 1, "the header is", "vertex,edge\n"),
            ("vertex,edge,\n", 1, "the header is", "vertex,edge\n"),
            ("sep=;\nvertex;edge\n", 1, "the header is 'sep=;'", "vertex;edge\n"),
            ('vertex,edge\n"a,e', 2, "has no end", 'vertex,edge\n"a",e'),
            ('vertex,edge\n"a"b,e', 2, "a separator is expected", 'vertex,edge\n"ab",e'),
            ("vertex,edge\n" + "a" * 140_000 + ",e", 2, "cannot be a label", "vertex,edge\n" + "a" * 999 + ",e"),
        ],
        ids=range(30),
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

    def test_a_vertex_named_like_a_column_is_no_header(self):
        H = Hypergraph.from_hyperedges({"Hyperedge": ["vertex"], "edge": ["node"]})
        assert '"vertex","Hyperedge"' in text_of(H)
        assert read(text_of(H)) == H

    @pytest.mark.parametrize("label", ["\ufeffa", "\ufeffvertex", "\xa0vertex", "a\ufeff"])
    def test_labels_that_look_like_the_beginning_of_a_file_come_back(self, label):
        H = Hypergraph.from_hyperedges({"edge": [label]})
        assert read(text_of(H)) == H

    def test_a_null_character_is_refused(self):
        with pytest.raises(FormatError, match="null character"):
            text_of(Hypergraph.from_hyperedges([["a\0"]]))

    def test_what_is_lost_is_said(self):
        H = Hypergraph.from_hyperedges([["a"]], annotations=Annotations(metadata={"name": "x"}))
        with pytest.warns(HyloopWarning, match="incidence-csv cannot hold the metadata"):
            text_of(H)

    @given(plain(labels.filter(holds)))
    def test_a_round_trip_loses_nothing(self, H):
        assert read(text_of(H)) == H

    @given(plain(labels.filter(holds)))
    def test_tabs_lose_nothing_either(self, H):
        assert read("".join(write_tabs(H))) == H


def test_a_gzip_file_that_is_cut_off_is_told_as_such(tmp_path):
    """Also one that is cut within the header, which is then none."""
    rows = "".join(f"v{place * 7919 % 1000},e{place}\n" for place in range(200))
    whole = gzip.compress(f"vertex,hyperedge\n{rows}".encode(), mtime=0)
    for length in range(2, len(whole) - 1, 3):
        (tmp_path / "a.csv.gz").write_bytes(whole[:length])
        with pytest.raises(FormatError, match="this gzip file is cut off"):
            io.read(tmp_path / "a.csv.gz")


def test_empty_lines_are_passed_and_counted():
    with pytest.raises(FormatError, match="line 9: the row has 3 fields"):
        read("vertex,hyperedge\n\n\n\r\n\na,b\n\n\nc,d,e\n")
