"""The layout and the outlines of pictures, beside what libraries give for the same hypergraphs.

    python benchmarks/layouts.py [--data FOLDER] [--random 20] [FILE ...]

Layouts: those of networkx and, where it is installed, igraph, of the bipartite graph of vertices and hyperedges, with a
fixed seed. All are scaled to the same distance between a vertex and its nearest neighbour (the median), and judged by
what a reader sees: vertices that lie within the hull of a hyperedge of which they are no members, crossing lines,
vertices on top of each other, and the area taken. Outlines: those of shapely, where it is installed.

The files are the examples, and those of `--data` (by default $HYLOOP_DATA/data, or ../shared/data) that are drawn with
regions. Needs networkx, scipy and contourpy (`pip install '.[draw,oracles]' scipy`).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import networkx as nx
import numpy as np
import numpy.typing as npt
from labels import random_hypergraph
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop import Hypergraph
from hyloop.draw.forces import Connected, _crossings
from hyloop.draw.hulls import hull, outwards
from hyloop.draw.positions import _placed, positions
from hyloop.draw.shapes import _tree, outline

Floats = npt.NDArray[np.float64]
Layout = Callable[[Hypergraph], Floats]
ROOT = Path(__file__).parents[1]
MEASURED = ("davis-southern-women", "lesmis")
SEED = 1
RADIUS = 0.3  # of a region around its members, in distances between vertices
TOUCHING = 0.5  # two vertices that are nearer than that, in distances between vertices, lie on top of each other


# -- layouts ----------------------------------------------------------------------------------------------------------


def ours(h: Hypergraph) -> Floats:
    """The layout of the pictures and the page."""
    _placed.cache_clear()
    return positions(h).vertices


def of_networkx(name: str) -> Layout:
    """A layout of networkx for the bipartite graph."""

    def layout(h: Hypergraph) -> Floats:
        seeded = {} if name == "kamada_kawai_layout" else {"seed": SEED}
        found = getattr(nx, name)(_bipartite(h), **seeded)
        return np.array([found["v", number] for number in range(len(h.vertices))])

    return layout


def of_igraph(name: str) -> Layout:
    """A layout of igraph for the bipartite graph."""

    def layout(h: Hypergraph) -> Floats:
        igraph = import_module("igraph")
        import_module("random").seed(SEED)
        n, pairs = len(h.vertices), h.incidence
        edges = np.stack([pairs.row_numbers(), n + pairs.indices], axis=1).tolist()
        graph = igraph.Graph(n=n + len(h.hyperedges), edges=edges)
        return np.array(graph.layout(name).coords)[:n]

    return layout


def _bipartite(h: Hypergraph) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(("v", number) for number in range(len(h.vertices)))
    graph.add_nodes_from(("e", number) for number in range(len(h.hyperedges)))
    pairs = zip(h.incidence.row_numbers().tolist(), h.incidence.indices.tolist(), strict=True)
    graph.add_edges_from((("v", v), ("e", e)) for v, e in pairs)
    return graph


def layouts() -> dict[str, Layout]:
    """All layouts that can be had here, by name."""
    found = {"hyloop": ours}
    found |= {f"networkx {name}": of_networkx(f"{name}_layout") for name in ("spring", "kamada_kawai", "forceatlas2")}
    if find_spec("igraph"):
        found |= {f"igraph {name}": of_igraph(name) for name in ("fr", "kk", "graphopt")}
    return found


# -- what a reader sees -----------------------------------------------------------------------------------------------


def judged(h: Hypergraph, x: Floats) -> dict[str, float]:
    """How many vertices lie in regions of others, how many lines cross, how many vertices touch; the area."""
    x = x / max(_nearest(x), 1e-9)
    parts = Connected(len(h.vertices), len(h.hyperedges), h.incidence.row_numbers(), h.incidence.indices)
    astray = sum(_strangers(x, *pair) for pair in zip(parts.members, parts.others, strict=True))
    gap = np.sqrt(((x[:, None] - x[None]) ** 2).sum(2)) + 9 * np.eye(len(x))
    area = float(np.prod(np.ptp(x, axis=0))) / len(x)
    return {
        "astray": astray,
        "crossings": _crossings(parts, x),
        "touching": float((gap < TOUCHING).sum()) / 2,
        "area": area,
    }


def _nearest(x: Floats) -> float:
    gap = np.sqrt(((x[:, None] - x[None]) ** 2).sum(2)) + np.diag(np.full(len(x), np.inf))
    return float(np.median(gap.min(1))) if len(x) > 1 else 1.0


def _strangers(x: Floats, members: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> int:
    if len(members) < 2 or not len(others):
        return 0
    return int((outwards(hull(x[members]), x[others])[0] < RADIUS).sum())


def compared(hypergraphs: Mapping[str, Hypergraph]) -> Table:
    """One row for each layout, over all hypergraphs."""
    shown = Table("layout", "astray", "crossings", "touching", "area a vertex", "ms, all", "same twice")
    for name, layout in layouts().items():
        sums: dict[str, float] = dict.fromkeys(("astray", "crossings", "touching", "area"), 0.0)
        same, spent = True, 0.0
        for h in hypergraphs.values():
            began = time.process_time()
            x = layout(h)
            spent += time.process_time() - began
            same &= bool((layout(h) == x).all())
            sums = {key: sums[key] + value for key, value in judged(h, x).items()}
        counts = [f"{sums[key]:,.0f}" for key in ("astray", "crossings", "touching")]
        area = f"{sums['area'] / len(hypergraphs):.1f}"
        shown.add_row(name, *counts, area, f"{1000 * spent:,.0f}", "yes" if same else "no")
    return shown


# -- outlines ---------------------------------------------------------------------------------------------------------


def of_shapely(members: Floats, others: Floats, radius: float, clear: float) -> Floats:
    """The same outline by shapely: a buffer around the hull, or around the tree if the hull would contain another."""
    shapely = import_module("shapely")
    region = shapely.MultiPoint(members).convex_hull
    if (
        len(others)
        and len(members) > 2
        and shapely.distance(region, shapely.points(others)).min() < radius + 0.3 * clear
    ):
        tree = shapely.MultiLineString([members[list(pair)] for pair in _tree(members, others)])
        round_off = 0.6 * radius  # of the angles between two arms: closed and opened again
        return np.array(tree.buffer(radius + round_off).buffer(-round_off).exterior.coords)
    return np.array(region.buffer(radius).exterior.coords)


def outlined(hypergraphs: Mapping[str, Hypergraph]) -> Table:
    """Our outlines and those of shapely: time, corners, and vertices that are no members within them."""
    shown = Table("outlines", "regions", "vertices of others within", "points a line", "ms, all")
    ways: dict[str, Callable[[Floats, Floats, float, float], Floats]] = {"hyloop": outline}
    if find_spec("shapely"):
        ways["shapely"] = of_shapely
    for name, way in ways.items():
        regions = within = points = 0
        spent = 0.0
        for h in hypergraphs.values():
            x = 400 * positions(h).vertices
            parts = Connected(len(h.vertices), len(h.hyperedges), h.incidence.row_numbers(), h.incidence.indices)
            for members, others in zip(parts.members, parts.others, strict=True):
                if not len(members):
                    continue
                began = time.process_time()
                line = way(x[members], x[others], 12.0, 8.0)
                spent += time.process_time() - began
                regions, points = regions + 1, points + len(line)
                within += _within(line, x[others])
        shown.add_row(name, f"{regions:,}", str(within), str(points // max(1, regions)), f"{1000 * spent:,.0f}")
    return shown


def _within(line: Floats, points: Floats) -> int:
    path = import_module("matplotlib.path").Path(line)
    return int(path.contains_points(points).sum()) if len(points) else 0


def hypergraphs(files: Sequence[Path], randoms: int) -> dict[str, Hypergraph]:
    """The examples and the random ones."""
    found = {file.name.removesuffix(".hif.json"): hyloop.read(file) for file in files}
    return found | {f"random {seed}": random_hypergraph(seed) for seed in range(randoms)}


def main() -> None:
    """Print both tables."""
    data = Path(os.environ.get("HYLOOP_DATA") or ROOT.parent / "shared") / "data"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--data", type=Path, default=data)
    parser.add_argument("--random", type=int, default=20)
    given = parser.parse_args()
    more = [given.data / f"{name}.hif.json" for name in MEASURED]
    files = given.files or [*sorted((ROOT / "examples").glob("*.hif.json")), *filter(Path.is_file, more)]
    found = hypergraphs(files, given.random)
    console = Console(width=120, file=sys.stdout)
    console.print(f"{len(found)} hypergraphs, {sum(len(h.hyperedges) for h in found.values()):,} hyperedges")
    console.print(compared(found))
    console.print(outlined(found))


if __name__ == "__main__":
    main()
