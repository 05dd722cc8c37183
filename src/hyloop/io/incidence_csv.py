"""Incidence tables: a CSV file with one row per incidence, for data in spreadsheets.

    vertex,hyperedge,weight
    Quay,ferry,1/2
    Isle,ferry,
    Lighthouse,,

The weight is the hyperedge's; it may be left out, and rows that state it must agree. A row without a hyperedge
declares a vertex, and these come first in the numbering; a row without a vertex states an empty hyperedge. A label that
looks like an integer is one. Commas, semicolons or tabs separate the fields; the header determines which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from hyloop.errors import FormatError, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, label_from_text, looks_like_integer, positive_weight, shown
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.fields import (
    BYTE_ORDER_MARK,
    OTHER_LINE_ENDS,
    joined_files,
    number_from_text,
    other_line_end,
    vertices_appear_in_order,
    warn_of_loss,
)
from hyloop.io.gathering import Gathering
from hyloop.numbers import written

_COLUMNS = {"vertex": "vertex", "node": "vertex", "hyperedge": "hyperedge", "edge": "hyperedge", "weight": "weight"}
_NAMES = frozenset(_COLUMNS.values())
_EXPECTED = (
    "expected the columns vertex, hyperedge and, if there are weights, weight (node and edge are understood), "
    "separated by commas, semicolons or tabs."
)
_SEPARATORS = ",;\t"
_LINE_END = re.compile(r"\r\n|\r|\n|\Z")
_OTHER_END = re.compile(f"[{OTHER_LINE_ENDS}]")


# -- rows of fields ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """The fields of a row, the line on which it begins, and whether any field is quoted."""

    fields: list[str]
    line: int
    quoted: bool = False


@cache
def _field(separator: str) -> re.Pattern[str]:
    blank = "[ ]*+" if separator == "\t" else "[ \t]*+"
    end = rf"(?=({re.escape(separator)})|[\r\n]|\Z)"
    return re.compile(
        rf'{blank}"(?P<quoted>(?:[^"]++|"")*+)"{blank}{end}|{blank}(?!")(?P<bare>[^{separator}\r\n]*+){end}'
    )


@dataclass
class _Rows:
    """The rows of a table, one after another."""

    text: str
    separator: str
    position: int = 0
    line: int = 1

    def __iter__(self) -> Iterator[_Row]:
        while self.position < len(self.text):
            if self.text.startswith(BYTE_ORDER_MARK, self.position):
                raise FormatError(joined_files(), where=f"line {self.line}")
            end = _LINE_END.search(self.text, self.position)
            assert end is not None
            if self.text.find('"', self.position, end.start()) >= 0:
                row = self._with_quotes()
            else:
                line = self._plain(self.text[self.position : end.start()])
                row = _Row([field.strip(" \t") for field in line.split(self.separator)], self.line)
                self.position, self.line = end.end(), self.line + 1
            if row.fields != [""] or row.quoted:
                yield row

    def _with_quotes(self) -> _Row:
        """The next row; quoted fields may span several lines."""
        begun, fields, quoted = self.line, [], False
        pattern = _field(self.separator)
        while True:
            match = pattern.match(self.text, self.position)
            if match is None:
                raise FormatError(self._unreadable(), where=f"line {self.line}")
            if match["quoted"] is None:
                fields.append(self._plain(match["bare"]).strip(" \t"))
            else:
                fields.append(match["quoted"].replace('""', '"'))
                self.line += len(re.findall(r"\r\n|\r|\n", match["quoted"]))
                quoted = True
            self.position = match.end()
            if not (match[2] or match[4]):
                break
            self.position += len(self.separator)
        end = _LINE_END.match(self.text, self.position)
        self.position, self.line = end.end() if end else self.position, self.line + 1
        return _Row(fields, begun, quoted)

    def _plain(self, text: str) -> str:
        """Unquoted text; raises if it has a character that only some programs treat as a line end."""
        odd = None if text.isascii() and text.isprintable() else _OTHER_END.search(text)
        if odd:
            raise FormatError(other_line_end(odd[0]), where=f"line {self.line}")
        return text

    def _unreadable(self) -> str:
        whole = re.compile(r'[ \t]*+"(?:[^"]++|"")*+"').match(self.text, self.position)
        if whole:
            return f"after the quotes of {shown(whole[0].strip())} a separator is expected."
        return 'the double quote that begins a field here has no end (in a field in quotes, " is written "").'


# -- reading ----------------------------------------------------------------------------------------------------


@dataclass
class _Reading:
    """The content of the rows read so far."""

    columns: list[str]
    quoted: bool  # whether the header has names in quotes
    gathered: Gathering

    def row(self, row: _Row) -> None:
        """Add one row."""
        if (self.quoted or not row.quoted) and _columns(row):
            raise HypergraphError(
                "a header is repeated here; leave it out. (Labels of such names stand in quotes, in a table whose "
                "first header has none.)"
            )
        if len(row.fields) != len(self.columns):
            raise HypergraphError(f"the row has {len(row.fields)} fields, but the header has {len(self.columns)}.")
        self.gathered.record()
        said = dict(zip(self.columns, row.fields, strict=True))
        self._use(said["vertex"], said["hyperedge"], said.get("weight", "").strip())

    def _use(self, vertex: str, hyperedge: str, weight: str) -> None:
        if not hyperedge:
            if weight or not vertex:
                raise HypergraphError("the row names no hyperedge; it may then hold a vertex, and nothing else.")
            self.gathered.list_vertex(label_from_text(vertex))
            return
        label = label_from_text(hyperedge)
        number = self.gathered.hyperedges.number(label)
        if vertex:
            self.gathered.incidence(number, label_from_text(vertex))
        if weight:
            self._weight(number, label, weight)

    def _weight(self, number: int, hyperedge: Label, text: str) -> None:
        weights = self.gathered.weights
        weight = positive_weight(number_from_text(text, self.gathered.budgets.number), hyperedge)
        if weights.setdefault(number, weight) != weight:
            raise HypergraphError(
                f"the weight of hyperedge {shown(hyperedge)} is {text} here, "
                f"but {written(weights[number])} in an earlier row."
            )


def read(text: str, budgets: Budgets = BUDGETS) -> Hypergraph:
    """The hypergraph of an incidence table.

    >>> read("vertex,hyperedge\\nQuay,ferry\\nIsle,ferry\\n").members_of("ferry")
    ('Quay', 'Isle')
    """
    separator, columns = _header(text)
    rows = iter(_Rows(text, separator))
    reading = _Reading(columns, next(rows).quoted, Gathering(budgets))
    for row in rows:
        try:
            reading.row(row)
        except HypergraphError as error:
            raise FormatError(str(error), where=f"line {row.line}") from None
    return reading.gathered.hypergraph()


def _header(text: str) -> tuple[str, list[str]]:
    """The separator and the columns. No column name contains a separator, so the choice is unique."""
    for separator in _SEPARATORS:
        with suppress(FormatError):  # the quotes may be valid with another separator
            row = next(iter(_Rows(text, separator)), _Row([], 1))
            if columns := _columns(row):
                return separator, columns
    line = re.split(r"[\r\n]", text, maxsplit=1)[0]
    odd = _OTHER_END.search(line)
    raise FormatError(other_line_end(odd[0]) if odd else f"the header is {shown(line)}; {_EXPECTED}", where="line 1")


def _columns(row: _Row) -> list[str]:
    """The columns that a row names, in any order, if it is a header; else none."""
    if not row.fields or row.fields[0].strip().lower() not in _COLUMNS:  # fast path for nearly every row
        return []
    columns = [_COLUMNS.get(name.strip().lower(), "") for name in row.fields]
    found = set(columns)
    return columns if len(found) == len(columns) and {"vertex", "hyperedge"} <= found <= _NAMES else []


# -- writing ----------------------------------------------------------------------------------------------------


def write(H: Hypergraph) -> Iterator[str]:
    """The incidence table of a hypergraph, row by row. Annotations are left out, with a warning."""
    warn_of_loss(H, "incidence-csv")
    return _written(H, ",")


def write_tabs(H: Hypergraph) -> Iterator[str]:
    """The same, with tabs between the fields."""
    warn_of_loss(H, "incidence-tsv")
    return _written(H, "\t")


def _written(H: Hypergraph, separator: str) -> Iterator[str]:
    weighted = any(weight != 1 for weight in H.weights)
    columns = 3 if weighted else 2
    yield separator.join(["vertex", "hyperedge", "weight"][:columns]) + "\n"
    if not vertices_appear_in_order(H):
        for vertex in H.vertices:
            yield separator.join([_text(vertex), "", ""][:columns]) + "\n"
    incidence = H.incidence_transposed
    for number, (label, weight) in enumerate(zip(H.hyperedges, H.weights, strict=True)):
        members = [_text(H.vertices[vertex]) for vertex in incidence.row(number)]
        for member in members or [""]:
            yield separator.join([member, _text(label), written(weight)][:columns]) + "\n"


_NEEDS_QUOTES = re.compile(rf'[,;\t"\r\n{BYTE_ORDER_MARK}{OTHER_LINE_ENDS}]|^[ ]|[ ]$')


def _text(label: Label) -> str:
    if isinstance(label, int):
        return str(label)
    if label == "" or looks_like_integer(label):
        raise FormatError(
            f"The string {shown(label)} cannot be a label in an incidence table, which would read it back as "
            f"{'no label' if label == '' else 'an integer'}. The formats hif and edge-list keep it."
        )
    if "\0" in label:
        raise FormatError(f"A label with a null character, {shown(label)}, needs the format hif or edge-list.")
    quoted = _NEEDS_QUOTES.search(label) or label.strip().lower() in _COLUMNS
    return '"' + label.replace('"', '""') + '"' if quoted else label
