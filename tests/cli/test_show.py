"""Output of the command line: cells of tables."""

import subprocess
import sys
from pathlib import Path

import pytest

from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.in_short import IN_SHORT
from hyloop.cli.algorithms import algorithms
from hyloop.cli.show import cell, shorten, table


def test_different_labels_are_shown_differently():
    shown = {"1": '"1"', '"1"': r'"\"1\""', r'"\"1\""': r'"\"\\\"1\\\"\""', '"a"': r'"\"a\""', "a": "a", "01": "01"}
    assert {label: cell(label) for label in shown} == shown
    assert cell(1) == "1"
    assert len({*shown.values()}) == len(shown)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_error_that_cannot_be_told_is_still_one():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "hyloop", "run", "nosuch", "x.json"], stderr=full, check=False)
    assert done.returncode == 2


def test_the_list_of_algorithms_reads_whole_in_80_columns(capsys, monkeypatch):
    monkeypatch.setattr("hyloop.cli.show.PIPE_WIDTH", 80)
    algorithms()
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert max(map(len, lines)) <= 80
    assert len(lines) == len(ALGORITHMS), "a line each"
    assert all(any(text in line for line in lines) for text in IN_SHORT.values()), "nothing is cut"


@pytest.mark.parametrize(
    ("text", "most", "shown"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a bc", 3, "a…"), ("ab", 0, "…")]
)
def test_texts_are_shortened_visibly(text, most, shown):
    assert shorten(text, most) == shown


@pytest.mark.parametrize("width", [1, 20, 40])
def test_a_narrow_terminal_loses_no_column(capsys, monkeypatch, width):
    monkeypatch.setattr("hyloop.cli.show.PIPE_WIDTH", width)
    rows = [(f"v{row}", row * 10**6, 2**row, 3**row, f"船{row}") for row in range(10)]
    table("", ("vertex", "a", "b", "c", "d"), rows, right=("a", "b", "c"))
    shown = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert [tuple(map(str.strip, cells[1:-1])) for cells in shown] == [tuple(map(str, row)) for row in rows]


ODD_LABELS = ['"a"', "a", "", " ", "a ", '"', '"\\"', "\n", "\\n", "\t", "\0", "\r", "\x7f", "\xa0", "\u200b", "\u202e"]
ODD_LABELS += ["\u2066", "נמל", "1", '"1"', "\\", "x,y", "\U000e0001"]


def test_a_label_that_is_copied_from_a_table_is_that_label():
    h = Hypergraph.from_hyperedges([[*ODD_LABELS, 1]])
    for label in h.vertices:
        shown = cell(label)
        assert h.find_vertex(shown) == label
        assert shown.isprintable()
