"""What there is to run on: the engine of the cpu backend, a GPU, PyTorch; and what would be used."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from hyloop.execute.cpu.engines import ENGINE_VARIABLE
from hyloop.execute.cpu.native.library import unusable
from hyloop.execute.cuda.machines import cupy, gpu_is_missing


@dataclass(frozen=True)
class Device:
    """What a backend runs on: whether it can be used, on what, and why not or what for."""

    backend: str
    usable: bool
    device: str
    remark: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def devices() -> tuple[Device, ...]:
    """The backends that have a device of their own. The interpreter and dense run wherever Python does.

    >>> [each.backend for each in devices()]
    ['cpu', 'cuda', 'torch']
    """
    return _cpu(), _cuda(), _torch()


def _cpu() -> Device:
    asked = os.environ.get(ENGINE_VARIABLE, "")
    reason = f"{ENGINE_VARIABLE}=numpy" if asked == "numpy" else unusable()
    cores = os.cpu_count() or 1
    about = {"engine": "native" if reason is None else "numpy", "cores": cores, "reason": reason}
    if reason is None:
        return Device("cpu", True, f"{cores} cores", "native code, by llvmlite; the default", about)
    return Device("cpu", True, f"{cores} cores", f"numpy, which is slower: {reason}", about)


def _cuda() -> Device:
    if (missing := gpu_is_missing()) is not None:
        return Device("cuda", False, "none", missing, {"cupy": installed("cupy-cuda13x", "cupy-cuda12x", "cupy")})
    return of_gpu(cupy())


def of_gpu(library: Any) -> Device:
    """The current device of CuPy."""
    number = int(library.cuda.Device().id)
    properties = library.cuda.runtime.getDeviceProperties(number)
    name = properties["name"].decode()
    memory = int(properties["totalGlobalMem"])
    about = {
        "cupy": library.__version__,
        "memory": memory,
        "compute_capability": f"{properties['major']}.{properties['minor']}",
        "multiprocessors": int(properties["multiProcessorCount"]),
        "devices": int(library.cuda.runtime.getDeviceCount()),
    }
    remark = f"CuPy {library.__version__}; for batches of many small hypergraphs"
    return Device("cuda", True, f"{name}, {memory / 2**30:.0f} GiB", remark, about)


def _torch() -> Device:
    found = installed("torch")
    if found is None:
        return Device("torch", False, "none", "PyTorch is not installed: pip install 'hyloop[torch]'")
    return Device("torch", True, "CPU", f"PyTorch {found}; the formulas as they are", {"torch": found})


def installed(*packages: str, is_there: Callable[[str], object] = find_spec) -> str | None:
    """The version of the first of these packages that is installed."""
    for package in packages:
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    return "unknown" if is_there(packages[-1]) is not None else None
