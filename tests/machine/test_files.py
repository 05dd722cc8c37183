"""Model files: the same model comes back, the same bytes; whatever was damaged or edited is refused."""

import json
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import save

import commands
import hyloop.build
from hyloop import Capacity, HyloopError, ModelError
from hyloop.machine import files
from hyloop.machine.document import FORMAT
from hyloop.machine.files import model_hash, to_bytes
from hyloop.machine.layer import Head

ROOT = Path(__file__).parents[2]
MODEL = hyloop.compile("dijkstra", Capacity(20, 100))
BYTES = to_bytes(MODEL)
HEADER = int.from_bytes(BYTES[:8], "little")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


def written(folder, content, name="model.safetensors"):
    path = folder / name
    path.write_bytes(content)
    return path


def parts(content=BYTES):
    """The document and the tensors of a file."""
    header = json.loads(content[8 : 8 + HEADER])
    document = json.loads(header.pop("__metadata__")[files.KEY])
    return document, dict(files._tensors(MODEL))


def sealed(document, tensors):
    """A file with these contents and the hash that belongs to them: what only the other checks can refuse."""
    document = {**document, "hash": files._hash(document, tensors)}
    return save(tensors, {files.KEY: json.dumps(document, sort_keys=True, separators=(",", ":"))})


def same(a, b):
    assert (a.name, a.capacity, a.dtype, a.program, a.infinity) == (b.name, b.capacity, b.dtype, b.program, b.infinity)
    assert (a.certificate, a.held, a.layout.columns) == (b.certificate, b.held, b.layout.columns)
    assert (a.layout.halt, a.layout.incidence) == (b.layout.halt, b.layout.incidence)
    for one, other in zip(a.layers, b.layers, strict=True):
        assert (one.notes, one.mlp.purposes) == (other.notes, other.mlp.purposes)
        assert all(np.array_equal(x, y) for x, y in zip(one.mlp.weights, other.mlp.weights, strict=True))
        for mine, yours in zip(one.heads, other.heads, strict=True):
            assert (mine.kind, mine.purpose) == (yours.kind, yours.purpose)
            assert np.array_equal(mine.query, yours.query)
            assert np.array_equal(mine.key, yours.key)
            assert np.array_equal(mine.value, yours.value)


# -- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "dtype"), [("dijkstra", "float64"), ("helly", "float64"), ("levels", "float32")])
def test_there_and_back(tmp_path, name, dtype):
    model = hyloop.compile(name, Capacity(20, 100), dtype=dtype)
    path = tmp_path / "m.safetensors"
    hyloop.save(model, path)
    again = hyloop.load(path)
    same(again, model)
    assert to_bytes(again) == path.read_bytes() == to_bytes(model)
    assert model_hash(again) == model_hash(model)


def test_what_comes_back_runs(folder):
    again = hyloop.load(written(folder, BYTES))
    h = hyloop.Hypergraph.from_hyperedges([[1, 2], [2, 3]], weights=[2, 5])
    assert hyloop.check(again, h, source=1).agrees


def test_names_and_numbers_of_the_tensors(folder):
    path = written(folder, BYTES)
    with safe_open(str(path), framework="numpy") as file:
        names = set(file.keys())
        assert list(file.metadata()) == ["hyloop"]
        assert {str(file.get_tensor(name).dtype) for name in names} == {"float64"}
    expected = {
        f"layers.{number}.{rest}"
        for number, layer in enumerate(MODEL.layers)
        for rest in [
            *(f"heads.{place}.{what}" for place in range(len(layer.heads)) for what in ("query", "key", "value")),
            *(f"mlp.w{stage}" for stage in (1, 2, 3, 4)),
        ]
    }
    assert names == expected


def test_the_document_explains_every_column_head_and_unit():
    document, _ = parts()
    assert [column["name"] for column in document["columns"]] == [column.name for column in MODEL.layout.columns]
    distance = next(column for column in document["columns"] if column["name"] == "distance")
    assert (distance["role"], distance["of"]) == ("state", "distance")
    assert [len(layer["heads"]) for layer in document["layers"]] == [len(layer.heads) for layer in MODEL.layers]
    for layer, made in zip(document["layers"], MODEL.layers, strict=True):
        for head, own in zip(layer["heads"], made.heads, strict=True):
            told = {*(each["column"] for each in head["value"]), *head["empties"]}
            assert told == own.writes
            assert all(each["for"] for each in head["value"])
        assert [len(stage) for stage in layer["units"]] == [made.mlp.width] * 3
        assert any(unit["for"] and not unit["carries"] for stage in layer["units"] for unit in stage)
    assert document["hyloop"] == hyloop.__version__
    assert document["certificate"]["largest"] == MODEL.certificate.largest
    assert document["program"].startswith("algorithm dijkstra\n")


def test_no_path_of_this_machine_is_inside():
    for path in {str(ROOT), str(Path.home()), str(Path(sys.prefix).parent), str(Path(hyloop.__file__).parent)}:
        assert path.encode() not in BYTES
    assert b"/dijkstra.py" not in BYTES
    assert b"dijkstra.py:" in BYTES


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    with pytest.raises(HyloopError, match="cannot be written"):
        hyloop.save(MODEL, tmp_path / "nowhere" / "m.safetensors")
    (tmp_path / "folder").mkdir()
    with pytest.raises(HyloopError, match="cannot be written"):
        hyloop.save(MODEL, tmp_path / "folder")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


# -- refused --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 100, HEADER, HEADER + 8, HEADER + 9, len(BYTES) - 8, len(BYTES) - 1])
def test_truncated(folder, length):
    path = written(folder, BYTES[:length])
    with pytest.raises(ModelError) as caught:
        hyloop.load(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_longer(folder):
    with pytest.raises(ModelError):
        hyloop.load(written(folder, BYTES + b"\0" * 8))


@given(st.integers(0, len(BYTES) - 1), st.integers(1, 255))
def test_one_byte_changed(folder, place, mask):
    changed = bytearray(BYTES)
    changed[place] ^= mask
    path = written(folder, bytes(changed), "changed.safetensors")
    try:
        again = hyloop.load(path)
    except ModelError:
        return
    # The padding of the header may hold any white space; nothing else may change unnoticed.
    same(again, MODEL)
    assert place < HEADER + 8


@given(st.integers(HEADER + 8, len(BYTES) - 1), st.integers(0, 7))
def test_one_bit_of_a_weight_changed(folder, place, bit):
    changed = bytearray(BYTES)
    changed[place] ^= 1 << bit
    with pytest.raises(ModelError, match=r"hash|not whole numbers"):
        hyloop.load(written(folder, bytes(changed), "bit.safetensors"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'\\"rows\\":20', b'\\"rows\\":99'),
        (b'\\"weight\\":100', b'\\"weight\\":999'),
        (b"algorithm dijkstra", b"algorithm dijkstrb"),
        (b"dijkstra.py:", b"dijkstrb.py:"),
    ],
)
def test_an_edited_document(folder, old, new):
    assert old in BYTES
    edited = BYTES.replace(old, new)
    assert len(edited) == len(BYTES)
    with pytest.raises(ModelError, match="hash does not fit"):
        hyloop.load(written(folder, edited))


def test_a_missing_tensor(folder):
    document, tensors = parts()
    del tensors["layers.1.heads.0.key"]
    with pytest.raises(ModelError, match=r"the tensor layers\.1\.heads\.0\.key is missing"):
        hyloop.load(written(folder, sealed(document, tensors)))


def test_a_tensor_too_many(folder):
    document, tensors = parts()
    with pytest.raises(ModelError, match="tensors that no layer uses"):
        hyloop.load(written(folder, sealed(document, {**tensors, "more": np.zeros(3)})))


def test_a_tensor_named_twice(folder):
    name = "layers.1.heads.0.key"
    header = BYTES[8 : 8 + HEADER]
    entry = json.dumps(json.loads(header)[name])
    doubled = header.rstrip()[:-1] + f',"{name}":{entry}}}'.encode()
    content = len(doubled).to_bytes(8, "little") + doubled + BYTES[8 + HEADER :]
    with pytest.raises(ModelError, match=rf"not a model file \('{name}' stands there twice\)"):
        hyloop.load(written(folder, content))


@pytest.mark.parametrize("value", [0.5, np.nan, np.inf])
def test_a_weight_that_is_no_whole_number(folder, value):
    document, tensors = parts()
    weight = tensors["layers.0.mlp.w1"].copy()
    weight[0, 0] = value
    with pytest.raises(ModelError, match=r"layers\.0\.mlp\.w1 has entries that are not whole numbers"):
        hyloop.load(written(folder, sealed(document, {**tensors, "layers.0.mlp.w1": weight})))


def held(op=0, layer=1, column=0):
    return {"layer": layer, "column": column, "for": [["body", op, "value", False]]}


def edits():
    """Documents that do not fit together, whose hash does."""
    return {
        "another format": {"format": FORMAT + 1},
        "no columns": {"columns": []},
        "a halt that is no column": {"halt": "nothing"},
        "no layers": {"layers": []},
        "a dtype that is none": {"dtype": "float16"},
        "a dtype that the tensors do not have": {"dtype": "float32"},
        "a capacity of nothing": {"capacity": {"rows": 0, "weight": 1}},
        "a capacity with more to it": {"capacity": {"rows": 1, "weight": 1, "colour": 2}},
        "a capacity in words": {"capacity": {"rows": "many", "weight": 1}},
        "a kind of incidence that is none": {"incidence": "zeros"},
        "positions that are others": {"positions": "circle"},
        "values in no column": {"held": [held(column=999)]},
        "values of no operation": {"held": [held(op=999)]},
        "values of no layer": {"held": [held(layer=99)]},
        "a program that is none": {"program": "algorithm x"},
        "a program that is no text": {"program": 7},
        "an infinity in words": {"infinity": "much"},
        "a certificate of nothing": {"certificate": {}},
    }


@pytest.mark.parametrize("name", edits())
def test_a_document_that_does_not_fit_together(folder, name):
    document, tensors = parts()
    with pytest.raises(ModelError):
        hyloop.load(written(folder, sealed({**document, **edits()[name]}, tensors)))


def test_the_sealed_file_itself_is_fine(folder):
    same(hyloop.load(written(folder, sealed(*parts()))), MODEL)


@pytest.mark.parametrize("text", ["7", "null", "[]", "{", '"x"', "{}", "[" * 100_000])
def test_a_document_that_is_none(folder, text):
    _, tensors = parts()
    with pytest.raises(ModelError):
        hyloop.load(written(folder, save(tensors, {files.KEY: text})))


def test_a_matrix_of_another_shape(folder):
    document, tensors = parts()
    with pytest.raises(ModelError):
        hyloop.load(written(folder, sealed(document, {**tensors, "layers.0.mlp.w2": np.zeros((2, 2))})))


def test_another_safetensors_file(folder):
    with pytest.raises(ModelError, match="not one of hyloop's"):
        hyloop.load(written(folder, save({"weight": np.ones(3)})))


@pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x04K\x01.", b"a,b\n1,2\n", b"\xff" * 64])
def test_another_file(folder, content):
    with pytest.raises(ModelError, match="not a model file"):
        hyloop.load(written(folder, content))


# -- what a message repeats of a file -------------------------------------------------------------------------------

EVIL = ["\x1b[31mred\nError: nothing \u202e", "\x9b31m" + "y" * 20_000, "x" * 900]


def places(document, path=()):
    """A path to each text or number of a document; of a list, its first item stands for all."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from places(value, (*path, name))
    elif isinstance(document, list):
        for place, value in enumerate(document[:1]):
            yield from places(value, (*path, place))
    else:
        yield path


def put(document, path, value):
    """A copy of a document with another value in a place."""
    copied = json.loads(json.dumps(document))
    at = copied
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return copied


def said_of(path):
    """All that hyloop says of a file, in errors and in warnings."""
    for read in (hyloop.load, lambda path: hyloop.load(path, edited=True), files.read_recipe):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                model = read(path)
            except HyloopError as wrong:
                yield str(wrong)
            else:
                yield "" if isinstance(model, files.Recipe) else repr(model)
        yield from (str(each.message) for each in caught)


@pytest.mark.parametrize("evil", EVIL, ids=["codes", "long", "name"])
@pytest.mark.parametrize("path", list(places(parts()[0])), ids=lambda path: ".".join(map(str, path)))
def test_what_a_message_repeats_of_a_document_is_short_and_printable(tmp_path, path, evil):
    document, tensors = parts()
    file = written(tmp_path, sealed(put(document, path, evil), tensors), "m")
    for said in said_of(file):
        assert said.isprintable(), said
        assert len(said) < 1000


@pytest.mark.parametrize("evil", EVIL, ids=["codes", "long", "name"])
@pytest.mark.parametrize("field", ["dtype", "shape", "data_offsets", "more", None])
def test_what_a_message_repeats_of_a_header_is_short_and_printable(tmp_path, field, evil):
    header = json.loads(BYTES[8 : 8 + HEADER])
    name = "layers.0.mlp.w1"
    if field is None:
        header[evil] = header.pop(name)
    else:
        header[name] = header[name] | {field: evil}
    text = json.dumps(header).encode()
    file = written(tmp_path, len(text).to_bytes(8, "little") + text + BYTES[8 + HEADER :], "m")
    for said in said_of(file):
        assert said.isprintable(), said
        assert len(said) < 1000


def test_no_file(tmp_path):
    with pytest.raises(ModelError, match="there is no such file"):
        hyloop.load(tmp_path / "nothing.safetensors")
    with pytest.raises(ModelError, match="not a model file"):
        hyloop.load(tmp_path)


def test_another_weight_another_hash():
    head = MODEL.layers[0].heads[0]
    value = head.value.copy()
    value[0, 0] += 1
    heads = (Head(head.kind, head.query, head.key, value, head.purpose), *MODEL.layers[0].heads[1:])
    odd = replace(MODEL, layers=(replace(MODEL.layers[0], heads=heads), *MODEL.layers[1:]))
    assert model_hash(odd) != model_hash(MODEL)


# -- commands -------------------------------------------------------------------------------------------------------


def command(*arguments):
    return subprocess.run(
        [*commands.python(), "-m", "hyloop", *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_info_of_a_file(folder):
    told = command("info", str(written(folder, BYTES)), "--json")
    assert told.returncode == 0, told.stderr
    facts = json.loads(told.stdout)
    assert facts["layers"] == len(MODEL.layers)
    assert facts["heads"] == [len(layer.heads) for layer in MODEL.layers]
    assert facts["capacity"] == {"rows": 20, "weight": 100, "dtype": "float64"}
    assert facts["hash"] == model_hash(MODEL)


def test_check_of_a_file(folder):
    told = command("check", str(written(folder, BYTES)), str(ROOT / "examples" / "harbour.hif.json"), "--random", "5")
    assert told.returncode == 0, told.stderr
    assert "0 differences" in told.stdout


def test_a_model_saves_itself(tmp_path):
    model = hyloop.compile("levels", Capacity(5, 5))
    model.save(tmp_path / "levels.safetensors")
    assert model_hash(hyloop.load(tmp_path / "levels.safetensors")) == model_hash(model)


# -- what a file says of a proof stands beside the model; edited weights are taken only when asked for ----------------

LEVELS = hyloop.compile("levels", Capacity(9, 9))
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
    files.write_model(LEVELS, path, SAID)
    assert files.read_proof(path) == SAID
    again = hyloop.load(path)
    assert model_hash(again) == model_hash(LEVELS)
    assert to_bytes(again) == to_bytes(LEVELS)
    assert path.read_bytes() != to_bytes(LEVELS)


def test_the_same_bytes_with_the_same_proof():
    assert to_bytes(LEVELS, SAID) == to_bytes(LEVELS, dict(reversed(SAID.items())))


def test_a_file_without_a_proof(path):
    files.write_model(LEVELS, path)
    assert files.read_proof(path) is None


@pytest.mark.parametrize("said", ["", "no JSON", "[1]", "7", "null", "[" * 100_000])
def test_nonsense_in_place_of_a_proof(path, said):
    document = json.dumps(files.document_of(LEVELS) | {"hash": model_hash(LEVELS)}, sort_keys=True)
    path.write_bytes(save(files._tensors(LEVELS), {files.KEY: document, files.PROOF: said}))
    assert files.read_proof(path) is None
    assert model_hash(hyloop.load(path)) == model_hash(LEVELS)


def test_a_proof_of_what_is_no_model_file(path):
    with pytest.raises(ModelError, match="no such file"):
        files.read_proof(path)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ModelError, match="not a model file"):
        files.read_proof(path)


def test_edited_weights_are_refused_unless_asked_for(path):
    files.write_model(LEVELS, path)
    edited(path)
    with pytest.raises(ModelError, match="damaged or edited"):
        files.read_model(path)
    model = files.read_model(path, edited=True)
    assert model_hash(model) != model_hash(LEVELS)
    different = [
        not np.array_equal(a.query, b.query)
        for one, other in zip(model.layers, LEVELS.layers, strict=True)
        for a, b in zip(one.heads, other.heads, strict=True)
    ]
    assert sum(different) <= 1
    assert model.layout.columns == LEVELS.layout.columns


def test_a_sound_file_may_be_called_edited(path):
    files.write_model(LEVELS, path)
    assert to_bytes(files.read_model(path, edited=True)) == to_bytes(LEVELS)


def test_edited_does_not_excuse_everything(path):
    files.write_model(LEVELS, path)
    edited(path, change=0.5)
    with pytest.raises(ModelError, match="not whole numbers"):
        files.read_model(path, edited=True)
    files.write_model(LEVELS, path)
    edited(path, change=np.nan)
    with pytest.raises(ModelError, match="not whole numbers"):
        files.read_model(path, edited=True)
    files.write_model(LEVELS, path)
    metadata, tensors = files._contents(path)
    del tensors[sorted(tensors)[0]]
    path.write_bytes(save(tensors, dict(metadata)))
    with pytest.raises(ModelError):
        files.read_model(path, edited=True)
