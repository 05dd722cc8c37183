"""The padded incidence, kept by its entries, gives back any rows of `Ã` and of `Ãᵀ`."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyloop.errors import ModelError
from hyloop.machine import incidence
from hyloop.machine.incidence import PaddedIncidence

KINDS = ("incidence", "transposed", "tails", "tails_transposed", "heads", "heads_transposed")


@st.composite
def matrices(draw):
    size = draw(st.integers(1, 7))
    matrix = draw(arrays(np.float64, (size, size), elements=st.integers(0, 3).map(float)))
    matrix[0] = matrix[:, 0] = 0
    return matrix


def padded(matrix):
    vertex, hyperedge = np.nonzero(matrix)
    return PaddedIncidence(len(matrix), vertex, hyperedge, matrix[vertex, hyperedge])


@given(matrix=matrices(), data=st.data())
def test_rows_are_the_rows_of_the_matrix_zeros_included(matrix, data):
    start = data.draw(st.integers(0, len(matrix)))
    stop = data.draw(st.integers(start, len(matrix)))
    assert padded(matrix).rows(start, stop).tolist() == matrix[start:stop].tolist()


@given(matrices())
def test_transposed_is_the_transposed_matrix(matrix):
    assert padded(matrix).transposed.rows(0, len(matrix)).tolist() == matrix.T.tolist()


@given(matrices())
def test_transposed_is_the_same_where_numbers_of_rows_are_long(matrix):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incidence, "SHORT", 0)
        assert padded(matrix).transposed.rows(0, len(matrix)).tolist() == matrix.T.tolist()


@given(matrix=matrices(), data=st.data())
def test_the_matrix_of_each_kind_of_heads(matrix, data):
    sides = [matrix * data.draw(arrays(np.int64, matrix.shape, elements=st.integers(0, 1))) for _ in range(2)]
    plain = padded(matrix)
    directed = replace(plain, tails=padded(sides[0]), heads=padded(sides[1]))
    assert (plain.kinds, directed.kinds) == (KINDS[:2], KINDS)
    expected = (matrix, matrix.T, sides[0], sides[0].T, sides[1], sides[1].T)
    for kind, rows in zip(KINDS, expected, strict=True):
        assert directed.of_kind(kind).rows(0, len(matrix)).tolist() == rows.tolist()


def test_without_directions_there_are_no_tails():
    with pytest.raises(ModelError, match="does not tell tails from heads"):
        padded(np.zeros((2, 2))).of_kind("tails")


def test_tails_of_another_size_are_refused():
    with pytest.raises(ModelError, match="must have the size of the whole one"):
        replace(padded(np.zeros((2, 2))), tails=padded(np.zeros((3, 3))))


@given(matrices())
def test_transposed_twice_is_the_same_entries_in_the_same_order(matrix):
    once, twice = padded(matrix), padded(matrix).transposed.transposed
    assert twice.vertex.tolist() == once.vertex.tolist()
    assert twice.hyperedge.tolist() == once.hyperedge.tolist()
    assert twice.value.tolist() == once.value.tolist()


@given(matrices())
def test_compressed_rows_of_ones_are_the_same_entries(matrix):
    ones = (matrix != 0).astype(np.float64)
    wanted, below = padded(ones), ones[1:, 1:]
    indptr = np.concatenate(([0], np.cumsum(below.sum(axis=1)))).astype(np.int64)
    made = PaddedIncidence.of_ones(len(ones), indptr, np.nonzero(below)[1])
    assert made.ones
    assert "vertex" not in made.__dict__  # until it is asked for
    assert made.rows(0, len(ones)).tolist() == ones.tolist()
    assert made.transposed.rows(0, len(ones)).tolist() == ones.T.tolist()
    for name in ("size", "vertex", "hyperedge", "value"):
        assert np.array_equal(getattr(made, name), getattr(wanted, name))
    assert replace(made, tails=made, heads=made).ones


def test_entries_that_are_not_one_are_noticed_in_tails_too():
    ones, two = np.ones((3, 3)), np.full((3, 3), 2.0)
    for matrix in (ones, two):
        matrix[0] = matrix[:, 0] = 0
    assert padded(ones).ones
    assert not padded(two).ones
    assert not replace(padded(ones), tails=padded(ones), heads=padded(two)).ones


@pytest.mark.parametrize(("indptr", "indices"), [([0, 1], [2]), ([0, 0, 0, 1], [0])])
def test_compressed_rows_outside_are_refused(indptr, indices):
    with pytest.raises(ModelError, match="outside rows and columns 1 to 2"):
        PaddedIncidence.of_ones(3, np.array(indptr), np.array(indices))


def test_an_incidence_has_no_other_attributes():
    with pytest.raises(AttributeError, match="no 'weights'"):
        PaddedIncidence.of_ones(2, np.array([0, 1]), np.array([0])).weights  # noqa: B018
