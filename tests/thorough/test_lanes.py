"""Lanes on more algorithms, more hypergraphs and many mutants: each is equal to dense, or runs alone."""

import numpy as np
import pytest

import hyloop
from execute.cpu.lanes.cases import block_of, case, equal_after_every_iteration, mutant, ties
from hyloop.execute.cpu.lanes.engine import LeftError

NAMES = ["levels", "reachable", "bfs", "dfs", "path-counts", "degradation", ties]


def random_hypergraph(seed):
    rng = np.random.default_rng(seed)
    n, m = (int(each) for each in rng.integers(15, 60, 2))
    edges = [rng.choice(n, rng.integers(1, 6), replace=False).tolist() for _ in range(m)]
    return hyloop.Hypergraph.from_hyperedges(edges, vertices=range(n))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_the_same_as_dense(name, seed):
    h = random_hypergraph(seed)
    assert equal_after_every_iteration(*block_of(*case(name, h), h)) > 2


def test_changed_weights_run_alone_or_are_the_same():
    outcomes = {"alone": 0, "left": 0, "equal": 0}
    for seed in range(60):
        model, frame = case(NAMES[seed % len(NAMES)])
        block, *rest = block_of(mutant(model, np.random.default_rng(seed)), frame)
        outcome = "alone"
        if block is not None:
            try:
                equal_after_every_iteration(block, *rest, most=8)
                outcome = "equal"
            except LeftError:
                outcome = "left"
        outcomes[outcome] += 1
    assert outcomes["equal"] > 30, outcomes  # else there is nothing that was compared
