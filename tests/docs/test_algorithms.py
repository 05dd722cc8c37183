"""docs/algorithms.md: both tables have every algorithm, with the inputs, outputs, bounds and oracles that it has."""

import re
from pathlib import Path

from hyloop import facts
from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.meanings import MEANINGS
from oracles import ORACLES

PAGE = (Path(__file__).parents[2] / "docs" / "algorithms.md").read_text(encoding="utf-8")


def rows(title: str) -> dict[str, list[str]]:
    """The table of a section: for each algorithm, the other cells of its row."""
    section = re.split(r"^## ", PAGE.split(f"\n## {title}\n")[1], flags=re.MULTILINE)[0]
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")]
    return {name: cells for name, *cells in lines[2:]}


def quoted(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def test_what_they_compute():
    said = rows("What they compute")
    assert list(said) == list(ALGORITHMS)
    assert {name: quoted(cells[0]) for name, cells in said.items()} == {
        name: list(algorithm.inputs) for name, algorithm in ALGORITHMS.items()
    }


def test_what_they_give():
    said = rows("What they give, and how long it takes")
    assert list(said) == list(ALGORITHMS)
    for name, (outputs, iterations, oracles) in said.items():
        known = facts.of_algorithm(ALGORITHMS[name])
        assert (quoted(outputs), iterations) == (known["outputs"], known["at_most"])
        assert oracles == "; ".join(ORACLES[name])


def test_what_the_outputs_mean():
    assert {name: cell for name, [cell] in rows("What the outputs mean").items()} == MEANINGS
