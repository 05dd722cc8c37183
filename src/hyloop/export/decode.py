"""From the states of a run to its result, for runs that happen elsewhere: in PyTorch, in onnxruntime."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from hyloop.errors import HyloopError
from hyloop.execute.prepare import Given, program_of
from hyloop.execute.simulate import read_state
from hyloop.interpreter import Step
from hyloop.machine.model import Model
from hyloop.result import Result
from hyloop.run import collect, nothing_yet, result_of

FloatArray = npt.NDArray[np.floating]


class Reader:
    """One input of a run. It is passed the state after every iteration (without streams, after some) and the last one.

    What the machine holds is read, never computed with.
    """

    def __init__(self, model: Model, given: Given) -> None:
        self.model, self.given, self.program = model, given, program_of(model)
        self.counts = len(given.hypergraph.vertices), len(given.hypergraph.hyperedges)
        self.iterations = 0
        self._streams = nothing_yet(self.program)
        self._step: Step | None = None

    @property
    def most_iterations(self) -> int:
        """The iterations that the program declares for this input."""
        return self.program.most_iterations(*self.counts)

    @property
    def halted(self) -> bool:
        """Whether the last state shown was that of a run that has halted."""
        return self._step is not None and self._step.halted

    def read(self, X: FloatArray, iteration: int, *, halted: bool) -> None:
        """Read the state after some iterations; one that was read before is skipped."""
        if iteration == self.iterations:
            return
        self.iterations = iteration
        if not (self._streams or halted):
            return
        section = "before" if self.program.begins and iteration == 1 else "body"
        states = {state.name: read_state(self.model, state, X, self.counts) for state in self.program.states}
        self._step = Step(iteration, section, states, (), halted, self.model.infinity)  # type: ignore[arg-type]
        collect(self.program, self.given.hypergraph, self._step, self._streams)

    def result(self, backend: str, verified: str) -> Result:
        """The result of the run, which has halted; `verified` is how far its weights are trusted."""
        if self._step is None:
            raise HyloopError(f"The run of {self.model.name} has no state to read a result from.")
        return replace(result_of(self.program, self.given, backend, self._step, self._streams), verified=verified)
