"""The obligations of a model, one after the other: the encoder, each layer, the whole iteration, the exact range."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

from hyloop.lang.bounds import Line
from hyloop.lang.kinds import INFINITY, Kind, Scope
from hyloop.lang.matrices import SIDES
from hyloop.lang.program import Op, Program, Section
from hyloop.machine.layout import largest_written
from hyloop.prove.attention import AttentionProver, Seen
from hyloop.prove.basis import Basis, Left
from hyloop.prove.claims import Claim
from hyloop.prove.exact import Exactness, Extent
from hyloop.prove.machine import Machine, SparseLayer, TermRow, placed
from hyloop.prove.meaning import SOURCE, MeanSymbol, ProductSymbol, SymbolicStates, Untouched
from hyloop.prove.solver import Obligation, Outcome, discharge
from hyloop.prove.terms import (
    Formula,
    Term,
    absolute,
    at_least,
    atoms_of,
    below,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    truth,
)


@dataclass(frozen=True)
class Verdict:
    """An obligation and its outcome."""

    obligation: Obligation
    outcome: Outcome


class Stopped(Exception):  # noqa: N818  (it ends a proof; it is no error)
    """An obligation is not proved."""


@dataclass
class Journal:
    """Obligations as they are discharged; `watch` is called with each beforehand.

    If it `asks` nobody, they are only stated, and stay undecided.
    """

    watch: Callable[[Obligation], None] | None = None
    verdicts: list[Verdict] = field(default_factory=list)
    asks: bool = True

    def require(self, obligation: Obligation, outcome: Outcome | None = None) -> None:
        """Discharge an obligation, unless that has been done; `Stopped` if it is not proved."""
        if self.watch is not None:
            self.watch(obligation)
        if outcome is None:
            outcome = discharge(obligation) if self.asks else Outcome("undecided")
        self.verdicts.append(Verdict(obligation, outcome))
        if self.asks and outcome.answer != "proved":
            raise Stopped

    def give_up(self, obligation: Obligation) -> NoReturn:
        """End a proof that could not be finished although no single obligation was refuted."""
        self.verdicts.append(Verdict(obligation, Outcome("undecided")))
        raise Stopped


class Work:
    """A proof in progress."""

    def __init__(
        self, basis: Basis, layers: Sequence[SparseLayer], journal: Journal, guide: Work | None = None
    ) -> None:
        self.basis, self.layers, self.journal = basis, layers, journal
        self.guide = guide  # a finished proof of the same, whose bounds are taken: each is then an obligation
        self.bounds: list[list[int]] = []  # of each layer, those of its sums
        self.meaning, self.row = basis.meaning, basis.row
        names = [column.name for column in basis.model.layout.columns]
        self.machine = Machine(layers, basis.starts(), self.meaning, names)
        self.seen: list[list[Seen]] = []
        self.sizes: list[Extent] = []
        self.left: dict[str, tuple[int, int]] = {}
        self.finished = False

    def everything(self) -> None:
        """All obligations in order; `Stopped` at the first that is not proved."""
        self.encoder()
        self.learn()
        self.values()
        for layer in range(len(self.layers)):
            self.heads(layer)
            self.locals(layer)
        self.iteration()
        self.invariants()
        self.leftovers()
        self.encoded()
        for layer in range(len(self.layers)):
            self.exactness(layer)
        self.finished = True

    def _require(
        self, layer: int | None, part: str, says: str, goal: Formula, compares: tuple[Term, Term] | None = None
    ) -> None:
        self.journal.require(self.basis.obligation(layer, part, says, goal, compares=compares))

    # -- before the layers

    def encoder(self) -> None:
        """Every encoded input is a state that an iteration may start from."""
        for number, column in enumerate(self.basis.model.layout.columns):
            if self.basis.roles[number] != "input":
                expected = self.basis.at_first(number, self.row)
                found = self.placed(number)
                says = f"{column.name} starts as the program says"
                self._require(0, "encoder", says, equal(found, expected), (found, expected))
        for state in self.basis.program.states:
            goal = self._in_range(state.name, self.basis.first, constant(0))
            self._require(0, "invariants", f"{state.name} is in its range at first", goal)

    def placed(self, number: int) -> Term:
        """What the encoder writes into a column."""
        return placed(self.basis.model.layout.columns[number], self.meaning)(self.row)

    def _in_range(self, name: str, states: SymbolicStates, time: Term) -> Formula:
        return self.meaning.in_range(name, states.values[name](self.row), states, self.row, time)

    def learn(self) -> None:
        """Find out which states are untouched where a flag is not set: all candidates are assumed, and those that an
        iteration does not preserve are dropped, to a fixed point.
        """
        perhaps = _perhaps_untouched(self.basis.program)
        self.meaning.learned = perhaps if self.guide is None else list(self.guide.meaning.learned)
        while True:
            kept: list[tuple[Untouched, Obligation, Outcome]] = []
            for each in self.meaning.learned:
                goal = each.holds(self.meaning, self.basis.next, self.row)
                obligation = self.basis.obligation(None, "invariants", str(each), goal)
                outcome = discharge(obligation)
                if outcome.answer == "proved":
                    kept.append((each, obligation, outcome))
            if len(kept) == len(self.meaning.learned):
                break
            self.meaning.learned = [each for each, _, _ in kept]
        for each, obligation, outcome in kept:
            first = each.holds(self.meaning, self.basis.first, self.row)
            self._require(0, "invariants", f"{each.state} begins with its initial value", first)
            self.journal.require(obligation, outcome)

    def values(self) -> None:
        """The sums of the program stay in their ranges, and a finite length stays below Ω."""
        rows, products = self.meaning.rows, list(self.meaning.products.values())
        for made in products:
            line = made.most if made.one_hot_at is not None else (made.most[0] // rows, made.most[1] // rows)
            value = made.x(self.row)
            goal = conjunction(at_least(self.meaning.bound(line), value), at_least(value, 0))
            inside = self.meaning.inside(SOURCE[made.matrix], self.row)
            self._require(None, "invariants", f"what {made.name} adds up is in its range", implies(inside, goal))
        for mean in self.meaning.means.values():
            value = mean.x(self.row)
            goal = conjunction(at_least(self.meaning.bound(mean.most), value), at_least(value, 0))
            inside = self.meaning.inside(mean.scope, self.row)
            self._require(None, "invariants", f"what {mean.name} averages is in its range", implies(inside, goal))
        for symbol, operand in self.meaning.operands.items():
            value = operand(self.row)
            goal = conjunction(at_least(symbol.high, value), at_least(value, symbol.low))
            self._require(None, "invariants", f"{symbol.name} is in its range", goal)
        self._empty_products()
        self._empty_until_begun()
        self._equal_products()
        self._finite_leaves()
        for section, lines, number, op in self._lengths():
            if op.name in {"add", "multiple", "multiply", "mean", *SIDES}:
                self._finite_or_infinite(section, lines[number], number, op)

    def _lengths(self) -> Iterator[tuple[Section, Sequence[Line], int, Op]]:
        """The live lengths of the program, each with its section and the bounds there."""
        program, ranges = self.basis.program, self.basis.ranges
        for section, part, lines in zip((program.before, program.body), ranges.parts, ranges.values, strict=True):
            for number in sorted(part.live):
                if section.ops[number].type.kind is Kind.LENGTH:
                    yield section, lines, number, section.ops[number]

    def _finite_leaves(self) -> None:
        """Weights, lengths that are given and lengths that are written down are below Ω; so is 0, which is implied."""
        lengths = [op for _, _, _, op in self._lengths()]
        if lengths or any(state.type.kind is Kind.LENGTH for state in self.basis.program.states):
            self._require(None, "invariants", "0 is below Ω", below(0, self.meaning.infinity))
        for op in lengths:
            if op.name in {"weight", "input"} or (op.name == "constant" and op.argument is not INFINITY):
                most = self.meaning.value_of_leaf(op).high
                goal = below(most, self.meaning.infinity)
                self._require(None, "invariants", f"{op.name} ({op.where}) is below Ω", goal)
        for state in self.basis.program.states:
            if state.type.kind is Kind.LENGTH and state.initial is not INFINITY:
                goal = below(self.meaning.plain(state.initial), self.meaning.infinity)
                self._require(None, "invariants", f"{state.name} is below Ω at first", goal)

    def _learned(self, says: str, goal: Formula) -> bool:
        """Whether an invariant that is only worth a try is proved; it is an obligation then."""
        obligation = self.basis.obligation(None, "invariants", says, goal)
        outcome = discharge(obligation)
        if outcome.answer != "proved":
            return False
        self.journal.require(obligation, outcome)
        return True

    def _empty_products(self) -> None:
        """A product of an array that is always 0 is 0: the machine may have no head for it at all."""
        for product in self.meaning.products.values():
            inside = self.meaning.inside(SOURCE[product.matrix], self.row)
            goal = implies(inside, equal(product.x(self.row), 0))
            if self._learned(f"{product.name} adds up nothing", goal):
                self.meaning.nothing(product)

    def _empty_until_begun(self) -> None:
        """A product or a mean of an array that is 0 until the loop begins is 0 until then.

        Of the products, those that are needed before the loop are tried.
        """
        if self.basis.program.begins:
            for product in (each for each in self.meaning.early if not self.meaning.is_nothing(each)):
                self._empty_yet(
                    product, SOURCE[product.matrix], f"{product.name} adds up nothing until the loop begins"
                )
            for mean in self.meaning.means.values():
                self._empty_yet(mean, mean.scope, f"{mean.name} averages nothing until the loop begins")

    def _empty_yet(self, made: ProductSymbol | MeanSymbol, scope: Scope, says: str) -> None:
        started, inside = truth(self.meaning.now.started), self.meaning.inside(scope, self.row)
        goal = implies(inside, disjunction(started, equal(made.x(self.row), 0)))
        if self._learned(says, goal):
            self.meaning.nothing_yet(made)

    def _equal_products(self) -> None:
        """Two products of arrays that are always equal are equal."""
        products = list(self.meaning.products.values())
        for number, product in enumerate(products):
            for other in products[:number]:
                if product.matrix == other.matrix:
                    inside = self.meaning.inside(SOURCE[product.matrix], self.row)
                    goal = implies(inside, equal(product.x(self.row), other.x(self.row)))
                    says = f"{product.name} adds up what {other.name} does"
                    if self._learned(says, goal):
                        self.meaning.same(product, other)
                        break

    def _finite_or_infinite(self, section: Section, line: Line, number: int, op: Op) -> None:
        """A length that was added up is Ω only if a part of it is."""
        most = self.meaning.bound(line)
        read = [self.meaning.value(section, each, self.meaning.now)(self.row) for each in (number, *op.operands)]
        value, *operands = read
        infinite = [equal(operand, self.meaning.infinity) for operand in operands]
        finite = conjunction(at_least(most, value), below(value, self.meaning.infinity))
        goal = disjunction(finite, conjunction(equal(value, self.meaning.infinity), disjunction(*infinite)))
        inside = self.meaning.inside(op.type.scope, self.row)
        says = f"{op.label or op.name} ({op.where}) is infinite or below Ω"
        self._require(None, "invariants", says, implies(inside, goal))

    # -- layers

    def heads(self, layer: int, known: Sequence[Claim] | None = None, same: Mapping[int, Seen] | None = None) -> None:
        """Prove which row each head of a layer attends to.

        `known` are the claims to prove, if they are given; `same` are heads that were proved before.
        """
        attention = AttentionProver(self.machine, self.meaning, layer)
        seen: list[Seen] = []
        for number in range(len(self.layers[layer].heads)):
            found = (same or {}).get(number)
            if found is None:
                found = self._head(attention, number, None if known is None else known[number])
            seen.append(found)
            self.machine.looks[layer].append(found.look)
        self.seen.append(seen)

    def _head(self, attention: AttentionProver, number: int, known: Claim | None) -> Seen:
        found = attention.prove(number, known)
        if found is None:
            obligation = attention.unclaimed(number)
            for obligation in attention.against(number, known):
                self.journal.require(obligation)
            self.journal.give_up(obligation)
        for obligation, outcome in found.proofs:
            self.journal.require(obligation, outcome)
        return found

    def locals(self, layer: int, unless: TermRow | None = None) -> None:
        """Every column that the model names holds that value of the program.

        `unless`: terms that were proved to be right already.
        """
        program, model = self.basis.program, self.basis.model
        for local in model.locals:
            if local.layer != layer + 1:
                continue
            section = program.section(local.section)
            op, column = section.ops[local.op], model.layout.number(local.column)
            expected = self.meaning.full(section, local.op, self.meaning.now)
            found = self.machine.after(layer, self.row)[column]
            if unless is None or found is not unless[column]:
                says = f"{local.column} holds {op.label or f'{op.name} %{local.op}'} ({op.where})"
                goal = equal(found, expected(self.row))
                self._require(layer + 1, "units", says, goal, (found, expected(self.row)))
            self.machine.cut(layer, column, expected)

    # -- the whole

    def iteration(self, unless: TermRow | None = None) -> None:
        """One pass through the layers is one iteration of the program."""
        last = len(self.layers)
        found = self.machine.before(last, self.row)
        for number, column in enumerate(self.basis.model.layout.columns):
            if unless is not None and found[number] is unless[number]:
                continue
            expected = self.basis.at_end(number, self.row)
            says = f"{column.name} {AT_END[self.basis.roles[number]]}"
            if expected is None:
                goal = at_least(self.basis.largest_left, absolute(found[number]))
                self._require(last, "iteration", says, goal)
            else:
                self._require(last, "iteration", says, equal(found[number], expected), (found[number], expected))

    def invariants(self) -> None:
        """What was assumed of the states before an iteration holds after it."""
        later = self.meaning.time + 1
        for state in self.basis.program.states:
            goal = self._in_range(state.name, self.basis.next, later)
            self._require(None, "invariants", f"{state.name} stays in its range", goal)

    # -- exactness

    def leftovers(self) -> None:
        """Bound what can be left behind in each column that the first layer erases."""
        found = self.machine.before(len(self.layers), self.row)
        if self.guide is not None:
            self._given_leftovers(found, self.guide.left)
            return
        exactness = Exactness(self.machine, self.meaning, len(self.layers) - 1, self.basis.limit)
        for number, column in enumerate(self.basis.model.layout.columns):
            if self.basis.roles[number] == "emptied" and _forgets(found[number]):
                term = found[number]
                if term.largest < self.basis.limit // 8:
                    self.left[column.name] = min(term.low, 0), max(term.high, 0)
                else:
                    most = exactness.least_bound(absolute(term), self.basis.largest_left)
                    self.left[column.name] = -most, most
        for obligation in exactness.proofs:
            self.journal.require(obligation)

    def _given_leftovers(self, found: TermRow, left: Mapping[str, tuple[int, int]]) -> None:
        """That what is left behind is within the bounds that another proof has found."""
        self.left.update(left)
        for number, column in enumerate(self.basis.model.layout.columns):
            if column.name in left:
                low, high = left[column.name]
                at_first = conjunction(at_least(0, low), at_least(high, 0))
                goal = conjunction(at_first, at_least(found[number], low), at_least(high, found[number]))
                self._require(len(self.layers), "exactness", f"what is left in {column.name} is in its range", goal)

    @cached_property
    def tight(self) -> Machine:
        """The same machine again, with the tighter bounds of what is left behind."""
        machine = Machine(self.layers, self.basis.starts(self.left), self.meaning)
        machine.looks, machine.cuts = self.machine.looks, self.machine.cuts
        return machine

    def with_layer(self, layer: int, changed: SparseLayer) -> Work:
        """The proof of a model that differs in one layer, up to that layer."""
        other = copy(self)
        other.layers = [*self.layers[:layer], changed, *self.layers[layer + 1 :]]
        other.journal, other.sizes, other.seen, other.left = Journal(), [], self.seen[:layer], dict(self.left)
        other.machine = self.machine.with_layer(layer, changed)
        other.tight = self.tight.with_layer(layer, changed)
        other.tight.looks, other.tight.cuts = other.machine.looks, other.machine.cuts
        return other

    def encoded(self) -> None:
        """Everything that the encoder writes is within the exact integers."""
        for number, column in enumerate(self.basis.model.layout.columns):
            most = largest_written(column, self.meaning.last, self.meaning.weight)
            self.sizes.append(Extent(most, "the encoder", f"column {number}"))
            if self.guide is not None:
                goal = at_least(most, absolute(self.placed(number)))
                self._require(0, "encoder", f"{column.name} starts with at most {most:,} in absolute value", goal)
            self._bounded(self.sizes[-1], 0, "encoder")

    def _bounded(self, size: Extent, layer: int, part: str) -> None:
        if size.most >= self.basis.limit or self.guide is not None:
            goal = below(size.most, self.basis.limit)
            says = f"{size.what} stays below {self.basis.limit:,}; its parts may add up to {size.most:,}"
            self.journal.require(Obligation(layer, part, says, goal))

    def exactness(self, layer: int) -> None:
        """Everything that a layer computes on the way stays within the exact integers."""
        given = None if self.guide is None else iter(self.guide.bounds[layer])
        exactness = Exactness(self.tight, self.meaning, layer, self.basis.limit, given)
        self.bounds.append(exactness.bounds)
        for size in exactness.sizes(self.seen[layer]):
            self.sizes.append(Extent(size.most, f"layer {layer + 1}, {size.part}", size.what))
            self._bounded(size, layer + 1, size.part)
        for obligation in exactness.proofs:
            self.journal.require(obligation)


MOST_LEARNED = 64  # candidates for learned invariants, of pairs of an array and a flag

AT_END = {
    "state": "becomes the program's new value",
    "started": "is set when the program says",
    "halt": "is set when the program says",
    "ahead": "is ready for the next iteration",
    "input": "stays as it was",
    "empty": "is empty again",
    "emptied": "stays within its bound until it is erased",
}


def _perhaps_untouched(program: Program) -> list[Untouched]:
    """The candidates: every array with every flag over the same rows, up to a limit; every state before the loop."""
    arrays = [state for state in program.states if state.type.scope is not Scope.SCALAR]
    flags = [state for state in arrays if state.type.kind is Kind.FLAG]
    pairs = [(x, f) for x in arrays for f in flags if x.name != f.name and x.type.scope is f.type.scope]
    beside = [Untouched(x.name, f.name, unless) for x, f in pairs for unless in (True, False)][:MOST_LEARNED]
    return beside + [Untouched(state.name, None) for state in program.states if program.begins]


def _forgets(term: Term) -> bool:
    """Whether a term does not depend on what was left behind before."""
    return not any(isinstance(atom.of, Left) for atom in atoms_of([term]))
