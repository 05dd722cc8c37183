"""What `hyloop new` writes is a program that runs, whatever the file is called."""

import json
import keyword
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hyloop
from hyloop import lang
from hyloop.cli import app
from hyloop.execute import prepare
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


# -- variables after every iteration ----------------------------------------------------------------------------------


HARBOUR = str(Path(__file__).parents[2] / "examples" / "harbour.hif.json")


def watched(names, *options):
    return CliRunner().invoke(app, ["run", "levels", HARBOUR, "--source", "Quay", "--watch", names, *options])


def test_watch_prints_a_row_an_iteration():
    lines = [line.split("│")[1:-1] for line in watched("depth, fresh").stdout.splitlines() if line.startswith("│")]
    assert [line[0].strip() for line in lines[:4]] == ["1", "2", "3", "4"]
    assert [cell.strip() for cell in lines[2]] == ["3", "2", "Light, Dunes"]


def test_watch_in_json():
    document = json.loads(watched("depth,touched", "--json").stdout)
    *rows, last = map(json.loads, watched("depth,touched", "--json-lines").stdout.splitlines())
    assert rows == document["watched"]
    assert [row["values"]["depth"] for row in rows] == [0, 1, 2, 2]
    assert ["ferry", True] in rows[0]["values"]["touched"]
    assert last["iterations"] == len(rows)


def test_watch_and_checkpoints_do_not_go_together(tmp_path):
    found = watched("depth", "--checkpoint", str(tmp_path / "run.ckpt"))
    assert "without checkpoints" in f"{found.output}{found.exception}"


@pytest.mark.parametrize("option", ["--quiet", "--json", "--json-lines"])
def test_what_is_watched_runs_once(option, monkeypatch):
    started = []
    start = prepare.Encoded.start
    monkeypatch.setattr(prepare.Encoded, "start", lambda *given, **more: started.append(1) or start(*given, **more))
    assert watched("depth", option).exit_code == 0
    assert started == [1]


LONG = 2**53 + 1


def _labels_in(document):
    """Every label of a document of bfs, wherever it stands."""
    yield document["inputs"]["source"]
    for row in document["vertices"]:
        yield from (row["vertex"], row["predecessor"], row["hyperedge"])
    yield from (*document["path"]["vertices"], *document["path"]["hyperedges"])
    for row in document["watched"]:
        yield from [label for label, _ in row["values"]["level"]]
        yield row["values"].get("edge")


@pytest.mark.filterwarnings("ignore:.*though they look the same")
def test_a_long_integer_label_is_written_in_one_way_wherever_it_stands(tmp_path):
    file = tmp_path / "g.json"
    incidences = [{"edge": LONG + 2, "node": LONG}, {"edge": LONG + 2, "node": str(LONG)}]
    file.write_text(json.dumps({"incidences": incidences}))
    asked = ["run", "bfs", str(file), "--source", str(LONG), "--path", f'"{LONG}"', "--watch", "edge,level", "--json"]
    document = json.loads(CliRunner().invoke(app, asked).stdout)
    found = {json.dumps(label) for label in _labels_in(document)}
    text, *long = json.dumps(str(LONG)), *(json.dumps({"integer": str(each)}) for each in (LONG, LONG + 2))
    assert found == {"null", text, *long}


def test_a_long_count_is_still_a_text(tmp_path):
    file = tmp_path / "echo.py"
    file.write_text(
        "from hyloop.lang import *\n\n\n@algorithm\ndef echo(h, x: Vertices[Vertex], n: Count):\n"
        "    y, k, done = h.vertices.state(Vertex), h.state(Count, 0), h.state(Flag, False)\n"
        "    with h.loop(at_most=2) as loop:\n        y.assign(x)\n        k.assign(n)\n"
        "        loop.stop_when(done)\n        done.assign(True)\n"
        "    return Outputs(y=y, k=k)\n"
    )
    graph = tmp_path / "g.json"
    graph.write_text(json.dumps({"incidences": [{"edge": 1, "node": LONG}]}))
    asked = ["run", f"{file}", f"{graph}", "-i", f"x={LONG}:{LONG}", "-i", f"n={LONG}", "--json", "--backend"]
    document = json.loads(CliRunner().invoke(app, [*asked, "interpreter"]).stdout)
    label = {"integer": str(LONG)}
    assert document["inputs"] == {"x": [[label, label]], "n": str(LONG)}
    assert (document["vertices"], document["scalars"]) == ([{"vertex": label, "y": label}], {"k": str(LONG)})


NUMBERED = """{"incidences": [{"edge": 0, "node": 0}, {"edge": 0, "node": 1}],
 "nodes": [{"node": 0, "attrs": {"name": "Quay"}}, {"node": 1, "attrs": {"name": "Isle"}}]}"""


def test_where_labels_are_numbers_and_there_are_names_the_option_is_told(tmp_path):
    (tmp_path / "file.hif.json").write_text(NUMBERED, encoding="utf-8")
    words = ["run", "levels", str(tmp_path / "file.hif.json"), "--source"]
    hint = "Labels are numbers here; --label-by name shows names."
    assert hint in CliRunner().invoke(app, [*words, "0"]).stdout
    assert hint not in CliRunner().invoke(app, [*words, "0", "--quiet"]).stdout
    assert hint not in CliRunner().invoke(app, [*words, "Quay", "--label-by", "name"]).stdout
    refused = CliRunner().invoke(app, [*words, "Quay"])
    assert str(refused.exception).endswith("There is one of that name: add --label-by name.")
    assert "--label-by" not in str(CliRunner().invoke(app, [*words, "Wreck"]).exception)


def test_a_model_compiled_for_an_input_is_told(tmp_path):
    """What is proved of the default model is not proved of it."""
    file = tmp_path / "far.csv"
    file.write_text("vertex,hyperedge,weight\na,f,1\nb,f,1\nb,g,1000000000\nc,g,1000000000\n", encoding="utf-8")
    told = "for 3 rows and weights up to 1,000,000,000: hyloop prove dijkstra --rows 3 --weight 1000000000 proves it."
    assert told in shown("run", "dijkstra", str(file), "--source", "a")
    file.write_text("vertex,hyperedge,weight\na,f,1\nb,f,1\n", encoding="utf-8")
    assert "proves it" not in shown("run", "dijkstra", str(file), "--source", "a")
    document = json.loads(shown("run", "dijkstra", str(file), "--source", "a", "--json"))
    assert document["capacity"] == {"rows": 131_071, "weight": 174_756}


def shown(*words):
    return CliRunner().invoke(app, words, catch_exceptions=False).stdout
