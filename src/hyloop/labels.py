"""Labels in JSON, one function each way: for traces, the page, `--json` and `Result.to_json`.

Many readers of JSON, browsers among them, take every number for a double, so that an integer beyond 2⁵³ - 1 would
become another one without a word. As text it would be another label: 1 is not "1". (HIF files have all integers as
numbers.) The page has the same functions: `viewer/src/labels.ts`.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Label, as_label, label_from_text, shown

SAFE = 2**53 - 1  # the largest integer such that no other number is read as the same double
INTEGER = "integer"
DIGITS = r"^-?[1-9][0-9]{15,999}$"  # of an integer that is written as an object

JsonLabel: TypeAlias = str | int | dict[str, str]


def label_in_json(label: Label) -> JsonLabel:
    """A label as JSON has it: text, a number, or `{"integer": "9007199254740993"}` for one beyond 2⁵³ - 1.

    >>> label_in_json("Quay"), label_in_json(7), label_in_json(2**53)
    ('Quay', 7, {'integer': '9007199254740992'})
    """
    return {INTEGER: str(label)} if isinstance(label, int) and abs(label) > SAFE else label


def label_from_json(value: object) -> Label:
    """The label that `label_in_json` wrote; HypergraphError for anything else.

    >>> label_from_json({"integer": "9007199254740992"})
    9007199254740992
    """
    if isinstance(value, dict):
        return _long_integer(value)
    label = as_label(value)
    if isinstance(label, int) and abs(label) > SAFE:
        raise HypergraphError(f"{shown(label)} cannot be a label here: write {{{INTEGER!r}: {str(label)!r}}} for it.")
    return label


def _long_integer(value: dict[object, object]) -> Label:
    digits = value.get(INTEGER)
    if len(value) == 1 and isinstance(digits, str) and re.fullmatch(DIGITS, digits) and not digits.endswith("\n"):
        label = label_from_text(digits)
        if isinstance(label, int) and abs(label) > SAFE:
            return label
    raise HypergraphError(f"{shown(value)} cannot be a label: labels are strings and integers.")
