"""Products, quotients and remainders of two values: symbols for them, what is known of these, and two lemmas.

A machine multiplies by two reads in a column of quarter squares, and divides by one head. Both are beyond what a solver
decides by itself, so that the facts about them are instances of lemmas, which hold for all integers:

* `ab = ⌊(a + b)²/4⌋ - ⌊(a - b)²/4⌋`: both squares have the same remainder modulo 4, and differ by `4ab`;
* with `f(x) = (2a - b + 1) x - b x²`, `b ≥ 1` and `t = ⌊a/b⌋`, so that `r = a - bt` is 0 to `b - 1`:
  `f(t) - f(j)` is `b n(n - 1) + n (2(b - 1 - r) + 1)` for `j = t + n`, and `b n(n - 1) + n (2r + 1)` for `j = t - n`.
  Both are at least n, which is 1 or more for any other row than t.

docs/proof.md has both in full; tests/prove/test_arithmetic.py tries every fact here on numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hyloop.prove.terms import (
    Atom,
    Formula,
    Term,
    absolute,
    at_least,
    choice,
    conjunction,
    constant,
    equal,
    function,
    implies,
    interval,
    product,
    variable,
)

RowFunction = Callable[[Term], Term]


@dataclass(frozen=True)
class Table:
    """What quarter squares stand for: those of numbers up to a bound."""

    most: int

    def known(self, atom: Atom) -> list[Formula]:
        """The range of an entry, where its number is in range."""
        low, high = interval(atom)
        return [low, implies(conjunction(at_least(self.most, atom.index), at_least(atom.index, 0)), high)]


def quarter_square(row: Term, last: int) -> Term:
    """`⌊row²/4⌋`, for rows up to the last."""
    most = min(row.high, last)
    return function("quarter square", row, 0, most * most // 4, of=Table(most))


@dataclass(frozen=True)
class Symbol:
    """A number that an operation is made of: one for each row, or the same on all of them."""

    name: str
    scalar: bool
    low: int
    high: int

    def at(self, row: Term) -> Term:
        """Its value at a row."""
        if self.scalar:
            return variable(self.name, self.low, self.high)
        return function(self.name, row, self.low, self.high)


@dataclass(frozen=True)
class Multiplying:
    """A product: the symbols for two finite factors and for the product, which is 0 outside its rows.

    `last` is the last row that there may be.
    """

    a: Symbol
    b: Symbol
    made: Symbol
    inside: Callable[[Term], Formula]
    last: int

    def total(self, row: Term) -> Term:
        """The row of the first square."""
        return choice(self.inside(row), self.a.at(row) + self.b.at(row), 0)

    def gap(self, row: Term) -> Term:
        """The row of the second square."""
        return choice(self.inside(row), absolute(self.a.at(row) - self.b.at(row)), 0)

    def known(self, row: Term) -> list[Formula]:
        """What the product is, by the first lemma. (Outside its rows one factor is 0.)"""
        squares = quarter_square(self.total(row), self.last) - quarter_square(self.gap(row), self.last)
        return [equal(self.made.at(row), squares), equal(product(self.a.at(row), self.b.at(row)), squares)]


@dataclass(frozen=True)
class Dividing:
    """A division: the symbols for what is divided, by what (1 or more), the quotient, and their product."""

    a: Symbol
    b: Symbol | int
    quotient: Symbol
    taken: Multiplying | None

    def by(self, row: Term) -> Term:
        """What divides at a row."""
        return self.b.at(row) if isinstance(self.b, Symbol) else constant(self.b)

    def multiple(self, row: Term) -> Term:
        """The largest multiple that is no more than what is divided."""
        return product(self.by(row), self.quotient.at(row))

    def query(self, row: Term) -> tuple[Term, Term]:
        """The query with which a head finds the quotient."""
        a, b = self.a.at(row), self.by(row)
        return 2 * a - b + 1, -b

    def known(self, row: Term) -> list[Formula]:
        """What the quotient is."""
        a, b, multiple = self.a.at(row), self.by(row), self.multiple(row)
        quotient = self.quotient.at(row)
        nothing = implies(at_least(b, a + 1), equal(quotient, 0))
        same = [] if self.taken is None else [equal(self.taken.made.at(row), multiple)]
        return [at_least(a, multiple), at_least(multiple + b - 1, a), nothing, *same]

    def unique(self, i: Term, t: Term, j: Term) -> Iterator[Formula]:
        """The second lemma, for row i that looks at row t, its quotient, and any other row j: products that are not
        below 0."""
        a, b = self.a.at(i), self.by(i)
        jj, jt, tt = (product(b, product(x, y)) for x, y in ((j, j), (j, t), (t, t)))
        bj, bt = product(b, j), product(b, t)
        square = jj - 2 * jt + tt  # b (j - t)²
        yield implies(equal(t, self.quotient.at(i)), equal(bt, self.multiple(i)))
        yield at_least(square, bj - bt)  # b n(n - 1), since b and n(n - 1) are at least 0
        yield at_least(square, bt - bj)
        above, below_ = at_least(j, t + 1), at_least(t, j + 1)
        yield implies(above, implies(at_least(bt + b - 1, a), at_least(jt - tt + product(j - t, b - 1 - a), 0)))
        yield implies(below_, implies(at_least(a, bt), at_least(product(t - j, a) - tt + jt, 0)))
