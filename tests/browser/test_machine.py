"""The transformer in the page: in a real browser, every number of a run equals the dense formulas' of Python."""

import json
import runpy
from fractions import Fraction

import pytest

import hyloop
from browser.viewing import ROOT, drawn
from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.recording import record_run
from hyloop.samples import hypergraphs

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")
CASES = runpy.run_path(str(ROOT / "scripts" / "machine_cases.py"))
RUNS = 4
MOST = 400_000  # bytes of a page with one model


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_number_after_every_layer_is_that_of_the_dense_formulas(visit, tmp_path, name):
    told = CASES["case"](name, [*CASES["drawn"](name, RUNS, seed=11)])
    page = _page_of(visit, tmp_path / "run.html", name, CASES["drawn"](name, 1, seed=12))
    for run in told["runs"]:
        found = page.evaluate("(document) => hyloop.runs.again(document)", run["trace"])
        found["trace"]["recorded"]["backend"] = "dense"
        assert found["trace"] == run["trace"]
        assert found["hash"] == run["hash"]
        assert found["outputs"] == run["outputs"]


def _page_of(visit, file, name, runs):
    h, inputs = next(runs)
    record_run(hyloop.compile(name), h, inputs).save(file)
    return visit(file)


@pytest.fixture
def offline(visit, harbour):
    """A page from a file, without any server."""
    page = visit(harbour.file, "#tab=edit", offline=True)
    page.wait_for_selector("[data-testid=editor]")
    return page


def shown(page):
    """The hypergraph that the page shows."""
    h = page.evaluate("() => hyloop.recording.trace.hypergraph")
    members = {
        name: [h["vertices"][v - 1] for v in own] for name, own in zip(h["hyperedges"], h["members"], strict=True)
    }
    weights = dict(zip(h["hyperedges"], map(Fraction, h["weights"]), strict=True))
    return Hypergraph.from_hyperedges(members, weights=weights, vertices=h["vertices"])


def after(page, act, condition):
    """Do something, and wait until the trace that is shown is another one that meets a condition."""
    act()
    page.wait_for_function(f"() => {{ const h = hyloop.recording.trace.hypergraph; return {condition}; }}")
    drawn(page)


def same_as_python(page, h, **inputs):
    """Whether the page shows the run that Python records of this hypergraph, frame by frame."""
    trace = page.evaluate("() => hyloop.recording.trace")
    wanted = hyloop.trace("dijkstra", h, name="harbour.hif.json", layers=True, **inputs).document
    for part in ("inputs", "unit", "frames", "columns", "variables", "program", "attention", "differences", "shows"):
        assert trace[part] == json.loads(json.dumps(wanted[part])), part
    assert trace["recorded"] == wanted["recorded"] | {"backend": "page"}
    assert page.get_by_test_id("badge").text_content() == "✓ transformer = interpreter"


def test_a_stranger_adds_a_pier_to_a_boat_and_the_transformer_runs_again(offline, harbour):
    assert harbour.file.stat().st_size < MOST
    page = offline
    page.get_by_test_id("edit-new-vertex").fill("Pier")
    after(page, page.get_by_test_id("edit-add-vertex").click, "h.vertices.includes('Pier')")
    member = page.get_by_test_id("edit-add-member-dinghy")
    after(page, lambda: member.select_option(label="Pier"), "h.members[3].length === 3")
    weight = page.get_by_test_id("edit-weight-ferry")
    after(page, lambda: weight.fill("4/3"), "h.weights[0] === '4/3'")
    edges = {name: list(HARBOUR.members_of(name)) for name in HARBOUR.hyperedges}
    edges["dinghy"].append("Pier")
    weights = dict(zip(HARBOUR.hyperedges, HARBOUR.weights, strict=True)) | {"ferry": Fraction(4, 3)}
    h = Hypergraph.from_hyperedges(edges, weights=weights, vertices=[*HARBOUR.vertices, "Pier"])
    assert shown(page) == h
    same_as_python(page, h, source="Quay")
    after(page, page.get_by_test_id("edit-undo").click, "h.weights[0] === '4'")


def test_what_the_model_does_not_hold_is_told(offline):
    page = offline
    page.get_by_test_id("edit-weight-ferry").fill("1" + "0" * 60)
    page.wait_for_selector("[data-testid=edit-error]:not([hidden])")
    assert "the model in this page holds at most" in page.get_by_test_id("edit-error").text_content()
    assert shown(page).weights == HARBOUR.weights


def test_the_hypergraph_is_saved_without_a_server(offline, tmp_path):
    page = offline
    after(page, lambda: page.get_by_test_id("edit-weight-launch").fill("0.375"), "h.weights[1] === '0.375'")
    with page.expect_download() as download:
        page.get_by_test_id("edit-download").click()
    download.value.save_as(tmp_path / "saved.hif.json")
    assert hyloop.read(tmp_path / "saved.hif.json") == shown(page)


def test_hostile_names_stay_text(offline):
    page = offline
    name = "<img src=x onerror=alert(1)></script>"
    page.get_by_test_id("edit-new-vertex").fill(name)
    after(page, page.get_by_test_id("edit-add-vertex").click, "h.vertices.length === 9")
    assert shown(page).vertices[-1] == name
    assert page.locator("#app img, #app script").count() == 0


def test_300_iterations_on_100_vertices_take_a_moment(visit, tmp_path):
    edges = [[k, k + 1] for k in range(100)]
    h = Hypergraph.from_hyperedges(edges, weights=[1 + k % 7 for k in range(100)])
    hyloop.trace("dijkstra", h, source=0, layers=True).save(tmp_path / "path.html")
    page = visit(tmp_path / "path.html")
    taken = page.evaluate(
        "() => Array.from({ length: 5 }, () => { const from = performance.now();"
        " hyloop.runs.again(structuredClone(hyloop.recording.trace)); return performance.now() - from; })"
    )
    assert min(taken) < 2_000  # on a machine that does other things as well


def test_a_directed_run_keeps_its_directions(visit, tmp_path):
    h = next(h for h in hypergraphs(5, directed=True) if h.directed and len(h.hyperedges) > 3)
    hyloop.trace("reachable", h, layers=True, source=h.vertices[0]).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#tab=edit")
    before = page.evaluate("() => hyloop.recording.trace.hypergraph")
    page.get_by_test_id("edit-new-vertex").fill("new")
    after(page, page.get_by_test_id("edit-add-vertex").click, "h.vertices.includes('new')")
    now = page.evaluate("() => hyloop.recording.trace.hypergraph")
    assert (now["tails"], now["heads"]) == (before["tails"], before["heads"])
