"""Certificates of random programs, and of those in examples/, held against checker/check_certificate.py.

    python benchmarks/sweep_certificates.py [--count 500] [--seed 0] [--seconds 120] [--small | --examples]

Random programs are those of the fuzzer (tests/fuzz), compiled as it compiles them, until so many are proved: what the
language refuses, what fits no model and what is not proved has no certificate to check. Each has a time limit. With
--small: those of tests/compiler, of eight operations at most, for 9 rows; with --examples: the algorithms in examples/.
Seeds and programs without an accepted certificate are named, and then the status is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fuzz.worker import Answer, Job, Worker  # noqa: E402  (it lives beside the tests)

PROVED, ACCEPTED = "proved", "accepted"
PATIENCE = 100  # how much longer the clock may say than the processor: a lost process, not a busy machine


@dataclass
class Swept:
    """What came of all programs so far."""

    counts: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)

    def add(self, name: str, answer: Answer | str) -> None:
        """What came of one program."""
        if isinstance(answer, str):
            self.counts[f"lost: {answer}"] += 1
            self.bad.append(f"{name}: {answer}")
            return
        self.counts.update(answer.counts)
        self.bad += [f"{name}: {each['what']}: {each['told']}" for each in answer.failures]

    def told(self) -> str:
        """The counts, a line each."""
        return "\n".join(f"{number:>12,}  {what}" for what, number in sorted(self.counts.items()))


def random_jobs(seed: int, *, small: bool) -> Iterator[tuple[str, Job]]:
    """Random programs without end."""
    for each in count(seed):
        yield f"seed {each}", {"job": "certificate", "seed": each, "small": small}


def example_jobs() -> Iterator[tuple[str, Job]]:
    """Every algorithm in a file of examples/."""
    for path in sorted([*ROOT.glob("examples/*.py"), *ROOT.glob("examples/programs/*.py")]):
        if "@algorithm" in path.read_text():
            yield path.name, {"job": "certificate", "path": str(path)}


def sweep(jobs: Iterator[tuple[str, Job]], most: int | None, seconds: float, folder: Path) -> Swept:
    """Ask for one certificate after the other, until so many programs have one."""
    swept, worker, began = Swept(), Worker(files=False), time.monotonic()
    try:
        for name, job in jobs:
            if most is not None and swept.counts[PROVED] >= most:
                break
            asked = {**job, "seconds": seconds, "into": str(folder / "certificate")}
            swept.add(name, worker.ask(asked, PATIENCE * seconds))
            line = f"{swept.counts[ACCEPTED]} accepted of {swept.counts[PROVED]} proved, {len(swept.bad)} bad"
            print(f"{time.monotonic() - began:7.0f} s  {name}: {line}", flush=True)
    finally:
        worker.stop()
    return swept


def main() -> int:
    """Sweep, print the counts and what has no accepted certificate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=500, help="random programs that are proved")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120.0, help="of processor time, for one program")
    parser.add_argument("--examples", action="store_true", help="the programs in examples/ instead")
    parser.add_argument("--small", action="store_true", help="random programs of eight operations at most")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jobs = example_jobs() if given.examples else random_jobs(given.seed, small=given.small)
        swept = sweep(jobs, None if given.examples else given.count, given.seconds, Path(folder))
    print(swept.told())
    print(*swept.bad, sep="\n")
    return 1 if swept.bad else 0


if __name__ == "__main__":
    sys.exit(main())
