"""The constant parts of a trace: the hypergraph, the model with the purposes of its parts, the variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.compare import Place, places
from hyloop.draw.positions import kept_places, positions
from hyloop.errors import HyloopError
from hyloop.execute.prepare import Given
from hyloop.hypergraph import Hypergraph, Incidence, Label
from hyloop.labels import SAFE, label_in_json
from hyloop.lang.kinds import Scope, Type
from hyloop.lang.program import Made, Note, Op, Output, Program
from hyloop.machine.layer import Layer
from hyloop.machine.layout import Entries
from hyloop.machine.model import Model
from hyloop.machine.purpose import head_document, purposes_document, stages_document
from hyloop.numbers import counted, written
from hyloop.recording.source import Source


@dataclass(frozen=True)
class Variable:
    """A view of a column: a state, the halt flag, or a local during its lifetime there."""

    name: str
    place: Place
    line: int
    output: bool = False
    named: bool = True  # the name in the program; a local without one has its expression
    made: Made = ""  # for what the language added it
    # The flag of the same rows where the answer has it, as `known` or `unless` of an output says it.
    where: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The JSON of the trace. States and the halt flag have columns of their own, in every frame."""
        place = self.place
        return {
            "name": self.name,
            "kind": str(place.type.kind),
            "scope": str(place.type.scope),
            "role": place.role,
            "column": place.column,
            "section": place.section,
            "from": place.begin if place.role == "local" else 0,
            "until": place.end,
            "line": self.line,
            "output": self.output,
            "named": self.named,
            **({"made": self.made} if self.made else {}),
            **self.where,
        }


@dataclass(frozen=True)
class Named:
    """A named local of the program; the interpreter's values of it are recorded."""

    name: str
    type: Type
    section: str
    op: int
    line: int


def variables(model: Model, program: Program, source: Source, *, layers: bool) -> list[Variable]:
    """The states, the halt flag, and the locals that are in a column after a recorded layer."""
    names, standing = _Names(), places(model, program)
    outputs = {output.state for output in program.outputs}
    found = [
        Variable(
            names.unique(place.name, 0),
            place,
            source.of_state(program.state(place.name)),
            output=place.name in outputs,
            made=source.made.get(place.name, ""),
            where=_where(program, place.name),
        )
        for place in standing
        if place.role == "state"
    ]
    found += [
        Variable(names.unique(place.name, 0), place, _stop_line(program, source))
        for place in standing
        if place.role == "halt"
    ]
    for place in standing:
        if place.role == "local" and (layers or place.end == len(model.layers)):
            op = program.section(place.section).ops[place.op]
            line = source.of_op(place.section, place.op, op)
            name = names.unique(op.label or _expression(op, place.op), line)
            found.append(Variable(name, place, line, named=bool(op.label)))
    return found


def outputs_document(program: Program) -> list[dict[str, Any]]:
    """The outputs: each a state, or one state divided by another, in the form in which the result has it."""
    return [_output(each) for each in program.outputs]


def _output(output: Output) -> dict[str, Any]:
    over = {} if output.over is None else {"over": output.over}
    return {"name": output.name, "state": output.state, "form": output.form, **over}


def _where(program: Program, state: str) -> dict[str, str]:
    """Where the answer has a state, if every output of it says the same: the flag, as `known` or `unless`."""
    said = {(each.known, each.unless) for each in program.outputs if each.state == state}
    known, unless = said.pop() if len(said) == 1 else (None, None)
    return {name: flag for name, flag in (("known", known), ("unless", unless)) if flag is not None}


def _stop_line(program: Program, source: Source) -> int:
    stop = program.body.stop
    return 0 if stop is None else source.of_op("body", stop, program.body.ops[stop])


def _expression(op: Op, number: int) -> str:
    """The source expression of a value without a name."""
    text = op.where.text[op.where.column : op.where.end].strip()
    return f"{op.name} in {text}" if text else f"{op.name} %{number}"


class _Names:
    """Makes names unique: the line, then a number, is appended to a name that is taken."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, name: str, line: int) -> str:
        tries = [name, *([f"{name} (line {line})"] if line else [])]
        found = next((each for each in tries if each not in self._taken), "")
        number = 2
        while not found:
            found = f"{name} ({number})" if f"{name} ({number})" not in self._taken else ""
            number += 1
        self._taken.add(found)
        return found


def named_locals(program: Program, source: Source) -> list[Named]:
    """The named locals, each once: the last operation of that name in its section."""
    found: dict[tuple[str, str], Named] = {}
    for section in ("before", "body"):
        for number, op in enumerate(program.section(section).ops):
            if op.label and op.name != "input":
                line = source.of_op(section, number, op)
                found[section, op.label] = Named(op.label, op.type, section, number, line)
    return list(found.values())


# -- the model ------------------------------------------------------------------------------------------------------


# Where an operation stands in its author's file: of a recording, and no part of the model.
LINES = frozenset({"line", "elsewhere"})


def operations_document(program: Program, source: Source) -> list[dict[str, Any]]:
    """The operations of the program, to which purposes refer."""
    elsewhere = _elsewhere(program, source)
    return [
        {
            "section": name,
            "op": number,
            "name": op.name,
            "label": op.label or (str(op.argument) if op.name in {"state", "input"} else ""),
            "kind": str(op.type.kind),
            "scope": str(op.type.scope),
            "operands": list(op.operands),
            "assigns": [state for state, value in program.section(name).updates.items() if value == number],
            "line": source.of_op(name, number, op),
            **({"elsewhere": elsewhere[name, number]} if (name, number) in elsewhere else {}),
        }
        for name in ("before", "body")
        for number, op in enumerate(program.section(name).ops)
    ]


def _elsewhere(program: Program, source: Source) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """For each operation that is assigned on another line than its own: the states, and the lines."""
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for name in ("before", "body"):
        section = program.section(name)
        for state in section.updates:
            for each in section.assignments(state):
                line = source.of_assignment(name, each)
                if line != source.of_op(name, each.op, section.ops[each.op]):
                    found.setdefault((name, each.op), []).append({"state": state, "line": line})
    return found


def note_document(note: Note) -> dict[str, Any]:
    """What an author says of a loop: text, and numbers of its operations."""
    guard = {} if note.guard is None else {"guard": note.guard}
    return {"about": list(note.about), "each": list(note.each), **guard}


def model_document(model: Model) -> dict[str, Any]:
    """Capacity, columns and layers, with their purposes."""
    columns = [
        {
            "name": each.name,
            "scope": each.scope,
            "role": each.role,
            "of": each.of,
            "for": purposes_document(each.purposes),
        }
        for each in model.layout.columns
    ]
    return {
        "name": model.name,
        "dtype": model.dtype,
        "rows": model.capacity.rows,
        "weight": model.capacity.weight,
        "infinity": model.infinity,
        "verified": model.verified,
        "columns": columns,
        "layers": [_layer(layer) for layer in model.layers],
    }


def _layer(layer: Layer) -> dict[str, Any]:
    units = {
        "count": layer.mlp.width,
        "stages": stages_document(layer.mlp.purposes),
        "columns": sorted(layer.mlp.writes),
    }
    heads = [{"kind": head.kind, **head_document(head.purpose), "columns": sorted(head.writes)} for head in layer.heads]
    return {"heads": heads, "units": units}


# -- the hypergraph -------------------------------------------------------------------------------------------------


def hypergraph_document(
    h: Hypergraph, name: str, keep: Mapping[Label, tuple[float, float]] | None = None
) -> dict[str, Any]:
    """Labels, weights, members and positions; y grows downwards, as on screens."""
    placed = positions(h, {label: (x, 1 - y) for label, (x, y) in kept_places(keep).items()})
    sides = {"tails": h.tails_transposed, "heads": h.heads_transposed} if h.directed else {}
    return {
        "name": name,
        "vertices": [*map(label_in_json, h.vertices)],
        "hyperedges": [*map(label_in_json, h.hyperedges)],
        "weights": [written(weight) for weight in h.weights],
        "members": _rows(h.incidence_transposed),
        **{name: _rows(side) for name, side in sides.items()},
        "positions": {
            "vertices": _on_screen(placed.vertices),
            "hyperedges": _on_screen(placed.hyperedges),
        },
    }


def _rows(side: Incidence) -> list[list[int]]:
    return [(side.row(number) + 1).tolist() for number in range(side.rows)]


def _on_screen(points: npt.NDArray[np.float64]) -> list[list[float]]:
    found: list[list[float]] = np.round(np.clip(points * [1, -1] + [0, 1], 0, 1), 4).tolist()
    return found


def inputs_document(program: Program, given: Given) -> list[dict[str, Any]]:
    """The inputs that are one value, in the machine's numbers. An array stands in a column of the state."""
    return [
        {"name": each.name, "kind": str(each.type.kind), "value": _held(each.name, [given.inputs[each.name]])[0]}
        for each in program.inputs
        if each.type.scope is Scope.SCALAR
    ]


def arrays_document(model: Model, program: Program, given: Given) -> list[dict[str, Any]]:
    """The arrays that no column has, since nothing depends on them: they are given, and a run takes them again."""
    placed = {term.name for column in model.layout.columns for term in column.initial if isinstance(term, Entries)}
    return [
        {
            "name": each.name,
            "kind": str(each.type.kind),
            "scope": str(each.type.scope),
            "values": _held(each.name, given.inputs[each.name]),
        }
        for each in program.inputs
        if each.type.scope is not Scope.SCALAR and each.name not in placed
    ]


def _held(name: str, values: Any) -> list[int]:
    """Values of an input; the encoder has looked only at those that a column has."""
    if any(value > SAFE for value in values):
        raise HyloopError(
            f"The input {name} has {counted(max(values))} in integer units, and a recording holds numbers below 2^53. "
            "Nothing in the program depends on that input: give a smaller one."
        )
    return [int(value) for value in values]


def scope_size(scope: Scope, h: Hypergraph) -> int:
    """The number of rows of a variable of that scope; 0 for a scalar, which is in row 0."""
    return {Scope.SCALAR: 0, Scope.VERTICES: len(h.vertices), Scope.HYPEREDGES: len(h.hyperedges)}[scope]
