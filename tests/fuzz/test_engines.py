"""The executors that a share of the programs meets: none is left out, each agrees, and each comparison can fail."""

import importlib
import inspect
import pkgutil
from dataclasses import replace
from functools import wraps

import pytest

import hyloop.execute
import hyloop.export
from fuzz import offered, runs, together
from fuzz.differential import Wanted, compiled, held_against_dense, tried
from fuzz.engines import ENGINES, TORCH, USUAL, counted, held_beside, is_due, shares, usable
from fuzz.runs import Counts, DisagreementError, Trial, run_of, traced
from fuzz.syntax import Case, Source
from hyloop.execute.backends import BACKENDS
from hyloop.execute.cpu.session import ENGINES as CPU_ENGINES

ELSEWHERE = {"execute.cuda.machines.Gpu"}  # `make test-cuda` has a GPU
HERE = [name for name in ENGINES if usable(name) and ENGINES[name].needs != TORCH]
STEPS = ["state", "x"]
# A pointer to follow, an array that changes in every iteration, a stream of both, and an input.
WALK = Source(
    states=[["p", "vertex", "s", None], ["x", "count", "v", 0], ["n", "count", "s", 0]],
    body=[
        [
            "assign",
            "x",
            [
                "add",
                STEPS,
                [
                    "where",
                    ["eq", ["number", "v"], ["input", "i"]],
                    ["const", "count", 2],
                    ["const", "count", 1],
                ],
            ],
            None,
        ],
        ["assign", "p", ["input", "i"], None],
        ["assign", "n", ["add", ["state", "n"], ["const", "count", 1]], None],
        ["stop", ["eq", ["state", "n"], ["const", "count", 4]]],
    ],
    at_most=9,
    inputs=[["i", "vertex", None]],
    outputs=[["x", "state", "x"], ["p", "state", "p"]],
)
CASE = Case(WALK, 4, [[0, 1], [1, 2, 3]], ["1", "2"], {"i": 1}, note="walk")


def executors():
    """Every class of the package that runs iterations, by its name."""
    found = {}
    for package in (hyloop.execute, hyloop.export):
        for about in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(about.name)
            for name, each in inspect.getmembers(module, inspect.isclass):
                methods = {"advance", "run"} & vars(each).keys()
                if each.__module__ == about.name and methods and not getattr(each, "_is_protocol", False):
                    found[f"{about.name}.{name}".removeprefix("hyloop.")] = (each, methods)
    return found


def noted(method, name, seen):
    @wraps(method)
    def run(*given, **options):
        seen.add(name)
        return method(*given, **options)

    return run


def test_every_executor_is_compared(monkeypatch):
    """A class of `execute/` or `export/` that runs iterations, and that no comparison calls, fails here."""
    pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    seen, known = set(), executors()
    for name, (each, methods) in known.items():
        for method in methods:
            monkeypatch.setattr(each, method, noted(getattr(each, method), name, seen))
    engines = frozenset(name for name in ENGINES if name != "torch.export" and usable(name))
    wanted = Wanted(engines=engines, quiet=True, torch=True, onnx=True, check=True)
    counts = Counts()
    assert not [str(failure) for _, failure in tried([CASE], wanted, counts)]
    left = {f"engine: {name}" for name in ENGINES if name == "torch.export" or not usable(name)}
    assert set(counted()) - left <= {name for name, number in counts.of.items() if number}
    missing = known.keys() - seen
    assert missing <= ELSEWHERE, "no comparison of tests/fuzz/engines.py reaches it"


def test_every_backend_is_compared():
    compared = USUAL | {engine.backend for engine in ENGINES.values()}
    assert {*BACKENDS, "interpreter", *CPU_ENGINES} <= compared, "a comparison in tests/fuzz/engines.py is missing"


@pytest.fixture(scope="module")
def trial():
    program = traced(WALK)
    run, model, states = run_of(CASE, program), compiled(CASE, program), []
    held_against_dense(run, model, 0, states, Counts())
    return Trial(run, model, 0, states)


@pytest.mark.parametrize("name", HERE)
def test_a_comparison_compares_and_can_fail(name, trial, monkeypatch):
    """It compares runs; and where reference and dense have another number in the last state, it says so."""
    counts = Counts()
    held_beside(name, trial, counts)
    assert counts.of[f"engine: {name}"] > 0
    column = trial.model.layout.number("x")

    def wrong(states):
        last = states[-1].copy()
        last[2, column] += 1
        return [*states[:-1], last]

    alone, row, end = runs.states_alone, offered.row_of, trial.run.steps[-1]
    monkeypatch.setattr(runs, "states_alone", lambda *given: wrong(alone(*given)))
    monkeypatch.setattr(offered, "row_of", lambda *given: [value + 1 for value in row(*given)])
    monkeypatch.setattr(together, "held_against_machine", lambda *_: None)
    x = end.states["x"]
    other = replace(end, states={**end.states, "x": replace(x, data=[value + 1 for value in x.data])})
    changed = replace(trial.run, steps=[*trial.run.steps[:-1], other])
    with pytest.raises(DisagreementError):
        held_beside(name, replace(trial, run=changed, states=wrong(trial.states)), Counts())


def test_all_kinds_of_programs_meet_all_engines():
    """By remainders of the seed, loops in loops (every fourth one) were never proved, nor run by PyTorch."""
    for name, one_in in shares().items():
        for rest in (0, 3):
            often = sum(is_due(name, seed, one_in) for seed in range(rest, 40 * one_in, 4))
            assert 3 <= often <= 30, f"{name}: {often} of {10 * one_in} programs, not 10"
