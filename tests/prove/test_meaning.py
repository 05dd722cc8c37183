"""The meaning of the language that proofs use, held against the interpreter: every operation, on every row."""

import random
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import hyloop
from compiler.random_programs import OPS, Step, drawn, program_of
from effort import examples, sample
from hyloop import Capacity, HyloopError
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute.prepare import program_of as program_in_model
from hyloop.interpreter import MEANING as COMPUTED
from hyloop.lang import LanguageError
from hyloop.lang.kinds import Scope
from hyloop.lang.matrices import SIDES
from hyloop.lang.ops import LANGUAGE
from hyloop.prove import meaning as module
from hyloop.prove import prove
from hyloop.prove.basis import Basis
from hyloop.prove.meaning import AFAR, MEANING
from hyloop.prove.meaning import _rowwise as rowwise
from hyloop.prove.terms import at_least, below, choice, conjunction, constant, equal, flag, forget, implies, relu
from prove.situations import at_row, situations, small_runs, values
from prove.small_domains import Subject, shapes


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
    assert set(COMPUTED) >= LANGUAGE


SHARE = 16


def every_situation(name):
    """Of all shapes of an operation: all values of one row (some, with constants); some of two, if it reads others."""
    for shape in shapes(name):
        subject, written = Subject(shape), shape.written is not None
        for situation in subject.situations(1, 1, 6 if written else 1):
            yield subject, situation
        for situation in subject.situations(2, 2, 1 + subject.many(2, 2) // SHARE) if name in AFAR else ():
            yield subject, situation


@pytest.mark.parametrize("name", sorted(LANGUAGE))
def test_an_operation_means_what_the_interpreter_computes(name):
    """tests/thorough/prove/test_meaning.py tries all values of two rows, and more."""
    count = 0
    for subject, situation in every_situation(name):
        assert subject.infinite or name in {*SIDES, "mean"}, "only what is added up must be finite"
        subject.compare(situation)
        count += 1
    assert count


def _no_ties(self, search, row):
    found, x = search.row, search.x
    gap = x(row) - x(found) if search.mode == "least" else x(found) - x(row)
    return implies(search.candidate(row), conjunction(at_least(found, 1), at_least(gap, 0)))


# What a meaning may get wrong in few situations only.
SLIPS = {
    "add": lambda _: rowwise(lambda known, op, a, b: a + b),  # infinity and more
    "subtract": lambda _: rowwise(lambda known, op, a, b: relu(a - b)),
    "multiple": lambda _: rowwise(lambda known, op, a: int(op.argument) * a),
    "precedes": lambda _: rowwise(lambda known, op, a, b: flag(below(a, b))),  # none precedes all
    "previous": lambda _: rowwise(lambda known, op, p: choice(below(p, 2), p, p - 1)),
    "next": lambda _: rowwise(lambda known, op, p: choice(equal(p, 0), 0, p + 1)),  # beyond the last
    "ordinal": lambda _: rowwise(lambda known, op, p: relu(p - 1)),
    "equal": lambda _: rowwise(lambda known, op, a, b: flag(conjunction(equal(a, b), at_least(a, 1)))),
    "quotient": lambda module: module.MEANING["remainder"],
    "all": lambda module: module.MEANING["any"],
    "max": lambda module: module.MEANING["min"],
    "tails": lambda module: module.MEANING["heads"],
    "heads_members": lambda module: module.MEANING["members"],
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_a_meaning_is_noticed(monkeypatch, name):
    monkeypatch.setitem(module.MEANING, name, SLIPS[name](module))
    with pytest.raises(AssertionError, match="at row"):
        [subject.compare(situation) for subject, situation in every_situation(name)]


def test_ties_that_are_left_open_are_noticed(monkeypatch):
    monkeypatch.setattr(module.Meaning, "no_better", _no_ties)
    with pytest.raises(AssertionError, match="may be found, too"):
        [subject.compare(situation) for subject, situation in every_situation("argmin")]


@pytest.mark.parametrize("name", ["argmin", "any", "where", "covered", "less"])
def test_a_slip_in_the_interpreter_is_noticed(monkeypatch, name):
    other = {"argmin": "argmax", "any": "all", "covered": "tails_covered", "less": "equal"}
    wrong = COMPUTED[other[name]] if name in other else lambda _, __, mask, a, b: a
    monkeypatch.setitem(COMPUTED, name, wrong)
    with pytest.raises(AssertionError, match="at row"):
        [subject.compare(situation) for subject, situation in every_situation(name)]


@pytest.mark.parametrize("name", sample(ALGORITHMS))
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
    st.builds(Step, *(st.integers(0, most) for most in (len(OPS) - 1, 99, 99, 99, 3, 59))), min_size=1, max_size=14
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
        return program_of(drawn(seed, 14, every=True), infinite=False)
    except LanguageError:
        return None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_arrays_that_are_given_mean_what_the_interpreter_has(seed):
    model = compile_program(program_of(drawn(seed, 10), arrays=True, infinite=False), rows=6, weight=20)
    basis = basis_of(model)
    for situation in runs(model, 2, seed):
        compare_facts(basis, situation, compare(basis, situation))


def test_random_programs_have_every_operation():
    """So that the test above is of all of them."""
    missing = set(MEANING) - {"spread"}
    for seed in range(300):
        if missing and (program := some(seed)):
            missing -= {op.name for op in program.body.ops}
    assert not missing, "tests/compiler/random_programs.py: an entry at the end of OPS"


def test_a_wrong_meaning_is_noticed(monkeypatch):
    """The comparison itself can fail."""
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


@pytest.mark.parametrize("bound", ["2", "n_e", "n_e + 4", "n_v // 2"])
def test_a_declared_bound_is_proved_or_the_program_is_not(bound):
    """On a hypergraph where the state is more, the program ends in an error, and the model gives levels."""
    model = hyloop.compile("levels", Capacity(9, 9))
    changed = model.program.replace("state depth: count = 0", f"state depth: count at most {bound} = 0")
    assert changed != model.program
    wrong = replace(model, program=changed)
    if bound == "n_v // 2":  # no term of the prover: shown as the compiler shows it, or refused
        with pytest.raises(LanguageError, match="declared to be at most n_v // 2"):
            prove(wrong)
        return
    assert prove(wrong).answer == "undecided"
