"""`hyloop data score`: what it shows, its JSON, and the reference."""

import json

import pytest

import commands
from forging import forge
from hyloop import data

pytest.importorskip("pyarrow")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data.make(data.custom(["levels"], sizes=[5], generators=["uniform"], seeds=[1], count=4, split="test"), "mine")
    told = [{**each.key, "output_level": each.outputs["level"].copy()} for each in data.load("mine", "levels")]
    told[0]["output_level"][0] += 1
    data.write_predictions("told.parquet", told[:3])
    return told


def test_a_score(here):
    done = commands.run_text("data", "score", "told.parquet", "mine")
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if "levels" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")] == ["levels", "test-5", "4", "70 %", "50 %", "100 %"]
    assert told_of_the_reference(done).startswith("as dataset.json says it (--verify checks); 100 % of the graphs")
    checked = commands.run_text("data", "score", "told.parquet", "mine", "--verify")
    assert told_of_the_reference(checked).startswith("its hashes were computed anew; 100 % of the graphs")
    assert "1 example of test-5 of levels: no prediction, wrong." in done.stdout
    assert "The predictions carry no hash of a data set" in done.stdout
    data.write_predictions("told.parquet", here, "mine")
    assert "carry no hash" not in commands.run_text("data", "score", "told.parquet", "mine").stdout


def told_of_the_reference(done):
    return " ".join(done.stdout.split()).split("the compiled transformer that made the data set, ")[1]


def test_a_data_set_that_was_changed_is_not_scored_where_that_is_checked(here):
    [shard] = data.shards("mine")
    forge(shard.path)
    assert not data.score("told.parquet", "mine")["verified"]
    done = commands.run_text("data", "score", "told.parquet", "mine", "--verify")
    assert done.returncode == 2
    assert "its content is not what its hash says. Make the data set anew." in " ".join(done.stderr.split())
    assert "Reference" not in done.stdout


def test_the_same_as_json(here):
    done = commands.run_text("data", "score", "told.parquet", "mine", "--json", "--each")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == data.score("told.parquet", "mine", each=True)


def test_answers_of_the_data_set_that_are_wrong(here, monkeypatch):
    """Whoever changed the data set is told, with status 1."""
    from hyloop.data.columns import columns_of
    from hyloop.data.parquet import Writer
    from hyloop.execute.prepare import program_of

    [shard] = data.shards("mine")
    examples = [dict(each) for each in shard.examples()]
    examples[2]["output_level"] = examples[2]["output_level"] + 1
    shard.path.write_bytes(b"".join(Writer(columns_of(program_of("levels"))).pieces(examples, shard.document)))
    done = commands.run_text("data", "score", "told.parquet", "mine")
    assert done.returncode == 1
    assert "The answers of the data set itself are wrong in test-5 of levels" in " ".join(done.stdout.split())


def test_a_hint_is_named_but_none_is_predicted(here):
    done = commands.run_text("data", "score", "told.parquet", "mine", "--hint", "fresh")
    assert done.returncode == 0
    assert "No steps of fresh are compared" in " ".join(done.stderr.split())


def test_no_predictions(here):
    done = commands.run_text("data", "score", "nothing.parquet", "mine")
    assert done.returncode == 2
    assert "nothing.parquet: there is no such file." in " ".join(done.stderr.split())
