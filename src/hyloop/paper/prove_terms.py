"""Exact terms: a fraction where a number is known, a term of the SMT solver z3 where it is not.

What the proofs of the lemmas ask of z3 goes through this file. z3 is an optional extra, imported when first needed; it
has no types to speak of, so its terms are `Any` here, under the name `Term`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from hyloop.prove.solver import library

Term = Any  # a Fraction or a real term of z3
Claim = Any  # a bool or a Boolean term of z3
TIMEOUT = 20_000  # milliseconds for one question; none that is asked here takes a tenth of it


@cache
def z3() -> Term:
    """The solver's module, or a sentence that says how to get it."""
    return library()


def unknown(name: str) -> Term:
    """A rational number that is not known."""
    return z3().Real(name)


def unknown_integer(name: str) -> Term:
    """An integer that is not known, as a rational."""
    return z3().ToReal(z3().Int(name))


def unknown_flag(name: str) -> Term:
    """0 or 1, not known which."""
    return z3().If(z3().Bool(name), z3().RealVal(1), z3().RealVal(0))


def known(value: Term) -> bool:
    """Whether a term is a number and a claim true or false."""
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
    """`1/a`, for `a` other than 0."""
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
    """One or the other."""
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
    """Not so."""
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
    """Whether the solver proves a claim from what is given."""
    return _ask([*given, no(claim)]) == "unsat"


def possible(given: Sequence[Claim]) -> bool:
    """Whether the solver finds a case in which all that is given holds."""
    return _ask(given) == "sat"


def smallest(given: Sequence[Claim], least: Sequence[Term], values: Sequence[Term]) -> tuple[Fraction, ...] | None:
    """The values in a case in which all that is given holds, one term after the other as small as can be, if any."""
    if not possible(given):  # an optimizer is slower at finding that there is nothing
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
    solver = z3().Solver()
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
