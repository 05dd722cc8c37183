"""Which row a head attends to: what its record claims, with the obligations that prove it for any number of rows.

To prove: no other row has a higher score, and rows that tie have the same value; or, of a head that averages, that
all rows of an array tie and no other does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hyloop.prove.arithmetic import Dividing
from hyloop.prove.claims import ITSELF, Claim, brought_for, claims, means, products
from hyloop.prove.machine import Look, Machine, SparseHead, TermRow, linear, score
from hyloop.prove.meaning import SOURCE, Meaning, MeanSymbol, ProductSymbol
from hyloop.prove.solver import Obligation, Outcome, discharge, proves
from hyloop.prove.terms import (
    FALSE,
    Formula,
    Term,
    at_least,
    atoms_of,
    below,
    choices,
    combination,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    negation,
    product,
)

Aim = Literal["plain", "proved", "off"]


@dataclass(frozen=True)
class Seen:
    """What was proved of a head: which row it attends to, the proofs, and whether rows may tie."""

    look: Look
    claim: Claim
    proofs: tuple[tuple[Obligation, Outcome], ...]
    ties: bool


class AttentionProver:
    """The heads of one layer of a machine, all layers before it being known."""

    def __init__(self, machine: Machine, meaning: Meaning, layer: int) -> None:
        self.machine, self.meaning, self.layer = machine, meaning, layer
        self.i, self.j = meaning.row_variable("i"), meaning.row_variable("j")
        self._aims: dict[tuple[int, Claim], Aim] = {}

    def prove(self, number: int, known: Claim | None = None) -> Seen | None:
        """The first claim about a head that can be proved (only `known`, if it is given); None if there is none."""
        head = self.machine.layers[self.layer].heads[number]
        candidates = self.candidates(head, known)
        off: list[Claim] = []
        for claim in candidates:
            # With several candidates, one whose query does not fit is put off: its obligations are hard.
            if len(candidates) > 1 and self.aim(number, head, claim) == "off":
                off.append(claim)
            elif (seen := self.try_claim(number, head, claim)) is not None:
                return seen
        # Of those that were put off, the first is tried if nothing else was proved.
        return self.try_claim(number, head, off[0]) if off else None

    def candidates(self, head: SparseHead, known: Claim | None) -> list[Claim]:
        """The claims to try for a head."""
        return claims(self.meaning, head) if known is None else [known]

    def aim(self, number: int, head: SparseHead, claim: Claim) -> Aim:
        """Whether the query needs no proof ("plain"), is proved to be twice the claimed row's number, or is neither."""
        if (number, claim) not in self._aims:
            aimed = self.aimed(number, head, claim)
            proved = aimed is not None and discharge(aimed).answer == "proved"
            self._aims[number, claim] = "plain" if aimed is None else "proved" if proved else "off"
        return self._aims[number, claim]

    def query(self, head: SparseHead, row: Term) -> list[Term]:
        """The query of a row."""
        columns = self.machine.before(self.layer, row)
        return [linear(entries, columns) for entries in head.query]

    def try_claim(self, number: int, head: SparseHead, claim: Claim) -> Seen | None:
        """The proof of a claim; None if it cannot be proved."""
        proofs: list[tuple[Obligation, Outcome]] = []
        for obligation in self.obligations(number, head, claim):
            outcome = discharge(obligation)
            if outcome.answer != "proved":
                return None
            proofs.append((obligation, outcome))
        strict = self.obligation(number, head, claim, strict=True)
        outcome = discharge(strict)
        ties = outcome.answer != "proved"
        if not ties:
            proofs = [*proofs[:-1], (strict, outcome)]
        if claim.averages is not None:
            return self.with_means(number, head, claim, proofs)
        if head.kind == "plain":
            return Seen(Look(claim.at), claim, tuple(proofs), ties)
        return self.with_products(number, head, claim, proofs, ties=ties)

    def obligations(self, number: int, head: SparseHead, claim: Claim) -> Iterator[Obligation]:
        """The obligations that prove a claim about a head."""
        if self.aim(number, head, claim) == "proved" and (aimed := self.aimed(number, head, claim)) is not None:
            yield aimed
        there = below(claim.at(self.i), self.meaning.size)
        if claim is not ITSELF:
            yield self._obligation(number, f"the row of {claim.says} exists", there, [self.i])
        yield self.obligation(number, head, claim)

    def aimed(self, number: int, head: SparseHead, claim: Claim) -> Obligation | None:
        """That a query which is no number is twice the number of the row; or the one that finds a quotient."""
        if claim.divides is not None:
            return self._divides(number, head, claim, claim.divides)
        query, target = self.query(head, self.i)[0], claim.at(self.i)
        if _by_class(query) or (query - 2 * target).value is not None:
            return None
        return self._obligation(number, f"the query is twice the number of {claim.says}", equal(query, 2 * target), [])

    def _divides(self, number: int, head: SparseHead, claim: Claim, divides: Dividing) -> Obligation | None:
        wanted = zip(self.query(head, self.i), divides.query(self.i), strict=True)
        goal = conjunction(*(equal(found, right) for found, right in wanted))
        return self._obligation(number, f"the query is (2a - b + 1, -b) for {claim.says}", goal, [])

    def obligation(
        self, number: int, head: SparseHead, claim: Claim, *, strict: bool = False, margin: int = 1
    ) -> Obligation:
        """That row `i` attends to the row of the claim, and to no row `j` of another value."""
        i, j = self.i, self.j
        target = claim.at(i)
        query = self.query(head, i)
        if target.terms and (len(target.terms) > 1 or target.terms[0][0].kind != "variable" or target.constant):
            target = self.meaning.bind("t", target)
        lemma: list[Formula] = []
        if claim.divides is not None and self.aim(number, head, claim) == "proved":
            query, lemma = list(claim.divides.query(i)), list(claim.divides.unique(i, target, j))
        elif query[0].value is None and (shift := (query[0] - 2 * claim.at(i)).value) is not None:
            query[0] = 2 * target + shift
        elif self.aim(number, head, claim) == "proved":
            query[0] = 2 * target
        here, there = self.machine.before(self.layer, target), self.machine.before(self.layer, j)
        gap = score(head, query, here) - score(head, query, there)
        better = at_least(gap, margin)
        if not strict:
            better = disjunction(better, conjunction(equal(gap, 0), self.same_values(head, claim, here, there)))
        goal = implies(_differ(j, target), better)
        says = f"row i looks at {claim.says}" + (", at no other row" if strict else ", or at rows of the same value")
        general = [] if lemma else _squares(gap)
        return self._obligation(number, says, goal, [j, i, target], lemma=lemma, general=general)

    def same_values(self, head: SparseHead, claim: Claim, here: TermRow, there: TermRow) -> Formula:
        """That the head's value is the same at two rows; what it averages may differ."""
        averaged = self.averaged(head) if claim.averages is not None else {}
        pairs = [each for column, each in head.value.items() if column not in averaged]
        return conjunction(*(equal(linear(each, here), linear(each, there)) for each in pairs))

    def averaged(self, head: SparseHead) -> dict[int, MeanSymbol]:
        """The mean that each column is, of those that the record of a head names so."""
        found = {column: means(self.meaning, brought_for(head, column)) for column in head.value}
        return {column: made[0] for column, made in found.items() if made}

    def with_means(
        self, number: int, head: SparseHead, claim: Claim, proofs: list[tuple[Obligation, Outcome]]
    ) -> Seen | None:
        """A head that averages: all rows of the array tie and no other, and each mean is of the program's array."""
        averaged = self.averaged(head)
        for obligation in self.averaging(number, head, claim):
            outcome = discharge(obligation)
            if outcome.answer != "proved":
                return None
            proofs.append((obligation, outcome))
        return Seen(Look(claim.at, means=averaged), claim, tuple(proofs), ties=True)

    def averaging(self, number: int, head: SparseHead, claim: Claim) -> Iterator[Obligation]:
        """The obligations of means, beside those of the row that stands for the others."""
        scope, i, j = claim.averages, self.i, self.j
        assert scope is not None
        first = self.row(constant(1))
        gap = score(head, self.query(head, i), first) - score(head, self.query(head, i), self.row(j))
        some, inside = at_least(self.meaning.counts[scope], 1), self.meaning.inside(scope, j)
        tie = conjunction(implies(inside, equal(gap, 0)), implies(negation(inside), at_least(gap, 1)))
        says = f"row i looks at {claim.says}, and at no other row"
        yield self._obligation(number, says, implies(some, tie), [j, i, constant(1)])
        for column, made in self.averaged(head).items():
            brought = linear(head.value[column], self.row(j))
            goal = conjunction(implies(inside, equal(brought, made.x(j))), implies(negation(inside), equal(brought, 0)))
            if made.scope is not scope:
                goal = FALSE
            says = f"the value of row j for {self.name(column)} is its part of {made.name}"
            yield self._obligation(number, says, goal, [j])

    def with_products(
        self,
        number: int,
        head: SparseHead,
        claim: Claim,
        proofs: list[tuple[Obligation, Outcome]],
        *,
        ties: bool,
    ) -> Seen | None:
        """A head with the incidence: each column must be a product of the program."""
        found: dict[int, ProductSymbol] = {}
        for column, entries in head.value.items():
            brought = linear(entries, self.row(self.j))
            for made in products(self.meaning, head, column):
                obligation = self.same_product(number, column, brought, made)
                outcome = discharge(obligation)
                if outcome.answer == "proved":
                    found[column] = made
                    proofs.append((obligation, outcome))
                    break
            else:
                nothing = self.nothing(number, column, brought, head.kind)
                outcome = discharge(nothing)
                if outcome.answer != "proved":
                    return None
                proofs.append((nothing, outcome))
        return Seen(Look(claim.at, found), claim, tuple(proofs), ties)

    def against(self, number: int, known: Claim | None = None) -> Iterator[Obligation]:
        """The obligations of the first claim about a head of which none could be proved."""
        head = self.machine.layers[self.layer].heads[number]
        candidates = self.candidates(head, known)
        yield from self.obligations(number, head, candidates[0]) if candidates else ()
        if candidates and candidates[0].averages is not None:
            yield from self.averaging(number, head, candidates[0])
        if head.kind == "plain":
            return
        for column, entries in head.value.items():
            brought = linear(entries, self.row(self.j))
            hinted = products(self.meaning, head, column)
            tried = [self.same_product(number, column, brought, made) for made in hinted]
            tried.append(self.nothing(number, column, brought, head.kind))
            if not any(discharge(each).answer == "proved" for each in tried):
                yield tried[0]

    def unclaimed(self, number: int) -> Obligation:
        """What cannot be proved of a head whose record says nothing."""
        return self._obligation(number, "the record of the head names a row that it looks at", FALSE, [])

    def margin(self, number: int, seen: Seen) -> int:
        """A lower bound of the margin: the score of the attended row minus that of any row of another value."""
        head = self.machine.layers[self.layer].heads[number]
        least = 1
        while least < 2**60 and proves(self.obligation(number, head, seen.claim, margin=2 * least)):
            least *= 2
        low, high = least, 2 * least - 1
        while low < high:
            middle = (low + high + 1) // 2
            if proves(self.obligation(number, head, seen.claim, margin=middle)):
                low = middle
            else:
                high = middle - 1
        return low

    def name(self, column: int) -> str:
        """The name of a column."""
        return self.machine.names[column] if self.machine.names else f"column {column}"

    def row(self, row: Term) -> TermRow:
        """The columns of a row before the layer."""
        return self.machine.before(self.layer, row)

    def same_product(self, number: int, column: int, brought: Term, made: ProductSymbol) -> Obligation:
        """That the head's value at a row is the one that the program multiplies by the incidence."""
        inside = self.meaning.inside(SOURCE[made.matrix], self.j)
        goal = implies(inside, equal(brought, made.x(self.j)))
        says = f"the value of row j for {self.name(column)} is its term of {made.name}"
        return self._obligation(number, says, goal, [self.j])

    def nothing(self, number: int, column: int, brought: Term, matrix: str) -> Obligation:
        """That the head's value at a row is 0."""
        inside = self.meaning.inside(SOURCE[matrix], self.j)
        goal = implies(inside, equal(brought, 0))
        return self._obligation(number, f"the value of row j for {self.name(column)} is 0", goal, [self.j])

    def _obligation(
        self,
        number: int,
        says: str,
        goal: Formula,
        rows: Sequence[Term],
        *,
        lemma: Sequence[Formula] = (),
        general: Sequence[Formula] = (),
    ) -> Obligation:
        """`general` are lemmas that certificates prove; `lemma` are those on quotients, which stay hypotheses."""
        general = [*general, *choices([goal, *lemma])]
        facts = self.meaning.facts([goal, *lemma, *general], rows)
        where = f"head {number + 1}"
        return Obligation(self.layer + 1, where, says, goal, (*facts, *lemma, *general), lemmas=tuple(general))


def _by_class(query: Term) -> bool:
    """Whether a query is a constant, or takes few values because it depends on flags alone."""
    return all(atom.is_of_numbers for atom, _ in query.terms)


def _differ(a: Term, b: Term) -> Formula:
    return disjunction(at_least(a - b, 1), at_least(b - a, 1))


def _squares(term: Term) -> list[Formula]:
    """What is known of products of rows `a`, `b`: `(a - b)² ≥ |a - b|`, since they are integers."""
    pairs = [atom.parts for atom in atoms_of([term]) if atom.kind == "product"]
    found: list[Formula] = []
    for a, b in pairs:
        assert isinstance(a, Term)
        assert isinstance(b, Term)
        if a is b:
            continue
        square = combination([(1, product(a, a)), (-2, product(a, b)), (1, product(b, b))])
        found += [at_least(square, a - b), at_least(square, b - a)]
    return found
