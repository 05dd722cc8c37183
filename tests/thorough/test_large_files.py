"""Large files of every format: a million vertices are read, in memory and time that grow with the file alone."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys

import pytest

from hyloop import io

VERTICES = 1_000_000

MEASURED = """
import resource, sys
from hyloop import io
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
H = io.read(sys.argv[1])
print(len(H.vertices), len(H.hyperedges), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def _lines(name: str):
    rng = random.Random(1)
    pairs = ((f"e{number // 3}", f"v{number}") for number in range(VERTICES))
    if name == "hif":
        yield '{"incidences": [\n'
        yield from (
            f'{{"edge": "{edge}", "node": "{vertex}", "weight": {rng.random():.3f}}},\n' for edge, vertex in pairs
        )
        yield '{"edge": "e0", "node": "v0"}]}'
    elif name == "edge-list":
        for number in range(0, VERTICES, 3):
            yield " ".join(f"v{vertex}" for vertex in range(number, min(number + 3, VERTICES))) + "\n"
    else:
        tab = "," if name == "incidence-csv" else "\t"
        yield f"vertex{tab}hyperedge\n"
        yield from (f"{vertex}{tab}{edge}\n" for edge, vertex in pairs)


@pytest.mark.parametrize("entry", io.FORMATS, ids=lambda entry: entry.name)
@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzipped"])
def test_a_million_vertices(tmp_path, entry, zipped):
    file = tmp_path / f"large{entry.extensions[0]}{'.gz' if zipped else ''}"
    with gzip.open(file, "wt", compresslevel=1) if zipped else file.open("w") as stream:
        stream.writelines(_lines(entry.name))
    done = subprocess.run([sys.executable, "-c", MEASURED, str(file)], capture_output=True, text=True, check=False)
    vertices, hyperedges, megabytes = map(int, done.stdout.split())
    assert (vertices, hyperedges) == (VERTICES, -(-VERTICES // 3))
    assert megabytes < 2000
