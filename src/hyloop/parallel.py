"""Work on all cores, or on a cluster, that survives the death of a process.

Built on joblib. Results are collected as they are ready and yielded in order, so that none is lost. If a process dies
(killed by the system for its memory, say), joblib aborts all running tasks. Each process records its current task, so
the few tasks that may be the cause are known: they are run again, each alone, and the rest continues.

joblib has one set of workers, whose results arrive in one thread, and that thread advances the iterators of tasks, too.
What such an iterator waits for must therefore not come from the workers: tasks of a call within it run in its process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from hyloop.errors import HyloopError

Found = TypeVar("Found")
Task = tuple[Any, ...]
AHEAD = 64  # tasks that are taken from an iterator before they are needed, for each process
FEW = 16  # tasks that are run alone where a process died before it recorded its task
PATIENCE = 0.25  # seconds past the timeout in which work may check the clock itself; also between two signals
FILTERS = "PYTHONWARNINGS"
ORPHANED = 0.5  # seconds between two looks of a worker whether its caller is there
GRACE = 5.0  # seconds that a process may continue past its timeout, before it is killed


def in_parallel(
    work: Callable[..., Found],
    tasks: Iterable[Task],
    processes: int | None = None,
    *,
    lost: Callable[[int], Found] | None = None,
) -> Iterator[Found]:
    """The result of `work` for each task, in order: on all cores, unless joblib or the caller says otherwise.

    A task whose process died twice, the second time alone, gives `lost(place)`; without `lost`, `HyloopError` is
    raised.
    """
    source = _Source(tasks)
    ready: dict[int, _TaskOutcome[Found]] = {}
    place = 0
    with tempfile.TemporaryDirectory(prefix="hyloop-", ignore_cleanup_errors=True) as notes:
        pool = _Pool(work, source, processes, Path(notes))
        with contextlib.closing(pool.outcomes()) as outcomes:
            for number, outcome in outcomes:
                ready[number] = outcome
                while place in ready:
                    yield _said(ready.pop(place), place, lost)
                    place += 1
    if source.wrong is not None:
        raise source.wrong


# -- what comes back ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TaskOutcome(Generic[Found]):
    """What a task returned or raised; neither, if its process died."""

    found: Found | None = None
    error: Exception | None = None
    died: bool = False


def _said(outcome: _TaskOutcome[Found], place: int, lost: Callable[[int], Found] | None) -> Found:
    if outcome.died:
        if lost is None:
            raise HyloopError(f"The process that was at task {place} died twice: out of memory, or killed.")
        return lost(place)
    if outcome.error is not None:
        raise outcome.error
    return outcome.found  # type: ignore[return-value]


def _done(
    work: Callable[..., Found], place: int, task: Task, notes: Path | None, caller: int
) -> tuple[int, _TaskOutcome[Found]]:
    """Run one task, in any process. What it raises is returned as a value: all else that joblib raises is its own."""
    own = os.getpid() != caller and notes is not None
    if own and notes is not None:
        _end_with(caller)
        with contextlib.suppress(OSError):
            (notes / str(os.getpid())).write_text(str(place), encoding="ascii")
    before = _EXPENDABLE.set(own)
    try:
        return place, _TaskOutcome(found=work(*task))
    except Exception as error:  # noqa: BLE001  (whatever it is, it is the caller's)
        return place, _TaskOutcome(error=_portable(error))
    finally:
        _EXPENDABLE.reset(before)


@cache
def _end_with(caller: int) -> None:
    """End this worker when the process that started it has ended: killed, it could not end its workers.

    They would go on for minutes, and hold its output open for whoever reads it to the end.
    """
    if os.name == "posix":  # elsewhere, nobody else becomes the parent of an orphan
        _require(caller)
        threading.Thread(target=_watch, args=(caller,), daemon=True).start()


def _watch(caller: int) -> None:
    while True:
        time.sleep(ORPHANED)
        _require(caller)


def _require(caller: int) -> None:
    if os.getppid() != caller:
        os._exit(1)


def _portable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  (our own)
    except Exception:  # noqa: BLE001  (whatever its own pickling raises)
        return HyloopError(f"{type(error).__name__}: {error}")
    return error


# -- what goes out --------------------------------------------------------------------------------------------------


class _Source:
    """The tasks, numbered. What the user's iterator raises ends it, and is kept until the results have come."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = enumerate(tasks)
        self.wrong: Exception | None = None

    def __iter__(self) -> Iterator[tuple[int, Task]]:
        return self

    def __next__(self) -> tuple[int, Task]:
        try:
            return next(self._tasks)
        except StopIteration:
            raise
        except Exception as error:  # noqa: BLE001  (whatever the user's iterator raises)
            self.wrong = error
            self._tasks = enumerate(())
            raise StopIteration from None


# Whether this thread advances the iterator of tasks of a call of joblib, which holds its results back meanwhile.
_ADVANCES: ContextVar[bool] = ContextVar("_ADVANCES", default=False)


class _NoResults(Exception):  # noqa: N818  (a turn in the work, no error)
    """The results of the workers are wanted by an iterator that holds them back."""


@dataclass
class _Round:
    """The tasks of one call of joblib, which takes them in threads of its own, also when it has given up."""

    source: Iterator[tuple[int, Task]]
    waiting: dict[int, Task]
    holds_back: bool  # whether results are held back while a task is taken: there are other processes
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: bool = False

    def tasks(self) -> Iterator[tuple[int, Task]]:
        while True:
            with self.lock:
                each = None if self.over else self._next()
                if each is None:
                    return
                self.waiting[each[0]] = each[1]
            yield each

    def _next(self) -> tuple[int, Task] | None:
        before = _ADVANCES.set(self.holds_back or _ADVANCES.get())
        try:
            return next(self.source, None)
        finally:
            _ADVANCES.reset(before)

    def end(self) -> None:
        with self.lock:
            self.over = True


Outcomes = Generator[tuple[int, _TaskOutcome[Found]], None, None]


_SHARING: list[tuple[int, int]] = []  # of each call that uses the workers: its process, and how many workers it uses
_STARTING = threading.Lock()
_INHERITED: list[object] = []  # workers of a process from which this one was forked: never to be finalized here


@contextlib.contextmanager
def _workers(processes: int) -> Iterator[int]:
    """How many worker processes to use: as many as calls that are under way, since joblib would wait for their end."""
    with _STARTING:
        _forget_those_of_the_parent()
        counts = [count for process, count in _SHARING if process == os.getpid()]
        mine = os.getpid(), counts[0] if counts else processes
        _SHARING.append(mine)
    try:
        yield mine[1]
    finally:
        _SHARING.remove(mine)


def _forget_those_of_the_parent() -> None:
    """Let joblib start workers anew if this process was forked: the thread that hears from them is not here."""
    from joblib.externals.loky import reusable_executor

    executor = reusable_executor._executor
    manager = getattr(executor, "_executor_manager_thread", None)
    if manager is not None and not (manager.is_alive() or executor._flags.shutdown or executor._flags.broken):
        _INHERITED.append(executor)
        reusable_executor._executor = None


@cache
def _hush_the_manager() -> None:
    """Suppress the KeyError of joblib's dispatcher thread about a task that was dropped by an early stop."""
    from joblib.externals.loky.process_executor import _ExecutorManagerThread

    told = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if not (isinstance(args.thread, _ExecutorManagerThread) and args.exc_type is KeyError):
            told(args)

    threading.excepthook = hook


@cache
def _hush_the_tracker() -> None:
    """Suppress the warnings of joblib's resource tracker about semaphores that an interrupted worker left behind.

    It outlives the command, so it would write after our own message. It takes its warning filters from the environment,
    so it is started here, with a filter that no other process gets.
    """
    from joblib.externals.loky.backend import resource_tracker

    before = os.environ.get(FILTERS)
    os.environ[FILTERS] = ",".join(filter(None, [before, "ignore:resource_tracker:UserWarning"]))
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ[FILTERS]
        else:
            os.environ[FILTERS] = before


@cache
def _start_the_other_tracker() -> None:
    """Start Python's own resource tracker: whoever starts one lets signals through again afterwards."""
    if os.name == "posix":
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold back Ctrl-C until the end of the block. A process that is started in it inherits that, for good.

    A terminal tells every process of a command; one that is still importing would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _next_of(outcomes: Outcomes[Found]) -> tuple[int, _TaskOutcome[Found]] | None:
    """The next outcome, None at the end; raises `_NoResults` where waiting for it would never end."""
    if _ADVANCES.get():
        raise _NoResults
    return next(outcomes, None)


def _end(outcomes: Outcomes[Found]) -> None:
    """End a call of joblib whose outcomes are not wanted any more."""
    if _ADVANCES.get():  # to stop the workers now would wait for the thread that holds their results back
        threading.Thread(target=deque, args=(outcomes, 0), daemon=True).start()
        return
    with warnings.catch_warnings():  # an early stop is intended: no warning about tasks that are not done
        warnings.simplefilter("ignore")
        outcomes.close()


class _Pool(Generic[Found]):
    """Runs tasks by joblib, again and again until all have an outcome."""

    def __init__(
        self,
        work: Callable[..., Found],
        source: Iterator[tuple[int, Task]],
        processes: int | None,
        notes: Path,
    ) -> None:
        # joblib takes as long to import as all the rest, and a run of one input does not need it.
        from joblib import effective_n_jobs
        from joblib._parallel_backends import LokyBackend
        from joblib.parallel import get_active_backend

        backend, configured = get_active_backend()
        unsaid = configured is None or configured == backend.default_n_jobs
        self.processes = -1 if processes is None and unsaid else processes
        self.here = isinstance(backend, LokyBackend)  # processes of this machine, which one task may end
        if self.here:
            try:
                self.processes = 1 if _ADVANCES.get() else effective_n_jobs(self.processes)
            except ValueError as wrong:
                raise HyloopError(
                    f"joblib cannot tell how many cores to use; is LOKY_MAX_CPU_COUNT right? ({wrong})"
                ) from None
        self.notes = notes if self.here else None
        self.work, self.source = work, source

    def outcomes(self) -> Outcomes[Found]:
        """Each task's number and outcome, as they come."""
        waiting: dict[int, Task] = {}
        source = self.source
        while True:
            this = _Round(source, waiting, holds_back=not (self.here and self.processes == 1))
            suspects: list[int] = []
            try:
                for number, outcome in self._called(this.tasks(), self.processes):
                    del waiting[number]
                    yield number, outcome
                return
            except _NoResults:
                this.end()
            except BrokenProcessPool:
                this.end()
                suspects = self._suspects(waiting)
            except (HyloopError, GeneratorExit):
                raise
            except Exception as error:
                raise HyloopError(self._failed(error)) from error
            finally:
                this.over = True
            for number in suspects:
                yield number, self._alone(number, waiting.pop(number))
            source = chain(list(waiting.items()), self.source)

    def _failed(self, error: Exception) -> str:
        """What failed, in a sentence: joblib says it only as a system error."""
        told = f"({type(error).__name__}: {error})"
        if not self.here:
            return f"The processes that joblib was told to use failed {told}."
        why = ""
        try:
            str(Path.cwd()).encode()
        except (OSError, UnicodeError):
            why = " They start in the current folder, which was deleted, or has a name that is no UTF-8."
        return f"Worker processes could not be started, or failed {told}.{why} With processes=1 there are none."

    def _called(
        self, tasks: Iterable[tuple[int, Task]], processes: int | None
    ) -> Iterator[tuple[int, _TaskOutcome[Found]]]:
        if _ADVANCES.get():
            for number, task in tasks:
                yield _done(self.work, number, task, None, os.getpid())
            return
        with contextlib.ExitStack() as uses:
            if self.here and processes is not None and processes != 1:
                processes = uses.enter_context(_workers(processes))
                _hush_the_tracker()
                _start_the_other_tracker()
            yield from self._by_joblib(tasks, processes)

    def _by_joblib(
        self, tasks: Iterable[tuple[int, Task]], processes: int | None
    ) -> Iterator[tuple[int, _TaskOutcome[Found]]]:
        from joblib import Parallel, delayed

        _hush_the_manager()
        options = {"return_as": "generator_unordered", "pre_dispatch": f"{AHEAD} * n_jobs"}
        call = delayed(_done)
        with contextlib.ExitStack() as held:
            held.enter_context(_interrupts_held_back())  # what is started here never sees Ctrl-C: we end it
            outcomes = Parallel(n_jobs=processes, **options)(
                call(self.work, number, task, self.notes, os.getpid()) for number, task in tasks
            )
            release = held.pop_all().close
        try:
            release()  # not before: an interruption must find what it has to close
            while (each := _next_of(outcomes)) is not None:
                yield each
        finally:
            _end(outcomes)

    def _suspects(self, waiting: Mapping[int, Task]) -> list[int]:
        """The tasks that were running when a process died; the oldest ones if none was recorded."""
        noted = set()
        for note in self.notes.iterdir() if self.notes else ():
            with contextlib.suppress(OSError, ValueError):
                noted.add(int(note.read_text(encoding="ascii")))
                note.unlink()
        return sorted(noted & waiting.keys()) or list(islice(sorted(waiting), FEW))

    def _alone(self, number: int, task: Task) -> _TaskOutcome[Found]:
        """Run a task in a process of its own: of two, since joblib would run a single one in this process."""
        try:
            [(_, outcome)] = self._called([(number, task)], 2)
        except BrokenProcessPool:
            return _TaskOutcome(died=True)
        return outcome


# -- time -----------------------------------------------------------------------------------------------------------


class OutOfTime(BaseException):
    """The timeout of some work. A `BaseException`, so that no `except Exception` in the work catches it."""


class Clock:
    """The timeout of some work. Time counts only within `run`, and not within `uncounted`.

    The work checks the clock itself, regularly. If it does not, a signal interrupts it; and a worker process in code
    that blocks signals is killed.
    """

    def __init__(self, seconds: float | None) -> None:
        self._left = seconds
        self._end: float | None = None  # None: no time counts
        self._killed_after: Callable[[float | None], None] = _never

    def look(self, _: object = None) -> None:
        """Raise `OutOfTime` if the timeout has passed."""
        if self.is_over():
            raise OutOfTime

    def is_over(self) -> bool:
        """Whether the timeout has passed."""
        return self._end is not None and time.monotonic() >= self._end

    def run(self, work: Callable[[], Found]) -> Found:
        """The result of some work; raises `OutOfTime` at the timeout."""
        if self._left is None:
            return work()
        before = _CLOCK.set(self)
        try:
            with _killing() as self._killed_after:
                self._go_on(self._left)
                return _Alarm(self._left + PATIENCE, self.is_over).around(work)
        finally:
            self._stop()
            _CLOCK.reset(before)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Within the block no time counts: nothing there is interrupted."""
        if self._end is None:
            yield
            return
        self._killed_after(None)
        self._stop()
        try:
            yield
        finally:
            self._go_on(self._left or 0.0)

    def _go_on(self, seconds: float) -> None:
        self._killed_after(seconds + GRACE)
        self._end = time.monotonic() + seconds

    def _stop(self) -> None:
        if self._end is not None:
            self._left, self._end = max(self._end - time.monotonic(), 0.0), None


@contextlib.contextmanager
def uncounted() -> Iterator[None]:
    """A block that makes something once, for later work too: the timeout of the work at hand stands still in it.

    Interrupted, it would be begun again by the next work, and interrupted again: no work would ever be done.
    """
    clock = _CLOCK.get()
    with contextlib.nullcontext() if clock is None else clock.stopped():
        yield


# The clock of the work at hand.
_CLOCK: ContextVar[Clock | None] = ContextVar("_CLOCK", default=None)

# Whether this process has been started for tasks, so that it may be killed.
_EXPENDABLE: ContextVar[bool] = ContextVar("_EXPENDABLE", default=False)


def _never(_: float | None) -> None:
    """Kill nothing."""


@contextlib.contextmanager
def _killing() -> Iterator[Callable[[float | None], None]]:
    """What has this process killed after so many seconds, even in code that blocks signals; None: not any more."""
    if not _EXPENDABLE.get():
        yield _never
        return
    with Path(os.devnull).open("w", encoding="ascii") as nowhere:

        def killed_after(seconds: float | None) -> None:
            faulthandler.cancel_dump_traceback_later()
            if seconds is not None:
                faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)

        try:
            yield killed_after
        finally:
            faulthandler.cancel_dump_traceback_later()


class _Alarm:
    """A signal that raises `OutOfTime` after some seconds if `late` says so, repeatedly until that is caught.

    A signal may arrive anywhere. In a finalizer or the callback of a weak reference, Python prints an exception to
    standard error and drops it: that message is suppressed, and the next signal tries again.
    """

    def __init__(self, seconds: float, late: Callable[[], bool]) -> None:
        self._seconds, self._late = seconds, late
        self._armed = False

    def around(self, work: Callable[[], Found]) -> Found:
        """The result of some work; where there are no signals, the work has to check the clock itself."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return work()
        before, told, begun = signal.signal(signal.SIGALRM, self._ring), sys.unraisablehook, time.monotonic()
        others = (0.0, 0.0)
        try:
            self._armed, sys.unraisablehook = True, _without_out_of_time(told)
            others = signal.setitimer(signal.ITIMER_REAL, max(self._seconds, 1e-6), PATIENCE)
            return work()
        finally:
            self._armed = False  # first, and not by a call: a signal could arrive during it
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            sys.unraisablehook = told
            if others[0]:  # restore an earlier alarm
                left = max(others[0] - (time.monotonic() - begun), 1e-6)
                signal.setitimer(signal.ITIMER_REAL, left, others[1])

    def _ring(self, _: int, __: object) -> None:
        # If `OutOfTime` is being handled already, let its cleanup finish.
        if self._armed and not isinstance(sys.exc_info()[1], OutOfTime) and self._late():
            raise OutOfTime


def _without_out_of_time(told: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], None]:
    def hook(args: sys.UnraisableHookArgs) -> None:
        if not issubclass(args.exc_type, OutOfTime):
            told(args)

    return hook
