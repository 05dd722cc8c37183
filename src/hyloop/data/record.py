"""One run as data: the outputs, and what changed in each iteration, from the executor's own states and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.data.fits import SAFE
from hyloop.data.hints import NONE, Hinted
from hyloop.errors import CapacityError
from hyloop.execute.decode import States
from hyloop.execute.loop import iterate, require_halted
from hyloop.execute.prepare import Encoded, Given, encoded
from hyloop.execute.session import Mirror
from hyloop.fitting import fitting_model
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.program import Output, Program
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.floating]

TOGETHER = 1 << 18  # numbers of states that are compared at once


@dataclass(frozen=True, eq=False)
class Hints:
    """The changes of a run, by step, then variable, then index; the four arrays are equally long."""

    step: IntArray
    variable: IntArray
    index: IntArray
    value: IntArray


@dataclass(frozen=True, eq=False)
class Recorded:
    """A run: how many iterations it took, its hints, and its outputs by column."""

    steps: int
    hints: Hints
    outputs: Mapping[str, int | IntArray]


def record(what: Hinted, given: Given, limit: int) -> Recorded | None:
    """Run a program and record it; None if it takes more than `limit` iterations."""
    model = fitting_model(what.program, given)
    most = what.program.most_iterations(*given.counts)
    begin = encoded(model, given)
    if limit < most and not _halts(begin, limit):
        return None
    groups = [each for each in _groups(what, model, given.counts) if len(each.variables)]
    with closing(begin.start("cpu")) as session:
        mirror = Mirror(session)
        steps = 0
        for pause in iterate(session, most, program=what.program.name):
            steps = pause.iteration
            if steps:
                state = mirror.state()
                for each in groups:
                    each.note(state, steps)
        require_halted(session, most, what.program.name)
        final = States(model, what.program, mirror.state(), given.counts)
        outputs = dict(_outputs(what.original, final, model.infinity))
    return Recorded(steps, _merged([each.hints() for each in groups]), outputs)


def _halts(begin: Encoded, limit: int) -> bool:
    """Whether a run ends within so many iterations. What is left out is not recorded: it might fill the memory."""
    with closing(begin.start("cpu")) as session:
        session.advance(limit)
        return bool(session.halted().all())


# -- what changes -----------------------------------------------------------------------------------------------------


class _Group:
    """The variables of one scope: their columns on the rows of that scope, iteration by iteration."""

    def __init__(self, what: Hinted, model: Model, scope: Scope, rows: slice) -> None:
        mine = [(place, each) for place, each in enumerate(what.variables) if each.type.scope is scope]
        self.variables = np.array([place for place, _ in mine], np.int64)
        self._columns = np.array([model.layout.number(state_column(each.column)) for _, each in mine], np.intp)
        self._rows, self._infinity = rows, model.infinity
        self._pointer = np.array([each.type.kind.is_pointer for _, each in mine], np.int64)
        self._length = np.array([each.type.kind is Kind.LENGTH for _, each in mine], np.bool_)
        initial = np.array([each.initial for _, each in mine], np.int64) + self._pointer
        first = np.where(self._length & (initial == NONE), model.infinity, initial).astype(np.float64)
        self._frames: list[FloatArray] = [np.repeat(first[:, np.newaxis], rows.stop - rows.start, axis=1)]
        self._began = 0  # the iteration of the first frame
        self._found: list[tuple[IntArray, ...]] = []

    def note(self, X: FloatArray, step: int) -> None:
        """The state after an iteration."""
        frame = X.T[self._columns, self._rows]
        self._frames.append(frame)
        if len(self._frames) * frame.size > TOGETHER:
            self._settle(step)

    def _settle(self, step: int) -> None:
        """Find what changed from frame to frame; the last one stays, to compare the next one with."""
        frames = np.stack(self._frames)
        at = np.flatnonzero(frames[1:] != frames[:-1])
        (when, which, where), value = np.unravel_index(at, frames[1:].shape), frames[1:].ravel()[at]
        number = value.astype(np.int64) - self._pointer[which]
        number[self._length[which] & (value == self._infinity)] = NONE
        self._found.append((when + self._began + 1, self.variables[which], where, number))
        self._frames, self._began = self._frames[-1:], step

    def hints(self) -> Hints:
        """All changes."""
        if len(self._frames) > 1:
            self._settle(self._began)
        return Hints(*(np.concatenate(parts) for parts in zip(*self._found, strict=True)))


def _groups(what: Hinted, model: Model, counts: tuple[int, int]) -> Iterator[_Group]:
    rows = {
        Scope.SCALAR: slice(0, 1),
        Scope.VERTICES: slice(1, counts[0] + 1),
        Scope.HYPEREDGES: slice(1, counts[1] + 1),
    }
    return (_Group(what, model, scope, each) for scope, each in rows.items())


def _merged(parts: list[Hints]) -> Hints:
    fields = [
        np.concatenate([getattr(each, name) for each in parts]) for name in ("step", "variable", "index", "value")
    ]
    order = np.lexsort((fields[2], fields[1], fields[0]))
    return Hints(*(field[order] for field in fields))


# -- outputs ----------------------------------------------------------------------------------------------------------


def _outputs(program: Program, states: Mapping[str, Any], infinity: int) -> Iterator[tuple[str, int | IntArray]]:
    """The outputs as numbers by column; those of one name and several places are one array."""
    names = dict.fromkeys(output.name for output in program.outputs)
    for name in names:
        same = [output for output in program.outputs if output.name == name]
        values = [_output(program, states, output, infinity) for output in same]
        yield f"output_{name}", values[0] if same[0].place is None else np.array(values, np.int64)
        if same[0].over is not None:
            yield f"output_{name}_over", _numbers(program, states, same[0].over, infinity)


def _output(program: Program, states: Mapping[str, Any], output: Output, infinity: int) -> int | IntArray:
    if output.form == "total":
        return _total(program, output, sum(states[output.state].tolist()))
    found = _numbers(program, states, output.state, infinity)
    for flag, wanted in ((output.known, 1), (output.unless, 0)):
        if flag is not None:
            hidden = np.asarray(states[flag]) != wanted
            return np.where(hidden, NONE, found) if isinstance(found, np.ndarray) else NONE if hidden else found
    return found


def _total(program: Program, output: Output, value: int) -> int:
    """The sum of a total; it is the one number of a run that may be larger than those the machine computes with."""
    if value > SAFE:
        raise CapacityError(
            f"{program.name}: the total {output.name} is {value:,} in an example, and a data set stores numbers below "
            f"2^63. Make what it adds up ({output.state}) an output instead, or take smaller hypergraphs."
        )
    return value


def _numbers(program: Program, states: Mapping[str, Any], name: str, infinity: int) -> int | IntArray:
    value = in_storage(program.state(name).type, np.asarray(states[name], np.int64), infinity)
    return value if value.ndim else int(value)


def in_storage(type_: Type, value: IntArray, infinity: int) -> IntArray:
    """Numbers of the machine (or of the interpreter, with its infinity) as data sets store them."""
    if type_.kind.is_pointer:
        return value - 1
    return np.where(value == infinity, NONE, value) if type_.kind is Kind.LENGTH else value
