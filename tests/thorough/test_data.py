"""The standard data set: every hint is the interpreter's, on a random share; several processes, Dask, and a kill."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from data_agreement import compared
from hyloop.algorithms import ALGORITHMS
from hyloop.data.making import make
from hyloop.data.plan import LIMIT, Part, Shard, custom
from hyloop.data.read import info
from hyloop.data.shard import examples_of, given_of, metadata_of
from hyloop.data.standard_set import standard
from hyloop.execute.prepare import program_of
from hyloop.lang.text import to_text

pytest.importorskip("pyarrow")


def some(part):
    """How many examples of a part are compared: few of the largest, on which the interpreter takes seconds."""
    largest = max(part.sizes)
    return 20 if largest <= 16 else 4 if largest <= 160 else 1


@pytest.mark.parametrize("task", standard().tasks, ids=lambda task: task.program.name)
def test_every_hint_is_the_interpreters(task):
    """Examples anywhere in the whole data set, made as it makes them."""
    program, chosen = task.program, random.Random(task.program.name)
    for part in task.parts:
        for number in chosen.sample(range(part.count), some(part)):
            shard = Shard(to_text(program), program.name, part, number, number + 1, "", LIMIT)
            [(_, example)] = examples_of(shard)
            assert compared(program, metadata_of(shard), example, given_of(program, part, number)) > 0


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in {"projection", "all_pairs"}])  # streams
def test_every_other_algorithm_can_be_recorded(name):
    program = program_of(name)
    part = Part("p", "s", (3, 6, 10), ("uniform", "heavy-tailed", "communities"), 5, 9)
    shard = Shard(to_text(program), name, part, 0, part.count, "", LIMIT)
    for number, example in examples_of(shard):
        assert compared(program, metadata_of(shard), example, given_of(program, part, number)) > 0


def plan():
    return custom(["levels", "components"], sizes=[8, 12], seeds=[1, 2], count=40)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    return make(plan(), tmp_path_factory.mktemp("alone"), processes=1)["hash"]


def test_several_processes_make_the_same(alone, tmp_path):
    assert make(plan(), tmp_path, processes=2)["hash"] == alone


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_makes_the_same(alone, tmp_path):
    distributed = pytest.importorskip("distributed")
    import joblib

    with (
        distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)),
        joblib.parallel_config(backend="dask"),
    ):
        assert make(plan(), tmp_path / "data")["hash"] == alone


def test_a_run_that_was_killed_goes_on(tmp_path):
    """By SIGKILL, of the command and of its processes, as soon as some files are there."""
    command = [sys.executable, "-m", "hyloop", "data", "make", "levels", "dijkstra", "--processes", "2", "-q"]
    command += [word for size in range(40, 60) for word in ("--size", str(size))] + ["--count", "20"]
    folder = tmp_path / "killed"
    with subprocess.Popen([*command, "-o", str(folder)], start_new_session=True) as running:
        while running.poll() is None and len(list(folder.glob("*/*.parquet"))) < 3:
            time.sleep(0.02)
        os.killpg(running.pid, signal.SIGKILL)
    there = {path: path.stat().st_mtime_ns for path in folder.glob("*/*.parquet")}
    assert 3 <= len(there) < 40
    subprocess.run([*command, "-o", str(folder)], check=True)
    subprocess.run([*command, "-o", str(tmp_path / "whole")], check=True)
    assert info(folder, verify=True)["hash"] == info(tmp_path / "whole", verify=True)["hash"]
    assert {path: path.stat().st_mtime_ns for path in there} == there
    assert not list(folder.rglob("*.unfinished"))
