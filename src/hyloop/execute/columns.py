"""A state by its columns: one that has the same number on all rows but row 0 takes two numbers, not one a row.

Most columns of a first state are such. What an executor asks of it before a run (whether all numbers are integers, the
least and the largest, which columns are one number) takes longer on all rows than some thousand iterations do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyloop.execute.pages import empty

FloatArray = npt.NDArray[np.floating]
MANY = 512  # rows; with fewer, the whole state is as quick


@dataclass(frozen=True, eq=False)
class Columns:
    """A state of `size` rows. `numbers` has rows 0 and 1; a column that is not in `vectors` is on others as on row 1.

    A state of one row has it twice. `integral` says that all numbers are integers, if that is known. `origin` is a
    state that this one was made from by changing the columns `others`: what is known of it is not found out again.
    """

    size: int
    numbers: FloatArray
    vectors: Mapping[int, FloatArray]
    integral: bool = False
    origin: Columns | None = None
    others: frozenset[int] = frozenset()

    @staticmethod
    def of(X: FloatArray | Columns) -> Columns:
        """A state as it is given: `K × d`, or by its columns."""
        return X if isinstance(X, Columns) else Columns(len(X), X[[0, min(1, len(X) - 1)]], dict(enumerate(X.T)))

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """The type of the numbers."""
        return self.numbers.dtype

    @property
    def shape(self) -> tuple[int, int]:
        """Of the whole state."""
        return self.size, self.numbers.shape[1]

    def __len__(self) -> int:
        return self.size

    def body(self, number: int) -> FloatArray:
        """A column on all rows but row 0: one number, if they have it in common."""
        vector = self.vectors.get(number)
        return self.numbers[1:, number] if vector is None else vector[1:]

    @cached_property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """The least and the largest number of each column."""
        changed: Iterable[int] = self.vectors
        least, most = self.numbers.min(axis=0), self.numbers.max(axis=0)
        if self.origin is not None:
            changed, (least, most) = self.others, (each.copy() for each in self.origin.ends)
        for number in changed:
            column = self.vectors.get(number, self.numbers[:, number])
            least[number], most[number] = column.min(), column.max()
        return least, most

    @cached_property
    def known(self) -> dict[object, bool]:
        """What has been found out of this state and is asked for again."""
        return {}

    def whole(self) -> FloatArray:
        """The state, `K × d`."""
        X = empty((self.shape[1], self.size), self.dtype)  # columns contiguous: they are written one by one
        X[:, 0] = self.numbers[0]
        X[:, 1:] = self.numbers[1][:, np.newaxis]
        for number, vector in self.vectors.items():
            X[number] = vector
        return X.T


def whole(X: FloatArray | Columns) -> FloatArray:
    """A state as it is given, `K × d`."""
    return X.whole() if isinstance(X, Columns) else X
