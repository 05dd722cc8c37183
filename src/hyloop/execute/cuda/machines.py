"""Where generated code runs: on a GPU, through CuPy and NVRTC; or in lock-step on the CPU, for tests."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Literal, Protocol

import numpy as np

from hyloop.errors import HyloopError
from hyloop.execute.cplusplus import FASTEST, library
from hyloop.execute.cuda.source import Dialect, Shape

MANY_ROWS, STACK = 512, 1 << 30  # in lock-step all columns lie on the stack; so many rows need a larger one

FLAGS = {0: ("-O0",), 1: ("-O1",), 3: FASTEST}  # the first compiles in half the time of the second


class Machine(Protocol):
    """Compiles and runs generated code."""

    def dialect(self, shape: Shape) -> Dialect:
        """What the generated code calls for a shape."""

    @property
    def xp(self) -> Any:
        """The library of the arrays that it works on."""

    def run(self, text: str, shape: Shape, addresses: list[int], count: int) -> None:
        """Run the code on so many hypergraphs. `addresses` are those of its arrays."""

    def fetched(self, array: Any) -> Any:
        """A large array for numpy, in memory that the next call uses again."""


class Gpu:
    """The current CUDA device."""

    def __init__(self) -> None:
        self.xp: Any = cupy()
        self.seconds = 0.0  # that kernels took, by events
        self.timed = False
        self._pinned: Any = np.zeros(0, np.uint8)

    def dialect(self, shape: Shape) -> Dialect:
        """That of a GPU, for all shapes."""
        del shape
        return "device"

    def run(self, text: str, shape: Shape, addresses: list[int], count: int) -> None:
        """Run the code; it is compiled on first use, and kept by CuPy."""
        kernel = _kernel(text)
        table = self.xp.array(addresses, self.xp.uint64)
        groups = shape.groups if shape.width == 32 else 1
        grid, block = (-(-count // groups),), (shape.width * groups,)
        if not self.timed:
            kernel(grid, block, (table, np.int32(count)))
            return
        begin, end = self.xp.cuda.Event(), self.xp.cuda.Event()
        begin.record()
        kernel(grid, block, (table, np.int32(count)))
        end.record()
        end.synchronize()
        self.seconds += self.xp.cuda.get_elapsed_time(begin, end) / 1000

    def fetched(self, array: Any) -> Any:
        """A copy on the host, in pinned memory: nothing is copied twice, and no page is touched for the first time."""
        if self._pinned.nbytes < array.nbytes:
            size = array.nbytes + array.nbytes // 4
            self._pinned = None  # given back before more is asked for
            self._pinned = np.frombuffer(self.xp.cuda.alloc_pinned_memory(size), np.uint8, size)
        view = self._pinned[: array.nbytes].view(array.dtype)
        array.get(out=view)
        return view


@lru_cache(maxsize=128)
def _kernel(text: str) -> Any:
    return cupy().RawKernel(text, "run", options=("--std=c++17",))


@cache
def cupy() -> Any:
    """CuPy; a sentence where it or a GPU is missing."""
    try:
        import cupy as library
    except ImportError as wrong:
        raise HyloopError(
            "The backend cuda needs an NVIDIA GPU and CuPy (pip install 'hyloop[cuda]'); the backend cpu computes the "
            "same."
        ) from wrong
    try:
        found = library.cuda.runtime.getDeviceCount()
    except Exception as wrong:
        first, *_ = str(wrong).splitlines() or [""]
        raise HyloopError(f"No GPU can be used ({first}); the backend cpu computes the same.") from wrong
    if not found:
        raise HyloopError("There is no NVIDIA GPU here; the backend cpu computes the same.")
    return library


def gpu_is_missing() -> str | None:
    """Why no GPU can be used; None where one can."""
    try:
        cupy()
    except HyloopError as wrong:
        return str(wrong)
    return None


class LockStep:
    """All threads of a hypergraph on the CPU, one operation after the other; needs a C++ compiler."""

    xp: Any = np

    def __init__(self, optimise: Literal[0, 1, 3] = 0) -> None:
        self.flags = FLAGS[optimise]

    def dialect(self, shape: Shape) -> Dialect:
        """Lock-step."""
        del shape
        return "host"

    def fetched(self, array: Any) -> Any:
        """The array itself."""
        return array

    def run(self, text: str, shape: Shape, addresses: list[int], count: int) -> None:
        """Run the code; it is compiled on first use."""
        table = np.array(addresses, np.uint64)
        code = library(text, self.flags)

        def work() -> None:
            code.run(ctypes.c_void_p(table.ctypes.data), count)

        if shape.room < MANY_ROWS:
            work()
        else:
            _with_stack(work)


class Cpu(LockStep):
    """The CPU at hand, for speed: up to 128 rows in the lanes of its vectors, beyond that in lock-step."""

    def __init__(self, optimise: Literal[0, 1, 3] = 3) -> None:
        super().__init__(optimise)

    def dialect(self, shape: Shape) -> Dialect:
        """That of vectors where a warp would have the hypergraph."""
        return "native" if shape.width == 32 else "host"


def _with_stack(work: Callable[[], None]) -> None:
    """Run in a thread that has room for all columns of all threads."""
    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=work)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
