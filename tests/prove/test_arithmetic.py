"""The lemmas of products and quotients: every fact that a proof takes for granted is true of numbers, and is enough."""

from itertools import product

import pytest

import hyloop
from hyloop import Capacity
from hyloop.lang import INFINITY, Count, Length, Outputs, algorithm, number
from hyloop.prove import prove
from hyloop.prove.arithmetic import Dividing, Multiplying, Symbol
from hyloop.prove.terms import TRUE, Valuation, constant

pytest.importorskip("z3")

LAST = 40
ROW = constant(0)


def symbol(name, high=20):
    return Symbol(name, True, 0, high)


def held(formulas, **values):
    squares = {row: row * row // 4 for row in range(LAST + 1)}
    known = Valuation(values, {"quarter square": squares})
    return [known.of([each]).formula(each) for each in formulas]


def test_quarter_squares_multiply():
    made = Multiplying(symbol("a"), symbol("b"), symbol("ab", 400), lambda _: TRUE, LAST)
    for a, b in product(range(21), repeat=2):
        assert all(held(made.known(ROW), a=a, b=b, ab=a * b))
        assert not all(held(made.known(ROW), a=a, b=b, ab=a * b + 1))


def test_what_is_known_of_a_quotient_is_true_and_settles_it():
    made = Dividing(symbol("a"), symbol("b"), symbol("q"), None)
    for a, b, q in product(range(0, 21, 2), range(1, 21, 3), range(21)):
        assert all(held(made.known(ROW), a=a, b=b, q=q)) is (q == a // b)


def test_the_lemma_of_the_quotient_is_true_for_all_rows():
    """Whatever is divided, and whichever rows are compared: also where t is not the quotient."""
    made = Dividing(symbol("a"), symbol("b"), symbol("q"), None)
    i, t, j = (symbol(name).at(ROW) for name in "itj")
    facts = list(made.unique(i, t, j))
    for a, b in product((0, 1, 6, 13, 20), (1, 2, 5, 20)):
        for at, other in product((0, 1, 2, 6, 13, 20), range(0, 21, 3)):
            assert all(held(facts, a=a, b=b, q=a // b, t=at, j=other))


def test_the_row_of_the_quotient_wins_by_one_or_more():
    for a, b in product(range(30), range(1, 12)):
        scores = [(2 * a - b + 1) * j - b * j * j for j in range(32)]
        best = max(scores)
        assert scores.index(best) == a // b
        assert sorted(scores)[-2] <= best - 1


@algorithm
def everything(h):
    """Products, quotients and remainders of scalars and arrays, with infinity, 0 and constants."""
    b, c = h.vertices.state(Count, 0), h.state(Count, 1)
    far, left = h.hyperedges.state(Length, INFINITY), h.hyperedges.state(Length, 0)
    with h.loop(at_most=3) as loop:
        b.assign((h.incidence @ h.hyperedges.every) // number(h.vertices.number) + c % 3)
        left.assign((far * number(h.hyperedges.number)) % h.weight)
        far.assign(h.weight * c)
        c.assign(h.vertices.count // (c + 1))
        loop.stop_when(c < 2)
    return Outputs(b=b, far=far, left=left, c=c)


def test_a_model_that_multiplies_and_divides_is_proved():
    found = prove(hyloop.compile(everything, Capacity(4, 5)))
    assert found.answer == "proved", found.failure
    looks = [head.looks_at for head in found.heads]
    assert any("the quotient of" in each for each in looks)
    assert any("the sum of what" in each for each in looks)
