"""What comes of a proof, from Python."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("z3", reason="proofs need z3: pip install 'hyloop[prove]'")

import hyloop
from hyloop.errors import HyloopError
from hyloop.machine.files import read_proof
from hyloop.machine.layer import Mlp
from hyloop.prove import prove
from hyloop.prove.report import document, failure_of, parts, save_proved, write_scripts

SMALL = hyloop.Capacity(9, 9)


@pytest.fixture(scope="module")
def proof():
    return prove(hyloop.compile("levels", SMALL))


@pytest.fixture(scope="module")
def failed():
    """Levels that grow by 2."""
    model = hyloop.compile("levels", SMALL)
    column = model.layout.number("depth")
    number, layer = next((n, each) for n, each in enumerate(model.layers) if each.mlp.weights[3][:, column].any())
    weights = [weight.copy() for weight in layer.mlp.weights]
    weights[3][int(np.flatnonzero(weights[3][:, column])[0]), column] += 1
    changed = replace(layer, mlp=Mlp(tuple(weights), layer.mlp.purposes))
    return prove(replace(model, layers=(*model.layers[:number], changed, *model.layers[number + 1 :])))


def test_the_parts_are_all_there_is(proof):
    found = parts(proof)
    assert sum(len(part.verdicts) for part in found) == len(proof.verdicts)
    assert {part.answer for part in found} == {"proved"}
    assert [part.layer for part in found if part.layer is not None] == sorted(
        part.layer for part in found if part.layer is not None
    )
    heads = [part for part in found if part.name.startswith("head ")]
    assert all(part.about.startswith("looks at ") for part in heads)
    assert len(heads) == len(proof.heads)


def test_a_proof_has_no_failure(proof):
    assert failure_of(proof) is None
    told = json.loads(json.dumps(document(proof)))
    assert (told["answer"], told["counterexample"], told["second_opinion"]) == ("proved", None, None)


def test_why_a_proof_failed(failed, tmp_path):
    failure = failure_of(failed)
    assert failure is not None
    assert failure.word == "refuted"
    found = hyloop.check(failed.model, failure.run.hypergraph, **failure.run.inputs)
    assert not found.agrees
    assert json.loads(json.dumps(document(failed, failure)))["counterexample"]["run"]["inputs"]
    with pytest.raises(HyloopError, match="is not proved"):
        save_proved(failed, tmp_path / "m.safetensors")
    assert list(tmp_path.iterdir()) == []


def test_a_counterexample_keeps_directions(failed):
    failure = failure_of(failed)
    assert "tails" not in failure.document()["run"]
    directed = hyloop.Hypergraph.from_arcs({1: ([], [1]), 2: ([1, 2], [2])})
    told = replace(failure, run=replace(failure.run, hypergraph=directed)).document()["run"]
    assert (told["tails"], told["heads"]) == ({"1": [], "2": [1, 2]}, {"1": [1], "2": [2]})


def test_files(proof, tmp_path):
    write_scripts(proof, tmp_path / "scripts")
    asked = sum(part.asked for part in parts(proof))
    assert len(list((tmp_path / "scripts").glob("*.smt2"))) == asked > 10
    save_proved(proof, tmp_path / "m.safetensors")
    assert read_proof(tmp_path / "m.safetensors")["hash"] == proof.hash
