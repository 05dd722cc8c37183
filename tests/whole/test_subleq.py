"""The computer: its example programs add and sort, a recording shows it, and it ends as docs/algorithms.md says."""

import random
import sys
from itertools import product
from pathlib import Path

import pytest

import hyloop

FOLDER = Path(__file__).parents[2] / "examples" / "subleq"
sys.path.insert(0, str(FOLDER))

from assemble import assemble  # noqa: E402  (it lies among the examples)


def cells(result):
    return {v: result["positive"][v] - result["negative"][v] for v in result.hypergraph.vertices}


def run(H, budget=10_000, **options):
    given = {side: hyloop.Attribute(side) for side in ("positive", "negative")}
    return hyloop.run("subleq", H, budget=budget, **given, **options)


def computed(*values, budget=10_000):
    """A run of these cells, called 0, 1, ..."""
    return run(assemble(f"= {' '.join(map(str, values))}"), budget, backend="interpreter")


def program(name, **values):
    """An example with other values in it."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.partition(":")[0] not in values]
    return assemble("\n".join([*lines, *(f"{label}: = {value}" for label, value in values.items())]))


def sorting(numbers):
    n = len(numbers) - 1
    return program("sort", A=" ".join(map(str, numbers)), length=n, back=-n, left=n, passes=n)


@pytest.mark.parametrize("name", ["add", "sort"])
def test_the_files_are_the_programs(name):
    assert hyloop.read(FOLDER / f"{name}.hif.json") == assemble((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def test_it_adds():
    for x, y in product(range(-3, 4), repeat=2):
        result = run(program("add", x=x, y=y), backend="interpreter")
        found = cells(result)
        assert (found["x"], found["y"], found["z"]) == (x, x + y, 0)
        assert (result["steps"], result["halted"], result["pc"]) == (3, True, None)


def test_it_sorts():
    draw = random.Random(1)
    for size in range(2, 8):
        numbers = [draw.randint(-20, 20) for _ in range(size)]
        result = run(sorting(numbers))
        found = cells(result)
        assert [found["A"], *(found[f"A+{i}"] for i in range(1, size))] == sorted(numbers)
        assert (result["halted"], result["overflow"], result.backend) == (True, False, "cpu")


def test_its_recording():
    H = hyloop.read(FOLDER / "add.hif.json")
    sides = {side: hyloop.Attribute(side) for side in ("positive", "negative")}
    trace = hyloop.trace("subleq", H, budget=10, **sides)
    assert trace.agrees
    assert [trace.at(i)["pc"] for i in range(1, 6)] == ["0", "3", "6", None, None]
    assert [trace.at(i)["minus"]["z"] for i in range(1, 5)] == [0, 3, 3, 0]


# What ends a run: the cells, then steps, halted, overflow, and where it stands.
ENDS = {
    "no cells": ((), 0, True, False, None),
    "fewer than three": ((0, 0), 0, True, False, "0"),
    "the last instruction lacks a cell": ((4, 4, 3, 0, 0), 1, True, False, "3"),
    "a is negative": ((-1, 0, 0), 0, True, False, "0"),
    "b is beyond": ((0, 3, 0), 0, True, False, "0"),
    "c is negative": ((0, 0, -1), 1, True, False, None),
    "c is beyond, and not gone to": ((3, 4, 9, 1, 3), 1, True, False, "3"),
    "it loops": ((3, 3, 0, 0), 100, False, False, "0"),
    "beyond a billion": ((6, 7, 3, 0, 0, 0, -1, 10**9), 0, False, True, "0"),
    "beyond minus a billion": ((6, 7, 3, 0, 0, 0, 1, -(10**9)), 0, False, True, "0"),
    "a billion is a value": ((6, 7, 9, 6, 6, 9, 0, 10**9, 0), 2, True, False, None),
}


@pytest.mark.parametrize("what", ENDS)
def test_what_ends_a_run(what):
    values, *ended = ENDS[what]
    result = computed(*values, budget=100)
    assert [result[name] for name in ("steps", "halted", "overflow", "pc")] == ended


def test_operands_are_read_before_the_cell_is_written():
    """The instruction subtracts 3 from its own c, which was 6 and is 3; it goes to 3, since that is above 0."""
    assert computed(6, 2, 6, 0, 0, -1, 3, -1, -1)["pc"] is None
    first = computed(6, 2, 3, 6, 6, -1, 3, budget=1)
    assert (first["pc"], cells(first)["2"]) == ("3", 0)


def test_a_cell_given_on_both_sides_is_the_difference():
    H = hyloop.Hypergraph.from_hyperedges({}, vertices=["a"])
    found = cells(hyloop.run("subleq", H, positive=[3], negative=[5], budget=1, backend="interpreter"))
    assert found == {"a": -2}


@pytest.mark.parametrize(("text", "said"), [("x", "two or three operands"), ("y y -1", "y is neither a number")])
def test_what_cannot_be_assembled(text, said):
    with pytest.raises(SystemExit, match=said):
        assemble(text)
