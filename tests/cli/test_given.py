"""A capacity of little use is told, wherever something is said of the model."""

import json

import pytest
from safetensors.numpy import save

from commands import run_text as hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.lang.text import to_text


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


def test_a_model_file_is_compiled_anew_for_its_own_capacity(tmp_path):
    file, other = str(tmp_path / "m.safetensors"), str(tmp_path / "other.safetensors")

    def capacity(name):
        return json.loads(hyloop("info", name, "--json").stdout)["capacity"]

    given = ("--rows", "50", "--weight", "7", "--dtype", "float32")
    assert hyloop("compile", "dijkstra", "-o", file, *given).returncode == 0
    done = hyloop("compile", file, "-o", file)
    assert f"exact for 50 rows and weights up to 7 in float32, as {file} was." in done.stdout
    assert capacity(file) == {"rows": 50, "weight": 7, "dtype": "float32"}
    done = hyloop("compile", file, "-o", other, "--rows", "9", "--weight", "8")
    assert "exact for 9 rows and weights up to 8 in float32." in done.stdout
    assert capacity(other) == {"rows": 9, "weight": 8, "dtype": "float32"}
    assert hyloop("compile", file, "-o", other, "--dtype", "float64").returncode == 0
    assert capacity(other)["rows"] == 131_071


def test_an_older_file_has_a_capacity_or_none(tmp_path):
    file, target = tmp_path / "old.safetensors", str(tmp_path / "new.safetensors")
    program = to_text(ALGORITHMS["levels"].program)
    cases = {"9 rows and weights up to 5": {"rows": 9, "weight": 5}, "131,071 rows": {"rows": 0, "weight": "\x1b"}}
    for told, said in cases.items():
        file.write_bytes(save({}, {"hyloop": json.dumps({"format": 1, "program": program, "capacity": said})}))
        assert f"exact for {told}" in hyloop("compile", str(file), "-o", target).stdout
