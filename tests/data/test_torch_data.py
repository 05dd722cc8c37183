"""Data sets for torch, with the real package: batches of a `DataLoader`, padded and packed."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the loader for torch needs torch")
from torch.utils.data import DataLoader  # noqa: E402 (after the check that it is there)

from hyloop import HyloopError, data  # noqa: E402
from hyloop.data.predictions import read_predictions  # noqa: E402
from hyloop.data.torch_data import TorchSamples, pack, pad  # noqa: E402


def test_padded_batches(small):
    samples = TorchSamples(data.load(small, "dijkstra", hints=False))
    batches = list(DataLoader(samples, batch_size=4, collate_fn=pad))
    assert [len(batch["vertex"]) for batch in batches] == [4, 4, 2]
    wanted = data.padded(samples.samples[:4])
    for name, value in batches[0].items():
        assert isinstance(value, torch.Tensor)
        assert np.array_equal(value.numpy(), wanted[name]), name
    assert batches[0]["vertex"].dtype == torch.float32
    assert batches[0]["output_predecessor"].dtype == torch.int64


def test_packed_batches_train(small):
    layer = torch.nn.Linear(2, 3)
    [batch] = DataLoader(TorchSamples(data.load(small, "dijkstra", hints=False)), batch_size=10, collate_fn=pack)
    told, (vertex, edge) = layer(batch["vertex"]), batch["incidence"]
    inside = torch.zeros(len(batch["hyperedge"]), 3).index_add(0, edge, told[vertex])
    assert len(batch["output_distance"]) == len(told)
    inside.sum().backward()
    assert layer.weight.grad.abs().sum() > 0


def test_predictions_may_be_tensors(tmp_path):
    key = {"algorithm": "dijkstra", "part": "test-4", "number": 3}
    levels = torch.tensor([[0.5, 2.0], [3.0, 1.0]], requires_grad=True)
    with pytest.raises(HyloopError, match=r"output_x holds float32, .* \.detach\(\)\.round\(\)\.long\(\) of a tensor"):
        data.write_predictions(tmp_path / "a.parquet", [{**key, "output_x": levels[0]}])
    row = {**key, "number": torch.tensor(3), "output_x": levels.argmax(dim=1)}
    data.write_predictions(tmp_path / "a.parquet", [row])
    [(found, told)] = read_predictions(tmp_path / "a.parquet").items()
    assert (found, told["output_x"].tolist()) == (("dijkstra", "test-4", 3), [1, 0])
