"""The source lines shown beside a run: those of the algorithm's file, or else of the program's listing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.meanings import MEANINGS
from hyloop.lang.program import Assignment, Made, Note, Op, Program, State
from hyloop.lang.source import Location
from hyloop.lang.text import listing

NEAR = 200  # lines: what stands farther from the algorithm is not shown with it
LINE_END = re.compile("\r\n|\n|\r")  # as Python counts lines; `splitlines` splits at more characters


@dataclass(frozen=True)
class Function:
    """A function of the program's file that its algorithm calls: its docstring's first line, and its lines."""

    name: str
    about: str
    first: int
    last: int


@dataclass(frozen=True)
class Source:
    """Lines, the number of the first one, and the lines of operations and states."""

    file: str
    lines: tuple[str, ...]
    first: int
    listing: bool
    ops: Mapping[tuple[str, int], int]  # of a listing: the line of an operation (section, number)
    states: Mapping[str, int]  # of a listing: the line of a state
    functions: tuple[Function, ...] = ()  # that the algorithm calls
    shipped: bool = True  # whether the program is one of hyloop's
    meaning: str = ""  # of the outputs, if it is
    made: Mapping[str, Made] = field(default_factory=dict)  # what the language added states for
    notes: tuple[Note, ...] = ()  # what its author says of loops

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

    def of_assignment(self, section: str, assignment: Assignment) -> int:
        """The line of an assignment, or 0; in a listing, that of the operation that is assigned."""
        known = self.ops.get((section, assignment.op), 0)
        return known if self.listing else self.of_location(assignment.where)


def source_of(program: Program) -> Source:
    """The source of a program: the file it was traced from, if that can be read and is unchanged."""
    ours = with_source(program)
    shipped = is_shipped(program)
    meaning = MEANINGS.get(program.name, "") if shipped else ""
    for each in (program, ours):
        if (found := _from_file(each)) is not None:
            made = {state.name: state.made for state in each.states if state.made}
            return replace(found, made=made, shipped=shipped, meaning=meaning, notes=each.notes)
    return replace(_listed(program), shipped=shipped, meaning=meaning)


def with_source(program: Program) -> Program:
    """The program of hyloop's own that this one equals, whose operations know their source; else this one."""
    return ALGORITHMS[program.name].program if is_shipped(program) else program


def is_shipped(program: Program) -> bool:
    """Whether this is the program of hyloop's own of that name."""
    ours = ALGORITHMS.get(program.name)
    return ours is not None and ours.program == program


def _locations(program: Program) -> Iterator[Location]:
    yield from (state.where for state in program.states)
    yield from (op.where for op in program.body.ops)


def _from_file(program: Program) -> Source | None:
    where = next(_locations(program))
    if not where.path:
        return None
    try:
        text = Path(where.path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    lines = LINE_END.split(text)
    found = _written(text, program.name, where.line)
    first, last = (1, len(lines)) if found is None else _extent(found)
    called = () if found is None else tuple(_function(each) for each in found if isinstance(each, ast.FunctionDef))[1:]
    return Source(where.file, tuple(lines[first - 1 : last]), first, listing=False, ops={}, states={}, functions=called)


def _written(text: str, name: str, line: int) -> list[ast.stmt] | None:
    """The function of that name around a line, and then what it uses of its file: functions and constants."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    own = next((node for node in functions if node.lineno <= line <= (node.end_lineno or 0)), None)
    if own is None:
        return None
    defined = {each: node for node in tree.body for each in _defines(node)}
    found: list[ast.stmt] = [own]
    for node in found:  # it grows
        uses = [defined[each] for each in _names(node) if each in defined]
        found += [each for each in dict.fromkeys(uses) if each not in found]
    return [each for each in found if abs(each.lineno - own.lineno) <= NEAR]


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def _names(node: ast.stmt) -> list[str]:
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]


def _begin(node: ast.stmt) -> int:
    """The first line of a statement; of a function, that of its decorators."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _extent(nodes: Sequence[ast.stmt]) -> tuple[int, int]:
    return min(map(_begin, nodes)), max(map(_end, nodes))


def _function(node: ast.FunctionDef) -> Function:
    about = (ast.get_docstring(node) or "").partition("\n")[0]
    return Function(node.name, about, _begin(node), _end(node))


def _listed(program: Program) -> Source:
    lines = list(listing(program))
    ops: dict[tuple[str, int], int] = {
        line.op: number for number, line in enumerate(lines, start=1) if line.op is not None
    }
    states = {line.state: number for number, line in enumerate(lines, start=1) if line.state is not None}
    texts = tuple(line.text for line in lines)
    return Source(f"{program.name} (listing)", texts, 1, listing=True, ops=ops, states=states)
