"""Native code computes what the kernel in numpy does."""

import pytest

from effort import share
from execute.cpu.quiet.cases import beside
from execute.cpu.quiet.sweep import compiled, started
from hyloop.algorithms import ALGORITHMS

pytest.importorskip("llvmlite")


@pytest.mark.parametrize("name", share(sorted(set(ALGORITHMS) - {"matching"}), "dfs"))
def test_every_iteration_is_the_same(name):
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    for seed in range(8):
        first = started(compiled(name), seed, size=17)
        if first is not None:
            assert beside(compiled(name), *first, NativeKernel) is not None
