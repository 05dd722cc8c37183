"""What the executor with sleeping rows costs, beside classical implementations and the one of all rows, in one run.

    python benchmarks/quiet.py strip [--rows 1000 10000 100000 1000000]
    python benchmarks/quiet.py random [--rows 1000000] [--algorithms dijkstra levels ...]
    python benchmarks/quiet.py file FILE...
    python benchmarks/quiet.py small [--rows 100] [--algorithms dijkstra levels ...]

`strip`: nanoseconds an iteration on hyperedges of 2 to 5 neighbours in a long strip, which should not depend on the
number of rows. `random`: hyperedges of 2 to 5 random vertices, weights 1 to 1,000, against scipy's csgraph on the
star expansion. `file`: Dijkstra from the first vertex, by label, against Python's heapq. `small`: the default on
small inputs against all rows, from the first state on. Times are of the processor (one thread), so that other work on
the machine does not count; answers are compared before anything is printed.
"""

# ruff: noqa: E402  (the number of threads is said before anything counts them)

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import numpy.typing as npt
from end_to_end import plain_heapq
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.execute import cpu
from hyloop.execute.encode import Frame, encode
from hyloop.execute.session import Session
from hyloop.lang.kinds import Kind
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Capacity, Model

Ints = npt.NDArray[np.int64]
LARGEST = 1000  # weight
MOST = 10**9  # iterations


def timed(do: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of the processor, and what came of it."""
    begun = time.process_time()
    found = do()
    return time.process_time() - begun, found


def entries(vertex: Ints, hyperedge: Ints, rows: int) -> tuple[Ints, Ints]:
    """Each incidence once, in order of vertices, then hyperedges; numbers from 0."""
    both = np.unique(vertex * (rows + 1) + hyperedge)
    return both // (rows + 1), both % (rows + 1)


def strip(rows: int) -> tuple[Ints, Ints, Ints]:
    """Hyperedge j has vertices j and j + 1, and up to 3 others near by."""
    draw, at = np.random.default_rng(1), np.arange(rows)
    more = np.repeat(at, draw.integers(0, 4, rows))
    near = np.clip(more + draw.integers(-4, 5, len(more)), 0, rows - 1)
    vertex, hyperedge = np.concatenate([at, np.minimum(at + 1, rows - 1), near]), np.concatenate([at, at, more])
    return *entries(vertex, hyperedge, rows), draw.integers(1, LARGEST + 1, rows)


def scattered(rows: int) -> tuple[Ints, Ints, Ints]:
    """Hyperedges of 2 to 5 random vertices."""
    draw = np.random.default_rng(1)
    hyperedge = np.repeat(np.arange(rows), draw.integers(2, 6, rows))
    vertex = draw.integers(0, rows, len(hyperedge))
    return *entries(vertex, hyperedge, rows), draw.integers(1, LARGEST + 1, rows)


def first(name: str, rows: int, weights: Ints) -> tuple[Model, npt.NDArray[np.floating]]:
    """A model that fits, and its first state; sources are the first vertex."""
    model = hyloop.compile(name, Capacity(max(rows, 1000), LARGEST))
    inputs = {each.name: 1 for each in ALGORITHMS[name].program.inputs}
    return model, encode(model, Frame(rows, rows, tuple(weights.tolist()), inputs, 0))


def finished(model: Model, X: npt.NDArray[np.floating], incidence: PaddedIncidence, engine: str | None) -> Session:
    """A session that has run to the end."""
    session = cpu.start(model, X, incidence, engine=engine)
    session.advance(MOST)
    return session


def on_strips(console: Console, sizes: list[int], names: list[str]) -> None:
    """Nanoseconds an iteration, by the number of rows."""
    table = Table(title="ns an iteration on a strip")
    for header in ("algorithm", "rows", "iterations", "awake rows", "all rows"):
        table.add_column(header, justify="right")
    for name in names:
        for rows in sizes:
            vertex, hyperedge, weights = strip(rows)
            model, X = first(name, rows, weights)
            incidence = PaddedIncidence(rows + 1, vertex + 1, hyperedge + 1, np.ones(len(vertex)))
            taken = []
            for engine, most in (("quiet", MOST), ("native", max(8, 4_000_000 // rows))):
                session = cpu.start(model, X, incidence, engine=engine)
                session.advance(8)  # with the full passes of the beginning
                begun = int(session.iterations()[0])
                seconds, _ = timed(lambda session=session, most=most: session.advance(most))
                done = int(session.iterations()[0]) - begun
                taken.append((done, f"{1e9 * seconds / max(done, 1):,.0f}"))
            table.add_row(name, f"{rows:,}", f"{taken[0][0]:,}", taken[0][1], taken[1][1])
    console.print(table)


def on_random(console: Console, rows: int, names: list[str]) -> None:
    """To the end, beside scipy on the star expansion: vertex v is v, hyperedge e is rows + e."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order, dijkstra

    vertex, hyperedge, weights = scattered(rows)
    ends = np.concatenate([vertex, hyperedge + rows]), np.concatenate([hyperedge + rows, vertex])
    table = Table(title=f"{rows:,} vertices, {rows:,} hyperedges, {len(vertex):,} incidences; seconds")
    for header in (
        "algorithm",
        "iterations",
        "encode",
        "run",
        "again",
        "scipy's matrix",
        "scipy",
        "again ÷ scipy",
        "MB",
    ):
        table.add_column(header, justify="right")
    for name in names:
        encoding, (model, X) = timed(lambda name=name: first(name, rows, weights))
        incidence = PaddedIncidence(rows + 1, vertex + 1, hyperedge + 1, np.ones(len(vertex)))
        finished(model, X[:3], PaddedIncidence(3, vertex[:0], vertex[:0], np.ones(0)), "quiet")  # compiled now
        running, session = timed(lambda model=model, X=X, of=incidence: finished(model, X, of, None))
        again, _ = timed(lambda model=model, X=X, of=incidence: finished(model, X, of, None))
        state = session.state()
        row = [name, f"{session.iterations()[0]:,}", f"{encoding:.2f}", f"{running:.2f}", f"{again:.2f}"]
        beside: list[str] = ["", "", ""]
        if name == "dijkstra":
            # Half of the weight on the way in and half on the way out: csgraph takes 0 for no arc.
            making, graph = timed(lambda: csr_matrix((np.tile(weights[hyperedge] / 2, 2), ends), shape=(2 * rows,) * 2))
            taken, found = timed(lambda graph=graph: dijkstra(graph, indices=0))
            ours = state[1:, model.layout.number("distance")]
            assert np.array_equal(ours[np.isfinite(found[:rows])], found[:rows][np.isfinite(found[:rows])])
            beside = [f"{making:.2f}", f"{taken:.2f}", f"{again / taken:.2f}"]
        elif name in ("levels", "bfs"):
            making, graph = timed(lambda: csr_matrix((np.ones(2 * len(vertex)), ends), shape=(2 * rows,) * 2))
            taken, (order, _) = timed(lambda graph=graph: breadth_first_order(graph, 0))
            reached = state[1:, model.layout.number("reached" if name == "levels" else "settled")]
            assert np.count_nonzero(order < rows) == np.count_nonzero(reached)
            beside = [f"{making:.2f}", f"{taken:.2f}", f"{again / taken:.2f}"]
        table.add_row(*row, *beside, f"{session.memory() / 1e6:,.0f}")
    console.print(table)


def on_files(console: Console, files: list[str]) -> None:
    """End to end, by label."""
    table = Table(title="Dijkstra by label; ms")
    for header in ("file", "vertices", "hyperedges", "hyloop.run", "heapq", "ratio"):
        table.add_column(header, justify="right")
    for file in files:
        h = hyloop.read(file)
        source = h.vertices[0]
        hyloop.run("dijkstra", h, source=source)  # compiled now
        taken = min(timed(lambda h=h, source=source: hyloop.run("dijkstra", h, source=source))[0] for _ in range(5))
        found = hyloop.run("dijkstra", h, source=source)
        members = {edge: tuple(h.members_of(edge)) for edge in h.hyperedges}
        weights = dict(zip(h.hyperedges, h.integer_weights()[0], strict=True))
        given = (members, weights, source)
        classical = min(timed(lambda given=given: plain_heapq(*given))[0] for _ in range(5))
        answer = {vertex: far * h.integer_weights()[1] for vertex, far in plain_heapq(*given).items()}
        assert all(found["distance"][vertex] == answer.get(vertex, float("inf")) for vertex in h.vertices)
        sizes = [f"{len(each):,}" for each in (h.vertices, h.hyperedges)]
        table.add_row(file, *sizes, f"{1e3 * taken:.1f}", f"{1e3 * classical:.1f}", f"{taken / classical:.2f}")
    console.print(table)


def on_small(console: Console, rows: int, names: list[str]) -> None:
    """The default engine against all rows, on inputs of few rows; with what it takes to begin."""
    table = Table(title=f"{rows} rows to the end, at most 2,000 iterations; ms")
    for header in ("algorithm", "default", "all rows", "ratio"):
        table.add_column(header, justify="right")
    for name in names:
        each = ALGORITHMS[name]
        vertex, hyperedge, weights = strip(rows)
        model = hyloop.compile(name)
        if model.layout.directed:
            continue
        inputs = {one.name: 2 if one.type.kind is Kind.COUNT else 1 for one in each.program.inputs}
        X = encode(model, Frame(rows, rows, tuple(weights.tolist()), inputs, 0))
        incidence = PaddedIncidence(rows + 1, vertex + 1, hyperedge + 1, np.ones(len(vertex)))
        best = {"default": 1e9, "native": 1e9}
        for _ in range(5):
            for engine, before in list(best.items()):
                wanted = None if engine == "default" else engine
                start = partial(cpu.start, model, X, incidence, engine=wanted)
                best[engine] = min(before, timed(lambda start=start: start().advance(2000))[0])
        ratio = best["default"] / best["native"]
        table.add_row(name, *(f"{1e3 * taken:.2f}" for taken in best.values()), f"{ratio:.2f}")
    console.print(table)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    of_strip = kinds.add_parser("strip")
    of_strip.add_argument("--rows", type=int, nargs="+", default=[10**3, 10**4, 10**5, 10**6])
    of_strip.add_argument("--algorithms", nargs="+", default=["dijkstra"])
    of_random = kinds.add_parser("random")
    of_random.add_argument("--rows", type=int, default=10**6)
    of_random.add_argument(
        "--algorithms", nargs="+", default=["dijkstra", "levels", "bfs", "dfs", "components", "core_numbers"]
    )
    kinds.add_parser("file").add_argument("files", nargs="+")
    of_small = kinds.add_parser("small")
    of_small.add_argument("--rows", type=int, default=100)
    of_small.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS))
    given, console = parser.parse_args(), Console(width=120)
    if given.kind == "strip":
        on_strips(console, given.rows, given.algorithms)
    elif given.kind == "random":
        on_random(console, given.rows, given.algorithms)
    elif given.kind == "file":
        on_files(console, given.files)
    else:
        on_small(console, given.rows, given.algorithms)


if __name__ == "__main__":
    main()
