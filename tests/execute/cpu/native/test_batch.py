"""The native engine by the batch: it finds its own runs, and every number that is not."""

from dataclasses import replace

import numpy as np
import pytest

from execute.cuda.lockstep import LONG, cases, needs_compiler, packed
from hyloop import Capacity
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.cpu.native.batch import Left, comparable, differing
from hyloop.execute.prepare import encoded
from hyloop.fitting import compiled


def left_by_cpu(model, given):
    """What the cpu backend leaves, one by one, as another machine would leave it."""
    program, states, iterations, halted = model.parsed, [], [], []
    limit = np.array([min(program.most_iterations(*each.counts), LONG) for each in given])
    for each, most in zip(given, limit, strict=True):
        session = encoded(model, each).start("cpu")
        session.advance(int(most))
        states.append(session.state().T.reshape(-1).astype(np.int64))
        iterations.append(session.iterations()[0])
        halted.append(session.halted()[0])
    starts = np.cumsum([0, *map(len, states)])
    return Left(np.array(iterations, np.int32), np.array(halted), np.concatenate(states), starts, limit)


@needs_compiler
@pytest.mark.parametrize("name", ["dijkstra", "subleq", "forward_chaining"])
def test_it_finds_its_own_runs_and_no_others(name):
    program = ALGORITHMS[name].program
    given = cases(program, 12, rows=9)
    model = compiled(program, Capacity(16, 200_000))
    batch, inputs = packed(model, given)
    assert comparable(model)
    left = left_by_cpu(model, given)
    assert differing(model, batch, inputs, left).tolist() == []
    narrow = replace(left, state=left.state.astype(np.int32))
    assert differing(model, batch, inputs, narrow).tolist() == []
    rng = np.random.default_rng(1)
    for place in range(0, len(given), 3):
        state = left.state.copy()
        state[rng.integers(left.state_at[place], left.state_at[place + 1])] += 1
        assert differing(model, batch, inputs, replace(left, state=state)).tolist() == [place]
    more = left.iterations + (np.arange(len(given)) == 2)
    assert differing(model, batch, inputs, replace(left, iterations=more.astype(np.int32))).tolist() == [2]
    assert len(differing(model, batch, inputs, replace(left, halted=~left.halted))) == len(given)
