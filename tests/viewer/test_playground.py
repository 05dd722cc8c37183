"""A page with all algorithms inside."""

import hyloop
from hyloop.recording import Trace
from hyloop.viewer.page import document_of, policy
from hyloop.viewer.playground import playground

H = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})


def test_it_shows_the_run_under_the_same_policy():
    told = []
    html = playground("levels", H, {"source": "Quay"}, name="boats.json", progress=told.append)
    document = document_of(html)
    assert document["algorithm"]["name"] == "levels"
    assert document["hypergraph"]["name"] == "boats.json"
    assert policy() in html
    assert told


def test_with_all_algorithms_it_has_less_than_a_megabyte_and_with_one_less_than_400_kilobytes():
    assert len(playground("dijkstra", H, {"source": "Quay"}).encode()) < 1_000_000
    assert len(hyloop.trace("dijkstra", H, source="Quay").page().encode()) < 400_000


def test_it_can_be_read_back(tmp_path):
    (tmp_path / "page.html").write_text(playground("levels", H, {"source": "Quay"}), encoding="utf-8")
    assert Trace.load(tmp_path / "page.html").at(2)["level"] == {"Quay": 0, "Isle": 1}


def test_a_large_hypergraph_is_recorded_without_layers():
    many = hyloop.Hypergraph.from_hyperedges({"all": range(2001)})
    assert not document_of(playground("components", many, {}))["recorded"]["layers"]
