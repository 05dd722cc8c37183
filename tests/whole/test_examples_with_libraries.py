"""The example for nnsight, with the real package, and the table of the softmax relaxation."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hyloop

ROOT = Path(__file__).parents[2]


def needs(package):
    return pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed")


@needs("nnsight")
def test_nnsight_reads_and_patches_a_variable():
    """In a process of its own: the package is large, and its imports warn."""
    quiet = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, ROOT / "examples" / "nnsight_patching.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=quiet)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "key of the mail boat, before each iteration: - - 7 -",
        "taken from the queue: launch, ferry, dinghy",
        "Quay     0 ->   0",
        "Mole     3 ->   3",
        "Isle     7 ->   8",
        "Light    7 ->   9",
        "Cove     8 ->   8",
        "Dunes   14 ->  14",
        "Mill    14 ->  14",
        "Wreck    - ->   -",
        "a harbour without the mail boat has the same distances",
    ]


@needs("torch")
def test_the_table_of_softmax_errors():
    spec = importlib.util.spec_from_file_location("benchmarks_softmax", ROOT / "benchmarks" / "softmax.py")
    softmax = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(softmax)
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    model = hyloop.compile("dijkstra", softmax.fitted(h))
    rows = softmax.errors(model, h, "Quay", (1.0, 0.1, 0.05, 0.02, 0.001))
    worst = [row["worst"] for row in rows]
    assert worst[0] > 1 > worst[1] > worst[2] > worst[3] > 0 == worst[4]
    assert [row["equal"] for row in rows] == [False] * 4 + [True]
    assert [row["distance"] for row in rows][3:] == [0, 0]
