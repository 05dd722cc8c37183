"""examples/train in one process: what it prepares, its networks, and its table. tests/thorough trains for real."""

import importlib
import json
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from hyloop import data

pytest.importorskip("pyarrow", reason="data sets are Parquet files")
torch = pytest.importorskip("torch", reason="the networks are trained with PyTorch")

FOLDER = Path(__file__).parents[2] / "examples" / "train"
TASK = "levels"


@pytest.fixture(scope="module")
def scripts():
    """The scripts as modules, which import each other by their names."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        yield Namespace(**{name: importlib.import_module(name) for name in ("prepare", "models", "train", "table")})
        for name in ("prepare", "models", "train", "table"):
            patch.delitem("sys.modules", name, raising=False)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Tiny data sets: hypergraphs of 5 vertices to train on, of 7 as tests."""
    made = []
    for split, size in (("train", 5), ("test", 7)):
        made.append(tmp_path_factory.mktemp(split))
        plan = data.custom([TASK], sizes=[size], generators=["uniform"], seeds=[1], count=12, split=split)
        data.make(plan, made[-1], processes=1)
    return made


@pytest.fixture(scope="module")
def prepared(scripts, folders):
    """What prepare.py makes of them."""
    made = scripts.prepare.prepared(folders, TASK, largest=7)
    arrays = {name.removeprefix(f"{TASK}/"): value for name, value in made.items()}
    return json.loads(str(arrays.pop("about"))), arrays


def seeds_of(scripts, prepared, kind, temperature=0.05):
    given = Namespace(seeds=2, size=8, model=kind, temperature=temperature, noise=0.0)
    return scripts.train.Seeds(*prepared, given, "cpu")


def test_the_compiled_start_is_the_reference_while_attention_is_nearly_hard(scripts, prepared):
    about, arrays = prepared
    part = scripts.train.part_of(arrays, "test-7", "cpu")
    rounds = about["parts"]["test-7"]["rounds"]
    assert seeds_of(scripts, prepared, "compiled", 0.01).accuracy(part, rounds) == [1, 1]
    assert max(seeds_of(scripts, prepared, "compiled", 1000.0).accuracy(part, rounds)) < 1


@pytest.mark.parametrize("kind", ["looped", "hypergraph", "star"])
def test_each_seed_is_a_network_of_its_own_and_takes_a_step(scripts, prepared, kind):
    if kind == "hypergraph":
        pytest.importorskip("torch_geometric", reason="HypergraphConv is of PyTorch Geometric")
    about, arrays = prepared
    train, _ = scripts.train.split_of(about, arrays, "cpu")
    seeds = seeds_of(scripts, prepared, kind)
    answer, hints = seeds.losses(scripts.train.chosen(train, torch.tensor([[0, 1], [0, 1]])), 3, True)
    assert answer[0] != answer[1]  # the same examples, other weights
    (answer + hints).sum().backward()
    assert all(weight.grad.isfinite().all() for weight in seeds.weights.values())
    assert all(weight.grad[seed].any() for seed in (0, 1) for name, weight in seeds.weights.items() if "answer" in name)


@pytest.mark.parametrize("kind", ["looped", "hypergraph", "star"])
def test_what_stands_beside_an_example_does_not_matter(scripts, prepared, kind):
    """Padding, and the other examples of a batch, change nothing."""
    if kind == "hypergraph":
        pytest.importorskip("torch_geometric", reason="HypergraphConv is of PyTorch Geometric")
    _, arrays = prepared
    part = scripts.train.part_of(arrays, "test-7", "cpu")
    seeds = seeds_of(scripts, prepared, kind)
    together = seeds.predicted(part, 3)
    alone = [seeds.predicted(scripts.train.chosen(part, slice(at, at + 1)), 3) for at in range(len(part["A"]))]
    there = part["vertices"].expand_as(together)
    assert torch.equal(together[there], torch.cat(alone, dim=1)[there])


def test_lists_of_incidences_say_what_the_matrices_say(scripts, prepared):
    part = scripts.train.part_of(prepared[1], "test-7", "cpu")
    found = torch.zeros_like(part["A"])
    for example, (vertices, hyperedges) in enumerate(part["incidence"]):
        found[example, vertices, hyperedges] = 1
    found[:, 0, 0] = 0  # row 0 pads
    assert torch.equal(found, part["A"])
    nodes, hyperedges = scripts.models.members(part)
    vertices = nodes[nodes < part["there"].numel()]
    assert len(vertices) == part["A"].sum()
    assert len(hyperedges) == part["A"].sum() + part["hyperedges"].sum()


def test_in_turn_is_vmap(scripts):
    weights, batch = {"a": torch.arange(6.0).view(3, 2)}, {"x": torch.arange(12.0).view(3, 2, 2)}

    def told(w, b):
        return b["x"] @ w["a"], w["a"].sum()

    for one, other in zip(scripts.train.in_turn(told)(weights, batch), torch.vmap(told)(weights, batch), strict=True):
        assert torch.equal(one, other)


def row(**more):
    curve = [{"step": 0, "validation": [1.0, 1.0]}, {"step": 9, "validation": [0.25, 0.75]}]
    part = {"size": 16, "nodes": [0.5, 1.0], "graphs": [0.25, 0.5], "reference nodes": 1.0, "reference graphs": 1.0}
    told = {"task": "levels", "model": "star", "hints": False, "asked": 9, "steps": 9, "seconds": 4.2, "rate": 0.01}
    return told | {"curve": curve, "score": {"test-16": part}} | more


def test_the_table_has_mean_and_range_and_the_reference(scripts):
    lines = scripts.table.table([row(), row(hints=True)]).splitlines()
    assert lines[2] == "| levels | star expansion | 9 | 4 | 75.0 (50.0–100.0) | 37.5 |"
    assert lines[3].startswith("| levels | star expansion, hints |")
    assert lines[4] == "| levels | the reference |  |  | 100.0 | 100.0 |"


def test_the_most_frequent_answer_is_scored_as_a_network_is(scripts, folders, prepared, tmp_path):
    """It has a row in the table, so that a network that learned nothing else is seen."""
    arrays = prepared[1]
    numbers, counts = arrays["test-7/number"], arrays["test-7/counts"][:, 0]
    answers = np.zeros((2, len(numbers), counts.max()), np.int16)
    told = {"test-7/answers": answers, "test-7/number": numbers, "test-7/vertices": counts, "column": "output_level"}
    np.savez(tmp_path / "told.npz", **told)
    [(name, _, rows)] = scripts.table.constant(tmp_path / "told.npz", TASK, folders)
    levels = np.concatenate([each.outputs["level"] for each in data.load(folders[0], TASK, hints=False)])
    most = max(set(levels.tolist()), key=levels.tolist().count)
    assert name == "test-7"
    assert {int(value) for row in rows for value in row["output_level"]} == {most}
    score = scripts.table.scored(TASK, [(name, 0, rows)], folders)["test-7"]
    right = (arrays["test-7/answer"] == most + 1).sum() / counts.sum()
    assert score["nodes"] == [right]


def test_percentages_are_rounded_down(scripts):
    assert scripts.table.graphs([0.99, 0.99, 0.99]) == "99.0"
    assert scripts.table.graphs([1.0, 1.0, 0.9999]) == "99.9"
    assert scripts.table.nodes([1.0, 1.0, 1.0]) == "100.0"


def test_the_sweep_has_before_and_after(scripts):
    made = [row(model="compiled", temperature=t, rate=r) for t in (0.1, 0.05) for r in (1e-4, 1e-6)]
    lines = scripts.table.sweep(made).splitlines()
    assert lines[0] == "| temperature | before | rate 1e-06, 9 steps | rate 0.0001, 9 steps |"
    assert lines[2] == "| 0.05 | 100.0 | 50.0 (25.0–75.0) | 50.0 (25.0–75.0) |"
    assert len(lines) == 4


def test_a_row_is_known_again_by_what_it_was_trained_with(scripts, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row(model="compiled", temperature=0.05, noise=0.0)) + "\n", encoding="utf-8")
    again, other = (row(model="compiled", temperature=t, noise=0.0) for t in (0.05, 0.1))
    assert scripts.train.there_already(path, scripts.train.key_of(again))
    assert not scripts.train.there_already(path, scripts.train.key_of(other))
    assert scripts.train.name_of(again) != scripts.train.name_of(other)
    assert not np.array_equal(scripts.train.key_of(again), scripts.train.key_of(again | {"hints": True}))
