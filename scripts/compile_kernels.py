"""Compile the GPU code of every algorithm, without a GPU: `python scripts/compile_kernels.py`.

By NVRTC, from the package nvidia-cuda-nvrtc or the system, or by nvcc. Where there is neither, it says so and ends with
status 3.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import cycle
from multiprocessing.pool import ThreadPool
from pathlib import Path

from hyloop.algorithms import ALGORITHMS
from hyloop.execute.cpu.claims import claims
from hyloop.execute.cuda.guess import guessed
from hyloop.execute.cuda.source import Shape, source
from hyloop.fitting import compiled
from hyloop.machine.model import Capacity, Model

ARCHITECTURE = "sm_90"
SHAPES = (Shape(32, 1, 32), Shape(64, 4, 64, whole=True))
NEITHER = 3  # exit status


def kernels() -> Iterator[tuple[str, str]]:
    """A name and the text of each: every algorithm in one shape, in turns."""
    for (name, algorithm), shape in zip(ALGORITHMS.items(), cycle(SHAPES), strict=False):
        model: Model = compiled(algorithm.program, Capacity(min(shape.room, 256), 16))
        text = source(model, guessed(model, claims(model), shape.room, shape.bits), shape, (), "device")
        yield f"{name}, {shape.width} threads of {shape.rows} rows, {shape.bits} bits", text


def nvrtc() -> Callable[[str], str] | None:
    """NVRTC as a function from a text to what it complains of."""
    for path in _libraries():
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        return lambda text: _by_nvrtc(library, text)
    return None


def _libraries() -> Iterator[str]:
    for package in ("nvidia.cuda_nvrtc", "nvidia.cu13", "nvidia"):
        try:
            spec = find_spec(package)
        except ModuleNotFoundError:
            continue
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield from map(str, sorted(Path(folder).glob("**/libnvrtc.so*")))
    found = ctypes.util.find_library("nvrtc")
    if found is not None:
        yield found


def _by_nvrtc(library: ctypes.CDLL, text: str) -> str:
    program = ctypes.c_void_p()
    if library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"code.cu", 0, None, None):
        return "NVRTC makes no program of it"
    options = [b"--std=c++17", f"--gpu-architecture={ARCHITECTURE}".encode()]
    failed = library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return (log.value.decode() or f"status {failed}") if failed else ""


def _by_nvcc(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        code = Path(folder, "code.cu")
        code.write_text(text, encoding="utf-8")
        command = ["nvcc", "-std=c++17", f"-arch={ARCHITECTURE}", "-cubin", "-o", f"{folder}/code.cubin", str(code)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def main() -> int:
    """Compile all; returns the exit status."""
    work = nvrtc() or (_by_nvcc if shutil.which("nvcc") else None)
    if work is None:
        print("GPU code was not compiled: there is neither NVRTC (pip install nvidia-cuda-nvrtc) nor nvcc.")
        return NEITHER
    began, wrong, made = time.perf_counter(), 0, list(kernels())
    with ThreadPool() as pool:
        for (name, _), told in zip(made, pool.imap(work, (text for _, text in made)), strict=True):
            wrong += bool(told)
            if told:
                print(f"{name}: {told[:2000]}")
    done = len(made)
    print(f"{done - wrong} of {done} kernels compile for {ARCHITECTURE} ({time.perf_counter() - began:.0f} s).")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
