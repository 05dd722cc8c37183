"""examples/pagerank.py on random hypergraphs (2,000 in `make test-all`), and its proof at the default capacity."""

from itertools import islice

import hyloop
from effort import TIMES
from hyloop.prove import prove
from hyloop.samples import hypergraphs
from whole.pageranks import together
from whole.test_pagerank import MODEL


def test_ranks_on_many_hypergraphs():
    for h in islice(hypergraphs(5, vertices=9, hyperedges=9), 200 * TIMES):
        rank, rounds = together(h)
        result = hyloop.run(MODEL, h)
        assert result["rank"] == rank
        assert result.iterations == rounds + 2


def test_it_is_proved():
    assert prove(MODEL).answer == "proved"
