"""examples/pagerank.py: PageRank with quotients, in at most 10 layers, held against three oracles."""

from itertools import islice
from pathlib import Path

import hyloop
from hyloop.lang.tracing import load
from hyloop.samples import hypergraphs
from whole.pageranks import POINTS, one_by_one, together, unrounded

[PAGERANK] = load(Path(__file__).parents[2] / "examples" / "pagerank.py")
MODEL = hyloop.compile(PAGERANK)


def test_it_takes_five_layers():
    """As many as any schedule needs: Ãᵀ, a quotient, Ã, a quotient, a quotient. With bits by hand there were 29."""
    assert len(MODEL.layers) == 5
    assert len(MODEL.layout) <= 26
    assert MODEL.capacity.rows == 131_071
    assert MODEL.layout.least == POINTS


def test_ranks_are_those_of_the_oracles():
    for h in islice(hypergraphs(3, vertices=8, hyperedges=8), 12):
        result = hyloop.run(MODEL, h)
        rank, rounds = together(h)
        assert result["rank"] == rank == one_by_one(h)
        assert result.iterations == rounds + 2


def test_rounding_down_takes_little_and_gives_nothing():
    for h in islice(hypergraphs(4, vertices=8, hyperedges=8), 12):
        rank, real = together(h)[0], unrounded(h)
        incidences = sum(len(h.members_of(e)) for e in h.hyperedges)
        assert all(rank[v] <= real[v] + 1e-6 for v in h.vertices)
        assert sum(real.values()) - sum(rank.values()) <= (2 * len(h.vertices) + 2 * incidences) / 0.15
        assert sum(rank.values()) <= POINTS
