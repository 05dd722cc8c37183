"""A forged checkpoint, whose hashes all fit: what no run can have written is refused before the run goes on."""

import json
import os
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import save

import hyloop
from hyloop import checkpoint
from hyloop.checkpoint import FORMAT, iterations_in, read_checkpoint, write_checkpoint
from hyloop.errors import HyloopError, ModelError
from hyloop.execute.decode import read_state
from hyloop.execute.prepare import program_of
from hyloop.result import Entry

H = hyloop.Hypergraph.from_hyperedges({"f": ["a", "b"], "g": ["b", "c", "d"], "k": ["d", "a"]})
MODEL = hyloop.compile("projection", hyloop.Capacity(9, 9))


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A checkpoint of a run that streams."""
    path = tmp_path_factory.mktemp("run") / "c"
    hyloop.run(MODEL, H, checkpoint=path, every=0)
    return read_checkpoint(path)


def resumed(path, changed):
    write_checkpoint(path, changed)
    return hyloop.run(MODEL, H, resume=path)


def test_the_checkpoint_itself_is_fine(begun, tmp_path):
    assert resumed(tmp_path / "c", begun) == hyloop.run(MODEL, H)


def column(begun, name, row, value):
    X = begun.X.copy()
    X[row, MODEL.layout.number(name)] = value
    return replace(begun, X=X)


FORGED = {
    "more iterations than there can be": (lambda c: replace(c, iterations=10**9), "at most 5"),
    "a row too few": (lambda c: replace(c, X=c.X[:-1]), "its state is"),
    "one dimension": (lambda c: replace(c, X=c.X[0]), "its state is"),
    "another precision": (lambda c: replace(c, X=c.X.astype(np.float32)), "its state is"),
    "no number": (lambda c: column(c, "halt", 0, np.nan), "no numbers"),
    "more than the model holds": (lambda c: column(c, "halt", 0, 1e300), "never holds"),
    "a negative number": (lambda c: column(c, "halt", 0, -1), "never holds"),
    "a fraction": (lambda c: column(c, "halt", 0, 0.5), "never holds"),
    "another position": (lambda c: column(c, "P_1", 1, 3), "no layer writes"),
    "no streams": (lambda c: replace(c, streams={}), "streams something else"),
    "another stream": (lambda c: replace(c, streams={"other": []}), "streams something else"),
    "a label of nothing": (lambda c: replace(c, streams={name(c): [Entry("z", {})]}), "another hypergraph"),
    "a value at nothing": (lambda c: replace(c, streams={name(c): [Entry(about(c), {"z": 1})]}), "another hypergraph"),
    "a negative value": (lambda c: replace(c, streams={name(c): [Entry(about(c), {"a": -1})]}), "another hypergraph"),
    "many entries": (lambda c: replace(c, streams={name(c): [*c.streams[name(c)]] * 9}), "another hypergraph"),
}


def name(begun):
    return next(iter(begun.streams))


def about(begun):
    return begun.streams[name(begun)][0].about


@pytest.mark.parametrize("what", FORGED)
def test_what_no_run_can_have_written(begun, tmp_path, what):
    change, why = FORGED[what]
    with pytest.raises(HyloopError, match=why):
        resumed(tmp_path / "c", change(begun))


def test_a_state_that_decodes_to_nothing(begun, tmp_path):
    """The columns of the state cannot be checked, but no forged one is read as another vertex."""
    program = program_of(MODEL)
    for state in program.states:
        for odd in (0.5, -1, 2.0**60, np.inf, *([7] if state.type.kind.is_pointer else [])):
            X = begun.X.copy()
            X[:, MODEL.layout.number(state.name)] = odd
            with pytest.raises(ModelError):
                read_state(MODEL, state, X, (len(H.vertices), len(H.hyperedges)))


# -- the file itself --------------------------------------------------------------------------------------------------


def sealed(path, begun, streams=None, X=None, **changes):
    document = {"format": FORMAT, "model": begun.model, "input": begun.input, "iterations": begun.iterations, **changes}
    said = json.dumps({} if streams is None else streams).encode() if not isinstance(streams, bytes) else streams
    tensors = {"X": begun.X if X is None else X, "streams": np.frombuffer(said, dtype=np.uint8)}
    document["hash"] = checkpoint._hash(document, tensors)
    path.write_bytes(save(tensors, {checkpoint.KEY: json.dumps(document)}))
    return path


MALFORMED = {
    "another format": {"format": "2"},
    "a flag for a number": {"iterations": True},
    "a fraction": {"iterations": 3.0},
    "less than nothing": {"iterations": -1},
    "infinitely many": {"iterations": float("inf")},
    "a number in words": {"iterations": "3"},
    "more than anybody waits for": {"iterations": 10**30},
    "a model that is no hash": {"model": 7},
    "a field too many": {"more": 1},
    "streams in a list": {"streams": []},
    "entries that are none": {"streams": {"s": [1]}},
    "values that are none": {"streams": {"s": [["a", [["a"]]]]}},
    "a value that is a fraction": {"streams": {"s": [["a", [["a", 1.5]]]]}},
    "a value that is a flag": {"streams": {"s": [["a", [["a", True]]]]}},
    "a label that is a list": {"streams": {"s": [["a", [[["a"], 1]]]]}},
    "a name twice": {"streams": b'{"s": [], "s": []}'},
    "no JSON": {"streams": b"\xff"},
    "nested": {"streams": b"[" * 100_000},
    "many digits": {"streams": b'{"s": [["a", [["a", ' + b"9" * 5_000 + b"]]]]}"},
    "a state of whole numbers": {"X": np.zeros((4, 4), dtype=np.int64)},
}


@pytest.mark.parametrize("what", MALFORMED)
def test_malformed(begun, tmp_path, what):
    path = sealed(tmp_path / "c", begun, **MALFORMED[what])
    with pytest.raises(HyloopError, match="this is not a checkpoint, or a damaged one"):
        read_checkpoint(path)
    assert iterations_in(path) in {None, begun.iterations}


def test_the_sealed_file_itself_is_fine(begun, tmp_path):
    assert read_checkpoint(sealed(tmp_path / "c", begun)).iterations == begun.iterations


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert iterations_in(tmp_path / "pipe") is None
    with pytest.raises(HyloopError, match="this is not a checkpoint"):
        read_checkpoint(tmp_path / "pipe")
