"""The clock of a piece of work: what counts, and that the time being up is never lost, wherever the signal lands."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from commands import python
from hyloop import HyloopError, parallel
from hyloop.parallel import PATIENCE, Clock, OutOfTime, in_parallel, uncounted


def test_time_passes_only_in_the_work():
    clock = Clock(0.2)
    clock.run(lambda: time.sleep(0.05))
    time.sleep(0.3)
    clock.look()
    assert clock.run(lambda: clock.look() or "done") == "done"
    with pytest.raises(OutOfTime):
        clock.run(lambda: [(time.sleep(0.02), clock.look()) for _ in range(20)])


def test_work_that_never_looks_is_interrupted():
    begun = time.monotonic()
    with pytest.raises(OutOfTime):
        Clock(0.05).run(lambda: time.sleep(10))
    assert time.monotonic() - begun < 5


def makes_something(seconds):
    with uncounted(), uncounted():
        time.sleep(seconds)


def test_what_is_made_once_is_not_counted_and_not_interrupted():
    clock = Clock(0.2)

    def work():
        makes_something(2 * PATIENCE + 0.3)  # several signals come meanwhile
        clock.look()
        return "done"

    assert clock.run(work) == "done"


def test_after_it_time_counts_again():
    def work():
        makes_something(PATIENCE + 0.1)
        time.sleep(10)

    begun = time.monotonic()
    with pytest.raises(OutOfTime):
        Clock(0.05).run(work)
    assert time.monotonic() - begun < 5


def long_in_a_worker(uncounted_seconds):
    parallel.GRACE = 0.2
    return Clock(0.1).run(lambda: makes_something(uncounted_seconds) or "done")


def test_a_worker_is_not_killed_while_it_makes_something():
    assert list(in_parallel(long_in_a_worker, [(1.0,), (0.0,)], 2)) == ["done", "done"]


def test_without_a_clock_nothing_stands_still():
    makes_something(0)


def test_without_a_limit_nothing_is_changed():
    handlers = signal.getsignal(signal.SIGALRM), sys.unraisablehook
    assert Clock(None).run(lambda: (signal.getsignal(signal.SIGALRM), sys.unraisablehook)) == handlers


class Finalized:
    """Its finalizer takes until the signal has come: what is raised there, Python drops."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __del__(self):
        time.sleep(self.seconds)


def swallows():
    with contextlib.suppress(BaseException):
        time.sleep(10)


@pytest.mark.parametrize("lost_in", [lambda: Finalized(PATIENCE + 0.3), swallows], ids=["finalizer", "suppressed"])
def test_a_signal_that_is_dropped_comes_again_and_nothing_is_told(lost_in, monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    def work():
        lost_in()
        time.sleep(10)

    begun = time.monotonic()
    with pytest.raises(OutOfTime):
        Clock(0.05).run(work)
    assert time.monotonic() - begun < 5
    assert told == []
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert sys.unraisablehook == told.append


def test_what_else_a_finalizer_raises_is_told(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: told.append(args.exc_type))

    class Broken:
        def __del__(self):
            raise KeyError

    Clock(10).run(lambda: Broken() and None)
    assert told == [KeyError]


def test_cleaning_up_after_the_time_is_not_interrupted_again():
    done = []

    def work():
        try:
            time.sleep(10)
        finally:
            time.sleep(2.5 * PATIENCE)
            done.append(1)

    with pytest.raises(OutOfTime):
        Clock(0.05).run(work)
    assert done == [1]


def test_what_an_interrupted_worker_left_behind_is_removed_in_silence():
    """By a process of joblib's that outlives ours: what it writes would stand behind our own sentence."""
    script = (
        "from hyloop.parallel import _hush_the_tracker\n"
        "_hush_the_tracker()\n"
        "from joblib.externals.loky.backend import resource_tracker\n"
        "resource_tracker.register('/loky-left-behind', 'semlock')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# Calls beside and within others. What waits for itself never ends, so each is in a process that can be given up.
BEGIN = """import os
from itertools import chain, count, islice
from joblib.externals.loky import get_reusable_executor
from hyloop.parallel import in_parallel
"""
WITHIN = {
    "begun in the iterator of another": """
        def tasks():
            for each in range(300):
                yield (sum(in_parallel(abs, [(-each,), (1,)], 2)) - 1,)
        assert list(in_parallel(abs, tasks(), 2)) == list(range(300))
    """,
    "begun before, and passed on": """
        first = in_parallel(abs, ((-each,) for each in range(300)), 2)
        begun = [next(first)]
        second = in_parallel(abs, ((each,) for each in chain(begun, first)), 2)
        assert list(second) == list(range(300))
    """,
    "begun before, and left alone": """
        first = in_parallel(abs, ((-each,) for each in count()), 2)
        next(first)
        def tasks():
            global first
            yield (next(first),)
            del first
            yield from ((each,) for each in range(2, 300))
        assert list(in_parallel(abs, tasks(), 2)) == list(range(1, 300))
        assert list(in_parallel(abs, ((each,) for each in range(300)), 2)) == list(range(300))
    """,
    "beside another, with other processes": """
        for _ in islice(in_parallel(abs, ((each,) for each in count()), 2), 3):
            assert list(in_parallel(abs, [(1,), (2,)], 3)) == [1, 2]
    """,
    "in a process that was forked": """
        list(in_parallel(abs, [(1,), (2,)], 2))
        child = os.fork()
        if child == 0:
            found = list(in_parallel(abs, [(1,), (2,)], 2))
            get_reusable_executor().shutdown(wait=True)
            os._exit(found != [1, 2])
        assert os.waitpid(child, 0)[1] == 0
        assert list(in_parallel(abs, [(1,), (2,)], 2)) == [1, 2]
    """,
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("where", WITHIN)
def test_a_call_ends_wherever_it_is(where):
    command = [*python(), "-c", BEGIN + textwrap.dedent(WITHIN[where])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_in_which_no_process_starts_is_named(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    kill_the_workers()
    with pytest.raises(
        HyloopError, match=r"could not be started, .* current folder.*deleted.* With processes=1"
    ) as told:
        list(in_parallel(abs, [(1,), (2,)], 2))
    assert "was told" not in str(told.value)
    assert list(in_parallel(abs, [(1,), (2,)], 1)) == [1, 2]


def kill_the_workers():
    """Those of earlier tests would do the work."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)


@pytest.mark.skipif(os.name != "posix", reason="there are no such signals")
def test_workers_end_with_the_process_that_started_them_however_it_ends():
    code = """
        import time
        from hyloop.parallel import in_parallel

        for _ in in_parallel(time.sleep, [(0,), (0,), (600,), (600,)], 2):
            print("done", flush=True)
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None
        assert caller.stdout.readline() == b"done\n"
        caller.kill()
        caller.communicate(timeout=60)  # the workers hold its output open
