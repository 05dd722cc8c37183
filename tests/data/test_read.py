"""Reading a data set: the hypergraphs, the steps, and content that was changed."""

import json

import numpy as np
import pytest

from hyloop.data.columns import columns_of
from hyloop.data.making import make
from hyloop.data.parquet import Writer
from hyloop.data.plan import custom
from hyloop.data.read import ShardFile, hypergraph_of, info, published, read_list, shards, steps_of
from hyloop.data.shard import given_of
from hyloop.errors import FormatError
from hyloop.execute.prepare import program_of

pytest.importorskip("pyarrow")
DIJKSTRA, SCC = program_of("dijkstra"), program_of("scc")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "half.csv").write_text("vertex,hyperedge,weight\na,e,0.5\nb,e,0.5\nb,f,2\nc,f,2\n")
    plan = custom(
        [DIJKSTRA, SCC],
        sizes=[7],
        generators=["uniform"],
        seeds=[3],
        count=4,
        split="test",
        real=[str(tmp_path / "half.csv")],
    )
    make(plan, tmp_path / "data", processes=1)
    return tmp_path / "data"


def test_the_hypergraphs(folder):
    for shard in shards(folder, split="test"):
        program = {"dijkstra": DIJKSTRA, "scc": SCC}[shard.algorithm]
        for example in shard.examples():
            given = given_of(program, shard.part, example["number"])
            assert hypergraph_of(example) == given.hypergraph
        assert len(shard) == 4


def test_units_of_real_ones(folder):
    [shard] = shards(folder, algorithm="dijkstra", split="real")
    example = next(iter(shard.examples()))
    assert (example["unit"], example["weight"].tolist()) == ("0.5", [1, 4])
    assert [str(weight) for weight in hypergraph_of(example).weights] == ["0.5", "2"]


def test_the_last_step_holds_the_outputs(folder):
    [shard] = shards(folder, algorithm="dijkstra", split="test")
    for example in shard.examples():
        *_, last = steps_of(shard.document, example)
        for name in ("distance", "predecessor", "hyperedge"):
            assert np.array_equal(last[name], example[f"output_{name}"])


def test_what_there_is(folder):
    found = info(folder, verify=True)
    assert (found["verified"], found["wrong"], found["published"]) == (True, [], None)
    assert {(each["algorithm"], each["part"], each["examples"]) for each in found["parts"]} == {
        ("dijkstra", "test-7", 4), ("dijkstra", "real-half", 10), ("scc", "test-7", 4), ("scc", "real-half", 1)
    }  # fmt: skip
    assert all(each["bytes"] > 1000 and each["changes"] > 0 for each in found["parts"])


def test_changed_content_is_found(folder):
    path = folder / "dijkstra/test-7-00000.parquet"
    shard = ShardFile.load(path)
    examples = [dict(each) for each in shard.examples()]
    examples[2]["output_distance"] = examples[2]["output_distance"] + 1
    path.write_bytes(b"".join(Writer(columns_of(DIJKSTRA)).pieces(examples, shard.document)))
    assert info(folder)["wrong"] == []
    found = info(folder, verify=True)
    assert (found["verified"], found["wrong"]) == (False, ["dijkstra/test-7-00000.parquet"])


def test_published_hashes_are_told_from_others(folder):
    document = read_list(folder)
    assert published(document) is None
    document["plan"]["name"] = "standard, share 1/100"
    assert published(document) is False


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "is no data set: dataset.json cannot be read"),
        ("{", "is no list of a data set"),
        ("[]", "is no list of a data set in version 1"),
        (
            json.dumps({"format": "hyloop-data", "version": 1, "shards": []}),
            "is no list of a data set: it must contain",
        ),
        ("[" * 100_000, "is no list of a data set"),
    ],
)
def test_what_is_no_data_set(content, told, tmp_path):
    if content is not None:
        (tmp_path / "dataset.json").write_text(content)
    with pytest.raises(FormatError, match=told):
        info(tmp_path)
