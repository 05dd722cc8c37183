"""Output of the command line: cells of tables."""

import subprocess
import sys
from pathlib import Path

import pytest

from hyloop.cli.show import cell, shorten, table


def test_different_labels_are_shown_differently():
    shown = {"1": '"1"', '"1"': r'"\"1\""', r'"\"1\""': r'"\"\\\"1\\\"\""', '"a"': '"a"', "a": "a", "01": "01"}
    assert {label: cell(label) for label in shown} == shown
    assert cell(1) == "1"
    assert len({*shown.values()}) == len(shown)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_error_that_cannot_be_told_is_still_one():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "hyloop", "run", "nosuch", "x.json"], stderr=full, check=False)
    assert done.returncode == 2


def test_a_column_that_is_cut_stays_on_one_line(capsys, monkeypatch):
    monkeypatch.setattr("hyloop.cli.show.PIPE_WIDTH", 30)
    table("T", ("name", "about"), [("one", "x" * 40), ("three", "y y y")], cut="about")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 3 + 2 + 1
    assert {len(line) for line in lines[1:]} == {30}
    assert "│ one   │ " + "x" * 17 + "… │" in lines
    assert "│ three │ y y y" in lines[5]


@pytest.mark.parametrize(
    ("text", "most", "shown"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a bc", 3, "a…"), ("ab", 0, "…")]
)
def test_texts_are_shortened_visibly(text, most, shown):
    assert shorten(text, most) == shown
