"""Columns that are read as dictionaries, as they are, or not at all, by the encodings of their pages."""

from __future__ import annotations

import pytest

from hyloop.errors import FormatError
from hyloop.io.parquet_texts import texts_with_dictionaries
from hyloop.io.table_sizes import ParquetColumn, ParquetContents, TableSize

pa = pytest.importorskip("pyarrow")
PLAIN, CODES, LENGTHS, PREFIXES = 0, 8, 6, 7


def texts(type_, *encodings, read=("a",)):
    schema = pa.schema([("before", pa.struct([("x", pa.int8()), ("y", pa.string())])), ("a", type_)])
    columns = (ParquetColumn(), ParquetColumn(True, frozenset({PREFIXES})), ParquetColumn(True, frozenset(encodings)))
    return texts_with_dictionaries(schema, ParquetContents(TableSize(), columns), read.__contains__)


def test_which_are_dictionaries():
    assert texts(pa.string(), PLAIN, CODES) == ["a"]
    assert texts(pa.dictionary(pa.int32(), pa.large_string()), CODES) == ["a"]
    assert texts(pa.string(), PLAIN, LENGTHS) == []
    assert texts(pa.decimal128(9, 2), PLAIN, LENGTHS) == []
    assert texts(pa.binary(), PREFIXES) == []  # no reader reads them
    assert texts(pa.string(), PREFIXES, read=()) == ["a"]


@pytest.mark.parametrize(
    ("type_", "encodings", "message"),
    [
        (pa.string(), {PREFIXES}, "DELTA_BYTE_ARRAY, which does not tell how long its values are"),
        (pa.decimal128(9, 2), {PREFIXES}, "DELTA_BYTE_ARRAY, which does not tell how long its values are"),
        (pa.string(), {CODES, LENGTHS}, "RLE_DICTIONARY, beside DELTA_LENGTH_BYTE_ARRAY"),
        (pa.decimal128(9, 2), {2}, "PLAIN_DICTIONARY, but holds bytes of any length, no strings"),
        (pa.string(), {4}, "number 4, which is not read"),
    ],
)
def test_what_nothing_bounds(type_, encodings, message):
    with pytest.raises(FormatError, match=f"the column a .*{message}; write the file again with the default encodings"):
        texts(type_, *encodings)
