"""Other people's executors on the same weights: PyTorch, eager, against dense and cpu, in one run.

    python benchmarks/others.py [--algorithm dijkstra] [--rows 16 64 256 1000] [--json FILE]

PyTorch computes the same formulas in float64 (hardmax with ties, three kinds of heads, four-matrix MLP) on one thread;
its state must equal dense's after every iteration that is timed. Needs torch.
"""

# ruff: noqa: E402  (the number of threads is said before anything counts them)

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import torch
from executors import first_state, random_hypergraph
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.execute import cpu, dense
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Model

ITERATIONS = 5


class Layer(torch.nn.Module):
    """One layer of the model as PyTorch would have it."""

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.kinds: list[str] = [head.kind for head in layer.heads]
        self.queries = [torch.tensor(head.query) for head in layer.heads]
        self.keys = [torch.tensor(head.key) for head in layer.heads]
        self.values = [torch.tensor(head.value) for head in layer.heads]
        self.weights = [torch.tensor(weight) for weight in layer.mlp.weights]

    def forward(self, x: torch.Tensor, incidence: torch.Tensor) -> torch.Tensor:
        """Attention, then MLP, both with a residual."""
        out = x
        for number, kind in enumerate(self.kinds):
            scores = (x @ self.queries[number]) @ (x @ self.keys[number]).T
            chosen = (scores == scores.max(dim=1, keepdim=True).values).to(x.dtype)
            seen = (chosen @ (x @ self.values[number])) / chosen.sum(dim=1, keepdim=True)
            if kind == "incidence":
                seen = incidence @ seen
            elif kind == "transposed":
                seen = incidence.T @ seen
            out = out + seen
        hidden = out
        for weight in self.weights[:3]:
            hidden = torch.relu(hidden @ weight)
        return out + hidden @ self.weights[3]


def timed(step: Callable[[], object]) -> float:
    """Microseconds an iteration, the best of some."""
    times = []
    for _ in range(ITERATIONS):
        begun = time.perf_counter()
        step()
        times.append(time.perf_counter() - begun)
        if sum(times) > 20:
            break
    return 1e6 * min(times)


def in_cpu(model: Model, X: np.ndarray, incidence: PaddedIncidence) -> float:
    """Microseconds an iteration of a whole run, after the first iteration unless that is the only one."""
    best = float("inf")
    session = cpu.start(model, X, incidence)
    session.advance(1)
    left_out = 0 if session.halted()[0] else 1
    for _ in range(ITERATIONS):
        session = cpu.start(model, X, incidence)
        session.advance(left_out)
        begun = time.perf_counter()
        session.advance(2000)
        best = min(best, (time.perf_counter() - begun) / (int(session.iterations()[0]) - left_out))
    return 1e6 * best


def measured(name: str, model: Model, size: int) -> dict[str, Any]:
    """All executors at one size."""
    X, incidence = first_state(model, name, random_hypergraph(size, seed=size))
    layers = [Layer(layer) for layer in model.layers]
    matrix = torch.tensor(incidence.rows(0, len(X), "float64"))
    state = torch.tensor(X)
    sessions = dense.start(model, X, incidence), cpu.start(model, X, incidence)

    def in_torch() -> None:
        nonlocal state
        for layer in layers:
            state = layer(state, matrix)

    with torch.inference_mode():
        in_torch()
        for session in sessions:
            session.advance(1)
            if not np.array_equal(state.numpy(), session.state()):
                raise SystemExit("The states differ.")
        row = {
            "algorithm": name,
            "K": len(X),
            "torch_us": timed(in_torch),
            "dense_us": timed(lambda: sessions[0].advance(1)),
            "cpu_us": in_cpu(model, X, incidence),
        }
    return row | {"torch_against_cpu": row["torch_us"] / row["cpu_us"]}


def main() -> int:
    """Measure, print, and write the JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--algorithm", default="dijkstra", choices=[*ALGORITHMS])
    parser.add_argument("--rows", nargs="*", type=int, default=[64, 256, 1000])
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = hyloop.compile(given.algorithm)
    rows = [measured(given.algorithm, model, size) for size in given.rows]
    table = Table(title=f"PyTorch {torch.__version__}, {platform.machine()}, one thread", title_justify="left")
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*(f"{value:,.1f}" if isinstance(value, float) else str(value) for value in row.values()))
    Console(width=max(Console().width, 100)).print(table)
    if given.json is not None:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
