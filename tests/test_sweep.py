"""Random hypergraphs by the batch, with a GPU in lock-step on the CPU: agreement, and what a difference looks like."""

import ctypes
import re
from dataclasses import replace

import numpy as np
import pytest

from execute.cuda.lockstep import needs_compiler
from hyloop import Capacity, HyloopError
from hyloop import sweep as sweeping
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.cuda.machines import LockStep
from hyloop.execute.cuda.source import ARRAYS, INEXACT
from hyloop.fitting import compiled
from hyloop.machine.model import vouched
from hyloop.sweep import sweep


@needs_compiler
def test_batches_agree_with_cpu_and_interpreter(monkeypatch):
    monkeypatch.setattr(sweeping, "LARGEST", 20)
    monkeypatch.setattr(sweeping, "TASK", 20)
    told = []
    found = sweep("reachable", 50, rows=9, sample=30, machine=LockStep(), processes=1, progress=told.append)
    assert (found.agrees, found.inputs, found.interpreted, told) == (True, 50, 30, [20, 40, 50])
    assert (found.bits, found.left, found.guessed_wrong) == (32, 0, 0)
    assert found.iterations >= 50
    assert found.verdict.startswith("reachable: 0 differences from cpu on 50 hypergraphs, ")
    assert "30 runs were also interpreted" in found.tested
    document = found.document()
    assert (document["agrees"], document["inputs"], document["difference"]) == (True, 50, None)


@needs_compiler
def test_a_seed_and_a_model():
    model = compiled(ALGORITHMS["levels"].program, Capacity(5, 3))
    found, other = (sweep(model, 12, seed=seed, sample=0, machine=LockStep(), processes=1) for seed in (1, 2))
    assert found.agrees
    assert other.agrees
    assert found.compared != other.compared, "other hypergraphs"
    assert found.interpreted == 0


class Faulty(LockStep):
    """A machine that gets one entry of what it writes wrong."""

    def __init__(self, array, value):
        super().__init__()
        self.array, self.value = array, value

    def run(self, text, shape, addresses, count):
        super().run(text, shape, addresses, count)
        address = addresses[[name for name, _ in ARRAYS].index(self.array)]
        ctypes.cast(address, ctypes.POINTER(ctypes.c_int32))[0] = self.value


@needs_compiler
@pytest.mark.parametrize(
    ("array", "value", "told"),
    [
        ("state", 7, r"B_global of row 0 is 7 on the GPU, and 1 on the CPU\."),
        ("iterations", 99, "99 iterations on the GPU, "),
        ("status", INEXACT, None),
    ],
)
def test_a_difference_is_found(array, value, told):
    found = sweep("levels", 5, rows=4, machine=Faulty(array, value), processes=1)
    assert len(found.findings) == (told is not None)
    assert found.left == (told is None)
    if told:
        assert found.findings[0].name == "random hypergraph 0 (seed 0)"
        assert found.document()["difference"] == str(found.findings[0])
        assert not found.agrees
        assert re.search(told, str(found.findings[0]))


@needs_compiler
def test_a_model_that_does_not_do_what_its_program_says_is_found_by_the_interpreter():
    model = compiled(ALGORITHMS["levels"].program, Capacity(8, 8))
    layers = list(model.layers)
    mlp = layers[0].mlp
    last = mlp.weights[-1].copy()
    last[np.nonzero(last)] *= 2
    layers[0] = replace(layers[0], mlp=replace(mlp, weights=(*mlp.weights[:-1], last)))
    wrong = vouched(replace(model, layers=tuple(layers)), "compiled")
    found = sweep(wrong, 20, rows=5, machine=LockStep(), processes=1)
    assert found.findings, "cpu and GPU agree on it; the program says something else"
    assert not any("on the CPU" in str(each) for each in found.findings)


def test_at_least_one():
    with pytest.raises(HyloopError, match="at least one hypergraph; not 0"):
        sweep("levels", 0, machine=LockStep())
    with pytest.raises(
        HyloopError, match="processes is how many run at a time, at least 1, or -1 for all cores; not 0"
    ):
        sweep("levels", 1, machine=LockStep(), processes=0)
