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
from hyloop.lang.text import to_text

pytest.importorskip("pyarrow")
PROGRAM = program_of("scc")


def made(count):
    part = Part("p", "s", (4, 9), ("uniform",), 1, count)
    return [found for _, found in examples_of(Shard(to_text(PROGRAM), "scc", part, 0, count, "", 100))]


def written(examples, document=None):
    part = Part("p", "s", (4, 9), ("uniform",), 1, len(examples))
    whole = metadata_of(Shard(to_text(PROGRAM), "scc", part, 0, len(examples), "", 100))
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
    assert read_document(tmp_path / "a.parquet")["version"] == 1


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
    ],
)
def test_other_files_are_refused(content, told, tmp_path):
    (tmp_path / "a.parquet").write_bytes(content())
    with pytest.raises(FormatError, match=told):
        read_document(tmp_path / "a.parquet")


def test_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(HyloopError, match=r"need pyarrow: pip install 'hyloop\[data\]'"):
        Writer(columns_of(PROGRAM))


def test_metadata_are_json(tmp_path):
    import pyarrow.parquet as pq

    (tmp_path / "a.parquet").write_bytes(written(made(1), {"format": "hyloop-data", "version": 1, "name": "ü"}))
    assert json.loads(pq.read_metadata(tmp_path / "a.parquet").metadata[b"hyloop"])["name"] == "ü"
