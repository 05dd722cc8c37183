"""The transformer on a GPU: `python benchmarks/gpu.py rates|alone|equal [--algorithms A B] [--sizes 20 100]`.

`rates` prints loop iterations and whole runs a second, by CUDA events, from packed arrays on the device to packed
arrays on the device, with the numbers 32 and 64 bits wide. `alone` runs one hypergraph. `equal` compares final states,
iterations and outputs with the cpu backend on random hypergraphs of 1 to 60 rows. Every other table compares a sample.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from hyloop.algorithms import ALGORITHMS
from hyloop.batch_runs import fitted, inputs_of_part, limits, part_of, random_inputs, readings
from hyloop.errors import HyloopError
from hyloop.execute import backends
from hyloop.execute.cuda.launch import SHAPES, Launch
from hyloop.execute.cuda.machines import Gpu, Machine
from hyloop.execute.cuda.source import INEXACT
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import program_of
from hyloop.fitting import compiled
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.lang.matrices import uses_direction
from hyloop.machine.model import Model
from hyloop.sweep import on_host

INCIDENCES = 60_000_000  # of a batch, about


def batch_for(name: str, n: int, count: int, xp: Any, *, odd: bool = False) -> HypergraphBatch:
    """Random hypergraphs of n vertices and n hyperedges; or of any sizes up to n, few members or many."""
    directed = uses_direction(program_of(name))
    if not odd:
        return HypergraphBatch.random(count, seed=7, vertices=n, hyperedges=n, directed=directed, xp=xp)
    return HypergraphBatch.random(
        count, seed=9, vertices=(1, n), hyperedges=(1, n), sizes=(0, 6), directed=directed, xp=xp
    )


def difference(model: Model, batch: HypergraphBatch, inputs: dict[str, Any], ran: Any, places: Any) -> list[int]:
    """The hypergraphs whose iterations or whole last states differ from those of the cpu backend."""
    program, bad = model.parsed, []
    most = limits(program, batch)
    for place in places:
        h, counts = batch[place], (int(batch.vertices[place]), int(batch.hyperedges[place]))
        own = {each.name: part_of(inputs[each.name], each.type.scope, batch, place) for each in program.inputs}
        weights = batch.weight[batch.hyperedge_at[place] : batch.hyperedge_at[place + 1]]
        X = encode(model, Frame(*counts, tuple(weights.tolist()), own))
        session = backends.start("cpu", model, X, pad(model, h, len(X)))
        session.advance(int(most[place]))
        state = ran[1][ran[2][place] : ran[2][place + 1]].reshape(X.shape[1], len(X)).T
        if session.iterations()[0] != ran[0][place] or not np.array_equal(session.state(), state):
            bad.append(place)
    return bad


def compared(
    model: Model, machine: Machine, batch: HypergraphBatch, inputs: dict[str, Any], shapes: Any
) -> tuple[int, str]:
    """Run with whole states, and compare all with cpu: how many differ, and that in words."""
    ran = Launch(model, machine, whole=True, shapes=shapes).run(batch, inputs, limits(model.parsed, batch))
    kept = [on_host(each) for each in (ran.iterations, ran.state, ran.state_at)]
    host = batch.to(np)
    there = {name: on_host(array) for name, array in inputs.items()}
    chunks = np.array_split(np.arange(len(host)), 64)
    found = Parallel(n_jobs=-1)(delayed(difference)(model, host, there, kept, chunk) for chunk in chunks if len(chunk))
    bad = [place for each in found for place in each]
    odd = int((ran.status == INEXACT).sum())
    return len(bad), f"{len(bad)} of {len(host):,} differ, {odd} inexact, {int(kept[0].sum()):,} iterations {bad[:3]}"


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


def main() -> int:
    """Print a table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["rates", "alone", "equal"])
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 100, 300, 1000])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--shape", default="", help="rows,threads,rows a thread: instead of the table of shapes")
    parser.add_argument("--wide", action="store_true", help="the model at its default capacity, too")
    options = parser.parse_args()
    shapes = [tuple(map(int, options.shape.split(",")))] if options.shape else SHAPES
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
        program = program_of(name)
        batch = batch_for(name, 60, options.count, machine.xp, odd=True)
        inputs = random_inputs(program, batch)
        began = time.perf_counter()
        differ, found = compared(fitted(program, batch, inputs), machine, batch, inputs, shapes)
        print(f"{name:18} {found}  ({time.perf_counter() - began:.0f} s)", flush=True)
        return differ
    for n in options.sizes:
        for wide in [False, True] if options.wide else [False]:
            if options.what == "alone":
                _alone(name, n, machine, shapes)
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
