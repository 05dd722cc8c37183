"""What a program is, as a list of words: equal for equal programs, different for different ones. A cache needs no more.

Everything counts that `repr` shows: also labels and source lines, which end up in a model; not where the file is on
this machine. Words are not text to be read again: `lang/text.py` writes that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from hyloop.lang.kinds import INFINITY
from hyloop.lang.program import Program


def words(program: Program) -> Iterator[str]:
    """The words of a program, in order."""
    return _words(program)


def _words(value: object) -> Iterator[str]:
    if is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__
        for field in fields(value):
            if field.repr:
                yield from _words(getattr(value, field.name))
    elif isinstance(value, tuple):
        yield f"{len(value)} entries"
        for each in value:
            yield from _words(each)
    elif isinstance(value, Mapping):
        yield from _words(tuple(value.items()))
    else:
        yield _word(value)


def _word(value: object) -> str:
    if value is None or value is INFINITY or isinstance(value, bool):
        return repr(value)
    if isinstance(value, Enum):
        return f"{type(value).__name__} {value.value}"
    if isinstance(value, int):  # in hex, since Python writes no decimals of more than some thousand digits
        return f"int {value:x}"
    if isinstance(value, str):
        return f"str {value}"
    raise TypeError(f"a program cannot hold {value!r}")
