"""The meaning of the language that proofs use, held against the interpreter: every operation, on every row."""

import random
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import hyloop
from compiler.random_programs import EVERY, Step, drawn, program_of
from effort import examples
from hyloop import Capacity, HyloopError
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute.prepare import program_of as program_in_model
from hyloop.lang import LanguageError
from hyloop.lang.kinds import Scope
from hyloop.lang.ops import LANGUAGE
from hyloop.prove.basis import Basis
from hyloop.prove.meaning import MEANING
from hyloop.prove.terms import constant, forget
from prove.situations import at_row, situations, small_runs, values


@cache
def algorithm_model(name):
    return hyloop.compile(name, Capacity(20, 100))


def basis_of(model):
    forget()
    return Basis(model, program_in_model(model))


def runs(model, count, seed, size=4):
    for h, inputs, padding in small_runs(model, count, seed, size):
        try:
            yield from situations(model, h, inputs, padding)
        except HyloopError:
            continue  # the program does not stop within its bound: what it did up to there was looked at


def compare(basis, situation):
    """Every value of the section that was run, on every row; the states after it, and whether it halts."""
    meaning, program = basis.meaning, basis.program
    known = values(meaning, situation)
    section = program.before if situation.section == "before" else program.body
    rows = [constant(row) for row in range(situation.size)]
    terms, expected = [], []
    for number, op in enumerate(section.ops):
        read = meaning.full(section, number, meaning.now)
        entries = situation.entries(op.type.scope, situation.step.values[number])
        terms += [read(row) for row in rows]
        expected += [(f"{op.name} %{number} ({op.where}) at row {row}", entries[row]) for row in range(situation.size)]
    for state in program.states:
        entries = situation.entries(state.type.scope, situation.step.states[state.name])
        terms += [basis.next.values[state.name](row) for row in rows]
        expected += [(f"{state.name} afterwards, at row {row}", entries[row]) for row in range(situation.size)]
    terms.append(meaning.stops(meaning.now))
    expected.append(("halt", int(situation.step.halted)))
    at = known.of(terms)
    for term, (what, value) in zip(terms, expected, strict=True):
        assert at.term(term) == value, what
        assert term.low <= value <= term.high, f"{what}: {value} is outside {term.low} to {term.high}"
    return known


def compare_facts(basis, situation, known):
    """All that a proof would take for granted in this situation."""
    meaning, program = basis.meaning, basis.program
    i, j = meaning.row_variable("i"), meaning.row_variable("j")
    about = [
        meaning.full(section, number, meaning.now)(row)
        for section in (program.before, program.body)
        for number in range(len(section.ops))
        for row in (i, j)
    ]
    facts = meaning.facts([*about, i, j], [i, j])
    assert facts
    draw = random.Random(situation.time)
    pairs = [(a, b) for a in range(situation.size) for b in range(situation.size)]
    for a, b in draw.sample(pairs, 4):
        at = at_row(known, i=a, j=b).of(facts)
        for fact in facts:
            assert at.formula(fact), f"rows {a}, {b}: {fact.kind} {fact.term and fact.term.terms}"


def test_every_operation_has_a_meaning():
    assert set(MEANING) == LANGUAGE


@pytest.mark.parametrize("name", ALGORITHMS)
def test_algorithms_mean_what_the_interpreter_does(name):
    model = algorithm_model(name)
    basis, seen = basis_of(model), 0
    few = name == "motifs"
    for situation in islice(runs(model, 6, seed=5, size=2 if few else 4), 3 if few else 40):
        known = compare(basis, situation)
        if seen % 5 == 0:
            compare_facts(basis, situation, known)
        seen += 1
    assert seen >= 3


steps = st.lists(
    st.builds(Step, *(st.integers(0, most) for most in (len(EVERY) - 1, 99, 99, 99, 3, 59))), min_size=1, max_size=14
)


@examples(18)
@given(steps, st.integers(0, 6), st.booleans(), st.integers(0, 10**6), st.sampled_from([1, 3, 10]))
def test_random_programs_mean_what_the_interpreter_does(taken, before, infinite, seed, weight):
    try:
        model = compile_program(program_of(taken, before=before, infinite=infinite), rows=6, weight=weight)
    except HyloopError:
        reject()
    basis = basis_of(model)
    for situation in runs(model, 2, seed):
        compare_facts(basis, situation, compare(basis, situation))


def some(seed):
    """A random program; None where something infinite was added up."""
    try:
        return program_of(drawn(seed, 14, EVERY), infinite=False)
    except LanguageError:
        return None


def test_random_programs_have_every_operation_that_looks_at_other_rows():
    """So that the test above is of all of them."""
    names = {op.name for seed in range(40) if (program := some(seed)) for op in program.body.ops}
    assert set(MEANING) - names <= {"spread"}


def test_a_wrong_meaning_is_noticed(monkeypatch):
    """The comparison itself can fail."""
    from hyloop.prove import meaning as module

    monkeypatch.setitem(module.MEANING, "argmin", module.MEANING["argmax"])
    model = algorithm_model("dijkstra")
    basis = basis_of(model)
    situations_ = list(runs(model, 20, seed=5))
    with pytest.raises(AssertionError, match="argmin"):
        [compare(basis, situation) for situation in situations_]


def test_scopes_are_told_apart():
    model = algorithm_model("levels")
    situation = next(runs(model, 3, seed=1))
    assert situation.entries(Scope.SCALAR, 7) == dict.fromkeys(range(situation.size), 7)
    assert situation.entries(Scope.VERTICES, [5])[0] == 0
