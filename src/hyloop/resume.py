"""Whether a checkpoint fits a run: checked before the run is resumed.

Its hashes name the model and the input, but a forged file can have the right ones. So the state must have the model's
shape, its numbers must be such as the model can hold, the columns that no layer writes must hold what the encoder puts
there, and the streams must be about this hypergraph. The other columns cannot be checked without running again: resume
your own checkpoints only.
"""

from __future__ import annotations

import numpy as np

from hyloop.checkpoint import Checkpoint, FloatArray
from hyloop.execute.encode import Frame, encode
from hyloop.hypergraph import Hypergraph, Label
from hyloop.lang.kinds import SCOPE_OF, Kind, Scope
from hyloop.lang.program import Program
from hyloop.machine.model import Model
from hyloop.result import Entry


def misfit(begin: Checkpoint, model: Model, program: Program, h: Hypergraph, frame: Frame) -> str:
    """Why a checkpoint cannot be from a run of this model on this input; empty if it can."""
    most = program.most_iterations(frame.vertices, frame.hyperedges)
    if begin.iterations > most:
        return f"it has run for {begin.iterations:,} iterations, and the program takes at most {most:,}"
    first = encode(model, frame)
    if begin.X.shape != first.shape or begin.X.dtype != first.dtype:
        return f"its state is {begin.X.shape} in {begin.X.dtype}, not {first.shape} in {first.dtype}"
    if not np.all(np.isfinite(begin.X)):
        return "its state has entries that are no numbers"
    if not model.doubtful and not _within(begin.X, model.largest):
        return "its state has numbers that the model never holds"
    written = frozenset().union(*(layer.writes for layer in model.layers))
    fixed = [number for number in range(len(model.layout)) if number not in written]
    if not np.array_equal(begin.X[:, fixed], first[:, fixed]):
        return "columns that no layer writes differ from the input"
    return _streamed(begin, program, h, model.infinity)


def _within(X: FloatArray, largest: int | None) -> bool:
    """Whether a state between two iterations holds integers from 0 to the largest that there may be."""
    if largest is None:
        return True
    least, most, whole = X.min(), X.max(), np.floor(X)
    return bool(least >= 0 and most <= largest and np.array_equal(X, whole))


def _streamed(begin: Checkpoint, program: Program, h: Hypergraph, infinity: int) -> str:
    """What is wrong with the streams: they must be about this hypergraph, with at most one entry per iteration."""
    wanted = {output.name: output for output in program.outputs if output.form == "stream"}
    if begin.streams.keys() != wanted.keys():
        return "it streams something else"
    for name, output in wanted.items():
        about = _labels(h, SCOPE_OF[program.state(str(output.of)).type.kind])
        type_ = program.state(output.state).type
        among, held = _labels(h, type_.scope), _held(type_.kind, h, infinity)
        if len(begin.streams[name]) > begin.iterations or not all(
            _is_about(entry, about, among, held) for entry in begin.streams[name]
        ):
            return f"{name} is about another hypergraph"
    return ""


def _is_about(entry: Entry, about: frozenset[Label], among: frozenset[Label], held: tuple[int, int | None]) -> bool:
    least, most = held
    return entry.about in about and all(
        label in among and isinstance(value, int) and least <= value and (most is None or value <= most)
        for label, value in entry.values.items()
    )


def _held(kind: Kind, h: Hypergraph, infinity: int) -> tuple[int, int | None]:
    """The integers that a stream of a kind may hold: from, to."""
    if kind is Kind.LENGTH:
        return 0, infinity - 1
    if kind.is_pointer:
        return 1, len(_labels(h, SCOPE_OF[kind]))
    return 1, 1 if kind is Kind.FLAG else None


def _labels(h: Hypergraph, scope: Scope) -> frozenset[Label]:
    return frozenset(h.vertices if scope is Scope.VERTICES else h.hyperedges)
