"""Running an algorithm of the paper on hypergraphs: one at a time, or many in one batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np

from hyloop.errors import HyloopError
from hyloop.execute import dense
from hyloop.execute.encode import Frame
from hyloop.execute.loop import finish
from hyloop.execute.prepare import Given, encoded_batch, frame_of
from hyloop.hypergraph import Hypergraph
from hyloop.lang.kinds import Kind
from hyloop.machine.model import Model
from hyloop.paper.algorithms import ALGORITHMS, FinalState, Name, OutputValues, PaperAlgorithm
from hyloop.paper.steps import Setting
from hyloop.result import Result, Value


@dataclass(frozen=True)
class ProblemInstance:
    """A hypergraph with the inputs of an algorithm: vertices by their numbers, from 0."""

    hypergraph: Hypergraph
    inputs: Mapping[str, int]

    def given(self) -> Given:
        """The argument of the encoder: rows are numbered from 1."""
        for name, number in self.inputs.items():
            if number not in range(len(self.hypergraph.vertices)):
                last = len(self.hypergraph.vertices) - 1
                raise HyloopError(
                    f"The input {name!r} is {number!r}, which is no vertex; they are numbered 0 to {last}."
                )
        weights, unit = self.hypergraph.integer_weights()
        return Given(self.hypergraph, weights, {name: number + 1 for name, number in self.inputs.items()}, unit)

    def frame(self, padding: int = 0) -> Frame:
        """The frame: all that the encoder may use."""
        return frame_of(self.given(), padding)


@dataclass(frozen=True)
class Ended:
    """The outputs and the number of iterations of a run."""

    outputs: OutputValues
    iterations: int


@lru_cache(maxsize=32)
def model_of(name: Name, given: Setting) -> Model:
    """The model of an algorithm; built once."""
    return ALGORITHMS[name].build(given)


def run(
    name: Name,
    tasks: Sequence[ProblemInstance],
    given: Setting,
    *,
    limit: int | None = None,
    padding: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[Ended]:
    """Run one model on a batch of hypergraphs. The default limit is the algorithm's number of iterations."""
    if not tasks:
        return []
    algorithm, model = ALGORITHMS[name], model_of(name, given)
    session = dense.start(model, *encoded_batch(model, [task.given() for task in tasks], padding))
    finish(session, _most(algorithm, tasks) if limit is None else limit, progress)
    return [
        Ended(algorithm.read(_answer(model, given, state, task.hypergraph)), int(count))
        for task, state, count in zip(tasks, session.state(), session.iterations(), strict=True)
    ]


def _most(algorithm: PaperAlgorithm, tasks: Sequence[ProblemInstance]) -> int:
    return max(expected_iterations(algorithm, task.hypergraph) for task in tasks)


def expected_iterations(algorithm: PaperAlgorithm, hypergraph: Hypergraph) -> int:
    """The algorithm's formula for this hypergraph."""
    return algorithm.iterations(len(hypergraph.vertices), len(hypergraph.hyperedges))


def _answer(model: Model, given: Setting, X: np.ndarray, hypergraph: Hypergraph) -> FinalState:
    _, unit = hypergraph.integer_weights()
    return FinalState(model.layout, X, len(hypergraph.vertices), unit, given.infinity)


def result(name: Name, task: ProblemInstance, ended: Ended) -> Result:
    """The outputs of a run with the labels of its hypergraph."""
    h = task.hypergraph
    arrays = {key: value for key, value in ended.outputs.items() if key in ARRAYS}
    return Result(
        algorithm=name,
        backend="dense",
        iterations=ended.iterations,
        halted=True,
        hypergraph=h,
        vertices={key: tuple(_labelled(h, key, value) for value in values) for key, values in arrays.items()},
        scalars={key: _labelled(h, key, value) for key, value in ended.outputs.items() if key not in ARRAYS},
        kinds={key: str(KINDS[key]) for key in ended.outputs},
    )


KINDS = {
    "distance": Kind.LENGTH,
    "level": Kind.COUNT,
    "order": Kind.COUNT,
    "predecessor": Kind.VERTEX,
    "helly": Kind.FLAG,
    "witness": Kind.VERTEX,
    "hyperedge": Kind.HYPEREDGE,
    "weight": Kind.LENGTH,
}
# Outputs with one value per vertex; the others are scalars.
ARRAYS = frozenset({"distance", "level", "order", "predecessor"})


def _labelled(h: Hypergraph, key: str, value: Any) -> Value:
    if value is None or not KINDS[key].is_pointer:
        return cast("Value", value)
    labels = h.vertices if KINDS[key] is Kind.VERTEX else h.hyperedges
    return tuple(labels[number] for number in value) if isinstance(value, list) else labels[int(value)]
