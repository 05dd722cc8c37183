"""What a data set has: algorithms, parts, and the shards that they are divided into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

from hyloop.atomic import path_of
from hyloop.data.fits import require_regular
from hyloop.data.generators import GENERATORS
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import is_integer, shown
from hyloop.lang import Algorithm
from hyloop.lang.program import Program
from hyloop.lang.text import to_text
from hyloop.strict import printable

MOST_SIZE = 10**6  # vertices of a hypergraph
MOST_SEED = 2**63 - 1
MOST_COUNT = 10**8  # examples of a part
MOST_LIMIT = 10**7  # iterations that can be read back
MOST_SHARDS = 10**6  # that a list can have
NAME = 100  # letters of a name that becomes one of a file
SPLIT = re.compile(rf"[-_]*[A-Za-z0-9][-_A-Za-z0-9]{{0,{NAME - 1}}}")
# How a sentence about each of them begins.
WHAT = {
    "sizes": "The number of vertices is an integer",
    "seeds": "A seed is an integer",
    "count": "The number of examples is an integer",
    "limit": "The number of iterations that an example may take is an integer",
}
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
        return asdict(self) | lists | {"file": _as_text(Path(self.file).name) if self.file else ""}


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
            step = _per_shard(part)
            for place, first in enumerate(range(0, part.count, step)):
                path = f"{name}/{part.name}-{place:05}.parquet"
                yield Shard(text, name, part, first, min(first + step, part.count), path, plan.limit)


def _per_shard(part: Part) -> int:
    """How many examples of a part are in a shard."""
    return part.count if part.file else max(1, min(PER_SHARD, VERTICES // max(part.sizes)))


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
    programs = [program_of(each) for each in _listed("algorithms", algorithms, "algorithms or their names")]
    sizes = _integers("sizes", sizes, 1, MOST_SIZE)
    seeds = _integers("seeds", seeds, 0, MOST_SEED)
    [count] = _integers("count", [count], 1, MOST_COUNT)
    [limit] = _integers("limit", [limit], 1, MOST_LIMIT)
    generators = _listed("generators", generators, "names of generators")
    real = file_names(real)
    _require(programs, sizes, generators, seeds, split, real)
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
    return planned([Task(each, (*parts, *real_parts(each, real, seeds[0]))) for each in programs], limit)


def planned(tasks: Sequence[Task], limit: int = LIMIT, name: str = "") -> Plan:
    """A plan, of so many files as a list can have, whose names are all different."""
    for each in tasks:
        names = [part.name for part in each.parts]
        if len(set(names)) < len(names):
            same = max(names, key=names.count)
            raise HyloopError(f"Two parts would be called {printable(same)}: rename a file, or the split.")
    shards = sum(-(-part.count // _per_shard(part)) for each in tasks for part in each.parts)
    if shards > MOST_SHARDS:
        raise HyloopError(
            f"This data set would have {shards:,} files; at most {MOST_SHARDS:,} are made: lower the count."
        )
    return Plan(tuple(tasks), limit, name)


def real_parts(program: Program, files: Sequence[str], seed: int) -> tuple[Part, ...]:
    """A part for each file."""
    stems = [_stem(file) for file in files]
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


def _stem(file: str) -> str:
    """The name of a file up to its first dot, with what no path of a data set may have replaced."""
    stem = Path(file).name.split(".")[0][:NAME]
    return "".join(each if each.isprintable() and each != "\\" else "_" for each in stem)


def _as_text(name: str) -> str:
    """The name of a file as text: bytes that are no UTF-8 are escaped."""
    return name.encode(errors="backslashreplace").decode()


def file_names(files: Any) -> list[str]:
    """Names of real hypergraphs that the user gave."""
    found = _listed("real", files, "names of files")
    for each in found:
        if not isinstance(each, str | PathLike):
            raise HyloopError(f"real is a list of names of files; given {shown(each)}.")
        path_of(each)  # raises for an empty one
    return [str(each) for each in found]


def _digest(file: str) -> str:
    try:
        require_regular(file)
        return sha256(Path(file).read_bytes()).hexdigest()
    except (OSError, ValueError) as wrong:
        reason = getattr(wrong, "strerror", None) or wrong
        raise HyloopError(f"{printable(file, NAME)}: this cannot be read ({reason}).") from None


# -- what may be asked for --------------------------------------------------------------------------------------------


def _listed(name: str, value: Any, of: str) -> list[Any]:
    """A list that the user gave; a text is none, although Python would take its letters."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise HyloopError(f"{name} is a list of {of}; given {shown(value)}.")
    return list(value)


def _given(value: object) -> str:
    """What was given instead of an integer: 2.0 is not 2."""
    return shown(value) if is_integer(value) else printable(repr(value))


def _integers(name: str, value: Any, least: int, most: int) -> list[int]:
    found = _listed(name, value, "integers")
    for each in found:
        if not is_integer(each) or not least <= each <= most:
            raise HyloopError(f"{WHAT[name]} from {least:,} to {most:,}; given {_given(each)}.")
    return [int(each) for each in found]


def _require(
    programs: Sequence[Program],
    sizes: Sequence[int],
    generators: Sequence[Any],
    seeds: Sequence[int],
    split: Any,
    real: Sequence[str],
) -> None:
    if not programs:
        raise HyloopError("A data set has at least one algorithm.")
    names = [each.name for each in programs]
    if len(set(names)) < len(names):
        raise HyloopError(f"Each algorithm is given once; {max(names, key=names.count)} was given twice.")
    if not sizes and not real:
        raise HyloopError("Say how many vertices the hypergraphs have (sizes), or give real ones.")
    for name in generators:
        if not isinstance(name, str) or name not in GENERATORS:
            raise HyloopError(f"There is no generator {shown(name)}; there are {', '.join(GENERATORS)}.")
    if not generators or not seeds:
        raise HyloopError("A data set has at least one generator and one seed.")
    for what, each in (("sizes", sizes), ("generators", generators), ("seeds", seeds)):
        if len(set(each)) < len(each):
            raise HyloopError(f"The {what} of a data set are different from each other: {', '.join(map(str, each))}.")
    if not isinstance(split, str) or not SPLIT.fullmatch(split):
        raise HyloopError(f"The name of a split has letters, digits, - and _, at most {NAME}; not {shown(split)}.")


def shared(count: int, share: Fraction) -> int:
    """So large a share of a number of examples, and at least one."""
    return max(1, -(-count * share.numerator // share.denominator))
