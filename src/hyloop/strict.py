"""Strict JSON for untrusted files: integers that are integers, no NaN, no name twice, and a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any, Protocol

import fastjsonschema

from hyloop.numbers import integer_from
from hyloop.visible import visible

DIGITS = 40  # of a number: far beyond 2^53, and read in no time
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_LONG = re.compile(r"[0-9]{16,}")  # integers of fewer digits are exact as doubles
_WHOLE = str(2**53)  # up to here doubles hold every integer
PIECE = 2**20  # bytes that are read at a time
ROOM = 5 * 2**28  # bytes of memory for the values of a JSON text; a recording of 100 MB takes nearly as many
SHOWN = 60  # characters that a message quotes from an untrusted file
SENTENCE = 400  # characters of a message about an untrusted file


class SupportsRead(Protocol):
    """A file, open for reading bytes."""

    def read(self, size: int, /) -> bytes:
        """At most that many bytes; none at the end of the file."""


def require_room(text: str | bytes, room: int | None = None) -> None:
    """Raise ValueError, before the work, where reading a JSON text may take more memory than that.

    Three letters, `[],`, become a list of 64 bytes: what counts is how many values there are, not the length alone.
    """
    most = ROOM if room is None else room
    raw = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    taken = len(raw) * (1 if raw.isascii() else 4)  # a letter takes 4 bytes where any letter of the text does
    taken += sum(cost * raw.count(sign) for sign, cost in COSTS.items())
    if taken > most:
        raise ValueError(f"reading it may take {taken // 2**20:,} MB of memory, and at most {most // 2**20:,} are used")


# Bytes that Python takes at most for a number and its place in a list, a list, an object, half a string.
COSTS = {b",": 36, b"[": 100, b"{": 200, b'"': 50}


def integers_only(text: str | bytes, digits: int = DIGITS, room: int | None = None) -> Any:
    """A JSON text without fractions, whose numbers have at most so many digits; raises ValueError for any other.

    >>> integers_only('{"rows": 5}')
    {'rows': 5}
    >>> integers_only('{"rows": 5.0}')
    Traceback (most recent call last):
    ...
    ValueError: 5.0 is no whole number
    """
    require_room(text, room)
    try:
        found = json.loads(
            text,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            parse_int=lambda number: _integer(number, digits),
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    require_letters(text, found)
    return found


def printable(text: object, most: int = SHOWN) -> str:
    r"""A text from an untrusted file, for a message: at most `most` characters, control characters escaped.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    >>> printable("a" * 100, most=3)
    'aaa...'
    """
    said = str(text)
    short = said if len(said) <= most else f"{said[:most]}..."
    return visible(short)


def as_browsers_do(text: str | bytes) -> Any:
    """A JSON text whose numbers are doubles, as in a page: 1.0 is 1, and a longer integer is the nearest double.

    A name that stands twice in an object is refused, though browsers take the last.

    >>> as_browsers_do('[1.0, 0.5, 9007199254740993]')
    [1, 0.5, 9007199254740992]
    """
    raw = text if isinstance(text, str) else text.decode()
    rounded = any(len(digits) > len(_WHOLE) or digits > _WHOLE for digits in _LONG.findall(raw))
    whole = _double if rounded else None  # seldom needed; Python's own way is several times as fast
    found = json.loads(raw, parse_constant=_no_number, parse_float=_double, parse_int=whole, object_pairs_hook=_object)
    require_letters(raw, found)
    return found


def _double(text: str) -> int | float:
    value = finite(text)
    return int(value) if value.is_integer() else value


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def finite(text: str) -> float:
    """A number of a JSON text; 1e999 would be read as infinite."""
    if not isfinite(value := float(text)):
        raise ValueError(f"{text[:SHOWN]} is beyond every float")
    return value


def require_letters(text: str | bytes, found: object) -> None:
    """Raise ValueError where a JSON text has half a letter in it (a lone surrogate), which cannot be encoded."""
    raw = text if isinstance(text, str) else text.decode()
    if _HALF.search(raw):  # seldom, and then it may be a whole letter
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half a letter (a lone surrogate) is in it") from None


def _no_fraction(text: str) -> None:
    raise ValueError(f"{text[:SHOWN]} is no whole number")


def _integer(text: str, digits: int) -> int:
    if len(text) > digits:
        raise ValueError(f"a number of {len(text):,} digits; at most {digits} are taken")
    return integer_from(text)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name[:SHOWN]!r} stands there twice")
        found[name] = value
    return found


def read_at_most(file: SupportsRead, most: int) -> bytes:
    """The contents of a file, read in pieces up to one byte beyond the limit; no memory is reserved beforehand."""
    parts: list[bytes] = []
    total = 0
    while total <= most and (part := file.read(min(PIECE, most + 1 - total))):
        parts.append(part)
        total += len(part)
    return b"".join(parts)


# -- schemas --------------------------------------------------------------------------------------------------------


def integer(least: int, most: int) -> dict[str, Any]:
    """A whole number within bounds."""
    return {"type": "integer", "minimum": least, "maximum": most}


def text(most: int) -> dict[str, Any]:
    """A text of at most so many letters."""
    return {"type": "string", "maxLength": most}


def items(of: Mapping[str, Any], most: int, least: int = 0) -> dict[str, Any]:
    """A list of such items."""
    return {"type": "array", "items": of, "minItems": least, "maxItems": most}


def record(**parts: Mapping[str, Any]) -> dict[str, Any]:
    """An object with these fields, every one and no other."""
    return {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}


def validator(schema: dict[str, Any]) -> Callable[[Any], None]:
    """A function that raises ValueError, in words, unless a document fits a schema."""
    compiled: list[Callable[[object], object]] = []  # on first use: compiling takes a moment

    def check(document: object) -> None:
        if not compiled:
            compiled.append(fastjsonschema.compile(schema))
        try:
            compiled[0](document)
        except fastjsonschema.JsonSchemaValueException as wrong:
            raise ValueError(_in_words(wrong)) from None

    return check


def _in_words(wrong: fastjsonschema.JsonSchemaValueException) -> str:
    place = str(wrong.name).removeprefix("data").lstrip(".") or "it"
    return f"{printable(place)} {printable(str(wrong.message).removeprefix(str(wrong.name)).strip(), 3 * SHOWN)}"
