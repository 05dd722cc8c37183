"""Lemmas on products that certificates prove: a product of two numbers that are not negative is not negative.

What a product is comes from its factors: if one is a choice, it is the product with what is chosen; if both have
bounds, it has; and of two integers, `(a - b)² ≥ a - b`. Where these are not enough, it is told apart whether a factor
is as small as it can be, one more, or larger: so the remainder of x by x is 0. Each lemma is stated to z3, which says
whether it is needed, and then proved step by step for the checker, which knows one rule only: statements can be
multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from hyloop.prove.clauses import Clauses, Joined, Linear, Step, summed
from hyloop.prove.terms import Script, numeral


class Prover(Protocol):
    """What takes steps."""

    table: Clauses

    def take(self, step: Step) -> int:
        """Take a step; its last clause."""

    def require(self, literal: int) -> None:
        """A literal that holds matters."""

    def define(self, name: str, condition: int, yes: int, no: int) -> None:
        """What is known of a symbol depends on a condition."""


@dataclass(frozen=True)
class Lemma:
    """A lemma: what it says to a solver, the assertions that it needs, and the steps that prove it."""

    says: str
    needs: tuple[int, ...]
    steps: Callable[[Prover], None]


def lemmas(script: Script) -> Iterator[Lemma]:
    """Every lemma on the products of a script."""
    table, bounds = _bounded(script)
    for name in list(table.factors):
        a, b = (table.term(part)[1][0][0] for part in table.atoms[name].parts)  # type: ignore[arg-type]
        for factor, other in ((a, b), (b, a)):
            if table.atoms[factor].kind in {"choice", "relu"}:
                yield from _attempt(script, partial(_choice, name=name, factor=factor, other=other))
                break
        else:
            if a != b:
                yield from _attempt(script, partial(_square, a=a, b=b))
                yield from _attempt(script, partial(_square, a=b, b=a))
        for one in bounds.get(a, []):
            for two in bounds.get(b, []):
                if a != b or one <= two:
                    needs, literals = (one[0], two[0]), (one[1], two[1])
                    yield from _attempt(script, partial(_bound, given=table, one=literals[0], other=literals[1]), needs)


def _bounded(script: Script) -> tuple[Clauses, dict[str, list[tuple[int, int]]]]:
    """The bounds of each symbol: the assertions that say them, with their literals."""
    table = Clauses(script)
    bounds: dict[str, list[tuple[int, int]]] = {}
    for number in range(len(script.assertions)):
        table.use(number)
        literal = table.clauses[-1][0]
        key = table.literals[abs(literal)]
        if isinstance(key, Linear) and len(key.parts) == 1 and (not key.equation or literal > 0):
            bounds.setdefault(key.parts[0][0], []).append((number, literal))
    return table, bounds


def cases(script: Script) -> Iterator[Lemma]:
    """Lemmas for what the others leave open: a product by the cases of a factor that has a least value."""
    table, bounds = _bounded(script)
    least = {
        name: (number, table.said(literal))
        for name, found in bounds.items()
        for number, literal in found
        if table.said(literal).parts == ((name, 1),) and not table.said(literal).equation
    }
    for name in table.factors:
        a, b = (table.term(part)[1][0][0] for part in table.atoms[name].parts)  # type: ignore[arg-type]
        for factor, other in dict.fromkeys([(a, b), (b, a)]):
            if factor in least and other in least:
                (one, low), (two, by) = least[factor], least[other]
                steps = partial(_cases, name=name, factor=factor, low=-low.constant, by=by)
                yield from _attempt(script, steps, (one, two))


@dataclass
class _Scratch:
    """Steps that are tried out, to see what they say."""

    table: Clauses
    said: list[str]

    def take(self, step: Step) -> int:
        self.table.take(step)
        return len(self.table.clauses) - 1

    def require(self, literal: int) -> None:
        self.said.append(to_smt(self.table, literal))

    def define(self, _: str, condition: int, yes: int, no: int) -> None:
        then, else_ = to_smt(self.table, yes), to_smt(self.table, no)
        self.said.append(f"(ite {to_smt(self.table, condition)} {then} {else_})")


def _attempt(script: Script, steps: Callable[[Prover], None], needs: tuple[int, ...] = ()) -> Iterator[Lemma]:
    """A lemma, unless it is about products that there are not."""
    scratch = _Scratch(Clauses(script), [])
    try:
        steps(scratch)
    except KeyError:
        return
    yield Lemma(f"(and {' '.join(scratch.said)})", needs, steps)


def _choice(prover: Prover, name: str, factor: str, other: str) -> None:
    """A product of a choice: it is one of the two products."""
    table = prover.table
    prover.take(("ite", factor))
    condition, yes, no = table.conditions[factor]
    by = table.linear(False, 0, ((other, 1),))
    values = [table.clauses[prover.take(("mul", each, by))][1] for each in (yes, no)]
    prover.define(name, condition, values[0], values[1])


def _bound(prover: Prover, given: Clauses, one: int, other: int) -> None:
    """The product of two bounds."""
    table = prover.table
    first, second = (table.linear(each.equation, each.constant, each.parts) for each in map(given.said, (one, other)))
    prover.require(table.clauses[prover.take(("mul", first, second))][-1])


def _cases(prover: Prover, name: str, factor: str, low: int, by: Linear) -> None:
    """A product with a factor that is at least `low`: it is `low`, or one more or larger, or two more or larger."""
    table = prover.table
    other = table.linear(False, by.constant, by.parts)
    more, most = (table.linear(False, -low - each, ((factor, 1),)) for each in (1, 2))
    least = table.linear(True, -low, ((factor, 1),))
    same, above, far = (table.clauses[prover.take(("mul", each, other))][-1] for each in (least, more, most))
    prover.define(name, more, above, same)
    prover.define(factor, most, far, -most)


def _square(prover: Prover, a: str, b: str) -> None:
    """`n² ≥ n` for `n = a - b`: n and n - 1 are not negative, or -n and 1 - n are not."""
    table = prover.table
    up, down = summed([(a, 1), (b, -1)]), summed([(a, -1), (b, 1)])
    one, zero, none = table.linear(False, -1, up), table.linear(False, 0, up), table.linear(False, 1, down)
    above = prover.take(("mul", one, zero))
    square = table.clauses[above][-1]
    more = prover.take(("sum", (one, 1, -zero, 1)))
    first = prover.take(("so", (-one, square), (more, above)))
    below = prover.take(("mul", -one, none))
    less = prover.take(("sum", (-one, 1, -none, 1)))
    prover.take(("so", (square,), (first, less, below)))
    prover.require(square)


def to_smt(table: Clauses, literal: int) -> str:
    """A literal as a formula."""
    key = table.literals[abs(literal)]
    if isinstance(key, Joined):
        said = f"({key.kind} {' '.join(to_smt(table, part) for part in key.parts)})" if key.parts else _empty(key)
    elif isinstance(key, Linear):
        said = linear_to_smt(key)
    else:
        said = "true"
    return said if literal > 0 else f"(not {said})"


def linear_to_smt(each: Linear, called: Callable[[str], str] = str) -> str:
    """A linear statement as a formula; `called` says what its symbols are called there."""
    parts = " ".join(f"(* {numeral(factor)} {called(name)})" for name, factor in each.parts)
    return f"({'=' if each.equation else '>='} (+ {numeral(each.constant)} {parts}) 0)"


def _empty(key: Joined) -> str:
    return "true" if key.kind == "and" else "false"
