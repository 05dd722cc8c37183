"""The paper's corrected form against the compiled form: layers, iterations, and time on the same hypergraph.

    python benchmarks/paper_form.py [--vertices 12] [--hyperedges 16] [--json FILE]

Both are run by the dense formulas, so the ratio is that of the constructions; the compiled form is also run by the
cpu executor. The answers must agree. One thread.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.paper import run as paper
from hyloop.paper.algorithms import Name
from hyloop.paper.steps import setting

NAMES: tuple[Name, ...] = ("degradation", "dijkstra", "bfs", "dfs", "helly")
SHARED = {"degradation": "distance", "dijkstra": "distance", "bfs": "level", "dfs": "order", "helly": "helly"}


def random_hypergraph(vertices: int, hyperedges: int, seed: int = 0) -> Hypergraph:
    """Hyperedges of 2 to 4 vertices with weights 1 to 9."""
    rng = np.random.default_rng(seed)
    edges = [rng.choice(vertices, int(rng.integers(2, 5)), replace=False).tolist() for _ in range(hyperedges)]
    weights = [int(weight) for weight in rng.integers(1, 10, hyperedges)]
    return Hypergraph.from_hyperedges(edges, vertices=range(vertices), weights=weights)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What some work gives, and milliseconds: the best of up to three rounds."""
    times: list[float] = []
    while len(times) < 3 and sum(times) < 5:
        begun = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - begun)
    return found, 1000 * min(times)


def measured(name: Name, h: Hypergraph) -> dict[str, Any]:
    """One algorithm in its three ways to run."""
    given, source = setting(), {"source": 0} if ALGORITHMS[name].program.inputs else {}
    task = paper.ProblemInstance(h, source)
    corrected = paper.model_of(name, given)
    [ended], paper_ms = timed(lambda: paper.run(name, [task], given))
    compiled = hyloop.compile(name)
    inputs = {"source": h.vertices[0]} if source else {}
    found, dense_ms = timed(lambda: hyloop.run(compiled, h, backend="dense", **inputs))
    fast, cpu_ms = timed(lambda: hyloop.run(compiled, h, backend="cpu", **inputs))
    if fast.vertices != found.vertices or fast.scalars != found.scalars:
        raise SystemExit(f"{name}: dense and cpu differ.")
    if paper.result(name, task, ended)[SHARED[name]] != found[SHARED[name]]:
        raise SystemExit(f"{name}: the paper's form and the compiled form differ.")
    return {
        "algorithm": name,
        "paper_layers": len(corrected.layers),
        "paper_iterations": ended.iterations,
        "layers": len(compiled.layers),
        "iterations": found.iterations,
        "passes_ratio": len(corrected.layers) * ended.iterations / (len(compiled.layers) * found.iterations),
        "paper_dense_ms": paper_ms,
        "dense_ms": dense_ms,
        "cpu_ms": cpu_ms,
        "time_ratio": paper_ms / dense_ms,
        "paper_against_cpu": paper_ms / cpu_ms,
    }


def main() -> int:
    """Measure, print, and write the JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--vertices", type=int, default=12)
    parser.add_argument("--hyperedges", type=int, default=16)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    h = random_hypergraph(given.vertices, given.hyperedges)
    rows = [measured(name, h) for name in NAMES]
    title = f"{given.vertices} vertices, {given.hyperedges} hyperedges ({platform.machine()})"
    table = Table(title=title, title_justify="left")
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="left" if name == "algorithm" else "right")
    for row in rows:
        table.add_row(*(f"{value:,.1f}" if isinstance(value, float) else str(value) for value in row.values()))
    Console(width=max(Console().width, 160)).print(table)
    if given.json is not None:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
