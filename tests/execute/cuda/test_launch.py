"""Generated code, in lock-step on the CPU: the same states after the same iterations as the cpu backend."""

import numpy as np
import pytest

from execute.cuda.lockstep import cases, compared, needs_compiler, packed
from hyloop import Capacity, CapacityError, HypergraphBatch, Model, ModelError
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.cuda.launch import NARROW, SHAPES, Launch, bits_of
from hyloop.execute.cuda.machines import LockStep
from hyloop.execute.cuda.source import BEYOND, HALTED, UNFINISHED
from hyloop.fitting import compiled
from hyloop.machine.model import vouched

WARP, BLOCK = [(32, 32, 1)], [(64, 64, 1)]


def program(name):
    return ALGORITHMS[name].program


@needs_compiler
@pytest.mark.parametrize(
    ("name", "shapes", "weight", "bits"),
    [("dijkstra", WARP, 100, 32), ("reachable", BLOCK, 8, 32), ("spanning_tree", WARP, 2**31, 64)],
)
def test_states_and_iterations_equal_those_of_cpu(name, shapes, weight, bits):
    model = compiled(program(name), Capacity(32, weight))
    launch = compared(model, cases(program(name), 24, rows=12), shapes=shapes)
    assert launch.bits == bits
    assert launch.misguessed == 0


@needs_compiler
def test_a_limit_ends_a_run_and_too_many_rows_are_left_alone():
    model = compiled(program("levels"), Capacity(64, 10))
    path = HypergraphBatch.random(3, seed=0, vertices=(20, 20), hyperedges=(5, 40))
    launch = Launch(model, LockStep(), shapes=WARP)
    ran = launch.run(path, {"source": np.array([1, 2, 3])}, np.array([1, 50, 50]))
    large = path.hyperedges > 32
    assert large.tolist() == [False, False, True], "one of them has more rows than a warp takes"
    assert ran.status.tolist() == [UNFINISHED, HALTED, BEYOND]
    assert ran.iterations.tolist()[::2] == [1, 0]


@needs_compiler
def test_an_empty_batch():
    launch = Launch(compiled(program("levels"), Capacity(32, 8)), LockStep())
    ran = launch.run(HypergraphBatch.of([]), {"source": np.zeros(0, np.int64)}, np.zeros(0, np.int64))
    assert len(ran.iterations) == len(ran.status) == 0


def test_what_the_encoder_refuses_is_refused():
    model = compiled(program("levels"), Capacity(32, 8))
    launch = Launch(model, LockStep())
    batch, inputs = packed(model, cases(program("levels"), 3))
    with pytest.raises(CapacityError, match="'source' has a value"):
        launch.run(batch, {"source": inputs["source"] * 0 + 33}, np.ones(len(batch)))
    with pytest.raises(CapacityError):
        launch.run(HypergraphBatch.random(1, vertices=33, hyperedges=2), {"source": np.ones(1)}, np.ones(1))


def test_numbers_are_as_wide_as_the_certificate_says():
    narrow, wide = (compiled(program("dijkstra"), Capacity(32, weight)) for weight in (8, 2**31))
    assert (bits_of(narrow), bits_of(wide)) == (32, 64)
    assert narrow.certificate.largest < NARROW <= wide.certificate.largest


def test_shapes_are_in_order_and_have_the_room_they_say():
    assert [room for room, _, _ in SHAPES] == sorted({width * rows for _, width, rows in SHAPES})


def test_a_model_without_a_bound_is_refused():
    model = compiled(program("levels"), Capacity(32, 8))
    with pytest.raises(ModelError, match="is unverified"):
        Launch(vouched(model, "unverified"), LockStep())
    bare = Model("bare", model.layout, model.layers, model.capacity)
    with pytest.raises(ModelError, match="dense runs it"):
        Launch(bare, LockStep())
