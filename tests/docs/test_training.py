"""docs/data.md, "Train your own in twenty lines": the code of the page, on a tiny data set."""

import re
from pathlib import Path

import pytest

from hyloop import data

PAGE = Path(__file__).parents[2] / "docs" / "data.md"


def test_the_code_of_the_page_trains_and_scores(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="data sets are Parquet files")
    pytest.importorskip("torch_geometric", reason="the page trains with PyTorch Geometric")
    monkeypatch.chdir(tmp_path)
    for name, sizes in (("train", [4, 5]), ("test", [5])):
        plan = data.custom(["levels"], sizes=sizes, generators=["uniform"], seeds=[1], count=6, split=name)
        data.make(plan, name, processes=1)
    [code] = re.findall(r"^```py\n(# train\.py\n.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    steps = [line for line in code.splitlines() if line and not line.startswith(("#", "import", "from"))]
    assert len(steps) <= 20
    exec(compile(code, "train.py", "exec"), {})
    [part] = data.score("predictions.parquet", "test")["parts"]
    assert (part["examples"], part["missing"]) == (6, 0)
    assert part["nodes"]["right"] > 0
    assert part["reference"]["graphs"] == {"right": 6, "all": 6}
