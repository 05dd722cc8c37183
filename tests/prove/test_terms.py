"""Terms and formulas: what is simplified while they are built, their intervals, and what solvers are told of them."""

import z3
from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from hyloop.prove.solver import Obligation, ask, discharge, refutes
from hyloop.prove.terms import (
    FALSE,
    TRUE,
    Valuation,
    absolute,
    at_least,
    atoms_of,
    below,
    choice,
    combination,
    conjunction,
    constant,
    disjunction,
    equal,
    flag,
    function,
    implies,
    interval,
    negation,
    product,
    relu,
    to_smt,
    truth,
    variable,
)

RANGES = {"x": (0, 3), "y": (-2, 2), "z": (0, 1), "w": (-5, -1)}
TABLE = {row: (row * row + 1) % 4 for row in range(-60, 61)}  # a function of the row, 0 to 3


class Both:
    """A term or formula, and the same computed in plain Python from the values of the variables."""

    def __init__(self, built, computed):
        self.built, self.computed = built, computed


def number(value):
    return Both(constant(value), lambda _: value)


def named(name):
    return Both(variable(name, *RANGES[name]), lambda at: at[name])


leaves = st.integers(-3, 3).map(number) | st.sampled_from(sorted(RANGES)).map(named)


def terms(inner, formulas):
    two = st.tuples(inner, inner)
    return (
        two.map(lambda p: Both(p[0].built + p[1].built, lambda at: p[0].computed(at) + p[1].computed(at)))
        | two.map(lambda p: Both(p[0].built - p[1].built, lambda at: p[0].computed(at) - p[1].computed(at)))
        | two.map(lambda p: Both(product(p[0].built, p[1].built), lambda at: p[0].computed(at) * p[1].computed(at)))
        | st.tuples(st.integers(-3, 3), inner).map(
            lambda p: Both(combination([(p[0], p[1].built), (1, constant(2))]), lambda at: p[0] * p[1].computed(at) + 2)
        )
        | inner.map(lambda a: Both(relu(a.built), lambda at: max(a.computed(at), 0)))
        | inner.map(lambda a: Both(absolute(a.built), lambda at: abs(a.computed(at))))
        | inner.map(lambda a: Both(-a.built, lambda at: -a.computed(at)))
        | inner.map(lambda a: Both(function("f", a.built, 0, 3), lambda at: TABLE.get(a.computed(at), 0)))
        | st.tuples(formulas, inner, inner).map(
            lambda p: Both(
                choice(p[0].built, p[1].built, p[2].built),
                lambda at: p[1].computed(at) if p[0].computed(at) else p[2].computed(at),
            )
        )
        | formulas.map(lambda a: Both(flag(a.built), lambda at: int(a.computed(at))))
    )


def formulas_over(some, inner):
    two, both = st.tuples(some, some), st.tuples(inner, inner)
    return (
        two.map(lambda p: Both(at_least(p[0].built, p[1].built), lambda at: p[0].computed(at) >= p[1].computed(at)))
        | two.map(lambda p: Both(below(p[0].built, p[1].built), lambda at: p[0].computed(at) < p[1].computed(at)))
        | two.map(lambda p: Both(equal(p[0].built, p[1].built), lambda at: p[0].computed(at) == p[1].computed(at)))
        | inner.map(lambda a: Both(negation(a.built), lambda at: not a.computed(at)))
        | inner.map(lambda a: Both(truth(flag(a.built)), lambda at: bool(a.computed(at))))
        | inner.map(lambda a: Both(truth(1 - flag(a.built)), lambda at: not a.computed(at)))
        | both.map(
            lambda p: Both(conjunction(p[0].built, p[1].built), lambda at: p[0].computed(at) and p[1].computed(at))
        )
        | both.map(
            lambda p: Both(disjunction(p[0].built, p[1].built), lambda at: p[0].computed(at) or p[1].computed(at))
        )
        | both.map(
            lambda p: Both(implies(p[0].built, p[1].built), lambda at: not p[0].computed(at) or p[1].computed(at))
        )
    )


constants = st.sampled_from([Both(TRUE, lambda _: True), Both(FALSE, lambda _: False)])
plain = formulas_over(leaves, constants)
some_terms = terms(terms(leaves, plain) | leaves, formulas_over(terms(leaves, plain), plain))
some_formulas = formulas_over(some_terms, formulas_over(some_terms, plain))
choices = st.fixed_dictionaries({name: st.integers(*bounds) for name, bounds in RANGES.items()})


def at(built, chosen):
    return Valuation(chosen, {"f": TABLE}).of([built])


@given(some_terms, choices)
def test_a_term_is_what_it_was_built_from(both, chosen):
    value = both.computed(chosen)
    assert at(both.built, chosen).term(both.built) == value
    assert both.built.low <= value <= both.built.high
    assert abs(value) <= both.built.largest


@given(some_formulas, choices)
def test_a_formula_says_what_it_was_built_from(both, chosen):
    assert at(both.built, chosen).formula(both.built) == bool(both.computed(chosen))


@given(some_terms, some_terms, choices)
def test_terms_that_are_the_same_object_are_equal(a, b, chosen):
    """Sharing must never join what differs; and sums do not depend on the order that they are built in."""
    assert a.built + b.built is b.built + a.built
    assert (a.built - a.built).value == 0
    if a.built is b.built:
        assert a.computed(chosen) == b.computed(chosen)


def fixed(chosen):
    """Formulas that leave a solver no choice."""
    named_ = [equal(variable(name, *RANGES[name]), value) for name, value in chosen.items()]
    return [*named_, *(_formula_for(row, value) for row, value in TABLE.items() if abs(row) <= 40)]


def _formula_for(row, value):
    return equal(function("f", constant(row), 0, 3), value)


@given(some_formulas, choices)
def test_a_solver_is_told_the_same(both, chosen):
    rows = [
        abs(at(part, chosen).term(part))
        for atom in atoms_of([both.built])
        if atom.kind == "function"
        for part in atom.parts
    ]
    if max(rows, default=0) > 40:
        return
    solver = z3.SimpleSolver()
    solver.from_string(to_smt([*fixed(chosen), both.built], exact_products=True))
    assert str(solver.check()) == ("sat" if both.computed(chosen) else "unsat")


@examples(25)
@given(some_formulas)
def test_proved_means_so_for_all_values(both):
    """With the intervals of the variables as facts: `proved` is true everywhere, and what refutes does so in Python."""
    facts = tuple(
        fact for atom in atoms_of([both.built]) if atom.kind in {"variable", "function"} for fact in interval(atom)
    )
    obligation = Obligation(1, "units", "a formula", both.built, facts)
    outcome = discharge(obligation, milliseconds=500)
    if outcome.answer == "refuted":
        assert refutes(outcome.values, obligation)
    if outcome.answer == "proved":
        names = {atom.name for atom in atoms_of([both.built]) if atom.kind == "variable"}
        for chosen in _all(sorted(names)):
            assert both.computed({name: low for name, (low, _) in RANGES.items()} | chosen)


def _all(names):
    if not names:
        yield {}
        return
    low, high = RANGES[names[0]]
    for rest in _all(names[1:]):
        for value in range(low, high + 1):
            yield {names[0]: value, **rest}


def test_products_are_symbols_unless_they_must_be_products():
    x, y = variable("x", 0, 9), variable("y", 0, 9)
    square = product(x, x) - 2 * product(x, y) + product(y, y)
    asked = [below(square, 0), *interval(x.terms[0][0])]
    assert "(* x" not in to_smt(asked)
    assert ask(to_smt(asked)).answer == "refuted"  # nothing is known of the symbols
    assert ask(to_smt(asked, exact_products=True)).answer == "proved"
    assert discharge(Obligation(1, "head 1", "a square", at_least(square, 0))).answer == "proved"


def test_values_are_read_only_where_they_are_wanted():
    script = to_smt([equal(variable("x", 0, 9), 4)])
    assert ask(script).values.variables == {"x": 4}
    found = ask(script, values=False)
    assert (found.answer, found.values) == ("refuted", None)


def test_a_number_is_added_to_the_same_terms():
    x = variable("x", 0, 9)
    assert x + 0 is x - 0 is x
    assert x + 3 - 3 is x
    assert x + True is x + 1 is x - (-1) is x + constant(1)
    assert (x + 3).constant == 3
    assert (x + 3).terms is x.terms
    assert type((x + True).constant) is int


def test_two_atoms_of_one_name_are_one_symbol():
    """Terms that were built before `forget` keep their meaning beside new ones."""
    from hyloop.prove.terms import forget

    old = variable("x", 0, 9)
    forget()
    new = variable("x", 0, 9)
    assert old is not new
    assert ask(to_smt([equal(old, 3), equal(new, 4)])).answer == "proved"


def test_a_comment_cannot_end_early():
    script = to_smt([equal(variable("x", 0, 9), 3)], comment="one\n(assert false)\r(assert false)\u2028(assert false)")
    assert ask(script).answer == "refuted"
