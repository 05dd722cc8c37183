"""`hyloop export`: the format is that of the name, the files hold the model, and what is no export is refused."""

from pathlib import Path

import pytest

import commands
import hyloop
from hyloop import Trace


def export(*words, ok=0):
    done = commands.run_text("export", *map(str, words))
    assert done.returncode == ok, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(("name", "options"), [("d.onnx", ()), ("d.bin", ("--to", "onnx"))])
def test_onnx(tmp_path, name, options):
    onnx = pytest.importorskip("onnx")
    file = tmp_path / name
    said = export("levels", "-o", file, *options).stdout
    assert said.startswith(f"Wrote {file}: levels, with its loop, for ONNX, ")
    proto = onnx.load(file)
    assert {each.key: each.value for each in proto.metadata_props}["name"] == "levels"


def test_a_model_file_becomes_a_page_that_runs_it(tmp_path):
    model, file = tmp_path / "levels.safetensors", tmp_path / "levels.html"
    hyloop.compile("levels").save(model)
    export(model, "-o", file, "--source", "Cove")
    found = Trace.load(file)
    assert found.embedded  # the page has the model inside, and so runs what is edited there
    assert found.at(found.iterations)["level"]["Cove"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("levels", "-o", "x.txt"), "has none of the endings of an export: .onnx, .pt2, .html, .htm"),
        (("levels", "-o", "x.safetensors"), "which hyloop compile writes"),
        (("levels", "-o", "x.bin", "--to", "tflite"), "There is no format 'tflite': onnx, torch, page."),
        (("levels", "-o", "x.onnx", "--source", "Quay"), "for the first run of a page"),
        (("pagerank", "-o", "x.html"), "pagerank needs rounds, a count: --input rounds=VALUE"),
        (("levels", "-o", "x.html", "--source", "Nowhere"), "The page begins with a run on the example harbour"),
        (("levels", "-o", "x.html", "--dtype", "float32"), "A page cannot run this model of levels"),
        (("levels", "-o", "nowhere/x.onnx"), "there is no such folder"),
        (("x.hif.json", "-o", "x.onnx"), "hyloop export takes an algorithm"),
    ],
)
def test_what_is_refused(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in export(*words, ok=2).stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device without room here")
@pytest.mark.parametrize("format", ["onnx", "page"])
def test_a_full_disk_is_told_with_the_name_of_the_file(format):
    told = export("levels", "-o", "/dev/full", "--to", format, ok=2).stderr
    assert told == "Error: /dev/full: this cannot be written (No space left on device).\n"


def test_no_file_is_written_over_its_own_model(tmp_path):
    model = tmp_path / "levels.safetensors"
    hyloop.compile("levels").save(model)
    assert "would be written over" in export(model, "-o", model, "--to", "onnx", ok=2).stderr
