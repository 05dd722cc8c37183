"""The programs in examples/programs: a share of the sweep, what docs/programs.md says of them, and answers by hand."""

import random
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


def program(name):
    [found] = load(FOLDER / f"{name}.py")
    return found


def test_every_program_has_an_oracle_and_few_lines():
    files = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")}
    assert files.keys() == PROGRAMS.keys()
    for name, text in files.items():
        assert len(text.splitlines()) <= LONGER.get(name, 40), name


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_share_of_the_sweep(name):
    """By the interpreter, which is what the transformer is proved to do; `benchmarks/sweep_programs.py` runs that."""
    algorithm, known = program(name), PROGRAMS[name]
    small, count = (5, 4 * TIMES) if name == "betweenness" else (7, 20 * TIMES)
    every = hypergraphs(11, vertices=small, hyperedges=small, directed=uses_direction(algorithm.program))
    for place, H in enumerate(islice(every, len(DEGENERATE) - 4, len(DEGENERATE) + count)):
        inputs = known.draw(H, random.Random(place))
        found = hyloop.run(algorithm, H, backend="interpreter", **inputs)
        for oracle in known.oracles:
            said = oracle(H, **inputs)
            assert said
            assert {output: found[output] for output in said} == said, (inputs, H)
