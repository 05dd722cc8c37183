"""The source lines shown beside a run: those of the algorithm's file, or else of the program's listing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hyloop.algorithms import ALGORITHMS
from hyloop.lang.program import Op, Program, State
from hyloop.lang.source import Location
from hyloop.lang.text import listing

LINE_END = re.compile("\r\n|\n|\r")  # as Python counts lines; `splitlines` splits at more characters


@dataclass(frozen=True)
class Source:
    """Lines, the number of the first one, and the lines of operations and states."""

    file: str
    lines: tuple[str, ...]
    first: int
    listing: bool
    ops: Mapping[tuple[str, int], int]  # of a listing: the line of an operation (section, number)
    states: Mapping[str, int]  # of a listing: the line of a state

    def of_location(self, where: Location) -> int:
        """The line of the program's file for a location; 0 where it is another file, or the lines are a listing."""
        shown = self.first <= where.line < self.first + len(self.lines)
        return where.line if not self.listing and where.file == self.file and shown else 0

    def of_state(self, state: State) -> int:
        """The line of a state's declaration, or 0."""
        return self.states.get(state.name, 0) if self.listing else self.of_location(state.where)

    def of_op(self, section: str, number: int, op: Op) -> int:
        """The line of an operation, or 0."""
        return self.ops.get((section, number), 0) if self.listing else self.of_location(op.where)


def source_of(program: Program) -> Source:
    """The source of a program: the file it was traced from, if that can be read and is unchanged."""
    ours = ALGORITHMS.get(program.name)
    for known in (program, ours.program if ours is not None and ours.program == program else None):
        if known is not None and (found := _from_file(known)) is not None:
            return found
    return _listed(program)


def _locations(program: Program) -> Iterator[Location]:
    yield from (state.where for state in program.states)
    yield from (op.where for op in program.body.ops)


def _from_file(program: Program) -> Source | None:
    where = next(_locations(program))
    if not where.path:
        return None
    try:
        text = Path(where.path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    lines = LINE_END.split(text)
    first, last = _function(text, program.name, where.line) or (1, len(lines))
    return Source(where.file, tuple(lines[first - 1 : last]), first, listing=False, ops={}, states={})


def _function(text: str, name: str, line: int) -> tuple[int, int] | None:
    """The lines of the function of that name around a line, its decorators included."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name and node.lineno <= line <= (node.end_lineno or 0):
            return min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.end_lineno or node.lineno
    return None


def _listed(program: Program) -> Source:
    lines = list(listing(program))
    ops: dict[tuple[str, int], int] = {
        line.op: number for number, line in enumerate(lines, start=1) if line.op is not None
    }
    states = {line.state: number for number, line in enumerate(lines, start=1) if line.state is not None}
    texts = tuple(line.text for line in lines)
    return Source(f"{program.name} (listing)", texts, 1, listing=True, ops=ops, states=states)
