"""A state by its columns is the state."""

from dataclasses import replace

import numpy as np
import pytest

from effort import share
from hyloop.algorithms import ALGORITHMS
from hyloop.build import compile as compile_model
from hyloop.execute import encode as encode_module
from hyloop.execute.columns import Columns, whole
from hyloop.execute.cpu.claims import Expected, claims, held, hold_positions
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.encode import Frame, encode, encode_by_column, has_integers
from hyloop.lang.kinds import Kind, Scope
from hyloop.machine.layout import Fill, Mark, Position
from hyloop.machine.positions import Circle


def frame_for(name, vertices, hyperedges, padding=0):
    inputs = {}
    for each in ALGORITHMS[name].program.inputs:
        count = {Scope.VERTICES: vertices, Scope.HYPEREDGES: hyperedges}.get(each.type.scope)
        one = 0 if each.type.kind in (Kind.FLAG, Kind.LENGTH) else 1
        inputs[each.name] = one if count is None else (one,) * count
    weights = np.arange(1, hyperedges + 1)
    return Frame(vertices, hyperedges, weights, inputs, padding)


@pytest.mark.parametrize("name", share(sorted(ALGORITHMS), "dijkstra", "forward_chaining"))
@pytest.mark.parametrize("sides", [(3, 5), (6, 2), (1, 1)])
def test_the_first_state_by_column_is_the_first_state(name, sides):
    model, given = compile_model(name), frame_for(name, *sides, padding=2)
    by_column, X = encode_by_column(model, given), encode(model, given)
    assert by_column.shape == X.shape
    assert np.array_equal(by_column.whole(), X)
    assert np.array_equal(by_column.numbers, X[:2])
    assert by_column.dtype == X.dtype == by_column.whole().dtype


def test_a_column_takes_all_rows_only_where_rows_differ():
    by_column = encode_by_column(compile_model("dijkstra"), frame_for("dijkstra", 40, 30))
    X = by_column.whole()
    for number in set(range(X.shape[1])) - set(by_column.vectors):
        assert len(np.unique(X[1:, number])) == 1
    assert len(by_column.vectors) < X.shape[1] / 2


@pytest.mark.parametrize("size", [1, 2, 7])
def test_least_and_largest_and_bodies(size):
    X = np.random.default_rng(size).integers(-9, 9, (size, 4)).astype(np.float64)
    of = Columns.of(X)
    assert len(of) == size
    assert np.array_equal(of.ends, (X.min(axis=0), X.max(axis=0)))
    assert all(np.array_equal(of.body(number), X[1:, number]) for number in range(4))
    assert Columns.of(of) is of
    assert whole(X) is X
    assert np.array_equal(whole(of), X)
    short = Columns(size + 3, np.array([[1.0, 2], [3, 4]]), {1: np.array([2.0, 4, *range(size + 1)])})
    assert np.array_equal(short.ends, (short.whole().min(axis=0), short.whole().max(axis=0)))


@pytest.mark.parametrize("kept", [0, encode_module.KEPT])
def test_first_states_of_one_size_have_only_in_common_what_is_not_given(monkeypatch, kept):
    monkeypatch.setattr(encode_module, "KEPT", kept)
    model = compile_model("dijkstra")
    for source, weights in ((1, [5, 7, 9]), (3, [1, 1, 2]), (1, [8, 8, 8])):
        given = Frame(4, 3, np.array(weights), {"source": source})
        by_column, X = encode_by_column(model, given), encode(model, given)
        assert (by_column.origin is not None) == (kept > 0)
        assert np.array_equal(by_column.whole(), X)
        assert np.array_equal(by_column.ends, (X.min(axis=0), X.max(axis=0)))
        assert plan_for(model, by_column) is plan_for(model, X)


def test_what_first_states_have_in_common_cannot_be_changed():
    by_column = encode_by_column(compile_model("dijkstra"), frame_for("dijkstra", 4, 3))
    for number, vector in by_column.vectors.items():
        assert vector.flags.writeable == (number in by_column.others)


def test_a_column_of_positions_that_was_changed_is_not_taken_for_that_of_the_origin():
    model = compile_model("dijkstra")
    given = encode_by_column(model, frame_for("dijkstra", 4, 3))
    first, second = plan_for(model, given).positions
    assert hold_positions((first, second), given)
    other = replace(given, vectors={**given.vectors, second: given.vectors[first]}, others=given.others | {second})
    assert not hold_positions((first, second), other)
    assert plan_for(model, other).positions is None


@pytest.mark.parametrize("name", share(sorted(ALGORITHMS), "dijkstra", "forward_chaining"))
def test_facts_that_are_clearly_met_hold(name):
    model = compile_model(name)
    facts, X = claims(model).facts, encode_by_column(model, frame_for(name, 5, 4))
    expected = Expected.of(facts)
    assert expected.is_met(X)
    assert held(facts, X) == facts
    for number in range(X.shape[1]):
        for row in (0, 1):
            numbers = X.numbers.copy()
            numbers[row, number] += 7
            other = replace(X, numbers=numbers)
            assert expected.is_met(other) <= (held(facts, other) == facts)
        one = replace(X, vectors={**X.vectors, number: np.arange(len(X), dtype=X.dtype)})
        assert expected.is_met(one) <= (held(facts, one) == facts)


def test_what_is_said_to_be_integers_is():
    for name in share(sorted(ALGORITHMS), "dijkstra"):
        by_column = encode_by_column(compile_model(name), frame_for(name, 5, 4))
        assert by_column.integral
        assert np.array_equal(by_column.whole(), np.rint(by_column.whole()))
    assert not Columns.of(np.full((3, 2), 0.5)).integral


@pytest.mark.parametrize("term", [Fill(0.5, "rows"), Mark(1.5, "source"), Position(0)])
def test_halves_and_positions_on_a_circle_are_no_integers(term):
    model = compile_model("dijkstra")
    columns = (*model.layout.columns[:-1], replace(model.layout.columns[-1], initial=(term,)))
    positions = Circle(8) if isinstance(term, Position) else model.layout.positions
    layout = replace(model.layout, columns=columns, positions=positions)
    assert has_integers(model)
    assert not has_integers(replace(model, layout=layout))
