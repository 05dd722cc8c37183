"""Parquet and Arrow tables: the same hypergraph as the CSV of the same rows, or the same refusal."""

from __future__ import annotations

import gzip
import io as streams
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import EVERYTHING
from hyloop import io
from hyloop.errors import FormatError, HyloopError, HyloopWarning
from hyloop.hypergraph import Hypergraph
from hyloop.io import arrow_table
from hyloop.io.budgets import Budgets
from hypergraph_strategies import plain

pa = pytest.importorskip("pyarrow")
HARBOUR = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], 7: ["Quay", "Mühle", 3]}, weights=[Fraction(1, 3), 2])
distinct = arrow_table._distinct
NAMES = ["a.parquet", "a.arrow", "a.feather", "a.arrows"]


def packed(table, name="parquet", **options):
    made = streams.BytesIO()
    if name == "parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, made, **options)
    else:
        with (pa.ipc.new_stream if name == "arrow-stream" else pa.ipc.new_file)(made, table.schema, **options) as file:
            file.write_table(table)
    return streams.BytesIO(made.getvalue())


def read(columns, name="parquet", **budgets):
    return io.read(packed(pa.table(columns), name), format=name, **budgets)


@pytest.mark.parametrize("name", NAMES)
def test_written_and_read(tmp_path, name):
    for H in (
        HARBOUR,
        Hypergraph.from_hyperedges([]),
        Hypergraph.from_hyperedges({"empty": [], "e": ["b"]}, vertices=["a", "b"]),
        Hypergraph.from_arrays([2, 0, 1], [0, 0, 2], [3, 2**40, 5]),
        Hypergraph.from_hyperedges([["a"]], weights=[2**70]),
    ):
        io.write(H, tmp_path / name)
        found = io.read(tmp_path / name)
        assert found == H
        assert found.integer_weights() == H.integer_weights()
        with (tmp_path / name).open("rb") as file:
            assert io.read(file) == H


@settings(max_examples=60 if EVERYTHING else 20)
@given(plain())
@pytest.mark.filterwarnings("ignore::hyloop.errors.HyloopWarning")
def test_the_same_as_csv(H):
    found = []
    for name in ("incidence-csv", "parquet", "arrow", "arrow-stream"):
        made = streams.BytesIO()
        try:
            io.write(H, made, format=name)
            found.append(io.read(streams.BytesIO(made.getvalue()), format=name))
        except FormatError:
            found.append(None)  # of several labels that cannot be written, each may be the first
    assert found == [found[0]] * 4


CELL = st.sampled_from(["a", "b", "7", "-3", "07", "é", "", None])
ROWS = st.lists(
    st.tuples(CELL, CELL, st.sampled_from([None, "", " ", "1", "1.0", "2", "1/2", "0", "x"])), min_size=1, max_size=8
)


@settings(max_examples=150 if EVERYTHING else 40)
@given(ROWS)
def test_any_rows_are_read_or_refused_as_in_csv(rows):
    text = "vertex,hyperedge,weight\n" + "".join(",".join(cell or "" for cell in row) + "\n" for row in rows)
    columns = dict(zip(("vertex", "hyperedge", "weight"), map(list, zip(*rows, strict=True)), strict=True))
    outcomes = []
    for ask in (
        lambda: io.read(streams.StringIO(text), format="incidence-csv"),
        lambda: read({name: pa.array(column, pa.string()) for name, column in columns.items()}),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                outcomes.append(ask())
            except FormatError:
                outcomes.append(None)
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"vertex": [1], "edge": [2], "node": [3]}, "the columns are 'vertex, edge, node'; expected the columns"),
        ({"vertex": [1], "hyperedge": [2], "colour": ["red"]}, "expected the columns vertex, hyperedge"),
        ({"vertex": [1.5], "hyperedge": [2]}, "the column vertex holds double; labels are integers or strings"),
        ({"vertex": [1, None], "hyperedge": [2, None]}, "row 2: the row names no hyperedge"),
        ({"vertex": ["a"], "hyperedge": [""], "weight": [1]}, "row 1: the row names no hyperedge"),
        (
            {"vertex": [1, 2], "hyperedge": [5, 5], "weight": [1, 2]},
            "row 2: the weight of hyperedge 5 is 2 here, but 1",
        ),
        ({"vertex": [1, 2], "hyperedge": [5, 6], "weight": [1, 0]}, "row 2: The weight of hyperedge 6 is 0"),
        ({"vertex": [1], "hyperedge": ["e"], "weight": [float("nan")]}, "row 1: The weight of hyperedge 'e'"),
        (
            {"vertex": ["a", "a", "b" * 10_001, "a"], "hyperedge": [1] * 4},
            "row 3: A text of 10,001 characters cannot be a label",
        ),
        ({"vertex": [1, 2], "hyperedge": ["", "9" * 1001]}, "row 2: An integer of more than 1000 digits"),
    ],
)
@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_what_is_refused(columns, message, name):
    with pytest.raises(FormatError, match=message):
        read(columns, name)


def test_a_blank_weight_is_none_also_of_a_vertex_alone():
    columns = {"vertex": ["a", "b", "c"], "hyperedge": ["e", None, ""], "weight": ["1/2", "", " "]}
    for column in (columns["weight"], pa.array(columns["weight"]).dictionary_encode()):
        H = read({**columns, "weight": column})
        assert (H.vertices, H.hyperedges, H.weights) == (("b", "c", "a"), ("e",), (Fraction(1, 2),))


@pytest.mark.parametrize("weight", ["\u00a0", "1\n", "\x1c"])
def test_white_space_other_than_blanks_is_no_weight_and_not_none(weight):
    with pytest.raises(FormatError, match="is not a number"):
        read({"vertex": ["a"], "hyperedge": ["e"], "weight": [weight]})


@pytest.mark.parametrize("name", ["parquet", "arrow", "arrow-stream"])
@pytest.mark.parametrize("bits", [32, 64, 128, 256])
def test_decimals_of_every_width(bits, name):
    if not hasattr(pa, f"decimal{bits}"):
        pytest.skip("this pyarrow has no decimals of that width")
    held = getattr(pa, f"decimal{bits}")(5, 2)
    weights = pa.array([Decimal("1.50"), None, Decimal("0.25"), Decimal("1.5")], held)
    for column in (weights, pa.chunked_array([weights[:1], weights[1:]])):
        H = read({"vertex": [1, 2, 3, 4], "hyperedge": [1, 2, 3, 4], "weight": column}, name)
        assert H.weights == (Fraction(3, 2), 1, Fraction(1, 4), Fraction(3, 2))


def test_columns_of_many_kinds():
    for column in (
        pa.array([9, 9, 5], pa.int8()),
        pa.array([9, 9, 5], pa.uint64()),
        pa.array(["9", "9", "5"], pa.large_string()),
        pa.DictionaryArray.from_arrays(pa.array([2, 2, 0]), pa.array([5, 8, 9])),
        pa.chunked_array([[9], [9, 5]]),
    ):
        for name in ("parquet", "arrow"):
            H = read({"edge": [1, 2, 2], "node": column}, name)
            assert (H.vertices, H.hyperedges, H.members_of(2)) == ((9, 5), (1, 2), (9, 5))
            assert {type(label) for label in H.vertices} == {int}
    assert read({"vertex": pa.nulls(2), "hyperedge": [1, 2]}).counts == (0, 2)
    weights = read({"vertex": [1, 2], "hyperedge": [1, 2], "weight": pa.array([0.1, None])}).weights
    assert weights == (Fraction(1, 10), 1)


def coded(values, *indices, held=None):
    """A column of dictionaries: a chunk for each list of indices, all with the same values."""
    arrays = [pa.array(chunk, pa.uint8()) for chunk in indices]
    return pa.chunked_array([pa.DictionaryArray.from_arrays(each, pa.array(values, held)) for each in arrays])


def runs(ends, values):
    return pa.chunked_array([pa.RunEndEncodedArray.from_arrays(pa.array(ends, pa.int32()), values)])


# Columns of three rows, and the same as they are.
ENCODED = [
    (coded([5, 5, 6], [0, 1, 2]), [5, 5, 6]),
    (coded([5, None, 6], [0, 1, 2]), [5, None, 6]),
    (coded([8, 6, None, 5], [3, None], [1]), [5, None, 6]),
    (coded([8, None, 6], [2, 1, 2], held=pa.uint64()), [6, None, 6]),
    (coded(["5", "5", "6"], [0, 1, 2]), ["5", "5", "6"]),
    (coded(["5", None, "6"], [1], [0, 2], held=pa.large_string()), [None, "5", "6"]),
    (coded(["5", "7", "5"], [0], [1, 2], held=pa.string_view()), ["5", "7", "5"]),
    (coded(["", "5", "5"], [2, 0, 1]), ["5", "", "5"]),
    (coded([None], [0, 0, 0], held=pa.null()), [None, None, None]),
    (coded([], [None, None, None], held=pa.string()), [None, None, None]),
    (pa.array(["5", "5", "6"], pa.string_view()), ["5", "5", "6"]),
    (pa.nulls(3), [None, None, None]),
    (runs([2, 3], pa.array(["5", None])), ["5", "5", None]),
    (runs([2, 4, 9], pa.array([7, 5, 6])).slice(3, 3), [5, 6, 6]),
    (runs([1, 2, 3], coded([6, 5, 6], [0, 2, 1]).chunk(0)), [6, 6, 5]),
]


@pytest.mark.parametrize("column", ["vertex", "hyperedge", "weight"])
@pytest.mark.parametrize(("encoded", "plainly"), ENCODED)
def test_encoded_columns_are_read_as_what_they_stand_for(encoded, plainly, column):
    rest = {"vertex": [1, 2, 3], "hyperedge": [1, 2, 3]}
    H, expected = read(rest | {column: encoded}, "arrow"), read(rest | {column: plainly}, "arrow")
    assert expected == H
    assert {type(label) for label in (*H.vertices, *H.hyperedges)} <= {int}


@pytest.mark.parametrize("encoded", [encoded for encoded, _ in ENCODED])
def test_columns_without_rows(encoded):
    none = pa.chunked_array([], encoded.type)
    for column in (none, encoded.slice(0, 0)):
        assert read({"vertex": column, "hyperedge": column, "weight": column}, "arrow").counts == (0, 0)


def test_row_groups_have_dictionaries_of_their_own():
    made, rows = streams.BytesIO(), ["b", "a", None, "b", "c", "", "a", "c"]
    import pyarrow.parquet

    table = pa.table({"vertex": rows, "hyperedge": list(reversed("12341234")), "weight": ["1/2"] * 8})
    pyarrow.parquet.write_table(table, made, row_group_size=3)
    assert io.read(streams.BytesIO(made.getvalue()), format="parquet") == read(table, "parquet")
    assert read(table, "parquet").vertices == ("b", "a", "c")


def test_chunks_of_one_dictionary_are_no_work_for_each(monkeypatch):
    column = coded(["a", None, "b", "a"], *[[3, 2, 1, 0]] * 500)
    encoded = []
    monkeypatch.setattr(arrow_table, "_distinct", lambda array: encoded.append(len(array)) or distinct(array))
    H = read({"vertex": column, "hyperedge": [7] * 2000}, "arrow")
    assert (H.vertices, encoded) == (("a", "b"), [4, 2000])


NOT_UTF8 = pa.StringArray.from_buffers(2, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0"), pa.py_buffer(b"a\xff"))
DAMAGED = [NOT_UTF8, pa.DictionaryArray.from_arrays(pa.array([0, 1]), NOT_UTF8)] + [
    pa.DictionaryArray.from_arrays(pa.array([0, wrong]), pa.array([5, 6]), safe=False) for wrong in (2, -1)
]


@pytest.mark.parametrize("column", ["vertex", "hyperedge", "weight"])
@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_damaged_column_is_named(damaged, column):
    columns = {"vertex": [1, 2], "hyperedge": [1, 2]} | {column: damaged}
    with pytest.raises(FormatError, match=f"the column {column} is damaged: .*(UTF8|out of bounds).*[^.]\\.$"):
        read(columns, "arrow")


def test_text_that_is_not_utf8():
    columns = {"vertex": NOT_UTF8, "hyperedge": [1, 2]}
    with pytest.raises(FormatError, match=r"the column vertex is damaged: .*UTF8"):
        read(columns, "parquet")
    for name in ("parquet", "arrow"):
        whole = packed(pa.table({"vertex": [1], "hyperedge": [2]}), name).getvalue()
        with pytest.raises(FormatError, match="this table cannot be read"):
            io.read(streams.BytesIO(whole.replace(b"vertex", b"verte\xff")), format=name)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([b"1"]),
        pa.array([b"1"], pa.binary_view()),
        pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([b"1"])),
        pa.array([1], pa.timestamp("ns")),
        pa.array([2**31 - 1], pa.date32()),
        pa.array([True]),
        pa.array([[1]]),
    ],
)
def test_columns_that_hold_no_labels_and_no_weights(column):
    rest = {"vertex": [1], "hyperedge": [1]}
    for kind, meant in (("vertex", "labels"), ("hyperedge", "labels"), ("weight", "weights")):
        with pytest.raises(FormatError, match=rf"the column {kind} holds [a-z].*; {meant} are integers"):
            read(rest | {kind: column}, "arrow")


def test_integers_whose_hashes_collide():
    alike = [str(1 + (2**61 - 1) * 7**30 * number) for number in range(1, 20_000)]
    for columns in ({"vertex": alike, "hyperedge": [1] * len(alike)}, {"vertex": [1] * len(alike), "hyperedge": alike}):
        with pytest.raises(FormatError, match="have the same hash value"):
            read(columns)


def test_budgets_and_damaged_files(tmp_path):
    columns = {"vertex": [1, 2, 3], "hyperedge": [1, 1, 1]}
    with pytest.raises(FormatError, match="more than 2 records"):
        read(columns, budgets=Budgets(records=2))
    with pytest.raises(FormatError, match="more than 2 incidences"):
        read(columns, "arrow", budgets=Budgets(incidences=2))
    whole = packed(pa.table(columns)).getvalue()
    (tmp_path / "a.parquet").write_bytes(whole)
    with pytest.raises(FormatError, match="longer than 10 bytes"):
        io.read(tmp_path / "a.parquet", max_bytes=10)
    for damaged in (b"", b"nonsense", whole[:-9], whole[: len(whole) // 2] + whole[len(whole) // 2 + 7 :]):
        (tmp_path / "a.parquet").write_bytes(damaged)
        with pytest.raises(FormatError, match=r"a\.parquet: "):
            io.read(tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=r"there is no such file"):
        io.read(tmp_path / "b.parquet")
    with pytest.raises(FormatError, match="open the file for bytes"):
        io.read(streams.StringIO("a"), format="parquet")
    with pytest.raises(FormatError, match="open the file for bytes"):
        io.write(HARBOUR, streams.StringIO(), format="parquet")


@pytest.mark.parametrize("entry", io.BINARY_FORMATS, ids=lambda entry: entry.name)
def test_it_is_in_the_table_of_formats(entry):
    page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
    assert f"| `{entry.name}` | {', '.join(f'`{ending}`' for ending in entry.extensions)} |" in page


def test_a_loss_is_told(tmp_path):
    with pytest.warns(HyloopWarning, match="The format parquet cannot hold the network type, directions"):
        io.write(Hypergraph.from_arcs({"e": (["a"], ["b"])}), tmp_path / "a.parquet")


def test_without_pyarrow(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(HyloopError, match=r"pip install 'hyloop\[parquet\]'"):
        arrow_table.write_parquet(HARBOUR, streams.BytesIO())


@pytest.mark.parametrize("name", NAMES)
def test_weights_without_a_common_unit(tmp_path, name):
    """A run refuses them; a file holds them, as CSV does."""
    weights = [Fraction(1, 10**300 + 2 * place + 1) for place in range(8)]
    h = Hypergraph.from_hyperedges([["a"]] * 8, weights=weights)
    with pytest.raises(HyloopError, match="no common unit"):
        h.integer_weights()
    io.write(h, tmp_path / name)
    assert io.read(tmp_path / name) == h


def test_these_formats_are_not_gzipped(tmp_path):
    with pytest.raises(FormatError, match="the format parquet is compressed by itself, and not by gzip; leave out"):
        io.write(HARBOUR, tmp_path / "a.parquet.gz")
    (tmp_path / "a.arrow.gz").write_bytes(gzip.compress(b"ARROW1"))
    with pytest.raises(FormatError, match="this is a gzip file, and the format compresses by itself; unpack it first"):
        io.read(tmp_path / "a.arrow.gz")


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("name", ["arrow", "arrow-stream"])
@pytest.mark.parametrize("format", ["arrow", "arrow-stream"])
def test_files_and_streams_are_told_apart_by_their_bytes(name, format, codec):
    column = coded(["a", "b", "a"], [0, 2], [1, None])
    table = pa.table({"vertex": column, "hyperedge": pa.chunked_array([[1, 2], [3, 3]])})
    data = packed(table, name, options=pa.ipc.IpcWriteOptions(compression=codec))
    H = io.read(data, format=format)
    assert (H.vertices, H.counts) == (("a", "b"), (2, 3))


def test_a_stream_whose_dictionaries_grow_or_change():
    made, schema = streams.BytesIO(), pa.schema({"vertex": pa.dictionary(pa.int8(), pa.string()), "edge": pa.int8()})
    with pa.ipc.new_stream(made, schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as file:
        for values in (["a"], ["a", "b"], ["c", "a"]):
            column = pa.DictionaryArray.from_arrays(pa.array([len(values) - 1], pa.int8()), pa.array(values))
            file.write_batch(pa.record_batch([column, pa.array([1], pa.int8())], schema=schema))
    H = io.read(streams.BytesIO(made.getvalue()), format="arrow")
    assert (H.vertices, H.hyperedges) == (("a", "b"), (1,))


def test_what_is_no_arrow_file():
    whole = packed(pa.table({"vertex": [1], "hyperedge": [2]}), "arrow").getvalue()
    with pytest.raises(FormatError, match="the end of this Arrow file is missing; copy or write the file again"):
        io.read(streams.BytesIO(whole[:-1]), format="arrow")
    for data in (b"", b"nonsense", b"PAR1PAR1"):
        with pytest.raises(FormatError, match="this is no Arrow file, and no Arrow stream"):
            io.read(streams.BytesIO(data), format="arrow")
    with pytest.raises(FormatError, match=r"this is Feather of version 1, .* again in version 2, as pyarrow\.feather"):
        io.read(streams.BytesIO(b"FEA1" + bytes(40) + b"FEA1"), format="arrow")


def test_batches_that_share_a_dictionary_are_one():
    """It is validated and compared once, not once for each of thousands of batches."""
    shared = coded(["a", "b"], *[[0, 1]] * 500)
    with pa.ipc.open_file(packed(pa.table({"vertex": shared}), "arrow")) as file:
        merged = arrow_table._merged(file.read_all()["vertex"])
    assert (merged.num_chunks, merged.to_pylist()) == (1, ["a", "b"] * 500)
    others = pa.chunked_array([*coded(["a"], [0]).chunks, *coded(["b"], [0], [None]).chunks])
    assert arrow_table._merged(others).to_pylist() == ["a", "b", None]


def views(count, length):
    """Strings that are all the same bytes, which are there once."""
    _, one, *texts = pa.array(["x" * length], pa.string_view()).buffers()
    many = pa.py_buffer(one.to_pybytes()[:16] * count)
    return pa.Array.from_buffers(pa.string_view(), count, [None, many, *texts])


@pytest.mark.parametrize("wrap", [lambda array: array, lambda array: pa.DictionaryArray.from_arrays([0], array)])
def test_views_of_the_same_bytes_are_as_long_as_all_of_them(wrap):
    column = wrap(views(300, 9000))
    rest = {"vertex": column, "hyperedge": pa.array([1] * len(column))}
    assert read(rest, "arrow").vertices == ("x" * 9000,)
    with pytest.raises(FormatError, match=r"unpacks to 2,700,000 bytes, and at most 1,"):
        read(rest, "arrow", budgets=Budgets(free_table_bytes=10**6))


def test_weights_that_are_no_integers_count_as_more_labels():
    for weights, count in (([1, 2, 3], 7), ([0.5, 2, 3], 16), (["1", "2", "3"], 16)):
        columns = {"vertex": [1] * 3, "hyperedge": range(3), "weight": weights}
        table = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
        assert len(arrow_table._encoded_within(table, Budgets(free_distinct=count), 0)) == 3
        with pytest.raises(FormatError, match=rf"unpacks to {count} different labels and weights \(4 for a fraction\)"):
            arrow_table._encoded_within(table, Budgets(free_distinct=count - 1), 0)


LABELS = [f"v{number % 3}" for number in range(50)]
ENCODINGS = {
    "DELTA_LENGTH_BYTE_ARRAY": {"vertex": pa.array(LABELS)},
    "DELTA_BINARY_PACKED": {"hyperedge": pa.array(range(50))},
    "BYTE_STREAM_SPLIT": {"weight": pa.array([0.5] * 50)},
    "PLAIN": {"vertex": pa.array(LABELS)},
}


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_of_parquet_that_are_read(encoding, version):
    changed = ENCODINGS[encoding]
    table = pa.table({"vertex": [1] * 50, "hyperedge": [1] * 50} | changed)
    column_encoding = dict.fromkeys(changed, encoding)
    data = packed(table, column_encoding=column_encoding, use_dictionary=False, data_page_version=version)
    assert io.read(data, format="parquet") == read(table, "arrow")


def test_values_of_a_fixed_width_may_share_their_beginnings():
    halves = pa.array([Decimal("0.5")] * 50, pa.decimal128(30, 1))
    table = pa.table({"vertex": LABELS, "hyperedge": [1] * 50, "weight": halves})
    data = packed(table, column_encoding={"weight": "DELTA_BYTE_ARRAY"}, use_dictionary=False)
    assert io.read(data, format="parquet").weights == (Fraction(1, 2),)


@pytest.mark.parametrize("column", ["vertex", "hyperedge", "weight"])
def test_strings_that_share_their_beginnings_are_refused_in_our_words(column):
    table = pa.table({"vertex": LABELS, "hyperedge": LABELS, "weight": ["1/2"] * 50})
    data = packed(table, column_encoding={column: "DELTA_BYTE_ARRAY"}, use_dictionary=False)
    message = f"the column {column} is encoded as DELTA_BYTE_ARRAY, .*; write the file again with the default encodings"
    with pytest.raises(FormatError, match=message):
        io.read(data, format="parquet")


@pytest.mark.parametrize("scale", [39, 255, 2**31 - 1, -39, -(2**31)])
def test_decimals_of_which_pyarrow_makes_no_numbers(scale):
    digits = pa.array([Decimal(5)], pa.decimal128(9, 0)).buffers()
    column = pa.Array.from_buffers(pa.decimal128(9, scale), 1, digits)
    with pytest.raises(FormatError, match=r"the column weight holds decimal128.*; .* 38 decimal places; write it as"):
        read({"vertex": [1], "hyperedge": [1], "weight": column}, "arrow")
    sound = pa.Array.from_buffers(pa.decimal128(9, 38), 1, digits)
    assert read({"vertex": [1], "hyperedge": [1], "weight": sound}, "arrow").weights == (Fraction(5, 10**38),)


@pytest.mark.parametrize("name", ["parquet", "arrow"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_float_means_the_decimal_that_is_printed_for_its_type(dtype, name):
    weights = pa.array(np.array([0.1, 0.25], dtype))
    for column in (weights, weights.dictionary_encode()):
        assert read({"vertex": [1, 2], "hyperedge": [1, 2], "weight": column}, name).weights == (
            Fraction(1, 10),
            Fraction(1, 4),
        )
