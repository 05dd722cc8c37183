"""Certificates: for each obligation a proof that needs no solver to be checked.

A proof is a tree of case distinctions over the disjunctions of an obligation, the definitions of its symbols and equal
arguments of functions. At each leaf, linear statements add up to a contradiction (Farkas). `checker/check_certificate.py`
checks such trees, and explains them. z3 finds them: which assertions are needed, which linear statements contradict each
other, and a point at which they do not, which tells what to distinguish next. Nothing that it says is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

from hyloop.errors import HyloopError
from hyloop.prove.solver import library
from hyloop.prove.terms import Atom, Formula, Script, Term

Proof: TypeAlias = list[Any]  # as in the file: ["case", 0, [...]], say
Point: TypeAlias = Mapping[str, Fraction]
MOST = 4_000  # nodes of one proof
TRIED = 1  # case distinctions that are compared before one is chosen


class NotFound(HyloopError):
    """No certificate was found for an obligation."""


# -- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Linear:
    """`constant + Σ factor · symbol`, which is 0 (`equation`) or at least 0."""

    equation: bool
    constant: int
    parts: Mapping[str, int]

    def at(self, point: Point) -> Fraction:
        """Its value."""
        return self.constant + sum((factor * point.get(name, Fraction(0)) for name, factor in self.parts.items()), Fraction(0))

    def holds(self, point: Point) -> bool:
        """Whether it is true at a point."""
        return self.at(point) == 0 if self.equation else self.at(point) >= 0

    @property
    def key(self) -> tuple[object, ...]:
        """What it says."""
        return self.equation, self.constant, tuple(sorted(self.parts.items()))


def _tightened(constant: int, parts: Mapping[str, int]) -> Linear:
    """An inequality, divided by what divides all factors, and rounded as integers allow."""
    divisor = gcd(*parts.values()) if parts else 1
    return Linear(False, constant // divisor, {name: factor // divisor for name, factor in parts.items()})


@dataclass(frozen=True, eq=False)
class Either:
    """A disjunction: formulas, each as it is or negated."""

    parts: tuple[tuple[Formula, bool], ...]


@dataclass
class Gathered:
    """Statements, in the order in which the checker gathers them."""

    linear: list[Linear] = field(default_factory=list)
    either: list[Either] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Branch:
    """One case: what it adds, and its proof."""

    added: Gathered
    proof: Tree


@dataclass(frozen=True, eq=False)
class Tree:
    """A node: its kind and what it names, its cases; of a leaf, the linear statements and how often each is taken."""

    kind: str
    names: tuple[Any, ...] = ()
    branches: tuple[Branch, ...] = ()
    taken: tuple[tuple[Linear, int], ...] = ()
    of: Either | None = None
    uses: frozenset[object] = frozenset()  # the statements that the proof needs, of those that the path has


# -- finding --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Split:
    """A case distinction: how it is written, and what each case adds."""

    kind: str
    names: tuple[Any, ...]
    cases: tuple[Gathered, ...]
    of: Either | None = None


class _Finder:
    def __init__(self, script: Script) -> None:
        self.script, self.names = script, script.names
        self.atoms = {name: atom for atom, name in script.names.items()}
        self.reals = _Reals()
        self.nodes = 0
        self.depth = {name: number for number, name in enumerate(script.names.values())}
        self._terms: dict[Term, tuple[int, dict[str, int]]] = {}

    def term(self, term: Term) -> tuple[int, dict[str, int]]:
        """A term over symbols."""
        if term not in self._terms:
            parts: dict[str, int] = {}
            for atom, factor in term.terms:
                parts[self.names[atom]] = parts.get(self.names[atom], 0) + factor
            self._terms[term] = term.constant, {name: factor for name, factor in parts.items() if factor}
        return self._terms[term]

    def gather(self, into: Gathered, formula: Formula, holds: bool = True) -> None:
        """Add a formula or its negation, as the checker does."""
        if formula.term is not None:
            self._gather_linear(into, formula, holds)
        elif formula.kind == "not":
            self.gather(into, formula.parts[0], not holds)
        elif (formula.kind in {"and", "true"}) == holds:
            for part in formula.parts:
                self.gather(into, part, holds)
        else:
            into.either.append(Either(tuple((part, holds) for part in formula.parts)))

    def _gather_linear(self, into: Gathered, formula: Formula, holds: bool) -> None:
        assert formula.term is not None
        constant, parts = self.term(formula.term)
        if formula.kind == "equal" and not holds:
            into.either.append(Either(((formula, False),)))
        elif formula.kind == "equal":
            into.linear.append(Linear(True, constant, parts))
        elif holds:
            into.linear.append(_tightened(constant, parts))
        else:
            into.linear.append(_tightened(-constant - 1, {name: -factor for name, factor in parts.items()}))

    # -- case distinctions

    def splits(self, path: Gathered, done: frozenset[object], point: Point) -> Iterator[_Split]:
        """Case distinctions that the point contradicts."""
        for either in path.either:
            if either not in done and not any(self._true(part, holds, point) for part, holds in either.parts):
                yield self._of_either(either)
        present = self._present(path)
        for name in present:
            atom = self.atoms[name]
            if atom.kind in {"choice", "relu"} and name not in done:
                split = self._of_choice(name, atom)
                if not any(self._all_true(case, point) for case in split.cases):
                    yield split
        yield from self._of_functions(present, done, point)

    def _present(self, path: Gathered) -> list[str]:
        """The symbols of what has been gathered, and those of their definitions."""
        found: dict[str, None] = {}
        todo = [name for each in path.linear for name in each.parts]
        for either in path.either:
            for part, _ in either.parts:
                todo += self._symbols(part)
        while todo:
            name = todo.pop()
            if name not in found:
                found[name] = None
                for part in self.atoms[name].parts:
                    todo += self._symbols(part) if isinstance(part, Formula) else list(self.term(part)[1])
        return sorted(found)

    def _symbols(self, formula: Formula) -> list[str]:
        own = list(self.term(formula.term)[1]) if formula.term is not None else []
        return own + [name for part in formula.parts for name in self._symbols(part)]

    def _of_either(self, either: Either) -> _Split:
        if len(either.parts) == 1 and either.parts[0][0].kind == "equal":
            formula = either.parts[0][0]
            assert formula.term is not None
            constant, parts = self.term(formula.term)
            above = _tightened(constant - 1, parts)
            below = _tightened(-constant - 1, {name: -factor for name, factor in parts.items()})
            return _Split("case", (), (Gathered([above]), Gathered([below])), either)
        cases = []
        for part, holds in either.parts:
            case = Gathered()
            self.gather(case, part, holds)
            cases.append(case)
        return _Split("case", (), tuple(cases), either)

    def _of_choice(self, name: str, atom: Atom) -> _Split:
        """`ite`: the condition and the first value, or its negation and the second."""
        if atom.kind == "relu":
            inner = atom.parts[0]
            assert isinstance(inner, Term)
            constant, parts = self.term(inner)
            yes = Gathered([_tightened(constant, parts)])
            no = Gathered([_tightened(-constant - 1, {each: -factor for each, factor in parts.items()})])
            values = [(constant, parts), (0, {})]
        else:
            condition, first, second = atom.parts
            assert isinstance(condition, Formula) and isinstance(first, Term) and isinstance(second, Term)
            yes, no = Gathered(), Gathered()
            self.gather(yes, condition, True)
            self.gather(no, condition, False)
            values = [self.term(first), self.term(second)]
        for case, (constant, parts) in zip((yes, no), values, strict=True):
            gap = {name: 1}
            for each, factor in parts.items():
                gap[each] = gap.get(each, 0) - factor
            case.linear.append(Linear(True, -constant, {each: factor for each, factor in gap.items() if factor}))
        return _Split("ite", (name,), (yes, no))

    def _of_functions(self, present: Sequence[str], done: frozenset[object], point: Point) -> Iterator[_Split]:
        """Functions whose arguments are equal at the point, and their values are not."""
        seen: dict[tuple[str, Fraction], list[str]] = {}
        for name in present:
            atom = self.atoms[name]
            if atom.kind == "function":
                constant, parts = self.term(atom.index)
                at = Linear(True, constant, parts).at(point)
                for other in seen.setdefault((atom.name, at), []):
                    if (other, name) not in done and point.get(name, Fraction(0)) != point.get(other, Fraction(0)):
                        yield self._of_pair(other, name)
                seen[atom.name, at].append(name)

    def _of_pair(self, a: str, b: str) -> _Split:
        (first, s), (second, t) = (self.term(self.atoms[name].index) for name in (a, b))
        gap = dict(t)
        for name, factor in s.items():
            gap[name] = gap.get(name, 0) - factor
        gap = {name: factor for name, factor in gap.items() if factor}
        constant, back = second - first, {name: -factor for name, factor in gap.items()}
        below, above = _tightened(constant - 1, gap), _tightened(-constant - 1, back)
        equal = [Linear(True, constant, gap), Linear(True, 0, {a: 1, b: -1})]
        return _Split("same", (a, b), (Gathered([below]), Gathered(equal), Gathered([above])))

    def _of_fraction(self, point: Point) -> _Split | None:
        """A symbol that is no integer at the point."""
        for name in sorted(point):
            if point[name].denominator != 1:
                bound = point[name].numerator // point[name].denominator
                low, high = Linear(False, bound, {name: -1}), Linear(False, -bound - 1, {name: 1})
                return _Split("split", ([[1, name]], bound), (Gathered([low]), Gathered([high])))
        return None

    def _true(self, formula: Formula, holds: bool, point: Point) -> bool:
        if formula.term is not None:
            constant, parts = self.term(formula.term)
            value = Linear(True, constant, parts).at(point)
            if formula.kind == "equal":
                return (value == 0) if holds else (value >= 1 or value <= -1)
            return value >= 0 if holds else value <= -1
        if formula.kind == "not":
            return self._true(formula.parts[0], not holds, point)
        every = (formula.kind in {"and", "true"}) == holds
        return (all if every else any)(self._true(part, holds, point) for part in formula.parts)

    def _all_true(self, case: Gathered, point: Point) -> bool:
        return all(each.holds(point) for each in case.linear) and all(
            any(self._true(part, holds, point) for part, holds in each.parts) for each in case.either
        )

    # -- the search

    def prove(self, path: Gathered, done: frozenset[object] = frozenset()) -> Tree:
        """A proof that what has been gathered cannot all hold."""
        self.nodes += 1
        if self.nodes > MOST:
            raise NotFound(f"There is no proof of at most {MOST:,} nodes.")
        point = self.reals.point(path.linear)
        if point is None:
            return self._leaf(path)
        split = self._best(path, done, point)
        if split is None:
            raise NotFound("There are values for which all that is known holds: nothing is left to distinguish.")
        mark: object = split.of if split.of is not None else split.names if split.kind == "same" else split.names[0]
        within = done | {mark} if split.kind != "split" else done
        branches: list[Branch] = []
        for case in split.cases:
            here = Gathered([*path.linear, *case.linear], [*path.either, *case.either])
            proof = self.prove(here, within)
            own = {*case.linear, *case.either}
            if not proof.uses & own:
                return proof  # it did not need the case
            branches.append(Branch(case, proof))
        added = {each for branch in branches for each in (*branch.added.linear, *branch.added.either)}
        uses = frozenset().union(*(branch.proof.uses for branch in branches)) - added
        return Tree(split.kind, split.names, tuple(branches), (), split.of, uses | ({split.of} if split.of else set()))

    def _leaf(self, path: Gathered) -> Tree:
        taken = self.reals.contradiction(path.linear)
        return Tree("sum", taken=tuple(taken), uses=frozenset(each for each, _ in taken))

    def _depth(self, split: _Split) -> int:
        """How deep the symbols of a distinction are defined: those that depend on few others come first."""
        if split.of is None:
            return max(self.depth[name] for name in split.names)
        return max((self.depth[name] for part, _ in split.of.parts for name in self._symbols(part)), default=0)

    def _best(self, path: Gathered, done: frozenset[object], point: Point) -> _Split | None:
        """The distinction that leaves the fewest cases open."""
        best: tuple[int, ...] | None = None
        chosen: _Split | None = None
        for number, split in enumerate(self.splits(path, done, point)):
            if number >= TRIED and chosen is not None:
                break
            open_ = sum(self.reals.point([*path.linear, *case.linear]) is not None for case in split.cases)
            rank = (open_, self._depth(split), len(split.cases))
            if best is None or rank < best:
                best, chosen = rank, split
            if open_ == 0:
                break
        return chosen or self._of_fraction(point)


class _Reals:
    """Linear statements over the reals: a point at which all hold, or a sum that is a contradiction."""

    def __init__(self) -> None:
        self.z3 = library()
        self.solver = self.z3.SolverFor("QF_LRA")
        self.flags: dict[tuple[object, ...], Any] = {}
        self.symbols: dict[str, Any] = {}

    def _flag(self, each: Linear) -> Any:
        if each.key not in self.flags:
            flag = self.z3.Bool(f"flag {len(self.flags)}")
            whole = self.z3.Sum([factor * self._symbol(name) for name, factor in each.parts.items()]) + each.constant
            self.solver.add(self.z3.Implies(flag, whole == 0 if each.equation else whole >= 0))
            self.flags[each.key] = flag
        return self.flags[each.key]

    def _symbol(self, name: str) -> Any:
        if name not in self.symbols:
            self.symbols[name] = self.z3.Real(name)
        return self.symbols[name]

    def point(self, statements: Sequence[Linear]) -> Point | None:
        """A point at which all hold; None if there is none."""
        if any(not each.parts and not each.holds({}) for each in statements):
            return None
        if self.solver.check(*(self._flag(each) for each in statements if each.parts)) == self.z3.unsat:
            return None
        model = self.solver.model()
        found: dict[str, Fraction] = {}
        for name in {name for each in statements for name in each.parts}:
            value = model.eval(self.symbols[name], model_completion=True)
            found[name] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        return found

    def contradiction(self, statements: Sequence[Linear]) -> list[tuple[Linear, int]]:
        """How often to take which statements, for a sum that is negative and should not be."""
        for each in statements:
            if not each.parts and not each.holds({}):
                return [(each, -1 if each.equation and each.constant > 0 else 1)]
        by_flag = {str(self._flag(each)): each for each in reversed(statements) if each.parts}
        self.solver.check(*(self._flag(each) for each in by_flag.values()))
        core = sorted((by_flag[str(flag)] for flag in self.solver.unsat_core()), key=lambda each: repr(each.key))
        for each in list(core):
            rest = [other for other in core if other is not each]
            if self.solver.check(*(self._flag(other) for other in rest)) == self.z3.unsat:
                core = rest
        return _farkas(core)


def _farkas(core: Sequence[Linear]) -> list[tuple[Linear, int]]:
    """Numbers for which the symbols of an irreducible contradiction cancel: there is one choice, up to a factor."""
    names = sorted({name for each in core for name in each.parts})
    rows = [[Fraction(each.parts.get(name, 0)) for each in core] for name in names]
    pivots: list[int] = []
    for column in range(len(core)):
        at = next((n for n in range(len(pivots), len(rows)) if rows[n][column]), None)
        if at is None:
            continue
        place = len(pivots)
        rows[place], rows[at] = rows[at], rows[place]
        rows[place] = [value / rows[place][column] for value in rows[place]]
        for n, row in enumerate(rows):
            if n != place and row[column]:
                rows[n] = [value - row[column] * other for value, other in zip(row, rows[place], strict=True)]
        pivots.append(column)
    free = [column for column in range(len(core)) if column not in pivots]
    if len(free) != 1:
        raise NotFound("A contradiction is not irreducible.")
    solution = [Fraction(0)] * len(core)
    solution[free[0]] = Fraction(1)
    for place, column in enumerate(pivots):
        solution[column] = -rows[place][free[0]]
    whole = lcm(*(value.denominator for value in solution))
    factors = [int(value * whole) for value in solution]
    if sum(factor * each.constant for factor, each in zip(factors, core, strict=True)) > 0:
        factors = [-factor for factor in factors]
    common = gcd(*factors)
    return [(each, factor // common) for each, factor in zip(core, factors, strict=True)]


# -- writing --------------------------------------------------------------------------------------------------------


def certify(script: Script) -> Proof:
    """A proof that the assertions of a script cannot all hold, as the checker reads it."""
    finder = _Finder(script)
    gathered = {number: Gathered() for number in _core(script)}
    for number, into in gathered.items():
        finder.gather(into, script.assertions[number])
    path = Gathered(
        [each for into in gathered.values() for each in into.linear],
        [each for into in gathered.values() for each in into.either],
    )
    tree = finder.prove(path)
    used = [number for number, into in gathered.items() if tree.uses & {*into.linear, *into.either}]
    linear = [each for number in used for each in gathered[number].linear]
    either = [each for number in used for each in gathered[number].either]
    return ["use", used, _written(tree, linear, either)]


def _written(tree: Tree, linear: Sequence[Linear], either: Sequence[Either]) -> Proof:
    """The tree with numbers for statements."""
    place = {each: number for number, each in reversed(list(enumerate(linear)))}
    if tree.kind == "sum":
        return ["sum", [[place[each], factor] for each, factor in tree.taken]]
    nodes = [
        _written(branch.proof, [*linear, *branch.added.linear], [*either, *branch.added.either])
        for branch in tree.branches
    ]
    if tree.of is not None:
        return ["case", either.index(tree.of), nodes]
    return [tree.kind, *tree.names, *nodes]


def _core(script: Script) -> list[int]:
    """Assertions that cannot all hold, few of them."""
    z3 = library()
    solver = z3.SimpleSolver()
    found = z3.parse_smt2_string(script.text)
    flags = [z3.Bool(f"assertion {number}") for number in range(len(found))]
    for flag, each in zip(flags, found, strict=True):
        solver.add(z3.Implies(flag, each))
    solver.set("timeout", 20_000)

    def contradict(numbers: Iterable[int]) -> list[int] | None:
        if str(solver.check(*(flags[number] for number in numbers))) != "unsat":
            return None
        names = {str(each) for each in solver.unsat_core()}
        return [number for number in range(len(flags)) if str(flags[number]) in names]

    core = contradict(range(len(flags)))
    if core is None:
        raise NotFound("The solver finds no contradiction.")
    for number in list(core):
        if number in core:
            core = contradict(each for each in core if each != number) or core
    return core


Certify = Callable[[Script], Proof]
