# ruff: noqa: E402  (the number of threads is said before anything counts them)

"""How the time of every algorithm grows, against what the classical algorithm costs; and the page that shows it.

    python benchmarks/growth.py                       # measure all, draw the figure, write the tables of the page
    python benchmarks/growth.py --draw                # the figure and the tables anew from what was measured
    python benchmarks/growth.py --algorithm dijkstra  # one: measured and printed, nothing is written

Each algorithm runs to its end on random hypergraphs with as many hyperedges as vertices, of up to 5 vertices each, of
128 vertices and twice as many again until a run takes half a second: once with all rows in every iteration, and once
with the rows that are awake. What a classical implementation costs is a formula (`COSTS`); `exponent` is the slope of
log time over log cost on the largest three sizes: 1 is growth as that of the classical algorithm. The numbers go to
benchmarks/measured/, the figure to docs/images/growth.svg, and the tables into docs/performance.md, between its marks;
what that page and README.md repeat of them is replaced, too. About five minutes on a quiet machine, once code for
sleeping rows is in the cache.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from executors import HEAVIEST, inputs_of, page, random_hypergraph
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.draw.library import own_settings, save
from hyloop.execute import cpu
from hyloop.execute.encode import Frame, encode, pad
from hyloop.machine.model import Model

HERE = Path(__file__).parent
ROOT = HERE.parent
MEASURED = HERE / "measured"
PAGE, README = ROOT / "docs/performance.md", ROOT / "README.md"
FIGURE = ROOT / "docs/images/growth.svg"

FIRST, LARGEST, SECONDS = 128, 131_072, 0.5
LAST = 3  # sizes that the exponent is taken from
ENGINES = {"native": "all rows", "quiet": "awake rows"}
COLOURS = {"native": "#d55e00", "quiet": "#0072b2"}

Cost = Callable[[int, int], float]
# What a classical implementation costs, from vertices and incidences. Sizes of hyperedges are bounded here,
# so hyperedges that share a vertex are about as many as incidences.
# There are as many hyperedges as vertices: n = m.
FORMULAS: dict[str, Cost] = {
    "I": lambda _, i: i,
    "I log m": lambda n, i: i * math.log2(n),
    "√n I": lambda n, i: math.sqrt(n) * i,
    "n I": lambda n, i: n * i,
    "n I log m": lambda n, i: n * i * math.log2(n),
}
COSTS = {
    **dict.fromkeys(ALGORITHMS, "I"),
    **dict.fromkeys(("dijkstra", "b_distance", "spanning_tree", "weighted_set_cover"), "I log m"),
    **dict.fromkeys(("all_pairs", "closeness", "diameter"), "n I log m"),
    "matching": "√n I",  # Hopcroft and Karp
    "helly": "n I",  # for every two vertices, the hyperedges of both
}
LEFT_OUT = ("subleq",)  # a machine: what it costs is its program's steps


@cache
def hypergraph(size: int) -> hyloop.Hypergraph:
    """As many hyperedges as vertices; a large one takes longer to make than a run on it."""
    return random_hypergraph(size, seed=size)


def oriented(h: hyloop.Hypergraph, name: str) -> hyloop.Hypergraph:
    """From the j-th vertex to the others; for an order, from the lowest-numbered one."""
    vertex, edge = h.incidence.row_numbers(), np.asarray(h.incidence.indices)
    tail = vertex == edge
    if name == "topological":
        lowest = np.full(len(h.hyperedges), len(h.vertices))
        np.minimum.at(lowest, edge, vertex)
        tail = vertex == lowest[edge]
    return hyloop.Hypergraph.from_arrays(vertex, edge, direction=np.where(tail, -1, 1), counts=h.counts)


def run(name: str, model: Model, size: int, engine: str) -> dict[str, Any]:
    """One run to the end, in seconds of the processor; encoding is not counted."""
    h = hypergraph(size)
    h = oriented(h, name) if model.layout.directed else h
    frame = Frame(size, size, tuple(1 + 7 * e % HEAVIEST for e in range(size)), inputs_of(name, size))
    X = encode(model, frame)
    incidence = pad(model, h, frame.size)
    session = cpu.start(model, X, incidence, engine=engine)
    begun = time.process_time()
    while not session.halted()[0] and time.process_time() - begun < 4 * SECONDS:
        session.advance(1_000)
    taken, count = time.process_time() - begun, len(h.incidence.indices)
    cost = FORMULAS[COSTS[name]](size, count)
    return {
        "algorithm": name,
        "engine": engine,
        "size": size,
        "iterations": int(session.iterations()[0]),
        "seconds": taken,
        "cost": cost,
        "ended": bool(session.halted()[0]),
    }


def measured(name: str, seconds: float = SECONDS) -> list[dict[str, Any]]:
    """Larger and larger hypergraphs, until one takes long."""
    model, rows = hyloop.compile(name), []
    for engine in ENGINES:
        run(name, model, 16, engine)  # code is made now
        size = FIRST
        while size <= LARGEST:
            rows.append(run(name, model, size, engine))
            taken, enough = rows[-1]["seconds"], size >= FIRST * 2 ** (LAST - 1)
            if taken > (seconds if enough else 4 * seconds):
                break
            size *= 2
    return rows


def exponent(rows: list[dict[str, Any]], name: str, engine: str) -> float | None:
    """The slope of log time over log cost; None where too few runs came to their end."""
    ended = [row for row in rows if (row["algorithm"], row["engine"]) == (name, engine) and row["ended"]][-LAST:]
    if len(ended) < LAST:
        return None
    points = [(math.log(row["cost"]), math.log(row["seconds"])) for row in ended]
    return float(np.polyfit(*zip(*points, strict=True), 1)[0])


def per_unit(rows: list[dict[str, Any]], name: str, engine: str) -> float | None:
    """Nanoseconds a unit of the classical cost, on the largest hypergraph that was run to the end."""
    ended = [row for row in rows if (row["algorithm"], row["engine"]) == (name, engine) and row["ended"]]
    return 1e9 * ended[-1]["seconds"] / ended[-1]["cost"] if ended else None


# -- the figure and the tables ----------------------------------------------------------------------------------------


def figure(rows: list[dict[str, Any]]) -> Figure:
    """The exponent of every algorithm, with all rows and with those that are awake."""
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    names.sort(key=lambda name: (exponent(rows, name, "quiet") or 9.0, name))
    found = Figure(figsize=(6.4, 0.21 * len(names) + 1.0), layout="constrained", facecolor="white")
    axes = found.add_subplot()
    axes.axvline(1, color="#5b6470", linewidth=1)
    for place, name in enumerate(names):
        ends = {engine: exponent(rows, name, engine) for engine in ENGINES}
        if None not in ends.values():
            axes.plot(list(ends.values()), [place, place], color="#c8cdd3", linewidth=1.5, zorder=1)
        for engine, value in ends.items():
            if value is not None:
                axes.plot([value], [place], "o", ms=4.5, color=COLOURS[engine], zorder=2)
    axes.set_yticks(range(len(names)), [f"{name.replace('_', '-')}  ({COSTS[name]})" for name in names], fontsize=7)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="x", labelsize=7)
    axes.grid(visible=True, axis="x", color="#e3e6ea", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("exponent of time in the classical cost (1: grows as the classical algorithm)", fontsize=8)
    kinds = [Line2D([], [], marker="o", ls="", ms=4.5, color=COLOURS[each], label=ENGINES[each]) for each in ENGINES]
    axes.legend(handles=kinds, fontsize=7, frameon=False, loc="upper right")
    return found


def table(rows: list[dict[str, Any]]) -> str:
    """The same as a table, with nanoseconds a unit of cost."""
    lines = ["| algorithm | classical cost | all rows: exponent | ns a unit | awake rows: exponent | ns a unit |"]
    lines.append("|---|---|---|---|---|---|")
    for name in dict.fromkeys(row["algorithm"] for row in rows):
        cells = [name.replace("_", "-"), COSTS[name]]
        for engine in ENGINES:
            slope, unit = exponent(rows, name, engine), per_unit(rows, name, engine)
            cells += ["–" if slope is None else f"{slope:.2f}", "–" if unit is None else f"{unit:,.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def marked(text: str, mark: str, inside: str) -> str:
    """A page with what stands between two marks replaced."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->\n"
    before, rest = text.split(begin, 1)
    return before + begin + inside + end + rest.split(end, 1)[1]


def write_growth(rows: list[dict[str, Any]]) -> None:
    """The table of growth."""
    PAGE.write_text(marked(PAGE.read_text(encoding="utf-8"), "growth", table(rows)), encoding="utf-8")


def write_iterations(executors: dict[str, Any]) -> None:
    """The tables of an iteration, and the figures that the text repeats."""
    sizes = sorted({row["K"] - 1 for row in executors["rows"]})
    text = PAGE.read_text(encoding="utf-8")
    first, *others = page(executors["rows"], sizes).split("\n\n")
    for mark, part in (("dijkstra", first), ("cpu", others[0]), ("dense", others[1])):
        text = marked(text, mark, part.strip("\n") + "\n")
    dijkstra = {row["K"]: row for row in executors["rows"] if row["algorithm"] == "dijkstra"}
    for size, row in dijkstra.items():
        text = re.sub(
            rf"(\| Dijkstra, dense ÷ cpu at K = {size:,} \|[^|]*\|) [\d,]+ \|", rf"\g<1> {row['ratio']:,.0f} |", text
        )
    row = dijkstra[1001]
    slow, middle, fast = round(row["dense_us"]), round(row["numpy_us"]), round(row["native_us"], 2)  # as the table
    shares = f"{slow / middle:.0f}", f"{middle / fast:.0f}"
    text = re.sub(r"It is \d+(\s+)times as fast as dense", rf"It is {shares[0]}\g<1>times as fast as dense", text)
    text = re.sub(r"for Dijkstra, \d+(\s+)times slower", rf"for Dijkstra, {shares[1]}\g<1>times slower", text)
    PAGE.write_text(text, encoding="utf-8")
    readme = README.read_text(encoding="utf-8")
    readme = re.sub(r"[\d.]+ µs an(\s+)iteration of Dij", rf"{row['native_us']:.2f} µs an\g<1>iteration of Dij", readme)
    readme = re.sub(r"the formulas take [\d,]+ µs", f"the formulas take {row['dense_us']:,.0f} µs", readme)
    README.write_text(readme, encoding="utf-8")


def main() -> None:
    """Measure, draw and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithm", nargs="*", choices=list(ALGORITHMS))
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="no larger size after a run of so long")
    given = parser.parse_args()
    if given.algorithm:
        print(table([row for name in given.algorithm for row in measured(name, given.seconds)]))
        return
    files = MEASURED / "executors.json", MEASURED / "growth.json"
    if not given.draw:
        MEASURED.mkdir(exist_ok=True)
        subprocess.run([sys.executable, str(HERE / "executors.py"), "--json", str(files[0])], check=True)
        rows = []
        for name in ALGORITHMS:
            if name not in LEFT_OUT:
                rows += measured(name, given.seconds)
                print(table(rows[-1:]).splitlines()[-1], flush=True)
        machine = {"machine": platform.machine(), "python": platform.python_version(), "numpy": np.__version__}
        files[1].write_text(json.dumps(machine | {"rows": rows}, indent=1) + "\n", encoding="utf-8")
    rows = json.loads(files[1].read_text(encoding="utf-8"))["rows"]
    with own_settings():
        save(figure(rows), FIGURE)
    write_growth(rows)
    if files[0].exists():
        write_iterations(json.loads(files[0].read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
