"""Elementwise operations as sums of ReLU units, within one layer.

A form is a sum `Σ weight · atom`, where an atom is a column (or the output of a head) or a ReLU unit of a form.
Every operation is one entry of `FORMS`. Outside an array's rows everything is 0: the constant 1 of an array is the
column that marks its rows; the constant 1 of a scalar is 1 on every row.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hyloop.compiler.bounds import CoreBounds
from hyloop.compiler.effort import spend
from hyloop.compiler.lower import ATTENTION, Core, Number
from hyloop.compiler.tables import cone, once, table
from hyloop.errors import HyloopError
from hyloop.lang.kinds import INFINITY, Kind, Scope
from hyloop.lang.ops import CORE, require_entries
from hyloop.lang.program import Op

STAGES = 3
MOST_TERMS = 5_000_000  # of all forms together: about a gigabyte
WALK = 8  # values visited in the time of one step, the construction of a form
SMALL = 64  # a flag whose units stay below this may be multiplied by a gate


@dataclass(frozen=True)
class Unit:
    """relu(Σ weight · atom). `depth` is its stage at the earliest; `most` bounds its value."""

    form: Form
    depth: int
    most: int
    implements: Number

    def __post_init__(self) -> None:
        # Units contain units: the hash is cached, since computing it is recursive.
        object.__setattr__(self, "_hash", hash((self.form, self.depth, self.most, self.implements)))

    def __hash__(self) -> int:
        kept: int = self._hash  # type: ignore[attr-defined]
        return kept


@dataclass(frozen=True)
class Form:
    """A sum of atoms with integer weights."""

    terms: tuple[tuple[str | int | Unit, int], ...]

    @staticmethod
    def of(terms: Mapping[str | int | Unit, int]) -> Form:
        """A form from its terms; those of weight 0 are dropped."""
        spend(len(terms))
        return Form(tuple([term for term in terms.items() if term[1]]))

    def __add__(self, other: Form) -> Form:
        terms: dict[str | int | Unit, int] = dict(self.terms)
        for atom, weight in other.terms:
            terms[atom] = terms.get(atom, 0) + weight
        return Form.of(terms)

    def __sub__(self, other: Form) -> Form:
        return self + -1 * other

    def __rmul__(self, factor: int) -> Form:
        return Form.of({atom: factor * weight for atom, weight in self.terms})

    @property
    def depth(self) -> int:
        """How many ReLU stages it needs."""
        return max((atom.depth for atom, _ in self.terms if isinstance(atom, Unit)), default=0)


class TooDeepError(Exception):
    """A value that this layer cannot compute: it needs more than three stages, or a later value."""


BIASES = frozenset({"B_global", "B_local"})
# Each row's own number, in models in which rows stand for numbers too; no name that a user can give to a state.
OWN_NUMBER = {Scope.VERTICES: "vertex number", Scope.HYPEREDGES: "hyperedge number"}
ZERO = Form(())
EVERYWHERE = Form((("B_global", 1), ("B_local", 1)))
ONE = {Scope.SCALAR: EVERYWHERE, Scope.VERTICES: Form((("vertices", 1),)), Scope.HYPEREDGES: Form((("hyperedges", 1),))}


class Workshop:
    """The cache of forms, for one core and its bounds.

    A value's form depends on its operands' forms alone, so most forms of one layer are known from another. Equal
    forms and units are one object (hash consing): they are compared by identity, not by a walk down to their columns.
    """

    def __init__(self, core: Core, bounds: CoreBounds) -> None:
        self.core, self.bounds = core, bounds
        spend(2 * len(core.body.ops))
        self.terms = len(core.body.ops)  # those of the columns, which are made when they are asked for
        self.steps = 0
        self._kept: dict[Form | Unit, Form | Unit] = {}
        self._columns: dict[Number, Form] = {}
        self._operands = all_operands(core)
        self._parts = parts(core)
        self._made: dict[tuple[object, ...], Form | None] = {}
        self._clean: dict[tuple[Number, int], Form | None] = {}

    def column(self, number: Number) -> Form:
        """The form of a value that is held in a column."""
        if number not in self._columns:
            self._columns[number] = self.form(Form(((number, 1),)))
        return self._columns[number]

    def form(self, form: Form) -> Form:
        """The one object for all forms that equal this one."""
        known = self._kept.setdefault(form, form)
        if known is form and not _is_column(form):
            self._count(form)
        return known  # type: ignore[return-value]

    def unit(self, unit: Unit) -> Unit:
        """The one object for all units that equal this one."""
        known = self._kept.setdefault(unit, unit)
        if known is unit:
            self._count(unit.form)
        return known  # type: ignore[return-value]

    def make(self, forms: Forms, number: Number) -> Form | None:
        """The form of a value that is not in a column; None where it is too deep."""
        self.steps += 1
        spend(1 + len(self._operands[number]))
        key = (number, *[id(forms.known(each)) for each in self._operands[number]], self.part(forms, number))
        if key not in self._made:
            self._made[key] = self._new(forms, number)
        return self._made[key]

    def part(self, forms: Forms, number: Number) -> Number | None:
        """The first part of a conjunction that is held in a column already."""
        if number not in self._parts:
            return None
        return next((part for part in self._parts[number] if part in forms.there), None)

    def clean(self, forms: Forms, number: Number, form: Form) -> Form | None:
        """The form of a value, 0 outside its rows; None where that is too deep."""
        key = (number, id(form))
        if key not in self._clean:
            try:
                self._clean[key] = self.form(forms.cleaned(number, form))
            except TooDeepError:
                self._clean[key] = None
        return self._clean[key]

    def _new(self, forms: Forms, number: Number) -> Form | None:
        op = self.core[number]
        try:
            made = FORMS[op.name].form(forms, number, op)
        except TooDeepError:
            return None
        return self.form(made) if made.depth <= STAGES else None

    def _count(self, form: Form) -> None:
        """Count the terms: forms stay cached, so their size bounds the compiler's memory and, nearly, its time."""
        self.terms += len(form.terms)
        if self.terms > MOST_TERMS:
            raise HyloopError(
                f"{self.core.name} is too large to compile: the sums of its {len(self.core.body.ops):,} values "
                f"have more than {MOST_TERMS:,} terms. Long `where` nests cost the square of their length, and sums of "
                "many values are written out wherever they are used: keep some of them in states, or split the program."
            )


@dataclass(frozen=True)
class _Beside:
    """The available columns, and one more."""

    there: Container[Number]
    number: Number

    def __contains__(self, number: object) -> bool:
        return number == self.number or number in self.there


class Forms:
    """The forms of values in one layer, given which values are columns (or outputs of its heads)."""

    def __init__(
        self, core: Core, bounds: CoreBounds, there: Container[Number], workshop: Workshop | None = None
    ) -> None:
        self.core, self.bounds, self.there = core, bounds, there
        self.workshop = workshop or Workshop(core, bounds)
        self._forms: dict[Number, Form | None] = {}
        self._flags: dict[Number, Form] = {}
        self._below: tuple[Number, Forms] = (0, self)

    def beside(self, number: Number) -> Forms:
        """The same with one more column. Forms before it are unchanged, unless conjunctions may use it."""
        more = Forms(self.core, self.bounds, _Beside(self.there, number), self.workshop)
        if self.core[number].name != "and":
            more._below = (number, self)
        return more

    def form(self, number: Number) -> Form:
        """The form of a value; raises `TooDeepError` where there is none of depth 3."""
        found = self.known(number)
        if found is None:
            raise TooDeepError
        return found

    def known(self, number: Number) -> Form | None:
        """The form of a value, or None. Operands come first, so that no program is too deep for Python's stack."""
        if number < self._below[0]:
            return self._below[1].known(number)
        if number not in self._forms:
            self._forms[number] = self._reached(number)
        return self._forms[number]

    def _reached(self, number: Number) -> Form | None:
        # A value needs all of its operands, except for a conjunction: one column can replace several of them.
        musts = set(cone(self.core, [number], lambda at: self._is_known(at) or self.core[at].name == "and"))
        if any(self.core[each].name in ATTENTION and each not in self.there for each in musts):
            return None
        way = cone(self.core, [number], self._is_known)
        self.workshop.steps += len(way) // WALK
        spend(len(way))
        for each in way:
            if each not in self._forms and each >= self._below[0]:
                self._forms[each] = self._make(each)
            if each in musts and self.known(each) is None:
                return None
        return self._forms[number]

    def _is_known(self, number: Number) -> bool:
        return number in self._forms or number < self._below[0] or self._is_column(number)

    def _is_column(self, number: Number) -> bool:
        return number in self.there and self.core[number].name != "constant"

    def _make(self, number: Number) -> Form | None:
        if self._is_column(number):
            return self.workshop.column(number)
        if self.core[number].name in ATTENTION:
            return None
        return self.workshop.make(self, number)

    def flag(self, number: Number) -> Form:
        """The form of a flag, at most `SMALL` (by one more unit if needed): only such may be multiplied by a gate."""
        if number not in self._flags:
            form = self.form(number)
            self._flags[number] = form if self.most(form) <= SMALL else self.relu(number, form, 1)
        return self._flags[number]

    def relu(self, implements: Number, form: Form, most: int | None = None) -> Form:
        """A unit over a form."""
        depth = form.depth + 1
        if depth > STAGES:
            raise TooDeepError
        value = self.most(form) if most is None else most
        return Form(((self.workshop.unit(Unit(form, depth, value, implements)), 1),))

    def most(self, form: Form) -> int:
        """The sum of the bounds of the terms' absolute values: an upper bound in any order of summation.

        Of the two biases one is 0 on every row, so only the larger weight counts.
        """
        biases = [abs(weight) for atom, weight in form.terms if atom in BIASES]
        others = ((atom, weight) for atom, weight in form.terms if atom not in BIASES)
        return max(biases, default=0) + sum(abs(weight) * self.atom_most(atom) for atom, weight in others)

    def atom_most(self, atom: str | int | Unit) -> int:
        """The largest value of an atom."""
        if isinstance(atom, Unit):
            return atom.most
        if isinstance(atom, str):
            return self.bounds.column(atom)
        return self.bounds.of(atom)

    def one(self, op: Op) -> Form:
        """The constant 1 of the rows of an operation."""
        return ONE[op.type.scope]

    def clean(self, number: Number) -> Form:
        """The form of a value, made 0 outside its rows where it is not already."""
        made = self.workshop.clean(self, number, self.form(number))
        if made is None:
            raise TooDeepError
        return made

    def can(self, number: Number) -> bool:
        """Whether the stages of the layer reach a value."""
        form = self.known(number)
        return form is not None and self.workshop.clean(self, number, form) is not None

    def cleaned(self, number: Number, form: Form) -> Form:
        """A value's form, made 0 outside its rows where it is not already."""
        op = self.core[number]
        if op.type.scope is Scope.SCALAR or is_clean(self.core, number):
            return form
        gate = self.bounds.of(number)
        return self.relu(number, form - gate * (EVERYWHERE - self.one(op)), gate)


class Growing(Forms):
    """The forms of a layer to which columns are added, one by one."""

    def __init__(self, workshop: Workshop, there: Iterable[Number]) -> None:
        self.columns = set(there)
        super().__init__(workshop.core, workshop.bounds, self.columns, workshop)

    def put(self, numbers: Iterable[Number]) -> None:
        """Add columns. Forms before the first of them are unchanged, unless conjunctions may use one."""
        spend(1 + len(self._forms) // WALK)
        new = set(numbers) - self.columns
        self.columns |= new
        first = (
            0 if any(self.core[number].name == "and" for number in new) else min(new, default=len(self.core.body.ops))
        )
        for known in (self._forms, self._flags):
            for number in [each for each in known if each >= first]:
                del known[number]


@table
def operands(core: Core, number: Number, _: Sequence[tuple[Number, ...]]) -> tuple[Number, ...]:
    """The values whose forms decide a value's form. A guarded comparison uses the comparison's own operands."""
    args = core[number].operands
    if core[number].name != "and":
        return args
    return (*args, *(each for arg in args if core[arg].name in GUARDED for each in core[arg].operands))


@once
def all_operands(core: Core) -> Sequence[tuple[Number, ...]]:
    """The same of every value."""
    return [operands(core, number) for number in range(len(core.body.ops))]


def _is_column(form: Form) -> bool:
    """Whether a form is the value of a column and nothing else."""
    return len(form.terms) == 1 and form.terms[0][1] == 1 and type(form.terms[0][0]) is int


@once
def parts(core: Core) -> Mapping[Number, Sequence[Number]]:
    """For each conjunction, the smaller ones that are a part of it."""
    flags = {number: frozenset(op.operands) for number, op in enumerate(core.body.ops) if op.name == "and"}
    with_flag: dict[Number, list[Number]] = {}
    for number, op in enumerate(core.body.ops):
        if op.name == "and":
            with_flag.setdefault(op.operands[0], []).append(number)
    return {
        number: sorted(
            other
            for flag in flags[number]
            for other in with_flag.get(flag, ())
            if len(core[other].operands) < len(core[number].operands) and flags[other] <= flags[number]
        )
        for number in flags
    }


@table
def is_clean(core: Core, number: Number, clean: Sequence[bool]) -> bool:
    """Whether an array is 0 outside its rows by construction. A scalar is not: it is on every row."""
    op = core[number]
    if op.type.scope is Scope.SCALAR:
        return False
    return op.name in ATTENTION or FORMS[op.name].clean([clean[operand] for operand in op.operands])


# -- forms ----------------------------------------------------------------------------------------------------------


def _own_column(_: Forms, number: Number, __: Op) -> Form:
    return Form(((number, 1),))


def _standard_column(name: str) -> Callable[[Forms, Number, Op], Form]:
    return lambda _, __, ___: Form(((name, 1),))


def _size(_: Forms, __: Number, op: Op) -> Form:
    return Form(((str(op.argument), 1),))


def _constant(forms: Forms, _: Number, op: Op) -> Form:
    value = forms.bounds.omega if op.argument is INFINITY else int(op.argument or 0)  # type: ignore[arg-type]
    return value * EVERYWHERE


def _saturated(forms: Forms, number: Number, op: Op, total: Form) -> Form:
    """Ω - relu(Ω - x), where the length may be infinite."""
    if not forms.bounds.infinite[number]:
        return total
    top = forms.bounds.omega * forms.one(op)
    return top - forms.relu(number, top - total, forms.bounds.omega)


def _add(forms: Forms, number: Number, op: Op) -> Form:
    left, right = (forms.form(arg) for arg in op.operands)
    return _saturated(forms, number, op, left + right)


def _multiple(forms: Forms, number: Number, op: Op) -> Form:
    return _saturated(forms, number, op, int(op.argument) * forms.form(op.operands[0]))  # type: ignore[arg-type]


def _subtract(forms: Forms, number: Number, op: Op) -> Form:
    left, right = (forms.form(arg) for arg in op.operands)
    less = forms.relu(number, left - right, forms.bounds.of(op.operands[0]))
    if not forms.bounds.infinite[op.operands[0]]:
        return less
    # Infinity minus a finite length stays infinite: what was subtracted is added again.
    last = (forms.bounds.omega - 1) * EVERYWHERE
    endless = forms.relu(number, left - last, 1)
    if forms.bounds.infinite[op.operands[1]]:
        endless = endless - forms.relu(number, right - last, 1)
    gate = forms.bounds.of(op.operands[1])
    return less + forms.relu(number, right - gate * (EVERYWHERE - endless), gate)


def _smaller(forms: Forms, number: Number, op: Op) -> Form:
    """`b - relu(b - a)`. Ω needs no special case."""
    left, right = (forms.form(operand) for operand in op.operands)
    return right - forms.relu(number, right - left, forms.bounds.of(op.operands[1]))


def _larger(forms: Forms, number: Number, op: Op) -> Form:
    """`b + relu(a - b)`."""
    left, right = (forms.form(operand) for operand in op.operands)
    return right + forms.relu(number, left - right, forms.bounds.of(op.operands[0]))


def _less(forms: Forms, number: Number, op: Op, shut: Form | None = None) -> Form:
    """`relu(b - a) - relu(b - a - 1)`. Where the flag `shut` is 1 or more, the result is 0."""
    left, right = (forms.form(arg) for arg in op.operands)
    most = forms.bounds.of(op.operands[1])
    gap = right - left - most * (shut or ZERO)
    return forms.relu(number, gap, most) - forms.relu(number, gap - forms.one(op), most)


def _precedes(forms: Forms, number: Number, op: Op) -> Form:
    before = _less(forms, number, op)
    first = op.operands[0]
    if forms.core[first].name == "own":
        return before
    return forms.relu(number, before + _positive_form(forms, number, forms.form(first), EVERYWHERE) - EVERYWHERE, 1)


def _equal(forms: Forms, number: Number, op: Op, shut: Form | None = None) -> Form:
    """`relu(d + 1) - 2 relu(d) + relu(d - 1)` with `d = a - b`. Where `shut` is 1 or more, the result is 0."""
    left, right = (forms.form(arg) for arg in op.operands)
    most = max(forms.bounds.of(arg) for arg in op.operands)
    gap, one = left - right - (most + 1) * (shut or ZERO), forms.one(op)
    up, middle, down = (forms.relu(number, gap + step * one, most + 1) for step in (1, 0, -1))
    return up - 2 * middle + down


def _and(forms: Forms, number: Number, op: Op) -> Form:
    """`relu(Σ - (k - 1))`; or, where that saves a stage, a comparison whose units the other flags gate."""
    try:
        plain = _conjunction(forms, number)
    except TooDeepError:
        return _guarded_comparison(forms, number, op)
    if plain.depth < STAGES:
        return plain
    try:
        guarded = _guarded_comparison(forms, number, op)
    except TooDeepError:
        return plain
    return guarded if guarded.depth < plain.depth else plain


def _guarded_comparison(forms: Forms, number: Number, op: Op) -> Form:
    """Of the comparisons among the flags, the one that ends deepest is guarded by all the others."""
    compared = [arg for arg in op.operands if forms.core[arg].name in GUARDED and arg not in forms.there]
    if not compared:
        raise TooDeepError
    last = max(compared, key=lambda arg: max(forms.form(each).depth for each in forms.core[arg].operands))
    shut = ZERO
    for arg in op.operands:
        if arg != last:
            shut = shut + EVERYWHERE - forms.flag(arg)
    return GUARDED[forms.core[last].name](forms, number, forms.core[last], shut)


def _conjunction(forms: Forms, number: Number) -> Form:
    flags = _with_columns(forms, number)
    total = -(len(flags) - 1) * EVERYWHERE
    for flag in flags:
        total = total + forms.form(flag)
    return total if len(flags) == 1 else forms.relu(number, total, 1)


def _with_columns(forms: Forms, number: Number) -> Sequence[Number]:
    """The flags of a conjunction; a part that is held in a column counts as one flag."""
    flags = forms.core[number].operands
    ready = forms.workshop.part(forms, number)
    if ready is None:
        return flags
    taken = set(forms.core[ready].operands)
    return [ready, *(flag for flag in flags if flag not in taken)]


def _or(forms: Forms, number: Number, op: Op) -> Form:
    one = forms.one(op)
    none = one
    for arg in op.operands:
        none = none - forms.form(arg)
    return one - forms.relu(number, none, 1)


def _not(forms: Forms, number: Number, op: Op) -> Form:
    """1 - flag. A flag that is set outside its rows would give -1 there, where the 1 is 0: a ReLU removes it."""
    form = forms.one(op) - forms.form(op.operands[0])
    return form if _negates_plainly(forms.core, op) else forms.relu(number, form, 1)


def _negates_plainly(core: Core, op: Op) -> bool:
    """Whether the flag that a `not` negates is 0 wherever the constant 1 of its rows is."""
    return op.type.scope is Scope.SCALAR or is_clean(core, op.operands[0])


def _own(forms: Forms, _: Number, op: Op) -> Form:
    """The position; where rows stand for numbers too, a column that is 0 on those that are nothing else."""
    if not forms.bounds.tables:
        return Form((("P_1", 1),))
    return Form(((OWN_NUMBER[op.argument], 1),))  # type: ignore[index]


def _finite(forms: Forms, number: Number, op: Op) -> Form:
    """`x - Ω relu(x - (Ω - 1))`: 0 where it is Ω."""
    form, omega = forms.form(op.operands[0]), forms.bounds.omega
    if not forms.bounds.infinite[op.operands[0]]:
        return form
    return form - omega * forms.relu(number, form - (omega - 1) * EVERYWHERE, 1)


def _divisor(forms: Forms, number: Number, op: Op) -> Form:
    """`b`; where that is 0 or more than a, `a + 1`: `(a + 1) - relu(a + 1 - b) + relu(a + 1 - A·[b > 0])`."""
    divisor, dividend = (forms.form(operand) for operand in op.operands)
    top, gate = dividend + forms.one(op), forms.bounds.of(op.operands[1]) + 1
    zero = forms.relu(number, EVERYWHERE - divisor, 1)
    least = top - forms.relu(number, top - divisor, gate)
    return least + forms.relu(number, top - gate * (EVERYWHERE - zero), gate)


def _apart(forms: Forms, number: Number, op: Op) -> Form:
    """`|a - b|`."""
    left, right = (forms.form(operand) for operand in op.operands)
    more, less = (forms.bounds.of(operand) for operand in op.operands)
    return forms.relu(number, left - right, more) + forms.relu(number, right - left, less)


def _difference(forms: Forms, _: Number, op: Op) -> Form:
    """`x - y`, which is never below 0."""
    left, right = (forms.form(operand) for operand in op.operands)
    return left - right


def _same(forms: Forms, _: Number, op: Op) -> Form:
    return forms.form(op.operands[0])


def _spread(forms: Forms, number: Number, op: Op) -> Form:
    """A scalar on the rows of an array."""
    form, one = forms.form(op.operands[0]), forms.one(op)
    if not form.terms:
        return ZERO
    if factor := _constant_factor(form):
        return factor * one
    gate = forms.bounds.of(op.operands[0])
    return forms.relu(number, form - gate * (EVERYWHERE - one), gate)


def _missing(forms: Forms, number: Number, op: Op) -> Form:
    return forms.relu(number, forms.one(op) - forms.form(op.operands[0]), 1)


def _positive(forms: Forms, number: Number, op: Op) -> Form:
    return _positive_form(forms, number, forms.form(op.operands[0]), forms.one(op))


def _positive_form(forms: Forms, number: Number, form: Form, one: Form) -> Form:
    return one - forms.relu(number, one - form, 1)


def _next(forms: Forms, number: Number, op: Op) -> Form:
    """`p + 1`, but 0 for none and after the last: no pointer exceeds the count n, so `p - n + 1` is 1 at the last."""
    pointer = forms.form(op.operands[0])
    one = forms.one(op)
    count = Form((("n_v" if op.type.kind is Kind.VERTEX else "n_e", 1),))
    last = forms.relu(number, pointer - count + EVERYWHERE, 1)
    gate = forms.bounds.of(number) + 1
    return forms.relu(number, pointer + _positive_form(forms, number, pointer, one) - gate * last, gate)


def _previous(forms: Forms, number: Number, op: Op) -> Form:
    """`relu(p - 1)`: 0 is none, and what comes before the first."""
    return forms.relu(number, forms.form(op.operands[0]) - forms.one(op), forms.bounds.of(number))


def _ordinal(forms: Forms, number: Number, op: Op) -> Form:
    """`relu(p - 1) + relu(n - N·p)`: one less than a pointer, and the count n for none, where p is 0."""
    pointer = forms.form(op.operands[0])
    gate = forms.bounds.of(number)
    count = Form((("n_v" if op.argument is Scope.VERTICES else "n_e", 1),))
    less = forms.relu(number, pointer - forms.one(op), gate)
    return less + forms.relu(number, count - gate * (pointer + EVERYWHERE - forms.one(op)), gate)


def _select(forms: Forms, number: Number, op: Op) -> Form:
    """The base where no mask holds; each value where its mask holds and no later one does."""
    base_id, masks_ids, values = op.operands[0], op.operands[1::2], op.operands[2::2]
    base = forms.form(base_id)
    if len(masks_ids) == 1:
        return _conditional(forms, number, op)
    masks = [forms.flag(mask) for mask in masks_ids]
    gate = forms.bounds.of(base_id)
    if gate and max(form.depth for form in (base, *masks)) >= STAGES:
        raise TooDeepError  # before the sums, which are long
    total = sum(masks[1:], start=masks[0])
    kept = forms.relu(number, base - gate * total, gate) if gate else ZERO
    for value, mask, later in zip(values, masks, _later(masks), strict=True):
        kept = kept + _gated(forms, number, value, mask, later)
    return kept


def _later(masks: Sequence[Form]) -> Sequence[Form]:
    """For each mask, the sum of those after it."""
    sums = [ZERO]
    for mask in reversed(masks[1:]):
        sums.append(mask + sums[-1])
    return sums[::-1]


def _conditional(forms: Forms, number: Number, op: Op) -> Form:
    """One mask: the base plus what changes. A change by a constant needs no gate."""
    base_id, mask_id, value = op.operands
    base = forms.form(base_id)
    if step := _step(forms.core, base_id, value):
        return base + step * forms.form(mask_id)
    mask = forms.flag(mask_id)
    kept = base
    if base.terms:
        factor = _constant_factor(base)
        gate = forms.bounds.of(base_id)
        kept = base - (factor * mask if factor else forms.relu(number, base - gate * (EVERYWHERE - mask), gate))
    return kept + _gated(forms, number, value, mask, ZERO)


def _step(core: Core, base: Number, value: Number) -> int:
    """k, where the value is the base plus the constant k; else 0."""
    op = core[value]
    if op.name != "add" or base not in op.operands or op.type.kind is not Kind.COUNT:
        return 0
    other = core[op.operands[1] if op.operands[0] == base else op.operands[0]]
    return int(other.argument or 0) if other.name == "constant" and isinstance(other.argument, int) else 0


def _gated(forms: Forms, number: Number, value: Number, mask: Form, later: Form) -> Form:
    """A value where the mask holds and no later one does, else 0."""
    form = forms.form(value)
    if not form.terms:
        return ZERO
    if factor := _constant_factor(form):
        return factor * (forms.relu(number, mask - later, 1) if later.terms else mask)
    gate = forms.bounds.of(value)
    return forms.relu(number, form - gate * (EVERYWHERE - mask) - gate * later, gate)


def _constant_factor(form: Form) -> int:
    """k, where the form is the constant k on every row; else 0."""
    terms = dict(form.terms)
    if set(terms) == {"B_global", "B_local"} and terms["B_global"] == terms["B_local"] > 0:
        return terms["B_global"]
    return 0


# -- one entry an operation -----------------------------------------------------------------------------------------

Clean = Callable[[Sequence[bool]], bool]
Plain = Callable[[Core, Op], bool]


@dataclass(frozen=True)
class Way:
    """How an operation is computed within a layer.

    `clean`: whether it is 0 outside its rows, given for which operands that holds. `plain`: whether it is a plain sum
    of its operands, which a head can use without a unit.
    """

    form: Callable[[Forms, Number, Op], Form]
    clean: Clean
    plain: Plain


def _always(_: Sequence[bool]) -> bool:
    return True


def _never(_: Sequence[bool]) -> bool:
    return False


def _if_first(operands: Sequence[bool]) -> bool:
    return operands[0]


def _if_guarded(operands: Sequence[bool]) -> bool:
    """A select is clean if the base is, and for each pair the value or its mask."""
    pairs = zip(operands[1::2], operands[2::2], strict=True)
    return operands[0] and all(mask or value for mask, value in pairs)


def _sum(_: Core, __: Op) -> bool:
    return True


def _units(_: Core, __: Op) -> bool:
    return False


def _sum_of_counts(_: Core, op: Op) -> bool:
    """Not for lengths: they saturate, which needs a unit."""
    return op.type.kind is not Kind.LENGTH


def _sum_of_constant(core: Core, op: Op) -> bool:
    return core[op.operands[0]].name == "constant"


GUARDED: Mapping[str, Callable[[Forms, Number, Op, Form], Form]] = {"less": _less, "equal": _equal}

FORMS: Mapping[str, Way] = {
    "input": Way(_own_column, _always, _units),
    "state": Way(_own_column, _always, _units),
    "constant": Way(_constant, _never, _units),
    "weight": Way(_standard_column("weight"), _always, _units),
    "size": Way(_size, _never, _units),
    "own": Way(_own, _never, _units),
    "add": Way(_add, all, _sum_of_counts),
    "subtract": Way(_subtract, _if_first, _units),
    "multiple": Way(_multiple, _if_first, _sum_of_counts),
    "smaller": Way(_smaller, any, _units),
    "larger": Way(_larger, all, _units),
    "less": Way(_less, _always, _units),
    "precedes": Way(_precedes, _always, _units),
    "equal": Way(_equal, _always, _units),
    "and": Way(_and, any, _units),
    "or": Way(_or, _always, _units),
    "not": Way(_not, _always, _negates_plainly),
    "select": Way(_select, _if_guarded, _units),
    "number": Way(_same, _if_first, _sum),
    "spread": Way(_spread, _always, _sum_of_constant),
    "missing": Way(_missing, _always, _units),
    "positive": Way(_positive, _always, _units),
    "finite": Way(_finite, _if_first, _units),
    "divisor": Way(_divisor, lambda operands: operands[1], _units),
    "apart": Way(_apart, all, _units),
    "difference": Way(_difference, all, _sum),
    "next": Way(_next, _never, _units),
    "previous": Way(_previous, _if_first, _units),
    "ordinal": Way(_ordinal, _if_first, _units),
}
require_entries("forms", FORMS, CORE - ATTENTION)


def linear(core: Core, number: Number) -> Sequence[Number] | None:
    """The operands of a value that is a plain sum of them (so that a head can use it without a unit); else None.

    A head attends to every row, so an array that is not 0 outside its rows must be made so first.
    """
    op = core[number]
    if op.name in ATTENTION or (op.type.scope is not Scope.SCALAR and not is_clean(core, number)):
        return None
    return op.operands if FORMS[op.name].plain(core, op) else None
