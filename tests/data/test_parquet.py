"""Shards as files: what is written is read, and other files are refused."""

import io
import json
import sys

import numpy as np
import pytest

from hyloop.data import parquet
from hyloop.data.columns import columns_of
from hyloop.data.parquet import Writer, read_document, read_examples
from hyloop.data.plan import Part, Shard
from hyloop.data.shard import examples_of, metadata_of
from hyloop.errors import FormatError, HyloopError
from hyloop.execute.prepare import program_of
from hyloop.io.budgets import Budgets
from hyloop.lang.text import to_text

pa = pytest.importorskip("pyarrow.parquet") and pytest.importorskip("pyarrow")
PROGRAM = program_of("scc")


def made(count):
    part = Part("p", "s", (4, 9), ("uniform",), 1, count)
    return [found for _, found in examples_of(Shard(to_text(PROGRAM), "scc", part, 0, count, "", 100))]


def written(examples, document=None):
    part = Part("p", "s", (4, 9), ("uniform",), 1, len(examples))
    whole = metadata_of(Shard(to_text(PROGRAM), "scc", part, 0, len(examples), "", 100))
    whole |= {"examples": len(examples)}
    return b"".join(Writer(columns_of(PROGRAM)).pieces(examples, document or whole))


@pytest.mark.parametrize("entries", [1, 300, 10**6])
def test_what_is_written_is_read(entries, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ENTRIES", entries)  # of a row group
    before = made(5)
    (tmp_path / "a.parquet").write_bytes(written(before))
    after = list(read_examples(tmp_path / "a.parquet"))
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        assert old.keys() == new.keys()
        assert all(np.array_equal(old[name], new[name]) for name in old)


def test_the_same_examples_are_the_same_bytes():
    assert written(made(3)) == written(made(3))


def test_some_columns_are_read(tmp_path):
    (tmp_path / "a.parquet").write_bytes(written(made(2)))
    assert [list(each) for each in read_examples(tmp_path / "a.parquet", ["steps"])] == [["steps"]] * 2


def test_no_example_is_a_file_too(tmp_path):
    (tmp_path / "a.parquet").write_bytes(written([]))
    assert list(read_examples(tmp_path / "a.parquet")) == []
    assert read_document(tmp_path / "a.parquet")["version"] == 2


def another_table():
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.table({"a": [1]}), stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (lambda: b"", "is no shard of a data set that hyloop made"),
        (lambda: b"PAR1 nothing PAR1", "is no shard of a data set that hyloop made"),
        (another_table, "is no shard of a data set that hyloop made"),
        (lambda: written([], {"format": "other"}), "its metadata do not say so"),
        (
            lambda: written([], {"format": "hyloop-data", "version": 7}),
            "has version 7 of the format; this hyloop reads",
        ),
        (lambda: written(made(1))[:-20], "is no shard of a data set that hyloop made"),
        (
            lambda: written([], {"format": "hyloop-data", "version": 1}),
            "has version 1 of the format; this hyloop reads",
        ),
    ],
)
def test_other_files_are_refused(content, told, tmp_path):
    (tmp_path / "a.parquet").write_bytes(content())
    with pytest.raises(FormatError, match=told):
        read_document(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (pa.ArrowInvalid("bad page."), r"a\.parquet is damaged \(bad page\)"),
        (OSError("ZSTD decompression failed"), r"is damaged \(ZSTD decompression failed\)"),
        (PermissionError(13, "Permission denied", "x"), r"is damaged \(Permission denied\)"),
        (pa.ArrowNotImplementedError("128 bits"), r"\(128 bits\)"),
        (pa.ArrowException("no class of Python's"), "no class of Python's"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), "codec can't decode"),
        (MemoryError(), r"\(it takes more memory than there is\)"),
        (pa.ArrowKeyError("twice"), "twice"),
        (OverflowError("too large"), "too large"),
        (TypeError(), r"\(TypeError\)"),
    ],
)
def test_whatever_is_raised_is_one_sentence(error, told, tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"")
    with pytest.raises(FormatError, match=told), parquet.reading(tmp_path / "a.parquet", "is damaged"):
        raise error


def test_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(HyloopError, match=r"need pyarrow: pip install 'hyloop\[data\]'"):
        Writer(columns_of(PROGRAM))


def test_metadata_are_json(tmp_path):
    import pyarrow.parquet as pq

    (tmp_path / "a.parquet").write_bytes(written(made(1), {"format": "hyloop-data", "version": 1, "name": "ü"}))
    assert json.loads(pq.read_metadata(tmp_path / "a.parquet").metadata[b"hyloop"])["name"] == "ü"


def test_a_shard_that_unpacks_to_gigabytes_is_not_read(tmp_path, monkeypatch):
    first, *_ = made(1)
    columns = ("hint_step", "hint_variable", "hint_index", "hint_value")
    (tmp_path / "a.parquet").write_bytes(written([first | {name: np.zeros(50_000, np.int8) for name in columns}]))
    monkeypatch.setattr(parquet, "SHARDS", Budgets(free_values=1000))  # so that a small bomb is one
    monkeypatch.delattr(pa.parquet.ParquetFile, "read_row_group")
    with pytest.raises(FormatError, match=r"a.parquet: this table of .* unpacks to 200,... values, and at most"):
        list(read_examples(tmp_path / "a.parquet"))
