"""Shards as Parquet files: written row group by row group, so that memory is bounded, and read back as arrays."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hyloop.data.columns import HINTS, HYPERGRAPH, Column, Example
from hyloop.data.fits import parsed, require_example, require_shard
from hyloop.errors import FormatError, HyloopError
from hyloop.strict import printable

FORMAT, VERSION = "hyloop-data", 1
KEY = b"hyloop"  # of the metadata in the file's footer
ENTRIES = 1 << 20  # changes in a row group, about
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


def read_document(path: str | Path) -> dict[str, Any]:
    """The metadata of a shard. Raises `FormatError` for a file that is none."""
    wrong = f"{path} is no shard of a data set that hyloop made"
    try:
        metadata = pyarrow("pyarrow.parquet").read_metadata(path).metadata or {}
        document = parsed(metadata[KEY])
    except (OSError, KeyError, ValueError) as error:
        raise FormatError(f"{wrong} ({error}).") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"{wrong}: its metadata do not say so.")
    if document.get("version") != VERSION:
        raise FormatError(
            f"{path} has version {printable(document.get('version'))} of the format; this hyloop reads version "
            f"{VERSION}."
        )
    require_shard(document, path)
    return document


def read_examples(
    path: str | Path, columns: Sequence[str] | None = None, document: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """The examples of a shard, one by one: integers, texts, and arrays of numpy.

    `columns` names those to read; `document` is what `read_document` gave, if it was read before.
    """
    document = read_document(path) if document is None else document
    try:
        with pyarrow("pyarrow.parquet").ParquetFile(path) as file:
            _require_columns(file, document, path)
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, columns=columns)
                values = {name: _values(table[name].combine_chunks()) for name in table.column_names}
                for place in range(table.num_rows):
                    example = {name: each[place] for name, each in values.items()}
                    require_example(document, example, path)
                    yield example
    except (OSError, KeyError, ValueError) as error:
        raise FormatError(f"{path} cannot be read as a shard of a data set ({printable(error)}).") from None


def _require_columns(file: Any, document: Mapping[str, Any], path: str | Path) -> None:
    """Raise `FormatError` unless every column is there, and of its type."""
    told = [Column(each["column"], "<i8", each["many"]) for side in ("inputs", "outputs") for each in document[side]]
    found = {field.name: field.type for field in file.schema_arrow}
    for column in (*HYPERGRAPH, *told, *HINTS):
        if column.name not in found:
            raise FormatError(f"{path}: this shard has no column {printable(column.name)}.")
        if found[column.name] != arrow_type(column):
            raise FormatError(
                f"{path}: the column {printable(column.name)} of this shard is {printable(found[column.name])}, not "
                f"{arrow_type(column)}."
            )


def _values(column: Any) -> Sequence[Any]:
    """The values of a column: a list of integers or texts, or of arrays, which share their memory."""
    if not hasattr(column, "offsets"):
        found: list[Any] = column.to_pylist()
        return found
    starts = column.offsets.to_numpy()
    flat = column.values.to_numpy()
    return [flat[first:last] for first, last in pairwise(starts.tolist())]
