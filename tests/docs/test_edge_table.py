"""The table "At the edges" of docs/language.md, row by row: what it says is what the interpreter does."""

import re
from pathlib import Path

import pytest

import hyloop
from hyloop.hypergraph import Annotations, IncidenceRecord
from hyloop.lang import (
    INFINITY,
    Count,
    Hyperedge,
    Length,
    Outputs,
    Vertex,
    algorithm,
    all,
    any,
    argmax,
    argmin,
    first,
    larger,
    max,
    min,
    number,
    smaller,
    sum,
)

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## At the edges")[2].partition("\n## ")[0]
ROWS = [line.split(" | ")[0].removeprefix("| ") for line in SECTION.splitlines() if line.startswith("| ")][1:]

THREE = hyloop.Hypergraph.from_hyperedges({"e": ["x", "y"], "f": ["y", "z"]}, weights=[2, 2])
# From x to y, with z of which no direction is told; and to x from nothing.
ARCS = hyloop.Hypergraph.from_hyperedges(
    {"e": ["x", "y", "z"], "f": ["x"]},
    annotations=Annotations(
        incidences={
            ("e", "x"): (IncidenceRecord("tail"),),
            ("e", "y"): (IncidenceRecord("head"),),
            ("f", "x"): (IncidenceRecord("head"),),
        }
    ),
)
NOTHING = hyloop.Hypergraph.from_hyperedges({})


def worth(expression, h=THREE):
    """What an expression is worth; it may make and assign states of its own."""

    @algorithm
    def example(h):
        value = expression(h)
        scope = str(value.type.scope)
        rows = {"vertices": h.vertices, "hyperedges": h.hyperedges}.get(scope, h)
        answer = rows.state(value.type.kind)
        answer.assign(value)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(answer=answer)

    answer = hyloop.run(example, h)["answer"]
    return list(answer.values()) if isinstance(answer, dict) else answer


def none(h):
    return h.state(Vertex) + 1


def no_edge(h):
    return h.state(Hyperedge) + 1


def infinite(h):
    return h.state(Length, INFINITY)


def is_infinite(expression, h=THREE):
    return worth(lambda h: expression(h) == INFINITY, h)


def written(h):
    x = h.vertices.state(Count, 5)
    x[none(h)] = 1
    return x


def no_rows(h):
    return h.vertices.every & ~h.vertices.every


def counts(h):
    return h.incidence @ h.hyperedges.every


def lengths(h):
    """2, infinite: over the hyperedges."""
    key = h.hyperedges.state(Length, INFINITY)
    key[h.hyperedges.first] = h.weight[h.hyperedges.first]
    return key


def orders(p, q):
    return [p < q, p <= q, p > q, p >= q]


def run(body, **inputs):
    """The outputs of a program with two counters, and how many iterations it took."""

    @algorithm
    def example(h):
        a, b = h.state(Count, 0), h.state(Count, 0)
        body(h, a, b)
        return Outputs(a=a, b=b)

    found = hyloop.run(example, THREE)
    return found["a"], found["b"], found.iterations


def stops(h, a, b):
    with h.loop(at_most=9) as loop:
        a.assign(a + 1)
        loop.stop_when(a == 3)
        b.assign(b + 1)


def keeps_what_it_read(h, a, b):
    with h.loop(at_most=9) as loop:
        old = a + 0
        a.assign(a + 5)
        b.assign(old)
        loop.stop_when(True)


def sees_the_new(h, a, b):
    with h.loop(at_most=9) as loop:
        a.assign(a + 5)
        b.assign(a)
        loop.stop_when(True)


def begins(h, a, b):
    a.assign(1)
    stops(h, a, b)


def only_looks(h, a, b):
    h.vertices.every & h.vertices.every
    stops(h, a, b)


def begins_with_nothing(h, a, b):
    a.assign(1, where=a == 7)
    stops(h, a, b)


def _is_held_to_its_bound():
    @algorithm
    def grows(h):
        x = h.state(Count, 0, at_most=h.vertices.count)
        with h.loop(at_most=9) as loop:
            x.assign(x + 2)
            loop.stop_when(x == 4)
        return Outputs(x=x)

    with pytest.raises(hyloop.HyloopError, match="x becomes 4, but is declared to be at most n_v, here 3"):
        hyloop.run(grows, THREE, backend="interpreter")
    with pytest.raises(hyloop.HyloopError, match="cannot be shown"):
        hyloop.compile(grows)
    return True


def _needs_an_iteration():
    @algorithm
    def example(h):
        a = h.state(Count, 0)
        with h.loop(at_most=h.vertices.count) as loop:
            loop.stop_when(True)
        return Outputs(a=a)

    with pytest.raises(hyloop.HyloopError, match="did not stop within the 0 iterations"):
        hyloop.run(example, NOTHING)
    return hyloop.run(example, THREE)["a"] == 0


CHECKS = {
    "reading at none, `x[none]`": lambda: (
        worth(lambda h: h.vertices.every[none(h)]) is False
        and worth(lambda h: counts(h)[none(h)]) == 0
        and worth(lambda h: h.vertices.number[none(h)]) is None
        and worth(lambda h: lengths(h)[no_edge(h)]) == 0
    ),
    "writing at none, `x[none] = 1`": lambda: worth(written) == [5, 5, 5],
    "`members(none)`, `containing(none)`": lambda: (
        worth(lambda h: h.members(no_edge(h))) == [False] * 3 and worth(lambda h: h.containing(none(h))) == [False] * 2
    ),
    "`tails.within(flags)` of a hyperedge without tails": lambda: (
        worth(lambda h: h.tails.within(no_rows(h)), ARCS) == [False, True]
        and worth(lambda h: h.tails.touching(h.vertices.every), ARCS) == [True, False]
    ),
    "tails and heads of a member without a direction": lambda: (
        worth(lambda h: h.tails.members(h.hyperedges.first)) == [True, True, False]
        and worth(lambda h: h.heads.members(h.hyperedges.first)) == [True, True, False]
        and worth(lambda h: h.heads.members(h.hyperedges.first), ARCS) == [False, True, True]
        and worth(lambda h: h.tails.members(h.hyperedges.first), ARCS) == [True, False, True]
    ),
    "`none + 1`; the last one `+ 1`": lambda: (
        worth(lambda h: none(h) + 1) is None and worth(lambda h: h.vertices.number + 1) == ["y", "z", None]
    ),
    "`none - 1`; the first one `- 1`": lambda: (
        worth(lambda h: none(h) - 1) is None and worth(lambda h: h.vertices.number - 1) == [None, "x", "y"]
    ),
    "`number(none)`": lambda: (
        worth(lambda h: number(none(h))) == 3
        and worth(lambda h: number(no_edge(h))) == 2
        and worth(lambda h: number(h.vertices.number)) == [0, 1, 2]
    ),
    "`none == none`": lambda: (
        worth(lambda h: none(h) == none(h)) is True
        and worth(lambda h: h.state(Vertex) == none(h)) is True
        and worth(lambda h: none(h) == h.vertices.first) is False
    ),
    "`<`, `<=`, `>`, `>=` with none": lambda: (
        not [
            place
            for place in range(4)
            for pair in (
                lambda h: orders(none(h), h.vertices.first),
                lambda h: orders(h.vertices.first, none(h)),
                lambda h: orders(none(h), h.state(Vertex)),
            )
            if worth(lambda h, pair=pair, place=place: pair(h)[place]) is not False
        ]
    ),
    "`a - b` with a < b": lambda: worth(lambda h: h.vertices.every - counts(h)) == [0, 0, 0],
    "`INFINITY + x`": lambda: is_infinite(lambda h: infinite(h) + h.weight) == [True, True],
    "`INFINITY - x`": lambda: (
        is_infinite(lambda h: infinite(h) - h.weight) == [True, True]
        and worth(lambda h: infinite(h) - infinite(h)) == 0
        and worth(lambda h: h.weight - INFINITY) == [0, 0]
    ),
    "`k * INFINITY`, `x * INFINITY`": lambda: (
        is_infinite(lambda h: 7 * infinite(h))
        and worth(lambda h: 0 * infinite(h)) == 0
        and is_infinite(lambda h: infinite(h) * number(h.vertices.number)) == [False, True, True]
        and worth(lambda h: (h.vertices.count - 3) * infinite(h)) == 0
    ),
    "`a // 0`, `a % 0`, where b is 0 in a value": lambda: (
        worth(lambda h: 7 // number(h.vertices.number)) == [0, 7, 3]
        and worth(lambda h: 7 % number(h.vertices.number)) == [0, 0, 1]
        and _refused(lambda h: counts(h) // 0, "nothing is divided by 0")
    ),
    "`INFINITY // x`, `INFINITY % x`": lambda: (
        worth(lambda h: infinite(h) // h.weight) == [0, 0]
        and worth(lambda h: infinite(h) % h.weight) == [0, 0]
        and worth(lambda h: infinite(h) // infinite(h)) == 0
        and worth(lambda h: infinite(h) % infinite(h)) == 0
    ),
    "`x // INFINITY`; `x % INFINITY`": lambda: (
        worth(lambda h: h.weight // INFINITY) == [0, 0] and worth(lambda h: h.weight % infinite(h)) == [2, 2]
    ),
    "`smaller(INFINITY, x)`; `larger(INFINITY, x)`": lambda: (
        worth(lambda h: smaller(INFINITY, h.weight)) == [2, 2]
        and is_infinite(lambda h: larger(INFINITY, h.weight)) == [True, True]
    ),
    "`INFINITY == INFINITY`; `INFINITY < INFINITY`": lambda: (
        worth(lambda h: infinite(h) == INFINITY) is True and worth(lambda h: infinite(h) < INFINITY) is False
    ),
    "`argmin`, `argmax`, `first` of nothing": lambda: (
        worth(lambda h: argmin(counts(h), where=no_rows(h))[0]) is None
        and worth(lambda h: argmax(counts(h), where=no_rows(h))[0]) is None
        and worth(lambda h: first(no_rows(h))) is None
        and worth(lambda h: argmin(h.weight)[0], NOTHING) is None
    ),
    "`min` of nothing": lambda: (
        is_infinite(lambda h: argmin(h.weight)[1], NOTHING)
        and worth(lambda h: min(counts(h), where=no_rows(h))) == 0
        and worth(lambda h: min(h.vertices.state(Vertex) + 1)) is None
    ),
    "`max` of nothing": lambda: (
        worth(lambda h: argmax(h.weight)[1], NOTHING) == 0
        and worth(lambda h: max(counts(h), where=no_rows(h))) == 0
        and worth(lambda h: argmax(h.vertices.number, where=no_rows(h))[1]) is None
    ),
    "infinite lengths in a search; none among pointers": lambda: (
        worth(lambda h: argmax(lengths(h))[0]) == "e"
        and worth(lambda h: max(lengths(h))) == 2
        and worth(lambda h: argmin(h.vertices.number - 1)[0]) == "y"
        and worth(lambda h: argmin(h.vertices.number - 1)[1]) == "x"
        and worth(lambda h: max(h.vertices.number - 1)) == "y"
    ),
    "ties in a search": lambda: (
        worth(lambda h: argmin(h.weight)[0]) == "e" and worth(lambda h: argmax(h.weight)[0]) == "e"
    ),
    "`any` of no rows; `all` of no rows": lambda: (
        worth(lambda h: any(h.vertices.every), NOTHING) is False
        and worth(lambda h: all(~h.vertices.every), NOTHING) is True
    ),
    "`sum` of no rows": lambda: (
        worth(lambda h: sum(h.vertices.every), NOTHING) == 0 and worth(lambda h: sum(h.weight), NOTHING) == 0
    ),
    "`h.vertices.first` without vertices": lambda: worth(lambda h: h.vertices.first, NOTHING) is None,
    "a flag where a number is expected": lambda: (
        worth(lambda h: h.vertices.every + 1) == [2, 2, 2]
        and worth(lambda h: 3 - h.vertices.every) == [2, 2, 2]
        and worth(lambda h: 4 * h.vertices.every) == [4, 4, 4]
        and worth(counts) == [1, 2, 1]
        and worth(lambda h: larger(h.vertices.every, counts(h))) == [1, 2, 1]
        and worth(lambda h: h.vertices.every * counts(h) // h.vertices.every) == [1, 2, 1]
        and worth(lambda h: counts(h) % True) == [0, 0, 0]
        and _refused(lambda h: h.vertices.every < counts(h))
    ),
    "an expression": lambda: run(keeps_what_it_read)[:2] == (5, 0),
    "a state in an expression": lambda: run(sees_the_new)[:2] == (5, 5),
    "`stop_when` that fires": lambda: run(stops) == (3, 2, 3),
    "a state that an iteration does not assign": lambda: run(stops)[1] == 2,
    "a state that is above its declared bound after an iteration": _is_held_to_its_bound,
    "statements before the loop": lambda: (
        run(begins) == (3, 1, 3) and run(only_looks) == (3, 2, 3) and run(begins_with_nothing) == (3, 2, 4)
    ),
    "`at_most` that is 0 for a hypergraph": _needs_an_iteration,
    "`result.iterations`": lambda: run(stops)[2] == 3,
}


def _refused(expression, why="do not go together"):
    with pytest.raises(hyloop.HyloopError, match=why):
        worth(expression)
    return True


def test_every_row_of_the_table_has_a_check():
    assert list(CHECKS) == ROWS


@pytest.mark.parametrize("row", CHECKS)
def test_the_row_holds(row):
    assert CHECKS[row]() is True


def test_the_page_shows_every_word_of_the_language():
    from hyloop import lang

    for word in lang.__all__:
        if word not in {"Algorithm", "Program"}:  # what comes out, not what people write
            assert re.search(rf"\b{word}\b", PAGE), word
