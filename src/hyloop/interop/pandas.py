"""pandas: a table of incidences, and tables of the attributes of vertices and hyperedges.

    vertex  hyperedge  weight
    Quay    ferry         0.5
    Isle    ferry         0.5

The weight is the hyperedge's, and rows that state it must agree. A row without a hyperedge declares a vertex, a row
without a vertex an empty hyperedge. The columns direction (head or tail) and incidence_weight belong to the incidence;
further columns are its attributes. In the two other tables each row has a label, in the column vertex (node) or
hyperedge (edge) or else in the index, and the other columns are attributes, of which weight is the weight. An index of
such a name has the labels, whatever the columns. An empty cell (None, NaN, NA) is ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Direction, Hypergraph, IncidenceRecord, Label, positive_weight, series_entries, shown
from hyloop.interop.common import (
    Foreign,
    Library,
    ObjectReader,
    ObjectWriter,
    Said,
    direction_in,
    holds_exactly,
    is_missing,
    number_for,
)

KIND = Library("pandas", "pandas", ("DataFrame",), "pandas", "a pandas DataFrame with a row for each incidence")
_RELABEL = (
    "In pandas, integers beside an empty cell become floats; astype('Int64') keeps them integers, "
    "and astype(str) makes strings of any labels."
)
_MANY = {"vertex": "vertices", "hyperedge": "hyperedges"}
_NAMES = {"vertex": ("vertex", "node"), "hyperedge": ("hyperedge", "edge")}
_DIRECTION, _INCIDENCE_WEIGHT = "direction", "incidence_weight"


class Tables(NamedTuple):
    """A hypergraph as three tables; `from_pandas` reads them back."""

    incidences: Foreign
    vertices: Foreign
    hyperedges: Foreign


# -- reading ----------------------------------------------------------------------------------------------------


def from_pandas(
    incidences: Foreign,
    vertices: Foreign = None,
    hyperedges: Foreign = None,
    *,
    vertex: str | None = None,
    hyperedge: str | None = None,
    weight: str | None = "weight",
) -> Hypergraph:
    """The hypergraph of a table of incidences and, where given, tables of attributes, whose labels come first.

    `vertex`, `hyperedge` and `weight` are the names of the columns, in all tables: by default vertex or node, hyperedge
    or edge, and weight, which may be missing. With weight=None every weight is 1. The tables of attributes may have
    their labels in the index instead. What `to_pandas` makes has all three; those that are given replace its own.
    """
    if isinstance(incidences, Tables):
        said = (None, vertices, hyperedges)
        incidences, vertices, hyperedges = (
            own if other is None else other for own, other in zip(incidences, said, strict=True)
        )
    _require_tables(incidences, vertices, hyperedges)
    reading = ObjectReader(KIND, _RELABEL, weight)
    columns = {"vertex": vertex, "hyperedge": hyperedge}
    names = {what: _column(incidences, what, given) for what, given in columns.items()}
    for label, attributes in _labelled(vertices, "vertex", vertex, incidences[names["vertex"]]):
        if reading.label(label) in reading.vertices:
            raise HypergraphError(f"There are two rows of vertex {shown(label)}; each label may occur once.")
        reading.vertex(label, attributes)
    for label, attributes in _labelled(hyperedges, "hyperedge", hyperedge, incidences[names["hyperedge"]]):
        reading.hyperedge(label, attributes)
    in_other = hyperedges is not None and weight in hyperedges.columns
    if weight not in {None, "weight"} and weight not in incidences.columns and not in_other:
        raise HypergraphError(f"The table has no column {shown(weight)}; its columns are {_listed(incidences)}.")
    directed = False
    for number, row in enumerate(_rows(incidences)):
        try:
            directed |= _take(reading, row, names["vertex"], names["hyperedge"], weight)
        except HypergraphError as error:
            raise HypergraphError(f"Row {number} of the table: {error}") from None
    reading.network_type = "directed" if directed else None
    return reading.hypergraph()


def _require_tables(*tables: Foreign) -> None:
    for table in tables:
        if table is None:
            continue
        KIND.require(table)
        if table.columns.nlevels > 1:
            raise HypergraphError(
                f"The table has {table.columns.nlevels} rows of column names, and each column needs one name: "
                "table.columns = [...] gives them, or table.columns = table.columns.get_level_values(-1)."
            )
        twice = [name for name, count in Counter(table.columns).items() if count > 1]
        if twice:
            raise HypergraphError(f"The table has two columns {shown(twice[0])}; each name may occur once.")


def _column(table: Foreign, what: str, given: str | None) -> object:
    known = [given] if given is not None else [name for name in _NAMES[what] if name in table.columns]
    if len(known) == 1 and known[0] in table.columns:
        return known[0]
    wanted = " or ".join(_NAMES[what]) if given is None else shown(given)
    raise HypergraphError(
        f"Expected one column {wanted} in the table, whose columns are {_listed(table)}. "
        "from_pandas(table, vertex=..., hyperedge=...) takes the names of the columns."
    )


def _listed(table: Foreign) -> str:
    return ", ".join(map(shown, list(table.columns)[:10])) or "none"


def _rows(table: Foreign) -> Iterator[dict[object, object]]:
    """The rows without their empty cells; numbers have the column's dtype, since a float32 prints another decimal."""
    names = list(table.columns)
    columns = [series_entries(table.iloc[:, place]) for place in range(len(names))]
    for place in range(len(table)):
        cells = ((name, column[place]) for name, column in zip(names, columns, strict=True))
        yield {name: value for name, value in cells if not is_missing(value)}


def _labelled(table: Foreign, what: str, given: str | None, used: Foreign) -> Iterator[tuple[object, Said]]:
    """The rows of a table of attributes, with their labels; `used` are the labels in the table of incidences."""
    if table is None:
        return
    names = _NAMES[what] if given is None else (given,)
    if table.index.name not in names and any(name in table.columns for name in names):
        column = _column(table, what, given)
        if table.index.dtype.kind not in "iu":
            raise HypergraphError(
                f"The labels in the table of {_MANY[what]} may be its index or its column {shown(column)}: name the "
                f"index {shown(names[0])}, or reset_index(drop=True)."
            )
        yield from ((row.pop(column, None), row) for row in _rows(table))
        return
    _require_labels(table, what, names, used)
    yield from zip(table.index, _rows(table), strict=True)


def _require_labels(table: Foreign, what: str, names: tuple[str, ...], used: Foreign) -> None:
    """Refuse the numbers that pandas gives to rows as labels, unless all labels that are used are such numbers."""
    if type(table.index).__name__ != "RangeIndex" or table.index.name is not None or not len(table):
        return
    found = used.dropna().isin(table.index)
    chosen = (table.index.start, table.index.step) != (0, 1)  # by the user: then some of the labels will do
    if found.empty or found.all() or (chosen and found.any()):
        return
    of = "none" if not found.any() else "only some"
    raise HypergraphError(
        f"The table of {_MANY[what]} has no column {' or '.join(names)}, and the numbers of its rows are labels of "
        f"{of} in the table of incidences; its columns are {_listed(table)}. set_index(...) makes a column the labels, "
        f"and table.index.name = {shown(names[0])} says that these numbers are labels."
    )


def _take(
    reading: ObjectReader, row: dict[object, object], vertex: object, hyperedge: object, weight: str | None
) -> bool:
    """Add one row; returns whether it has a direction."""
    stated = row.pop(weight or "weight", None)
    stated = None if weight is None else stated
    member, container = row.pop(vertex, None), row.pop(hyperedge, None)
    if container is None:
        if member is None or stated is not None or row:
            raise HypergraphError("it names no hyperedge; it may then hold a vertex, and nothing else.")
        reading.vertex(member)
        return False
    label = reading.label(container)
    label = label if label in reading.members else reading.hyperedge(label)
    if stated is not None:
        _state_weight(reading, label, stated)
    direction = _direction(row.pop(_DIRECTION, None))
    if _INCIDENCE_WEIGHT in row:
        own = {"weight": row.pop(_INCIDENCE_WEIGHT)}
        row = reading.joined(own, row, f"vertex {shown(member)} in hyperedge {shown(label)}")
    if member is not None:
        reading.incidence(label, member, row, direction)
    elif row or direction:
        raise HypergraphError("it names no vertex; it may then hold a hyperedge and its weight, and nothing else.")
    return direction is not None


def _state_weight(reading: ObjectReader, label: Label, stated: object) -> None:
    weight = positive_weight(stated, label)
    known = reading.weights.setdefault(label, weight)
    if known != weight:
        raise HypergraphError(
            f"the weight of hyperedge {shown(label)} is {shown(weight)} here and {shown(known)} elsewhere."
        )


def _direction(given: object) -> Direction | None:
    direction = direction_in(given)
    if given is None or direction is not None:
        return direction
    raise HypergraphError(f"the direction is {shown(given)}; it must be head or tail.")


# -- writing ----------------------------------------------------------------------------------------------------


def to_pandas(H: Hypergraph) -> Tables:
    """Three tables: `incidences`, which is enough without attributes, `vertices` and `hyperedges`.

    Weights are floats or integers where those are exact, else Fractions. Metadata and null attributes are lost, with a
    warning.
    """
    pandas = KIND.imported("pandas")
    writing = ObjectWriter(H, KIND)
    writing.leaves_behind("the metadata", "the network type asc")
    if H.annotations.network_type == "directed" and not any(
        record.direction for records in H.annotations.incidences.values() for record in records
    ):
        writing.lost["that a hypergraph without any direction is directed"] = None
    tables = Tables(
        _incidences(pandas, writing),
        _attributes(pandas, writing, "vertex", H.vertices, [writing.vertex(label) for label in H.vertices]),
        _attributes(pandas, writing, "hyperedge", H.hyperedges, [attributes for _, attributes in writing.hyperedges()]),
    )
    writing.warn()
    return tables


def _incidences(pandas: Foreign, writing: ObjectWriter) -> Foreign:
    H = writing.H
    rows: list[dict[str, object]] = []
    for hyperedge, weight in zip(H.hyperedges, H.weights, strict=True):
        own = {"hyperedge": hyperedge, **({"weight": number_for(weight)} if writing.weighted else {})}
        members = H.members_of(hyperedge)
        rows += [
            {"vertex": vertex, **own, **_said(writing, record)}
            for vertex in members
            for record in H.annotations.incidences.get((hyperedge, vertex), (IncidenceRecord(),))
        ]
        rows += [] if members else [{"vertex": None, **own}]
    rows += [{"vertex": vertex} for number, vertex in enumerate(H.vertices) if not len(H.incidence.row(number))]
    first = ["vertex", "hyperedge", *(["weight"] if writing.weighted else [])]
    return _frame(pandas, rows, first)


def _said(writing: ObjectWriter, record: IncidenceRecord) -> dict[str, object]:
    kept = dict(record.attributes)
    for name in ("vertex", "hyperedge", "node", "edge", "weight", _DIRECTION, _INCIDENCE_WEIGHT):
        if name in kept:
            del kept[name]
            writing.lost[f"attributes of incidences that are called {shown(name)}"] = None
    said = writing.incidence(IncidenceRecord(attributes=kept))
    _note_nulls(writing, said)
    if record.weight is not None:
        said[_INCIDENCE_WEIGHT] = number_for(record.weight)
    return {**said, **({} if record.direction is None else {_DIRECTION: record.direction})}


def _note_nulls(writing: ObjectWriter, attributes: Mapping[str, object]) -> None:
    if any(value is None for value in attributes.values()):
        writing.lost["attributes that are null"] = None


def _attributes(
    pandas: Foreign, writing: ObjectWriter, what: str, labels: Iterable[Label], rows: list[dict[str, object]]
) -> Foreign:
    for row in rows:
        _note_nulls(writing, row)
    table = _frame(pandas, rows, [])
    table.index = pandas.Index(list(labels), dtype=object, name=what)
    return table


def _frame(pandas: Foreign, rows: list[dict[str, object]], first: list[str]) -> Foreign:
    names = list(dict.fromkeys([*first, *(name for row in rows for name in row)]))
    columns = {name: _series(pandas, [row.get(name) for row in rows]) for name in names}
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(rows)), columns=pandas.Index(names, dtype=object))


def _series(pandas: Foreign, values: list[object]) -> Foreign:
    """A column; pandas may choose its dtype only if that cannot round anything."""
    safe = all(type(value) is str for value in values) or holds_exactly(values)
    return pandas.Series(values) if values and safe else pandas.Series(values, dtype=object)
