"""The interpreter beside the transformer: its values in each frame, differences, and the source line of a change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.compare import Interpreted
from hyloop.execute.integers import differing, number
from hyloop.execute.prepare import Given
from hyloop.interpreter import IterationEnd, Value
from hyloop.lang.kinds import Scope
from hyloop.lang.program import Program
from hyloop.machine.model import Model
from hyloop.recording.changes import Changes
from hyloop.recording.describe import Named, Variable, scope_size
from hyloop.recording.source import Source

FloatArray = npt.NDArray[np.floating]

MOST_DIFFERENCES = 10_000  # differences that are listed


class Beside:
    """The interpreter's run, step by step; it stays at its last state if the transformer takes more iterations."""

    def __init__(self, model: Model, program: Program, given: Given, source: Source, named: list[Named]) -> None:
        self._program, self._h, self._source = program, given.hypergraph, source
        self._interpreted = Interpreted(model, program, given)
        self.named = [
            (each, Changes(np.zeros(max(self._size(each.type.scope), 1), np.int64), self._first(each)))
            for each in named
        ]
        self.first: dict[str, Any] | None = None
        self.more = False
        self._listed = 0
        self.differences: dict[str, dict[str, list[Any]]] = {}

    def advance(self) -> None:
        """Run one iteration."""
        self._interpreted.advance()

    @property
    def _step(self) -> IterationEnd | None:
        """The iteration that the interpreter has just run; None if it had already ended."""
        return None if self._interpreted.over else self._interpreted.step

    def line(self, state: str, row: int) -> int:
        """The source line that assigned a state at a row in this iteration; 0 if none did."""
        step = self._step
        if step is None:
            return 0
        section = self._program.section(step.section)
        for each in section.assignments(state):
            if each.mask is None or _at(step.values[each.mask], row):
                return self._source.of_assignment(step.section, each)
        return 0

    def record(self, frame: int) -> int:
        """Record the named locals at the end of an iteration; returns the approximate size in bytes."""
        step = self._step
        if step is None:
            return 0
        taken = 0
        for each, changes in self.named:
            if each.section == step.section:
                taken += changes.become(frame, self._interpreted.integers(each.type, step.values[each.op]))
        return taken

    def compare(self, frame: int, layer: int, X: FloatArray, variables: list[Variable]) -> None:
        """Record where the transformer's variables differ from the interpreter's after a layer."""
        for variable in variables:
            place = variable.place
            if not self._interpreted.holds(place, layer):
                continue
            size = self._size(place.type.scope)
            found = X[1 : size + 1, place.column] if place.type.scope is not Scope.SCALAR else X[:1, place.column]
            wanted = self._interpreted.numbers(place)
            for row in differing(found, wanted).tolist():
                self._differs(frame, variable, row, wanted[row], found[row])

    def halted_at_once(self, X: FloatArray, variables: list[Variable]) -> None:
        """Record that the transformer halts before its first iteration, while the program always runs one."""
        halt = next(variable for variable in variables if variable.place.role == "halt")
        self._differs(0, halt, 0, 0, X[0, halt.place.column])

    def _differs(self, frame: int, variable: Variable, row: int, wanted: int, found: float) -> None:
        at = row if variable.place.type.scope is Scope.SCALAR else row + 1
        if self.first is None:
            self.first = {
                "frame": frame,
                "variable": variable.name,
                "row": at,
                "expected": number(wanted),
                "found": number(found),
            }
        if self._listed >= MOST_DIFFERENCES:
            self.more = True
            return
        self._listed += 1
        noted = self.differences.setdefault(variable.name, {"frame": [], "row": [], "expected": []})
        for key, value in (("frame", frame), ("row", at), ("expected", number(wanted))):
            noted[key].append(value)

    def _size(self, scope: Scope) -> int:
        return scope_size(scope, self._h)

    @staticmethod
    def _first(each: Named) -> int:
        return 0 if each.type.scope is Scope.SCALAR else 1

    def documents(self) -> Iterator[dict[str, Any]]:
        """The JSON of the named locals."""
        for each, changes in self.named:
            yield {
                "name": each.name,
                "kind": str(each.type.kind),
                "scope": str(each.type.scope),
                "line": each.line,
                "section": each.section,
                **changes.document(),
            }


def _at(value: Value, row: int) -> bool:
    """A flag at a row; rows beyond an array are padding, where nothing is assigned."""
    if not isinstance(value, np.ndarray):
        return bool(value)
    return bool(value[row - 1]) if 1 <= row <= len(value) else False
