"""Integer terms and formulas over them: the language of the proofs, and its form for solvers (SMT-LIB).

A term is a linear form `constant + Σ coefficient · atom`. An atom is a variable, a function of the row (a column of the
input, a state), a ReLU, a choice, or a product of two terms. Terms are shared: equal ones are the same object. Every
term knows an interval that contains it; with that, much is decided without a solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Literal

AtomKind = Literal["variable", "function", "relu", "choice", "product"]


class Atom:
    """What terms are sums of. `name` for variables and functions; `parts` are terms, or a formula and two terms.

    `of` is a record of what a symbol stands for, set by its creator; the name is only for solvers and display.
    """

    __slots__ = ("high", "kind", "low", "name", "number", "of", "parts")

    def __init__(
        self, kind: AtomKind, name: str, parts: tuple[Term | Formula, ...], low: int, high: int, of: object
    ) -> None:
        self.kind, self.name, self.parts, self.low, self.high, self.of = kind, name, parts, low, high, of
        self.number = next(_NUMBERS)

    @property
    def is_flag(self) -> bool:
        """Whether it is 1 where a formula holds, and else 0."""
        _, yes, no = self.parts if self.kind == "choice" else (None, None, None)
        return isinstance(yes, Term) and isinstance(no, Term) and (yes.value, no.value) == (1, 0)

    @property
    def is_of_numbers(self) -> bool:
        """Whether it is a choice of two numbers."""
        return self.kind == "choice" and all(isinstance(part, Formula) or part.value is not None for part in self.parts)

    @property
    def index(self) -> Term:
        """The row that a function is taken at."""
        [index] = self.parts
        assert isinstance(index, Term)
        return index


class Term:
    """`constant + Σ coefficient · atom`, with an interval that contains it."""

    __slots__ = ("constant", "high", "low", "terms")

    def __init__(self, constant: int, terms: tuple[tuple[Atom, int], ...]) -> None:
        self.constant, self.terms = constant, terms
        self.low = constant + sum(c * (a.low if c > 0 else a.high) for a, c in terms)
        self.high = constant + sum(c * (a.high if c > 0 else a.low) for a, c in terms)

    def __add__(self, other: Term | int) -> Term:
        number = other if isinstance(other, int) else other.value
        if number is not None:  # most are sums with a number
            return _term(self.constant + int(number), self.terms) if number else self
        return combination([(1, self), (1, constant(other))])

    def __sub__(self, other: Term | int) -> Term:
        number = other if isinstance(other, int) else other.value
        return self + -number if number is not None else combination([(1, self), (-1, constant(other))])

    def __rsub__(self, other: int) -> Term:
        return combination([(1, constant(other)), (-1, self)])

    def __rmul__(self, factor: int) -> Term:
        return combination([(factor, self)])

    def __neg__(self) -> Term:
        return -1 * self

    @property
    def value(self) -> int | None:
        """The number that the term is, if it is one."""
        return None if self.terms else self.constant

    @property
    def largest(self) -> int:
        """The largest absolute value in the interval."""
        return max(abs(self.low), abs(self.high))


class Formula:
    """A statement: `at least 0` or `equals 0` of a term, `not`, `and`, `or`; or `true`, `false`."""

    __slots__ = ("kind", "parts", "term")

    def __init__(self, kind: str, term: Term | None, parts: tuple[Formula, ...]) -> None:
        self.kind, self.term, self.parts = kind, term, parts


_NUMBERS = count()
_ATOMS: dict[tuple[object, ...], Atom] = {}
_TERMS: dict[tuple[object, ...], Term] = {}
_FORMULAS: dict[tuple[object, ...], Formula] = {}


@contextmanager
def in_full() -> Iterator[None]:
    """Within it, terms and formulas are made as they are written: nothing is decided by intervals or simplified.

    What stays is that a term is a sum: like parts are added up, and a product of two sums is multiplied out.
    """
    global _IN_FULL  # noqa: PLW0603
    before, _IN_FULL = _IN_FULL, True
    try:
        yield
    finally:
        _IN_FULL = before


_IN_FULL = False


def is_in_full() -> bool:
    """Whether nothing is simplified."""
    return _IN_FULL


def forget() -> None:
    """Drop all shared terms; those in use stay valid among themselves, but will not be shared with new ones."""
    _ATOMS.clear()
    _TERMS.clear()
    _FORMULAS.clear()
    for each in (TRUE, FALSE):
        _FORMULAS[each.kind, None, ()] = each


def _atom(kind: AtomKind, name: str, parts: tuple[Term | Formula, ...], low: int, high: int, of: object = None) -> Term:
    key = (kind, name, parts, low, high, of)
    found = _ATOMS.get(key)
    if found is None:
        found = _ATOMS[key] = Atom(kind, name, parts, low, high, of)
    return _term(0, ((found, 1),))


def _term(number: int, terms: tuple[tuple[Atom, int], ...]) -> Term:
    key = (number, terms)
    found = _TERMS.get(key)
    if found is None:
        found = _TERMS[key] = Term(number, terms)
    return found


def _formula(kind: str, term: Term | None = None, parts: tuple[Formula, ...] = ()) -> Formula:
    key = (kind, term, parts)
    found = _FORMULAS.get(key)
    if found is None:
        found = _FORMULAS[key] = Formula(kind, term, parts)
    return found


TRUE, FALSE = _formula("true"), _formula("false")

# -- terms ----------------------------------------------------------------------------------------------------------


def constant(number: Term | int) -> Term:
    """A number as a term."""
    return number if isinstance(number, Term) else _term(int(number), ())


def combination(parts: Iterable[tuple[int, Term]]) -> Term:
    """`Σ factor · term`."""
    total, weights = 0, dict[Atom, int]()
    for factor, part in parts:
        if factor:
            total += factor * part.constant
            for atom, coefficient in part.terms:
                weights[atom] = weights.get(atom, 0) + factor * coefficient
    return _term(total, tuple(sorted(((a, c) for a, c in weights.items() if c), key=lambda each: each[0].number)))


def variable(name: str, low: int, high: int) -> Term:
    """A variable between two numbers."""
    return _atom("variable", name, (), low, high)


def function(name: str, row: Term, low: int, high: int, *, of: object = None) -> Term:
    """A function of the row, its values between two numbers; `of` says what it stands for."""
    return _atom("function", name, (row,), low, high, of)


def relu(term: Term) -> Term:
    """`max(term, 0)`."""
    if term.low >= 0 and not _IN_FULL:
        return term
    if term.high <= 0 and not _IN_FULL:
        return constant(0)
    return _atom("relu", "", (term,), 0, max(term.high, 0))


def choice(condition: Formula, yes: Term | int, no: Term | int) -> Term:
    """`yes` where the condition holds, else `no`."""
    yes, no = constant(yes), constant(no)
    if _IN_FULL:
        return _atom("choice", "", (condition, yes, no), min(yes.low, no.low), max(yes.high, no.high))
    if condition is TRUE or yes is no:
        return yes
    if condition is FALSE:
        return no
    if condition.kind == "not":
        return choice(condition.parts[0], no, yes)
    if yes.value is not None and no.value is not None and (yes.value, no.value) != (1, 0):
        return combination([(yes.value - no.value, choice(condition, 1, 0)), (1, no)])
    return _atom("choice", "", (condition, yes, no), min(yes.low, no.low), max(yes.high, no.high))


def product(a: Term, b: Term) -> Term:
    """`a · b`, multiplied out; what is left are products of two atoms."""
    if a.value is not None:
        return a.value * b
    if b.value is not None:
        return b.value * a
    parts: list[tuple[int, Term]] = [(a.constant * b.constant, constant(1))]
    parts += [(b.constant * c, _term(0, ((atom, 1),))) for atom, c in a.terms]
    parts += [(a.constant * c, _term(0, ((atom, 1),))) for atom, c in b.terms]
    parts += [(c * e, _times(one, other)) for one, c in a.terms for other, e in b.terms]
    return combination(parts)


def _times(a: Atom, b: Atom) -> Term:
    if a.number > b.number:
        a, b = b, a
    for one, other in ((a, b), (b, a)):
        if one.is_flag and not _IN_FULL:  # a number or 0: no product
            return choice(truth(_term(0, ((one, 1),))), _term(0, ((other, 1),)), 0)
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low = 0 if a is b else min(ends)
    return _atom("product", "", (_term(0, ((a, 1),)), _term(0, ((b, 1),))), low, max(ends))


def choices(about: Iterable[Formula | Term]) -> list[Formula]:
    """A lemma on products: those of a choice are the product with what it is. (Simplified, most are no products.)"""
    if not _IN_FULL:
        return []
    found: list[Formula] = []
    todo = [atom for atom in atoms_of(about) if atom.kind == "product"]
    seen = set(todo)
    while todo:
        atom = todo.pop(0)
        made = [_chosen(atom, *each) for each in (atom.parts, atom.parts[::-1])]
        known = next((each for each in made if each), [])
        found += known
        fresh = [each for each in atoms_of(known) if each.kind == "product" and each not in seen]
        todo += fresh
        seen.update(fresh)
    return found


def _chosen(atom: Atom, factor: Term | Formula, other: Term | Formula) -> list[Formula]:
    """What a product is if one factor is a choice or a relu."""
    assert isinstance(factor, Term)
    assert isinstance(other, Term)
    inner = factor.terms[0][0]
    if inner.kind == "choice":
        condition, yes, no = inner.parts
    elif inner.kind == "relu":
        condition, yes, no = at_least(inner.index, 0), inner.index, constant(0)
    else:
        return []
    assert isinstance(condition, Formula)
    itself = _term(0, ((atom, 1),))
    then, else_ = (equal(itself, product(each, other)) for each in (yes, no))  # type: ignore[arg-type]
    return [implies(condition, then), implies(negation(condition), else_)]


def absolute(term: Term) -> Term:
    """`|term|`."""
    if _IN_FULL:
        return relu(term) + relu(-term)
    if term.low >= 0:
        return term
    return -term if term.high <= 0 else relu(term) + relu(-term)


# -- formulas -------------------------------------------------------------------------------------------------------


def at_least(a: Term | int, b: Term | int) -> Formula:
    """`a ≥ b`."""
    gap = constant(a) - constant(b)
    if _IN_FULL:
        return _formula("at least", gap)
    if gap.low >= 0:
        return TRUE
    return FALSE if gap.high < 0 else _formula("at least", gap)


def below(a: Term | int, b: Term | int) -> Formula:
    """`a < b`, on integers."""
    return at_least(constant(b) - 1, a)


def equal(a: Term | int, b: Term | int) -> Formula:
    """`a = b`."""
    gap = constant(a) - constant(b)
    if _IN_FULL:
        return _formula("equal", gap)
    if gap.low > 0 or gap.high < 0:
        return FALSE
    if gap.low == gap.high:
        return TRUE
    if gap.terms[0][1] < 0:
        gap = -gap
    return _formula("equal", gap)


def interval(atom: Atom) -> list[Formula]:
    """The interval of a symbol as a formula: `at_least` would simplify it to true."""
    itself = _term(0, ((atom, 1),))
    return [_formula("at least", itself - atom.low), _formula("at least", atom.high - itself)]


def at_most(atom: Atom, number: int) -> Formula:
    """That a symbol is no larger than a number."""
    return at_least(number, _term(0, ((atom, 1),)))


def negation(a: Formula) -> Formula:
    """Not."""
    if _IN_FULL:
        return _formula("not", None, (a,))
    if a in {TRUE, FALSE}:
        return FALSE if a is TRUE else TRUE
    return a.parts[0] if a.kind == "not" else _formula("not", None, (a,))


def conjunction(*parts: Formula) -> Formula:
    """All of them."""
    return _joined("and", TRUE, FALSE, parts)


def disjunction(*parts: Formula) -> Formula:
    """Any of them."""
    return _joined("or", FALSE, TRUE, parts)


def implies(a: Formula, b: Formula) -> Formula:
    """If `a` then `b`."""
    return disjunction(negation(a), b)


def _joined(kind: str, neutral: Formula, decisive: Formula, parts: tuple[Formula, ...]) -> Formula:
    if _IN_FULL:
        return _formula(kind, None, parts)
    kept: dict[Formula, None] = {}
    for part in parts:
        if part is decisive:
            return decisive
        for each in part.parts if part.kind == kind else (part,):
            if each is not neutral:
                kept[each] = None
    if any(negation(part) in kept for part in kept):
        return decisive
    if len(kept) <= 1:
        return next(iter(kept), neutral)
    return _formula(kind, None, tuple(kept))


def flag(condition: Formula) -> Term:
    """1 where it holds, else 0."""
    return choice(condition, 1, 0)


def truth(term: Term) -> Formula:
    """Whether a flag is set."""
    if len(term.terms) == 1 and not _IN_FULL:
        atom, coefficient = term.terms[0]
        if atom.is_flag and (term.constant, coefficient) in {(0, 1), (1, -1)}:
            condition = atom.parts[0]
            assert isinstance(condition, Formula)
            return condition if coefficient == 1 else negation(condition)
    return at_least(term, 1)


# -- walking --------------------------------------------------------------------------------------------------------


def atoms_of(roots: Iterable[Formula | Term]) -> list[Atom]:
    """Every atom that a formula or term depends on, the deeper ones first."""
    found: dict[Atom, None] = {}
    stack: list[Formula | Term | Atom] = [*roots]
    stack.reverse()
    seen: set[Formula | Term | Atom] = set()
    while stack:
        here = stack.pop()
        if here in seen:
            if type(here) is Atom:  # for the second time: all that it depends on has been found
                found[here] = None
            continue
        seen.add(here)
        if type(here) is Atom:
            stack.append(here)
            stack += [part for part in here.parts if part not in seen]
        elif type(here) is Term:
            stack += [atom for atom, _ in here.terms if atom not in seen]
        elif type(here) is Formula:
            stack += [part for part in here.parts if part not in seen]
            if here.term is not None:
                stack.append(here.term)
    return list(found)


@dataclass(frozen=True)
class Valuation:
    """An assignment: a number for every variable, and for every function at every row that matters."""

    variables: Mapping[str, int]
    functions: Mapping[str, Mapping[int, int]]

    def of(self, roots: Iterable[Formula | Term]) -> Evaluation:
        """The values of terms and formulas."""
        return Evaluation(self, roots)


class Evaluation:
    """Terms and formulas under an assignment, computed here in Python, not by the solver."""

    def __init__(self, values: Valuation, roots: Iterable[Formula | Term]) -> None:
        self._atoms: dict[Atom, int] = {}
        for atom in atoms_of(roots):
            self._atoms[atom] = self._of(atom, values)

    def _of(self, atom: Atom, values: Valuation) -> int:
        if atom.kind == "variable":
            return values.variables.get(atom.name, max(atom.low, min(atom.high, 0)))
        if atom.kind == "function":
            return values.functions.get(atom.name, {}).get(self.term(atom.index), max(atom.low, min(atom.high, 0)))
        if atom.kind == "choice":
            condition, yes, no = atom.parts
            return self.term(yes if self.formula(condition) else no)  # type: ignore[arg-type]
        numbers = [self.term(part) for part in atom.parts]  # type: ignore[arg-type]
        return max(numbers[0], 0) if atom.kind == "relu" else numbers[0] * numbers[1]

    def atom(self, atom: Atom) -> int:
        """The value of an atom."""
        return self._atoms[atom]

    def term(self, term: Term) -> int:
        """The value of a term."""
        return term.constant + sum(c * self._atoms[atom] for atom, c in term.terms)

    def formula(self, formula: Formula) -> bool:
        """Whether a formula holds."""
        if formula.term is not None:
            value = self.term(formula.term)
            return value >= 0 if formula.kind == "at least" else value == 0
        if formula.kind in {"true", "false"}:
            return formula.kind == "true"
        if formula.kind == "not":
            return not self.formula(formula.parts[0])
        return (all if formula.kind == "and" else any)(self.formula(part) for part in formula.parts)


# -- SMT-LIB --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Script:
    """A question in SMT-LIB: its text, what it asserts in this order, and the symbol of each atom."""

    text: str
    assertions: tuple[Formula, ...]
    names: Mapping[Atom, str]

    @property
    def linear(self) -> str:
        """The same with products that can be anything."""
        lines = [each for each in self.text.splitlines() if not each.startswith("(set-logic")]
        for atom, name in self.names.items():
            if atom.kind == "product":
                at = next(place for place, each in enumerate(lines) if each.startswith(f"(define-fun {name} "))
                lines[at] = f"(declare-fun {name} () Int)"
        return "\n".join(lines)


def to_smt(assertions: Iterable[Formula], *, comment: str = "", exact_products: bool = False) -> str:
    """An SMT-LIB script that asks whether all assertions can hold at once.

    A product of two terms is a free symbol, constrained by the assertions alone; with `exact_products`, it is exact.
    """
    return to_script(assertions, comment=comment, exact_products=exact_products).text


def to_script(
    assertions: Iterable[Formula],
    *,
    comment: str = "",
    exact_products: bool = False,
    called: Sequence[str] | None = None,
    also: Iterable[Formula] = (),
) -> Script:
    """The same, with what its symbols stand for. `called` are names of all assertions, if they are to have names;
    symbols that occur in `also` are defined too.
    """
    given = tuple(each for each in assertions if each is not TRUE or called is not None)
    printer = _Printer(exact_products=exact_products)
    body = [*printer.definitions(atoms_of([*given, *also]))]
    for number, each in enumerate(given):
        formula = printer.formula(each)
        body.append(f"(assert {formula})" if called is None else f"(assert (! {formula} :named |{called[number]}|))")
    logic = "QF_UFNIA" if exact_products else "QF_UFLIA"
    head = [f"; {line}" for line in comment.splitlines()]
    lines = [*head, f"(set-logic {logic})", *printer.declarations, *body, "(check-sat)"]
    return Script("\n".join(lines) + "\n", given, printer.names)


class _Printer:
    def __init__(self, *, exact_products: bool) -> None:
        self.exact_products = exact_products
        self.declarations: list[str] = []
        self.names: dict[Atom, str] = {}
        self._declared: set[str] = set()
        self._terms: dict[Term, str] = {}

    def definitions(self, atoms: Iterable[Atom]) -> Iterator[str]:
        for atom in atoms:
            if atom.kind == "variable":
                self.names[atom] = f"|{atom.name}|"
                self._declare(atom.name, "()")
            elif atom.kind == "product" and not self.exact_products:
                self.names[atom] = name = f"product{len(self.names)}"
                a, b = (self.term(part) for part in atom.parts)  # type: ignore[arg-type]
                self.declarations.append(f"(declare-fun {name} () Int) ; {a} times {b}")
            else:
                definition = self._definition(atom)
                self.names[atom] = name = f"a{len(self.names)}"
                yield f"(define-fun {name} () Int {definition})"

    def _definition(self, atom: Atom) -> str:
        if atom.kind == "choice":
            condition, yes, no = atom.parts
            return f"(ite {self.formula(condition)} {self.term(yes)} {self.term(no)})"  # type: ignore[arg-type]
        parts = [self.term(part) for part in atom.parts]  # type: ignore[arg-type]
        if atom.kind == "relu":
            return f"(ite (>= {parts[0]} 0) {parts[0]} 0)"
        if atom.kind == "product":
            return f"(* {parts[0]} {parts[1]})"
        self._declare(atom.name, "(Int)")
        return f"(|{atom.name}| {parts[0]})"

    def _declare(self, name: str, of: str) -> None:
        """Declare a symbol, once: two atoms of one name are one symbol."""
        if name not in self._declared:
            self._declared.add(name)
            self.declarations.append(f"(declare-fun |{name}| {of} Int)")

    def term(self, term: Term) -> str:
        if term not in self._terms:
            parts = [self._scaled(atom, c) for atom, c in term.terms]
            if term.constant or not parts:
                parts.append(numeral(term.constant))
            self._terms[term] = parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"
        return self._terms[term]

    def _scaled(self, atom: Atom, coefficient: int) -> str:
        name = self.names[atom]
        return name if coefficient == 1 else f"(* {numeral(coefficient)} {name})"

    def formula(self, formula: Formula) -> str:
        if formula.term is not None:
            return f"({'>=' if formula.kind == 'at least' else '='} {self.term(formula.term)} 0)"
        if formula.kind in {"true", "false"}:
            return formula.kind
        return f"({formula.kind} {' '.join(self.formula(part) for part in formula.parts)})"


def numeral(number: int) -> str:
    """A number as it is written."""
    return str(number) if number >= 0 else f"(- {-number})"
