"""The simulation check: what agrees, and how a model that was tampered with is told on."""

from dataclasses import replace

import numpy as np
import pytest

import hyloop
from effort import sample
from hyloop import Capacity, HyloopError, Hypergraph, ModelError
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import NotStoppedError
from hyloop.execute.prepare import program_of
from hyloop.lang import INFINITY, Count, Length, Outputs, algorithm
from hyloop.machine.layer import Head, Mlp
from hyloop.machine.layout import Fill

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
    heads[head] = Head(old.kind, old.query, old.key, value, old.purpose)
    return with_layer(model, layer, replace(model.layers[layer], heads=tuple(heads)))


def with_weight(model, layer, stage, entry, change):
    """The model with one weight of an MLP changed."""
    weights = [weight.copy() for weight in model.layers[layer].mlp.weights]
    weights[stage][entry] += change
    mlp = Mlp(tuple(weights), model.layers[layer].mlp.purposes)
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


@pytest.mark.parametrize("name", [name for name in sample(ALGORITHMS) if name != "motifs"])
def test_every_algorithm_has_locals_to_compare(name):
    compiled = hyloop.compile(name, Capacity(20, 100))
    program = program_of(compiled)
    assert compiled.locals or len(compiled.layers) == 1  # what one layer computes is nowhere between layers
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


# -- integers, not floats -------------------------------------------------------------------------------------------

LARGE = 2**53 + 1  # no float of 64 bits holds it; the nearest is 2**53


@algorithm
def constant(h):
    """A state that nothing changes, and one that counts."""
    kept = h.vertices.state(Count, 77)
    once = h.state(Count, 0)
    with h.loop(at_most=2) as loop:
        loop.stop_when(once > 0)
        once.assign(once + 1)
    return Outputs(kept=kept)


def with_constant(value):
    """The model of `constant` as a compiler would make it that takes any number: the encoder fills in a float."""
    compiled = hyloop.compile(constant, Capacity(20, 100))
    columns = tuple(
        replace(
            column,
            initial=tuple(
                replace(term, value=float(value)) if isinstance(term, Fill) and term.value == 77 else term
                for term in column.initial
            ),
        )
        for column in compiled.layout.columns
    )
    layout = replace(compiled.layout, columns=columns)
    assert layout != compiled.layout
    return replace(compiled, layout=layout, program=compiled.program.replace("77", str(value)))


def test_a_constant_that_a_float_holds():
    assert hyloop.check(with_constant(2**52), H).agrees
    assert set(hyloop.run(with_constant(2**52), H)["kept"].values()) == {2**52}


@pytest.mark.parametrize("backend", ["dense", "cpu"])
def test_what_is_expected_is_not_rounded(backend):
    difference = hyloop.check(with_constant(LARGE), H, backend=backend).difference
    assert (difference.expected, difference.found) == (LARGE, LARGE - 1)
    assert f"is {LARGE - 1}, not {LARGE}" in str(difference)


def test_a_recording_does_not_round_either():
    first = hyloop.trace(with_constant(LARGE), H).document["differences"]["first"]
    assert (first["variable"], first["expected"], first["found"]) == ("kept", LARGE, LARGE - 1)


@pytest.mark.parametrize("value", [LARGE, 0.5])
@pytest.mark.parametrize("backend", ["dense", "cpu"])
def test_the_decoder_refuses_what_is_no_exact_integer(value, backend):
    model = with_constant(LARGE) if value == LARGE else with_fraction()
    message = (
        "holds 9007199254740992, and its floats are exact below" if value == LARGE else "for kept at row 1, where a"
    )
    with pytest.raises(ModelError, match=message):
        hyloop.run(model, H, backend=backend)


def with_fraction():
    model = with_constant(78)
    return replace(model, layout=replace(model.layout, columns=tuple(map(_halved, model.layout.columns))))


def _halved(column):
    return replace(
        column,
        initial=tuple(
            replace(term, value=0.5) if isinstance(term, Fill) and term.value == 78 else term for term in column.initial
        ),
    )


def test_a_count_is_not_taken_for_infinity():
    """The interpreter's infinity is 2**61: a count of that size is a count."""
    difference = hyloop.check(with_constant(2**61 + 1), H).difference
    assert difference.expected == 2**61 + 1
    assert hyloop.check(with_constant(2**61), H).agrees  # 2**61 is a float


def test_whether_the_loop_did_anything(model):
    assert hyloop.check(model, H, source="a").changed
    assert hyloop.check(with_constant(3), H).changed
    assert not hyloop.check(hyloop.compile(idle, Capacity(20, 100)), H).changed


@algorithm
def idle(h):
    """It stops at once."""
    near = h.vertices.state(Length, INFINITY)
    with h.loop(at_most=1) as loop:
        loop.stop_when(True)
        near.assign(near)
    return Outputs(near=near)


def test_a_program_that_does_not_stop():
    with pytest.raises(NotStoppedError, match="endless did not stop within the 3 iterations that it declares"):
        hyloop.check(endless, H)


@algorithm
def endless(h):
    """It never stops."""
    turns = h.state(Count, 0)
    with h.loop(at_most=3) as loop:
        loop.stop_when(turns > 9)
        turns.assign(turns + 1)
    return Outputs(turns=turns)
