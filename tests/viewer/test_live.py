"""The live page, from Python."""

from urllib.request import urlopen

import hyloop
from hyloop.viewer.live import view
from hyloop.viewer.page import document_of


def test_a_page_is_served_with_the_run():
    h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})
    told = []
    with (
        view("levels", h, {"source": "Quay"}, name="boats.json", progress=told.append) as serving,
        urlopen(serving.address, timeout=60) as answer,  # noqa: S310  (our own server)
    ):
        document = document_of(answer.read().decode())
    assert document["algorithm"]["name"] == "levels"
    assert document["hypergraph"]["name"] == "boats.json"
    assert told
