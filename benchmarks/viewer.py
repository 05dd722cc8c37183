"""How large the page of a long run is, how fast it opens, and how smoothly it scrubs, in Chromium.

    python benchmarks/viewer.py [--run dijkstra motifs] [--layers] [--seeks 300] [--keep FOLDER] [--json FILE]

The runs have 300 vertices and more than 10,000 iterations. The page is driven over all of its frames, and every seek is
timed inside it. These figures mean something on a quiet machine only; the time of the processor, which is that of the
page's own thread, on a busy one, too. What else a page costs is measured by benchmarks/page.py.
Needs playwright and a Chromium: `pip install playwright`, `apt-get install chromium`.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import hyloop

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
VERTICES = 300
RUNS = {"dijkstra": 10_000, "motifs": 142}  # algorithm: hyperedges
MOST_BYTES = 20e6
MOST_MS = 1000 / 60
SHOWN = ("script_ms", "drawing_ms", "between_ms")
SPENT = {
    "all": "TaskDuration",
    "script": "ScriptDuration",
    "layout": "LayoutDuration",
    "style": "RecalcStyleDuration",
}

# Seeks one after the other, each when the frame before is on the screen. `drawing` is how long one keeps the page's
# thread busy: the seek itself, the viewer's drawing, and style, layout and paint after it; `script` is that without the
# last three. `between` is what a person sees: the time from one frame of the screen to the next.
SCRUB = """async (frames) => {
  const app = document.getElementById("app");
  const channel = new MessageChannel();
  const afterPaint = () => new Promise((done) => { channel.port1.onmessage = done; channel.port2.postMessage(0); });
  const tasks = [];
  const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)));
  watch.observe({type: "longtask"});
  const found = {script: [], drawing: [], between: []};
  let last = 0;
  for (const frame of frames) {
    let [begin, sought] = [0, 0];
    requestAnimationFrame(() => { begin = performance.now(); });  // before the viewer's, in the same frame
    const asked = performance.now();
    hyloop.seek(frame);
    sought = performance.now() - asked;
    const now = await new Promise(requestAnimationFrame);  // after the viewer's
    const drawn = performance.now();
    await afterPaint();
    found.script.push(sought + drawn - begin);
    found.drawing.push(sought + performance.now() - begin);
    if (last) found.between.push(now - last);
    last = now;
    if (app.dataset.frame !== String(frame)) throw new Error(`frame ${frame} is not shown`);
  }
  await new Promise((done) => setTimeout(done, 100));
  watch.disconnect();
  return {...found, longest: Math.max(0, ...tasks)};
}"""


class Processor:
    """What the thread of a page has spent, in milliseconds of the processor."""

    def __init__(self, tab: Any) -> None:  # playwright's
        self._session = tab.context.new_cdp_session(tab)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._last = self._read()

    def _read(self) -> dict[str, float]:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        told = {each["name"]: 1000 * each["value"] for each in metrics}
        return {what: told[name] for what, name in SPENT.items()}

    def since(self) -> dict[str, float]:
        """What it has spent since it was last asked."""
        before, self._last = self._last, self._read()
        return {what: now - before[what] for what, now in self._last.items()}


@contextmanager
def chromium() -> Iterator[Any]:
    """The machine's Chromium, painting in software."""
    from playwright.sync_api import sync_playwright  # an extra

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit("There is no Chromium: apt-get install chromium.")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def random_hypergraph(hyperedges: int, seed: int = 0, vertices: int = VERTICES) -> hyloop.Hypergraph:
    """Hyperedges of 2 to 4 vertices, of weights 1 to 99; every vertex is in one."""
    rng = np.random.default_rng(seed)
    members = [rng.choice(vertices, size=int(rng.integers(2, 5)), replace=False).tolist() for _ in range(hyperedges)]
    for vertex in range(vertices):
        own = members[vertex % hyperedges]
        if vertex not in own:
            own.append(vertex)
    names = [f"e{number}" for number in range(hyperedges)]
    weights = rng.integers(1, 100, size=hyperedges).tolist()
    return hyloop.Hypergraph.from_hyperedges(
        dict(zip(names, members, strict=True)), weights=dict(zip(names, weights, strict=True)), vertices=range(vertices)
    )


def recorded(name: str, folder: Path, *, layers: bool) -> dict[str, Any]:
    """Record a run and write its page; what that took and how large it is."""
    h = random_hypergraph(RUNS[name])
    inputs = {"source": 0} if name == "dijkstra" else {}
    begun = time.perf_counter()
    found = hyloop.trace(name, h, layers=layers, limit=2 * 10**9, **inputs)
    took = time.perf_counter() - begun
    page = folder / f"{name}.html"
    found.save(page)
    return {
        "run": name,
        "vertices": VERTICES,
        "hyperedges": len(h.hyperedges),
        "iterations": found.iterations,
        "frames": len(found),
        "record_s": took,
        "json_bytes": len(found.to_json()),
        "page_bytes": page.stat().st_size,
    }


def orders(frames: int, seeks: int) -> dict[str, list[int]]:
    """Frames spread over the whole run: forward, backward, at random; and every frame of a stretch."""
    spread = np.linspace(0, frames - 1, seeks).round().astype(int)
    mixed = np.random.default_rng(1).permutation(spread)
    middle = frames // 2 + np.arange(min(seeks, frames // 2))
    return {
        "forward": spread.tolist(),
        "backward": spread[::-1].tolist(),
        "random": mixed.tolist(),
        "one by one": middle.tolist(),
    }


def told(times: list[float]) -> dict[str, float]:
    """Median, 95th percentile and worst."""
    return {
        "median": float(np.median(times)),
        "p95": float(np.percentile(times, 95)),
        "worst": float(np.max(times)),
    }


def scrubbed(browser: Any, page: Path, frames: int, seeks: int) -> dict[str, Any]:  # playwright's
    """Open a page and scrub all over it."""
    context = browser.new_context(viewport={"width": 1400, "height": 875})
    tab = context.new_page()
    begun = time.perf_counter()
    tab.goto(page.as_uri())
    tab.wait_for_selector("#app[data-frame]", timeout=120_000)
    opened = time.perf_counter() - begun
    tab.wait_for_timeout(500)
    found: dict[str, Any] = {"open_s": opened, "scrub": {}}
    processor = Processor(tab)
    for name, order in orders(frames, seeks).items():
        tab.evaluate(SCRUB, order[:20])  # the script is compiled
        processor.since()
        times = tab.evaluate(SCRUB, order)
        spent = processor.since()
        found["scrub"][name] = {
            **{f"{what}_ms": told(times[what]) for what in ("script", "drawing", "between")},
            "cpu_ms": {what: each / len(order) for what, each in spent.items()},
            "longest_task_ms": times["longest"],
        }
    context.close()
    return found


def measured(names: list[str], folder: Path, *, layers: bool, seeks: int) -> list[dict[str, Any]]:
    """Everything, for each run."""
    rows = [recorded(name, folder, layers=layers) for name in names]
    with chromium() as browser:
        for row in rows:
            row.update(scrubbed(browser, folder / f"{row['run']}.html", row["frames"], seeks), browser=browser.version)
    return rows


def sizes(rows: list[dict[str, Any]]) -> Table:
    """What was recorded, and how large it is."""
    table = Table(title="the page of a long run")
    headings = ("run", "hyperedges", "iterations", "frames", "record", "JSON", "page", "< 20 MB", "open")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "run" else "right")
    for row in rows:
        table.add_row(
            row["run"],
            *(f"{row[key]:,}" for key in ("hyperedges", "iterations", "frames")),
            f"{row['record_s']:.1f} s",
            *(f"{row[key] / 1e6:.1f} MB" for key in ("json_bytes", "page_bytes")),
            "yes" if row["page_bytes"] < MOST_BYTES else "no",
            f"{row['open_s']:.2f} s",
        )
    return table


def smoothness(rows: list[dict[str, Any]]) -> Table:
    """How long a seek keeps the page busy, and how often the screen is drawn."""
    table = Table(title="ms per seek: the mean of the processor; on the clock, median / 95 % / worst")
    for heading in ("run", "order", "processor", "script", "and paint", "between frames", "longest task", "≤ 16.7 ms"):
        table.add_column(heading, justify="left" if heading in ("run", "order") else "right")
    for row in rows:
        for order, found in row["scrub"].items():
            cells = [" / ".join(f"{value:.1f}" for value in found[key].values()) for key in SHOWN]
            longest = found["longest_task_ms"]
            busy = found["cpu_ms"]["all"]
            reached = "yes" if busy <= MOST_MS else "no"
            table.add_row(row["run"], order, f"{busy:.1f}", *cells, f"{longest:.0f}" if longest else "< 50", reached)
    return table


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", nargs="*", choices=list(RUNS), default=list(RUNS))
    parser.add_argument("--layers", action="store_true", help="a frame after every layer")
    parser.add_argument("--seeks", type=int, default=300)
    parser.add_argument("--keep", type=Path, help="a folder for the pages")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    console = Console()
    console = Console(width=max(112, console.width))  # both tables are that wide
    with tempfile.TemporaryDirectory() as folder:
        kept = given.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        rows = measured(given.run, kept, layers=given.layers, seeks=given.seeks)
    console.print(sizes(rows))
    console.print(smoothness(rows))
    if given.json:
        machine = {"machine": platform.processor() or platform.machine(), "python": platform.python_version()}
        given.json.write_text(json.dumps(machine | {"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
