"""Elementwise operations as sums of ReLU units, within one layer.

A form is a sum `Σ weight · atom`, where an atom is a column (or what a head has just brought) or a ReLU unit of a form.
Every operation is one entry of `FORMS`. Outside an array's rows everything is 0: the constant 1 of an array is the
column that marks its rows; the constant 1 of a scalar is 1 on every row.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hyloop.compiler.bounds import Bounds
from hyloop.compiler.effort import spend
from hyloop.compiler.lower import ATTENTION, LEAVES, Graph, Node, NodeId
from hyloop.compiler.tables import cone, once, table
from hyloop.errors import HyloopError
from hyloop.lang.kinds import INFINITY, Kind, Scope

STAGES = 3
MOST_TERMS = 5_000_000  # of all forms together: about a gigabyte
WALK = 8  # nodes that are passed in the time of one step, the making of a form
SMALL = 64  # a flag whose units stay below this may be multiplied by a gate


@dataclass(frozen=True)
class Unit:
    """relu(Σ weight · atom). `depth` is its stage at the earliest; `most` bounds its value."""

    form: Form
    depth: int
    most: int
    serves: NodeId

    def __post_init__(self) -> None:
        # Units contain units; a hash that is not kept would be computed all the way down, again and again.
        object.__setattr__(self, "_hash", hash((self.form, self.depth, self.most, self.serves)))

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
        return Form(tuple((atom, weight) for atom, weight in terms.items() if weight))

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
    """A value that cannot be had in this layer: it needs more than three stages, or what comes later."""


BIASES = frozenset({"B_global", "B_local"})
ZERO = Form(())
EVERYWHERE = Form((("B_global", 1), ("B_local", 1)))
ONE = {Scope.SCALAR: EVERYWHERE, Scope.VERTICES: Form((("vertices", 1),)), Scope.HYPEREDGES: Form((("hyperedges", 1),))}
LEAF_COLUMNS = {"own": "P_1", "weight": "weight", "started": "started"}


class Workshop:
    """Forms that were made before, for one graph and its bounds.

    A value's form depends on its operands' forms alone, so most of what one layer needs another has made already. Equal
    forms and units are one object, so that they are told apart by identity, not by a walk down to their columns.
    """

    def __init__(self, graph: Graph, bounds: Bounds) -> None:
        self.graph, self.bounds = graph, bounds
        spend(2 * len(graph.nodes))
        self.terms = 0
        self.steps = 0
        self._kept: dict[Form | Unit, Form | Unit] = {}
        self._columns = [self.form(Form(((number, 1),))) for number in range(len(graph.nodes))]
        self._operands = [operands(graph, number) for number in range(len(graph.nodes))]
        self._parts = parts(graph)
        self._made: dict[tuple[object, ...], Form | None] = {}
        self._clean: dict[tuple[NodeId, int], Form | None] = {}

    def column(self, number: NodeId) -> Form:
        """The form of a value that stands in a column."""
        return self._columns[number]

    def form(self, form: Form) -> Form:
        """The one object for all forms that equal this one."""
        known = self._kept.setdefault(form, form)
        if known is form:
            self._count(form)
        return known  # type: ignore[return-value]

    def unit(self, unit: Unit) -> Unit:
        """The one object for all units that equal this one."""
        known = self._kept.setdefault(unit, unit)
        if known is unit:
            self._count(unit.form)
        return known  # type: ignore[return-value]

    def make(self, forms: Forms, number: NodeId) -> Form | None:
        """The form of a value that is no column, or None where it is too deep."""
        self.steps += 1
        spend(1 + len(self._operands[number]))
        key = (number, *[id(forms.known(each)) for each in self._operands[number]], self.part(forms, number))
        if key not in self._made:
            self._made[key] = self._new(forms, number)
        return self._made[key]

    def part(self, forms: Forms, number: NodeId) -> NodeId | None:
        """The first part of a conjunction that stands in a column already."""
        if number not in self._parts:
            return None
        return next((part for part in self._parts[number] if part in forms.there), None)

    def clean(self, forms: Forms, number: NodeId, form: Form) -> Form | None:
        """The form of a value, 0 outside its rows; None where that is too deep."""
        key = (number, id(form))
        if key not in self._clean:
            try:
                self._clean[key] = self.form(forms.cleaned(number, form))
            except TooDeepError:
                self._clean[key] = None
        return self._clean[key]

    def _new(self, forms: Forms, number: NodeId) -> Form | None:
        node = self.graph[number]
        try:
            made = FORMS[node.op](forms, number, node)
        except TooDeepError:
            return None
        return self.form(made) if made.depth <= STAGES else None

    def _count(self, form: Form) -> None:
        """Forms are never thrown away, so their size is the compiler's memory and, nearly, its time."""
        self.terms += len(form.terms)
        if self.terms > MOST_TERMS:
            raise HyloopError(
                f"{self.graph.program.name} is too large to compile: the sums of its {len(self.graph.nodes):,} values "
                f"have more than {MOST_TERMS:,} terms. Long `where` nests cost the square of their length, and sums of "
                "many values are written out wherever they are used: keep some of them in states, or split the program."
            )


@dataclass(frozen=True)
class _Beside:
    """What is there, and one node more."""

    there: Container[NodeId]
    number: NodeId

    def __contains__(self, number: object) -> bool:
        return number == self.number or number in self.there


class Forms:
    """The forms of values in one layer, given which nodes are there as columns (or brought by its heads)."""

    def __init__(
        self, graph: Graph, bounds: Bounds, there: Container[NodeId], workshop: Workshop | None = None
    ) -> None:
        self.graph, self.bounds, self.there = graph, bounds, there
        self.workshop = workshop or Workshop(graph, bounds)
        self._forms: dict[NodeId, Form | None] = {}
        self._flags: dict[NodeId, Form] = {}
        self._below: tuple[NodeId, Forms] = (0, self)

    def beside(self, number: NodeId) -> Forms:
        """The same with one more column. What comes before it is as it was, unless conjunctions may use it."""
        more = Forms(self.graph, self.bounds, _Beside(self.there, number), self.workshop)
        if self.graph[number].op != "and":
            more._below = (number, self)
        return more

    def form(self, number: NodeId) -> Form:
        """The form of a value; raises `TooDeepError` where there is none of depth 3."""
        found = self.known(number)
        if found is None:
            raise TooDeepError
        return found

    def known(self, number: NodeId) -> Form | None:
        """The form of a value, or None. Operands come first, so that no program is too deep for Python's stack."""
        if number < self._below[0]:
            return self._below[1].known(number)
        if number not in self._forms:
            self._forms[number] = self._reached(number)
        return self._forms[number]

    def _reached(self, number: NodeId) -> Form | None:
        # Without one of its operands no value can be had, except for a conjunction: a column can stand for several.
        musts = set(cone(self.graph, [number], lambda at: self._is_known(at) or self.graph[at].op == "and"))
        if any(self.graph[each].op in ATTENTION and each not in self.there for each in musts):
            return None
        way = cone(self.graph, [number], self._is_known)
        self.workshop.steps += len(way) // WALK
        spend(len(way))
        for each in way:
            if each not in self._forms and each >= self._below[0]:
                self._forms[each] = self._make(each)
            if each in musts and self.known(each) is None:
                return None
        return self._forms[number]

    def _is_known(self, number: NodeId) -> bool:
        return number in self._forms or number < self._below[0] or self._is_column(number)

    def _is_column(self, number: NodeId) -> bool:
        return number in self.there and self.graph[number].op != "constant"

    def _make(self, number: NodeId) -> Form | None:
        if self._is_column(number):
            return self.workshop.column(number)
        if self.graph[number].op in ATTENTION:
            return None
        return self.workshop.make(self, number)

    def flag(self, number: NodeId) -> Form:
        """A flag whose units are 0 or 1, or close: only such may be multiplied by a gate."""
        if number not in self._flags:
            form = self.form(number)
            self._flags[number] = form if self.most(form) <= SMALL else self.relu(number, form, 1)
        return self._flags[number]

    def relu(self, serves: NodeId, form: Form, most: int | None = None) -> Form:
        """A unit over a form."""
        depth = form.depth + 1
        if depth > STAGES:
            raise TooDeepError
        value = self.most(form) if most is None else most
        return Form(((self.workshop.unit(Unit(form, depth, value, serves)), 1),))

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

    def one(self, node: Node) -> Form:
        """The constant 1 of a node's rows."""
        return ONE[node.type.scope]

    def clean(self, number: NodeId) -> Form:
        """The form of a value, made 0 outside its rows where it is not already."""
        made = self.workshop.clean(self, number, self.form(number))
        if made is None:
            raise TooDeepError
        return made

    def can(self, number: NodeId) -> bool:
        """Whether the stages of the layer reach a value."""
        form = self.known(number)
        return form is not None and self.workshop.clean(self, number, form) is not None

    def cleaned(self, number: NodeId, form: Form) -> Form:
        """A value's form, made 0 outside its rows where it is not already."""
        node = self.graph[number]
        if node.type.scope is Scope.SCALAR or is_clean(self.graph, number):
            return form
        gate = self.bounds.of(number)
        return self.relu(number, form - gate * (EVERYWHERE - self.one(node)), gate)


class Growing(Forms):
    """The forms of a layer to which columns are added, one by one."""

    def __init__(self, workshop: Workshop, there: Iterable[NodeId]) -> None:
        self.columns = set(there)
        super().__init__(workshop.graph, workshop.bounds, self.columns, workshop)

    def put(self, numbers: Iterable[NodeId]) -> None:
        """More columns. What comes before the first of them is as it was, unless conjunctions may use one."""
        spend(1 + len(self._forms) // WALK)
        new = set(numbers) - self.columns
        self.columns |= new
        first = 0 if any(self.graph[number].op == "and" for number in new) else min(new, default=len(self.graph.nodes))
        for known in (self._forms, self._flags):
            for number in [each for each in known if each >= first]:
                del known[number]


@table
def operands(graph: Graph, number: NodeId, _: Sequence[tuple[NodeId, ...]]) -> tuple[NodeId, ...]:
    """The values whose forms decide a value's form. A guarded comparison looks at the comparison's own operands."""
    args = graph[number].args
    if graph[number].op != "and":
        return args
    return (*args, *(each for arg in args if graph[arg].op in GUARDED for each in graph[arg].args))


@once
def parts(graph: Graph) -> Mapping[NodeId, Sequence[NodeId]]:
    """For each conjunction, the smaller ones that are a part of it."""
    flags = {number: frozenset(node.args) for number, node in enumerate(graph.nodes) if node.op == "and"}
    with_flag: dict[NodeId, list[NodeId]] = {}
    for number, node in enumerate(graph.nodes):
        if node.op == "and":
            with_flag.setdefault(node.args[0], []).append(number)
    return {
        number: sorted(
            other
            for flag in flags[number]
            for other in with_flag.get(flag, ())
            if len(graph[other].args) < len(graph[number].args) and flags[other] <= flags[number]
        )
        for number in flags
    }


@table
def is_clean(graph: Graph, number: NodeId, clean: Sequence[bool]) -> bool:
    """Whether an array is 0 outside its rows by itself. A scalar is not: it stands on every row."""
    node = graph[number]
    if node.type.scope is Scope.SCALAR:
        return False
    return node.op in ATTENTION or CLEAN.get(node.op, _never)([clean[arg] for arg in node.args])


def _always(_: Sequence[bool]) -> bool:
    return True


def _never(_: Sequence[bool]) -> bool:
    return False


def _if_first(args: Sequence[bool]) -> bool:
    return args[0]


def _if_guarded(args: Sequence[bool]) -> bool:
    """A select: the base is clean, and every value or its mask."""
    pairs = zip(args[1::2], args[2::2], strict=True)
    return args[0] and all(mask or value for mask, value in pairs)


CLEAN: Mapping[str, Callable[[Sequence[bool]], bool]] = {
    **dict.fromkeys(("state", "weight", "equal", "less", "precedes"), _always),
    **dict.fromkeys(("or", "not", "missing", "positive", "spread"), _always),
    **dict.fromkeys(("multiple", "number", "subtract"), _if_first),
    "select": _if_guarded,
    "and": any,
    "add": all,
}


# -- one entry an operation -----------------------------------------------------------------------------------------


def _leaf(forms: Forms, number: NodeId, node: Node) -> Form:
    del forms
    name = str(node.argument) if node.op == "size" else LEAF_COLUMNS.get(node.op)
    return Form(((number if name is None else name, 1),))


def _constant(forms: Forms, _: NodeId, node: Node) -> Form:
    value = forms.bounds.omega if node.argument is INFINITY else int(node.argument or 0)  # type: ignore[arg-type]
    return value * EVERYWHERE


def _saturated(forms: Forms, number: NodeId, node: Node, total: Form) -> Form:
    """Ω - relu(Ω - x), where the length may be infinite."""
    if not forms.bounds.infinite[number]:
        return total
    top = forms.bounds.omega * forms.one(node)
    return top - forms.relu(number, top - total, forms.bounds.omega)


def _add(forms: Forms, number: NodeId, node: Node) -> Form:
    left, right = (forms.form(arg) for arg in node.args)
    return _saturated(forms, number, node, left + right)


def _multiple(forms: Forms, number: NodeId, node: Node) -> Form:
    return _saturated(forms, number, node, int(node.argument) * forms.form(node.args[0]))  # type: ignore[arg-type]


def _subtract(forms: Forms, number: NodeId, node: Node) -> Form:
    left, right = (forms.form(arg) for arg in node.args)
    less = forms.relu(number, left - right, forms.bounds.of(node.args[0]))
    if not forms.bounds.infinite[node.args[0]]:
        return less
    # Infinity minus a finite length stays infinite: put back what was taken.
    last = (forms.bounds.omega - 1) * EVERYWHERE
    endless = forms.relu(number, left - last, 1)
    if forms.bounds.infinite[node.args[1]]:
        endless = endless - forms.relu(number, right - last, 1)
    gate = forms.bounds.of(node.args[1])
    return less + forms.relu(number, right - gate * (EVERYWHERE - endless), gate)


def _less(forms: Forms, number: NodeId, node: Node, shut: Form | None = None) -> Form:
    """`relu(b - a) - relu(b - a - 1)`. Where the flag `shut` is 1 or more, the units are shut and the result is 0."""
    left, right = (forms.form(arg) for arg in node.args)
    most = forms.bounds.of(node.args[1])
    gap = right - left - most * (shut or ZERO)
    return forms.relu(number, gap, most) - forms.relu(number, gap - forms.one(node), most)


def _precedes(forms: Forms, number: NodeId, node: Node) -> Form:
    before = _less(forms, number, node)
    first = node.args[0]
    if forms.graph[first].op == "own":
        return before
    return forms.relu(number, before + _positive_form(forms, number, forms.form(first), EVERYWHERE) - EVERYWHERE, 1)


def _equal(forms: Forms, number: NodeId, node: Node, shut: Form | None = None) -> Form:
    """`relu(d + 1) - 2 relu(d) + relu(d - 1)` with `d = a - b`. Where `shut` is 1 or more, the result is 0."""
    left, right = (forms.form(arg) for arg in node.args)
    most = max(forms.bounds.of(arg) for arg in node.args)
    gap, one = left - right - (most + 1) * (shut or ZERO), forms.one(node)
    up, middle, down = (forms.relu(number, gap + step * one, most + 1) for step in (1, 0, -1))
    return up - 2 * middle + down


def _and(forms: Forms, number: NodeId, node: Node) -> Form:
    """`relu(Σ - (k - 1))`; or, where that saves a stage, a comparison whose units the other flags shut."""
    try:
        plain = _conjunction(forms, number)
    except TooDeepError:
        return _guarded_comparison(forms, number, node)
    if plain.depth < STAGES:
        return plain
    try:
        guarded = _guarded_comparison(forms, number, node)
    except TooDeepError:
        return plain
    return guarded if guarded.depth < plain.depth else plain


def _guarded_comparison(forms: Forms, number: NodeId, node: Node) -> Form:
    """Of the comparisons among the flags, the one that ends deepest is guarded by all the others."""
    compared = [arg for arg in node.args if forms.graph[arg].op in GUARDED and arg not in forms.there]
    if not compared:
        raise TooDeepError
    last = max(compared, key=lambda arg: max(forms.form(each).depth for each in forms.graph[arg].args))
    shut = ZERO
    for arg in node.args:
        if arg != last:
            shut = shut + EVERYWHERE - forms.flag(arg)
    return GUARDED[forms.graph[last].op](forms, number, forms.graph[last], shut)


def _conjunction(forms: Forms, number: NodeId) -> Form:
    flags = _with_columns(forms, number)
    total = -(len(flags) - 1) * EVERYWHERE
    for flag in flags:
        total = total + forms.form(flag)
    return total if len(flags) == 1 else forms.relu(number, total, 1)


def _with_columns(forms: Forms, number: NodeId) -> Sequence[NodeId]:
    """The flags of a conjunction, with a part of it that stands in a column already taken as one."""
    flags = forms.graph[number].args
    ready = forms.workshop.part(forms, number)
    if ready is None:
        return flags
    taken = set(forms.graph[ready].args)
    return [ready, *(flag for flag in flags if flag not in taken)]


def _or(forms: Forms, number: NodeId, node: Node) -> Form:
    one = forms.one(node)
    none = one
    for arg in node.args:
        none = none - forms.form(arg)
    return one - forms.relu(number, none, 1)


def _not(forms: Forms, number: NodeId, node: Node) -> Form:
    """1 - flag. A flag that is set outside its rows would give -1 there, where the 1 is 0: a unit keeps that out."""
    form = forms.one(node) - forms.form(node.args[0])
    return form if _negates_plainly(forms.graph, node) else forms.relu(number, form, 1)


def _negates_plainly(graph: Graph, node: Node) -> bool:
    """Whether the flag that a `not` negates is 0 wherever the constant 1 of its rows is."""
    return node.type.scope is Scope.SCALAR or is_clean(graph, node.args[0])


def _same(forms: Forms, _: NodeId, node: Node) -> Form:
    return forms.form(node.args[0])


def _spread(forms: Forms, number: NodeId, node: Node) -> Form:
    """A scalar on the rows of an array."""
    form, one = forms.form(node.args[0]), forms.one(node)
    if not form.terms:
        return ZERO
    if factor := _constant_factor(form):
        return factor * one
    gate = forms.bounds.of(node.args[0])
    return forms.relu(number, form - gate * (EVERYWHERE - one), gate)


def _missing(forms: Forms, number: NodeId, node: Node) -> Form:
    return forms.relu(number, forms.one(node) - forms.form(node.args[0]), 1)


def _positive(forms: Forms, number: NodeId, node: Node) -> Form:
    return _positive_form(forms, number, forms.form(node.args[0]), forms.one(node))


def _positive_form(forms: Forms, number: NodeId, form: Form, one: Form) -> Form:
    return one - forms.relu(number, one - form, 1)


def _next(forms: Forms, number: NodeId, node: Node) -> Form:
    """`p + 1`, but 0 for none and after the last: no pointer exceeds the count n, so `p - n + 1` is 1 at the last."""
    pointer = forms.form(node.args[0])
    one = forms.one(node)
    count = Form((("n_v" if node.type.kind is Kind.VERTEX else "n_e", 1),))
    last = forms.relu(number, pointer - count + EVERYWHERE, 1)
    gate = forms.bounds.of(number) + 1
    return forms.relu(number, pointer + _positive_form(forms, number, pointer, one) - gate * last, gate)


def _select(forms: Forms, number: NodeId, node: Node) -> Form:
    """The base where no mask holds; each value where its mask holds and no later one does."""
    base_id, masks_ids, values = node.args[0], node.args[1::2], node.args[2::2]
    base = forms.form(base_id)
    if len(masks_ids) == 1:
        return _conditional(forms, number, node)
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


def _conditional(forms: Forms, number: NodeId, node: Node) -> Form:
    """One mask: the base plus what changes. A change by a constant needs no gate."""
    base_id, mask_id, value = node.args
    base = forms.form(base_id)
    if step := _step(forms.graph, base_id, value):
        return base + step * forms.form(mask_id)
    mask = forms.flag(mask_id)
    kept = base
    if base.terms:
        factor = _constant_factor(base)
        gate = forms.bounds.of(base_id)
        kept = base - (factor * mask if factor else forms.relu(number, base - gate * (EVERYWHERE - mask), gate))
    return kept + _gated(forms, number, value, mask, ZERO)


def _step(graph: Graph, base: NodeId, value: NodeId) -> int:
    """k, where the value is the base plus the constant k; else 0."""
    node = graph[value]
    if node.op != "add" or base not in node.args or node.type.kind is not Kind.COUNT:
        return 0
    other = graph[node.args[1] if node.args[0] == base else node.args[0]]
    return int(other.argument or 0) if other.op == "constant" and isinstance(other.argument, int) else 0


def _gated(forms: Forms, number: NodeId, value: NodeId, mask: Form, later: Form) -> Form:
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


GUARDED: Mapping[str, Callable[[Forms, NodeId, Node, Form], Form]] = {"less": _less, "equal": _equal}

FORMS: Mapping[str, Callable[[Forms, NodeId, Node], Form]] = {
    **dict.fromkeys(sorted(LEAVES), _leaf),
    "constant": _constant,
    "add": _add,
    "subtract": _subtract,
    "multiple": _multiple,
    "less": _less,
    "precedes": _precedes,
    "equal": _equal,
    "and": _and,
    "or": _or,
    "not": _not,
    "select": _select,
    "number": _same,
    "spread": _spread,
    "missing": _missing,
    "positive": _positive,
    "next": _next,
}


def linear(graph: Graph, number: NodeId) -> Sequence[NodeId] | None:
    """The operands of a value that is a plain sum of them (so that a head can use it without a unit); else None.

    A head sees every row, so an array that is not 0 outside its rows by itself must be made so first.
    """
    node = graph[number]
    if node.type.scope is not Scope.SCALAR and not is_clean(graph, number):
        return None
    if node.op == "spread":
        return node.args if graph[node.args[0]].op == "constant" else None
    if node.op == "not" and not _negates_plainly(graph, node):
        return None
    if node.op in {"not", "number"} or (node.op in {"add", "multiple"} and node.type.kind is not Kind.LENGTH):
        return node.args
    return None
