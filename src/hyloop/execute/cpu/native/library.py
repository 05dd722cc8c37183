"""Compiling generated code with LLVM, and keeping the result on disk.

Compiled code is kept (`hyloop.cache`) under a name made of the model's weights, what was known of the columns, the CPU,
the version of llvmlite and this package's own code.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from hyloop.cache import code_digest, keep, kept
from hyloop.execute.cpu.claims import Claims
from hyloop.execute.cpu.native.layers import module
from hyloop.execute.cpu.plan import Plan
from hyloop.machine.model import Model

OWN_CODE = (Path(__file__).parent, Path(__file__).parents[1])  # the modules that make the code


class Library:
    """Compiled functions: `begin` looks once over the first state, `layers` apply one layer, `run` iterates."""

    def __init__(self, engine: Any, layers: int) -> None:  # noqa: ANN401  (llvmlite has no types)
        self._engine = engine  # keeps the code alive
        one = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
        many = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
        self.begin = one(engine.get_function_address("begin"))
        self.layers = [one(engine.get_function_address(f"apply{number}")) for number in range(layers)]
        self.run = many(engine.get_function_address("run"))


@lru_cache(maxsize=64)
def library(model: Model, plan: Plan) -> Library:
    """The compiled code of a plan: from this process, from disk, or made now."""
    name = f"{_key(model, plan.believed)}.o"
    code = kept(name)
    if code is not None:
        with contextlib.suppress(RuntimeError):
            return Library(_loaded(code), len(plan.layers))
    code = compiled(module(plan, lanes(plan.dtype)))
    keep(name, code)
    return Library(_loaded(code), len(plan.layers))


@cache
def _binding() -> Any:  # noqa: ANN401
    import llvmlite.binding as llvm  # noqa: PLC0415  (it takes a while, and may be missing)

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def usable() -> bool:
    """Whether llvmlite is there and knows this CPU."""
    try:
        _machine()
    except (ImportError, OSError, RuntimeError):
        return False
    return True


def _machine() -> Any:  # noqa: ANN401
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
    llvm = _binding()
    parsed = llvm.parse_assembly(text)
    parsed.triple = llvm.get_default_triple()
    machine = _machine()
    parsed.data_layout = str(machine.target_data)
    return bytes(machine.emit_object(parsed))


def _loaded(code: bytes) -> Any:  # noqa: ANN401
    llvm = _binding()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


# -- on disk --------------------------------------------------------------------------------------------------------


def _key(model: Model, believed: Claims) -> str:
    llvm, found = _binding(), hashlib.sha256()
    for part in (llvm.get_host_cpu_name(), _features(), llvm.get_default_triple(), _version(), code_digest(*OWN_CODE)):
        found.update(f"{part}\n".encode())
    found.update(f"{model.dtype} {believed} {model.layout.halt} {len(model.layout)}".encode())
    for layer in model.layers:
        found.update(b"layer")
        for head in layer.heads:
            found.update(head.kind.encode())
            for matrix in (head.query, head.key, head.value):
                found.update(matrix.tobytes())
        for weight in layer.mlp.weights:
            found.update(f"{weight.shape}".encode() + weight.tobytes())
    return found.hexdigest()[:40]


def _version() -> str:
    import llvmlite  # noqa: PLC0415

    return str(llvmlite.__version__)
