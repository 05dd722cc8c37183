"""`hyloop trace`: pages and documents, what is recorded, and what is refused before anything runs."""

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import commands
import hyloop
from hyloop import Trace
from hyloop.cli.trace import _tell
from hyloop.machine.files import write_model
from hyloop.machine.layer import Mlp

HARBOUR = str(Path(__file__).parents[2] / "examples" / "harbour.hif.json")


def hyloop_(*words, ok=0):
    done = commands.run_text(*map(str, words))
    assert done.returncode == ok, done.stderr
    assert "Traceback" not in done.stderr
    return done


def trace(*words, ok=0):
    return hyloop_("trace", "dijkstra", HARBOUR, "--source", "Quay", *words, ok=ok)


@pytest.mark.parametrize("name", ["run.html", "run.json", "run.json.gz"])
def test_what_is_written_can_be_read(tmp_path, name):
    said = trace("-o", tmp_path / name).stdout
    assert said.startswith(f"Wrote {tmp_path / name}: 8 iterations of dijkstra, 25 frames (every layer), ")
    assert ("Open it in a browser." in said) == name.endswith(".html")
    found = Trace.load(tmp_path / name)
    assert said.splitlines()[-1] == f"Run hash: {found.run_hash}"
    assert found.agrees
    assert found.at(8)["distance"]["Isle"] == 3.5
    assert found.document["hypergraph"]["name"] == "harbour.hif.json"


def test_to_standard_output_goes_the_document_alone(tmp_path):
    (tmp_path / "run.json").write_text(trace("-o", "-").stdout, encoding="utf-8")
    assert Trace.load(tmp_path / "run.json").iterations == 8


def test_json_tells_the_facts(tmp_path):
    facts = json.loads(trace("-o", tmp_path / "run.json", "--json", "--no-layers", "--every", 3).stdout)
    assert facts["agrees"]
    assert facts["halted"]
    assert (facts["iterations"], facts["frames"], facts["layers"]) == (8, 5, False)
    assert facts["bytes"] == (tmp_path / "run.json").stat().st_size
    assert facts["run_hash"] == Trace.load(tmp_path / "run.json").run_hash


def test_the_hash_of_a_long_run_is_left_to_the_user(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("hyloop.cli.trace.HASHED", 0)
    found = hyloop.trace("dijkstra", hyloop.read(HARBOUR), source="Quay")
    target = str(tmp_path / "run.json")
    found.save(target)
    _tell(found, target, 1e9, json=False, quiet=False)
    assert f"hyloop.Trace.load({target!r}).run_hash" in capsys.readouterr().out
    _tell(found, target, 1e9, json=True, quiet=False)
    assert json.loads(capsys.readouterr().out)["run_hash"] is None


def test_quiet_says_nothing(tmp_path):
    done = trace("-o", tmp_path / "run.html", "-q")
    assert (done.stdout, done.stderr) == ("", "")


def test_a_limit_is_told(tmp_path):
    done = trace("-o", tmp_path / "run.json", "--limit", 0.001)
    assert "reached its limit of 0.001 MB after iteration 1." in done.stderr
    assert "of JSON, more than --limit: hypergraph, program and model are always in it" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "run.txt"], "A trace is written as .html, .json or .json.gz; run.txt ends in none of these."),
        (["-o", "-", "--json"], "--json would be a second one"),
        (["-o", "run.json", "--open"], "--open shows a page"),
        (["-o", "no folder/run.html"], "cannot be written"),
        (["-o", "run.html", "--every", "0"], "--every"),
        (["-o", "run.html", "--backend", "interpreter"], "A recording is of the transformer"),
        ([], "--output"),
    ],
)
def test_what_is_refused(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in " ".join(trace(*words, ok=2).stderr.split())


def test_the_input_is_never_written_over(tmp_path):
    own = tmp_path / "own.json"
    own.write_bytes(Path(HARBOUR).read_bytes())
    (tmp_path / "link.json").symlink_to(own)
    for target in (own, tmp_path / "link.json"):
        done = hyloop_("trace", "components", own, "-o", target, ok=2)
        assert "would be written over" in done.stderr
    assert own.read_bytes() == Path(HARBOUR).read_bytes()
    (tmp_path / "own.svg").write_bytes(own.read_bytes())
    done = hyloop_("draw", tmp_path / "own.svg", "--format", "hif", "-o", tmp_path / "own.svg", ok=2)
    assert "would be written over" in done.stderr


def test_a_folder_is_told_before_the_run(tmp_path):
    (tmp_path / "run.html").mkdir()
    assert "it is a folder" in trace("-o", tmp_path / "run.html", ok=2).stderr
    assert "there is no such folder" in trace("-o", tmp_path / "no" / "run.html", ok=2).stderr


def test_a_limit_without_end(tmp_path):
    trace("-o", tmp_path / "run.json", "--limit", "inf", "-q")


def test_a_file_name_that_is_no_text(tmp_path):
    name = os.fsencode(tmp_path) + b"/bad\xff.json"
    with open(name, "wb") as file:  # noqa: PTH123  (a name of bytes)
        file.write(Path(HARBOUR).read_bytes())
    words = [*commands.python(), "-m", "hyloop", "trace", "components", name, "-o", str(tmp_path / "run.json"), "-q"]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Trace.load(tmp_path / "run.json").document["hypergraph"]["name"] == "bad?.json"


def test_labels_from_an_attribute(tmp_path):
    nodes = [{"node": at, "attrs": {"name": name}} for at, name in enumerate(("Ada", "Bo"))]
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"nodes": nodes, "incidences": [{"edge": 0, "node": 0}, {"edge": 0, "node": 1}]}))
    for name, *options in (["trace", "-o", "-"], ["run"], ["draw", "-o", "-", "--as", "svg"]):
        assert "Bo" in hyloop_(name, "bfs", own, *options, "--source", "Ada", "--label-by", "name").stdout
    assert "source = Bo" in hyloop_("check", "bfs", own, "--source", "Bo", "--label-by", "name").stdout
    assert "has an attribute 'title'" in hyloop_("run", "components", own, "--label-by", "title", ok=2).stderr


def test_a_model_that_was_edited_wrongly_ends_with_status_1(tmp_path):
    model = hyloop.compile("dijkstra", hyloop.Capacity(20, 100))
    weights = [weight.copy() for weight in model.layers[-1].mlp.weights]
    column = model.layout.number("distance")
    weights[3][int(np.flatnonzero(weights[3][:, column])[0]), column] += 1
    wrong = replace(model.layers[-1], mlp=Mlp(tuple(weights), model.layers[-1].mlp.purposes))
    write_model(replace(model, layers=(*model.layers[:-1], wrong)), tmp_path / "wrong.safetensors")
    words = (
        "trace",
        tmp_path / "wrong.safetensors",
        HARBOUR,
        "--source",
        "Quay",
        "-o",
        tmp_path / "run.json",
        "--edited",
    )
    done = hyloop_(*words, ok=1)
    assert done.stderr.startswith("Differs: iteration")
    assert not Trace.load(tmp_path / "run.json").agrees


@pytest.mark.parametrize("name", ["limit", "keep"])
def test_an_input_may_be_called_as_an_option_of_recordings(name, tmp_path):
    (tmp_path / "near.py").write_text(
        "from hyloop.lang import *\n\n\n@algorithm\n"
        f"def near(h, {name}: Length):\n    far, done = h.state(Length, 0), h.state(Flag, False)\n"
        "    with h.loop(at_most=2) as loop:\n        loop.stop_when(done)\n"
        f"        far.assign({name})\n        done.assign(True)\n    return Outputs(far=far)\n"
    )
    (tmp_path / "g.edges").write_text("a b\n")
    target = tmp_path / "run.json"
    asked = ["trace", f"{tmp_path}/near.py", f"{tmp_path}/g.edges", "-i", f"{name}=3", "-o", f"{target}", "--quiet"]
    hyloop_(*asked)
    found = Trace.load(target)
    assert found.at(found.iterations)["far"] == 3
