"""Random programs in the language: every operation, on every type, in any order; and random inputs for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hyloop import lang
from hyloop.hypergraph import Hypergraph
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    Hyperedges,
    LanguageError,
    Length,
    Outputs,
    Vertex,
    Vertices,
    algorithm,
    all,
    any,
    argmax,
    argmin,
    at_most,
    first,
    larger,
    max,
    min,
    smaller,
    when,
    where,
)
from hyloop.lang.kinds import POINTER_TO, Kind, Scope, Type
from hyloop.lang.program import Program

KINDS = (Flag, Count, Length, Vertex, Hyperedge)
ARRAYS = (Scope.VERTICES, Scope.HYPEREDGES)
ITERATIONS = 4  # of the loop, at most


@dataclass(frozen=True)
class Step:
    """An operation by its number, which of the fitting values it takes, a small constant, and what happens then."""

    op: int
    a: int
    b: int
    c: int
    constant: int
    then: int


def number(t: Type) -> bool:
    return t.kind.is_number


def flag(t: Type) -> bool:
    return t.kind is Kind.FLAG


def pointer(t: Type) -> bool:
    return t.kind.is_pointer


def array(t: Type) -> bool:
    return t.scope is not Scope.SCALAR


def over(kind: Kind, scope: Scope) -> Callable[[Type], bool]:
    return lambda t: t == Type(kind, scope)


def like(wanted: Type, given: Type) -> bool:
    """Whether both go together: one kind, and scopes that are the same or one value for all rows."""
    return wanted.kind is given.kind and fits(wanted, given)


def fits(wanted: Type, given: Type) -> bool:
    return given.scope in {wanted.scope, Scope.SCALAR} or wanted.scope is Scope.SCALAR


def masks(wanted: Type, given: Type) -> bool:
    return given == Type(Kind.FLAG, wanted.scope)


def points_into(wanted: Type, given: Type) -> bool:
    return given.kind is POINTER_TO[wanted.scope]


def side(h, n):
    """The tails or the heads."""
    return h.tails if n % 2 else h.heads


# For each operation: what its first operand is; what the second is beside the first, and the third; what it does.
OPS = (
    (number, like, None, lambda h, a, b, c, n: a + b),
    (number, like, None, lambda h, a, b, c, n: a - b),
    (number, None, None, lambda h, a, b, c, n: a * n),
    (number, None, None, lambda h, a, b, c, n: a + n),
    (number, None, None, lambda h, a, b, c, n: a - n),
    (number, None, None, lambda h, a, b, c, n: n - a),
    (number, like, None, lambda h, a, b, c, n: smaller(a, b)),
    (number, like, None, lambda h, a, b, c, n: larger(a, b)),
    (flag, None, None, lambda h, a, b, c, n: larger(n, a)),
    (number, like, None, lambda h, a, b, c, n: a < b),
    (number, like, None, lambda h, a, b, c, n: a <= b),
    (number, None, None, lambda h, a, b, c, n: a < n),
    (number, None, None, lambda h, a, b, c, n: a == n),
    (None, like, None, lambda h, a, b, c, n: a == b),
    (None, like, None, lambda h, a, b, c, n: a != b),
    (pointer, like, None, lambda h, a, b, c, n: a < b),
    (pointer, like, None, lambda h, a, b, c, n: a >= b),
    (pointer, None, None, lambda h, a, b, c, n: a + 1),
    (pointer, None, None, lambda h, a, b, c, n: a.is_none),
    (pointer, None, None, lambda h, a, b, c, n: a.exists),
    (flag, like, None, lambda h, a, b, c, n: a & b),
    (flag, like, None, lambda h, a, b, c, n: a | b),
    (flag, None, None, lambda h, a, b, c, n: ~a),
    (flag, None, None, lambda h, a, b, c, n: a + n),
    (None, like, "mask", lambda h, a, b, c, n: where(c, a, b)),
    (lambda t: t.kind is Kind.LENGTH, None, "mask", lambda h, a, b, c, n: where(c, a, INFINITY)),
    (array, points_into, None, lambda h, a, b, c, n: a[b]),
    (array, points_into, None, lambda h, a, b, c, n: a[b]),
    (lambda t: array(t) and number(t), None, None, lambda h, a, b, c, n: argmin(a)[0]),
    (lambda t: array(t) and number(t), None, None, lambda h, a, b, c, n: min(a)),
    (lambda t: array(t) and number(t), masks, None, lambda h, a, b, c, n: argmin(a, where=b)[0]),
    (lambda t: array(t) and number(t), masks, None, lambda h, a, b, c, n: min(a, where=b)),
    (lambda t: array(t) and number(t), None, None, lambda h, a, b, c, n: argmax(a)[0]),
    (lambda t: array(t) and number(t), None, None, lambda h, a, b, c, n: max(a)),
    (lambda t: array(t) and number(t), masks, None, lambda h, a, b, c, n: argmax(a, where=b)[0]),
    (lambda t: array(t) and number(t), masks, None, lambda h, a, b, c, n: max(a, where=b)),
    (lambda t: array(t) and flag(t), None, None, lambda h, a, b, c, n: first(a)),
    (lambda t: array(t) and flag(t), None, None, lambda h, a, b, c, n: any(a)),
    (lambda t: array(t) and flag(t), None, None, lambda h, a, b, c, n: all(a)),
    (over(Kind.HYPEREDGE, Scope.SCALAR), None, None, lambda h, a, b, c, n: h.members(a)),
    (over(Kind.VERTEX, Scope.SCALAR), None, None, lambda h, a, b, c, n: h.containing(a)),
    (over(Kind.FLAG, Scope.VERTICES), None, None, lambda h, a, b, c, n: h.touching(a)),
    (over(Kind.FLAG, Scope.HYPEREDGES), None, None, lambda h, a, b, c, n: h.covered(a)),
    (
        lambda t: t.scope is Scope.HYPEREDGES and (number(t) or flag(t)),
        None,
        None,
        lambda h, a, b, c, n: h.incidence @ a,
    ),
    (
        lambda t: t.scope is Scope.VERTICES and (number(t) or flag(t)),
        None,
        None,
        lambda h, a, b, c, n: h.incidence.T @ a,
    ),
    (over(Kind.HYPEREDGE, Scope.SCALAR), None, None, lambda h, a, b, c, n: side(h, n).members(a)),
    (over(Kind.VERTEX, Scope.SCALAR), None, None, lambda h, a, b, c, n: side(h, n).containing(a)),
    (over(Kind.FLAG, Scope.VERTICES), None, None, lambda h, a, b, c, n: side(h, n).touching(a)),
    (over(Kind.FLAG, Scope.VERTICES), None, None, lambda h, a, b, c, n: side(h, n).within(a)),
    (over(Kind.FLAG, Scope.HYPEREDGES), None, None, lambda h, a, b, c, n: side(h, n).covered(a)),
    (
        lambda t: t.scope is Scope.HYPEREDGES and (number(t) or flag(t)),
        None,
        None,
        lambda h, a, b, c, n: side(h, n) @ a,
    ),
    (
        lambda t: t.scope is Scope.VERTICES and (number(t) or flag(t)),
        None,
        None,
        lambda h, a, b, c, n: side(h, n).T @ a,
    ),
    (number, fits, None, lambda h, a, b, c, n: a * b),
    (number, like, None, lambda h, a, b, c, n: a // b),
    (number, like, None, lambda h, a, b, c, n: a % b),
    (number, None, None, lambda h, a, b, c, n: a // (n + 1)),
    (number, None, None, lambda h, a, b, c, n: n % a),
    (pointer, None, None, lambda h, a, b, c, n: a - 1),
    (pointer, None, None, lambda h, a, b, c, n: lang.number(a)),
    (lambda t: array(t) and pointer(t), masks, None, lambda h, a, b, c, n: min(a, where=b)),
    (lambda t: array(t) and pointer(t), None, None, lambda h, a, b, c, n: argmax(a)[0]),
    (lambda t: array(t) and (number(t) or flag(t)), None, None, lambda h, a, b, c, n: lang.sum(a)),
    # New operations go here, at the end: see SEEDED.
)
SEEDED = 45  # operations, the first ones: what seeds are drawn from, so that a seed always gives the same program


def drawn(seed: int, length: int, *, every: bool = False) -> list[Step]:
    """Random steps; with `every`, also those that have come since there are tests with seeds."""
    draw, ops = random.Random(seed), len(OPS) if every else SEEDED
    return [
        Step(draw.randrange(ops), *(draw.randrange(100) for _ in range(3)), draw.randrange(4), draw.randrange(60))
        for _ in range(length)
    ]


def program_of(steps: Sequence[Step], *, before: int = 0, infinite: bool = True, arrays: bool = False) -> Program:
    """The program that takes these steps, `before` of them before the loop. Steps that do not fit are left out.

    With `arrays`, there are inputs over vertices and hyperedges beside the single ones.
    """

    def taken(h, *inputs):
        initial = {Flag: False, Count: 0, Length: 0}
        states = [rows.state(kind, initial.get(kind)) for rows in (h, h.vertices, h.hyperedges) for kind in KINDS]
        if infinite:
            states += [rows.state(Length, INFINITY) for rows in (h, h.vertices, h.hyperedges)]
        states += [h.vertices.state(Flag, True), h.hyperedges.state(Count, 2)]
        clock = h.state(Count, 0)
        leaves = [*inputs, *states]
        if before:
            _take(h, steps[:before], leaves, states, None)
        with h.loop(at_most=ITERATIONS) as loop:
            numbers = [h.weight, h.vertices.number, h.hyperedges.number, h.vertices.every, h.hyperedges.every]
            _take(h, steps[before:], [*leaves, *numbers], states, loop)
            loop.stop_when(clock == ITERATIONS - 1)
            clock.assign(clock + 1)
        return Outputs(**{f"output_{place}": state for place, state in enumerate(states)})

    def example(h, v: Vertex, e: Hyperedge, k: at_most(Count, 5), d: Length, yes: Flag):
        return taken(h, v, e, k, d, yes)

    def arrayed(
        h,
        v: Vertex,
        e: Hyperedge,
        start: Vertices[Flag],
        load: Hyperedges[at_most(Count, 5)],
        toll: Vertices[Length],
        to: Hyperedges[Vertex],
        many: Vertices[Count],
    ):
        return taken(h, v, e, start, load, toll, to, many)

    return algorithm(arrayed if arrays else example).program


def _take(h, steps, pool, states, loop):
    pool = list(pool)
    if loop is not None:
        pool += [h.vertices.count + 0 * states[1]]
    for step in steps:
        try:
            value = _value(h, step, pool)
        except LanguageError:
            continue
        if value is None:
            continue
        pool.append(value)
        _keep(value, step, pool, states, loop)


def _value(h, step, pool):
    wanted, beside, third, work = OPS[step.op % len(OPS)]
    a = _chosen(pool, step.a, wanted or (lambda _: True))
    b = None if a is None or beside is None else _chosen(pool, step.b, lambda t: beside(a.type, t))
    if a is None or (beside is not None and b is None):
        return None
    scopes = {each.type.scope for each in (a, b) if each is not None}
    c = _chosen(
        pool, step.c, lambda t: flag(t) and (not (scopes - {Scope.SCALAR}) or t.scope in scopes | {Scope.SCALAR})
    )
    return work(h, a, b, c if third else None, step.constant)


def _chosen(pool, number, wanted):
    fitting = [each for each in pool if wanted(each.type)]
    # Late values are likelier: programs get deep.
    return fitting[-1 - number % len(fitting)] if fitting else None


def _keep(value, step, pool, states, loop):
    """Assign the value to a state that it fits, in one of several ways; or stop when it holds."""
    then = step.then
    if loop is not None and value.type == Type(Kind.FLAG) and then % 11 == 0:
        loop.stop_when(value)
        return
    fitting = [
        each for each in states if like(each.type, value.type) and value.type.scope in {each.type.scope, Scope.SCALAR}
    ]
    if not fitting or then % 3 == 0:
        return
    state = fitting[(then // 3) % len(fitting)]
    scalar_flags = [each for each in pool if each.type == Type(Kind.FLAG)]
    masks_ = [each for each in pool if flag(each.type) and each.type.scope is state.type.scope]
    pointers = [each for each in pool if array(state.type) and each.type == Type(POINTER_TO[state.type.scope])]
    way = (then // 7) % 4
    try:
        if way == 0:
            state.assign(value)
        elif way == 1 and masks_:
            state.assign(value, where=masks_[-1 - step.c % len(masks_)])
        elif way == 2 and pointers and value.type.scope is Scope.SCALAR:
            state[pointers[-1 - step.c % len(pointers)]] = value
        else:
            with (
                when(scalar_flags[-1 - step.c % len(scalar_flags)]),
                when(scalar_flags[-1 - step.b % len(scalar_flags)]),
            ):
                state.assign(value)
    except LanguageError:
        return


def inputs_for(h: Hypergraph, draw: random.Random) -> dict | None:
    """Inputs of such a program on a hypergraph; None where it has no vertex or no hyperedge to name."""
    if not h.vertices or not h.hyperedges:
        return None
    return {
        "v": draw.choice(h.vertices),
        "e": draw.choice(h.hyperedges),
        "k": draw.randrange(6),
        "d": draw.choice(h.weights) * draw.randrange(3),
        "yes": draw.random() < 0.5,
    }


def array_inputs_for(h: Hypergraph, draw: random.Random) -> dict | None:
    """The same for a program with arrays."""
    if not h.vertices or not h.hyperedges:
        return None
    return {
        "v": draw.choice(h.vertices),
        "e": draw.choice(h.hyperedges),
        "start": {vertex for vertex in h.vertices if draw.random() < 0.5},
        "load": [draw.randrange(6) for _ in h.hyperedges],
        "toll": {vertex: draw.choice(h.weights) * draw.randrange(3) / 2 for vertex in h.vertices},
        "to": [draw.choice([None, *h.vertices]) for _ in h.hyperedges],
        "many": [draw.choice([0, 1, 9]) for _ in h.vertices],
    }
