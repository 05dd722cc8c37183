"""What `hyloop new` writes is a program that runs, whatever the file is called."""

import keyword

import pytest
from typer.testing import CliRunner

import hyloop
from hyloop import lang
from hyloop.cli import app
from hyloop.lang.tracing import load

LINE = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])


@pytest.mark.parametrize("name", ["mine", "größe", "class", "any", "Vertex", "two words", "9"])
def test_the_template_runs(name, tmp_path):
    file = tmp_path / f"{name}.py"
    assert CliRunner().invoke(app, ["new", str(file)]).exit_code == 0
    [written] = load(file)
    free = name.isidentifier() and not keyword.iskeyword(name) and name not in lang.__all__
    assert written.name == (name if free else "my_algorithm")
    assert hyloop.run(written, LINE, source="a")["steps"] == {"a": 0, "b": 1, "c": 2}


def test_a_number_that_will_not_do_is_shown_as_it_was_given(tmp_path):
    (tmp_path / "file.txt").write_text("a b\n", encoding="utf-8")
    example = str(counting(tmp_path))
    found = CliRunner().invoke(
        app, ["run", example, str(tmp_path / "file.txt"), "--format", "edge-list", "-i", "k=1.5"]
    )
    assert "not 1.5." in f"{found.output}{found.exception}"


def test_where_a_run_resumes_is_told_once_it_has(tmp_path):
    (tmp_path / "file.txt").write_text("a b\nb c\n", encoding="utf-8")
    words = ["run", "levels", str(tmp_path / "file.txt"), "--source"]
    assert CliRunner().invoke(app, [*words, "a", "--checkpoint", str(tmp_path / "kept")]).exit_code == 0
    resumed = CliRunner().invoke(app, [*words, "a", "--resume", str(tmp_path / "kept")])
    assert resumed.stderr.count("Resuming: from iteration") == 1
    refused = CliRunner().invoke(app, [*words, "b", "--resume", str(tmp_path / "kept")])
    assert "of another input" in str(refused.exception)
    assert refused.stderr == ""


def counting(folder):
    file = folder / "counting.py"
    file.write_text(
        "from hyloop.lang import *\n\n@algorithm\ndef counting(h, k: Count):\n    x = h.state(Count, 0)\n"
        "    with h.loop(at_most=1) as loop:\n        x.assign(k)\n        loop.stop_when(True)\n"
        "    return Outputs(x=x)\n",
        encoding="utf-8",
    )
    return file
