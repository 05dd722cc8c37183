"""Predictions: Parquet files with the columns of a data set, for the examples that a model was asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from hyloop.atomic import write_whole
from hyloop.data.columns import HINTS
from hyloop.data.hints import NONE
from hyloop.data.parquet import pyarrow
from hyloop.errors import FormatError
from hyloop.strict import printable

KEY = ("algorithm", "part", "number")  # which example it is
Key = tuple[str, str, int]
Prediction = Mapping[str, Any]  # by column: an integer, or an array; what is not predicted is not there
OUTPUT, STEPS = "output_", "steps"
HINT_COLUMNS = tuple(each.name for each in HINTS)


def write_predictions(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write predictions as a Parquet file: `{**sample.key, "output_distance": numbers, ...}` for each."""
    pa, parquet = pyarrow(), pyarrow("pyarrow.parquet")
    wanted = [{name: _plain(value) for name, value in row.items()} for row in rows]
    names = dict.fromkeys([*KEY, *(name for row in wanted for name in row)])
    buffer = pa.BufferOutputStream()
    table = pa.table({name: pa.array([row.get(name) for row in wanted]) for name in names})
    parquet.write_table(table, buffer, compression="zstd")
    write_whole(path, [buffer.getvalue().to_pybytes()])


def _plain(value: Any) -> Any:
    """Integers and arrays of numpy, lists, and tensors of torch as what Arrow takes."""
    if isinstance(value, str | int):
        return value
    found = np.asarray(value)
    return found if found.ndim else found.item()


def read_predictions(given: str | Path | Iterable[Mapping[str, Any]]) -> dict[Key, Prediction]:
    """Predictions by example: of a file, of all Parquet files of a folder, or of rows."""
    found: dict[Key, Prediction] = {}
    if isinstance(given, str | Path):
        where = str(given)
        rows: Iterable[Mapping[str, Any]] = (row for path in _files(Path(given)) for row in _rows(path))
    else:
        where, rows = "The predictions", given
    for row in rows:
        key = _key(where, row)
        if key in found:
            raise FormatError(f"{where}: there are two predictions for {named(key)}; give one.")
        told = {name: value for name, value in row.items() if name not in KEY and value is not None}
        found[key] = {name: _exact(f"{where}, {named(key)}", name, value) for name, value in told.items()}
    if not found:
        raise FormatError(f"{where}: there are no predictions.")
    return found


def named(key: Key) -> str:
    """An example in a sentence."""
    return f"number {key[2]} of {key[1]} of {key[0]}"


def _key(where: str, row: Mapping[str, Any]) -> Key:
    lacking = next((name for name in KEY if row.get(name) is None), None)
    if lacking is not None:
        raise FormatError(
            f"{where}: a prediction has no {lacking}; it needs algorithm, part and number of its example."
        )
    number = row["number"]
    if isinstance(number, bool | np.bool_) or not isinstance(number, int | np.integer):
        raise FormatError(f"{where}: the number of an example is an integer, not {printable(repr(number))}.")
    return str(row["algorithm"]), str(row["part"]), int(number)


def _exact(where: str, name: str, value: Any) -> Any:
    """An integer, or an array of them in 64 bits; nothing is rounded, and nothing wraps around."""
    try:
        found = np.asarray(value)
    except (TypeError, ValueError, RuntimeError):
        found = np.array(None)
    if found.size == 0 and found.ndim == 1:
        found = found.astype(np.int64)  # an empty list
    large = found.dtype.kind == "u" and found.size and int(found.max()) >= 2**63
    if isinstance(value, np.ma.MaskedArray) or found.dtype.kind not in "iub" or found.ndim > 1 or large:
        raise FormatError(f"{where}: {printable(name)} is not an integer below 2^63 or a list of them.")
    if (name == STEPS) == bool(found.ndim) and name in HINT_COLUMNS:
        raise FormatError(f"{where}: {printable(name)} is {'one number' if name == STEPS else 'a list of numbers'}.")
    if name == STEPS and int(found) < 0:
        raise FormatError(f"{where}: {name} is {int(found)}; it is how many there are.")
    return found.astype(np.int64) if found.ndim else int(found)


def _files(path: Path) -> list[Path]:
    found = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not found:
        raise FormatError(f"{path} has no Parquet files; predictions are Parquet files (docs/data.md).")
    return found


def _rows(path: Path) -> Iterable[Mapping[str, Any]]:
    pa, parquet = pyarrow(), pyarrow("pyarrow.parquet")
    try:
        table = parquet.read_table(path)
    except (OSError, pa.ArrowInvalid) as wrong:
        raise FormatError(f"{path} is no Parquet file that can be read ({wrong}).") from None
    names = [name for name in table.column_names if name in (*KEY, *HINT_COLUMNS) or name.startswith(OUTPUT)]
    columns = {name: _values(path, name, table[name]) for name in names}
    return ({name: values[row] for name, values in columns.items()} for row in range(table.num_rows))


def _values(path: Path, name: str, column: Any) -> list[Any]:
    """The values of a column: integers or arrays of them, texts for the names; None for null."""
    pa = pyarrow()
    types, kind = pa.types, column.type
    if name in KEY[:2]:
        return list(column.to_pylist())
    listed = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    one = kind.value_type if listed else kind
    if not (types.is_integer(one) or types.is_boolean(one) or types.is_null(one)):
        raise FormatError(f"{path}: the column {name} holds {one}; predictions are integers, and lists of them.")
    try:
        if not listed:
            return list(column.cast(pa.int64()).to_pylist())
        return [each for chunk in column.chunks for each in _lists(path, name, chunk.cast(pa.list_(pa.int64())))]
    except pa.ArrowInvalid:
        raise FormatError(f"{path}: the column {name} has a number beyond 64 bits.") from None


def _lists(path: Path, name: str, chunk: Any) -> list[Any]:
    if chunk.flatten().null_count:
        raise FormatError(f"{path}: a list of the column {name} has a null; -1 stands for none.")
    flat, there = chunk.values.fill_null(NONE).to_numpy(), chunk.is_valid().to_pylist()
    spans = pairwise(chunk.offsets.to_pylist())
    return [flat[first:last] if known else None for (first, last), known in zip(spans, there, strict=True)]
