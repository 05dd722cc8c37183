"""How time and memory grow with the hypergraph: microseconds an iteration against rows and incidences, to 100,000 rows.

    python benchmarks/scaling.py [--algorithm dijkstra levels] [--sizes 100 1000 10000 100000] [--whole] [--json FILE]

As many hyperedges as vertices, of 2 to 5 vertices each. The exponent is the slope of log(time) over
log(rows + incidences). `--whole` also runs levels to its end at the largest size, and 1,000 iterations of Dijkstra
with an estimate of the rest.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.execute import cpu
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.session import Session
from hyloop.hypergraph import Incidence
from hyloop.machine.model import Model

ITERATIONS = 300
ROUNDS = 3


def random_hypergraph(size: int, seed: int = 0) -> Hypergraph:
    """`size` vertices and hyperedges, each hyperedge of 2 to 5 vertices, with weights 1 to 99."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 6, size)
    columns = np.repeat(np.arange(size), counts)
    rows = rng.integers(0, size, len(columns))
    pairs = np.unique(np.stack([rows, columns]), axis=1)
    incidence = Incidence.from_pairs(pairs[0], pairs[1], (size, size))
    weights = tuple(map(int, rng.integers(1, 100, size)))
    return Hypergraph(tuple(range(1, size + 1)), tuple(range(1, size + 1)), incidence, weights)  # type: ignore[arg-type]


def begun(name: str, model: Model, h: Hypergraph) -> Session:
    """A session from the first vertex."""
    weights, _ = h.integer_weights()
    frame = Frame(
        len(h.vertices), len(h.hyperedges), weights, {each.name: 1 for each in ALGORITHMS[name].program.inputs}
    )
    return cpu.start(model, encode(model, frame), pad(model, h, frame.size))


def per_iteration(name: str, model: Model, h: Hypergraph) -> float:
    """Microseconds an iteration, the best of some rounds."""
    found = []
    session = begun(name, model, h)
    session.advance(1)
    left_out = 0 if session.halted()[0] else 1  # the first iteration, unless it is the only one
    for _ in range(ROUNDS):
        session = begun(name, model, h)
        session.advance(left_out)
        start = time.perf_counter()
        session.advance(ITERATIONS)
        found.append((time.perf_counter() - start) / (int(session.iterations()[0]) - left_out))
        session.close()
    return 1e6 * min(found)


def megabytes() -> float:
    """The most memory that this process has held."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def whole(size: int) -> list[str]:
    """Levels to the end, and a thousand iterations of Dijkstra."""
    h = random_hypergraph(size)
    start = time.perf_counter()
    found = hyloop.run("levels", h, source=1, backend="cpu")
    reached = sum(value is not None for value in found["level"].values())
    told = [
        f"levels on {size:,} vertices and hyperedges ({len(h.incidence.indices):,} incidences): {found.iterations} "
        f"iterations, {reached:,} vertices reached, {time.perf_counter() - start:.2f} s from hypergraph to labels, "
        f"peak memory {megabytes():,.0f} MB"
    ]
    model = hyloop.compile("dijkstra")
    session = begun("dijkstra", model, h)
    start = time.perf_counter()
    session.advance(1000)
    seconds = time.perf_counter() - start
    most = ALGORITHMS["dijkstra"].program.most_iterations(size, size)
    told.append(
        f"dijkstra there: 1,000 iterations in {seconds:.2f} s; {most:,} at most, so about "
        f"{seconds * most / 1000 / 60:.1f} minutes to the end; peak memory {megabytes():,.0f} MB"
    )
    return told


def main() -> int:
    """Measure, print, and write the JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--algorithm", nargs="*", default=["dijkstra", "levels"], choices=[*ALGORITHMS])
    parser.add_argument("--sizes", nargs="*", type=int, default=[100, 316, 1000, 3162, 10_000, 31_623, 100_000])
    parser.add_argument("--whole", action="store_true", help="runs to the end at the largest size")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    console = Console(width=max(Console().width, 100))
    document: dict[str, Any] = {"machine": platform.machine(), "rows": []}
    for name in given.algorithm:
        model = hyloop.compile(name)
        rows = []
        for size in given.sizes:
            h = random_hypergraph(size)
            rows.append((size + 1, len(h.incidence.indices), per_iteration(name, model, h)))
        work = np.log([k + incidences for k, incidences, _ in rows])
        slope = float(np.polyfit(work, np.log([us for _, _, us in rows]), 1)[0])
        table = Table(title=f"{name}: exponent {slope:.2f}", title_justify="left")
        for column in ("K", "incidences", "µs an iteration", "ns a row"):
            table.add_column(column, justify="right")
        for k, incidences, us in rows:
            table.add_row(f"{k:,}", f"{incidences:,}", f"{us:.1f}", f"{1000 * us / k:.1f}")
            document["rows"].append({"algorithm": name, "K": k, "incidences": incidences, "us": us})
        document[f"{name}_exponent"] = slope
        console.print(table)
    if given.whole:
        document["whole"] = whole(max(given.sizes))
        for told in document["whole"]:
            console.print(told)
    if given.json is not None:
        given.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
