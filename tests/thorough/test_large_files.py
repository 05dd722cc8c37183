"""Large files of every format: a million vertices are read, in memory and time that grow with the file alone."""

from __future__ import annotations

import gzip
import subprocess
import sys
from functools import cache

import pytest

from hyloop import Hypergraph, io

VERTICES = 1_000_000

MEASURED = """
import resource, sys
from hyloop import io
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
H = io.read(sys.argv[1])
print(len(H.vertices), len(H.hyperedges), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@cache
def large() -> Hypergraph:
    """As many vertices, in threes."""
    return Hypergraph.from_hyperedges(
        {f"e{first // 3}": [f"v{v}" for v in range(first, min(first + 3, VERTICES))] for first in range(0, VERTICES, 3)}
    )


def _lines(name: str):
    if name == "hif":
        yield '{"incidences": [\n'
        yield from (f'{{"edge": "e{v // 3}", "node": "v{v}", "weight": 0.{v // 3}}},\n' for v in range(VERTICES))
        yield '{"edge": "e0", "node": "v0"}]}'
        return
    yield from next(entry for entry in io.FORMATS if entry.name == name).write(large())


@pytest.mark.parametrize(("name", "endings"), [(entry.name, entry.extensions) for entry in io.FORMATS])
def test_a_million_vertices(tmp_path, name, endings):
    ending = ".tsv.gz" if name == "incidence-tsv" else endings[0]
    file = tmp_path / f"large{ending}"
    with gzip.open(file, "wt", compresslevel=1) if ending.endswith(".gz") else file.open("w") as stream:
        stream.writelines(_lines(name))
    done = subprocess.run([sys.executable, "-c", MEASURED, str(file)], capture_output=True, text=True, check=False)
    vertices, hyperedges, megabytes = map(int, done.stdout.split())
    assert (vertices, hyperedges) == (VERTICES, -(-VERTICES // 3))
    assert megabytes < 2000
