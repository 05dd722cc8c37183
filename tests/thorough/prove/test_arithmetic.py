"""Mutants of models that multiply and divide: every one is decided, and none that is proved harmless is caught."""

from collections import Counter

import numpy as np
import pytest

import hyloop
from effort import every
from hyloop import Capacity
from hyloop.lang import Count, Outputs, algorithm, number
from hyloop.prove import prove
from hyloop.prove.decide import decide
from hyloop.prove.mutants import caught, mutants, reference
from prove.situations import small_runs


def of(operation):
    @algorithm
    def example(h):
        found, clock = h.vertices.state(Count, 0), h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            found.assign(operation(7 * (h.incidence @ h.hyperedges.every), number(h.vertices.number)))
            clock.assign(clock + 1)
            loop.stop_when(clock > 2)
        return Outputs(found=found)

    return example


OPERATIONS = {
    "product": lambda a, b: a * b,
    "quotient": lambda a, b: a // b,
    "remainder": lambda a, b: a % b,
    "quotient by a constant": lambda a, b: (a + b) // 3,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_mutant_is_decided_and_none_wrongly(name):
    model = hyloop.compile(of(OPERATIONS[name]), Capacity(4, 5))
    first, other = ([(h, given) for h, given, _ in small_runs(model, 12, seed, size=4)] for seed in (1, 2))
    proof, runs, others = prove(model), reference(model, first), reference(model, other)
    decisions = [decide(proof.work, runs, mutant) for mutant in every(12, mutants(model, 40))]
    fates = Counter(decision.fate for decision in decisions)
    assert fates["undecided"] == 0
    assert fates["shown by a run"] > len(decisions) // 2
    with np.errstate(all="ignore"):
        for decision in decisions:
            if decision.fate == "harmless":
                assert not caught(others, decision.mutant), str(decision.mutant)
