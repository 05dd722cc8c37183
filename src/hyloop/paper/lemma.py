"""A lemma of the paper as data: its columns, its promise, and two layers that should keep it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from hyloop.machine.layer import Layer
from hyloop.machine.layout import Layout

Matrix = npt.NDArray[np.float64]
# Slot -> its column. Two slots may share a column (aliasing).
Names = Mapping[str, str]
# Slot -> its values, trials × rows.
SlotValues = Mapping[str, Matrix]
LayerBuilder = Callable[[Layout, Names, float], Layer]


@dataclass(frozen=True)
class Slot:
    """A column of a lemma: where it may be non-zero, and the range of its (integer) entries.

    `low` and `high` are multiples of Ω if `of_omega` is set. `halves` also allows multiples of 1/(2Ω): the paper's
    numbers are real.
    """

    name: str
    shape: Literal["scalar", "array", "column"]
    low: int = 0
    high: int = 1
    of_omega: bool = False
    halves: bool = False


@dataclass(frozen=True)
class Trial:
    """One input to a lemma: `Ω`, the pointer's number if there is one, and the entries of every slot, row by row."""

    omega: float
    columns: Mapping[str, tuple[float, ...]]
    pointer: int | None = None
    incidence: tuple[tuple[float, ...], ...] = ()

    @property
    def size(self) -> int:
        """`K`."""
        return len(next(iter(self.columns.values())))


@dataclass(frozen=True, eq=False)
class Situation:
    """A batch of trials, the argument of a promise: initial values, pointers, `Ã`, and the code of every number."""

    values: SlotValues
    pointers: npt.NDArray[np.int64]
    incidence: Matrix
    codes: Matrix

    def __getitem__(self, slot: str) -> Matrix:
        return self.values[slot]

    @property
    def size(self) -> int:
        """`K`."""
        return int(self.incidence.shape[1])

    @property
    def rows_pointed_at(self) -> npt.NDArray[np.int64]:
        """The row that each pointer names, or 0 if there is none."""
        return np.where(self.pointers < self.size, self.pointers, 0)


@dataclass(frozen=True)
class Defect:
    """A way in which a printed lemma fails: a name, and an input on which it does."""

    name: str
    trial: Trial


@dataclass(frozen=True)
class Lemma:
    """A lemma of the paper.

    `promise` gives the columns that change; all others must be unchanged. `aliases` are the slots that may share a
    column; a `rowwise` lemma treats each row separately. `says`, `holds_if` and `mend` are for readers.
    """

    name: str
    label: str
    says: str
    slots: tuple[Slot, ...]
    promise: Callable[[Situation], SlotValues]
    printed: LayerBuilder
    corrected: LayerBuilder
    mend: str
    holds_if: str
    pointer: bool = False
    points_at_a_row: bool = True
    incidence: bool = False
    rowwise: bool = False
    scratch: tuple[str, ...] = ()
    aliases: tuple[Names, ...] = ()
    defects: tuple[Defect, ...] = ()
    corrected_slots: Mapping[str, Slot] = field(default_factory=dict)

    def slots_of(self, form: Literal["printed", "corrected"]) -> tuple[Slot, ...]:
        """The declared ranges: the paper's, or narrower ones of the correction."""
        if form == "printed":
            return self.slots
        return tuple(self.corrected_slots.get(slot.name, slot) for slot in self.slots)
