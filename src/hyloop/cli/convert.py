"""`hyloop convert`: a hypergraph from one format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop import io
from hyloop.cli import complete
from hyloop.cli.given import read_file
from hyloop.cli.options import FORMATS, File, Quiet, Reading
from hyloop.cli.show import line, progress
from hyloop.hypergraph import Hypergraph
from hyloop.numbers import plural


def convert(
    source: File,
    target: Annotated[str, typer.Argument(help="The file to write, or - for standard output.", metavar="TARGET")],
    source_format: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FORMAT", help=f"The format of FILE: {FORMATS}.", autocompletion=complete.formats
        ),
    ] = None,
    target_format: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help="The format of TARGET, one of these.", autocompletion=complete.formats
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Read a hypergraph in one format and write it in another.

    Examples:
      hyloop convert examples/harbour.hif.json harbour.csv
      hyloop convert examples/harbour.hif.json - --to edge-list
    """
    h = read_file(source, Reading(source_format))
    with progress(f"writing {target}", None, wanted=target != "-" and not quiet):
        io.write(h, target, format=target_format)
    if target != "-" and not quiet:
        line(f"Wrote {target}: {_size(h)}.")


def _size(h: Hypergraph) -> str:
    vertices, hyperedges = plural(len(h.vertices), "vertex", "vertices"), plural(len(h.hyperedges), "hyperedge")
    return f"{vertices}, {hyperedges}, {plural(len(h.incidence.indices), 'incidence')}"
