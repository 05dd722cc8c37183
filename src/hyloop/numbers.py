"""One way to write a number: 0.37 is `0.37`, a third is `1/3`; in tables, notebooks, pictures, pages, files and JSON.

`written` is exact: a decimal where the decimals end, a fraction in lowest terms where they do not, and never an
exponent. `short` is the same up to a number of characters, and cuts longer numbers visibly. `counted` is for
what hyloop itself counts (rows, iterations, bytes): with commas between thousands, which numbers of users never have,
so that they can be copied back. The page has the same functions (`viewer/src/numbers.ts`), compared with these by a
table of cases, `viewer/test/numbers.json`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from hyloop.errors import HyloopError

Number: TypeAlias = int | Fraction | Decimal | float

INFINITE = "∞"
MOST = 40  # characters of a number in a table
LONGEST = 10_000  # characters of a number that is read; those of hyloop's own files have fewer than 5,000
LARGEST_WHOLE = 2**53  # in JSON: up to here every reader has all integers

_WRITTEN = re.compile(r"(-?)([0-9]+)(?:/([0-9]+)|\.([0-9]+))?")
_PADDED = re.compile(r"(.?[<>^])?[0-9]+", re.DOTALL)
_EXPONENT = re.compile(r"[0-9]e[-+]?[0-9]")
_AT_ONCE = 600  # digits that Python turns into text, and back, whatever it is told: its lowest limit is 640


class Exact(Fraction):
    """A fraction whose text is that of `written`: `print` gives 0.37. In all else it is a Fraction, and equal to one.

    >>> print(Exact(37, 100), Exact(1, 3))
    0.37 1/3
    """

    __slots__ = ()

    def __str__(self) -> str:
        return written(self)

    def __repr__(self) -> str:
        sign, top = "-" * (self.numerator < 0), abs(self.numerator)
        return f"Fraction({sign}{_text(top)}, {_text(self.denominator)})"  # an expression that gives an equal number

    def __format__(self, spec: str) -> str:
        if not spec or _PADDED.fullmatch(spec):
            return format(written(self), spec)
        return super().__format__(spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.numerator, self.denominator)


class LongInteger(int):
    """An integer of so many digits that Python may refuse to write them (`PYTHONINTMAXSTRDIGITS`); hyloop does not.

    In all else it is an `int`, and equal to one.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return f"{'-' * (self < 0)}{_text(abs(int(self)))}"

    __repr__ = __str__


def writable(number: int) -> int:
    """The same integer, such that `str` and `repr` give its digits whatever Python's limit is."""
    return LongInteger(number) if number.bit_length() >= 3 * _AT_ONCE else number


def integer_from(digits: str) -> int:
    """The integer of these digits, whatever Python's limit is; before them may stand a sign.

    >>> integer_from("-" + "9" * 700) == 1 - 10**700
    True
    """
    if len(digits) <= _AT_ONCE:
        return int(digits)
    return writable(_whole(digits.lstrip("+-")) * (-1 if digits[0] == "-" else 1))


def written(number: Number) -> str:
    """A number, exactly: `0.37`, `1/3`, `12`, `∞`. A float means the decimal that Python prints for it.

    >>> written(Fraction(3, 2)), written(Fraction(1, 3)), written(1e-9), written(Decimal("2.50")), written(10**20)
    ('1.5', '1/3', '0.000000001', '2.5', '100000000000000000000')
    """
    if not is_finite(number):
        return _not_finite(number)
    value = fraction_of(number)
    sign, top, bottom = "-" * (value < 0), abs(value.numerator), value.denominator
    places = decimal_places(bottom)
    if places is None:
        return f"{sign}{_text(top)}/{_text(bottom)}"
    if places == 0:
        return f"{sign}{_text(top)}"
    digits = _text(top * 10**places // bottom).zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def is_finite(number: Number) -> bool:
    """Whether a number is neither infinite nor none. The decimal 1e1000 is finite, and the float next to it is not."""
    return number.is_finite() if isinstance(number, Decimal) else not isinstance(number, float) or math.isfinite(number)


def _not_finite(number: Number) -> str:
    if math.isnan(number):
        return "not a number"
    return INFINITE if number > 0 else f"-{INFINITE}"


def fraction_of(number: Number) -> Fraction:
    """A finite number as a fraction; a float means the decimal that Python prints for it."""
    if isinstance(number, Fraction):
        return number
    return Fraction(Decimal(repr(float(number))) if isinstance(number, float) else number)


def decimal_places(denominator: int) -> int | None:
    """How many decimals a fraction in lowest terms has; None if they never end."""
    twos = (denominator & -denominator).bit_length() - 1
    rest = denominator >> twos
    if rest == 1 or rest % 5:
        return twos if rest == 1 else None
    fives = round(math.log(rest, 5))  # by its length: dividing by 5 again and again would be quadratic
    return max(twos, fives) if 5**fives == rest else None


def short(number: Number, most: int = MOST) -> str:
    """A number as `written`, if it has at most `most` characters; else its first digits and an ellipsis.

    No digit is rounded. Where the decimals are too many, they are cut: `0.3333333…`. Where the digits before the point
    are too many, they are cut and counted: `123456…(1,000 digits)`. Where only zeros would be left, it is a fraction
    whose parts are cut like that: `1/1000…(301 digits)`.

    >>> short(Fraction(1, 3)), short(Fraction(1234567, 7654321), 12), short(10**30, 20)
    ('1/3', '0.161290204…', '10000000…(31 digits)')
    """
    if not is_finite(number):
        return written(number)
    if isinstance(number, Decimal) and abs(number.adjusted()) > LONGEST:
        return _short_decimal(number, most)
    value = fraction_of(number)
    sign, value = "-" * (value < 0), abs(value)
    whole = value.numerator // value.denominator
    room = most - len(sign) - digits_of(whole)
    if room < 0:
        return f"{sign}{_cut(whole, most - len(sign))}"
    text = written(value)
    if len(sign) + len(text) <= most:
        return f"{sign}{text}"
    places = max(0, room - 2)  # the point, and the sign for more
    shown = value.numerator * 10**places // value.denominator
    if shown == 0:
        return f"{sign}{_cut(value.numerator, most // 2)}/{_cut(value.denominator, most // 2)}"
    digits = _text(shown).zfill(places + 1)
    return f"{sign}{digits[: len(digits) - places]}.{digits[len(digits) - places :]}…"


def _short_decimal(number: Decimal, most: int) -> str:
    """A decimal of so many digits, or places, that no memory would hold them, such as 1e999999999."""
    sign, digits = "-" * (number < 0), "".join(map(str, number.as_tuple().digits)).strip("0")
    if not digits:
        return "0"
    if number.adjusted() > 0:
        return f"{sign}{_counted_digits(digits, number.adjusted() + 1, most - len(sign))}"
    top = digits if len(digits) <= most // 2 else _counted_digits(digits, len(digits), most // 2)
    return f"{sign}{top}/{_counted_digits('1', len(digits) - number.adjusted(), most // 2)}"


def _cut(whole: int, most: int) -> str:
    """The first digits of a whole number of at least 0, and how many there are."""
    digits = digits_of(whole)
    if digits <= most:
        return _text(whole)
    return _counted_digits(_text(whole // 10 ** max(0, digits - max(4, most))), digits, most)


def _counted_digits(first: str, digits: int, most: int) -> str:
    """The first digits of a whole number, filled up with zeros, and how many there are."""
    count = f"…({digits:,} digits)"
    room = max(4, most - len(count))
    return f"{first[:room].ljust(room, '0')}{count}"


def digits_of(whole: int) -> int:
    """How many digits a whole number of at least 0 has."""
    guess = max(1, int(whole.bit_length() * math.log10(2)))  # right, or one or two too low
    while 10**guess <= whole:
        guess += 1
    return guess


def _text(whole: int) -> str:
    """The digits of a whole number of at least 0. Python refuses to write many of them at once."""
    if whole.bit_length() < 3 * _AT_ONCE:
        return str(whole)
    half = digits_of(whole) // 2
    high, low = divmod(whole, 10**half)
    return f"{_text(high)}{_text(low).zfill(half)}"


def counted(count: int) -> str:
    """A count of hyloop's own, with commas: `131,071`; one too long for a sentence by its power of 10.

    >>> counted(131071), counted(10**40)
    ('131,071', 'about 10^40')
    """
    return f"{count:,}" if abs(count) < 10**30 else f"about {'-' * (count < 0)}10^{digits_of(abs(count)) - 1}"


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun; the plural is the singular with an s, unless `many` gives it.

    >>> plural(1, "iteration"), plural(1200, "iteration"), plural(2, "vertex", "vertices")
    ('1 iteration', '1,200 iterations', '2 vertices')
    """
    return f"{counted(count)} {one if count == 1 else many or one + 's'}"


class NotANumberError(HyloopError, ValueError):
    """A text that is no number as `written` writes it."""


def read(text: str) -> Fraction:
    """The finite number that `written` wrote, if it has at most 10,000 characters.

    NotANumberError, a ValueError, for any other text, such as `1e-9`, ` 1`, `1/0` or `∞`.
    """
    if not isinstance(text, str):
        raise NotANumberError(f"a value of the type {type(text).__name__} is not a number as hyloop writes it, a text")
    if len(text) > LONGEST:
        raise NotANumberError(
            f"{text[:60]!r}... is not a number as hyloop writes it: it has {len(text):,} characters, and at most "
            f"{LONGEST:,} are read"
        )
    match = _WRITTEN.fullmatch(text)
    if match is None or (match[3] is not None and not match[3].strip("0")):
        raise NotANumberError(f"{text[:60]!r} is not a number as hyloop writes it, such as 3, 0.25 or 1/3")
    decimals = match[4] or ""
    top = _whole(match[2] + decimals) * (-1 if match[1] else 1)
    return Fraction(top, _whole(match[3]) if match[3] else 10 ** len(decimals))


def _whole(digits: str) -> int:
    if len(digits) <= _AT_ONCE:
        return int(digits)
    return int(_whole(digits[:-_AT_ONCE]) * 10**_AT_ONCE) + int(digits[-_AT_ONCE:])


# -- JSON -----------------------------------------------------------------------------------------------------------


def in_json(number: Number) -> int | float | str:
    """A number for JSON: as a number where every reader gets it back, else as text, exactly as `written`.

    As numbers: integers up to 2⁵³, and decimals that a double prints again as they are. Text is `1/3`, `∞`, and what
    has more digits than a double.

    >>> in_json(Fraction(37, 100)), in_json(Fraction(4, 1)), in_json(Fraction(1, 3)), in_json(10**20)
    (0.37, 4, '1/3', '100000000000000000000')
    """
    if not is_finite(number):
        return written(number)
    value = fraction_of(number)
    if value.denominator == 1:
        return value.numerator if abs(value) <= LARGEST_WHOLE else written(value)
    nearest = meant_by(value)
    return written(value) if nearest is None else nearest


def meant_by(value: Fraction) -> float | None:
    """The float for which Python prints a decimal equal to `value`; None if there is none."""
    try:
        nearest = float(value)
    except OverflowError:
        return None
    return nearest if fraction_of(nearest) == value else None


def json_text(value: object, indent: int | None = None, *, ascii_only: bool = False) -> str:
    """A document as JSON text, as the json module writes it, but for its numbers: they have no exponents.

    >>> json_text({"unit": 1e-9})
    '{"unit": 0.000000001}'
    """
    with suppress(ValueError):  # an integer of more digits than Python writes
        text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        if not _EXPONENT.search(text):  # as nearly always; and the json module is ten times as fast
            return text
    return "".join(_pieces(value, _Style(indent, ascii_only), 0))


@dataclass(frozen=True)
class _Style:
    indent: int | None
    ascii_only: bool

    def leaf(self, value: object) -> str:
        if isinstance(value, float) and math.isfinite(value):
            text = written(value)
            return text if "." in text else f"{text}.0"  # so that it is read as a float again
        if isinstance(value, int) and not isinstance(value, bool):
            return str(writable(value))
        return json.dumps(value, ensure_ascii=self.ascii_only)

    def newline(self, depth: int, else_: str = "") -> str:
        return else_ if self.indent is None else f"\n{' ' * self.indent * depth}"


def _pieces(value: object, style: _Style, depth: int) -> Iterator[str]:
    if isinstance(value, dict) and value:
        named = ((f"{style.leaf(_key(name))}: ", part) for name, part in value.items())
        yield from _listed("{}", named, style, depth)
    elif isinstance(value, list | tuple) and value:
        yield from _listed("[]", (("", part) for part in value), style, depth)
    else:
        yield style.leaf(value)


def _key(name: object) -> str:
    return name if isinstance(name, str) else json.dumps(name)


def _listed(brackets: str, parts: Iterable[tuple[str, object]], style: _Style, depth: int) -> Iterator[str]:
    separator = f"{brackets[0]}{style.newline(depth + 1)}"
    for name, part in parts:
        yield f"{separator}{name}"
        yield from _pieces(part, style, depth + 1)
        separator = f",{style.newline(depth + 1, ' ')}"
    yield f"{style.newline(depth)}{brackets[1]}"
