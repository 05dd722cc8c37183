"""Bounds of symbols, proved for certificates: each symbol that is a choice has the bounds of what it chooses from.

A search that knows them needs few decisions: most units of a machine are never negative, or never positive.
"""

from __future__ import annotations

from dataclasses import dataclass

from hyloop.prove.clauses import Linear, Parts
from hyloop.prove.lemmas import Prover


@dataclass(frozen=True)
class Bound:
    """The least value that a symbol times 1 or -1 can have: a literal that says so, and the clause of that alone."""

    value: int
    literal: int
    clause: int


@dataclass(frozen=True)
class _Least:
    """The least value of a sum: the literals that show it, how often each is taken, and their clauses."""

    value: int
    taken: tuple[int, ...] = ()
    hints: tuple[int, ...] = ()


class Bounds:
    """The bounds of symbols, by name and sign."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.table = prover, prover.table
        self.known: dict[tuple[str, int], Bound] = {}

    def given(self, literal: int, clause: int) -> None:
        """A literal that is given may be a bound."""
        key = self.table.literals[abs(literal)]
        if isinstance(key, Linear) and not key.equation and len(key.parts) == 1:
            said = self.table.said(literal)
            [(name, factor)] = said.parts  # ±1: it is in lowest terms
            self._better((name, factor), Bound(-said.constant, literal, clause))

    def _better(self, place: tuple[str, int], bound: Bound) -> None:
        if place not in self.known or self.known[place].value < bound.value:
            self.known[place] = bound

    def least(self, constant: int, parts: Parts) -> _Least | None:
        """The least value of a sum, if all its symbols have bounds."""
        taken: list[int] = []
        hints: list[int] = []
        for name, factor in parts:
            bound = self.known.get((name, 1 if factor > 0 else -1))
            if bound is None:
                return None
            constant += abs(factor) * bound.value
            taken += [bound.literal, abs(factor)]
            hints.append(bound.clause)
        return _Least(constant, tuple(taken), tuple(hints))

    def decide(self, literal: int) -> bool:
        """Prove a linear literal or its negation from bounds, if they are enough."""
        key = self.table.literals[abs(literal)]
        if not isinstance(key, Linear):
            return False
        turned = tuple((name, -factor) for name, factor in key.parts)
        low, high = self.least(key.constant, key.parts), self.least(-key.constant, turned)
        number = abs(literal)
        if high is not None and high.value > 0:  # it is negative
            self._unit(-number, (number, 1), high)
            return True
        if low is not None and key.equation and low.value > 0:
            self._unit(-number, (number, -1), low)
            return True
        if low is not None and not key.equation and low.value >= 0:
            self._unit(number, (-number, 1), low)
            return True
        return False

    def _unit(self, literal: int, against: tuple[int, int], least: _Least) -> None:
        made = self.prover.take(("sum", (*against, *least.taken)))
        self.prover.take(("so", (literal,), (*least.hints, made)))

    def choice(self, name: str, clauses: tuple[int, int]) -> None:
        """The bounds of a symbol that is defined by `ite`, with the two clauses of its definition."""
        condition, *values = self.table.conditions[name]
        self.decide(condition)
        for sign in (1, -1):
            cases = [
                self._case(name, sign, value, holds)
                for value, holds in zip(values, (condition, -condition), strict=True)
            ]
            if cases[0] is None or cases[1] is None:
                continue
            value = min(cases[0].value, cases[1].value)
            literal = self.table.linear(False, -value, ((name, sign),))
            first = self._shown(name, literal, values[0], cases[0], clauses[0])
            both = self.prover.take(("so", (-condition, literal), (*cases[0].hints, clauses[0], first)))
            second = self._shown(name, literal, values[1], cases[1], clauses[1])
            unit = self.prover.take(("so", (literal,), (both, *cases[1].hints, clauses[1], second)))
            self._better((name, sign), Bound(value, literal, unit))
            self.prover.require(literal)

    def _case(self, name: str, sign: int, value: int, holds: int) -> _Least | None:
        """The least value in one case: by the bounds of what it is then, or since that is what the condition says."""
        said = self.table.said(value)
        mine = dict(said.parts)[name]
        rest = tuple((each, -factor * mine * sign) for each, factor in said.parts if each != name)
        constant = -said.constant * mine * sign
        found = self.least(constant, rest)
        key = self.table.literals[abs(holds)]
        if isinstance(key, Linear) and not key.equation and rest:
            says = self.table.said(holds)
            ratio, left = divmod(rest[0][1], says.parts[0][1]) if says.parts[0][0] == rest[0][0] else (0, 1)
            if not left and ratio > 0 and rest == tuple((each, ratio * factor) for each, factor in says.parts):
                least = constant - ratio * says.constant
                if found is None or least > found.value:
                    return _Least(least, (holds, ratio))
        return found

    def _shown(self, name: str, literal: int, value: int, case: _Least, _: int) -> int:
        """The clause that in one case the bound holds."""
        mine = dict(self.table.said(value).parts)[name]
        sign = 1 if self.table.said(literal).parts[0][1] > 0 else -1
        return self.prover.take(("sum", (-literal, 1, value, sign * mine, *case.taken)))
