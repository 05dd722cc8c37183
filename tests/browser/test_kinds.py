"""Every kind of trace opens and plays: all algorithms, no layers, gaps, none and one vertex, large data, in a frame."""

import base64
import gzip
import json
import runpy

import numpy as np
import pytest

import hyloop
from browser.viewing import ROOT, Shown, frame, press, read, variables, walk
from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.prepare import program_of
from hyloop.samples import random_inputs
from hyloop.viewer.page import page as page_of

H = hyloop.read(ROOT / "examples" / "harbour.hif.json")


@pytest.mark.parametrize("layers", [True, False], ids=["layers", "iterations"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm(visit, tmp_path, name, layers):
    inputs = random_inputs(program_of(name), H, np.random.default_rng(1))
    shown = Shown.of(hyloop.trace(name, H, layers=layers, **inputs), tmp_path / "run.html")
    page = visit(shown.file)
    assert page.get_by_test_id("algorithm").text_content() == name
    for at, seen in enumerate(walk(page, range(shown.frames))):
        assert variables(seen) == shown.at(at)
    for tab in ("attention", "state"):
        page.get_by_test_id(f"tab-{tab}").click()
        walk(page, range(0, shown.frames, 3))


def test_without_layers_a_step_is_an_iteration(visit, tmp_path):
    shown = Shown.of(hyloop.trace("dijkstra", H, source="Quay", layers=False), tmp_path / "run.html")
    page = visit(shown.file)
    for iteration in range(1, 9):
        press(page, "ArrowRight")
        assert frame(page) == iteration
    assert page.get_by_test_id("where").text_content() == "iteration 8 of 8"
    seen = read(page)
    assert seen["served"] == shown.implemented(shown.document["model"]["layers"], 8)


LINE = Hypergraph.from_hyperedges([[n, n + 1] for n in range(20)])


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"every": 5}, [0, 1, 5, 10, 15, 20, 22]),
        ({"first": 2, "last": 2}, [0, 1, 2, 21, 22]),
        ({"last": 2}, [0, 21, 22]),
    ],
)
def test_gaps(visit, tmp_path, asked, wanted):
    shown = Shown.of(hyloop.trace("dijkstra", LINE, source=0, layers=True, **asked), tmp_path / "run.html")
    page = visit(shown.file)
    found = []
    for _ in wanted:
        seen = read(page)
        found.append(seen["iteration"])
        assert variables(seen) == shown.at(seen["frame"])
        press(page, "ArrowDown")
        frame(page)
    assert found == wanted
    back = []
    for _ in wanted:
        back.append(read(page)["iteration"])
        press(page, "ArrowUp")
        frame(page)
    assert back == wanted[::-1]
    for at, seen in enumerate(walk(page, range(shown.frames))):
        assert variables(seen) == shown.at(at)


def test_a_link_into_a_gap_opens_what_is_before_it(visit, tmp_path):
    shown = Shown.of(hyloop.trace("dijkstra", LINE, source=0, every=5), tmp_path / "run.html")
    assert read(visit(shown.file, "#i=13"))["iteration"] == 10


def test_a_recording_that_ends_early_says_why(visit, tmp_path):
    shown = Shown.of(hyloop.trace("dijkstra", LINE, source=0, first=3), tmp_path / "run.html")
    page = visit(shown.file)
    assert page.get_by_test_id("stopped").text_content() == "Only the first 3 iterations were recorded."
    assert page.get_by_test_id("stopped").is_visible()


ODD = {
    "nothing": Hypergraph.from_hyperedges([]),
    "one vertex": Hypergraph.from_hyperedges([], vertices=["alone"]),
    "an empty hyperedge": Hypergraph.from_hyperedges([[]], vertices=["a"]),
    "one hyperedge of one vertex": Hypergraph.from_hyperedges({"own": ["a"]}),
    "no hyperedges": Hypergraph.from_hyperedges([], vertices=range(5)),
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_hypergraphs(visit, tmp_path, odd):
    h = ODD[odd]
    names = ["components", "motifs", *(["dijkstra"] if h.vertices else [])]
    for name in names:
        inputs = {"source": h.vertices[0]} if name == "dijkstra" else {}
        shown = Shown.of(hyloop.trace(name, h, layers=True, **inputs), tmp_path / f"{name}.html")
        page = visit(shown.file)
        for tab in ("variables", "attention", "state"):
            page.get_by_test_id(f"tab-{tab}").click()
            walk(page, range(shown.frames))
        page.get_by_test_id("tab-variables").click()
        frame(page)
        seen = read(page)
        if h.vertices and h.hyperedges:
            assert variables(seen) == shown.at(shown.frames - 1)
        assert page.get_by_test_id("picture").get_attribute("aria-label").startswith("A hypergraph of")


@pytest.mark.parametrize(
    ("data", "name", "asked"), [("lesmis", "bfs", {}), ("contact-high-school", "dijkstra", {"first": 1000})]
)
def test_real_data(visit, shared, tmp_path, data, name, asked):
    file = shared / "data" / f"{data}.hif.json"
    if not file.is_file():
        pytest.skip(f"there is no file {file}")
    h = hyloop.read(file)
    shown = Shown.of(hyloop.trace(name, h, source=h.vertices[0], layers=False, **asked), tmp_path / "run.html")
    page = visit(shown.file)
    assert page.get_by_test_id("badge").text_content() == "✓ transformer = interpreter"
    frames = sorted({round(share * (shown.frames - 1)) for share in (0, 0.1, 0.35, 0.5, 0.77, 1)})
    for seen in walk(page, [*frames, *reversed(frames)]):
        wanted, told = shown.at(seen["frame"]), variables(seen)
        assert set(told) == set(wanted)
        for variable, value in told.items():
            if isinstance(value, dict):  # only the rows in view are in the page
                assert value.items() <= wanted[variable].items()
                assert value
            else:
                assert value == wanted[variable]
    for key in ("ArrowRight", "ArrowLeft", "Home", "End", "x", "x"):
        press(page, key)
    assert frame(page) == shown.frames - 1


# -- in another page ------------------------------------------------------------------------------------------------


def test_in_a_notebook(visit, harbour, tmp_path):
    inside = harbour.trace._repr_html_()
    (tmp_path / "notebook.html").write_text(
        f"<!doctype html><meta charset='utf-8'><title>A notebook</title><h1>Cell 1</h1>{inside}", encoding="utf-8"
    )
    page = visit(tmp_path / "notebook.html", ready="iframe")
    viewer = page.frames[1]
    viewer.wait_for_selector("#app[data-frame]")
    assert viewer.locator("[data-testid=badge]").text_content() == "✓ transformer = interpreter"
    viewer.locator("[data-testid=to-end]").click()
    viewer.wait_for_selector(f"#app[data-frame='{harbour.frames - 1}']")
    assert variables(read(viewer)) == harbour.at(harbour.frames - 1)
    viewer.locator("[data-testid=theme]").click()
    viewer.locator("[data-testid=tab-state]").click()
    viewer.wait_for_selector("[data-testid=tab-state][aria-selected=true]")


def test_in_a_notebook_there_is_no_link_to_copy(visit, harbour, tmp_path, watch):
    watch.allow("The Clipboard API has been blocked")
    (tmp_path / "notebook.html").write_text(f"<!doctype html>{harbour.trace._repr_html_()}", encoding="utf-8")
    viewer = visit(tmp_path / "notebook.html", ready="iframe").frames[1]
    viewer.wait_for_selector("#app[data-frame]")
    viewer.locator("[data-testid=copy-link]").click()
    viewer.wait_for_selector("[data-testid=message].shown")
    assert "about:" not in viewer.locator("[data-testid=message]").text_content()


# -- damaged --------------------------------------------------------------------------------------------------------


def sentence(page):
    """What a page that cannot show its trace says."""
    page.wait_for_selector("[data-testid=failed]")
    text = page.get_by_test_id("failed").text_content()
    assert page.get_by_test_id("failed").is_visible()
    assert page.get_by_test_id("failed").get_attribute("role") == "alert"
    assert text[0].isupper()
    assert text.endswith((".", "run.html"))
    assert not any(word in text for word in ("undefined", "fetch", "atob", "JSON.parse"))  # the browser's own words
    return text


def with_trace(text):
    """A page with this in the place of its trace."""
    html = page_of({"format": "hyloop-trace", "version": 2})
    begin = html.index('id="hyloop-trace">') + len('id="hyloop-trace">')
    return html[:begin] + text + html[html.index("</script>", begin) :]


def packed(document):
    return base64.b64encode(gzip.compress(json.dumps(document).encode())).decode()


DAMAGED = {
    "broken base64": ("***not base64***", "trace"),
    "cut off": (packed({"format": "hyloop-trace", "version": 2})[:40], "trace"),
    "not gzip": (base64.b64encode(b"plain text").decode(), "trace"),
    "not JSON": (base64.b64encode(gzip.compress(b"{")).decode(), "trace"),
    "a list": (packed([]), "not a trace of hyloop"),
    "another format": (packed({"format": "something", "version": 1}), "not a trace of hyloop"),
    "version 3": (packed({"format": "hyloop-trace", "version": 3}), "version 3"),
    "half a document": (packed({"format": "hyloop-trace", "version": 2, "algorithm": {"name": "x"}}), "trace"),
    "empty": ("", "holds no trace"),
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_page_says_so_in_a_sentence(visit, tmp_path, how):
    text, told = DAMAGED[how]
    (tmp_path / "run.html").write_text(with_trace(text), encoding="utf-8")
    assert told in sentence(visit(tmp_path / "run.html", ready=""))


def test_a_document_of_another_version_that_is_whole(visit, harbour, tmp_path):
    (tmp_path / "run.html").write_text(page_of({**harbour.document, "version": 1}), encoding="utf-8")
    assert "version 1" in sentence(visit(tmp_path / "run.html", ready=""))


def test_inputs_that_no_column_has_can_be_edited(visit, tmp_path):
    made = runpy.run_path(str(ROOT / "scripts" / "machine_cases.py"))
    shown = Shown.of(hyloop.trace(made["without_use"](), H, **made["unused_inputs"](H)), tmp_path / "run.html")
    page = visit(shown.file)
    assert page.get_by_test_id("badge").text_content() == "✓ transformer = interpreter"
    page.get_by_test_id("tab-edit").click()
    body = page.evaluate("hyloop.runs.arrays(hyloop.recording.trace).map(({name, entries}) => [name, entries.length])")
    assert body == [["start", 8], ["load", 6], ["via", 8], ["rank", 6]]
