"""Examples in the manner of CLRS, with the real package."""

import pytest

from hyloop import data

pytest.importorskip("pyarrow")
clrs = pytest.importorskip("clrs", reason="the package of CLRS-30 brings jax")


def test_the_real_package_takes_it(tmp_path):
    data.make(data.custom(["dijkstra"], sizes=[5], seeds=[1], count=4), tmp_path / "data", processes=1)
    words = [
        {clrs.Stage.INPUT, clrs.Stage.OUTPUT, clrs.Stage.HINT},
        {clrs.Location.NODE, clrs.Location.GRAPH, "hyperedge", "incidence"},
        {clrs.Type.SCALAR, clrs.Type.MASK, clrs.Type.MASK_ONE, clrs.Type.POINTER},
    ]
    found = data.clrs_feedback(data.load(tmp_path / "data", "dijkstra")[:4])
    stages = {"input": found["inputs"], "output": found["outputs"], "hint": found["hints"]}
    for name, about in found["spec"].items():
        assert all(word in known for word, known in zip(about, words, strict=True)), name
        made = clrs.DataPoint(name, about[1], about[2], stages[about[0]][name])
        assert made.data.shape == stages[about[0]][name].shape
