"""How notebooks display hypergraphs, results, models and checks: a picture and a short table.

A picture is an image, so nothing in it can act; labels in tables are never markup, and what is unprintable in them is
escaped. Pictures need matplotlib, as `hyloop draw` does; without it, and for what is too large for a small picture,
there is the table alone.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from hyloop.errors import HyloopError
from hyloop.machine.words import Words
from hyloop.numbers import plural
from hyloop.result import in_cell, in_line
from hyloop.visible import visible

if TYPE_CHECKING:
    from hyloop.compare import Checked
    from hyloop.hypergraph import Hypergraph
    from hyloop.machine.layer import Layer
    from hyloop.machine.model import Model
    from hyloop.result import Result

MOST = 10  # rows of a table
FEW, LONGEST = 12, 200  # members of a cell, and letters of a label
LARGEST = 65_000  # bytes of a picture; as text it has a third more


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]], total: int) -> str:
    """A table of the first rows, and the number of those left out."""
    head = "".join(f"<th>{escape(visible(name))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in rows)
    more = f"<p>... and {total - MOST:,} more</p>" if total > MOST else ""
    above = f"<caption>{escape(visible(caption))}</caption><thead><tr>{head}</tr></thead>"
    return f"<table>{above}<tbody>{body}</tbody></table>{more}"


def image(data: bytes, kind: str, about: str) -> str:
    """A picture within the page."""
    text = base64.b64encode(data).decode()
    return f'<img src="data:image/{kind};base64,{text}" alt="{escape(visible(about))}" style="max-width: 100%">'


def _picture(h: Hypergraph, result: Result | None = None) -> str:
    """A hypergraph, with the values of a result; nothing where that is too large or cannot be drawn."""
    try:
        from hyloop.draw.small import fits, svg
    except ModuleNotFoundError:  # matplotlib is an extra
        return ""
    drawn = svg(h, result).encode() if fits(h) else b""
    about = f"{plural(len(h.vertices), 'vertex', 'vertices')} and {plural(len(h.hyperedges), 'hyperedge')}"
    return image(drawn, "svg+xml", about) if 0 < len(drawn) <= LARGEST else ""


def _cell(value: object) -> str:
    """A value as text, of a bounded length: a hyperedge may have many members, and a label many letters."""
    if isinstance(value, tuple) and len(value) > FEW:
        return f"{_cell(value[:FEW])} and {len(value) - FEW:,} more"
    return in_cell(value, lambda text: escape(_cut(visible(str(text)))))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def of_hypergraph(h: Hypergraph) -> str:
    """The hyperedges with their weights and members, in a directed one with tails and heads."""
    caption = f"{len(h.vertices):,} vertices, {len(h.hyperedges):,} hyperedges, {len(h.incidence.indices):,} incidences"
    shown = h.hyperedges[:MOST]
    sides = {"tails": h.tails_of, "heads": h.heads_of} if h.directed else {"members": h.members_of}
    weighted = zip(shown, h.weights, strict=False)
    rows = [(label, weight, *(side(label) for side in sides.values())) for label, weight in weighted]
    return _picture(h) + table(caption, ("hyperedge", "weight", *sides), rows, len(h.hyperedges))


def of_result(found: Result) -> str:
    """The outputs by vertex and by hyperedge, then those that are one value."""
    h, parts = found.hypergraph, [_picture(found.hypergraph, found)]
    doubt = f", {found.doubt}" if found.doubt else ""
    caption = f"{found.algorithm}: {plural(found.iterations, 'iteration')} ({found.backend}){doubt}"
    for what, labels, outputs in (
        ("vertex", h.vertices, found.vertices),
        ("hyperedge", h.hyperedges, found.hyperedges),
    ):
        if outputs:
            rows = zip(labels[:MOST], *(values[:MOST] for values in outputs.values()), strict=True)
            parts.append(table(caption, (what, *outputs), rows, len(labels)))
    if found.scalars or not (found.vertices or found.hyperedges):
        lines = [(name, in_line(value, found.kinds.get(name), str)) for name, value in found.scalars.items()]
        parts.append(table(caption, ("output", "value"), lines, len(lines)))
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
        (number, len(layer.heads), layer.mlp.width, _names(words, layer))
        for number, layer in enumerate(model.layers[:MOST], start=1)
    ]
    return _diagram(model) + table(caption, ("layer", "heads", "units", "implements"), rows, len(model.layers))


def _names(words: Words, layer: Layer) -> str:
    """What a layer is for, each name of the program once."""
    named = dict.fromkeys(name for part in words.parts(layer) for name in part.names)
    return ", ".join(named or layer.notes)


def _diagram(model: Model) -> str:
    """The layers of a model; as pixels, where the drawing would be too large, or not at all."""
    from hyloop.draw import draw_model, to_bytes

    try:
        figure = draw_model(model)
    except HyloopError:  # without matplotlib
        return ""
    for kind, word in (("svg", "svg+xml"), ("png", "png")):
        if len(drawn := to_bytes(figure, kind)) <= LARGEST:
            return image(drawn, word, f"the layers of {model.name}")
    return ""


def of_check(found: Checked) -> str:
    """Whether program and transformer agree, how much was compared, and the first difference."""
    colour, sign = ("#00805e", "M9 20l8 8 15-17") if found.agrees else ("#c1121f", "M10 10l20 20M30 10l-20 20")
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
        f'<circle cx="20" cy="20" r="19" fill="{colour}"/>'
        f'<path d="{sign}" fill="none" stroke="#fff" stroke-width="4"/></svg>'
    )
    caption = "transformer and program agree" if found.agrees else "transformer and program differ"
    rows = [
        ("iterations", f"{found.iterations:,}"),
        ("values compared", f"{found.compared:,}"),
        ("the loop changed a state", found.changed),
        *([] if found.difference is None else [("first difference", str(found.difference))]),
    ]
    return image(drawn.encode(), "svg+xml", caption) + table(caption, ("what", "value"), rows, len(rows))
