"""`hyloop data make`: what it writes and says, and requests that contradict each other."""

import json

import pytest

import commands
from forging import forge

pytest.importorskip("pyarrow")


def test_a_data_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["data", "make", "levels", "--size", "5", "--count", "6", "--processes", "1", "-o", "mine"]
    done = commands.run_text(*words, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["examples"], told["left_out"]) == (6, 0)
    again = commands.run_text(*words)
    assert again.stdout == f"Wrote mine: 6 examples in 1 file.\nhash {told['hash']}\n"
    shown = commands.run_text("data", "info", "mine", "--verify")
    assert shown.returncode == 0
    assert f"hash {told['hash']}: none was published for it; computed anew from the content" in shown.stdout


def test_a_hash_that_was_only_read_is_called_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["data", "make", "levels", "--size", "5", "--count", "2", "--processes", "1", "-o", "mine"]
    assert commands.run_text(*words).returncode == 0
    forge(tmp_path / "mine/levels/train-5-00000.parquet")
    shown = commands.run_text("data", "info", "mine", "--quiet")
    assert ": none was published for it, as dataset.json says it; --verify computes it from" in shown.stdout
    shown = commands.run_text("data", "info", "mine", "--quiet", "--verify")
    assert shown.returncode == 1
    assert ": not that of the content\n" in shown.stdout
    assert "levels/train-5-00000.parquet: its content is not what its hash says." in shown.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["standard", "--size", "5"], "The standard data set is always the same: it takes no --size"),
        (["standard", "levels"], "it takes no other algorithm"),
        (["standard", "--share", "much"], "--share is a number such as 0.01 or 1/100; not 'much'"),
        (["standard", "--share", "0"], "more than 0 and at most 1"),
        (["standard", "--share", "1e-999999999"], "--share is a number such as 0.01 or 1/100"),
        (["standard", "--share", "1/0"], "--share is a number such as 0.01 or 1/100"),
        (["standard", "--share", ""], "--share is a number such as 0.01 or 1/100"),
        (["levels", "--size", "0"], "The number of vertices is an integer from 1 to 1,000,000; given 0"),
        (["levels", "--size", "5", "--seed", str(2**63)], "A seed is an integer from 0 to"),
        (["levels", "--size", "5", "--count", str(10**30)], "The number of examples is an integer from 1 to"),
        (["levels", "--share", "0.5"], "--share is for the standard data set"),
        (["levels"], "Say how many vertices the hypergraphs have"),
        (["level", "--size", "5"], "Did you mean levels?"),
        (["projection", "--size", "5"], "projection has a stream"),
        (["levels", "--size", "5", "--split", "../up"], "The name of a split has letters, digits"),
        (["levels", "--size", "5", "--split", ""], "The name of a split has letters, digits"),
        (["standard", "--split", ""], "it takes no --split"),
    ],
)
def test_errors_are_sentences(words, told, tmp_path):
    done = commands.run_text("data", "make", *words, "-o", str(tmp_path / "mine"))
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())
    assert not (tmp_path / "mine").exists()


def test_a_damaged_shard_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert commands.run_text("data", "make", "levels", "--size", "5", "--count", "2", "-o", "mine").returncode == 0
    path = tmp_path / "mine/levels/train-5-00000.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(200) + whole[204:])
    done = commands.run_text("data", "info", "mine", "--verify")
    assert done.returncode == 2
    assert "train-5-00000.parquet cannot be read as a shard of a data set: it is damaged" in " ".join(
        done.stderr.split()
    )
