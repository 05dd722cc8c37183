"""Plain records of HIF, many at once: nothing but labels, and of an edge its weight.

Nearly all records of large files are such. A regular expression finds a run of records of one shape. All of them have
the same number of double quotes, and none has one inside a label: so one `split` takes them apart, at a tenth of the
cost of a JSON decoder and a check for each. Whatever does not match, escapes in strings and all faults among them, is
left to the decoder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from hyloop.hypergraph import Label

_B = r"[ \t\n\r]*+"
_TEXT = r'"[^"\\\x00-\x1f]*+"'
_WHOLE = r"-?(?:0|[1-9][0-9]{0,17}+)(?![0-9.eE])"
_NUMBER = r"((?:0|[1-9][0-9]{0,17}+)(?:\.[0-9]{1,18}+)?+(?![0-9.eE]))"
_BEGIN = re.compile(rf'\{{{_B}"(node|edge)"{_B}:{_B}(["0-9-])')
_AROUND = ":,{} \t\n\r"  # what stands around a number between two quotes
_BLANKS = str.maketrans(dict.fromkeys(_AROUND, " "))


@dataclass(frozen=True)
class Shape:
    """What the records of a run look like: their fields, which labels are strings, how often the weight is there."""

    fields: tuple[str, ...]
    texts: tuple[bool, ...]
    weights: int = 0  # 1: as a field; 2: among the attributes, too

    @property
    def quotes(self) -> int:
        """How many double quotes a record has."""
        return 2 * (len(self.fields) + sum(self.texts) + (0, 1, 3)[self.weights])

    @property
    def places(self) -> tuple[int, ...]:
        """Behind how many quotes of a record its labels stand, and its weight."""
        before = [2 * place + 2 * sum(self.texts[:place]) for place in range(len(self.fields) + 1)]
        labels = [start + (3 if text else 2) for start, text in zip(before, self.texts, strict=False)]
        return (*labels, before[-1] + 2)


@dataclass(frozen=True)
class Run:
    """Plain records of one shape, what stands between their quotes, and where the run ends in the text."""

    shape: Shape
    cells: Sequence[str]
    end: int

    def __len__(self) -> int:
        return (len(self.cells) - 1) // self.shape.quotes

    def labels(self, field: str) -> list[Label]:
        """The labels of a field."""
        place = self.shape.fields.index(field)
        found = self.cells[self.shape.places[place] :: self.shape.quotes]
        if self.shape.texts[place]:
            return list(found)
        if any(self.shape.texts):
            return [int(cell.strip(_AROUND)) for cell in found]
        return list(map(int, found))  # between blanks

    def weights(self) -> list[str]:
        """The weights, as they are written."""
        found = self.cells[self.shape.places[-1] :: self.shape.quotes]
        return [cell.strip(_AROUND) for cell in found]


def plain_run(part: str, text: str, position: int) -> Run | None:
    """The run of plain records, each followed by a comma, that begins here; None if there is none."""
    begin = _BEGIN.match(text, position)
    if begin is None:
        return None
    for shape in _shapes(part, begin[1], begin[2] == '"'):
        match = _pattern(shape).match(text, position)
        if match is not None and match.end() > position:
            run = text[position : match.end()]
            return Run(shape, (run if any(shape.texts) else run.translate(_BLANKS)).split('"'), match.end())
    return None


@cache
def _shapes(part: str, first: str, is_text: bool) -> tuple[Shape, ...]:
    """What the records of a part may look like, by the first label."""
    if part == "incidences":
        fields = first, "node" if first == "edge" else "edge"
        return tuple(Shape(fields, (is_text, other)) for other in (is_text, not is_text))
    if first != part.removesuffix("s"):
        return ()
    return tuple(Shape((first,), (is_text,), weights) for weights in ((0, 1, 2) if part == "edges" else (0,)))


@cache
def _pattern(shape: Shape) -> re.Pattern[str]:
    """The pattern of a run. A weight that is there twice is written alike."""
    labels = zip(shape.fields, shape.texts, strict=True)
    fields = [f'"{name}"{_B}:{_B}{_TEXT if is_text else _WHOLE}' for name, is_text in labels]
    if shape.weights:
        fields.append(f'"weight"{_B}:{_B}{_NUMBER}')
    if shape.weights > 1:
        fields.append(rf'"attrs"{_B}:{_B}\{{{_B}"weight"{_B}:{_B}\1(?![0-9.eE]){_B}\}}')
    comma = f"{_B},{_B}"
    return re.compile(rf"(?:\{{{_B}{comma.join(fields)}{_B}\}}{comma})*+")
