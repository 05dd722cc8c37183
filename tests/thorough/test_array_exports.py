"""Inputs that are arrays, in PyTorch and ONNX: X holds them like everything else."""

import numpy as np
import pytest

import hyloop
from compiler.arrays import EXPECTED, GIVEN, TOWNS, spread
from hyloop.execute.prepare import encoded, prepare


@pytest.fixture(scope="module")
def model():
    return hyloop.compile(spread, hyloop.Capacity(20, 1000))


def test_torch(model):
    pytest.importorskip("torch")
    rest = {name: value for name, value in GIVEN.items() if name != "start"}
    found = model.to_torch().run([(TOWNS, {"start": {"Light"}}), (TOWNS, {"start": set()})], **rest)
    assert {name: found[0][name] for name in EXPECTED} == EXPECTED
    assert not any(found[1]["seen"].values())
    assert hyloop.run(model, TOWNS, backend="torch", **GIVEN)["fare"] == EXPECTED["fare"]


def test_onnx(model, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    model.to_onnx(tmp_path / "m.onnx")
    begin = encoded(model, prepare(spread.program, TOWNS, GIVEN))
    session = runtime.InferenceSession(str(tmp_path / "m.onnx"))
    given = {"X": begin.X, "A": begin.incidence.rows(0, begin.size), "limit": np.array(99)}
    state, _ = session.run(["state", "iterations"], given)
    assert state[1:4, model.layout.number("carried")].tolist() == [37, 9, 31]
