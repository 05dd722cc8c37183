"""The ONNX file in onnxruntime computes what dense computes, loop and halting included, and explains itself."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hyloop
from algorithm_inputs import WIDE
from effort import sample
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import HyloopError
from hyloop.execute import dense
from hyloop.execute.encode import encode, frame, pad
from hyloop.execute.prepare import frame_of, prepare, program_of
from hyloop.export import to_onnx
from hyloop.export.names import labels
from hyloop.lang import Count, Flag, Hyperedges, Outputs, Vertices, algorithm, at_most, smaller
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, Layer, Mlp
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.model import Capacity, Model
from hyloop.machine.positions import Circle, Parabola
from hyloop.sampling import draw_cases

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

ROOT = Path(__file__).parents[2]
FOREVER = np.array(10**6)
EVERY = [
    *((name, "float64", "packed") for name in sample(ALGORITHMS)),
    *((name, "float32", "packed") for name in sample(ALGORITHMS) if name not in WIDE),
    *((name, "float64", "one operation per layer") for name in ("dijkstra", "helly")),
]


@pytest.fixture
def opened(tmp_path):
    """A session of onnxruntime for a model, on one thread."""

    def make(model):
        path = tmp_path / f"{model.name}.onnx"
        to_onnx(model, path)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    return make


def ran(session, X, A, limit=FOREVER, **sides):
    """The state after so many iterations, and how many it were. `sides` are the tails and the heads."""
    state, iterations = session.run(["state", "iterations"], {"X": X, "A": A, "limit": np.array(limit), **sides})
    return state, int(iterations)


@pytest.mark.parametrize("which", EVERY, ids=" ".join)
def test_states_equal_dense_after_every_iteration(compiled, some, opened, which):
    """One session for hypergraphs of all sizes; step by step, and the whole loop in one call."""
    model = compiled(*which)
    session = opened(model)
    for item in some(model, 12, seed=1).alone(model):
        reference = dense.start(model, item.X, item.incidence)
        state, done = item.X, 0
        while not reference.halted()[0]:
            reference.advance(1)
            state, one = ran(session, state, item.A, 1, **item.sides)
            assert (state.dtype, one) == (np.dtype(model.dtype), 1)
            assert np.array_equal(state, reference.state())
            done += 1
        whole, iterations = ran(session, item.X, item.A, **item.sides)
        assert np.array_equal(whole, state)
        assert iterations == done == reference.iterations()[0]


def test_limits_and_halted_states(compiled, opened):
    model = compiled("dijkstra")
    session = opened(model)
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d"]])
    given = frame(h, {"source": 1})
    X, A = encode(model, given), pad(model, h, given.size).rows(0, given.size)
    same, none = ran(session, X, A, 0)
    assert (none, np.array_equal(same, X)) == (0, True)
    end, iterations = ran(session, X, A)
    part, two = ran(session, X, A, 2)
    assert (two, iterations) == (2, 5)
    assert np.array_equal(ran(session, part, A)[0], end)
    again, none = ran(session, end, A)
    assert (none, np.array_equal(again, end)) == (0, True)


@pytest.mark.parametrize("tie_tolerance", [0.0, 1.5])
def test_any_weights_and_ties_of_unequal_values(opened, tie_tolerance):
    rng = np.random.default_rng(7)
    positions = Circle(4) if tie_tolerance else Parabola()
    layout = Layout((*STANDARD, Column("x", "array"), Column("halt", "global")), positions, "halt")
    d = len(layout)

    def some(*shape):
        return rng.integers(-1, 2, shape).astype(float)

    for hidden in (0, 3, d):
        heads = tuple(Head(kind, some(d, 2), some(d, 2), some(d, d)) for kind in ("plain", "incidence", "transposed"))
        weights = some(d, hidden), some(hidden, hidden), some(hidden, hidden), some(hidden, d)
        layer = Layer(heads, Mlp(weights, names=tuple(f"u{i}" for i in range(hidden))))
        model = Model("random", layout, (layer,), Capacity(10, 10), tie_tolerance=tie_tolerance)
        X = rng.integers(0, 3, (5, d)).astype(float)
        X[0, layout.number("halt")] = 0
        vertex, hyperedge = np.nonzero(np.pad(rng.integers(0, 2, (4, 4)), ((1, 0), (1, 0))))
        incidence = PaddedIncidence(5, vertex, hyperedge, np.ones(len(vertex)))
        expected = dense.start(model, X, incidence)
        expected.advance(1)
        # Averages need not be integers here, and sums of them depend on the order.
        found, _ = ran(opened(model), X, incidence.rows(0, 5), 1)
        np.testing.assert_allclose(found, expected.state(), rtol=1e-13, atol=1e-13)


def test_real_data(compiled, opened, davis):
    h, model = davis, compiled("dijkstra")
    given = frame(h, {"source": 1})
    X, incidence = encode(model, given), pad(model, h, given.size)
    state, iterations = ran(opened(model), X, incidence.rows(0, given.size))
    expected = hyloop.run("dijkstra", h, source=h.vertices[0])
    _, unit = h.integer_weights()
    column = state[1 : len(h.vertices) + 1, model.layout.number("distance")]
    found = [None if value == model.infinity else int(value) * unit for value in column]
    assert found == [expected["distance"][v] for v in h.vertices]
    assert iterations == expected.iterations


# -- the file


def test_the_file_is_valid_whole_and_the_same_every_time(compiled, tmp_path):
    for name in ("first", "second"):
        to_onnx(compiled("dijkstra"), tmp_path / f"{name}.onnx")
    assert (tmp_path / "first.onnx").read_bytes() == (tmp_path / "second.onnx").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"first.onnx", "second.onnx"}
    proto = onnx.load(tmp_path / "first.onnx")
    onnx.checker.check_model(proto, full_check=True)
    assert [(each.domain, each.version) for each in proto.opset_import] == [("", 18)]
    assert [node.op_type for node in proto.graph.node].count("Loop") == 1
    assert {"X", "A", "limit"} == {each.name for each in proto.graph.input}
    loop = next(node for node in proto.graph.node if node.op_type == "Loop")
    names = {name for node in loop.attribute[0].g.node for name in node.output}
    assert {"layer1.head1_edge_best.pattern", "layer2.head1_members.incidence", "layer3.mlp.relu3"} <= names


def test_the_file_explains_itself(compiled, opened):
    model = compiled("dijkstra")
    told = opened(model).get_modelmeta().custom_metadata_map
    assert told["program"] == model.program
    assert (told["name"], told["halt"], int(told["infinity"])) == ("dijkstra", "halt", model.infinity)
    assert json.loads(told["capacity"]) == {"rows": 131071, "weight": model.capacity.weight}
    columns = json.loads(told["columns"])
    assert [each["name"] for each in columns] == [column.name for column in model.layout.columns]
    key = next(each for each in columns if each["name"] == "key")
    assert key["initial"] == [{"term": "Fill", "value": model.infinity, "rows": "hyperedges"}]


def test_a_file_that_cannot_be_written(compiled, tmp_path):
    with pytest.raises(HyloopError, match="cannot be written"):
        to_onnx(compiled("bfs"), tmp_path / "nowhere" / "bfs.onnx")


def test_without_onnx(compiled, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "onnx", None)
    monkeypatch.delitem(sys.modules, "hyloop.export.onnx", raising=False)
    with pytest.raises(HyloopError, match=r"needs onnx, which is not installed: pip install 'hyloop\[onnx\]'"):
        to_onnx(compiled("bfs"), tmp_path / "bfs.onnx")


WITHOUT_HYLOOP = """
import runpy, sys
sys.modules["hyloop"] = None
try:
    import hyloop
except ImportError:
    pass
else:
    raise SystemExit("hyloop is there")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_the_example_needs_no_hyloop(compiled, tmp_path):
    file = tmp_path / "dijkstra.onnx"
    to_onnx(compiled("dijkstra"), file)
    command = [sys.executable, "-c", WITHOUT_HYLOOP, ROOT / "examples" / "onnx_without_hyloop.py", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    h = hyloop.Hypergraph.from_hyperedges(
        [[1, 2], [2, 3, 4], [1, 4], [4, 5]], vertices=range(1, 7), weights=[3, 1, 5, 2]
    )
    expected = hyloop.run("dijkstra", h, source=1)
    distances = [None if value is None else int(value) for value in expected["distance"].values()]
    assert done.stdout == f"{expected.iterations} iterations: {distances}\n"


@hyloop.lang.algorithm
def counting(h):
    """A program that needs no head."""
    n = h.state(hyloop.lang.Count, 0)
    with h.loop(at_most=4) as loop:
        n.assign(n + 1)
        loop.stop_when(n == 3)
    return hyloop.lang.Outputs(n=n)


@pytest.mark.parametrize("name", ["levels", "helly", "degradation", "counting"])
def test_nothing_in_the_file_is_unused(tmp_path, name):
    model = hyloop.compile(counting if name == "counting" else name, Capacity(9, 9))
    assert any(layer.heads for layer in model.layers) is (name != "counting")
    to_onnx(model, tmp_path / "file.onnx")
    graph = onnx.load(tmp_path / "file.onnx").graph
    [loop] = [node for node in graph.node if node.op_type == "Loop"]
    body = loop.attribute[0].g
    used = {each for node in (*graph.node, *body.node) for each in node.input}
    made = {each for node in graph.node for each in node.output} | {weight.name for weight in graph.initializer}
    assert made - used == {"state", "iterations"}


@algorithm
def times(h, share: at_most(Count, 5), start: Vertices[Flag], cost: Hyperedges[Count]):
    """A product of each vertex, of numbers that are looked up in rows."""
    found = h.vertices.state(Count, 0)
    with h.loop(at_most=1) as loop:
        found.assign(smaller(h.incidence @ cost, 9) * share, where=start)
        loop.stop_when(True)
    return Outputs(found=found)


def test_too_few_rows_to_look_numbers_up_in_are_refused(opened):
    model = hyloop.compile(times, Capacity(10, 5))
    session, h = opened(model), hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    given = prepare(program_of(model), h, {"share": 3, "start": {"a", "b"}, "cost": [1, 2]})
    X = encode(model, frame_of(given))
    A = pad(model, h, len(X)).rows(0, len(X))
    least = model.layout.least + 1
    assert len(X) == least > 4
    state, _ = ran(session, X, A)
    assert state[1:4, model.layout.number("found")].tolist() == [3, 9, 0]
    with pytest.raises(Exception, match=f"X needs {least} rows or more"):
        ran(session, X[:4], A[:4, :4])


@pytest.mark.parametrize("name", [*ALGORITHMS, "times"])
def test_the_example_writes_the_first_state_of_any_file(name):
    """By what the file says of its columns alone."""
    example = runpy.run_path(str(ROOT / "examples" / "onnx_without_hyloop.py"))
    model = hyloop.compile(times if name == "times" else name, Capacity(30, 9))
    program = program_of(model)
    for case in draw_cases(model, 4, 1, []).cases:
        given = prepare(program, case.hypergraph, case.inputs)
        inputs = {key: np.array(value) if isinstance(value, tuple) else value for key, value in given.inputs.items()}
        X = example["first_state"](labels(model), len(case.hypergraph.vertices), list(given.weights), inputs)
        np.testing.assert_array_equal(X, encode(model, frame_of(given)))
