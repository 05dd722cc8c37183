"""How much the simulation check sees: of all models with one weight changed, the share that it catches.

    python benchmarks/mutations.py [ALGORITHM ...] [--zeros 1000] [--inputs 25] [--capacity-rows 20] [--json FILE]

Every weight that is not 0, plus 1 and minus 1; and so many weights that are 0, set to 1. A mutant is caught when on one
of the inputs a value that `hyloop.check` compares is another than the interpreter's. What is not caught may be
harmless: `hyloop prove --mutate` decides that.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop import Capacity
from hyloop.algorithms import ALGORITHMS
from hyloop.prove.mutants import Mutant, Reference, RunInput, caught, mutants, reference
from hyloop.samples import hypergraphs, random_inputs

HARBOUR = Path(__file__).parents[1] / "examples" / "harbour.hif.json"
WORKERS = 2
CHUNK = 100
WEIGHT = 100
VERTICES, HYPEREDGES = 6, 6
KINDS = ("+1", "-1", "0 to 1")


# -- the hunt ---------------------------------------------------------------------------------------------------------


def cases(name: str, count: int, seed: int) -> list[RunInput]:
    """The harbour, then random hypergraphs, each from a random source."""
    draw = random.Random(f"{name} {seed}")
    endless = hypergraphs(seed, vertices=VERTICES, hyperedges=HYPEREDGES)
    found: list[RunInput] = []
    later = islice(endless, 2 * count)
    for h in [hyloop.read(HARBOUR), *sorted(later, key=lambda h: -len(h.incidence.indices))]:
        if ALGORITHMS[name].inputs == ("source",):
            inputs = {"source": draw.choice(h.vertices)} if h.vertices else None
        else:
            inputs = random_inputs(ALGORITHMS[name].program, h, np.random.default_rng(draw.randrange(10**9)))
        if inputs is not None:
            found.append((h, inputs))
    # The richest and the poorest.
    return found[: count - count // 4] + found[-(count // 4) :] if count >= 4 else found[:count]


_REFERENCE: Reference | None = None


def _work(chunk: list[Mutant]) -> list[bool]:
    assert _REFERENCE is not None  # workers are forked after it is set
    with np.errstate(all="ignore"):  # a mutant may overflow; that is a difference like any other
        return [caught(_REFERENCE, mutant) for mutant in chunk]


@dataclass(frozen=True)
class Row:
    """Of the mutants of one layer (None: of all) and one kind: how many, and how many were caught."""

    algorithm: str
    layer: int | None
    kind: str
    mutants: int
    caught: int


@dataclass(frozen=True)
class Hunted:
    """The outcome for one model."""

    rows: list[Row]
    missed: list[Mutant]
    inputs: int
    iterations: int
    seconds: float


def hunt(name: str, zeros: int, inputs: int, rows: int, seed: int) -> Hunted:
    """All mutants of one algorithm's model, in two processes."""
    global _REFERENCE  # noqa: PLW0603  (what the forked workers share)
    began = time.perf_counter()
    model = hyloop.compile(name, Capacity(rows, WEIGHT))
    _REFERENCE = reference(model, cases(name, inputs, seed))
    every = [mutant for mutant in mutants(model, zeros, seed) if mutant.change in KINDS]
    chunks = [every[start : start + CHUNK] for start in range(0, len(every), CHUNK)]
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        verdicts = [verdict for part in pool.imap(_work, chunks) for verdict in part]
    counts: dict[tuple[int | None, str], list[bool]] = defaultdict(list)
    for mutant, verdict in zip(every, verdicts, strict=True):
        for key in ((mutant.layer + 1, mutant.change), (None, mutant.change)):
            counts[key].append(verdict)
    order = sorted(counts, key=lambda key: (key[0] is None, key[0] or 0, KINDS.index(key[1])))
    table = [Row(name, layer, kind, len(counts[layer, kind]), sum(counts[layer, kind])) for layer, kind in order]
    missed = [mutant for mutant, verdict in zip(every, verdicts, strict=True) if not verdict]
    return Hunted(table, missed, _REFERENCE.runs, len(_REFERENCE.item), time.perf_counter() - began)


def table_of(name: str, hunted: Hunted) -> Table:
    """The outcome for one model, by layer."""
    title = f"{name}: {hunted.inputs} inputs, {hunted.iterations} iterations, {hunted.seconds:.0f} s"
    table = Table(title=title, title_justify="left")
    table.add_column("layer")
    for kind in KINDS:
        table.add_column(kind, justify="right")
    for layer in dict.fromkeys(row.layer for row in hunted.rows):
        cells = {row.kind: row for row in hunted.rows if row.layer == layer}
        table.add_row(
            "all" if layer is None else str(layer),
            *(_share(cells[kind]) if kind in cells else "" for kind in KINDS),
            style="bold" if layer is None else None,
        )
    return table


def _share(row: Row) -> str:
    return f"{row.caught:,} / {row.mutants:,} ({100 * row.caught / row.mutants:.1f} %)"


def _plain(hunted: Hunted) -> dict[str, Any]:
    """The outcome as JSON; a mutant's change is its kind, as in the rows."""
    missed = [
        {"layer": mutant.layer, "tensor": mutant.tensor, "entry": list(mutant.entry), "kind": mutant.change}
        for mutant in hunted.missed
    ]
    return {**asdict(hunted), "missed": missed}


def main() -> int:
    """Hunt, print, and write the JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("algorithms", nargs="*", metavar="ALGORITHM", help=", ".join(ALGORITHMS))
    parser.add_argument("--zeros", type=int, default=1000, help="so many weights that are 0, set to 1")
    parser.add_argument("--inputs", type=int, default=25, help="hypergraphs that every mutant is checked on")
    parser.add_argument("--capacity-rows", type=int, default=20, help="rows of the model's capacity")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="also write rows and missed mutants to this file")
    given = parser.parse_args()
    if unknown := [name for name in given.algorithms if name not in ALGORITHMS]:
        parser.error(f"there is no algorithm {', '.join(unknown)}; there are {', '.join(ALGORITHMS)}")
    console = Console(width=max(Console().width, 100))
    outcomes = {}
    for name in given.algorithms or list(ALGORITHMS)[:9]:
        outcomes[name] = hunt(name, given.zeros, given.inputs, given.capacity_rows, given.seed)
        console.print(table_of(name, outcomes[name]))
    if given.json is not None:
        document = {name: _plain(hunted) for name, hunted in outcomes.items()}
        given.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
