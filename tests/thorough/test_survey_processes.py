"""Checks on many hypergraphs in several processes: the same as in one, with functions of the user's own as well."""

from fractions import Fraction

import hyloop


def own(h, source):
    """A wrong answer, now and then."""
    return {"distance": {source: Fraction(len(h.hyperedges) % 3 == 1)}}


def test_several_processes_find_the_same():
    alone, together = (
        hyloop.check_random("dijkstra", 60, processes=number, against=own, where=lambda h: len(h.vertices) > 1)
        for number in (1, 2)
    )
    assert alone == together
    assert 0 < alone.count("another answer") <= 60
