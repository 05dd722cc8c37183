"""The programs in examples/programs: a share of the sweep, what docs/programs.md says of them, and answers by hand."""

import random
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

import hyloop
from effort import TIMES
from hyloop.lang.matrices import uses_direction
from hyloop.lang.tracing import load
from hyloop.samples import DEGENERATE, hypergraphs
from oracles.programs import PROGRAMS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "programs"
LONGER = {"betweenness": 45}  # lines; the others have 40 at most


@cache
def program(name):
    [found] = load(FOLDER / f"{name}.py")
    return found


def run(name, H, **inputs):
    return hyloop.run(program(name), H, backend="interpreter", **inputs)


def test_every_program_has_an_oracle_and_few_lines():
    files = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")}
    assert files.keys() == PROGRAMS.keys()
    for name, text in files.items():
        assert len(text.splitlines()) <= LONGER.get(name, 40), name


def check(name, count, *, small=7, model=None):
    """Random hypergraphs, and a few degenerate ones before them: by the interpreter if there is no model."""
    algorithm, known = program(name), PROGRAMS[name]
    every = hypergraphs(11, vertices=small, hyperedges=small, directed=uses_direction(algorithm.program))
    for place, H in enumerate(islice(every, len(DEGENERATE) - 4, len(DEGENERATE) + count)):
        inputs = known.draw(H, random.Random(place))
        found = run(name, H, **inputs) if model is None else hyloop.run(model, H, **inputs)
        for oracle in known.oracles:
            said = oracle(H, **inputs)
            assert said
            assert {output: found[output] for output in said} == said, (inputs, H)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_share_of_the_sweep(name):
    """tests/thorough/test_programs.py and benchmarks/sweep_programs.py run the transformers."""
    if name == "betweenness":
        check(name, TIMES, small=5)
    else:
        check(name, 20 * TIMES)


def test_few_hyperedges_are_longer():
    H = hyloop.Hypergraph.from_arcs({"a": (["s"], ["x"]), "b": (["x"], ["t"]), "c": (["s"], ["t"])}, weights=[1, 1, 5])
    for most, distance in enumerate([None, 5, 2, 2]):
        found = run("bellman_ford", H, source="s", most=most)
        assert (found["distance"]["t"], found["settled"]) == (distance, most >= 2)
    assert run("bellman_ford", H, source="t", most=3)["distance"] == {"s": None, "x": None, "t": 0}


def test_between_is_in_the_middle():
    """Of a star with three ends, the middle is between all three pairs."""
    H = hyloop.Hypergraph.from_hyperedges([["m", "a"], ["m", "b"], ["m", "c"]])
    assert run("betweenness", H)["betweenness"] == {"m": 3 * 2**20, "a": 0, "b": 0, "c": 0}


def test_the_fano_plane_lacks_property_b_and_less_of_it_does_not():
    lines = [[1, 2, 3], [1, 4, 5], [1, 6, 7], [2, 4, 6], [2, 5, 7], [3, 4, 7], [3, 5, 6]]
    assert run("property_b", hyloop.Hypergraph.from_hyperedges(lines), budget=1000)["impossible"] is True
    assert run("property_b", hyloop.Hypergraph.from_hyperedges(lines[:6]), budget=1000)["found"] is True


def test_a_search_in_what_is_not_sorted_ends_where_it_rises():
    draw = random.Random(3)
    for n in range(1, 12):
        values = [draw.randint(0, 9) for _ in range(n)]
        found = run("binary_search", hyloop.Hypergraph.from_hyperedges({}, vertices=range(n)), values=values, wanted=5)
        assert found["at"] == (found["below"] if found["below"] < n else None)
        assert found["at"] is None or values[found["at"]] >= 5
        assert found["below"] == 0 or values[found["below"] - 1] < 5
        assert found.iterations <= 3 + 2 * (n.bit_length() + 1)


def test_a_tie_changes_no_opinion():
    H = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    found = run("majority", H, opinion={"a"}, rounds=5)
    assert found["opinion"] == {"a": False, "b": False, "c": False}
    assert (found["stable"], found["rounds"]) == (True, 1)
