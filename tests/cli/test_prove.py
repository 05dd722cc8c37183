"""`hyloop prove`, as a person and as a program use it."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from typer.testing import CliRunner

import commands
import hyloop as package
from hyloop import Capacity
from hyloop.cli import app
from hyloop.machine import files
from hyloop.machine.files import model_hash, read_proof
from hyloop.prove.certify import NotFound
from hyloop.prove.solver import ask, second_opinion

SIZE = ("--rows", "9", "--weight", "9")


def hyloop(*arguments: str, cwd: Path | str = ".") -> subprocess.CompletedProcess[str]:
    with contextlib.chdir(cwd):
        return commands.run_text(*map(str, arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("proofs")


@pytest.fixture(scope="module")
def model_file(folder):
    path = folder / "levels.safetensors"
    package.save(package.compile("levels", Capacity(9, 9)), path)
    return path


@pytest.fixture(scope="module")
def edited_file(folder, model_file):
    """One weight edited by hand, so that levels grow too fast; the hash is the old one."""
    metadata, tensors = files._contents(model_file)
    model = package.load(model_file)
    column = model.layout.number("depth")
    name, unit = next(
        (f"layers.{number}.mlp.w4", int(unit))
        for number, layer in enumerate(model.layers)
        for unit in np.flatnonzero(layer.mlp.weights[3][:, column])
    )
    tensors[name] = tensors[name].copy()
    tensors[name][unit, column] += 1
    path = folder / "edited.safetensors"
    path.write_bytes(save(tensors, dict(metadata)))
    return path


def test_for_people():
    done = hyloop("prove", "levels", *SIZE)
    assert done.returncode == 0, done.stderr
    assert "levels: proved in" in done.stdout
    assert "For every hypergraph with at most 9 vertices" in done.stdout
    assert "Trusted: " in done.stdout
    assert "refuted" not in done.stdout
    assert done.stderr == ""


def test_for_programs():
    done = hyloop("prove", "levels", *SIZE, "--json", "--recheck")
    document = json.loads(done.stdout)
    assert done.returncode == 0
    assert document["algorithm"] == "levels"
    assert document["answer"] == "proved"
    assert document["capacity"] == {"rows": 9, "weight": 9}
    assert document["dtype"] == "float64"
    assert document["model"] == model_hash(package.compile("levels", Capacity(9, 9)))
    assert len(document["hash"]) == 64
    assert document["counterexample"] is None
    assert document["theorem"].startswith("For every hypergraph")
    assert len(document["assumptions"]) == 4
    assert {each["answer"] for each in document["obligations"]} == {"proved"}
    asked = [each for each in document["obligations"] if each["asked"]]
    assert document["second_opinion"] == ["proved"] * len(asked)
    assert {"layer", "part", "says", "answer", "asked", "seconds"} == set(asked[0])
    assert document["largest"]["most"] > 0
    assert {head["kind"] for head in document["heads"]} == {"plain", "incidence", "transposed"}


def test_scripts_for_another_solver(tmp_path):
    done = hyloop("prove", "levels", *SIZE, "--smt", tmp_path / "deep" / "er", "--json")
    scripts = sorted((tmp_path / "deep" / "er").glob("*.smt2"))
    assert len(scripts) == sum(each["asked"] for each in json.loads(done.stdout)["obligations"]) > 10
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        assert text.startswith("; ")
        assert second_opinion(text) == "proved"
        assert ask(text).answer == "proved"


def test_a_program_of_the_user(tmp_path):
    made = hyloop("new", "mine.py", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    done = hyloop("prove", "mine.py", *SIZE, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["answer"] == "proved"


def test_the_program_of_the_tutorial(tmp_path):
    tutorial = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
    blocks = [each.partition("```")[0] for each in tutorial.split("```python\n# matching.py\n")[1:]]
    assert len(blocks) > 1
    path = tmp_path / "matching.py"
    path.write_text(blocks[-1].partition("\n\n\nprint")[0].partition("\n\n\nhyloop.")[0] + "\n", encoding="utf-8")
    done = hyloop("prove", path, "--json")
    assert json.loads(done.stdout)["answer"] == "proved", done.stderr


# -- a file that was edited -----------------------------------------------------------------------------------------


def test_an_edited_file_is_refuted_and_a_check_confirms_it(edited_file, tmp_path):
    refused = hyloop("prove", edited_file)
    assert refused.returncode == 2
    assert "--edited" in refused.stderr

    bad = tmp_path / "bad.hif.json"
    done = hyloop("prove", edited_file, "--edited", "--counterexample", bad, "--certificate", tmp_path / "file")
    assert "file is not written." in " ".join(done.stdout.split())
    assert not (tmp_path / "file").exists()
    assert done.returncode == 1
    assert "levels: refuted." in done.stdout
    assert "The solver's row: " in done.stdout
    assert "A run shows it: " in done.stdout
    assert "Traceback" not in done.stderr

    told = " ".join(done.stdout.split()).partition("See it: hyloop ")[2].split()
    assert told[:1] == ["check"]
    source = next(word.partition("=")[2] for word in told if word.startswith("source="))
    confirmed = hyloop("check", edited_file, bad, "--input", f"source={source}", "--edited")
    assert confirmed.returncode == 1
    assert "differs" in confirmed.stdout
    assert hyloop("check", edited_file, bad, "--input", f"source={source}").returncode == 2


def test_a_counterexample_for_programs(edited_file):
    done = hyloop("prove", edited_file, "--edited", "--json")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["answer"] == "refuted"
    assert document["theorem"] is None
    found = document["counterexample"]
    assert found["obligation"]
    assert found["row"]["found"] != found["row"]["expected"]
    assert set(found["run"]) == {"vertices", "hyperedges", "weights", "inputs", "difference"}


@pytest.fixture
def no_run(monkeypatch):
    """No small hypergraph shows anything."""
    monkeypatch.setattr("hyloop.prove.report.bad_run", lambda *_, **__: None)


@pytest.mark.usefixtures("no_run")
def test_what_no_run_shows_is_not_called_refuted(edited_file):
    done = CliRunner().invoke(app, ["prove", str(edited_file), "--edited"])
    assert done.exit_code == 1
    assert "levels: not proved." in done.stdout
    assert "refuted" not in done.stdout
    document = json.loads(CliRunner().invoke(app, ["prove", str(edited_file), "--edited", "--json"]).stdout)
    assert document["answer"] == "undecided"
    assert {each["answer"] for each in document["obligations"]} == {"proved", "undecided"}
    assert document["counterexample"]["row"]["found"]


# -- the verdict beside the model -----------------------------------------------------------------------------------


def test_a_verdict_beside_the_model(model_file, tmp_path):
    target, before = tmp_path / "proved.safetensors", model_file.read_bytes()
    done = hyloop("prove", model_file, "-o", target)
    assert done.returncode == 0, done.stderr
    assert model_file.read_bytes() == before
    said = read_proof(target)
    assert said["answer"] == "proved"
    assert said["model"] == model_hash(package.load(target)) == model_hash(package.load(model_file))
    shown = json.loads(hyloop("info", target, "--json").stdout)
    assert shown["proof_in_the_file"] == said | {"of_this_model": True}
    assert "proof_in_the_file" not in json.loads(hyloop("info", model_file, "--json").stdout)
    assert said["hash"] == json.loads(hyloop("prove", target, "--json").stdout)["hash"]


def test_compiled_files_carry_no_verdict(tmp_path, model_file):
    path = tmp_path / "levels.safetensors"
    assert hyloop("compile", "levels", "-o", path, *SIZE).returncode == 0
    assert path.read_bytes() == model_file.read_bytes()
    assert read_proof(path) is None


def test_a_forged_verdict_proves_nothing(edited_file, tmp_path):
    metadata, tensors = files._contents(edited_file)
    path = tmp_path / "forged.safetensors"
    path.write_bytes(save(tensors, {**metadata, files.PROOF: json.dumps({"answer": "proved"})}))
    assert read_proof(path) == {"answer": "proved"}
    done = hyloop("prove", path, "--edited", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["answer"] == "refuted"


# -- mutants --------------------------------------------------------------------------------------------------------


def test_mutants():
    done = hyloop("prove", "levels", *SIZE, "--mutate", "--zeros", "20", "--sample", "40", "--workers", "1", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert len(document["mutants"]) == 40
    fates = {each["fate"] for each in document["mutants"]}
    assert "shown by a run" in fates
    assert fates <= {"shown by a run", "refuted by a row", "harmless"}


# -- mistakes -------------------------------------------------------------------------------------------------------


def test_mistakes_are_sentences(model_file, tmp_path):
    nonsense = tmp_path / "nonsense.safetensors"
    nonsense.write_bytes(b"nothing of the kind")
    for arguments, expected in (
        ((nonsense,), "not a model file"),
        ((model_file, "-o", tmp_path / "model.txt"), "ends in .safetensors"),
        ((model_file, "-o", tmp_path / "no" / "m.safetensors"), "cannot be written"),
        ((model_file, "--smt", model_file), "cannot be written"),
    ):
        done = hyloop("prove", *arguments)
        assert done.returncode == 2, (arguments, done.stdout)
        assert expected in done.stderr
        assert done.stderr.startswith("Error: ")
        assert "Traceback" not in done.stderr


def test_odd_contents_are_sentences(model_file, tmp_path):
    """Files whose hash fits, with contents that only the proof refuses."""
    metadata, tensors = files._contents(model_file)
    document = json.loads(metadata[files.KEY])

    def sealed(**changes):
        changed = {**document, **changes}
        changed["hash"] = files._hash(changed, tensors)
        path = tmp_path / "odd.safetensors"
        path.write_bytes(save(tensors, {files.KEY: json.dumps(changed)}))
        return path

    odd = [{**each, "initial": [{"term": "Mark", "value": 7, "at": "source"}]} for each in document["columns"][:1]]
    for path, expected in (
        (lambda: sealed(program=""), "carries no program"),
        (lambda: sealed(columns=[*odd, *document["columns"][1:]]), "starts with Mark"),
        (lambda: sealed(halt="level"), "halt flag"),
    ):
        done = hyloop("prove", path())
        assert done.returncode == 2, (expected, done.stdout)
        assert expected in done.stderr
        assert "Traceback" not in done.stderr


def test_without_the_solver(tmp_path):
    (tmp_path / "z3.py").write_text("raise ImportError\n", encoding="utf-8")
    command = [sys.executable, "-m", "hyloop", "prove", "levels", *SIZE]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "Error: Proofs need the solver z3: pip install 'hyloop[prove]', or pip install z3-solver.\n"


@pytest.fixture
def certified(monkeypatch):
    """Certificates that are found at once: those of obligations without hypotheses alone, or all of them."""

    def install(*, everything: bool) -> None:
        def certify(script):
            if everything or len(script.assertions) == 1:
                return [("use", 0)]
            raise NotFound("none")

        monkeypatch.setattr("hyloop.prove.certificate.certify", certify)

    return install


def test_certificates(certified, tmp_path):
    certified(everything=True)
    done = CliRunner().invoke(app, ["prove", "k_core", *SIZE, "--certificate", str(tmp_path / "file")])
    assert done.exit_code == 0
    assert "211 obligations of k_core, each with a certificate." in " ".join(done.stdout.split())
    assert (tmp_path / "file").stat().st_size > 1000


def test_what_has_no_certificate_is_named(certified, tmp_path):
    certified(everything=False)
    done = CliRunner().invoke(app, ["prove", "k_core", *SIZE, "--quiet", "--certificate", str(tmp_path / "file")])
    assert done.exit_code == 1
    said = " ".join(done.stdout.split())
    assert "obligations have no certificate: " in said
    assert "layer 1, head 1: row i looks at itself, at no other row" in said


@pytest.mark.parametrize("option", ["--certificate", "--counterexample"])
def test_the_model_is_not_written_over(option, model_file):
    before = model_file.read_bytes()
    done = hyloop("prove", model_file, option, model_file)
    assert done.returncode == 2
    assert "would be written over" in " ".join(done.stderr.split())
    assert model_file.read_bytes() == before


def test_each_output_needs_a_file_of_its_own(model_file, tmp_path):
    same = tmp_path / "same.safetensors"
    done = hyloop("prove", model_file, "-o", same, "--certificate", tmp_path / "." / same.name)
    assert done.returncode == 2
    assert "each need a file of their own" in " ".join(done.stderr.split())
    assert not same.exists()
