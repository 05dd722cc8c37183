"""Random batches against `hyloop.run` of each hypergraph: every algorithm, random programs, right and wrong inputs."""

from collections import Counter

import pytest

import hyloop
from batch_cases import case, held, random_program
from effort import TIMES
from execute.cuda.lockstep import needs_compiler
from hyloop import CapacityError, Hypergraph, HypergraphBatch, batch_runs
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.cuda.machines import Cpu, LockStep

NAMES = [name for name in ALGORITHMS if name not in {"projection", "all_pairs"}]  # without streams


@pytest.mark.parametrize("name", NAMES)
def test_algorithms(name):
    program, tally = ALGORITHMS[name].program, Counter()
    for seed in range(100, 100 + 5 * TIMES):
        held(program, case(program, seed), tally)
    assert tally["ran"] + tally["refused"] >= 5


@needs_compiler
@pytest.mark.parametrize("name", NAMES)
def test_algorithms_at_once(name, monkeypatch):
    """By the code that large batches run, compiled for this CPU."""
    monkeypatch.setattr(batch_runs, "MANY", 1)
    monkeypatch.setattr(batch_runs, "PORTION", 2)
    monkeypatch.setattr(batch_runs, "Cpu", lambda: Cpu(0))
    program, tally = ALGORITHMS[name].program, Counter()
    for seed in range(200, 200 + 2 * TIMES):
        held(program, case(program, seed), tally)


@needs_compiler
@pytest.mark.parametrize("name", NAMES[::4])
def test_algorithms_in_lock_step(name):
    program, tally = ALGORITHMS[name].program, Counter()
    for seed in range(300, 300 + 2 * TIMES):
        held(program, case(program, seed), tally, backend="cuda", machine=LockStep())


@pytest.mark.parametrize("number", range(3 * TIMES))
def test_random_programs(number):
    program = random_program(number)
    tally = Counter()
    for seed in range(10 if program else 0):
        held(program, case(program, 1000 * number + seed), tally)


def test_enough_random_programs_are_programs():
    assert sum(random_program(number) is not None for number in range(6)) > 3


def test_a_count_that_no_model_holds():
    h = Hypergraph.from_hyperedges([["a", "b"]])
    with pytest.raises(CapacityError) as alone:
        hyloop.run("k_core", h, k=10**9)
    with pytest.raises(CapacityError) as found:
        hyloop.run_many("k_core", HypergraphBatch.of([h, h]), k=[1, 10**9])
    assert str(found.value) == f"Hypergraph 1: {alone.value}"
    assert hyloop.run_many("k_core", HypergraphBatch.of([h, h]), k=10**5).array("kept").tolist() == [False] * 2


def test_cases_have_weights_with_common_factors_and_with_many_digits():
    program = ALGORITHMS["dijkstra"].program
    cases = [case(program, seed) for seed in range(100, 220)]
    units = [h.integer_weights()[1] for one in cases if one.by_hand for h in one.hypergraphs]
    assert sum(unit > 1 for unit in units) > 3
    assert sum(bool(one.batch.long) for one in cases) > 3
    assert sum(not one.by_hand for one in cases) > 30
