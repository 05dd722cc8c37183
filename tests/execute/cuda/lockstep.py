"""Generated code in lock-step on the CPU, held against the cpu backend: whole last states, and iterations."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any, Literal

import numpy as np
import pytest

from execute.cpu.test_plan import LAYOUT as ANY_LAYOUT
from hyloop.errors import HyloopError
from hyloop.execute.cplusplus import compiler
from hyloop.execute.cuda.launch import Launch
from hyloop.execute.cuda.machines import LockStep, Machine
from hyloop.execute.cuda.source import HALTED, INEXACT, UNFINISHED, inputs_of
from hyloop.execute.prepare import Given, encoded, prepare
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Program
from hyloop.machine.model import Model
from hyloop.samples import hypergraphs, random_inputs

needs_compiler = pytest.mark.skipif(compiler() is None, reason="generated code is run here by a C++ compiler: none")
LAYOUT = replace(ANY_LAYOUT, incidence="ones")  # for models by hand
LONG = 300  # iterations, at most


def cases(program: Program, count: int, *, rows: int = 40, seed: int = 1) -> list[Given]:
    """Hypergraphs with random inputs, the degenerate ones first; those that have nothing to choose from left out."""
    rng, found = np.random.default_rng(seed), []
    for h in islice(hypergraphs(seed, vertices=rows, hyperedges=rows, directed=uses_direction(program)), count):
        inputs = random_inputs(program, h, rng)
        if inputs is None:
            continue
        try:
            found.append(prepare(program, h, inputs))
        except HyloopError:
            continue
    return found


def packed(model: Model, given: list[Given]) -> tuple[HypergraphBatch, dict[str, Any]]:
    """The same as arrays."""
    inputs = {
        name: np.concatenate([np.atleast_1d(np.array(each.inputs[name], np.int64)) for each in given])
        for name, _ in inputs_of(model)
    }
    batch = HypergraphBatch.of([each.hypergraph for each in given])
    weights = [weight for each in given for weight in each.weights]  # in a unit that the inputs have a part in
    return replace(batch, weight=np.array(weights, np.int64), units=()), inputs


def compared(
    model: Model, given: list[Given], *, optimise: Literal[0, 1] = 0, machine: Machine | None = None, **options: Any
) -> Launch:
    """Run all in lock-step, or on another machine, and hold each run against cpu; returns the launch."""
    launch = Launch(model, machine or LockStep(optimise), whole=True, **options)
    batch, inputs = packed(model, given)
    program = model.parsed
    limit = np.array([min(program.most_iterations(*each.counts), LONG) for each in given])
    ran = launch.run(batch, inputs, limit)
    assert set(ran.status.tolist()) <= {HALTED, UNFINISHED, INEXACT}
    done = 0
    for place, each in enumerate(given):
        if ran.status[place] == INEXACT:
            continue
        session = encoded(model, each).start("cpu")
        session.advance(int(limit[place]))
        expected = session.state()
        found = ran.state[ran.state_at[place] : ran.state_at[place + 1]].reshape(len(model.layout), len(expected)).T
        assert ran.iterations[place] == session.iterations()[0], f"hypergraph {place}"
        assert (ran.status[place] == HALTED) == session.halted()[0], f"hypergraph {place}"
        assert np.array_equal(found, expected), f"hypergraph {place}: {np.argwhere(found != expected)[:3]}"
        done += 1
    assert done
    return launch
