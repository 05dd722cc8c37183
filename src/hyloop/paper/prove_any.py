"""Symbolic execution of a layer on any number of rows: `Ω`, the pointer and all entries are unknowns.

There is one row of each kind: row 0, the row `c` that the pointer names, and a row `i` that is neither. Where such a
row attends is proved: a set of these rows has equal scores, and any other row, whatever its number, a lower score. If
the set depends on the values (the rows with the least entry), it is proved that all rows with the best score have the
same value.

Of the numbers of two rows only this is used: on the parabola `(i - j)² ≥ 1`, for integers that differ; on the circle
`cos (i - j)δ < 1`, for points of the unit circle that differ. (This is the circle without rounding.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, count
from typing import Literal, Protocol

from hyloop.machine.layer import HeadKind
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, P1, P2
from hyloop.machine.positions import Circle, Parabola, PositionCode
from hyloop.paper.judge import LAST, POINTER
from hyloop.paper.lemma import Slot
from hyloop.paper.prove_promises import NOTHING, ONE, PROMISES, SymbolicRow
from hyloop.paper.prove_small import LemmaInstance, has
from hyloop.paper.prove_terms import (
    Claim,
    Term,
    add,
    at_most,
    either,
    equal,
    every,
    follows,
    implies,
    less,
    minus,
    no,
    possible,
    times,
    total,
    unknown,
    unknown_flag,
    unknown_integer,
    z3,
)
from hyloop.paper.prove_weights import HeadWeights, LayerWeights

# The possible entries of a slot: 0 or 1, an integer or a rational of its declared range, or any rational.
EntryKind = Literal["flag", "integer", "rational", "any"]
Where = Literal["row", "zero", "past"]
TermPair = tuple[Term, Term]


class NotProvedError(Exception):
    """A claim that the solver does not prove; the message says which."""


class AnyCode(Protocol):
    """A position code of unknown numbers."""

    zero: TermPair

    @property
    def code(self) -> PositionCode:
        """The same code for known numbers."""

    def number(self, name: str) -> tuple[TermPair, list[Claim]]:
        """The code of an unknown number ≥ 1, and facts about it."""

    def apart(self, a: TermPair, b: TermPair) -> Claim:
        """A fact about the codes of two different numbers."""

    def following(self, a: TermPair) -> TermPair:
        """The code of one more."""


class AnyParabola:
    """`(j, j²)`; of numbers that differ, the square of the difference is at least 1."""

    code = Parabola()
    zero: TermPair = (NOTHING, NOTHING)

    def number(self, name: str) -> tuple[TermPair, list[Claim]]:
        """`(j, j²)` with `j ≥ 1`."""
        number = unknown(name)
        return (number, times(number, number)), [at_most(ONE, number)]

    def apart(self, a: TermPair, b: TermPair) -> Claim:
        """`(i - j)² ≥ 1`."""
        gap = minus(a[0], b[0])
        return at_most(ONE, times(gap, gap))

    def following(self, a: TermPair) -> TermPair:
        """`(j + 1, (j + 1)²)`."""
        after = add(a[0], ONE)
        return after, times(after, after)


class AnyCircle:
    """Points `(x, y)` of the unit circle; of those that differ, the inner product is below 1."""

    code = Circle(LAST)
    zero: TermPair = (NOTHING, ONE)

    def number(self, name: str) -> tuple[TermPair, list[Claim]]:
        """`x² + y² = 1`, and it is not the code of 0."""
        pair = unknown(f"sin {name}"), unknown(f"cos {name}")
        norm = total(times(part, part) for part in pair)
        return pair, [equal(norm, ONE), self.apart(pair, self.zero)]

    def apart(self, a: TermPair, b: TermPair) -> Claim:
        """`cos (i - j)δ < 1`."""
        return less(total(times(one, other) for one, other in zip(a, b, strict=True)), ONE)

    def following(self, a: TermPair) -> TermPair:
        """The paper's recursion: the rotation by δ, with sine and cosine in float64."""
        (first, second) = (
            total(times(Fraction(weight), part) for weight, part in zip(row, (*a, ONE), strict=True))
            for row in self.code.step
        )
        return first, second


@dataclass
class AnyState:
    """A state of any size: one row of each kind, with unknown `Ω` and pointer.

    `facts` are the assumptions: ranges, and that numbers of rows differ. A generic row has only facts that hold for
    every such row, so assuming it implies nothing about the others.
    """

    given: LemmaInstance
    numbers: AnyCode
    entries: Mapping[str, EntryKind]
    where: Where | None
    facts: list[Claim] = field(default_factory=list)
    proved: int = 0

    def __post_init__(self) -> None:
        self._fresh = count()
        self.omega = unknown("Ω")
        self.facts.append(at_most(ONE, self.omega))
        self._pointer = self.numbers.zero
        if self.where in {"row", "past"}:
            self._pointer = self._number("c")
        self.lower: list[SymbolicRow] = []  # all rows below row 0 that were introduced
        self.top = self._top()
        self.pointed = self._lower("c", self._pointer) if self.where == "row" else None
        self.other = self._lower("i")
        self._apart(self.other)
        # A witness for existential promises: it may be any row.
        self._witness = self._lower("w")
        self._matrix: dict[tuple[str, str], Term] = {}

    @property
    def kinds(self) -> tuple[SymbolicRow, ...]:
        """One row of each kind."""
        return (self.top, self.other) if self.pointed is None else (self.top, self.pointed, self.other)

    def value(self, slot: str, row: SymbolicRow) -> Term:
        """An entry."""
        return self.given.value(slot, row)

    def incidence(self, row: SymbolicRow, column: SymbolicRow) -> Term:
        """An entry of `Ã`, any rational; row 0 and column 0 are empty."""
        if self.top in {row, column}:
            return NOTHING
        return self._matrix.setdefault((row.name, column.name), unknown(f"A[{row.name},{column.name}]"))

    def following(self, part: int) -> Term:
        """A part of the code of `c + 1`."""
        return self.numbers.following(self._pointer)[part]

    def none_is_zero(self, slot: str) -> Claim:
        """Whether no entry below row 0 is zero: if so, no introduced row's is; otherwise the witness's is."""
        so = z3().Bool(f"no zero in {slot}")
        self.facts.append(implies(no(so), equal(self.value(slot, self._witness), NOTHING)))
        self.facts += [implies(so, no(equal(self.value(slot, row), NOTHING))) for row in self.lower]
        return so

    def prove(self, weights: LayerWeights) -> int:
        """Prove that the layer keeps the lemma's promise on every row; returns the number of claims."""
        seen = [{row: self._hardmax(head, row) for row in self.kinds} for head in weights.heads]
        for row in self.kinds:
            attended = list(row.cells)
            for head, brought in zip(weights.heads, seen, strict=True):
                for target, term in self._product(head.kind, row, brought).items():
                    attended[target] = add(attended[target], term)
            after = weights.feed_forward(attended)
            expected = self.given.expected(row, PROMISES[self.given.lemma.name](self, row))
            self._prove(
                every(equal(a, b) for a, b in zip(after, expected, strict=True)), f"row {row.name} is as promised"
            )
        if not possible(self.facts):
            raise NotProvedError("The assumptions are not shown to be possible.")
        return self.proved

    def _top(self) -> SymbolicRow:
        pointer = dict(zip(POINTER, self._pointer, strict=True)) if self.given.lemma.pointer else {}
        return self.given.row("0", {**self._slots("0", top=True), B_GLOBAL: ONE, **pointer})

    def _number(self, name: str) -> TermPair:
        pair, facts = self.numbers.number(name)
        self.facts += facts
        return pair

    def _lower(self, name: str, number: TermPair | None = None) -> SymbolicRow:
        first, second = number or self._number(name)
        pointer = dict.fromkeys(POINTER, NOTHING) if self.given.lemma.pointer else {}
        position = {B_LOCAL: ONE, P1: first, P2: second}
        row = self.given.row(name, {**self._slots(name, top=False), **position, **pointer})
        self.lower.append(row)
        return row

    def _slots(self, row: str, *, top: bool) -> dict[str, Term]:
        return {slot.name: self._entry(slot, row) if has(slot, top=top) else NOTHING for slot in self.given.slots}

    def _entry(self, slot: Slot, row: str) -> Term:
        name, kind = f"{slot.name}[{row}]", self.entries[slot.name]
        if kind == "flag":
            return unknown_flag(name)
        entry = unknown_integer(name) if kind == "integer" else unknown(name)
        if kind != "any":
            unit = self.omega if slot.of_omega else ONE
            low, high = (times(Fraction(end), unit) for end in (slot.low, slot.high))
            self.facts += [at_most(low, entry), at_most(entry, high)]
        return entry

    def _apart(self, row: SymbolicRow, *others: SymbolicRow) -> None:
        """The row is none of these, nor has it the pointer's number."""
        codes = [self._code(other) for other in others]
        if self.where in {"row", "past"}:
            codes.append(self._pointer)
        self.facts += [self.numbers.apart(self._code(row), code) for code in codes]

    def _code(self, row: SymbolicRow) -> TermPair:
        first, second = (row.cells[self.given.layout.number(part)] for part in (P1, P2))
        return first, second

    def _prove(self, claim: Claim, what: str) -> None:
        if not follows(claim, self.facts):
            raise NotProvedError(f"The solver does not prove that {what}.")
        self.proved += 1

    def _hardmax(self, head: HeadWeights, seeing: SymbolicRow) -> Mapping[int, Term]:
        named = list(dict.fromkeys((*self.kinds[:-1], seeing)))
        any_other = self._lower(f"j{next(self._fresh)}")
        self._apart(any_other, *(() if seeing is not self.other else (seeing,)))
        rows = [*named, any_other]
        scores = {row: head.score(seeing, row) for row in (*rows, self._witness)}
        for size in range(1, len(named) + 1):
            for seen in combinations(named, size):
                best = scores[seen[0]]
                ties = [equal(scores[row], best) for row in seen[1:]]
                rest = [less(scores[row], best) for row in rows if row not in seen]
                if follows(every([*ties, *rest]), self.facts):
                    self.proved += 1
                    brought = [head.brings(row) for row in seen]
                    share = Fraction(1, size)
                    return {target: times(share, total(each[target] for each in brought)) for target in head.value}
        return self._best(head, seeing, rows, scores)

    def _best(
        self, head: HeadWeights, seeing: SymbolicRow, rows: Sequence[SymbolicRow], scores: Mapping[SymbolicRow, Term]
    ) -> Mapping[int, Term]:
        """The value of the rows with the best score, if it is the same for all of them and row 0 is not one."""
        if self.given.lemma.rowwise or seeing is self.other:
            # With one row there is no other to attend to; assumptions about a row must hold if it does not exist.
            raise NotProvedError(f"What row {seeing.name} sees depends on values, and there may be no such row.")
        self._prove(less(scores[self.top], scores[self._witness]), f"row {seeing.name} does not see row 0")
        best = self._lower(f"m{next(self._fresh)}")
        highest, brought = head.score(seeing, best), head.brings(best)
        self.facts += [at_most(score, highest) for score in scores.values()]
        for row in rows:
            alike = every(equal(term, brought[target]) for target, term in head.brings(row).items())
            self._prove(either((less(scores[row], highest), alike)), f"rows that tie for row {seeing.name} are alike")
        return brought

    def _product(
        self, kind: HeadKind, row: SymbolicRow, seen: Mapping[SymbolicRow, Mapping[int, Term]]
    ) -> Mapping[int, Term]:
        """With `Ã` or `Ãᵀ`: a sum over all rows, whose other terms are proved to be 0."""
        if kind == "plain":
            return seen[row]
        nothing = every(equal(term, NOTHING) for term in seen[self.other].values())
        self._prove(nothing, "a row that is not pointed at adds nothing to the sum")
        result: dict[int, Term] = dict.fromkeys(seen[self.other], NOTHING)
        for column in self.kinds[:-1]:
            entry = self.incidence(*((row, column) if kind == "incidence" else (column, row)))
            for target, term in seen[column].items():
                result[target] = add(result[target], times(entry, term))
        return result
