"""`hyloop.run_many`: one algorithm on many hypergraphs, on all cores, or on a cluster.

Built on joblib: with `joblib.parallel_config(backend="dask")` the same call runs on a cluster.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, overload

from hyloop.batch_runs import BatchResult, run_packed
from hyloop.errors import HyloopError, HypergraphError
from hyloop.execute.prepare import Given, prepare, program_of, require_direction
from hyloop.execute.ready import make_ready
from hyloop.fitting import fitting_model
from hyloop.hypergraph import Hypergraph, exact, shown
from hyloop.hypergraph.values import as_python, is_integer, require_flags, require_progress
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.interop import as_hypergraph, is_hypergraph
from hyloop.lang import Algorithm, Program
from hyloop.lang.text import from_text, to_text
from hyloop.lang.tracing import OPTIONS
from hyloop.machine.files import from_bytes, to_bytes
from hyloop.machine.model import Model, vouched
from hyloop.numbers import Exact, short
from hyloop.parallel import Clock, OutOfTime, in_parallel
from hyloop.result import Result
from hyloop.running import BACKENDS, DEFAULT_BACKEND, run

MOST = 1_000  # processes at a time
LONGEST = 10**9  # seconds that an input may take: about 30 years, which every timer can count

__all__ = ["Failure", "in_parallel", "portable", "require_processes", "run_many", "unpacked"]


@dataclass(frozen=True)
class Failure:
    """An input that could not be run: its place in the order, and why."""

    place: int
    error: HyloopError

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"input {self.place}: {self.error}"


# What one input is: a hypergraph (ours, or another library's), or a hypergraph with inputs of its own.
Item = object | tuple[object, Mapping[str, Any]]


@overload
def run_many(
    algorithm: str | Algorithm | Program | Model,
    hypergraphs: HypergraphBatch,
    *,
    backend: str | None = None,
    progress: Callable[[int], None] | None = None,
    ignore_direction: bool = False,
    **inputs: Any,
) -> BatchResult: ...


@overload
def run_many(
    algorithm: str | Algorithm | Program | Model,
    hypergraphs: Iterable[Item],
    *,
    backend: str | None = None,
    processes: int | None = None,
    progress: Callable[[int], None] | None = None,
    ignore_direction: bool = False,
    time_limit: float | None = None,
    **inputs: Any,
) -> Iterator[Result | Failure]: ...


def run_many(
    algorithm: str | Algorithm | Program | Model,
    hypergraphs: Iterable[Item],
    *,
    backend: str | None = None,
    processes: int | None = None,
    progress: Callable[[int], None] | None = None,
    ignore_direction: bool = False,
    time_limit: float | None = None,
    **inputs: Any,
) -> Iterator[Result | Failure] | BatchResult:
    """Run an algorithm on many hypergraphs: results as they come, in the order of the inputs.

    Each of `hypergraphs` (any iterable, also a lazy one) is a hypergraph, or a pair of a hypergraph and its own inputs;
    `inputs` are for all. An input that raises an error, exceeds the timeout of `time_limit` seconds (compiling is not
    counted), or kills its worker process twice gives a `Failure`, which is false; the others continue. `processes`
    is the number of worker processes, by default one for each core, or what `joblib.parallel_config` says. Calls at the
    same time share them; one that `hypergraphs` itself waits for runs without them.

    A `HypergraphBatch` gives a `BatchResult`: integers in, integers out, on a GPU (`backend="cuda"`) or on the CPU.

    >>> import hyloop
    >>> paths = [hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]][:n]) for n in (1, 2)]
    >>> [found["level"] for found in hyloop.run_many("bfs", paths, source="a", processes=1)]
    [{'a': 0, 'b': 1}, {'a': 0, 'b': 1, 'c': 2}]
    """
    if backend is not None and backend not in BACKENDS:
        raise HyloopError(f"There is no backend {shown(backend)}; there are {', '.join(BACKENDS)}.")
    if options := OPTIONS & inputs.keys():
        raise HyloopError(f"{min(options)} is no option of run_many.")
    require_progress(progress, "inputs")
    require_flags(ignore_direction=ignore_direction)
    if isinstance(hypergraphs, HypergraphBatch):
        if processes is not None or time_limit is not None:
            raise HyloopError(
                "A batch runs at once: processes and time_limit are for lists of hypergraphs (`list(batch)`)."
            )
        batch = hypergraphs.undirected() if ignore_direction else hypergraphs
        return run_packed(algorithm, batch, inputs, backend=backend or DEFAULT_BACKEND, progress=progress)
    many = getattr(hypergraphs, "ndim", None) != 0  # an array of no dimension has no items
    if not many or is_hypergraph(hypergraphs) or not isinstance(hypergraphs, Iterable):
        raise HyloopError(f"Several hypergraphs are needed, as a list or an iterator; not {_kind(hypergraphs)}.")
    require_processes(processes)
    if time_limit is not None:
        _require_time(time_limit)
    if isinstance(kept := _sendable((Hypergraph.from_hyperedges([]), inputs)), HyloopError):
        raise kept
    what = portable(algorithm)
    return _run_many(what, hypergraphs, (backend, ignore_direction, kept[1], time_limit), processes, progress)


def _run_many(
    what: bytes | str,
    hypergraphs: Iterable[Item],
    options: tuple[str | None, bool, Mapping[str, Any], float | None],
    processes: int | None,
    progress: Callable[[int], None] | None,
) -> Iterator[Result | Failure]:
    tasks = ((what, place, _sendable(item), *options) for place, item in enumerate(hypergraphs))
    time_limit = options[-1]

    def lost(place: int) -> Result | Failure:
        late = "" if time_limit is None else f", or it took much longer than {short(float(time_limit))} seconds"
        reason = f"its process died, and again when it had one of its own: out of memory, or killed{late}."
        return Failure(place, HyloopError(reason))

    found_in_order = in_parallel(_one, tasks, processes, lost=lost)
    for done, found in enumerate(found_in_order, start=1):
        if progress is not None:
            progress(done)
        yield found


def _kind(thing: object) -> str:
    name = type(thing).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def require_processes(processes: object) -> None:
    """Raise unless this is a number of processes, -1 for all cores, or None for what joblib says."""
    if processes is None:
        return
    if not is_integer(processes) or (processes < 1 and processes != -1):
        raise HyloopError(
            f"processes is how many run at a time, at least 1, or -1 for all cores; not {as_python(processes)}."
        )
    if processes > MOST:
        raise HyloopError(f"At most {MOST:,} processes run at a time; given {shown(processes)}.")


def _require_time(seconds: object) -> None:
    try:
        number = exact(seconds)
    except HypergraphError:  # text, NaN, infinity, what has too many digits
        number = Exact(0)
    if not 0 < number <= LONGEST:
        raise HyloopError(
            f"time_limit is how many seconds an input may take, more than 0 and at most {LONGEST:,}; not "
            f"{shown(seconds)}."
        )


def _sendable(item: object) -> tuple[Hypergraph, Mapping[str, Any]] | HyloopError:
    """An input that can be sent to a worker process; an error if it cannot."""
    h, own = item if isinstance(item, tuple) and len(item) == 2 else (item, {})
    try:
        h = as_hypergraph(h)
    except HyloopError as wrong:
        return wrong
    except Exception as wrong:  # noqa: BLE001  (whatever an object of another library raises)
        return _sentence(wrong)
    if not isinstance(own, Mapping) or not all(isinstance(name, str) for name in own):
        return HyloopError(f"the inputs of a hypergraph are given by name, in a dictionary; not as {shown(own)}.")
    try:
        pickle.dumps(dict(own))
        return h, copy.deepcopy(dict(own))  # what they are now: an iterator may write the next ones into the same array
    except Exception:  # noqa: BLE001  (whatever its own pickling raises)
        return HyloopError(f"the inputs are labels and numbers; not {shown(own)}.")


def portable(algorithm: str | Algorithm | Program | Model) -> bytes | str:
    """A model as its file and how far it is trusted, anything else as its program's text: the same everywhere."""
    if isinstance(algorithm, Model):
        return algorithm.verified.encode() + b"\n" + to_bytes(algorithm)
    return to_text(program_of(algorithm))


def _one(
    what: bytes | str,
    place: int,
    item: tuple[Hypergraph, Mapping[str, Any]] | HyloopError,
    backend: str | None,
    ignore_direction: bool,
    inputs: Mapping[str, Any],
    time_limit: float | None,
) -> Result | Failure:
    if isinstance(item, HyloopError):
        return Failure(place, item)
    h, own = item
    try:
        given = {**inputs, **own}
        if both := OPTIONS & given.keys():
            raise HyloopError(f"{min(both)} is an option for all, no input of one hypergraph.")
        h = h.ignoring_direction() if ignore_direction else h
        if time_limit is None:
            return run(unpacked(what), h, backend=backend, **given)
        return _in_time(unpacked(what), h, backend, given, Clock(float(time_limit)))
    except HyloopError as error:
        return Failure(place, error)
    except OutOfTime:
        return Failure(place, HyloopError(f"it took longer than {short(float(time_limit or 0))} seconds (time_limit)."))
    except Exception as error:  # noqa: BLE001  (whatever one input raises, it is that input's)
        return Failure(place, _sentence(error))


def _in_time(
    algorithm: Program | Model, h: Hypergraph, backend: str | None, given: Mapping[str, Any], clock: Clock
) -> Result:
    """A run with a timeout; the clock is stopped while the model and its native code are made."""
    program = program_of(algorithm)
    prepared = clock.run(lambda: _prepared(program, h, given))
    if backend != "interpreter":
        algorithm = algorithm if isinstance(algorithm, Model) else fitting_model(program, prepared)
        make_ready(backend or DEFAULT_BACKEND, algorithm)
    return clock.run(lambda: run(algorithm, h, backend=backend, progress=clock.look, **given))


def _prepared(program: Program, h: Hypergraph, given: Mapping[str, Any]) -> Given:
    require_direction(program, h)
    return prepare(program, h, given)


def _sentence(error: Exception) -> HyloopError:
    """An unexpected error as a `HyloopError` that names it."""
    if isinstance(error, MemoryError):
        return HyloopError("there is not enough memory for this.")
    return HyloopError(f"this failed ({type(error).__name__}: {error}).")


_KNOWN: dict[bytes | str, Program | Model] = {}


def unpacked(what: bytes | str) -> Program | Model:
    """The program or model in packed form; a worker process caches the last one."""
    if what not in _KNOWN:
        _KNOWN.clear()
        _KNOWN[what] = _model(what) if isinstance(what, bytes) else from_text(what)
    return _KNOWN[what]


def _model(what: bytes) -> Model:
    verified, _, data = what.partition(b"\n")
    word: Any = verified.decode()
    return vouched(from_bytes(data), word)
