"""Files of predictions: written and read back, in several types, and files that are none."""

import shutil

import numpy as np
import pytest

from hyloop import data
from hyloop.data import parquet as files
from hyloop.data.predictions import read_predictions, write_predictions
from hyloop.errors import FormatError, HyloopError
from hyloop.io.budgets import Budgets

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
    rows = [{**KEY, "number": number, "output_x": value} for number, value in enumerate(values)]
    with pytest.raises(HyloopError, match="integers"):
        write_predictions(tmp_path / "a.parquet", rows)
    assert not (tmp_path / "a.parquet").exists()
    with pytest.raises(HyloopError, match="this cannot be written"):
        write_predictions(tmp_path, [{**KEY, "output_x": 1}])


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], "there are no predictions"),
        ("told.parquet", "Predictions are written as a list of rows; given 'told.parquet'"),
        ([{"output_x": 1}], "a prediction has no algorithm; it needs algorithm, part and number"),
        ([{**KEY, "part": ["test-4"], "output_x": 1}], r"the part of an example is a name; given \['test-4'\]"),
        ([{**KEY, "number": 1.0, "output_x": 1}], "the number of an example is an integer, not 1.0"),
        ([{**KEY, "output_x": 1}] * 2, "two predictions for number 0 of test-4 of dijkstra; give one"),
        ([KEY], "number 0 of test-4 of dijkstra has no outputs; it needs output_NAME of at least one"),
        ([{**KEY, "output_x": 1}, {**KEY, "number": 1, "output_y": 1}], "has no output_y, which others of that part"),
        ([{**KEY, "output_x": [0.5]}], r"output_x holds float64, but predictions are integers: take .argmax\(dim=-1\)"),
        ([{**KEY, "output_x": np.zeros((1, 4), int)}], r"output_x has the shape \(1, 4\); each example has a row"),
        ([{**KEY, "output_x": [1], "data_hash": "mine"}], "data_hash is the hash of a data set, .* not 'mine'"),
    ],
)
def test_what_score_would_refuse_is_not_written(rows, told, tmp_path):
    with pytest.raises(HyloopError, match=told):
        write_predictions(tmp_path / "a.parquet", rows)
    assert not (tmp_path / "a.parquet").exists()


def test_a_series_with_an_index_of_its_own_is_in_no_order(tmp_path):
    pd = pytest.importorskip("pandas")
    write_predictions(tmp_path / "a.parquet", [{**KEY, "output_x": pd.Series([1, 2])}])
    with pytest.raises(FormatError, match="output_x is in order, and this Series has an index of its own"):
        write_predictions(tmp_path / "a.parquet", [{**KEY, "output_x": pd.Series([1, 2], [1, 0])}])


def test_the_hash_of_the_data_set_is_stored(small, tmp_path):
    known = data.info(small)["hash"]
    rows = [{**KEY, "output_x": [1], "remark": "mine"}]
    for given in (small, str(small), known):
        write_predictions(tmp_path / "a.parquet", rows, given)
        assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == [{**rows[0], "data_hash": known}]
    write_predictions(tmp_path / "a.parquet", rows)
    assert "data_hash" not in parquet.read_table(tmp_path / "a.parquet").column_names
    with pytest.raises(HyloopError, match="nowhere is no data set"):
        write_predictions(tmp_path / "a.parquet", rows, "nowhere")
    with pytest.raises(HyloopError, match=r"is for the data set with the hash v2:0{64}; .* is another"):
        write_predictions(tmp_path / "a.parquet", [{**rows[0], "data_hash": f"v2:{'0' * 64}"}], small)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"part": "test-9"}, "no part test-9 of dijkstra, which has predictions; of dijkstra it has test-4, test-7.$"),
        ({"algorithm": "bfs"}, "has no bfs, which has predictions; it has dijkstra, s_distance, scc, helly.$"),
    ],
)
def test_parts_that_the_data_set_does_not_have(change, told, small, tmp_path):
    with pytest.raises(HyloopError, match=told):
        write_predictions(tmp_path / "a.parquet", [{**KEY, **change, "output_x": 1}], small)


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
    with pytest.raises(FormatError, match=r"b\.parquet: there is no such file"):
        read_predictions(tmp_path / "b.parquet")


def bomb(tmp_path, columns, **options):
    whole = {**{name: pa.array([value]) for name, value in KEY.items()}, **columns}
    parquet.write_table(pa.table(whole), tmp_path / "bomb.parquet", compression="zstd", **options)
    return tmp_path / "bomb.parquet"


def test_a_long_list_in_few_bytes_is_not_unpacked(tmp_path, monkeypatch):
    count = 200_000
    zeros = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.array(np.zeros(count, np.int8)))
    path = bomb(tmp_path, {"output_x": zeros})
    monkeypatch.delattr(parquet.ParquetFile, "read")
    monkeypatch.setattr(files, "SHARDS", Budgets(free_values=1000))  # so that a small bomb is one
    with pytest.raises(FormatError, match=r"bomb.parquet: this table of .* unpacks to 200,00. values"):
        read_predictions(path)


def test_many_rows_in_few_bytes_are_not_read(tmp_path):
    rows = 200_000
    names = {name: pa.array([KEY[name]]).take(pa.array(np.zeros(rows, np.int8))) for name in ("algorithm", "part")}
    path = bomb(tmp_path, {**names, "number": pa.array(np.zeros(rows, np.int64))})
    with pytest.raises(FormatError, match=r"200,000 rows are in [0-9,]+ bytes, and at most 131,072 are read"):
        read_predictions(path)


def test_a_long_text_of_many_rows_is_there_once(tmp_path):
    rows, long = 1_000, "x" * 10_000
    parts = pa.array([long]).take(pa.array(np.zeros(rows, np.int8)))
    columns = {
        "algorithm": parts,
        "part": parts,
        "number": pa.array(np.arange(rows)),
        "output_x": np.zeros(rows, np.int8),
    }
    found = read_predictions(bomb(tmp_path, columns))
    assert len(found) == rows
    assert len({id(key[0]) for key in found}) == 1


@pytest.mark.parametrize("name", ["algorithm", "part", "data_hash"])
def test_texts_whose_length_is_not_known_are_not_decoded(tmp_path, name):
    path = bomb(
        tmp_path, {name: pa.array(["x" * 1000])}, use_dictionary=False, column_encoding={name: "DELTA_BYTE_ARRAY"}
    )
    with pytest.raises(FormatError, match=f"bomb.parquet: the column {name} is encoded as DELTA_BYTE_ARRAY, .* again"):
        read_predictions(path)


@pytest.mark.parametrize(("name", "value"), [("algorithm", 5), ("part", b"p"), ("data_hash", [1])])
def test_names_are_texts(tmp_path, name, value):
    with pytest.raises(FormatError, match=f"the column {name} holds .*; it is for texts"):
        read_predictions(bomb(tmp_path, {name: pa.array([value])}))


def test_files_of_a_data_set_are_not_replaced(small, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(small, copy)
    link, rows = tmp_path / "link.parquet", [{**KEY, "output_distance": [0]}]
    shard = next(copy.glob("dijkstra/*.parquet"))
    link.symlink_to(shard)
    for path in (copy / "dataset.json", shard, link):
        before = path.read_bytes()
        with pytest.raises(HyloopError, match="is a file of a data set, and is not replaced; write predictions into"):
            write_predictions(path, rows)
        assert path.read_bytes() == before
    for _ in range(2):
        write_predictions(copy / "mine.parquet", rows)
