"""What there is to run on."""

from types import SimpleNamespace

from hyloop.execute import devices as module
from hyloop.execute.devices import devices, installed, of_gpu


def test_each_backend_once_with_a_reason():
    found = {each.backend: each for each in devices()}
    assert list(found) == ["cpu", "cuda", "torch"]
    assert found["cpu"].usable
    assert all(each.remark for each in found.values())
    assert found["cpu"].document()["facts"]["engine"] in {"native", "numpy"}


def test_the_engine_and_why(monkeypatch):
    monkeypatch.setattr(module, "unusable", lambda: None)
    monkeypatch.delenv("HYLOOP_CPU_ENGINE", raising=False)
    assert devices()[0].facts["engine"] == "native"
    monkeypatch.setattr(module, "unusable", lambda: "llvmlite is missing")
    assert devices()[0].remark == "numpy, which is slower: llvmlite is missing"
    monkeypatch.setenv("HYLOOP_CPU_ENGINE", "numpy")
    assert devices()[0].facts["reason"] == "HYLOOP_CPU_ENGINE=numpy"


def test_without_a_gpu(monkeypatch):
    monkeypatch.setattr(module, "gpu_is_missing", lambda: "There is none.")
    assert (devices()[1].usable, devices()[1].remark) == (False, "There is none.")


def test_a_gpu():
    properties = {"name": b"Big One", "totalGlobalMem": 3 << 30, "major": 9, "minor": 0, "multiProcessorCount": 132}
    runtime = SimpleNamespace(getDeviceProperties=lambda _: properties, getDeviceCount=lambda: 2)
    cuda = SimpleNamespace(Device=lambda: SimpleNamespace(id=1), runtime=runtime)
    found = of_gpu(SimpleNamespace(__version__="14.2", cuda=cuda))
    assert (found.usable, found.device) == (True, "Big One, 3 GiB")
    assert found.facts == {
        "cupy": "14.2",
        "memory": 3 << 30,
        "compute_capability": "9.0",
        "multiprocessors": 132,
        "devices": 2,
    }


def test_versions():
    assert installed("no-such-package", "numpy")
    assert installed("no-such-package", is_there=lambda _: None) is None
    assert installed("no-such-package", is_there=lambda _: 1) == "unknown"
