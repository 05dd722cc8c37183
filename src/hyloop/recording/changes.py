"""Numbers by row, stored as changes from frame to frame."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute.integers import number

Numbers = npt.NDArray[Any]

EVERY_ROW = -1
ENTRY = 14  # approximate bytes of one change in the document


def numbers(values: Numbers) -> list[int | float]:
    """Numbers for JSON: all are integers, unless the weights were edited."""
    return [number(value) for value in values.tolist()]


@dataclass(eq=False)
class Changes:
    """The history of a column or a variable. `first` is the row of the first number: 0, or 1 for arrays."""

    now: Numbers
    first: int = 0
    frame: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    value: list[int | float] = field(default_factory=list)
    line: list[int] | None = None

    def __post_init__(self) -> None:
        self.initial = compact(self.now)

    def become(self, frame: int, new: Numbers, line_of: Callable[[int], int] | None = None) -> int:
        """Record the changes to `new`; returns their approximate size in bytes."""
        rows = np.flatnonzero(self.now != new)
        if not len(rows):
            return 0
        places: list[int] = (rows + self.first).tolist()
        lines = [line_of(row) for row in places] if self.line is not None and line_of is not None else []
        if len(rows) > 1 and (new == new[0]).all() and len({*lines}) <= 1:
            places, rows, lines = [EVERY_ROW], rows[:1], lines[:1]
        self.frame += [frame] * len(places)
        self.row += places
        self.value += numbers(new[rows])
        if self.line is not None:
            self.line += lines or [0] * len(places)
        self.now = new.copy()
        return ENTRY * len(places)

    def document(self) -> dict[str, Any]:
        """The JSON of the trace."""
        found = {"initial": self.initial, "frame": self.frame, "row": self.row, "value": self.value}
        return found if self.line is None else found | {"line": self.line}


class Replay:
    """The values of a column of a document, at ever later frames."""

    def __init__(self, changes: Mapping[str, Any]) -> None:
        self._changes, self._done = changes, 0
        self._now: dict[int, float] = {}
        self._base: float | list[float] = changes["initial"]

    def advance(self, frame: int) -> None:
        """Go on to the state at a frame."""
        changes, end = self._changes, bisect_right(self._changes["frame"], frame)
        for at in range(self._done, end):
            row, value = changes["row"][at], changes["value"][at]
            if row == EVERY_ROW:
                self._now, self._base = {}, value
            else:
                self._now[row] = value
        self._done = max(self._done, end)

    def value(self, row: int) -> float:
        """What a row holds now."""
        base = self._base
        return self._now[row] if row in self._now else base[row] if isinstance(base, list) else base


def compact(values: Numbers) -> int | float | list[int | float]:
    """A single number if all are equal, else all of them."""
    if len(values) and (values == values[0]).all():
        return number(values[0])
    return numbers(values)
