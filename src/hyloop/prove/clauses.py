"""Literals and clauses as certificates number them: the same order as `checker/check_certificate.py`.

The checker shares no code with this package, so that what is here is written a second time, and for other types.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any, TypeAlias

from hyloop.prove.terms import Formula, Script, Term

Parts: TypeAlias = tuple[tuple[str, int], ...]  # symbols and their factors, sorted
Clause: TypeAlias = tuple[int, ...]
Step: TypeAlias = tuple[Any, ...]  # as in the file: ("use", 3), say


@dataclass(frozen=True)
class Linear:
    """`constant + Σ factor · symbol`, which is 0 (`equation`) or at least 0; in lowest terms."""

    equation: bool
    constant: int
    parts: Parts

    @cached_property
    def negation(self) -> Linear:
        """`-t - 1 ≥ 0`; its first factor is negative."""
        assert not self.equation
        return Linear(False, -self.constant - 1, tuple((name, -factor) for name, factor in self.parts))


@dataclass(frozen=True)
class Joined:
    """`and` or `or` of literals."""

    kind: str
    parts: Clause


def summed(pairs: Iterable[tuple[str, int]]) -> Parts:
    """Symbols with their factors, added up and sorted."""
    total: dict[str, int] = {}
    for name, factor in pairs:
        total[name] = total.get(name, 0) + factor
    return tuple(sorted((name, factor) for name, factor in total.items() if factor))


class Clauses:
    """Literals with their numbers, and clauses. Each step adds what the checker adds."""

    def __init__(self, script: Script) -> None:
        self.script, self.names = script, script.names
        self.atoms = {name: atom for atom, name in script.names.items()}
        self.clauses: list[Clause] = [(1,)]
        self.numbers: dict[Linear | Joined, int] = {}
        self.literals: list[Linear | Joined | None] = [None, None]
        self.conditions: dict[str, tuple[int, int, int]] = {}  # of an `ite`: its condition, what it is then, and else
        self.sides: dict[int, tuple[int, int]] = {}  # of an equation: that it is above 0, and below
        self.pairs: dict[tuple[str, str], tuple[int, int]] = {}  # that arguments of a function are equal, and values
        self._formulas: dict[Formula, int] = {}
        self._terms: dict[Term, tuple[int, Parts]] = {}
        self.factors: dict[str, tuple[str, ...]] = {}  # of a product its factors, sorted
        self.products: dict[tuple[str, ...], str] = {}
        for name, atom in self.atoms.items():
            if atom.kind == "product":
                [(a, _)], [(b, _)] = (self.term(part)[1] for part in atom.parts if isinstance(part, Term))
                self.factors[name] = tuple(sorted(self.factors.get(a, (a,)) + self.factors.get(b, (b,))))
                self.products.setdefault(self.factors[name], name)

    def term(self, term: Term) -> tuple[int, Parts]:
        """A term over symbols."""
        if term not in self._terms:
            self._terms[term] = term.constant, summed((self.names[atom], factor) for atom, factor in term.terms)
        return self._terms[term]

    def _number(self, key: Linear | Joined) -> tuple[int, bool]:
        if key in self.numbers:
            return self.numbers[key], False
        self.numbers[key] = len(self.literals)
        self.literals.append(key)
        return self.numbers[key], True

    def linear(self, equation: bool, constant: int, parts: Parts) -> int:
        """The literal of a linear statement."""
        if not parts:
            return 1 if constant == 0 or (not equation and constant > 0) else -1
        divisor = gcd(*(factor for _, factor in parts))
        if equation and constant % divisor:
            return -1
        constant, parts = constant // divisor, tuple((name, factor // divisor) for name, factor in parts)
        sign, found = 1, Linear(equation, constant, parts)
        if parts[0][1] < 0:
            turned = tuple((name, -factor) for name, factor in parts)
            sign, found = (1, Linear(True, -constant, turned)) if equation else (-1, found.negation)
        number, new = self._number(found)
        if new and equation:
            down = tuple((name, -factor) for name, factor in found.parts)
            above = self.linear(False, found.constant - 1, found.parts)
            self.sides[number] = above, self.linear(False, -found.constant - 1, down)
            self.clauses.append((number, *self.sides[number]))
        return sign * number

    def literal(self, formula: Formula) -> int:
        """The literal of a formula."""
        if formula not in self._formulas:
            self._formulas[formula] = self._literal(formula)
        return self._formulas[formula]

    def _literal(self, formula: Formula) -> int:
        if formula.kind == "not":
            return -self.literal(formula.parts[0])
        if formula.term is not None:
            return self.linear(formula.kind == "equal", *self.term(formula.term))
        kind = {"true": "and", "false": "or"}.get(formula.kind, formula.kind)
        parts = tuple(self.literal(part) for part in formula.parts)
        number, new = self._number(Joined(kind, parts))
        if new:
            sign = 1 if kind == "and" else -1
            self.clauses += [(-sign * number, sign * part) for part in parts]
            self.clauses.append((sign * number, *(-sign * part for part in parts)))
        return number

    def said(self, literal: int) -> Linear:
        """What a literal says that is linear."""
        found = self.literals[abs(literal)]
        assert isinstance(found, Linear)
        return found if literal > 0 else found.negation

    # -- steps

    def take(self, step: Step) -> None:
        """Add what a step adds."""
        kind, *rest = step
        getattr(self, kind)(*rest)

    def use(self, number: int) -> None:
        """An assertion."""
        self.clauses.append((self.literal(self.script.assertions[number]),))

    def ite(self, name: str) -> None:
        """The definition of a choice or a relu."""
        atom = self.atoms[name]
        if atom.kind == "relu":
            inner = atom.parts[0]
            assert isinstance(inner, Term)
            known = self.linear(False, *self.term(inner))
            values = [self.term(inner), (0, ())]
        else:
            condition, first, second = atom.parts
            assert isinstance(condition, Formula)
            assert isinstance(first, Term)
            assert isinstance(second, Term)
            known = self.literal(condition)
            values = [self.term(first), self.term(second)]
        made = []
        for literal, (constant, parts) in zip((-known, known), values, strict=True):
            gap = summed([(name, 1), *((each, -factor) for each, factor in parts)])
            made.append(self.linear(True, -constant, gap))
            self.clauses.append((literal, made[-1]))
        self.conditions[name] = known, made[0], made[1]

    def same(self, a: str, b: str) -> None:
        """Two values of a function: if the arguments are equal, they are."""
        (first, s), (second, t) = (self.term(self.atoms[name].index) for name in (a, b))
        gap = self.linear(True, first - second, summed([*s, *((name, -factor) for name, factor in t)]))
        self.clauses.append((-gap, self.linear(True, 0, summed([(a, 1), (b, -1)]))))
        self.pairs[a, b] = -self.clauses[-1][0], self.clauses[-1][1]

    def mul(self, one: int, other: int) -> None:
        """A product of two statements."""
        s, t = self.said(one), self.said(other)
        made = [(name, s.constant * factor) for name, factor in t.parts]
        made += [(name, t.constant * factor) for name, factor in s.parts]
        made += [(self.product(a, b), m * n) for a, m in s.parts for b, n in t.parts]
        total = s.constant * t.constant, summed(made)
        if s.equation:
            self.clauses.append((-one, self.linear(True, *total)))
        else:
            self.clauses.append((-one, -other, self.linear(t.equation, *total)))

    def product(self, a: str, b: str) -> str:
        """The symbol of a product of two symbols; `KeyError` if there is none."""
        return self.products[tuple(sorted(self.factors.get(a, (a,)) + self.factors.get(b, (b,))))]

    def let(self, equation: int, constant: int, parts: Iterable[tuple[int, str]]) -> None:
        """A number for a linear statement."""
        self.linear(bool(equation), constant, summed((name, factor) for factor, name in parts))

    def sum(self, taken: Clause) -> None:
        """What cannot all hold: literals and how often each is taken, in turn."""
        self.clauses.append(tuple(-literal for literal in taken[::2]))

    def so(self, clause: Clause, _: Clause) -> None:
        """What follows."""
        self.clauses.append(clause)


def to_let(said: Linear) -> Step:
    """The step that gives a linear statement its number."""
    return "let", int(said.equation), said.constant, tuple((factor, name) for name, factor in said.parts)
