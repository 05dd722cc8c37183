"""Predictions: Parquet files with the columns of a data set, for the examples that a model was asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.arrays import require_no_index
from hyloop.atomic import path_of, write_out
from hyloop.data.columns import HINTS
from hyloop.data.hints import NONE
from hyloop.data.making import LIST
from hyloop.data.parquet import is_shard, opened, pyarrow, texts_of
from hyloop.data.read import hash_of_list, read_list
from hyloop.errors import FormatError, HyloopError, HypergraphError
from hyloop.hypergraph import shown
from hyloop.io.parquet_texts import is_text
from hyloop.strict import SENTENCE, printable

KEY = ("algorithm", "part", "number")  # which example it is
Key = tuple[str, str, int]
Prediction = Mapping[str, Any]  # by column: an integer, or an array; what is not predicted is not there
OUTPUT, STEPS = "output_", "steps"
DATA_HASH = "data_hash"  # of the data set that the example is of
HASH = re.compile(r"v[0-9]+:[0-9a-f]{64}")
HINT_COLUMNS = tuple(each.name for each in HINTS)
ROWS = "The predictions"


def write_predictions(path: str | Path, rows: Iterable[Mapping[str, Any]], data_set: str | Path | None = None) -> None:
    """Write predictions as a Parquet file: `{**sample.key, "output_distance": numbers, ...}` for each.

    `data_set` is the folder of the data set, or its hash. The hash is stored with each prediction, and `score` refuses
    predictions for another data set. Rows that `score` would refuse whatever the examples are, are refused here. A
    file of a data set is not replaced.
    """
    _require_no_data_set(path)
    if isinstance(rows, str | Path | Mapping) or not isinstance(rows, Iterable):
        raise FormatError(f"Predictions are written as a list of rows; given {shown(rows)}.")
    rows = list(rows)
    given = _checked(ROWS, rows)
    require_outputs(given)
    if data_set is not None:
        given = _with_hash(given, data_set)
    _write(path, _columns(given, rows))


def _require_no_data_set(path: str | Path) -> None:
    """Raise `HyloopError` for the list of a data set, or one of its shards."""
    place = path_of(path)
    if (place.name == LIST and place.exists()) or is_shard(place):
        raise HyloopError(
            f"{path} is a file of a data set, and is not replaced; write predictions into a file of their own."
        )


def _with_hash(given: Mapping[Key, Prediction], data_set: str | Path) -> dict[Key, Prediction]:
    """The predictions with the hash of a data set; of a folder, only for parts that it has."""
    if isinstance(data_set, str) and HASH.fullmatch(data_set):
        known = data_set
    else:
        document = read_list(data_set)
        known = hash_of_list(document)
        require_parts(given, document, data_set)
    require_hash(given, known, data_set)
    return {key: {**each, DATA_HASH: known} for key, each in given.items()}


def _columns(given: Mapping[Key, Prediction], rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The columns of a file: which example it is, what is predicted, and other columns of the user as they are."""
    read = dict.fromkeys(name for each in given.values() for name in each)
    others = dict.fromkeys(name for row in rows for name in row if not _is_read(name))
    return {
        **{name: [key[place] for key in given] for place, name in enumerate(KEY)},
        **{name: [each.get(name) for each in given.values()] for name in read},
        **{name: [_plain(row.get(name)) for row in rows] for name in others},
    }


def _write(path: str | Path, columns: Mapping[str, list[Any]]) -> None:
    pa, parquet = pyarrow(), pyarrow("pyarrow.parquet")
    buffer = pa.BufferOutputStream()
    table = pa.table({name: _column(name, values) for name, values in columns.items()})
    parquet.write_table(table, buffer, compression="zstd")
    write_out(path, [buffer.getvalue().to_pybytes()])


def _column(name: str, values: list[Any]) -> Any:
    pa = pyarrow()
    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as wrong:
        told = printable(wrong, SENTENCE)
        raise HyloopError(f"The column {printable(name)} holds no integers, or lists of them ({told}).") from None


def _plain(value: Any) -> Any:
    """Integers and arrays of numpy, lists, and tensors of torch as what Arrow takes."""
    if value is None or isinstance(value, str | int):
        return value
    try:
        found = np.asarray(value)
    except (TypeError, ValueError, RuntimeError):
        raise HyloopError(f"A prediction has integers, and lists of them; given {shown(value)}.") from None
    return found if found.ndim else found.item()


def read_predictions(given: Any) -> dict[Key, Prediction]:
    """Predictions by example: of a file, of all Parquet files of a folder, or of rows."""
    if isinstance(given, str | Path):
        return _checked(str(given), (row for path in _files(path_of(given, folder=True)) for row in _rows(path)))
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        return _checked(ROWS, given)
    raise FormatError(f"Predictions are a file, a folder or a list of rows; given {shown(given)}.")


def _checked(where: str, rows: Iterable[Any]) -> dict[Key, Prediction]:
    """Predictions by example. Raises `FormatError` for rows that are none."""
    found: dict[Key, Prediction] = {}
    for row in rows:
        key = _key(where, _mapping(where, row))
        if key in found:
            raise FormatError(f"{where}: there are two predictions for {named(key)}; give one.")
        told = {name: value for name, value in row.items() if _is_read(name) and name not in KEY and value is not None}
        found[key] = {name: _exact(f"{where}, {named(key)}", name, value) for name, value in told.items()}
    if not found:
        raise FormatError(f"{where}: there are no predictions.")
    return found


# -- what belongs together --------------------------------------------------------------------------------------------


def require_outputs(given: Mapping[Key, Prediction]) -> None:
    """Raise `FormatError` unless every prediction has an output, and all of those that others of its part have."""
    outputs: dict[tuple[str, str], dict[str, None]] = {}
    for (algorithm, part, _), each in given.items():
        outputs.setdefault((algorithm, part), {}).update(dict.fromkeys(n for n in each if n.startswith(OUTPUT)))
    for key, each in given.items():
        wanted = outputs[key[:2]]
        if not wanted:
            raise FormatError(f"The prediction for {named(key)} has no outputs; it needs {OUTPUT}NAME of at least one.")
        lacking = next((name for name in wanted if name not in each), None)
        if lacking is not None:
            raise FormatError(f"The prediction for {named(key)} has no {lacking}, which others of that part have.")


def require_parts(given: Iterable[Key], document: Mapping[str, Any], folder: str | Path) -> None:
    """Raise `FormatError` unless the data set with that list has the part of every prediction."""
    made = {(each["algorithm"], each["part"]) for each in document["shards"]}
    planned = [(each["name"], part["name"]) for each in document["plan"]["algorithms"] for part in each["parts"]]
    there = {each: None for each in planned if each in made}
    for algorithm, part, _ in given:
        if (algorithm, part) in there:
            continue
        told, parts = printable(algorithm), [each for name, each in there if name == algorithm]
        if not parts:
            names = ", ".join(dict.fromkeys(name for name, _ in there))
            raise FormatError(f"{folder} has no {told}, which has predictions; it has {names}.")
        raise FormatError(
            f"{folder} has no part {printable(part)} of {told}, which has predictions; of {told} it has "
            f"{', '.join(parts)}."
        )


def require_hash(given: Mapping[Key, Prediction], known: str, data_set: str | Path) -> None:
    """Raise `FormatError` for a prediction that says that it is for another data set."""
    for key, each in given.items():
        if each.get(DATA_HASH, known) != known:
            raise FormatError(
                f"The prediction for {named(key)} is for the data set with the hash {each[DATA_HASH]}; {data_set} is "
                f"another, with the hash {known}. Give the folder that the predictions are for."
            )


# -- a row ------------------------------------------------------------------------------------------------------------


def _mapping(where: str, row: Any) -> Mapping[str, Any]:
    if not isinstance(row, Mapping) or not all(isinstance(name, str) for name in row):
        raise FormatError(f"{where}: a prediction is a dictionary by column; given {shown(row)}.")
    return row


def named(key: Key) -> str:
    """An example in a sentence."""
    return f"number {key[2]} of {printable(key[1])} of {printable(key[0])}"


def _is_read(column: str) -> bool:
    """Whether a column is one of predictions; others are passed over."""
    return column in KEY or column in HINT_COLUMNS or column == DATA_HASH or column.startswith(OUTPUT)


def _key(where: str, row: Mapping[str, Any]) -> Key:
    lacking = next((name for name in KEY if row.get(name) is None), None)
    if lacking is not None:
        raise FormatError(
            f"{where}: a prediction has no {lacking}; it needs algorithm, part and number of its example."
        )
    for name in KEY[:2]:
        if not isinstance(row[name], str):
            raise FormatError(f"{where}: the {name} of an example is a name; given {shown(row[name])}.")
    return str(row["algorithm"]), str(row["part"]), _number(where, row["number"])


def _number(where: str, number: Any) -> int:
    try:
        if not isinstance(number, bool | np.bool_):
            return index(number)  # also a tensor of torch
    except TypeError:
        pass
    raise FormatError(f"{where}: the number of an example is an integer, not {printable(repr(number))}.")


def _exact(where: str, name: str, value: Any) -> Any:
    """An integer, or an array of them in 64 bits; nothing is rounded, and nothing wraps around."""
    if name == DATA_HASH:
        return _hash(where, value)
    found = _array(where, name, value)
    if (name == STEPS) == bool(found.ndim) and name in HINT_COLUMNS:
        raise FormatError(f"{where}: {printable(name)} is {'one number' if name == STEPS else 'a list of numbers'}.")
    if name == STEPS and int(found) < 0:
        raise FormatError(f"{where}: {name} is {int(found)}; it is how many there are.")
    return found.astype(np.int64) if found.ndim else int(found)


def _hash(where: str, value: Any) -> str:
    if isinstance(value, str) and HASH.fullmatch(value):
        return value
    raise FormatError(
        f"{where}: {DATA_HASH} is the hash of a data set, as hyloop data info shows it; not {shown(value)}."
    )


def _array(where: str, name: str, value: Any) -> npt.NDArray[Any]:
    """Integers of any type. Raises `FormatError` for others, and for more than one dimension."""
    try:
        require_no_index(name, value)
    except HypergraphError as wrong:
        raise FormatError(f"{where}: {wrong}") from None
    if hasattr(value, "detach"):  # a tensor of torch, which may be on a GPU
        value = value.detach().cpu()
    try:
        found = np.asarray(value)
    except (TypeError, ValueError, RuntimeError):
        found = np.array(None)
    if found.size == 0 and found.ndim == 1:
        found = found.astype(np.int64)  # an empty list
    told = f"{where}: {printable(name)}"
    if found.dtype.kind == "f":
        raise FormatError(
            f"{told} holds {found.dtype}, but predictions are integers: take .argmax(dim=-1) of scores, or "
            ".detach().round().long() of a tensor of torch."
        )
    if found.ndim > 1 and found.dtype.kind in "iub":
        raise FormatError(f"{told} has the shape {found.shape}; each example has a row with one list of integers.")
    large = found.dtype.kind == "u" and found.size and int(found.max()) >= 2**63
    if isinstance(value, np.ma.MaskedArray) or found.dtype.kind not in "iub" or found.ndim > 1 or large:
        raise FormatError(f"{told} is not an integer below 2^63 or a list of integers.")
    return found


def _files(path: Path) -> list[Path]:
    found = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not found:
        raise FormatError(f"{path} has no Parquet files; predictions are Parquet files (docs/data.md).")
    return found


def _rows(path: Path) -> Iterable[Mapping[str, Any]]:
    with opened(path, "is no Parquet file that can be read", _is_read) as file:
        read = [field for field in file.schema_arrow if _is_read(field.name)]
        for field in read:
            _require_type(path, field.name, field.type)
        table = file.read([field.name for field in read], use_threads=False)
        columns = {name: _values(path, name, table[name]) for name in table.column_names}
    return ({name: values[row] for name, values in columns.items()} for row in range(table.num_rows))


def _is_listed(kind: Any) -> bool:
    types = pyarrow().types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _require_type(path: Path, name: str, kind: Any) -> None:
    """Raise `FormatError` unless a column has what predictions have: texts for the names, integers, lists of them."""
    types = pyarrow().types
    one = kind.value_type if _is_listed(kind) else kind
    if name in (*KEY[:2], DATA_HASH):
        if not (is_text(kind) or types.is_null(kind)):
            raise FormatError(f"{path}: the column {name} holds {kind}; it is for texts.")
    elif not (types.is_integer(one) or types.is_boolean(one) or types.is_null(one)):
        raise FormatError(
            f"{path}: the column {printable(name)} holds {one}; predictions are integers, and lists of them."
        )


def _values(path: Path, name: str, column: Any) -> list[Any]:
    """The values of a column: integers or arrays of them, texts for the names; None for null."""
    pa = pyarrow()
    if is_text(column.type):
        return list(texts_of(column))
    try:
        if not _is_listed(column.type):
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
