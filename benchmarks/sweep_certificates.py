"""Certificates of random programs, of all algorithms, and of those in examples/, held against both files of checker/:
every obligation has an accepted proof, and the second statement of them is the same.

    python benchmarks/sweep_certificates.py [--count 500] [--seed 0] [--seconds 120] [--into FILE]
                                            [--keep FOLDER] [--small | --algorithms [NAME ...] | --examples]

Random programs are those of the fuzzer (tests/fuzz), compiled as it compiles them, until so many have a certificate
that both accept: what the language refuses, what fits no model and what is not proved has none. With --small: those
of tests/compiler, of eight operations at most, for 9 rows; with --algorithms: those that come with hyloop; with
--examples: those in examples/. Each has a time limit; what takes longer is counted and named. So is what is proved and
has no accepted certificate, and what is stated otherwise; then the status is 1. With --into, each program is a line of
a file, and those that are in it already are not tried again. --keep has a folder for the certificates, beside the
models.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fuzz.worker import Answer, Job, Worker  # noqa: E402  (it lives beside the tests)
from hyloop.algorithms import ALGORITHMS  # noqa: E402

PROVED, ACCEPTED, SAME = "proved", "accepted", "stated equally"
LATE = "out of time"
PATIENCE = 100  # how much longer the clock may say than the processor: a lost process, not a busy machine


@dataclass
class Swept:
    """What came of all programs so far."""

    counts: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def add(self, name: str, answer: Answer) -> None:
        """What came of one program."""
        self.counts.update(answer.counts)
        self.bad += [f"{name}: {each['what']}: {each['told']}" for each in answer.failures]
        self.late += [f"{name}: {what}" for what in answer.counts if what.startswith(LATE)]

    def line(self) -> str:
        """The counts that matter, in short."""
        most = ", ".join(f"{self.counts[each]} {each}" for each in (PROVED, ACCEPTED, SAME))
        return f"{most}, {len(self.late)} late, {len(self.bad)} bad"

    def told(self) -> str:
        """The counts, a line each, and what is late or bad."""
        lines = [f"{number:>12,}  {what}" for what, number in sorted(self.counts.items())]
        return "\n".join([*lines, *self.late, *self.bad])


class Record:
    """The answers of a sweep in a file, a line each; in memory only, without a file."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        self.known = {name: Answer(**answer) for name, answer in map(json.loads, lines)}

    def add(self, name: str, answer: Answer) -> None:
        """Write down an answer."""
        self.known[name] = answer
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps([name, vars(answer)]) + "\n")


def random_jobs(seed: int, *, small: bool) -> Iterator[tuple[str, Job]]:
    """Random programs without end."""
    for each in count(seed):
        yield f"seed {each}", {"job": "certificate", "seed": each, "small": small}


def algorithm_jobs(names: Sequence[str]) -> Iterator[tuple[str, Job]]:
    """These algorithms that come with hyloop; all of them, if none is named."""
    for name in names or ALGORITHMS:
        yield name, {"job": "certificate", "name": name}


def example_jobs() -> Iterator[tuple[str, Job]]:
    """Every algorithm in a file of examples/."""
    for path in sorted([*ROOT.glob("examples/*.py"), *ROOT.glob("examples/programs/*.py")]):
        if "@algorithm" in path.read_text():
            yield path.name, {"job": "certificate", "path": str(path)}


def asked(worker: Worker, job: Job, seconds: float, into: Path) -> Answer:
    """The answer to a job; a process that is lost over it is a failure."""
    answer = worker.ask({**job, "seconds": seconds, "into": str(into)}, PATIENCE * seconds)
    return Answer({"lost": 1}, [{"what": "lost", "told": answer}]) if isinstance(answer, str) else answer


def sweep(
    jobs: Iterator[tuple[str, Job]], most: int | None, seconds: float, record: Record, keep: Path | None
) -> Swept:
    """Ask for one certificate after the other, until so many programs have one."""
    swept, worker, began = Swept(), Worker(files=False), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            for name, job in jobs:
                if most is not None and swept.counts[SAME] >= most:
                    break
                if name not in record.known:
                    into = Path(folder, "a.certificate") if keep is None else keep / f"{name}.certificate"
                    record.add(name, asked(worker, job, seconds, into))
                swept.add(name, record.known[name])
                print(f"{time.monotonic() - began:7.0f} s  {name}: {swept.line()}", flush=True)
        finally:
            worker.stop()
    return swept


def main() -> int:
    """Sweep, print the counts and what has no accepted certificate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=500, help="random programs with a certificate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120.0, help="of processor time, for one program")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--algorithms", nargs="*", metavar="NAME", help="algorithms that come with hyloop instead")
    which.add_argument("--examples", action="store_true", help="the programs in examples/ instead")
    which.add_argument("--small", action="store_true", help="random programs of eight operations at most")
    parser.add_argument("--into", type=Path, help="a file of answers, to go on from")
    parser.add_argument("--keep", type=Path, help="a folder for certificates and models")
    given = parser.parse_args()
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    if given.examples or given.algorithms is not None:
        jobs, most = example_jobs() if given.examples else algorithm_jobs(given.algorithms), None
    else:
        jobs, most = random_jobs(given.seed, small=given.small), given.count
    swept = sweep(jobs, most, given.seconds, Record(given.into), given.keep)
    print(swept.told())
    return 1 if swept.bad else 0


if __name__ == "__main__":
    sys.exit(main())
