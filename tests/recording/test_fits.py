"""Traces whose parts do not fit each other: refused by `Trace.load` and by the page, which share a table of them."""

import json
import runpy
from pathlib import Path

import pytest

import hyloop
from hyloop import HyloopError, Hypergraph, Trace
from hyloop.errors import FormatError
from hyloop.recording.schema import require_trace
from hyloop.strict import as_browsers_do

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "viewer" / "test"
CASES = json.loads((FOLDER / "traces.json").read_text(encoding="utf-8"))["chosen"]


def test_the_table_that_the_page_is_held_against_is_ours():
    made = runpy.run_path(str(ROOT / "scripts" / "trace_cases.py"))
    assert (FOLDER / "traces.json").read_text(encoding="utf-8") == made["text"](), (
        "python scripts/trace_cases.py writes it anew; then run the tests of the viewer."
    )


def changed(changes):
    document = json.loads((FOLDER / "harbour.json").read_text(encoding="utf-8"))
    for place, value in changes:
        *path, last = (int(step) if step.isdigit() else step for step in place.split("."))
        at = document
        for step in path:
            at = at[step]
        at[last] = json.loads(value)
    return document


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["what"])
def test_what_cannot_fit_is_refused_with_a_sentence(case, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(changed(case["changes"])), encoding="utf-8")
    if case["taken"]:
        found = Trace.load(path)
        assert repr([found.at(iteration) for iteration in {*found.document["frames"]["iteration"]}])
        return
    with pytest.raises(FormatError, match=r"run\.json: this (is no trace|trace does not fit together): "):
        Trace.load(path)


def test_a_trace_that_lists_a_difference_does_not_agree(tmp_path):
    [case] = [case for case in CASES if case["what"] == "a difference"]
    (tmp_path / "run.json").write_text(json.dumps(changed(case["changes"])), encoding="utf-8")
    assert not Trace.load(tmp_path / "run.json").agrees


H = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"], "g": ["c", "d", "a"]}, weights={"e": 0.5, "f": 1})


@pytest.mark.parametrize(
    "options",
    [
        {"layers": False},
        {"every": 3},
        {"every": 2**53 - 1},
        {"first": 2},
        {"last": 2},
        {"first": 1, "last": 1, "every": 2},
        {"limit": 1},
        {"limit": 3000, "every": 2},
    ],
    ids=str,
)
@pytest.mark.parametrize("h", [H, Hypergraph.from_hyperedges([], vertices=["a"])], ids=["some", "one"])
def test_whatever_is_recorded_is_read_again(h, options):
    for name, given in (("dijkstra", {"source": "a"}), ("components", {})):
        found = hyloop.trace(name, h, **options, **given)
        require_trace(as_browsers_do(found.to_json()), "run.json")


def test_integers_that_a_page_cannot_tell_apart_are_written_with_all_digits():
    h = Hypergraph.from_hyperedges([[2**53 - 1, 2**53, 2**60, str(2**60)]])
    found = hyloop.trace("components", h).document
    labels = found["hypergraph"]["vertices"]
    assert labels == [2**53 - 1, {"integer": str(2**53)}, {"integer": str(2**60)}, str(2**60)]
    require_trace(found, "run.json")


def test_more_iterations_than_a_page_can_count():
    with pytest.raises(HyloopError, match=r"`every` is a number of iterations, below 2\^53; not about 10\^30"):
        hyloop.trace("components", H, every=10**30)
