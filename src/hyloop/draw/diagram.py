"""The layers of a model, drawn like a circuit: each column of the state is a line from left to right.

A head is a strip across the lines, with a mark on each line that its queries, keys or values read and on each line that
it adds to; so is the MLP of a layer. At the right end, the state goes back to the left.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

from hyloop.draw.library import inches_of
from hyloop.draw.meaning import Explanation, Explanations
from hyloop.draw.text import printable, size_of
from hyloop.lang.program import Program
from hyloop.machine.layer import Head, Layer, nonzero_rows
from hyloop.machine.model import Model
from hyloop.numbers import plural

ROW = 9.5  # points between two lines
HEAD, MLP = 43.0, 52.0  # width of a strip
SPACE, GAP = 3.0, 30.0  # between two strips, and between two layers
LINE = 6.6  # height of a line of a header
TEXT, SMALL = 5.6, 5.0
LETTERS = {HEAD: 13, MLP: 16}  # characters that fit into a line of a header
MOST_LINES = 9

INK, THREAD, STATE = "#222222", "#c4c9cf", "#8593a3"
KINDS = {
    "plain": ("head, plain", "#eef2f7", "#4f6378"),
    "incidence": ("head, Ã", "#fdf0dc", "#b85c00"),
    "transposed": ("head, Ãᵀ", "#e3f3ec", "#00805e"),
    "tails": ("head, Ã tails", "#fdf0dc", "#b85c00"),
    "tails_transposed": ("head, Ãᵀ tails", "#e3f3ec", "#00805e"),
    "heads": ("head, Ã heads", "#fbe3ea", "#a8324f"),
    "heads_transposed": ("head, Ãᵀ heads", "#e1f0f8", "#0a6b94"),
    "mlp": ("MLP", "#f1ecf7", "#5b4b9a"),
}
SUMS = {
    "incidence": "Ã: sums over the hyperedges of a vertex",
    "transposed": "Ãᵀ: sums over members",
}
DIRECTED_SUMS = {
    "tails": "Ã, Ãᵀ tails: of tails alone",
    "heads": "Ã, Ãᵀ heads: of heads alone",
}
MARKS = (  # marks: name, shape, filled
    ("query", "s", False),
    ("key", "^", False),
    ("value", "o", True),
    ("read by the MLP", "o", False),
    ("added to", ">", True),
)


def diagram(model: Model, *, width: float | None = None) -> Figure:
    """See `hyloop.draw.draw_model`."""
    return _Diagram(model, inches_of(width)).figure()


def used_columns(model: Model) -> list[int]:
    """The columns that some layer reads or adds to, and the halt column."""
    used = {model.layout.number(model.layout.halt)}
    for layer in model.layers:
        used |= layer.writes | layer.mlp.reads
        for head in layer.heads:
            used |= head.reads
    return sorted(used)


def _rows(model: Model) -> list[tuple[int, ...]]:
    """The lines to draw: one per used column, but a single one for adjacent states with the same uses."""
    rows: list[tuple[int, ...]] = []
    before: object = None
    for column in used_columns(model):
        alike = _uses(model, column) if model.layout.columns[column].role == "state" else None
        if alike is not None and alike == before:
            rows[-1] = (*rows[-1], column)
        else:
            rows.append((column,))
        before = alike
    return rows


def _uses(model: Model, column: int) -> tuple[bool, ...]:
    """Which parts of the model read a column, and which add to it."""
    used: list[bool] = []
    for layer in model.layers:
        for head in layer.heads:
            used += [column in nonzero_rows(weights) for weights in (head.query, head.key, head.value)]
            used.append(column in head.writes)
        used += [column in layer.mlp.reads, column in layer.mlp.writes]
    return tuple(used)


@dataclass(frozen=True)
class _Strip:
    """A head or an MLP: its position, its header, and its marks by kind."""

    left: float
    width: float
    kind: str
    texts: tuple[str, ...]
    marks: tuple[tuple[str, float, frozenset[int]], ...]


class _Diagram:
    def __init__(self, model: Model, width: float | None) -> None:
        self.model, self.meanings = model, Explanations(model)
        self.rows = _rows(model)
        self.row_of = {column: number for number, row in enumerate(self.rows) for column in row}
        names = [self._name(row) for row in self.rows]
        self.names = names
        self.begin = 12 + max(size_of(name, TEXT)[0] for name in names) * 1.1
        self.layers, self.end = self._placed()
        self.header = LINE * max(len(strip.texts) for strips in self.layers for strip in strips) + 5
        self.bottom = ROW * (len(self.rows) - 1)
        self.scale = 1.0 if width is None else 72 * width / (self.end + 16)

    # Coordinates are points of a page of natural size; y goes down from the first line.

    def figure(self) -> Figure:
        top, below = self.header + 50, 46.0
        wide, high = self.end + 16, top + self.bottom + below
        figure = Figure(figsize=(self.scale * wide / 72, self.scale * high / 72), facecolor="white")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, wide)
        axes.set_ylim(self.bottom + below, -top)
        self._threads(axes)
        for number, (layer, strips) in enumerate(zip(self.model.layers, self.layers, strict=True), start=1):
            self._layer(axes, number, layer, strips)
        self._loop(axes)
        self._title(axes, -top)
        self._legend(axes, self.bottom + below)
        return figure

    def _placed(self) -> tuple[list[list[_Strip]], float]:
        layers, at = [], self.begin + 10
        for layer in self.model.layers:
            strips = []
            for head in layer.heads:
                strips.append(_head_strip(at, head, self.meanings.of_head(head)))
                at += HEAD + SPACE
            if layer.mlp.width:
                strips.append(_mlp_strip(at + SPACE, layer, self.meanings.of_mlp(layer.mlp)))
                at += MLP + 2 * SPACE
            layers.append(strips)
            at += GAP
        return layers, at - GAP + 30

    def _y(self, column: int) -> float:
        return ROW * self.row_of[column]

    def _name(self, row: Sequence[int]) -> str:
        first, last = (self.model.layout.columns[column].name for column in (row[0], row[-1]))
        return printable(first, 26) if len(row) == 1 else f"{printable(first, 12)} … {printable(last, 12)}"

    def _say(self, axes: Axes, at: tuple[float, float], text: str, points: float = TEXT, **more: object) -> None:
        style: dict[str, object] = {"color": INK, "va": "center_baseline", "zorder": 6} | more
        axes.text(*at, text, fontsize=points * self.scale, parse_math=False, **style)  # type: ignore[arg-type]

    def _threads(self, axes: Axes) -> None:
        for row, name in zip(self.rows, self.names, strict=True):
            own = self.model.layout.columns[row[0]]
            state = own.role in {"state", "ahead"}
            lasting = own.role not in {"temporary", "spare", "value"}
            y = self._y(row[0])
            axes.plot([self.begin, self.end - 12], [y, y], color=STATE if state else THREAD, zorder=1,
                      lw=(1.0 if state else 0.6) * self.scale, ls="-" if lasting else (0, (4, 2)))  # fmt: skip
            self._say(axes, (self.begin - 5, y), name, ha="right",
                      fontweight="bold" if state else "normal", color=INK if lasting else "#66707a")  # fmt: skip

    def _layer(self, axes: Axes, number: int, layer: Layer, strips: Sequence[_Strip]) -> None:
        for strip in strips:
            self._strip(axes, strip)
        left = strips[0].left if strips else 0.0
        right = strips[-1].left + strips[-1].width if strips else 0.0
        y = -self.header - 13
        axes.plot([left, left, right, right], [y + 5, y + 2, y + 2, y + 5], color=INK, lw=0.7 * self.scale)
        self._say(axes, ((left + right) / 2, y - 5), f"Layer {number}", 7, ha="center", fontweight="bold")
        held = self.meanings.held(self.model)
        for column in (column for row in self.rows for column in row):
            name = held.get((number, column))
            if name and column in layer.writes:
                text = printable(name, 10)
                self._say(axes, (right + 3, self._y(column) - 3.1), text, SMALL, color="#5b6670", style="italic")

    def _strip(self, axes: Axes, strip: _Strip) -> None:
        _, fill, line = KINDS[strip.kind]
        top, height = -self.header - 6, self.bottom + self.header + 12
        axes.add_patch(FancyBboxPatch(
            (strip.left, top), strip.width, height, boxstyle="round,pad=0,rounding_size=2.5", fc=fill, ec=line,
            lw=0.7 * self.scale, alpha=0.55, zorder=0,
        ))  # fmt: skip
        for place, text in enumerate(strip.texts):
            y = top + 5.5 + LINE * place
            first = place == 0
            points = min(TEXT, TEXT * (strip.width - 3) / max(size_of(text, TEXT * (1.1 if first else 1))[0], 1e-6))
            self._say(axes, (strip.left + strip.width / 2, y), text, points, ha="center", color=line if first else INK,
                      fontweight="bold" if first else "normal")  # fmt: skip
        for name, across, columns in strip.marks:
            heights = sorted({self._y(column) for column in columns})
            self._marks(axes, name, [(strip.left + across, y) for y in heights], line)

    def _marks(self, axes: Axes, name: str, points: Iterable[tuple[float, float]], colour: str) -> None:
        _, shape, filled = next(mark for mark in MARKS if mark[0] == name)
        at = list(points)
        if not at:
            return
        x, y = zip(*at, strict=True)
        axes.plot(x, y, ls="none", marker=shape, ms=3.6 * self.scale, mfc=colour if filled else "white", mec=colour,
                  mew=0.8 * self.scale, zorder=4)  # fmt: skip

    def _loop(self, axes: Axes) -> None:
        """The loop, below the lines: the state at the right is the input of the next iteration at the left."""
        low, x0, x1 = self.bottom + 17, self.begin, self.end - 12
        corners = [(x1, self.bottom + 3), (x1, low), (x0, low), (x0, self.bottom + 6)]
        axes.plot([x1, x1], [-3, self.bottom + 3], color=INK, lw=0.9 * self.scale)
        axes.plot([x0, x0], [-3, self.bottom + 3], color=INK, lw=0.9 * self.scale)
        axes.add_patch(PathPatch(Path(corners), fc="none", ec=INK, lw=1.0 * self.scale, zorder=3))
        axes.plot([x0], [self.bottom + 5.5], marker="^", ms=4 * self.scale, color=INK, zorder=4)
        self._say(axes, ((x0 + x1) / 2, low), self._until(), 6.2, ha="center",
                  bbox={"boxstyle": "square,pad=0.25", "fc": "white", "ec": "none"})  # fmt: skip

    def _until(self) -> str:
        program: Program | None = self.meanings.program
        often = "" if program is None else f", at most {'1 + ' if program.begins else ''}{program.at_most} times"
        return f"again until {self.model.layout.halt} is set{often}"

    def _title(self, axes: Axes, top: float) -> None:
        model, capacity = self.model, self.model.capacity
        name = printable(model.name, 40)
        self._say(axes, (8, top + 11), name, 10, fontweight="bold")
        left_out = len(model.layout) - len(self.row_of)
        facts = (
            f"{plural(len(model.layers), 'layer')}, {plural(len(model.layout), 'column')}"
            + (f" ({left_out} of no use to it left out)" if left_out else "")
            + f", {model.parameters:,} weights ({model.nonzeros:,} not 0); exact for {capacity.rows:,} rows "
            f"and weights up to {capacity.weight:,} in {model.dtype}"
        )
        self._say(axes, (8, top + 22), facts, 6.2)

    def _legend(self, axes: Axes, bottom: float) -> None:
        at, y = 8.0, bottom - 9
        for name, *_ in MARKS:
            self._marks(axes, name, [(at + 2, y)], INK)
            self._say(axes, (at + 7, y), name, 6)
            at += size_of(name, 6)[0] + 18
        for kind, text in {**SUMS, **(DIRECTED_SUMS if self.model.layout.directed else {})}.items():
            _, fill, line = KINDS[kind]
            axes.add_patch(FancyBboxPatch((at, y - 3), 8, 6, boxstyle="round,pad=0,rounding_size=1", fc=fill, ec=line,
                                          lw=0.7 * self.scale))  # fmt: skip
            self._say(axes, (at + 12, y), text, 6)
            at += size_of(text, 6)[0] + 24


def _head_strip(left: float, head: Head, meaning: Explanation) -> _Strip:
    marks = (
        ("query", 8.0, nonzero_rows(head.query)),
        ("key", 17.0, nonzero_rows(head.key)),
        ("value", 26.0, nonzero_rows(head.value)),
        ("added to", HEAD - 5, head.writes),
    )
    return _Strip(left, HEAD, head.kind, _header(KINDS[head.kind][0], meaning, HEAD), marks)


def _mlp_strip(left: float, layer: Layer, meaning: Explanation) -> _Strip:
    marks = (("read by the MLP", 9.0, layer.mlp.reads), ("added to", MLP - 7, layer.mlp.writes))
    title = f"MLP, {layer.mlp.width} units" if layer.mlp.width > 1 else "MLP, 1 unit"
    return _Strip(left, MLP, "mlp", _header(title, meaning, MLP), marks)


def _header(title: str, meaning: Explanation, width: float) -> tuple[str, ...]:
    """The title, what is computed and how, and the source lines, wrapped to a limited number of lines."""
    names = ", ".join(printable(name) for name in meaning.names)
    how = ", ".join(printable(each, 40) for each in meaning.how)
    said = ": ".join(filter(None, [names, how]))
    numbers = ", ".join(map(str, meaning.lines))
    lines = textwrap.wrap(said, LETTERS[width], break_on_hyphens=False, break_long_words=False)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "…"]
    where = f"line{'s' if len(meaning.lines) > 1 else ''} {numbers}" if numbers and len(meaning.lines) <= 3 else ""
    return (title, *lines, *([where] if where else []))
