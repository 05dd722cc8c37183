"""Incidence tables: a CSV file with one row for each incidence, for people whose data live in spreadsheets.

    vertex,hyperedge,weight
    Quay,ferry,1/2
    Isle,ferry,
    Lighthouse,,

The weight is the hyperedge's; it may be left out, and rows that state it must agree. A row without a hyperedge
states a vertex, a row without a vertex an empty hyperedge. A label that looks like an integer is one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from hyloop.errors import FormatError, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, as_label, label_from_text, positive_weight, shown
from hyloop.io.fields import number_from_text, vertices_appear_in_order, warn_of_loss
from hyloop.numbers import written

_COLUMNS = {"vertex": "vertex", "node": "vertex", "hyperedge": "hyperedge", "edge": "hyperedge", "weight": "weight"}
_EXPECTED = "expected the columns vertex, hyperedge and, if there are weights, weight (node and edge are understood)."


@dataclass
class _Reading:
    """What the rows read so far have said."""

    vertices: dict[Label, None] = field(default_factory=dict)
    members: dict[Label, list[Label]] = field(default_factory=dict)
    weights: dict[Label, Fraction] = field(default_factory=dict)

    def row(self, vertex: str, hyperedge: str, weight: str = "") -> None:
        """Use the fields of one row."""
        if not hyperedge and (weight or not vertex):
            raise HypergraphError("the row names no hyperedge; it may then hold a vertex, and nothing else.")
        members = self.members.setdefault(_label(hyperedge), []) if hyperedge else []
        if vertex:
            members.append(_label(vertex))
            self.vertices.setdefault(members[-1])
        if weight:
            self._weight(_label(hyperedge), weight.strip())

    def _weight(self, hyperedge: Label, text: str) -> None:
        weight = positive_weight(number_from_text(text), hyperedge)
        if self.weights.setdefault(hyperedge, weight) != weight:
            raise HypergraphError(
                f"the weight of hyperedge {shown(hyperedge)} is {text} here, "
                f"but {shown(self.weights[hyperedge])} in an earlier row."
            )


def read(text: str) -> Hypergraph:
    """The hypergraph of an incidence table.

    >>> read("vertex,hyperedge\\nQuay,ferry\\nIsle,ferry\\n").members_of("ferry")
    ('Quay', 'Isle')
    """
    rows = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    reading = _Reading()
    try:
        columns = _columns(next(rows, []))
        for row in rows:
            if row:
                reading.row(**_fields(columns, row))
    except (HypergraphError, csv.Error) as error:
        raise FormatError(str(error), where=f"line {rows.line_num}") from None
    return Hypergraph.from_hyperedges(reading.members, reading.weights, reading.vertices)


def _columns(header: list[str]) -> list[str]:
    given = [name.strip().lower() for name in header]
    columns = [_COLUMNS.get(name, "") for name in given]
    if "" in columns or len(set(columns)) < len(columns) or not {"vertex", "hyperedge"} <= set(columns):
        raise HypergraphError(f"the header is {shown(','.join(header))}; {_EXPECTED}")
    return columns


def _fields(columns: list[str], row: list[str]) -> dict[str, str]:
    if len(row) != len(columns):
        raise HypergraphError(f"the row has {len(row)} fields, but the header has {len(columns)}.")
    return dict(zip(columns, row, strict=True))


def _label(text: str) -> Label:
    return as_label(label_from_text(text))


def write(H: Hypergraph) -> Iterator[str]:
    """The incidence table of a hypergraph, row by row. Annotations are left out, with a warning."""
    warn_of_loss(H, "incidence-csv")
    weighted = any(weight != 1 for weight in H.weights)
    yield "vertex,hyperedge,weight\n" if weighted else "vertex,hyperedge\n"
    if not vertices_appear_in_order(H):
        for vertex in H.vertices:
            yield _row(_field(vertex), "", "", weighted)
    incidence = H.incidence_transposed
    for number, (label, weight) in enumerate(zip(H.hyperedges, H.weights, strict=True)):
        members = [_field(H.vertices[vertex]) for vertex in incidence.row(number)]
        for member in members or [""]:
            yield _row(member, _field(label), written(weight), weighted)


def _row(vertex: str, hyperedge: str, weight: str, weighted: bool) -> str:
    return ",".join((vertex, hyperedge, weight) if weighted else (vertex, hyperedge)) + "\n"


def _field(label: Label) -> str:
    if isinstance(label, int):
        return str(label)
    if label == "" or isinstance(label_from_text(label), int):
        raise FormatError(
            f"The string {shown(label)} cannot be a label in an incidence table, which would read it back as "
            f"{'no label' if label == '' else 'an integer'}. The formats hif and edge-list keep it."
        )
    needs_quotes = label[0] == " " or any(character in label for character in ',"\r\n')
    return '"' + label.replace('"', '""') + '"' if needs_quotes else label
