"""Text in pictures. Labels are untrusted, so they are drawn literally and never parsed as mathematics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from hyloop.draw.hulls import Floats
from hyloop.numbers import short

LONGEST = 22  # characters of a label
DIGITS = 12  # of a number


def printable(value: object, longest: int = LONGEST) -> str:
    """A label for a picture: unprintable characters escaped, and truncated."""
    text = str(value)[: 4 * longest]
    text = "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)
    if not text.strip():
        return f'"{text}"'  # an empty label is a label
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def number(value: Fraction | int) -> str:
    """A number such as 1.5 or 1/3, shortened for a picture."""
    return short(value, DIGITS)


def has_float(value: Fraction) -> bool:
    """Whether a number is within the range of floats; weights are exact and may be outside."""
    return value == 0 or Fraction(1, 10**300) < abs(value) < 10**300


@lru_cache(maxsize=2**16)
def size_of(text: str, points: float) -> tuple[float, float]:
    """The width and height of a line of text, in points."""
    font = FontProperties(family="DejaVu Sans", size=points)
    width, _, _ = text_to_path.get_text_width_height_descent(text.replace("$", "S"), font, ismath=False)
    return max(float(width), 1.0), 1.15 * points


@dataclass(frozen=True)
class Box:
    """A rectangle on the page."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Box:
        """The rectangle with this centre."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


def sides_of(boxes: Sequence[Box]) -> Floats:
    """Left, bottom, right and top of each rectangle, in a row."""
    return np.array([(box.left, box.bottom, box.right, box.top) for box in boxes], float).reshape(-1, 4)


def covered(asked: Floats, sides: Floats) -> Floats:
    """For each rectangle (a row), the area of the others (columns) in it. Those asked for are close together."""
    low, high = asked[:, :2].min(0, initial=np.inf), asked[:, 2:].max(0, initial=-np.inf)
    near = sides[:, (sides[:2] < high[:, None]).all(0) & (sides[2:] > low[:, None]).all(0)]
    across = np.minimum(near[2], asked[:, 2:3]) - np.maximum(near[0], asked[:, :1])
    upwards = np.minimum(near[3], asked[:, 3:]) - np.maximum(near[1], asked[:, 1:2])
    return np.asarray((np.maximum(across, 0) * np.maximum(upwards, 0)).sum(1))


@dataclass(frozen=True)
class TextBox:
    """A line of text in its rectangle; on a plate, where lines would run through it."""

    text: str
    box: Box
    points: float
    plate: bool = False


class Taken:
    """The occupied rectangles of a page."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        self._sides = np.empty((4, 64))  # left, bottom, right, top; with spare capacity, so that adding is cheap
        self._count = 0
        self.add_all(boxes)

    def add(self, box: Box) -> None:
        """Mark a rectangle as occupied."""
        if self._count == self._sides.shape[1]:
            self._sides = np.concatenate([self._sides, np.empty_like(self._sides)], axis=1)
        self._sides[:, self._count] = box.left, box.bottom, box.right, box.top
        self._count += 1

    def add_all(self, boxes: Iterable[Box]) -> None:
        """Mark rectangles as occupied."""
        for box in boxes:
            self.add(box)

    def overlaps(self, boxes: Sequence[Box]) -> Floats:
        """For each rectangle, the occupied area."""
        return covered(sides_of(boxes), self.sides)

    @property
    def sides(self) -> Floats:
        """Left, bottom, right and top of the occupied rectangles, each a column."""
        return self._sides[:, : self._count]

    def best(self, boxes: Sequence[Box], costs: Iterable[float]) -> Box:
        """The candidate with the lowest sum of cost and overlap; it is marked as occupied."""
        chosen = boxes[int(np.argmin(np.array(list(costs)) + self.overlaps(boxes)))]
        self.add(chosen)
        return chosen

    def extent(self) -> Box:
        """The rectangle around all of them."""
        if not self._count:
            return Box(0, 0, 1, 1)
        sides = self.sides
        return Box(*sides[:2].min(1).tolist(), *sides[2:].max(1).tolist())
