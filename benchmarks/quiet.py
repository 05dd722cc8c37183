"""What the executor with sleeping rows costs, beside classical implementations and the one of all rows, in one run.

    python benchmarks/quiet.py strip [--rows 1000 10000 100000 1000000]
    python benchmarks/quiet.py random [--rows 1000000] [--algorithms dijkstra levels ...] [--rounds 1]
    python benchmarks/quiet.py file FILE... [--rounds 30]
    python benchmarks/quiet.py small [--rows 100] [--algorithms dijkstra levels ...]

`strip`: nanoseconds an iteration on hyperedges of 2 to 5 neighbours in a long strip, which should not depend on the
number of rows; *again* is a second run, which need not find out boxes and bounds. `random`: hyperedges of 2 to 5 random
vertices, weights 1 to 1,000, against scipy's csgraph on the star expansion; about 90 s of the processor for all, a line
as soon as it is known. `file`: Dijkstra from the first vertex, by label and from arrays to arrays, against Python's
heapq on the same; a number instead of a file is a random hypergraph of that size. `small`: the default on small inputs
against all rows, from the first state on. Times are of the processor (one thread), so that other work on the machine
does not count; answers are compared before anything is printed.
"""

# ruff: noqa: E402  (the number of threads is said before anything counts them)

from __future__ import annotations

import argparse
import heapq
import os
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import numpy.typing as npt
from end_to_end import plain_heapq, random_hypergraph
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.execute import cpu
from hyloop.execute.encode import Frame, encode
from hyloop.execute.session import Session
from hyloop.lang.kinds import Kind, Scope
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.model import Capacity, Model

Ints = npt.NDArray[np.int64]
LARGEST = 1000  # weight
MOST = 10**9  # iterations
WARM = 16  # runs that do not count
ON_RANDOM = ["dijkstra", "levels", "bfs", "dfs", "components", "core_numbers", "scc"]


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
    for header in ("algorithm", "rows", "iterations", "awake rows", "again", "all rows"):
        table.add_column(header, justify="right")
    for name in names:
        for rows in sizes:
            vertex, hyperedge, weights = strip(rows)
            model, X = first(name, rows, weights)
            incidence = PaddedIncidence(rows + 1, vertex + 1, hyperedge + 1, np.ones(len(vertex)))
            taken = []
            for engine, most in (("quiet", MOST), ("quiet", MOST), ("native", max(8, 4_000_000 // rows))):
                session = cpu.start(model, X, incidence, engine=engine)
                session.advance(8)  # with the full passes of the beginning
                begun = int(session.iterations()[0])
                seconds, _ = timed(lambda session=session, most=most: session.advance(most))
                done = int(session.iterations()[0]) - begun
                taken.append((done, f"{1e9 * seconds / max(done, 1):,.0f}"))
            table.add_row(name, f"{rows:,}", f"{taken[0][0]:,}", *(each for _, each in taken))
    console.print(table)


def incidence_of(vertex: Ints, hyperedge: Ints, rows: int, *, directed: bool) -> PaddedIncidence:
    """All entries; of a directed model, one random vertex of each hyperedge is its tail, and the others are heads."""

    def of(chosen: npt.NDArray[np.bool_] | slice) -> PaddedIncidence:
        some = vertex[chosen], hyperedge[chosen]
        return PaddedIncidence(rows + 1, some[0] + 1, some[1] + 1, np.ones(len(some[0])))

    if not directed:
        return of(slice(None))
    order = np.lexsort((np.random.default_rng(2).random(len(vertex)), hyperedge))
    tail = np.zeros(len(vertex), np.bool_)
    tail[order[np.diff(hyperedge[order], prepend=-1) > 0]] = True
    return replace(of(slice(None)), tails=of(tail), heads=of(~tail))


def star(incidence: PaddedIncidence, rows: int, values: npt.NDArray[np.floating]) -> Any:
    """The star expansion for scipy: vertex v is v, hyperedge e is rows + e; arcs follow tails and heads."""
    from scipy.sparse import csr_matrix

    to = incidence.tails or incidence
    out = incidence.heads or incidence
    ends = (
        np.concatenate([to.vertex - 1, out.hyperedge - 1 + rows]),
        np.concatenate([to.hyperedge - 1 + rows, out.vertex - 1]),
    )
    return csr_matrix((np.concatenate([values[to.hyperedge - 1], values[out.hyperedge - 1]]), ends), (2 * rows,) * 2)


def beside_scipy(
    name: str, model: Model, state: npt.NDArray[np.floating], incidence: PaddedIncidence, weights: Ints
) -> tuple[float, float] | None:
    """Seconds that scipy's matrix and scipy take; its answers are compared. None where scipy has no such algorithm."""
    from scipy.sparse.csgraph import breadth_first_order, connected_components, dijkstra

    def column(of: str) -> npt.NDArray[np.floating]:
        return state[1:, model.layout.number(of)]

    rows = len(weights)
    if name == "dijkstra":
        # Half of the weight on the way in and half on the way out: csgraph takes 0 for no arc.
        making, graph = timed(lambda: star(incidence, rows, weights / 2))
        taken, found = timed(lambda: dijkstra(graph, indices=0)[:rows])
        same = np.array_equal(column("distance")[np.isfinite(found)], found[np.isfinite(found)])
    elif name in ("levels", "bfs"):
        making, graph = timed(lambda: star(incidence, rows, np.ones(rows)))
        taken, (order, _) = timed(lambda: breadth_first_order(graph, 0))
        reached = column("reached" if name == "levels" else "settled")
        same = np.count_nonzero(order < rows) == np.count_nonzero(reached)
    elif name in ("scc", "components"):
        making, graph = timed(lambda: star(incidence, rows, np.ones(rows)))
        taken, (_, of) = timed(lambda: connected_components(graph, connection="strong" if name == "scc" else "weak"))
        ours = np.unique(column("component"), return_inverse=True)[1]
        pairs = np.unique(ours * (2 * rows) + of[:rows])
        same = len(pairs) == ours.max() + 1 == len(np.unique(of[:rows]))
    else:
        return None
    assert same, f"{name}: scipy finds something else"
    return making, taken


def on_random(console: Console, rows: int, names: list[str], rounds: int) -> None:
    """To the end, beside scipy on the star expansion. A line is printed as soon as it is known."""
    vertex, hyperedge, weights = scattered(rows)
    console.print(f"{rows:,} vertices, {rows:,} hyperedges, {len(vertex):,} incidences; seconds of the processor")
    headers = ("algorithm", "iterations", "encode", "run", "again", "scipy's matrix", "scipy", "again ÷ scipy", "MB")
    console.print(" | ".join(headers))
    begun = time.perf_counter()
    for name in names:
        encoding, (model, X) = timed(lambda name=name: first(name, rows, weights))
        of = incidence_of(vertex, hyperedge, rows, directed=model.layout.directed)
        none = incidence_of(vertex[:0], hyperedge[:0], 2, directed=model.layout.directed)
        finished(model, X[:3], none, "quiet")  # compiled now
        running, session = timed(lambda model=model, X=X, of=of: finished(model, X, of, None))
        state, done, memory = session.state(), int(session.iterations()[0]), session.memory()
        session.close()
        again, beside = running, beside_scipy(name, model, state, of, weights)
        for _ in range(rounds):
            again = min(again, timed(lambda model=model, X=X, of=of: finished(model, X, of, None).close())[0])
            other = beside_scipy(name, model, state, of, weights)
            beside = None if beside is None or other is None else min(beside, other, key=lambda pair: pair[1])
        row = [name, f"{done:,}", f"{encoding:.2f}", f"{running:.2f}", f"{again:.2f}"]
        row += ["–"] * 3 if beside is None else [f"{each:.2f}" for each in (*beside, again / beside[1])]
        console.print(" | ".join([*row, f"{memory / 1e6:,.0f}"]), highlight=False)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    console.print(f"{time.perf_counter() - begun:.0f} s in all; at most {peak:.1f} GB, with scipy's matrix")


def heapq_of_arrays(vertex: Ints, hyperedge: Ints, weights: Ints, counts: tuple[int, int]) -> Ints:
    """Distances from the first vertex with Python's heap, from the arrays that hyloop gets to one as hyloop gives."""
    members: list[list[int]] = [[] for _ in range(counts[1])]
    containing: list[list[int]] = [[] for _ in range(counts[0])]
    for v, e in zip(vertex.tolist(), hyperedge.tolist(), strict=True):
        members[e].append(v)
        containing[v].append(e)
    weight, infinite = weights.tolist(), int(weights.sum()) + 1
    distance, done, queue = [infinite] * counts[0], [False] * counts[0], [(0, 0)]
    distance[0] = 0
    while queue:
        d, v = heapq.heappop(queue)
        if done[v]:
            continue
        done[v] = True
        for e in containing[v]:
            further = d + weight[e]
            for other in members[e]:
                if further < distance[other]:
                    distance[other] = further
                    heapq.heappush(queue, (further, other))
    return np.array(distance)


def hyloop_of_arrays(vertex: Ints, hyperedge: Ints, weights: Ints, counts: tuple[int, int]) -> npt.NDArray[Any]:
    """The same by the transformer; the hypergraph is made anew."""
    h = hyloop.Hypergraph.from_arrays(vertex, hyperedge, weights, counts=counts)
    return hyloop.run("dijkstra", h, source=0).array("distance")


def on_files(console: Console, files: list[str], rounds: int) -> None:
    """End to end, by label and from arrays to arrays, in turn; the least time of each counts."""
    table = Table(title="Dijkstra end to end; ms")
    for header in ("file", "by label", "heapq", "ratio", "arrays", "heapq, arrays", "ratio"):
        table.add_column(header, justify="right")
    for file in files:
        h = random_hypergraph(int(file), int(file), 5) if file.isdecimal() else hyloop.read(file)
        source, scale = h.vertices[0], h.integer_weights()[1]
        members = {edge: tuple(h.members_of(edge)) for edge in h.hyperedges}
        given = (members, dict(zip(h.hyperedges, h.integer_weights()[0], strict=True)), source)
        weights = np.array(h.integer_weights()[0])
        arrays = (h.incidence.row_numbers().copy(), h.incidence.indices.copy(), weights, h.counts)
        ways: list[Callable[[], Any]] = [
            lambda h=h, source=source: hyloop.run("dijkstra", h, source=source),
            lambda given=given: plain_heapq(*given),
            lambda arrays=arrays: hyloop_of_arrays(*arrays),
            lambda arrays=arrays: heapq_of_arrays(*arrays),
        ]
        for _ in range(WARM):  # compiled now; and runs show what pays
            result, plain, ours, theirs = (way() for way in ways)
        reached = {v: far for v, far in result["distance"].items() if far is not None}
        assert reached == {v: far * scale for v, far in plain.items()}
        assert np.array_equal(ours[theirs <= weights.sum()], theirs[theirs <= weights.sum()])
        taken = np.array([[timed(way)[0] for way in ways] for _ in range(rounds)]).min(axis=0)
        ratios = taken[0] / taken[1], taken[2] / taken[3]
        ms = [f"{1e3 * each:.2f}" for each in taken]
        table.add_row(file, *ms[:2], f"{ratios[0]:.2f}", *ms[2:], f"{ratios[1]:.2f}")
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
        if model.layout.directed or any(one.type.scope is not Scope.SCALAR for one in each.program.inputs):
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
    of_random.add_argument("--algorithms", nargs="+", default=ON_RANDOM)
    of_random.add_argument("--rounds", type=int, default=1, help="further runs, of which the best counts")
    of_file = kinds.add_parser("file")
    of_file.add_argument("files", nargs="+", help="files; a number is that many random vertices and hyperedges")
    of_file.add_argument("--rounds", type=int, default=30)
    of_small = kinds.add_parser("small")
    of_small.add_argument("--rows", type=int, default=100)
    of_small.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS))
    given, console = parser.parse_args(), Console(width=120)
    if given.kind == "strip":
        on_strips(console, given.rows, given.algorithms)
    elif given.kind == "random":
        on_random(console, given.rows, given.algorithms, given.rounds)
    elif given.kind == "file":
        on_files(console, given.files, given.rounds)
    else:
        on_small(console, given.rows, given.algorithms)


if __name__ == "__main__":
    main()
