"""The machine's floats as integers: compared and read exactly, never rounded.

The machine computes in floats. All of them are integers below `EXACT` if the model's certificate holds. That is checked
here, not assumed: a number that is not an integer, or too large for a float to be exact, is an error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.lang.kinds import SCOPE_OF, Kind, Scope, Type
from hyloop.machine.model import EXACT
from hyloop.numbers import short

FloatArray = npt.NDArray[np.floating]
# Integers of 64 bits, or Python's own where some are longer. Numpy would round one that meets a float.
Integers = npt.NDArray[Any]

_LONG = 2**63


def integers(values: Any) -> Integers:
    """Integers as an int64 array, or as Python's own where one does not fit. Raises for what is not an integer."""
    given = np.asarray(values)
    if given.dtype == np.int64:
        return np.atleast_1d(given)
    exact = [_integer(each) for each in np.atleast_1d(np.asarray(values, dtype=object)).tolist()]
    fits = all(-_LONG <= each < _LONG for each in exact)
    return np.array(exact, dtype=np.int64 if fits else object)


def _integer(value: Any) -> int:
    whole = int(value)
    if whole != value:
        raise TypeError(f"{value!r} is no integer.")
    return whole


def expected(type_: Type, value: Any, infinity: tuple[int, int]) -> Integers:
    """A value of the interpreter as the machine should have it: exact, and infinity as the model's Ω.

    `infinity` is the interpreter's integer for it, and the model's. Only lengths can be infinite: a count is never
    taken for it, however large.
    """
    found = integers(value)
    theirs, ours = infinity
    if type_.kind is not Kind.LENGTH or (theirs >= _LONG and found.dtype != object):
        return found
    infinite = np.asarray(found == theirs, dtype=np.bool_)
    if not infinite.any():
        return found
    if found.dtype != object and -_LONG <= ours < _LONG:
        return np.where(infinite, np.int64(ours), found)
    replaced = found.astype(object)
    replaced[infinite] = ours
    return integers(replaced)


def differing(found: FloatArray, wanted: Integers) -> npt.NDArray[np.intp]:
    """The indices where `found` differs from `wanted`. What is not finite, or not an integer, differs."""
    limit = EXACT["float64"]
    if wanted.dtype != object and -limit <= wanted.min(initial=0) and wanted.max(initial=0) <= limit:
        return np.flatnonzero(found != wanted.astype(np.float64))  # every one of them is a float
    # Python compares a float with an integer of any size exactly; numpy would round the integer first.
    pairs = zip(found.tolist(), wanted.tolist(), strict=True)
    return np.flatnonzero([number != integer for number, integer in pairs])


def number(value: float) -> int | float:
    """One of the machine's numbers: an integer if it is one, else the float."""
    return int(value) if isinstance(value, int | np.integer) or float(value).is_integer() else float(value)


def require_range(X: FloatArray, iteration: int) -> None:
    """Raise `ModelError` where a state has left the range in which floats are exact: backends may round differently."""
    limit = EXACT["float32" if X.dtype == np.float32 else "float64"]
    largest = max(X.max(initial=0), -X.min(initial=0))  # no copy, as `abs` would make
    if not largest < limit:  # NaN is no number below it
        raise ModelError(
            f"After iteration {iteration:,} the machine holds {short(number(largest))}, and its floats are exact below "
            f"{limit:,} only. So no result is read from it. The model is unverified: compile its program anew."
        )


def read(name: str, type_: Type, column: FloatArray, counts: tuple[int, int]) -> npt.NDArray[np.int64]:
    """The numbers of a state: exact integers within the range of its type. Anything else raises `ModelError`.

    `counts` are those of vertices and hyperedges. A flag is 0 or 1, a pointer is 0 or a row, and nothing is negative.
    """
    most = _most(type_, column, counts)
    wrong = ~((column >= 0) & (column <= most) & (column == np.floor(column)))  # NaN is wrong, too
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        held, row = short(number(column[place])), place + (type_.scope is not Scope.SCALAR)
        raise ModelError(
            f"The machine holds {held} for {name} at row {row}, "
            f"where a {type_.kind} should be: an integer from 0 to {most:,}. So no result is read from it. The model "
            "does not do what its program says; `hyloop check` shows where they differ."
        )
    return column.astype(np.int64)


def require_values(name: str, type_: Type, found: npt.NDArray[np.signedinteger[Any]], counts: tuple[int, int]) -> None:
    """Raise `ModelError` for integers that are no values of a type."""
    most = _most(type_, np.zeros(0), counts)
    if found.size and (int(found.min()) < 0 or int(found.max()) > most):
        read(name, type_, found.astype(np.float64).ravel(), counts)


def read_one(name: str, type_: Type, column: FloatArray, counts: tuple[int, int]) -> int:
    """The number of a scalar state, which is on row 0; as `read`, without the cost of arrays."""
    first = float(column[0])
    if 0 <= first <= _most(type_, column, counts) and first.is_integer():
        return int(first)
    return int(read(name, type_, column[:1], counts)[0])


def _most(type_: Type, column: FloatArray, counts: tuple[int, int]) -> int:
    """The largest number that a value of a type can be."""
    if type_.kind.is_pointer:
        return counts[0] if SCOPE_OF[type_.kind] is Scope.VERTICES else counts[1]
    limit = EXACT["float32" if column.dtype == np.float32 else "float64"]
    return 1 if type_.kind is Kind.FLAG else limit - 1
