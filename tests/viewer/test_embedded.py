"""The model in a page that was loaded: kept where it is what its program compiles to and does what the page shows."""

import base64
import gzip
import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest

import hyloop
from hyloop import Capacity, Hypergraph, Trace, known
from hyloop.errors import HyloopWarning
from hyloop.lang import Count, Flag, Hyperedges, Length, Outputs, Vertices, algorithm
from hyloop.lang.text import from_text
from hyloop.machine.files import to_bytes
from hyloop.machine.layer import Mlp
from hyloop.viewer.page import packed

PATH = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d"]])
ROOM = Capacity(rows=8, weight=4)
MODEL = re.compile('(?<=id="hyloop-model">)[^<]*')
TRACE = re.compile('(?<=id="hyloop-trace">)[^<]*')


@algorithm
def tolls(h, start: Vertices[Flag], toll: Hyperedges[Length]):
    """Nothing that depends on the inputs."""
    del start, toll
    n = h.state(Count, 0)
    with h.loop(at_most=4) as loop:
        n.assign(n + 1)
        loop.stop_when(n == 3)
    return Outputs(n=n)


@pytest.fixture(scope="module")
def levels():
    return hyloop.compile("levels", ROOM)


@pytest.fixture(scope="module")
def html(levels):
    return hyloop.trace(levels, PATH, source="a").page()


def text_of(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def written(html, path, model=None, document=None):
    """A page with another model or trace inside."""
    html = html if model is None else MODEL.sub(text_of(model), html)
    html = html if document is None else TRACE.sub(base64.b64encode(packed(document)).decode(), html)
    path.write_text(html, encoding="utf-8")
    return path


def test_a_model_that_does_something_else_is_not_in_a_page_that_was_written_again(levels, html, tmp_path):
    twice = levels.program.replace("constant 1: count", "constant 2: count")
    assert twice != levels.program
    forged = to_bytes(hyloop.compile(from_text(twice), ROOM))
    loaded = Trace.load(written(html, tmp_path / "page.html", forged))
    assert loaded.embedded is not None  # it is what its program compiles to; the constant stands nowhere in the trace
    with pytest.warns(HyloopWarning, match="model in this page does not do what the page shows"):
        loaded.save(tmp_path / "mine.html")
    mine = Trace.load(tmp_path / "mine.html")
    assert (mine.embedded, mine.facts()["verified"]) == (None, "unverified")


def forged_weights(levels):
    """The file with a weight changed, and its hash computed anew."""
    weights = [weight.copy() for weight in levels.layers[0].mlp.weights]
    weights[3][weights[3] != 0] *= -1
    first = replace(levels.layers[0], mlp=Mlp(tuple(weights), levels.layers[0].mlp.purposes))
    return to_bytes(replace(levels, layers=(first, *levels.layers[1:])))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (forged_weights, "is not what its program compiles to"),
        (lambda _: hyloop.compile("reachable", ROOM), "is not the one whose run it shows"),
        (lambda _: hyloop.compile("levels", Capacity(rows=9, weight=4)), "is not the one whose run it shows"),
        (lambda levels: to_bytes(levels)[:-8], "cannot be read"),
        (lambda _: b"xx" * 50, "cannot be read"),
        (lambda _: b"", "cannot be read"),
    ],
    ids=["weights", "another algorithm", "another capacity", "cut off", "garbage", "empty"],
)
def test_another_model_is_left_out(made, message, levels, html, tmp_path):
    forged = made(levels)
    data = forged if isinstance(forged, bytes) else to_bytes(forged)
    with pytest.warns(HyloopWarning, match=f"The model in this page {message}. It is left out"):
        loaded = Trace.load(written(html, tmp_path / "page.html", data))
    assert (loaded.embedded, loaded.facts()["verified"]) == (None, "unverified")
    assert MODEL.search(loaded.page()) is None


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("algorithm", "about"), "Whatever."),
        (("algorithm", "ops", 4, "name"), "minus"),
        (("model", "weight"), 5),
        (("model", "columns", 0, "for"), [["body", 0, "value", False]]),
    ],
)
def test_a_trace_that_describes_another_model(place, value, levels, html, tmp_path):
    document = json.loads(hyloop.trace(levels, PATH, source="a").to_json())
    at = document
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    with pytest.warns(HyloopWarning, match="is not the one whose run it shows"):
        assert Trace.load(written(html, tmp_path / "page.html", document=document)).embedded is None


def test_a_proof_is_claimed_only_where_it_was_made(levels, html, tmp_path):
    document = json.loads(hyloop.trace(levels, PATH, source="a").to_json())
    document["model"]["verified"] = "proved"
    document["algorithm"]["source"][0] = "# anything"
    document["recorded"]["backend"] = "dense"
    Trace.load(written(html, tmp_path / "page.html", document=document)).save(tmp_path / "mine.html")
    mine = Trace.load(tmp_path / "mine.html").document
    assert mine["model"]["verified"] == "reproduced"
    assert mine["algorithm"] == hyloop.trace(levels, PATH, source="a").document["algorithm"]  # the true source


def test_a_run_that_never_happened(levels, html, tmp_path):
    document = json.loads(hyloop.trace(levels, PATH, source="a").to_json())
    changed = next(column for column in document["columns"] if column["value"])
    changed["value"][0] += 1
    loaded = Trace.load(written(html, tmp_path / "page.html", document=document))
    with pytest.warns(HyloopWarning, match="does not do what the page shows"):
        assert MODEL.search(loaded.page()) is None


@pytest.mark.parametrize("options", [{}, {"layers": False}, {"every": 2}, {"first": 1}, {"last": 1}, {"first": 99}])
def test_a_page_of_the_shipped_is_the_same_when_written_again(options, levels, tmp_path):
    hyloop.trace(levels, PATH, source="a", name="path", **options).save(tmp_path / "page.html")
    Trace.load(tmp_path / "page.html").save(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_bytes() == (tmp_path / "page.html").read_bytes()


@pytest.mark.parametrize("options", [{}, {"first": 3}])
def test_a_recording_that_reached_its_limit_says_when_written_again_how_far_it_goes(options, levels, tmp_path):
    hyloop.trace(levels, PATH, source="a", limit=1, **options).save(tmp_path / "page.html")
    loaded = Trace.load(tmp_path / "page.html")
    assert "limit" in loaded.document["recorded"]["stopped"]
    loaded.save(tmp_path / "mine.html")
    mine = Trace.load(tmp_path / "mine.html")
    assert mine.embedded is not None
    assert mine.document == {**loaded.document, "recorded": mine.document["recorded"]}
    assert mine.document["recorded"] == {
        **loaded.document["recorded"], "first": 1, "stopped": "Only the first 1 iterations were recorded."
    }  # fmt: skip
    mine.save(tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "mine.html").read_bytes()


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("recorded", "backend"), "cuda on 8 machines, audited"),
        (("recorded", "extra"), "anything"),
        (("hyloop",), "99.9"),
        (("extra",), "anything"),
        (("hypergraph", "extra"), "anything"),
        (("hypergraph", "positions", "extra"), "anything"),
        (("differences", "extra"), "anything"),
    ],
    ids=lambda value: value if isinstance(value, str) else ".".join(value),
)
def test_words_of_the_author_are_not_in_a_page_written_again(place, value, levels, html, tmp_path):
    document = json.loads(hyloop.trace(levels, PATH, source="a").to_json())
    at = document
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    Trace.load(written(html, tmp_path / "page.html", document=document)).save(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_text(encoding="utf-8") == html


def test_a_reason_of_the_author_is_not_in_a_page_written_again(levels, html, tmp_path):
    document = json.loads(hyloop.trace(levels, PATH, source="a", first=1).to_json())
    document["recorded"]["stopped"] = "42 is the answer."
    Trace.load(written(html, tmp_path / "page.html", document=document)).save(tmp_path / "mine.html")
    stopped = Trace.load(tmp_path / "mine.html").document["recorded"]["stopped"]
    assert stopped == "Only the first 1 iterations were recorded."


def test_places_in_the_picture_are_kept(levels, html, tmp_path):
    document = json.loads(hyloop.trace(levels, PATH, source="a", name="path").to_json())
    document["hypergraph"]["positions"]["vertices"][0] = [0.25, 0.75]
    Trace.load(written(html, tmp_path / "page.html", document=document)).save(tmp_path / "mine.html")
    assert Trace.load(tmp_path / "mine.html").document["hypergraph"] == document["hypergraph"]


def test_a_proof_made_here_does_not_change_a_page_written_again(levels, tmp_path, monkeypatch):
    hyloop.trace(levels, PATH, source="a").save(tmp_path / "page.html")
    monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("hyloop.known._KNOWN", set())
    known.proved(levels)
    loaded = Trace.load(tmp_path / "page.html")
    assert loaded.embedded is not None
    assert loaded.embedded.verified == "proved"
    loaded.save(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_bytes() == (tmp_path / "page.html").read_bytes()


def test_the_source_of_a_program_of_yours_becomes_its_listing(tmp_path):
    given = {"start": {"a", "d"}, "toll": [Fraction(1, 3), 2, 0]}
    found = hyloop.trace(tolls, PATH, **given)
    found.save(tmp_path / "page.html")
    Trace.load(tmp_path / "page.html").save(tmp_path / "mine.html")
    mine = Trace.load(tmp_path / "mine.html")
    assert mine.embedded is not None
    assert mine.document["arrays"] == found.document["arrays"]
    assert mine.document["algorithm"]["listing"]
    assert mine.document["columns"][0] == found.document["columns"][0]
    assert mine.at(3)["n"] == 3


def test_a_directed_hypergraph_and_pointers_come_back(tmp_path):
    arcs = Hypergraph.from_arcs({"x": (["a"], ["b", "c"]), 7: (["b", "c"], ["a"])}, {"x": 2}, ["alone"])
    hyloop.trace("reachable", arcs, source="a").save(tmp_path / "page.html")
    Trace.load(tmp_path / "page.html").save(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_bytes() == (tmp_path / "page.html").read_bytes()


def test_a_run_of_too_much_work_is_not_run_again(html, tmp_path, monkeypatch):
    monkeypatch.setattr("hyloop.viewer.embedded.WORK", 10)
    loaded = Trace.load(written(html, tmp_path / "page.html"))
    with pytest.warns(HyloopWarning, match="too long to be run again"):
        assert MODEL.search(loaded.page()) is None
