"""docs/data.md, "Train your own in twenty lines": the code of the page, on a tiny data set."""

import re
from pathlib import Path

import pytest

from hyloop import data

PAGE = Path(__file__).parents[2] / "docs" / "data.md"


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
