"""From what a user gives to a run that can begin: the same integers, first state and incidence for everybody."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import hyloop
from hyloop import Capacity, CapacityError, HyloopError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.loop import finish
from hyloop.execute.prepare import (
    encoded,
    encoded_batch,
    frame_of,
    given_to,
    memory_needed,
    prepare,
    program_of,
    require_room,
)
from hyloop.lang import Count, Length, Outputs, Vertex, algorithm
from hyloop.lang.text import from_text, to_text
from hyloop.lang.tracing import OPTIONS

H = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c", "d"]}, weights={"e": Fraction(1, 2), "f": 3})
SMALL = Hypergraph.from_hyperedges([["a"]])


@pytest.fixture(scope="module")
def model():
    return hyloop.compile("dijkstra", Capacity(20, 100))


def test_a_name_an_algorithm_a_program_and_a_model_stand_for_one_program(model):
    program = program_of("dijkstra")
    assert program_of(ALGORITHMS["dijkstra"]) is program_of(program) is program
    assert program_of(model) is program_of(model)  # parsed once
    assert program_of(model).states == program.states


def test_a_name_that_is_none_is_told_with_the_nearest():
    with pytest.raises(HyloopError, match=r"'folder/mine.py' is a file, .* from mine import mine\.$"):
        program_of("folder/mine.py")
    with pytest.raises(HyloopError, match=r"There is no algorithm 'dijsktra'\. Did you mean dijkstra\?$"):
        program_of("dijsktra")


def test_no_input_has_the_name_of_an_option():
    @algorithm
    def wrong(h, source: Vertex):
        """In its text, the input is called like an option; `@algorithm` refuses that in Python."""
        reached = h.vertices.state(Count, 0)
        reached[source] = 1
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
            reached.assign(reached)
        return Outputs(reached=reached)

    assert "progress" in OPTIONS
    with pytest.raises(HyloopError, match="wrong has an input called 'progress', but every run has an option"):
        program_of(from_text(to_text(wrong.program).replace("source", "progress")))


def test_labels_become_numbers_from_1_and_weights_integers_of_one_unit():
    given = given_to(program_of("dijkstra"), H, {"source": "b"})
    assert (given.inputs, given.weights, given.unit) == ({"source": 2}, (1, 6), Fraction(1, 2))
    assert (given.counts, given.rows) == ((4, 2), 4)
    assert frame_of(given, 3) == Frame(4, 2, (1, 6), {"source": 2}, 3)


def test_lengths_share_the_unit_of_the_weights():
    @algorithm
    def within(h, budget: Length):
        """It keeps a length."""
        kept = h.state(Length, 0)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
            kept.assign(budget)
        return Outputs(kept=kept)

    given = prepare(within.program, H, {"budget": Fraction(1, 3)})
    assert (given.inputs, given.weights, given.unit) == ({"budget": 2}, (3, 18), Fraction(1, 6))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "dijkstra needs source, a vertex"),
        ({"source": "a", "sink": "b"}, "dijkstra has no input 'sink'; it takes source"),
        ({"source": "z"}, "'z'"),
    ],
)
def test_inputs_that_do_not_fit_the_program(inputs, message):
    with pytest.raises(HyloopError, match=message):
        given_to(program_of("dijkstra"), H, inputs)


def test_hypergraphs_of_other_libraries_and_directed_ones():
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(["a", "b", "c"])
    assert given_to(program_of("bfs"), graph, {"source": "a"}).counts == (3, 2)
    directed = networkx.DiGraph([("a", "b")])
    with pytest.raises(HyloopError, match="directed"):
        given_to(program_of("bfs"), directed, {"source": "a"})
    assert given_to(program_of("bfs"), directed, {"source": "a"}, ignore_direction=True).counts == (2, 1)


@pytest.mark.parametrize("padding", [0, 2])
def test_an_input_is_encoded_as_the_encoder_does(model, padding):
    given = given_to(program_of(model), H, {"source": "a"})
    begin = encoded(model, given, padding)
    assert np.array_equal(begin.X, encode(model, Frame(4, 2, (1, 6), {"source": 1}, padding)))
    assert begin.X.dtype == model.dtype
    assert begin.size == begin.incidence.size == 5 + padding
    assert np.array_equal(begin.incidence.rows(0, begin.size), pad(model, H, begin.size).rows(0, begin.size))


def test_what_does_not_fit_is_refused(model):
    heavy = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b"]}, weights={"e": 101})
    with pytest.raises(CapacityError, match="weighs 101 in integer units"):
        encoded(model, given_to(program_of(model), heavy, {"source": "a"}))
    with pytest.raises(CapacityError, match="With 17 padding rows there are 21 rows besides row 0"):
        encoded(model, given_to(program_of(model), H, {"source": "a"}), padding=17)


def test_a_batch_has_the_size_of_its_largest_input(model):
    givens = [given_to(program_of(model), h, {"source": "a"}) for h in (SMALL, H)]
    X, incidences = encoded_batch(model, givens)
    assert X.shape == (2, 5, len(model.layout))
    assert [each.size for each in incidences] == [5, 5]
    for place, (given, padding) in enumerate(zip(givens, (3, 0), strict=True)):
        alone = encoded(model, given, padding)
        assert np.array_equal(X[place], alone.X)
        assert np.array_equal(incidences[place].rows(0, 5), alone.incidence.rows(0, 5))


@pytest.mark.parametrize("backend", ["cpu", "dense"])
def test_a_session_starts_at_the_first_state_or_where_an_earlier_one_was(model, backend):
    begin = encoded(model, given_to(program_of(model), H, {"source": "a"}))
    whole, half = begin.start(backend), begin.start(backend)
    assert np.array_equal(whole.state(), begin.X)
    finish(whole, 10)
    half.advance(2)
    resumed = begin.start(backend, resumed=half.state())
    finish(resumed, 10)
    assert np.array_equal(resumed.state(), whole.state())
    assert resumed.iterations()[0] == whole.iterations()[0] - 2


def test_memory_is_told_of_a_model_that_needs_many_rows(monkeypatch):
    model = hyloop.compile("levels", Capacity(rows=10, weight=1))
    wide = replace(model, layout=replace(model.layout, least=7_000_000))
    given = prepare(program_of("levels"), Hypergraph.from_hyperedges([["a", "b"]]), {"source": "a"})
    monkeypatch.setattr("hyloop.memory.free_bytes", lambda: 10**8)
    with pytest.raises(HyloopError, match=r"levels on 2 rows takes about [\d,.]+ .B of memory, and 100 MB"):
        require_room(wide, given)


def test_memory_is_told_before_it_is_taken(monkeypatch):
    h = Hypergraph.from_arrays([0], [0], counts=(10**6, 1))
    program = program_of("levels")
    model = hyloop.compile("levels", hyloop.Capacity(10**6, 1))
    given = prepare(program, h, {"source": 0})
    assert memory_needed(model, given) > 10**6 * len(model.layout) * 8
    monkeypatch.setattr("hyloop.memory.free_bytes", lambda: 10**8)
    with pytest.raises(HyloopError, match=r"levels on 1,000,000 rows takes about \d+ MB of memory, and 100 MB"):
        encoded(model, given)
