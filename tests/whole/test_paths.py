"""Whatever takes the name of a file refuses what is none with a sentence, and so does whatever takes data of ours."""

from functools import cache

import pytest

import hyloop
from hyloop import HyloopError, Hypergraph, Trace, data, io
from hyloop.data.read import ShardFile
from hyloop.draw.library import save as save_picture
from hyloop.export import to_onnx
from hyloop.numbers import read as read_number

H = Hypergraph.from_hyperedges([["a", "b"]])
PREDICTED = [{"algorithm": "levels", "part": "p", "number": 0, "output_level": [0]}]


@cache
def model():
    return hyloop.compile("levels")


@cache
def recorded():
    return hyloop.trace("levels", H, source="a")


NO_NAMES = [None, 5, b"x.json", object(), ["x.json"], 0.5, ""]
TAKES_A_NAME = {
    "read": hyloop.read,
    "write": lambda name: hyloop.write(H, name),
    "load": hyloop.load,
    "save": lambda name: hyloop.save(model(), name),
    "Model.save": lambda name: model().save(name),
    "circuit": lambda name: model().circuit().save(name),
    "to_onnx": lambda name: to_onnx(model(), name),
    "Trace.load": Trace.load,
    "Trace.save": lambda name: recorded().save(name),
    "checkpoint": lambda name: hyloop.run("levels", H, source="a", checkpoint=0 if name is None else name),
    "draw": lambda name: save_picture(None, name),
    "info": data.info,
    "data.load": lambda name: data.load(name, "levels"),
    "ShardFile": ShardFile.load,
    "write_predictions": lambda name: data.write_predictions(name, PREDICTED),
    "score": lambda name: data.score(PREDICTED, name),
}
TAKES_DATA = {
    "write": lambda given: io.write(given, "x.json"),
    "save": lambda given: hyloop.save(given, "x.safetensors"),
    "as_text": data.as_text,
    "parse_answer": lambda given: data.parse_answer("level: 0", given),
    "channels": data.channels,
    "hypergraph_of": data.hypergraph_of,
    "steps_of": lambda given: data.steps_of(given, given),
    "clrs_spec": data.clrs_spec,
    "clrs_targets": data.clrs_targets,
    "numbers.read": read_number,
}


@pytest.mark.parametrize("name", TAKES_A_NAME)
def test_what_is_no_name_of_a_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name == "to_onnx":
        pytest.importorskip("onnx")
    if name in {"info", "data.load", "ShardFile", "write_predictions", "score"}:
        pytest.importorskip("pyarrow")
    for given in NO_NAMES:
        with pytest.raises(HyloopError):
            TAKES_A_NAME[name](given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", TAKES_DATA)
def test_what_is_no_data(name):
    for given in (None, 5, "x", [], {}, {"inputs": 1}):
        with pytest.raises(HyloopError):
            TAKES_DATA[name](given)
