"""Compile time against the number of operations: `python benchmarks/compile_time.py [--most 500] [--heads 1 3]`.

The programs are those of tests/compiler/large_programs.py, each with one structure that costs a compiler dear. The last
column is the exponent between a program and the next larger one: 2 is quadratic.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import hyloop
from compiler.large_programs import SHAPES
from hyloop import Capacity
from hyloop.lang.program import Program


def seconds(program: Program, heads: int, schedule: str) -> tuple[float, str]:
    """CPU seconds of one compilation, and what came of it."""
    began = time.process_time()
    model = hyloop.compile(program, Capacity(4, 1), heads=heads, schedule=schedule)  # type: ignore[arg-type]
    return time.process_time() - began, f"{len(model.layers)} layers, {len(model.layout)} columns"


def sizes(most: int) -> list[int]:
    """Each half of the next."""
    return sorted(most // 2**k for k in range(4) if most // 2**k >= 20)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=500, help="operations of the largest programs")
    parser.add_argument("--heads", type=int, nargs="+", default=[1, 3])
    parser.add_argument("--shapes", nargs="+", default=list(SHAPES), choices=list(SHAPES))
    options = parser.parse_args()
    settings = [*((heads, "packed") for heads in options.heads), (3, "one operation per layer")]
    for shape in options.shapes:
        for heads, schedule in settings:
            before = (0, 0.0)
            for size in sizes(options.most):
                program = SHAPES[shape](size)
                count = len(program.before.ops) + len(program.body.ops)
                took, what = seconds(program, heads, schedule)
                growth = math.log(took / before[1]) / math.log(count / before[0]) if before[0] else math.nan
                how = f"{heads} heads" if schedule == "packed" else schedule
                print(f"{shape:9} {count:5} operations  {how:24} {took:7.2f} s  {what:26} {growth:4.1f}", flush=True)
                before = (count, took)


if __name__ == "__main__":
    main()
