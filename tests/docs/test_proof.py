"""How much docs/proof.md asks to be read or believed: its numbers of lines are those of the files."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/proof.md").read_text(encoding="utf-8")
PROVE = "src/hyloop/prove"
# Where the page has a number of lines, and the files that have so many.
FIGURES = {
    r"`checker/check_certificate\.py` \| ([\d,]+) \|": ["checker/check_certificate.py"],
    r"one file of ([\d,]+) lines": ["checker/check_certificate.py"],
    r"`checker/state_obligations\.py` \| ([\d,]+) \|": ["checker/state_obligations.py"],
    r"\| in these ([\d,]+) \|": ["checker/state_obligations.py"],
    r"what the language means.* ([\d,]+) lines, trusted": [
        f"{PROVE}/{name}.py" for name in ("meaning", "arithmetic", "shadows")
    ],
    r"the formulas of a layer, and.* ([\d,]+) lines, trusted": [
        f"{PROVE}/{name}.py" for name in ("machine", "basis", "layout")
    ],
    r"which obligations there are.* ([\d,]+) lines, trusted": [
        f"{PROVE}/{name}.py" for name in ("work", "attention", "claims", "exact")
    ],
    r"`lang/program\.py`, ([\d,]+) lines": [
        f"src/hyloop/{name}.py" for name in ("machine/files", "lang/text", "lang/program")
    ],
    r"`coq/Obligation\.v`, ([\d,]+) lines": ["coq/Obligation.v"],
    r"`coq/Language\.v`, ([\d,]+) lines": ["coq/Language.v"],
    r"`coq/Language\.v` \| ([\d,]+) \|": ["coq/Language.v"],
    r"`coq/Levels\.v`, ([\d,]+) lines": ["coq/Levels.v"],
    r"`coq/Dijkstra\.v`, ([\d,]+) lines": ["coq/Dijkstra.v"],
    r"`src/hyloop/lang/coq\.py` \| ([\d,]+) \|": ["src/hyloop/lang/coq.py"],
}


def rounded(figure: str) -> tuple[int, int]:
    """A number as the page has it, and how far from it what it stands for may be."""
    digits = figure.replace(",", "")
    return int(digits), 10 ** (len(digits) - len(digits.rstrip("0"))) // 2


@pytest.mark.parametrize("where", FIGURES)
def test_files_have_as_many_lines_as_the_page_says(where):
    [said] = re.findall(where, PAGE)
    figure, off = rounded(said)
    assert abs(sum(len((ROOT / name).read_text("utf-8").splitlines()) for name in FIGURES[where]) - figure) <= off


def test_the_list_has_as_many_lines_as_the_page_says():
    [said] = re.findall(r"\[the list\]\(#the-obligations\) \| ([\d,]+) \|", PAGE)
    figure, off = rounded(said)
    section = re.split(r"^## ", PAGE.split("\n## The obligations\n")[1], flags=re.MULTILINE)[0]
    assert abs(len(section.splitlines()) - figure) <= off


def test_the_checker_stays_small():
    assert len((ROOT / "checker/check_certificate.py").read_text("utf-8").splitlines()) <= 400
