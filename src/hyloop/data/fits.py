"""What a data set from elsewhere must be: its list, the metadata of its shards, and every example that is read.

A folder may come from anybody, so nothing of it is believed: sizes are within budgets before anything is made of them,
and whatever points somewhere points inside.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from os import PathLike
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISREG
from typing import Any

import numpy as np

from hyloop.errors import FormatError, HyloopError
from hyloop.hypergraph import shown
from hyloop.lang.budgets import DIGITS
from hyloop.strict import integer, integers_only, items, printable, read_at_most, record, text, validator

BYTES = 2**26  # of a list, and of the metadata of a shard
ROWS = 10**7  # vertices, hyperedges, or iterations of an example
ENTRIES = 2**25  # of all variables of an example at one time
MANY, NAME, LONG = 10**6, 1000, 10**6
SAFE = 2**63 - 1
NEEDED = frozenset({"vertices", "hyperedges", "member_at", "member", "direction", "weight", "unit"})

METADATA, PARTS = "The document of a shard (`samples.document`)", frozenset({"inputs", "outputs", "variables"})

_NAME, _COUNT = text(NAME), integer(0, SAFE)
_KINDS = {"enum": ["flag", "count", "length", "vertex", "hyperedge"]}
_PLACES = {"enum": ["graph", "vertex", "hyperedge"]}
_PART = record(
    name=_NAME,
    split=_NAME,
    sizes=items(_COUNT, MANY),
    generators=items(_NAME, MANY),
    seed=_COUNT,
    count=_COUNT,
    file=_NAME,
    digest=_NAME,
)
_COLUMN = record(name=_NAME, column=_NAME, kind=_KINDS, location=_PLACES, many={"type": "boolean"})
_VARIABLE = record(name=_NAME, role=_NAME, section=_NAME, kind=_KINDS, location=_PLACES, initial=integer(-SAFE, SAFE))
_SUMS = {
    "examples": _COUNT,
    "left_out": items(_COUNT, MANY),
    "steps": _COUNT,
    "longest": _COUNT,
    "changes": _COUNT,
    "hash": _NAME,
}
_require_shard = validator(
    record(
        format=_NAME,
        version=_COUNT,
        hyloop=_NAME,
        algorithm=record(name=_NAME, about=text(LONG), program=text(LONG)),
        part=_PART,
        first=_COUNT,
        last=_COUNT,
        limit=_COUNT,
        directed={"type": "boolean"},
        hypergraph=items({"type": "object"}, MANY),
        inputs=items(_COLUMN, MANY),
        outputs=items(_COLUMN, MANY),
        variables=items(_VARIABLE, MANY),
        **_SUMS,
    )
)
_require_list = validator(
    {
        "type": "object",
        "required": ["hyloop", "hash", "plan", "shards"],
        "properties": {
            "hyloop": _NAME,
            "hash": {"type": ["string", "null"], "maxLength": NAME},
            "plan": {
                "type": "object",
                "required": ["name", "algorithms"],
                "properties": {
                    "name": _NAME,
                    "algorithms": items(
                        {
                            "type": "object",
                            "required": ["name", "parts"],
                            "properties": {"name": _NAME, "parts": items(_PART, MANY)},
                        },
                        MANY,
                    ),
                },
            },
            "shards": items(
                {
                    "type": "object",
                    "required": ["path", "algorithm", "part", "split", *_SUMS],
                    "properties": {"path": _NAME, "algorithm": _NAME, "part": _NAME, "split": _NAME, **_SUMS},
                },
                MANY,
            ),
        },
    }
)


def folder_of(folder: object) -> Path:
    """The folder of a data set that the user gave."""
    if not isinstance(folder, str | PathLike):
        raise HyloopError(f"The folder of a data set is given by its name; given {shown(folder)}.")
    if not str(folder):
        raise HyloopError("The name of the folder is empty; give one.")
    return Path(folder)


def require_fields(given: object, what: str, names: Collection[str]) -> None:
    """Raise `HyloopError` unless this is a dictionary with these fields: `what` a function takes."""
    if not isinstance(given, Mapping) or not given.keys() >= set(names):
        raise HyloopError(f"{what} is a dictionary with {', '.join(sorted(names))}; given {shown(given)}.")


def require_regular(path: str | Path) -> None:
    """Raise OSError or ValueError where there is no file; a pipe or a device might be read for ever."""
    mode = Path(path).stat().st_mode
    if S_ISDIR(mode):
        raise ValueError("this is a folder")
    if not S_ISREG(mode):
        raise ValueError("this is a pipe or a device, and no file")


def content_of(path: Path) -> Any:
    """The JSON in a file of a data set; raises OSError or ValueError."""
    require_regular(path)
    with path.open("rb") as file:
        return parsed(read_at_most(file, BYTES))


def parsed(data: bytes) -> Any:
    """The JSON of a data set, within budgets; raises ValueError."""
    if len(data) > BYTES:
        raise ValueError(f"it has more than {BYTES:,} bytes, and no more are read")
    return integers_only(data)


def require_list(document: Mapping[str, Any], path: Path) -> None:
    """Raise `FormatError` unless the list of a data set is whole, and names files inside its folder."""
    try:
        _require_list(document)
        known = {(each["name"], part["name"]) for each in document["plan"]["algorithms"] for part in each["parts"]}
        if len({each["path"] for each in document["shards"]}) < len(document["shards"]):
            raise ValueError("a shard is listed twice")
        for each in document["shards"]:
            inside = PurePosixPath(each["path"])
            if inside.is_absolute() or ".." in inside.parts or "\\" in each["path"] or "\0" in each["path"]:
                raise ValueError(f"the shard {printable(each['path'])} is not inside the folder")
            if (each["algorithm"], each["part"]) not in known:
                raise ValueError(f"the shard {printable(each['path'])} is of no part of the plan")
    except ValueError as wrong:
        raise FormatError(f"{path} is no list of a data set: {wrong}.") from None


def require_shard(document: Any, path: str | Path) -> None:
    """Raise `FormatError` unless the metadata of a shard are whole."""
    try:
        _require_shard(document)
    except ValueError as wrong:
        raise FormatError(f"{path}: the metadata of this shard are not whole: {wrong}.") from None


def require_example(document: Mapping[str, Any], example: Mapping[str, Any], path: str | Path) -> None:
    """Raise `FormatError` unless an example fits together. Columns that were not read are not missed."""
    if wrong := _wrong(document, example):
        number = example.get("number")
        which = f"example {number}" if isinstance(number, int) else "an example"
        raise FormatError(f"{path}: {which} does not fit together: {wrong}.")


def _wrong(document: Mapping[str, Any], example: Mapping[str, Any]) -> str:
    """What does not fit; empty if all does."""
    if absent := [name for name, value in example.items() if value is None]:
        return f"{absent[0]} is missing"
    if not example.keys() >= NEEDED:
        return ""  # somebody wanted a few columns: nothing is made of them
    counts = _counts(example)
    if not all(isinstance(each, int) and 0 <= each <= ROWS for each in counts.values()):
        return f"there are {counts['vertex']} vertices and {counts['hyperedge']} hyperedges"
    return (
        _wrong_hypergraph(example, counts)
        or _wrong_columns(document, example, counts)
        or wrong_hints(document, example)
    )


def _counts(example: Mapping[str, Any]) -> dict[str, Any]:
    """How many rows each location has."""
    return {"graph": 1, "vertex": example["vertices"], "hyperedge": example["hyperedges"]}


def _wrong_hypergraph(example: Mapping[str, Any], counts: Mapping[str, int]) -> str:
    starts, member = example["member_at"], example["member"]
    if len(starts) != counts["hyperedge"] + 1 or starts[0] != 0 or starts[-1] != len(member) or _falls(starts):
        return "`member_at` does not say where the members of each hyperedge begin"
    if not _within(member, 0, counts["vertex"] - 1):
        return "a member is no vertex"
    if len(example["direction"]) != len(member) or not _within(example["direction"], -1, 1):
        return "`direction` is not -1, 0 or 1 for each member"
    if len(example["weight"]) != counts["hyperedge"] or not _within(example["weight"], 1, SAFE):
        return "`weight` is not a positive number for each hyperedge"
    unit = example["unit"]
    try:
        right = isinstance(unit, str) and len(unit) <= 2 * DIGITS and "e" not in unit.lower() and Fraction(unit) > 0
    except (ValueError, ZeroDivisionError):
        right = False
    return "" if right else "`unit` is no positive number"


def _wrong_columns(document: Mapping[str, Any], example: Mapping[str, Any], counts: Mapping[str, int]) -> str:
    """What is wrong with inputs and outputs: pointers within rows, arrays as long as their location."""
    for side in ("inputs", "outputs"):
        for each in document[side]:
            if each["column"] not in example:
                continue
            value = np.asarray(example[each["column"]])
            if value.dtype.kind not in "iu" or value.ndim != int(each["many"]):
                return f"{printable(each['column'])} is not {'an array of numbers' if each['many'] else 'a number'}"
            if each["many"] and each["location"] != "graph" and len(value) != counts[each["location"]]:
                return f"{printable(each['column'])} has {len(value)} entries"
            most = counts[each["kind"]] - 1 if each["kind"] in counts else SAFE
            if not _within(value, -1 if side == "outputs" or each["many"] else 0, most):
                return f"{printable(each['column'])} is out of range"
    return ""


def wrong_hints(document: Mapping[str, Any], example: Mapping[str, Any]) -> str:
    """What is wrong with the hints of an example; empty if nothing is."""
    if "hint_step" not in example:
        return ""
    counts = _counts(example)
    if not 0 <= example["steps"] <= min(ROWS, document["limit"]):
        return f"there are {example['steps']} steps"
    step, variable, index, value = (example[f"hint_{name}"] for name in ("step", "variable", "index", "value"))
    if not len(step) == len(variable) == len(index) == len(value):
        return "the columns of the hints are not equally long"
    if not _within(step, 1, example["steps"]) or _falls(step):
        return "`hint_step` is not in order, or beyond the steps"
    lengths = np.array([counts[each["location"]] for each in document["variables"]], np.int64)
    if int(lengths.sum()) > ENTRIES:
        return f"its variables have {int(lengths.sum()):,} entries; at most {ENTRIES:,} are read"
    inside = _within(variable, 0, len(lengths) - 1) and _within(index, 0, ROWS)
    return "" if inside and bool((index < lengths[variable]).all()) else "a hint is of no row of a variable"


def _within(values: Any, least: int, most: int) -> bool:
    array = np.asarray(values)
    return array.size == 0 or (int(array.min()) >= least and int(array.max()) <= most)


def _falls(values: Any) -> bool:
    return bool((np.diff(np.asarray(values, np.int64)) < 0).any())
