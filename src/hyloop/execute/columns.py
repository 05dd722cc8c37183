"""A state by its columns: one that has the same number on all rows but row 0 takes two numbers, not one a row.

Most columns of a first state are such. What an executor asks of it before a run (whether all numbers are integers, the
least and the largest, which columns are one number) takes longer on all rows than some thousand iterations do.
"""

from __future__ import annotations

from collections.abc import Mapping
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

    A state of one row has it twice. `integral` says that all numbers are integers, if that is known.
    """

    size: int
    numbers: FloatArray
    vectors: Mapping[int, FloatArray]
    integral: bool = False

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
        least, most = self.numbers.min(axis=0), self.numbers.max(axis=0)
        for number, vector in self.vectors.items():
            least[number], most[number] = vector.min(), vector.max()
        return least, most

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
