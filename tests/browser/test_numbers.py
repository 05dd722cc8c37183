"""Lengths in the page are exact, whatever the unit; a page whose trace cannot be read shows an error and no run."""

import json
from fractions import Fraction

import pytest

import hyloop
from browser.viewing import Shown, read, seek, variables
from hyloop import Hypergraph, Trace
from hyloop.viewer.page import page as page_of


@pytest.fixture(scope="module")
def thirds(tmp_path_factory):
    """Weights of which the unit is a billionth."""
    edges = {"ferry": ["Quay", "Isle"], "launch": ["Isle", "Mole"], "barge": ["Mole", "Mill"]}
    h = Hypergraph.from_hyperedges(edges, weights={"ferry": 0.333333333, "launch": 1e-9, "barge": 0.37})
    found = hyloop.trace("dijkstra", h, source="Quay", layers=True)
    return Shown.of(found, tmp_path_factory.mktemp("thirds") / "run.html")


def test_distances_in_a_tiny_unit_are_exact(visit, thirds):
    assert Fraction(thirds.document["unit"]) == Fraction(1, 10**9)
    page = visit(thirds.file)
    assert "transformer = interpreter" in page.get_by_test_id("badge").text_content()
    seek(page, thirds.frames - 1)
    distance = variables(read(page))["distance"]
    assert distance == {"Quay": "0", "Isle": "0.333333333", "Mole": "0.333333334", "Mill": "0.703333334"}


def test_every_frame_shows_what_python_reads(visit, thirds):
    page = visit(thirds.file)
    for frame in range(thirds.frames):
        seek(page, frame)
        assert variables(read(page)) == thirds.at(frame)


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("unit", "1e-09", "unit: expected a positive number"),
        ("unit", "0", "unit: expected a positive number"),
        ("weights", ["1e-09"] * 3, "hypergraph.weights[0]: expected a positive number"),
        ("kind", "weight", "variables[0].kind: expected flag, count, length, vertex, hyperedge"),
        ("version", 3, "version 3"),
        ("format", "other", "not a trace"),
    ],
)
def test_a_page_whose_trace_cannot_be_read_says_so_and_shows_no_run(visit, thirds, tmp_path, part, value, told):
    document = json.loads(json.dumps(thirds.document))
    if part == "weights":
        document["hypergraph"]["weights"] = value
    elif part == "kind":
        document["variables"][0]["kind"] = value
    else:
        document[part] = value
    file = tmp_path / "run.html"
    file.write_text(page_of(document), encoding="utf-8")
    page = visit(file, ready="[data-testid=failed]")
    alert = page.get_by_role("alert").text_content()
    assert told in alert
    assert page.locator("#app[data-frame]").count() == 0
    assert page.get_by_test_id("badge").count() == 0
    assert "✓" not in page.locator("body").inner_text()
    with pytest.raises(hyloop.errors.FormatError):
        Trace.load(file)
