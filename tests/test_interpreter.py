"""What each operation of the language means, against plain Python; and what statements, `when` and the loop mean."""

import inspect
import math
import operator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
from effort import examples
from hyloop import HyloopError, Hypergraph
from hyloop.interpreter import MEANING, interpret
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    Length,
    Outputs,
    Vertex,
    algorithm,
    argmax,
    argmin,
    exists,
    first,
    larger,
    number,
    smaller,
    when,
    where,
)
from hyloop.lang import all as all_
from hyloop.lang import any as any_
from hyloop.lang import max as max_
from hyloop.lang import min as min_
from hyloop.lang import sum as sum_
from hyloop.lang.ops import AFAR, LANGUAGE, LEAVES, OPERATIONS
from hypergraph_strategies import plain

pytestmark = pytest.mark.usefixtures("interpreted")

INF = math.inf  # INFINITY, in what plain Python computes
HUGE = 10**30  # lengths beyond 64 bits
FEW = examples(25)  # every example traces programs of its own


def test_every_operation_has_a_meaning():
    assert set(MEANING) == set(OPERATIONS)


def test_every_operation_of_one_row_is_below():
    # test_next, also `ordinal`; scalars among arrays; what a flag is as a count
    elsewhere = {"next", "spread", "number", "ordinal"}
    used = {name for expression, _, kinds in ELEMENTWISE.values() for name in operations(expression, kinds)}
    assert LANGUAGE - AFAR - LEAVES - elsewhere - used == set(), "ELEMENTWISE has no expression with it"


def operations(expression, kinds):
    """The operations that an expression is traced into."""

    @algorithm
    def tiny(h):
        states = [h.state(kind, INFINITY if kind is Length else kind.zero) for kind in kinds]
        with h.loop(at_most=1) as loop:
            answer = expression(*states)  # noqa: F841  (what has no name is left out)
            loop.stop_when(True)
        return Outputs(x=states[0])

    return {op.name for op in tiny.program.body.ops}


# -- one operation in a tiny program --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operand:
    """A state of the tiny program: its kind, and its values: one, or a list over the rows of a scope."""

    kind: Any
    values: Any
    scope: str | None = None

    @property
    def rows(self):
        return self.values if isinstance(self.values, list) else [self.values]

    def state(self, h, inputs):
        """The state with these values, each of them an input; INFINITY and none are what it starts with."""
        side = h if self.scope is None else getattr(h, self.scope)
        state = side.state(self.kind, INFINITY if self.kind is Length else self.kind.zero)
        if self.scope is None:
            if _given(self.values):
                state.assign(next(inputs))
            return state
        row = side.first
        for value in self.values:
            if _given(value):
                state[row] = next(inputs)
            row = row + 1
        return state


def _given(value):
    return value is not None and value != INF


def computed(H, expression, *operands):
    """What `expression(*operands)`, or `expression(h, *operands)`, means: traced, given its inputs, interpreted."""
    wants_h = "h" in inspect.signature(expression).parameters
    inputs = [(operand.kind, int(value)) for operand in operands for value in operand.rows if _given(value)]

    def tiny(h, *handles):
        handles = iter(handles)
        done = h.state(Flag, False)
        states = [operand.state(h, handles) for operand in operands]
        done.assign(True)
        with h.loop(at_most=1) as loop:
            answer = expression(h, *states) if wants_h else expression(*states)  # noqa: F841  (found by its name)
            loop.stop_when(done)
        return Outputs(done=done)

    parameter = inspect.Parameter
    tiny.__signature__ = inspect.Signature(
        [parameter("h", parameter.POSITIONAL_ONLY)]
        + [parameter(f"x{n}", parameter.POSITIONAL_ONLY, annotation=kind) for n, (kind, _) in enumerate(inputs)]
    )
    program = algorithm(tiny).program
    *_, step = interpret(program, H, {f"x{n}": value for n, (_, value) in enumerate(inputs)})
    number = next(number for number, op in enumerate(program.body.ops) if op.label == "answer")
    return in_python(program.body.ops[number].type.kind, step.values[number], step.infinity)


def in_python(kind, value, infinity):
    """A value of the interpreter in plain Python: None for no vertex, INF for INFINITY, a list for an array."""
    if getattr(value, "ndim", 0):
        return [in_python(kind, each, infinity) for each in value]
    whole = int(value)
    assert whole == value
    if kind is Flag:
        assert whole in {0, 1}
        return bool(whole)
    if kind is Length and whole >= infinity:
        assert whole == infinity
        return INF
    return (whole or None) if kind.is_pointer else whole


small_hypergraphs = plain(labels=st.integers(0, 4), weights=st.integers(1, 5) | st.integers(HUGE, HUGE + 5))
flags = st.booleans()
counts = st.integers(0, 4)
lengths = st.integers(0, 4) | st.just(INF)
huge_lengths = st.integers(HUGE, HUGE + 4) | st.integers(2**63 - 2, 2**63 + 2) | st.integers(2**64 - 2, 2**64 + 2)


def rows_of(H, scope):
    return len(H.vertices if scope == "vertices" else H.hyperedges)


def pointers(H, kind):
    return st.sampled_from([None, *range(1, rows_of(H, "vertices" if kind is Vertex else "hyperedges") + 1)])


def values_of(H, kind):
    known = {Flag: flags, Count: counts, Length: lengths | huge_lengths}
    return pointers(H, kind) if kind.is_pointer else known[kind]


@st.composite
def array(draw, H, kind, scope, values=None):
    rows = rows_of(H, scope)
    each = values_of(H, kind) if values is None else values
    return Operand(kind, draw(st.lists(each, min_size=rows, max_size=rows)), scope)


@st.composite
def operand(draw, H, kind):
    """One value, or an array over the vertices."""
    return draw(array(H, kind, "vertices")) if draw(st.booleans()) else Operand(kind, draw(values_of(H, kind)))


def row_by_row(meaning, H, *operands):
    """The meaning for one row, on every row: a scalar is the same on all."""
    if all(each.scope is None for each in operands):
        return meaning(*(each.values for each in operands))
    columns = [each.values if each.scope else [each.values] * len(H.vertices) for each in operands]
    return [meaning(*row) for row in zip(*columns, strict=True)]


def minus(a, b):
    return 0 if b == INF else max(a - b, 0)


def multiple(n):
    return lambda a: (INF if n else 0) if a == INF else n * a


def ordered(compare):
    """A pointer to none is in no order with anything."""
    return lambda p, q: p is not None and q is not None and compare(p, q)


def following(last):
    return lambda p: p + 1 if p is not None and p < last else None


# expression, its meaning on one row, the kinds of its operands
ELEMENTWISE = {
    f"{name}, {kind}s": (expression, meaning, (kind,) * len(inspect.signature(meaning).parameters))
    for kind in (Count, Length)
    for name, expression, meaning in [
        ("x + y", lambda x, y: x + y, lambda x, y: x + y),
        ("x - y", lambda x, y: x - y, minus),
        ("smaller(x, y)", smaller, lambda x, y: y if y < x else x),
        ("larger(x, y)", larger, lambda x, y: y if y > x else x),
        ("smaller(0, x)", lambda x: smaller(0, x), lambda _: 0),
        ("x < y", lambda x, y: x < y, lambda x, y: x < y),
        ("x <= y", lambda x, y: x <= y, lambda x, y: x <= y),
        ("x > y", lambda x, y: x > y, lambda x, y: x > y),
        ("x >= y", lambda x, y: x >= y, lambda x, y: x >= y),
        ("x == y", lambda x, y: x == y, lambda x, y: x == y),
        ("x != y", lambda x, y: x != y, lambda x, y: x != y),
        ("0 * x", lambda x: 0 * x, multiple(0)),
        ("1 * x", lambda x: 1 * x, multiple(1)),
        ("7 * x", lambda x: x * 7, multiple(7)),
        ("x + y - y", lambda x, y: x + y - y, lambda x, y: minus(x + y, y)),
        ("x == 0", lambda x: x == 0, lambda x: x == 0),
    ]
} | {
    "x + 2": (lambda x: x + 2, lambda x: x + 2, (Count,)),
    "2 + x": (lambda x: 2 + x, lambda x: x + 2, (Count,)),
    "x - 2": (lambda x: x - 2, lambda x: minus(x, 2), (Count,)),
    "2 - x": (lambda x: 2 - x, lambda x: minus(2, x), (Count,)),
    "smaller(x, 2)": (lambda x: smaller(x, 2), lambda x: 2 if x > 2 else x, (Count,)),
    "larger(x, a)": (larger, lambda x, a: a if a > x else x, (Count, Flag)),
    "smaller(a, b)": (smaller, lambda a, b: int(a and b), (Flag, Flag)),
    "smaller(x, INFINITY)": (lambda x: smaller(x, INFINITY), lambda x: x, (Length,)),
    "larger(INFINITY, x)": (lambda x: larger(INFINITY, x), lambda _: INF, (Length,)),
    "x < INFINITY": (lambda x: x < INFINITY, lambda x: x < INF, (Length,)),
    "x == INFINITY": (lambda x: x == INFINITY, lambda x: x == INF, (Length,)),
    "x + INFINITY": (lambda x: x + INFINITY, lambda _: INF, (Length,)),
    "INFINITY - x": (lambda x: INFINITY - x, lambda x: minus(INF, x), (Length,)),
    "a & b": (lambda a, b: a & b, lambda a, b: a and b, (Flag, Flag)),
    "a | b": (lambda a, b: a | b, lambda a, b: a or b, (Flag, Flag)),
    "~a": (lambda a: ~a, lambda a: not a, (Flag,)),
    "a & True": (lambda a: a & True, lambda a: a, (Flag,)),
    "True & a": (lambda a: True & a, lambda a: a, (Flag,)),
    "False | a": (lambda a: False | a, lambda a: a, (Flag,)),
    "a == b": (lambda a, b: a == b, lambda a, b: a == b, (Flag, Flag)),
    "a + b": (lambda a, b: a + b, lambda a, b: a + b, (Flag, Flag)),
    "x + a": (lambda x, a: x + a, lambda x, a: x + a, (Count, Flag)),
    "1 - a": (lambda a: 1 - a, lambda a: 1 - a, (Flag,)),
    "a - b": (lambda a, b: a - b, minus, (Flag, Flag)),
    "3 * a": (lambda a: 3 * a, lambda a: 3 * a, (Flag,)),
    **{
        f"where(a, x, y), {kind}s": (
            where,
            lambda a, x, y: x if a else y,
            (Flag, kind, kind),
        )
        for kind in (Flag, Count, Length, Vertex, Hyperedge)
    },
    "where(a, x, INFINITY)": (lambda a, x: where(a, x, INFINITY), lambda a, x: x if a else INF, (Flag, Length)),
    "where(a, INFINITY, 0)": (lambda a: where(a, INFINITY, 0), lambda a: INF if a else 0, (Flag,)),
    **{
        f"{name}, {kind}": (expression, meaning, (kind,) * len(inspect.signature(meaning).parameters))
        for kind in (Vertex, Hyperedge)
        for name, expression, meaning in [
            ("p == q", lambda p, q: p == q, lambda p, q: p == q),
            ("p != q", lambda p, q: p != q, lambda p, q: p != q),
            ("p < q", lambda p, q: p < q, ordered(operator.lt)),
            ("p > q", lambda p, q: p > q, ordered(operator.gt)),
            ("p <= q", lambda p, q: p <= q, ordered(operator.le)),
            ("p >= q", lambda p, q: p >= q, ordered(operator.ge)),
            ("p == None", lambda p: p == None, lambda p: p is None),  # noqa: E711  (the language's own)
            ("p.is_none", lambda p: p.is_none, lambda p: p is None),
            ("p.exists", lambda p: p.exists, lambda p: p is not None),
            ("exists(p)", exists, lambda p: p is not None),
            ("p - 1", lambda p: p - 1, lambda p: p - 1 if p is not None and p > 1 else None),
        ]
    },
}


@pytest.mark.parametrize("name", ELEMENTWISE)
@examples(8)
@given(st.data())
def test_row_by_row(name, data):
    expression, meaning, kinds = ELEMENTWISE[name]
    H = data.draw(small_hypergraphs)
    operands = [data.draw(operand(H, kind)) for kind in kinds]
    assert computed(H, expression, *operands) == row_by_row(meaning, H, *operands)


@pytest.mark.parametrize("kind", [Vertex, Hyperedge])
@FEW
@given(st.data())
def test_next(kind, data):
    H = data.draw(small_hypergraphs)
    p = data.draw(operand(H, kind))
    last = rows_of(H, "vertices" if kind is Vertex else "hyperedges")
    assert computed(H, lambda p: p + 1, p) == row_by_row(following(last), H, p)
    assert computed(H, lambda p: 1 + p, p) == row_by_row(following(last), H, p)
    assert computed(H, number, p) == row_by_row(lambda row: last if row is None else row - 1, H, p)


@FEW
@given(small_hypergraphs)
def test_what_the_hypergraph_gives(H):
    n_v, n_e = len(H.vertices), len(H.hyperedges)
    assert computed(H, lambda h: h.weight) == list(H.integer_weights()[0])
    assert computed(H, lambda h: h.vertices.number) == list(range(1, n_v + 1))
    assert computed(H, lambda h: h.hyperedges.number) == list(range(1, n_e + 1))
    assert computed(H, lambda h: h.vertices.every) == [True] * n_v
    assert computed(H, lambda h: h.vertices.first) == (1 if n_v else None)
    assert computed(H, lambda h: h.hyperedges.first) == (1 if n_e else None)


@FEW
@given(small_hypergraphs, counts)
def test_sizes_are_counts(H, x):
    n_v, n_e = len(H.vertices), len(H.hyperedges)
    given = Operand(Count, x)
    assert computed(H, lambda h, x: x + h.vertices.count, given) == x + n_v
    assert computed(H, lambda h, x: x + (h.vertices.count - h.hyperedges.count), given) == x + max(n_v - n_e, 0)
    assert computed(H, lambda h, x: x + (2 * h.hyperedges.count + 3), given) == x + 2 * n_e + 3
    assert computed(H, lambda h, x: x == h.vertices.count, given) == (x == n_v)


# -- operations over all rows


def best_of(values, mask, choose):
    """The candidates are finite and not masked; the best, the lowest first."""
    found = [row for row, value in enumerate(values) if value not in {INF, None}]
    rows = [row for row in found if mask is None or mask[row]]
    return choose(rows, key=lambda row: values[row]) if rows else None


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("scope", ["vertices", "hyperedges"])
@pytest.mark.parametrize("kind", [Count, Length, Vertex])
@examples(12)
@given(st.data())
def test_searches(kind, scope, masked, data):
    H = data.draw(small_hypergraphs)
    x = data.draw(array(H, kind, scope))
    mask = data.draw(array(H, Flag, scope)) if masked else None
    operands = [x] if mask is None else [x, mask]
    for search, value, choose, nothing in (
        (argmin, min_, min, {Length: INF, Count: 0, Vertex: None}[kind]),
        (argmax, max_, max, {Length: 0, Count: 0, Vertex: None}[kind]),
    ):
        row = best_of(x.values, mask and mask.values, choose)
        best = nothing if row is None else x.values[row]
        assert computed(H, lambda *o, s=search: s(*o)[0], *operands) == (None if row is None else row + 1)
        assert computed(H, lambda *o, s=search: s(*o)[1], *operands) == best
        assert computed(H, lambda *o, v=value: v(*o), *operands) == best


def test_argmin_takes_the_lowest_of_equal_ones():
    H = Hypergraph.from_hyperedges([[1]] * 4)
    x = Operand(Length, [3, INF, 2, 2], "hyperedges")
    assert computed(H, lambda x: argmin(x)[0], x) == 3
    assert computed(H, lambda h, x: argmin(x, where=h.hyperedges.number != argmin(x)[0])[0], x) == 4
    assert computed(H, lambda x: argmin(x, where=x == INFINITY)[0], x) is None
    assert computed(H, lambda x: argmin(x, where=x == INFINITY)[1], x) == INF
    assert computed(H, lambda x: argmax(x)[0], x) == 1


@pytest.mark.parametrize("scope", ["vertices", "hyperedges"])
@FEW
@given(st.data())
def test_first_any_all(scope, data):
    H = data.draw(small_hypergraphs)
    a = data.draw(array(H, Flag, scope))
    assert computed(H, first, a) == next((n for n, flag in enumerate(a.values, 1) if flag), None)
    assert computed(H, any_, a) == any(a.values)
    assert computed(H, all_, a) == all(a.values)


def test_of_no_rows_all_hold_and_none_does():
    nothing = Hypergraph.from_hyperedges([])
    for scope in ("vertices", "hyperedges"):
        a, x = Operand(Flag, [], scope), Operand(Length, [], scope)
        assert computed(nothing, all_, a) is True
        assert computed(nothing, any_, a) is False
        assert computed(nothing, first, a) is None
        assert computed(nothing, lambda x: argmin(x)[0], x) is None
        assert computed(nothing, min_, x) == INF
        assert computed(nothing, max_, x) == 0


# -- reading and writing at pointers


@pytest.mark.parametrize("kind", [Flag, Count, Length, Vertex, Hyperedge])
@FEW
@given(st.data())
def test_read(kind, data):
    """At one pointer, or through an array of pointers; at none it gives the kind's zero."""
    H = data.draw(small_hypergraphs)
    x = data.draw(array(H, kind, "hyperedges"))
    p = data.draw(operand(H, Hyperedge))

    def meaning(at):
        return kind.zero if at is None else x.values[at - 1]

    assert computed(H, lambda x, p: x[p], x, p) == row_by_row(meaning, H, p)


@FEW
@given(st.data())
def test_write(data):
    """At a pointer; at none it does nothing."""
    H = data.draw(small_hypergraphs)
    x, p = data.draw(array(H, Length, "vertices")), Operand(Vertex, data.draw(pointers(H, Vertex)))
    new = Operand(Length, data.draw(lengths | huge_lengths))

    def expression(h, x, p, new):
        x[p] = new
        return x + 0

    expected = [new.values if row == p.values else value for row, value in enumerate(x.values, 1)]
    assert computed(H, expression, x, p, new) == expected


# -- the incidence


def numbered_members(H):
    return [[H.vertex_number(label) for label in H.members_of(edge)] for edge in H.hyperedges]


@FEW
@given(st.data())
def test_members_and_containing(data):
    H = data.draw(small_hypergraphs)
    members = numbered_members(H)
    e, v = Operand(Hyperedge, data.draw(pointers(H, Hyperedge))), Operand(Vertex, data.draw(pointers(H, Vertex)))
    inside = [] if e.values is None else members[e.values - 1]
    assert computed(H, lambda h, e: h.members(e), e) == [row in inside for row in range(len(H.vertices))]
    assert computed(H, lambda h, v: h.containing(v), v) == [
        v.values is not None and v.values - 1 in each for each in members
    ]


@FEW
@given(st.data())
def test_touching_and_covered(data):
    H = data.draw(small_hypergraphs)
    members = numbered_members(H)
    vs, es = data.draw(array(H, Flag, "vertices")), data.draw(array(H, Flag, "hyperedges"))
    assert computed(H, lambda h, vs: h.touching(vs), vs) == [any(vs.values[v] for v in each) for each in members]
    assert computed(H, lambda h, es: h.covered(es), es) == [
        any(chosen and v in each for chosen, each in zip(es.values, members, strict=True))
        for v in range(len(H.vertices))
    ]


@pytest.mark.parametrize("kind", [Flag, Count])
@FEW
@given(st.data())
def test_products_with_the_incidence(kind, data):
    H = data.draw(small_hypergraphs)
    members = numbered_members(H)
    x, y = (data.draw(array(H, kind, scope)) for scope in ("hyperedges", "vertices"))
    assert computed(H, lambda h, x: h.incidence @ x, x) == [
        sum(value for value, each in zip(x.values, members, strict=True) if v in each) for v in range(len(H.vertices))
    ]
    assert computed(H, lambda h, y: h.incidence.T @ y, y) == [sum(y.values[v] for v in each) for each in members]


@FEW
@given(small_hypergraphs)
def test_products_of_lengths(H):
    members, weights = numbered_members(H), H.integer_weights()[0]
    near = [sum(w for w, each in zip(weights, members, strict=True) if v in each) for v in range(len(H.vertices))]
    assert computed(H, lambda h: h.incidence @ h.weight) == near
    assert computed(H, lambda h: h.incidence.T @ (h.incidence @ h.weight)) == [
        sum(near[v] for v in each) for each in members
    ]


# -- statements -----------------------------------------------------------------------------------------------------

PAIR = Hypergraph.from_hyperedges([["a", "b"]])


def outputs(function, H=PAIR, **inputs):
    result = hyloop.run(algorithm(function), H, **inputs)
    return {**result.vertices, **result.hyperedges, **result.scalars}


def steps(function, H=PAIR, inputs=None):
    return list(interpret(algorithm(function).program, H, inputs or {}))


def test_statements_run_in_order_and_see_each_other():
    def f(h):
        x, y, z = (h.state(Count, 0) for _ in range(3))
        with h.loop(at_most=1) as loop:
            old = x + 0
            x.assign(x + 1)
            y.assign(x)
            z.assign(old)
            loop.stop_when(True)
        return Outputs(x=x, y=y, z=z)

    assert outputs(f) == {"x": 1, "y": 1, "z": 0}


def test_statements_after_a_firing_stop_take_no_effect_and_those_before_do():
    def f(h):
        before, after, between = (h.state(Count, 0) for _ in range(3))
        with h.loop(at_most=9) as loop:
            before.assign(before + 1)
            loop.stop_when(before == 3)
            between.assign(between + 1)
            loop.stop_when(before == 5)
            after.assign(after + 1)
        return Outputs(before=before, between=between, after=after)

    assert outputs(f) == {"before": 3, "between": 2, "after": 2}


def test_the_second_stop_fires_too():
    def f(h):
        before, after, between = (h.state(Count, 0) for _ in range(3))
        with h.loop(at_most=9) as loop:
            before.assign(before + 1)
            loop.stop_when(before == 5)
            between.assign(between + 1)
            loop.stop_when(before == 3)
            after.assign(after + 1)
        return Outputs(before=before, between=between, after=after)

    assert outputs(f) == {"before": 3, "between": 3, "after": 2}


def test_a_stop_inside_when_fires_only_there_and_holds_after_it():
    def f(h, stop: Flag):
        inside, outside = h.state(Count, 0), h.state(Count, 0)
        with h.loop(at_most=2) as loop:
            with when(stop):
                loop.stop_when(True)
                inside.assign(7)
            outside.assign(outside + 1)
            loop.stop_when(outside == 2)
        return Outputs(inside=inside, outside=outside)

    assert outputs(f, stop=True) == {"inside": 0, "outside": 0}
    assert outputs(f, stop=False) == {"inside": 0, "outside": 2}


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_when_masks_every_assignment_and_nests(a, b):
    def f(h, a: Flag, b: Flag):
        outer, inner, beside, entry = (
            h.state(Count, 0),
            h.state(Count, 0),
            h.state(Count, 0),
            h.vertices.state(Count, 0),
        )
        with h.loop(at_most=1) as loop:
            with when(a):
                outer.assign(1)
                with when(b):
                    inner.assign(1)
                    entry[h.vertices.first] = 1
                entry.assign(entry + 2, where=h.vertices.number == h.vertices.first + 1)
            beside.assign(1)
            loop.stop_when(True)
        return Outputs(outer=outer, inner=inner, beside=beside, entry=entry)

    both = int(a and b)
    assert outputs(f, a=a, b=b) == {"outer": int(a), "inner": both, "beside": 1, "entry": (both, 2 * int(a))}


def test_when_over_rows_masks_row_by_row():
    def f(h):
        x = h.vertices.state(Count, 0)
        with h.loop(at_most=1) as loop:
            with when(h.vertices.number == h.vertices.first):
                x.assign(5)
            loop.stop_when(True)
        return Outputs(x=x)

    assert outputs(f) == {"x": (5, 0)}


def test_when_means_the_flag_as_it_was_on_entering():
    def f(h):
        a, x = h.state(Flag, True), h.state(Count, 0)
        with h.loop(at_most=1) as loop:
            with when(a):
                a.assign(False)
                x.assign(1)
            loop.stop_when(True)
        return Outputs(a=a, x=x)

    assert outputs(f) == {"a": False, "x": 1}


def test_statements_before_the_loop_are_the_first_iteration():
    def f(h):
        x = h.state(Count, 0)
        x.assign(x + 1)
        x.assign(x + 1)
        with h.loop(at_most=3) as loop:
            loop.stop_when(x == 4)
            x.assign(x + 1)
        return Outputs(x=x)

    seen = steps(f)
    assert [(step.iteration, step.section, int(step.states["x"]), step.halted) for step in seen] == [
        (1, "before", 2, False),
        (2, "body", 3, False),
        (3, "body", 4, False),
        (4, "body", 4, True),
    ]


def test_without_statements_before_the_loop_its_own_are_the_first():
    def f(h):
        x = h.state(Count, 0)
        with h.loop(at_most=1) as loop:
            x.assign(x + 1)
            loop.stop_when(True)
        return Outputs(x=x)

    assert [(step.iteration, step.section) for step in steps(f)] == [(1, "body")]


@pytest.mark.parametrize(("needed", "enough"), [(3, True), (4, False)])
def test_more_iterations_than_declared_are_an_error(needed, enough):
    """`at_most` bounds the iterations after the first, which the statements before the loop are."""

    def f(h, needed: Count):
        x = h.state(Count, 0)
        x.assign(0)
        with h.loop(at_most=3) as loop:
            x.assign(x + 1)
            loop.stop_when(x == needed)
        return Outputs(x=x)

    if enough:
        assert outputs(f, needed=needed) == {"x": needed}
    else:
        with pytest.raises(HyloopError, match=r"f did not stop within the 4 iterations that it declares \(`at_most`\)"):
            outputs(f, needed=needed)


def test_every_step_has_every_state_and_local():
    def f(h, source: Vertex):
        seen = h.vertices.state(Flag, False)
        seen[source] = True
        with h.loop(at_most=h.vertices.count) as loop:
            fresh = h.covered(h.touching(seen)) & ~seen
            loop.stop_when(~any_(fresh))
            seen.assign(True, where=fresh)
        return Outputs(seen=seen)

    program = algorithm(f).program
    path = Hypergraph.from_hyperedges([[1, 2], [2, 3]])
    seen = list(interpret(program, path, {"source": 1}))
    assert [list(step.states["seen"]) for step in seen] == [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 1, 1]]
    number = next(number for number, op in enumerate(program.body.ops) if op.label == "fresh")
    assert [list(step.values[number]) for step in seen[1:]] == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert [step.halted for step in seen] == [False, False, False, True]


def test_a_step_is_not_changed_by_the_next():
    def f(h):
        x = h.vertices.state(Count, 0)
        with h.loop(at_most=3) as loop:
            x.assign(x + 1)
            x[h.vertices.first] = 0
            loop.stop_when(max_(x) == 3)
        return Outputs(x=x)

    assert [list(step.states["x"]) for step in steps(f)] == [[0, 1], [0, 2], [0, 3]]


# -- exact integers of any size


@pytest.mark.parametrize(
    "weight", [2**53 + 1, 2**61, 2**62 + 1, 2**63 - 1, 2**63 + 1, 2**64 - 1, 2**64 + 1, 10**40 + 1]
)
def test_one_huge_length_stays_exact_under_when(weight):
    def f(h):
        heaviest, gap, sum_ = (h.state(Length, 0) for _ in range(3))
        with h.loop(at_most=1) as loop:
            with when(any_(h.vertices.every)):
                heaviest.assign(max_(h.weight))
                gap.assign(max_(h.weight) - min_(h.weight))
                sum_.assign(heaviest + heaviest)
            loop.stop_when(True)
        return Outputs(heaviest=heaviest, gap=gap, sum=sum_)

    H = Hypergraph.from_hyperedges([[1, 2], [2]], [weight, 1])
    assert outputs(f, H) == {"heaviest": weight, "gap": weight - 1, "sum": 2 * weight}


def test_many_times_infinity_is_infinity():
    def f(h):
        far, one = h.vertices.state(Length, INFINITY), h.state(Length, 0)
        with h.loop(at_most=1) as loop:
            one.assign(4 * far[h.vertices.first])
            far.assign(4 * far)
            loop.stop_when(True)
        return Outputs(far=far, one=one)

    assert outputs(f) == {"far": (None, None), "one": None}


def test_counts_that_double_are_exact_or_refused_but_never_wrong():
    def f(h):
        many, one, n = h.vertices.state(Count, 1), h.state(Count, 1), h.state(Count, 0)
        with h.loop(at_most=101) as loop:
            loop.stop_when(n == 100)
            n.assign(n + 1)
            many.assign(many + many)
            one.assign(one + one)
        return Outputs(many=many, one=one)

    try:
        found = outputs(f)
    except HyloopError:
        return
    assert found == {"many": (2**100, 2**100), "one": 2**100}


def test_lengths_that_double_are_exact_or_refused_but_never_infinite():
    def f(h):
        x, n = h.hyperedges.state(Length, 0), h.state(Count, 0)
        x.assign(h.weight)
        with h.loop(at_most=101) as loop:
            loop.stop_when(n == 100)
            n.assign(n + 1)
            x.assign(x + x)
        return Outputs(x=x)

    try:
        found = outputs(f)
    except HyloopError:
        return
    assert found == {"x": (2**100,)}


def test_huge_constants_are_exact_or_refused_but_never_wrong():
    def f(h):
        counted, long = h.vertices.state(Count, 2**62), h.hyperedges.state(Length, 0)
        with h.loop(at_most=1) as loop:
            counted.assign(counted + counted)
            long.assign(2**61 * h.weight)
            loop.stop_when(True)
        return Outputs(counted=counted, long=long)

    try:
        found = outputs(f)
    except HyloopError:
        return
    assert found == {"counted": (2**63, 2**63), "long": (2**61,)}


def test_nothing_can_stop_the_loop_after_it():
    def f(h):
        x = h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            loop.stop_when(x == 2)
            x.assign(x + 1)
        loop.stop_when(True)
        return Outputs(x=x)

    with pytest.raises(HyloopError, match="after the loop"):
        outputs(f)


# -- sums -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vertices", range(5))
def test_sums_of_an_array(vertices):
    H = Hypergraph.from_hyperedges({}, vertices=range(vertices))
    counts = [7, 0, 3, HUGE, 1][:vertices]
    assert computed(H, lambda x: sum_(x) + 0, Operand(Count, counts, "vertices")) == sum(counts)
    finite = Operand(Length, [each or INF for each in counts], "vertices")
    assert computed(H, lambda x: sum_(where(x < INFINITY, x, 0)), finite) == sum(counts)
    assert computed(H, lambda x: sum_(x > 1), Operand(Count, counts, "vertices")) == sum(each > 1 for each in counts)


def test_python_adds_up_lists():
    two = Operand(Count, 3), Operand(Count, 4)
    assert computed(Hypergraph.from_hyperedges({}), lambda a, b: sum_([a, b, a]), *two) == 10
