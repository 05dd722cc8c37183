"""The transformer on a GPU: `python benchmarks/gpu.py rates|alone|transfers|equal [--algorithms A B] [--sizes 20 100]`.

`rates` prints loop iterations and whole runs a second, by CUDA events, from packed arrays on the device to packed
arrays on the device, with the numbers 32 and 64 bits wide. `alone` runs one hypergraph. `equal` compares final states,
iterations and outputs with the cpu backend on random hypergraphs of 1 to 60 rows, a share in each of several processes.
`transfers` prints what the copies between host and GPU take.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

from hyloop.algorithms import ALGORITHMS
from hyloop.batch_runs import fitted, inputs_of_part, limits, random_inputs, readings, run_packed
from hyloop.errors import HyloopError
from hyloop.execute.cuda.launch import SHAPES, Launch
from hyloop.execute.cuda.machines import Gpu
from hyloop.execute.prepare import program_of
from hyloop.fitting import compiled
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.lang.matrices import uses_direction
from hyloop.sweep import Sweep, sweep

INCIDENCES = 60_000_000  # of a batch, about
SHORT = 0.4  # seconds that a batch of a comparison takes, at least, where it may be larger


def batch_for(name: str, n: int, count: int, xp: Any) -> HypergraphBatch:
    """Random hypergraphs of n vertices and n hyperedges."""
    directed = uses_direction(program_of(name))
    return HypergraphBatch.random(count, seed=7, vertices=n, hyperedges=n, directed=directed, xp=xp)


def equal(name: str, wanted: Any, seed: int, machine: Any, shapes: Any) -> list[Sweep]:
    """Sweeps until so many hypergraphs and iterations were compared with cpu, or the time is over."""
    found: list[Sweep] = []
    end, size = time.monotonic() + wanted.seconds, min(wanted.count, wanted.batch)
    while True:
        sample = max(0, wanted.sample - sum(each.interpreted for each in found))
        own, began = seed * 1_000_003 + len(found), time.monotonic()
        found.append(sweep(name, size, seed=own, sample=sample, machine=machine, shapes=shapes, processes=wanted.each))
        inputs, iterations = (sum(getattr(each, what) for each in found) for what in ("inputs", "iterations"))
        enough = inputs >= wanted.count and iterations >= wanted.iterations
        if enough or time.monotonic() > end or not found[-1].agrees:
            return found
        size = min(wanted.batch, size if time.monotonic() - began > SHORT else 2 * size)


def share(number: int, names: list[str], options: Any) -> int:
    """What one of several processes compares, with seeds of its own; one thread computes while another waits."""
    several = options.processes * options.threads
    wanted = argparse.Namespace(**vars(options))
    wanted.each = 1
    for key in ("count", "iterations", "sample"):
        setattr(wanted, key, -(-getattr(options, key) // several))
    machines, wrong = [Gpu() for _ in range(options.threads)], 0
    seeds = range((options.seed * options.processes + number) * options.threads, 2**32)
    for name in names:
        began = time.perf_counter()
        try:
            sweep(name, 2, sample=0, machine=machines[0], processes=1)  # compiles it, once
            with ThreadPoolExecutor(options.threads) as pool:
                waiting = [
                    pool.submit(equal, name, wanted, *each, SHAPES) for each in zip(seeds, machines, strict=False)
                ]
                found = [each for one in waiting for each in one.result()]
        except HyloopError as refused:
            print(json.dumps({"algorithm": name, "refused": str(refused)}), flush=True)
            wrong += 1
            continue
        wrong += _told(name, number, found, time.perf_counter() - began)
    return wrong


def _told(name: str, number: int, found: list[Sweep], took: float) -> int:
    """Print a line of JSON; returns how many hypergraphs differ."""
    summed = ("inputs", "iterations", "compared", "interpreted", "left", "guessed_wrong", "seconds")
    totals = {key: sum(getattr(each, key) for each in found) for key in summed}
    differ = [str(each) for part in found for each in part.findings]
    about = {"algorithm": name, "process": number, "bits": max(each.bits for each in found)}
    print(json.dumps({**about, **totals, "took": took, "differences": differ[:3]}), flush=True)
    return len(differ)


def shares(names: list[str], options: Any) -> int:
    """Several processes side by side; each prints a line of JSON for an algorithm."""
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        return sum(
            pool.map(share, range(options.processes), *([each] * options.processes for each in (names, options)))
        )


def rate(name: str, n: int, machine: Any, *, wide: bool, shapes: Any = SHAPES, seconds: float = 0.3) -> dict[str, Any]:
    """Iterations and runs a second, by events."""
    program = program_of(name)
    count = max(256, min(4_000_000, int(INCIDENCES / (3.5 * n))))
    while True:
        batch = batch_for(name, n, count, machine.xp)
        inputs = random_inputs(program, batch)
        model = compiled(program, None) if wide else fitted(program, batch, inputs)
        launch = Launch(model, machine, readings(model), shapes=shapes)
        limit = machine.xp.asarray(limits(program, batch))
        launch.run(batch.part(0, 64), inputs_of_part(program, inputs, batch, 0, min(64, len(batch))), limit[:64])
        machine.seconds, machine.timed = 0.0, True
        began = time.perf_counter()
        ran = launch.run(batch, inputs, limit)
        machine.xp.cuda.Device().synchronize()
        wall = time.perf_counter() - began
        if machine.seconds < 10 * seconds or count <= 256:
            break
        count //= 10
    done = int(ran.iterations.sum())
    return {"bits": launch.bits, "runs": count, "iterations": done, "seconds": machine.seconds, "wall": wall}


def transfers(name: str, n: int, machine: Any) -> None:
    """Print what the copies take, apart from the run: a packed batch to the GPU, its results back."""
    xp = machine.xp
    drawn = batch_for(name, n, int(INCIDENCES / (3.5 * n)), xp)
    given = {key: value.get() for key, value in random_inputs(program_of(name), drawn).items()}
    host = drawn.to(np)

    def timed(work: Any) -> tuple[Any, float]:
        xp.cuda.Device().synchronize()
        began = time.perf_counter()
        made = work()
        xp.cuda.Device().synchronize()
        return made, time.perf_counter() - began

    timed(lambda: (host.to(xp), xp.asarray(host.member).get()))  # the first has the allocations
    (batch, inputs), there = timed(lambda: (host.to(xp), {key: xp.asarray(value) for key, value in given.items()}))
    run_packed(name, batch, inputs)
    found, whole = timed(lambda: run_packed(name, batch, inputs))
    kept = [*found.arrays.values(), found.iterations, found.halted]
    _, back = timed(lambda: [each.get() for each in kept])
    sent = sum(
        getattr(host, each).nbytes for each in ("vertices", "hyperedges", "member_at", "member", "role", "weight")
    )
    sent += sum(value.nbytes for value in given.values())
    read = sum(each.nbytes for each in kept)
    print(
        f"{name:18} n={n:<5} {len(host):>9,} runs: to the GPU {sent / 1e6:.0f} MB in {there * 1e3:.1f} ms, the call "
        f"{whole * 1e3:.1f} ms, back {read / 1e6:.0f} MB in {back * 1e3:.1f} ms",
        flush=True,
    )


def main() -> int:
    """Print a table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["rates", "alone", "equal", "transfers"])
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 100, 300, 1000])
    parser.add_argument("--count", type=int, default=10_000, help="equal: hypergraphs of each algorithm, at least")
    parser.add_argument("--iterations", type=int, default=0, help="equal: iterations of each algorithm, at least")
    parser.add_argument("--seconds", type=float, default=1e9, help="equal: no more for an algorithm after so long")
    parser.add_argument("--batch", type=int, default=40_000, help="equal: hypergraphs at a time")
    parser.add_argument("--sample", type=int, default=1000, help="equal: hypergraphs that are also interpreted")
    parser.add_argument("--processes", type=int, default=1, help="equal: so many side by side, each with its share")
    parser.add_argument("--threads", type=int, default=1, help="equal: of each process")
    parser.add_argument("--seed", type=int, default=0, help="equal: other hypergraphs")
    parser.add_argument("--shape", default="", help="rows,threads,rows a thread: instead of the table of shapes")
    parser.add_argument("--wide", action="store_true", help="the model at its default capacity, too")
    options = parser.parse_args()
    shapes = [tuple(map(int, options.shape.split(",")))] if options.shape else SHAPES
    options.each = None  # processes or threads that compare: all cores
    if options.what == "equal" and options.processes > 1:
        return int(shares(options.algorithms, options) > 0)
    machine, wrong = Gpu(), 0
    for name in options.algorithms:
        if any(output.form == "stream" for output in program_of(name).outputs) and options.what == "rates":
            continue
        try:
            wrong += _row(name, options, machine, shapes)
        except HyloopError as refused:
            print(f"{name:18} {refused}", flush=True)
            wrong += 1
    return int(wrong > 0)


def _row(name: str, options: Any, machine: Any, shapes: Any) -> int:
    """Print a row, or a few; returns how many hypergraphs differ."""
    if options.what == "equal":
        found = equal(name, options, options.seed, machine, shapes)
        for each in found:
            print(each.verdict, flush=True)
        return sum(len(each.findings) for each in found)
    for n in options.sizes:
        for wide in [False, True] if options.wide else [False]:
            if options.what != "rates":
                _alone(name, n, machine, shapes) if options.what == "alone" else transfers(name, n, machine)
                continue
            r = rate(name, n, machine, wide=wide, shapes=shapes)
            print(
                f"{name:18} n={n:<5} {r['bits']} bits {r['runs']:>9,} runs {r['iterations']:>13,} iterations "
                f"{r['seconds']:7.3f} s  {r['iterations'] / r['seconds']:8.2e} it/s  {r['runs'] / r['seconds']:8.2e} "
                f"runs/s (wall {r['wall']:.3f} s)",
                flush=True,
            )
    return 0


def _alone(name: str, n: int, machine: Any, shapes: Any) -> None:
    program = program_of(name)
    batch = batch_for(name, n, 1, machine.xp)
    inputs = random_inputs(program, batch)
    launch = Launch(fitted(program, batch, inputs), machine, shapes=shapes)
    limit = limits(program, batch)

    def fastest(most: Any) -> tuple[int, float]:
        best = float("inf")
        for _ in range(20):
            machine.seconds, machine.timed = 0.0, True
            ran = launch.run(batch, inputs, most)
            best = min(best, machine.seconds)
        return int(ran.iterations.sum()), best

    done, whole = fastest(limit)
    few, begun = fastest(limit * 0 + max(1, done // 4))  # launch and encoding are in both
    marginal = f", {(whole - begun) * 1e6 / (done - few):.3f} us for one more" if done > few else ""
    print(f"{name:18} n={n:<5} alone: {done} iterations, {whole * 1e6 / done:.3f} us each{marginal}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
