"""Arrays in the words of a command line."""

import re

import pytest

from hyloop.errors import HyloopError
from hyloop.execute.array_text import array_text
from hyloop.hypergraph import Annotations, Hypergraph
from hyloop.lang import Count, Flag, Hyperedges, Length, Outputs, Vertex, Vertices, algorithm
from hyloop.lookup import inputs_from_text
from hyloop.numbers import Exact

ODD = Hypergraph.from_hyperedges(
    {"a:b": ["x, y", 1, "1"], "f": ["1"]},
    vertices=["x, y", 1, "1", "@z"],
    annotations=Annotations(vertex_attributes={1: {"n": 4}, "1": {"n": 5}}),
)


@algorithm
def example(h, start: Vertices[Flag], load: Vertices[Count], toll: Hyperedges[Length], to: Hyperedges[Vertex]):
    seen, at = h.vertices.state(Count, 0), h.hyperedges.state(Length, 0)
    with h.loop(at_most=1) as loop:
        seen.assign(load, where=start)
        at.assign(toll, where=to.exists)
        loop.stop_when(True)
    return Outputs(seen=seen, at=at)


def read(text):
    return next(iter(inputs_from_text(example.program, ODD, [text]).values()))


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ('start="x, y",1', {"x, y": True, 1: True, "1": False, "@z": False}),
        ("start=", {"x, y": False, 1: False, "1": False, "@z": False}),
        ('start= "1" , @z', {"x, y": False, 1: False, "1": True, "@z": True}),
        ('load="x, y":3,1:4,"1":5,"@z":6', {"x, y": 3, 1: 4, "1": 5, "@z": 6}),
        ("load=1:4,default=0", {"x, y": 0, 1: 4, "1": 0, "@z": 0}),
        ("load=default=2", {"x, y": 2, 1: 2, "1": 2, "@z": 2}),
        ("load=@n,default=7", {"x, y": 7, 1: 4, "1": 5, "@z": 7}),
        ("toll=a:b:1/3,f:0.5", {"a:b": Exact(1, 3), "f": Exact(1, 2)}),
        ('to=a:b:"x, y",f:', {"a:b": "x, y", "f": None}),
        ("to=@none,default=", {"a:b": None, "f": None}),
        ("to=@none,default=1", {"a:b": 1, "f": 1}),
    ],
)
def test_an_array_is_read_and_written(text, entries):
    assert read(text) == entries
    name = text.partition("=")[0]
    assert read(f"{name}={array_text(entries)}") == entries


@pytest.mark.parametrize(
    "text", ['a"b,c', 'a",b', '"a","b"', 'a"b:c', "a\\,b", 'a\\",b', "\n,", "é:", " x", '"', '"a"']
)
def test_every_label_can_be_written(text):
    """As `hyloop check` prints an input that shows a difference."""
    h = Hypergraph.from_hyperedges({text: [text, "a", "b"], "a": ["b"]})
    for name, entries in {
        "start": {text: True, "a": False, "b": True},
        "load": {text: 3, "a": 4, "b": 5},
        "to": {text: text, "a": "b"},
    }.items():
        given = f"{name}={array_text(entries)}"
        assert inputs_from_text(example.program, h, [given]) == {name: entries}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("start=1,1", "The input start names 1 twice."),
        ("start=2", "There is no vertex"),
        ("load=1:4,1:5,default=0", "The input load names 1 twice."),
        ("load=1:4,default=0,default=1", "The input load has 2 defaults; one is enough."),
        ("load=3,4", "LABEL:VALUE for each, with commas between, or @ATTRIBUTE; '3' is none."),
        ("load=1:few", "The input load of vertex 1 is a number, not 'few'."),
        ("load=@n", "the attribute 'n', which vertex 'x, y' does not have"),
        ("load=1:nan,default=1", "The input load of vertex 1 is a number, not 'nan'."),
        ("load=1:1e999999999,default=1", "The input load of vertex 1 cannot be used: 1E+999999999 is beyond the limit"),
        ("load=@n,default=", "The default of the input load is a number, not ''."),
        ("to=f:zz,a:b:1", "The input to of hyperedge 'f': There is no vertex 'zz' in this hypergraph."),
        ("load=@n,default=x", "The default of the input load is a number, not 'x'."),
    ],
)
def test_what_is_refused(text, told):
    with pytest.raises(HyloopError, match=re.escape(told)):
        read(text)
