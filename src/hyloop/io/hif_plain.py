"""Plain records of HIF, many at once: nothing but labels, and of an edge its weight.

Nearly all records of large files are such. A run of them is found by one regular expression and taken apart by
another, at a tenth of the cost of a JSON decoder and a check for each. Whatever they do not match, escapes in strings
and all faults among them, is left to the decoder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from hyloop.hypergraph import Label

_B = r"[ \t\n\r]*+"
_TEXT = r'"([^"\\\x00-\x1f]*+)"'
_WHOLE = r"(-?(?:0|[1-9][0-9]{0,17}+)(?![0-9.eE]))"
_NUMBER = r"((?:0|[1-9][0-9]{0,17}+)(?:\.[0-9]{1,18}+)?+(?![0-9.eE]))"
# The first field of a record, and whether its label is a string.
_BEGIN = re.compile(rf'\{{{_B}"(node|edge)"{_B}:{_B}(["0-9-])')


@dataclass(frozen=True)
class Run:
    """Plain records of one shape: the fields in order, whether each label is a string, and where the run ends."""

    order: tuple[str, ...]
    texts: tuple[bool, ...]
    weighted: bool
    records: Sequence[tuple[str, ...]]
    end: int

    def column(self, place: int) -> list[str]:
        """What all records have at a place, as it is written."""
        return [record[place] for record in self.records]

    def labels(self, place: int) -> Sequence[Label]:
        """The labels at a place."""
        column = self.column(place)
        return column if self.texts[place] else list(map(int, column))


def plain_run(part: str, text: str, position: int) -> Run | None:
    """The run of plain records, each followed by a comma, that begins here; None if there is none."""
    begin = _BEGIN.match(text, position)
    if begin is None:
        return None
    for shape in _shapes(part, begin[1], begin[2] == '"'):
        run, record = _patterns(*shape)
        match = run.match(text, position)
        if match is not None and match.end() > position:
            records = record.findall(text, position, match.end())
            order, texts, weighted = shape
            rows = records if len(order) + weighted > 1 else [(each,) for each in records]
            return Run(order, texts, weighted > 0, rows, match.end())
    return None


@cache
def _shapes(part: str, first: str, is_text: bool) -> tuple[tuple[tuple[str, ...], tuple[bool, ...], int], ...]:
    """What the records of a part may look like, from their first label on: fields, kinds of labels, weights."""
    if part == "incidences":
        second = "node" if first == "edge" else "edge"
        return tuple(((first, second), (is_text, other), 0) for other in (is_text, not is_text))
    if first != part.removesuffix("s"):
        return ()
    return tuple(((first,), (is_text,), weights) for weights in ((0, 1, 2) if part == "edges" else (0,)))


@cache
def _patterns(order: tuple[str, ...], texts: tuple[bool, ...], weights: int) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of a run and of a record. An edge may have its weight once, or again among its attributes."""
    fields = [f'"{name}"{_B}:{_B}{_TEXT if is_text else _WHOLE}' for name, is_text in zip(order, texts, strict=True)]
    if weights:
        fields.append(rf'"weight"{_B}:{_B}{_NUMBER}')
    if weights > 1:
        place = len(order) + 1
        fields.append(rf'"attrs"{_B}:{_B}\{{{_B}"weight"{_B}:{_B}\{place}(?![0-9.eE]){_B}\}}')
    comma = f"{_B},{_B}"
    record = rf"\{{{_B}{comma.join(fields)}{_B}\}}{comma}"
    return re.compile(f"(?:{record})*+"), re.compile(record)
