"""The loop: every input of a batch runs until its own halt flag is 1, or all stop at the iteration limit."""

import numpy as np
import pytest

from hyloop.execute import dense
from hyloop.execute.loop import finish
from hyloop.execute.session import IterationLimitError
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Layer, one_stage
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.model import Capacity, Model
from hyloop.machine.positions import Parabola

LAYOUT = Layout((*STANDARD, Column("left", "global"), Column("halt", "global")), Parabola(), "halt")
LEFT, HALT = LAYOUT.number("left"), LAYOUT.number("halt")
# `left` counts down by one an iteration; `halt` becomes 1 in the iteration that finds it at 1.
COUNT_DOWN = Model(
    "count down",
    LAYOUT,
    (
        Layer(
            (),
            one_stage(
                LAYOUT,
                {"one": {"B_global": 1.0}, "last": {"B_global": 2.0, "left": -1.0}},
                {("one", "left"): -1, ("last", "halt"): 1},
            ),
        ),
    ),
    Capacity(9, 9),
)
NOTHING = np.zeros(0, dtype=np.int64)


def counting(*left):
    X = np.zeros((len(left), 2, len(LAYOUT)))
    X[:, 0, LAYOUT.number("B_global")] = 1
    X[:, 0, LEFT] = left
    return dense.start(COUNT_DOWN, X, [PaddedIncidence(2, NOTHING, NOTHING, np.zeros(0)) for _ in left])


def test_each_input_of_a_batch_halts_by_itself_and_stays_as_it_was_then():
    run = counting(3, 1, 5, 1)
    finish(run, limit=10)
    assert run.iterations().tolist() == [3, 1, 5, 1]
    assert run.halted().all()
    assert run.state()[:, 0, LEFT].tolist() == [0, 0, 0, 0]


def test_only_those_that_still_run_move_on():
    run = counting(3, 1, 5)
    run.advance(2)
    assert run.halted().tolist() == [False, True, False]
    assert run.iterations().tolist() == [2, 1, 2]
    assert run.state()[:, 0, LEFT].tolist() == [1, 0, 3]


def test_a_flag_that_is_set_from_the_start_means_no_iteration():
    X = np.zeros((2, len(LAYOUT)))
    X[0, HALT] = 1
    run = dense.start(COUNT_DOWN, X, PaddedIncidence(2, NOTHING, NOTHING, np.zeros(0)))
    finish(run, limit=0)
    assert run.iterations().tolist() == [0]
    assert run.state().tolist() == X.tolist()


def test_as_many_iterations_as_the_limit_are_enough():
    run = counting(7)
    finish(run, limit=7)
    assert run.iterations().tolist() == [7]


def test_the_limit_is_an_error_that_keeps_the_state_and_the_iterations():
    run = counting(3, 9, 8)
    with pytest.raises(IterationLimitError, match="2 of 3 inputs have not halted after 6 iterations") as stopped:
        finish(run, limit=6)
    assert stopped.value.iterations.tolist() == [3, 6, 6]
    assert stopped.value.state[:, 0, LEFT].tolist() == [0, 3, 2]


def test_the_limit_of_a_single_input_speaks_of_the_model():
    with pytest.raises(IterationLimitError, match="The model has not halted after 2 iterations; raise the limit"):
        finish(counting(3), limit=2)


def test_a_run_stopped_at_the_limit_can_go_on():
    run = counting(5)
    with pytest.raises(IterationLimitError):
        finish(run, limit=2)
    finish(run, limit=3)
    assert run.iterations().tolist() == [5]


def test_progress_is_told_the_iterations_so_far_and_ends_at_the_last():
    told = []
    finish(counting(10, 4), limit=99, progress=told.append, every=4)
    assert told == [4, 8, 10]
