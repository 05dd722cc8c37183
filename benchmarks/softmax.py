"""The softmax relaxation against the exact machine: the largest error of the state as the temperature falls.

    python benchmarks/softmax.py [FILE.hif.json ...] [--source LABEL] [--capacity fitted|default] [--json FILE]

Dijkstra from the source (by default the first vertex), for as many iterations as the exact machine takes. `worst` is
the largest error in any column and row after any iteration, `at the end` after the last one, `distance` that of the
answer. A row that loses by a score of 1 keeps the weight exp(-1 ÷ temperature), by which values as large as infinity
(`Ω`) are multiplied: the larger the capacity, the lower the temperature that is needed. Below about 1/40 that weight no
longer changes a 1 in float64, and distances are exact; below about 1/745 it is 0, and so is every error. Needs torch.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop.export import to_torch
from hyloop.hypergraph import Label

ROOT = Path(__file__).parents[1]
FILES = [ROOT / "examples" / "harbour.hif.json", ROOT.parent / "shared" / "data" / "lesmis.hif.json"]
TEMPERATURES = (10.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.04, 0.03, 0.025, 0.02, 0.015, 0.01, 0.005, 0.002, 0.001)


def fitted(h: hyloop.Hypergraph) -> hyloop.Capacity:
    """The least capacity that holds a hypergraph."""
    weights, _ = h.integer_weights()
    return hyloop.Capacity(max(len(h.vertices), len(h.hyperedges), 1), max(weights, default=1))


def errors(
    model: hyloop.Model, h: hyloop.Hypergraph, source: Label, temperatures: tuple[float, ...] = TEMPERATURES
) -> list[dict[str, Any]]:
    """For each temperature the largest errors, against the exact state."""
    hard = to_torch(model)
    X, A = hard.encode([h], source=source)
    exact = [found.X for found in hard.iterate(X, A)]
    soft = to_torch(model, attention="softmax", temperature=1)
    distance = soft.column("distance")
    rows = []
    with torch.no_grad():
        for temperature in temperatures:
            soft.temperature = temperature
            state, worst = X, 0.0
            for expected in exact[1:]:
                state = soft.step(state, A)
                worst = max(worst, _most(state - expected))
            wrong = _most((state - exact[-1])[..., distance])
            rows.append(
                {
                    "temperature": temperature,
                    "worst": worst,
                    "at_the_end": _most(state - exact[-1]),
                    "distance": wrong,
                    "equal": bool(torch.equal(state, exact[-1])),
                }
            )
    return rows


def _most(difference: torch.Tensor) -> float:
    """The largest absolute value; what is not a number any more counts as infinitely wrong."""
    return float(difference.abs().nan_to_num(nan=float("inf"), posinf=float("inf")).max())


def main() -> int:
    """Measure, print, and write the JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="HIF files; by default harbour and lesmis")
    parser.add_argument("--source", help="a vertex; by default the first")
    parser.add_argument("--capacity", choices=["fitted", "default"], nargs="*", default=["fitted", "default"])
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    document, console = [], Console(width=max(Console().width, 100))
    for path in given.files or FILES:
        if not path.is_file():
            console.print(f"{path.name} is not here; left out.")
            continue
        h = hyloop.read(path)
        source = h.vertices[0] if given.source is None else given.source
        for capacity in given.capacity:
            model = hyloop.compile("dijkstra", fitted(h) if capacity == "fitted" else None)
            rows = errors(model, h, source)
            document.append({"file": path.name, "capacity": capacity, "infinity": model.infinity, "rows": rows})
            console.print(f"{path.name}, Dijkstra from {source}, {capacity} capacity, Ω = {model.infinity:,}")
            console.print(_table(rows))
    if given.json is not None:
        given.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table()
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*("yes" if v is True else "" if v is False else f"{v:.3g}" for v in row.values()))
    return table


if __name__ == "__main__":
    sys.exit(main())
