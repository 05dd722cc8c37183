"""The hypergraphs whose labels the viewer's tests count are drawn where the page draws them."""

import json
from pathlib import Path

import pytest

import hyloop
from hyloop.recording.describe import hypergraph_document

ROOT = Path(__file__).parents[2]
DRAWN = json.loads((ROOT / "viewer" / "test" / "drawn.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["citric_acid_cycle", "davis", "harbour"])
def test_examples_are_those_of_the_page(name):
    h = hyloop.read(ROOT / "examples" / f"{name}.hif.json")
    assert json.loads(json.dumps(hypergraph_document(h, name))) == DRAWN[name]
