"""The rules of HIF 0.1 as a JSON schema, with error messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Final

import fastjsonschema

from hyloop.errors import FormatError
from hyloop.hypergraph import DIGITS, shown

# With JSON numbers read as int or Decimal, "integer" accepts an int alone: the label 1.0 is refused.
_LABEL: Final = {"type": ["string", "integer"]}
_NUMBER: Final = {"type": "number"}
_OBJECT: Final = {"type": "object"}
_DIRECTION: Final = {"enum": ["head", "tail"]}


def _closed(required: tuple[str, ...], **properties: object) -> dict[str, object]:
    """The schema of an object with exactly these fields."""
    return {
        "type": "object",
        "required": list(required),
        "properties": {name.replace("_", "-"): rule for name, rule in properties.items()},
        "additionalProperties": False,
    }


RECORDS: Final = {
    "nodes": _closed(("node",), node=_LABEL, weight=_NUMBER, attrs=_OBJECT),
    "edges": _closed(("edge",), edge=_LABEL, weight=_NUMBER, attrs=_OBJECT),
    "incidences": _closed(
        ("edge", "node"), edge=_LABEL, node=_LABEL, weight=_NUMBER, direction=_DIRECTION, attrs=_OBJECT
    ),
}
DOCUMENT: Final = _closed(
    ("incidences",),
    network_type={"enum": ["undirected", "directed", "asc"]},
    metadata=_OBJECT,
    **{name: {"type": "array", "items": record} for name, record in RECORDS.items()},
)


@cache
def _validator(part: str) -> Callable[[object], object]:
    schema = RECORDS.get(part, DOCUMENT)
    validate: Callable[[object], object] = fastjsonschema.compile(schema, use_default=False)
    return validate


def record_check(part: str) -> Callable[[object, int], None]:
    """The checker of records of `part` ("nodes", "edges" or "incidences"): takes a record and its place."""
    validate = _validator(part)

    def check(record: object, place: int) -> None:
        try:
            validate(record)
        except fastjsonschema.JsonSchemaValueException as fault:
            raise _as_format_error(fault, f"$.{part}[{place}]") from None

    return check


def require_part(name: str) -> None:
    """Refuse a field that HIF does not have, before its value is read."""
    if name not in DOCUMENT["properties"]:  # type: ignore[operator]
        surplus, sentence = _surplus({name: None}, DOCUMENT)  # type: ignore[arg-type]
        raise FormatError(sentence, where=f"${step(surplus)}")


def check_document(document: object) -> None:
    """Check a whole document."""
    try:
        _validator("document")(document)
    except fastjsonschema.JsonSchemaValueException as fault:
        raise _as_format_error(fault, "$") from None


def _as_format_error(fault: fastjsonschema.JsonSchemaValueException, root: str) -> FormatError:
    path = str(fault.name).replace("data", root, 1)
    name, sentence = _SENTENCES[str(fault.rule)](fault.value, fault.definition)
    return FormatError(sentence, where=path if name is None else path + step(name))


def step(name: str) -> str:
    """The step of a JSON path to the field `name`."""
    short = name if len(name) <= 60 else f"{name[:57]}..."
    return f".{short}" if re.fullmatch(r"[A-Za-z_][\w-]*", short) else f"[{json.dumps(short)}]"


# One entry per rule of the schema: from the invalid value and its rules to (the field, the message).
_Sentence = Callable[..., tuple[str | None, str]]


def _wrong_type(value: object, rules: Mapping[str, str | list[str]]) -> tuple[None, str]:
    kinds = [rules["type"]] if isinstance(rules["type"], str) else rules["type"]
    return None, f"expected {' or '.join(_KINDS[kind] for kind in kinds)}, found {kind_of(value)}."


def _not_listed(value: object, rules: Mapping[str, list[str]]) -> tuple[None, str]:
    return None, f"expected {' or '.join(map(json.dumps, rules['enum']))}, found {kind_of(value)}."


def _missing(value: Mapping[str, object], rules: Mapping[str, list[str]]) -> tuple[None, str]:
    missing = [name for name in rules["required"] if name not in value]
    return None, f"the {'fields' if missing[1:] else 'field'} {' and '.join(missing)} must be there."


def _surplus(value: Mapping[str, object], rules: Mapping[str, Mapping[str, object]]) -> tuple[str, str]:
    surplus = next(name for name in value if name not in rules["properties"])
    known = ", ".join(rules["properties"])
    return surplus, f"HIF has no such field here, only {known}; other data belong in attrs or in metadata."


_SENTENCES: Final[Mapping[str, _Sentence]] = {
    "type": _wrong_type,
    "enum": _not_listed,
    "required": _missing,
    "additionalProperties": _surplus,
}
_KINDS: Final = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "object": "an object {...}",
    "array": "an array [...]",
}


def kind_of(value: object) -> str:
    """A JSON value in words."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, Decimal):
        text, digits = str(value), len(value.as_tuple().digits)  # as written in the file: 1.0 is no integer
        if value.as_tuple().exponent == 0:  # an integer with more digits than Python reads at once, or such as 1e0
            return (
                f"an integer of {digits:,} digits"
                if digits > DIGITS
                else f"the number {text}, written with an exponent"
            )
        return f"the decimal number {text if len(text) <= 60 else f'{text[:57]}...'}"
    if isinstance(value, int):
        return f"the integer {shown(value)}"
    if isinstance(value, str):
        return f"the string {shown(value)}"
    return "an object {...}" if isinstance(value, dict) else "an array [...]"
