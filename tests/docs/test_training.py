"""docs/data.md: the code of "Train your own in twenty lines" on a tiny data set, and the tables of baselines."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from hyloop import data

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "data.md"


def code_of(file):
    """The code of the page that is saved under this name."""
    found = re.findall(r"^```py\n(# (\S+)\n.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    [code] = [code for code, name in found if name == file]
    return code


def test_the_code_of_the_page_trains_and_scores(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="data sets are Parquet files")
    pytest.importorskip("torch_geometric", reason="the page trains with PyTorch Geometric")
    monkeypatch.chdir(tmp_path)
    for name, sizes in (("train", [4, 5]), ("test", [5])):
        plan = data.custom(["levels"], sizes=sizes, generators=["uniform"], seeds=[1], count=6, split=name)
        data.make(plan, name, processes=1)
    exec(compile(code_of("batches.py"), "batches.py", "exec"), names := {})
    assert [key for _, keys in names["keyed"] for key in keys] == [each.key for each in data.load("train", "levels")]
    assert names["targets"].min() >= -1
    code = code_of("train.py")
    steps = [line for line in code.splitlines() if line and not line.startswith(("#", "import", "from"))]
    assert len(steps) <= 20
    exec(compile(code, "train.py", "exec"), {})
    [part] = data.score("predictions.parquet", "test")["parts"]
    assert (part["examples"], part["missing"]) == (6, 0)
    assert part["nodes"]["right"] > 0
    assert part["reference"]["graphs"] == {"right": 6, "all": 6}


@pytest.fixture(scope="module")
def table():
    spec = importlib.util.spec_from_file_location("examples_train_table", ROOT / "examples" / "train" / "table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(name):
    lines = (ROOT / "benchmarks" / "measured" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_table_of_baselines_is_what_was_measured(table):
    page, measured = PAGE.read_text(encoding="utf-8"), rows("baselines.jsonl")
    assert table.table(measured) in page
    assert {row["seeds"] for row in measured if row["model"] != "constant"} == {3}
    for row in measured:
        assert all(part["missing"] == 0 for part in row["score"].values())
        assert all(part["reference nodes"] == part["reference graphs"] == 1 for part in row["score"].values())


def test_the_sweep_of_compiled_starts_is_what_was_measured(table):
    assert table.sweep(rows("compiled_start.jsonl")) in PAGE.read_text(encoding="utf-8")
