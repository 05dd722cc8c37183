"""Columns: what a layer reads stands in a column, and no column is written while it is needed."""

import pytest

from compiler.levels import CAPACITY, SAMPLES, hoisted
from hyloop.compiler.bounds import bound
from hyloop.compiler.columns import place
from hyloop.compiler.forms import Forms, linear
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import one_a_layer, rides, schedule, values_in
from hyloop.compiler.verify import CompilerError, verify_placing
from hyloop.lang.ops import LEAVES


def placed(name, packing):
    core = hoisted(lower(SAMPLES[name]))
    bounds = bound(core, CAPACITY)
    plan = one_a_layer(core) if packing == "one operation per layer" else schedule(core, bounds, packing)
    return core, bounds, plan, verify_placing(plan, place(core, bounds, plan))


def looked_at(core, plan, head):
    """The operands of a head; a read that rides on the search for its pointer needs no pointer."""
    operands = core[head].operands
    return operands[:1] if rides(core, head, plan.heads) else operands


def at_hand(core, value, standing):
    """Whether a head can use a value: it stands in a column, or is a plain sum of what does."""
    if value in standing or core[value].name in LEAVES:
        return True
    summed = linear(core, value)
    return summed is not None and all(at_hand(core, each, standing) for each in summed)


@pytest.mark.parametrize("packing", [1, "one operation per layer"])
@pytest.mark.parametrize("name", SAMPLES)
def test_what_a_layer_reads_stands_in_a_column(name, packing):
    """The columns are followed through two iterations: what is brought or made is written, what is erased is gone."""
    core, bounds, plan, placing = placed(name, packing)
    held = {}
    for _ in range(2):
        for layer in range(1, plan.layers + 1):
            for head in plan.in_layer(layer):
                assert [each for each in looked_at(core, plan, head) if not at_hand(core, each, held.values())] == []
            held = {column: value for column, value in held.items() if column not in placing.erased[layer]}
            brought = {column: value for value, column in placing.brought[layer].items()}
            assert not held.keys() & brought.keys()  # a head adds to what is there: it must be empty
            held |= brought
            forms = Forms(core, bounds, frozenset(plan.waiting[layer - 1] | set(plan.in_layer(layer))))
            made = {value for value in placing.after[layer] if value not in held.values()}
            if layer == plan.layers:
                made |= {*core.body.updates.values(), core.halt}
            read = set().union(*(values_in(forms.clean(value)) for value in made))
            assert {value for value in read if core[value].name not in LEAVES} <= set(held.values())
            new = {column: value for value, column in placing.after[layer].items() if held.get(column) != value}
            assert not held.keys() & new.keys()
            held |= new
        held = {column: value for column, value in held.items() if column not in placing.cleared}


@pytest.mark.parametrize("name", SAMPLES)
def test_columns_are_used_again(name):
    _, _, plan, placing = placed(name, 3)
    waiting = max(len(each) for each in plan.waiting)
    heads = max((len(plan.in_layer(layer)) for layer in range(1, plan.layers + 1)), default=0)
    assert waiting <= len(placing.temporaries) <= 2 * (waiting + heads)


def test_two_values_in_one_column_are_noticed():
    _, _, plan, placing = placed("dijkstra", 3)
    layer = next(layer for layer, after in enumerate(placing.after) if len(after) > 1)
    placing.after[layer] = dict.fromkeys(placing.after[layer], "temporary 1")
    with pytest.raises(CompilerError, match="two values share a column"):
        verify_placing(plan, placing)
