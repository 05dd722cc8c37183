"""A small SVG of a hypergraph, for notebooks: the layout of `hyloop draw` in few bytes, without matplotlib's drawing.

One path has all lines, one all squares. Numbers have one decimal.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np

from hyloop.draw.hulls import Floats
from hyloop.draw.layout import SIDE, evenly
from hyloop.draw.library import own_settings
from hyloop.draw.picture import COLOURS, FILLED, HEAVY, INK, PADDING, LaidOut, dashes_of, laid_out
from hyloop.draw.text import TextBox
from hyloop.draw.values import text_on
from hyloop.hypergraph import Hypergraph
from hyloop.result import Result

MOST_VERTICES, MOST_INCIDENCES = 300, 2_000  # of a picture that stays small
CORNERS = 120  # of an outline, at most
WIDTH = 5.0  # inches
NONE, NAME = "none", "#3d5166"
LINE, SQUARE = "#7d8794", "#4f6378"


def fits(h: Hypergraph) -> bool:
    """Whether a hypergraph has a small picture."""
    rows = max(len(h.vertices), len(h.hyperedges))
    return 0 < rows <= MOST_VERTICES and len(h.incidence.indices) <= MOST_INCIDENCES


def svg(h: Hypergraph, result: Result | None = None) -> str:
    """The picture; with a result, in the colours of its values."""
    with own_settings():
        page = laid_out(h, result=result, width=WIDTH)
    extent = page.placed.extent
    left, top = extent.left - PADDING, extent.top + PADDING
    width, height = extent.right - left + PADDING, top - extent.bottom + PADDING
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" width="{width * 1.6:.0f}" '
            f'font-family="DejaVu Sans,Verdana,sans-serif" text-anchor="middle">'
            f'<rect width="100%" height="100%" fill="#fff"/>',
            *_Small(page, left, top).parts(),
            "</svg>",
        ]
    )


def _n(value: float) -> str:
    """A number with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


class _Small:
    def __init__(self, page: LaidOut, left: float, top: float) -> None:
        self.page, self.left, self.top = page, left, top

    def parts(self) -> Iterator[str]:
        """The elements, from the bottom to the top."""
        yield from self._regions() if self.page.regions else self._squares()
        of_hyperedges = [(text, number) for number, text in enumerate(self.page.placed.hyperedge_names) if text]
        plates = "".join(self._plate(text) for text in (*self.page.placed.names, *(each for each, _ in of_hyperedges)))
        yield f'<path d="{plates}" fill="#fff" fill-opacity=".8"/><g font-size="{_n(self.page.sizes.text)}">'
        for text, number in of_hyperedges:
            yield self._text(text, f' fill="{COLOURS[number % len(COLOURS)] if self.page.regions else NAME}"')
        for text in self.page.placed.names:
            yield self._text(text)
        yield "</g>"
        yield from self._vertices()

    def _at(self, points: Floats) -> Floats:
        return np.stack([points[..., 0] - self.left, self.top - points[..., 1]], axis=-1)

    def _path(self, lines: Floats, *, close: bool = False) -> str:
        """Lines of equally many points, as one path."""
        pieces = ("L".join(f"{_n(x)} {_n(y)}" for x, y in line) for line in self._at(lines).tolist())
        return "".join(f"M{piece}{'z' * close}" for piece in pieces)

    def _regions(self) -> Iterator[str]:
        outlines, values = self.page.placed.outlines, self.page.of("hyperedges")
        for number, line in enumerate(outlines):
            colour, dashes = COLOURS[number % len(COLOURS)], " ".join(map(_n, dashes_of(number, len(outlines))))
            fill, opacity = (colour, ".1") if values is None else (values.colours[number], f"{FILLED:g}")
            width = f' stroke-width="{_n(HEAVY)}"' if self.page.is_chosen(number) else ""
            yield (
                f'<path d="{self._path(_few(line)[None], close=True)}" fill="{fill}" fill-opacity="{opacity}" '
                f'stroke="{colour}" stroke-dasharray="{dashes or NONE}"{width}/>'
            )

    def _squares(self) -> Iterator[str]:
        h, placed = self.page.h, self.page.placed
        lines = np.stack([placed.vertices[h.incidence.row_numbers()], placed.hyperedges[h.incidence.indices]], axis=1)
        yield f'<path d="{self._path(lines)}" stroke="{LINE}" stroke-width=".6" fill="none"/>'
        if h.directed:
            ends = [*self.page.arrow_heads(h.tails, into_squares=True)]
            ends += self.page.arrow_heads(h.heads, into_squares=False)
            yield f'<path d="{self._path(np.array(ends).reshape(-1, 3, 2), close=True)}" fill="{SQUARE}"/>'
        yield f'<g fill="#e8edf3" stroke="{SQUARE}" stroke-width=".6">'
        squares = [_rectangle(x, y, SIDE, SIDE) for x, y in self._at(placed.hyperedges).tolist()]
        if (values := self.page.of("hyperedges")) is None:
            yield f'<path d="{"".join(squares)}"/>'
        else:
            for square, colour in zip(squares, values.colours, strict=True):
                yield f'<path d="{square}" fill="{colour}"/>'
        yield "</g>"

    def _vertices(self) -> Iterator[str]:
        values, radius = self.page.of("vertices"), self.page.sizes.radius
        yield f'<g fill="#fff" stroke="{INK}" stroke-width="{_n(min(0.9, radius / 3))}">'
        middles = self._at(self.page.placed.vertices).tolist()
        for number, (x, y) in enumerate(middles):
            fill = "" if values is None else f' fill="{values.colours[number]}"'
            yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{fill}/>'
        yield "</g>"
        if values is not None and self.page.sizes.inside:
            for (x, y), text, colour in zip(middles, values.texts, values.colours, strict=True):
                size = min(7.0, 18 / max(len(text), 1))
                yield _written(text, x, y, size, f' font-size="{_n(size)}" fill="{text_on(colour)}"')

    def _plate(self, text: TextBox) -> str:
        """What lines under a text are covered with, as a part of a path."""
        x, y = self._at(np.array(text.box.middle)).tolist()
        return _rectangle(x, y, text.box.right - text.box.left, text.box.top - text.box.bottom) if text.plate else ""

    def _text(self, text: TextBox, more: str = "") -> str:
        x, y = self._at(np.array(text.box.middle)).tolist()
        return _written(text.text, x, y, text.points, more)


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    """A rectangle around a point, as a part of a path."""
    return f"M{_n(x - width / 2)} {_n(y - height / 2)}h{_n(width)}v{_n(height)}h-{_n(width)}z"


def _few(line: Floats) -> Floats:
    return line if len(line) <= CORNERS else evenly(line, CORNERS)


def _written(text: str, x: float, y: float, size: float, more: str) -> str:
    return f'<text x="{_n(x)}" y="{_n(y + 0.36 * size)}"{more}>{escape(text)}</text>'
