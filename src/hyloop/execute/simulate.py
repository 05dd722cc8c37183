"""A compiled model run on a backend, told in the interpreter's terms: the states after every iteration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from hyloop.execute import dense
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.session import IterationLimitError, Session
from hyloop.hypergraph import Hypergraph
from hyloop.interpreter import Step
from hyloop.lang.kinds import Scope
from hyloop.lang.program import Program
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model

BACKENDS: Mapping[str, Callable[..., Session]] = {"dense": dense.start}


def simulate(
    model: Model,
    program: Program,
    h: Hypergraph,
    inputs: Mapping[str, int],
    *,
    weights: Sequence[int],
    backend: str = "dense",
) -> Iterator[Step]:
    """Run a model until it halts; the states are read from the columns that hold them."""
    counts = len(h.vertices), len(h.hyperedges)
    frame = Frame(*counts, tuple(weights), inputs)
    session = BACKENDS[backend](model, encode(model, frame), pad(model, h, frame.size))
    most = program.most_iterations(*counts)
    try:
        for iteration in range(1, most + 1):
            session.advance(1)
            halted = bool(session.halted()[0])
            section = "before" if program.begins and iteration == 1 else "body"
            states = _states(model, program, session.state(), counts)
            yield Step(iteration, section, states, (), halted, model.infinity)  # type: ignore[arg-type]
            if halted:
                return
        # The certificate ends here: another iteration might leave the exact range.
        raise IterationLimitError(most, session.state(), session.iterations(), 1, program.name)
    finally:
        session.close()


def _states(
    model: Model, program: Program, X: npt.NDArray[np.floating], counts: tuple[int, int]
) -> dict[str, npt.NDArray[np.int64] | int]:
    found: dict[str, npt.NDArray[np.int64] | int] = {}
    for state in program.states:
        column = X[:, model.layout.number(state_column(state.name))]
        if state.type.scope is Scope.SCALAR:
            found[state.name] = int(column[0])
        else:
            last = counts[0] if state.type.scope is Scope.VERTICES else counts[1]
            found[state.name] = column[1 : last + 1].astype(np.int64)
    return found
