"""Matrices as the users of scipy make them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hyloop import io
from hyloop.errors import HyloopError, HyloopWarning, HypergraphError
from hyloop.hypergraph import Hypergraph, IncidenceRecord
from hyloop.interop import as_hypergraph, from_scipy, to_scipy


@pytest.fixture
def sparse(library):
    return library("scipy.sparse")


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "csr_matrix", "lil_matrix", "dok_array"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.float32])
def test_scipy_matrices_of_all_forms_are_read(sparse, form, dtype):
    matrix = getattr(sparse, form)(np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 0]], dtype))
    found = as_hypergraph(matrix)
    assert found == Hypergraph.from_hyperedges({0: [0, 1], 1: [1], 2: []}, vertices=[0, 1, 2, 3])


def test_scipy_entries_are_what_scipy_says(sparse):
    entries = ([1, 1, 0.5, 0], ([0, 0, 1, 2], [0, 0, 0, 0]))  # two that add up, and a zero that is stored
    H = from_scipy(sparse.coo_array(entries, shape=(3, 1)), [0.1], ["a", "b", "c"], ["e"])
    assert (H.vertices, H.members_of("e"), H.weights) == (("a", "b", "c"), ("a", "b"), (Fraction(1, 10),))
    assert H.annotations.incidences == {
        ("e", "a"): (IncidenceRecord(None, Fraction(2)),),
        ("e", "b"): (IncidenceRecord(None, Fraction(1, 2)),),
    }


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64])
def test_scipy_entries_of_one_place_do_not_wrap_around(sparse, dtype):
    entries = (np.ones(257, dtype), ([0] * 256 + [1], [0] * 257))
    assert from_scipy(sparse.coo_array(entries, shape=(3, 1))).members_of(0) == (0, 1)


def test_scipy_entries_that_cannot_be_added_up_are_refused(sparse):
    entries = (np.full(2, 2**63, np.uint64), ([0, 0], [0, 0]))
    with pytest.raises(HypergraphError, match="too large to be added up exactly"):
        from_scipy(sparse.coo_array(entries, shape=(1, 1)))


def test_scipy_weights_may_be_given_by_label(sparse):
    matrix = sparse.csr_array(np.array([[1, 0], [1, 1]]))
    assert from_scipy(matrix, {2: 20, 1: 10}, hyperedges=[1, 2]).weights == (10, 20)
    assert from_scipy(matrix, {1: 3}).weights == (1, 3)
    for weights in ({70, 3}, matrix):
        with pytest.raises(HypergraphError, match="a dictionary from labels to numbers, or a list of numbers; not "):
            from_scipy(matrix, weights)
    with pytest.raises(HypergraphError, match="hyperedge 'x'"):
        from_scipy(matrix, {"x": 1})


def test_scipy_adjacency_is_warned_of(sparse):
    with pytest.warns(HyloopWarning, match="like the adjacency matrix of a graph"):
        as_hypergraph(sparse.csr_array(np.array([[0, 1], [1, 0]])))


def test_scipy_faults_are_named(sparse):
    matrix = sparse.csr_array(np.array([[1, 1], [0, 1]]))
    with pytest.raises(HypergraphError, match="negative entries"):
        from_scipy(-matrix)
    with pytest.raises(HypergraphError, match="negative entries"):  # also where those of one place would cancel
        from_scipy(sparse.coo_array(([1, -1], ([0, 0], [0, 0])), shape=(1, 1)))
    with pytest.raises(HypergraphError, match="real entries"):
        from_scipy(matrix * 1j)
    with pytest.raises(HypergraphError, match="There are 1 weights for 2 hyperedges"):
        from_scipy(matrix, [1])
    with pytest.raises(HypergraphError, match="There are 3 labels of vertices for 2 rows"):
        from_scipy(matrix, vertices=["a", "b", "c"])
    with pytest.raises(HypergraphError, match="Two vertices have the same label"):
        from_scipy(matrix, vertices=["a", "a"])
    for labels in ("ab", b"ab", {"a", "b"}, {0: "a", 1: "b"}, {"a": 1, "b": 0}):
        with pytest.raises(HypergraphError, match="labels of hyperedges are a list, in the order of the columns; not "):
            from_scipy(matrix, hyperedges=labels)
    with pytest.raises(HypergraphError, match=r"\[labels\[row\] for row in range\(len\(labels\)\)\] is one"):
        from_scipy(matrix, vertices={0: "a", 1: "b"})
    with pytest.raises(HypergraphError, match="weight of hyperedge 0 is -1"):
        from_scipy(matrix, [-1, 1])


@pytest.mark.usefixtures("sparse")
def test_scipy_matrix_is_ready_for_algebra():
    H = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"]}, weights=[0.5, 2])
    incidence, weights, vertices, hyperedges = to_scipy(H)
    assert (incidence @ weights).tolist() == [0.5, 2.5, 2.0]
    assert (vertices, hyperedges) == (("a", "b", "c"), ("e", "f"))
    incidence.data[:], incidence.indices[:] = 7, 0
    assert H.members_of("f") == ("b", "c")


def test_from_scipy_takes_what_to_scipy_makes():
    H = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "tug": ["Mole"]}, weights=[0.5, 2])
    made = to_scipy(H)
    assert from_scipy(made) == from_scipy(*made) == as_hypergraph(made) == H
    other = from_scipy(made, weights=[3, 4], hyperedges=["a", "b"])
    assert (other.vertices, other.hyperedges, other.weights) == (H.vertices, ("a", "b"), (3, 4))


def test_matrices_of_millions_of_rows_are_read_at_once_or_refused(sparse):
    found = from_scipy(sparse.coo_matrix((10**6, 2)))
    assert found.counts == (10**6, 2)
    assert "vertices" not in found.__dict__  # no object for a label was made
    with pytest.raises(HyloopError, match=r"takes about .* of memory"):
        from_scipy(sparse.coo_matrix((10**12, 1)))


def test_which_format_holds_what_is_lost(sparse, tmp_path):
    """The format that a warning names can be written."""
    for weight, format in ((Fraction(1, 3), "edge-list"), (Fraction(10**20 + 1, 10**20), "hif")):
        h = Hypergraph.from_hyperedges([["a"]], weights=[weight])
        with pytest.warns(HyloopWarning, match=f"The format {format} "):
            to_scipy(h)
        io.write(h, tmp_path / "there", format=format)
        assert io.read(tmp_path / "there", format=format) == h


INCONSISTENT = {
    "csr_array": {
        "indices": [[99, 0, 1], [-1, 0, 1], [0.5, 0, 1]],
        "indptr": [[0, 99, 3], [0, 5, 0], [1, 1, 3], [0, 3]],
    },
    "csc_array": {"indices": [[99, 0, 1], [0, 1]], "indptr": [[0, 99, 3], [0, 2, 99], [0, 2, -1]], "data": [[1, 1]]},
    "bsr_array": {"indices": [[99], [-1]], "indptr": [[0, 99], [0, -1]], "data": [[1]]},
    "coo_array": {"coords": [[[0, 1, 99], [0, 0, 1]], [[0, 1, 1], [0, -1, 1]], [[0, 1, 1]]], "data": [[1, 1]]},
    "dia_array": {"offsets": [[0, 0], [0]], "data": [[1, 1]]},
}


@pytest.mark.parametrize(
    ("form", "name", "value"),
    [(form, name, value) for form, of in INCONSISTENT.items() for name, values in of.items() for value in values],
)
def test_scipy_arrays_that_are_inconsistent_are_refused(sparse, form, name, value):
    matrix = getattr(sparse, form)(np.array([[1, 0], [1, 1]]))
    setattr(matrix, name, tuple(map(np.array, value)) if name == "coords" else np.array(value))
    with pytest.raises(HypergraphError, match="arrays inside the sparse matrix are inconsistent"):
        from_scipy(matrix)


def test_scipy_lists_and_dictionaries_that_are_inconsistent_are_refused(sparse):
    matrix = sparse.lil_array(np.array([[1, 0], [1, 1]]))
    for numbers in ([99], [-1], [0, 1], ["x"]):
        matrix.rows[0] = numbers
        with pytest.raises(HypergraphError, match="arrays inside the sparse matrix are inconsistent"):
            from_scipy(matrix)
    matrix = sparse.dok_array(np.array([[1, 0], [1, 1]]))
    matrix._dict[99, 0] = 1
    with pytest.raises(HypergraphError, match="arrays inside the sparse matrix are inconsistent"):
        from_scipy(matrix)


def test_scipy_arrays_may_have_room_for_more(sparse):
    matrix = sparse.csr_array(np.array([[1, 0], [1, 1]]))
    matrix.indices, matrix.data = np.append(matrix.indices, 99), np.append(matrix.data, 1)
    assert from_scipy(matrix) == Hypergraph.from_hyperedges({0: [0, 1], 1: [1]}, vertices=[0, 1])
