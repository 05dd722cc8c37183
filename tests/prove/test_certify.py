"""Certificates are found for what holds, and for nothing else."""

import json
import random
from itertools import product as pairs

import pytest

from hyloop.prove.certify import NotFound, certify
from hyloop.prove.terms import (
    Formula,
    Term,
    Valuation,
    at_least,
    choice,
    conjunction,
    constant,
    disjunction,
    equal,
    function,
    implies,
    in_full,
    interval,
    negation,
    product,
    relu,
    to_script,
    variable,
)
from prove.mutilations import accepts, checker

CHECKER = checker()
MOST = 3


def symbols() -> list[Term]:
    return [variable(name, 0, MOST) for name in ("x", "y")]


def some_term(chance: random.Random, depth: int) -> Term:
    if not depth:
        return chance.choice([*symbols(), constant(chance.randrange(-2, 3))])
    a, b = some_term(chance, depth - 1), some_term(chance, depth - 1)
    made = [a + b, a - b, 2 * a - b, relu(a - b), choice(some_formula(chance, depth - 1), a, b)]
    return chance.choice(made)


def some_formula(chance: random.Random, depth: int) -> Formula:
    if not depth:
        a, b = some_term(chance, 0) - 2 * some_term(chance, 0), some_term(chance, 0)
        return chance.choice([at_least, equal])(a, b)
    parts = [some_formula(chance, depth - 1) for _ in range(2)]
    return chance.choice([conjunction(*parts), disjunction(*parts), negation(parts[0]), implies(*parts)])


def can_hold(formulas: list[Formula]) -> bool:
    values = [Valuation({"x": x, "y": y}, {}) for x, y in pairs(range(MOST + 1), repeat=2)]
    return any(all(each.of(formulas).formula(formula) for formula in formulas) for each in values)


@pytest.mark.parametrize("seed", range(60))
def test_what_cannot_hold_has_a_certificate(seed):
    chance = random.Random(seed)
    with in_full():
        bounds = [each for term in symbols() for each in interval(term.terms[0][0])]
        asserted = [*bounds, *(some_formula(chance, 2) for _ in range(3))]
    script = to_script(asserted, exact_products=True)
    if can_hold(asserted):
        with pytest.raises(NotFound):
            certify(script)
    else:
        assert accepts(CHECKER, script.text, json.loads(json.dumps(certify(script))))


def certified(*asserted: Formula) -> bool:
    script = to_script(asserted, exact_products=True)
    return accepts(CHECKER, script.text, json.loads(json.dumps(certify(script))))


def test_what_bounds_decide_needs_no_solver(monkeypatch):
    """Half of the obligations are such: the absolute values of weights times columns are no more than a number."""
    monkeypatch.setattr("hyloop.prove.certify.library", lambda: pytest.fail("the solver is asked"))
    x = variable("x", 0, 9)
    with in_full():
        known, most = interval(x.terms[0][0]), relu(-2 * x) + relu(2 * x)
        assert certified(*known, negation(at_least(18, most)))
        with pytest.raises(pytest.fail.Exception, match="the solver is asked"):
            certified(*known, negation(at_least(17, most)))


def test_functions_give_the_same_for_the_same():
    x, y = symbols()
    with in_full():
        f, g = (function("f", at, 0, 9) for at in (x + 1, y))
        assert certified(equal(x + 1, y), negation(equal(f, g)))
        with pytest.raises(NotFound):
            certified(equal(x, y), negation(equal(f, g)))


def test_no_integer_is_half():
    x, y = symbols()
    with in_full():
        assert certified(equal(2 * x + 4 * y, 3))
        assert certified(equal(x + y, 1), equal(x - y, 0))


def test_nothing_is_assumed_of_a_product():
    x, y = symbols()
    with in_full(), pytest.raises(NotFound):
        certified(at_least(product(x, y), 1), at_least(0, x + y))


def test_an_and_of_nothing_is_written_as_smt_lib_has_it():
    with in_full():
        nothing = [negation(conjunction()), disjunction()]
    lines = to_script(nothing).text.splitlines()
    assert lines[1:3] == ["(assert (not true))", "(assert false)"]
    assert all(map(certified, nothing))
