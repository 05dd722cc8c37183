"""A fixed share of the random programs, and the fuzzer's own parts: printing, and making cases smaller."""

import importlib.util
from contextlib import suppress
from dataclasses import replace

import pytest

from fuzz import corpus
from fuzz.differential import Wanted, tried
from fuzz.generate import cases
from fuzz.minimise import lines, minimised
from fuzz.nesting import nested
from fuzz.reference import INF, Value
from fuzz.runs import Counts, hypergraph_of, integers, traced
from fuzz.syntax import Case, Source, print_source
from hyloop.interpreter import interpret
from hyloop.lang import LanguageError
from hyloop.lang.ops import LANGUAGE

PROVER = importlib.util.find_spec("z3") is not None
SEEDS = range(30)


@pytest.mark.parametrize("first", SEEDS[::6])
def test_everything_agrees(first):
    counts = Counts()
    failures = []
    for seed in range(first, first + 6):
        failures += tried(cases(seed), Wanted(check=True, prove=PROVER and seed == first), counts)
    known = corpus.open_kinds()
    assert not [f"{case.note}: {failure}" for case, failure in failures if failure.what not in known]
    assert counts.of["compiled"] >= 3
    assert counts.of["iterations"] >= 10


RARE = (108, 154, 249, 303, 426, 1087)  # seeds that give what few programs have: tried early, which saves seconds


def test_random_programs_have_every_operation():
    missing = set(LANGUAGE)
    for seed in (*range(60), *RARE, *range(60, 1600)):
        if missing and (made := cases(seed, graphs=1)):
            with suppress(LanguageError):
                program = traced(made[0].source)
                missing -= {op.name for section in (program.before, program.body) for op in section.ops}
    assert not missing, "tests/fuzz/generate.py grows no expression with it"


def test_loops_in_loops_agree():
    counts = Counts()
    failures = [each for seed in (1022, 1027, 1048) for each in tried(cases(seed, 1, nested), Wanted(), counts)]
    assert not [f"{case.note}: {failure}" for case, failure in failures]
    assert counts.of["compiled"] == 3
    assert counts.of["iterations"] >= 10


def test_cases_are_the_same_every_time_and_survive_json():
    assert cases(5) == cases(5)
    assert [Case.from_json(case.as_json()) for case in cases(5)] == cases(5)


TRUE, FALSE = ["const", "flag", True], ["const", "flag", False]
COUNTING = Source(
    states=[["x", "count", "v", 0], ["f", "flag", "s", False], ["p", "vertex", "v", None]],
    body=[
        ["let", "a", ["add", ["every", "v"], ["const", "count", 4]]],
        [
            "when",
            ["not", ["state", "f"]],
            [["assign", "x", ["let", "a"], None], ["put", "p", ["top", "v"], ["top", "v"]]],
        ],
        ["assign", "p", ["next", ["state", "p"]], ["every", "v"]],
        ["stop", TRUE],
    ],
    at_most=["+", "v", 1],
    outputs=[["x", "state", "x"], ["all", "list", ["f"]]],
)


def test_the_printed_source_is_the_program():
    case = Case(COUNTING, 3, [[0, 1]], ["1"])
    [step] = interpret(traced(COUNTING), hypergraph_of(case), {}, [1])
    assert step.states["x"].tolist() == [5, 5, 5]
    assert step.states["p"].tolist() == [2, 0, 0]
    assert "with when((~f)):" in print_source(COUNTING)


@pytest.mark.parametrize("wrong", ["interpreter", "dense"])
def test_a_difference_is_found(wrong, monkeypatch):
    """The comparison itself: a reference that is wrong on purpose is told apart from what runs the program."""
    from fuzz import reference

    def more(world, p):
        return reference.each(world, p.kind, lambda row: row, p)

    monkeypatch.setattr(reference, "following", more)
    found = {
        failure.what: failure.told for _, failure in tried([Case(COUNTING, 3, [[0, 1]], ["1"])], Wanted(), Counts())
    }
    assert wrong in found
    assert "p is" in found[wrong]


def test_cases_are_made_smaller():
    """What has nothing to do with the failure goes: here everything but the assignment to x."""

    def fails(case):
        return any(s[0] == "assign" and s[1] == "x" for s in case.source.body) and case.vertices >= 2

    large = Case(COUNTING, 5, [[0, 1], [2]], ["1", "7"], heads=2)
    flat = replace(large, source=replace(COUNTING, body=[COUNTING.body[0], *COUNTING.body[1][2], *COUNTING.body[2:]]))
    small = minimised(flat, fails, seconds=20)
    assert lines(small.source.body) == 1
    assert (small.vertices, small.hyperedges, small.heads) == (2, [], 3)
    assert [state[0] for state in small.source.states] != []


def test_integers_of_every_kind():
    assert integers(Value("vertex", "v", [0, None]), 1, 99) == [1, 0]
    assert integers(Value("length", "s", INF), 1, 99) == 99
    assert integers(Value("flag", "v", [True, False]), 1, 99) == [1, 0]
