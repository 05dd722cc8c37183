"""Rows that pointers name: one for all rows of a class, or one for each row of the body."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hyloop.execute.cpu.expressions import ONE, Ref, Sum
from hyloop.execute.cpu.native.emit import CodeLines, Context, Function
from hyloop.execute.cpu.native.rows import Scalars
from hyloop.execute.cpu.plan import Gather, Read
from hyloop.execute.cpu.slow import EXACT


def leave_if(f: Function, text: CodeLines, condition: str) -> None:
    """Return 1 from the function if a condition holds."""
    bad, good = f.block("bad"), f.block("good")
    text.do(f"br i1 {condition}, label %{bad}, label %{good}")
    text.label(bad)
    text.do("ret i32 1")
    text.label(good)


class Pointers:
    """Writes the pointers of one function. `array` is the address of a value that is a vector, None for a number."""

    def __init__(
        self, context: Context, text: CodeLines, first: Scalars, rest: Scalars, array: Callable[[Ref], str | None]
    ) -> None:
        self.f, self.context, self.text = context.function, context, text
        self.first, self.rest, self.array = first, rest, array
        self.last = text.let(f"sitofp i64 {context['rows']} to {self.f.number}")

    def read(self, read: Read) -> None:
        """One pointer for row 0 or for the body: its values are defined as numbers."""
        scalars = self.rest if read.body else self.first
        values = self._prepared(read.values)
        if read.by == ONE:
            averages = self._averages(self._nearest(scalars.sum(read.doubled)), values)
        else:
            rows, wrong = self._divided(scalars.sum(read.doubled), scalars.sum(read.by))
            leave_if(self.f, self.text, wrong)
            averages = self._averages(rows, values)
        for to, average in zip(read.to, averages, strict=True):
            whole = self.f.floor(self.text, average)
            leave_if(self.f, self.text, self.text.let(f"fcmp une {self.f.number} {whole}, {average}"))
            scalars.define(Ref("brought", to), average)

    def gather(self, gather: Gather, found: Sequence[str]) -> None:
        """A pointer for each row of the body: their values are gathered into arrays."""
        f, text = self.f, self.text
        prepared = self._prepared(gather.values)
        self._load(gather.doubled)
        self._load(gather.by)
        come, each, done = f.block("come"), f.block("pointer"), f.block("pointed")
        some = text.let(f"icmp sgt i64 {self.context['rows']}, 0")
        text.do(f"br label %{come}")
        text.label(come)
        text.do(f"br i1 {some}, label %{each}, label %{done}")
        text.label(each)
        row, after, wrong, next_wrong = f.name(), f.name(), f.name(), f.name()
        text.do(f"{row} = phi i64 [ 0, %{come} ], [ {after}, %{each} ]")
        text.do(f"{wrong} = phi i1 [ false, %{come} ], [ {next_wrong}, %{each} ]")
        total = wrong
        if gather.by == ONE:
            rows = self._nearest(self._at(gather.doubled, row))
        else:
            rows, odd = self._divided(self._at(gather.doubled, row), self._at(gather.by, row))
            total = text.let(f"or i1 {total}, {odd}")
        for target, average in zip(found, self._averages(rows, prepared), strict=True):
            differs = text.let(f"fcmp une {f.number} {f.floor(text, average)}, {average}")
            total = text.let(f"or i1 {total}, {differs}")
            place = text.let(f"getelementptr {f.number}, ptr {target}, i64 {row}")
            text.do(f"store {f.number} {average}, ptr {place}")
        text.do(f"{next_wrong} = or i1 {total}, false")
        text.do(f"{after} = add i64 {row}, 1")
        more = text.let(f"icmp slt i64 {after}, {self.context['rows']}")
        text.do(f"br i1 {more}, label %{each}, label %{done}")
        text.label(done)
        leave_if(f, text, text.let(f"phi i1 [ false, %{come} ], [ {next_wrong}, %{each} ]"))

    def _prepared(self, values: Sequence[tuple[Sum, Sum]]) -> list[tuple[str, Sum]]:
        """The values on row 0, computed; and those on the body, with all that is no vector loaded."""
        for _, body in values:
            self._load(body)
        return [(self.first.sum(first), body) for first, body in values]

    def _load(self, of: Sum) -> None:
        """Load numbers and addresses before a loop begins: they are used after it, too."""
        for ref, _ in of.terms:
            if self.array(ref) is None:
                self.rest.ref(ref)

    def _nearest(self, doubled: str) -> list[str]:
        """The row nearest to `c`, twice, or the two nearest."""
        f, text = self.f, self.text
        half = text.let(f"fmul {f.number} {doubled}, {f.constant(0.5)}")
        return [self._clamped(f.floor(text, half, up=up)) for up in (False, True)]

    def _divided(self, doubled: str, by: str) -> tuple[list[str], str]:
        """The row nearest to `c / b`, twice, or the two nearest; and whether b or c is nothing to divide.

        From j to j + 1 the score `2cj - bj²` changes by `2c - b(2j + 1)`: it is largest at the first j at which that is
        no gain. Integers are divided, so that nothing is rounded.
        """
        f, text = self.f, self.text
        good = text.let(f"fcmp oge {f.number} {by}, {f.constant(1)}")
        for number, limit, sign in ((by, EXACT, "ole"), (doubled, EXACT, "ole"), (doubled, -EXACT, "oge")):
            within = text.let(f"fcmp {sign} {f.number} {number}, {f.constant(limit)}")
            good = text.let(f"and i1 {good}, {within}")
        safe = [text.let(f"select i1 {good}, {f.number} {each}, {f.number} {f.constant(1)}") for each in (doubled, by)]
        a, b = (text.let(f"fptosi {f.number} {each} to i64") for each in safe)
        high = text.let(f"add i64 {a}, {b}")
        low = text.let(f"sub i64 {high}, 1")
        twice = text.let(f"add i64 {b}, {b}")
        rows = [self._within(text.let(f"sdiv i64 {self._positive(each)}, {twice}")) for each in (low, high)]
        return rows, text.let(f"xor i1 {good}, true")

    def _positive(self, number: str) -> str:
        negative = self.text.let(f"icmp slt i64 {number}, 0")
        return self.text.let(f"select i1 {negative}, i64 0, i64 {number}")

    def _within(self, row: str) -> str:
        above = self.text.let(f"icmp sgt i64 {row}, {self.context['rows']}")
        return self.text.let(f"select i1 {above}, i64 {self.context['rows']}, i64 {row}")

    def _averages(self, rows: Sequence[str], values: Sequence[tuple[str, Sum]]) -> list[str]:
        """The values at one row, or between two, as half their sum."""
        f, text = self.f, self.text
        found = []
        for first, body in values:
            low, high = (self._value(row, first, body) for row in rows)
            total = text.let(f"fadd {f.number} {low}, {high}")
            found.append(text.let(f"fmul {f.number} {total}, {f.constant(0.5)}"))
        return found

    def _clamped(self, row: str) -> str:
        f, text = self.f, self.text
        positive = f.relu(text, f.number, row)
        above = text.let(f"fcmp ogt {f.number} {positive}, {self.last}")
        kept = text.let(f"select i1 {above}, {f.number} {self.last}, {f.number} {positive}")
        return text.let(f"fptosi {f.number} {kept} to i64")

    def _value(self, row: str, first: str, body: Sum) -> str:
        f, text = self.f, self.text
        zero = text.let(f"icmp eq i64 {row}, 0")
        below = text.let(f"sub i64 {row}, 1")
        index = text.let(f"select i1 {zero}, i64 0, i64 {below}")
        inside = self._at(body, index)
        return text.let(f"select i1 {zero}, {f.number} {first}, {f.number} {inside}")

    def _at(self, of: Sum, index: str) -> str:
        """A sum on one row of the body, by its place."""
        f, text = self.f, self.text
        terms = []
        for ref, weight in of.terms:
            array = self.array(ref)
            if array is None:
                terms.append((self.rest.ref(ref), weight))
            else:
                place = text.let(f"getelementptr {f.number}, ptr {array}, i64 {index}")
                terms.append((text.let(f"load {f.number}, ptr {place}"), weight))
        start = f.constant(of.constant) if of.constant or not of.terms else None
        return f.weighted(text, f.number, terms, start)
