"""What a trace document must look like to be taken: shapes and types, and that its parts fit each other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import fastjsonschema

from hyloop.errors import FormatError
from hyloop.lang.purpose import Part
from hyloop.machine.layout import Role
from hyloop.numbers import read
from hyloop.strict import printable

FORMAT: Literal["hyloop-trace"] = "hyloop-trace"
VERSION = 2

INTEGER, TEXT, FLAG, NUMBER = ({"type": name} for name in ("integer", "string", "boolean", "number"))
COUNT = {"type": "integer", "minimum": 0}
KIND = {"enum": ["flag", "count", "length", "vertex", "hyperedge"]}
SCOPE = {"enum": ["scalar", "vertices", "hyperedges"]}
NAME = {"type": ["string", "null"]}


def _list(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _record(perhaps: Mapping[str, Any] | None = None, /, **parts: Mapping[str, Any]) -> dict[str, Any]:
    """An object with these fields; those of `perhaps` may be missing, as in older files."""
    named = {name.rstrip("_"): part for name, part in parts.items()}
    return {"type": "object", "properties": {**named, **(perhaps or {})}, "required": list(named)}


_verified = {"verified": {"enum": ["compiled", "reproduced", "proved", "unverified"]}}


SECTION = {"enum": ["before", "body"]}
PURPOSE = {
    "type": "array",
    "items": [SECTION, COUNT, {"enum": list(get_args(Part))}, FLAG],
    "minItems": 4,
    "maxItems": 4,
}
FOR = {"for_": _list(PURPOSE)}
PLACES = _list({"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2})
CHANGED = {"frame": _list(COUNT), "row": _list({"type": "integer", "minimum": -1}), "value": _list(NUMBER)}
CHANGES = _record(initial={"anyOf": [NUMBER, _list(NUMBER)]}, **CHANGED)
LABELS = _list({"type": ["string", "integer"]})
HEAD = _record(
    kind={"enum": ["plain", "incidence", "transposed"]},
    query=_list(PURPOSE),
    key=_list(PURPOSE),
    value=_list(_record(column=COUNT, **FOR)),
    empties=_list(COUNT),
    columns=_list(COUNT),
)
OP = _record(
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
MARGINS = _list({"type": ["number", "null"]})

SCHEMA = _record(
    format={"const": FORMAT},
    version={"const": VERSION},
    hyloop=TEXT,
    algorithm=_record(
        name=TEXT, about=TEXT, file=TEXT, source=_list(TEXT), first=COUNT, listing=FLAG, begins=FLAG, ops=_list(OP)
    ),
    inputs=_list(_record(name=TEXT, kind=KIND, value=NUMBER)),
    hypergraph=_record(
        name=TEXT,
        vertices=LABELS,
        hyperedges=LABELS,
        weights=_list(TEXT),
        members=_list(_list({"type": "integer", "minimum": 1})),
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
        columns=_list(_record(name=TEXT, scope=TEXT, role={"enum": list(get_args(Role))}, of=TEXT, **FOR)),
        layers=_list(
            _record(
                heads=_list(HEAD),
                units=_record(count=COUNT, stages=_list(_list(_record(carries=FLAG, **FOR))), columns=_list(COUNT)),
            )
        ),
    ),
    recorded=_record(
        layers=FLAG,
        every=COUNT,
        first={"type": ["integer", "null"]},
        last={"type": ["integer", "null"]},
        iterations=COUNT,
        halted=FLAG,
        stopped=TEXT,
        backend=TEXT,
    ),
    frames=_record(iteration=_list(COUNT), layer=_list(COUNT)),
    columns=_list(CHANGES),
    variables=_list(
        _record(
            name=TEXT,
            kind=KIND,
            scope=SCOPE,
            role={"enum": ["state", "local", "halt"]},
            column=COUNT,
            section=TEXT,
            from_=COUNT,
            until=COUNT,
            line=COUNT,
            output=FLAG,
            named=FLAG,
        )
    ),
    program=_list(_record(name=TEXT, kind=KIND, scope=SCOPE, line=COUNT, section=TEXT, **CHANGED)),
    attention=_list(
        _record(
            layer=COUNT,
            head=COUNT,
            frame=_list(COUNT),
            pattern=_list(COUNT),
            row=_list(INTEGER),
            ties=_list(COUNT),
            margin=MARGINS,
            start=_list(COUNT),
            links=_record(query=_list(COUNT), row=_list(COUNT), ties=_list(COUNT), margin=MARGINS),
        )
    ),
    differences=_record(first={"type": ["object", "null"]}, more=FLAG, values={"type": "object"}),
    shows=_record(
        value=NAME,
        settled=NAME,
        frontier=_record(vertices=NAME, hyperedges=NAME),
        current=_list(TEXT),
        predecessor=NAME,
        through=NAME,
    ),
)


@cache
def _validator() -> Any:
    return fastjsonschema.compile(SCHEMA)


def require_trace(document: Any, path: str | Path) -> None:
    """Raise `FormatError` unless this is a trace whose parts fit each other."""
    if isinstance(document, dict) and document.get("format") == FORMAT and document.get("version") != VERSION:
        raise FormatError(
            f"{path}: this trace is of version {printable(document.get('version'))}; hyloop reads version {VERSION}. "
            "Record the run anew: hyloop trace ALGORITHM FILE -o run.html"
        )
    try:
        _validator()(document)
    except fastjsonschema.JsonSchemaException as wrong:
        what = (
            ""
            if getattr(wrong, "path", ["data"]) == ["data"]
            else f": {printable(str(wrong).replace('data', 'it', 1), 200)}"
        )
        raise FormatError(f"{path}: this is no trace{what}. `hyloop trace ... -o run.json` makes one.") from None
    wrong_part = _misfit(document)
    if wrong_part:
        raise FormatError(f"{path}: this trace does not fit together: {wrong_part}.")


def _misfit(it: Mapping[str, Any]) -> str:
    """What does not fit, in words; empty if all does."""
    h, frames, model = it["hypergraph"], it["frames"], it["model"]
    n_v, n_e, total = len(h["vertices"]), len(h["hyperedges"]), len(frames["iteration"])
    places = h["positions"]
    rules = (
        (len(h["weights"]) == len(h["members"]) == len(places["hyperedges"]) == n_e, "hyperedges"),
        (len(places["vertices"]) == n_v, "vertices"),
        (all(vertex <= n_v for members in h["members"] for vertex in members), "members"),
        (_is_positive(it["unit"]), _unreadable("unit", it["unit"])),
        (all(map(_is_positive, h["weights"])), _unreadable("weights", *h["weights"])),
        (total > 0 and total == len(frames["layer"]), "frames"),
        (len(model["columns"]) == len(it["columns"]), "columns"),
        (all(_is_column(each["column"], it) for each in it["variables"]), "variables"),
        (all(_in_step(each, total, max(n_v, n_e, 1)) for each in [*it["columns"], *it["program"]]), "changes"),
        (_purposes_fit(it), "purposes"),
        (all(_attention_fits(each) for each in it["attention"]), "attention"),
    )
    return next((what for holds, what in rules if not holds), "")


def _purposes_fit(it: Mapping[str, Any]) -> bool:
    """Whether every purpose names an operation that is there, and every operation operands that come before it."""
    ops = {(each["section"], each["op"]): each for each in it["algorithm"]["ops"]}
    before = all(operand < each["op"] for each in ops.values() for operand in each["operands"])
    layers, columns = it["model"]["layers"], it["model"]["columns"]
    heads = [head for layer in layers for head in layer["heads"]]
    named = [purpose for head in heads for part in ("query", "key") for purpose in head[part]]
    holders = [*columns, *(brought for head in heads for brought in head["value"])]
    holders += [unit for layer in layers for stage in layer["units"]["stages"] for unit in stage]
    named += [purpose for holder in holders for purpose in holder["for"]]
    return before and all((section, op) in ops for section, op, *_ in named)


def _is_column(number: object, it: Mapping[str, Any]) -> bool:
    return isinstance(number, int) and number < len(it["columns"])  # the schema takes 1.0 for an integer


def _in_step(changes: Mapping[str, Any], total: int, rows: int) -> bool:
    frame, row, value = changes["frame"], changes["row"], changes["value"]
    lines = changes.get("line")
    whole = len(frame) == len(row) == len(value) == len(lines if isinstance(lines, list) else value)
    initial = changes.get("initial")
    return (
        whole
        and frame == sorted(frame)
        and max(frame, default=0) < total
        and max(row, default=0) <= rows
        and (not isinstance(initial, list) or len(initial) == rows + 1)
    )


def _is_positive(text: str) -> bool:
    """Whether this is a number above 0 as `numbers.written` writes it, which the page can read, too."""
    try:
        return read(text) > 0
    except ValueError:
        return False


def _unreadable(what: str, *texts: str) -> str:
    """The part, with the first text that is no such number."""
    first = next((text for text in texts if not _is_positive(text)), "")
    return f"{what} ({first[:40]!r} is not a positive number such as 3, 0.25 or 1/3)"


def _attention_fits(each: Mapping[str, Any]) -> bool:
    entries = len(each["frame"])
    links = {len(part) for part in each["links"].values()}
    lists = (each["pattern"], each["row"], each["ties"], each["margin"])
    return (
        all(len(part) == entries for part in lists)
        and len(each["start"]) == entries + 1
        and each["start"] == sorted(each["start"])
        and links == {each["start"][-1]}
    )
