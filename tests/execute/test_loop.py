"""The loop: every input of a batch runs until its own halt flag is 1, or all stop at the iteration limit."""

import numpy as np
import pytest

from hyloop.errors import HyloopError, ModelError, NotStoppedError
from hyloop.execute import dense, loop
from hyloop.execute.loop import Pause, finish, iterate, require_halted
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


# -- pauses ---------------------------------------------------------------------------------------------------------


def pauses(*args, **options):
    return [(pause.iteration, pause.halted) for pause in iterate(*args, **options)]


def test_there_is_a_pause_before_the_first_iteration_and_after_each():
    assert pauses(counting(3), 10) == [(0, False), (1, False), (2, False), (3, True)]


def test_a_pause_tells_when_all_inputs_have_halted_and_counts_for_those_that_run():
    assert pauses(counting(1, 3), 10) == [(0, False), (1, False), (2, False), (3, True)]


def test_a_run_that_has_halted_already_has_one_pause():
    run = counting(2)
    finish(run, 2)
    assert pauses(run, 5) == [(2, True)]


@pytest.mark.parametrize(("stride", "seen"), [(2, [0, 2, 4, 5]), (5, [0, 5]), (64, [0, 5])])
def test_pauses_lie_a_stride_apart_and_never_past_the_end(stride, seen):
    assert [iteration for iteration, _ in pauses(counting(5), 10, stride=stride)] == seen


def test_without_a_stride_pauses_lie_further_and_further_apart(monkeypatch):
    monkeypatch.setattr(loop, "PAUSE", 1e9)
    assert [iteration for iteration, _ in pauses(counting(900), 900, stride=None)] == [0, 1, 257, 900]


def test_without_a_stride_slow_iterations_are_run_one_at_a_time(monkeypatch):
    monkeypatch.setattr(loop, "PAUSE", 0.0)
    assert [iteration for iteration, _ in pauses(counting(4), 9, stride=None)] == [0, 1, 2, 3, 4]


def test_the_limit_ends_the_pauses_and_is_an_error_only_for_whom_it_is_one():
    run = counting(5)
    assert pauses(run, 2) == [(0, False), (1, False), (2, False)]
    with pytest.raises(IterationLimitError, match="The model has not halted after 2 iterations"):
        require_halted(run, 2)
    with pytest.raises(IterationLimitError, match="countdown did not stop within the 2 iterations that it declares"):
        require_halted(run, 2, "countdown")
    assert pauses(run, 3)[-1] == (5, True)
    require_halted(run, 3)


def test_a_resumed_run_counts_on_from_where_it_was():
    assert list(iterate(counting(2), 5, began=7)) == [
        Pause(7, halted=False),
        Pause(8, halted=False),
        Pause(9, halted=True),
    ]


def test_what_is_done_in_a_pause_happens_before_the_run_goes_on():
    run = counting(3)
    seen = [(at.iteration, run.iterations().tolist(), int(run.state()[0, 0, LEFT])) for at in iterate(run, 9)]
    assert seen == [(0, [0], 3), (1, [1], 2), (2, [2], 1), (3, [3], 0)]


@pytest.mark.parametrize(("limit", "stride"), [(-1, 1), (3, 0)])
def test_limits_and_strides_that_are_none(limit, stride):
    with pytest.raises(HyloopError, match="The iteration limit must be at least 0"):
        pauses(counting(3), limit, stride=stride)


class Stuck:
    """A session that counts as little as it is told to, and holds the states that it is given."""

    def __init__(self, moves, *states):
        self.moves, self.states, self.done = moves, states, 0

    def advance(self, iterations):
        self.done += self.moves * iterations

    def iterations(self):
        return np.array([self.done])

    def halted(self):
        return np.array([False])

    def memory(self):
        return 0

    def state(self):
        return np.array(self.states[self.done // loop.LOOKS % len(self.states)])


def test_a_session_that_makes_no_progress_is_an_error():
    with pytest.raises(ModelError, match=r"made no progress after iteration 0 of countdown\.$"):
        pauses(Stuck(0), 5, program="countdown")
    with pytest.raises(ModelError, match=r"made no progress after iteration 0\.$"):
        pauses(Stuck(0), 5)


@pytest.mark.parametrize("states", [(1.0,), (1.0, 2.0), (1.0, 2.0, 3.0)])
def test_a_run_that_goes_round_in_a_circle_is_told_on_if_asked(states):
    with pytest.raises(NotStoppedError, match="countdown never stops"):
        pauses(Stuck(1, *states), 20_000, stride=loop.LOOKS, program="countdown", circles=True)
    assert pauses(Stuck(1, *states), 20_000, stride=loop.LOOKS)[-1] == (20_000, False)
