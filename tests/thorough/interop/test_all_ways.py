"""Dijkstra on `lesmis`: the same distances by every executor and export, and from the objects of other libraries."""

import importlib.util
import warnings

import numpy as np
import pytest

import hyloop
from hyloop.execute.encode import encode, frame, pad
from hyloop.interop import to_hypernetx, to_networkx, to_xgi

pytest.importorskip("networkx")

from oracles.distances import dijkstra_in_star


@pytest.fixture(scope="module")
def source(lesmis):
    return lesmis.vertices[0]


@pytest.fixture(scope="module")
def model():
    return hyloop.compile("dijkstra")


@pytest.fixture(scope="module")
def distances(lesmis, source):
    """By networkx, in a graph that has nothing to do with transformers."""
    return dijkstra_in_star(lesmis, source)["distance"]


def require(name):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")


@pytest.mark.parametrize("backend", ["dense", "cpu", "interpreter"])
def test_by_a_backend(backend, model, lesmis, source, distances):
    found = hyloop.run(model, lesmis, source=source, backend=backend)
    assert (found.backend, found["distance"]) == (backend, distances)


@pytest.fixture
def one_thread():
    """PyTorch on one thread: the batch is small, and on busy cores threads wait for each other."""
    require("torch")
    import torch  # may not be there

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("one_thread")
def test_by_pytorch_in_a_batch_of_other_sizes(model, lesmis, source, distances):
    pair = hyloop.Hypergraph.from_hyperedges({"e": [source, "other"]})
    star = hyloop.Hypergraph.from_hyperedges({i: [source, i] for i in range(1000, 1120)}, weights=range(1, 121))
    small, found, large = model.to_torch().run([pair, lesmis, star], source=source)
    assert found["distance"] == distances
    assert found.iterations == hyloop.run(model, lesmis, source=source).iterations
    assert small["distance"] == {source: 0, "other": 1}
    assert large["distance"] == {source: 0} | {i: i - 999 for i in range(1000, 1120)}
    assert len({small.iterations, found.iterations, large.iterations}) == 3


def test_by_onnxruntime(model, lesmis, source, distances, tmp_path):
    require("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    model.to_onnx(tmp_path / "dijkstra.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "dijkstra.onnx", providers=["CPUExecutionProvider"])
    given = frame(lesmis, {"source": 1 + lesmis.vertex_number(source)})
    A = pad(model, lesmis, given.size).rows(0, given.size)
    state, iterations = session.run(None, {"X": encode(model, given), "A": A, "limit": np.array(10**6)})
    column = state[1 : len(lesmis.vertices) + 1, model.layout.number("distance")]
    _, unit = lesmis.integer_weights()
    found = [None if value == model.infinity else int(value) * unit for value in column]
    assert dict(zip(lesmis.vertices, found, strict=True)) == distances
    assert iterations == hyloop.run(model, lesmis, source=source).iterations


CONVERT = {"xgi": to_xgi, "hypernetx": to_hypernetx, "networkx": to_networkx}


@pytest.fixture(params=CONVERT)
def thing(request, lesmis, library):
    """`lesmis` as an object of another library."""
    library(request.param)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries' own, and what they cannot hold
        made = CONVERT[request.param](lesmis)
    assert type(made).__module__.partition(".")[0] == request.param
    return made


def test_from_an_object_of_another_library(thing, model, source, distances):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries' own
        assert hyloop.run(model, thing, source=source)["distance"] == distances
        assert hyloop.check(model, thing, source=source).agrees
        [found] = hyloop.run_many(model, [(thing, {"source": source})], processes=1)
    assert found["distance"] == distances
