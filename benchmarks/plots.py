"""The figures of docs/performance.md as pictures: time against rows, growth, PyTorch, and the softmax relaxation.

    python benchmarks/plots.py --into docs/images [--json FOLDER] [--quick] [--page docs/performance.md]

Runs executors.py (three algorithms), scaling.py, others.py and softmax.py, some minutes on a quiet machine, and plots
what they write. With `--json`, their files are kept in that folder, and one that is there already is not measured
again. With `--page`, times are those of the tables of that page, so that page and pictures agree. `--quick` takes few
and small sizes: to see that it works, not what it shows. Needs matplotlib; what needs torch is left out where torch is
not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from hyloop.draw.library import own_settings, save

HERE = Path(__file__).parent
WIDTH, HEIGHT = 3.4, 2.5  # inches: a column of a paper
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#a8497f", "#5b4b9a")
SHAPES = "os^Dv"


@dataclass(frozen=True)
class Benchmark:
    """A script of this folder, with the options that it is run with."""

    name: str
    options: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    needs: str | None = None


BENCHMARKS = (
    Benchmark(
        "executors",
        ("--algorithm", "dijkstra", "levels", "motifs"),
        ("--algorithm", "dijkstra", "levels", "--rows", "16", "64", "256"),
    ),
    Benchmark("scaling", (), ("--algorithm", "dijkstra", "levels", "--sizes", "100", "316", "1000")),
    Benchmark("others", (), ("--rows", "16", "64"), needs="torch"),
    Benchmark("softmax", (), ("examples/harbour.hif.json",), needs="torch"),
)


def measured(benchmark: Benchmark, folder: Path, *, quick: bool) -> Any:
    """What a benchmark writes, from its file if that is there; None without the library that it needs."""
    file = folder / f"{benchmark.name}.json"
    if not file.exists():
        if benchmark.needs is not None and find_spec(benchmark.needs) is None:
            print(f"{benchmark.name}: left out, for {benchmark.needs} is not here.")
            return None
        options = benchmark.quick if quick else benchmark.options
        script = str(HERE / f"{benchmark.name}.py")
        command = [sys.executable, script, *options, "--json", str(file.resolve())]
        print(" ".join(["python", f"benchmarks/{benchmark.name}.py", *options]), flush=True)
        subprocess.run(command, check=True, cwd=HERE.parent)
    return json.loads(file.read_text(encoding="utf-8"))


# -- pictures ---------------------------------------------------------------------------------------------------------


def blank(x: str, y: str) -> tuple[Figure, Axes]:
    """A figure with logarithmic axes, for a column of a paper."""
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x, fontsize=8)
    axes.set_ylabel(y, fontsize=8)
    axes.tick_params(labelsize=7, which="both")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
        axis.set_minor_formatter("")
    axes.grid(visible=True, color="#e3e6ea", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def plain(value: float) -> str:
    """A tick: 0.01, 1,000, 10⁸."""
    if 1e-3 <= value < 1e7:
        return f"{value:,.0f}" if value >= 1 else f"{value:g}"
    digits = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return "10" + str(round(float(np.log10(value)))).translate(digits)


def told(axes: Axes, **more: object) -> None:
    """A legend that takes little room."""
    axes.legend(fontsize=6.5, frameon=False, handlelength=2.2, labelspacing=0.3, **more)  # type: ignore[arg-type]


def by_algorithm(rows: list[dict[str, Any]]) -> Iterator[tuple[int, str, list[dict[str, Any]]]]:
    """The rows of each algorithm, in order of their first."""
    for number, name in enumerate(dict.fromkeys(row["algorithm"] for row in rows)):
        yield number, name, [row for row in rows if row["algorithm"] == name]


def iteration(document: dict[str, Any]) -> Figure:
    """Microseconds an iteration against rows: the formulas as they stand, and the cpu executor."""
    figure, axes = blank("rows K", "µs an iteration")
    for number, name, rows in by_algorithm(document["rows"]):
        for key, line, title in (("dense_us", "--", "dense"), ("native_us", "-", "cpu")):
            points = [(row["K"], row[key]) for row in rows if row[key] is not None]
            axes.plot(*zip(*points, strict=True), line, marker=SHAPES[number], ms=3, lw=1.1, color=COLOURS[number],
                      mfc="white" if key == "dense_us" else None, label=f"{name}, {title}")  # fmt: skip
    told(axes, loc="upper left")
    return figure


def growth(document: dict[str, Any]) -> Figure:
    """Microseconds an iteration against rows and incidences, with the slope."""
    figure, axes = blank("rows + incidences", "µs an iteration (cpu)")
    for number, name, rows in by_algorithm(document["rows"]):
        work = np.array([row["K"] + row["incidences"] for row in rows], float)
        times = np.array([row["us"] for row in rows])
        slope, begin = np.polyfit(np.log(work), np.log(times), 1)
        axes.plot(work, times, SHAPES[number], ms=3.5, color=COLOURS[number], label=f"{name}: exponent {slope:.2f}")
        axes.plot(work, np.exp(begin) * work**slope, "-", lw=0.9, color=COLOURS[number], alpha=0.7)
    told(axes, loc="upper left")
    return figure


def against_torch(rows: list[dict[str, Any]]) -> Figure:
    """The same weights in PyTorch, in the formulas of numpy, and in the cpu executor."""
    figure, axes = blank("rows K", "µs an iteration")
    for number, (key, name) in enumerate((("torch_us", "PyTorch, eager"), ("dense_us", "dense"), ("cpu_us", "cpu"))):
        axes.plot([row["K"] for row in rows], [row[key] for row in rows], f"-{SHAPES[number]}", ms=3.5, lw=1.1,
                  color=COLOURS[number], label=name)  # fmt: skip
    axes.set_title(rows[0]["algorithm"], fontsize=8, loc="left")
    told(axes, loc="center right")
    return figure


def relaxation(document: list[dict[str, Any]]) -> Figure:
    """The largest error of a distance against the temperature of the softmax; an error of 0 stands at the bottom."""
    figure, axes = blank("temperature of the softmax", "largest error of a distance")
    bottom, top = 1e-15, 1e13
    for number, each in enumerate(document):
        temperatures = [row["temperature"] for row in each["rows"]]
        errors = np.clip([row["distance"] for row in each["rows"]], bottom, top)
        name = f"{each['file'].partition('.')[0]}, {each['capacity']} capacity"
        axes.plot(temperatures, errors, f"-{SHAPES[number]}", ms=3, lw=1, color=COLOURS[number], label=name)
    axes.set_ylim(bottom / 10, top)
    axes.yaxis.set_major_locator(FixedLocator([bottom, 1e-10, 1e-5, 1, 1e5, 1e10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: "0" if value <= bottom else plain(value)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.invert_xaxis()
    told(axes, loc="lower left", bbox_to_anchor=(0, 0.06))
    return figure


# -- the tables of the page -------------------------------------------------------------------------------------------


def tables(page: str) -> Iterator[list[dict[str, str]]]:
    """The tables of a Markdown page, a dictionary for each row."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else [] for line in
             page.splitlines()]  # fmt: skip
    begins = [number for number, cells in enumerate(lines) if cells and (number == 0 or not lines[number - 1])]
    for begin in begins:
        end = next((number for number in range(begin, len(lines)) if not lines[number]), len(lines))
        yield [dict(zip(lines[begin], cells, strict=True)) for cells in lines[begin + 2 : end]]


def from_page(page: str) -> dict[str, Any]:
    """What the benchmarks wrote when the page was written, as far as its tables tell."""
    found = list(tables(page))
    cpu, dense = [rows for rows in found if rows and {"algorithm", "K = 17"} <= set(rows[0])]
    sizes = [name for name in dense[0] if name.startswith("K = ")]
    shown = ("dijkstra", "levels", "motifs")
    executors = [
        {"algorithm": slow["algorithm"], "K": figure(size[4:]), "dense_us": figure(slow[size]),
         "native_us": figure(fast[size])}
        for fast, slow in zip(cpu, dense, strict=True) for size in sizes if slow["algorithm"] in shown
    ]  # fmt: skip
    growing = next(rows for rows in found if rows and {"dijkstra µs", "levels µs"} <= set(rows[0]))
    scaling = [
        {"algorithm": name, "K": figure(row["K"]), "incidences": figure(row["incidences"]),
         "us": figure(row[f"{name} µs"])}
        for name in ("dijkstra", "levels") for row in growing
    ]  # fmt: skip
    compared = next(rows for rows in found if rows and "PyTorch µs" in rows[0])
    others = [
        {"algorithm": "dijkstra", "K": figure(row["K"]), "torch_us": figure(row["PyTorch µs"]),
         "dense_us": figure(row["dense µs"]), "cpu_us": figure(row["cpu µs"])}
        for row in compared
    ]  # fmt: skip
    return {"executors": {"rows": executors}, "scaling": {"rows": scaling}, "others": others}


def figure(text: str) -> float:
    """A number of a table."""
    return float(text.replace(",", ""))


PICTURES = {
    "executors": ("benchmark-iteration.svg", iteration),
    "scaling": ("benchmark-growth.svg", growth),
    "others": ("benchmark-torch.svg", against_torch),
    "softmax": ("benchmark-softmax.svg", relaxation),
}


def main() -> int:
    """Measure or read, and plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="where the pictures go")
    parser.add_argument("--json", type=Path, metavar="FOLDER", help="where the figures are kept, or are already")
    parser.add_argument("--page", type=Path, metavar="FILE", help="take times from the tables of this page")
    parser.add_argument("--quick", action="store_true", help="few and small sizes")
    parser.add_argument("--png", action="store_true", help="pictures as pixels, too")
    given = parser.parse_args()
    told_already = from_page(given.page.read_text(encoding="utf-8")) if given.page else {}
    with tempfile.TemporaryDirectory() as folder:
        kept: Path = given.json or Path(folder)
        for place in (kept, given.into):
            place.mkdir(parents=True, exist_ok=True)
        for benchmark in BENCHMARKS:
            document = told_already.get(benchmark.name) or measured(benchmark, kept, quick=given.quick)
            if document is None:
                continue
            file, picture = PICTURES[benchmark.name]
            with own_settings():
                drawn = picture(document)
            for target in [file, *([file.replace(".svg", ".png")] if given.png else [])]:
                save(drawn, given.into / target)
                print(f"Wrote {given.into / target}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
