"""Declared bounds of states: what can be shown, what is refused and where, and that a run is held to them."""

import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.lang import (
    Count,
    LanguageError,
    Outputs,
    algorithm,
    at_most,
    larger,
    largest,
    log2,
    min,
    smaller,
    when,
    where,
)
from hyloop.lang.bounds import bounds_of, limits_of
from hyloop.lang.declared import require_within
from hyloop.lang.text import from_text, to_text
from hyloop.prove import prove

ROWS, WEIGHT = 10, 7
NAMES = {"Count": Count, "larger": larger, "min": min, "smaller": smaller, "where": where, "when": when}
NAMES |= {"largest": largest, "log2": log2}
SHOWN = {
    "3": [
        "smaller(x + x, 3)",
        "where(y < 3, y, 3)",
        "x - 1",
        "x",
        "counts[v]",
        "larger(x, 2)",
        "flag + 1",
        "min(counts)",
    ],
    "h.vertices.count": [
        "smaller(x + x, h.vertices.count)",
        "smaller(x + 1, larger(counts, n)[v])",
        "where(n < y, n, y)",
        "where((x > 1) & (y <= n), y, x)",
        "where(flag, x, n - 1)",
        "min(counts)",
        "0",
        "(x + 1) % n",
        "(5 * x + k) % smaller(n, k)",
        "x % 7",
        "n // larger(x, 2)",
    ],
    "2 * h.vertices.count + h.hyperedges.count + 4": [
        "smaller(x + x, 3 + h.vertices.count + h.vertices.count + h.hyperedges.count)",
        "h.vertices.count * 2 + 4",
        "where(flag, larger(n, 4), x)",
    ],
    "h.vertices.count - 1": ["smaller(x + 1, h.vertices.count - 1)"],
    "h.vertices.count * h.vertices.count": ["x", "x - 3"],
    "log2(h.vertices.count)": ["x", "x - 1", "counts[v]"],
    "log2(h.vertices.count) + 1": ["x - 1", "1", "smaller(x, n)"],
    "largest(log2(log2(h.vertices.count)) * 2, h.hyperedges.count)": ["x // 2", "0"],
}
NOT_SHOWN = {
    "3": ["x + 1", "where(x < 3, x + 1, x)", "larger(x, 4)", "k", "n"],
    "h.vertices.count": [
        "smaller(x + 1, 10)",  # at most 10 vertices, but perhaps fewer
        "smaller(x + 1, h.hyperedges.count)",
        "smaller(x + 1, h.vertices.count + 1)",
        "where(n < y, y, n)",
        "1",
        "where(x < n, x + 1, x)",  # true, but of no range
        "(x + k) % (n + 1)",  # the same
        "(x + k) // 2",
    ],
    "h.vertices.count - 1": ["smaller(x + 1, h.vertices.count)", "smaller(x + 1, h.vertices.count - 2)"],
    "log2(h.vertices.count)": ["x + 1", "n", "1", "smaller(x + 1, n)"],
    "log2(h.vertices.count) + 1": ["x + 1", "2"],
    "10**18 * h.vertices.count": ["smaller(x + 1, 10**18 * h.vertices.count)"],
}


def assigning(bound, expression, state="h.state"):
    """A program that assigns the expression to a state of this bound."""

    @algorithm
    def declared(h, v: hyloop.lang.Vertex, k: Count):
        names = {**NAMES, "h": h, "v": v, "k": k, "n": h.vertices.count}
        x = eval(f"{state}(Count, 0, at_most={bound})", names)  # noqa: S307  (ours)
        counts = eval(f"h.vertices.state(Count, 0, at_most={bound})", names)  # noqa: S307  (ours)
        flag = h.state(hyloop.lang.Flag, False)
        with h.loop(at_most=4) as loop:
            names |= {"x": x, "y": x + x, "counts": counts, "flag": flag}
            x.assign(eval(expression, names))  # noqa: S307  (ours)
            loop.stop_when(flag)
        return Outputs(x=x)

    return declared.program


def pairs(table):
    return [(bound, expression) for bound, expressions in table.items() for expression in expressions]


@pytest.mark.parametrize(("bound", "expression"), pairs(SHOWN))
def test_what_is_shown(bound, expression):
    program = assigning(bound, expression)
    limits = limits_of(program, ROWS, WEIGHT)
    require_within(program, limits)
    bounds = bounds_of(program, limits)
    assert bounds.at_end(bounds.states["x"]) <= program.state("x").at_most.most(ROWS)


@pytest.mark.parametrize(("bound", "expression"), pairs(NOT_SHOWN))
def test_what_is_not_shown_is_told_at_the_assignment(bound, expression):
    program = assigning(bound, expression)
    size = program.state("x").at_most
    with pytest.raises(LanguageError) as caught:
        require_within(program, limits_of(program, ROWS, WEIGHT))
    advice = f"instead of the value, assign `smaller(value, c)`, where c is {size}."
    if not size.is_computed:
        advice = "declare a bound that can be computed, of `+`, `-`, `*`, `//` and `largest`, and assign "
        advice += "`smaller(value, c)` with it."
    assert caught.value.message == (
        f"x is declared to be at most {size}, and that cannot be shown of this assignment from the ranges of its "
        f"values alone; {advice}"
    )


@pytest.mark.parametrize("size", ["n * n", "n // 2", "largest(n, h.hyperedges.count)", "n * h.hyperedges.count + 1"])
def test_the_advice_can_be_followed(size):
    program = assigning(size, f"smaller(x + 1, {size})")
    assert program.state("x").at_most.is_computed
    require_within(program, limits_of(program, ROWS, WEIGHT))


def doubling(h):
    x, steps = h.vertices.state(Count, 0, at_most=h.vertices.count + 1), h.state(Count, 0)
    with h.loop(at_most=6) as loop:
        loop.stop_when(steps == 5)
        steps.assign(steps + 1)
        x.assign(smaller(x + x + 1, h.vertices.count + 1))
    return Outputs(x=x)


def too_much(h):
    x = h.vertices.state(Count, 0, at_most=h.vertices.count)
    with h.loop(at_most=6) as loop:
        x.assign(where(x < h.vertices.count, x + 1, x))
        loop.stop_when(hyloop.lang.all(x == 4))
    return Outputs(x=x)


H3, H5 = (hyloop.Hypergraph.from_hyperedges([list("abcde")[:n]]) for n in (3, 5))


def test_it_compiles_and_is_proved():
    model = hyloop.compile(algorithm(doubling))
    assert {*hyloop.run(model, H3)["x"].values()} == {4}
    assert {*hyloop.run(algorithm(doubling), H5, backend="interpreter")["x"].values()} == {6}
    assert hyloop.check(model, H5).difference is None
    assert prove(model).answer == "proved"


def squares_modulo(**declared):
    @algorithm
    def squares(h, m: at_most(Count, 30)):
        x = h.state(Count, 3, **declared)
        with h.loop(at_most=10) as loop:
            y = x * x % m
            x.assign(y * y % m)
            loop.stop_when(x == 0)
        return Outputs(x=x)

    return squares


@pytest.mark.parametrize("bound", [29, 30, 1000, 10**12])
def test_a_true_bound_makes_nothing_worse(bound):
    plain, declared = hyloop.compile(squares_modulo()), hyloop.compile(squares_modulo(at_most=bound))
    assert declared.capacity == plain.capacity
    assert declared.layout.least == plain.layout.least
    assert hyloop.run(declared, H3, m=27)["x"] == hyloop.run(plain, H3, m=27)["x"]


def beside_another(h):
    """`x` is found to be 3 at most, `y` only known to be at most 50."""
    x, y = h.state(Count, 0, at_most=1000), h.state(Count, 0, at_most=50)
    with h.loop(at_most=99) as loop:
        x.assign(smaller(x + y, 3))
        y.assign(smaller(y + y + 1, 50))
        loop.stop_when(x == 3)
    return Outputs(x=x, y=y)


def test_of_declared_and_found_bounds_the_lesser_is_taken():
    program = algorithm(beside_another).program
    limits = limits_of(program, ROWS, WEIGHT)
    require_within(program, limits)
    assert bounds_of(program, limits).states == {"x": (3, 0), "y": (50, 0)}


def twice_under_a_mask(h):
    x, c = h.state(Count, 1, at_most=100), h.state(Count, 0)
    with h.loop(at_most=9) as loop:
        c.assign(c + 1)
        loop.stop_when(c > 8)
        x.assign(x + x)
        x.assign(smaller(x, 100))
        with when(c > 2):
            x.assign(x + 7)
            x.assign(x - 1, where=x > 50)
            x.assign(9, where=x > 100)
    return Outputs(x=x)


def test_what_is_overwritten_need_not_be_within_the_bound():
    assert hyloop.compile(algorithm(twice_under_a_mask)).certificate.largest < 2**53


def one_of_three(h, f: hyloop.lang.Flag):
    x, c = h.state(Count, 1, at_most=50), h.state(Count, 0)
    with h.loop(at_most=9) as loop:
        c.assign(c + 1)
        loop.stop_when(c > 8)
        with when(f):
            x.assign(3 * x)
        x.assign(smaller(x, 20), where=c < 2)
    return Outputs(x=x)


def test_the_assignment_that_is_told_is_the_one_that_may_exceed():
    with pytest.raises(LanguageError, match="x is declared to be at most 50") as caught:
        hyloop.compile(algorithm(one_of_three))
    assert caught.value.location.text.strip() == "x.assign(3 * x)"


def test_what_cannot_be_shown_is_no_model():
    with pytest.raises(LanguageError, match="x is declared to be at most n_v") as caught:
        hyloop.compile(algorithm(too_much))
    assert caught.value.location.text.strip().startswith("x.assign(")


def test_the_interpreter_holds_a_run_to_it():
    assert {*hyloop.run(algorithm(too_much), H5, backend="interpreter")["x"].values()} == {4}

    def more(h):
        x = h.vertices.state(Count, 0, at_most=h.vertices.count)
        with h.loop(at_most=6) as loop:
            x.assign(x + 2)
            loop.stop_when(hyloop.lang.any(x == 4))
        return Outputs(x=x)

    assert {*hyloop.run(algorithm(more), H5, backend="interpreter")["x"].values()} == {4}
    with pytest.raises(HyloopError, match=r"^x becomes 4, but is declared to be at most n_v, here 3\.$"):
        hyloop.run(algorithm(more), H3, backend="interpreter")


@pytest.mark.parametrize("bound", SHOWN)
@pytest.mark.parametrize("state", ["h.state", "h.hyperedges.state"])
def test_the_text_has_it(bound, state):
    program = assigning(bound, "x - 1", state)
    assert f" at most {program.state('x').at_most} = 0  @" in to_text(program)
    again = from_text(to_text(program))
    assert again == program
    assert again.state("x").at_most == program.state("x").at_most
    assert again.key == program.key
    assert program.key != assigning("9", "x - 1", state).key


def never_assigned(h):
    """The mask is false on every row, which only lowering sees."""
    x = h.vertices.state(Count, 5, at_most=h.hyperedges.count + 8)
    with h.loop(at_most=6) as loop:
        x.assign(h.hyperedges.count + 8, where=(h.vertices.every & False)[h.vertices.number])
        loop.stop_when(h.vertices.first.is_none)
    return Outputs(x=x)


def test_a_model_has_the_bounds_that_the_prover_relies_on():
    assert prove(hyloop.compile(algorithm(never_assigned))).answer == "proved"
