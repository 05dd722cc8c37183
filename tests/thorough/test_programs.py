"""examples/programs as transformers: against the oracles, proved, as large as the page says."""

from pathlib import Path

import pytest

import hyloop
from effort import TIMES
from hyloop import facts
from hyloop.prove import prove
from oracles.programs import PROGRAMS
from whole.test_programs import check, program

PAGE = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")


def said(name):
    """The row of the table of sizes."""
    table = PAGE.partition("## Sizes")[2].partition("## Checked")[0]
    [line] = [line for line in table.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.split("|")[2:-1]]


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_right_proved_and_as_large_as_the_page_says(name):
    algorithm = program(name)
    model = hyloop.compile(algorithm, PROGRAMS[name].capacity)
    check(name, 20 * TIMES, model=model)
    assert prove(model).answer == "proved"
    sizes = (len(model.layers), len(model.layout), facts.of_algorithm(algorithm)["at_most"])
    assert said(name) == [*map(str, sizes), f"{model.capacity.rows:,}", f"{model.capacity.weight:,}"]


def test_the_page_has_every_program():
    for name in PROGRAMS:
        assert PAGE.count(f"| {name} |") == 2
