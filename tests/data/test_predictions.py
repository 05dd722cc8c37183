"""Files of predictions: written and read back, in several types, and files that are none."""

import numpy as np
import pytest

from hyloop.data.predictions import read_predictions, write_predictions
from hyloop.errors import FormatError, HyloopError

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402 (after the check that it is there)

KEY = {"algorithm": "dijkstra", "part": "test-4", "number": 0}


def test_written_and_read_back(tmp_path):
    rows = [
        {**KEY, "output_distance": np.array([0, -1, 3]), "steps": 4},
        {**KEY, "algorithm": "helly", "output_helly": np.int64(1), "output_witness": [-1, -1, -1]},
    ]
    write_predictions(tmp_path / "one.parquet", rows)
    found = read_predictions(tmp_path)
    assert list(found) == [("dijkstra", "test-4", 0), ("helly", "test-4", 0)]
    first, second = found.values()
    assert (first["output_distance"].tolist(), first["steps"]) == ([0, -1, 3], 4)
    assert (second["output_helly"], second["output_witness"].tolist()) == (1, [-1, -1, -1])
    assert set(second) == {"output_helly", "output_witness"}


@pytest.mark.parametrize("type_", [pa.list_(pa.int8()), pa.large_list(pa.int64()), pa.list_(pa.int32(), 2)])
def test_lists_of_any_integers(type_, tmp_path):
    table = {**{name: [value] * 3 for name, value in KEY.items()}, "number": [0, 1, 2]}
    columns = {name: pa.array(value) for name, value in table.items()}
    columns["output_x"] = pa.array([[0, 1], None, [1, 1]], type_)
    columns["remark"] = pa.array(["other columns", "are passed", "over"])
    parquet.write_table(pa.table(columns).slice(1), tmp_path / "two.parquet")
    found = read_predictions(tmp_path / "two.parquet")
    assert [key[2] for key in found] == [1, 2]
    assert [{name: value.tolist() for name, value in each.items()} for each in found.values()] == [
        {}, {"output_x": [1, 1]}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"output_x": pa.array([[0.5]])}, "the column output_x holds double; predictions are integers"),
        ({"output_x": pa.array([[None, 1]])}, "a list of the column output_x has a null; -1 stands for none"),
        ({"number": pa.array([None], pa.int64())}, "a prediction has no number"),
        ({"number": pa.array([], pa.int64())}, "there are no predictions"),
    ],
)
def test_errors_are_sentences(columns, told, tmp_path):
    table = {name: pa.array([value]) for name, value in KEY.items()} | columns
    length = len(table["number"])
    parquet.write_table(pa.table({name: each[:length] for name, each in table.items()}), tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=told):
        read_predictions(tmp_path / "a.parquet")


def test_two_predictions_for_one_example():
    with pytest.raises(FormatError, match="two predictions for number 0 of test-4 of dijkstra; give one"):
        read_predictions([KEY, KEY])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "Predictions are a file, a folder or a list of rows; given None"),
        (KEY, "Predictions are a file, a folder or a list of rows"),
        ([5], "a prediction is a dictionary by column; given 5"),
        ([{**KEY, 5: 1}], "a prediction is a dictionary by column"),
        ([{**KEY, "part": "\x1b[31m", "steps": -1}], r"number 0 of \\x1b\[31m of dijkstra: steps is -1"),
    ],
)
def test_rows_that_are_none(given, told):
    with pytest.raises(FormatError, match=told):
        read_predictions(given)


def test_other_columns_of_rows_are_passed_over():
    assert read_predictions([{**KEY, "remark": "mine", "output_x": 1}]) == {("dijkstra", "test-4", 0): {"output_x": 1}}


@pytest.mark.parametrize("values", [[object()], [1, "x"], [[1], 2], [[[1], [2, 3]]]])
def test_what_cannot_be_written(values, tmp_path):
    with pytest.raises(HyloopError, match="integers"):
        write_predictions(tmp_path / "a.parquet", [{**KEY, "output_x": value} for value in values])
    with pytest.raises(HyloopError, match="this cannot be written"):
        write_predictions(tmp_path, [KEY])


def test_two_columns_of_one_name_and_names_of_folders(tmp_path):
    column = pa.array([0])
    parquet.write_table(pa.table([column, column], names=["number", "number"]), tmp_path / "a.parquet")
    with pytest.raises(FormatError, match="is no Parquet file that can be read"):
        read_predictions(tmp_path / "a.parquet")
    (tmp_path / "number=3").mkdir()
    table = pa.table({name: pa.array([value]) for name, value in KEY.items()})
    parquet.write_table(table, tmp_path / "number=3/b.parquet")
    assert list(read_predictions(tmp_path / "number=3")) == [("dijkstra", "test-4", 0)]
    (tmp_path / "number=3/c.parquet").mkdir()
    with pytest.raises(FormatError, match=r"c\.parquet is no Parquet file that can be read \(this is a folder\)"):
        read_predictions(tmp_path / "number=3")


def test_files_that_are_none(tmp_path):
    with pytest.raises(FormatError, match="has no Parquet files"):
        read_predictions(tmp_path)
    (tmp_path / "a.parquet").write_text("nothing")
    with pytest.raises(FormatError, match="is no Parquet file that can be read"):
        read_predictions(tmp_path)
    with pytest.raises(FormatError, match="is no Parquet file that can be read"):
        read_predictions(tmp_path / "b.parquet")
