"""Dijkstra and Helly as printed do not work: the counterexamples of the errata."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import EVERYTHING
from hyloop.hypergraph import Hypergraph
from hyloop.paper import printed
from hyloop.paper.algorithms import ALGORITHMS
from hyloop.paper.oracles import ORACLES
from hyloop.paper.run import ProblemInstance, run
from hyloop.paper.steps import setting
from hyloop.paper.sweep import sweep_printed, weighted_incidence


def from_matrix(matrix):
    """A hypergraph from its weighted incidence: rows are vertices, columns hyperedges."""
    columns = list(zip(*matrix, strict=True))
    edges = [[row for row, entry in enumerate(column, start=1) if entry] for column in columns]
    return Hypergraph.from_hyperedges(edges, [max(column) for column in columns], vertices=range(1, len(matrix) + 1))


@pytest.mark.parametrize(
    ("matrix", "distances"),
    [
        pytest.param([[1], [0]], [None, 0], id="membership"),
        pytest.param([[1, 5], [1, 5]], [1, 0], id="order_of_phases"),
        pytest.param([[0, 2], [2, 2]], [2, 0], id="termination_array"),
    ],
)
def test_dijkstra_as_printed_fails_on_the_smallest_counterexamples(matrix, distances):
    """From vertex 2; the corrected one is right on each."""
    h, source = from_matrix(matrix), 1
    as_printed = printed.dijkstra(weighted_incidence(h), len(h.vertices), len(h.hyperedges), source + 1)
    assert as_printed is None or as_printed[1:3] != distances
    (corrected,) = run("dijkstra", [ProblemInstance(h, {"source": source})], setting())
    assert corrected.outputs["distance"] == distances == ORACLES["dijkstra"](h, source)["distance"]


def test_dijkstra_as_printed_is_right_on_no_input_and_does_not_end_on_some():
    count = 120 if EVERYTHING else 40
    found = sweep_printed("dijkstra", count)
    assert len(found.readings) == 2
    for right, wrong, endless in found.readings.values():
        assert right == 0
        assert wrong + endless == count
        assert endless > 0


memberships = st.integers(1, 5).flatmap(lambda n: st.lists(st.sets(st.integers(1, n)).map(sorted), max_size=5))


@given(memberships)
def test_helly_as_printed_says_not_helly_always(edges):
    """The first triple reads column 0, which is zero."""
    h = Hypergraph.from_hyperedges(edges, vertices=[1])
    assert printed.helly(weighted_incidence(h), len(h.vertices)) is False


@pytest.mark.parametrize(
    ("edges", "says", "truth"),
    [
        pytest.param([[1], [2]], False, True, id="two_that_do_not_meet"),
        pytest.param([[1, 2, 3], [1, 2, 4], [1, 3, 4], [2, 3, 4]], True, False, id="all_triples_of_four"),
    ],
)
def test_helly_read_charitably_is_another_property(edges, says, truth):
    h = Hypergraph.from_hyperedges(edges)
    assert printed.helly_from_one(weighted_incidence(h), len(h.vertices), len(h.hyperedges)) is says
    assert ORACLES["helly"](h)["helly"] is truth
    for name in ("helly", "helly-lemmas"):
        assert run(name, [ProblemInstance(h, {})], setting())[0].outputs["helly"] is truth


@pytest.mark.parametrize("name", sorted(set(ALGORITHMS) - {"dijkstra", "helly"}))
def test_the_paper_prints_no_other_whole_algorithm(name):
    assert sweep_printed(name, 10) is None
