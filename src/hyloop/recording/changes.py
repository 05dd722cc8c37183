"""Numbers by row that change from frame to frame, kept as changes only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]

EVERY_ROW = -1
ENTRY = 14  # bytes that one change takes in the document, about


def number(value: float) -> int | float:
    """A number as JSON has it: all are integers, unless somebody edited the weights."""
    return int(value) if float(value).is_integer() else float(value)


def numbers(values: Numbers) -> list[int | float]:
    """Several of them."""
    return [number(value) for value in values.tolist()]


@dataclass(eq=False)
class Changes:
    """What becomes of a column, or of a variable. `first` is the row of the first number: 0, or 1 for arrays."""

    now: Numbers
    first: int = 0
    frame: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    value: list[int | float] = field(default_factory=list)
    line: list[int] | None = None

    def __post_init__(self) -> None:
        self.initial = compact(self.now)

    def become(self, frame: int, new: Numbers, line_of: Callable[[int], int] | None = None) -> int:
        """Note what differs from before; returns how many bytes that takes, about."""
        rows = np.flatnonzero(self.now != new)
        if not len(rows):
            return 0
        if len(rows) > 1 and (new == new[0]).all():
            entries = [(EVERY_ROW, number(new[0]))]
        else:
            entries = list(zip((rows + self.first).tolist(), numbers(new[rows]), strict=True))
        for row, value in entries:
            self.frame.append(frame)
            self.row.append(row)
            self.value.append(value)
            if self.line is not None:
                self.line.append(0 if line_of is None else line_of(self.first if row == EVERY_ROW else row))
        self.now = new.copy()
        return ENTRY * len(entries)

    def document(self) -> dict[str, Any]:
        """As the trace has it."""
        found = {"initial": self.initial, "frame": self.frame, "row": self.row, "value": self.value}
        return found if self.line is None else found | {"line": self.line}


def compact(values: Numbers) -> int | float | list[int | float]:
    """One number where all are the same, else all of them."""
    if len(values) and (values == values[0]).all():
        return number(values[0])
    return numbers(values)
