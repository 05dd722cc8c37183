"""What certificates know of products: squares, bounds, and products of a choice."""

import json

import pytest

from hyloop.prove.certify import certify
from hyloop.prove.lemmas import lemmas
from hyloop.prove.terms import (
    at_least,
    choice,
    choices,
    equal,
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
A, B = (variable(name, 0, 9) for name in "ab")
BOUNDS = [each for term in (A, B) for each in interval(term.terms[0][0])]


def square():
    gap = product(A, A) - 2 * product(A, B) + product(B, B)
    return [negation(at_least(gap, A - B))]


def bound():
    return [*BOUNDS, at_least(product(A, B), 82)]


def chosen():
    flag = choice(at_least(A, 5), 2, 0)
    return [at_least(A, 5), negation(equal(product(flag, B), 2 * B))]


def of_a_relu():
    return [negation(at_least(A, 0)), negation(equal(product(relu(A), B), 0))]


def remainder():
    """If `ab` is the largest multiple of b that is no more than b, it is b."""
    multiple = product(A, B)
    return [*BOUNDS, at_least(B, 1), at_least(B, multiple), at_least(multiple + B - 1, B), negation(equal(multiple, B))]


@pytest.mark.parametrize("made", [square, bound, chosen, of_a_relu, remainder])
def test_the_checker_proves_what_is_known_of_products(made):
    with in_full():
        script = to_script(made(), exact_products=True, also=choices(made()))
    proof = certify(script)
    assert any(step[0] == "mul" for step in proof)
    assert accepts(CHECKER, script.text, json.loads(json.dumps(proof)))


def test_there_are_lemmas_only_of_products():
    with in_full():
        assert list(lemmas(to_script(BOUNDS, exact_products=True))) == []
