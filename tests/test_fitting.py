"""The model for an input: the default one where that is enough, and compiled once for a program."""

from dataclasses import replace
from fractions import Fraction

import pytest

import hyloop
from hyloop import Hypergraph, fitting
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.prepare import prepare
from hyloop.fitting import compiled, fitting_model
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
    assert "1,000,000 vertices, 2 hyperedges, weights and lengths up to 2,000,000,000 in units of 0.5." in message
    assert message.endswith("In float64, weights up to 3,002 fit with 1,000,000 rows.")
    hyloop.compile("dijkstra", hyloop.Capacity(10**6, 3002))
    with pytest.raises(hyloop.CapacityError):
        hyloop.compile("dijkstra", hyloop.Capacity(10**6, 3003))
    with pytest.raises(hyloop.CapacityError, match=r"No weight fits with 100,000,000 rows; weights up to 1 fit with"):
        hyloop.compile("dijkstra", hyloop.Capacity(10**8, 1))
