"""The simulation check: what agrees, and how a model that was tampered with is told on."""

from dataclasses import replace

import numpy as np
import pytest

import hyloop
from hyloop import Capacity, HyloopError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.machine.layer import Head, Mlp
from hyloop.run import program_of

H = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d"], ["a", "d"]], weights=[2, 3, 4, 10])


@pytest.fixture(scope="module")
def model():
    return hyloop.compile("dijkstra", Capacity(20, 100))


def with_value(model, layer, head, entry, change):
    """The model with one entry of a head's value matrix changed."""
    old = model.layers[layer].heads[head]
    value = old.value.copy()
    value[entry] += change
    heads = [*model.layers[layer].heads]
    heads[head] = Head(old.kind, old.query, old.key, value, old.serves)
    return with_layer(model, layer, replace(model.layers[layer], heads=tuple(heads)))


def with_weight(model, layer, stage, entry, change):
    """The model with one weight of an MLP changed."""
    weights = [weight.copy() for weight in model.layers[layer].mlp.weights]
    weights[stage][entry] += change
    mlp = Mlp(tuple(weights), model.layers[layer].mlp.units)
    return with_layer(model, layer, replace(model.layers[layer], mlp=mlp))


def with_layer(model, number, layer):
    layers = [*model.layers]
    layers[number] = layer
    return replace(model, layers=tuple(layers))


def writers_of(model, column):
    """(layer, unit) of the MLP weights that write a column."""
    number = model.layout.number(column)
    return [
        (layer, unit)
        for layer, each in enumerate(model.layers)
        for unit in np.flatnonzero(each.mlp.weights[3][:, number])
    ]


def test_what_agrees(model):
    checked = hyloop.check(model, H, source="a")
    assert checked.agrees
    assert checked.difference is None
    steps = hyloop.run("dijkstra", H, source="a", backend="interpreter").iterations
    assert checked.iterations == steps
    assert checked.compared > 0


def test_everything_is_compared(model):
    program = program_of(model)
    checked = hyloop.check(model, H, source="a")
    locals_ = {section: sum(local.section == section for local in model.locals) for section in ("before", "body")}
    states = len(program.states) + 1  # and the halt flag
    expected = checked.iterations * states + locals_["before"] + (checked.iterations - 1) * locals_["body"]
    assert checked.compared == expected


def test_locals_are_placed_where_the_program_has_them(model):
    program = program_of(model)
    labels = {program.body.ops[local.op].label for local in model.locals if local.section == "body"}
    assert {"edge", "best", "fresh"} <= labels
    assert {local.layer for local in model.locals} <= set(range(1, len(model.layers) + 1))
    for local in model.locals:
        model.layout.number(local.column)


def first_difference(model, column):
    """Change the weights that write a column, one after the other, until that shows; also which weight it was."""
    for layer, unit in writers_of(model, column):
        changed = with_weight(model, layer, 3, (unit, model.layout.number(column)), 1)
        for source in H.vertices:
            if difference := hyloop.check(changed, H, source=source).difference:
                return difference, layer, unit
    return pytest.fail(f"no changed weight of {column} was found")


@pytest.mark.parametrize("column", ["distance", "settled", "predecessor", "hyperedge", "key", "queued"])
def test_a_changed_weight_is_found_where_it_writes(model, column):
    difference, layer, unit = first_difference(model, column)
    state = program_of(model).state(column)
    assert difference.variable == column
    assert difference.where == str(state.where)
    assert difference.where.startswith("dijkstra.py:")
    assert difference.layer is None
    assert difference.expected != difference.found
    units = next(text for text in difference.writers if text.startswith(f"layer {layer + 1}, units"))
    assert str(unit + 1) in units.partition("units ")[2].split(", ")


def test_a_changed_bias_is_found_at_once(model):
    layer, unit = writers_of(model, "halt")[0]
    entry = (unit, model.layout.number("halt"))
    difference = hyloop.check(with_weight(model, layer, 3, entry, 1), H, source="a").difference
    assert difference.variable == "halt"
    assert difference.where == "stop_when"


def test_a_changed_head_is_found_after_its_layer(model):
    local = next(each for each in model.locals if each.section == "body" and each.layer == 1)
    number = model.layout.number(local.column)
    places = [
        (place, row)
        for place, head in enumerate(model.layers[0].heads)
        for row in np.flatnonzero(head.value[:, number] > 0)
    ]
    if not places:
        pytest.skip("no local of the first layer is brought by a head")
    place, row = places[0]
    difference = hyloop.check(with_value(model, 0, place, (row, number), 1), H, source="a").difference
    op = program_of(model).body.ops[local.op]
    assert difference.layer == 1
    assert difference.where == str(op.where)
    assert difference.iteration == 2  # the first of the loop's own
    assert any(text.startswith(f"layer 1, head {place + 1} (") for text in difference.writers)


def test_the_sentence(model):
    found, _, _ = first_difference(model, "distance")
    assert str(found) == (
        f"iteration {found.iteration}, after the iteration: distance at row {found.row} is {found.found:g}, "
        f"not {found.expected} ({found.where}); its column is written by {'; '.join(found.writers)}"
    )


def test_a_fault_that_shows_late_is_found_late(model):
    """Before the loop nothing has a predecessor: a fault of what writes it shows in an iteration of the loop."""
    difference, _, _ = first_difference(model, "predecessor")
    assert difference.iteration >= 2


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "motifs"])
def test_every_algorithm_has_locals_to_compare(name):
    compiled = hyloop.compile(name, Capacity(20, 100))
    program = program_of(compiled)
    assert compiled.locals
    for local in compiled.locals:
        section = program.before if local.section == "before" else program.body
        assert 0 <= local.op < len(section.ops)


def test_a_model_without_a_program(model):
    with pytest.raises(HyloopError, match="carries no program"):
        hyloop.check(replace(model, program=""), H, source="a")


def test_inputs_are_checked(model):
    with pytest.raises(HyloopError, match="needs source"):
        hyloop.check(model, H)
    with pytest.raises(HyloopError, match="no input"):
        hyloop.check(model, H, source="a", target="b")
