"""Certificates of random programs, and of those in examples/, held against checker/check_certificate.py.

    python benchmarks/sweep_certificates.py [--count 500] [--seed 0] [--seconds 120] [--examples] [--into FOLDER]

Random programs are those of the fuzzer (tests/fuzz), compiled as it compiles them, until so many are proved: what the
language refuses, what fits no model and what is not proved has no certificate to check. Each has a time limit. With
--examples: the algorithms in examples/ instead. Seeds and programs without an accepted certificate are named, and then
the status is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fuzz.worker import Answer, Job, Worker  # noqa: E402  (it lives beside the tests)

PROVED, ACCEPTED, OBLIGATIONS = "proved", "accepted", "obligations"
MILLISECONDS = ("ms to prove", "ms to certify", "ms to check")


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


def random_jobs(seed: int) -> Iterator[tuple[str, Job]]:
    """Random programs without end."""
    while True:
        yield f"seed {seed}", {"job": "certificate", "seed": seed}
        seed += 1


def example_jobs() -> Iterator[tuple[str, Job]]:
    """Every algorithm in a file of examples/."""
    for path in sorted([*ROOT.glob("examples/*.py"), *ROOT.glob("examples/programs/*.py")]):
        if "@algorithm" in path.read_text():
            yield path.name, {"job": "certificate", "path": str(path)}


def sweep(jobs: Iterator[tuple[str, Job]], count: int | None, seconds: float, folder: Path) -> Swept:
    """Ask for one certificate after the other, until so many programs are proved."""
    swept, worker, began = Swept(), Worker(files=False), time.monotonic()
    try:
        for name, job in jobs:
            if count is not None and swept.counts[PROVED] >= count:
                break
            swept.add(name, worker.ask({**job, "into": str(folder / "certificate")}, seconds))
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
    parser.add_argument("--seconds", type=float, default=120.0, help="the most for one program")
    parser.add_argument("--examples", action="store_true", help="the programs in examples/ instead")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jobs = example_jobs() if given.examples else random_jobs(given.seed)
        swept = sweep(jobs, None if given.examples else given.count, given.seconds, Path(folder))
    print(swept.told())
    print(*swept.bad, sep="\n")
    return 1 if swept.bad else 0


if __name__ == "__main__":
    sys.exit(main())
