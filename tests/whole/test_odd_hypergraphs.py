"""A model run on a backend: the same on each, at odd sizes, and refused where it would not end."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import hyloop
from compiler.agreement import compiled
from effort import every
from hyloop import CapacityError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.checking import check
from hyloop.errors import ModelError
from hyloop.execute import cpu, dense
from hyloop.execute.prepare import program_of
from hyloop.samples import random_inputs

H = Hypergraph.from_hyperedges
ODD = {
    "nothing": H([]),
    "no hyperedges": H([], vertices=["a", "b", "c"]),
    "one vertex": H([], vertices=["a"]),
    "one of each": H([["a"]]),
    "only an empty hyperedge": H({"e": []}),
    "empty hyperedges": H({"e": [], "f": ["a"], "g": []}, vertices=["a", "z"]),
    "isolated vertices": H([["a", "b"]], vertices=["x", "a", "y", "b", "z"]),
    "equal hyperedges": H({"e": ["a", "b"], "f": ["a", "b"], "g": ["a", "b"]}),
    "everything in everything": H({f"e{n}": list("abcdefg") for n in range(9)}),
    "heavy": H({"e": ["a", "b"], "f": ["b", "c"]}, weights={"e": 10**5, "f": 99_999}),
    "fractions": H({"e": ["a", "b"], "f": ["b", "c"]}, weights={"e": Fraction(1, 3), "f": Fraction(7, 11)}),
}


@pytest.mark.parametrize("engine", ["native", "numpy"])
@pytest.mark.parametrize("name", every(3, ALGORITHMS))
def test_odd_hypergraphs(name, engine, monkeypatch):
    if engine == "native":
        pytest.importorskip("llvmlite")
    monkeypatch.setenv("HYLOOP_CPU_ENGINE", engine)
    rng, model = np.random.default_rng(0), compiled(name)
    for what, h in ODD.items():
        inputs = random_inputs(program_of(name), h, rng)
        if inputs is None:
            continue
        for padding in (0, 1):
            found = check(model, h, padding=padding, backend="cpu", **inputs)
            assert found.agrees, f"{what}: {found.difference}"
        expected = hyloop.run(name, h, backend="interpreter", **inputs)
        found = hyloop.run(name, h, backend="cpu", **inputs)
        assert replace(found, backend="interpreter", memory=None) == expected, what


def test_a_model_from_a_file_on_every_backend(tmp_path):
    file = tmp_path / "dijkstra.safetensors"
    hyloop.save(hyloop.compile("dijkstra", hyloop.Capacity(20, 20)), file)
    model, h = hyloop.load(file), H([["a", "b"], ["b", "c"], ["c", "d"]])
    expected = {"a": 0, "b": 1, "c": 2, "d": 3}
    assert all(hyloop.run(model, h, backend=each, source="a")["distance"] == expected for each in ("cpu", "dense"))
    with pytest.raises(CapacityError):
        hyloop.run(model, H({"e": ["a", "b"], "f": ["b"]}, weights={"e": 21}), source="a")
    with pytest.raises(CapacityError):
        hyloop.run(model, H([[f"v{n}" for n in range(21)]]), source="v0")


def test_the_dense_formulas_are_refused_where_they_would_not_end(monkeypatch):
    monkeypatch.setattr(dense, "MOST_ROWS", 5)
    h = H([list("abcdef")])
    with pytest.raises(CapacityError, match="every pair of rows"):
        hyloop.run("levels", h, source="a", backend="dense")
    with pytest.raises(CapacityError, match="every pair of rows"):
        check(hyloop.compile("levels"), h, source="a", backend="cpu")
    assert hyloop.run("levels", h, source="a")["level"] == {"a": 0, **dict.fromkeys("bcdef", 1)}


def test_a_backend_that_makes_no_progress_is_an_error(monkeypatch):
    class Stuck:
        def __init__(self, session):
            self.session = session

        def __getattr__(self, name):
            return getattr(self.session, name)

        def advance(self, iterations):
            """Do nothing, as code for another model may."""

    start = cpu.start
    monkeypatch.setattr(cpu, "start", lambda *args: Stuck(start(*args)))
    with pytest.raises(ModelError, match="no progress after iteration 0"):
        hyloop.run("levels", H([["a", "b"]]), source="a", backend="cpu")
