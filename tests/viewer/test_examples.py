"""The hypergraphs that a page offers."""

from pathlib import Path

import hyloop
from hyloop.viewer.examples import EXAMPLES, example
from hyloop.viewer.page import static

FOLDER = Path(__file__).parents[2] / "examples"


def test_they_are_the_files_of_the_examples():
    for each in EXAMPLES:
        name = f"{each.name.replace(' ', '_')}.hif.json"
        assert static(f"examples/{name}") == (FOLDER / name).read_text(encoding="utf-8")
        assert each.hypergraph == hyloop.read(FOLDER / name)


def test_one_is_directed_and_the_first_is_the_harbour():
    assert [each.hypergraph.directed for each in EXAMPLES].count(True) == 1
    assert example().vertices[0] == "Quay"


def test_a_page_has_them_as_hif_with_a_place_for_each_vertex():
    for each in EXAMPLES:
        told = each.to_json()
        assert told["hif"].startswith("{")
        assert len(told["positions"]) == len(each.hypergraph.vertices)
