"""Exact terms: a fraction for a known number, a term of the SMT solver z3 for an unknown one.

The proofs of the lemmas use z3 only through this file. z3 is an optional extra, imported on first use; it has hardly
any types, so its terms are `Any` here, under the name `Term`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from hyloop.prove.solver import library

Term = Any  # a Fraction or a real term of z3
Claim = Any  # a bool or a Boolean term of z3
TIMEOUT = 20_000  # timeout of one query in milliseconds; none takes a tenth of it


@cache
def z3() -> Term:
    """The solver's module, or an error that says how to install it."""
    return library()


def unknown(name: str) -> Term:
    """An unknown rational number."""
    return z3().Real(name)


def unknown_integer(name: str) -> Term:
    """An unknown integer, as a rational."""
    return z3().ToReal(z3().Int(name))


def unknown_flag(name: str) -> Term:
    """An unknown 0 or 1."""
    return z3().If(z3().Bool(name), z3().RealVal(1), z3().RealVal(0))


def known(value: Term) -> bool:
    """Whether a term is a number, or a claim True or False."""
    return isinstance(value, Fraction | bool)


def add(a: Term, b: Term) -> Term:
    """`a + b`."""
    if known(a) and known(b):
        return a + b
    return b if known(a) and a == 0 else a if known(b) and b == 0 else _z3(a) + _z3(b)


def times(a: Term, b: Term) -> Term:
    """`ab`; a choice between two numbers is multiplied case by case, which keeps products linear."""
    if known(a) and known(b):
        return a * b
    for one, other in ((a, b), (b, a)):
        if known(one) and one in {0, 1}:
            return Fraction(0) if one == 0 else other
    for one, other in ((a, b), (b, a)):
        if not known(one) and z3().is_app_of(one, z3().Z3_OP_ITE) and all(map(_numeral, one.children()[1:])):
            condition, yes, no = one.children()
            return z3().If(condition, _z3(times(_fraction(yes), other)), _z3(times(_fraction(no), other)))
    return _z3(a) * _z3(b)


def inverse(a: Term) -> Term:
    """`1/a`, for nonzero `a`."""
    return 1 / a


def minus(a: Term, b: Term) -> Term:
    """`a - b`."""
    return add(a, times(Fraction(-1), b))


def total(terms: Iterable[Term]) -> Term:
    """The sum."""
    result: Term = Fraction(0)
    for term in terms:
        result = add(result, term)
    return result


def relu(a: Term) -> Term:
    """`a` where it is positive, else 0."""
    return choose(less(Fraction(0), a), a, Fraction(0))


def choose(condition: Claim, yes: Term, no: Term) -> Term:
    """`yes` if the condition holds, else `no`."""
    if isinstance(condition, bool):
        return yes if condition else no
    return z3().If(condition, _z3(yes), _z3(no))


def equal(a: Term, b: Term) -> Claim:
    """`a = b`."""
    return a == b if known(a) and known(b) else _z3(a) == _z3(b)


def less(a: Term, b: Term) -> Claim:
    """`a < b`."""
    return a < b if known(a) and known(b) else _z3(a) < _z3(b)


def at_most(a: Term, b: Term) -> Claim:
    """`a ≤ b`."""
    return a <= b if known(a) and known(b) else _z3(a) <= _z3(b)


def no(claim: Claim) -> Claim:
    """Negation."""
    return not claim if isinstance(claim, bool) else z3().Not(claim)


def every(claims: Iterable[Claim]) -> Claim:
    """All of the claims."""
    given = list(claims)
    if all(isinstance(claim, bool) for claim in given):
        return all(given)
    return z3().And(*given)


def either(claims: Iterable[Claim]) -> Claim:
    """At least one of the claims."""
    return no(every(no(claim) for claim in claims))


def implies(condition: Claim, claim: Claim) -> Claim:
    """If the first, then the second."""
    return either((no(condition), claim))


def follows(claim: Claim, given: Sequence[Claim]) -> bool:
    """Whether the solver proves a claim from the given ones."""
    return _ask([*given, no(claim)]) == "unsat"


def possible(given: Sequence[Claim]) -> bool:
    """Whether the solver finds a model of all given claims."""
    return _ask(given) == "sat"


def smallest(given: Sequence[Claim], least: Sequence[Term], values: Sequence[Term]) -> tuple[Fraction, ...] | None:
    """The values in a model of all given claims that minimizes the terms lexicographically; None if there is none."""
    if not possible(given):  # an optimizer is slower in proving that there is no model
        return None
    optimizer = z3().Optimize()
    optimizer.set(timeout=TIMEOUT)
    for claim in given:
        optimizer.add(claim)
    for term in least:
        optimizer.minimize(_z3(term))
    if str(optimizer.check()) != "sat":
        return None
    model = optimizer.model()
    return tuple(value if known(value) else _fraction(model.eval(value, model_completion=True)) for value in values)


def _ask(given: Sequence[Claim]) -> str:
    solver = z3().SimpleSolver()
    solver.set(timeout=TIMEOUT)
    for claim in given:
        solver.add(claim)
    return str(solver.check())


def _z3(a: Term) -> Term:
    return z3().RealVal(f"{a.numerator}/{a.denominator}") if isinstance(a, Fraction) else a


def _numeral(a: Term) -> bool:
    return bool(z3().is_rational_value(a))


def _fraction(a: Term) -> Fraction:
    return Fraction(a.numerator_as_long(), a.denominator_as_long())
