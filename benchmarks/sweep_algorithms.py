"""Every algorithm against its oracles, on thousands of random hypergraphs and on the real ones.

    python benchmarks/sweep_algorithms.py [--count 5000] [--seed 0] [--algorithm NAME ...] [--real]

Random: up to 8 vertices and 8 hyperedges, degenerate ones first, each from a random source; with random directions
where an algorithm uses them. Real: the six files of the shared folder (HYLOOP_DATA, or ../shared), what is affordable.
Ends with status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import hyloop
from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.lang.matrices import uses_direction
from hyloop.samples import hypergraphs

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from algorithm_inputs import inputs_of  # noqa: E402  (it lives beside the tests)
from oracles import ORACLES, Sets, answers, compared, differences, shaped  # noqa: E402  (they live beside the tests)

WORKERS = 2
SLICE = 125
VERTICES, HYPEREDGES = 8, 8
EMPTY = tuple(Hypergraph.from_hyperedges(edges) for edges in ([], [[]], [[], []]))


# -- random hypergraphs ---------------------------------------------------------------------------------------------


@dataclass
class Swept:
    """What came out for one algorithm so far."""

    inputs: int = 0
    mismatches: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Swept) -> None:
        """Add another part of the sweep."""
        self.inputs += other.inputs
        self.mismatches += other.mismatches
        self.seconds += other.seconds


@dataclass(frozen=True)
class Slice:
    """A part of the sweep of one algorithm."""

    algorithm: str
    seed: int
    start: int
    stop: int


def tasks(given: Slice) -> Iterator[tuple[Hypergraph, dict[str, Any]]]:
    """The hypergraphs of a slice, with random inputs where some are needed (then without those that have no source)."""
    directed = uses_direction(ALGORITHMS[given.algorithm].program)
    endless = hypergraphs(given.seed, vertices=VERTICES, hyperedges=HYPEREDGES, directed=directed)
    every = endless if ALGORITHMS[given.algorithm].inputs else _chained(EMPTY, endless)
    for place, H in enumerate(islice(every, given.start, given.stop), start=given.start):
        draw = random.Random(f"{given.seed} {place}")
        if options := inputs_of(given.algorithm, H):
            yield H, draw.choice(options)


def _chained(first: Iterable[Hypergraph], then: Iterable[Hypergraph]) -> Iterator[Hypergraph]:
    yield from first
    yield from then


def swept(given: Slice) -> tuple[str, Swept]:
    """One slice of the sweep, in a worker."""
    began, found = time.perf_counter(), Swept()
    for H, inputs in tasks(given):
        found.inputs += 1
        said = list(differences(hyloop.run(given.algorithm, H, **inputs), inputs))
        if said:
            found.mismatches.append(f"{given.algorithm} {inputs} on {Sets.of(H)}: {'; '.join(said)}")
    found.seconds = time.perf_counter() - began
    return given.algorithm, found


def sweep(names: list[str], count: int, seed: int, console: Console) -> dict[str, Swept]:
    """All algorithms, in two workers."""
    slices = [Slice(name, seed, start, min(start + SLICE, count)) for name in names for start in range(0, count, SLICE)]
    outcomes = {name: Swept() for name in names}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with multiprocessing.Pool(WORKERS) as pool, Progress(*columns, console=console) as progress:
        bars = {name: progress.add_task(name, total=count) for name in names}
        for name, part in pool.imap_unordered(swept, slices):
            outcomes[name].add(part)
            progress.advance(bars[name], part.inputs)
    return outcomes


def table_of(outcomes: dict[str, Swept], seed: int) -> Table:
    """The outcome of a sweep."""
    table = Table(title=f"algorithms against oracles, seed {seed}")
    table.add_column("algorithm")
    table.add_column("oracles", overflow="fold")
    for name in ("inputs", "mismatches", "seconds"):
        table.add_column(name, justify="right")
    for name, each in outcomes.items():
        cells = (f"{each.inputs:,}", str(len(each.mismatches)), f"{each.seconds:.1f}")
        table.add_row(name, "; ".join(ORACLES[name]), *cells)
    return table


# -- real hypergraphs -----------------------------------------------------------------------------------------------

REAL = ("davis-southern-women", "lesmis", "workplace", "justice", "contact-high-school", "publications")
SOME = {"motifs": ("davis-southern-women", "lesmis")}  # what is not affordable on all files; the others run on all
# Oracles that would take minutes: they compare all pairs of hyperedges, or all hyperedges in every step.
SLOW = {"contact-high-school": ("xgi, line graph",)}

HELLY = dict.fromkeys(REAL, False) | {"publications": True}
MOTIFS = {
    "davis-southern-women": "0 2 4 12 6 6 0 8 10 33 3 16 0 6 19 4 0 0 0 21 1 58 0 4 3 0",
    "lesmis": "2068 11766 666 719 3886 2627 80 332 327 809 169 294 4 80 96 23 122 952 2462 6779 11879 16042 "
    "57 394 409 94",
}
INTERSECTING = {"contact-high-school": 593_188}


@dataclass(frozen=True)
class Checked:
    """One algorithm on one real hypergraph."""

    file: str
    algorithm: str
    iterations: int
    run_seconds: float
    oracle_seconds: float
    answered: tuple[str, ...]
    wrong: tuple[str, ...]
    fact: str


def checked(task: tuple[Path, str, str]) -> Checked:
    """Run an algorithm on a real hypergraph, ask the oracles, and look up what the README states."""
    folder, file, name = task
    H = hyloop.read(folder / f"{file}.hif.json")
    busiest = max(H.vertices, key=lambda vertex: len(H.hyperedges_of(vertex)))
    every = inputs_of(name, H)
    inputs = {"source": busiest} if {"source": busiest} in every else every[0]
    began = time.perf_counter()
    result = hyloop.run(name, H, **inputs)
    ran = time.perf_counter()
    said = answers(name, H, inputs, skip=SLOW.get(file, ()))
    asked = time.perf_counter()
    wrong = [sentence[:200] for sentence in compared(result, inputs, said)]
    fact, right = fact_of(file, result)
    return Checked(
        file,
        name,
        result.iterations,
        ran - began,
        asked - ran,
        tuple(said),
        (*wrong, *(() if right else (fact,))),
        fact,
    )


def fact_of(file: str, result: hyloop.Result) -> tuple[str, bool]:
    """What the README of the files states about this result, and whether it is so."""
    if result.algorithm == "helly":
        said = f"{'Helly' if result['helly'] else 'not Helly'}, witness {result['witness']}"
        return said, result["helly"] is HELLY[file]
    if result.algorithm == "motifs":
        counts = " ".join(map(str, result["counts"]))
        return f"{sum(result['counts']):,} motifs", counts == MOTIFS[file]
    if result.algorithm == "projection":
        pairs = sum(len(values) for _, values in shaped(result["overlap"])) // 2
        return f"{pairs:,} pairs intersect", pairs == INTERSECTING.get(file, pairs)
    return "", True


def check_real(names: list[str], folder: Path, console: Console) -> list[Checked]:
    """The six files, longest first."""
    names = sorted(names, key=lambda name: name not in SOME)
    wanted = [(folder, file, name) for name in names for file in reversed(SOME.get(name, REAL))]
    found: list[Checked] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with multiprocessing.Pool(WORKERS) as pool, Progress(*columns, console=console) as progress:
        bar = progress.add_task("real hypergraphs", total=len(wanted))
        for each in pool.imap_unordered(checked, wanted):
            found.append(each)
            progress.advance(bar)
    return sorted(found, key=lambda each: (REAL.index(each.file), each.algorithm))


def table_of_real(found: list[Checked]) -> Table:
    """The outcome on the real hypergraphs."""
    table = Table(title="real hypergraphs")
    table.add_column("file", no_wrap=True)
    table.add_column("algorithm")
    for name in ("iterations", "run, s", "oracles, s", "oracles that agree"):
        table.add_column(name, justify="right")
    table.add_column("fact")
    for each in found:
        figures = (f"{each.iterations:,}", f"{each.run_seconds:.2f}", f"{each.oracle_seconds:.2f}")
        verdict = "; ".join(each.wrong) or each.fact
        agree = f"{len(each.answered)}/{len(ORACLES[each.algorithm])}" if not each.wrong else "NO"
        table.add_row(each.file, each.algorithm, *figures, agree, verdict)
    return table


# -- the command ----------------------------------------------------------------------------------------------------


def main() -> int:
    """Sweep, print, and say by the exit status whether all agreed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=5000, help="random hypergraphs for each algorithm")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--algorithm", action="append", choices=list(ALGORITHMS), help="only this one (repeatable)")
    parser.add_argument("--real", action="store_true", help="also the six files of the shared folder")
    given = parser.parse_args()
    console, names = Console(width=max(Console().width, 110)), given.algorithm or list(ALGORITHMS)
    outcomes = sweep(names, given.count, given.seed, console)
    console.print(table_of(outcomes, given.seed))
    wrong = [said for each in outcomes.values() for said in each.mismatches]
    if given.real:
        folder = Path(os.environ.get("HYLOOP_DATA") or ROOT.parent / "shared") / "data"
        if not folder.is_dir():
            console.print(f"There is no folder {folder}: set HYLOOP_DATA to where the shared files are.")
            return 1
        found = check_real(names, folder, console)
        console.print(table_of_real(found))
        wrong += [f"{each.algorithm} on {each.file}: {said}" for each in found for said in each.wrong]
    for said in wrong[:20]:
        console.print(said, markup=False)
    console.print(f"{len(wrong)} mismatches." if wrong else "No mismatch.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
