"""What a page of the viewer costs: its size, its first frame, a run in it, a frame of each tab; in Chromium.

    python benchmarks/page.py [--runs 20] [--seeks 100] [--keep FOLDER] [--json FILE]

Times of the processor are those of the page's own thread, so they hold on a busy machine, too; times on the clock mean
something on a quiet one only. Scrubbing a run of 10,000 iterations is measured by benchmarks/viewer.py.
Needs playwright and a Chromium: `pip install playwright`, `apt-get install chromium`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop.viewer.playground import playground
from viewer import SCRUB, Processor, chromium, orders, random_hypergraph

ROOT = Path(__file__).parents[1]
VERTICES, HYPEREDGES = 100, 300
ALGORITHMS = ("dijkstra", "scc", "dfs", "core_numbers")
TABS = ("variables", "attention", "state", "machine", "story")
MOST = {"demo": 400e3, "all": 1e6}  # bytes
MOST_RUN_MS, MOST_FIRST_S, MOST_FRAME_MS = 50, 1.0, 1000 / 60

# A run of an algorithm in the page, on a hypergraph that is the same every time.
GIVEN = """([name, vertices, hyperedges]) => {
  let seed = 7;
  const below = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const labels = Array.from({length: vertices}, (_, v) => `v${v}`);
  const edge = (_, e) => {
    const members = new Set();
    while (members.size < 2 + (e % 3)) members.add(labels[below(vertices)]);
    const [tail, ...heads] = members;
    const sides = name === "scc" ? {tails: [tail], heads} : {};
    return {name: `e${e}`, weight: String(1 + below(99)), members: [...members], ...sides};
  };
  const {inputs} = hyloop.runs.algorithms.find((each) => each.name === name);
  window.given = {
    algorithm: name,
    hypergraph: {name: "random", vertices: labels, hyperedges: Array.from({length: hyperedges}, edge)},
    inputs: Object.fromEntries(inputs.map((each) => [each.name, "v0"])),
    positions: {vertices: labels.map((label, v) => [label, [(1 + Math.cos(v)) / 2, (1 + Math.sin(v)) / 2]])},
  };
}"""
RUN = """async () => {
  const begun = performance.now();
  const {recorded} = await hyloop.runs.run(given);
  return {ms: performance.now() - begun, iterations: recorded.iterations};
}"""


def written(folder: Path) -> dict[str, Path]:
    """The pages: the demo's, one with all algorithms, and one of a run on 100 vertices."""
    harbour = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    run = hyloop.trace("dijkstra", harbour, name="harbour.hif.json", source="Quay")
    larger = hyloop.trace("dijkstra", random_hypergraph(HYPEREDGES, vertices=VERTICES), source=0)
    pages = {each: folder / f"{each}.html" for each in ("demo", "all", "larger")}
    run.save(pages["demo"])
    pages["all"].write_text(
        playground("dijkstra", harbour, {"source": "Quay"}, name="harbour.hif.json"), encoding="utf-8"
    )
    larger.save(pages["larger"])
    return pages


def opened(browser: Any, page: Path) -> tuple[Any, Processor, float]:
    """A tab with a page that shows its first frame, and the seconds until it did."""
    tab = browser.new_context(viewport={"width": 1400, "height": 875}).new_page()
    processor = Processor(tab)
    begun = time.perf_counter()
    tab.goto(page.as_uri(), wait_until="commit")
    tab.wait_for_selector("#app[data-frame]", timeout=120_000)
    return tab, processor, time.perf_counter() - begun


def first_frame(browser: Any, page: Path, times: int = 7) -> dict[str, float]:
    """Medians: seconds until the first frame, and milliseconds of the processor for it."""
    seconds, busy = [], []
    for _ in range(times):
        tab, processor, took = opened(browser, page)
        seconds.append(took)
        busy.append(processor.since()["all"])
        tab.context.close()
    return {"s": float(np.median(seconds)), "cpu_ms": float(np.median(busy))}


def runs(browser: Any, page: Path, name: str, times: int) -> dict[str, Any]:
    """Medians of runs of an algorithm in the page, the first of which compiles the script and is told apart."""
    tab, processor, _ = opened(browser, page)
    tab.wait_for_timeout(500)
    tab.evaluate(GIVEN, [name, VERTICES, HYPEREDGES])
    busy, clock, found = [], [], {}
    for _ in range(times):
        processor.since()
        found = tab.evaluate(RUN)
        busy.append(processor.since()["all"])
        clock.append(found["ms"])
    tab.context.close()
    return {
        "algorithm": name,
        "iterations": found["iterations"],
        "first_cpu_ms": busy[0],
        "cpu_ms": float(np.median(busy)),
        "best_cpu_ms": min(busy),
        "ms": float(np.median(clock)),
    }


def frames(browser: Any, page: Path, tab_name: str, count: int, seeks: int) -> dict[str, Any]:
    """Milliseconds of the processor for a frame while a tab is open, by what they are spent on."""
    tab, processor, _ = opened(browser, page)
    tab.evaluate("name => { hyloop.show(name); }", tab_name)
    order = orders(count, seeks)["one by one"]
    tab.evaluate(SCRUB, order[:20])
    processor.since()
    tab.evaluate(SCRUB, order)
    found = {what: spent / len(order) for what, spent in processor.since().items()}
    tab.context.close()
    return {"tab": tab_name, **found}


def measured(folder: Path, times: int, seeks: int) -> dict[str, Any]:
    """Everything."""
    pages = written(folder)
    count = len(hyloop.Trace.load(pages["larger"]))
    with chromium() as browser:
        return {
            "bytes": {name: pages[name].stat().st_size for name in MOST},
            "first": {name: first_frame(browser, page) for name, page in pages.items()},
            "runs": [runs(browser, pages["all"], name, times) for name in ALGORITHMS],
            "frames": [frames(browser, pages["larger"], name, count, seeks) for name in TABS],
            "browser": browser.version,
        }


def table(title: str, headings: list[str], rows: list[list[str]]) -> Table:
    """A table; the first column holds names."""
    made = Table(title=title)
    for k, heading in enumerate(headings):
        made.add_column(heading, justify="right" if k else "left")
    for row in rows:
        made.add_row(*row)
    return made


def reached(value: float, most: float) -> str:
    """Whether a figure is within what is wanted."""
    return "yes" if value <= most else "no"


def tables(found: dict[str, Any]) -> list[Table]:
    """The figures, as they are printed."""
    pages = [
        [
            name,
            f"{found['bytes'][name] / 1e3:.0f} kB" if name in MOST else "",
            reached(found["bytes"][name], MOST[name]) if name in MOST else "",
            f"{first['s']:.2f} s",
            f"{first['cpu_ms']:.0f} ms",
            reached(first["s"], MOST_FIRST_S),
        ]
        for name, first in found["first"].items()
    ]
    ran = [
        [
            each["algorithm"],
            f"{each['iterations']}",
            *(f"{each[key]:.0f}" for key in ("first_cpu_ms", "cpu_ms", "best_cpu_ms", "ms")),
            reached(each["cpu_ms"], MOST_RUN_MS),
        ]
        for each in found["runs"]
    ]
    tabs = [
        [
            each["tab"],
            *(f"{each[key]:.1f}" for key in ("all", "script", "layout", "style")),
            reached(each["all"], MOST_FRAME_MS),
        ]
        for each in found["frames"]
    ]
    return [
        table("pages", ["page", "size", "small enough", "first frame", "processor", "< 1 s"], pages),
        table(
            f"a run in the page, {VERTICES} vertices and {HYPEREDGES} hyperedges: ms",
            ["algorithm", "iterations", "first, processor", "median", "best", "median, clock", "≤ 50 ms"],
            ran,
        ),
        table("ms of the processor for a frame", ["tab", "all", "script", "layout", "style", "≤ 16.7 ms"], tabs),
    ]


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seeks", type=int, default=100)
    parser.add_argument("--keep", type=Path, help="a folder for the pages")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = given.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        found = measured(kept, given.runs, given.seeks)
    console = Console(width=max(100, Console().width))
    for each in tables(found):
        console.print(each)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
