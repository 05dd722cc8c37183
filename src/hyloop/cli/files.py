"""Commands about hypergraph files: what is in one, and from one format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop import io
from hyloop.cli.show import as_json, table
from hyloop.hypergraph import Hypergraph
from hyloop.result import plain

FORMATS = ", ".join(each.name for each in io.FORMATS)

File = Annotated[str, typer.Argument(help="A hypergraph file, or - for standard input.", metavar="FILE")]
Format = Annotated[str | None, typer.Option("--format", help=f"Of the file, if its name does not tell: {FORMATS}.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def describe(file: File, file_format: Format = None, json: Json = False) -> None:
    """What is in a hypergraph file: counts, sizes, weights."""
    h = io.read(file, format=file_format)
    facts = _facts(h)
    if json:
        as_json(facts)
    else:
        table(file, ("", ""), [(key.replace("_", " "), value) for key, value in facts.items()])


def convert(
    source: File,
    target: Annotated[str, typer.Argument(help="The file to write, or - for standard output.", metavar="TARGET")],
    source_format: Annotated[str | None, typer.Option("--from", help=f"Format of FILE: {FORMATS}.")] = None,
    target_format: Annotated[str | None, typer.Option("--to", help=f"Format of TARGET: {FORMATS}.")] = None,
) -> None:
    """Read a hypergraph in one format and write it in another.

    Example: hyloop convert examples/harbour.hif.json harbour.csv
    """
    io.write(io.read(source, format=source_format), target, format=target_format)


def _facts(h: Hypergraph) -> dict[str, object]:
    sizes = [len(h.members_of(name)) for name in h.hyperedges]
    integers, unit = h.integer_weights()
    return {
        "vertices": len(h.vertices),
        "hyperedges": len(h.hyperedges),
        "incidences": sum(sizes),
        "largest_hyperedge": max(sizes, default=0),
        "empty_hyperedges": sizes.count(0),
        "isolated_vertices": sum(not h.hyperedges_of(label) for label in h.vertices),
        "least_weight": plain(min(h.weights, default=None)),
        "largest_weight": plain(max(h.weights, default=None)),
        "largest_integer_weight": max(integers, default=None),
        "unit_of_weight": plain(unit),
        "directed": h.directed,
    }
