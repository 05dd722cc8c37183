"""Data sets from elsewhere: what does not fit together is refused with a sentence, before anything is made of it."""

import contextlib
import json
import os
import random
import shutil

import numpy as np
import pytest

from hyloop.data import custom, info, load, make, score
from hyloop.errors import FormatError, HyloopError

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "set"
    make(custom(["levels"], sizes=[4], count=3), folder, processes=1)
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "set")


def rewrite(folder, change):
    [path] = folder.rglob("*.parquet")
    table, metadata = pq.read_table(path), pq.read_metadata(path).metadata[b"hyloop"]
    document = json.loads(metadata)
    table = change(table, document) or table
    with pq.ParquetWriter(path, table.schema.remove_metadata()) as writer:
        writer.write_table(table.replace_schema_metadata(None))
        writer.add_key_value_metadata({"hyloop": json.dumps(document)})


def column(name, value, kind=None):
    def change(table, _):
        at = table.schema.get_field_index(name)
        field = table.schema.field(at) if kind is None else pa.field(name, kind)
        return table.set_column(at, field, pa.array([value] * len(table), field.type))

    return change


def used(folder):
    """All that reads examples."""
    info(folder, verify=True)
    list(load(folder, "levels"))
    score([{"algorithm": "levels", "part": "train-4", "number": 0, "output_level": [0] * 4}], folder)


def test_what_is_whole_is_read(folder):
    rewrite(folder, lambda *_: None)
    assert len(load(folder, "levels")) == 3


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("vertices", 2**31 - 1, "there are 2147483647 vertices"),
        ("vertices", -1, "there are -1 vertices"),
        ("hyperedges", 2**31 - 1, "hyperedges"),
        ("hyperedges", 0, "`member_at` does not say"),
        ("member_at", [0], "`member_at` does not say"),
        ("member_at", [0, -5, 100, 3], "`member_at` does not say"),
        ("member", [99] * 7, "does not"),
        ("direction", [5], "`direction` is not"),
        ("weight", [-1] * 4, "`weight` is not"),
        ("unit", "x", "`unit` is no positive number"),
        ("unit", "1/0", "`unit` is no positive number"),
        ("unit", "1e999999", "`unit` is no positive number"),
        ("input_source", 99, "input_source is out of range"),
        ("input_source", -1, "input_source is out of range"),
        ("output_level", [7], "output_level has 1 entries"),
        ("steps", 2**31 - 1, "there are 2147483647 steps"),
        ("steps", 2**22 + 3, "there are 4194307 steps"),  # more than the shard's own limit: a bit of 3 is another
        ("steps", -3, "there are -3 steps"),
        ("steps", None, "steps is missing"),
        ("hint_step", [], "not equally long"),
    ],
)
def test_an_example_that_does_not_fit(folder, name, value, told):
    rewrite(folder, column(name, value))
    with pytest.raises(FormatError, match=told):
        list(load(folder, "levels", hints=True))
    with pytest.raises(HyloopError):
        used(folder)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda table, _: table.drop_columns(["member"]), "has no column member"),
        (column("member", [0.5], pa.list_(pa.float64())), "the column member of this shard is list"),
        (lambda _, document: document.pop("variables") and None, "must contain"),
        (lambda _, document: document["outputs"][0].update(kind="zzz"), "the metadata of this shard are not whole"),
        (lambda _, document: document.update(examples=-1), "the metadata of this shard are not whole"),
        (lambda _, document: document["inputs"].append(document["inputs"][0] | {"column": "input_x"}), "contradict"),
        (lambda _, document: document["inputs"].clear(), "contradict its program: the file is damaged"),
        (lambda _, document: document["algorithm"].update(name="bfs"), "contradict its program"),
        (lambda _, document: document["algorithm"].update(program="x"), "the program of this shard cannot be read"),
        (
            lambda table, _: table.append_column("more", table["number"]),
            "are not those of its metadata, in their order",
        ),
        (lambda table, _: table.select(table.column_names[::-1]), "are not those of its metadata, in their order"),
        (lambda table, _: table.slice(1), "this shard has 2 examples; its metadata say 3"),
        (lambda _, document: document["part"].update(seed=8), "is not the shard that dataset.json lists"),
        (lambda _, document: document.update(hyloop="9.9"), "is not the shard that dataset.json lists"),
    ],
)
def test_a_shard_that_is_not_whole(folder, change, told):
    rewrite(folder, change)
    with pytest.raises(FormatError, match=told):
        list(load(folder, "levels"))


def test_damaged_shards_are_refused_or_told(folder):
    """Any byte changed, and any end cut off: one sentence about that file, and no changed content that is verified."""
    [path] = folder.rglob("*.parquet")
    whole, before, chosen = path.read_bytes(), seen(folder), random.Random(19)
    places = [chosen.randrange(len(whole)) for _ in range(80)]
    flipped = [whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in places[:60]]
    for content in (*flipped, *(whole[:at] for at in places[60:])):
        path.write_bytes(content)
        with contextlib.suppress(FormatError):
            score([{"algorithm": "levels", "part": "train-4", "number": 0, "output_level": [0] * 4}], folder)
        try:
            sound = info(folder, verify=True)["verified"]
            after = seen(folder)
        except FormatError as wrong:
            assert str(path) in str(wrong)  # noqa: PT017 (or nothing is raised)
        else:
            assert not sound or after == before


def seen(folder):
    """All that a reader can see."""
    return [
        (each.document, {name: np.asarray(value).tolist() for name, value in each.example.items()})
        for each in load(folder, "levels")
    ]


@pytest.mark.parametrize("path", ["/etc/passwd", "../set/x.parquet", "a\\..\\b"])
def test_a_list_that_points_out_of_its_folder(folder, path):
    document = json.loads((folder / "dataset.json").read_text())
    document["shards"][0]["path"] = path
    (folder / "dataset.json").write_text(json.dumps(document))
    with pytest.raises(FormatError, match="is not inside the folder"):
        used(folder)


def test_a_shard_of_another_data_set_is_not_taken(folder, tmp_path):
    other = tmp_path / "other"
    make(custom(["levels"], sizes=[4], count=3, seeds=[7]), other, processes=1)
    [ours], [theirs] = folder.rglob("*.parquet"), other.rglob("*.parquet")
    ours.write_bytes(theirs.read_bytes())
    with pytest.raises(HyloopError, match="is a shard of another data set: delete it"):
        make(custom(["levels"], sizes=[4], count=3), folder, processes=1)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"number": 0.5}, "the number of an example is an integer, not 0.5"),
        ({"number": "0"}, "the number of an example is an integer"),
        ({"number": True}, "the number of an example is an integer"),
        ({"output_level": [0.4, 1, 2, 3]}, "output_level holds float64, but predictions are integers"),
        ({"output_level": np.array([2**64 - 1] * 4, np.uint64)}, "output_level is not an integer below"),
        ({"output_level": np.ma.masked_array([0, 1, 2, 3], [1, 0, 0, 0])}, "output_level is not an integer below"),
        ({"output_level": [[0], [1, 2]]}, "output_level is not an integer below"),
        ({"steps": []}, "steps is one number"),
        ({"steps": -1000}, "steps is -1000"),
        ({"hint_step": 3}, "hint_step is a list of numbers"),
    ],
)
def test_predictions_that_are_no_integers(folder, changed, told):
    row = {"algorithm": "levels", "part": "train-4", "number": 0, "output_level": [0] * 4}
    with pytest.raises(FormatError, match=told):
        score([row | changed], folder)


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_file_is_not_waited_for(folder, kind):
    [shard] = folder.rglob("*.parquet")
    for path in (shard, folder / "dataset.json"):
        path.unlink()
        os.mkfifo(path) if kind == "pipe" else path.mkdir()
        for what in (used, lambda folder: make(custom(["levels"], sizes=[4], count=3), folder, processes=1)):
            with pytest.raises(HyloopError, match=f"this is a {kind}"):
                what(folder)
        path.rmdir() if kind == "folder" else path.unlink()
        if path == shard:
            shard.write_bytes(b"")


@pytest.mark.parametrize("given", [None, 5, ["a"]])
def test_a_folder_is_given_by_its_name(given):
    for what in (
        info,
        lambda folder: load(folder, "levels"),
        lambda folder: make(custom(["levels"], sizes=[4]), folder),
    ):
        with pytest.raises(HyloopError, match="The folder of a data set is given by its name"):
            what(given)


@pytest.mark.parametrize("content", ["{", "[" * 100_000, "[]"])
def test_a_folder_whose_list_is_damaged(folder, content):
    (folder / "dataset.json").write_text(content)
    with pytest.raises(HyloopError, match="choose another folder"):
        make(custom(["levels"], sizes=[4], count=3), folder, processes=1)
