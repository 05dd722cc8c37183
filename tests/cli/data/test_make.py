"""`hyloop data make`: what it writes and says, and requests that contradict each other."""

import json

import pytest

import commands

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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["standard", "--size", "5"], "The standard data set is always the same: it takes no --size"),
        (["standard", "levels"], "it takes no other algorithm"),
        (["standard", "--share", "much"], "--share is a number such as 0.01 or 1/100; not 'much'"),
        (["standard", "--share", "0"], "more than 0 and at most 1"),
        (["levels", "--share", "0.5"], "--share is for the standard data set"),
        (["levels"], "Say how many vertices the hypergraphs have"),
        (["level", "--size", "5"], "Did you mean levels?"),
        (["projection", "--size", "5"], "projection has a stream"),
        (["levels", "--size", "5", "--split", "../up"], "The name of a split has letters, digits"),
    ],
)
def test_errors_are_sentences(words, told, tmp_path):
    done = commands.run_text("data", "make", *words, "-o", str(tmp_path / "mine"))
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())
    assert not (tmp_path / "mine").exists()
