"""Models with one weight changed: every one is decided, and none that is proved harmless is ever caught by a run."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import hyloop
from compiler.arrays import spread
from compiler.random_programs import drawn, program_of
from hyloop import Capacity, HyloopError
from hyloop.algorithms import ALGORITHMS
from hyloop.checking import check
from hyloop.compiler.compile import compile_program
from hyloop.prove import bad_row, prove
from hyloop.prove.basis import Tensor, tensors
from hyloop.prove.decide import FATES, decide
from hyloop.prove.mutants import CHANGES, Mutant, caught, changed, mutants, other_kinds, reference
from prove.situations import small_runs

SMALL = ["levels", "degradation"]
ZEROS = 200


@cache
def setting(name):
    """A proof, and runs of two kinds: those that every mutant is tried on first, and others."""
    model = hyloop.compile(name, Capacity(20, 100))
    first, other = ([(h, given) for h, given, _ in small_runs(model, 30, seed, size=5)] for seed in (1, 2))
    heavy = [(replace(h, weights=(Fraction(100),) * len(h.weights)), given) for h, given in other[:10]]
    return prove(model), reference(model, first), reference(model, [*other, *heavy])


@pytest.mark.parametrize("name", SMALL)
def test_every_mutant_is_decided_and_none_wrongly(name):
    proof, runs, others = setting(name)
    every = mutants(proof.model, ZEROS)
    decisions = [decide(proof.work, runs, mutant) for mutant in every]
    fates = Counter(decision.fate for decision in decisions)
    assert fates["undecided"] == 0
    assert fates["shown by a run"] > len(every) // 2
    assert fates["refuted by a row"]
    assert fates["harmless"]
    with np.errstate(all="ignore"):
        for decision in decisions:
            if decision.fate == "harmless":
                assert not caught(others, decision.mutant), str(decision.mutant)


@pytest.mark.parametrize("name", SMALL)
def test_what_a_run_shows_is_not_proved_without_it(name):
    """The solver alone, of mutants that runs are known to show."""
    proof, runs, _ = setting(name)
    every = mutants(proof.model, ZEROS)
    draw = random.Random(name)
    with np.errstate(all="ignore"):
        shown = [mutant for mutant in draw.sample(every, 150) if caught(runs, mutant)]
    assert len(shown) > 50
    assert "harmless" not in {decide(proof.work, None, mutant).fate for mutant in shown}


def test_deciding_is_as_good_as_proving_anew():
    """The short way, from the changed layer on, and the whole proof agree."""
    proof, _, _ = setting("levels")
    for mutant in random.Random(0).sample(mutants(proof.model, 50), 20):
        fate = decide(proof.work, None, mutant).fate
        assert (fate == "harmless") is (prove(mutant.model(proof.model)).answer == "proved"), str(mutant)


@pytest.mark.parametrize("seed", [4, 16, 36, 64])
def test_mutants_of_random_programs(seed):
    """Never proved where a run differs."""
    draw = random.Random(seed)
    program = program_of(drawn(seed, 8), before=draw.choice([0, 3]), infinite=False)
    model = compile_program(program, rows=5, weight=7, heads=draw.choice([1, 2, 3]))
    assert prove(model).answer == "proved"
    runs = small_runs(model, 12, seed, size=5)
    assert not any(differs(model, *run) for run in runs)
    for mutant in draw.sample(mutants(model, 60, seed), 12):
        other = mutant.model(model)
        if prove(other).answer == "proved":
            assert not any(differs(other, *run) for run in runs), str(mutant)


def test_mutants_of_a_program_with_arrays():
    """Inputs that are arrays have any entries within their bound, in runs and in proofs."""
    model = hyloop.compile(spread, Capacity(20, 100))
    proof, runs = prove(model), reference(model, [(h, given) for h, given, _ in small_runs(model, 25, 1, size=5)])
    others = reference(model, [(h, given) for h, given, _ in small_runs(model, 25, 2, size=5)])
    decisions = [decide(proof.work, runs, mutant) for mutant in random.Random(1).sample(mutants(model, 60), 120)]
    assert {"shown by a run", "harmless"} <= {decision.fate for decision in decisions} <= {*FATES} - {"undecided"}
    with np.errstate(all="ignore"):
        assert not [str(each.mutant) for each in decisions if each.fate == "harmless" and caught(others, each.mutant)]


def differs(model, h, given, padding):
    try:
        with np.errstate(all="ignore"):
            return not check(model, h, padding=padding, **given).agrees
    except HyloopError:
        return False  # the program does not stop


def test_what_a_mutant_leaves_behind_counts():
    """A column that is emptied later may hold more than in the sound model, and other layers see it."""
    proof, _, _ = setting("levels")
    model, work = proof.model, proof.work
    emptied = [number for number, role in enumerate(work.basis.roles) if role == "emptied"]
    assert emptied
    last, found = len(model.layers) - 1, []
    for number in emptied[::2]:
        for unit in range(0, model.layers[last].mlp.width, 6):
            mutant = Large(last, Tensor("w4"), (unit, number), "0 to 1")
            decided, anew = decide(work, None, mutant).fate, prove(mutant.model(model)).answer
            assert (decided == "harmless") is (anew == "proved"), str(mutant)
            found.append(decided)
    assert "harmless" in found
    assert set(found) != {"harmless"}


class Large(Mutant):
    """A weight that becomes very large."""

    def _changed(self, weight):
        weight = weight.copy()
        weight[self.entry] = 2.0**52
        return weight


def test_mutants_are_each_made_once():
    model = setting("levels")[0].model
    every = mutants(model, 100)
    values = {(each.layer, each.tensor, each.entry, entry_of(model, each)) for each in every}
    assert len(values) == len(every)
    assert {each.change for each in every} == set(CHANGES)
    assert sum(each.change == "0 to 1" for each in every) == 100
    weights = {(layer, name): weight for layer, name, weight in tensors(model)}
    assert all(entry_of(model, each) != weights[each.layer, each.tensor][each.entry] for each in every)
    assert mutants(model, 100) == every
    assert mutants(model, 100, seed=1) != every


def entry_of(model, mutant):
    [weight] = [w for layer, name, w in tensors(model) if (layer, name) == (mutant.layer, mutant.tensor)]
    return changed(weight[mutant.entry], mutant.change)


def test_a_mutant_differs_in_one_weight():
    model = setting("levels")[0].model
    for mutant in random.Random(1).sample(mutants(model, 20), 20):
        pairs = zip(tensors(model), tensors(mutant.model(model)), strict=True)
        assert sum(int(np.sum(old != new)) for (_, _, old), (_, _, new) in pairs) == 1


def test_a_row_that_refutes_is_told():
    proof, runs, _ = setting("levels")
    for mutant in mutants(proof.model, 0):
        decision = decide(proof.work, runs, mutant)
        if decision.fate == "refuted by a row":
            row = bad_row(decision.verdict.obligation, decision.verdict.outcome)
            assert row is not None
            assert " = " in str(row)
            return
    pytest.fail("no mutant was refuted by a row")


def test_reference_runs_must_agree_first():
    model, runs = setting("levels")[0].model, setting("levels")[1]
    cases = [(h, given) for h, given, _ in small_runs(model, 30, 1, size=5)]
    broken = next(mutant.model(model) for mutant in mutants(model, 0) if caught(runs, mutant))
    with pytest.raises(HyloopError, match="differs from its program before any change"):
        reference(broken, cases)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_heads_of_another_kind_are_decided(name):
    proof, runs, others = setting(name)
    for mutant in other_kinds(proof.model):
        fate = decide(proof.work, runs, mutant).fate
        assert fate != "undecided", str(mutant)
        if fate == "harmless":
            assert not caught(others, mutant), str(mutant)
