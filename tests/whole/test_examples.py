"""The scripts in examples/ run as they stand, and print what they should. Those for ONNX and nnsight: ELSEWHERE."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import commands
import hyloop

EXAMPLES = Path(__file__).parents[2] / "examples"
ELSEWHERE = {
    "onnx_without_hyloop.py": "export/test_onnx.py",
    "nnsight_patching.py": "whole/test_examples_with_libraries.py",
}
# What the tutorial writes: algorithms for `hyloop run` (tests/docs/test_examples.py), an answer for `hyloop check`.
IMPORTED = {"core.py", "matching.py", "believed.py", "pagerank.py"}


def printed(name: str, folder: Path) -> list[str]:
    """What a script prints, in a process of its own and not where it lies."""
    quiet = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-W", "ignore", EXAMPLES / name]
    done = subprocess.run(command, cwd=folder, env=quiet, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_find_the_head(tmp_path):
    head, query, key, value, brings, whole, broken = printed("find_the_head.py", tmp_path)
    assert head.startswith("layer1.head1 computes edge and best, dijkstra.py:")
    assert query.split() == ["query", "from", "B_global,", "B_local"]
    assert {"hyperedges", "key"} <= set(key.replace(",", "").split())
    assert {"P_1", "key"} <= set(value.replace(",", "").split())
    assert brings.startswith("  brings to ")
    assert whole == "whole:  True"
    assert broken.startswith("broken: iteration 2, after layer 1: edge at row 0 is 0, not 2")


def test_xgi_in_answer_out(tmp_path):
    pytest.importorskip("xgi")
    assert printed("xgi_in_answer_out.py", tmp_path) == [
        "Cove      4  by ferry",
        "Dunes     7  by barge",
        "Isle    3.5  by mail boat",
        "Light   3.5  by mail boat",
        "Mole    1.5  by launch",
        "Quay      0",
        "Wreck  None",
        "within 4: Cove Isle Light Mole Quay",
    ]


def test_replay_hints(tmp_path):
    pytest.importorskip("pyarrow")
    first, *steps, last = printed("replay_hints.py", tmp_path)
    assert first == "12 vertices, 10 hyperedges, from vertex 3"
    assert len(steps) > 3
    assert last == "The last step holds the answer."


@pytest.mark.parametrize(("name", "inputs"), [("matching.py", []), ("core.py", ["-i", "k=2"])])
def test_an_algorithm_of_ones_own(name, inputs, tmp_path):
    """The command runs the file, and what the transformer finds is what the program means."""
    harbour = EXAMPLES / "harbour.hif.json"
    command = [*commands.python(), "-m", "hyloop", "check", EXAMPLES / name, harbour, *inputs]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert f"{Path(name).stem}: 0 differences on 1 hypergraph" in " ".join(done.stdout.split())


def test_every_script_is_run_somewhere():
    here = {"find_the_head.py", "replay_hints.py", "xgi_in_answer_out.py"}
    assert {path.name for path in EXAMPLES.glob("*.py")} == here | set(ELSEWHERE) | IMPORTED
    for name, test in ELSEWHERE.items():
        assert name in (EXAMPLES.parent / "tests" / test).read_text(encoding="utf-8")
    assert hyloop.read(EXAMPLES / "harbour.hif.json").hyperedges
