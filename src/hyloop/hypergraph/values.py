"""What labels and numbers are, and how messages show them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias, TypeGuard

import numpy as np

from hyloop.errors import HyloopError
from hyloop.numbers import short

Label: TypeAlias = str | int
Number: TypeAlias = "int | Fraction | Decimal | float | np.integer | np.floating"

# No real label or weight is longer; without a limit, the nine characters 1e9999999 would fill the memory.
DIGITS = 1000
TOO_LONG = 10**DIGITS


def is_number(value: object) -> bool:
    """Whether `value` is a number (True and False are not, and a span of time is not)."""
    numbers = int | float | Decimal | Fraction | np.number
    return isinstance(value, numbers) and not isinstance(value, bool | np.timedelta64)


def is_integer(value: object) -> TypeGuard[int | np.integer]:
    """Whether `value` is an integer. Numpy derives its spans of time from its integers; they are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def shown(value: object) -> str:
    """`value` for error messages: a number as digits, else its `repr`, at most one line."""
    if is_number(value) and (text := _shown_number(value)):
        return text
    return as_python(value)


def require_progress(progress: object, of: str) -> None:
    """Raise unless this is what is called with a number of inputs, iterations, ..., or None."""
    if progress is not None and not callable(progress):
        raise HyloopError(f"progress is a function that is called with a number of {of}; not {shown(progress)}.")


def require_flags(**given: object) -> None:
    """Raise unless each of these is True or False."""
    for name, value in given.items():
        if not isinstance(value, bool | np.bool_):
            raise HyloopError(f"{name} is True or False; not {shown(value)}.")


def as_python(value: object) -> str:
    """The `repr` of a value, in one line: it distinguishes 1.0 from 1."""
    try:
        text = str(value) if isinstance(value, Decimal) else repr(value)
    except (ValueError, RecursionError):  # integers of more than 4300 digits, endless lists
        text = f"a huge {type(value).__name__}"
    except Exception as wrong:  # noqa: BLE001  (whatever an object of another library raises)
        text = f"a {type(value).__name__} (its repr raises {type(wrong).__name__})"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _shown_number(number: object) -> str:
    """A number in at most one line; empty for one that is not finite, not real, or too large."""
    if is_integer(number):
        return short(int(number), 60)
    if isinstance(number, Fraction):
        return short(number, 60)
    if not isinstance(number, float | Decimal | np.floating):
        return ""  # complex
    decimal = number if isinstance(number, Decimal) else Decimal(str(number))
    exponent = decimal.as_tuple().exponent
    moderate = isinstance(exponent, int) and abs(exponent) <= 4 * DIGITS
    return short(decimal, 60) if moderate else ""
