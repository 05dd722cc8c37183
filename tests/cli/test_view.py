"""`hyloop view`: one page, written and opened."""

import os
import re
import stat
from pathlib import Path

import pytest

import commands
from hyloop import Trace

ROOT = Path(__file__).parents[2]
HARBOUR = str(ROOT / "examples" / "harbour.hif.json")


def view(*words, ok=0, **environment):
    done = commands.run_text("view", *map(str, words), environment=environment)
    assert done.returncode == ok, done.stderr
    assert "Traceback" not in done.stderr
    return done


def offered(page):
    return re.findall(r'"name":"(\w+)","about"', page.read_text(encoding="utf-8"))


def test_without_anything_it_shows_the_harbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = view("--no-browser").stdout.splitlines()
    assert said[0] == "source: Quay, the first there is; the page can change it."
    assert re.fullmatch(r"Wrote hyloop-view\.html: dijkstra on harbour, \d+ kB\.", said[1])
    assert said[2:] == ["Open it in a browser."]
    assert Trace.load("hyloop-view.html").at(8)["distance"]["Isle"] == 3.5


def test_an_algorithm_of_ones_own_is_offered_beside_ours(tmp_path):
    own = ROOT / "examples" / "core.py"
    told = view(own, HARBOUR, "--no-browser", "-o", tmp_path / "mine.html", ok=2).stderr
    assert "core needs k, a count: --input k=VALUE" in told
    assert view(own, HARBOUR, "-i", "k=2", "--no-browser", "-q", "-o", tmp_path / "mine.html").stdout == ""
    assert {"core", "bfs", "subleq"} < set(offered(tmp_path / "mine.html"))
    assert Trace.load(tmp_path / "mine.html").document["algorithm"]["file"] == "core.py"


def test_labels_that_are_numbers_give_way_to_names(tmp_path):
    text = (
        '{"incidences": [{"edge": "0", "node": "1"}, {"edge": "0", "node": "2"}],'
        ' "nodes": [{"node": "1", "attrs": {"name": "Ann"}}, {"node": "2", "attrs": {"name": "Bo"}}]}'
    )
    file, page = tmp_path / "people.hif.json", tmp_path / "page.html"
    file.write_text(text)
    said = view("bfs", file, "--no-browser", "-o", page)
    assert said.stdout.splitlines()[0] == "source: Ann, the first there is; the page can change it."
    assert "labels are numbers, so the page shows the attributes name; --numbers keeps the numbers." in said.stderr
    assert Trace.load(page).document["hypergraph"]["vertices"] == ["Ann", "Bo"]
    for words in (["--numbers"], ["--source", "2"]):
        assert view("bfs", file, *words, "--no-browser", "-o", page).stderr == ""
        assert Trace.load(page).document["hypergraph"]["vertices"] == ["1", "2"]


@pytest.mark.skipif(os.name == "nt", reason="a shell script is the browser")
def test_the_page_is_opened_in_the_browser(tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    said = view("-o", tmp_path / "a.html", BROWSER=str(browser)).stdout
    assert "Open it" not in said
    assert (tmp_path / "opened").read_text().strip() == (tmp_path / "a.html").as_uri()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([HARBOUR], "the algorithm comes first: hyloop view dijkstra"),
        (["-o", "page.txt"], "A page is written as .html; page.txt ends otherwise."),
        (["-o", "nowhere/page.html"], "there is no such folder"),
    ],
)
def test_what_is_refused(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert told in " ".join(view(*words, "--no-browser", ok=2).stderr.split())
    assert not list(tmp_path.iterdir())
