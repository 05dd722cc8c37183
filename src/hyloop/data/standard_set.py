"""The standard data set: which algorithms, sizes, splits and generators. docs/data.md is its card."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hyloop.data.generators import GENERATORS
from hyloop.data.plan import Part, Plan, Task, file_names, planned, real_parts, shared
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import exact, shown

# Each algorithm, and the largest size at which a run stays within `plan.LIMIT` iterations; None: at all of them.
ALGORITHMS: dict[str, int | None] = {
    "dijkstra": None,
    "levels": None,
    "bfs": None,
    "dfs": None,
    "components": None,
    "core_numbers": None,
    "s_distance": None,
    "scc": None,
    "forward_chaining": None,
    "helly": None,
    "motifs": 80,  # one iteration for each pair of hyperedges: 12,722 for 160 of them
}
SEED = 19
TRAIN, VALIDATION, TEST = (4, 7, 11, 13, 16), 16, (16, 80, 160, 800, 1600)
EXAMPLES = {"train": 10_000, "validation": 1_000, "test": 1_000}  # of each algorithm; of `test` at each size


def standard(share: Fraction | float = Fraction(1), real: Sequence[str] = ()) -> Plan:
    """The standard data set, or the first examples of each of its parts: a share of it."""
    try:
        share = Fraction(exact(share))
    except HyloopError:
        raise HyloopError(f"The share of the standard data set is a number; given {shown(share)}.") from None
    if not 0 < share <= 1:
        raise HyloopError(f"The share of the standard data set is more than 0 and at most 1; not {shown(share)}.")
    files = file_names(real)
    tasks = []
    for name, largest in ALGORITHMS.items():
        program = program_of(name)
        parts = [part for part in _parts(share) if largest is None or max(part.sizes) <= largest]
        tasks.append(Task(program, (*parts, *real_parts(program, files, SEED))))
    name = "standard" if share == 1 else f"standard, share {share}"
    return planned(tasks, name=f"{name}, and real hypergraphs" if files else name)


def _parts(share: Fraction) -> list[Part]:
    generators = tuple(GENERATORS)

    def part(name: str, split: str, *sizes: int) -> Part:
        return Part(name, split, sizes, generators, SEED, shared(EXAMPLES[split], share))

    return [
        part("train", "train", *TRAIN),
        part("validation", "validation", VALIDATION),
        *(part(f"test-{size}", "test", size) for size in TEST),
    ]
