"""Digests of programs, as cache keys: equal for equal programs, different for different ones.

Everything that `repr` shows is included: also labels and source lines, which end up in a model, but not the path of
the source file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from types import MappingProxyType

from hyloop.lang.kinds import INFINITY


def key_of(record: object) -> str:
    """A digest of a record and its fields, recursively; it does not depend on Python's hash seed."""
    digest = hashlib.sha256()
    for word in words(record):
        data = word.encode()
        digest.update(len(data).to_bytes(8, "little") + data)  # length-prefixed: an injective encoding
    return digest.hexdigest()


def words(record: object) -> list[str]:
    """The strings that encode a record, in order."""
    found: list[str] = []
    _add(record, found.append)
    return found


def _add(value: object, add: Callable[[str], None]) -> None:
    kind = type(value)
    parts = _FIELDS[kind] if kind in _FIELDS else _fields(kind)
    if parts:
        add(kind.__name__)
        for name in parts:
            _add(getattr(value, name), add)
    elif isinstance(value, tuple):
        add(f"{len(value)} entries")
        for each in value:
            _add(each, add)
    elif isinstance(value, MappingProxyType):
        _add(tuple(value.items()), add)
    else:
        add(_word(value))


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    """The names of the fields to include, for a record class; none for other classes."""
    _FIELDS[kind] = tuple(field.name for field in fields(kind) if field.repr) if is_dataclass(kind) else ()
    return _FIELDS[kind]


def _word(value: object) -> str:
    if isinstance(value, str):
        return f"str {value}"
    if value is None or value is INFINITY or isinstance(value, bool):
        return repr(value)
    if isinstance(value, int):  # in hex, since Python limits the length of decimal strings
        return f"int {value:x}"
    if isinstance(value, Enum):
        return repr(value)
    raise TypeError(f"a program cannot hold {value!r}")
