"""What a table unpacks to is known before it is unpacked; what is more than real data are is refused by then."""

from __future__ import annotations

import io as streams
import random

import numpy as np
import pytest

from hyloop import io
from hyloop.errors import FormatError
from hyloop.io import table_sizes
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.table_sizes import TableSize, of_arrow, of_parquet

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402 (after the check that it is there)

LABELS = pa.array(["Quay", None, "Isle", "x" * 9_999])
TABLES = {
    "plain": pa.table({"vertex": LABELS, "hyperedge": pa.array([1, 1, 2, 2])}),
    "dictionary": pa.table({"vertex": LABELS.dictionary_encode(), "weight": pa.array([0.5, 1.5, None, 2])}),
    "lists": pa.table({"number": [0, 1], "output_x": [[1, 2, 3], []]}),
    "nothing": pa.table({"vertex": pa.array([], pa.int8()), "hyperedge": pa.nulls(0)}),
}
ROWS = 33_000_000


def as_arrow(table, codec=None):
    made = streams.BytesIO()
    with pa.ipc.new_file(made, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as file:
        file.write_table(table)
    return made.getvalue()


def as_parquet(table, **options):
    made = streams.BytesIO()
    parquet.write_table(table, made, **{"compression": "zstd", **options})
    return made.getvalue()


def size_of_parquet(data):
    return of_parquet(parquet.read_metadata(streams.BytesIO(data)), streams.BytesIO(data))


@pytest.mark.parametrize("codec", [None, "zstd", "lz4"])
@pytest.mark.parametrize("name", TABLES)
def test_the_size_of_an_arrow_file(name, codec):
    table = TABLES[name]
    found = of_arrow(as_arrow(table, codec))
    assert found.rows == table.num_rows
    dictionary = len(LABELS.dictionary_encode().dictionary) if name == "dictionary" else 0
    nested = 3 if name == "lists" else 0
    assert found.values == table.num_rows * table.num_columns + dictionary + nested
    with pa.ipc.open_file(as_arrow(table)) as file:
        assert table.nbytes <= found.bytes <= file.read_all().get_total_buffer_size() + 64 * 8 or not table.num_rows


@pytest.mark.parametrize(
    "options", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}, {"data_page_size": 1}]
)
@pytest.mark.parametrize("name", TABLES)
def test_the_size_of_a_parquet_file(name, options):
    table, data = TABLES[name], as_parquet(TABLES[name], **options)
    found = size_of_parquet(data)
    groups = parquet.read_metadata(streams.BytesIO(data)).row_group(0)
    columns = [groups.column(number) for number in range(groups.num_columns)]
    assert found.rows == table.num_rows
    # Pages say what the footer says; a page's header is in the footer's sum, and a dictionary is not in its values.
    assert found.bytes == sum(column.total_uncompressed_size for column in columns)
    counted = sum(column.num_values for column in columns)
    assert counted <= found.values <= 2 * counted


def test_long_statistics_before_a_page(monkeypatch):
    monkeypatch.setattr(table_sizes, "_PAGES", (16, 2**17))
    assert size_of_parquet(as_parquet(TABLES["plain"])).values >= 8
    monkeypatch.setattr(table_sizes, "_PAGES", (16,))
    with pytest.raises(FormatError, match="its metadata are damaged"):
        size_of_parquet(as_parquet(TABLES["plain"]))


def test_a_footer_that_says_too_little_is_not_believed():
    data = as_parquet(pa.table({"vertex": np.zeros(100_000, np.int64)}), use_dictionary=False, compression="zstd")

    class Lying:
        num_rows, num_row_groups, num_columns = 1, 1, 1
        num_values, total_uncompressed_size = 1, 1

        def __init__(self, real):
            self.data_page_offset, self.dictionary_page_offset = real.data_page_offset, real.dictionary_page_offset
            self.total_compressed_size = real.total_compressed_size

        def row_group(self, _):
            return self

        column = row_group

    real = parquet.read_metadata(streams.BytesIO(data)).row_group(0).column(0)
    found = of_parquet(Lying(real), streams.BytesIO(data))
    assert found.values == 100_000
    assert found.bytes >= 800_000


def ends(value):
    return pa.RunEndEncodedArray.from_arrays(pa.array([ROWS], pa.int32()), pa.array([value]))


BOMBS = {
    "run ends": lambda: as_arrow(pa.table({"vertex": ends(1), "hyperedge": ends(1)})),
    "long run ends": lambda: as_arrow(pa.table({"vertex": ends("x" * 9_999), "hyperedge": ends(1)})),
    "nulls": lambda: as_arrow(pa.table({"vertex": pa.nulls(ROWS), "hyperedge": ends(1)})),
    "zeros": lambda: as_arrow(pa.table(dict.fromkeys(("vertex", "hyperedge"), np.zeros(ROWS // 4, np.int8))), "zstd"),
    "parquet": lambda: as_parquet(pa.table(dict.fromkeys(("vertex", "hyperedge"), np.zeros(ROWS // 4, np.int8)))),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_are_unpacked(name, monkeypatch):
    data, format = BOMBS[name](), "parquet" if name == "parquet" else "arrow"
    monkeypatch.delattr(pa.ipc, "open_file")
    monkeypatch.delattr(parquet.ParquetFile, "read")
    with pytest.raises(FormatError, match=r"bytes unpacks to .* at most .* budgets"):
        io.read(streams.BytesIO(data), format=format)


@pytest.mark.parametrize("make", [as_arrow, as_parquet])
def test_a_long_text_in_few_bytes(make):
    table = pa.table({"vertex": ["x" * 2**20, "y"], "hyperedge": [1, 1]})
    data, format = (
        make(table, "zstd") if make is as_arrow else make(table),
        "parquet" if make is as_parquet else "arrow",
    )
    with pytest.raises(FormatError, match=r"and at most 1,000,000 are read; .* a larger budgets.free_table_bytes"):
        io.read(streams.BytesIO(data), format=format, budgets=Budgets(free_table_bytes=10**6))


def test_many_labels_in_few_bytes():
    count = 3_000
    data = as_parquet(
        pa.table({"vertex": np.arange(count), "hyperedge": np.arange(count)}),
        use_dictionary=False,
        column_encoding=dict.fromkeys(("vertex", "hyperedge"), "DELTA_BINARY_PACKED"),
    )
    assert len(data) < count
    with pytest.raises(FormatError, match="unpacks to 6,000 different labels and weights, and at most 5,999 are read"):
        io.read(streams.BytesIO(data), format="parquet", budgets=Budgets(free_distinct=2 * count - 1))
    assert io.read(streams.BytesIO(data), format="parquet").counts == (count, count)


def test_regular_hypergraphs_are_no_bombs():
    """A path of 200,000 vertices with equal weights: 20 bytes in a thousand rows, and read all the same."""
    count = 200_000
    rows = np.arange(count)
    table = pa.table({"vertex": (rows + 1) // 2, "hyperedge": rows // 2, "weight": np.full(count, 2)})
    data = as_parquet(
        table, use_dictionary=False, column_encoding=dict.fromkeys(table.column_names, "DELTA_BINARY_PACKED")
    )
    assert 16 * len(data) < 3 * count
    assert io.read(streams.BytesIO(data), format="parquet").counts == (count // 2 + 1, count // 2)


def test_the_documented_sizes_are_within_the_budgets():
    """3.5 million incidences and 2 million labels with weights, whatever they are compressed to."""
    BUDGETS.require_table(TableSize(3_500_000, 3 * 3_500_000, 3 * 8 * 3_500_000), 1_000)
    BUDGETS.require_distinct(2_000_001, 1_000)


@pytest.mark.parametrize("make", [as_arrow, as_parquet])
def test_damaged_files_are_refused_and_nothing_else(make):
    draw, whole = random.Random(5), make(TABLES["dictionary"])
    for _ in range(300):
        data = bytearray(whole[: draw.randrange(len(whole))] if draw.random() < 0.3 else whole)
        for _ in range(draw.choice([1, 4]) if data else 0):
            data[draw.randrange(len(data))] = draw.randrange(256)
        try:
            io.read(streams.BytesIO(bytes(data)), format="parquet" if make is as_parquet else "arrow")
        except FormatError:
            continue
