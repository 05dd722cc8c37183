"""The transformer on symbols, held against the dense executor; and whole proofs, held against runs.

Every statement that a proof consists of, and everything that it takes for granted, must be true in each situation that
a run comes by.
"""

import random
from functools import cache
from itertools import islice

import pytest

import hyloop
from compiler.arrays import spread
from compiler.random_programs import drawn, program_of
from hyloop import Capacity, HyloopError
from hyloop.compiler.compile import compile_program
from hyloop.prove import prove
from hyloop.prove.terms import Evaluation
from prove.situations import at_row, situations, small_runs, values

CHOSEN = ["degradation", "dijkstra", "dfs", "components", "helly", "projection"]


def random_model(seed):
    draw = random.Random(seed)
    length = draw.choice([4, 8, 12])
    program = program_of(drawn(seed, length), before=draw.choice([0, length // 3]), infinite=False)
    packing = draw.choice(["packed", "one operation per layer"])
    return compile_program(program, rows=6, weight=9, heads=draw.choice([1, 2, 3]), packing=packing)


MODELS = {name: lambda name=name: hyloop.compile(name, Capacity(9, 30)) for name in CHOSEN}
MODELS["arrays"] = lambda: hyloop.compile(spread, Capacity(9, 30))
MODELS |= {f"random {seed}": lambda seed=seed: random_model(seed) for seed in (2, 3, 5, 8)}


@cache
def proved(name):
    found = prove(MODELS[name]())
    assert found.answer == "proved"
    return found


def some_situations(model, count, seed=3):
    def every():
        for h, given, padding in small_runs(model, 8, seed, size=3):
            try:
                yield from situations(model, h, given, padding)
            except HyloopError:
                continue  # it does not stop within its bound

    return islice(every(), count)


@pytest.mark.parametrize("name", MODELS)
def test_columns_on_symbols_are_columns_in_a_run(name):
    proof = proved(name)
    machine, row = proof.work.machine, proof.work.row
    terms = [machine.before(layer, row) for layer in range(len(proof.model.layers) + 1)]
    made = [machine.after(layer, row) for layer in range(len(proof.model.layers))]
    seen = 0
    for situation in some_situations(proof.model, 6):
        known = values(proof.work.meaning, situation, proof.model.layout)
        for place in range(situation.size):
            at = at_row(known, i=place).of([term for each in (*terms, *made) for term in each])
            for layer, columns in [*enumerate(terms), *enumerate(made, start=1)]:
                found = [at.term(term) for term in columns]
                assert found == situation.X[layer][place].astype(int).tolist(), f"row {place} after layer {layer}"
                low, high = [term.low for term in columns], [term.high for term in columns]
                assert all(a <= x <= b for a, x, b in zip(low, found, high, strict=True))
        seen += 1
    assert seen == 6


def holds(obligation, known, size, draw):
    """Whether what is assumed is true, and what is proved of it, for some rows `i`, `j`."""
    i, j = draw.randrange(size), draw.randrange(size)
    asked = [*obligation.facts, obligation.goal]
    # The row `t` is bound to a term by the facts: one row fits, or it does not occur.
    fitting = []
    for t in range(size):
        at: Evaluation = at_row(known, i=i, j=j, t=t).of(asked)
        if all(at.formula(fact) for fact in obligation.facts):
            fitting.append(at.formula(obligation.goal))
    return bool(fitting) and all(fitting)


@pytest.mark.parametrize("name", MODELS)
def test_every_statement_of_a_proof_is_true_in_a_run(name):
    proof, draw = proved(name), random.Random(name)
    asked = [verdict.obligation for verdict in proof.verdicts if not verdict.obligation.is_trivial]
    assert asked
    for situation in some_situations(proof.model, 12, seed=4):
        known = values(proof.work.meaning, situation, proof.model.layout)
        for obligation in draw.sample(asked, min(len(asked), 25)):
            says = f"{obligation.says} in iteration {situation.time + 1}"
            assert holds(obligation, known, situation.size, draw), says


def test_the_largest_number_is_never_exceeded():
    for name in CHOSEN:
        proof = proved(name)
        for situation in some_situations(proof.model, 6):
            assert max(abs(X).max() for X in situation.X) <= proof.largest.most
