"""The reference itself, held against docs/language.md: the table "At the edges", line by line, and the examples."""

from fractions import Fraction

import pytest

from fuzz.generate import cases
from fuzz.reference import INF, Graph, Value, World, evaluate, iterations, outputs
from fuzz.syntax import Source, print_source, walk

# Quay Isle Mole Light; ferry mail tug, as in docs/language.md.
HARBOUR = Graph(4, [[0, 1], [1, 2, 3], [0, 2]], [Fraction(4), Fraction(2), Fraction(3, 2)])
NOTHING = Graph(0, [], [])
WEIGHT, D = ["weight"], ["input", "d"]
NONE = ["const", "vertex", None]
INFINITE = ["const", "length", "inf"]
COUNTS = ["let", "counts"]
ISLE, MAIL = ["input", "v"], ["input", "e"]


def value(expression, graph=HARBOUR):
    given = {"v": Value("vertex", "s", 1), "e": Value("hyperedge", "s", 1), "d": Value("length", "s", Fraction(5, 2))}
    named = {"counts": Value("count", "v", [3, 1, 3, 0][: graph.vertices])}
    return evaluate(World(graph, given, {}, named), expression).data


FLAGS = [
    (["lt", WEIGHT, D], [False, True, True]),
    (["ge", WEIGHT, D], [True, False, False]),
    (["ne", WEIGHT, ["read", WEIGHT, MAIL]], [True, False, True]),
    (["and", ["lt", WEIGHT, D], ["containing", ISLE]], [False, True, False]),
    (["or", ["lt", WEIGHT, D], ["containing", ISLE]], [True, True, True]),
    (["or", ["members", MAIL], ["not", ["every", "v"]]], [False, True, True, True]),
    (["exists", ["next", ["number", "v"]]], [True, True, True, False]),
    (["not", ["members", MAIL]], [True, False, False, False]),
    (["is_none", ["next", ["next", ["next", ["top", "e"]]]]], True),
    (["gt", ["number", "v"], ISLE], [False, False, True, True]),
    (["le", ["number", "v"], ISLE], [True, True, False, False]),
    (["any", ["lt", WEIGHT, D]], True),
    (["all", ["lt", WEIGHT, D]], False),
    (["touching", ["eq", ["number", "v"], ISLE]], [True, True, False]),
    (["covered", ["lt", WEIGHT, D]], [True] * 4),
    (["tails.within", ["eq", ["number", "v"], ISLE]], [False] * 3),  # without directions all members are tails
    # At the edges
    (["members", ["const", "hyperedge", None]], [False] * 4),
    (["containing", NONE], [False] * 3),
    (["eq", NONE, NONE], True),
    (["eq", NONE, ISLE], False),
    (["ne", NONE, ISLE], True),
    (["le", NONE, NONE], False),
    (["ge", ISLE, NONE], False),
    (["eq", INFINITE, INFINITE], True),
    (["lt", INFINITE, INFINITE], False),
]
NUMBERS = [
    (["add", WEIGHT, D], [Fraction(13, 2), Fraction(9, 2), 4]),
    (["sub", WEIGHT, D], [Fraction(3, 2), 0, 0]),
    (["smaller", WEIGHT, D], [Fraction(5, 2), 2, Fraction(3, 2)]),
    (["larger", WEIGHT, D], [4, Fraction(5, 2), Fraction(5, 2)]),
    (["smaller", INFINITE, D], Fraction(5, 2)),
    (["larger", INFINITE, D], INF),
    (["larger", ["members", MAIL], ["const", "count", 1]], [1, 1, 1, 1]),
    (["smaller", ["members", MAIL], ["every", "v"]], [0, 1, 1, 1]),
    (["mul", 3, WEIGHT], [12, 6, Fraction(9, 2)]),
    (["add", ["members", MAIL], ["every", "v"]], [1, 2, 2, 2]),
    (["where", ["lt", WEIGHT, D], WEIGHT, D], [Fraction(5, 2), 2, Fraction(3, 2)]),
    (["read", WEIGHT, ["next", ["number", "e"]]], [2, Fraction(3, 2), 0]),
    (["min", WEIGHT, None], Fraction(3, 2)),
    (["max", WEIGHT, ["lt", WEIGHT, D]], 2),
    (["incidence", WEIGHT], [Fraction(11, 2), 6, Fraction(7, 2), 2]),
    (["incidence_t", ["members", MAIL]], [1, 3, 1]),
    (["add", ["incidence_t", ["every", "v"]], ["count", "v"]], [6, 7, 6]),
    (["sum", WEIGHT], Fraction(15, 2)),
    (["sum", COUNTS], 7),
    (["sum", ["members", MAIL]], 3),
    # At the edges
    (["times", COUNTS, ["const", "count", 2]], [6, 2, 6, 0]),
    (["times", WEIGHT, ["const", "count", 2]], [8, 4, 3]),
    (["quotient", WEIGHT, D], [1, 0, 0]),
    (["quotient", ["const", "count", 7], COUNTS], [2, 7, 2, 0]),
    (["remainder", ["const", "count", 7], COUNTS], [1, 0, 1, 0]),
    (["remainder", WEIGHT, D], [Fraction(3, 2), 2, Fraction(3, 2)]),
    (["quotient", INFINITE, D], 0),
    (["ordinal", ISLE], 1),
    (["ordinal", NONE], 4),
    (["read", WEIGHT, ["const", "hyperedge", None]], 0),
    (["sub", ["const", "count", 2], ["const", "count", 5]], 0),
    (["add", INFINITE, D], INF),
    (["sub", INFINITE, D], INF),
    (["sub", INFINITE, INFINITE], 0),
    (["sub", D, INFINITE], 0),
    (["mul", 2, INFINITE], INF),
    (["mul", 0, INFINITE], 0),
    (["min", WEIGHT, ["lt", WEIGHT, ["const", "length", 0]]], INF),
    (["argmin", WEIGHT, ["lt", WEIGHT, ["const", "length", 0]], 1], INF),
    (["min", COUNTS, ["lt", COUNTS, COUNTS]], 0),
    (["max", WEIGHT, ["lt", WEIGHT, WEIGHT]], 0),
    (["max", ["where", ["lt", WEIGHT, D], WEIGHT, INFINITE], None], 2),
]
POINTERS = [
    (["argmin", WEIGHT, None, 0], 2),
    (["argmin", WEIGHT, ["containing", ISLE], 0], 1),
    (["argmax", WEIGHT, None, 0], 0),
    (["first", ["members", MAIL]], 1),
    (["next", ISLE], 2),
    (["previous", ISLE], 0),
    (["previous", ["top", "v"]], None),
    (["top", "v"], 0),
    # At the edges
    (["argmax", COUNTS, None, 0], 0),
    (["argmin", WEIGHT, ["lt", WEIGHT, WEIGHT], 0], None),
    (["argmax", ["where", ["every", "e"], INFINITE, WEIGHT], None, 0], None),
    (["first", ["not", ["every", "v"]]], None),
    (["next", NONE], None),
]


# The ferry from Quay to Isle, the mail from nothing to all its members, the tug both ways.
DIRECTED = Graph(4, HARBOUR.members, HARBOUR.weights, [[0], [], [0, 2]], [[1], [1, 2, 3], [0, 2]])
DIRECTIONS = [
    (["tails.members", MAIL], [False] * 4),
    (["heads.members", MAIL], [False, True, True, True]),
    (["tails.containing", ISLE], [False] * 3),
    (["heads.containing", ISLE], [True, True, False]),
    (["tails.touching", ["eq", ["number", "v"], ["top", "v"]]], [True, False, True]),
    (["tails.within", ["eq", ["number", "v"], ["top", "v"]]], [True, True, False]),
    (["heads.covered", ["tails.within", ["not", ["every", "v"]]]], [False, True, True, True]),
    (["tails", WEIGHT], [Fraction(11, 2), 0, Fraction(3, 2), 0]),
    (["heads_t", COUNTS], [1, 4, 6]),
    (["members", MAIL], [False, True, True, True]),
    (["heads.touching", ["eq", ["number", "v"], ISLE]], [True, True, False]),
    (["heads.within", ["members", MAIL]], [True, True, False]),
    (["tails.covered", ["every", "e"]], [True, False, True, False]),
    (["heads", WEIGHT], [Fraction(3, 2), 6, Fraction(7, 2), 2]),
    (["tails_t", COUNTS], [3, 0, 6]),
]


@pytest.mark.parametrize(("expression", "expected"), FLAGS + NUMBERS + POINTERS, ids=str)
def test_as_documented(expression, expected):
    assert value(expression) == expected


def test_every_expression_that_is_generated_is_above():
    grown = {part[0] for seed in range(400) for case in cases(seed, 1) for part in walk(case.source.body)}
    statements = {"pair", "assign", "put", "when", "stop", "state"}  # below
    shown = {part[0] for expression, _ in FLAGS + NUMBERS + POINTERS + DIRECTIONS for part in walk(expression)}
    assert grown - statements - shown == set()


def test_without_rows():
    assert value(["top", "v"], NOTHING) is None
    assert value(["any", ["every", "v"]], NOTHING) is False
    assert value(["all", ["every", "v"]], NOTHING) is True


def counter(name="x"):
    return ["assign", name, ["add", ["state", name], ["const", "count", 1]], None]


def test_the_countdown_of_the_docs():
    """`countdown` of docs/language.md: an assignment above the stop happens, one below does not."""
    states = [[name, "count", "s", 0] for name in ("n", "above", "below")]
    less = ["assign", "n", ["sub", ["state", "n"], ["const", "count", 1]], None]
    stop = ["stop", ["eq", ["state", "n"], ["const", "count", 0]]]
    source = Source(
        states,
        [less, counter("above"), stop, counter("below")],
        100,
        before=[["assign", "n", ["input", "start"], None]],
        inputs=[["start", "count", None]],
        outputs=[["above", "state", "above"], ["below", "state", "below"]],
    )
    steps = list(iterations(source, HARBOUR, {"start": 3}))
    assert outputs(source, steps) == {"above": 3, "below": 2}
    assert len(steps) == 4
    assert not list(iterations(source, HARBOUR, {"start": 101}))[-1].stopped


def test_an_expression_means_the_values_when_it_was_built():
    states = [["x", "count", "s", 1], ["y", "count", "s", 0]]
    old = ["let", "old", ["add", ["state", "x"], ["const", "count", 0]]]
    body = [old, counter(), ["assign", "y", ["let", "old"], None], ["stop", ["const", "flag", True]]]
    [step] = iterations(Source(states, body, 1), HARBOUR, {})
    assert (step.states["x"].data, step.states["y"].data) == (2, 1)


def test_blocks_nest_and_keep_their_mask():
    """The mask of a `when` is what the flag was, although what it was made of changes inside."""
    states = [["x", "count", "v", 0], ["f", "flag", "v", True]]
    first = ["eq", ["number", "v"], ["top", "v"]]
    inside = [["assign", "f", ["const", "flag", False], None], ["when", first, [counter()]], counter()]
    body = [["when", ["state", "f"], inside], ["stop", ["const", "flag", True]]]
    [step] = iterations(Source(states, body, 1), HARBOUR, {})
    assert step.states["x"].data == [2, 1, 1, 1]
    assert step.states["f"].data == [False] * 4


def test_writing_at_none_does_nothing():
    states = [["x", "count", "v", 5]]
    body = [["put", "x", NONE, ["const", "count", 1]], ["put", "x", ISLE, ["const", "count", 2]]]
    body.append(["stop", ["const", "flag", True]])
    source = Source(states, body, 1, inputs=[["v", "vertex", None]])
    [step] = iterations(source, HARBOUR, {"v": 1})
    assert step.states["x"].data == [5, 2, 5, 5]


@pytest.mark.parametrize(("bound", "steps"), [(3, 3), (2, 2), (["+", "v", 0], 3), (["-", "v", 3], 1), (0, 0)])
def test_a_state_above_its_bound_ends_the_run(bound, steps):
    """After three iterations x is 3, and there are four vertices."""
    stop = ["stop", ["eq", ["state", "x"], ["const", "count", 3]]]
    more = ["assign", "x", ["add", ["state", "x"], ["const", "count", 1]], None]
    source = Source([["x", "count", "s", 0]], [more, stop], 9, bounds={"x": bound})
    assert [step.stopped for step in iterations(source, HARBOUR, {})] == [False, False, True][:steps]


@pytest.mark.parametrize(("expression", "expected"), DIRECTIONS, ids=str)
def test_directions(expression, expected):
    assert value(expression, DIRECTED) == expected


def test_an_array_that_is_given_is_an_array_like_any_other():
    states = [["x", "count", "v", 0]]
    body = [["assign", "x", ["input", "load"], ["input", "start"]], ["stop", ["const", "flag", True]]]
    source = Source(states, body, 1, inputs=[["load", "count", 9, "v"], ["start", "flag", None, "v"]])
    [step] = iterations(source, HARBOUR, {"load": [5, 6, 7, 8], "start": [True, False, True, False]})
    assert step.states["x"].data == [5, 0, 7, 0]
    assert "def fuzzed(h, load: Vertices[at_most(Count, 9)], start: Vertices[Flag]):" in print_source(source)
