from __future__ import annotations

import numpy as np
import pytest

import hyloop
from hyloop import Capacity
from hyloop.lang import Count, Outputs, algorithm
from hyloop.prove.counterexample import small_inputs
from hyloop.prove.mutants import LONGEST, caught, mutants, reference


@algorithm
def counted(h, rounds: Count):
    n = h.state(Count, 0)
    with h.loop(at_most=h.vertices.count + 3 * LONGEST) as loop:
        n.assign(n + 1)
        loop.stop_when(n >= rounds)
    return Outputs(n=n)


@pytest.mark.parametrize(
    ("rounds", "lengths"),
    [([70, 60], [LONGEST, LONGEST]), ([70, 4], [4]), ([LONGEST, LONGEST + 1], [LONGEST])],
    ids=["all are long", "one is long", "at the limit"],
)
def test_long_runs_are_cut_off_and_only_used_where_there_are_no_others(rounds, lengths):
    model = hyloop.compile(counted, Capacity(90, 10))
    [(h, _), *_] = small_inputs(model, 1)
    runs = reference(model, [(h, {"rounds": number}) for number in rounds])
    assert np.bincount(runs.item).tolist() == lengths
    assert any(caught(runs, mutant) for mutant in mutants(model, 0))
