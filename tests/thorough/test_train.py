"""examples/train: every kind of network takes two steps on a CPU, its predictions are scored, and the table is made."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hyloop import data

pytest.importorskip("pyarrow", reason="data sets are Parquet files")
torch = pytest.importorskip("torch", reason="the networks are trained with PyTorch")
pytest.importorskip("torch_geometric", reason="one of the networks is of PyTorch Geometric")

FOLDER = Path(__file__).parents[2] / "examples" / "train"
TASKS = ("levels", "components", "dijkstra", "core_numbers")


def run(script, *words):
    done = subprocess.run(
        [sys.executable, FOLDER / script, *map(str, words)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def train(made, rows, *words):
    fast = ("--seeds", 2, "--batch", 4, "--size", 8, "--device", "cpu")
    return run("train.py", "--data", made / "data.npz", "--out", rows, *fast, *words)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two data sets, as `hyloop data make` makes them, and the .npz of both."""
    folder = tmp_path_factory.mktemp("train")
    for name, sizes, count in (("train", [4, 6], 10), ("test", [6, 40], 3)):
        plan = data.custom(TASKS, sizes=sizes, generators=["uniform"], seeds=[1], count=count, split=name)
        data.make(plan, folder / name, processes=1)
    run("prepare.py", folder / "train", folder / "test", "-o", folder / "data.npz")
    return folder


def table(made, rows):
    run("table.py", rows, made / "train", made / "test", "-o", made / "table.md", "--json", made / "scored.jsonl")
    return [json.loads(line) for line in (made / "scored.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("kind", ["looped", "compiled", "hypergraph", "star"])
def test_two_steps_with_hints_and_a_score(made, tmp_path, kind):
    rows = tmp_path / "rows.jsonl"
    train(made, rows, "--task", "dijkstra", "--model", kind, "--steps", 2, "--hints")
    row, constant = table(made, rows)
    assert constant["model"] == "constant"
    assert row["steps"] == 2
    losses = [row["curve"][0][name] for name in ("loss", "hint_loss")]
    assert np.isfinite(losses).all()
    assert np.shape(losses) == (2, 2)
    assert {part["size"] for part in row["score"].values()} == {6, 40}
    for part in row["score"].values():
        assert (part["examples"], part["missing"]) == (3, 0)
        assert (part["reference nodes"], part["reference graphs"]) == (1, 1)
    assert "already" in train(made, rows, "--task", "dijkstra", "--model", kind, "--steps", 2, "--hints")


@pytest.mark.parametrize("task", TASKS)
def test_the_compiled_start_is_right_while_attention_is_nearly_hard(made, tmp_path, task):
    """So its heads, its halting and the readouts are those of the compiled transformer."""
    rows = tmp_path / "rows.jsonl"
    train(made, rows, "--task", task, "--model", "compiled", "--steps", 0, "--temperature", 0.01)
    row, _ = table(made, rows)
    assert row["score"]["test-6"]["graphs"] == [1, 1]


def test_losses_fall(made, tmp_path):
    rows = tmp_path / "rows.jsonl"
    train(made, rows, "--task", "levels", "--model", "hypergraph", "--steps", 40, "--rate", 0.01)
    losses = [point["loss"] for point in json.loads(rows.read_text(encoding="utf-8"))["curve"] if "loss" in point]
    assert np.all(np.array(losses[-1]) < 0.7 * np.array(losses[0]))
