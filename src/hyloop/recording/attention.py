"""The attention of each head, as a trace stores it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hyloop.execute.integers import number
from hyloop.execute.watch import Looks
from hyloop.recording.changes import ENTRY

ALL_AT_ONE, EACH_AT_ITSELF, LINKS = 0, 1, 2


@dataclass(eq=False)
class RecordedHead:
    """The attention of one head in each frame after its layer; `layer` and `head` count from 1.

    Links (query row to key row) are stored if not all queries attend to the same row or to themselves, and always for
    a head whose values the incidence `spreads`.
    """

    layer: int
    head: int
    spreads: bool = False
    frame: list[int] = field(default_factory=list)
    pattern: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    ties: list[int] = field(default_factory=list)
    margin: list[int | float | None] = field(default_factory=list)
    start: list[int] = field(default_factory=lambda: [0])
    query: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    link_ties: list[int] = field(default_factory=list)
    link_margin: list[int | float | None] = field(default_factory=list)

    def note(self, frame: int, seen: Looks) -> int:
        """Add a frame; returns its approximate size in bytes."""
        pattern, row = _pattern(seen)
        linked = pattern == LINKS or self.spreads
        told = seen.matters if linked and seen.matters.any() else np.ones(len(seen.row), dtype=np.bool_)
        self.frame.append(frame)
        self.pattern.append(pattern)
        self.row.append(row)
        self.ties.append(int(seen.ties[told].max(initial=1)))
        self.margin.append(_margin(float(seen.margin[told].min(initial=np.inf))))
        if linked:
            queries = np.flatnonzero(seen.matters)
            self.query += queries.tolist()
            self.target += seen.row[queries].tolist()
            self.link_ties += seen.ties[queries].tolist()
            self.link_margin += [_margin(each) for each in seen.margin[queries].tolist()]
        before = self.start[-1]
        self.start.append(len(self.query))
        return ENTRY * (1 + len(self.query) - before)

    def document(self) -> dict[str, Any]:
        """The JSON of the trace."""
        return {
            "layer": self.layer,
            "head": self.head,
            "frame": self.frame,
            "pattern": self.pattern,
            "row": self.row,
            "ties": self.ties,
            "margin": self.margin,
            "start": self.start,
            "links": {
                "query": self.query,
                "row": self.target,
                "ties": self.link_ties,
                "margin": self.link_margin,
            },
        }


def _pattern(seen: Looks) -> tuple[int, int]:
    if (seen.row == seen.row[0]).all() and (seen.ties == seen.ties[0]).all():
        return ALL_AT_ONE, int(seen.row[0])
    if (seen.row == np.arange(len(seen.row))).all() and (seen.ties == 1).all():
        return EACH_AT_ITSELF, -1
    return LINKS, -1


def _margin(value: float) -> int | float | None:
    return None if np.isinf(value) else number(value)
