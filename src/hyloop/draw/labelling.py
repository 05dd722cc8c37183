"""Where labels go: beside what they name, off the lines and discs of others, and off each other.

Each label has candidates with a fixed cost. They are chosen one after another, then again in view of all others, until
nothing changes: no search, so the same picture has the same labels on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hyloop.draw.hulls import Floats
from hyloop.draw.text import Box, Taken, TextBox, covered

ROUNDS = 4
OVERLAP = 6.0  # the cost of a square point of a disc or of another label
TOO_MUCH = 0.15  # of a label that may go: the part of it that is covered, from which on it does
WIDE = 1.0  # half the width of a line, in points
NEARER = 15.0  # the cost of a point by which a label is nearer to another mark than to its own
FAR = 10.0  # points, from which on a mark is not taken for what a label names
GAPS = ((0.0, 0.0), (3.0, 8.0), (7.0, 20.0))  # points between a disc and its label, and what that costs
# Directions from a disc, with what each costs: right, left, above, below, then the diagonals.
DIRECTIONS = (
    (0, 0.0), (180, 1.0), (90, 2.0), (270, 2.0), (45, 3.0), (135, 3.0), (225, 3.0), (315, 3.0), (22, 3.5), (158, 3.5),
    (202, 3.5), (338, 3.5), (68, 3.5), (112, 3.5), (248, 3.5), (292, 3.5),
)  # fmt: skip


_ANGLES = np.radians([degrees for degrees, _ in DIRECTIONS])
TOWARD = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
COSTS = np.array([far + cost for _, far in GAPS for _, cost in DIRECTIONS])


@dataclass(frozen=True, eq=False)
class Lines:
    """Line segments (N × 2 × 2), and what a label pays for each point of their length that it covers."""

    segments: Floats
    costs: Floats

    def under(self, boxes: Floats) -> tuple[Floats, Floats]:
        """For each rectangle, what its lines cost, and how much of them there is."""
        sides = boxes + np.array([-WIDE, -WIDE, WIDE, WIDE])
        low, high = sides[:, :2].min(0), sides[:, 2:].max(0)
        near = (self.segments.min(1) < high).all(1) & (self.segments.max(1) > low).all(1)
        lengths = lengths_inside(sides, self.segments[near])
        return lengths @ self.costs[near], lengths.sum(1)


@dataclass(frozen=True, eq=False)
class Label:
    """A text with its candidates: rows of left, bottom, right, top. One that `may_go` goes if it would cover much."""

    text: str
    points: float
    boxes: Floats
    costs: Floats
    may_go: bool
    crossed: Floats  # of each candidate: how much of lines it covers

    def at(self, number: int) -> TextBox:
        """The text at one of its candidates."""
        return TextBox(self.text, Box(*self.boxes[number].tolist()), self.points, plate=bool(self.crossed[number]))


def lengths_inside(sides: Floats, segments: Floats) -> Floats:
    """The length of each segment inside each rectangle (left, bottom, right, top)."""
    begin, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    step = np.where(along == 0, 1e-12, along)
    first = (sides[:, None, :2] - begin) / step
    last = (sides[:, None, 2:] - begin) / step
    enter = np.minimum(first, last).max(2).clip(0, 1)
    leave = np.maximum(first, last).min(2).clip(0, 1)
    return np.asarray(np.maximum(leave - enter, 0) * np.sqrt((along**2).sum(1)))


def beside(point: Floats, radius: float, width: float, height: float) -> tuple[Floats, Floats]:
    """Candidates for a text beside a disc, and what each costs."""
    reach = np.clip(1.5 * TOWARD, -1, 1) * [width / 2, height / 2]
    middles = np.concatenate([point + TOWARD * (radius + 1.2 + gap) + reach for gap, _ in GAPS])
    return around(middles, width, height), COSTS


def around(middles: Floats, width: float, height: float) -> Floats:
    """Rectangles around points."""
    half = np.array([width / 2, height / 2])
    return np.concatenate([middles - half, middles + half], axis=1)


def strangers(boxes: Floats, own: int, marks: Floats, radii: Floats) -> Floats:
    """What each rectangle pays for being nearer to the mark of another than to its own: it would seem to name that."""
    reach = radii.max() + FAR
    near = ((marks > boxes[:, :2].min(0) - reach) & (marks < boxes[:, 2:].max(0) + reach)).all(1)
    near[own] = True
    low, high, points = boxes[:, None, :2], boxes[:, None, 2:], marks[near]
    apart = np.sqrt((np.maximum(np.maximum(low - points, points - high), 0) ** 2).sum(2)) - radii[near]
    mine = int(near[:own].sum())
    others = np.delete(apart, mine, axis=1).min(1, initial=np.inf)
    return np.asarray(NEARER * np.clip(apart[:, mine] - others + 1, 0, 8))


def placed(labels: Sequence[Label], taken: Taken) -> list[TextBox | None]:
    """Each label where it costs least; None for one that may go, and goes. The places are marked as taken."""
    discs = [covered(label.boxes, taken.sides) for label in labels]
    chosen: list[int | None] = [None] * len(labels)
    now = np.tile(np.array([[np.inf], [np.inf], [-np.inf], [-np.inf]]), len(labels))  # no rectangle yet
    for _ in range(ROUNDS):
        before = list(chosen)
        for number, label in enumerate(labels):
            now[:, number] = np.inf, np.inf, -np.inf, -np.inf
            under = discs[number] + covered(label.boxes, now)
            best = int(np.argmin(label.costs + OVERLAP * under))
            left, bottom, right, top = label.boxes[best]
            goes = label.may_go and under[best] > TOO_MUCH * (right - left) * (top - bottom)
            chosen[number] = None if goes else best
            if not goes:
                now[:, number] = label.boxes[best]
        if chosen == before:
            break
    found = [None if at is None else label.at(at) for label, at in zip(labels, chosen, strict=True)]
    taken.add_all(each.box for each in found if each is not None)
    return found
