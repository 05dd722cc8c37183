"""What stands behind the name of an input."""

from hyloop.lang import Count, Flag, Hyperedges, Length, Outputs, Vertex, Vertices, algorithm, at_most
from hyloop.lang.bounds import input_bound
from hyloop.lang.inputs import declared
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.program import Input
from hyloop.lang.text import from_text, to_text


def test_annotations_say_what_they_are():
    assert repr(Vertices[Flag]) == "Vertices[Flag]"
    assert repr(Hyperedges[at_most(Length, 3)]) == "Hyperedges[at_most(Length, 3)]"


def test_an_annotation_is_an_input():
    assert declared("a", Vertices[Flag]) == Input("a", Type(Kind.FLAG, Scope.VERTICES))
    assert declared("a", Hyperedges[at_most(Count, 7)]) == Input("a", Type(Kind.COUNT, Scope.HYPEREDGES), 7)
    assert declared("a", Vertex) == Input("a", Type(Kind.VERTEX))
    assert declared("a", at_most(Count, 7)) == Input("a", Type(Kind.COUNT), 7)


def test_counts_in_an_array_have_the_room_of_weights():
    rows, weight = 10, 5000
    assert input_bound(declared("a", Vertices[Count]), rows, weight) == weight
    assert input_bound(declared("a", Vertices[Count]), rows, 3) == rows
    assert input_bound(declared("a", Vertices[at_most(Count, 7)]), rows, weight) == 7
    assert input_bound(declared("a", Vertices[Flag]), rows, weight) == 1
    assert input_bound(declared("a", Vertices[Vertex]), rows, weight) == rows
    assert input_bound(declared("a", Count), rows, weight) == rows


@algorithm
def kept(h, start: Vertices[Flag], toll: Hyperedges[at_most(Length, 9)]):
    seen = h.vertices.state(Flag, False)
    with h.loop(at_most=1) as loop:
        seen.assign(start & h.covered(toll == h.weight))
        loop.stop_when(True)
    return Outputs(seen=seen)


def test_the_text_of_a_program_keeps_them():
    text = to_text(kept.program)
    assert "input start: flag[vertices]\ninput toll: length[hyperedges] at most 9\n" in text
    assert from_text(text) == kept.program
