"""Compiling generated code with LLVM, and keeping the result on disk.

Compiled code is kept (`hyloop.cache`) under a name made of the text that it was compiled from, the CPU and the version
of llvmlite: of all that it depends on.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from hyloop.cache import keep, kept, key
from hyloop.execute.cpu.native.layers import module
from hyloop.execute.cpu.plan import Plan
from hyloop.parallel import uncounted

OLDEST = "0.45"  # the first llvmlite that reads our text, as pyproject.toml has it


class UnusableError(Exception):
    """Native code cannot be made here: llvmlite is missing, too old, or does not know this CPU."""


class NativeLibrary:
    """Compiled functions: `begin` scans the first state, `layers` apply one layer, `run` iterates."""

    def __init__(self, engine: Any, layers: int) -> None:
        self._engine = engine  # keeps the code alive
        one = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
        many = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
        self.begin = one(engine.get_function_address("begin"))
        self.layers = [one(engine.get_function_address(f"apply{number}")) for number in range(layers)]
        self.run = many(engine.get_function_address("run"))


@lru_cache(maxsize=64)
def library(plan: Plan) -> NativeLibrary:
    """The compiled code of a plan: from this process, from disk, or made now. Raises `UnusableError`."""
    try:
        return _library(plan)
    except MemoryError:
        raise
    except Exception as wrong:
        first, *_ = str(wrong).splitlines() or [""]
        raise UnusableError(f"{type(wrong).__name__}: {first}") from wrong


def _library(plan: Plan) -> NativeLibrary:
    text = module(plan, lanes(plan.dtype))
    return NativeLibrary(_made(text, lambda: text), len(plan.layers))


def function(engine: Any, name: str, *types: Any) -> Any:
    """A function of compiled code, by the types of what it returns and takes; it keeps the code alive."""
    found = ctypes.CFUNCTYPE(*types)(engine.get_function_address(name))
    found.engine = engine  # type: ignore[attr-defined]
    return found


def loaded(made_from: str, text: Callable[[], str]) -> Any:
    """An engine that has the optimised code of a module. Raises `UnusableError`.

    `made_from` is all that the text is made from: where code is kept under it, the text is not even written.
    """
    try:
        return _made(made_from, text, optimised=True)
    except MemoryError:
        raise
    except Exception as wrong:
        first, *_ = str(wrong).splitlines() or [""]
        raise UnusableError(f"{type(wrong).__name__}: {first}") from wrong


def is_kept(made_from: str) -> bool:
    """Whether `loaded` finds the code on disk."""
    return kept(f"{_key(made_from)}.o") is not None


def _made(made_from: str, text: Callable[[], str], *, optimised: bool = False) -> Any:
    name = f"{_key(made_from)}.o"
    code = kept(name)
    if code is not None:
        with contextlib.suppress(RuntimeError):
            return _loaded(code)
    with uncounted():
        code = optimised_code(text()) if optimised else compiled(text())
        keep(name, code)
        return _loaded(code)


@cache
def _binding() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def unusable() -> str | None:
    """Why no native code can be made: llvmlite is not there, or does not know this CPU. None if it can."""
    try:
        if tuple(map(int, _version().split(".")[:2])) < tuple(map(int, OLDEST.split("."))):
            return f"this is {_version()}"
        _machine()
    except Exception as wrong:  # noqa: BLE001  (whatever a broken installation raises)
        first, *_ = str(wrong).splitlines() or [""]
        return f"{type(wrong).__name__}: {first}"
    return None


def _machine() -> Any:
    """What LLVM knows of this CPU. An engine takes it over, so each needs one of its own."""
    llvm = _binding()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=2, reloc="pic", codemodel="jitdefault"
    )


@cache
def _features() -> str:
    return str(_binding().get_host_cpu_features().flatten())


def lanes(dtype: str) -> int:
    """How many numbers a vector of this CPU holds."""
    features = set(_features().split(","))
    width = 64 if "+avx512f" in features else 32 if "+avx2" in features else 16
    return width // (8 if dtype == "float64" else 4)


def compiled(text: str) -> bytes:
    """Object code of a module."""
    parsed, machine = _parsed(text)
    return bytes(machine.emit_object(parsed))


def optimised_code(text: str) -> bytes:
    """Object code of a module that was not written for the CPU, and needs passes."""
    llvm = _binding()
    parsed, machine = _parsed(text)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(parsed, passes)
    return bytes(machine.emit_object(parsed))


def _parsed(text: str) -> tuple[Any, Any]:
    """A module, and what it is compiled for."""
    llvm = _binding()
    parsed = llvm.parse_assembly(text)
    parsed.triple = llvm.get_default_triple()
    machine = _machine()
    parsed.data_layout = str(machine.target_data)
    return parsed, machine


def _loaded(code: bytes) -> Any:
    llvm = _binding()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


# -- on disk --------------------------------------------------------------------------------------------------------


def _key(text: str) -> str:
    llvm = _binding()
    return key((llvm.get_host_cpu_name(), _features(), llvm.get_default_triple(), _version(), text))[:40]


def _version() -> str:
    import llvmlite

    return str(llvmlite.__version__)
