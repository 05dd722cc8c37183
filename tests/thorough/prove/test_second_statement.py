"""The second statement of the obligations: of all algorithms and random programs; and every mistake is told."""

import contextlib
import copy
import random
from dataclasses import replace

import pytest

import hyloop
from compiler.random_programs import drawn, program_of
from hyloop import Capacity
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import HyloopError
from hyloop.lang import Count, Outputs, Vertex, algorithm, any, first
from hyloop.machine.files import to_bytes
from hyloop.prove import arithmetic, attention, exact, machine, meaning, prove
from hyloop.prove.counterexample import small_inputs
from hyloop.prove.mutants import caught, mutants, reference
from hyloop.prove.solver import ask
from hyloop.prove.terms import at_least, choice, constant, relu
from prove.second_statement import differs, leaves, script, second, stated, weights, with_choice, with_weight

SECOND = second()
SMALL = Capacity(9, 9)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_both_statements_are_the_same(name):
    model = hyloop.compile(name)
    assert differs(SECOND, to_bytes(model), stated(model)) is None


@algorithm
def shares(h, source: Vertex, k: Count):
    """A program with a product, a quotient, a remainder and a read."""
    x = h.vertices.state(Count, 0)
    at = h.state(Vertex, None)
    ones = h.hyperedges.state(Count, 1)
    at.assign(source)
    with h.loop(at_most=2) as loop:
        degree = h.incidence @ ones
        more = x < degree
        loop.stop_when(~any(more))
        x.assign((degree * k) // (x[at] + 1) + k % 3, where=more)
        at.assign(first(more))
    return Outputs(x=x)


def test_of_products_and_quotients_in_float32():
    model = hyloop.compile(shares, Capacity(5, 5), dtype="float32")
    said = stated(model)
    assert differs(SECOND, to_bytes(model), said) is None
    assert sum("quarter square" in each["script"] for each in said["obligations"]) > 10


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed):
    try:
        program = program_of(drawn(seed, 8), before=3 * (seed % 2), infinite=bool(seed % 3))
        proof = prove(hyloop.compile(program, SMALL))
    except HyloopError:
        pytest.skip("there is no such program, or no model of it")
    if proof.answer != "proved":
        pytest.skip("it is not proved")
    assert differs(SECOND, to_bytes(proof.model), stated(proof)) is None


@pytest.fixture(scope="module")
def dijkstra():
    """A model as its file, and what its certificate says."""
    model = hyloop.compile("dijkstra", SMALL)
    return to_bytes(model), stated(model)


@pytest.mark.parametrize("seed", range(3))
def test_every_changed_weight_is_told(dijkstra, seed):
    data, said = dijkstra
    for place, weight in random.Random(seed).sample(list(weights(data)), 20):
        for other in {weight + 1, weight - 1, -weight} - {weight}:
            assert differs(SECOND, with_weight(data, place, other), said), (place, weight)


def test_every_changed_choice_is_told(dijkstra):
    """But for lines of values that nothing is bounded by."""
    data, said = dijkstra
    every = [path for path in leaves(said["choices"]) if path[0] != "values"]
    for path in random.Random(0).sample(every, 40):
        assert differs(SECOND, data, with_choice(said, path)), path


# Mistakes in the package: what is stated with one is not what the second statement says.
MISTAKES = {
    "ties go to the later row": (meaning.Meaning, "no_better", lambda _, search, row: at_least(search.row, row)),
    "a state may be anything": (meaning.Meaning, "in_range", lambda *_, **__: at_least(1, 0)),
    "a read at none": (meaning, "_read", lambda _, here: lambda row: here.args[0](here.args[1](row))),
    "units are not ReLU": (machine, "relu", lambda term: term),
    "all weights are 1": (meaning.Meaning, "weight_at", lambda *_: constant(1)),
    "absolute values are none": (exact, "absolute", relu),
    "rows before t may be better": (attention, "_differ", lambda a, b: at_least(a - b, 1)),
    "it halts at once": (meaning.Meaning, "stops", lambda *_: choice(at_least(1, 0), 1, 0)),
    "no fact on squares": (arithmetic.Multiplying, "known", lambda *_: []),
    "no fact on sums": (meaning.Meaning, "_of_sum", lambda *_: []),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_package_is_told(mistake, monkeypatch):
    """The proof is made rightly, and stated in full with the mistake, as far as it can be proved with it."""
    model = hyloop.compile(shares if "squares" in mistake else "dijkstra", Capacity(5, 5))
    proof = prove(model)
    if mistake == "a read at none":
        monkeypatch.setitem(meaning.MEANING, "read", MISTAKES[mistake][2])  # type: ignore[arg-type]
    else:
        monkeypatch.setattr(*MISTAKES[mistake])
    assert differs(SECOND, to_bytes(model), stated(proof))


# -- an adversary ----------------------------------------------------------------------------------------------------


def proved(facts, goal=SECOND.FALSE):
    return ask(script(SECOND, [*facts, SECOND.no(goal)]), milliseconds=5_000).answer == "proved"


@pytest.mark.parametrize("name", ["levels", "dijkstra", "components", shares])
def test_what_is_assumed_can_be(name):
    """Every obligation follows from its hypotheses, as z3 says too; and from no hypotheses does all follow."""
    model = hyloop.compile(name, Capacity(4, 4))
    statement = SECOND.Statement(SECOND.Model(to_bytes(model)), stated(model)["choices"])
    for each in statement.obligations:
        assert proved(each.hypotheses, each.goal), each.says
    for facts in {each.hypotheses for each in statement.obligations}:
        assert not proved(facts)


def rechosen(choices, statement, chance):
    """Other choices: whatever somebody may try."""
    changed = copy.deepcopy(choices)
    states, columns = [*changed["states"]], statement.model.names
    section = chance.choice(["before", "body"])
    place = [section, chance.randrange(max(1, len(changed["values"][section])))]
    head = chance.choice(chance.choice(changed["heads"]))
    line = [chance.choice([0, 1, 5, 99]), chance.choice([0, 1, 9])]
    tries = [
        lambda: changed["states"][chance.choice(states)].update(most=line),
        lambda: changed["states"][chance.choice(states)].update(infinite=chance.random() < 0.5),
        lambda: changed["states"][chance.choice(states)].update(clock=chance.choice(states)),
        lambda: changed["values"].update({section: [line for _ in changed["values"][section]]}),
        lambda: changed["untouched"].append([chance.choice(states), chance.choice([None, *states]), True]),
        changed["untouched"].pop,
        lambda: changed["empty sums"].append(chance.choice([1, 2])),
        lambda: changed["equal sums"].append([chance.choice([2, 3]), 1]),
        lambda: changed["ahead"].update({chance.choice(columns): [*place, "value"]}),
        lambda: changed["held"].append([chance.choice([1, 2]), chance.choice(columns), *place]),
        changed["held"].clear,
        lambda: head.update(at=chance.choice([["itself"], ["value", *place], ["search", *place]])),
        lambda: head.update(aimed=not head["aimed"]),
        lambda: head.update(ties=not head["ties"]),
        lambda: head["sums"].update({chance.choice([*head["sums"], "13"]): chance.choice([1, 2, 3])}),
        head["sums"].clear,
        lambda: changed["left"].update({chance.choice(columns): [0, chance.choice([0, 9])]}),
        changed["left"].clear,
        lambda: chance.choice(changed["bounds"]).__setitem__(slice(None), [99] * 999),
    ]
    for attempt in chance.sample(tries, chance.choice([1, 1, 2, 3])):
        with contextlib.suppress(IndexError):  # nothing to take away
            attempt()
    return changed


def all_proved(data, choices):
    """Whether the second statement takes these choices, and all its obligations hold."""
    try:
        statement = SECOND.Statement(SECOND.Model(data), choices)
    except Exception:  # noqa: BLE001  (as in the file: whatever goes wrong, it is refused)
        return False
    return all(proved(each.hypotheses, each.goal) for each in statement.obligations)


@pytest.mark.parametrize("seed", range(6))
def test_no_choice_proves_a_model_that_runs_wrong(seed):
    """Models with one weight changed, of which a run shows that a state is wrong; with choices of an adversary."""
    model = hyloop.compile("levels" if seed % 2 else "dijkstra", Capacity(4, 4))
    choices = stated(model)["choices"]
    statement = SECOND.Statement(SECOND.Model(to_bytes(model)), choices)
    assert all_proved(to_bytes(model), choices)
    chance, runs = random.Random(seed), reference(replace(model, held=()), small_inputs(model, 20))
    wrong = [each for each in chance.sample(mutants(model, 50), 100) if caught(runs, each)]
    assert len(wrong) >= 15
    for mutant in wrong[:15]:
        layers = [*model.layers]
        layers[mutant.layer] = mutant.of(layers[mutant.layer])
        data = to_bytes(replace(model, layers=tuple(layers)))
        assert not all_proved(data, choices), mutant
        for _ in range(3):
            assert not all_proved(data, rechosen(choices, statement, chance)), mutant
