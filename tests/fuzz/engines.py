"""Executors that a share of the programs is held against: how often each, and what it needs.

Those that every program meets are in differential.py. Each comparison returns how many runs it has compared; the fuzzer
counts them by name, so that one that is never reached shows as 0.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from fuzz import beside, offered, together
from fuzz.runs import Counts, DisagreementError, Trial, failure_of
from hyloop.execute.cplusplus import compiler
from hyloop.execute.cpu.native.library import unusable
from hyloop.execute.cuda.machines import gpu_is_missing

NATIVE, TORCH, COMPILER, GPU = "llvmlite", "torch", "a C++ compiler", "a GPU"  # what some need

# What differential.py compares on all programs, or on a share of them: backends, and engines of cpu.
USUAL = frozenset({"interpreter", "dense", "cpu", "native", "numpy", "quiet", "torch"})


@dataclass(frozen=True)
class Engine:
    """One comparison: on one program in so many, what runs it, what it needs, and the backend that it is of."""

    one_in: int
    compare: Callable[[Trial], int]
    needs: str = ""
    backend: str = ""


ENGINES: dict[str, Engine] = {
    "blocks of rows": Engine(8, beside.in_blocks),
    "layers one by one": Engine(6, beside.layer_by_layer),
    "state by columns": Engine(5, beside.by_columns),
    "mirrored state": Engine(5, beside.mirrored, NATIVE),
    "gathered streams": Engine(4, beside.gathered, NATIVE),
    "resumed state": Engine(4, beside.resumed, NATIVE),
    "relay of engines": Engine(6, beside.relayed, NATIVE),
    "many rows": Engine(15, beside.many_rows, NATIVE),
    "batch session": Engine(8, together.batch_session, NATIVE),
    "batch session of torch": Engine(20, together.batch_session_of_torch, TORCH),
    "lanes": Engine(3, together.lanes, NATIVE),
    "native batch": Engine(8, together.native_batch, COMPILER),
    "lock-step": Engine(12, together.lock_step, COMPILER),
    "lock-step in vectors": Engine(15, together.lock_step_in_vectors, COMPILER),
    "lock-step session": Engine(15, together.lock_step_session, COMPILER, backend="cuda"),
    "on a GPU": Engine(4, together.on_a_gpu, GPU, backend="cuda"),
    "matrix": Engine(4, offered.matrix, NATIVE),
    "prepared run": Engine(6, offered.prepared_run),
    "packed batch": Engine(5, offered.packed),
    "packed batch in lock-step": Engine(15, offered.packed_in_lock_step, COMPILER, backend="cuda"),
    "packed batch on a GPU": Engine(5, offered.packed_on_a_gpu, GPU, backend="cuda"),
    "packed batch in vectors": Engine(25, offered.packed_in_vectors, COMPILER),
    "run_many": Engine(8, offered.one_by_one),
    "checkpoint": Engine(4, offered.checkpointed),
    "watch": Engine(8, offered.watched),
    "trace": Engine(12, offered.traced),
    "other backends": Engine(10, offered.backends),
    "torch module": Engine(25, offered.torch_module, TORCH),
    "torch.export": Engine(400, offered.exported, TORCH),
}


# What differential.py compares on a share of the programs.
SHARES = {"check": 3, "quiet": 2, "prove": 8, "torch": 10, "onnx": 20}


def shares() -> dict[str, int]:
    """For each comparison that not all programs get: one program in how many."""
    return SHARES | {name: engine.one_in for name, engine in ENGINES.items()}


def is_due(name: str, seed: int, one_in: int) -> bool:
    """Whether a program gets a comparison.

    Each is drawn by itself. By remainders of the seed, some kinds of programs never met some engines: loops in loops,
    which every fourth seed has, were never proved.
    """
    return Random(f"{seed} {name}").randrange(max(1, one_in)) == 0


def due(seed: int, often: int = 1) -> dict[str, bool]:
    """Which comparisons a program gets; `often` is how many times as often as usual it meets each engine."""
    return {
        name: is_due(name, seed, one_in // often if name in ENGINES else one_in) for name, one_in in shares().items()
    }


def counted() -> list[str]:
    """What the fuzzer counts of all comparisons, those of differential.py first."""
    usual = ("interpreter", "dense", "native", "numpy", "sleeping rows", "result", "quiet", "torch", "onnx", "check")
    return [f"engine: {name}" for name in (*usual, *ENGINES)]


def usable(name: str) -> bool:
    """Whether this machine has what a comparison needs."""
    has: dict[str, Callable[[], bool]] = {
        "": lambda: True,
        NATIVE: lambda: unusable() is None,
        COMPILER: lambda: unusable() is None and compiler() is not None,
        TORCH: lambda: importlib.util.find_spec("torch") is not None,
        GPU: lambda: gpu_is_missing() is None,
    }
    return has[ENGINES[name].needs]()


def held_beside(name: str, trial: Trial, counts: Counts) -> None:
    """One comparison, counted. Failures carry its name, whatever is raised."""
    try:
        counts.add(f"engine: {name}", ENGINES[name].compare(trial))
    except Exception as wrong:  # whatever comes out is a failure
        failure = failure_of(wrong)
        raise DisagreementError(f"{name}: {failure.what}", failure.told) from wrong
