"""Incidence tables in columns, Parquet and Arrow: what an incidence CSV says, for millions of incidences.

The columns vertex, hyperedge and weight, a row for each incidence, have the meaning that they have in CSV. Labels are
columns of integers or of strings; among strings, one that looks like an integer is one, as in CSV. No label means null
or empty. Weights are integers, decimals, floats, or strings such as 1/3. Needs pyarrow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import SEEK_END
from typing import IO, Any, NoReturn

import numpy as np
import numpy.typing as npt

from hyloop.arrays import assembled, in_units
from hyloop.errors import FormatError, HyloopError, HypergraphError
from hyloop.hypergraph import (
    Arrays,
    Hypergraph,
    Incidence,
    IntArray,
    Integers,
    Label,
    Numbering,
    labels_from_texts,
    positive_weight,
    shown,
)
from hyloop.io.budgets import Budgets
from hyloop.io.fields import number_from_text, vertices_appear_in_order, warn_of_loss, without_blanks
from hyloop.io.gathering import first_places, listed_first
from hyloop.io.incidence_csv import COLUMNS, EXPECTED, NO_DIRECTION, label_text
from hyloop.io.parquet_texts import is_text, texts_with_dictionaries
from hyloop.io.table_sizes import TableSize, is_arrow_file, of_arrow, of_parquet
from hyloop.numbers import Exact, written

DIGITS_OF = {32: 9, 64: 18, 128: 38, 256: 76}  # that decimals of so many bits may have
FRACTION = 4  # labels for which a weight that is no integer counts: it takes as long


def _pyarrow(module: str = "pyarrow") -> Any:
    try:
        from importlib import import_module

        return import_module(module)
    except ImportError:
        raise HyloopError("Parquet and Arrow files need pyarrow: pip install 'hyloop[parquet]'.") from None


# -- reading ----------------------------------------------------------------------------------------------------


# Without threads of pyarrow's: one that is the last to let go of Python's bytes while Python ends aborts the process.


def read_parquet(source: IO[bytes], budgets: Budgets) -> Hypergraph:
    """The hypergraph of a Parquet file."""
    parquet = _pyarrow("pyarrow.parquet")

    def table() -> Any:
        contents = of_parquet(source, budgets.entries_of(_length(source)))
        budgets.require_table(contents.size, _length(source))
        schema = parquet.read_schema(source)
        _require_columns(schema)
        texts = texts_with_dictionaries(schema, contents, lambda _: True)  # a label that is repeated stays one
        file = parquet.ParquetFile(source, read_dictionary=texts, pre_buffer=False)
        return _one_by_one(file, schema.names, budgets, _length(source))

    return _read(table, budgets, _length(source))


def _one_by_one(file: Any, names: Sequence[str], budgets: Budgets, packed: int) -> Any:
    """The columns of a Parquet file. Of one with too many different texts, no other is read: each takes as much."""
    columns = {}
    for name in names:
        columns[name] = column = file.read(columns=[name], use_threads=False)[name]
        if _texts(column) > budgets.most_distinct(packed):
            _require_sound({name: column})
            budgets.require_distinct(len(_encoded(column)[0]), packed)
    return _pyarrow().table(columns)


def _texts(column: Any) -> int:
    """How many values the dictionaries of a column have, which may repeat some, and have some that no row has."""
    coded = _pyarrow().types.is_dictionary(column.type)
    return sum(len(chunk.dictionary) for chunk in column.chunks) if coded else 0


def read_arrow(source: IO[bytes], budgets: Budgets) -> Hypergraph:
    """The hypergraph of an Arrow file (IPC, which is also Feather), or of an Arrow stream."""
    ipc = _pyarrow("pyarrow.ipc")

    def table() -> Any:
        source.seek(0)
        data = source.read()
        budgets.require_table(of_arrow(data, budgets.entries_of(len(data))), len(data))
        alone = ipc.IpcReadOptions(use_threads=False)
        with (ipc.open_file if is_arrow_file(data) else ipc.open_stream)(data, options=alone) as file:
            _require_columns(file.schema)
            return file.read_all()

    return _read(table, budgets, _length(source))


def _length(source: IO[bytes]) -> int:
    return source.seek(0, SEEK_END)


def _read(load: Callable[[], Any], budgets: Budgets, packed: int) -> Hypergraph:
    pa = _pyarrow()
    try:
        found = load()
        columns = {COLUMNS[name.strip().lower()]: _merged(found[name]) for name in found.column_names}
        _require_views(columns, budgets, packed)
        _require_sound(columns)
        return _hypergraph(_encoded_within(columns, budgets, packed), budgets)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as wrong:  # the last of names of columns
        first = str(wrong).splitlines()[0] if str(wrong) else type(wrong).__name__
        raise FormatError(f"this table cannot be read ({shown(first)}); copy or write the file again.") from None
    except HypergraphError as error:
        raise FormatError(str(error)) from None


def _merged(column: Any) -> Any:
    """The same column; neighbouring chunks that share a dictionary are one, as each would take time for all of it."""
    pa = _pyarrow()
    if not pa.types.is_dictionary(column.type) or column.num_chunks < 2:
        return column
    runs: list[list[Any]] = []
    for chunk in column.chunks:
        if not runs or not _share(runs[-1][0].dictionary, chunk.dictionary):
            runs.append([])
        chunk.indices.validate(full=True)
        runs[-1].append(chunk)
    joined = [pa.concat_arrays([chunk.indices for chunk in run]) for run in runs]
    ordered = column.type.ordered
    return pa.chunked_array(
        pa.DictionaryArray.from_arrays(indices, run[0].dictionary, ordered=ordered, safe=False)
        for indices, run in zip(joined, runs, strict=True)
    )


def _share(one: Any, other: Any) -> bool:
    """Whether two arrays of a type are the same memory."""
    if (len(one), one.offset, _addresses(one)) != (len(other), other.offset, _addresses(other)):
        return False
    inner = _inner(one), _inner(other)
    return inner[0] is None or _share(*inner)


def _addresses(array: Any) -> list[int | None]:
    return [None if each is None else each.address for each in array.buffers()]


def _inner(array: Any) -> Any:
    """The values of a dictionary or of runs; None of a plain array."""
    if not _has_codes(array.type):
        return None
    return array.dictionary if _pyarrow().types.is_dictionary(array.type) else array.values


def _require_views(columns: dict[str, Any], budgets: Budgets, packed: int) -> None:
    """Refuse views of strings that are longer together than a table may be: many may look at the same bytes."""
    length = 0
    for column in columns.values():
        for chunk in column.chunks:
            chunk.validate()
            length += _viewed(chunk)
    budgets.require_table(TableSize(bytes=length), packed)


def _viewed(array: Any) -> int:
    """How many bytes the views of an array look at, all together."""
    while (inner := _inner(array)) is not None:
        array = inner
    if not _pyarrow().types.is_string_view(array.type) or not len(array):
        return 0
    views = np.frombuffer(array.buffers()[1], np.int32).reshape(-1, 4)  # the first of four numbers is the length
    return int(np.maximum(views[array.offset : array.offset + len(array), 0], 0).sum(dtype=np.int64))


def _require_sound(columns: dict[str, Any]) -> None:
    """Raise for text that is not UTF-8, and for an index that a dictionary does not have: pyarrow reads them."""
    for kind, column in columns.items():
        for chunk in column.chunks:
            try:
                chunk.validate(full=True)
            except _pyarrow().ArrowInvalid as wrong:
                raise FormatError(f"the column {kind} is damaged: {str(wrong).splitlines()[0]:.200}.") from None


def _require_columns(schema: Any) -> None:
    """Raise unless the columns are those of an incidence table, by their names and types."""
    meant = [COLUMNS.get(name.strip().lower(), "") for name in schema.names]
    if len(set(meant)) < len(meant) or not {"vertex", "hyperedge"} <= set(meant) or "" in meant:
        raise FormatError(f"the columns are {shown(', '.join(schema.names))}; {EXPECTED}. {NO_DIRECTION}")
    types = _pyarrow().types
    labels = (types.is_integer, types.is_null, is_text)
    for name, kind in zip(schema.names, meant, strict=True):
        held = _held(schema.field(name).type)
        if kind != "weight" and not any(holds(held) for holds in labels):
            raise FormatError(f"the column {kind} holds {held}; labels are integers or strings.")
        if not any(holds(held) for holds in (*labels, types.is_floating, types.is_decimal)):
            raise FormatError(f"the column weight holds {held}; weights are integers, decimals, floats or strings.")
        if types.is_decimal(held) and abs(held.scale) > DIGITS_OF[held.bit_width]:  # pyarrow makes no numbers of them
            raise FormatError(
                f"the column weight holds {held}; these have at most {DIGITS_OF[held.bit_width]} decimal places; "
                "write it as strings."
            )


@dataclass(frozen=True)
class _Labels:
    """A column of labels: the distinct ones in order of appearance, and which of them each row has; -1 is none."""

    distinct: IntArray | tuple[Label, ...]
    rows: IntArray


def _hypergraph(columns: dict[str, tuple[Any, IntArray]], budgets: Budgets) -> Hypergraph:
    """The hypergraph of columns of which the distinct values are known, and which of them each row has."""
    vertices, hyperedges = _labels(*columns["vertex"]), _labels(*columns["hyperedge"])
    weight = columns.get("weight")
    _require_hyperedges(vertices.rows, hyperedges.rows, weight)
    there = (vertices.rows >= 0) & (hyperedges.rows >= 0)
    budgets.require_incidences(int(np.count_nonzero(there)))
    order = listed_first(len(vertices.distinct), vertices.rows[(hyperedges.rows < 0)])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    shape = len(vertices.distinct), len(hyperedges.distinct)
    incidence = Incidence.from_pairs(place[vertices.rows[there]], hyperedges.rows[there], shape)
    integers, unit, kept = _weights(weight, hyperedges, budgets)
    arrays = Arrays(_ordered(vertices.distinct, order), hyperedges.distinct, integers, unit)
    return assembled(incidence, arrays, weights=kept)


def _require_hyperedges(vertices: IntArray, hyperedges: IntArray, weight: tuple[Any, IntArray] | None) -> None:
    weighted = np.zeros(len(vertices), np.bool_) if weight is None else _states(*weight)
    wrong = np.flatnonzero((hyperedges < 0) & (weighted | (vertices < 0)))
    if len(wrong):
        sentence = "the row names no hyperedge; it may then hold a vertex, and nothing else."
        raise FormatError(sentence, where=f"row {wrong[0] + 1}")


def _states(distinct: Any, rows: IntArray) -> npt.NDArray[np.bool_]:
    """Which rows state a weight: not null and, among strings, not blank, as in CSV."""
    if not is_text(distinct.type):
        return rows >= 0
    stating = [bool(without_blanks(text)) for text in distinct.to_pylist()]
    return np.array([*stating, False])[rows]  # the last, at -1, is null


def _encoded_within(columns: dict[str, Any], budgets: Budgets, packed: int) -> dict[str, tuple[Any, IntArray]]:
    """`_encoded` of each column. What is distinct becomes objects of Python, many times as large as in the file."""
    found: dict[str, tuple[Any, IntArray]] = {}
    count = 0
    for kind, column in columns.items():
        if len(column) > budgets.most_distinct(packed):
            budgets.require_distinct(count + _different(column), packed)
        found[kind] = distinct, _ = _encoded(column)
        fractions = kind == "weight" and not _pyarrow().types.is_integer(distinct.type)
        count += len(distinct) * (FRACTION if fractions else 1)
        budgets.require_distinct(count, packed)
    return found


def _different(column: Any) -> int:
    """How many different integers a column holds, in a tenth of the memory that a table of them takes; 0 of others."""
    if not _pyarrow().types.is_integer(column.type):
        return 0
    ordered = np.sort(column.drop_null().to_numpy())
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + bool(len(ordered))


def _encoded(column: Any) -> tuple[Any, IntArray]:
    """The distinct values of a column in order of appearance, and which of them each row has; -1 for null."""
    if not column.num_chunks:
        return _pyarrow().array([], _held(column.type)), np.zeros(0, np.int64)
    if not _has_codes(column.type):
        return _distinct(column.combine_chunks())
    dictionaries, numbers = _joined(column.chunks)
    # A dictionary may repeat a value and may have null: it is a column itself. Its values are not written out for each
    # row, since a long one may stand in millions of rows.
    values, places = _encoded(dictionaries)
    return _in_order_of_appearance(values, _looked_up(places, numbers))


def _joined(chunks: Sequence[Any]) -> tuple[Any, IntArray]:
    """The dictionaries of all chunks, one after the other, and which of these values each row has."""
    dictionaries: list[Any] = []
    numbers, begin, end = [], 0, 0
    for chunk in chunks:
        dictionary, own = _split(chunk)
        if not dictionaries or not dictionary.equals(dictionaries[-1]):  # chunks often share one
            dictionaries.append(dictionary)
            begin, end = end, end + len(dictionary)
        numbers.append(np.where(own < 0, -1, own + begin) if begin else own)
    return _pyarrow().chunked_array(dictionaries), np.concatenate(numbers)


def _split(array: Any) -> tuple[Any, IntArray]:
    """The values that an array has once, or once for each run, and which of them each row has."""
    if _pyarrow().types.is_dictionary(array.type):
        return array.dictionary, _codes(array.indices)
    runs = np.searchsorted(array.run_ends.to_numpy(), array.offset + np.arange(len(array)), side="right")
    return array.values, runs.astype(np.int64)


def _distinct(array: Any) -> tuple[Any, IntArray]:
    """The same of an array of plain values."""
    types = _pyarrow().types
    if types.is_null(array.type):  # it would have a dictionary, of null
        return array[:0], np.full(len(array), -1, np.int64)
    encoded = _widened(array).dictionary_encode()
    views = types.is_string_view(array.type)  # pyarrow cannot `take` of them
    values = encoded.dictionary.cast(_pyarrow().large_string()) if views else encoded.dictionary
    return values, _codes(encoded.indices)


def _widened(array: Any) -> Any:
    """The same array; decimals of 32 and 64 bits in 128, since pyarrow finds no distinct ones among them."""
    held = array.type
    if not _pyarrow().types.is_decimal(held) or held.bit_width >= 128:
        return array
    return array.cast(_pyarrow().decimal128(held.precision, held.scale))


def _codes(indices: Any) -> IntArray:
    found: IntArray = indices.cast(_pyarrow().int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return found


def _looked_up(places: IntArray, numbers: IntArray) -> IntArray:
    if np.array_equal(places, np.arange(len(places))):
        return numbers
    return np.append(places, -1)[numbers]  # the last, at -1, is none


def _has_codes(type_: Any) -> bool:
    types = _pyarrow().types
    return bool(types.is_dictionary(type_) or types.is_run_end_encoded(type_))


def _held(type_: Any) -> Any:
    """The type of the values, however they are encoded."""
    return _held(type_.value_type) if _has_codes(type_) else type_


def _in_order_of_appearance(dictionary: Any, rows: IntArray) -> tuple[Any, IntArray]:
    """The values that rows have, in the order in which they have them: a dictionary may have others, in any order."""
    first = first_places(rows[rows >= 0], len(dictionary))
    order = np.argsort(first, kind="stable")[np.count_nonzero(first < 0) :]
    if np.array_equal(order, np.arange(len(dictionary))):
        return dictionary, rows
    place = np.full(len(dictionary), -1, np.int64)
    place[order] = np.arange(len(order))
    return dictionary.take(_pyarrow().array(order)), _looked_up(place, rows)


def _labels(distinct: Any, rows: IntArray) -> _Labels:
    types, held = _pyarrow().types, distinct.type
    if types.is_integer(held):
        numbers = distinct.to_numpy(zero_copy_only=False)
        return _Labels(tuple(numbers.tolist()) if numbers.dtype == np.uint64 else numbers.astype(np.int64), rows)
    if types.is_null(held):
        return _Labels((), rows)
    texts = distinct.to_pylist()
    empty = texts.index("") if "" in texts else None
    if empty is not None:  # as in CSV, no label
        texts.pop(empty)
        rows = np.where(rows == empty, -1, rows - (rows > empty))
    return _Labels(_from_texts(texts, rows), rows)


def _from_texts(texts: list[str], rows: IntArray) -> tuple[Label, ...]:
    """The labels that texts stand for; an error about one of them names its first row."""
    try:
        return _checked(texts)
    except HypergraphError:
        for number, text in enumerate(texts):
            try:
                _checked([text])
            except HypergraphError as error:
                raise FormatError(str(error), where=f"row {int(np.argmax(rows == number)) + 1}") from None
        raise  # it is about several


def _checked(texts: list[str]) -> tuple[Label, ...]:
    labels = labels_from_texts(texts)
    return tuple(Numbering.of_distinct(labels) or Numbering(labels))


def _ordered(labels: IntArray | tuple[Label, ...], order: IntArray) -> IntArray | tuple[Label, ...]:
    if np.array_equal(order, np.arange(len(order))):
        return labels
    return labels[order] if isinstance(labels, np.ndarray) else tuple(map(labels.__getitem__, order.tolist()))


def _weights(
    column: tuple[Any, IntArray] | None, hyperedges: _Labels, budgets: Budgets
) -> tuple[IntArray | None, Exact, tuple[Fraction, ...] | None]:
    """The weight of each hyperedge, in integers of one unit; rows that state it must agree."""
    count = len(hyperedges.distinct)
    if column is None:
        return in_units([Exact(1)], np.zeros(count, np.intp))
    distinct, rows = _values(*column, hyperedges, budgets)
    stated = np.flatnonzero(rows >= 0)
    first = first_places(hyperedges.rows[stated], count)
    places = np.where(first < 0, 0, rows[stated][first] if len(stated) else 0)  # at 0 stands 1, if none is stated
    wrong = stated[rows[stated] != places[hyperedges.rows[stated]]]
    if len(wrong):
        number = hyperedges.rows[wrong[0]]
        here, before = distinct[rows[wrong[0]]], distinct[places[number]]
        raise FormatError(
            f"the weight of hyperedge {shown(_plain(hyperedges.distinct[number]))} is {written(here)} here, "
            f"but {written(before)} in an earlier row.",
            where=f"row {wrong[0] + 1}",
        )
    return in_units(distinct, places)


def _values(dictionary: Any, rows: IntArray, hyperedges: _Labels, budgets: Budgets) -> tuple[list[Exact], IntArray]:
    """The distinct weights, the first of them 1, and which of them each row states; -1 for none."""
    found = [Exact(1)]
    numbers = {(1, 1): 0}  # by numerator and denominator: the hash of a fraction takes longer
    places = np.full(len(dictionary) + 1, -1, np.int64)  # the last, at -1, is none
    for place, value in enumerate(_scalars(dictionary)):
        if not isinstance(value, str) or without_blanks(value):
            try:
                weight = _weight(value, "", budgets)
            except HypergraphError:
                row = int(np.argmax(rows == place))  # where it first stands
                _blame(value, _plain(hyperedges.distinct[hyperedges.rows[row]]), budgets, row)
            places[place] = number = numbers.setdefault((weight.numerator, weight.denominator), len(found))
            if number == len(found):
                found.append(weight)
    return found, places[rows]


def _scalars(distinct: Any) -> list[Any]:
    """Values as Python has them; those of float16 and float32 as numpy has them, which print another decimal."""
    types, held = _pyarrow().types, distinct.type
    narrow = types.is_float16(held) or types.is_float32(held)
    return list(distinct.to_numpy(zero_copy_only=False)) if narrow else distinct.to_pylist()


def _weight(value: Any, hyperedge: Label, budgets: Budgets) -> Exact:
    return positive_weight(
        number_from_text(without_blanks(value), budgets.number) if isinstance(value, str) else value, hyperedge
    )


def _blame(value: Any, hyperedge: Label, budgets: Budgets, row: int) -> NoReturn:
    try:
        _weight(value, hyperedge, budgets)
    except HypergraphError as error:
        raise FormatError(str(error), where=f"row {row + 1}") from None
    raise AssertionError("it was no weight before")


def _plain(label: Any) -> Label:
    return int(label) if isinstance(label, np.integer) else label


# -- writing ----------------------------------------------------------------------------------------------------


def write_parquet(H: Hypergraph, target: IO[bytes]) -> None:
    """Write a hypergraph as a Parquet file. Annotations are left out, with a warning."""
    warn_of_loss(H, "parquet")
    _pyarrow("pyarrow.parquet").write_table(_table(H), target, compression="zstd")


def write_arrow(H: Hypergraph, target: IO[bytes]) -> None:
    """Write a hypergraph as an Arrow file. Annotations are left out, with a warning."""
    warn_of_loss(H, "arrow")
    _write_ipc(_pyarrow("pyarrow.ipc").new_file, _table(H), target)


def write_arrow_stream(H: Hypergraph, target: IO[bytes]) -> None:
    """Write a hypergraph as an Arrow stream. Annotations are left out, with a warning."""
    warn_of_loss(H, "arrow-stream")
    _write_ipc(_pyarrow("pyarrow.ipc").new_stream, _table(H), target)


def _write_ipc(opened: Callable[[IO[bytes], Any], Any], table: Any, target: IO[bytes]) -> None:
    with opened(target, table.schema) as file:
        file.write_table(table)


def _table(H: Hypergraph) -> Any:
    """The rows that `incidence_csv.write` gives, as columns."""
    pa, transposed = _pyarrow(), H.incidence_transposed
    sizes = np.diff(transposed.indptr)
    columns = np.repeat(np.arange(H.counts[1]), np.maximum(sizes, 1))
    rows = np.full(len(columns), -1, np.int64)
    begin = np.cumsum(np.maximum(sizes, 1)) - np.maximum(sizes, 1)
    rows[np.arange(len(transposed.indices)) + np.repeat(begin - transposed.indptr[:-1], sizes)] = transposed.indices
    if not vertices_appear_in_order(H):
        rows = np.concatenate([np.arange(H.counts[0]), rows])
        columns = np.concatenate([np.full(H.counts[0], -1, np.int64), columns])
    found = {"vertex": _taken(H, "vertices", rows), "hyperedge": _taken(H, "hyperedges", columns)}
    if not _all_ones(H):
        found["weight"] = _weight_column(H, columns)
    return pa.table(found)


def _taken(H: Hypergraph, side: str, numbers: IntArray) -> Any:
    """The labels of these numbers, null for -1: integers, or else text as in CSV."""
    pa = _pyarrow()
    arrays: Arrays | None = H.__dict__.get("_arrays")
    given = getattr(H if arrays is None else arrays, side)
    if isinstance(given, range):
        labels = pa.array(np.arange(given.start, given.stop, dtype=np.int64))
    elif isinstance(given, np.ndarray):
        labels = pa.array(given)
    elif all(type(label) is int and abs(label) < 2**63 for label in given):
        labels = pa.array(given, pa.int64())
    else:
        labels = pa.array([label_text(label) for label in given], pa.string())
    return labels.take(pa.array(numbers, mask=numbers < 0))


def _in_units(H: Hypergraph) -> tuple[Integers, Exact]:
    """Weights in integers and their unit. Without a common unit they are no integers; a file holds them as they are."""
    try:
        return H.in_units
    except HypergraphError:
        return (), Exact(0)


def _all_ones(H: Hypergraph) -> bool:
    integers, unit = _in_units(H)
    return bool(unit == 1 and np.all(np.asarray(integers, object if isinstance(integers, tuple) else None) == 1))


def _weight_column(H: Hypergraph, numbers: IntArray) -> Any:
    pa = _pyarrow()
    integers, unit = _in_units(H)
    whole = unit.denominator == 1 and not isinstance(integers, tuple) and int(integers.max(initial=0)) * unit < 2**63
    if whole and not isinstance(integers, tuple):
        weights = pa.array(integers * unit.numerator)
    elif all(weight.denominator == 1 and weight < 2**63 for weight in H.weights):
        weights = pa.array([int(weight) for weight in H.weights], pa.int64())
    else:
        weights = pa.array([written(weight) for weight in H.weights], pa.string())
    return weights.take(pa.array(numbers, mask=numbers < 0))
