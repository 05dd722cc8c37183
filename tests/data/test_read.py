"""Reading a data set: the hypergraphs, the steps, and content that was changed."""

import json
from pathlib import Path

import numpy as np
import pytest

from hyloop.data.columns import HASH, columns_of
from hyloop.data.making import make
from hyloop.data.parquet import Writer
from hyloop.data.plan import custom
from hyloop.data.read import ShardFile, hypergraph_of, info, published, read_list, shards, steps_of
from hyloop.data.shard import given_of
from hyloop.errors import FormatError, HyloopError
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


def test_steps_that_are_kept_stay_what_they_are(folder):
    [shard] = shards(folder, algorithm="dijkstra", split="test")
    for example in shard.examples():
        kept = list(steps_of(shard.document, example))
        for step, now in zip(kept, steps_of(shard.document, example), strict=True):
            assert all(np.array_equal(step[name], array) for name, array in now.items())


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


def test_other_names_of_hints_are_found(folder):
    path = folder / "dijkstra/test-7-00000.parquet"
    shard = ShardFile.load(path)
    told = json.loads(json.dumps(shard.document))
    told["variables"][0]["name"] = "other"
    path.write_bytes(b"".join(Writer(columns_of(DIJKSTRA)).pieces(list(shard.examples()), told)))
    assert info(folder, verify=True)["wrong"] == ["dijkstra/test-7-00000.parquet"]


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(hash="v2:0"),
        lambda told: told["shards"].pop(),
        lambda told: told["plan"].update(name="standard"),
        lambda told: told["plan"].update(limit=7),
        lambda told: told["plan"]["algorithms"][0]["parts"][0].update(count=5),
    ],
)
def test_a_changed_list_is_found(folder, change):
    told = json.loads((folder / "dataset.json").read_text())
    change(told)
    (folder / "dataset.json").write_text(json.dumps(told))
    assert "dataset.json" in info(folder)["wrong"]


def test_a_shard_in_the_place_of_another_is_refused(folder):
    (folder / "dijkstra/test-7-00000.parquet").write_bytes((folder / "scc/test-7-00000.parquet").read_bytes())
    with pytest.raises(FormatError, match=r"dijkstra/test-7-00000\.parquet is not the shard that dataset\.json lists"):
        shards(folder)
    assert info(folder)["wrong"] == ["dijkstra/test-7-00000.parquet"]


def test_steps_without_hints_or_of_other_metadata(folder):
    [dijkstra], [scc] = (shards(folder, algorithm=name, split="test") for name in ("dijkstra", "scc"))
    example = next(iter(scc.examples()))
    with pytest.raises(HyloopError, match="loaded without hints"):
        steps_of(scc.document, {name: value for name, value in example.items() if not name.startswith("hint_")})
    few = dijkstra.document | {"variables": dijkstra.document["variables"][:1]}
    with pytest.raises(HyloopError, match="These hints do not fit the metadata"):
        steps_of(few, example)


def test_published_hashes_are_told_from_others(folder):
    document = read_list(folder)
    assert published(document) is None
    document["plan"]["name"] = "standard, share 1/100"
    assert published(document) is False


def test_the_docs_have_the_published_hash():
    root = Path(__file__).parents[2]
    for told in json.loads((root / "src/hyloop/data/published.json").read_text()).values():
        assert told.startswith(f"v{HASH}:")
        assert f"`{told}`" in (root / "docs/data.md").read_text()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "is no data set: dataset.json cannot be read"),
        ("{", "is no list of a data set"),
        ("[]", "is no list of a data set in version 2"),
        (
            json.dumps({"format": "hyloop-data", "version": 2, "shards": []}),
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
