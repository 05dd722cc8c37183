"""A fixed share of the mutated files, under limits of time and memory; and that the edits do what they say."""

import json
import os
import runpy
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from fuzz import corpus
from fuzz.readers import READERS, TEXTS, Recipe, base, bases, edited, recipe_of, shape, use
from fuzz.worker import PATIENCE, SECONDS, Worker


@pytest.fixture(scope="module")
def worker():
    found = Worker(files=True)
    yield found
    found.stop()


@pytest.mark.parametrize("reader", READERS)
def test_only_our_own_errors_come_out(reader, worker):
    known = corpus.open_kinds()
    for seed in range(15):
        answer = worker.ask({"job": "file", "reader": reader, "seed": seed}, PATIENCE * SECONDS)
        failed = [answer] if isinstance(answer, str) else [f["what"] for f in answer.failures]
        assert {*failed} <= known, f"{reader}, seed {seed}"


@pytest.mark.parametrize("reader", READERS)
def test_without_edits_a_file_is_read(reader):
    for name in bases(reader):
        assert use(Recipe(reader, name, [])) == "read"


@pytest.mark.parametrize("reader", READERS)
def test_recipes_are_the_same_every_time_and_survive_json(reader):
    recipe = recipe_of(reader, 3)
    assert recipe == recipe_of(reader, 3)
    assert edited(Recipe(**json.loads(json.dumps(recipe.as_json())))) == edited(recipe)


def test_what_is_json_is_edited_as_json():
    assert {reader: shape(reader) for reader in ("hif", "trace", "edge-list", "incidence-csv", "incidence-tsv")} == {
        **dict.fromkeys(("hif", "trace"), "json"),
        **dict.fromkeys(("edge-list", "incidence-csv", "incidence-tsv"), "text"),
    }


def test_json_on_every_line_is_edited_line_by_line(monkeypatch):
    monkeypatch.setitem(TEXTS, "edge-list", '{"a": 1}\n{"b": [2]}\n')
    for kept in (base, shape):
        kept.cache_clear()
    try:
        assert edited(Recipe("edge-list", "edge-list", [["set", [1, "b"], None]])) == b'{"a": 1}\n{"b": null}\n'
        assert edited(Recipe("edge-list", "edge-list", [["raw", [0, "a"], ["digits", 3]]])).startswith(b'{"a": 999}')
    finally:
        for kept in (base, shape):
            kept.cache_clear()


def test_an_edit_gets_past_the_hash():
    """Another version has written the file, and it is read all the same; without a new hash it is refused."""
    edit = ["set", ["hyloop"], "0.0.1"]
    assert b"0.0.1" in edited(Recipe("model", "bfs", [edit]))
    assert use(Recipe("model", "bfs", [edit])) == "read"
    assert use(Recipe("model", "bfs", [edit], signed=False)) == "refused"
    assert use(Recipe("checkpoint", "bfs", [["set", ["iterations"], 1]], signed=False)) == "refused"
    assert use(Recipe("checkpoint", "bfs", [["set", ["iterations"], 1]])) == "read"


def test_edits_of_all_kinds_change_the_file():
    for edit in (
        ["flip", 9, 1],
        ["cut", 5, 3],
        ["raw", ["name"], ["digits", 10]],
        ["entry", 0, 0, "3"],
        ["untensor", 0],
    ):
        assert edited(Recipe("model", "bfs", [edit])) != base("model", "bfs")
    assert edited(Recipe("incidence-csv", "incidence-csv", [["insert", 0, 0, "x", 2]])).startswith(b"xxvertex")


def test_a_file_that_hangs_is_noticed(worker):
    """The worker is ended, and the next job gets a new one."""
    worker.ask({"job": "file", "reader": "incidence-csv", "seed": 0}, PATIENCE * SECONDS)
    os.kill(worker.process.pid, signal.SIGSTOP)
    assert worker.ask({"job": "file", "reader": "incidence-csv", "seed": 0}, 0.2) == "no answer after 0.2 s"
    assert not isinstance(worker.ask({"job": "file", "reader": "incidence-csv", "seed": 0}, PATIENCE * SECONDS), str)


def test_what_is_swapped_with_a_part_of_itself_can_be_written():
    swapped = edited(Recipe("hif", "hif", [["swap", ["nodes"], ["nodes", 0]]]))
    assert json.loads(swapped)["nodes"]["node"] == "Quay"


def test_the_table_for_the_readers_of_the_page_is_up_to_date():
    root = Path(__file__).parents[2]
    made = runpy.run_path(str(root / "scripts" / "reader_cases.py"))["text"]()
    assert (root / "viewer" / "test" / "readers.json").read_text(encoding="utf-8") == made, (
        "PYTHONPATH=tests python scripts/reader_cases.py writes it anew; then run the tests of the viewer."
    )


def test_the_limit_is_of_the_processor_and_not_of_the_clock(monkeypatch):
    """On a busy machine a program of 9 seconds had no answer after 300."""
    worker, taken = Worker(files=True), iter([5.0, 5.1, 5.1])
    worker.process, worker.pipe = SimpleNamespace(pid=1), SimpleNamespace(poll=lambda _: next(answers))
    monkeypatch.setattr("fuzz.worker.spent", lambda _: next(taken))
    answers = iter([False, False, True])
    assert worker._answers_within(10)
    answers, taken = iter([False]), iter([5.0, 15.0])
    assert not worker._answers_within(10)
    answers, taken = iter([False] * 3), iter([5.0] * 4)
    assert not worker._answers_within(10)
