"""The one analysis of bounds: what it says of states and values, and that nothing it speaks of is forgotten."""

import pytest

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import CapacityError
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    LanguageError,
    Length,
    Outputs,
    Vertex,
    algorithm,
    any,
    at_most,
    larger,
    max,
    otherwise,
    smaller,
    when,
    where,
)
from hyloop.lang import bounds as bounds_module
from hyloop.lang.bounds import Limits, bounds_of, input_bound, limits_of
from hyloop.lang.kinds import Kind, Type
from hyloop.lang.ops import OPERATIONS
from hyloop.lang.program import Input
from hyloop.prove import prove

ROWS, WEIGHT = 10, 7


def found(function):
    program = algorithm(function).program
    return bounds_of(program, limits_of(program, ROWS, WEIGHT))


def counting(h):
    x = h.state(Count, 4)
    with h.loop(at_most=h.vertices.count) as loop:
        x.assign(x + 3)
        loop.stop_when(x > 9)
    return Outputs(x=x)


def test_a_state_grows_by_a_line():
    bounds = found(counting)
    a, b = bounds.states["x"]
    assert b == 3
    assert bounds.iterations == ROWS
    # After t iterations the state is 4 + 3t.
    assert all(4 + 3 * t <= a + b * t for t in range(bounds.iterations + 1))


def kept_small(h):
    x, y, z = h.state(Count, 1), h.state(Count, 0), h.state(Count, 2)
    with h.loop(at_most=h.vertices.count) as loop:
        x.assign(smaller(x + x, 50))
        y.assign(larger(x + 1, y))
        z.assign(smaller(z + 1, 10**9))
        loop.stop_when(x == 50)
    return Outputs(x=x, y=y, z=z)


def test_a_state_that_is_kept_small_has_a_bound():
    """Also one that follows from it. One that grows slowly has the bound of its growth, if that is less."""
    bounds = found(kept_small)
    assert bounds.states["x"] == (50, 0)
    assert bounds.states["y"] == (51, 0)
    assert bounds.at_end(bounds.states["z"]) <= 2 + ROWS + 3


CLAMPS = [
    "where(y < 50, y, 50)",
    "where(y <= 50, y, 50)",
    "where(50 < y, 50, y)",
    "where(y > 50, 50, y)",
    "where(y >= 50, 50, y)",
    "where(~(y < 50), 50, y)",
    "where((x > 3) & (y < 50), y, 50)",
    "where((x > 3) | ~(y < 50), 50, y)",
    "where(y == 50, y, 7)",
    "where(y != 50, 50, y)",
]
NO_CLAMPS = [
    "where(y > 50, y, 50)",
    "where(x < 50, y, 50)",
    "where((x > 3) | (y < 50), y, 50)",
    "where((x > 3) & ~(y < 50), 50, y)",
    "where(y != 50, y, 50)",
    "where(y < x + x, y, 50)",
]


def clamped(expression):
    """x doubles, as far as the expression lets it."""

    def doubling(h):
        x = h.state(Count, 1)
        with h.loop(at_most=h.vertices.count) as loop:
            loop.stop_when(x > 40)
            y = x + x
            x.assign(eval(expression, {"x": x, "y": y, "where": where}))  # noqa: S307  (ours, from the lists above)
        return Outputs(x=x)

    return doubling


@pytest.mark.parametrize("expression", CLAMPS)
def test_a_comparison_with_a_branch_is_a_clamp(expression):
    assert found(clamped(expression)).states["x"] == (50, 0)


@pytest.mark.parametrize("expression", NO_CLAMPS)
def test_another_comparison_is_none(expression):
    with pytest.raises(LanguageError, match="has no bound"):
        found(clamped(expression))


def assigned_below(h):
    x = h.vertices.state(Count, 1)
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(any(x == 64))
        x.assign(x + x, where=x + x <= 100)
    return Outputs(x=x)


def clamped_lengths(h, d: Length):
    x, far = h.hyperedges.state(Length, 0), h.hyperedges.state(Length, INFINITY)
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(any(x == d))
        y = x + x + h.weight
        x.assign(where(y < d, y, d))
        far.assign(where(far <= y, far, y))
    return Outputs(x=x, far=far)


def test_a_clamp_in_an_assignment_and_of_lengths():
    assert found(assigned_below).states["x"] == (100, 0)
    bounds = found(clamped_lengths)
    assert bounds.states["x"] == (WEIGHT, 0)
    assert bounds.states["far"] == (3 * WEIGHT, 0)


def beside_infinity(h):
    far, x = h.state(Length, INFINITY), h.state(Length, 0)
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(x > far)
        y = x + x + max(h.weight)
        x.assign(where(y < far, y, far))
    return Outputs(x=x)


def test_what_may_be_infinite_clamps_nothing():
    with pytest.raises(LanguageError, match="has no bound"):
        found(beside_infinity)


@pytest.mark.parametrize("function", [clamped("where(50 < y, 50, y)"), assigned_below, clamped_lengths])
def test_what_is_clamped_compiles_and_is_proved(function):
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c", "d", "e", "f", "g"]], weights=[2, 3])
    model = hyloop.compile(algorithm(function))
    inputs = {"d": 7} if function is clamped_lengths else {}
    assert hyloop.check(model, h, **inputs).difference is None
    assert prove(model).answer == "proved"


def test_a_bound_that_is_missing_is_told_at_the_assignment():
    with pytest.raises(LanguageError) as caught:
        found(clamped("y"))
    assert caught.value.message == (
        "x has no bound: it may grow faster with every iteration, so no number format is sure to hold it. Instead of "
        "the value, assign `smaller(value, c)` here, with a number c that it never needs to exceed."
    )
    assert caught.value.location.text.strip().startswith("x.assign(")


# What happens to x in an iteration, line by line, below a `stop_when`: each keeps it at 50 or less.
OVERWRITTEN = {
    "at once": ["x.assign(x + x)", "x.assign(smaller(x, 50))"],
    "under a condition": ["with when(f):", "    x.assign(x + x)", "    x.assign(smaller(x, 50))"],
    "by a number": ["with when(f):", "    x.assign(3 * x)", "    y.assign(smaller(x, 7))", "    x.assign(7)"],
    "by one more condition": [
        "with when(f):",
        "    x.assign(3 * x)",
        "    with when(g):",
        "        x.assign(x - 1)",
        "    x.assign(smaller(x, 50))",
    ],
    "where the mask is wider": ["x.assign(x + x, where=f & g)", "x.assign(smaller(x, 50), where=f)"],
    "where either mask holds": ["x.assign(x + x, where=f)", "x.assign(smaller(x, 50), where=g | f)"],
    "on both sides": [
        "with when(f):",
        "    x.assign(x + x)",
        "with otherwise():",
        "    x.assign(3 * x)",
        "with when(f):",
        "    x.assign(smaller(x, 10))",
        "with otherwise():",
        "    x.assign(smaller(x, 50))",
    ],
    "where it is too large": ["x.assign(x + x)", "x.assign(50, where=x > 50)"],
    "where both hold": ["with when(f):", "    x.assign(x + x)", "    with when(x > 50):", "        x.assign(50)"],
}


def overwriting(lines, loop, state="h"):
    """A program that runs these lines in each iteration, from a file's text."""
    states = f"{state}.state(Count, 1), {state}.state(Count, 0), h.state(Count, 0)"
    head = ["def doubled(h, f: Flag, g: Flag):", f"    x, y, c = {states}"]
    body = [f"    {line}" for line in loop] + [f"        {line}" for line in lines]
    names = {name: getattr(hyloop.lang, name) for name in ("Count", "Flag", "Outputs", "otherwise", "smaller", "when")}
    exec("\n".join([*head, *body, "    return Outputs(x=x)"]), names)
    return names["doubled"]


PLAIN = ["with h.loop(at_most=20) as loop:", "    c.assign(c + 1)", "    loop.stop_when(c > 9)"]
EACH = ["with h.vertices.each() as v:"]


@pytest.mark.parametrize("loop", [PLAIN, EACH], ids=["loop", "each"])
@pytest.mark.parametrize("state", ["h", "h.hyperedges"])
@pytest.mark.parametrize("how", OVERWRITTEN)
def test_what_is_overwritten_under_the_same_mask_has_no_part_in_the_bound(how, loop, state):
    bounds = found(overwriting(OVERWRITTEN[how], loop, state))
    assert bounds.at_end(bounds.states["x"]) <= 50


@pytest.mark.parametrize("how", ["by one more condition", "where both hold", "on both sides"])
def test_what_is_overwritten_compiles_and_is_proved(how):
    model = hyloop.compile(algorithm(overwriting(OVERWRITTEN[how], EACH)))
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c", "d", "e", "f", "g"]])
    for f, g in ((True, True), (True, False), (False, True)):
        assert hyloop.check(model, h, f=f, g=g).difference is None
    assert prove(model).answer == "proved"


def overwritten_infinity(h, f: Flag):
    far, near = h.vertices.state(Length, 0), h.hyperedges.state(Length, 0)
    with h.loop(at_most=2) as loop:
        with when(f):
            far.assign(INFINITY)
            far.assign(0)
        near.assign(h.incidence.T @ far)
        loop.stop_when(f)
    return Outputs(near=near)


def test_an_infinity_that_is_overwritten_is_none():
    """It can be added up, and the solver bounds the sum."""
    assert found(overwritten_infinity).infinite_states == set()
    assert prove(hyloop.compile(algorithm(overwritten_infinity))).answer == "proved"


GROWING = {
    "before a clamp that does not always follow": (
        ["with when(f):", "    x.assign(x + x)", "with when(g):", "    x.assign(smaller(x, 50))"],
        "x.assign(x + x)",
    ),
    "not what follows from it": (["y.assign(3 * x)", "x.assign(x + x)", "y.assign(y + 1)"], "x.assign(x + x)"),
    "through another": (["y.assign(x)", "x.assign(y + y)"], "x.assign(y + y)"),
    "not what is taken from it": (
        ["with when(f):", "    x.assign(3 * x)", "x.assign(x - 1)", "x.assign(smaller(x, 9), where=f)"],
        "x.assign(3 * x)",
    ),
    "one of two": (["x.assign(x + x)", "y.assign(y + y + 1)"], "x.assign(x + x)"),
    "an earlier line": (["z = x + x", "with when(f):", "    x.assign(z)"], "x.assign(z)"),
}


@pytest.mark.parametrize("how", GROWING)
def test_the_assignment_that_is_told_is_the_one_that_grows(how):
    lines, grows = GROWING[how]
    function = overwriting(lines, PLAIN)
    with pytest.raises(LanguageError, match="x has no bound") as caught:
        hyloop.compile(algorithm(function))
    first = 2 + len(PLAIN)  # lines before those of the loop
    assert [line.strip() for line in lines][caught.value.location.line - first - 1] == grows


def congruence(step, first=1):
    def modulo(h, m: at_most(Count, 30)):
        x, r, c = h.state(Count, first), h.state(Count, 0), h.state(Count, 0)
        with h.loop(at_most=10) as loop:
            c.assign(c + 1)
            r.assign((r + 1) % m)
            x.assign(eval(step, {"x": x, "m": m, "r": r, "h": h}))  # noqa: S307  (ours, from the list below)
            loop.stop_when(c >= 9)
        return Outputs(x=x)

    return modulo


def of_lengths(h, d: Length):
    x = h.hyperedges.state(Length, 0)
    with h.vertices.each():
        x.assign((x + x + h.weight) % d)
    return Outputs(x=x)


@pytest.mark.parametrize("step", ["(x + x) % 30", "(2 * x) % m", "(x + r) % m", "(5 * x + 3) % 30", "x * x * x % m"])
def test_a_remainder_is_below_its_divisor_however_fast_the_dividend_grows(step):
    bounds = found(congruence(step, first=3))
    assert bounds.states["x"] == (29, 0)
    assert found(of_lengths).states["x"] == (WEIGHT - 1, 0)


def test_a_linear_congruence_compiles_and_is_proved():
    model = hyloop.compile(algorithm(congruence("(5 * x + 3 + r) % m")))
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[2, 3])
    assert model.layout.least < 500  # rows: 5 * 29 + 3 + 29 and as many again, at most
    assert hyloop.check(model, h, m=16).difference is None
    assert prove(model).answer == "proved"


def multiplied(h):
    x, y, q, r, s = (h.state(Count, 2) for _ in range(5))
    with h.loop(at_most=h.vertices.count) as loop:
        x.assign(smaller(x * x, 50))
        y.assign(x * h.vertices.count)
        q.assign(y // 7)
        r.assign(y % 7)
        s.assign((s + x) % (x + 1))
        loop.stop_when(x == 50)
    return Outputs(x=x, y=y, q=q, r=r, s=s)


def test_products_quotients_and_remainders_have_bounds():
    bounds = found(multiplied)
    ends = {name: bounds.at_end(line) for name, line in bounds.states.items()}
    assert ends == {"x": 50, "y": 50 * ROWS, "q": 50 * ROWS // 7, "r": 6, "s": 50}


def squared(h):
    x = h.state(Count, 2)
    with h.loop(at_most=h.vertices.count) as loop:
        x.assign(x * x)
        loop.stop_when(x > 9)
    return Outputs(x=x)


def test_a_product_that_grows_without_end_is_refused():
    with pytest.raises(LanguageError, match=r"test_bounds.py:\d+: this product has no bound") as caught:
        found(squared)
    assert "x * x" in str(caught.value)


def nearest(h):
    near = h.hyperedges.state(Length, INFINITY)
    far = h.hyperedges.state(Length, INFINITY)
    clock = h.state(Count, 0)
    with h.loop(at_most=2) as loop:
        near.assign(smaller(near, h.weight))
        far.assign(larger(smaller(far, near), 0))
        clock.assign(clock + 1)
        loop.stop_when(clock > 1)
    return Outputs(near=near, far=far)


def test_what_is_smaller_than_something_infinite_has_the_bound_of_the_other():
    """The finite values of `near` are weights, although none is known at first."""
    bounds = found(nearest)
    assert bounds.states["near"] == (WEIGHT, 0)
    assert bounds.infinite_states == {"near", "far"}


def test_a_doubled_number_compiles_if_it_is_kept_small():
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c", "d", "e", "f", "g"]])
    model = hyloop.compile(algorithm(kept_small))
    assert hyloop.run(model, h)["x"] == 50
    assert hyloop.check(model, h).difference is None


def own_number_at_a_pointer(h, v: Vertex):
    p, q = h.state(Vertex), h.state(Vertex)
    with h.loop(at_most=1) as loop:
        q.assign(h.vertices.number[p])
        loop.stop_when(v.exists)
    return Outputs(q=q)


def test_a_rows_own_number_at_a_pointer_is_the_pointer():
    bounds = found(own_number_at_a_pointer)
    assert bounds.states["p"] == bounds.states["q"] == (0, 0)


def finite_where_taken(h):
    far, near = h.vertices.state(Length, INFINITY), h.vertices.state(Length, 0)
    also = h.vertices.state(Length, 0)
    with h.loop(at_most=1) as loop:
        near.assign(where(far < INFINITY, far, 0))
        also.assign(where(far == INFINITY, 0, far))
        loop.stop_when(h.vertices.count == 0)
    return Outputs(near=near, also=also)


def test_what_is_taken_only_where_it_is_finite_is_finite():
    assert found(finite_where_taken).infinite_states == {"far"}


def unused_length(h):
    far = h.vertices.state(Length, INFINITY)
    clock = h.state(Count, 0)
    with h.loop(at_most=2) as loop:
        (2**60 - 1) * h.weight
        clock.assign(clock + 1)
        loop.stop_when(clock > 1)
    return Outputs(far=far, clock=clock)


def test_a_length_that_nothing_depends_on_does_not_push_infinity_up():
    assert found(unused_length).longest(WEIGHT) == WEIGHT
    model = hyloop.compile(algorithm(unused_length))
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    assert hyloop.run(model, h)["far"] == {"a": None, "b": None}
    assert hyloop.check(model, h).difference is None


def large_constant(first):
    def whole(h):
        x = h.state(Count, first)
        done = h.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done)
            done.assign(True)
        return Outputs(x=x)

    return algorithm(whole)


def test_what_the_encoder_writes_is_part_of_the_certificate():
    model = hyloop.compile(large_constant(2**53 - 1))
    assert model.certificate.largest == 2**53 - 1
    assert "x" in model.certificate.largest_at
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    assert hyloop.run(model, h)["x"] == 2**53 - 1
    for first in (2**53, 2**53 + 1, 10**99):
        with pytest.raises(CapacityError, match="first value of x"):
            hyloop.compile(large_constant(first))


def weight_of_a_zero(h):
    zero, x = h.state(Count, 0), h.state(Count, 0)
    with h.loop(at_most=1) as loop:
        x.assign(10**99 * zero)
        loop.stop_when(x == 0)
    return Outputs(x=x)


def test_a_weight_that_multiplies_nothing_must_be_exact_too():
    with pytest.raises(CapacityError, match="integers up to about"):
        hyloop.compile(algorithm(weight_of_a_zero))


@pytest.mark.parametrize(
    ("kind", "declared", "most"),
    [
        (Kind.FLAG, None, 1),
        (Kind.COUNT, None, ROWS),
        (Kind.COUNT, 3, 3),
        (Kind.VERTEX, None, ROWS),
        (Kind.LENGTH, None, WEIGHT),
        (Kind.LENGTH, 3, WEIGHT),  # 3 of the user's unit may be more of the machine's
        (Kind.LENGTH, 50, 50),
    ],
)
def test_bounds_of_inputs(kind, declared, most):
    assert input_bound(Input("x", Type(kind), declared), ROWS, WEIGHT) == most


def short(h, d: at_most(Length, 10)):
    x = h.state(Length, 0)
    with h.loop(at_most=1) as loop:
        x.assign(d)
        loop.stop_when(x >= 0)
    return Outputs(x=x)


@pytest.mark.parametrize("backend", ["interpreter", "dense", "cpu"])
@pytest.mark.parametrize("weight", [1, 0.5, 0.125])
def test_a_declared_length_is_in_the_users_unit(backend, weight):
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]], weights=[weight])
    model = hyloop.compile(algorithm(short))
    given = algorithm(short) if backend == "interpreter" else model
    assert hyloop.run(given, h, backend=backend, d=6)["x"] == 6
    assert hyloop.run(given, h, backend=backend, d=10)["x"] == 10
    with pytest.raises(hyloop.HyloopError, match="at most 10"):
        hyloop.run(given, h, backend=backend, d=10.5)


def carried(h):
    """A state that rises by as much in every round of the search by clocks: no clock bounds it."""
    x, most, k, i = (h.state(Count, 0) for _ in range(4))
    with h.loop(at_most=h.vertices.count + 2) as outer:
        x.assign(most)
        i.assign(0)
        with h.loop(at_most=h.vertices.count + 1) as inner:
            i.assign(i + 1)
            with when(x > 3):
                most.assign(x)
            with otherwise():
                most.assign(most + 1)
            inner.stop_when(i >= h.vertices.count + 1)
        k.assign(k + 1)
        outer.stop_when(k >= 2)
    return Outputs(x=x)


def test_what_rises_by_the_same_in_every_round_is_not_waited_for(monkeypatch):
    program, rounds = algorithm(carried).program, []
    grown = bounds_module._ClockSearch._grown
    monkeypatch.setattr(
        bounds_module._ClockSearch, "_grown", lambda search, **options: rounds.append(1) or grown(search, **options)
    )
    quick, few = bounds_of(program, limits_of(program, 20, 7)), len(rounds)
    monkeypatch.setattr(bounds_module, "STEADY", bounds_module.ROUNDS)  # never asked
    assert bounds_of(program, limits_of(program, 20, 7)) == quick
    assert few < bounds_module.ROUNDS < (len(rounds) - few) // 2


def relaxing(h):
    """Bellman and Ford's: `nearer` is set from `distance` in each round of the outer loop, and becomes it."""
    distance, nearer = h.vertices.state(Length, 0), h.vertices.state(Length, 0)
    with h.loop(at_most=h.vertices.count) as outer:
        nearer.assign(distance)
        with h.hyperedges.each() as edge:
            nearer.assign(smaller(nearer, max(distance) + h.weight[edge]), where=h.members(edge))
            nearer.assign(max(distance) + h.weight[edge], where=nearer == 0)
        outer.stop_when(~any(nearer != distance))
        distance.assign(nearer)
    return Outputs(distance=distance)


def test_what_an_inner_loop_passes_on_is_counted_by_the_outer_one():
    """With the clock of the inner loop, the two would multiply; each of them has another one."""
    program = algorithm(relaxing).program
    found = bounds_of(program, limits_of(program, 1000, 1000))
    assert {name: found.clocked[name].clock for name in ("distance", "nearer")} == {
        "distance": "times",
        "nearer": "times",
    }
    assert found.at_end(found.states["distance"]) <= 1000 * (1000 + 5)


def test_what_doubles_in_every_round_is_not_waited_for(monkeypatch):
    program, rounds = algorithm(relaxing).program, []
    grown = bounds_module._ClockSearch._grown
    monkeypatch.setattr(
        bounds_module._ClockSearch, "_grown", lambda search, **options: rounds.append(1) or grown(search, **options)
    )
    quick, few = bounds_of(program, limits_of(program, 20, 7)), len(rounds)
    monkeypatch.setattr(bounds_module, "STEADY", bounds_module.ROUNDS)  # never asked
    assert bounds_of(program, limits_of(program, 20, 7)) == quick
    assert few < bounds_module.ROUNDS < len(rounds) - few


def afresh(analysis, part, infinite, states):
    """The bound of every operation, none of them remembered."""
    found = []
    for number, op in enumerate(part.ops):
        found.append(OPERATIONS[op.name].bound(analysis.here(part, infinite, states, found, number)))
    return tuple(found)


@pytest.mark.parametrize("name", ["closeness", "label_propagation", "subleq", "b_distance"])
def test_only_what_depends_on_a_change_is_computed_again(name, monkeypatch):
    """And the bounds are those of a computation afresh."""
    program = ALGORITHMS[name].program
    values, again = bounds_module._Analysis._values, []

    def checked(analysis, part, infinite, states):
        found = values(analysis, part, infinite, states)
        again.append(found)
        assert found == afresh(analysis, part, infinite, states)
        return found

    monkeypatch.setattr(bounds_module._Analysis, "_values", checked)
    bounds_of(program, limits_of(program, 1000, 1000))
    assert len(again) >= 10


def clamped_late(growing, between):
    @algorithm
    def example(h, f: Flag):
        x, k = h.state(Count, 1), h.state(Count, 0)
        with h.loop(at_most=10) as loop:
            with when(f):
                x.assign(growing(x))
            between(x)
            with when(f):
                x.assign(smaller(x, 1000))
            k.assign(k + 1)
            loop.stop_when(k == 9)
        return Outputs(x=x)

    return example


def test_an_assignment_without_the_condition_hides_a_later_clamp():
    """As docs/language.md says; the remedy of the message is accepted."""
    limits = Limits(9, 9, {"f": 1})
    found = bounds_of(clamped_late(lambda x: x + x, lambda x: None).program, limits)
    assert found.at_end(found.states["x"]) <= 2000
    with pytest.raises(LanguageError, match="x has no bound"):
        bounds_of(clamped_late(lambda x: x + x, lambda x: x.assign(x - 1)).program, limits)
    remedied = clamped_late(lambda x: smaller(x + x, 1000), lambda x: x.assign(x - 1))
    assert prove(hyloop.compile(remedied)).answer == "proved"
