"""Every field of a model's document has a type and a range; whatever is not so is refused, with the hash that fits."""

import copy
import json
import os
from collections import defaultdict
from dataclasses import replace

import pytest
from safetensors.numpy import save

import hyloop
from hyloop import Capacity, ModelError
from hyloop.machine import files
from hyloop.machine.document import require_document
from hyloop.machine.layout import MOST_TABLE

MODEL = hyloop.compile("levels", Capacity(9, 9))
TENSORS = files._tensors(MODEL)
DOCUMENT = json.loads(json.dumps(files.document_of(MODEL) | {"hash": files.model_hash(MODEL)}))


def leaves(document, path=()):
    """The path of every value that is no list and no object."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from leaves(value, (*path, key))
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from leaves(value, (*path, number))
    else:
        yield path


def fields():
    """The paths of two values of each field, wherever it occurs."""
    found = defaultdict(list)
    for path in leaves(DOCUMENT):
        found[tuple(key for key in path if isinstance(key, str))].append(path)
    return [path for paths in found.values() for path in paths[:2]]


def with_(path, value, document=DOCUMENT):
    changed = copy.deepcopy(document)
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return changed


def refused(folder, text):
    path = folder / "m.safetensors"
    path.write_bytes(save(TENSORS, {files.KEY: text}))
    with pytest.raises(ModelError) as caught:
        hyloop.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < len(str(path)) + 1_000


def sealed(document):
    return json.dumps(document | {"hash": files._hash(document, TENSORS)})


def test_the_document_itself_is_fine():
    require_document(DOCUMENT)


def test_every_number_is_a_whole_number(tmp_path):
    numbers = [path for path in fields() if type(value_at(path)) is int]
    assert len(numbers) > 10
    for path in numbers:
        for odd in (True, float(value_at(path)), 0.5, float("nan"), float("inf"), "1", None, 10**30, -(10**30)):
            refused(tmp_path, sealed(with_(path, odd)))


def test_every_text_is_a_text(tmp_path):
    texts = [path for path in fields() if isinstance(value_at(path), str) and path != ("hash",)]
    assert len(texts) > 10
    for path in texts:
        long = "a" * (2**20 + 1 if path == ("program",) else 1_001)
        for odd in (7, None, ["x"], long, "\ud800"):
            refused(tmp_path, sealed(with_(path, odd)))


def value_at(path):
    found = DOCUMENT
    for key in path:
        found = found[key]
    return found


@pytest.mark.parametrize("path", [(), ("capacity",), ("built",), ("certificate",), ("columns", 0), ("layers", 0)])
def test_a_field_too_many_or_too_few(tmp_path, path):
    inside = value_at(path)
    more = {**inside, "more": 0}
    refused(tmp_path, sealed(with_(path, more) if path else more))
    for key in set(inside) - {"hash"}:
        fewer = {name: value for name, value in inside.items() if name != key}
        refused(tmp_path, sealed(with_(path, fewer) if path else fewer))


POSITION = next(
    number
    for number, column in enumerate(DOCUMENT["columns"])
    if column["initial"][:1] == [{"term": "Position", "part": 0}]
)


@pytest.mark.parametrize(
    "term",
    [
        {"term": "Position", "part": True},
        {"term": "Position", "part": 2},
        {"term": "Position"},
        {"term": "Position", "part": 0, "more": 1},
        {"term": "Pointer", "part": 0, "to": 10**8},
        {"term": "Pointer", "part": 0, "to": 10},
        {"term": "Pointer", "part": 0, "to": -1},
        {"term": "Pointer", "part": 0, "to": 1.0},
        {"term": "Fill", "value": 0.5, "rows": "rows"},
        {"term": "Fill", "value": 2**60, "rows": "rows"},
        {"term": "Fill", "value": 1, "rows": "columns"},
        {"term": "Elsewhere"},
    ],
    ids=str,
)
def test_terms(tmp_path, term):
    refused(tmp_path, sealed(with_(("columns", POSITION, "initial"), [term])))


def test_no_input_is_padded_to_more_rows_than_any_model_needs(tmp_path):
    require_document(with_(("least",), MOST_TABLE), "FILE")
    refused(tmp_path, sealed(with_(("least",), MOST_TABLE + 1)))


def test_a_name_twice(tmp_path):
    text = sealed(DOCUMENT)
    refused(tmp_path, text[:-1] + ', "infinity": 0}')


def test_a_file_of_many_bytes_is_not_read(tmp_path):
    path = tmp_path / "m.safetensors"
    with path.open("wb") as file:
        file.truncate(2**40)  # a sparse file: it takes no room
    with pytest.raises(ModelError, match="a model file has at most"):
        hyloop.load(path)


def test_a_pipe_is_not_waited_for(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    path = tmp_path / "m.safetensors"
    os.mkfifo(path)
    with pytest.raises(ModelError, match="no plain file"):
        hyloop.load(path)


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    with pytest.raises(ModelError, match="infinity"):
        hyloop.save(replace(MODEL, infinity=2**60), tmp_path / "m.safetensors")
    assert not list(tmp_path.iterdir())
