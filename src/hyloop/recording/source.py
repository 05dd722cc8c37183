"""The lines that people read beside a run: those of the algorithm's file, or else of the program's listing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hyloop.algorithms import ALGORITHMS
from hyloop.lang.program import Op, Program
from hyloop.lang.source import Location
from hyloop.lang.text import to_text

PLACE = re.compile(r"\((?P<file>[^()]*):(?P<line>\d+)\)")
LINE_END = re.compile("\r\n|\n|\r")  # as Python counts lines; `splitlines` knows more of them
NUMBERED = re.compile(r"  (?P<number>\d+) ")


@dataclass(frozen=True)
class Source:
    """Lines, the number of the first of them, and which of them a place in the program is."""

    file: str
    lines: tuple[str, ...]
    first: int
    listing: bool
    places: Mapping[tuple[str, int], tuple[int, ...]]  # of a listing: the lines for a place (file, line)
    ops: Mapping[tuple[str, int], int]  # of a listing: the line of an operation (section, number)

    def of_place(self, file: str, line: int) -> tuple[int, ...]:
        """The lines for a place in the program's file; none where it is another file."""
        if self.listing:
            return self.places.get((file, line), ())
        shown = self.first <= line < self.first + len(self.lines)
        return (line,) if file == self.file and shown else ()

    def of_location(self, where: Location) -> int:
        """The first line for a location, or 0."""
        return next(iter(self.of_place(where.file, where.line)), 0)

    def of_op(self, section: str, number: int, op: Op) -> int:
        """The line of an operation, or 0."""
        return self.ops.get((section, number), 0) if self.listing else self.of_location(op.where)

    def named_in(self, texts: Iterable[str]) -> tuple[int, ...]:
        """The lines that labels such as `edge (dijkstra.py:22)` name."""
        found = (PLACE.finditer(text) for text in texts)
        lines = {line for each in found for match in each for line in self.of_place(match["file"], int(match["line"]))}
        return tuple(sorted(lines))


def source_of(program: Program) -> Source:
    """The source of a program: from the file it was traced from, if that is at hand and says the same."""
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
    return Source(where.file, tuple(lines[first - 1 : last]), first, listing=False, places={}, ops={})


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
    lines = to_text(program).rstrip("\n").split("\n")
    places: dict[tuple[str, int], list[int]] = {}
    ops: dict[tuple[str, int], int] = {}
    states = {f"state {state.name}:": state.where for state in program.states}
    section = ""
    for number, line in enumerate(lines, start=1):
        if line.startswith(("before", "loop")):
            section = "before" if line.startswith("before") else "body"
        where = next((where for begin, where in states.items() if line.startswith(begin)), None)
        if section and (match := NUMBERED.match(line)):
            op = int(match["number"])
            ops[section, op] = number
            where = program.section(section).ops[op].where
        if where is not None:
            places.setdefault((where.file, where.line), []).append(number)
    kept = {place: tuple(found) for place, found in places.items()}
    return Source(f"{program.name} (listing)", tuple(lines), 1, listing=True, places=kept, ops=ops)
