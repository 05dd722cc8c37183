"""What a Parquet or an Arrow file unpacks to, from its metadata alone: known before anything is decoded.

Compression, run lengths and dictionaries let a kilobyte stand for gigabytes. The sizes here are those that pyarrow
relies on: those of Parquet stand in the footer and before each page, those of Arrow (IPC) before each batch and each
compressed buffer. They are read without pyarrow, which tells them only after it has decoded the batch.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from hyloop.errors import FormatError


class DamagedTableError(FormatError):
    """Metadata that make no sense."""

    def __init__(self) -> None:
        super().__init__("this table cannot be read: its metadata are damaged.")


@dataclass(frozen=True)
class TableSize:
    """How many rows a table has, how many values in all its columns, nested ones too, and bytes before encoding."""

    rows: int = 0
    values: int = 0
    bytes: int = 0

    def __add__(self, other: TableSize) -> TableSize:
        return TableSize(self.rows + other.rows, self.values + other.values, self.bytes + other.bytes)


# -- Parquet: the footer, and the header of each page, in the compact protocol of Thrift ---------------------------

_PAGES = (2**12, 2**17, 2**24)  # bytes that a page's header may have: long labels may be in its statistics
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_UNPACKED, _PACKED, _COUNTS = 2, 3, (5, 7, 8)  # fields of a page's header; the last are headers with counts of values
_GROUPS, _CHUNKS, _ABOUT = 4, 1, 3  # of the footer, of a row group, of a column's chunk
_VALUES, _WHOLE, _COMPRESSED, _DATA_PAGE, _DICTIONARY_PAGE = 5, 6, 7, 9, 11  # of a column's metadata


def of_parquet(metadata: Any, file: IO[bytes]) -> TableSize:
    """The size of a Parquet file, given the metadata that pyarrow has read from it.

    Of columns the footer is read here: on some damaged ones pyarrow ends the process when it is asked for a column.
    """
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    rows = max([metadata.num_rows, sum(group.num_rows for group in groups), 0])
    found = TableSize(rows=rows)
    for column in _columns(file):
        told = TableSize(0, max(_number(column, _VALUES), 0), max(_number(column, _WHOLE), 0))
        pages = _pages(file, column)
        found += TableSize(0, max(told.values, pages.values), max(told.bytes, pages.bytes))
    most = max((group.num_rows * group.num_columns for group in groups), default=0)
    return TableSize(found.rows, max(found.values, most), found.bytes)


def _columns(file: IO[bytes]) -> Iterator[dict[int, Any]]:
    """The metadata of each column of each row group, from the footer."""
    end = file.seek(0, io.SEEK_END)
    file.seek(max(end - 8, 0))
    length = int.from_bytes(file.read(4), "little")
    file.seek(max(end - 8 - length, 0))
    try:
        footer, _ = _thrift(file.read(length), 0)
    except (IndexError, ValueError, OverflowError, RecursionError):
        raise DamagedTableError from None
    for group in _structures(footer, _GROUPS):
        for column in _structures(group, _CHUNKS):
            about = column.get(_ABOUT)
            if not isinstance(about, dict):
                raise DamagedTableError
            yield about


def _structures(of: dict[int, Any], field: int) -> list[dict[int, Any]]:
    found = of.get(field)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise DamagedTableError
    return found


def _number(of: dict[int, Any], field: int, default: int | None = None) -> int:
    found = of.get(field, default)
    if not isinstance(found, int):
        raise DamagedTableError
    return found


def _pages(file: IO[bytes], column: dict[int, Any]) -> TableSize:
    """What the pages of a column say themselves: the footer might say less, and pyarrow believes the pages."""
    data = _number(column, _DATA_PAGE)
    place, found = min(data, _number(column, _DICTIONARY_PAGE, 0) or data), TableSize()
    end = place + _number(column, _COMPRESSED)
    while 0 <= place < end and _number(column, _VALUES) > 0:  # of a column without values, no page is looked at
        told, length = _header(file, place)
        parts = [part for field in _COUNTS if isinstance(part := told.get(field), dict)]
        values = sum(_number(part, 1, 0) for part in parts)
        unpacked, packed = _number(told, _UNPACKED), _number(told, _PACKED)
        if min(values, unpacked, packed) < 0:
            raise DamagedTableError
        found += TableSize(0, values, unpacked)
        place += length + packed
    return found


def _header(file: IO[bytes], place: int) -> tuple[dict[int, Any], int]:
    """The header of the page at a place, and its length."""
    for most in _PAGES:
        try:
            file.seek(place)
            return _thrift(file.read(most), 0)
        except IndexError:
            continue  # it is longer
        except (ValueError, OverflowError, RecursionError):
            break
    raise DamagedTableError


def _thrift(data: bytes, place: int) -> tuple[dict[int, Any], int]:
    """The integers and structures of a structure, by the numbers of its fields, and where it ends."""
    found: dict[int, Any] = {}
    field = 0
    while data[place]:
        kind, step = data[place] & 15, data[place] >> 4
        place += 1
        if step:
            field += step
        else:
            field, place = _signed(data, place)
        if kind in (_TRUE, _FALSE):
            continue  # the value of a flag is its kind
        found[field], place = _element(data, place, kind)
    return found, place + 1


def _element(data: bytes, place: int, kind: int) -> tuple[Any, int]:
    if kind == _STRUCT:
        return _thrift(data, place)
    if kind == _BINARY:
        length, place = _unsigned(data, place)
        return None, place + length
    if kind in (_LIST, _SET):
        return _list(data, place)
    if kind in (_BYTE, _DOUBLE):
        return None, place + (1 if kind == _BYTE else 8)
    return _signed(data, place)


def _list(data: bytes, place: int) -> tuple[list[Any], int]:
    kind, length = data[place] & 15, data[place] >> 4
    place += 1
    if length == 15:
        length, place = _unsigned(data, place)
    found = []
    for _ in range(length):
        # In a list a flag has a byte of its own.
        value, place = _element(data, place, _BYTE if kind in (_TRUE, _FALSE) else kind)
        if place > len(data):
            raise IndexError(place)
        found.append(value)
    return found, place


def _unsigned(data: bytes, place: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = data[place]
        found |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return found, place


def _signed(data: bytes, place: int) -> tuple[int, int]:
    found, place = _unsigned(data, place)
    return (found >> 1) ^ -(found & 1), place


# -- Arrow (IPC): flatbuffers ---------------------------------------------------------------------------------------

_MAGIC = b"ARROW1"
_BLOCK = struct.Struct("<qiiq")  # where a message is, the length of its metadata, padding, and of its body
_PAIR = struct.Struct("<qq")
_DICTIONARIES, _BATCHES = 2, 3  # fields of the footer
_HEADER_TYPE, _HEADER = 1, 2  # of a message
_DICTIONARY, _BATCH = 2, 3  # types of its header
_DATA = 1  # of a dictionary: its batch
_LENGTH, _NODES, _BUFFERS, _COMPRESSION = 0, 1, 2, 3  # of a batch


def of_arrow(data: bytes | memoryview) -> TableSize:
    """The size of an Arrow file, from its footer and the metadata of every batch and dictionary."""
    try:
        if bytes(data[-6:]) != _MAGIC:
            raise FormatError("this is no Arrow file.")
        footer = _Table.at(data, len(data) - 10 - _integer("<i", data, len(data) - 10))
        blocks = [*footer.structs(_DICTIONARIES, _BLOCK), *footer.structs(_BATCHES, _BLOCK)]
        return sum((_message(data, place, length) for place, length, _, _ in blocks), TableSize())
    except (struct.error, IndexError, ValueError):
        raise DamagedTableError from None


def _message(data: bytes | memoryview, place: int, length: int) -> TableSize:
    marked = _integer("<i", data, place) == -1  # before version 0.15 there was no mark
    message = _Table.at(data, place + (8 if marked else 4))
    header, kind = message.table(_HEADER), message.number(_HEADER_TYPE, "<B")
    batch = header.table(_DATA) if header and kind == _DICTIONARY else header
    if batch is None or kind not in (_DICTIONARY, _BATCH):
        raise ValueError(kind)
    rows = batch.number(_LENGTH, "<q")
    nodes = [count for count, _ in batch.structs(_NODES, _PAIR)]
    lengths = list(_buffers(data, place + length, batch))
    if min(rows, *nodes, *lengths, 0) < 0:
        raise ValueError(rows)
    return TableSize(rows if kind == _BATCH else 0, max(rows, sum(nodes)), sum(lengths))


def _buffers(data: bytes | memoryview, body: int, batch: _Table) -> Iterator[int]:
    """The length of each buffer, unpacked: compressed ones begin with it, or with -1 where they are not."""
    compressed = batch.table(_COMPRESSION) is not None
    for place, length in batch.structs(_BUFFERS, _PAIR):
        told = _integer("<q", data, body + place) if compressed and length else -1
        yield length if told == -1 else told


def _integer(form: str, data: bytes | memoryview, place: int) -> int:
    if place < 0:
        raise IndexError(place)
    return int(struct.unpack_from(form, data, place)[0])


@dataclass(frozen=True)
class _Table:
    """A table of a flatbuffer: where it stands, and where its fields are, by number."""

    data: bytes | memoryview
    place: int

    @staticmethod
    def at(data: bytes | memoryview, root: int) -> _Table:
        """The table to which the number at `root` points."""
        return _Table(data, root + _integer("<I", data, root))

    def _field(self, number: int) -> int | None:
        fields = self.place - _integer("<i", self.data, self.place)
        if 4 + 2 * number >= _integer("<H", self.data, fields):
            return None
        offset = _integer("<H", self.data, fields + 4 + 2 * number)
        return self.place + offset if offset else None

    def number(self, number: int, form: str) -> int:
        """An integer; 0 where it is left out."""
        place = self._field(number)
        return 0 if place is None else _integer(form, self.data, place)

    def table(self, number: int) -> _Table | None:
        """A table; None where it is left out."""
        place = self._field(number)
        return None if place is None else _Table.at(self.data, place)

    def structs(self, number: int, form: struct.Struct) -> Iterator[tuple[int, ...]]:
        """A list of structures."""
        place = self._field(number)
        if place is None:
            return iter(())
        begin = place + _integer("<I", self.data, place)
        count = _integer("<I", self.data, begin)
        return form.iter_unpack(self.data[begin + 4 : begin + 4 + count * form.size])
