"""The small picture for notebooks has what the large one has, in few bytes."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'hyloop[draw]'")

import hyloop
from effort import examples
from hyloop import Hypergraph
from hyloop.draw.small import fits, svg
from hypergraph_strategies import annotated

SVG = "{http://www.w3.org/2000/svg}"


def parts(h, result=None):
    root = ET.fromstring(svg(h, result))
    return [each.tag.removeprefix(SVG) for each in root.iter()], [
        "".join(each.itertext()) for each in root.iter(f"{SVG}text")
    ]


def test_regions_with_values():
    h = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"]}, weights={"e": 1.5}, vertices=["far"])
    tags, texts = parts(h, hyloop.run("dijkstra", h, source="a"))
    assert tags.count("circle") == 4
    assert tags.count("path") == 3  # two regions, and what is under labels
    assert sorted(texts) == sorted(["a", "b", "c", "far", "e: 1.5", "f: 1", "0", "1.5", "2.5", "∞"])


def test_squares_and_arrows():
    many = Hypergraph.from_hyperedges([[n, n + 1] for n in range(31)])
    assert parts(many)[0].count("path") == 3  # all lines, all squares, and what is under labels
    directed = Hypergraph.from_arcs({"e": (["a"], ["b"])})
    assert parts(directed)[0].count("path") == 4


def test_a_result_without_values_at_vertices():
    h = Hypergraph.from_hyperedges([["a", "b"]])
    assert parts(h, hyloop.run("helly", h)) == parts(h)


def test_what_is_too_large_does_not_fit():
    assert not fits(Hypergraph.from_hyperedges({}))
    assert not fits(Hypergraph.from_hyperedges([range(301)]))
    assert fits(Hypergraph.from_hyperedges([range(300)]))


@examples(5)
@given(annotated())
def test_any_file_has_a_picture_that_is_valid(h):
    if fits(h):
        parts(h)
