"""The shipped pagerank beside networkx; and examples/pagerank.py on random hypergraphs (2,000 in `make test-all`),
and its proof at the default capacity."""

from itertools import islice, product

import networkx as nx
import pytest

import hyloop
from effort import TIMES
from hyloop import Hypergraph
from hyloop.prove import prove
from hyloop.samples import hypergraphs
from oracles import Sets
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


@pytest.mark.parametrize("directed", [False, True])
def test_ranks_are_those_of_networkx(directed):
    """But for what rounding and 40 rounds leave out; networkx lets no walk end, so all vertices are on a ring."""
    ring = [([v], [(v + 1) % 8, (v * v + 3) % 8]) for v in range(8)]
    H = Hypergraph.from_arcs(ring) if directed else Hypergraph.from_hyperedges([[*{*t, *h}] for t, h in ring])
    sets, graph = Sets.of(H), nx.DiGraph()
    for tails, heads in zip(sets.tails, sets.heads, strict=True):
        for u, v in product(tails, heads):
            graph.add_edge(u, v, weight=graph.get_edge_data(u, v, {"weight": 0})["weight"] + 1 / len(heads))
    real = nx.pagerank(graph, alpha=0.85, tol=1e-12)
    rank = [*hyloop.run("pagerank", H, rounds=40)["rank"].values()]
    lost = [800_000 * real[v] - rank[v] for v in range(8)]
    assert min(lost) > -0.01
    assert sum(lost) < 800_000 * 0.85**40 + sum(map(len, (*sets.tails, *sets.heads))) / 0.15
