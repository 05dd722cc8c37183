"""Which variables of a run the picture of the hypergraph shows by default: a value, done, current and waiting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hyloop.lang.kinds import INFINITY, Kind, Scope
from hyloop.lang.program import Program, State

# Common names of such variables, the likeliest first.
SETTLED = ("settled", "visited", "reached", "done", "matched")
WAITING = ("waiting", "key", "queued", "touched", "frontier", "seconds")
FRESH = ("fresh", "front", "frontier", "new", "waiting", "thirds")


def shows(program: Program, named: Mapping[str, tuple[Kind, Scope]]) -> dict[str, Any]:
    """The names of the variables to show; `named` are the program's named locals."""
    vertices = [state for state in program.states if state.type.scope is Scope.VERTICES]
    hyperedges = [state for state in program.states if state.type.scope is Scope.HYPEREDGES]
    pointers = _outputs_first(program, [state for state in vertices if state.type.kind is Kind.VERTEX])
    through = _outputs_first(program, [state for state in vertices if state.type.kind is Kind.HYPEREDGE])
    flags = [state.name for state in vertices if state.type.kind is Kind.FLAG]
    fresh = [name for name, (kind, scope) in named.items() if kind is Kind.FLAG and scope is Scope.VERTICES]
    return {
        "value": _value(program, vertices),
        "settled": _likely(flags, SETTLED) or next(iter(flags), None),
        "frontier": {
            "vertices": _likely([*fresh, *flags], FRESH),
            "hyperedges": _likely([state.name for state in hyperedges if _marks(state)], WAITING),
        },
        "current": _current(program, named),
        "predecessor": next((each.name for each in pointers if each.name in {"predecessor", "parent"}), None),
        "through": next((each.name for each in through), None),
    }


def _value(program: Program, vertices: Sequence[State]) -> str | None:
    """A number over the vertices that is part of the result; else a pointer, such as the name of a component."""
    told = _outputs_first(program, [state for state in vertices if state.type.kind is not Kind.FLAG])
    numbers = [state for state in told if state.type.kind.is_number]
    return next((state.name for state in [*numbers, *told]), None)


def _current(program: Program, named: Mapping[str, tuple[Kind, Scope]]) -> list[str]:
    """Scalar pointers, states first: the current rows of the loop."""
    states = [each.name for each in program.states if each.type.kind.is_pointer and each.type.scope is Scope.SCALAR]
    local = [name for name, (kind, scope) in named.items() if kind.is_pointer and scope is Scope.SCALAR]
    return list(dict.fromkeys([*states, *local]))


def _marks(state: State) -> bool:
    """Whether a state can mark rows: as a flag, or by being finite."""
    return state.type.kind is Kind.FLAG or (state.type.kind is Kind.LENGTH and state.initial is INFINITY)


def _outputs_first(program: Program, states: Iterable[State]) -> list[State]:
    outputs = [output.state for output in program.outputs]
    return sorted(states, key=lambda state: outputs.index(state.name) if state.name in outputs else len(outputs))


def _likely(names: Sequence[str], words: Sequence[str]) -> str | None:
    return next((word for word in words if word in names), None)
