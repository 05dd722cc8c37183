"""What a file says of a proof stands beside the model; edited weights are taken only when asked for."""

import json

import numpy as np
import pytest
from safetensors.numpy import save

import hyloop
from hyloop import Capacity, ModelError
from hyloop.machine import files
from hyloop.machine.files import model_hash, read_model, read_proof, to_bytes, write_model

MODEL = hyloop.compile("levels", Capacity(9, 9))
SAID = {"answer": "proved", "hash": "00", "theorem": "für alle Ω"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.safetensors"


def edited(path, change=1.0):
    """One weight of the file changed, all else as it was, the hash too."""
    metadata, tensors = files._contents(path)
    name = sorted(tensors)[0]
    tensors[name] = tensors[name].copy()
    tensors[name].flat[0] += change
    path.write_bytes(save(tensors, dict(metadata)))


def test_a_proof_is_read_back_and_changes_nothing_else(path):
    write_model(MODEL, path, SAID)
    assert read_proof(path) == SAID
    again = hyloop.load(path)
    assert model_hash(again) == model_hash(MODEL)
    assert to_bytes(again) == to_bytes(MODEL)
    assert path.read_bytes() != to_bytes(MODEL)


def test_the_same_bytes_with_the_same_proof():
    assert to_bytes(MODEL, SAID) == to_bytes(MODEL, dict(reversed(SAID.items())))


def test_a_file_without_a_proof(path):
    write_model(MODEL, path)
    assert read_proof(path) is None


@pytest.mark.parametrize("said", ["", "no JSON", "[1]", "7", "null", "[" * 100_000])
def test_nonsense_in_place_of_a_proof(path, said):
    document = json.dumps(files.document_of(MODEL) | {"hash": model_hash(MODEL)}, sort_keys=True)
    path.write_bytes(save(files._tensors(MODEL), {files.KEY: document, files.PROOF: said}))
    assert read_proof(path) is None
    assert model_hash(hyloop.load(path)) == model_hash(MODEL)


def test_a_proof_of_what_is_no_model_file(path):
    with pytest.raises(ModelError, match="no such file"):
        read_proof(path)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ModelError, match="not a model file"):
        read_proof(path)


def test_edited_weights_are_refused_unless_asked_for(path):
    write_model(MODEL, path)
    edited(path)
    with pytest.raises(ModelError, match="damaged or edited"):
        read_model(path)
    model = read_model(path, edited=True)
    assert model_hash(model) != model_hash(MODEL)
    different = [
        not np.array_equal(a.query, b.query)
        for one, other in zip(model.layers, MODEL.layers, strict=True)
        for a, b in zip(one.heads, other.heads, strict=True)
    ]
    assert sum(different) <= 1
    assert model.layout.columns == MODEL.layout.columns


def test_a_sound_file_may_be_called_edited(path):
    write_model(MODEL, path)
    assert to_bytes(read_model(path, edited=True)) == to_bytes(MODEL)


def test_edited_does_not_excuse_everything(path):
    write_model(MODEL, path)
    edited(path, change=0.5)
    with pytest.raises(ModelError, match="not whole numbers"):
        read_model(path, edited=True)
    write_model(MODEL, path)
    edited(path, change=np.nan)
    with pytest.raises(ModelError, match="not whole numbers"):
        read_model(path, edited=True)
    write_model(MODEL, path)
    metadata, tensors = files._contents(path)
    del tensors[sorted(tensors)[0]]
    path.write_bytes(save(tensors, dict(metadata)))
    with pytest.raises(ModelError):
        read_model(path, edited=True)
