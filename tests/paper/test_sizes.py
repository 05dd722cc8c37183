"""How large an algorithm is in each of its forms."""

from hyloop.algorithms import ALGORITHMS
from hyloop.paper.sizes import sizes


def test_an_algorithm_that_the_paper_has_not():
    found = sizes(ALGORITHMS["levels"])
    assert (found.claimed, found.corrected, found.compiled, found.least) == (None, None, 2, 2)
    assert found.one_a_layer > found.compiled


def test_one_that_it_has():
    found = sizes(ALGORITHMS["dijkstra"])
    assert (found.claimed, found.corrected, found.compiled) == (27, 15, 3)
