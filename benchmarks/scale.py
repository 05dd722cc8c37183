# ruff: noqa: E402  (the number of threads is said before anything counts them)

"""A million vertices and hyperedges: from arrays to arrays, checkpoints, files; what was there before beside it.

    python benchmarks/scale.py [--size 1000000] [--files] [--pairs FILE] [--json FILE]

The hypergraph is random: hyperedges of 2 to 5 members, weights 1 to 1,000. Without options: making it from arrays and
from labels, the levels of one source by array and by label, and the checkpoint of a state of Dijkstra. `--files` writes
and reads it in every format. `--pairs` runs projection on a file (contact-high-school, say) and takes its pairs as
arrays and as entries by label. Processor time, in one process and one thread, each once: this is no place for tenths.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop import Hypergraph, checkpoint, io
from hyloop.execute.prepare import encoded, given_to, memory_needed, program_of
from hyloop.fitting import fitting_model

Row = tuple[str, float, str]


def random_arrays(size: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Vertex and hyperedge numbers of incidences, and weights."""
    rng = np.random.default_rng(seed)
    members = rng.integers(2, 6, size)
    return rng.integers(0, size, members.sum()), np.repeat(np.arange(size), members), rng.integers(1, 1001, size)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and the processor time that it takes."""
    begun = time.process_time()
    found = work()
    return found, time.process_time() - begun


def peak() -> str:
    """The most memory that this process has held."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB so far"


def making(size: int) -> tuple[Hypergraph, list[Row]]:
    """The hypergraph from arrays and from labels."""
    vertices, hyperedges, weights = random_arrays(size)
    h, took = timed(lambda: Hypergraph.from_arrays(vertices, hyperedges, weights, counts=(size, size)))
    rows = [("from arrays", took, peak())]

    def by_label() -> Hypergraph:
        members: dict[int, list[int]] = {number: [] for number in range(size)}
        for vertex, hyperedge in zip(vertices.tolist(), hyperedges.tolist(), strict=True):
            members[hyperedge].append(vertex)
        return Hypergraph.from_hyperedges(members, dict(enumerate(weights.tolist())), range(size))

    same, took = timed(by_label)
    assert same == h
    return Hypergraph.from_arrays(vertices, hyperedges, weights, counts=(size, size)), [
        *rows,
        ("from members by label", took, peak()),
    ]


def running(h: Hypergraph) -> list[Row]:
    """Levels to the end, as an array and by label."""
    hyloop.run("levels", Hypergraph.from_arrays([0, 1], [0, 0]), source=0)  # its code is made
    found, took = timed(lambda: hyloop.run("levels", h, source=0))
    rows = [(f"levels, {found.iterations} iterations", took, f"executor {(found.memory or 0) / 1e6:,.0f} MB, {peak()}")]
    _, took = timed(lambda: found.array("level"))
    rows.append(("level as an array", took, ""))
    _, took = timed(lambda: found["level"])
    return [*rows, ("level by label", took, "")]


def checkpoints(h: Hypergraph) -> list[Row]:
    """The checkpoint of Dijkstra after 100 iterations."""
    given = given_to(program_of("dijkstra"), h, {"source": 0})
    model = fitting_model(program_of("dijkstra"), given)
    rows = [("dijkstra, estimate of memory", 0.0, f"{memory_needed(model, given) / 1e9:.2f} GB")]
    session, took = timed(lambda: encoded(model, given).start("cpu"))
    rows.append(("dijkstra, encode and start", took, f"executor {session.memory() / 1e6:,.0f} MB, {peak()}"))
    session.advance(100)
    X = session.state()
    with tempfile.TemporaryDirectory() as folder:
        for what, limit in (("packed", checkpoint.PACKED), ("as it is", 2**62)):
            checkpoint.PACKED = limit
            kept = checkpoint.Checkpoint("0" * 64, "0" * 64, 100, X)
            path = Path(folder) / what
            _, took = timed(lambda kept=kept, path=path: checkpoint.write_checkpoint(path, kept))  # type: ignore[misc]
            size = path.stat().st_size
            again, back = timed(lambda path=path: checkpoint.read_checkpoint(path))  # type: ignore[misc]
            assert np.array_equal(again.X, X)
            rows.append((f"checkpoint, {what}", took, f"{size / 1e6:,.1f} MB; read in {back:.2f} s"))
    return rows


def files(h: Hypergraph) -> list[Row]:
    """Every format, written and read."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for entry in io.EVERY_FORMAT:
            path = Path(folder) / f"it{entry.extensions[0]}"
            try:
                _, took = timed(lambda path=path: hyloop.write(h, path))  # type: ignore[misc]
            except hyloop.HyloopError as missing:
                rows.append((entry.name, 0.0, str(missing)))
                continue
            again, back = timed(lambda path=path: hyloop.read(path))  # type: ignore[misc]
            assert again == h
            size = f"{path.stat().st_size / 1e6:,.0f} MB; written in {took:.1f} s; {peak()}"
            rows.append((f"read {entry.name}", back, size))
            path.unlink()
    return rows


def pairs(file: str) -> list[Row]:
    """Projection, and its pairs as arrays and by label."""
    h = hyloop.read(file)
    hyloop.run("projection", Hypergraph.from_hyperedges([["a", "b"], ["b"]]))
    found, took = timed(lambda: hyloop.run("projection", h))
    made, arrays = timed(lambda: found.pairs("overlap"))
    entries, labels = timed(lambda: found["overlap"].entries)
    assert sum(len(entry.values) for entry in entries) == len(made.values)
    return [
        (f"projection, {found.iterations} iterations", took, str(h)),
        (f"{len(made.values) // 2:,} pairs as arrays", arrays, ""),
        ("the same by label", labels, ""),
    ]


def main() -> None:
    """Run what is asked for, and show a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--pairs", metavar="FILE")
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    if given.pairs:
        rows = pairs(given.pairs)
    elif given.files:
        vertices, hyperedges, weights = random_arrays(given.size)
        rows = files(Hypergraph.from_arrays(vertices, hyperedges, weights, counts=(given.size, given.size)))
    else:
        h, rows = making(given.size)
        rows += running(h) + checkpoints(h)
    table = Table("what", "seconds", "", title=f"{given.size:,} vertices and hyperedges")
    for what, seconds, remark in rows:
        table.add_row(what, f"{seconds:.2f}", remark)
    Console().print(table)
    if given.json:
        Path(given.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
