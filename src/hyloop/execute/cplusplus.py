"""Compiling C++ with the compiler of the machine, where there is one."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from hyloop.errors import ModelError

FASTEST = ("-O3", "-march=native")


def compiler() -> str | None:
    """A C++ compiler, if there is one."""
    return shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")


@lru_cache(maxsize=256)
def library(text: str, flags: Sequence[str] = FASTEST) -> Any:
    """The functions of a text. Raises `ModelError` where it cannot be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        code, made = Path(folder) / "code.cpp", Path(folder) / f"{digest(text)}.so"
        code.write_text(text, encoding="utf-8")
        command = [str(compiler()), *flags, "-fwrapv", "-shared", "-fPIC", str(code), "-o", str(made)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  (our own text)
        except OSError as wrong:
            raise ModelError(f"No C++ compiler can be started: {wrong}.") from wrong
        if done.returncode:
            raise ModelError(f"The generated code does not compile: {done.stderr[:500]}")
        return ctypes.CDLL(str(made))


def digest(text: str) -> str:
    """A name for a text of code."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]
