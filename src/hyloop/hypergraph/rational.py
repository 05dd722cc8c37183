"""Exact numbers: what a number means, weights, their common unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from hyloop.errors import HypergraphError
from hyloop.hypergraph.values import DIGITS, TOO_LONG, Label, is_integer, shown
from hyloop.numbers import Exact


def exact(number: object) -> Exact:
    """The rational number that `number` means; a float means the decimal that Python prints for it.

    >>> exact(0.1), exact(Decimal("2.50"))
    (Fraction(1, 10), Fraction(5, 2))
    """
    value = number if type(number) is Exact else Exact(_fraction(number))
    if abs(value.numerator) >= TOO_LONG or value.denominator >= TOO_LONG:
        raise HypergraphError(_too_long(number))
    return value


def _fraction(number: object) -> Fraction:
    if isinstance(number, Decimal):
        return _fraction_of_decimal(number)
    if is_integer(number):
        return Fraction(int(number))
    if isinstance(number, float | np.floating):
        return _fraction_of_decimal(printed(number))
    if isinstance(number, Fraction):
        return number
    raise HypergraphError(f"{shown(number)} is not a number (an int, a Fraction, a Decimal or a float).")


def printed(number: float | np.floating[Any]) -> Decimal:
    """The decimal that Python prints for a float, whatever its own class or numpy's print options say."""
    return Decimal(float.__repr__(number) if isinstance(number, float) else np.format_float_scientific(number))


def _fraction_of_decimal(number: Decimal) -> Fraction:
    if not number.is_finite():
        raise HypergraphError(f"{shown(number)} is not a finite number.")
    # Room for 2**-3300, whose numerator and denominator are short though its decimal has 3300 places. Only the
    # exponents of both ends are checked: there may be millions of digits between them.
    ends = number.adjusted(), number.as_tuple().exponent
    if any(not isinstance(end, int) or abs(end) > 4 * DIGITS for end in ends):
        raise HypergraphError(_too_long(number))
    return Fraction(number)


def _too_long(number: object) -> str:
    return f"{shown(number)} is beyond the limit of {DIGITS} digits for the two numbers of a fraction."


def positive_weight(number: object, hyperedge: Label) -> Exact:
    """The exact weight of a hyperedge; an error names the hyperedge."""
    try:
        weight = exact(number)
    except HypergraphError as error:
        raise HypergraphError(f"The weight of hyperedge {shown(hyperedge)} cannot be used: {error}") from None
    if weight.numerator > 0:
        return weight
    raise HypergraphError(f"The weight of hyperedge {shown(hyperedge)} is {shown(number)}; a weight must be positive.")


def common_unit(lengths: Iterable[Fraction]) -> Exact:
    """The largest length of which all these are integer multiples; 1 if all are 0.

    >>> common_unit([Fraction(1, 2), Fraction(3, 4)])
    Fraction(1, 4)
    """
    divisor, denominator = 0, 1
    for length in lengths:  # in lowest terms, so numerators and denominators are independent
        divisor = math.gcd(divisor, length.numerator)
        if denominator % length.denominator:
            denominator = math.lcm(denominator, length.denominator)
            # The common denominator of hundreds of unrelated ones takes minutes, that of thousands fills the memory.
            if denominator >= TOO_LONG:
                raise HypergraphError(
                    f"The weights have no common unit: their common denominator has more than {DIGITS} digits. "
                    "Round them, or give them as multiples of one unit."
                )
    return Exact(divisor or 1, denominator)


def multiples(lengths: Iterable[Fraction], unit: Fraction) -> tuple[int, ...]:
    """Each length in units; all must be integer multiples."""
    up, down = unit.denominator, unit.numerator
    return tuple(length.numerator // down * (up // length.denominator) for length in lengths)
