"""What the program says must stand in each column, and how the check finds where it does not."""

from dataclasses import replace

import numpy as np
import pytest

import hyloop
from hyloop import Capacity, HyloopError, Hypergraph
from hyloop.compare import Interpreted, compare, places
from hyloop.errors import NotStoppedError
from hyloop.execute import cpu, dense
from hyloop.execute.prepare import encoded, given_to, program_of
from hyloop.lang import Count, Outputs, algorithm
from hyloop.lang.purpose import Purpose
from hyloop.machine.layer import Mlp
from hyloop.machine.layout import Fill
from hyloop.machine.purpose import Held
from hyloop.prove.mutants import reference

H = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d"], ["x", "y"]], weights=[2, 3, 4, 10])


@pytest.fixture(scope="module")
def model():
    return hyloop.compile("dijkstra", Capacity(20, 100))


@pytest.fixture
def beside(model):
    program = program_of(model)
    return Interpreted(model, program, given_to(program, H, {"source": "a"}))


def place_of(beside, name):
    return next(place for place in beside.places if place.name == name)


# -- places ---------------------------------------------------------------------------------------------------------


def test_every_local_of_the_model_has_a_place_after_its_layer_and_no_other(model):
    found = [place for place in places(model, program_of(model)) if place.role == "local"]
    spread = {
        (place.section, place.op, layer, place.column)
        for place in found
        for layer in range(len(model.layers) + 2)
        for section in ("before", "body")
        if place.stands(layer, section)
    }
    assert spread == {(each.section, each.op, each.layer, model.layout.number(each.column)) for each in model.locals}


def test_a_stay_is_one_place_and_a_gap_makes_two(model):
    first = Held(0, 0, (Purpose("body", 1),))
    stay = tuple(replace(first, layer=layer) for layer in (3, 1, 2, 5))
    layers = model.layers * 2
    found = places(replace(model, layers=layers, held=stay), program_of(model))
    assert [(place.begin, place.end) for place in found if place.role == "local"] == [(1, 3), (5, 5)]


def test_states_and_the_halt_flag_stand_after_the_last_layer_of_every_iteration(model):
    program, last = program_of(model), len(model.layers)
    found = [place for place in places(model, program) if place.role != "local"]
    assert [place.name for place in found] == [*(state.name for state in program.states), "halt"]
    for place in found:
        assert place.stands(last, "before")
        assert place.stands(last, "body")
        assert not any(place.stands(layer, "body") for layer in range(last))


# -- the interpreter beside -----------------------------------------------------------------------------------------


def test_a_column_is_an_array_on_its_rows_and_a_scalar_on_all(model, beside):
    beside.advance()
    distance, halt = place_of(beside, "distance"), place_of(beside, "halt")
    omega = model.infinity
    assert beside.numbers(distance).tolist() == [0, omega, omega, omega, omega, omega]
    assert beside.column(distance, 9).tolist() == [0, 0, omega, omega, omega, omega, omega, 0, 0]
    assert beside.column(halt, 4).tolist() == [0, 0, 0, 0]


def test_it_stays_at_its_end_and_then_speaks_of_states_only(model, beside):
    last = len(model.layers)
    while not beside.over:
        beside.advance()
    assert beside.step.halted
    assert beside.column(place_of(beside, "halt"), 3).tolist() == [1, 1, 1]
    holding = [place.role for place in beside.places if beside.holds(place, last)]
    assert set(holding) == {"state", "halt"}


def test_nothing_holds_before_the_first_iteration(model, beside):
    assert not any(beside.holds(place, layer) for place in beside.places for layer in range(len(model.layers) + 1))
    with pytest.raises(HyloopError, match="has not run an iteration yet"):
        beside.numbers(beside.places[0])


def test_a_program_that_does_not_stop_says_so():
    @algorithm
    def endless(h):
        """It never stops."""
        count = h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            loop.stop_when(count > 5)
            count.assign(count + 1)
        return Outputs(count=count)

    model = hyloop.compile(endless, Capacity(5, 5))
    given = given_to(endless.program, H, {})
    small = Interpreted(model, endless.program, given)
    for _ in range(3):
        small.advance()
    with pytest.raises(NotStoppedError):
        small.advance()
    found = compare(hyloop.compile(endless, Capacity(20, 20)), given)
    assert (found.agrees, found.stopped, found.iterations) == (True, False, 3)
    with pytest.raises(NotStoppedError, match="endless did not stop within the 3 iterations"):
        found.require_stopped("endless")


# -- the check ------------------------------------------------------------------------------------------------------


def given(model):
    return given_to(program_of(model), H, {"source": "a"})


def with_unit(model, layer, column, change):
    """The model with one weight changed that writes a column in a layer."""
    weights = [weight.copy() for weight in model.layers[layer].mlp.weights]
    number = model.layout.number(column)
    weights[3][int(np.flatnonzero(weights[3][:, number])[0]), number] += change
    layers = [*model.layers]
    layers[layer] = replace(layers[layer], mlp=Mlp(tuple(weights), layers[layer].mlp.purposes))
    return replace(model, layers=tuple(layers))


def test_check_recording_and_mutants_compare_the_same_places(model):
    """After each layer of each section: the columns that mutants look at are those that hold a place."""
    standing = places(model, program_of(model))
    ref = reference(model, [(H, {"source": "a"})])
    for layer, sections in enumerate(ref.compared):
        for section, columns in zip(("before", "body"), sections, strict=True):
            wanted = {place.column for place in standing if place.stands(layer, section)}
            assert set(np.flatnonzero(columns)) == wanted
    recorded = hyloop.trace(model, H, source="a", layers=True).document["variables"]
    assert sorted((each["role"], each["column"], each["until"]) for each in recorded) == sorted(
        (place.role, place.column, place.end) for place in standing
    )


def test_the_states_of_mutants_are_those_of_dense(model):
    ref, begin = reference(model, [(H, {"source": "a"})]), encoded(model, given(model), padding=1)
    session = dense.start(model, begin.X, begin.incidence, layers=True)
    for place in range(len(ref.item)):
        assert np.array_equal(ref.states[0][place], session.state())
        session.advance(1)
        assert all(np.array_equal(ref.states[n + 1][place], X[0]) for n, X in enumerate(session.after_layers()))
    assert session.halted().all()


def test_the_first_difference_ends_the_check(model):
    last = len(model.layers) - 1
    sound, wrong = compare(model, given(model)), compare(with_unit(model, last, "distance", 1), given(model))
    assert sound.agrees
    assert sound.changed
    assert wrong.difference.variable == "distance"
    assert wrong.iterations == wrong.difference.iteration < sound.iterations
    assert wrong.compared < sound.compared


def test_a_machine_that_has_halted_before_it_begins(model):
    """It runs no iteration, so no layer can put that right; the program runs one at least."""
    columns = tuple(
        replace(each, initial=(*each.initial, Fill(1.0, "global"))) if each.name == model.layout.halt else each
        for each in model.layout.columns
    )
    halted = replace(model, layout=replace(model.layout, columns=columns))
    found = compare(halted, given(model))
    assert (found.iterations, found.difference.iteration, found.difference.variable) == (0, 0, "halt")
    assert str(found.difference).startswith("before the first iteration: halt at row 0 is 1, not 0 (stop_when)")
    trace = hyloop.trace(halted, H, source="a")
    assert trace.iterations == hyloop.run(halted, H, source="a").iterations == 0
    assert trace.document["differences"]["first"] == {
        "frame": 0, "variable": "halt", "row": 0, "expected": 0, "found": 1,
    }  # fmt: skip


def test_another_backend_is_held_against_dense(model, monkeypatch):
    column = model.layout.number("distance")

    class Wrong:
        def __init__(self, session):
            self.session = session

        def __getattr__(self, name):
            return getattr(self.session, name)

        def state(self):
            X = self.session.state()
            X[4, column] += 1
            return X

    start = cpu.start
    assert compare(model, given(model), backend="cpu").agrees
    monkeypatch.setattr(cpu, "start", lambda *args: Wrong(start(*args)))
    difference = compare(model, given(model), backend="cpu").difference
    assert (difference.iteration, difference.row, difference.found - difference.expected) == (1, 4, 1)
    assert difference.variable == "column distance of backend cpu"
    with pytest.raises(HyloopError, match="There is no executor 'gpu'"):
        compare(model, given(model), backend="gpu")


def test_whoever_watches_sees_every_iteration(model):
    seen = []
    found = compare(model, given(model), watch=lambda X, step: seen.append((step.iteration, step.halted, X.shape)))
    shape = (7, len(model.layout))
    assert seen == [(n, n == found.iterations, shape) for n in range(1, found.iterations + 1)]
