"""Both engines, compiled code kept in a folder of its own, and the comparison with dense."""

from types import SimpleNamespace

import numpy as np
import pytest

from hyloop.execute import cpu, dense

ENGINES = ["numpy", "native"]


@pytest.fixture(scope="session", autouse=True)
def _own_folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HYLOOP_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield


@pytest.fixture(scope="session", params=ENGINES)
def engine(request):
    """Each engine in turn; the native one is left out where llvmlite is missing."""
    if request.param == "native":
        pytest.importorskip("llvmlite")
    return request.param


def _same(model, X, incidence, engine, *, iterations=60, small_enough=lambda _: True):
    """Run dense and cpu side by side and hold the whole state of one against the other's after every iteration."""
    slow, fast = dense.start(model, X, incidence), cpu.start(model, X, incidence, engine=engine)
    for iteration in range(iterations):
        if slow.halted().all() or not small_enough(slow.state()):
            break
        slow.advance(1)
        fast.advance(1)
        assert np.array_equal(slow.state(), fast.state()), f"iteration {iteration + 1}"
        assert slow.state().dtype == fast.state().dtype
        assert slow.state().tobytes() == fast.state().tobytes(), f"iteration {iteration + 1}: -0 is not 0"
        assert slow.iterations().tolist() == fast.iterations().tolist()
        assert slow.halted().tolist() == fast.halted().tolist()
    return SimpleNamespace(slow=slow, fast=fast)


@pytest.fixture(scope="session")
def same():
    return _same
