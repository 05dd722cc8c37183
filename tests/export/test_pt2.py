"""A file of one iteration runs in PyTorch alone: the numbers of the module, for any batch and any number of rows."""

import json
import sys
import warnings

import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.export import to_pt2, to_torch

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch = pytest.importorskip("torch")

FERRIES = hyloop.Hypergraph.from_hyperedges({"ferry": list("QIC"), "launch": list("QM")}, weights={"ferry": 4})


@pytest.mark.parametrize("name", ["dijkstra", "reachable"])  # the second tells tails from heads
def test_the_file_computes_what_the_module_computes(compiled, name, tmp_path):
    model = compiled(name)
    module = to_torch(model)
    to_pt2(model, tmp_path / "model.pt2")
    about = {"model.json": ""}
    step = torch.export.load(tmp_path / "model.pt2", extra_files=about).module()
    columns = json.loads(json.loads(about["model.json"])["columns"])
    assert [column["name"] for column in columns] == list(module.columns)
    others = [(FERRIES, {"source": "M"}), hyloop.Hypergraph.from_hyperedges({i: ["Q", "R"] for i in range(11)})]
    X, A = module.encode([*others, others[1]], source="Q")
    for found in module.iterate(X, A):
        running = ~found.halted
        assert torch.equal(step(found.X, A)[running], module.step(found.X, A)[running])


def test_where_it_cannot_be_written(compiled, tmp_path):
    with pytest.raises(HyloopError, match="cannot be written"):
        to_pt2(compiled("degradation"), tmp_path / "nowhere" / "model.pt2")


def test_without_torch(compiled, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "hyloop.export.pt2", raising=False)
    with pytest.raises(HyloopError, match=r"needs PyTorch, which is not installed: pip install 'hyloop\[torch\]'"):
        to_pt2(compiled("bfs"), tmp_path / "bfs.pt2")
