"""What a data set has: algorithms, parts, and the shards that they are divided into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from hyloop.data.generators import GENERATORS
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.lang import Algorithm
from hyloop.lang.program import Program
from hyloop.lang.text import to_text

LIMIT = 10_000  # iterations of a run; an example that takes more is left out
PER_SHARD = 1000  # examples, of few vertices
VERTICES = 80_000  # in a shard, about: a shard is what is lost when a run is killed
INPUTS = 10  # examples of a real hypergraph, where the algorithm has inputs to draw


@dataclass(frozen=True)
class Part:
    """A part of a data set: so many examples, whose sizes and generators take turns. A real one is of one file."""

    name: str
    split: str
    sizes: tuple[int, ...]
    generators: tuple[str, ...]
    seed: int
    count: int
    file: str = ""  # of a real hypergraph
    digest: str = ""  # the hash of that file

    def size(self, number: int) -> int:
        """How many vertices example `number` has."""
        return self.sizes[number % len(self.sizes)]

    def generator(self, number: int) -> str:
        """Which generator draws example `number`."""
        return self.generators[number // len(self.sizes) % len(self.generators)]

    def document(self) -> dict[str, Any]:
        """The JSON of the metadata. Of a file only its name is told, not where it was."""
        lists = {"sizes": list(self.sizes), "generators": list(self.generators)}
        return asdict(self) | lists | {"file": Path(self.file).name if self.file else ""}


@dataclass(frozen=True)
class Task:
    """A program and its parts."""

    program: Program
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Plan:
    """A whole data set."""

    tasks: tuple[Task, ...]
    limit: int = LIMIT
    name: str = ""

    def document(self) -> dict[str, Any]:
        """What is to be made, as JSON: the same for the same data set, and for no other."""
        return {
            "name": self.name,
            "limit": self.limit,
            "algorithms": [
                {
                    "name": each.program.name,
                    "program": sha256(to_text(each.program).encode()).hexdigest(),
                    "parts": [part.document() for part in each.parts],
                }
                for each in self.tasks
            ],
        }


@dataclass(frozen=True)
class Shard:
    """Some examples of a part, in a file of their own."""

    program: str  # its text
    algorithm: str
    part: Part
    first: int
    last: int
    path: str  # in the folder of the data set
    limit: int

    @property
    def cost(self) -> int:
        """About how long it takes, in no unit."""
        largest = max(self.part.sizes, default=1000)
        return (self.last - self.first) * (100 + largest)


def shards_of(plan: Plan) -> Iterator[Shard]:
    """The shards of a data set."""
    for task in plan.tasks:
        text, name = to_text(task.program), task.program.name
        for part in task.parts:
            step = part.count if part.file else max(1, min(PER_SHARD, VERTICES // max(part.sizes)))
            for place, first in enumerate(range(0, part.count, step)):
                path = f"{name}/{part.name}-{place:05}.parquet"
                yield Shard(text, name, part, first, min(first + step, part.count), path, plan.limit)


# -- plans that people ask for ----------------------------------------------------------------------------------------


def custom(
    algorithms: Sequence[str | Algorithm | Program],
    *,
    sizes: Sequence[int] = (),
    generators: Sequence[str] = tuple(GENERATORS),
    seeds: Sequence[int] = (0,),
    count: int = 1000,
    split: str = "train",
    real: Sequence[str] = (),
    limit: int = LIMIT,
) -> Plan:
    """For every algorithm, size and seed so many examples, divided among the generators.

    `real` names hypergraph files. An example that takes more than `limit` iterations is left out.
    """
    programs = [program_of(each) for each in algorithms]
    _require(programs, sizes, generators, seeds, count, split, limit, real)
    parts = [
        Part(
            f"{split}-{size}" + (f"-seed-{seed}" if len(seeds) > 1 else ""),
            split,
            (size,),
            tuple(generators),
            seed,
            count,
        )
        for seed in seeds
        for size in sizes
    ]
    return Plan(tuple(Task(each, (*parts, *real_parts(each, real, seeds[0]))) for each in programs), limit)


def real_parts(program: Program, files: Sequence[str], seed: int) -> tuple[Part, ...]:
    """A part for each file."""
    stems = [Path(file).name.split(".")[0] for file in files]
    return tuple(
        Part(
            f"real-{stem}" + (f"-{stems[:place].count(stem) + 1}" if stem in stems[:place] else ""),
            "real",
            (),
            (),
            seed,
            INPUTS if program.inputs else 1,
            file,
            _digest(file),
        )
        for place, (file, stem) in enumerate(zip(files, stems, strict=True))
    )


def _digest(file: str) -> str:
    try:
        return sha256(Path(file).read_bytes()).hexdigest()
    except OSError as wrong:
        raise HyloopError(f"{file}: this cannot be read ({wrong.strerror}).") from None


def _require(
    programs: Sequence[Program],
    sizes: Sequence[int],
    generators: Sequence[str],
    seeds: Sequence[int],
    count: int,
    split: str,
    limit: int,
    real: Sequence[str],
) -> None:
    if not programs:
        raise HyloopError("A data set has at least one algorithm.")
    names = [each.name for each in programs]
    if len(set(names)) < len(names):
        raise HyloopError(f"Each algorithm is given once; {max(names, key=names.count)} was given twice.")
    if not sizes and not real:
        raise HyloopError("Say how many vertices the hypergraphs have (sizes), or give real ones.")
    if any(size < 1 or size > 10**6 for size in sizes):
        raise HyloopError(f"A hypergraph has 1 to 1,000,000 vertices; given {', '.join(map(str, sizes))}.")
    for name in generators:
        if name not in GENERATORS:
            raise HyloopError(f"There is no generator {name!r}; there are {', '.join(GENERATORS)}.")
    if not generators or not seeds:
        raise HyloopError("A data set has at least one generator and one seed.")
    for what, each in (("sizes", sizes), ("generators", generators), ("seeds", seeds)):
        if len(set(each)) < len(each):
            raise HyloopError(f"The {what} of a data set are different from each other: {', '.join(map(str, each))}.")
    if not split.replace("-", "").replace("_", "").isalnum() or not split.isascii():
        raise HyloopError(f"The name of a split has letters, digits, - and _; not {split!r}.")
    if count < 1 or limit < 1:
        raise HyloopError("The number of examples, and the iterations that one may take, are at least 1.")


def shared(count: int, share: Fraction) -> int:
    """So large a share of a number of examples, and at least one."""
    return max(1, -(-count * share.numerator // share.denominator))
