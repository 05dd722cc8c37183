"""Many hypergraphs: in order, lazily, with one bad input among good ones; on several processes and on a cluster."""

from __future__ import annotations

import inspect
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import count, islice
from uuid import uuid4

import joblib
import numpy as np
import pytest

import hyloop
from hyloop import Failure, HyloopError, Hypergraph, run_many
from hyloop.checking import check
from hyloop.execute.cpu.native import library
from hyloop.execute.cpu.quiet import relay
from hyloop.execute.prepare import program_of
from hyloop.lang import Count, Outputs, algorithm
from hyloop.lang.text import from_text, to_text
from hyloop.lang.tracing import OPTIONS
from hyloop.parallel import in_parallel
from hyloop.samples import hypergraphs
from odd_inputs import Killer, Raiser, Sleeper

ODD_SECONDS = [Decimal("sNaN"), 1j, np.complex128(1), np.timedelta64(1), True]


def some(number, seed=0):
    found = (h for h in hypergraphs(seed, vertices=6, hyperedges=6) if h.vertices)
    return [(h, {"source": h.vertices[0]}) for h in islice(found, number)]


def one_by_one(name, inputs):
    return [hyloop.run(name, h, **given) for h, given in inputs]


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_inputs(processes):
    inputs = some(40)
    assert list(run_many("bfs", inputs, processes=processes)) == one_by_one("bfs", inputs)


def test_one_model_for_all():
    inputs = some(20)
    model = hyloop.compile("dijkstra", hyloop.Capacity(20, 1000))
    assert list(run_many(model, inputs, processes=2)) == one_by_one(model, inputs)


def test_an_own_program():
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    program = hyloop.run.__globals__["program_of"]("components")
    assert [found["component"] for found in run_many(program, [h], processes=1)] == [{"a": "a", "b": "a", "c": "a"}]


def test_a_bad_input_is_told_and_the_others_go_on():
    inputs = some(5)
    inputs[2] = (inputs[2][0], {"source": "nobody"})
    inputs[3] = "no hypergraph"
    found = list(run_many("bfs", inputs, processes=2))
    assert [bool(each) for each in found] == [True, True, False, False, True]
    assert isinstance(found[2], Failure)
    assert found[2].place == 2
    assert "nobody" in str(found[2])
    assert "name of a file" in str(found[3])
    good = [each for each in found if each]
    assert good == one_by_one("bfs", [inputs[0], inputs[1], inputs[4]])


def test_inputs_for_all_and_inputs_of_ones_own():
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    found = list(run_many("bfs", [h, (h, {"source": "c"})], processes=1, source="a"))
    assert [each["level"]["a"] for each in found] == [0, 2]


def test_an_endless_iterator_is_taken_bit_by_bit():
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield Hypergraph.from_hyperedges([["a", f"b{number}"]])

    found = list(islice(run_many("bfs", endless(), processes=1, source="a"), 3))
    assert [list(each["level"]) for each in found] == [["a", "b0"], ["a", "b1"], ["a", "b2"]]
    assert len(taken) < 1000


def test_progress_is_told():
    told = []
    list(run_many("bfs", some(7), processes=1, progress=told.append))
    assert told == [1, 2, 3, 4, 5, 6, 7]


def test_nothing_gives_nothing():
    assert list(run_many("bfs", [], processes=1)) == []


def test_mistakes_that_concern_all_are_told_at_once():
    with pytest.raises(HyloopError, match="no algorithm"):
        run_many("djikstra", [])
    with pytest.raises(HyloopError, match="no backend"):
        run_many("bfs", [], backend="gpu")


@pytest.mark.parametrize("processes", [1, 2])
def test_an_iterator_that_fails_loses_nothing_of_what_it_gave(processes):
    inputs = some(9)

    def failing():
        yield from inputs
        raise ValueError("the reader broke")

    results = run_many("bfs", failing(), processes=processes)
    assert list(islice(results, len(inputs))) == one_by_one("bfs", inputs)
    with pytest.raises(ValueError, match="the reader broke"):
        next(results)


@pytest.mark.parametrize("processes", [1, 2])
def test_whatever_an_input_is_the_others_go_on(processes):
    good = some(1)[0]
    h, given = good
    bad = [
        threading.Lock(),
        (h, {"source": threading.Lock()}),
        (h, {"source": lambda: 0}),
        (h, {"source": ["a"]}),
        (h, given, 1),
        (h, "source"),
        (h, {1: "a"}),
        (h, {**given, "backend": "dense"}),
        None,
    ]
    found = list(run_many("bfs", [good, *bad, good], processes=processes))
    assert [bool(each) for each in found] == [True, *(False for _ in bad), True]
    assert [each.place for each in found[1:-1]] == list(range(1, len(bad) + 1))


def test_capacity_and_iteration_limit_are_failures_of_their_input():
    @algorithm
    def never(h):
        c = h.state(Count, 0)
        with h.loop(at_most=h.vertices.count) as loop:
            c.assign(c)
            loop.stop_when(c == 1)
        return Outputs(c=c)

    h = Hypergraph.from_hyperedges([["a", "b"]])
    large = Hypergraph.from_hyperedges([list("abcdef")])
    found = list(run_many(hyloop.compile("bfs", hyloop.Capacity(4, 4)), [h, large, h], processes=2, source="a"))
    assert [bool(each) for each in found] == [True, False, True]
    assert "at most 4" in str(found[1])
    found = list(run_many(never, [h, large], processes=2))
    assert [each.error.limit for each in found] == [2, 6]


@pytest.mark.parametrize("processes", [0, -2, -5, 1.5, "2", True])
def test_a_number_of_processes_that_is_none(processes):
    with pytest.raises(HyloopError, match="at least 1"):
        run_many("bfs", [], processes=processes)


def test_one_hypergraph_is_not_many():
    with pytest.raises(HyloopError, match="Several hypergraphs are needed"):
        run_many("levels", some(1)[0][0], source="a")
    with pytest.raises(HyloopError, match="not an int"):
        run_many("levels", 5, source="a")
    with pytest.raises(HyloopError, match="labels and numbers"):
        run_many("levels", [], source=threading.Lock())
    with pytest.raises(HyloopError, match="no option of run_many"):
        run_many("levels", [], source="a", checkpoint="file")


def test_every_option_is_known_as_one():
    for function in (hyloop.run, run_many, check):
        kinds = {name: each.kind for name, each in inspect.signature(function).parameters.items()}
        assert {name for name, kind in kinds.items() if kind is not inspect.Parameter.VAR_KEYWORD} <= OPTIONS


def test_an_input_named_like_an_option_is_refused():
    @algorithm
    def named(h, limit: Count):
        c = h.state(Count, 0)
        with h.loop(at_most=2) as loop:
            c.assign(limit)
            loop.stop_when(c == limit)
        return Outputs(c=c)

    # `@algorithm` refuses such a name; a program that is read may have it.
    clashing = from_text(to_text(named.program).replace("limit", "every"))
    h = Hypergraph.from_hyperedges([["a", "b"]])
    with pytest.raises(HyloopError, match="an input called 'every'"):
        hyloop.run(clashing, h, every=2)
    with pytest.raises(HyloopError, match="an input called 'every'"):
        run_many(clashing, [(h, {"every": 2})])
    with pytest.raises(HyloopError, match="an input called 'every'"):
        check(hyloop.compile(clashing), h, every=2)


def test_several_at_the_same_time():
    inputs = some(12)
    expected = one_by_one("bfs", inputs)
    with ThreadPoolExecutor(2) as pool:
        tasks = [pool.submit(lambda: list(run_many("bfs", inputs, processes=2))) for _ in range(2)]
        assert [task.result() for task in tasks] == [expected, expected]
    pairs = list(zip(run_many("bfs", inputs, processes=2), run_many("bfs", inputs, processes=2), strict=True))
    assert pairs == list(zip(expected, expected, strict=True))


def test_joblib_says_how_many_processes():
    inputs = some(10)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert list(run_many("levels", inputs)) == one_by_one("levels", inputs)


def only_these_fail(killer, places):
    """Inputs that end their process, at some places among others."""
    inputs = some(14)
    expected = one_by_one("bfs", inputs)
    for place in places:
        inputs[place] = (inputs[place][0], {"source": killer()})
    found = list(run_many("bfs", inputs, processes=2))
    assert [each.place for each in found if not each] == places
    assert all("its process died" in str(each) for each in found if not each)
    assert all(isinstance(each.error, HyloopError) for each in found if not each)
    assert all(a == b for a, b in zip(found, expected, strict=True) if a)


def test_a_killed_process_costs_its_own_input_alone():
    only_these_fail(Killer, [5])


@pytest.mark.parametrize("processes", [1, 2])
def test_whatever_an_input_raises_is_its_own_failure(processes):
    h, _ = good = some(1)[0]
    errors = [
        MemoryError(),
        ArithmeticError("4300 digits"),
        RecursionError("deep"),
        ZeroDivisionError("by 0"),
        OSError(5, "x"),
    ]
    bad = [(h, {"source": Raiser(error)}) for error in errors]
    found = list(run_many("bfs", [good, *bad, good], processes=processes))
    assert [bool(each) for each in found] == [True, *(False for _ in bad), True]
    assert all(isinstance(each.error, HyloopError) for each in found[1:-1])
    assert "not enough memory" in str(found[1])
    assert "ArithmeticError: 4300 digits" in str(found[2])


def test_an_object_that_raises_when_it_is_read_is_its_own_failure(monkeypatch):
    def broken(h):
        if h.vertices:
            raise ValueError("no such node")
        return h

    monkeypatch.setattr(sys.modules["hyloop.batch"], "as_hypergraph", broken)
    (found,) = run_many("bfs", [some(1)[0][0]], processes=1, source="a")
    assert "ValueError: no such node" in str(found)


class TestTimeLimit:
    @pytest.mark.parametrize("processes", [1, 2])
    def test_an_input_that_takes_too_long_is_a_failure(self, processes):
        h, _ = good = some(1)[0]
        begun = time.monotonic()
        found = list(run_many("bfs", [good, (h, {"source": Sleeper()}), good], processes=processes, time_limit=1))
        assert [bool(each) for each in found] == [True, False, True]
        assert "longer than 1 seconds" in str(found[1])
        assert time.monotonic() - begun < 30

    def test_in_a_thread_the_loop_itself_looks_at_the_clock(self):
        chain = Hypergraph.from_hyperedges([[n, n + 1] for n in range(1500)])
        with joblib.parallel_config(backend="threading", n_jobs=2):
            found = list(run_many("dijkstra", [chain, some(1)[0][0]], backend="dense", source=0, time_limit=0.2))
        assert "longer than 0.2 seconds" in str(found[0])
        assert "time_limit" not in str(found[1])

    def test_a_limit_is_written_without_an_exponent(self):
        [found] = run_many("bfs", some(1), processes=1, time_limit=1e-9)
        assert str(found).endswith("it took longer than 0.000000001 seconds (time_limit).")

    def test_somebody_elses_alarm_goes_on(self):
        rung = []
        before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
        try:
            signal.setitimer(signal.ITIMER_REAL, 1000)
            assert list(run_many("bfs", some(2), processes=1, time_limit=100))
            left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
            assert 900 < left <= 1000
            signal.raise_signal(signal.SIGALRM)
            assert rung == [1]
        finally:
            signal.signal(signal.SIGALRM, before)

    @pytest.mark.parametrize(
        "seconds",
        [
            0,
            -1,
            float("nan"),
            float("inf"),
            1e300,
            pytest.param(10**5000, id="long"),
            Decimal("nan"),
            "1",
            *ODD_SECONDS,
        ],
    )
    def test_a_limit_that_is_none(self, seconds):
        with pytest.raises(HyloopError, match=r"time_limit is how many seconds .*; not (?!not )"):
            run_many("bfs", [], time_limit=seconds)

    @pytest.mark.parametrize("seconds", [10**9, Fraction(10, 3), Decimal(10)])
    def test_a_limit_of_any_kind_of_number(self, seconds):
        inputs = some(2)
        assert list(run_many("bfs", inputs, processes=1, time_limit=seconds)) == one_by_one("bfs", inputs)

    @pytest.mark.parametrize("processes", [1, 2])
    def test_compiling_is_not_counted(self, processes):
        """A program that nobody has compiled: that takes longer than the limit, and a run takes milliseconds."""
        program = replace(program_of("motifs"), name=f"motifs_{uuid4().hex}")
        h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
        run_many("motifs", [h] * 2, processes=processes)  # the processes are there
        found = list(run_many(program, [h] * 3, processes=processes, time_limit=0.3))
        assert [str(each) for each in found if not each] == []

    def test_code_for_sleeping_rows_is_not_counted(self, monkeypatch, tmp_path):
        """It is made in the middle of a run. Interrupted there, every later run would begin it again, and fail."""
        monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path))
        for name in ("BEGINS", "COMPILES", "AGAIN"):
            monkeypatch.setattr(relay, name, 0.0)
        slow, made = library.optimised_code, []
        monkeypatch.setattr(library, "optimised_code", lambda text: (time.sleep(1), slow(text), made.append(1))[1])
        program = replace(program_of("dijkstra"), name=f"dijkstra_{uuid4().hex}")
        model = hyloop.compile(program, hyloop.Capacity(800, 7))  # of this test alone: no code of it is kept
        chain = Hypergraph.from_hyperedges([[n, n + 1] for n in range(700)])
        found = list(run_many(model, [chain] * 3, processes=1, source=0, time_limit=0.6))
        assert made  # or the test shows nothing
        assert [str(each) for each in found if not each] == []

    def test_an_input_that_needs_a_model_of_its_own_is_not_charged_for_it(self, monkeypatch):
        batch = sys.modules["hyloop.batch"]
        slow = batch.fitting_model
        monkeypatch.setattr(batch, "fitting_model", lambda *given: (time.sleep(0.4), slow(*given))[1])
        inputs = some(2)
        assert list(run_many("bfs", inputs, processes=1, time_limit=0.3)) == one_by_one("bfs", inputs)


def test_what_work_raises_is_raised_in_its_turn():
    def fail(number):
        if number == 1:
            raise KeyError("one")
        return number

    found = in_parallel(fail, [(number,) for number in range(4)], 2)
    assert next(found) == 0
    with pytest.raises(KeyError, match="one"):
        next(found)


@pytest.mark.filterwarnings("ignore")  # a cluster that loses a worker has a lot to say
def test_a_cluster_that_loses_a_worker_loses_no_result(tmp_path):
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    inputs = some(150)
    expected = one_by_one("bfs", inputs)
    with (
        # Files of theirs would stay; and a process for each worker would import everything anew.
        dask.config.set(
            {"temporary_directory": str(tmp_path), "distributed.worker.multiprocessing-method": "forkserver"}
        ),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        workers = list(client.run(os.getpid).values())
        assert os.getpid() not in workers
        found = []
        for each in run_many("bfs", inputs):
            found.append(each)
            if len(found) == 15:
                os.kill(workers[0], signal.SIGKILL)
    assert found == expected


@pytest.mark.parametrize("limit", ["1", 0, float("nan"), True - 1])
def test_a_time_limit_is_a_number_of_seconds(limit):
    with pytest.raises(HyloopError, match="how many seconds"):
        list(hyloop.run_many("levels", [], time_limit=limit))


def test_more_processes_than_any_machine_runs():
    with pytest.raises(HyloopError, match="At most 1,000 processes"):
        list(hyloop.run_many("levels", [hyloop.Hypergraph.from_hyperedges([["a"]])], source="a", processes=10**6))


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="this machine has one core, and runs inputs one by one")
def test_by_default_inputs_run_in_processes_of_their_own():
    """So that one which kills its process does not take the caller along."""
    found = list(in_parallel(os.getpid, [()] * 8))
    assert os.getpid() not in found


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    "buffer", [np.zeros(3, int), [0, 0, 0], {"a": 0, "b": 0, "c": 0}], ids=["array", "list", "dict"]
)
def test_inputs_are_those_of_the_moment_that_they_came(buffer, processes):
    """An iterator may write the next input into the same array, and the caller into the one that is for all."""
    h = Hypergraph.from_hyperedges([["a", "b", "c"]])
    rest = [0, 0, 0]

    def calls():
        for number in range(4):
            for key in buffer if isinstance(buffer, dict) else range(3):
                buffer[key] = number
            yield h, {"positive": buffer}

    found = hyloop.run_many("subleq", calls(), negative=rest, budget=0, processes=processes)
    rest[:] = [9, 9, 9]
    assert [(each["positive"]["b"], each["negative"]["b"]) for each in found] == [(n, 0) for n in range(4)]
