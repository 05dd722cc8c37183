"""Shards as Parquet files: written row group by row group, so that memory is bounded, and read back as arrays."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TypeGuard

import numpy as np

from hyloop.data.columns import (
    Column,
    Example,
    add_to_hash,
    columns_in,
    hash_of_shard,
    inputs_document,
    outputs_document,
)
from hyloop.data.fits import parsed, require_example, require_regular, require_shard
from hyloop.errors import FormatError, HyloopError
from hyloop.io.budgets import BUDGETS
from hyloop.io.parquet_texts import is_text, texts_with_dictionaries
from hyloop.io.table_sizes import DamagedTableError, ParquetContents, of_parquet, require_footer
from hyloop.lang.program import Program
from hyloop.lang.text import from_text
from hyloop.numbers import plural
from hyloop.strict import SENTENCE, printable

FORMAT, VERSION = "hyloop-data", 2
KEY = b"hyloop"  # of the metadata in the file's footer
ENTRIES = 1 << 20  # changes in a row group, about
# What changes in a run repeats itself; a row group is read at a time.
SHARDS = replace(BUDGETS, values_per_byte=16, table_ratio=64)
FREE_ROWS = 1 << 17  # examples or predictions of a file that is shorter; a longer one has at most one a byte
SORTED = ("hint_step", "member", "member_at")  # differences of neighbours are small


def pyarrow(module: str = "pyarrow") -> ModuleType:
    """The library, or a sentence that says how to get it."""
    try:
        from importlib import import_module

        return import_module(module)
    except ImportError:
        raise HyloopError("Data sets are Parquet files, which need pyarrow: pip install 'hyloop[data]'.") from None


def arrow_type(column: Column) -> Any:
    """The type of a column in a file."""
    pa = pyarrow()
    one = pa.string() if column.type == "string" else pa.from_numpy_dtype(np.dtype(column.type))
    return pa.list_(pa.field("element", one, nullable=False)) if column.many else one


# -- writing ----------------------------------------------------------------------------------------------------------


class _Buffer(io.RawIOBase):
    """What is written into it can be taken out again while the file goes on."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        part = bytes(data)
        self._parts.append(part)
        self._written += len(part)
        return len(part)

    def tell(self) -> int:
        return self._written

    def taken(self) -> list[bytes]:
        found, self._parts = self._parts, []
        return found


class Writer:
    """A Parquet file of examples, piece by piece: `pieces` takes examples and gives bytes."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._pa, self._parquet = pyarrow(), pyarrow("pyarrow.parquet")
        self._columns = columns
        self._schema = self._pa.schema([(each.name, arrow_type(each)) for each in columns])

    def pieces(self, examples: Iterable[Example], document: Mapping[str, Any]) -> Iterator[bytes]:
        """The bytes of a file. `document` goes into its footer, and is asked for after the last example."""
        buffer = _Buffer()
        packed = [each for each in self._columns if each.name in SORTED]
        with self._parquet.ParquetWriter(
            buffer,
            self._schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=[_path(each) for each in self._columns if each not in packed],
            column_encoding={_path(each): "DELTA_BINARY_PACKED" for each in packed},
            write_statistics=False,
        ) as writer:
            for group in _groups(examples):
                writer.write_table(self._table(group))
                yield from buffer.taken()
            writer.add_key_value_metadata({KEY: json.dumps(dict(document), ensure_ascii=False).encode()})
        yield from buffer.taken()

    def _table(self, group: Sequence[Example]) -> Any:
        arrays = [self._array(column, [each[column.name] for each in group]) for column in self._columns]
        return self._pa.table(arrays, schema=self._schema)

    def _array(self, column: Column, values: Sequence[Any]) -> Any:
        pa = self._pa
        if column.type == "string":
            return pa.array(values, pa.string())
        if not column.many:
            return pa.array(np.array(values, column.type))
        flat = np.concatenate([np.asarray(value, column.type) for value in values])
        starts = np.cumsum([0, *map(len, values)]).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(starts), pa.array(flat), type=arrow_type(column))


def _path(column: Column) -> str:
    """The name of a column's values within the file."""
    return f"{column.name}.list.element" if column.many else column.name


def _groups(examples: Iterable[Example]) -> Iterator[list[Example]]:
    group: list[Example] = []
    entries = 0
    for each in examples:
        group.append(each)
        entries += len(each["hint_step"]) + len(each["member"])
        if entries > ENTRIES:
            yield group
            group, entries = [], 0
    if group:
        yield group


# -- reading ----------------------------------------------------------------------------------------------------------


@contextmanager
def reading(path: str | Path, wrong: str) -> Iterator[None]:
    """Whatever is raised while a Parquet file is read becomes one `FormatError`: PATH WRONG (why).

    A damaged file makes pyarrow raise errors of a dozen classes, among them OSError for bytes that make no sense.
    """
    try:
        require_regular(path)
        yield
    except FileNotFoundError:
        raise FormatError(f"{path}: there is no such file.") from None
    except (
        pyarrow().ArrowException,
        OSError,
        ValueError,
        LookupError,
        TypeError,
        ArithmeticError,
        MemoryError,
    ) as error:
        raise FormatError(f"{path} {wrong} ({_reason(error)}).") from None


@contextmanager
def opened(path: str | Path, wrong: str, is_read: Callable[[str], bool] = lambda _: True) -> Iterator[Any]:
    """A Parquet file that unpacks to no more than real data do; errors in the block are those of `reading`.

    Columns of text are read as dictionaries: a long text may stand in millions of rows. `is_read` tells the columns
    that the block reads. It reads without threads of pyarrow's: one that is the last to let go of Python's bytes while
    Python ends aborts the process.
    """
    parquet = pyarrow("pyarrow.parquet")
    with reading(path, wrong), Path(path).open("rb") as raw:
        with _refusing(path, wrong):
            contents = _contents(raw)
            texts = texts_with_dictionaries(parquet.read_schema(raw), contents, is_read)
        with parquet.ParquetFile(raw, read_dictionary=texts, pre_buffer=False) as file:
            yield file


@contextmanager
def _refusing(path: str | Path, wrong: str) -> Iterator[None]:
    """Sentences about a table, in the block, name the file."""
    try:
        yield
    except DamagedTableError:
        raise FormatError(f"{path} {wrong} (its metadata make no sense).") from None
    except FormatError as bomb:
        raise FormatError(f"{path}: {bomb}") from None


def _contents(raw: IO[bytes]) -> ParquetContents:
    """What a file holds, if that is no more than real data do."""
    packed = raw.seek(0, io.SEEK_END)
    contents = of_parquet(raw, SHARDS.entries_of(packed, fixed=True))
    SHARDS.require_table(contents.size, packed, fixed=True)
    rows = contents.size.rows
    if rows > max(FREE_ROWS, packed):
        raise FormatError(f"{rows:,} rows are in {packed:,} bytes, and at most {FREE_ROWS:,} are read.")
    return contents


def texts_of(column: Any) -> list[str | None]:
    """The values of a column of texts; equal ones are one object."""
    return [text for chunk in column.chunks for text in _texts(chunk)]


def _texts(chunk: Any) -> Iterator[str | None]:
    encoded = chunk if pyarrow().types.is_dictionary(chunk.type) else chunk.dictionary_encode()
    known = encoded.dictionary.to_pylist()
    return (None if place is None else known[place] for place in encoded.indices.to_pylist())


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        return str(error.strerror or error)
    if isinstance(error, MemoryError):
        return "it takes more memory than there is"
    return printable(str(error).strip().rstrip(".") or type(error).__name__, SENTENCE)


def read_document(path: str | Path) -> dict[str, Any]:
    """The metadata of a shard. Raises `FormatError` for a file that is none."""
    wrong = "is no shard of a data set that hyloop made"
    document = _metadata(path, f"{wrong}, or it is damaged")
    if not _says_shard(document):
        raise FormatError(f"{path} {wrong}: its metadata do not say so.")
    if document.get("version") != VERSION:
        raise FormatError(
            f"{path} has version {printable(document.get('version'))} of the format; this hyloop reads version "
            f"{VERSION}."
        )
    require_shard(document, path)
    _require_program(document, path)
    return document


def is_shard(path: Path) -> bool:
    """Whether there is a file that says that it is a shard, of whatever version."""
    try:
        return path.is_file() and _says_shard(_metadata(path, ""))
    except (FormatError, ValueError):  # ValueError: no name of a file
        return False


def _says_shard(document: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(document, dict) and document.get("format") == FORMAT


def _metadata(path: str | Path, damaged: str) -> object:
    """What the metadata of a Parquet file say in the place of a shard's; None if there is nothing."""
    with reading(path, damaged), Path(path).open("rb") as raw:
        with _refusing(path, damaged):
            require_footer(raw, SHARDS.entries_of(raw.seek(0, io.SEEK_END), fixed=True))  # before pyarrow reads it
        metadata = pyarrow("pyarrow.parquet").read_metadata(raw).metadata or {}
        return parsed(metadata[KEY]) if KEY in metadata else None


def _require_program(document: Mapping[str, Any], path: str | Path) -> None:
    """Raise `FormatError` unless inputs and outputs are those of the program; verifiers rely on it."""
    told = document["algorithm"]
    try:
        program = _program(told["program"])
    except HyloopError as wrong:
        raise FormatError(f"{path}: the program of this shard cannot be read: {wrong}") from None
    ours = (program.name, inputs_document(program), outputs_document(program))
    if (told["name"], document["inputs"], document["outputs"]) != ours:
        raise FormatError(f"{path}: the metadata of this shard contradict its program: the file is damaged.")


_program: Callable[[str], Program] = lru_cache(maxsize=32)(from_text)  # the same in all shards of an algorithm


def content_hash(path: Path, document: Mapping[str, Any]) -> str:
    """The hash of the content of a shard with this metadata, computed anew."""
    columns, digest = columns_in(document), sha256()
    for each in read_examples(path, document=document):
        add_to_hash(digest, columns, each)
    return hash_of_shard(document, digest.hexdigest())


def read_examples(
    path: str | Path, columns: Sequence[str] | None = None, document: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """The examples of a shard, one by one: integers, texts, and arrays of numpy.

    `columns` names those to read; `document` is what `read_document` gave, if it was read before.
    """
    document = read_document(path) if document is None else document
    for count, values in _row_groups(path, columns, document):
        for place in range(count):
            example = {name: each[place] for name, each in values.items()}
            require_example(document, example, path)
            yield example


def _row_groups(
    path: str | Path, columns: Sequence[str] | None, document: Mapping[str, Any]
) -> Iterator[tuple[int, dict[str, Sequence[Any]]]]:
    """How many examples each row group has, and their values by column."""
    with opened(path, "cannot be read as a shard of a data set: it is damaged") as file:
        _require_columns(file, document, path)
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, columns=columns, use_threads=False)
            yield table.num_rows, {name: _values(table[name]) for name in table.column_names}


def _require_columns(file: Any, document: Mapping[str, Any], path: str | Path) -> None:
    """Raise `FormatError` unless every column is there, and of its type, and no other; and so are the rows."""
    columns = columns_in(document)
    texts = pyarrow().dictionary(pyarrow().int32(), pyarrow().string())
    types = ((field.name, field.type) for field in file.schema_arrow)
    found = {name: pyarrow().string() if type_ == texts else type_ for name, type_ in types}
    for column in columns:
        if column.name not in found:
            raise FormatError(f"{path}: this shard has no column {printable(column.name)}.")
        if found[column.name] != arrow_type(column):
            raise FormatError(
                f"{path}: the column {printable(column.name)} of this shard is {printable(found[column.name])}, not "
                f"{arrow_type(column)}."
            )
    if [field.name for field in file.schema_arrow] != [column.name for column in columns]:
        raise FormatError(f"{path}: the columns of this shard are not those of its metadata, in their order.")
    if file.metadata.num_rows != document["examples"]:
        raise FormatError(
            f"{path}: this shard has {plural(file.metadata.num_rows, 'example')}; its metadata say "
            f"{document['examples']:,}."
        )


def _values(column: Any) -> Sequence[Any]:
    """The values of a column: a list of integers or texts, or of arrays, which share their memory."""
    if is_text(column.type):
        return texts_of(column)
    whole = column.combine_chunks()
    if not hasattr(whole, "offsets"):
        found: list[Any] = whole.to_pylist()
        return found
    starts = whole.offsets.to_numpy()
    flat = whole.values.to_numpy()
    return [flat[first:last] for first, last in pairwise(starts.tolist())]
