"""What a Parquet or an Arrow file unpacks to, from its metadata alone: known before anything is decoded.

Compression, run lengths and dictionaries let a kilobyte stand for gigabytes. The sizes here are those that pyarrow
relies on: those of Parquet stand in the footer and before each page, those of Arrow (IPC) before each batch and each
compressed buffer. They are read without pyarrow, which tells them only after it has decoded the batch.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from hyloop.errors import FormatError


class DamagedTableError(FormatError):
    """Metadata that make no sense."""

    def __init__(self, what: str = "this table cannot be read: its metadata are damaged") -> None:
        super().__init__(f"{what}; copy or write the file again.")


@dataclass(frozen=True)
class TableSize:
    """How many rows a table has, how many values in all its columns, nested ones too, and bytes before encoding."""

    rows: int = 0
    values: int = 0
    bytes: int = 0

    def __add__(self, other: TableSize) -> TableSize:
        return TableSize(self.rows + other.rows, self.values + other.values, self.bytes + other.bytes)


class Entries:
    """Counts the entries of metadata while they are read: each takes time, in a table without rows, too."""

    def __init__(self, require: Callable[[int], None]) -> None:
        self._require, self._count, self._told = require, 0, 0

    def add(self, count: int) -> None:
        """Count these, and ask at times whether they are not too many."""
        self._count += count
        if self._count >= self._told:
            self._require(self._count)
            self._told = self._count + 1024


def _any_number(_: int) -> None:
    """No limit."""


# -- Parquet: the footer, and the header of each page, in the compact protocol of Thrift ---------------------------

_PAGES = (2**12, 2**17, 2**24)  # bytes that a page's header may have: long labels may be in its statistics
_PARQUET, _ENCRYPTED = b"PAR1", b"PARE"
_TRUE, _FALSE, _BYTE, _SHORT, _INT, _LONG, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_BYTES_OF = {_TRUE: 1, _FALSE: 1, _BYTE: 1, _DOUBLE: 8}  # of an element of a list: there a flag has a byte of its own
_BITS_OF = {_SHORT: 16, _INT: 32, _LONG: 64}
_NESTING = 32  # levels of structures and lists in metadata; the format has 7

# The fields that are read. As in pyarrow, a field of another kind than its own is none.
_SCHEMA, _ROWS, _GROUPS = (2, _LIST), (3, _LONG), (4, _LIST)  # of the footer
_WIDTH = (2, _INT)  # of an element of the schema
_CHUNKS, _GROUP_ROWS, _ABOUT = (1, _LIST), (3, _LONG), (3, _STRUCT)  # of a row group, and of a column's chunk
_TYPE, _VALUES, _WHOLE, _COMPRESSED = (1, _INT), (5, _LONG), (6, _LONG), (7, _LONG)  # of a column's metadata
_DATA_PAGE, _DICTIONARY_PAGE = (9, _LONG), (11, _LONG)
_UNPACKED, _PACKED = (2, _INT), (3, _INT)  # of a page's header
_COUNT = (1, _INT)  # of the parts of it that count values
_COUNTING = {(5, _STRUCT): (2, _INT), (7, _STRUCT): None, (8, _STRUCT): (4, _INT)}  # these, and their encoding
_BYTE_ARRAY, _FIXED = 6, 7  # types of a column

Fields = dict[tuple[int, int], Any]  # by number and kind

LENGTHS, PREFIXES = 6, 7
DICTIONARIES = {2: "PLAIN_DICTIONARY", 8: "RLE_DICTIONARY"}
ENCODINGS = DICTIONARIES | {
    0: "PLAIN",
    3: "RLE",
    5: "DELTA_BINARY_PACKED",
    LENGTHS: "DELTA_LENGTH_BYTE_ARRAY",
    PREFIXES: "DELTA_BYTE_ARRAY",
    9: "BYTE_STREAM_SPLIT",
}


@dataclass(frozen=True)
class ParquetColumn:
    """A column of a Parquet file: whether its values have lengths of their own, and how its pages encode them."""

    has_lengths: bool = False
    encodings: frozenset[int] = frozenset()

    def __or__(self, other: ParquetColumn) -> ParquetColumn:
        return ParquetColumn(self.has_lengths or other.has_lengths, self.encodings | other.encodings)


@dataclass(frozen=True)
class ParquetContents:
    """What the metadata of a Parquet file say. Columns are leaves of the schema, in order."""

    size: TableSize
    columns: tuple[ParquetColumn, ...]


def of_parquet(file: IO[bytes], require: Callable[[int], None] = _any_number) -> ParquetContents:
    """What a Parquet file holds. `require` is asked, with their number so far, whether there are not too many entries.

    The footer is read without pyarrow: on some damaged ones it ends the process when it is asked for a column.
    """
    entries = Entries(require)
    footer = _footer(file, entries)
    groups = _structures(footer, _GROUPS)
    widest = max([_number(element, _WIDTH, 0) for element in _structures(footer, _SCHEMA)], default=0)
    size = TableSize(max(_number(footer, _ROWS), sum(_number(group, _GROUP_ROWS) for group in groups)))
    columns: list[ParquetColumn] = []
    most = 0
    for group in groups:
        chunks = _structures(group, _CHUNKS)
        most = max(most, _number(group, _GROUP_ROWS) * len(chunks))
        columns += [ParquetColumn()] * (len(chunks) - len(columns))
        for place, chunk in enumerate(chunks):
            found, column = _chunk(file, chunk.get(_ABOUT), widest, entries)
            size, columns[place] = size + found, columns[place] | column
    return ParquetContents(TableSize(size.rows, max(size.values, most), size.bytes), tuple(columns))


def require_footer(file: IO[bytes], require: Callable[[int], None]) -> None:
    """Raise for a Parquet file whose footer is damaged, or has too many entries; its pages are not looked at."""
    _footer(file, Entries(require))


def _footer(file: IO[bytes], entries: Entries) -> Fields:
    end = file.seek(0, io.SEEK_END)
    file.seek(max(end - 8, 0))
    last = file.read(8)
    if last[4:] == _ENCRYPTED:
        raise FormatError("this Parquet file is encrypted; write it again without encryption.")
    length = int.from_bytes(last[:4], "little")
    if last[4:] != _PARQUET or end < 12:
        raise DamagedTableError("this is no Parquet file, or its end is missing")
    if length > end - 12:
        raise DamagedTableError
    file.seek(end - 8 - length)
    try:
        return _Thrift(file.read(length), entries).structure()
    except (IndexError, ValueError):
        raise DamagedTableError from None


def _structures(of: Fields, field: tuple[int, int]) -> list[Fields]:
    found = of.get(field)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise DamagedTableError
    return found


def _number(of: Fields, field: tuple[int, int], default: int | None = None) -> int:
    """A count, a length or an offset: none of them is negative."""
    found = of.get(field, default)
    if not isinstance(found, int) or found < 0:
        raise DamagedTableError
    return found


def _chunk(file: IO[bytes], about: Any, widest: int, entries: Entries) -> tuple[TableSize, ParquetColumn]:
    """What a column has in a row group: what the footer says, or its pages, if that is more: pyarrow believes them."""
    if not isinstance(about, dict):
        raise DamagedTableError
    type_, values = _number(about, _TYPE), _number(about, _VALUES)
    found, encodings = TableSize(), set[int]()
    if values:  # of a column without, pyarrow looks at no page
        found, encodings = _pages(file, about, widest if type_ == _FIXED else 0, entries)
    size = TableSize(0, max(values, found.values), max(_number(about, _WHOLE), found.bytes))
    return size, ParquetColumn(type_ == _BYTE_ARRAY, frozenset(encodings))


def _pages(file: IO[bytes], about: Fields, width: int, entries: Entries) -> tuple[TableSize, set[int]]:
    """The size of a column's pages, whose values have at least this width, and the encodings in them."""
    place, first = _number(about, _DATA_PAGE), about.get(_DICTIONARY_PAGE, 0)
    if 0 < first < place:
        place = first
    end = place + _number(about, _COMPRESSED)
    size, encodings = TableSize(), set()
    while place < end:
        header, length = _header(file, place, entries)
        packed = _number(header, _PACKED)
        values = 0
        for part, encoding in _COUNTING.items():
            if part in header:
                values += _number(header[part], _COUNT, 0)
                encodings |= {_number(header[part], encoding)} if encoding else set()
        size += TableSize(0, values, max(_number(header, _UNPACKED), packed, values * width))
        place += length + packed
    return size, encodings


def _header(file: IO[bytes], place: int, entries: Entries) -> tuple[Fields, int]:
    """The header of the page at a place, and its length."""
    for most in _PAGES:
        try:
            file.seek(place)
            reading = _Thrift(file.read(most), entries)
            found = reading.structure()
        except IndexError:
            continue  # it is longer
        except (ValueError, OverflowError):
            break
        entries.add(reading.place // 256)
        return found, reading.place
    raise DamagedTableError


class _Thrift:
    """Reads structures, of which it keeps integers, structures and lists. Raises IndexError at the end of the data."""

    def __init__(self, data: bytes, entries: Entries) -> None:
        self._data, self._entries = data, entries
        self.place = 0
        self._depth = 0

    def structure(self) -> Fields:
        """The fields of the structure that begins here. A field that is there twice is refused: pyarrow merges them."""
        found: Fields = {}
        field, count = 0, 0
        while head := self._byte():
            kind, count = head & 15, count + 1
            field = self._within(field + (head >> 4) if head >> 4 else self._signed(), _BITS_OF[_SHORT])
            if (field, kind) in found:
                raise ValueError(field)
            # The value of a flag is its kind.
            found[field, kind] = None if kind in (_TRUE, _FALSE) else self._value(kind)
        self._entries.add(count + 1)
        return found

    def _value(self, kind: int) -> Any:
        if kind in _BITS_OF:
            return self._within(self._signed(), _BITS_OF[kind])
        if kind == _BINARY:
            return self._skip(self._unsigned())
        if kind in _BYTES_OF:
            return self._skip(_BYTES_OF[kind])
        self._depth += 1
        if self._depth > _NESTING or kind not in (_LIST, _SET, _STRUCT):  # no map is in these metadata
            raise ValueError(kind)
        found = self.structure() if kind == _STRUCT else self._list()
        self._depth -= 1
        return found

    def _list(self) -> list[Any]:
        head = self._byte()
        kind, length = head & 15, head >> 4
        if length == 15:
            length = self._unsigned()
        if kind in _BYTES_OF:
            self._skip(length * _BYTES_OF[kind])
            return []
        if length > len(self._data) - self.place:  # each has a byte at least
            raise IndexError(length)
        self._entries.add(length)
        return [self._value(kind) for _ in range(length)]

    @staticmethod
    def _within(number: int, bits: int) -> int:
        """The number. pyarrow would cut off what is too much, and read another one."""
        if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
            raise ValueError(number)
        return number

    def _skip(self, length: int) -> None:
        self.place += length
        if self.place > len(self._data):
            raise IndexError(self.place)

    def _byte(self) -> int:
        found = self._data[self.place]
        self.place += 1
        return found

    def _unsigned(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found
            if shift > 63:
                raise ValueError(shift)

    def _signed(self) -> int:
        found = self._unsigned()
        return (found >> 1) ^ -(found & 1)


# -- Arrow (IPC): flatbuffers ---------------------------------------------------------------------------------------

_MAGIC, _FEATHER = b"ARROW1", b"FEA1"
_MARK = b"\xff\xff\xff\xff"  # before a message; versions before 0.15 had none
_BLOCK = struct.Struct("<qiiq")  # where a message is, the length of its metadata, padding, and of its body
_PAIR = struct.Struct("<qq")
_FOOTER_DICTIONARIES, _FOOTER_BATCHES = 2, 3  # fields of the footer
_HEADER_TYPE, _HEADER, _BODY = 1, 2, 3  # of a message
_OF_SCHEMA, _OF_DICTIONARY, _OF_BATCH = 1, 2, 3  # types of its header
_ID, _DATA, _IS_DELTA = 0, 1, 2  # of a dictionary
_LENGTH, _NODES, _BUFFERS, _COMPRESSION = 0, 1, 2, 3  # of a batch
_MESSAGE = 32  # entries for which a message counts: it takes more time than one of Parquet's


def is_arrow_file(data: bytes | memoryview) -> bool:
    """Whether these bytes are an Arrow file, not a stream. Raises for what is neither."""
    first = bytes(data[:6])
    if first[:4] == _FEATHER:
        raise FormatError(
            "this is Feather of version 1, which is not read; write it again in version 2, as "
            "pyarrow.feather.write_feather(pyarrow.feather.read_table(old), new) does."
        )
    if first == _MAGIC:
        if bytes(data[-6:]) != _MAGIC:
            raise DamagedTableError("the end of this Arrow file is missing")
        return True
    if first[:4] != _MARK and not (len(first) >= 4 and first[2:4] == b"\0\0"):  # the length of a schema
        raise FormatError("this is no Arrow file, and no Arrow stream.")
    return False


def of_arrow(data: bytes | memoryview, require: Callable[[int], None] = _any_number) -> TableSize:
    """The size of an Arrow file or stream, from the metadata of every batch and dictionary.

    `require` is asked, with their number so far, whether there are not too many entries in these.
    """
    found = _Sizes(data, Entries(require))
    try:
        if is_arrow_file(data):
            found.add_file()
        else:
            found.add_stream()
    except (struct.error, IndexError, ValueError, OverflowError):
        raise DamagedTableError from None
    return found.size


class _Sizes:
    """Adds up the sizes of messages. A dictionary that grows counts as a whole each time: pyarrow makes it anew."""

    def __init__(self, data: bytes | memoryview, entries: Entries) -> None:
        self._data, self._entries = data, entries
        self._dictionaries: dict[int, TableSize] = {}
        self.size = TableSize()

    def add_file(self) -> None:
        """Add all messages that the footer of a file names."""
        end = len(self._data) - 10
        footer = _Table.at(self._data, end - _integer("<i", self._data, end))
        for field in (_FOOTER_DICTIONARIES, _FOOTER_BATCHES):
            for place, length, _, _ in footer.structs(field, _BLOCK):
                told, message = _message(self._data, place)
                # The body begins where the footer or where the message says; whichever pyarrow takes, it is counted.
                self._add(message, {place + length, told})

    def add_stream(self) -> None:
        """Add all messages of a stream, up to its end or that of the data."""
        place = 0
        while place + 4 <= len(self._data):
            marked = bytes(self._data[place : place + 4]) == _MARK
            if not _integer("<i", self._data, place + (4 if marked else 0)):
                return
            body, message = _message(self._data, place)
            length = message.number(_BODY, "<q")
            if length < 0:
                raise ValueError(length)
            if message.number(_HEADER_TYPE, "<B") != _OF_SCHEMA:
                self._add(message, {body})
            place = body + length

    def _add(self, message: _Table, bodies: set[int]) -> None:
        self._entries.add(_MESSAGE)
        header, kind = message.table(_HEADER), message.number(_HEADER_TYPE, "<B")
        if header is None or kind not in (_OF_DICTIONARY, _OF_BATCH):
            raise ValueError(kind)
        if kind == _OF_BATCH:
            self.size += self._batch(header, bodies)
            return
        size = self._batch(header.table(_DATA), bodies)
        size = TableSize(0, size.values, size.bytes)  # its rows are none of the table
        number = header.number(_ID, "<q")
        if header.number(_IS_DELTA, "<B"):
            size += self._dictionaries.get(number, TableSize())
        self._dictionaries[number] = size
        self.size += size

    def _batch(self, batch: _Table | None, bodies: set[int]) -> TableSize:
        if batch is None:
            raise ValueError(batch)
        rows = batch.number(_LENGTH, "<q")
        nodes = [count for count, _ in batch.structs(_NODES, _PAIR)]
        buffers = list(batch.structs(_BUFFERS, _PAIR))
        self._entries.add(len(nodes) + len(buffers))
        compressed = batch.table(_COMPRESSION) is not None
        lengths = [self._unpacked(each, bodies) if compressed else each[1] for each in buffers]
        if min(rows, *nodes, *lengths, 0) < 0:
            raise ValueError(rows)
        return TableSize(rows, max(rows, sum(nodes)), sum(lengths))

    def _unpacked(self, buffer: tuple[int, ...], bodies: set[int]) -> int:
        """The length of a compressed buffer, unpacked: it begins with it, or with -1 where it is not compressed."""
        place, length = buffer
        told = [_integer("<q", self._data, body + place) for body in bodies] if length else [-1]
        return max(length if each == -1 else each for each in told)


def _message(data: bytes | memoryview, place: int) -> tuple[int, _Table]:
    """Where the body of a message begins, and its metadata."""
    begin = place + (8 if _integer("<i", data, place) == -1 else 4)
    length = _integer("<i", data, begin - 4)
    if length < 0:
        raise ValueError(length)
    return begin + length, _Table.at(data, begin)


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
        end = begin + 4 + count * form.size
        if end > len(self.data):
            raise IndexError(end)
        return form.iter_unpack(memoryview(self.data)[begin + 4 : end])
