"""A page from a file shows the run: what ran, that it agrees, and every value at every frame."""

import subprocess
import sys
from fractions import Fraction

import pytest

import hyloop
from browser.viewing import ROOT, Shown, drawn, labels, read, variables, walk


@pytest.fixture(scope="module")
def by_command(tmp_path_factory):
    """The page that the command of the README writes."""
    file = tmp_path_factory.mktemp("command") / "run.html"
    given = ["trace", "dijkstra", "examples/harbour.hif.json", "--source", "Quay", "-o", str(file)]
    subprocess.run([sys.executable, "-m", "hyloop", *given], cwd=ROOT, check=True, capture_output=True)
    return Shown(hyloop.Trace.load(file), file)


def test_the_header_says_what_ran_on_what_and_that_it_agrees(visit, by_command):
    page = visit(by_command.file)
    assert page.get_by_test_id("algorithm").text_content() == "dijkstra"
    assert page.title() == "dijkstra – hyloop"
    header = page.locator("header").text_content()
    assert by_command.document["algorithm"]["about"].replace("`", "") in header
    assert "harbour.hif.json · source: Quay" in header
    assert "transformer = interpreter" in page.get_by_test_id("badge").text_content()
    assert "start, before iteration 1 of 8" in page.get_by_test_id("where").text_content()


def test_the_variables_at_every_frame_are_those_of_the_trace(visit, by_command):
    page = visit(by_command.file)
    seen = walk(page, range(by_command.frames))
    for frame, shown in enumerate(seen):
        assert (shown["frame"], shown["iteration"], shown["layer"]) == (frame, *by_command.place(frame))
        assert variables(shown) == by_command.at(frame)
        assert labels(shown["vertices"]["rows"]) == by_command.document["hypergraph"]["vertices"]
        assert labels(shown["hyperedges"]["rows"]) == by_command.document["hypergraph"]["hyperedges"]
    assert {each["name"]: each["now"] for each in seen[0]["scalars"] if each["role"] == "input"} == {"source": "Quay"}


def test_the_run_halts_at_the_end_and_not_before(visit, by_command):
    seen = walk(visit(by_command.file), range(by_command.frames))
    halts = [variables(each)["halt"] for each in seen]
    assert halts[-1] == "yes"
    assert set(halts[:-1]) == {"no"}
    assert "iteration 8 of 8" in seen[-1]["where"]


def test_what_changed_shows_its_old_value(visit, by_command):
    seen = walk(visit(by_command.file), range(by_command.frames))
    before = by_command.at(0)
    for frame, shown in enumerate(seen):
        now = by_command.at(frame)
        for scope in ("vertices", "hyperedges"):
            for at, column in enumerate(shown[scope]["columns"]):
                if column["program"] or by_command.variable(column["name"])["role"] != "state":
                    continue
                for row in shown[scope]["rows"]:
                    old, new = (each[column["name"]][row["label"]] for each in (before, now))
                    assert row["cells"][at]["old"] == ("" if old == new else old)
        before = now


def test_locals_of_the_program_are_the_interpreters(visit, by_command):
    seen = walk(visit(by_command.file), [by_command.frame(n) for n in range(1, 9)])
    program = {each["name"]: each for each in by_command.document["program"]}
    told = set()
    for shown in seen:
        for each in (each for each in shown["scalars"] if each["role"] == "program"):
            local = program[each["name"]]
            at = [k for k, f in enumerate(local["frame"]) if f <= shown["frame"]]
            assert each["now"] == by_command.written(local["kind"], local["value"][at[-1]] if at else 0)
            told.add(each["name"])
    assert {"edge", "best"} <= told


def test_only_changed_rows(visit, by_command):
    page = visit(by_command.file, "#i=3")
    page.get_by_test_id("only-changed").check()
    drawn(page)
    shown = read(page)
    assert 0 < len(shown["vertices"]["rows"]) < 8
    for row in shown["vertices"]["rows"]:
        assert any(cell["old"] for cell in row["cells"])


def test_the_interpreter_beside_every_value(visit, by_command):
    page = visit(by_command.file, "#i=3")
    page.get_by_test_id("show-interpreter").check()
    drawn(page)
    shown = read(page)
    at = next(k for k, each in enumerate(shown["vertices"]["columns"]) if each["name"] == "distance")
    assert [row["cells"][at]["beside"] for row in shown["vertices"]["rows"]] == [
        f" = {row['cells'][at]['now']}" for row in shown["vertices"]["rows"]
    ]


def test_lengths_are_written_exactly(visit, tmp_path):
    weights = {"a": Fraction(1, 3), "b": Fraction(1, 10)}
    h = hyloop.Hypergraph.from_hyperedges({"a": [1, 2], "b": [2, 3]}, weights=weights)
    shown = Shown.of(hyloop.trace("dijkstra", h, source=1, layers=True), tmp_path / "run.html")
    told = variables(walk(visit(shown.file), [shown.frames - 1])[0])
    assert told["distance"] == {"1": "0", "2": "1/3", "3": "13/30"}
