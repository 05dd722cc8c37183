# ruff: noqa: E402  (the number of threads is said before anything counts them)

"""End to end, from a hypergraph to labelled distances: the transformer against the plain algorithm, in one run.

    python benchmarks/end_to_end.py [--vertices 1000] [--hyperedges 1000] [--members 5] [--json FILE] [--data]

Everything starts from the same hypergraph and ends with distances by label; the best of several rounds counts, one
thread. networkx and scipy get the degraded graph (an edge of the least weight between every two that share a
hyperedge), and the time to build it is counted, too. `--data` adds the real files that the tests use.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import networkx as nx
import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra as scipy_dijkstra

import hyloop
from hyloop import Hypergraph

ROUNDS = 7
Distances = dict[Any, Fraction | None]


def random_hypergraph(vertices: int, hyperedges: int, members: int, seed: int = 0) -> Hypergraph:
    """Hyperedges of 2 to `members` vertices with weights 1 to 99."""
    rng = np.random.default_rng(seed)
    labels = [f"v{number}" for number in range(vertices)]
    edges = {
        f"e{number}": [labels[v] for v in rng.choice(vertices, int(rng.integers(2, members + 1)), replace=False)]
        for number in range(hyperedges)
    }
    return Hypergraph.from_hyperedges(edges, vertices=labels, weights={e: int(rng.integers(1, 100)) for e in edges})


def plain_heapq(edges: dict[Any, tuple[Any, ...]], weights: dict[Any, int], source: object) -> dict[Any, int]:
    """Dijkstra with Python's heap, straight on the hypergraph."""
    containing: dict[Any, list[Any]] = {}
    for edge, members in edges.items():
        for vertex in members:
            containing.setdefault(vertex, []).append(edge)
    distance, done, queue, places = {source: 0}, set(), [(0, 0, source)], 0
    while queue:
        d, _, vertex = heapq.heappop(queue)
        if vertex in done:
            continue
        done.add(vertex)
        for edge in containing.get(vertex, ()):
            further = d + weights[edge]
            for other in edges[edge]:
                if other not in distance or further < distance[other]:
                    distance[other] = further
                    places += 1
                    heapq.heappush(queue, (further, places, other))
    return distance


def degraded(edges: dict[Any, tuple[Any, ...]], weights: dict[Any, int]) -> dict[tuple[Any, Any], int]:
    """The least weight between every two vertices that share a hyperedge."""
    least: dict[tuple[Any, Any], int] = {}
    for edge, members in edges.items():
        for place, a in enumerate(members):
            for b in members[place + 1 :]:
                pair = (a, b)
                least[pair] = min(weights[edge], least.get(pair, weights[edge]), least.pop((b, a), weights[edge]))
    return least


def with_networkx(edges: dict[Any, tuple[Any, ...]], weights: dict[Any, int], source: object) -> dict[Any, int]:
    """networkx on the degraded graph."""
    graph = nx.Graph()
    graph.add_node(source)
    graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in degraded(edges, weights).items())
    found: dict[Any, int] = nx.single_source_dijkstra_path_length(graph, source)
    return found


def with_scipy(
    vertices: tuple[Any, ...], edges: dict[Any, tuple[Any, ...]], weights: dict[Any, int], source: object
) -> dict[Any, float]:
    """scipy on the degraded graph."""
    number = {vertex: place for place, vertex in enumerate(vertices)}
    pairs = degraded(edges, weights)
    ends = np.array([(number[a], number[b]) for a, b in pairs]).reshape(-1, 2)
    matrix = csr_matrix((list(pairs.values()), (ends[:, 0], ends[:, 1])), shape=(len(vertices), len(vertices)))
    found = scipy_dijkstra(matrix, directed=False, indices=number[source])
    return {vertex: float(value) for vertex, value in zip(vertices, found, strict=True) if np.isfinite(value)}


def best(work: Callable[[], object]) -> float:
    """Milliseconds, the best of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return 1000 * min(times)


def measured(name: str, h: Hypergraph) -> dict[str, Any]:
    """All of them on one hypergraph; a wrong distance ends the benchmark."""
    source = h.vertices[0]
    edges = {edge: h.members_of(edge) for edge in h.hyperedges}
    weights = dict(zip(h.hyperedges, (int(weight) for weight in h.weights), strict=True))
    model = hyloop.compile("dijkstra")
    found = hyloop.run(model, h, source=source, backend="cpu")
    distances = {vertex: value for vertex, value in found["distance"].items() if value is not None}
    for other in (plain_heapq(edges, weights, source), with_networkx(edges, weights, source)):
        if other != distances:
            raise SystemExit(f"{name}: the distances differ.")
    if with_scipy(h.vertices, edges, weights, source) != {key: float(value) for key, value in distances.items()}:
        raise SystemExit(f"{name}: the distances differ from scipy's.")
    row: dict[str, Any] = {
        "hypergraph": name,
        "vertices": len(h.vertices),
        "hyperedges": len(h.hyperedges),
        "iterations": found.iterations,
        "hyloop_ms": best(lambda: hyloop.run(model, h, source=source, backend="cpu")),
        "heapq_ms": best(lambda: plain_heapq(edges, weights, source)),
        "networkx_ms": best(lambda: with_networkx(edges, weights, source)),
        "scipy_ms": best(lambda: with_scipy(h.vertices, edges, weights, source)),
    }
    return row | {f"against_{other}": row["hyloop_ms"] / row[f"{other}_ms"] for other in ("heapq", "networkx", "scipy")}


def real_files() -> list[tuple[str, Hypergraph]]:
    """The real hypergraphs, where they are there."""
    folder = Path(os.environ.get("HYLOOP_DATA", Path(__file__).parents[2] / "shared")) / "data"
    found = []
    for path in sorted(folder.glob("*.json")):
        h = hyloop.read(path).ignoring_direction()
        if all(weight.denominator == 1 for weight in h.weights) and h.vertices:
            found.append((path.name.partition(".")[0], h))
    return found


def main() -> int:
    """Measure, print, and write the JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--vertices", type=int, default=1000)
    parser.add_argument("--hyperedges", type=int, default=1000)
    parser.add_argument("--members", type=int, default=5)
    parser.add_argument("--data", action="store_true", help="the real files, too")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    inputs = [("random", random_hypergraph(given.vertices, given.hyperedges, given.members))]
    if given.data:
        inputs += real_files()
    rows = [measured(name, h) for name, h in inputs]
    console = Console(width=max(Console().width, 140))
    table = Table(title=f"Dijkstra end to end, milliseconds ({platform.machine()}, one thread)", title_justify="left")
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="left" if name == "hypergraph" else "right")
    for row in rows:
        table.add_row(*(f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()))
    console.print(table)
    if given.json is not None:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
