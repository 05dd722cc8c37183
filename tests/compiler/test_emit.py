"""Weights: after every layer each column holds what the interpreter says of the core program's values."""

from dataclasses import replace

import numpy as np
import pytest

from compiler.levels import CAPACITY, SAMPLES, hoisted, runs, steps
from hyloop.compiler.bounds import bound
from hyloop.compiler.columns import place
from hyloop.compiler.emit import emit
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import one_a_layer, schedule
from hyloop.errors import CapacityError
from hyloop.execute.dense import Blocks, apply
from hyloop.execute.encode import encode, frame, pad
from hyloop.lang.kinds import Scope
from hyloop.machine.layout import state_column
from hyloop.machine.model import Local


def column_of(state):
    return "started" if state.role == "started" else state_column(state.name)


def laid_out(value, scope, size, infinity, omega):
    """A value of the interpreter as a column: a scalar on all rows, an array on its own."""
    entries = [omega if entry == infinity else entry for entry in np.atleast_1d(value).tolist()]
    if scope is Scope.SCALAR:
        return entries * size
    return [0, *entries, *[0] * (size - 1 - len(entries))]


def emitted(name, packing):
    core = hoisted(lower(SAMPLES[name]))
    bounds = bound(core, CAPACITY)
    plan = one_a_layer(core) if packing == "one operation per layer" else schedule(core, bounds, packing)
    return core, place(core, bounds, plan), emit(core, bounds, plan, "float64")


def differences(core, placing, model, h, inputs):
    """Where a column is not what the interpreter says, after a layer or at the end of an iteration."""
    X = encode(model, frame(h, inputs, padding=1))[np.newaxis]
    size = X.shape[1]
    blocks = Blocks.of([pad(model, h, size)], size, size, "float64")
    for step in steps(core, h, inputs):
        for number, layer in enumerate(model.layers, start=1):
            X = apply(layer, X, blocks)
            for value, column in placing.after[number].items():
                expected = laid_out(step.values[value], core[value].type.scope, size, step.infinity, model.infinity)
                if X[0, :, model.layout.number(column)].tolist() != expected:
                    yield core[value], column, number
        for state in core.states:
            expected = laid_out(step.states[state.name], state.type.scope, size, step.infinity, model.infinity)
            if X[0, :, model.layout.number(column_of(state))].tolist() != expected:
                yield state
        if X[0, 0, model.layout.number(model.layout.halt)] != step.halted:
            yield "halt"


@pytest.mark.parametrize("packing", [3, "one operation per layer"])
@pytest.mark.parametrize("name", SAMPLES)
def test_columns_hold_the_values_of_the_core_program(name, packing):
    core, placing, model = emitted(name, packing)
    for h, inputs in runs(core, seed=len(name), count=1):
        assert list(differences(core, placing, model, h, inputs)) == []


def test_a_wrong_weight_is_noticed():
    """The comparison itself can fail."""
    core, placing, model = emitted("dijkstra", 3)
    [(h, inputs)] = runs(core, seed=1, count=1)
    first, *others = model.layers
    weight = first.mlp.weights[0].copy()
    row, column = np.argwhere(weight)[0]
    weight[row, column] += 1
    mlp = replace(first.mlp, weights=(weight, *first.mlp.weights[1:]))
    wrong = replace(model, layers=(replace(first, mlp=mlp), *others))
    assert list(differences(core, placing, wrong, h, inputs)) != []


@pytest.mark.parametrize("name", SAMPLES)
def test_locals_are_values_of_the_source(name):
    core, placing, model = emitted(name, 3)
    expected = {
        Local(section, op, layer, after[number])
        for section, numbers in core.origin.items()
        for op, number in enumerate(numbers)
        for layer, after in enumerate(placing.after)
        if number in after
    }
    assert expected or name != "dijkstra"  # a few of the random ones keep nothing
    assert len(model.locals) == len(expected)
    assert set(model.locals) == expected


def test_numbers_that_are_not_exact_are_refused():
    core = lower(SAMPLES["dijkstra"])
    bounds = bound(core, CAPACITY)
    plan = schedule(core, bounds, 3)
    emit(core, bounds, plan, "float32")
    large = bound(core, type(CAPACITY)(100_000, 1))
    with pytest.raises(CapacityError, match="exact are those below"):
        emit(core, large, plan, "float32")


def writers(model, column):
    """The units of the last stage that a column gets, then those that these read, stage by stage."""
    mlp = model.layers[-1].mlp
    wanted = np.flatnonzero(mlp.weights[3][:, model.layout.number(column)])
    for number in (2, 1, 0):
        yield from (mlp.purposes[number][unit] for unit in wanted)
        wanted = np.flatnonzero(mlp.weights[number][:, wanted].any(axis=1))


def test_only_what_halts_is_for_halt():
    _, _, model = emitted("dijkstra", 3)
    parts = {
        column: {each.part for unit in writers(model, column) for each in unit.purposes}
        for column in ("halt", "started")
    }
    assert "halt" in parts["halt"]
    assert parts["started"] == set()
