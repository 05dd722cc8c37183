"""`watch`: what variables of a program hold after every iteration of a run.

States are read from the machine. Values that the loop computes stand in a column for some layers only, so they are the
interpreter's, which runs beside; a state in which the two differ is an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hyloop.errors import HyloopError, ModelError
from hyloop.execute.decode import Collector, Reader, States, decoded, result_of
from hyloop.execute.integers import expected
from hyloop.execute.loop import iterate
from hyloop.execute.prepare import Given, encoded, given_to, program_of
from hyloop.execute.session import Mirror
from hyloop.fitting import fitting_model
from hyloop.interpreter import IterationEnd, interpret
from hyloop.lang import Algorithm, Program
from hyloop.machine.model import Model
from hyloop.result import Result

__all__ = ["Watched", "Watching", "watch", "watchable"]

Rows = Generator["Watched", None, Result]


@dataclass(frozen=True)
class Watched:
    """An iteration, and what each watched variable holds at its end: a value, or a dictionary by label.

    A value that this iteration does not compute (those of the loop in iteration 1, where statements stand before it) is
    left out.
    """

    iteration: int
    values: Mapping[str, Any]
    kinds: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # of each variable, as in Result


class Watching(Iterator[Watched]):
    """The iterations of a run, one by one; and its result, which runs the rest of them."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._result: Result | None = None

    def __next__(self) -> Watched:
        try:
            return next(self._rows)
        except StopIteration as end:
            self._result = self._result or end.value
            raise StopIteration from None

    @property
    def result(self) -> Result:
        """What `run` gives."""
        for _ in self:
            pass
        assert self._result is not None  # a run that ended otherwise has raised
        return self._result


def watchable(program: Program) -> tuple[str, ...]:
    """The names of all that can be watched: the states, then the named values."""
    labels = (op.label for section in (program.before, program.body) for op in section.ops if op.label)
    return tuple(dict.fromkeys([*(state.name for state in program.states), *labels]))


def watch(
    algorithm: str | Algorithm | Program | Model,
    hypergraph: object,
    names: Sequence[str],
    /,  # an input may be called `names`
    *,
    backend: str = "cpu",
    ignore_direction: bool = False,
    **inputs: Any,
) -> Watching:
    """Run an algorithm and give, after every iteration, what the named states and values of its program hold.

    `watch(...).result` is the result of the same run.

    >>> import hyloop
    >>> h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
    >>> for row in watch("levels", h, ["depth", "fresh"], source="a"):
    ...     print(row.iteration, row.values["depth"], row.values.get("fresh"))
    1 0 None
    2 1 {'a': False, 'b': True, 'c': False}
    3 2 {'a': False, 'b': False, 'c': True}
    4 2 {'a': False, 'b': False, 'c': False}
    """
    program = program_of(algorithm)
    for name in names:
        _require_name(program, name)
    given = given_to(program, hypergraph, inputs, ignore_direction=ignore_direction)
    steps = interpret(program, given.hypergraph, given.inputs, given.weights)
    if backend == "interpreter":
        return Watching(_alone(program, given, names, steps))
    model = algorithm if isinstance(algorithm, Model) else fitting_model(program, given)
    return Watching(_beside(model, program, given, names, steps, backend))


def _require_name(program: Program, name: str) -> None:
    known = watchable(program)
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise HyloopError(f"{program.name} has no variable {name!r} to watch; it has {', '.join(known)}.{hint}")


def _alone(program: Program, given: Given, names: Sequence[str], steps: Iterator[IterationEnd]) -> Rows:
    """The interpreter, an iteration at a time."""
    collector = Collector(program, given.hypergraph)
    step: IterationEnd | None = None
    for step in steps:
        collector.collect(step)
        yield _row(program, given, names, step, step.states, step.infinity)
    assert step is not None
    return result_of(program, given, "interpreter", step, collector.entries)


def _beside(
    model: Model, program: Program, given: Given, names: Sequence[str], steps: Iterator[IterationEnd], backend: str
) -> Rows:
    """Machine and interpreter, an iteration at a time."""
    session = encoded(model, given).start(backend)
    reader = Reader(model, given, program, None)
    with closing(session):
        memory = session.memory()
        mirror = Mirror(session)
        pauses = iterate(session, program.most_iterations(*given.counts), program=program.name)
        next(pauses)  # before the first iteration
        for step, pause in zip(steps, pauses, strict=True):
            states = States(model, program, mirror.state(), given.counts)
            _require_same(program, names, step, states, model.infinity)
            if pause.halted != step.halted:
                raise ModelError(f"The machine and the program do not both stop after iteration {step.iteration:,}.")
            reader.read(mirror.state, pause.iteration, halted=pause.halted)
            yield _row(program, given, names, step, states, model.infinity)
    return reader.result(backend, model.verified, memory)


def _require_same(
    program: Program, names: Sequence[str], step: IterationEnd, states: Mapping[str, Any], infinity: int
) -> None:
    for state in program.states:
        if state.name in names:
            wanted = expected(state.type, step.states[state.name], (step.infinity, infinity))
            if not np.array_equal(np.atleast_1d(states[state.name]), wanted):
                raise ModelError(
                    f"After iteration {step.iteration:,} the machine holds another {state.name} than the program says; "
                    "`hyloop check` shows where they differ."
                )


def _row(
    program: Program,
    given: Given,
    names: Sequence[str],
    step: IterationEnd,
    states: Mapping[str, Any],
    infinity: int,
) -> Watched:
    section = program.before if step.section == "before" else program.body
    types = {state.name: state.type for state in program.states}
    numbers = {op.label: number for number, op in enumerate(section.ops) if op.label}
    local = {label: section.ops[number].type for label, number in numbers.items()}
    found: dict[str, Any] = {}
    for name in names:
        if name in types:
            found[name] = decoded(given, infinity, types[name], states[name])
        elif name in local:
            found[name] = decoded(given, step.infinity, local[name], step.values[numbers[name]])
    return Watched(step.iteration, found, {name: str((local | types)[name].kind) for name in found})
