"""A compiled model run on a backend, told in the interpreter's terms: the states after iterations."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.execute.backends import start
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.integers import read
from hyloop.execute.session import IterationLimitError
from hyloop.hypergraph import Hypergraph
from hyloop.interpreter import Step
from hyloop.lang.kinds import Scope
from hyloop.lang.program import Program, State
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model
from hyloop.standstill import Standstill

FloatArray = npt.NDArray[np.floating]
Value = npt.NDArray[np.int64] | int

STRIDE = 256  # iterations between two looks at whether a run goes round in a circle: each copies the state
PAUSE = 0.1  # seconds of work between two looks at the clock, where not every iteration is looked at


class Simulation:
    """A run of a model. Iterating gives the states after each iteration, or (`every=False`) now and then, and at last.

    `begin` is a state to go on from, after so many iterations.
    """

    def __init__(
        self,
        model: Model,
        program: Program,
        h: Hypergraph,
        inputs: Mapping[str, int],
        *,
        weights: Sequence[int],
        backend: str = "cpu",
        every: bool = True,
        begin: tuple[FloatArray, int] | None = None,
    ) -> None:
        self.model, self.program, self.every = model, program, every
        self.counts = len(h.vertices), len(h.hyperedges)
        frame = Frame(*self.counts, tuple(weights), inputs)
        X, self.done = (encode(model, frame), 0) if begin is None else begin
        self.session = start(backend, model, X, pad(model, h, frame.size))
        self.began = self.done
        self.memory = self.session.memory()

    def __iter__(self) -> Iterator[Step]:
        """The states, until the model halts."""
        most = self.program.most_iterations(*self.counts)
        chunk, standstill = 1, Standstill(self.program.name, STRIDE)
        try:
            if self.began and bool(self.session.halted()[0]):  # gone on from the end of a run
                yield self._step(halted=True)
                return
            while self.done < most:
                started = time.perf_counter()
                self.session.advance(min(chunk, most - self.done))
                before, self.done = self.done, self.began + int(self.session.iterations()[0])
                halted = bool(self.session.halted()[0])
                if self.done == before and not halted:  # it would never end
                    raise ModelError(f"The backend made no progress after iteration {before} of {self.program.name}.")
                yield self._step(halted=halted)
                if halted:
                    return
                standstill.look(self.done, lambda: (self.session.state(),))
                if not self.every:
                    took = time.perf_counter() - started
                    chunk = max(1, min(2 * chunk, int(chunk * PAUSE / max(took, 1e-9))))
            # The certificate ends here: another iteration might leave the exact range.
            raise IterationLimitError(most, self.session.state(), self.session.iterations(), 1, self.program.name)
        finally:
            self.session.close()

    def _step(self, *, halted: bool) -> Step:
        section = "before" if self.program.begins and self.done == 1 else "body"
        # States are read when they are asked for, and that is seldom; the last ones now, while they are there.
        states = _States(self)
        if halted:
            states.read()
        return Step(self.done, section, states, (), halted, self.model.infinity)  # type: ignore[arg-type]


def read_state(model: Model, state: State, X: FloatArray, counts: tuple[int, int]) -> Value:
    """A state of the program, read from the column that holds it; `counts` are those of vertices and hyperedges.

    What is no value of the state's type is refused, not rounded.
    """
    column = X[:, model.layout.number(state_column(state.name))]
    if state.type.scope is Scope.SCALAR:
        return int(read(state.name, state.type, column[:1], counts)[0])
    last = counts[0] if state.type.scope is Scope.VERTICES else counts[1]
    return read(state.name, state.type, column[1 : last + 1], counts)


class _States(Mapping[str, Value]):
    """The program's states, read from the columns that hold them; once, and before the run goes on."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._iteration = simulation.done
        self._X: FloatArray | None = None

    def read(self) -> FloatArray:
        """The whole state."""
        if self._X is None:
            assert self._simulation.done == self._iteration
            self._X = self._simulation.session.state()
        return self._X

    def __getitem__(self, name: str) -> Value:
        here = self._simulation
        return read_state(here.model, here.program.state(name), self.read(), here.counts)

    def __iter__(self) -> Iterator[str]:
        return (state.name for state in self._simulation.program.states)

    def __len__(self) -> int:
        return len(self._simulation.program.states)
