"""The weights that are emitted."""

import numpy as np
import pytest

from compiler.agreement import compiled
from hyloop.algorithms import ALGORITHMS


def matrices(model):
    for layer in model.layers:
        for head in layer.heads:
            yield from (head.query, head.key, head.value)
        yield from layer.mlp.weights


@pytest.mark.parametrize("name", ALGORITHMS)
def test_all_weights_are_integers(name):
    for matrix in matrices(compiled(name)):
        assert np.array_equal(matrix, np.rint(matrix))
