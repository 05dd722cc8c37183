"""The template runs as it is, under any name."""

import pytest

import hyloop
from hyloop.lang.template import template
from hyloop.lang.tracing import load


@pytest.mark.parametrize(
    ("name", "called"), [("walk", "walk"), ("any", "my_algorithm"), ("class", "my_algorithm"), ("2x", "my_algorithm")]
)
def test_it_runs(name, called, tmp_path):
    file = tmp_path / "own.py"
    file.write_text(template(name), encoding="utf-8")
    [found] = load(file)
    assert found.name == called
    h = hyloop.Hypergraph.from_hyperedges([[1, 2], [2, 3]], vertices=[1, 2, 3, 4])
    assert hyloop.run(found, h, source=1)["steps"] == {1: 0, 2: 1, 3: 2, 4: None}
