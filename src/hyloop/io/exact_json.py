"""JSON with exact numbers, read strictly and written as read: for every format that is JSON or has JSON in it.

Integers are `int`, other numbers `Decimal`. NaN, a name twice in one object, numbers of any length and nesting of any
depth are refused in sentences.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn, TypeGuard

from hyloop.errors import FormatError, HypergraphError
from hyloop.hypergraph import DIGITS, KEPT_DIGITS, Json, Label, exact, positive_weight, shown
from hyloop.io.budgets import BUDGET, BUDGETS, Budgets
from hyloop.numbers import LongInteger, integer_from

# What a decoder raises: a fault of syntax (with its position), or one of these, of which `refusal` makes sentences.
FAULTS = (ValueError, InvalidOperation, RecursionError)


def parsed(text: str, where: str, budgets: Budgets = BUDGETS) -> object:
    """The one value of a JSON text, such as a line; a fault raises FormatError, which says where it is.

    >>> parsed('{"weight": 0.1}', "line 1")
    {'weight': Decimal('0.1')}
    """
    try:
        return decoder(budgets).decode(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON at column {error.pos + 1}: {error.msg}.", where=where) from None
    except FAULTS as error:
        raise refusal(error, where) from None


def decoder(budgets: Budgets) -> json.JSONDecoder:
    """A decoder that raises `FAULTS` for what is not strict JSON."""
    return json.JSONDecoder(
        parse_float=_limited(Decimal, budgets.number),
        parse_int=_limited(_integer, budgets.number),
        parse_constant=_refuse_constant,
        object_pairs_hook=_object,
    )


def refusal(error: Exception, where: str) -> FormatError:
    """The sentence for a fault that is none of syntax."""
    if isinstance(error, _NotExactError):
        return FormatError(str(error), where=where)
    if isinstance(error, RecursionError):
        return FormatError("the value is nested too deeply to be read.", where=where)
    return FormatError("the value has a number beyond 10^(10^18), which cannot be read.", where=where)


class _NotExactError(ValueError):
    """Raised inside the JSON decoder, which does not know the path."""


def _refuse_constant(name: str) -> NoReturn:
    raise _NotExactError(f"{name} is not a number that JSON has.")


def _limited(parse: Callable[[str], Any], longest: int) -> Callable[[str], Any]:
    """`parse`, limited to numbers that are not too long: some take quadratic time."""

    def limited(text: str) -> Any:
        if len(text) > longest:
            raise _NotExactError(
                f"the value has a number with too many digits to be read: {len(text):,} characters, and it may have "
                f"{longest:,}; {BUDGET}number."
            )
        return parse(text)

    return limited


def _integer(text: str) -> int | Decimal:
    """An integer; a decimal that is one, where Python would neither read nor write so many digits of an integer."""
    return integer_from(text) if len(text) <= KEPT_DIGITS else Decimal(text)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    # Most readers keep the last of two equal names, and silently lose the first.
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _NotExactError(f"an object has the field {shown(twice)} twice.")
    return made


# -- numbers ----------------------------------------------------------------------------------------------------


def is_number(value: object) -> TypeGuard[int | Decimal]:
    """Whether a JSON value is a number; to Python, true is one."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


# Files repeat the same few numbers; each is converted and held once.
@lru_cache(maxsize=2**16)
def _shared(text: str) -> Fraction:
    # Keyed by text, since numbers can be chosen to collide.
    return exact(Decimal(text))


def exact_number(number: int | Decimal, where: str) -> Fraction:
    """A number of the file as it is."""
    try:
        return _shared(str(number))
    except HypergraphError as error:
        raise FormatError(str(error), where=where) from None


def exact_weight(number: int | Decimal, hyperedge: Label, where: str) -> Fraction:
    """The weight of a hyperedge, which is positive."""
    weight = exact_number(number, where)
    try:
        return positive_weight(weight, hyperedge)
    except HypergraphError as error:
        raise FormatError(str(error), where=where) from None


# -- writing ----------------------------------------------------------------------------------------------------

_string = json.JSONEncoder(ensure_ascii=False).encode


def json_text(value: Json) -> str:
    """`value` as JSON text; the json module cannot write a Decimal as a number.

    >>> json_text({"weight": Decimal("0.10")})
    '{"weight": 0.10}'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_string(name)}: {json_text(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(json_text, value)) + "]"
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        # Without an exponent, if that needs no zeros; an attribute may be 1E+999999.
        if not isinstance(exponent, int) or not -4 * DIGITS <= exponent <= 0:
            return str(value)
        # 1.5e1 is no integer and does not become one; but the longest integers are Decimals, too.
        text = f"{value:f}"
        return f"{text}.0" if exponent == 0 and len(text) <= KEPT_DIGITS else text
    return str(value) if isinstance(value, LongInteger) else _string(value)
