"""What the tests of all adapters share."""

import sys
import warnings

import pytest

import hyloop


@pytest.fixture(scope="session")
def lesmis(shared) -> hyloop.Hypergraph:
    file = shared / "data" / "lesmis.hif.json"
    if not file.is_file():
        pytest.skip(f"there is no file {file}")
    return hyloop.read(file)


@pytest.fixture(scope="session")
def library():
    """A function that imports a library with whatever warnings it has, or skips the test."""

    def imported(name: str):
        limit = sys.getrecursionlimit()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return pytest.importorskip(name)
        finally:
            sys.setrecursionlimit(limit)  # some set their own

    return imported
