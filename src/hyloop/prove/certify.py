"""Certificates: for each obligation a proof that needs no solver to be checked.

A proof is a list of clauses, ending with the empty one. Some are the obligation's own; some say that linear statements
contradict each other, with the factors for which their sum is a contradiction (Farkas); the others follow from earlier
ones by unit propagation. `checker/check_certificate.py` checks and explains them.

They are found by a search with clause learning. z3 helps: which assertions are needed, which linear statements
contradict each other, and a point where they do not, which tells what to decide next. Nothing that it says is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from typing import Any, TypeAlias

from hyloop.errors import HyloopError
from hyloop.prove.clauses import Clause, Clauses, Joined, Linear, Step, to_let
from hyloop.prove.intervals import Bounds
from hyloop.prove.lemmas import Lemma, cases, lemmas, linear_to_smt
from hyloop.prove.solver import TIME, library
from hyloop.prove.terms import Script, atoms_of

Value: TypeAlias = Callable[[str], Fraction]  # of a symbol
MOST = 20_000  # conflicts of one search


class NotFound(HyloopError):  # noqa: N818  (it is an answer, too)
    """No certificate was found for an obligation."""


def certify(script: Script) -> list[Step]:
    """A proof that the assertions of a script cannot all hold, as the checker reads it."""
    return _by_bounds(script) or _by_search(script)


def _by_bounds(script: Script) -> list[Step] | None:
    """A proof from the bounds of symbols and the goal alone, if they are enough: no solver is asked then."""
    search = _Search(script, sorted({*_bounds(script), len(script.assertions) - 1}))
    wrong = search.follow()
    if wrong is None:
        return None
    search.conflict(wrong)
    return _trimmed(search)


def _by_search(script: Script) -> list[Step]:
    known, general = len(script.assertions), list(lemmas(script))
    try:
        used = core_of(script, general)
    except NotFound:
        more = list(cases(script))
        if not more:
            raise
        general += more
        used = core_of(script, general)
    needed = [general[each - known] for each in used if each >= known]
    given = {each for each in used if each < known} | {number for lemma in needed for number in lemma.needs}
    given |= set(_bounds(script))  # not needed, but they make the proof shorter
    search = _Search(script, sorted(given))
    for lemma in needed:
        lemma.steps(search)
    search.run()
    return _trimmed(search)


# -- propagation ----------------------------------------------------------------------------------------------------


class _Trail:
    """Clauses, the literals that hold so far, and what follows from them by unit propagation."""

    def __init__(self, table: Clauses) -> None:
        self.table = table
        self.clauses: list[list[int]] = []  # the two literals that are watched come first
        self.watch: dict[int, list[int]] = {}
        self.value: dict[int, bool] = {}  # of literals, both of each variable
        self.level: dict[int, int] = {}
        self.place: dict[int, int] = {}
        self.reason: dict[int, int | None] = {}
        self.trail: list[int] = []
        self.starts: list[int] = []  # where on the trail each level begins
        self.looked = 0
        self.units: dict[int, int] = {}  # of a variable that is decided for good: the clause that says so
        self.made: dict[int, Step] = {}  # of a clause that is no definition: the step that made it
        self.made_at: list[tuple[range, Step]] = []  # of each step the clauses that it brought

    def take(self, step: Step) -> int:
        """Take a step; its last clause."""
        before = len(self.table.clauses)
        self.table.take(step)
        number = len(self.table.clauses) - 1
        self.made_at.append((range(before, number + 1), step))
        if step[0] in {"sum", "so"}:
            self.made[number] = step
        return number

    def attach(self) -> int | None:
        """Watch new clauses, at level 0; one that cannot hold, if there is one."""
        for number in range(len(self.clauses), len(self.table.clauses)):
            clause = self._watched(number)
            if not clause or (self.value.get(clause[0]) is False):
                return number
            if (len(clause) == 1 or self.value.get(clause[1]) is False) and clause[0] not in self.value:
                self.assign(clause[0], number)
        return None

    def _watched(self, number: int) -> list[int]:
        """Watch the literals of a clause that are not false, or became so last."""
        clause = list(dict.fromkeys(self.table.clauses[number]))
        clause.sort(key=lambda each: -self.place[abs(each)] if self.value.get(each) is False else -(10**9))
        self.clauses.append(clause)
        for literal in clause[:2]:
            self.watch.setdefault(literal, []).append(number)
        return clause

    def assign(self, literal: int, reason: int | None) -> None:
        """A literal holds."""
        self.value[literal], self.value[-literal] = True, False
        variable = abs(literal)
        self.level[variable], self.reason[variable] = len(self.starts), reason
        self.place[variable] = len(self.trail)
        self.trail.append(literal)

    def back(self, level: int) -> None:
        """Forget what was decided above a level."""
        if len(self.starts) <= level:
            return
        start = self.starts[level]
        for literal in self.trail[start:]:
            del self.value[literal], self.value[-literal]
        del self.trail[start:], self.starts[level:]
        self.looked = min(self.looked, start)

    def propagate(self) -> int | None:
        """Add what follows; a clause that cannot hold, if there is one."""
        value, clauses, watch = self.value, self.clauses, self.watch
        while self.looked < len(self.trail):
            false = -self.trail[self.looked]
            self.looked += 1
            watching = watch.get(false, [])
            kept: list[int] = []
            for position, number in enumerate(watching):
                clause = clauses[number]
                if clause[0] == false and len(clause) > 1:
                    clause[0], clause[1] = clause[1], clause[0]
                first = clause[0]
                if value.get(first):
                    kept.append(number)
                    continue
                for other in range(2, len(clause)):
                    if value.get(clause[other]) is not False:
                        clause[1], clause[other] = clause[other], clause[1]
                        watch.setdefault(clause[1], []).append(number)
                        break
                else:
                    kept.append(number)
                    if first in value:  # it is false
                        watch[false] = kept + watching[position + 1 :]
                        return number
                    self.assign(first, number)
            watch[false] = kept
        return None

    def unit(self, variable: int) -> int:
        """The clause that says what holds at level 0, made of those before it."""
        todo, wanted = [variable], set[int]()
        while todo:
            here = todo.pop()
            if here not in self.units and here not in wanted:
                wanted.add(here)
                todo += [abs(each) for each in self._why(here) if abs(each) != here]
        for here in sorted(wanted, key=lambda each: self.place[each]):
            reason = self.reason[here]
            assert reason is not None
            if len(self.table.clauses[reason]) == 1:
                self.units[here] = reason
            else:
                hints = [self.units[abs(each)] for each in self._why(here) if abs(each) != here]
                self.units[here] = self._said((self.trail[self.place[here]],), (*hints, reason))
        return self.units[variable]

    def _why(self, variable: int) -> Clause:
        reason = self.reason[variable]
        assert reason is not None
        return self.table.clauses[reason]

    def _said(self, clause: Clause, hints: Clause) -> int:
        number = self.take(("so", clause, hints))
        while len(self.clauses) < len(self.table.clauses):
            self._watched(len(self.clauses))
        return number


class _Learner(_Trail):
    """What conflicts teach."""

    def __init__(self, table: Clauses) -> None:
        super().__init__(table)
        self.activity: dict[int, float] = {}
        self.bump = 1.0

    def conflict(self, number: int) -> bool:
        """Learn a clause from one that cannot hold, go back to where it matters; False if there is a contradiction."""
        clause = self.table.clauses[number]
        top = max((self.level[abs(each)] for each in clause), default=0)
        self.back(top)
        if top == 0:
            units = [self.unit(abs(each)) for each in clause]
            if clause:
                self.take(("so", (), (*dict.fromkeys(units), number)))
            return False
        learned, hints = self._analysed(number, top)
        new = number if set(learned) == set(clause) else self.take(("so", learned, hints))
        self.bump *= 1.05
        self.back(max((self.level[abs(each)] for each in learned[1:]), default=0))
        while len(self.clauses) < len(self.table.clauses):
            self._watched(len(self.clauses))
        self.assign(learned[0], new)
        return True

    def _analysed(self, number: int, top: int) -> tuple[Clause, Clause]:
        """The clause of the first literal through which all ways to the conflict lead, and what it follows from."""
        seen: set[int] = set()
        used: list[tuple[int, int]] = []  # (place, clause)
        zero: dict[int, None] = {}
        learned: list[int] = []
        clause, open_, at = self.table.clauses[number], 0, len(self.trail) - 1
        literal = 0
        while True:
            for each in clause:
                variable = abs(each)
                if each == literal or variable in seen:
                    continue
                seen.add(variable)
                self.activity[variable] = self.activity.get(variable, 0.0) + self.bump
                if self.level[variable] == 0:
                    zero[variable] = None
                elif self.level[variable] == top:
                    open_ += 1
                else:
                    learned.append(each)
            while abs(self.trail[at]) not in seen:
                at -= 1
            literal = self.trail[at]
            at -= 1
            open_ -= 1
            if not open_:
                break
            reason = self.reason[abs(literal)]
            assert reason is not None
            used.append((self.place[abs(literal)], reason))
            clause = self.table.clauses[reason]
        learned = self._shorter(learned, used, zero)
        learned.sort(key=lambda each: -self.level[abs(each)])
        units = [self.unit(variable) for variable in zero]
        hints = [*units, *(clause for _, clause in sorted(used)), number]
        return (-literal, *learned), tuple(hints)

    def _shorter(self, learned: list[int], used: list[tuple[int, int]], zero: dict[int, None]) -> list[int]:
        """Without the literals that follow from the others at once."""
        among = {abs(each) for each in learned}
        kept = []
        for each in learned:
            reason = self.reason[abs(each)]
            why = [] if reason is None else [other for other in self._why(abs(each)) if abs(other) != abs(each)]
            if reason is not None and all(abs(other) in among or self.level[abs(other)] == 0 for other in why):
                used.append((self.place[abs(each)], reason))
                zero.update((abs(other), None) for other in why if self.level[abs(other)] == 0)
            else:
                kept.append(each)
        return kept


# -- the search -----------------------------------------------------------------------------------------------------


class _Search(_Learner):
    """A search for values under which all assertions hold. It decides only what matters, and what the point of the
    linear statements contradicts: parts of a disjunction, and conditions of the symbols that occur.
    """

    def __init__(self, script: Script, used: Sequence[int]) -> None:
        super().__init__(Clauses(script))
        self.roots: list[int] = []
        self.cases: dict[str, list[tuple[int, int, int]]] = {}  # of a symbol: a condition, what is known then, and else
        self.branches: dict[int, None] = {}  # statements that tell integers apart
        bounds = Bounds(self)
        for number in used:
            clause = self.take(("use", number))
            self.roots.append(self.table.clauses[-1][0])
            bounds.given(self.roots[-1], clause)
        goal = self.roots[-1:]
        for atom in atoms_of(script.assertions[number] for number in used):
            if atom.kind in {"choice", "relu"}:
                self._define(self.table.names[atom], bounds)
        for literal in self._linear(goal):
            bounds.decide(literal)
        self._defined: dict[int, list[tuple[int, int]]] = {}  # by condition, what a symbol is then, and else

    @cached_property
    def reals(self) -> _Reals:
        """What is asked about linear statements; some proofs need none of it."""
        return _Reals(self.table)

    def _linear(self, todo: list[int]) -> Iterator[int]:
        """The linear literals that others are made of."""
        while todo:
            literal = todo.pop()
            key = self.table.literals[abs(literal)]
            if isinstance(key, Joined):
                todo += key.parts
            elif key is not None:
                yield literal

    def follow(self) -> int | None:
        """Add what follows, at any level; a clause that cannot hold, if there is one."""
        wrong = self.attach() if not self.starts else None
        return self.propagate() if wrong is None else wrong

    def _define(self, name: str, bounds: Bounds) -> None:
        before = len(self.table.clauses)
        last = self.take(("ite", name))
        condition, yes, _ = self.table.conditions[name]
        first = next(each for each in range(before, last) if self.table.clauses[each] == (-condition, yes))
        bounds.choice(name, (first, last))

    def require(self, literal: int) -> None:
        """A literal that holds matters."""
        self.roots.append(literal)

    def define(self, name: str, condition: int, yes: int, no: int) -> None:
        """What is known of a symbol depends on a condition."""
        self.cases.setdefault(name, []).append((condition, yes, no))

    def run(self) -> None:
        """Search until there is a contradiction."""
        for name, case in self.table.conditions.items():
            self.cases.setdefault(name, []).append(case)
        for condition, yes, no in chain.from_iterable(self.cases.values()):
            self._defined.setdefault(condition, []).append((yes, no))
        for _ in range(MOST):
            wrong = self.follow()
            if wrong is None:
                wrong = self._decide()
            if wrong is not None and not self.conflict(wrong):
                return
        raise NotFound(f"There is no proof with {MOST:,} decisions.")

    def _decide(self) -> int | None:
        """Decide something; or a clause that cannot hold, since linear statements contradict each other."""
        known, open_ = self._relevant()
        point = self.reals.point(known)
        if point is None:
            return self._contradicted(known)
        open_.sort(key=lambda each: -max(self.activity.get(abs(literal), 0.0) for literal in each))
        chosen = next((each for each in open_ if not self._fits(each, point)), open_[0] if open_ else None)
        if chosen is None:
            self._refine(known, point)
            return None
        literal = next((each for each in chosen if self._true(each, point)), chosen[0])
        self.starts.append(len(self.trail))
        self.assign(literal, None)
        return None

    def _contradicted(self, known: Sequence[int]) -> int:
        number = self.take(("sum", self.reals.contradiction(known)))
        while len(self.clauses) < len(self.table.clauses):
            self._watched(len(self.clauses))
        return number

    # -- what matters

    def _relevant(self) -> tuple[list[int], list[tuple[int, ...]]]:
        """The linear statements that hold, and what is to be decided: literals of which one is to hold."""
        known: dict[int, None] = {}
        open_: list[tuple[int, ...]] = []
        seen: set[int] = set()
        symbols: set[str] = set()
        todo = list(reversed(self.roots))
        for each in self.branches:
            self._one_of((each, -each), todo, open_)
        for arguments, values in self.table.pairs.values():
            if self.value.get(arguments) is not False:
                self._one_of((values, *self.table.sides.get(arguments, ())), todo, open_)
            else:
                todo.append(-arguments)
        while todo:
            literal = todo.pop()
            if literal in seen:
                continue
            seen.add(literal)
            key = self.table.literals[abs(literal)]
            if isinstance(key, Joined):
                if (key.kind == "and") == (literal > 0):
                    todo += key.parts if literal > 0 else [-each for each in key.parts]
                else:
                    self._one_of(key.parts if literal > 0 else tuple(-each for each in key.parts), todo, open_)
            elif isinstance(key, Linear):
                if key.equation and literal < 0:
                    self._one_of(self.table.sides[-literal], todo, open_)
                    continue
                known[literal] = None
                self._symbols(key, symbols, todo, open_)
        return list(known), open_

    def _one_of(self, parts: Sequence[int], todo: list[int], open_: list[tuple[int, ...]]) -> None:
        """One of these must hold: the first that was decided, or it is to be decided."""
        holding = [each for each in parts if self.value.get(each)]
        if holding:
            todo.append(min(holding, key=lambda each: self.place[abs(each)]))
        else:
            open_.append(tuple(each for each in parts if each not in self.value))

    def _symbols(self, key: Linear, symbols: set[str], todo: list[int], open_: list[tuple[int, ...]]) -> None:
        names = [name for name, _ in key.parts]
        while names:
            name = names.pop()
            if name in symbols:
                continue
            symbols.add(name)
            for condition, yes, no in self.cases.get(name, ()):
                if condition in self.value:
                    todo += [condition, yes] if self.value[condition] else [-condition, no]
                elif condition in {1, -1}:
                    todo.append(yes if condition > 0 else no)
                else:
                    open_.append((condition, -condition))
            if self.table.atoms[name].kind == "function":
                names += [each for each, _ in self.table.term(self.table.atoms[name].index)[1]]

    # -- values

    def _fits(self, choice: tuple[int, ...], point: Value) -> bool:
        """Whether what is to be decided holds at a point already."""
        if len(choice) == 2 and choice[0] == -choice[1]:
            defined = self._defined.get(choice[0], ())
            return any(self._true(each, point) for each in choice) and all(
                self._true(yes if self._true(choice[0], point) else no, point) for yes, no in defined
            )
        return any(self._true(each, point) for each in choice)

    def _true(self, literal: int, point: Value) -> bool:
        key = self.table.literals[abs(literal)]
        if key is None:
            return literal > 0
        if isinstance(key, Linear):
            value = key.constant + sum((factor * point(name) for name, factor in key.parts), Fraction(0))
            if key.equation:
                return (value == 0) if literal > 0 else abs(value) >= 1
            return value >= 0 if literal > 0 else value <= -1
        every = (key.kind == "and") == (literal > 0)
        return (all if every else any)(self._true(each if literal > 0 else -each, point) for each in key.parts)

    def _refine(self, known: Sequence[int], point: Value) -> None:
        """Nothing is left to decide: use that functions are functions, and that numbers are integers."""
        symbols = sorted({name for literal in known for name, _ in self.table.said(literal).parts})
        step = next(self._functions(symbols, point), None) or next(_fractions(symbols, point), None)
        if step is None:
            raise NotFound("There are values for which all that is known holds.")
        self.back(0)
        self.take(step)
        if step[0] == "let":
            [(factor, name)] = step[3]
            self.branches[self.table.linear(False, step[2], ((name, factor),))] = None

    def _functions(self, symbols: Sequence[str], point: Value) -> Iterator[Step]:
        """Values of a function that differ although the arguments do not."""
        seen: dict[tuple[str, Fraction], list[str]] = {}
        for name in symbols:
            atom = self.table.atoms[name]
            if atom.kind == "function":
                constant, parts = self.table.term(atom.index)
                at = constant + sum((factor * point(each) for each, factor in parts), Fraction(0))
                for other in seen.setdefault((atom.name, at), []):
                    if (other, name) not in self.table.pairs and point(name) != point(other):
                        yield "same", other, name
                seen[atom.name, at].append(name)


def _fractions(symbols: Iterable[str], point: Value) -> Iterator[Step]:
    """A symbol that is no integer: it is at least the next one, or not."""
    for name in symbols:
        if point(name).denominator != 1:
            yield "let", 0, -(point(name).numerator // point(name).denominator) - 1, ((1, name),)


class _Reals:
    """Linear statements over the reals: a point at which all hold, or a sum that is a contradiction."""

    def __init__(self, table: Clauses) -> None:
        self.table, self.z3 = table, library()
        self.context = self.z3.Context()  # its own, so that nothing before it matters
        self.solver = self.z3.SolverFor("QF_LRA", ctx=self.context)
        self.flags: dict[int, Any] = {}
        self.literals: dict[int, int] = {}
        self.symbols: dict[str, tuple[str, Any]] = {}  # what each is called, and z3's object

    def _state(self, literals: Iterable[int]) -> None:
        """Give each literal a flag that implies what it says. As text: to make objects of it takes z3 far longer."""
        lines: list[str] = []
        for literal in literals:
            each, name = self.table.said(literal), f"flag{len(self.flags)}"
            lines += [self._symbol(symbol) for symbol, _ in each.parts if symbol not in self.symbols]
            said = linear_to_smt(each, lambda symbol: self.symbols[symbol][0])
            lines.append(f"(declare-fun {name} () Bool)(assert (=> {name} {said}))")
            self.flags[literal] = self.z3.Bool(name, self.context)
            self.literals[self.flags[literal].get_id()] = literal
        self.solver.from_string("".join(lines))

    def _symbol(self, name: str) -> str:
        """The declaration of a symbol."""
        short = f"x{len(self.symbols)}"
        self.symbols[name] = short, self.z3.Real(short, self.context)
        return f"(declare-fun {short} () Real)"

    def _contradict(self, known: Sequence[int]) -> bool:
        if new := [each for each in known if each not in self.flags]:
            self._state(new)
        flags = [self.flags[each].as_ast() for each in known]
        # As `solver.check` does, without what it takes to make objects of as many flags.
        asked = (self.z3.Ast * len(flags))(*flags)
        answer = self.z3.Z3_solver_check_assumptions(self.context.ref(), self.solver.solver, len(flags), asked)
        return bool(answer == self.z3.Z3_L_FALSE)

    def point(self, known: Sequence[int]) -> Value | None:
        """A point at which all hold; None if there is none."""
        if self._contradict(known):
            return None
        model, found = self.solver.model(), dict[str, Fraction]()

        def value(name: str) -> Fraction:
            if name not in self.symbols:  # it is in none of them
                return Fraction(0)
            if name not in found:
                number = model.eval(self.symbols[name][1], model_completion=True)
                found[name] = Fraction(number.numerator_as_long(), number.denominator_as_long())
            return found[name]

        return value

    def contradiction(self, known: Sequence[int]) -> Clause:
        """How often to take which statements, for a sum that is negative and should not be: few statements."""
        assert self._contradict(known)
        core = [self.literals[flag.get_id()] for flag in self.solver.unsat_core()]
        core.sort(key=known.index)
        factors = _farkas([self.table.said(each) for each in core])
        if factors is None:  # more than one contradiction: leave out what is not needed
            core = self._least(core)
            factors = _farkas([self.table.said(each) for each in core])
        if factors is None:
            raise NotFound("Linear statements contradict each other, and no sum of them shows it.")
        return tuple(number for pair in zip(core, factors, strict=True) for number in pair)

    def _least(self, core: list[int]) -> list[int]:
        for each in list(reversed(core)):
            rest = [other for other in core if other != each]
            if rest and self._contradict(rest):
                core = rest
        return core


def _farkas(core: Sequence[Linear]) -> list[int] | None:
    """Numbers for which the symbols cancel and the sum is negative, if there is one choice up to a factor."""
    rows: dict[str, dict[int, int]] = {}
    for column, each in enumerate(core):
        for name, factor in each.parts:
            rows.setdefault(name, {})[column] = factor
    pivots: dict[int, dict[int, int]] = {}
    for name in sorted(rows):
        row = _reduced(rows[name], pivots)
        if row:
            pivots[min(row)] = row
    free = [column for column in range(len(core)) if column not in pivots]
    if len(free) != 1:
        return None
    solution = {free[0]: Fraction(1)}
    for column, row in reversed(pivots.items()):
        rest = sum((number * solution[other] for other, number in row.items() if other != column), Fraction(0))
        solution[column] = -rest / row[column]
    whole = lcm(*(value.denominator for value in solution.values()))
    factors = [int(solution[column] * whole) for column in range(len(core))]
    total = sum(factor * each.constant for factor, each in zip(factors, core, strict=True))
    common = gcd(*factors) * (-1 if total > 0 else 1)
    factors = [factor // common for factor in factors]
    fits = total and all(factor > 0 or each.equation for factor, each in zip(factors, core, strict=True))
    return factors if fits else None


def _reduced(row: dict[int, int], pivots: Mapping[int, Mapping[int, int]]) -> dict[int, int]:
    """A row less multiples of others, so that it has none of their first entries."""
    for column, other in pivots.items():
        if column in row:
            mine, its = row[column], other[column]
            row = {
                each: number
                for each in row.keys() | other.keys()
                if (number := its * row.get(each, 0) - mine * other.get(each, 0))
            }
            common = gcd(*row.values()) or 1
            row = {each: number // common for each, number in row.items()}
    return row


# -- writing --------------------------------------------------------------------------------------------------------


def _trimmed(search: _Search) -> list[Step]:
    """The steps that the empty clause needs, with the numbers that they have then."""
    table, number = search.table, len(search.table.clauses) - 1
    needed: set[int] = set()
    todo = [number]
    while todo:
        here = todo.pop()
        if here not in needed:
            needed.add(here)
            step = search.made.get(here)
            todo += step[2] if step is not None and step[0] == "so" else []
    writer = _Writer(table)
    for brought, step in search.made_at:
        writer.take(brought, step, needed)
    return writer.steps


class _Writer:
    """Takes the steps that are needed once more, in a table of their own."""

    def __init__(self, old: Clauses) -> None:
        self.old, self.new = old, Clauses(old.script)
        self.steps: list[Step] = []
        self.where: dict[frozenset[int], int] = {frozenset({1}): 0}
        self.counted = 1

    def take(self, clauses: range, step: Step, needed: set[int]) -> None:
        """A step, if one of the clauses that it brought is needed."""
        if not needed.intersection(clauses):
            return
        if step[0] == "sum":
            taken = tuple(self.literal(each) if not place % 2 else each for place, each in enumerate(step[1]))
            step = ("sum", taken)
        elif step[0] == "mul":
            step = ("mul", *map(self.literal, step[1:]))
        elif step[0] == "so":
            hints = tuple(self.where[frozenset(map(self.literal, self.old.clauses[each]))] for each in step[2])
            step = ("so", tuple(map(self.literal, step[1])), hints)
        self._add(step)

    def _add(self, step: Step) -> None:
        self.new.take(step)
        self.steps.append(step)
        for number in range(self.counted, len(self.new.clauses)):
            self.where.setdefault(frozenset(self.new.clauses[number]), number)
        self.counted = len(self.new.clauses)

    def literal(self, old: int) -> int:
        """The new number of a literal."""
        key = self.old.literals[abs(old)]
        if key is None:
            return old
        if isinstance(key, Joined):
            made: Linear | Joined = Joined(key.kind, tuple(map(self.literal, key.parts)))
            return self.new.numbers[made] if old > 0 else -self.new.numbers[made]
        if key not in self.new.numbers:
            self._add(to_let(key))
        return self.new.numbers[key] if old > 0 else -self.new.numbers[key]


def _bounds(script: Script) -> Iterator[int]:
    """The assertions that bound a symbol."""
    for number, each in enumerate(script.assertions):
        if each.kind == "at least" and each.term is not None and len(each.term.terms) == 1:
            yield number


def core_of(script: Script, general: Sequence[Lemma] = ()) -> list[int]:
    """Assertions and lemmas that cannot all hold, few of them; lemmas are numbered after the assertions."""
    z3 = library()
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    text = "".join(f"(assert {lemma.says})" for lemma in general)
    found = z3.parse_smt2_string(script.linear + text, ctx=context)
    flags = [z3.Bool(f"assertion {number}", context) for number in range(len(found))]
    for flag, each in zip(flags, found, strict=True):
        solver.add(z3.Implies(flag, each))
    solver.set("timeout", TIME)
    places = {flag.get_id(): number for number, flag in enumerate(flags)}

    def contradict(numbers: Iterable[int]) -> list[int] | None:
        if str(solver.check(*[flags[number] for number in numbers])) != "unsat":
            return None
        return sorted(places[each.get_id()] for each in solver.unsat_core())

    core = contradict(range(len(flags)))
    if core is None:
        raise NotFound("The solver finds no contradiction.")
    for number in list(core):
        if number in core:
            core = contradict(each for each in core if each != number) or core
    return core
