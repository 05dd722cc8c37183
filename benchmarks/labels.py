"""What the labels of the viewer's pictures run into, counted for many hypergraphs and windows.

    python benchmarks/labels.py [--data FOLDER] [--random 20] [--json FILE] [FILE ...]

The files are the examples, and those of `--data` (by default $HYLOOP_DATA/data, or ../shared/data) that are small
enough for names. Layouts are those of the page, with about the widths that its texts have. Needs Node.js and the
viewer's packages (`make viewer`).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop import Hypergraph
from hyloop.recording.describe import hypergraph_document

ROOT = Path(__file__).parents[1]
MEASURED = ("davis-southern-women", "lesmis", "workplace")
COUNTS = ("names", "short", "lost", "edges", "values", "text", "mark", "line", "out", "held", "near", "astray")
WORDS = [
    "Ada",
    "Bay",
    "Cliff",
    "Dune",
    "Eddy",
    "Firth",
    "Gulf",
    "Haven",
    "Inlet",
    "Jetty",
    "Kelp",
    "Lagoon",
    "Marsh",
    "Narrows",
    "Oyster",
    "Pier",
    "Quay",
    "Reef",
]


def random_hypergraph(seed: int) -> Hypergraph:
    """Up to 30 vertices with names of one or two words, one of them in no hyperedge."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 31))
    names = [f"{WORDS[v % 18]} {WORDS[v * 7 % 18]}" if rng.random() < 0.5 else f"{WORDS[v % 18]}{v}" for v in range(n)]
    sizes = 2 + rng.poisson(1.2, size=int(rng.integers(3, 13)))
    edges = [[names[v] for v in sorted(rng.choice(n - 1, min(int(size), n - 1), replace=False))] for size in sizes]
    labelled = {f"{WORDS[-1 - e % 18].lower()} {e}": members for e, members in enumerate(edges)}
    return Hypergraph.from_hyperedges(labelled, vertices=names)


def documents(files: Sequence[Path], randoms: int) -> dict[str, Mapping[str, Any]]:
    """The hypergraphs as traces have them, with positions."""
    found = {file.name.removesuffix(".hif.json"): hyloop.read(file) for file in files}
    found |= {f"random {seed}": random_hypergraph(seed) for seed in range(randoms)}
    return {name: hypergraph_document(h, name) for name, h in found.items()}


def counted(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The counts, by the viewer's own code."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "hypergraphs.json"
        file.write_text(json.dumps(given), encoding="utf-8")
        viewer = ROOT / "viewer"
        node = shutil.which("node") or "node"
        run = subprocess.run([node, "scripts/clashes.mjs", str(file)], cwd=viewer, check=True, capture_output=True)
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


def table(found: Sequence[Mapping[str, Any]]) -> Table:
    """One row for each hypergraph and window; the random ones together."""
    shown = Table("hypergraph", "window", "mode", *COUNTS, "ms")
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for each in found:
        name = "random" if each["name"].startswith("random ") else each["name"]
        groups.setdefault((name, each["window"]), []).append(each)
    for (name, window), rows in groups.items():
        modes = "+".join(sorted({row["mode"] for row in rows}))
        sums = [str(sum(row[count] for row in rows)) for count in COUNTS]
        shown.add_row(name, window, modes, *sums, f"{max(row['milliseconds'] for row in rows):.0f}")
    shown.add_row("all", "", "", *[str(sum(row[count] for row in found)) for count in COUNTS], "")
    return shown


def main() -> None:
    """Print the table."""
    data = Path(os.environ.get("HYLOOP_DATA") or ROOT.parent / "shared") / "data"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--data", type=Path, default=data)
    parser.add_argument("--random", type=int, default=20)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    more = [given.data / f"{name}.hif.json" for name in MEASURED]
    files = given.files or [*sorted((ROOT / "examples").glob("*.hif.json")), *filter(Path.is_file, more)]
    found = counted(documents(files, given.random))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    Console(width=160, file=sys.stdout).print(table(found))


if __name__ == "__main__":
    main()
