"""Symbolic execution of a layer on a few rows: size, `Ω` and pointer are known, entries may be unknowns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from hyloop.machine.layer import HeadKind
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, P1, P2, Layout
from hyloop.machine.positions import PositionCode
from hyloop.paper.judge import LAST, POINTER, FormName, layout_for
from hyloop.paper.lemma import Lemma, Names, Slot
from hyloop.paper.prove_promises import NOTHING, ONE, PROMISES, SymbolicRow
from hyloop.paper.prove_terms import Claim, Term, add, at_most, choose, equal, every, no, times, total
from hyloop.paper.prove_weights import HeadWeights, LayerWeights


def is_flag(slot: Slot) -> bool:
    """Whether a slot holds 0 or 1."""
    return (slot.low, slot.high, slot.of_omega, slot.halves) == (0, 1, False, False)


def has(slot: Slot, *, top: bool) -> bool:
    """Whether a slot may be non-zero on row 0 (`top`), or on the other rows."""
    return slot.shape == "column" or (slot.shape == "scalar") == top


@dataclass(frozen=True)
class LemmaInstance:
    """A lemma's columns, and which slots share one."""

    lemma: Lemma
    form: FormName
    names: Names
    code: PositionCode

    @cached_property
    def layout(self) -> Layout:
        """The columns, as in the trials of the judge."""
        return layout_for(self.lemma, self.code)

    @property
    def slots(self) -> Iterator[Slot]:
        """The slots with a column of their own."""
        return (slot for slot in self.lemma.slots_of(self.form) if slot.name not in self.names)

    def row(self, name: str, entries: Mapping[str, Term]) -> SymbolicRow:
        """A row with these entries and 0 elsewhere; the unused column of an aliased slot copies the shared one."""
        shared = {slot: entries[column] for slot, column in self.names.items() if column in entries}
        cells = {**entries, **shared}
        return SymbolicRow(name, tuple(cells.get(column.name, NOTHING) for column in self.layout.columns))

    def value(self, slot: str, row: SymbolicRow) -> Term:
        """An entry of a slot."""
        return row.cells[self.layout.number(self.names.get(slot, slot))]

    def expected(self, before: SymbolicRow, promised: Mapping[str, Term]) -> tuple[Term, ...]:
        """A row after the lemma: the promised columns changed, the rest unchanged."""
        changed = {self.layout.number(self.names.get(slot, slot)): term for slot, term in promised.items()}
        return tuple(changed.get(number, cell) for number, cell in enumerate(before.cells))


class SmallState:
    """A state of known size and pointer, with known or unknown entries; every score is computed."""

    def __init__(
        self,
        given: LemmaInstance,
        size: int,
        columns: Mapping[str, Sequence[Term]],
        pointer: int | None,
        incidence: Sequence[Sequence[Term]],
    ) -> None:
        self.given, self._pointer, self._incidence = given, pointer, incidence
        self._codes = [tuple(map(Fraction, code)) for code in given.code.table(LAST).tolist()]
        entries = [{name: values[number] for name, values in columns.items()} for number in range(size)]
        self.rows = [self._row(number, each) for number, each in enumerate(entries)]

    def _row(self, number: int, entries: Mapping[str, Term]) -> SymbolicRow:
        if number == 0:
            parts = () if self._pointer is None else zip(POINTER, self._codes[self._pointer], strict=True)
            return self.given.row("0", {**entries, B_GLOBAL: ONE, **dict(parts)})
        first, second = self._codes[number]
        pointer = dict.fromkeys(POINTER, NOTHING) if self.given.lemma.pointer else {}
        return self.given.row(str(number), {**entries, B_LOCAL: ONE, P1: first, P2: second, **pointer})

    @property
    def top(self) -> SymbolicRow:
        """Row 0."""
        return self.rows[0]

    @property
    def pointed(self) -> SymbolicRow | None:
        """The row that the pointer names."""
        return self.rows[self._pointer] if self._pointer and self._pointer < len(self.rows) else None

    def value(self, slot: str, row: SymbolicRow) -> Term:
        """An entry."""
        return self.given.value(slot, row)

    def incidence(self, row: SymbolicRow, column: SymbolicRow) -> Term:
        """An entry of `Ã`."""
        return self._incidence[self.rows.index(row)][self.rows.index(column)] if self._incidence else NOTHING

    def following(self, part: int) -> Term:
        """The code of the pointer's number and one."""
        return self._codes[(self._pointer or 0) + 1][part]

    def none_is_zero(self, slot: str) -> Claim:
        """Whether no entry below row 0 is zero."""
        return every(no(equal(self.value(slot, row), NOTHING)) for row in self.rows[1:])

    def expected(self) -> list[tuple[Term, ...]]:
        """The promised value of every row."""
        promise = PROMISES[self.given.lemma.name]
        return [self.given.expected(row, promise(self, row)) for row in self.rows]

    def after(self, weights: LayerWeights) -> list[tuple[Term, ...]]:
        """Every row after the layer."""
        attended = [list(row.cells) for row in self.rows]
        for head in weights.heads:
            seen = [self._hardmax(head, row) for row in self.rows]
            for number, row in enumerate(self.rows):
                for target, term in self._product(head.kind, row, seen).items():
                    attended[number][target] = add(attended[number][target], term)
        return [weights.feed_forward(cells) for cells in attended]

    def _hardmax(self, head: HeadWeights, seeing: SymbolicRow) -> dict[int, Term]:
        scores = [head.score(seeing, row) for row in self.rows]
        near = Fraction(self.given.code.tie_tolerance)
        chosen = [every(at_most(other, add(score, near)) for other in scores) for score in scores]
        number = total(choose(best, ONE, NOTHING) for best in chosen)
        brought = [head.brings(row) for row in self.rows]
        result = {}
        for target in head.value:
            together = total(choose(best, each[target], NOTHING) for best, each in zip(chosen, brought, strict=True))
            average: Term = NOTHING
            for divisor in range(1, len(self.rows) + 1):
                share = times(Fraction(1, divisor), together)
                average = choose(equal(number, Fraction(divisor)), share, average)
            result[target] = average
        return result

    def _product(self, kind: HeadKind, row: SymbolicRow, seen: Sequence[Mapping[int, Term]]) -> Mapping[int, Term]:
        if kind == "plain":
            return seen[self.rows.index(row)]
        pairs = [(self.incidence(*((row, other) if kind == "incidence" else (other, row)))) for other in self.rows]
        return {
            target: total(times(entry, each[target]) for entry, each in zip(pairs, seen, strict=True))
            for target in seen[0]
        }
