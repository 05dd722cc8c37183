"""Programs whose named locals stay: after every iteration, a column of the machine holds each of them.

A compiled transformer keeps a local in a column for some layers at most, or in no column at all. Here every named
local gets a state that takes its value, so that the executor's record of what changed has it. The program runs the same
iterations with the same states: a state that nothing reads changes nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from hyloop.errors import HyloopError
from hyloop.lang.kinds import INFINITY, Constant, Scope, Type
from hyloop.lang.program import Program, State
from hyloop.lang.verify import verify
from hyloop.recording.describe import Named, named_locals
from hyloop.recording.source import source_of

LOCATIONS: Mapping[Scope, str] = {Scope.SCALAR: "graph", Scope.VERTICES: "vertex", Scope.HYPEREDGES: "hyperedge"}
NONE = -1  # what is stored for no vertex, no hyperedge, an infinite length, and a value that is not known


@dataclass(frozen=True)
class Variable:
    """A state of the program, or a named local of one of its sections; `column` is the state that holds it."""

    name: str
    role: Literal["state", "local"]
    section: str
    type: Type
    initial: int
    column: str

    def document(self) -> dict[str, Any]:
        """The JSON of the metadata."""
        return {
            "name": self.name,
            "role": self.role,
            "section": self.section,
            "kind": str(self.type.kind),
            "location": LOCATIONS[self.type.scope],
            "initial": self.initial,
        }


@dataclass(frozen=True)
class Hinted:
    """A program, the same with a state for each named local, and the variables of both in the order of the hints."""

    original: Program
    program: Program
    variables: tuple[Variable, ...]


def hinted(program: Program) -> Hinted:
    """The program with its named locals as states."""
    for output in program.outputs:
        if output.form == "stream":
            raise HyloopError(
                f"{program.name} has a stream ({output.name}), which is read after every iteration; data sets are of "
                "algorithms whose outputs are read at the end."
            )
    # Without an iteration before the loop, nothing is ever computed there.
    kept = [each for each in named_locals(program, source_of(program)) if each.section == "body" or program.begins]
    taken = {state.name for state in program.states}
    states = {_free(f"{each.name.replace('[', '_').rstrip(']')}_hint", taken): each for each in kept}
    variables = [
        *(Variable(each.name, "state", "", each.type, stored(each.initial), each.name) for each in program.states),
        *(
            Variable(_name(each, program), "local", each.section, each.type, stored(each.type.kind.zero), name)
            for name, each in states.items()
        ),
    ]
    return Hinted(program, verify(_with_states(program, states)), tuple(variables))


def _name(each: Named, program: Program) -> str:
    """The name of a local; one from before the loop says so, if the loop or a state has the same."""
    others = [op.label for op in program.body.ops if each.section == "before"]
    return (
        f"{each.name}:{each.section}"
        if each.name in [*others, *(state.name for state in program.states)]
        else each.name
    )


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _with_states(program: Program, kept: Mapping[str, Named]) -> Program:
    def section(name: str) -> Any:
        found = program.section(name)
        more = {state: each.op for state, each in kept.items() if each.section == name}
        return replace(found, updates={**found.updates, **more})

    states = tuple(
        State(name, each.type, each.type.kind.zero, program.section(each.section).ops[each.op].where)
        for name, each in kept.items()
    )
    return replace(program, states=(*program.states, *states), before=section("before"), body=section("body"))


def stored(value: Constant) -> int:
    """A constant as data sets store it."""
    if value is None or value is INFINITY:
        return NONE
    assert isinstance(value, int)
    return int(value)
