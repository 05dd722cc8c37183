"""Many inputs side by side: the state of every lane is that of dense, after every iteration."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest

import hyloop
from execute.cpu.lanes.cases import H, block_of, case, equal_after_every_iteration, mutant, ties
from hyloop.execute.cpu.lanes import boxes
from hyloop.execute.cpu.lanes.engine import Block, LeftError, lanes_for
from hyloop.execute.encode import encode_columns, encode_without_inputs, given_columns, pad
from hyloop.machine.model import Capacity


@pytest.mark.parametrize(("name", "bits"), [("levels", 16), ("levels", 64), ("bfs", 32), (ties, 16)])
def test_the_same_as_dense(name, bits):
    block, *rest = block_of(*case(name))
    assert equal_after_every_iteration(Block(replace(block.lanes, bits=bits)), *rest) > 2


def test_narrow_numbers_where_the_weights_allow():
    bits = [block_of(*case("levels", capacity=Capacity(rows, 1)))[0].lanes.bits for rows in (100, 100_000)]
    assert bits == [16, 32]


def test_more_inputs_than_were_looked_at():
    model, frame = case("levels")
    block, *_ = block_of(model, frame, sources=[3])
    tables = encode_columns(model, frame, block.lanes.begun, [{"source": source} for source in range(1, 16)])
    block.run(tables, 100, "levels")
    level, reached = (block.column(model.layout.number(each)) for each in ("level", "reached"))
    expected = [hyloop.run("levels", H, source=v).array("level").tolist() for v in H.vertices]
    assert np.where(reached == 1, level, -1)[:15, 1:].tolist() == expected


def test_a_number_that_leaves_its_box():
    block, tables, *_ = block_of(*case("levels"))
    column = block.lanes.model.layout.number("level")
    small = {key: (0.0, 1.0) if key[2] == column else box for key, box in block.lanes.boxes.items()}
    with pytest.raises(LeftError) as left:
        Block(replace(block.lanes, boxes=small)).run(tables, 100, "levels")
    deepest = [max(hyloop.run("levels", H, source=v).array("level")) for v in H.vertices]
    assert deepest[left.value.lane] > 1
    source = block.lanes.model.layout.number("input source")
    small = {key: (0.0, 9.0) if key[2] == source else box for key, box in block.lanes.boxes.items()}
    with pytest.raises(LeftError) as left:
        Block(replace(block.lanes, boxes=small)).run(tables, 100, "levels")
    assert left.value.lane == 9


def test_plans_with_pointers_and_given_claims_are_refused():
    assert block_of(*case("dijkstra"))[0] is None
    model, frame = case("levels")
    begun = encode_without_inputs(model, frame)
    tables = encode_columns(model, frame, begun, [{"source": 1}, {"source": 2}])
    assert given_columns(model) == frozenset(tables)
    [table] = tables.values()
    table[1, 3] += 1  # the plan believes that all rows hold the same
    assert lanes_for(model, begun, pad(model, H, len(begun)), frozenset(), tables) is None


@pytest.mark.parametrize("seed", range(3))
def test_changed_weights_run_alone_or_are_the_same(seed):
    model, frame = case(["levels", "bfs", ties][seed])
    block, tables, states, incidence = block_of(mutant(model, np.random.default_rng(seed)), frame)
    if block is not None:
        with contextlib.suppress(LeftError):
            assert equal_after_every_iteration(block, tables, states, incidence, most=8) >= 0


def test_intervals_know_what_may_overflow():
    block, *_ = block_of(*case("levels"))
    observed, rows = block.lanes.observed, len(block.lanes.begun) - 1
    degrees = {"incidence": 4, "transposed": 4}
    assert boxes.fitting(observed, rows, degrees)[0] == 16
    assert boxes.fitting(observed, rows, dict.fromkeys(degrees, 40_000))[0] == 32
    assert boxes.fitting(boxes.Observed(observed.plan), rows, degrees) is None  # nothing was seen
