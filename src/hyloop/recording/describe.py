"""What a trace says once: the hypergraph, the model and what each of its parts is for, the variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.draw.positions import positions
from hyloop.hypergraph import Hypergraph, Label
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.program import Op, Program
from hyloop.machine.layer import Layer
from hyloop.machine.layout import state_column
from hyloop.machine.model import EXACT, Local, Model
from hyloop.numbers import written
from hyloop.recording.source import Source
from hyloop.run import Given


@dataclass(frozen=True)
class Variable:
    """A view of a column: a state, the halt flag, or a local while it stands there. `op` is that of a local."""

    name: str
    type: Type
    role: str
    column: int
    line: int
    section: str = ""
    op: int = -1
    begin: int = 0  # locals: the layers after which it stands in its column
    end: int = 0
    output: bool = False

    def document(self) -> dict[str, Any]:
        """As the trace has it."""
        return {
            "name": self.name,
            "kind": str(self.type.kind),
            "scope": str(self.type.scope),
            "role": self.role,
            "column": self.column,
            "section": self.section,
            "from": self.begin,
            "until": self.end,
            "line": self.line,
            "output": self.output,
        }


@dataclass(frozen=True)
class Named:
    """A local of the program that has a name: the interpreter's value of it is recorded."""

    name: str
    type: Type
    section: str
    op: int
    line: int


def variables(model: Model, program: Program, source: Source, *, layers: bool) -> list[Variable]:
    """The states, the halt flag, and the locals that stand in a column after a layer that is recorded."""
    names = _Names()
    outputs = {output.state for output in program.outputs}
    last = len(model.layers)
    found = [
        Variable(
            names.unique(state.name, 0),
            state.type,
            "state",
            model.layout.number(state_column(state.name)),
            source.of_location(state.where),
            end=last,
            output=state.name in outputs,
        )
        for state in program.states
    ]
    halt = model.layout.number(model.layout.halt)
    found.append(
        Variable(names.unique("halt", 0), Type(Kind.FLAG), "halt", halt, _stop_line(program, source), end=last)
    )
    for local, begin, end in _standing(model):
        if layers or end == last:
            found.append(_local(model, program, source, names, local, begin, end))
    return found


def _stop_line(program: Program, source: Source) -> int:
    stop = program.body.stop
    return 0 if stop is None else source.of_op("body", stop, program.body.ops[stop])


def _standing(model: Model) -> Iterator[tuple[Local, int, int]]:
    """Each local with the first and the last layer of a stay in one column."""
    for _, same in groupby(sorted(model.locals, key=lambda local: (*_stay(local), local.layer)), key=_stay):
        stay: list[Local] = []
        for local in same:
            if stay and local.layer != stay[-1].layer + 1:
                yield stay[0], stay[0].layer, stay[-1].layer
                stay = []
            stay.append(local)
        yield stay[0], stay[0].layer, stay[-1].layer


def _stay(local: Local) -> tuple[str, int, str]:
    return local.section, local.op, local.column


def _local(  # all that is known of it
    model: Model, program: Program, source: Source, names: _Names, local: Local, begin: int, end: int
) -> Variable:
    op = program.section(local.section).ops[local.op]
    line = source.of_op(local.section, local.op, op)
    name = names.unique(op.label or _expression(op, local.op), line)
    number = model.layout.number(local.column)
    return Variable(name, op.type, "local", number, line, local.section, local.op, begin, end)


def _expression(op: Op, number: int) -> str:
    """What people wrote for a value without a name."""
    text = op.where.text[op.where.column : op.where.end].strip()
    return f"{op.name} in {text}" if text else f"{op.name} %{number}"


class _Names:
    """Names that differ: the line, then a number, is added to one that was taken."""

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
    """The locals that have a name, each once: the last operation of that name in its section."""
    found: dict[tuple[str, str], Named] = {}
    for section in ("before", "body"):
        for number, op in enumerate(program.section(section).ops):
            if op.label and op.name != "input":
                line = source.of_op(section, number, op)
                found[section, op.label] = Named(op.label, op.type, section, number, line)
    return list(found.values())


# -- the model ------------------------------------------------------------------------------------------------------


# What the machine's own columns hold, in words.
OWN = {
    "B_global": "1 on row 0",
    "B_local": "1 on every other row",
    "P_1": "the number of the row: its position j",
    "P_2": "the square of its number: j²",
    "vertices": "1 on the rows of vertices",
    "hyperedges": "1 on the rows of hyperedges",
    "weight": "the weight of each hyperedge, in units",
}


def model_document(model: Model, program: Program, source: Source) -> dict[str, Any]:
    """Capacity, columns and layers, with the source lines that each part serves."""
    lines = _Lines(program, source)
    return {
        "name": model.name,
        "dtype": model.dtype,
        "rows": model.capacity.rows,
        "weight": model.capacity.weight,
        "infinity": model.infinity,
        "verified": model.verified,
        "columns": [
            {"name": each.name, "scope": each.scope, "holds": each.holds or OWN.get(each.name, "a value in passing")}
            for each in model.layout.columns
        ],
        "layers": [_layer(layer, lines) for layer in model.layers],
    }


def _layer(layer: Layer, lines: _Lines) -> dict[str, Any]:
    return {
        "heads": [
            {
                "kind": head.kind,
                "serves": list(head.serves),
                "lines": lines.of(head.serves),
                "columns": sorted(head.writes),
            }
            for head in layer.heads
        ],
        "units": {
            "count": layer.mlp.width,
            "serves": list(dict.fromkeys(layer.mlp.units)),
            "lines": lines.of(layer.mlp.units),
            "columns": sorted(layer.mlp.writes),
        },
        "lines": lines.of([*(what for head in layer.heads for what in head.serves), *layer.mlp.units]),
    }


class _Lines:
    """Which source lines belong before the loop and which to it."""

    def __init__(self, program: Program, source: Source) -> None:
        self._source = source
        self._mine = {
            name: {line for op in program.section(name).ops for line in source.of_place(op.where.file, op.where.line)}
            for name in ("before", "body")
        }
        if source.listing:  # a line of the file can have operations of both
            self._mine = {
                name: {line for (section, _), line in source.ops.items() if section == name} for name in self._mine
            }

    def of(self, serves: Sequence[str]) -> dict[str, list[int]]:
        found = self._source.named_in(serves)
        return {name: [line for line in found if line in mine] for name, mine in self._mine.items()}


# -- the hypergraph -------------------------------------------------------------------------------------------------


def hypergraph_document(
    h: Hypergraph, name: str, keep: Mapping[Label, tuple[float, float]] | None = None
) -> dict[str, Any]:
    """Labels, weights, members, and where to draw them: y grows downwards, as on screens."""
    placed = positions(h, {label: (x, 1 - y) for label, (x, y) in (keep or {}).items()})
    side = h.incidence_transposed
    return {
        "name": name,
        "vertices": [_readable(label) for label in h.vertices],
        "hyperedges": [_readable(label) for label in h.hyperedges],
        "weights": [written(weight) for weight in h.weights],
        "members": [(side.row(number) + 1).tolist() for number in range(len(h.hyperedges))],
        "positions": {
            "vertices": _on_screen(placed.vertices),
            "hyperedges": _on_screen(placed.hyperedges),
        },
    }


def _on_screen(points: npt.NDArray[np.float64]) -> list[list[float]]:
    found: list[list[float]] = np.round(points * [1, -1] + [0, 1], 4).tolist()
    return found


def _readable(label: Label) -> Label:
    """A label that a browser reads as it is: its numbers are doubles, so larger integers are written as text."""
    return str(label) if isinstance(label, int) and abs(label) > EXACT["float64"] else label


def inputs_document(program: Program, given: Given) -> list[dict[str, Any]]:
    """The inputs, as the machine has them."""
    return [
        {"name": each.name, "kind": str(each.type.kind), "value": given.inputs[each.name]} for each in program.inputs
    ]


def scope_size(scope: Scope, h: Hypergraph) -> int:
    """How many rows a variable of that scope has; 0 for a scalar, which stands in row 0."""
    return {Scope.SCALAR: 0, Scope.VERTICES: len(h.vertices), Scope.HYPEREDGES: len(h.hyperedges)}[scope]
