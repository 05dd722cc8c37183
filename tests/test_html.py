"""Tables for notebooks: what they show, that they stay small, and that labels are never markup."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser

import hyloop
from hyloop import Hypergraph

HOSTILE = "<script>alert(1)</script>"


class Cells(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.cells, self.inside = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert not attrs
        self.tags.append(tag)
        self.inside = tag in {"td", "th", "caption"}
        if self.inside:
            self.cells.append("")

    def handle_data(self, data):
        if self.inside:
            self.cells[-1] += data

    def handle_endtag(self, tag):
        self.inside = False


def cells(thing):
    found = Cells(thing._repr_html_())
    assert set(found.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    return found.cells


H = Hypergraph.from_hyperedges({HOSTILE: ["a", "<b>"], "e": ["a"]}, weights={HOSTILE: Fraction(1, 3), "e": 2})


def test_a_hypergraph():
    assert cells(H)[:7] == [
        "2 vertices, 2 hyperedges, 3 incidences",
        *("hyperedge", "weight", "members"),
        *(HOSTILE, "1/3", "a, <b>"),
    ]


def test_a_result():
    shown = cells(hyloop.run("dijkstra", H, source="a"))
    assert shown[1:5] == ["vertex", "distance", "predecessor", "hyperedge"]
    assert shown[5:9] == ["a", "0", "–", "–"]
    assert shown[9:13] == ["<b>", "1/3", "a", HOSTILE]


def test_results_of_other_shapes():
    assert "yes" in cells(hyloop.run("helly", H))
    assert HOSTILE in cells(hyloop.run("projection", H))


def test_long_tables_are_cut():
    big = Hypergraph.from_hyperedges([[n, n + 1] for n in range(100)])
    assert "70 more" in big._repr_html_()
    assert "71 more" in hyloop.run("bfs", big, source=0)._repr_html_()


def test_a_model():
    shown = cells(hyloop.compile("levels"))
    assert shown[0].startswith("levels: 2 layers, 18 columns")


def test_a_directed_hypergraph_has_tails_and_heads():
    h = hyloop.Hypergraph.from_arcs({"e": (["a", "b"], ["c"])})
    assert {"tails", "heads", "a, b"} <= set(cells(h))
