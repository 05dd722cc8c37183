"""Pictures of hypergraphs and results: what is on them, read from the SVG."""

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import hyloop
from effort import examples, share
from hyloop import HyloopError, Hypergraph
from hyloop.lang import Count, Outputs, algorithm
from hyloop.relabel import has_names
from hypergraph_strategies import annotated, plain

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'hyloop[draw]'")

from matplotlib.colors import to_hex
from matplotlib.patches import Circle

from hyloop.draw import draw, draw_model, save, to_bytes
from hyloop.draw.picture import laid_out
from hyloop.draw.positions import Positions, positions
from hyloop.draw.text import Box, Taken, number, printable
from hyloop.draw.values import chosen_of, listed_in, text_on, values_of

SVG = "{http://www.w3.org/2000/svg}"
BOATS = {"ferry": ["Quay", "Isle"], "road": ["Isle", "Mill", "Cove"], "mail": ["Cove", "Quay"]}


@pytest.fixture(scope="module")
def harbour():
    return Hypergraph.from_hyperedges(BOATS, weights={"ferry": 1.5, "road": 2}, vertices=["Wreck"])


@pytest.fixture(scope="module")
def found(harbour):
    return hyloop.run("dijkstra", harbour, source="Quay")


def texts(figure) -> list[str]:
    """The texts of a picture, as its SVG has them."""
    root = ET.fromstring(to_bytes(figure, "svg"))
    return ["".join(each.itertext()).strip() for each in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("style", ["regions", "bipartite"])
def test_labels_and_weights_are_on_the_picture_as_text(harbour, style):
    assert sorted(texts(draw(harbour, style=style))) == sorted([*harbour.vertices, "ferry: 1.5", "road: 2", "mail: 1"])


def test_weights_are_left_out_where_all_are_1():
    h = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"]})
    assert sorted(texts(draw(h))) == ["a", "b", "c", "e", "f"]


def test_few_hyperedges_are_regions_and_many_are_squares():
    few = Hypergraph.from_hyperedges([[v, v + 1] for v in range(5)])
    many = Hypergraph.from_hyperedges([[v, v + 1] for v in range(40)])
    assert b'id="hyperedge-1"' in to_bytes(draw(few), "svg")
    assert b'id="hyperedge-1"' not in to_bytes(draw(many), "svg")
    assert b'id="hyperedge-1"' not in to_bytes(draw(few, style="bipartite"), "svg")


def test_regions_that_no_one_could_tell_apart_are_drawn_as_squares():
    tangled = Hypergraph.from_hyperedges([[v for v in range(12) if v * e % 7 in (1, 2, 4)] for e in range(1, 14)])
    assert b'id="hyperedge-1"' not in to_bytes(draw(tangled), "svg")


def test_outlines_differ_in_grey_too():
    h = Hypergraph.from_hyperedges([[v, v + 1, v + 2] for v in range(0, 10, 2)])
    drawn = to_bytes(draw(h, style="regions"), "svg").decode()
    lines = re.findall(r'id="hyperedge-\d+">\s*<path [^>]*style="([^"]*)"', drawn)
    assert len(lines) == 5
    assert len({re.search(r"stroke-dasharray: ([\d., ]+)|$", line)[1] for line in lines}) == 5


# -- results --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["regions", "bipartite"])
def test_distances_are_written_and_what_is_not_reached_is_infinite(harbour, found, style):
    said = texts(draw(harbour, result=found, style=style))
    assert "distance" in said
    assert said.count("∞") == 2  # Wreck, and the key
    for value in found["distance"].values():
        assert value is None or number(value) in said


def test_a_way_is_drawn_as_arrows_over_its_hyperedges(harbour, found):
    plainly = to_bytes(draw(harbour, result=found), "svg").decode()
    way = to_bytes(draw(harbour, result=found, path="Mill"), "svg").decode()
    assert "#c1121f" not in plainly
    assert way.count("#c1121f") >= 4  # arrows, and the vertices on the way
    assert any("font-weight: 700" in text for text in re.findall(r"<text[^>]*>(?:ferry|mail|road): ", way))


@pytest.mark.parametrize(
    ("algorithm", "name"), [("levels", "level"), ("bfs", "level"), ("dfs", "order"), ("components", "component")]
)
def test_the_output_that_says_most_gives_the_colours(harbour, algorithm, name):
    inputs = {} if algorithm == "components" else {"source": "Isle"}
    assert name in texts(draw(harbour, result=hyloop.run(algorithm, harbour, **inputs)))


def test_labels_that_are_integers_are_no_numbers():
    h = Hypergraph.from_hyperedges([[10, 20], [30, 40]])
    said = texts(draw(h, result=hyloop.run("components", h)))
    assert "component" in said
    assert {"10", "30"} <= set(said)
    assert "15" not in said  # a tick of a scale


def test_colours_by_another_output(harbour, found):
    assert "predecessor" in texts(draw(harbour, result=found, colour_by="predecessor"))


def test_one_value_and_no_value_have_a_scale_too():
    h = Hypergraph.from_hyperedges({"e": ["a"]}, vertices=["b"])
    assert "0" in texts(draw(h, result=hyloop.run("levels", h, source="b")))


# -- odd hypergraphs ------------------------------------------------------------------------------------------

HOSTILE = [
    "$x_1$",
    "$\\frac{",
    "<script>alert(1)</script>",
    "a\nb",
    "]]>",
    "&amp;",
    "\x1b[31m",
    "\u202eright to left",
    "漢字🚢",
    "",
]
LONG = "a label that is much too long for any picture " * 20


@pytest.mark.parametrize("style", ["auto", "regions", "bipartite"])
@pytest.mark.parametrize(
    "h",
    [
        Hypergraph.from_hyperedges({}),
        Hypergraph.from_hyperedges({}, vertices=["a"]),
        Hypergraph.from_hyperedges({"e": []}),
        Hypergraph.from_hyperedges({"e": [], "f": []}, vertices=["a", "b"]),
        Hypergraph.from_hyperedges({"e": ["a"], "f": ["a"]}),
        Hypergraph.from_hyperedges({e: ["a", "b", "c"] for e in range(9)}),
        Hypergraph.from_hyperedges([range(60)]),
    ],
    ids=repr,
)
def test_odd_hypergraphs_can_be_drawn(h, style):
    figure = draw(h, style=style)
    for kind in ("svg", "pdf", "png") if style == "auto" else ("svg",):
        assert len(to_bytes(figure, kind)) > 500


@pytest.mark.parametrize("label", [*HOSTILE, LONG], ids=range(len(HOSTILE) + 1))
@pytest.mark.parametrize("style", share(["regions", "bipartite"], "regions"))
def test_labels_are_data(label, style):
    h = Hypergraph.from_hyperedges({label: [label, "other"]})
    figure = draw(h, style=style)
    assert texts(figure).count(printable(label).strip()) == (3 if label == "other" else 2)
    assert not ET.fromstring(to_bytes(figure, "svg")).findall(f".//{SVG}script")
    for kind in ("pdf", "png"):
        to_bytes(figure, kind)


def test_what_cannot_be_printed_is_shown_by_its_code_and_what_is_long_is_cut():
    assert printable("a\nb\x1b") == "a\\nb\\x1b"
    assert printable("\u202ex") == "\\u202ex"
    assert len(printable(LONG)) == 22
    assert printable(LONG).endswith("…")
    assert printable(7) == "7"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3, 2), "1.5"),
        (Fraction(1, 3), "1/3"),
        (7, "7"),
        (10**30, "1000…(31 digits)"),
        (Fraction(123457, 999983), "0.123459098…"),
    ],
)
def test_numbers_are_short(value, text):
    assert number(value) == text


@examples(15)
@given(plain())
def test_any_hypergraph_can_be_drawn(h):
    to_bytes(draw(h), "svg")


@examples(10)
@given(annotated())
def test_any_file_can_be_drawn_with_and_without_its_directions(h):
    to_bytes(draw(h), "svg")
    to_bytes(draw(h.ignoring_direction()), "svg")


# -- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_picture_is_the_same_file(harbour, found, kind, tmp_path):
    for name in ("a", "b"):
        save(draw(harbour, result=found, path="Mill"), tmp_path / f"{name}.{kind}")
    one, two = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("a", "b"))
    assert one == two
    assert re.search(rb"20\d\d-\d\d|D:20\d\d", one) is None  # no date


def test_large_pictures_are_the_same_too():
    h = Hypergraph.from_hyperedges([[v % 90, v * 7 % 90, v * v % 90] for v in range(2500)])
    first, again = (to_bytes(draw(h), "svg") for _ in range(2))
    assert first == again
    assert b"data:image/png" in first  # thousands of lines are pixels


def test_settings_of_the_user_are_left_alone_and_do_not_matter(harbour):
    import matplotlib as mpl

    expected = to_bytes(draw(harbour), "svg")
    with mpl.rc_context({"svg.fonttype": "path", "font.size": 30, "text.parse_math": True, "lines.linewidth": 9}):
        assert to_bytes(draw(harbour), "svg") == expected
        assert mpl.rcParams["font.size"] == 30


@pytest.mark.parametrize("width", [2, 3.4, np.int64(8), np.float32(8), Fraction(9, 2)])
def test_the_width_is_as_wanted(harbour, width):
    assert draw(harbour, width=width).get_size_inches()[0] == pytest.approx(float(width), abs=0.02)


def test_labels_can_be_left_out_or_asked_for(harbour):
    assert texts(draw(harbour, labels=False)) == []
    many = Hypergraph.from_hyperedges([[v, v + 1] for v in range(90)])
    assert 60 < len(texts(draw(many))) <= 91  # of so many vertices those for which there is room, and no hyperedges
    assert len(texts(draw(many, labels=True))) == 91 + 90


# -- what cannot be drawn -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"style": "blobs"}, "The style is auto, regions or bipartite; not 'blobs'."),
        ({"labels": "no"}, "labels is True or False; not 'no'."),
        ({"width": 0.2}, "The width is in inches, from 1 to 40; 0.2 is not."),
        ({"path": "Mill"}, "A path and colours are those of a result: say which algorithm to run."),
        ({"colour_by": "distance"}, "A path and colours are those of a result: say which algorithm to run."),
    ],
)
def test_mistakes_are_sentences(harbour, options, sentence):
    with pytest.raises(HyloopError, match=re.escape(sentence)):
        draw(harbour, **options)


def test_mistakes_about_results_are_sentences(harbour, found):
    other = Hypergraph.from_hyperedges({"e": ["a"]})
    sets = {each: harbour.members_of(each) for each in harbour.hyperedges}
    first, second, *_ = sets
    prices = dict(zip(harbour.hyperedges, harbour.weights, strict=True))
    swapped = {**sets, first: sets[second], second: sets[first]}
    moved = Hypergraph.from_hyperedges(swapped, weights=prices, vertices=harbour.vertices)
    dearer = Hypergraph.from_hyperedges(sets, weights={**prices, first: 99}, vertices=harbour.vertices)
    for h, options, sentence in (
        (other, {}, "The result is that of another hypergraph."),
        (moved, {"path": "Mill"}, "The result is that of another hypergraph."),
        (dearer, {}, "The result is that of another hypergraph."),
        (harbour, {"path": "Wreck"}, "There is no path to 'Wreck' in the result of dijkstra."),
        (
            harbour,
            {"colour_by": "colour"},
            "dijkstra has no output 'colour' at the vertices or hyperedges; those it has: distance,",
        ),
    ):
        with pytest.raises(HyloopError, match=re.escape(sentence)):
            draw(h, result=found, **options)


def test_hyperedges_in_the_answer_have_a_star_a_heavy_outline_and_their_value(harbour):
    found = hyloop.run("set_cover", harbour)
    taken = dict(zip(harbour.hyperedges, found.hyperedges["chosen"], strict=True))
    page = laid_out(harbour, result=found)
    names = [text.text for text in page.placed.hyperedge_names]
    assert set(taken.values()) == {True, False}
    for label, text, step in zip(harbour.hyperedges, names, found.hyperedges["step"], strict=True):
        assert text.startswith("★ ") == taken[label]
        assert text.endswith(f"({step})") == taken[label]
    widths = {line.get_gid(): line.get_linewidth() for line in page.figure().axes[0].lines if line.get_gid()}
    heavy = {f"hyperedge-{number}" for number, label in enumerate(harbour.hyperedges, 1) if taken[label]}
    assert {gid for gid, width in widths.items() if width > 2} == heavy
    assert "★ chosen" in texts(page.figure())


def test_the_answer_is_told_by_the_kinds_of_outputs(harbour):
    assert chosen_of(hyloop.run("dijkstra", harbour, source="Quay")) is None
    assert chosen_of(hyloop.run("s_distance", harbour, source="ferry", s=1)) is None  # numbers, and pointers
    matched = chosen_of(hyloop.run("matching", harbour))
    assert matched is not None
    assert all(matched.hyperedges)


def test_vertices_that_the_answer_lists_have_a_star_and_hyperedges_with_two_of_them_a_heavy_outline():
    h = Hypergraph.from_hyperedges({"a": ["x", "y"], "b": ["y", "z"], "c": ["x", "z"], "d": ["z", "w"]})
    page = laid_out(h, result=hyloop.run("helly", h))
    assert [text.text for text in page.placed.names] == ["★ x", "★ y", "★ z", "w"]
    assert [page.is_chosen(each) for each in range(4)] == [True, True, True, False]
    assert "★ witness; heavy: hyperedges with two of them" in texts(page.figure())
    rims = [circle.get_linewidth() for circle in page.figure().axes[0].patches if isinstance(circle, Circle)]
    assert [width > 1 for width in rims] == [True, True, True, False]


def test_no_vertex_is_marked_where_the_answer_lists_none(harbour):
    path = Hypergraph.from_hyperedges({"a": ["x", "y"], "b": ["y", "z"]})
    assert listed_in(hyloop.run("helly", path)) is None  # it is Helly, so there is no witness
    assert listed_in(hyloop.run("dijkstra", harbour, source="Quay")) is None
    ends = listed_in(hyloop.run("diameter", path))
    assert ends is not None
    assert (ends.name, ends.vertices, ends.hyperedges) == ("ends", (True, False, True), (False, False))


def test_a_result_at_the_hyperedges_colours_these(harbour):
    found = hyloop.run("set_cover", harbour)
    page = laid_out(harbour, result=found)
    values = page.of("hyperedges")
    assert page.of("vertices") is None
    assert values is not None
    assert values.name == "step"  # in which each was chosen; one was not
    assert (values.texts, len(set(values.colours))) == (("2", "1", "–"), 3)
    for style in ("regions", "bipartite"):
        drawn = draw(harbour, result=found, style=style)
        fills = {to_hex(colour) for each in drawn.axes[0].get_children() for colour in _fills(each)}
        assert set(values.colours) <= fills


def _fills(artist):
    colours = artist.get_facecolor() if hasattr(artist, "get_facecolor") else []
    return [colours] if isinstance(colours, tuple) else colours


def test_a_result_with_single_values_is_written_below(harbour):
    page = laid_out(harbour, result=hyloop.run("helly", harbour))
    assert page.values is None
    assert page.said == "helly: no; witness: Quay, Isle, Cove"
    assert page.said in {text.get_text() for text in page.figure().axes[0].texts}


def test_what_is_too_large_is_said():
    with pytest.raises(HyloopError, match=r"has 5,001 vertices and 0 hyperedges; a picture shows at most 5,000"):
        draw(Hypergraph.from_hyperedges({}, vertices=range(5001)))
    with pytest.raises(HyloopError, match="Regions are for at most 120 hyperedges, and there are 121"):
        draw(Hypergraph.from_hyperedges([[v] for v in range(121)]), style="regions")


def test_directed_hypergraphs_have_arrows_from_tails_and_to_heads():
    h = Hypergraph.from_arcs({"e": (["a", "b"], ["c"]), "f": ([], ["a"]), "g": (["c"], [])})
    figure = draw(h)
    points = next(each for each in figure.axes[0].collections if each.get_zorder() == 2).get_paths()
    assert len(points) == len(h.tails.indices) + len(h.heads.indices) == 5
    assert {"a", "e"} <= set(texts(figure))
    with pytest.raises(HyloopError, match="regions show sets of vertices: the style bipartite has arrows"):
        draw(h, style="regions")
    assert all(each.get_zorder() != 2 for each in draw(h.ignoring_direction(), style="bipartite").axes[0].collections)


HUGE = 10**400


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (HUGE, "1000…(401 digits)"),
        (-HUGE, "-1000…(401 digits)"),
        (HUGE // 8, "1250…(400 digits)"),
        (Fraction(HUGE, 3), "3333…(400 digits)"),
        (Fraction(1, HUGE), "1/1000…(401 digits)"),
        (10**6000 + 1, "1000…(6,001 digits)"),
        (Fraction(10**6000, 10**6000 - 1), "1.000000000…"),
        (10**300 - 1, "9999…(300 digits)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "of",  # pytest cannot write such numbers
)
def test_numbers_that_no_float_holds_are_shown_by_their_size(value, text):
    assert number(value) == text


@pytest.mark.parametrize("unit", [1, HUGE, Fraction(1, HUGE)], ids=["1", "huge", "tiny"])
def test_colours_do_not_depend_on_the_unit(unit):
    edges = {"e": ["a", "b"], "f": ["b", "c"], "g": ["c", "d"]}
    h = Hypergraph.from_hyperedges(edges, weights=[unit, 2 * unit, unit], vertices=["far"])
    found = hyloop.run("dijkstra", h, source="a", backend="interpreter")
    plainly = Hypergraph.from_hyperedges(edges, weights=[1, 2, 1], vertices=["far"])
    values, wanted = (
        values_of(each, None) for each in (found, hyloop.run("dijkstra", plainly, source="a", backend="interpreter"))
    )
    assert values.colours == wanted.colours
    assert len(set(values.colours)) == 5
    said = texts(draw(h, result=found, path="d"))
    assert {number(4 * unit), f"f: {number(2 * unit)}"} <= set(said)


def test_a_huge_weight_beside_a_small_one_is_drawn():
    h = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["c", "b"]}, weights=[HUGE, Fraction(1, 3)])
    said = texts(draw(h, result=hyloop.run("dijkstra", h, source="c", backend="interpreter")))
    assert said.count("1000…(401 digits)") == 2  # the vertex, and the end of the scale
    assert {"e: 1000…(401 digits)", "f: 1/3", "1/3", "0"} <= set(said)


def overlap(one: Box, other: Box) -> float:
    across = min(one.right, other.right) - max(one.left, other.left)
    upwards = min(one.top, other.top) - max(one.bottom, other.bottom)
    return max(across, 0) * max(upwards, 0)


def test_the_place_of_a_text_is_the_cheapest():
    random = np.random.default_rng(4)
    boxes = [Box.around(*random.uniform(0, 100, 2), *random.uniform(1, 15, 2)) for _ in range(300)]
    taken, there = Taken(boxes[:100]), boxes[:100]
    for _ in range(200):
        places = [boxes[each] for each in random.integers(100, 300, 8)]
        costs = random.uniform(0, 30, 8).tolist()
        prices = [cost + sum(overlap(box, each) for each in there) for box, cost in zip(places, costs, strict=True)]
        assert taken.overlaps(places) + costs == pytest.approx(prices)
        there.append(places[int(np.argmin(prices))])
        assert taken.best(places, costs) == there[-1]
    assert taken.extent() == Box(
        min(each.left for each in there),
        min(each.bottom for each in there),
        max(each.right for each in there),
        max(each.top for each in there),
    )
    assert Taken().extent() == Box(0, 0, 1, 1)
    assert Taken().overlaps(boxes[:2]).tolist() == [0, 0]


def test_labels_that_are_numbers_give_way_to_names():
    document = {
        "nodes": [{"node": 0, "attrs": {"name": "Quay"}}, {"node": 1, "attrs": {"name": "Isle"}}, {"node": 2}],
        "edges": [{"edge": 0, "attrs": {"name": "7"}}],  # a name that is a number says no more than the label
        "incidences": [{"edge": 0, "node": node} for node in (0, 1, 2)],
    }
    h = hyloop.read(io.StringIO(json.dumps(document)), format="hif")
    assert sorted(texts(draw(h))) == ["2", "Isle", "Quay", "e0"]
    assert sorted(texts(draw(h, names=False))) == ["0", "1", "2", "e0"]
    assert has_names(h)
    assert not has_names(h.labelled_by("name"))


def test_many_labels_are_all_placed():
    h = Hypergraph.from_hyperedges([[v, v + 1, v + 2] for v in range(200)])
    at = Positions(*(np.random.default_rng(1).uniform(0, 1, (rows, 2)) for rows in (202, 200)))
    assert len(texts(draw(h, labels=True, at=at))) == 402


@pytest.mark.parametrize("name", ["h.gif", "h", "h.svg.gz"])
def test_unknown_endings_are_refused(harbour, name, tmp_path):
    with pytest.raises(HyloopError, match=r"should end in \.svg, \.pdf or \.png"):
        save(draw(harbour), tmp_path / name)


def test_a_file_that_cannot_be_written_is_a_sentence(harbour, tmp_path):
    with pytest.raises(HyloopError, match="cannot be written"):
        save(draw(harbour), tmp_path / "nowhere" / "h.svg")
    with pytest.raises(HyloopError, match="A picture is one of svg, pdf, png; not 'gif'"):
        to_bytes(draw(harbour), "gif")


def test_text_is_readable_on_any_colour():
    assert text_on("#ffffff") == "#000000"
    assert text_on("#38245c") == "#ffffff"


def test_a_result_of_an_unverified_model_says_so(harbour, found):
    words = "computed by an unverified model"
    assert words not in texts(draw(harbour, result=found))
    assert words in texts(draw(harbour, result=replace(found, verified="unverified")))


@algorithm
def degrees(h):
    """The number of hyperedges at each vertex."""
    degree = h.vertices.state(Count, 0)
    with h.loop(at_most=1) as loop:
        degree.assign(h.incidence @ h.hyperedges.every)
        loop.stop_when(h.hyperedges.first.exists)
    return Outputs(degree=degree)


def test_numbers_are_known_by_their_kind_and_not_by_what_labels_there_are():
    h = Hypergraph.from_hyperedges([[1, 2], [2, 3]])  # every degree is the label of a vertex
    values = values_of(hyloop.run(degrees, h, backend="interpreter"), None)
    assert (values.name, values.range) == ("degree", (1, 2))
    found = values_of(hyloop.run("components", h, backend="interpreter"), None)
    assert (found.name, found.range) == ("component", None)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"at": {"Quay": (0, 0)}}, "at is what hyloop.draw.positions gives"),
        ({"at": Positions(np.zeros((1, 2)), np.zeros((3, 2)))}, "those of another hypergraph"),
        ({"width": "5"}, "The width is in inches, from 1 to 40; '5' is not"),
    ],
)
def test_odd_arguments_are_refused_in_a_sentence(harbour, given, told):
    with pytest.raises(HyloopError, match=told):
        draw(harbour, **given)


def test_what_is_drawn_is_a_hypergraph(harbour, found):
    with pytest.raises(HyloopError, match="A hypergraph is needed, not an object of type NoneType"):
        draw(None)
    with pytest.raises(HyloopError, match="Colours are those of one output"):
        draw(harbour, result=found, colour_by=["distance"])
    with pytest.raises(HyloopError, match="A result is what"):
        draw(harbour, result=3)
    with pytest.raises(HyloopError, match="keep is a dictionary of places by label; not 3"):
        positions(harbour, keep=3)
    with pytest.raises(HyloopError, match="A picture is what draw gives, a figure of matplotlib; not 3"):
        save(3, "x.svg")
    with pytest.raises(HyloopError, match="A model is drawn"):
        draw_model("dijkstra")


def test_a_graph_of_another_library_is_drawn():
    nx = pytest.importorskip("networkx")
    assert set(texts(draw(nx.path_graph(["a", "b", "c"])))) >= {"a", "b", "c"}
