"""Bounds of symbols, proved for certificates: each symbol that is a choice has the bounds of what it chooses from.

A search that knows them needs few decisions: most units of a machine are never negative, or never positive. Then a
symbol is what it chooses always; and flags of one condition and its negation, of which one is 1, have bounds together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from hyloop.prove.clauses import Clause, Joined, Linear, Parts, summed
from hyloop.prove.lemmas import Prover


@dataclass(frozen=True)
class Bound:
    """The least value that a sum of symbols can have: a literal that says so, and the clause of that alone."""

    value: int
    literal: int
    clause: int


@dataclass(frozen=True)
class _Least:
    """The least value of a sum: the literals that show it, how often each is taken, and their clauses."""

    value: int
    taken: tuple[int, ...] = ()
    hints: tuple[int, ...] = ()


class _Sum:
    """A sum whose least value is looked for: what is left of it, and what has been taken."""

    def __init__(self, constant: int, parts: Parts) -> None:
        self.constant, self.parts = constant, dict(parts)
        self.taken: dict[int, int] = {}
        self.hints: dict[int, None] = {}

    def take(self, literal: int, times: int, said: Linear, clause: int) -> None:
        """Take a statement so often out of the sum."""
        self.constant -= times * said.constant
        for name, factor in said.parts:
            self.parts[name] = self.parts.get(name, 0) - times * factor
            if not self.parts[name]:
                del self.parts[name]
        self.taken[literal] = self.taken.get(literal, 0) + times
        self.hints[clause] = None

    def least(self) -> _Least:
        """The least value, if nothing is left."""
        assert not self.parts
        taken = [number for pair in self.taken.items() if pair[1] for number in pair]
        return _Least(self.constant, tuple(taken), tuple(self.hints))


class Bounds:
    """The bounds of symbols, by name and sign; the equations of symbols that have one value only, with the clauses that
    say so; and symbols that are one of two numbers, by a condition.
    """

    def __init__(self, prover: Prover) -> None:
        self.prover, self.table = prover, prover.table
        self.known: dict[tuple[str, int], Bound] = {}
        self.equal: dict[str, tuple[int, int]] = {}
        self.flags: dict[str, tuple[int, tuple[int, int]]] = {}  # the condition, and the clauses of the definition
        self.decided: dict[int, tuple[int, int]] = {1: (1, 0)}  # of a literal or its negation: which holds, and where
        self._together: dict[Parts, Bound] = {}
        self._places: dict[Clause, int] = {}
        self._placed = 0

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

    # -- sums

    def least(self, constant: int, parts: Parts) -> _Least | None:
        """The least value of a sum, if all its symbols have bounds."""
        plain = self._one_by_one(_Sum(constant, parts))
        if not any(name in self.equal or name in self.flags for name, _ in parts):
            return plain
        total = _Sum(constant, parts)
        while (name := next((each for each in total.parts if each in self.equal), None)) is not None:
            equation, clause = self.equal[name]
            said = self.table.said(equation)
            total.take(equation, total.parts[name] * dict(said.parts)[name], said, clause)  # a factor of ±1
        self._jointly(total)
        better = self._one_by_one(total)
        return better if plain is None or (better is not None and better.value > plain.value) else plain

    def _one_by_one(self, total: _Sum) -> _Least | None:
        """Each symbol by its own bounds."""
        for name, factor in [*total.parts.items()]:
            bound = self.known.get((name, 1 if factor > 0 else -1))
            if bound is None:
                return None
            total.take(bound.literal, abs(factor), self.table.said(bound.literal), bound.clause)
        return total.least()

    def _jointly(self, total: _Sum) -> None:
        """Symbols that are numbers by the same condition together."""
        groups: dict[int, list[tuple[str, int]]] = {}
        for name, factor in total.parts.items():
            if name in self.flags:
                groups.setdefault(abs(self.flags[name][0]), []).append((name, factor))
        for condition, group in groups.items():
            if len(group) > 1:
                divisor = gcd(*(factor for _, factor in group))
                parts = summed((name, factor // divisor) for name, factor in group)
                bound = self._joint(condition, parts)
                total.take(bound.literal, divisor, self.table.said(bound.literal), bound.clause)

    def _joint(self, condition: int, parts: Parts) -> Bound:
        """The least value of a sum of numbers by a condition: that of one of the two cases."""
        if parts not in self._together:
            cases = [self._flags_if(each, parts) for each in (condition, -condition)]
            value = min(value for value, _, _ in cases)
            literal = self.table.linear(False, -value, parts)
            wrong = [self.prover.take(("sum", (-literal, 1, *taken))) for _, taken, _ in cases]
            first = self.prover.take(("so", (-condition, literal), (*cases[0][2], wrong[0])))
            unit = self.prover.take(("so", (literal,), (first, *cases[1][2], wrong[1])))
            self._together[parts] = Bound(value, literal, unit)
        return self._together[parts]

    def _flags_if(self, holds: int, parts: Parts) -> tuple[int, list[int], list[int]]:
        """The value of such a sum in one case, the equations that show it with their factors, and their clauses."""
        total, taken, clauses = 0, list[int](), list[int]()
        for name, factor in parts:
            condition, defined = self.flags[name]
            place = 0 if condition == holds else 1
            equation = self.table.conditions[name][1 + place]
            said = self.table.said(equation)
            mine = dict(said.parts)[name]
            total -= factor * mine * said.constant
            taken += [equation, factor * mine]
            clauses.append(defined[place])
        return total, taken, clauses

    # -- conditions

    def decide(self, literal: int) -> tuple[int, int] | None:
        """Prove a literal or its negation from bounds, if they are enough: which one, and the clause of that alone."""
        number = abs(literal)
        if number not in self.decided:
            key = self.table.literals[number]
            found = self._joined(number, key) if isinstance(key, Joined) else self._linear(number, key)
            if found is None:
                return None
            self.decided[number] = found
        return self.decided[number]

    def _linear(self, number: int, key: Linear | None) -> tuple[int, int] | None:
        assert key is not None
        turned = tuple((name, -factor) for name, factor in key.parts)
        low, high = self.least(key.constant, key.parts), self.least(-key.constant, turned)
        if high is not None and high.value > 0:  # it is negative
            return self._unit(-number, (number, 1), high)
        if low is not None and key.equation and low.value > 0:
            return self._unit(-number, (number, -1), low)
        if low is not None and not key.equation and low.value >= 0:
            return self._unit(number, (-number, 1), low)
        return None

    def _unit(self, literal: int, against: tuple[int, int], least: _Least) -> tuple[int, int]:
        made = self.prover.take(("sum", (*against, *least.taken)))
        return literal, self.prover.take(("so", (literal,), (*least.hints, made)))

    def _joined(self, number: int, key: Joined) -> tuple[int, int] | None:
        """An `and` is false if a part is, and true if all are; an `or` is the negation of one of negations."""
        sign = 1 if key.kind == "and" else -1
        found = [self.decide(part) for part in key.parts]
        for part, known in zip(key.parts, found, strict=True):
            if known is not None and known[0] == -sign * part:
                return self._follows(-sign * number, [known[1]], (-sign * number, sign * part))
        if None in found:
            return None
        hints = [known[1] for known in found if known is not None]
        return self._follows(sign * number, hints, (sign * number, *(-sign * part for part in key.parts)))

    def _follows(self, literal: int, hints: Sequence[int], definition: Clause) -> tuple[int, int]:
        """A literal by a clause of a definition, whose other literals are false by the hints."""
        for place in range(self._placed, len(self.table.clauses)):
            self._places.setdefault(self.table.clauses[place], place)
        self._placed = len(self.table.clauses)
        return literal, self.prover.take(("so", (literal,), (*hints, self._places[definition])))

    # -- choices

    def choice(self, name: str, clauses: tuple[int, int]) -> None:
        """The bounds of a symbol that is defined by `ite`, with the two clauses of its definition."""
        condition, *values = self.table.conditions[name]
        decided = self.decide(condition)
        if decided is not None:
            place = 0 if decided[0] == condition else 1
            unit = self.prover.take(("so", (values[place],), (decided[1], clauses[place])))
            self.equal[name] = values[place], unit
        elif all(len(self.table.said(value).parts) == 1 for value in values):
            self.flags[name] = condition, clauses
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
