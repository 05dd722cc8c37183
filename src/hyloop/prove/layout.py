"""Conditions on a layout that a proof relies on: a file may have any layout, and the encoder follows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from hyloop.errors import ModelError
from hyloop.lang.bounds import input_bound
from hyloop.lang.kinds import Kind
from hyloop.lang.program import Input, Program
from hyloop.machine.layout import (
    Cardinality,
    Entries,
    Everywhere,
    Fill,
    InitialTerm,
    Mark,
    Numbers,
    Pointer,
    Position,
    Region,
    state_column,
)
from hyloop.machine.model import Model


def require_plain(model: Model, program: Program) -> None:
    """Raise for a layout with columns that are missing, or with terms and bounds that a proof would misread."""
    numbers = {"rows": model.capacity.rows, "weight": model.capacity.weight, "infinity": model.infinity}
    numbers["least number of rows"] = model.layout.least
    for what, number in numbers.items():
        if type(number) is not int:
            raise ModelError(f"Its {what} is {number!r}, which is not a whole number.")
    columns = {column.name for column in model.layout.columns}
    for state in program.states:
        if state_column(state.name) not in columns:
            raise ModelError(f"The state {state.name} has no column {state_column(state.name)!r}.")
        if state_column(state.name) == model.layout.halt:
            raise ModelError(f"The column {model.layout.halt!r} cannot be a state and the halt flag at once.")
    for column in model.layout.columns:
        if "|" in column.name or "\\" in column.name or not column.name.isprintable():
            raise ModelError(f"{column.name!r} is not a name for a column: no `|`, no backslash, nothing unprintable.")
        for term in column.initial:
            _require_term(column.name, term)
    for local in model.locals:
        section = program.section(local.section)
        if type(local.op) is not int or not 0 <= local.op < len(section.ops):
            raise ModelError(
                f"It says that operation {local.op} is held in {local.column!r}; there is no such operation."
            )
    _require_inputs(model, program)


def _require_inputs(model: Model, program: Program) -> None:
    """A model must take what its program takes: all rows, all of a declared bound, lengths up to the weights'."""
    inputs = {given.name: given for given in program.inputs}
    for name, scope, most in _given(model):
        if name not in inputs:
            raise ModelError(f"A column holds the input {name!r}, which {program.name} does not have.")
        if str(inputs[name].type.scope) != scope:
            raise ModelError(f"A column holds the input {name!r} as a {scope}; it is {inputs[name].type.phrase}.")
        wanted = _wanted(inputs[name], model)
        if type(most) is not int or most < wanted:
            raise ModelError(f"It takes the input {name!r} up to {most!r}; {program.name} takes it up to {wanted}.")


def _require_term(column: str, term: InitialTerm) -> None:
    match term:
        case Fill(value, rows):
            plain = type(value) in {int, float} and value == value // 1 and rows in get_args(Region)
        case Position(part):
            plain = part in {0, 1}
        case Cardinality(of) | Numbers(of) | Entries(_, of, _):
            plain = of in {"vertices", "hyperedges"}
        case Pointer() | Mark():
            plain = False
        case _:
            plain = True
    if not plain:
        raise ModelError(f"Column {column!r} starts with {term}; compiled models have nothing of the kind.")


def _given(model: Model) -> Iterator[tuple[str, str, int]]:
    """Of each column that holds an input: its name, over what it is, and how large it may be."""
    for column in model.layout.columns:
        for term in column.initial:
            if isinstance(term, Everywhere):
                yield term.name, "scalar", term.most
            elif isinstance(term, Entries):
                yield term.name, term.of, term.most


def _wanted(given: Input, model: Model) -> int:
    return input_bound(given, model.capacity.rows, model.capacity.weight)


def input_bounds(model: Model, program: Program) -> dict[str, int]:
    """How large each input may be: the encoder refuses what is above the bound of its column."""
    columns = {name: most for name, _, most in _given(model)}
    found: dict[str, int] = {}
    for given in program.inputs:
        # Without a column nothing but the program and the kind bound it; a length is in any unit.
        counted = given.type.kind is Kind.COUNT and given.at_most is not None
        bounded = counted or not given.type.kind.is_number
        found[given.name] = columns.get(given.name, _wanted(given, model) if bounded else ANY)
    return found


ANY = 2**1000
