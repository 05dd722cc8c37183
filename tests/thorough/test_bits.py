"""Bit for bit, on more hypergraphs and programs than there is time for every day."""

from __future__ import annotations

import pytest

from hyloop.algorithms import ALGORITHMS
from whole.test_bits import algorithm_is_the_same, program_is_the_same, start

__all__ = ["start"]  # the fixture: each backend in turn


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm(name, start):
    algorithm_is_the_same(start, name, (5, 30))


def test_random_programs(start):
    assert sum(program_is_the_same(start, seed) > 0 for seed in range(100, 160)) > 20
