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
