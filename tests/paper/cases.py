"""Hypergraphs, tasks and settings that the tests of the algorithms share."""

import pytest
from hypothesis import strategies as st

from hyloop.hypergraph import Hypergraph
from hyloop.paper.algorithms import ALGORITHMS
from hyloop.paper.run import ProblemInstance
from hyloop.paper.steps import setting

SETTINGS = {
    "parabola-float64": setting(),
    "parabola-float32": setting(rows=20, weight=100, dtype="float32"),
    "circle-float64": setting(rows=20, weight=100, code="circle"),
    "circle-float32": setting(rows=20, weight=100, code="circle", dtype="float32"),
}
all_settings = pytest.mark.parametrize("given_setting", SETTINGS.values(), ids=SETTINGS)
all_algorithms = pytest.mark.parametrize("name", ALGORITHMS)


def hypergraph(hyperedges, weights=None, *, vertices=0):
    return Hypergraph.from_hyperedges(hyperedges, weights=weights, vertices=range(1, vertices + 1))


def task(name, h, source=0):
    """Vertices are numbered from 0 here, so vertex 1 of the table is 0."""
    return ProblemInstance(h, dict.fromkeys(ALGORITHMS[name].inputs, source))


@st.composite
def hypergraphs(draw, largest=6):
    vertices = draw(st.integers(1, largest))
    members = st.sets(st.integers(1, vertices)).map(sorted)
    edges = draw(st.lists(members, max_size=largest))
    weights = draw(st.lists(st.integers(1, 9), min_size=len(edges), max_size=len(edges)))
    return hypergraph(edges, weights, vertices=vertices)
