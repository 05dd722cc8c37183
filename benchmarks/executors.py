"""Microseconds per iteration: the dense formulas against the cpu executor, native and numpy, in one run, one thread.

    python benchmarks/executors.py [--algorithm NAME ...] [--rows 16 64 256 1000 10000] [--json FILE] [--markdown FILE]

Each algorithm runs on random hypergraphs with as many hyperedges as vertices, of up to 5 vertices each. Dense is left
out beyond `--dense-rows`, but for Dijkstra. Time of the processor; the best of three rounds counts. `--markdown` writes
the tables of docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.cache import CACHE_VARIABLE
from hyloop.execute import cpu, dense
from hyloop.execute.cpu.native.library import library
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.session import Session
from hyloop.lang.kinds import Scope
from hyloop.lang.program import InputValue
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Capacity, Model

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ROUNDS = 3
SECONDS = 0.25  # how long a round lasts, about
MOST_ITERATIONS = 2000
HEAVIEST = 9


def random_hypergraph(size: int, seed: int) -> hyloop.Hypergraph:
    """As many hyperedges as vertices; the j-th is vertex j and 1 to 4 others."""
    rng = np.random.default_rng(seed)
    others = [rng.choice(size, size=int(rng.integers(1, 5)), replace=False) + 1 for _ in range(size)]
    edges = [sorted({j, *more.tolist()}) for j, more in enumerate(others, start=1)]
    return hyloop.Hypergraph.from_hyperedges(edges, vertices=range(1, size + 1))


def inputs_of(name: str, size: int) -> dict[str, InputValue]:
    """The first vertex or hyperedge; 2 for a number, such as a threshold; 1 for each entry of an array."""
    given: dict[str, InputValue] = {}
    for each in ALGORITHMS[name].program.inputs:
        one = 1 if each.type.kind.is_pointer else 2
        given[each.name] = one if each.type.scope is Scope.SCALAR else (1,) * size
    return given


def first_state(model: Model, name: str, h: hyloop.Hypergraph) -> tuple[np.ndarray, PaddedIncidence]:
    """The encoded input, from the first vertex, with weights 1 to 9."""
    size = len(h.vertices)
    frame = Frame(size, size, tuple(1 + 7 * e % HEAVIEST for e in range(size)), inputs_of(name, size))
    return encode(model, frame), pad(model, h, frame.size)


def per_iteration(start: Callable[[], Session], lasts: float = SECONDS) -> float:
    """Microseconds: the best of some rounds, each one call of as many iterations as there are or as time allows."""
    session = start()
    begun = time.process_time()
    session.advance(1)
    took = time.process_time() - begun
    if took > lasts:
        return 1e6 * took
    left_out = 0 if session.halted()[0] else 1  # the statements before the loop, unless the run has nothing else
    best = float("inf")
    for _ in range(ROUNDS):
        iterations, seconds = 0, 0.0
        while seconds < lasts / ROUNDS:
            session = start()
            session.advance(left_out)
            begun = time.process_time()
            session.advance(max(1, min(MOST_ITERATIONS, int(lasts / took))))
            seconds += time.process_time() - begun
            iterations += int(session.iterations()[0]) - left_out
            session.close()
        best = min(best, seconds / iterations)
    return 1e6 * best


def compile_times(model: Model, X: np.ndarray, incidence: object) -> tuple[float, float]:
    """Seconds until the first session stands: with everything compiled, and with the code found on disk."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        kept = os.environ.get(CACHE_VARIABLE)
        os.environ[CACHE_VARIABLE] = folder
        for _ in range(2):
            library.cache_clear()
            begun = time.process_time()
            cpu.start(model, X, incidence, engine="native")  # type: ignore[arg-type]
            found.append(time.process_time() - begun)
        os.environ.pop(CACHE_VARIABLE)
        if kept is not None:
            os.environ[CACHE_VARIABLE] = kept
    library.cache_clear()
    return found[0], found[1]


def measured(name: str, sizes: list[int], dense_rows: int, lasts: float = SECONDS) -> list[dict[str, object]]:
    """One row of the table for each size."""
    model, rows = hyloop.compile(name), []
    if model.capacity.rows < max(sizes):
        model = hyloop.compile(name, Capacity(max(sizes), HEAVIEST))
    for size in sizes:
        X, incidence = first_state(model, name, random_hypergraph(size, seed=size))

        def start_dense(X: np.ndarray = X, incidence: object = incidence) -> Session:
            return dense.start(model, X, incidence)  # type: ignore[arg-type]

        def start_cpu(engine: str, X: np.ndarray = X, incidence: object = incidence) -> Callable[[], Session]:
            def start() -> Session:
                return cpu.start(model, X, incidence, engine=engine)  # type: ignore[arg-type]

            return start

        row: dict[str, object] = {"algorithm": name, "K": size + 1, "incidences": len(incidence.value)}  # type: ignore[attr-defined]
        if size == sizes[0]:
            row["cold_s"], row["kept_s"] = compile_times(model, X, incidence)
        asked = size <= dense_rows or name == "dijkstra"  # one iteration on 10,001 rows takes 9 s
        row["dense_us"] = per_iteration(start_dense, lasts) if asked else None
        row |= {f"{engine}_us": per_iteration(start_cpu(engine), lasts) for engine in ("numpy", "native")}
        rows.append(row)
    return rows


def shown(value: object, digits: int = 1) -> str:
    """A number of a table; nothing for what was not measured."""
    return f"{value:,.{digits}f}" if isinstance(value, float) else ""


def _markdown(headings: list[str], lines: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (headings, ["---"] * len(headings), *lines))


def _figure(value: object, digits: int) -> str:
    return shown(value, digits) or "–"


def page(rows: list[dict[str, object]], sizes: list[int]) -> str:
    """The tables of "An iteration" in docs/performance.md: Dijkstra by rows, cpu by algorithm, dense by algorithm."""
    by = {(row["algorithm"], row["K"]): row for row in rows}
    names, sizes = list(dict.fromkeys(str(row["algorithm"]) for row in rows)), [size + 1 for size in sizes]
    dijkstra = [
        [f"{row['K']:,}", f"{row['incidences']:,}"]
        + [
            _figure(row[key], digits)
            for key, digits in (("dense_us", 0), ("numpy_us", 0), ("native_us", 2), ("ratio", 0))
        ]
        for row in rows
        if row["algorithm"] == "dijkstra"
    ]
    columns = [f"K = {size:,}" for size in sizes]
    quick = [
        [name, *(_figure(by[name, size]["native_us"], 2) for size in sizes)]
        + [_figure(by.get((name, 1001), {}).get("ratio"), 0)]
        + [_figure(by[name, sizes[0]][key], digits) for key, digits in (("cold_s", 2), ("kept_s", 4))]
        for name in names
    ]
    slow = [[name, *(_figure(by[name, size]["dense_us"], 0) for size in sizes)] for name in names]
    return "\n".join(
        [
            _markdown(["K", "incidences", "dense µs", "cpu, numpy µs", "cpu µs", "dense ÷ cpu"], dijkstra),
            _markdown(["algorithm", *columns, "dense ÷ cpu at 1,001", "start s", "kept s"], quick),
            _markdown(["algorithm", *columns], slow),
        ]
    )


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithm", nargs="*", choices=list(ALGORITHMS), default=list(ALGORITHMS))
    parser.add_argument("--rows", nargs="*", type=int, default=[16, 64, 256, 1000, 10_000])
    parser.add_argument("--dense-rows", type=int, default=1_000)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a round, about")
    given = parser.parse_args()
    if any(os.environ.get(variable) != "1" for variable in ONE_THREAD):  # numpy looks at them when it is imported
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | dict.fromkeys(ONE_THREAD, "1"))
    console, rows = Console(), []
    table = Table(title="µs per iteration, 1 thread")
    for heading in (
        "algorithm",
        "K",
        "incidences",
        "dense",
        "cpu numpy",
        "cpu native",
        "dense ÷ native",
        "start (kept)",
    ):
        table.add_column(heading, justify="left" if heading == "algorithm" else "right")
    for name in given.algorithm:
        for row in measured(name, given.rows, given.dense_rows, given.seconds):
            slow, fast = row["dense_us"], row["native_us"]
            ratio = slow / fast if isinstance(slow, float) and isinstance(fast, float) else None
            starts = f"{shown(row['cold_s'], 2)} s ({shown(row['kept_s'], 3)} s)" if "cold_s" in row else ""
            cells = [shown(row[key]) for key in ("dense_us", "numpy_us")]
            native = shown(fast, 2)
            table.add_row(name, f"{row['K']:,}", f"{row['incidences']:,}", *cells, native, shown(ratio, 0), starts)
            rows.append(row | {"ratio": ratio})
    console.print(table)
    if given.markdown:
        given.markdown.write_text(page(rows, given.rows), encoding="utf-8")
    if given.json:
        machine = {"machine": platform.processor() or platform.machine(), "python": platform.python_version()}
        given.json.write_text(json.dumps(machine | {"numpy": np.__version__, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
