"""Many hypergraphs, and processes that die or do not end; new processes take seconds to start."""

from __future__ import annotations

import os
import signal

import pytest

from hyloop import HyloopError, run_many
from hyloop.parallel import in_parallel
from odd_inputs import Killer, KillerAtFirst, KillerOnTheWay, Stubborn
from test_batch import one_by_one, only_these_fail, some


@pytest.mark.parametrize("killer", [Killer, KillerOnTheWay])
def test_two_of_many(killer):
    only_these_fail(killer, [3, 9])


def test_an_input_whose_process_died_by_chance_is_run_again(tmp_path):
    inputs = some(6)
    h = inputs[2][0]
    inputs[2] = (h, {"source": KillerAtFirst(tmp_path / "been here")})
    found = list(run_many("bfs", inputs, processes=2))
    assert (tmp_path / "been here").exists()
    assert [bool(each) for each in found] == [True, True, False, True, True, True]
    assert "an odd thing cannot be a label" in str(found[2])


def test_what_came_before_is_kept_and_what_comes_after_goes_on():
    """Also from an iterator that is read bit by bit, with one of the last to fail."""
    good = some(1)[0]
    taken = []

    def many():
        for number in range(300):
            taken.append(number)
            yield (good[0], {"source": Killer()}) if number in {0, 290} else good

    found = run_many("bfs", many(), processes=2)
    assert not next(found)
    rest = list(found)
    assert taken == list(range(300))
    assert [place for place, each in enumerate(rest, start=1) if not each] == [290]
    assert rest[0] == rest[-1] == one_by_one("bfs", [good])[0]


def test_one_that_hears_no_signal_is_ended_from_outside():
    h, _ = good = some(1)[0]
    found = list(run_many("bfs", [good, (h, {"source": Stubborn()}), good], processes=2, time_limit=0.5))
    assert [bool(each) for each in found] == [True, False, True]
    assert "much longer than 0.5 seconds" in str(found[1])


def test_work_that_has_no_word_for_a_lost_task_is_an_error():
    def die(number):
        if number == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    found = in_parallel(die, [(number,) for number in range(4)], 2)
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(HyloopError, match="task 2 died twice"):
        next(found)
