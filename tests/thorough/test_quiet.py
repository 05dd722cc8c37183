"""Sleeping rows on more inputs, programs and mutants than there is time for every day.

`python -m execute.cpu.quiet.sweep SECONDS` in `tests/` goes on from new seeds.
"""

import pytest

from effort import every
from execute.cpu.quiet.cases import beside, debugging, narrows_often
from execute.cpu.quiet.sweep import algorithm, compiled, mutant, program, resumed, started
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.cpu.native.library import unusable

SLEEPING = sorted(ALGORITHMS)


@pytest.mark.parametrize("name", SLEEPING)
def test_algorithms(name):
    assert sum(algorithm(name, seed) is not None for seed in every(8, range(100, 124))) > 0


@pytest.mark.parametrize("name", SLEEPING)
def test_from_a_state_in_the_middle(name):
    assert sum(resumed(name, seed) is not None for seed in every(8, range(100, 124))) > 0


@pytest.mark.parametrize("name", SLEEPING)
def test_changed_weights(name):
    assert sum(mutant(name, seed) is not None for seed in every(10, range(100, 140))) > 0


def test_random_programs():
    assert sum(program(seed) is not None for seed in every(8, range(1000, 1400))) > 10


@pytest.mark.parametrize("name", SLEEPING)
def test_boxes_that_become_narrow(name, monkeypatch):
    """Runs one after the other: each begins with what the one before has found."""
    narrows_often(monkeypatch)
    kernels = [debugging, debugging]
    if unusable() is None:
        from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

        kernels.append(NativeKernel)
    for seed in every(4, range(200, 224)):
        first = started(compiled(name), seed, size=19)
        for kernel in kernels if first is not None else ():
            beside(compiled(name), *first, kernel)


@pytest.mark.parametrize("name", SLEEPING)
def test_native_code(name):
    pytest.importorskip("llvmlite")
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    for seed in every(12, range(100, 140)):
        first = started(compiled(name), seed, size=19)
        if first is not None:
            beside(compiled(name), *first, NativeKernel)
