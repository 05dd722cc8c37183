"""Pictures and tables for notebooks: what they show, that they stay small, and that labels are never markup."""

from __future__ import annotations

import base64
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from html.parser import HTMLParser

import pytest

import hyloop
from hyloop import Hypergraph
from hyloop.compare import Checked, Difference

HOSTILE = "<script>alert(1)</script>"


class Cells(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.cells, self.pictures, self.inside = [], [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert not attrs or tag == "img"
        self.tags.append(tag)
        if tag == "img":
            given = dict(attrs)
            head, _, data = given["src"].partition(";base64,")
            assert set(given) == {"src", "alt", "style"}
            assert head in {"data:image/svg+xml", "data:image/png"}
            self.pictures.append((head, base64.b64decode(data)))
        self.inside = tag in {"td", "th", "caption"}
        if self.inside:
            self.cells.append("")

    def handle_data(self, data):
        if self.inside:
            self.cells[-1] += data

    def handle_endtag(self, tag):
        self.inside = False


def parsed(thing):
    text = thing._repr_html_()
    assert len(text) < 100_000
    found = Cells(text)
    assert set(found.tags) <= {"img", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    return found


def cells(thing):
    return parsed(thing).cells


def texts(thing):
    """The texts of its picture."""
    [(kind, data)] = parsed(thing).pictures
    assert kind == "data:image/svg+xml"
    root = ET.fromstring(data)
    assert {each.tag.partition("}")[2] for each in root.iter()}.isdisjoint({"script", "foreignObject", "image", "a"})
    return ["".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")]


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
    assert "90 more" in big._repr_html_()
    assert "91 more" in hyloop.run("bfs", big, source=0)._repr_html_()


def test_a_model():
    shown = cells(hyloop.compile("levels"))
    assert shown[0].startswith("levels: 2 layers, 18 columns")


def test_a_directed_hypergraph_has_tails_and_heads():
    h = hyloop.Hypergraph.from_arcs({"e": (["a", "b"], ["c"])})
    assert {"tails", "heads", "a, b"} <= set(cells(h))


def test_pictures():
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'hyloop[draw]'")
    assert sorted(texts(H)) == sorted(["a", "<b>", f"{HOSTILE[:21]}…: 1/3", "e: 2"])
    assert {"0", "1/3"} <= set(texts(hyloop.run("dijkstra", H, source="a")))
    assert "Layer 1" in texts(hyloop.compile("levels"))
    directed = hyloop.Hypergraph.from_arcs({"e": (["a", "b"], ["c"])})
    assert sorted(texts(directed)) == ["a", "b", "c", "e"]


def test_whatever_is_large_stays_small():
    wide = Hypergraph.from_hyperedges([range(3000), ["x" * 9_000]])
    assert "and 2,988 more" in wide._repr_html_()
    for h in (
        wide,
        Hypergraph.from_hyperedges([[n, n + 1, n * n % 90] for n in range(89)]),
        Hypergraph.from_hyperedges({}),
    ):
        parsed(h)
        parsed(hyloop.run("components", h))


def test_a_picture_that_is_too_large_is_left_out(monkeypatch):
    monkeypatch.setattr("hyloop.html.LARGEST", 100)
    assert parsed(hyloop.compile("levels")).pictures == []
    assert parsed(H).pictures == []


def test_checks():
    agrees = hyloop.check("levels", Hypergraph.from_hyperedges([["a", "b"]]), source="a")
    assert cells(agrees)[:3] == ["transformer and program agree", "what", "value"]
    assert str(agrees.iterations) in cells(agrees)
    difference = Difference(3, 2, "<b>", 1, 4, 5, "levels.py:9", ())
    differs = Checked(3, 20, difference, changed=True)
    assert cells(differs)[0] == "transformer and program differ"
    assert cells(differs)[-1] == str(difference)


def test_without_matplotlib_there_are_tables(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in [name for name in sys.modules if name.startswith(("hyloop.draw.", "matplotlib."))]:
        monkeypatch.delitem(sys.modules, name)
    for thing in (H, hyloop.run("levels", H, source="a"), hyloop.compile("levels")):
        assert parsed(thing).pictures == []


def test_unprintable_characters_are_escaped():
    """As on terminals: a label may hide or reverse what stands beside it."""
    odd = "a\x1b[31m\x00\u202eb"
    h = Hypergraph.from_hyperedges({"e": [odd], odd: ["c"]})
    for text in (
        h._repr_html_(),
        hyloop.run("components", h)._repr_html_(),
        hyloop.run("levels", h, source=odd)._repr_html_(),
    ):
        assert text.isprintable()
        assert r"a\x1b[31m\x00\u202eb" in text
