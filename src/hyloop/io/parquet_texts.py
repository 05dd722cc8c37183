"""Which columns of a Parquet file are read as dictionaries, and which cannot be read within bounds.

A text in a dictionary may stand in millions of rows, so a column of texts is read as a dictionary. pyarrow does so only
where all its pages are plain or have dictionaries. Texts that have their lengths and bytes in the pages take no more
memory than these, and are read as they are. Metadata do not tell how long texts are that share their beginnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_
from typing import Any

from hyloop.errors import FormatError
from hyloop.io.table_sizes import DICTIONARIES, ENCODINGS, LENGTHS, PREFIXES, ParquetColumn, ParquetContents
from hyloop.strict import printable

_AGAIN = "; write the file again with the default encodings, as pyarrow.parquet.write_table(table, file) does."


def texts_with_dictionaries(schema: Any, contents: ParquetContents, is_read: Callable[[str], bool]) -> list[str]:
    """The names of the columns of texts that are read as dictionaries.

    Raises for columns of texts or decimals that `is_read` names and that nothing bounds. Other columns of values with
    lengths hold nothing that is read: their readers refuse the type.
    """
    found = []
    for field, column in _by_field(schema, contents.columns):
        if is_read(field.name):
            _require_known(field.name, column)
            if column.has_lengths and (is_text(field.type) or _is_decimal(field.type)):
                _require_bounded(field.name, column, text=is_text(field.type))
        if is_text(field.type) and LENGTHS not in column.encodings:
            found.append(field.name)
    return found


def is_text(type_: Any) -> bool:
    """Whether a column has texts, as they are or as a dictionary."""
    from pyarrow import types

    held = type_.value_type if types.is_dictionary(type_) else type_
    return bool(types.is_string(held) or types.is_large_string(held) or types.is_string_view(held))


def _is_decimal(type_: Any) -> bool:
    from pyarrow import types

    return bool(types.is_decimal(type_))


def _by_field(schema: Any, columns: tuple[ParquetColumn, ...]) -> Iterator[tuple[Any, ParquetColumn]]:
    """The fields of a table, and what the columns of the file that hold them are together."""
    place = 0
    for field in schema:
        leaves = _leaves(field.type)
        yield field, reduce(or_, columns[place : place + leaves], ParquetColumn())
        place += leaves


def _leaves(type_: Any) -> int:
    """How many columns of a file hold a column of this type."""
    return sum(_leaves(type_.field(place).type) for place in range(type_.num_fields)) if type_.num_fields else 1


def _require_bounded(name: str, column: ParquetColumn, *, text: bool) -> None:
    used = column.encodings
    if PREFIXES in used:
        _refuse(name, PREFIXES, "which does not tell how long its values are")
    coded = min(used & DICTIONARIES.keys(), default=None)
    if coded is not None and (not text or LENGTHS in used):
        _refuse(name, coded, f"beside {ENCODINGS[LENGTHS]}" if text else "but holds bytes of any length, no strings")


def _require_known(name: str, column: ParquetColumn) -> None:
    for number in sorted(column.encodings - ENCODINGS.keys()):
        raise FormatError(f"the column {printable(name)} has the encoding number {number}, which is not read{_AGAIN}")


def _refuse(name: str, encoding: int, why: str) -> None:
    raise FormatError(f"the column {printable(name)} is encoded as {ENCODINGS[encoding]}, {why}{_AGAIN}")
