"""The hypergraph of these tests."""

import pytest

from hyloop.hypergraph import Hypergraph


@pytest.fixture
def harbour() -> Hypergraph:
    return Hypergraph.from_hyperedges(
        {"ferry": ["Quay", "Isle"], "road": ["Quay", "Mill", "Farm"], "path": ["Farm", "Isle"]},
        weights={"ferry": 2, "path": 0.5},
        vertices=["Mill"],
    )
