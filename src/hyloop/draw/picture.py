"""A hypergraph as a picture: few hyperedges as rounded regions, many as squares joined to their members.

Directed hyperedges are squares with arrows: from the tails, to the heads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Polygon, Rectangle
from matplotlib.ticker import MaxNLocator

from hyloop.draw.hulls import Floats, hull, outwards
from hyloop.draw.layout import NAMED, SIDE, DrawingSizes, Drawn, Placed, hyperedge_texts, place
from hyloop.draw.library import inches_of
from hyloop.draw.positions import Positions, positions
from hyloop.draw.text import DIGITS, Box, TextBox, has_float, number, printable, size_of
from hyloop.draw.values import (
    MISSING,
    SCALE,
    Of,
    ShownList,
    ShownSet,
    ShownValues,
    chosen_of,
    listed_in,
    text_on,
    values_of,
)
from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph, Incidence, Label, shown
from hyloop.hypergraph.values import require_flags
from hyloop.numbers import short
from hyloop.relabel import display_names, told_apart
from hyloop.result import Path, Result, in_line

Style = Literal["auto", "regions", "bipartite"]

MOST_VERTICES, MOST_HYPEREDGES = 5_000, 20_000  # larger pictures would be unreadable
REGIONS = 30  # most hyperedges that are drawn as regions
LAYERS = 3  # most overlapping regions, on average
ROOMY = 40  # most vertices that are large enough to hold a value
RASTER = 5_000  # lines; more are rasterized, to limit the size of the file
COLUMN, PAGE = 3.4, 6.8  # inches: a column of a paper, and its whole width
PADDING = 4.0
LINE = 60  # letters of the line below a picture
FILLED = 0.5  # how opaque a region in the colour of its value is: those beneath are seen
HEAVY = 2.4  # the width of the outline of a hyperedge in the answer
STAR = "★"  # before the name of what is in the answer
ARROW = 4.5  # points from the tip of an arrow to its end

# Okabe and Ito's colours, darkened for lines; with the dashes below, 35 differ, also in grey.
COLOURS = ("#0072b2", "#b85c00", "#00805e", "#a8497f", "#5b4b9a", "#7a6a00", "#4a4a4a")
DASHES: tuple[tuple[float, ...], ...] = ((), (4, 1.6), (1.2, 1.4), (5, 1.4, 1.2, 1.4), (8, 2))
INK, FAINT, WAY = "#222222", "#9a9a9a", "#c1121f"


def laid_out(
    h: Hypergraph,
    *,
    result: Result | None = None,
    path: Label | None = None,
    colour_by: str | None = None,
    style: Style = "auto",
    labels: bool | None = None,
    names: bool = True,
    width: float | None = None,
    at: Positions | None = None,
) -> LaidOut:
    """What `hyloop.draw.draw` draws: where everything goes."""
    require_flags(**({} if labels is None else {"labels": labels}))
    _check(h, result, path, colour_by=colour_by, style=style)
    _check_places(h, at)
    at = at or positions(h)
    regions = style == "regions" or (style == "auto" and not h.directed and _clear_as_regions(h, at))
    narrow = regions or (len(h.hyperedges) <= REGIONS and not h.directed)
    inches = inches_of(width) or (COLUMN if narrow else PAGE)
    values = None if result is None else values_of(result, colour_by)
    sizes = _sizes(h, labels, inches, values=values is not None and values.of == "vertices", regions=regions)
    way = _way(result, path)
    chosen = None if result is None else chosen_of(result)
    listed = None if result is None else listed_in(result)
    drawn = _starred(_told(_drawn(h, way, names=names), chosen, values), listed)
    placed = place(drawn, at, sizes, 72 * inches - 2 * PADDING, regions=regions)
    doubt = "" if result is None else result.doubt
    said = "" if result is None or values is not None else verdict(result)
    return LaidOut(h, placed, sizes, values, way, regions, 72 * inches, doubt, said, chosen, listed)


def _clear_as_regions(h: Hypergraph, at: Positions) -> bool:
    """Whether there are few hyperedges, few overlaps, and few hulls that contain other vertices."""
    if len(h.hyperedges) > REGIONS or len(h.vertices) > NAMED or len(h.incidence.indices) > LAYERS * len(h.vertices):
        return False
    wrong = 0
    for each in range(len(h.hyperedges)):
        members = h.incidence_transposed.row(each)
        others = np.delete(at.vertices, members, axis=0)
        if len(members) > 1 and len(others):
            wrong += bool((outwards(hull(at.vertices[members]), others)[0] < 0.02).any())
    return wrong <= len(h.hyperedges) / 4


def _check(h: Hypergraph, result: Result | None, path: Label | None, *, colour_by: str | None, style: str) -> None:
    if len(h.vertices) > MOST_VERTICES or len(h.hyperedges) > MOST_HYPEREDGES:
        raise HyloopError(
            f"This hypergraph has {len(h.vertices):,} vertices and {len(h.hyperedges):,} hyperedges; a picture shows "
            f"at most {MOST_VERTICES:,} and {MOST_HYPEREDGES:,}. Draw a part of it."
        )
    if h.directed and style == "regions":
        raise HyloopError(
            "This hypergraph is directed, and regions show sets of vertices: the style bipartite has arrows. To draw "
            "it without its directions, pass h.ignoring_direction() (on the command line, --ignore-direction)."
        )
    if style not in {"auto", "regions", "bipartite"}:
        raise HyloopError(f"The style is auto, regions or bipartite; not {style!r}.")
    if style == "regions" and len(h.hyperedges) > 4 * REGIONS:
        raise HyloopError(
            f"Regions are for at most {4 * REGIONS} hyperedges, and there are {len(h.hyperedges):,}; "
            "use the style bipartite."
        )
    if result is None and (path is not None or colour_by is not None):
        raise HyloopError("A path and colours are those of a result: say which algorithm to run.")
    if colour_by is not None and not isinstance(colour_by, str):
        raise HyloopError(f"Colours are those of one output, by its name; not {shown(colour_by)}.")
    if result is not None and not isinstance(cast("object", result), Result):
        raise HyloopError(f"A result is what hyloop.run gives; not {shown(result)}.")
    if result is not None and not _is_of(result, h):
        raise HyloopError("The result is that of another hypergraph.")


def _is_of(result: Result, h: Hypergraph) -> bool:
    """Whether a result is that of a hypergraph; its run may have ignored the directions."""
    own = result.hypergraph
    if (own.vertices, own.hyperedges, own.weights) != (h.vertices, h.hyperedges, h.weights):
        return False
    alike = own.incidence == h.incidence
    return alike and (not own.directed or (h.directed and own.tails == h.tails and own.heads == h.heads))


def _check_places(h: Hypergraph, at: Positions | None) -> None:
    if at is not None and not isinstance(at, Positions):
        raise HyloopError(f"at is what hyloop.draw.positions gives; not {shown(at)}. Places: positions(h, keep=...).")
    if at is not None and (np.shape(at.vertices), np.shape(at.hyperedges)) != tuple((each, 2) for each in h.counts):
        raise HyloopError("These positions are those of another hypergraph: positions(h) makes its own.")


def _sizes(h: Hypergraph, labels: bool | None, inches: float, *, values: bool, regions: bool) -> DrawingSizes:
    count = len(h.vertices)
    inside = values and count <= ROOMY
    radius = 7.6 if inside else float(np.clip(9 * inches / np.sqrt(count + 1), 0.8, 3.2))
    named = labels is not False
    told = len(h.hyperedges) <= (REGIONS if labels is None else MOST_HYPEREDGES) and labels is not False
    return DrawingSizes(radius, 7.0 if regions or count <= ROOMY else 5.5, named, told, inside, labels is True)


def _way(result: Result | None, to: Label | None) -> Path | None:
    if result is None or to is None:
        return None
    way = result.path(to)
    if way is None:
        raise HyloopError(f"There is no path to {to!r} in the result of {result.algorithm}.")
    return way


def verdict(result: Result) -> str:
    """The single values of a result in a line; of streams, how many entries there are."""
    streams = [f"{name}: {len(stream.entries):,} entries" for name, stream in result.streams.items()]
    scalars = [f"{name}: {in_line(value, result.kinds.get(name), str)}" for name, value in result.scalars.items()]
    return printable("; ".join([*scalars, *streams]), LINE)


def _drawn(h: Hypergraph, way: Path | None, *, names: bool) -> Drawn:
    """The texts to write, and the steps of the path."""
    vertices, hyperedges = display_names(h) if names else (h.vertices, h.hyperedges)
    steps = () if way is None else zip(way.vertices, way.hyperedges, way.vertices[1:], strict=False)
    return Drawn(
        h,
        [printable(name) for name in vertices],
        hyperedge_texts(h, told_apart(vertices, hyperedges)),
        tuple((h.vertex_number(u), h.hyperedge_number(e), h.vertex_number(v)) for u, e, v in steps),
    )


def _told(drawn: Drawn, chosen: ShownSet | None, values: ShownValues | None) -> Drawn:
    """Names of hyperedges that are in the answer, or have a value, say so: colours are not all that tells it."""
    texts = list(drawn.hyperedges)
    if values is not None and values.of == "hyperedges":
        given = zip(texts, values.texts, values.missing, strict=True)
        texts = [text if none else f"{text} ({value})" for text, value, none in given]
    if chosen is not None:
        texts = [f"{STAR} {text}" if taken else text for text, taken in zip(texts, chosen.hyperedges, strict=True)]
    return replace(drawn, hyperedges=texts)


def _starred(drawn: Drawn, listed: ShownList | None) -> Drawn:
    """Names of vertices that the answer lists have a star."""
    if listed is None:
        return drawn
    given = zip(drawn.vertices, listed.vertices, strict=True)
    return replace(drawn, vertices=[f"{STAR} {text}" if marked else text for text, marked in given])


@dataclass
class LaidOut:
    """A picture, laid out: what is where, in points."""

    h: Hypergraph
    placed: Placed
    sizes: DrawingSizes
    values: ShownValues | None
    way: Path | None
    regions: bool
    width: float
    doubt: str = ""  # how far the result is not trusted
    said: str = ""  # a result that has no value for each vertex or hyperedge
    chosen: ShownSet | None = None
    listed: ShownList | None = None

    def of(self, what: Of) -> ShownValues | None:
        """The values of the vertices, or of the hyperedges, if these are shown."""
        return self.values if self.values is not None and self.values.of == what else None

    def is_chosen(self, hyperedge: int) -> bool:
        """Whether a hyperedge is in the answer, or has two of the vertices that the answer lists."""
        sets = (self.chosen, self.listed)
        return any(each is not None and each.hyperedges[hyperedge] for each in sets)

    @property
    def star(self) -> str:
        """What stars and heavy outlines mean; empty if there are none."""
        chosen = [] if self.chosen is None else [f"{STAR} {self.chosen.words}"]
        listed = [] if self.listed is None else [f"{STAR} {self.listed.name}; heavy: hyperedges with two of them"]
        return ", ".join([*chosen, *listed])

    def figure(self) -> Figure:
        """The picture by matplotlib, with a legend."""
        extent = self.placed.extent
        below = 0.0 if self.values is None and not self.said else 30.0
        width = max(self.width, extent.right - extent.left + 2 * PADDING)
        height = max(extent.top - extent.bottom, 20.0) + 2 * PADDING + below
        figure = Figure(figsize=(width / 72, height / 72), facecolor="white")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        left, bottom = (extent.left + extent.right - width) / 2, extent.bottom - PADDING - below
        axes.set_xlim(left, left + width)
        axes.set_ylim(bottom, bottom + height)
        self._draw(axes)
        if self.values is not None:
            box = Box(left + PADDING, bottom, left + width - PADDING, bottom + below)
            _Key(axes, self.values, box, self.star).draw()
        if self.said:
            middle = left + width / 2
            axes.text(middle, bottom + 19, self.said, fontsize=7, color=INK, ha="center", va="center_baseline",
                      parse_math=False)  # fmt: skip
            axes.text(middle, bottom + 10, self.star, fontsize=6, color=INK, ha="center", va="center_baseline",
                      parse_math=False)  # fmt: skip
        if self.doubt:
            figure.text(0.5, 0.005, f"computed {self.doubt}", ha="center", va="bottom", fontsize=6, color=WAY)
        return figure

    def _draw(self, axes: Axes) -> None:
        if self.regions:
            self._draw_regions(axes)
        else:
            self._draw_bipartite(axes)
        if self.way is not None:
            self._draw_way(axes, self.way)
        self._draw_vertices(axes)
        for text in self.placed.names:
            _write(axes, text, INK, zorder=5.5)

    def _on_way(self, hyperedge: int) -> bool | None:
        """Whether a hyperedge is on the path; None if no path is shown."""
        return None if self.way is None else self.h.hyperedges[hyperedge] in self.way.hyperedges

    def _draw_regions(self, axes: Axes) -> None:
        values = self.of("hyperedges")
        order = sorted(
            range(len(self.placed.outlines)), key=lambda e: -float(np.ptp(self.placed.outlines[e], 0).prod())
        )
        for depth, each in enumerate(order):
            on = self._on_way(each)
            colour, dashes = COLOURS[each % len(COLOURS)] if on is not False else FAINT, dashes_of(each, len(order))
            line = self.placed.outlines[each]
            fill, alpha = (colour, 0.22 if on else 0.1) if values is None else (values.colours[each], FILLED)
            axes.add_patch(Polygon(line, fc=fill, ec="none", alpha=alpha, zorder=1 + depth / 1000))
            width = 2.0 if on else HEAVY if self.is_chosen(each) else 1.0
            axes.plot(*line.T, color=colour, lw=width, dashes=dashes, zorder=2, solid_joinstyle="round",
                      dash_capstyle="butt", gid=f"hyperedge-{each + 1}")  # fmt: skip
        for each, text in enumerate(self.placed.hyperedge_names):
            on = self._on_way(each)
            _write(axes, text, COLOURS[each % len(COLOURS)] if on is not False else "#6e6e6e", zorder=5, bold=bool(on))

    def _draw_bipartite(self, axes: Axes) -> None:
        h, placed = self.h, self.placed
        hyperedge = h.incidence.indices
        lines = np.stack([placed.vertices[h.incidence.row_numbers()], placed.hyperedges[hyperedge]], axis=1)
        many = len(lines) > RASTER
        strength = float(np.clip(30 / np.sqrt(len(lines) + 1), 0.12, 0.8))
        drawn = LineCollection(
            list(lines), colors="#7d8794", linewidths=0.6 if not many else 0.3, alpha=strength, zorder=1
        )
        drawn.set_rasterized(many)
        axes.add_collection(drawn)
        if h.directed:
            points = [*self.arrow_heads(h.tails, into_squares=True), *self.arrow_heads(h.heads, into_squares=False)]
            arrows = PolyCollection(points, fc="#4f6378", ec="none", alpha=max(strength, 0.5), zorder=2)
            arrows.set_rasterized(many)
            axes.add_collection(arrows)
        side = SIDE if len(h.hyperedges) <= 10 * REGIONS else float(np.clip(60 / np.sqrt(len(h.hyperedges)), 0.7, 4))
        square = side / 2 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        squares = list(placed.hyperedges[:, None] + square)
        values = self.of("hyperedges")
        fill = "#e8edf3" if values is None else values.colours
        thin = min(0.6, side / 5)
        widths = [3 * thin if self.is_chosen(each) else thin for each in range(len(squares))]
        marks = PolyCollection(squares, fc=fill, ec="#4f6378", lw=widths, zorder=3)
        marks.set_rasterized(many)
        axes.add_collection(marks)
        for each, text in enumerate(placed.hyperedge_names):
            _write(axes, text, "#3d5166", zorder=5, bold=bool(self._on_way(each)))

    def arrow_heads(self, ends: Incidence, *, into_squares: bool) -> Iterator[Floats]:
        """The points of arrows: of tails at the squares, of heads at the vertices."""
        vertices = self.placed.vertices[ends.row_numbers()]
        squares = self.placed.hyperedges[ends.indices]
        begin, end = (vertices, squares) if into_squares else (squares, vertices)
        along = end - begin
        length = np.maximum(np.sqrt((along**2).sum(1, keepdims=True)), 1e-9)
        along = along / length
        across = along[:, ::-1] * [1, -1]
        # Half of the square's diagonal, so that a point is not under it.
        tip = end - along * (SIDE * 0.75 if into_squares else self.sizes.radius + 0.4)
        size = np.minimum(ARROW, length / 4)
        base, half = tip - along * size, across * size / 2.4
        yield from np.stack([tip, base + half, base - half], 1)

    def _draw_way(self, axes: Axes, way: Path) -> None:
        """Arrows from each vertex to the next; where hyperedges are squares, over the square."""
        for number_, (u, v) in enumerate(pairwise(way.vertices)):
            begin, end = (self.placed.vertices[self.h.vertex_number(label)] for label in (u, v))
            over = self.h.hyperedge_number(way.hyperedges[number_])
            stops = [begin, end] if self.regions else [begin, self.placed.hyperedges[over], end]
            for place_, (a, b) in enumerate(pairwise(stops)):
                last = place_ == len(stops) - 2
                shrink = (self.sizes.radius if place_ == 0 else 0.0, self.sizes.radius + 0.6 if last else 0.0)
                arrow = FancyArrowPatch(
                    tuple(a), tuple(b), arrowstyle="-|>" if last else "-", mutation_scale=9, lw=1.8, color=WAY,
                    shrinkA=shrink[0], shrinkB=shrink[1], zorder=4, capstyle="butt", joinstyle="miter",
                )  # fmt: skip
                axes.add_patch(arrow)

    def _draw_vertices(self, axes: Axes) -> None:
        radius, count, values = self.sizes.radius, len(self.h.vertices), self.of("vertices")
        colours = values.colours if values is not None else ("#ffffff",) * count
        on = set() if self.way is None else {self.h.vertex_number(label) for label in self.way.vertices}
        for each, (x, y) in enumerate(self.placed.vertices.tolist()):
            missing = values is not None and values.missing[each]
            listed = self.listed is not None and self.listed.vertices[each]
            line = 1.8 if each in on or listed else min(0.9, radius / (3 if values is None else 8))
            disc = Circle((x, y), radius, fc=colours[each], ec=WAY if each in on else INK, lw=line, zorder=6)
            if missing and self.sizes.inside:
                disc.set(hatch="////", ec="#8a8a8a")
            axes.add_patch(disc)
            if values is not None and self.sizes.inside:
                _write_inside(axes, (x, y), values.texts[each], radius, "#ececec" if missing else colours[each],
                              plate=missing)  # fmt: skip


def dashes_of(hyperedge: int, count: int) -> tuple[float, ...]:
    """The dashes of an outline, so that those of one colour differ; of few, all."""
    return DASHES[hyperedge // len(COLOURS) % len(DASHES) if count > len(DASHES) * 2 else hyperedge % len(DASHES)]


def _write(axes: Axes, text: TextBox | None, colour: str, *, zorder: float, bold: bool = False) -> None:
    """Write a label, if there was room for it."""
    if text is None:
        return
    plate = {"boxstyle": "square,pad=0.05", "fc": "white", "ec": "none", "alpha": 0.8} if text.plate else None
    axes.text(*text.box.middle, text.text, fontsize=text.points, color=colour, ha="center", va="center_baseline",
              zorder=zorder, bbox=plate, parse_math=False, fontweight="bold" if bold else "normal")  # fmt: skip


def _write_inside(axes: Axes, at: tuple[float, float], text: str, radius: float, colour: str, *, plate: bool) -> None:
    points = min(7.0, 7.0 * 1.75 * radius / max(size_of(text, 7.0)[0], 1e-6))
    box = {"boxstyle": "circle,pad=0.05", "fc": "white", "ec": "none"} if plate else None
    axes.text(*at, text, fontsize=points, color=text_on(colour), ha="center", va="center_baseline", zorder=8,
              parse_math=False, bbox=box)  # fmt: skip


@dataclass
class _Key:
    """The legend of the colours, below the picture."""

    axes: Axes
    values: ShownValues
    box: Box
    star: str = ""  # what a star before a name means

    def draw(self) -> None:
        """A scale for numbers, squares for the rest."""
        at = self._say(self.box.left, self.values.name, bold=True) + 5
        at = self._scale(at) if self.values.range is not None else self._groups(at)
        if any(self.values.missing):
            none = next(text for text, missing in zip(self.values.texts, self.values.missing, strict=True) if missing)
            self._square(at + 6, MISSING, hatch="//////")
            at = self._say(at + 16, none)
        if self.star:
            self._say(at + 8, self.star)

    @property
    def _line(self) -> float:
        return self.box.bottom + 19

    @property
    def _star_room(self) -> float:
        return size_of(self.star, 7)[0] + 8 if self.star else 0.0

    def _say(self, x: float, text: str, *, bold: bool = False) -> float:
        self.axes.text(x, self._line, text, fontsize=7, color=INK, va="center_baseline", parse_math=False,
                       fontweight="bold" if bold else "normal")  # fmt: skip
        return x + size_of(text, 7)[0] * (1.12 if bold else 1)

    def _square(self, x: float, colour: str, hatch: str | None = None) -> None:
        patch = Rectangle((x, self._line - 3.5), 7, 7, fc=colour, ec="#8a8a8a" if hatch else INK, lw=0.6, hatch=hatch)
        self.axes.add_patch(patch)

    def _groups(self, at: float) -> float:
        for text, colour in self.values.groups:
            if at + 12 + size_of(text, 7)[0] > self.box.right - 30 - self._star_room:
                return self._say(at + 2, "…")
            self._square(at, colour)
            at = self._say(at + 9, text) + 6
        return at

    def _scale(self, at: float) -> float:
        length, height, cells = min(self.box.right - at - 40 - self._star_room, 130.0), 7.0, 64
        edges = np.linspace(at, at + length, cells + 1)
        low, high = self._line - height / 2, self._line + height / 2
        bars = [[(a, low), (b, low), (b, high), (a, high)] for a, b in pairwise(edges)]
        colours = SCALE(np.linspace(0, 1, cells))
        self.axes.add_collection(PolyCollection(bars, facecolors=colours, edgecolors=colours, linewidths=0.3))
        self.axes.add_patch(Rectangle((at, low), length, height, fc="none", ec=INK, lw=0.6))
        for part, text in self._ticks():
            x = at + part * length
            self.axes.plot([x, x], [low - 2, low], color=INK, lw=0.6)
            self.axes.text(x, low - 3, text, fontsize=6, color=INK, ha="center", va="top", parse_math=False)
        return at + length

    def _ticks(self) -> Iterator[tuple[float, str]]:
        assert self.values.range is not None
        if not all(map(has_float, self.values.range)):
            yield from zip((0.0, 1.0), dict.fromkeys(map(number, self.values.range)), strict=False)
            return
        low, high = map(float, self.values.range)
        if high <= low:
            yield 0.0, tick_text(low)
            return
        for value in MaxNLocator(4, integer=self.values.whole).tick_values(low, high):
            if low <= value <= high:
                yield (value - low) / (high - low), tick_text(value)


def tick_text(value: float) -> str:
    """A tick of a scale."""
    return short(Decimal(f"{value:.6g}"), DIGITS).replace("-", "−")
