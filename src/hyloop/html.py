"""How notebooks display hypergraphs, results and models: small tables, in which labels are never markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from hyloop.machine.words import Words
from hyloop.numbers import plural
from hyloop.result import in_cell

if TYPE_CHECKING:
    from hyloop.hypergraph import Hypergraph
    from hyloop.machine.model import Model
    from hyloop.result import Result

MOST = 30  # rows of a table


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]], total: int) -> str:
    """A table of the first rows, and the number of those left out."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in rows)
    more = f"<p>... and {total - MOST:,} more</p>" if total > MOST else ""
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def _cell(value: object) -> str:
    return in_cell(value, lambda text: escape(str(text)))


def of_hypergraph(h: Hypergraph) -> str:
    """The hyperedges with their weights and members, in a directed one with tails and heads."""
    caption = f"{len(h.vertices):,} vertices, {len(h.hyperedges):,} hyperedges, {len(h.incidence.indices):,} incidences"
    shown = h.hyperedges[:MOST]
    sides = {"tails": h.tails_of, "heads": h.heads_of} if h.directed else {"members": h.members_of}
    weighted = zip(shown, h.weights, strict=False)
    rows = [(label, weight, *(side(label) for side in sides.values())) for label, weight in weighted]
    return table(caption, ("hyperedge", "weight", *sides), rows, len(h.hyperedges))


def of_result(found: Result) -> str:
    """The outputs by vertex and by hyperedge, then those that are one value."""
    h, parts = found.hypergraph, []
    doubt = f", {found.doubt}" if found.doubt else ""
    caption = f"{found.algorithm}: {plural(found.iterations, 'iteration')} ({found.backend}){doubt}"
    for what, labels, outputs in (
        ("vertex", h.vertices, found.vertices),
        ("hyperedge", h.hyperedges, found.hyperedges),
    ):
        if outputs:
            rows = zip(labels[:MOST], *(values[:MOST] for values in outputs.values()), strict=True)
            parts.append(table(caption, (what, *outputs), rows, len(labels)))
    if found.scalars or not parts:
        parts.append(table(caption, ("output", "value"), found.scalars.items(), len(found.scalars)))
    for name, stream in found.streams.items():
        entries = [(entry.about, len(entry.values)) for entry in stream.entries[:MOST]]
        parts.append(table(name, (stream.kind, "entries"), entries, len(stream.entries)))
    return "".join(parts)


def of_model(model: Model) -> str:
    """The layers, what they implement, and the capacity."""
    capacity, words = model.capacity, Words(model)
    caption = (
        f"{model.name}: {len(model.layers)} layers, {len(model.layout)} columns, {model.parameters:,} weights, "
        f"exact for {capacity.rows:,} rows and weights up to {capacity.weight:,} in {model.dtype}"
        f"{', unverified' * model.doubtful}"
    )
    rows = [
        (number, len(layer.heads), layer.mlp.width, "; ".join(words.of_layer(layer)))
        for number, layer in enumerate(model.layers, start=1)
    ]
    return table(caption, ("layer", "heads", "units", "implements"), rows, len(rows))
