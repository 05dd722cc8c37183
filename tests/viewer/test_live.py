"""The live page, from Python."""

import gzip
import io
import json
from urllib.request import Request, urlopen

import pytest

import hyloop
from hyloop.lang import Count, Flag, Hyperedges, Outputs, algorithm
from hyloop.viewer.asked import hypergraph as asked_hypergraph
from hyloop.viewer.live import maker, view
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


def asked_of(document):
    """The hypergraph of a trace, as the page sends it back."""
    h = document["hypergraph"]
    members = [[h["vertices"][number - 1] for number in each] for each in h["members"]]
    parts = zip(h["hyperedges"], h["weights"], members, strict=True)
    edges = [{"name": name, "weight": weight, "members": inside} for name, weight, inside in parts]
    return {"vertices": h["vertices"], "hyperedges": edges}


def answer_to(serving, path, body):
    headers = {"Content-Type": "application/json", "X-Hyloop-Token": serving.token}
    address = f"http://127.0.0.1:{serving.port}{path}"
    with urlopen(Request(address, json.dumps(body).encode(), headers), timeout=60) as answer:
        text = answer.read()
    return json.loads(gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text)


@pytest.mark.filterwarnings("ignore:.*though they look the same")
def test_long_integers_keep_their_directions_and_attributes():
    long = 2**53 + 1
    records = [("a", "tail"), (long, "head"), (str(long), "tail"), ("c", "head")]
    told = {
        "nodes": [{"node": long, "attrs": {"name": "n"}}],
        "incidences": [{"edge": long, "node": vertex, "direction": side} for vertex, side in records],
    }
    h = hyloop.read(io.StringIO(json.dumps(told)))
    first = hyloop.trace("reachable", h, source=long).document
    source = first["hypergraph"]["vertices"][h.vertex_number(long)]
    with view("reachable", h, {"source": long}) as serving:
        body = {"hypergraph": asked_of(first), "algorithm": "reachable", "inputs": {"source": source}}
        again = answer_to(serving, "/api/run", body)
        saved = answer_to(serving, "/api/hif", {"hypergraph": asked_of(first)})
    assert {**again["hypergraph"], "positions": None} == {**first["hypergraph"], "positions": None}
    assert (again["inputs"], again["columns"]) == (first["inputs"], first["columns"])
    assert hyloop.read(io.StringIO(json.dumps(saved))) == h


def test_an_input_is_the_label_itself_and_not_one_that_looks_the_same():
    h = hyloop.Hypergraph.from_hyperedges({"e": [1, "a"], "f": ["1", "b"]})
    first = hyloop.trace("levels", h, source="1").document
    with view("levels", h, {"source": "1"}) as serving:
        body = {"hypergraph": asked_of(first), "algorithm": "levels", "inputs": {"source": "1"}}
        again = answer_to(serving, "/api/run", body)
    assert again["inputs"] == first["inputs"]
    assert asked_hypergraph(asked_of(again)) == h


def test_a_removed_hyperedge_takes_its_entry_along_also_where_a_vertex_has_its_label():
    @algorithm
    def heaviest(h, load: Hyperedges[Count]):
        total = h.hyperedges.state(Count, 0)
        done = h.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done)
            total.assign(load)
            done.assign(True)
        return Outputs(total=total)

    seen = hyloop.Hypergraph.from_hyperedges({"a": ["a", "b"], "b": ["a"]})
    make = maker({"heaviest": heaviest}, "", seen, {"heaviest": {"load": {"a": 1, "b": 2}}})
    edited = hyloop.Hypergraph.from_hyperedges({"b": ["a", "b"]})
    assert make(edited, "heaviest", {}, {})["hypergraph"]["hyperedges"] == ["b"]
