"""The schema of a trace document: shapes and types. `fits` checks whether its parts are consistent.

The page has the same shapes (`viewer/src/check.ts`); `viewer/test/traces.json`, a table of changed traces, tests both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from hyloop import labels
from hyloop.errors import FormatError
from hyloop.lang.program import Made
from hyloop.machine.layer import HeadKind
from hyloop.machine.layout import ColumnScope, Role
from hyloop.machine.purpose import purpose_schema
from hyloop.recording.fits import misfit
from hyloop.strict import printable, validator

FORMAT: Literal["hyloop-trace"] = "hyloop-trace"
VERSION = 2

SAFE = labels.SAFE  # the largest integer that JavaScript represents exactly

TEXT, FLAG, NUMBER = ({"type": name} for name in ("string", "boolean", "number"))


def _integer(least: int, most: int = SAFE) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


COUNT, ROW, ASKED = _integer(0), _integer(-1), _integer(1) | {"type": ["integer", "null"]}
KIND = {"enum": ["flag", "count", "length", "vertex", "hyperedge"]}
SCOPE = {"enum": ["scalar", "vertices", "hyperedges"]}
NAME = {"type": ["string", "null"]}


def _list(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _record(perhaps: Mapping[str, Any] | None = None, /, **parts: Mapping[str, Any]) -> dict[str, Any]:
    """An object with these fields; those of `perhaps` are optional, as in older files."""
    named = {name.rstrip("_"): part for name, part in parts.items()}
    return {"type": "object", "properties": {**named, **(perhaps or {})}, "required": list(named)}


_verified = {"verified": {"enum": ["compiled", "reproduced", "proved", "unverified"]}}


SECTION = {"enum": ["before", "body"]}
PURPOSE = purpose_schema(SAFE)
FOR = {"for_": _list(PURPOSE)}
PLACES = _list({"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2})
CHANGED = {"frame": _list(COUNT), "row": _list(ROW), "value": _list(NUMBER)}
CHANGES = _record({"line": _list(COUNT)}, initial=_list(NUMBER) | {"type": ["number", "array"]}, **CHANGED)
# Text, an integer, or `labels.label_in_json` of a longer one. `anyOf` would take many times as long.
LONG = {"properties": {labels.INTEGER: {"type": "string", "pattern": labels.DIGITS}}, "required": [labels.INTEGER]}
LABELS = _list(
    _integer(-SAFE) | {"type": ["string", "integer", "object"], **LONG, "additionalProperties": False},
)
HEAD = _record(
    kind={"enum": list(get_args(HeadKind))},
    query=_list(PURPOSE),
    key=_list(PURPOSE),
    value=_list(_record(column=COUNT, **FOR)),
    empties=_list(COUNT),
    columns=_list(COUNT),
)
OP = _record(
    {"elsewhere": _list(_record(state=TEXT, line=COUNT))},
    section=SECTION,
    op=COUNT,
    name=TEXT,
    label=TEXT,
    kind=KIND,
    scope=SCOPE,
    operands=_list(COUNT),
    assigns=_list(TEXT),
    line=COUNT,
)
SENTENCE = _list({"anyOf": [TEXT, COUNT]})
MEMBERS = _list(_list(_integer(1)))
MARGINS = _list({"type": ["number", "null"]})

ARRAY = _record(name=TEXT, kind=KIND, scope={"enum": ["vertices", "hyperedges"]}, values=_list(COUNT))

SCHEMA = _record(
    {"arrays": _list(ARRAY)},  # those that no column has
    format={"const": FORMAT},
    version={"const": VERSION},
    hyloop=TEXT,
    algorithm=_record(
        {
            "functions": _list(_record(name=TEXT, about=TEXT, first=COUNT, last=COUNT)),
            "notes": _list(_record({"guard": COUNT}, about=SENTENCE, each=SENTENCE)),
            "outputs": _list(
                _record({"over": TEXT}, name=TEXT, state=TEXT, form={"enum": ["value", "total", "stream"]})
            ),
            "shipped": FLAG,
            "meaning": TEXT,
        },
        name=TEXT,
        about=TEXT,
        file=TEXT,
        source=_list(TEXT),
        first=COUNT,
        listing=FLAG,
        begins=FLAG,
        ops=_list(OP),
    ),
    inputs=_list(_record(name=TEXT, kind=KIND, value=NUMBER)),
    hypergraph=_record(
        {"tails": MEMBERS, "heads": MEMBERS},  # of a directed hypergraph
        name=TEXT,
        vertices=LABELS,
        hyperedges=LABELS,
        weights=_list(TEXT),
        members=MEMBERS,
        positions=_record(vertices=PLACES, hyperedges=PLACES),
    ),
    unit=TEXT,
    model=_record(
        _verified,
        name=TEXT,
        dtype={"enum": ["float64", "float32"]},
        rows=COUNT,
        weight=COUNT,
        infinity=NUMBER,
        columns=_list(
            _record(
                name=TEXT,
                scope={"enum": list(get_args(ColumnScope))},
                role={"enum": list(get_args(Role))},
                of=TEXT,
                **FOR,
            )
        ),
        layers=_list(
            _record(
                heads=_list(HEAD),
                units=_record(count=COUNT, stages=_list(_list(_record(carries=FLAG, **FOR))), columns=_list(COUNT)),
            )
        ),
    ),
    recorded=_record(
        layers=FLAG,
        every=_integer(1),
        first=ASKED,
        last=ASKED,
        iterations=COUNT,
        halted=FLAG,
        stopped=TEXT,
        backend=TEXT,
    ),
    frames=_record(iteration=_list(COUNT), layer=_list(COUNT)),
    columns=_list(CHANGES),
    variables=_list(
        _record(
            {"made": {"enum": list(get_args(Made))}, "known": TEXT, "unless": TEXT},
            name=TEXT,
            kind=KIND,
            scope=SCOPE,
            role={"enum": ["state", "local", "halt"]},
            column=COUNT,
            section={"enum": ["before", "body", ""]},
            from_=COUNT,
            until=COUNT,
            line=COUNT,
            output=FLAG,
            named=FLAG,
        )
    ),
    program=_list(
        _record(name=TEXT, kind=KIND, scope=SCOPE, line=COUNT, section=SECTION, initial=_integer(0, 0), **CHANGED)
    ),
    attention=_list(
        _record(
            layer=COUNT,
            head=COUNT,
            frame=_list(COUNT),
            pattern=_list(_integer(0, 2)),
            row=_list(ROW),
            ties=_list(COUNT),
            margin=MARGINS,
            start=_list(COUNT),
            links=_record(query=_list(COUNT), row=_list(COUNT), ties=_list(COUNT), margin=MARGINS),
        )
    ),
    differences=_record(
        first={
            "anyOf": [
                {"type": "null"},
                _record(frame=COUNT, variable=TEXT, row=COUNT, expected=NUMBER, found=NUMBER),
            ]
        },
        more=FLAG,
        values={
            "type": "object",
            "additionalProperties": _record(frame=_list(COUNT), row=_list(COUNT), expected=_list(NUMBER)),
        },
    ),
    shows=_record(
        value=NAME,
        settled=NAME,
        frontier=_record(vertices=NAME, hyperedges=NAME),
        current=_list(TEXT),
        predecessor=NAME,
        through=NAME,
    ),
)


_check = validator(SCHEMA)


def require_trace(document: Any, path: str | Path) -> None:
    """Raise `FormatError` unless this is a consistent trace."""
    what = "`hyloop trace ... -o run.json` makes one."
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"{path}: this is no trace. {what}")
    if document.get("version") != VERSION:
        raise FormatError(
            f"{path}: this trace is of version {printable(document.get('version'))}; hyloop reads version {VERSION}. "
            "Record the run again: hyloop trace ALGORITHM FILE -o run.html"
        )
    try:
        _check(document)
    except ValueError as wrong:
        raise FormatError(f"{path}: this is no trace: {wrong}. {what}") from None
    wrong_part = misfit(document)
    if wrong_part:
        raise FormatError(f"{path}: this trace does not fit together: {wrong_part}.")
