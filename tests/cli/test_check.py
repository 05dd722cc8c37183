"""`hyloop check` as people use it: what it prints, what it writes, how it ends."""

import json
import re
from dataclasses import dataclass

import pytest

from hyloop import sweep
from hyloop.cli import MISTAKE, app
from hyloop.cli.show import complain
from hyloop.errors import HyloopError
from hyloop.execute.cplusplus import compiler
from hyloop.execute.cuda.machines import LockStep
from hyloop.io import read

ENDLESS = """from hyloop.lang import Flag, Outputs, Vertex, algorithm, any


@algorithm
def impatient(h, source: Vertex):
    seen = h.vertices.state(Flag, False)
    seen[source] = True
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(~any(~seen))
        seen.assign(True, where=h.covered(h.touching(seen)))
    return Outputs(seen=seen)


def all_seen(h, source):
    print("not for standard output")
    return {"seen": dict.fromkeys(h.vertices, True)}


def none_seen(h, source):
    return {"seen": [False for _ in h.vertices]}


def broken(h, source):
    return 1 / 0


def large(h):
    return len(h.vertices) > 4
"""


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


ADDS = """
from hyloop.lang import Count, Outputs, algorithm, smaller, sum

@algorithm
def adds(h):
    many = h.vertices.state(Count, 0, at_most=h.vertices.count)
    all_of = h.state(Count, 0)
    with h.loop(at_most=1) as loop:
        many.assign(smaller(h.incidence @ h.hyperedges.every, h.vertices.count))
        all_of.assign(sum(many))
        loop.stop_when(True)
    return Outputs(all_of=all_of)
"""


@pytest.fixture
def hyloop(tmp_path, monkeypatch, capsys):
    """The command line in this process: starting another one takes longer than most of what is tested here."""
    (tmp_path / "mine.py").write_text(ENDLESS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*words):
        try:
            code = app(list(words), prog_name="hyloop", standalone_mode=False) or 0
        except HyloopError as wrong:
            complain("Error", str(wrong))
            code = MISTAKE
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return run


def test_what_was_tested_is_told(hyloop):
    done = hyloop("check", "bfs", "--random", "30", "--connected")
    first, second = done.stdout.splitlines()
    assert first.startswith("bfs: 0 differences on 30 hypergraphs, ")
    assert second.startswith("The loop changed a state in ")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_does_not_stop(hyloop, tmp_path):
    done = hyloop("check", "mine.py", "--random", "25", "--save", "wrong.edges")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "impatient does not stop: random hypergraph 1 (seed 0), source = 2: it did not stop within the 3 iterations "
        "that it declares (`at_most`)."
    )
    assert lines[1] == "    * 1 2"  # the hypergraph, as an edge list
    assert "did not stop on 25 hypergraphs" in lines[-3]
    assert lines[-1] == "Wrote wrong.edges. See it: hyloop check mine.py wrong.edges --input source=2"
    assert read(tmp_path / "wrong.edges").vertices == (1, 2)
    again = hyloop("check", "mine.py", "wrong.edges", "--input", "source=2")
    assert again.returncode == 1
    assert again.stdout.startswith("impatient does not stop: wrong.edges, source = 2: ")


@pytest.mark.parametrize(("wrong", "kept"), [("True", True), ("weights & {3, 7}", False)])
def test_what_a_format_does_not_hold_is_told_after_what_was_found(hyloop, tmp_path, wrong, kept):
    """Random weights are halves, thirds and sevenths; HIF has decimals only."""
    (tmp_path / "other.py").write_text(
        "from hyloop import run\n\n\ndef other(h, source):\n"
        "    weights = {weight.denominator for weight in h.weights}\n"
        "    found = dict(run('dijkstra', h, source=source, backend='interpreter'))\n"
        f"    return {{'distance': {{}}}} if {wrong} else found\n",
        encoding="utf-8",
    )
    done = hyloop("check", "dijkstra", "--random", "40", "--against", "other.py:other", "--save", "worst.hif.json")
    assert done.returncode == 1
    assert "other answer" in done.stdout
    assert ("Wrote worst.hif.json" in done.stdout, (tmp_path / "worst.hif.json").exists()) == (kept, kept)
    assert ("Nothing was written to worst.hif.json." in done.stderr) is not kept


def test_conditions_and_answers(hyloop):
    options = ("--random", "15", "--graphs", "--connected", "--where", "mine.py:large")
    done = hyloop("check", "mine.py", *options, "--against", "mine.py:all_seen", "--json")
    document = json.loads(done.stdout)
    assert (document["agrees"], document["answered"], done.returncode) == (True, 15, 0)
    assert document["rejected"].keys() == {"graphs", "connected", "mine.py:large"}
    assert "not for standard output" in done.stderr
    done = hyloop("check", "mine.py", *options, "--against", "mine.py:none_seen", "--quiet")
    assert done.returncode == 1
    assert "impatient has another answer: random hypergraph " in done.stdout
    assert ": seen of vertex 1 is True here, False in the answer (" in done.stdout
    assert "... and 12 more hypergraphs; --json has them all." in done.stdout
    assert done.stdout.splitlines()[-1].startswith("impatient: 0 differences, 15 other answers on 15 hypergraphs, ")
    done = hyloop("check", "mine.py", "--random", "4", "--against", "mine.py:none_seen", "--quiet")
    assert "... and 1 more hypergraph; --json has them all." in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--random", "3", "--against", "mine.py:broken"], "mine.py:24: ZeroDivisionError: division by zero."),
        (["--random", "3", "--where", "mine.py:nothing"], "mine.py has no function 'nothing'"),
        (["--random", "3", "--where", "mine.py"], "FILE.py:NAME"),
        (["x.edges", "--connected"], "give --random N, too"),
        (["--random", "3", "--save", "nowhere/x.edges"], "there is no such folder"),
        (["--random", "3", "--save", "x.png"], "--save writes a hypergraph file"),
        (["mine.py", "--random", "3"], "mine.py is a Python file"),
    ],
)
def test_mistakes(hyloop, words, says):
    done = hyloop("check", "mine.py", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_small_weights_are_told(hyloop):
    done = hyloop("check", "dijkstra", "--random", "20", "--rows", "50", "--weight", "1")
    assert done.returncode == 0
    assert done.stderr.startswith("Note: This model holds weights up to 1: only unit weights were tried.")
    assert hyloop("check", "dijkstra", "--random", "20", "--rows", "50", "--weight", "1", "--quiet").stderr == ""


def test_many_rows_to_look_numbers_up_in_are_told_before_they_take_their_time(hyloop, tmp_path, monkeypatch):
    """Default capacities have 4,094 of them for a sum: a check of 200 hypergraphs seemed to hang."""
    (tmp_path / "adds.py").write_text(ADDS, encoding="utf-8")
    words = ["check", "adds.py", "--random", "3", "--rows", "40"]
    assert "looks numbers up" not in hyloop(*words).stderr
    monkeypatch.setattr("hyloop.cli.check.SLOW_ROWS", 79)
    told = hyloop(*words).stderr
    assert told.startswith("Note: adds looks numbers up in 80 rows, so every hypergraph has as many")
    [rows] = re.findall(r"takes less time: --rows (\d+)\.", " ".join(told.split()))
    fewer = hyloop(*words[:-1], rows)  # what was said helps, and is not said again
    assert (fewer.returncode, "--rows" in fewer.stderr) == (0, False)
    assert hyloop(*words, "--quiet").stderr == ""


class TestOnAGpu:
    """With a GPU in lock-step on the CPU."""

    @pytest.fixture(autouse=True)
    def _gpu(self, monkeypatch):
        if compiler() is None:
            pytest.skip("generated code is run here by a C++ compiler: none")
        monkeypatch.setattr(sweep, "Gpu", LockStep)

    def test_random_hypergraphs_by_the_batch(self, hyloop):
        result = hyloop("check", "levels", "--random", "12", "--backend", "cuda", "--processes", "1")
        assert result.returncode == 0
        assert result.stdout.startswith("levels: 0 differences from cpu on 12 hypergraphs, ")
        found = json.loads(hyloop("check", "levels", "--random", "3", "--backend", "cuda", "--json").stdout)
        assert (found["agrees"], found["inputs"], found["bits"], found["findings"]) == (True, 3, 32, [])

    def test_a_difference_ends_with_status_1(self, hyloop, monkeypatch, tmp_path):
        monkeypatch.setattr(sweep, "_from_cpu", lambda *_: "one is two.")
        kept = tmp_path / "kept.hif.json"
        result = hyloop("check", "levels", "--random", "4", "--backend", "cuda", "--save", str(kept))
        assert result.returncode == 1
        assert "one is two." in result.stdout
        assert "4 differences from cpu" in result.stdout
        assert read(kept).vertices

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["some.edges"], "check them apart"),
            (["--graphs"], "leave out --backend cuda"),
        ],
    )
    def test_what_is_drawn_one_by_one(self, hyloop, words, told):
        result = hyloop("check", "levels", *words, "--random", "4", "--backend", "cuda")
        assert result.returncode == MISTAKE
        assert told in " ".join(result.stderr.split())
