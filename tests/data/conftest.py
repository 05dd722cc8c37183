"""A small data set for the tests of loaders and scores, made once."""

import pytest

from hyloop import data


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Ten examples each of an undirected algorithm, one on hyperedges, one with directions, one of the whole graph."""
    pytest.importorskip("pyarrow")
    found = tmp_path_factory.mktemp("small") / "data"
    names = ["dijkstra", "s_distance", "scc", "helly"]
    data.make(
        data.custom(names, sizes=[4, 7], generators=list(data.GENERATORS), seeds=[5], count=5, split="test"),
        found,
        processes=1,
    )
    return found
