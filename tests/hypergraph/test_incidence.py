"""Incidences as sparse matrices."""

from __future__ import annotations

import numpy as np
import pytest

from hyloop.errors import HypergraphError
from hyloop.hypergraph import (
    Hypergraph,
    Incidence,
)


class TestIncidence:
    def test_pairs_in_any_order_and_number_give_sorted_rows(self):
        made = Incidence.from_pairs([1, 0, 1, 1], [2, 0, 1, 2], (3, 3))
        assert made == Incidence([0, 1, 3, 3], [0, 1, 2])

    @pytest.mark.parametrize(
        ("indptr", "indices", "message"),
        [
            ([], [], "begin with 0"),
            ([1, 2], [0, 1], "begin with 0"),
            ([0, 1], [0, 1], "begin with 0"),
            ([0, 2, 1, 2], [0, 1], "must not decrease"),
            ([0, 2], [1, 0], "must increase"),
            ([0, 2], [1, 1], "must increase"),
            ([0, 1], [-1], "negative"),
            ([0.0, 1.0], [0.5], "integers"),
            ([[0, 1]], [0], "one-dimensional"),
        ],
    )
    def test_what_is_no_matrix_is_refused(self, indptr, indices, message):
        with pytest.raises(HypergraphError, match=message):
            Incidence(indptr, indices)

    def test_the_constructor_refuses_sizes_that_do_not_fit(self):
        incidence = Incidence([0, 1], [1])
        assert Hypergraph(("a",), ("e", "f"), incidence, (1, 1)).members_of("f") == ("a",)
        with pytest.raises(HypergraphError, match="1 rows for 2 vertices"):
            Hypergraph(("a", "b"), ("e", "f"), incidence, (1, 1))
        with pytest.raises(HypergraphError, match="beyond the 1 there are"):
            Hypergraph(("a",), ("e",), incidence, (1,))
        with pytest.raises(HypergraphError, match="1 weights for 2 hyperedges"):
            Hypergraph(("a",), ("e", "f"), incidence, (1,))


@pytest.mark.parametrize("order", ["as they are", "by hyperedge", "shuffled"])
@pytest.mark.parametrize("shape", [(5, 7), (300, 400), (70_000, 3), (3, 70_000)])
def test_an_incidence_is_the_same_in_whatever_order_its_pairs_come(shape, order):
    draw = np.random.default_rng(1)
    cells = np.unique(draw.integers(0, shape[0] * shape[1], 500))
    rows, columns = np.divmod(cells, shape[1])
    twice = np.concatenate([np.arange(len(cells))] if order == "as they are" else [np.arange(len(cells))] * 2)
    chosen = {"by hyperedge": np.lexsort((rows[twice], columns[twice])), "shuffled": draw.permutation(len(twice))}
    places = twice[chosen.get(order, twice)]
    found = Incidence.from_pairs(rows[places], columns[places], shape)
    assert found.row_numbers().tolist() == rows.tolist()
    assert found.indices.tolist() == columns.tolist()
