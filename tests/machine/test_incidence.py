"""The padded incidence, kept by its entries, gives back any rows of `Ã` and of `Ãᵀ`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyloop.machine.incidence import PaddedIncidence


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
def test_transposed_twice_is_the_same_entries_in_the_same_order(matrix):
    once, twice = padded(matrix), padded(matrix).transposed.transposed
    assert twice.vertex.tolist() == once.vertex.tolist()
    assert twice.hyperedge.tolist() == once.hyperedge.tolist()
    assert twice.value.tolist() == once.value.tolist()
