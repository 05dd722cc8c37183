"""What is made of a model says how far the model is believed."""

from dataclasses import replace

import pytest

import hyloop
from hyloop import Capacity
from hyloop.export.names import labels

H = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
MODEL = hyloop.compile("levels", Capacity(9, 9))
DOUBTFUL = replace(MODEL)


def test_a_module():
    pytest.importorskip("torch", reason="torch is not installed here: make test-interop brings it")
    for model, verified in ((MODEL, "compiled"), (DOUBTFUL, "unverified")):
        assert model.to_torch().run(H, source="a").verified == verified
        assert hyloop.run(model, H, source="a", backend="torch").verified == verified


def test_weights_that_may_have_been_trained():
    pytest.importorskip("torch", reason="torch is not installed here: make test-interop brings it")
    assert MODEL.to_torch(trainable=True).run(H, source="a").verified == "unverified"


def test_files():
    assert labels(MODEL)["verified"] == "compiled"
    assert labels(DOUBTFUL)["verified"] == "unverified"
