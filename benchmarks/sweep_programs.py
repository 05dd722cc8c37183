"""Every program in examples/programs against its oracles, on thousands of random inputs, and its proof.

    python benchmarks/sweep_programs.py [--count 2000] [--seed 0] [--program NAME ...]

Each is compiled at its default capacity (betweenness: for 2,047 rows) and proved. Then the transformer runs on random
hypergraphs of up to 8 vertices and 8 hyperedges, degenerate ones first, with random directions where a program uses
them. Ends with status 1 if anything differs or is not proved.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

import hyloop
from hyloop.lang import Algorithm
from hyloop.lang.matrices import uses_direction
from hyloop.lang.tracing import load
from hyloop.machine.model import Model
from hyloop.prove import prove
from hyloop.samples import hypergraphs

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from oracles.programs import PROGRAMS  # noqa: E402  (they live beside the tests)

VERTICES, HYPEREDGES = 8, 8


@dataclass(frozen=True)
class Swept:
    """What came out for one program."""

    model: Model
    declared: str
    inputs: int
    mismatches: tuple[str, ...]
    answer: str
    seconds: tuple[float, float]  # of the proof, and of the runs


def mismatches(algorithm: Algorithm, model: Model, count: int, seed: int) -> Iterator[str | None]:
    """For each input a sentence about what differs, or None."""
    known, program = PROGRAMS[algorithm.name], algorithm.program
    every = hypergraphs(seed, vertices=VERTICES, hyperedges=HYPEREDGES, directed=uses_direction(program))
    for place, H in enumerate(islice(every, count)):
        inputs = known.draw(H, random.Random(f"{seed} {place}"))
        result = hyloop.run(model, H, **inputs)
        said = [oracle(H, **inputs) for oracle in known.oracles]
        wrong = [
            f"{name} is {result[name]}, not {each[name]}"
            for each in said
            for name in each
            if result[name] != each[name]
        ]
        if result.iterations > program.most_iterations(len(H.vertices), len(H.hyperedges)):
            wrong.append(f"{result.iterations} iterations")
        yield f"{algorithm.name} {inputs} on {H}: {'; '.join(wrong)}" if wrong else None


def swept(name: str, count: int, seed: int) -> Swept:
    """Compile, prove, and run."""
    [algorithm] = load(ROOT / "examples" / "programs" / f"{name}.py")
    model = hyloop.compile(algorithm, PROGRAMS[name].capacity)
    began = time.perf_counter()
    answer = prove(model).answer
    proved = time.perf_counter()
    found = list(mismatches(algorithm, model, count, seed))
    seconds = (proved - began, time.perf_counter() - proved)
    declared = str(algorithm.program.at_most)
    return Swept(model, declared, len(found), tuple(each for each in found if each is not None), answer, seconds)


def table_of(outcomes: dict[str, Swept], seed: int) -> Table:
    """The outcome of a sweep."""
    table = Table(title=f"programs against oracles, seed {seed}")
    for name in (
        "program",
        "layers",
        "columns",
        "rows",
        "weight",
        "iterations",
        "inputs",
        "mismatches",
        "proof",
        "seconds",
    ):
        table.add_column(
            name, justify="left" if name in {"program", "iterations", "proof"} else "right", overflow="fold"
        )
    for name, each in outcomes.items():
        capacity = each.model.capacity
        sizes = (
            len(each.model.layers),
            len(each.model.layout),
            f"{capacity.rows:,}",
            f"{capacity.weight:,}",
            each.declared,
        )
        verdict = (f"{each.inputs:,}", len(each.mismatches), f"{each.answer}, {each.seconds[0]:.1f} s")
        table.add_row(name, *map(str, (*sizes, *verdict)), f"{each.seconds[1]:.1f}")
    return table


def main() -> int:
    """Sweep, print, and say by the exit status whether all agreed and are proved."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=2000, help="random inputs for each program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--program", action="append", choices=list(PROGRAMS), help="only this one (repeatable)")
    given = parser.parse_args()
    console = Console(width=max(Console().width, 150))
    outcomes: dict[str, Swept] = {}
    for name in given.program or PROGRAMS:
        outcomes[name] = swept(name, given.count, given.seed)
        each = outcomes[name]
        console.print(f"{name}: {each.inputs:,} inputs, {len(each.mismatches)} mismatches, {each.answer}")
    console.print(table_of(outcomes, given.seed))
    wrong = [said for each in outcomes.values() for said in each.mismatches]
    for said in wrong[:20]:
        console.print(said, markup=False)
    return 1 if wrong or any(each.answer != "proved" for each in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
