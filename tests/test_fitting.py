"""The model for an input: the default one where that is enough, and compiled once for a program."""

from dataclasses import replace

import pytest

import hyloop
from hyloop import CapacityError, Hypergraph, fitting
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.prepare import prepare
from hyloop.fitting import compiled, fitting_model
from hyloop.lang import INFINITY, Count, Flag, Length, Outputs, Vertices, algorithm
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


def test_a_number_that_no_model_holds_is_named():
    @algorithm
    def echo(h, x: Vertices[Count], far: Length):
        y, done = h.vertices.state(Count, 0), h.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done)
            y.assign(x)
            done.assign(far < INFINITY)
        return Outputs(y=y)

    h = Hypergraph.from_hyperedges([["a", "b"]])
    with pytest.raises(CapacityError, match=r"^The input x of vertex 'b' is about 10\^30, too large for any model;"):
        hyloop.run(echo, h, x=[1, 10**30], far=1)
    with pytest.raises(CapacityError, match=r"^The input far is about 10\^30 times the unit of which all weights and"):
        hyloop.run(echo, h, x=[1, 1], far=10**30)
    assert hyloop.run(echo, h, x=[1, 10**30], far=1, backend="interpreter")["y"]["b"] == 10**30
