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
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from hyloop.errors import FormatError, HypergraphError
from hyloop.hypergraph import (
    Hypergraph,
    Label,
    label_from_text,
    labels_from_texts,
    looks_like_integer,
    positive_weight,
    shown,
)
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.fields import (
    BYTE_ORDER_MARK,
    OTHER_LINE_ENDS,
    joined_files,
    number_from_text,
    other_line_end,
    vertices_appear_in_order,
    warn_of_loss,
    without_blanks,
)
from hyloop.io.gathering import Gathering
from hyloop.io.source import SourceError
from hyloop.io.window import Window
from hyloop.numbers import written

COLUMNS = {"vertex": "vertex", "node": "vertex", "hyperedge": "hyperedge", "edge": "hyperedge", "weight": "weight"}
_NAMES = frozenset(COLUMNS.values())
EXPECTED = "expected the columns vertex, hyperedge and, if there are weights, weight (node and edge are understood)"
NO_DIRECTION = "A table has no directions: a directed hypergraph is given as HIF."
_SEPARATORS = ",;\t"
_LINE_END = re.compile(r"\r\n|\r|\n|\Z")
_EMPTY = re.compile(r"(?:\r?\n)++")
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


class _CutOffError(Exception):
    """A row that ends where the window ends: it may continue."""


@dataclass
class _Rows:
    """The rows of a table, one after another, from the position of the window on."""

    window: Window
    separator: str
    line: int = 1

    def __iter__(self) -> Iterator[_Row]:
        ended = False
        while not ended or self.window.position < len(self.window.text):
            self._skip_empty()
            try:
                row = self._row(last=ended)
            except _CutOffError:
                ended = not self.window.more()
                continue
            if row.fields != [""] or row.quoted:
                yield row

    def _skip_empty(self) -> None:
        """Pass empty lines at once: a file may have millions of them."""
        empty = _EMPTY.match(self.window.text, self.window.position)
        if empty:
            self.line += empty[0].count("\n")
            self.window.position = empty.end()

    def _row(self, *, last: bool) -> _Row:
        text, position = self.window.text, self.window.position
        end = _LINE_END.search(text, position)
        assert end is not None
        if end.end() == len(text) and not last:
            raise _CutOffError
        if text.startswith(BYTE_ORDER_MARK, position):
            raise FormatError(joined_files(), where=f"line {self.line}")
        if text.find('"', position, end.start()) >= 0:
            return self._with_quotes(last=last)
        line = self._plain(text[position : end.start()])
        row = _Row([field.strip(" \t") for field in line.split(self.separator)], self.line)
        self.window.position, self.line = end.end(), self.line + 1
        return row

    def _with_quotes(self, *, last: bool) -> _Row:
        """The next row; quoted fields may span several lines."""
        text, position, line = self.window.text, self.window.position, self.line
        fields, quoted = [], False
        pattern = _field(self.separator)
        while True:
            match = pattern.match(text, position)
            if not last and (match is None or match.end() + 1 >= len(text)):
                raise _CutOffError
            if match is None:
                raise FormatError(_unreadable(text, position), where=f"line {line}")
            if match["quoted"] is None:
                fields.append(self._plain(match["bare"], line).strip(" \t"))
            else:
                fields.append(match["quoted"].replace('""', '"'))
                line += len(re.findall(r"\r\n|\r|\n", match["quoted"]))
                quoted = True
            position = match.end()
            if not (match[2] or match[4]):
                break
            position += len(self.separator)
        end = _LINE_END.match(text, position)
        row = _Row(fields, self.line, quoted)
        self.window.position, self.line = end.end() if end else position, line + 1
        return row

    def _plain(self, text: str, line: int | None = None) -> str:
        """Unquoted text; raises if it has a character that only some programs treat as a line end."""
        odd = None if text.isascii() and text.isprintable() else _OTHER_END.search(text)
        if odd:
            raise FormatError(other_line_end(odd[0]), where=f"line {line or self.line}")
        return text


def _unreadable(text: str, position: int) -> str:
    whole = re.compile(r'[ \t]*+"(?:[^"]++|"")*+"').match(text, position)
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
        self._use(said["vertex"], said["hyperedge"], without_blanks(said.get("weight", "")))

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


def read(text: str | Window, budgets: Budgets = BUDGETS) -> Hypergraph:
    """The hypergraph of an incidence table.

    >>> read("vertex,hyperedge\\nQuay,ferry\\nIsle,ferry\\n").members_of("ferry")
    ('Quay', 'Isle')
    """
    window = text if isinstance(text, Window) else Window(text)
    separator, columns = _header(window)
    rows = _Rows(window, separator)
    one_by_one = iter(rows)
    reading = _Reading(columns, next(one_by_one).quoted, Gathering(budgets))
    many = _Many(rows, reading)
    while True:
        many.take()
        row = next(one_by_one, None)
        if row is None:
            return reading.gathered.hypergraph()
        try:
            reading.row(row)
        except HypergraphError as error:
            raise FormatError(str(error), where=f"line {row.line}") from None


class _Many:
    """The fast path: runs of rows of plain ASCII fields, taken at once. All others are left to be read one by one."""

    def __init__(self, rows: _Rows, reading: _Reading) -> None:
        self._rows, self._reading = rows, reading
        columns = reading.columns
        # Where the columns are; the last place is that of an empty weight.
        self._order = [columns.index(name) if name in columns else None for name in ("vertex", "hyperedge", "weight")]
        self._patterns = {listed: _plain_rows(rows.separator, tuple(columns), listed) for listed in (False, True)}
        self._wait = 0  # rows to leave, of a run that has something wrong in it
        self._weights: dict[str, Fraction] = {}

    def take(self) -> None:
        """Take as many rows as there are."""
        if self._wait:
            self._wait -= 1
            return
        taken = True
        while taken:
            taken = any(self._take(*pattern) for pattern in self._patterns.items()) and not self._wait

    def _take(self, listed: bool, run: re.Pattern[str]) -> bool:
        """Take a run of incidences, or of rows that list vertices; False if there is none."""
        window, separator = self._rows.window, self._rows.separator
        match = run.match(window.text, window.position)
        if match is None or match.end() == window.position:
            return False
        block = match[0].replace("\r\n", "\n").replace("\n", separator)
        fields = block.split(separator)
        fields.pop()  # behind the last line end
        width = len(self._reading.columns)
        vertices, hyperedges, weights = (None if place is None else fields[place::width] for place in self._order)
        count = len(fields) // width
        try:
            if not self._reading.gathered.has_room(count, count):
                raise HypergraphError("too many")
            self._use(vertices or [], None if listed else hyperedges, weights)
        except HypergraphError:  # one by one, they tell the line
            self._wait = count
            return False
        self._reading.gathered.record(count)
        window.position, self._rows.line = match.end(), self._rows.line + count
        return True

    def _use(self, vertices: list[str], hyperedges: list[str] | None, weights: list[str] | None) -> None:
        gathered, labels = self._reading.gathered, labels_from_texts(vertices)
        if hyperedges is None:
            gathered.list_vertices(labels)
            return
        distinct = list(dict.fromkeys(hyperedges))
        numbers = dict(zip(distinct, gathered.hyperedges.number_all(labels_from_texts(distinct)), strict=True))
        for hyperedge, weight in dict.fromkeys(zip(hyperedges, weights, strict=True)) if weights else ():
            if weight:
                self._weight(numbers[hyperedge], hyperedge, weight)
        gathered.incidences(map(numbers.__getitem__, hyperedges), labels)

    def _weight(self, number: int, hyperedge: str, text: str) -> None:
        known = self._weights.get(text)
        if known is None:
            limit = self._reading.gathered.budgets.number
            known = self._weights[text] = positive_weight(number_from_text(text, limit), label_from_text(hyperedge))
        before = self._reading.gathered.weights.setdefault(number, known)
        if before is not known and before != known:
            raise HypergraphError("two weights")


@cache
def _plain_rows(separator: str, columns: tuple[str, ...], listed: bool) -> re.Pattern[str]:
    """The pattern of a run of rows of ASCII fields: a vertex alone, or vertex, hyperedge and perhaps a weight."""
    letter = {",": r"[!#-+\--~]", ";": "[!#-:<-~]", "\t": "[!#-~]"}[separator]
    field = f"{letter}++(?:[ ]++{letter}++)*+"
    filled = {"vertex": field, "hyperedge": "" if listed else field, "weight": "" if listed else f"(?:{field})?+"}
    header = f"(?!(?i:{'|'.join(COLUMNS)})[ ]*{separator})"
    return re.compile(f"(?:{header}{separator.join(filled[name] for name in columns)}\r?\n)*+")


def _header(window: Window) -> tuple[str, list[str]]:
    """The separator and the columns. No column name contains a separator, so the choice is unique."""
    window.held = True  # a blank line before the header may be none with another separator, and it counts as a line
    for separator in _SEPARATORS:
        try:
            row = next(iter(_Rows(window, separator)), _Row([], 1))
        except SourceError:  # the file itself, such as one that is cut off
            raise
        except FormatError:  # the quotes may be valid with another separator
            row = _Row([], 1)
        window.position = 0
        if columns := _columns(row):
            window.held = False
            return separator, columns
    line = re.split(r"[\r\n]", window.text, maxsplit=1)[0]
    odd = _OTHER_END.search(line)
    expected = f"{EXPECTED}, separated by commas, semicolons or tabs. {NO_DIRECTION}"
    raise FormatError(other_line_end(odd[0]) if odd else f"the header is {shown(line)}; {expected}", where="line 1")


def _columns(row: _Row) -> list[str]:
    """The columns that a row names, in any order, if it is a header; else none."""
    if not row.fields or row.fields[0].strip().lower() not in COLUMNS:  # fast path for nearly every row
        return []
    columns = [COLUMNS.get(name.strip().lower(), "") for name in row.fields]
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
    text = label_text(label)
    quoted = isinstance(label, str) and (_NEEDS_QUOTES.search(label) or label.strip().lower() in COLUMNS)
    return '"' + text.replace('"', '""') + '"' if quoted else text


def label_text(label: Label) -> str:
    """A label as an incidence table has it; raises for one that it would read back as another."""
    if isinstance(label, int):
        return str(label)
    if label == "" or looks_like_integer(label):
        raise FormatError(
            f"The string {shown(label)} cannot be a label in an incidence table, which would read it back as "
            f"{'no label' if label == '' else 'an integer'}. The formats hif and edge-list keep it."
        )
    if "\0" in label:
        raise FormatError(f"A label with a null character, {shown(label)}, needs the format hif or edge-list.")
    return label
