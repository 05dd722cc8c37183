"""Several inputs at once: sessions of batches, lanes, and the code for a GPU, run on the CPU. The bits of dense."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fuzz.beside import followed
from fuzz.companions import companions, other_inputs
from fuzz.runs import Run, Trial, held_against_machine, require, same_bits, started
from hyloop.errors import ModelError
from hyloop.execute.cpu.lanes.engine import Block, LeftError, lanes_for, widened
from hyloop.execute.cpu.native.batch import Left, comparable, differing
from hyloop.execute.cuda import session as cuda
from hyloop.execute.cuda.launch import MOST_ROWS, SHAPES, Launch, Ran, require_fit
from hyloop.execute.cuda.machines import Cpu, Gpu, LockStep, Machine
from hyloop.execute.cuda.source import BEYOND, HALTED, INEXACT, UNFINISHED, inputs_of
from hyloop.execute.encode import encode, encode_columns, encode_without_inputs, pad
from hyloop.execute.many import AGAIN
from hyloop.execute.prepare import encoded, encoded_batch, frame_of
from hyloop.hypergraph_batch import HypergraphBatch, on_host
from hyloop.machine.model import Model

COMPANIONS, LANES = 5, 11
LIMITS = 4  # of one hypergraph, in code that runs to the end: the states after so many iterations are compared
# All rows in one warp, a few for each thread; and blocks, which take few rows only here.
FORCED: tuple[tuple[tuple[int, int, int], ...], ...] = (
    SHAPES,
    ((64, 32, 2), *SHAPES[2:]),
    ((128, 32, 4), *SHAPES[3:]),
    ((256, 64, 4), *SHAPES[4:]),
)


# -- sessions ---------------------------------------------------------------------------------------------------------


def batch_session(trial: Trial) -> int:
    """A batch of hypergraphs of different sizes, padded to one, which halt one after the other."""
    return _batch_session(trial, ("dense", *trial.engines))


def batch_session_of_torch(trial: Trial) -> int:
    """The same by PyTorch."""
    return _batch_session(trial, ("torch",))


def _batch_session(trial: Trial, names: Sequence[str]) -> int:
    runs = companions(trial.run, trial.model, trial.affordable(COMPANIONS), "batch", large=False)
    trial.drawn("order").shuffle(runs)
    X, incidences = encoded_batch(trial.model, [each.given for each in runs])
    most = max(len(each.steps) for each in runs)
    truth = [trial.alone(*each) for each in zip(runs, X, incidences, strict=True)]
    for run, states in zip(runs, truth, strict=True):
        for number in range(1, len(run.steps) + 1):
            held_against_machine(run, trial.model, number, states[number], "dense, padded")
    for name in names:
        session = started(name, trial.model, X, incidences)
        for number in range(1, most + 1):
            session.advance(1)
            _same_batch(trial.model, f"{name}, iteration {number}", session, truth, number)
    return len(runs)


def _same_batch(model: Model, where: str, session: Any, truth: list[list[Any]], number: int) -> None:
    states, halt = session.state(), model.layout.number(model.layout.halt)
    iterations, halted = session.iterations().tolist(), session.halted().tolist()
    for place, own in enumerate(truth):
        done = done_of(model, own, number)
        if done is not None:
            what = f"{where}, item {place}"
            same_bits(model, what, np.ascontiguousarray(states[place]), own[done])
            require((iterations[place], halted[place]), (done, own[done][0, halt] == 1), "iterations, halted", what)


def done_of(model: Model, own: list[Any], number: int) -> int | None:
    """How many iterations an input has run when others have run so many; None beyond those that it may run."""
    if number < len(own):
        return number
    has_halted = own[-1][0, model.layout.number(model.layout.halt)] == 1
    return len(own) - 1 if has_halted else None  # beyond them, numbers may leave the range that is exact


# -- lanes ------------------------------------------------------------------------------------------------------------


def lanes(trial: Trial) -> int:
    """Inputs of one hypergraph in lanes; where one leaves its box, again with wider boxes."""
    runs = list(other_inputs(trial.run, trial.affordable(LANES), "lanes"))
    if not trial.run.case.source.inputs:
        return 0
    model, given = trial.model, trial.run.given
    frame, inputs = frame_of(given), [each.given.inputs for each in runs]
    begun = encode_without_inputs(model, frame)
    incidence = pad(model, given.hypergraph, len(begun))
    few = trial.drawn("boxes").randint(1, len(runs))
    wanted = frozenset(range(len(model.layout)))
    made = lanes_for(model, begun, incidence, wanted, encode_columns(model, frame, begun, inputs[:few]))
    if made is None:
        return 0
    firsts = [encode(model, frame_of(each.given)) for each in runs]
    truth = [trial.alone(each, X, incidence) for each, X in zip(runs, firsts, strict=True)]
    for _ in range(AGAIN):
        if made is None:
            return 0
        left = _in_lanes(trial, Block(made), encode_columns(model, frame, begun, inputs[: made.width]), truth)
        if left is None:
            return min(len(runs), made.width)
        made = widened(made, firsts[min(left, len(firsts) - 1)])
    return 0


def _in_lanes(trial: Trial, block: Block, tables: Any, truth: list[list[Any]]) -> int | None:
    """Compare after every iteration; returns a lane that has left its box."""
    try:
        block.begin(tables)
        count = min(len(truth), block.width)
        for number in range(max(map(len, truth[:count]))):
            _same_lanes(trial.model, block, truth[:count], number)
            block.advance(1)
    except LeftError as left:
        return left.lane
    return None


def _same_lanes(model: Model, block: Block, truth: list[list[Any]], number: int) -> None:
    """All columns of all lanes; integers, so 0 has no sign."""
    found = np.stack([block.column(column).copy() for column in range(len(model.layout))], axis=2)
    iterations = block.iterations()
    for lane, own in enumerate(truth):
        done = done_of(model, own, number)
        if done is not None:
            require(iterations[lane], done, "iterations", f"lane {lane} after {number}")
            wanted = own[done].copy()
            for column in block.lanes.shape.plan.positions or ():  # which no one reads: of few bits, modulo that
                wanted[:, column] = wanted[:, column].astype(np.int64).astype(found.dtype)
            same_bits(model, f"lane {lane}, iteration {done}", found[lane].astype(model.dtype), wanted)


# -- the code for a GPU -----------------------------------------------------------------------------------------------


def packed(model: Model, runs: Sequence[Run]) -> tuple[HypergraphBatch, dict[str, Any]]:
    """Runs as a batch in integers, and their inputs."""
    inputs = {
        name: np.concatenate([np.atleast_1d(np.array(each.given.inputs[name], np.int64)) for each in runs])
        for name, _ in inputs_of(model)
    }
    batch = HypergraphBatch.of([each.given.hypergraph for each in runs])
    weights = [int(weight) for each in runs for weight in each.given.weights]
    return batch.weighing(np.array(weights, np.int64)), inputs


def with_limits(trial: Trial, purpose: str) -> tuple[list[Run], list[int], list[list[Any]]]:
    """Runs, each several times with other limits, so that states of several iterations are seen; and dense's states."""
    rng, runs, limits, truth = trial.drawn(purpose), [], [], []
    for run in companions(trial.run, trial.model, trial.affordable(COMPANIONS), purpose, large=True):
        begin = encoded(trial.model, run.given)
        own = trial.alone(run, begin.X, begin.incidence)
        for limit in {len(run.steps), *(rng.randint(1, len(run.steps)) for _ in range(LIMITS))}:
            runs.append(run)
            limits.append(limit)
            truth.append(own)
    return runs, limits, truth


def native_batch(trial: Trial) -> int:
    """The native engine on a packed batch: it takes dense's states as its own, and no others."""
    if not comparable(trial.model):
        return 0
    runs, limits, truth = with_limits(trial, "native batch")
    batch, inputs = packed(trial.model, runs)
    halt = trial.model.layout.number(trial.model.layout.halt)
    ends = [own[min(limit, len(own) - 1)] for own, limit in zip(truth, limits, strict=True)]
    states = [state.T.reshape(-1).astype(np.int64) for state in ends]
    done = [min(limit, len(own) - 1) for own, limit in zip(truth, limits, strict=True)]
    halted = np.array([state[0, halt] == 1 for state in ends])
    starts = np.cumsum([0, *map(len, states)])
    left = Left(np.array(done, np.int32), halted, np.concatenate(states), starts, np.array(limits, np.int64))
    require(differing(trial.model, batch, inputs, left).tolist(), [], "another run", "of dense's runs")
    place = trial.drawn("wrong").randrange(len(runs))
    left.state[starts[place] + trial.drawn("where").randrange(len(states[place]))] += 1
    require(differing(trial.model, batch, inputs, left).tolist(), [place], "not found", "a wrong number")
    return len(runs)


def lock_step(trial: Trial) -> int:
    """The code for a GPU, one operation of all threads after the other."""
    return _launched(trial, LockStep(0))


def lock_step_in_vectors(trial: Trial) -> int:
    """The same code in the vectors of the CPU."""
    return _launched(trial, Cpu(0))


def on_a_gpu(trial: Trial) -> int:
    """The same code where it belongs, an iteration at a time too."""
    machine = Gpu()
    if runs_on_a_gpu(trial.model):
        followed(trial, "session", cuda.start(trial.model, *trial.start, machine=machine))
    return _launched(trial, machine)


def _launched(trial: Trial, machine: Machine) -> int:
    if not runs_on_a_gpu(trial.model):
        return 0
    what = type(machine).__name__
    shapes = trial.drawn(f"{what} shapes").choice(FORCED)
    guess = trial.drawn(f"{what} guess").random() < 0.6
    launch = Launch(trial.model, machine, whole=True, shapes=shapes, guess=guess)
    runs, limits, truth = with_limits(trial, what)
    ran = launch.run(*packed(trial.model, runs), np.array(limits))
    ran = Ran(on_host(ran.iterations), on_host(ran.status), (), on_host(ran.state), on_host(ran.state_at))
    compared = 0
    for place, (limit, own) in enumerate(zip(limits, truth, strict=True)):
        if len(own[0]) - 1 > MOST_ROWS:  # the backend cuda leaves these to the CPU
            require(int(ran.status[place]), BEYOND, "status", f"run {place}")
        elif ran.status[place] != INEXACT:
            _same_run(trial.model, ran, place, limit, own)
            compared += 1
    return compared


def _same_run(model: Model, ran: Any, place: int, limit: int, own: list[Any]) -> None:
    done, halt = min(limit, len(own) - 1), model.layout.number(model.layout.halt)
    where, wanted = f"run {place}, limit {limit}", own[done]
    found = ran.state[ran.state_at[place] : ran.state_at[place + 1]].reshape(len(model.layout), -1).T
    same_bits(model, where, np.ascontiguousarray(found).astype(model.dtype), wanted)
    require(int(ran.iterations[place]), done, "iterations", where)
    ended = HALTED if wanted[0, halt] == 1 else UNFINISHED
    require(int(ran.status[place]), ended, "status", where)


def runs_on_a_gpu(model: Model) -> bool:
    """Whether this is a model that the backend cuda takes."""
    try:
        require_fit(model)
    except ModelError:
        return False
    return True


def lock_step_session(trial: Trial) -> int:
    """A session of the backend cuda, an iteration at a time: one input, and a batch."""
    if not runs_on_a_gpu(trial.model):
        return 0
    followed(trial, "session", cuda.start(trial.model, *trial.start, machine=LockStep(0)))
    runs = companions(trial.run, trial.model, trial.affordable(2), "lock-step session", large=True)
    X, incidences = encoded_batch(trial.model, [each.given for each in runs])
    most = max(len(each.steps) for each in runs)
    truth = [trial.alone(*each) for each in zip(runs, X, incidences, strict=True)]
    batch = cuda.start(trial.model, X, incidences, machine=LockStep(0))
    for number in range(1, most + 1):
        batch.advance(1)
        _same_batch(trial.model, f"batch, iteration {number}", batch, truth, number)
    return 1 + len(runs)
