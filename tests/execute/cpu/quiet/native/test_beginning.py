"""What native code makes for the beginning of a run is what numpy makes."""

import numpy as np
import pytest

from hyloop.execute.cpu.sparse import Sparse, both_ways
from hyloop.execute.pages import empty
from hyloop.hypergraph import Incidence
from hyloop.machine.incidence import PaddedIncidence

pytest.importorskip("llvmlite")
from hyloop.execute.cpu.quiet.native.beginning import compress, compressed, fill


def drawn(vertices, hyperedges, entries, size=None):
    draw = np.random.default_rng(entries)
    pairs = draw.integers(0, vertices, entries), draw.integers(0, hyperedges, entries)
    incidence = Incidence.from_pairs(*pairs, (vertices, hyperedges))
    return PaddedIncidence.of_ones(size or max(vertices, hyperedges) + 1, incidence.indptr, incidence.indices)


@pytest.mark.parametrize("entries", [0, 1, 3, 60, 4000])
@pytest.mark.parametrize("sides", [(1, 1), (5, 40), (40, 5), (700, 700)])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_incidence_both_ways(entries, sides, dtype):
    incidence = drawn(*sides, entries, size=702)
    found = compressed(incidence, dtype, 709)
    assert set(found) == set(incidence.kinds)
    for kind, each in found.items():
        wanted = Sparse.of(incidence, kind, 709, dtype)
        for name in ("start", "target", "value"):
            ours, theirs = getattr(each, name), getattr(wanted, name)
            assert (ours.dtype, ours.tolist()) == (theirs.dtype, theirs.tolist())


def test_it_is_kept_where_there_are_many_entries_by_rows():
    many, few = drawn(700, 700, 4000), drawn(40, 40, 300)
    listed = PaddedIncidence(many.size, many.vertex, many.hyperedge, many.value)
    for incidence in (many, few, listed):
        compress(incidence, "float64", 704)
        both_ways(incidence, "float64", 704)
        assert ("transposed" in incidence.__dict__) is (incidence is not many)  # numpy needs it, native code does not


@pytest.mark.parametrize("count", [1, 7, 600])
def test_rows_have_their_columns_and_zeros(count):
    draw = np.random.default_rng(count)
    columns = [draw.integers(-(2**52), 2**52, count).astype(np.float64) for _ in range(3)]
    rows = empty((count, 16), np.int64)
    rows[:] = 7
    assert fill(rows, columns, [3, 0, 15])
    wanted = np.zeros((count, 16), np.int64)
    wanted[:, [3, 0, 15]] = np.array(columns).T
    assert np.array_equal(rows, wanted)


def test_columns_that_do_not_lie_together_or_are_short_floats_are_left_to_numpy():
    rows = empty((4, 8), np.int64)
    assert not fill(rows, [np.ones((4, 2))[:, 0]], [1])
    assert not fill(rows, [np.ones(4, np.float32)], [1])
    assert not fill(rows[:0], [np.ones(0)], [1])
