"""A capacity of little use is told, wherever something is said of the model."""

import subprocess
import sys

import pytest


def hyloop(*arguments):
    return subprocess.run([sys.executable, "-m", "hyloop", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("rows", "weight", "told"), [("1000", "5", False), ("1000", None, False), ("30000000", None, True)]
)
def test_small_weights_are_told(tmp_path, rows, weight, told):
    given = ["--rows", rows, *(["--weight", weight] if weight else [])]
    for command in (["compile", "dijkstra", "-o", str(tmp_path / "m.safetensors")], ["info", "dijkstra"]):
        ran = hyloop(*command, *given)
        assert ran.returncode == 0, ran.stderr
        assert ("dijkstra holds weights up to" in ran.stderr) is told


def test_a_model_without_weights_needs_no_warning():
    assert hyloop("info", "bfs", "--rows", "9", "--weight", "1").stderr == ""


@pytest.mark.parametrize("command", [["info"], ["check", "--random", "2"], ["prove"]])
def test_a_model_file_has_a_capacity_of_its_own(tmp_path, command):
    file = str(tmp_path / "m.safetensors")
    assert hyloop("compile", "levels", "-o", file, "--rows", "9", "--weight", "9").returncode == 0
    ran = hyloop(command[0], file, *command[1:], "--rows", "5")
    assert ran.returncode == 2
    assert "is a model, with a capacity" in ran.stderr
