"""Exactness: no product, sum or score can leave the range in which the number format holds every integer.

A sum is bounded by the sum of the absolute values of its parts, so the bound holds in any order of summation, with or
without fused operations. Intervals decide nearly all of it; what they leave open goes to the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from hyloop.prove.attention import Seen
from hyloop.prove.machine import Machine, SparseHead, SparseSum, TermRow
from hyloop.prove.meaning import Meaning
from hyloop.prove.solver import Obligation, discharge, proves
from hyloop.prove.terms import TRUE, Term, absolute, at_least, combination, constant


@dataclass(frozen=True)
class Extent:
    """How large something can get, and what it is."""

    most: int
    part: str
    what: str


class Exactness:
    """The sizes of everything that one layer computes."""

    def __init__(
        self, machine: Machine, meaning: Meaning, layer: int, limit: int, given: Iterator[int] | None = None
    ) -> None:
        self.machine, self.meaning, self.layer, self.limit = machine, meaning, layer, limit
        self.bounds: list[int] = []  # of each sum, in order
        self.given = given  # these bounds, if they are known: each is then an obligation
        self.row = meaning.row_variable("i")
        self.proofs: list[Obligation] = []

    def sizes(self, seen: Sequence[Seen]) -> Iterator[Extent]:
        """Every size in the layer."""
        layer = self.machine.layers[self.layer]
        before = self.machine.before(self.layer, self.row)
        for number, (head, found) in enumerate(zip(layer.heads, seen, strict=True), start=1):
            for what, most in self._head(head, found, before):
                yield Extent(most, f"head {number}", what)
        yield from self._residual(seen, before)
        yield from self._mlp(self.machine.attended(self.layer, self.row))

    def _head(self, head: SparseHead, seen: Seen, before: TermRow) -> Iterator[tuple[str, int]]:
        queries = [self.most(entries, before) for entries in head.query]
        keys = [self.most(entries, before) for entries in head.key]
        if _inner(queries, keys) >= self.limit:  # intervals are too wide here; the solver may know better
            queries = [self.tightest(entries, before) for entries in head.query]
            keys = [self.tightest(entries, before) for entries in head.key]
        yield "query", max(queries)
        yield "key", max(keys)
        yield "score", _inner(queries, keys)
        many = 1 if head.kind == "plain" else self.meaning.rows + 1
        if seen.ties:
            many = self.meaning.last + 1
        values = [self.most(entries, before) for entries in head.value.values()]
        if many * max(values, default=0) >= self.limit:  # as above: a length that is never finite, the lesser of two
            values = [self.tightest(entries, before) for entries in head.value.values()]
        yield "values", many * max(values, default=0)

    def _residual(self, seen: Sequence[Seen], before: TermRow) -> Iterator[Extent]:
        layer = self.machine.layers[self.layer]
        added: dict[int, list[Term]] = {}
        for head, found in zip(layer.heads, seen, strict=True):
            for column, term in self.machine.brought(self.layer, head, found.look, self.row).items():
                added.setdefault(column, []).append(term)
        for column, terms in added.items():
            yield Extent(self.total([before[column], *terms]), "heads", f"column {column} after attention")

    def _mlp(self, row: TermRow) -> Iterator[Extent]:
        layer = self.machine.layers[self.layer]
        values: Sequence[Term] = row
        for stage, (sums, units) in enumerate(
            zip(layer.stages, self.machine.stages(self.layer, row), strict=True), start=1
        ):
            for unit, entries in enumerate(sums, start=1):
                if entries:
                    yield Extent(self.most(entries, values), "units", f"unit {unit} of stage {stage}")
            values = units
        for column, entries in enumerate(layer.out):
            if entries:
                parts = [row[column], *(weight * values[unit] for weight, unit in entries)]
                yield Extent(self.total(parts), "units", f"column {column} after the MLP")

    def most(self, entries: SparseSum, row: Sequence[Term]) -> int:
        """An upper bound of the sum of the absolute values of `weight · column`."""
        return self.total(weight * row[column] for weight, column in entries)

    def tightest(self, entries: SparseSum, row: Sequence[Term]) -> int:
        """The same, as low as the solver can prove it."""
        whole = combination((1, absolute(weight * row[column])) for weight, column in entries)
        return self._bound(whole, lambda: self.least_bound(whole, min(whole.high, self.limit - 1)))

    def total(self, parts: Iterable[Term]) -> int:
        """An upper bound of the sum of absolute values."""
        whole = combination((1, absolute(part)) for part in parts)
        enough = whole.high < self.limit
        return self._bound(whole, lambda: whole.high if enough else self.least_bound(whole, self.limit - 1))

    def _bound(self, whole: Term, find: Callable[[], int]) -> int:
        """The bound of a sum: the next that is given, or the one that is found."""
        if self.given is None:
            self.bounds.append(find())
        else:
            self.bounds.append(next(self.given))
            self.proofs.append(self._obligation(whole, self.bounds[-1]))
        return self.bounds[-1]

    def least_bound(self, term: Term, hoped: int) -> int:
        """The least upper bound that the solver proves, if one of at most `hoped` holds."""
        if discharge(self._obligation(term, hoped)).answer != "proved":
            return term.high
        low, high = 0, hoped
        while low < high:
            middle = (low + high) // 2
            if proves(self._obligation(term, middle)):
                high = middle
            else:
                low = middle + 1
        self.proofs.append(self._obligation(term, high))
        return high

    def _obligation(self, term: Term, most: int) -> Obligation:
        goal = at_least(constant(most), term)
        facts = () if goal is TRUE else tuple(self.meaning.facts([goal], [self.row]))
        return Obligation(self.layer + 1, "exactness", f"absolute values add up to at most {most:,}", goal, facts)


def _inner(queries: Sequence[int], keys: Sequence[int]) -> int:
    return sum(q * k for q, k in zip(queries, keys, strict=True))
