"""Output of the command line: cells of tables."""

import subprocess
import sys
from pathlib import Path

import pytest

from hyloop.cli.show import cell


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
