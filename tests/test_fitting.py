"""The model for an input: the default one where that is enough, and compiled once for a program."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

import hyloop
from hyloop import CapacityError, Hypergraph, fitting, run
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.prepare import prepare
from hyloop.fitting import compiled, fitting_model
from hyloop.lang import Count, Flag, Hyperedges, Length, Outputs, Vertices, algorithm
from hyloop.lang.source import LanguageError
from hyloop.lang.text import from_text, to_text

LEVELS = ALGORITHMS["levels"].program
DIJKSTRA = ALGORITHMS["dijkstra"].program


@pytest.fixture
def counted(monkeypatch, tmp_path):
    """How often a program is compiled, with a cache folder of its own."""
    monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path / "kept"))
    calls = []
    real = fitting.compile_program
    monkeypatch.setattr(fitting, "compile_program", lambda *given: calls.append(given) or real(*given))
    fitting._made.cache_clear()
    yield calls
    fitting._made.cache_clear()


def fitted(weight):
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[1, weight])
    return fitting_model(DIJKSTRA, prepare(DIJKSTRA, h, {"source": "a"}))


def test_the_default_capacity_where_that_is_enough():
    assert fitted(7).capacity.rows == 131_071


def test_a_capacity_for_this_input_where_it_is_not():
    assert (fitted(10**9).capacity.rows, fitted(10**9).capacity.weight) == (3, 10**9)


def test_equal_programs_are_compiled_once(counted):
    first = compiled(LEVELS, None)
    assert compiled(from_text(to_text(LEVELS)), None) is first
    fitting._made.cache_clear()  # another process
    assert compiled(LEVELS, None).verified == "compiled"
    assert len(counted) == 1


def test_a_label_makes_another_model(counted):
    """Labels are no part of the equality of operations, but a model carries them."""
    first, *others = LEVELS.body.ops
    renamed = replace(LEVELS, body=replace(LEVELS.body, ops=(replace(first, label="another"), *others)))
    assert renamed == LEVELS
    assert compiled(renamed, None).program != compiled(LEVELS, None).program
    assert len(counted) == 2


def test_a_program_that_is_none_is_refused(counted):
    with pytest.raises(LanguageError):
        compiled(replace(LEVELS, body=replace(LEVELS.body, stop=0)), None)
    assert not counted


def test_what_does_not_fit_is_told_with_the_weights_that_do():
    h = hyloop.Hypergraph.from_arrays([0, 1], [0, 1], weights=[Fraction(1, 2), 10**9], counts=(10**6, 2))
    with pytest.raises(hyloop.CapacityError) as raised:
        hyloop.run("dijkstra", h, source=0)
    message = str(raised.value)
    assert "1,000,000 rows, and its largest number is the weight of hyperedge 1, 2,000,000,000 times" in message
    assert "In float64, weights up to 3,002 fit with 1,000,000 rows." in message
    hyloop.compile("dijkstra", hyloop.Capacity(10**6, 3002))
    with pytest.raises(hyloop.CapacityError):
        hyloop.compile("dijkstra", hyloop.Capacity(10**6, 3003))
    with pytest.raises(hyloop.CapacityError, match=r"No weight fits with 100,000,000 rows; weights up to 1 fit with"):
        hyloop.compile("dijkstra", hyloop.Capacity(10**8, 1))


def by_road(weights):
    return Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=weights)


@pytest.mark.parametrize("weights", [[0.37, 1 / 3], [Fraction(1, 7**20), 2.5], [123.456, 2**-60]])
def test_the_decimals_that_fit_are_told(weights):
    with pytest.raises(CapacityError) as raised:
        run("dijkstra", by_road(weights), source="a")
    decimals = int(re.search(r"Round lengths to (\d+) decimals", str(raised.value))[1])
    rounded = [max(round(Fraction(weight), decimals), Fraction(1, 10**decimals)) for weight in weights]
    assert run("dijkstra", by_road(rounded), source="a")["distance"]["c"] == sum(rounded)
    with pytest.raises(CapacityError):
        run("dijkstra", by_road([*rounded[:1], rounded[1] + Fraction(1, 10 ** (decimals + 1))]), source="a")


def test_whole_numbers_are_not_rounded():
    with pytest.raises(CapacityError, match="Make that number smaller"):
        run("dijkstra", by_road([10**16, 1]), source="a")


@algorithm
def kept(h, people: Vertices[Count], toll: Hyperedges[Length], limit: Length):
    most = h.vertices.state(Count, 0)
    cheap = h.hyperedges.state(Flag, False)
    with h.loop(at_most=1) as loop:
        most.assign(3 * people)
        cheap.assign(h.weight + toll < limit)
        loop.stop_when(True)
    return Outputs(most=most, cheap=cheap)


@pytest.mark.parametrize(
    ("large", "named"),
    [
        ({"people": [1, 10**40]}, "that of the input people for vertex 'b', about 10^40."),
        ({"people": [2**53 - 1, 1]}, "that of the input people for vertex 'a', 9,007,199,254,740,991."),
        ({"toll": [10**20]}, "that of the input toll for hyperedge 'e', 100,000,000,000,000,000,000 times the unit"),
        ({"limit": 10**20}, "the input limit, 100,000,000,000,000,000,000 times the unit"),
        ({"weight": 10**20}, "the weight of hyperedge 'e', 100,000,000,000,000,000,000 times the unit"),
    ],
)
def test_the_number_that_no_model_holds_is_named(large, named):
    inputs = {"people": [1, 1], "toll": [1], "limit": 1, "weight": 1} | large
    h = Hypergraph.from_hyperedges({"e": ["a", "b"]}, weights=[inputs.pop("weight")])
    with pytest.raises(CapacityError) as caught:
        run(kept, h, **inputs)
    assert f"This input has 2 rows, and its largest number is {named}" in str(caught.value)
    assert "Lower the capacity" not in str(caught.value)
    assert run(kept, h, **inputs, backend="interpreter")["most"]["a"] == 3 * inputs["people"][0]


def test_what_reads_no_weights_takes_any():
    """In one model of the default capacity, which files and traces hold: of a larger one they would not."""
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[1, 10**20])
    assert fitting_model(LEVELS, prepare(LEVELS, h, {"source": "a"})) is compiled(LEVELS, None)
    assert run("levels", h, source="a")["level"] == {"a": 0, "b": 1, "c": 2}
    assert hyloop.check("levels", h, source="a").agrees


def test_an_input_that_is_not_given_yet_is_not_blamed():
    """A hypergraph is prepared before its inputs are known; the refusal names what is too large all the same."""
    h = Hypergraph.from_hyperedges([["a", "b"]] * 2, weights=[10**16, 1])
    prepared = hyloop.prepare("dijkstra", h)
    for ask in (lambda: prepared.run(source="a"), lambda: prepared.matrix("distance"), lambda: fitted(10**16)):
        with pytest.raises(CapacityError, match="its largest number is the weight of hyperedge"):
            ask()


def test_a_count_without_a_bound_has_as_many_rows_as_it_needs():
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    assert run("k_core", h, k=131_071).capacity[0] == 131_071
    found = run("k_core", h, k=200_000)
    assert (found.capacity[0], found["core"]) == (200_000, dict.fromkeys("abc", False))
    with pytest.raises(CapacityError, match=r"The input k is 99,999,999,999,999,999\. Make that"):
        run("k_core", h, k=99_999_999_999_999_999)
