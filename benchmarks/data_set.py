"""How long the standard data set takes, and how large it is: a share of it in this process, by its own clock.

    python benchmarks/data_set.py [--share 0.01]

Every algorithm runs once before the clock starts, so that compiling is not counted. Seconds are those of one core (CPU
time, which a busy machine does not change); the whole set takes their sum divided by the number of cores. Sizes are
those of the files without their footers, which do not grow with the number of examples.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from rich.console import Console
from rich.table import Table

from hyloop.data.plan import Shard, shards_of
from hyloop.data.shard import make_shard
from hyloop.data.standard_set import standard


def measured(share: Fraction) -> dict[str, tuple[float, float]]:
    """The seconds and the megabytes of each algorithm's part of the whole set."""
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        warm: set[str] = set()
        for shard in shards_of(standard(share)):
            if shard.algorithm not in warm:
                warm.add(shard.algorithm)
                make_shard(folder, Shard(**{**vars(shard), "last": shard.first + 1, "path": f"warm/{shard.algorithm}"}))
            began = time.process_time()
            make_shard(folder, shard)
            seconds, size = time.process_time() - began, (Path(folder) / shard.path).stat().st_size
            before = found.get(shard.algorithm, (0.0, 0.0))
            footer = (Path(folder) / "warm" / shard.algorithm).stat().st_size
            extra = max(size - footer, 0) / share / 10**6
            found[shard.algorithm] = before[0] + seconds / float(share), before[1] + float(extra)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=Fraction, default=Fraction(1, 100))
    found = measured(parser.parse_args().share)
    table = Table("algorithm", "seconds of one core", "MB")
    for name, (seconds, size) in found.items():
        table.add_row(name, f"{seconds:,.0f}", f"{size:,.0f}")
    total = [sum(column) for column in zip(*found.values(), strict=True)]
    table.add_row("in all", f"{total[0]:,.0f}", f"{total[1]:,.0f}")
    Console(width=80).print(table)
    print(f"{total[0] / 120:,.0f} minutes on two cores")


if __name__ == "__main__":
    main()
