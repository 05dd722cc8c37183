"""The schema of the document in a model file: every field, its type and its range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from hyloop.errors import ModelError
from hyloop.lang import budgets
from hyloop.machine.layer import HeadKind
from hyloop.machine.layout import MOST_TABLE, Role
from hyloop.machine.purpose import purpose_schema
from hyloop.strict import integer, integers_only, items, printable, record, text, validator

FORMAT = 4  # 3 could not tell tails from heads, named local values twice, and had no least number of rows
NUMBER = 2**53  # the largest integer that a float64 is sure to hold
ROWS = 94_906_265  # the last whose square, its second position, is below that
COLUMNS, LAYERS, HEADS, TERMS, HELD = 2_048, 4_096, 512, 16, 100_000
LETTERS = 1_000  # of a name, or of what something is for

NAME, NUMBERS, PART = text(LETTERS), integer(-NUMBER, NUMBER), integer(0, 1)
SCOPES = ["global", "array", "uniform"]
REGIONS = ["global", "rows", "vertices", "hyperedges", "past vertices", "past hyperedges"]
ROLES = list(get_args(Role))
STAGES = 3
COLUMN = integer(0, COLUMNS - 1)
PURPOSES = items(purpose_schema(budgets.OPERATIONS), HELD)
FOR = {"for": PURPOSES}
HEAD = record(
    kind={"enum": list(get_args(HeadKind))},
    query=PURPOSES,
    key=PURPOSES,
    value=items(record(column=COLUMN, **FOR), COLUMNS),
    empties=items(COLUMN, COLUMNS),
)


def _term(kind: str, **parts: Mapping[str, Any]) -> dict[str, Any]:
    return record(term={"const": kind}, **parts)


TERM = {
    "anyOf": [
        _term("Fill", value=NUMBERS, rows={"enum": REGIONS}),
        _term("Position", part=PART),
        _term("Pointer", part=PART, to={"anyOf": [integer(0, ROWS), NAME]}),
        _term("Mark", value=NUMBERS, at=NAME),
        _term("Weights"),
        _term("Everywhere", name=NAME, most=integer(0, NUMBER)),
        _term("Entries", name=NAME, of={"enum": ["vertices", "hyperedges"]}, most=integer(0, NUMBER)),
        _term("Cardinality", of={"enum": ["vertices", "hyperedges"]}),
        _term("Numbers", rows={"enum": ["vertices", "hyperedges"]}),
        _term("QuarterSquares"),
    ]
}
CERTIFICATE = record(largest=integer(0, NUMBER), largest_at=NAME)
SCHEMA = record(
    format={"const": FORMAT},
    hyloop=text(50),
    hash={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    name=NAME,
    dtype={"enum": ["float64", "float32"]},
    capacity=record(rows=integer(1, ROWS), weight=integer(1, NUMBER)),
    built={
        "anyOf": [
            {"type": "null"},
            record(
                heads=integer(1, NUMBER),
                schedule={"enum": ["packed", "one operation per layer"]},
                planned=integer(1, NUMBER),
            ),
        ]
    },
    certificate={"anyOf": [{"type": "null"}, CERTIFICATE]},
    infinity=integer(0, NUMBER),
    halt=NAME,
    incidence={"enum": ["ones", "weights"]},
    directed={"type": "boolean"},
    positions={"const": "parabola"},
    least=integer(0, MOST_TABLE),  # every input is padded to so many
    columns=items(
        record(name=NAME, scope={"enum": SCOPES}, initial=items(TERM, TERMS), role={"enum": ROLES}, of=NAME, **FOR),
        COLUMNS,
        least=1,
    ),
    layers=items(
        record(
            notes=items(NAME, COLUMNS),
            heads=items(HEAD, HEADS),
            units=items(items(record(carries={"type": "boolean"}, **FOR), COLUMNS), STAGES),
        ),
        LAYERS,
        least=1,
    ),
    held=items(record(layer=integer(0, LAYERS), column=COLUMN, **FOR), HELD),
    program=text(budgets.TEXT),
)
_check = validator(SCHEMA)


def parsed(said: str) -> dict[str, Any]:
    """The document of a file as an object, of any format."""
    try:
        document = integers_only(said)
    except ValueError as wrong:
        raise ModelError(f"its document is not what it should be: {wrong}.") from None
    if not isinstance(document, dict):
        raise ModelError("its document is not a JSON object.")
    return document


def require_document(document: Mapping[str, Any], where: str = "FILE") -> None:
    """Raise `ModelError` unless every field is there, of its type, within its range, and no other."""
    if document.get("format") != FORMAT:
        raise ModelError(_of_another_format(document, where))
    try:
        _check(document)
    except ValueError as wrong:
        raise ModelError(f"its document is not what it should be: {wrong}.") from None


def _of_another_format(document: Mapping[str, Any], where: str) -> str:
    """The message for a file of another format: an older one is compiled again, a newer one needs a newer hyloop."""
    written, given = document.get("format"), document.get("capacity")
    by = printable(document.get("hyloop", "?"))
    if type(written) is not int:
        return f"its document is not what it should be: its format is {printable(repr(written))}, which is no integer."
    found = f"it is of format {printable(written)}, written by hyloop {by}; this hyloop reads format {FORMAT}."
    if written > FORMAT:
        return f"{found} A newer hyloop reads it."
    capacity = given if isinstance(given, dict) else {}
    options = "".join(f" --{name} {capacity[name]}" for name in ("rows", "weight") if type(capacity.get(name)) is int)
    dtype = " --dtype float32" if document.get("dtype") == "float32" else ""
    return f"{found} Build it again: hyloop compile {where} -o NEW.safetensors{options}{dtype}"
