"""Which variables of a run the picture of the hypergraph shows by default: a value, done, current and waiting.

It follows from what the program does with its variables: their kinds, the rows they range over, and the assignments
to them. What they are called plays no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from hyloop.lang.kinds import INFINITY, Kind, Scope
from hyloop.lang.program import Assignment, Program, Section, State
from hyloop.recording.describe import Named


def shows(program: Program, named: Sequence[Named]) -> dict[str, Any]:
    """The names of the variables to show; `named` are the program's named locals."""
    vertices = _over(Scope.VERTICES, program.states)
    pointers = _outputs_first(program, [state for state in vertices if state.type.kind is Kind.VERTEX])
    through = _outputs_first(program, [state for state in vertices if state.type.kind is Kind.HYPEREDGE])
    waiting = [state for state in program.states if _comes_and_goes(program, state)]
    return {
        "value": _value(program, vertices),
        "settled": _settled(program, vertices),
        "frontier": {
            # Of flags that are refilled from each other, the last is the innermost.
            "vertices": _written_at(program, named) or _first(_over(Scope.VERTICES, waiting[::-1])),
            "hyperedges": _first(_over(Scope.HYPEREDGES, waiting)),
        },
        "current": _current(program, named),
        "predecessor": _first(state for state in _told(program, pointers) if _leads_back(program.body, state)),
        "through": _first(through),
    }


def _value(program: Program, vertices: Sequence[State]) -> str | None:
    """A number over the vertices that is part of the result; else a pointer, such as the name of a component."""
    others = _outputs_first(program, [state for state in vertices if state.type.kind is not Kind.FLAG])
    return _first([*(state for state in _told(program, others) if state.type.kind.is_number), *others])


def _current(program: Program, named: Sequence[Named]) -> list[str]:
    """Scalar pointers, states first: the current rows of the loop."""
    types = [*((each.name, each.type) for each in program.states), *((each.name, each.type) for each in named)]
    return list(dict.fromkeys(name for name, type_ in types if type_.kind.is_pointer and type_.scope is Scope.SCALAR))


# -- flags that change once, and those that come and go ----------------------------------------------------------------


def _settled(program: Program, vertices: Sequence[State]) -> str | None:
    """A flag that every vertex gets once and keeps; else one that every vertex loses once."""
    flags = [state for state in vertices if state.type.kind is Kind.FLAG and state.name in program.body.updates]
    kept = [state for to in (True, False) for state in flags if state.initial is not to and _only(program, state, to)]
    return _first(kept)


def _comes_and_goes(program: Program, state: State) -> bool:
    """Whether a state marks rows for a while: a flag that is set and cleared, a length that becomes infinite again."""
    if state.type.kind is Kind.FLAG:
        return not _only(program, state, True) and not _only(program, state, False)
    if state.type.kind is not Kind.LENGTH or state.initial is not INFINITY:
        return False
    return any(program.body.ops[each.value].argument is INFINITY for each in program.body.assignments(state.name))


def _only(program: Program, state: State, to: bool) -> bool:
    """Whether all assignments to a flag leave it as it is or make it `to`."""
    sections = [each for each in (program.before, program.body) if state.name in each.updates]
    return all(_towards(each, state.name, to)[each.updates[state.name]] for each in sections)


def _towards(section: Section, state: str, to: bool) -> list[bool]:
    """Of each operation, whether it is the state as it was, except where it is `to`."""
    found: list[bool] = []
    for op in section.ops:
        parts = [found[number] for number in op.operands]
        if op.name in {"state", "constant"}:
            found.append(op.argument == state if op.name == "state" else op.argument is to)
        elif op.name == "where":
            found.append(all(parts[1:]))
        elif op.name in {"and", "or"}:
            found.append(any(parts) if (op.name == "or") is to else all(parts))
        else:
            found.append(False)
    return found


# -- where the loop writes -------------------------------------------------------------------------------------------


def _written_at(program: Program, named: Sequence[Named]) -> str | None:
    """The flag with a name at whose vertices the loop assigns most: those it has just reached."""
    body, names = program.body, {each.op: each.name for each in named if each.section == "body"}
    found: Counter[str] = Counter()
    for state in _over(Scope.VERTICES, program.states):
        rows = {_rows(body, each.mask) for each in body.assignments(state.name) if each.mask is not None}
        arrays = [row for row in sorted(rows) if body.ops[row].type.scope is Scope.VERTICES]
        found.update(names[row] for row in arrays if row in names)
    return next((name for name, _ in found.most_common(1)), None)


def _rows(section: Section, mask: int) -> int:
    """The mask without the conditions that hold for all rows or none: those of `when` and `stop_when`."""
    while section.ops[mask].name == "and":
        arrays = [each for each in section.ops[mask].operands if section.ops[each].type.scope is not Scope.SCALAR]
        if len(arrays) != 1:
            break
        mask = arrays[0]
    return mask


def _leads_back(section: Section, state: State) -> bool:
    """Whether a pointer is always one row, found along with the rows that get it, such as a member of their hyperedge.

    The name of a component is not: it was found in an earlier iteration. A label that each row took from around it
    is not: it is an array.
    """
    found = [_found_with(section, each) for each in section.assignments(state.name)]
    return bool(found) and all(found)


def _found_with(section: Section, each: Assignment) -> bool:
    if each.mask is None or section.ops[each.value].type.scope is not Scope.SCALAR:
        return False
    return bool(_computed(section, each.value) & _computed(section, _rows(section, each.mask)))


def _computed(section: Section, number: int) -> set[int]:
    """All that is computed, in this iteration, for an operation: itself and its operands, leaves aside."""
    found, waiting = set(), [number]
    while waiting:
        number = waiting.pop()
        if number not in found and section.ops[number].operands:
            found.add(number)
            waiting.extend(section.ops[number].operands)
    return found


# -- which of several ------------------------------------------------------------------------------------------------


def _over(scope: Scope, states: Iterable[State]) -> list[State]:
    return [state for state in states if state.type.scope is scope]


def _told(program: Program, states: Iterable[State]) -> list[State]:
    """Those that are part of the result: others the program only works with."""
    outputs = {output.state for output in program.outputs}
    return [state for state in states if state.name in outputs]


def _outputs_first(program: Program, states: Iterable[State]) -> list[State]:
    outputs = [output.state for output in program.outputs]
    return sorted(states, key=lambda state: outputs.index(state.name) if state.name in outputs else len(outputs))


def _first(states: Iterable[State]) -> str | None:
    return next((state.name for state in states), None)
