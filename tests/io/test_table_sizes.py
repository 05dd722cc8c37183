"""What a table unpacks to is known before it is unpacked; what is more than real data are is refused by then."""

from __future__ import annotations

import io as streams
import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from hyloop import io
from hyloop.errors import FormatError
from hyloop.io import arrow_table, table_sizes
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.table_sizes import TableSize, of_arrow, of_parquet

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402 (after the check that it is there)

# -- Parquet by hand: the compact protocol of Thrift, one column and one row group ---------------------------------

I16, I32, I64, BINARY, LIST, STRUCT = 4, 5, 6, 8, 9, 12


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def i32(number, kind=I32):
    return kind, varint(number * 2 if number >= 0 else -2 * number - 1)


def i64(number):
    return i32(number, I64)


def binary(data):
    return BINARY, varint(len(data)) + data


def listed(*elements, kind=STRUCT, count=None):
    return LIST, bytes([0xF0 | kind]) + varint(len(elements) if count is None else count) + b"".join(elements)


def structure(fields):
    """The bytes of a structure: its fields by number, each of a kind and its bytes; None is left out."""
    given = {number: field for number, field in fields.items() if field is not None}
    return b"".join(bytes([kind]) + i32(number)[1] + data for number, (kind, data) in given.items()) + b"\0"


@dataclass(frozen=True)
class Page:
    """A data page; `header` has fields other than those that its counts give."""

    count: int = 4
    unpacked: int = 8
    body: bytes = bytes(8)
    header: dict = field(default_factory=dict)
    part: dict = field(default_factory=dict)

    def packed(self):
        part = STRUCT, structure({1: i32(self.count), 2: i32(0), 3: i32(3), 4: i32(3)} | self.part)
        given = {1: i32(0), 2: i32(self.unpacked), 3: i32(len(self.body)), 5: part}
        return structure(given | self.header) + self.body


def parquet_of(*pages, column=None, chunk=None, group=None, footer=None, element=None, rows=4, more=b""):
    """A Parquet file of a column of int8; the dictionaries have fields that differ from those of a sound one."""
    body = b"".join(page.packed() for page in pages)
    about = {1: i32(1), 2: listed(b"\0", kind=I32), 3: listed(binary(b"vertex")[1], kind=BINARY), 4: i32(0)}
    about |= {5: i64(rows), 6: i64(len(body)), 7: i64(len(body)), 9: i64(4)} | (column or {})
    chunk = {2: i64(0), 3: (STRUCT, structure(about))} | (chunk or {})
    group = {1: listed(structure(chunk)), 2: i64(len(body)), 3: i64(rows)} | (group or {})
    leaf = structure({1: i32(1), 3: i32(0), 4: binary(b"vertex")} | (element or {}))
    schema = listed(structure({4: binary(b"schema"), 5: i32(1)}), leaf)
    whole = {1: i32(1), 2: schema, 3: i64(rows), 4: listed(structure(group))} | (footer or {})
    end = structure(whole)[:-1] + more + b"\0"
    return b"PAR1" + body + end + len(end).to_bytes(4, "little") + b"PAR1"


LABELS = pa.array(["Quay", None, "Isle", "x" * 9_999])
TABLES = {
    "plain": pa.table({"vertex": LABELS, "hyperedge": pa.array([1, 1, 2, 2])}),
    "dictionary": pa.table({"vertex": LABELS.dictionary_encode(), "weight": pa.array([0.5, 1.5, None, 2])}),
    "lists": pa.table({"number": [0, 1], "output_x": [[1, 2, 3], []]}),
    "nothing": pa.table({"vertex": pa.array([], pa.int8()), "hyperedge": pa.nulls(0)}),
}
ROWS = 33_000_000


def as_arrow(table, codec=None, *, opened=pa.ipc.new_file, **options):
    made = streams.BytesIO()
    with opened(made, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec, **options)) as file:
        file.write_table(table)
    return made.getvalue()


def as_stream(table, codec=None, **options):
    return as_arrow(table, codec, opened=pa.ipc.new_stream, **options)


def as_parquet(table, **options):
    made = streams.BytesIO()
    parquet.write_table(table, made, **{"compression": "zstd", **options})
    return made.getvalue()


def size_of_parquet(data):
    return of_parquet(streams.BytesIO(data)).size


@pytest.mark.parametrize("make", [as_arrow, as_stream])
@pytest.mark.parametrize("codec", [None, "zstd", "lz4"])
@pytest.mark.parametrize("name", TABLES)
def test_the_size_of_an_arrow_file(name, codec, make):
    table = TABLES[name]
    found = of_arrow(make(table, codec))
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
    data = parquet_of(Page(count=100_000, unpacked=800_000), column={5: i64(1), 6: i64(1)}, rows=1)
    found = of_parquet(streams.BytesIO(data)).size
    assert (found.rows, found.values, found.bytes) == (1, 100_000, 800_000)


def ends(value):
    return pa.RunEndEncodedArray.from_arrays(pa.array([ROWS], pa.int32()), pa.array([value]))


BOMBS = {
    "run ends": lambda: as_arrow(pa.table({"vertex": ends(1), "hyperedge": ends(1)})),
    "long run ends": lambda: as_arrow(pa.table({"vertex": ends("x" * 9_999), "hyperedge": ends(1)})),
    "nulls": lambda: as_arrow(pa.table({"vertex": pa.nulls(ROWS), "hyperedge": ends(1)})),
    "zeros": lambda: as_arrow(pa.table(dict.fromkeys(("vertex", "hyperedge"), np.zeros(ROWS // 4, np.int8))), "zstd"),
    "stream of zstd": lambda: as_stream(pa.table({"vertex": np.zeros(ROWS // 2, np.int64)}), "zstd"),
    "stream of lz4": lambda: as_stream(pa.table({"vertex": np.zeros(ROWS // 2, np.int64)}), "lz4"),
    "parquet": lambda: as_parquet(pa.table(dict.fromkeys(("vertex", "hyperedge"), np.zeros(ROWS // 4, np.int8)))),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_are_unpacked(name, monkeypatch):
    data, format = BOMBS[name](), "parquet" if name == "parquet" else "arrow"
    monkeypatch.delattr(pa.ipc, "open_file")
    monkeypatch.delattr(pa.ipc, "open_stream")
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
    with pytest.raises(FormatError, match=r"unpacks to 6,000 different labels and weights .*, and at most 5,999"):
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


@pytest.mark.parametrize("kind", [int, str])
def test_a_column_with_too_many_labels_is_refused_before_the_next_is_looked_at(kind, monkeypatch):
    encoded, own = [], arrow_table._encoded
    monkeypatch.setattr(arrow_table, "_encoded", lambda column: encoded.append(column) or own(column))
    vertex = pa.array([kind(number) for number in range(60)] + [kind(7)] * 40)
    data = as_parquet(pa.table({"vertex": vertex, "hyperedge": vertex}))
    monkeypatch.setattr(Budgets, "most_distinct", lambda *_: 59)
    with pytest.raises(FormatError, match="60 different labels and weights"):
        io.read(streams.BytesIO(data), format="parquet")
    assert [len(each) for each in encoded] == ([] if kind is int else [100, 60])


@pytest.mark.parametrize("make", [as_arrow, as_stream, as_parquet])
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


def test_a_file_by_hand_is_what_pyarrow_reads():
    data = parquet_of(Page(), Page(count=1, body=b"\0\0\0\0"), rows=5)
    read = parquet.ParquetFile(streams.BytesIO(data))
    assert read.metadata.row_group(0).column(0).num_values == 5
    assert size_of_parquet(data) == TableSize(5, 5, 16 + 2 * len(Page(body=b"").packed()) - 4)


HUGE, DEEP = varint(2**62), (b"\x1c" * 10**6)
DAMAGED = {
    "no row groups": {"footer": {4: None}},
    "row groups that are numbers": {"footer": {4: i64(1)}},
    "row groups of numbers": {"footer": {4: listed(b"\2", kind=I32)}},
    "more row groups than bytes": {"footer": {4: listed(count=2**40)}},
    "no rows": {"footer": {3: None}},
    "rows of another kind": {"footer": {3: i32(4)}},
    "negative rows": {"footer": {3: i64(-4)}},
    "rows beyond 64 bits": {"footer": {3: i64(2**65)}},
    "no schema": {"footer": {2: None}},
    "a negative width": {"element": {2: i32(-1)}},
    "no columns": {"group": {1: None}},
    "columns that are text": {"group": {1: binary(b"vertex")}},
    "negative rows of a group": {"group": {3: i64(-(2**63))}},
    "a column without metadata": {"chunk": {3: None}},
    "a column whose metadata are a list": {"chunk": {3: listed()}},
    "no type": {"column": {1: None}},
    "no values": {"column": {5: None}},
    "negative values": {"column": {5: i64(-1)}},
    "values of another kind": {"column": {5: i32(4)}},
    "a negative length": {"column": {7: i64(-1)}},
    "a length beyond the file": {"column": {7: i64(2**62)}},
    "a negative place": {"column": {9: i64(-1)}},
    "a place beyond the file": {"column": {9: i64(2**62)}},
    "a place that no file has": {"column": {9: i64(2**63 - 1), 7: i64(2**63 - 1)}},
    "a field twice": {"more": bytes([I64]) + i32(3)[1] + varint(8)},
    "a field of too large a number": {"more": bytes([I64]) + varint(2 * 65_539) + varint(8)},
    "a number without an end": {"more": bytes([I64]) + i32(9)[1] + b"\xff" * 11},
    "a number of many bytes": {"more": bytes([I64]) + i32(9)[1] + b"\xff" * 10**6 + b"\0"},
    "a text beyond the end": {"more": bytes([BINARY]) + i32(9)[1] + HUGE},
    "a list beyond the end": {"more": bytes([LIST]) + i32(9)[1] + b"\xf5" + HUGE},
    "flags beyond the end": {"more": bytes([LIST]) + i32(9)[1] + b"\xf1" + HUGE},
    "a map": {"more": bytes([11]) + i32(9)[1] + b"\0"},
    "a kind that there is not": {"more": bytes([15]) + i32(9)[1] + b"\0"},
    "structures in structures": {"more": DEEP},
    "lists in lists": {"more": bytes([LIST]) + i32(9)[1] + b"\x19" * 10**6},
}
PAGES = {
    "no length": {"header": {3: None}},
    "no length unpacked": {"header": {2: None}},
    "a length of another kind": {"header": {3: i64(8)}},
    "a negative length": {"header": {3: i32(-8)}},
    "a negative length unpacked": {"header": {2: i32(-1)}},
    "a length of 33 bits": {"header": {3: i32(2**32 + 8)}},
    "negative values": {"part": {1: i32(-4)}},
    "no encoding": {"part": {2: None}},
    "no end": {"header": {9: (BINARY, HUGE)}},
    "structures in structures": {"header": {9: (STRUCT, DEEP)}},
}


def refused_before_pyarrow(
    data, monkeypatch, match="this table cannot be read: its metadata are damaged; copy or write"
):
    monkeypatch.delattr(parquet, "read_schema")
    monkeypatch.delattr(parquet, "ParquetFile")
    with pytest.raises(FormatError, match=match):
        io.read(streams.BytesIO(data), format="parquet")


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_footer_is_refused_before_pyarrow_sees_it(damage, monkeypatch):
    refused_before_pyarrow(parquet_of(Page(), **DAMAGED[damage]), monkeypatch)


@pytest.mark.parametrize("damage", PAGES)
def test_a_damaged_page_is_refused_before_pyarrow_sees_it(damage, monkeypatch):
    refused_before_pyarrow(parquet_of(Page(**PAGES[damage]), Page()), monkeypatch)


@pytest.mark.parametrize("length", range(12))
def test_a_file_that_is_hardly_one(length, monkeypatch):
    data = b"PAR1" + length.to_bytes(4, "little") + b"PAR1"
    refused_before_pyarrow(
        data[-length:] if length else b"", monkeypatch, "this is no Parquet file, or its end is missing"
    )
    with pytest.raises(FormatError, match=r"this is no Parquet file|are damaged"):
        of_parquet(streams.BytesIO(data))


def test_an_encrypted_file(monkeypatch):
    refused_before_pyarrow(parquet_of(Page())[:-4] + b"PARE", monkeypatch, "is encrypted; write it again without")


def test_a_page_before_the_first_place_hides_nothing():
    """pyarrow takes no notice of a negative place of a dictionary."""
    sound = size_of_parquet(parquet_of(Page(count=10**6)))
    assert size_of_parquet(parquet_of(Page(count=10**6), column={11: i64(-5)})) == sound
    assert sound.values == 10**6


def test_pages_that_are_not_compressed_have_their_own_length():
    assert size_of_parquet(parquet_of(Page(unpacked=0, body=bytes(5000)))).bytes >= 5000


def test_values_of_a_fixed_width_count_as_wide_as_they_are():
    fixed = {"column": {1: i32(7)}, "element": {1: i32(7), 2: i32(10**5)}}
    assert size_of_parquet(parquet_of(Page(count=1000), **fixed)).bytes == 10**8


@pytest.mark.parametrize("make", [as_arrow, as_stream, as_parquet])
def test_metadata_take_no_longer_than_rows(make):
    """Many pages or batches of nothing are refused when their number is known, not after all were read."""
    table = pa.concat_tables([pa.table({"vertex": [1], "hyperedge": [1]})] * 1000)
    data = make(table) if make is not as_parquet else make(table, row_group_size=1)
    format = "parquet" if make is as_parquet else "arrow"
    assert io.read(streams.BytesIO(data), format=format).counts == (1, 1)
    with pytest.raises(
        FormatError, match=r"more than 9,000 entries; write it again in fewer .*budgets\.free_entries\."
    ):
        io.read(streams.BytesIO(data), format=format, budgets=Budgets(free_entries=9000))
    asked, limit = [], Budgets(free_entries=9000).entries_of(len(data))
    read_sizes, given = (of_parquet, streams.BytesIO(data)) if make is as_parquet else (of_arrow, data)
    with pytest.raises(FormatError, match="more than 9,000"):
        read_sizes(given, lambda count: asked.append(count) or limit(count))
    assert asked[-1] < 20_000


def test_a_long_header_counts_as_what_it_takes_to_read():
    asked = []
    page = Page(header={9: binary(bytes(2**20))})
    of_parquet(streams.BytesIO(parquet_of(page, page)), asked.append)
    assert asked[-1] > 2**20 // 256


def test_a_dictionary_that_grows_counts_as_a_whole_each_time():
    """pyarrow makes the whole dictionary anew for each piece of it."""
    type_ = pa.dictionary(pa.int8(), pa.string())
    made, schema = streams.BytesIO(), pa.schema([("vertex", type_)])
    with pa.ipc.new_stream(made, schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as file:
        for count in range(1, 11):
            column = pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array([f"v{i}" for i in range(count)]))
            file.write_batch(pa.record_batch([column], schema=schema))
    assert of_arrow(made.getvalue()).values == 10 + sum(range(1, 11))


@pytest.mark.parametrize("value", [-1, -(2**63), 2**62, 2**63 - 1])
@pytest.mark.parametrize("make", [as_arrow, as_stream])
def test_numbers_that_no_arrow_file_has(make, value):
    """One of 8 bytes after the other has another value: read, or refused with a sentence."""
    whole = make(TABLES["dictionary"].rename_columns(["vertex", "hyperedge"]), "zstd")
    for place in range(0, len(whole) - 8, 4):
        data = whole[:place] + value.to_bytes(8, "little", signed=True) + whole[place + 8 :]
        try:
            io.read(streams.BytesIO(data), format="arrow")
        except FormatError:
            continue
