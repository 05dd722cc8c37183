"""Commands about hypergraph files: what is in one, and from one format to another."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from hyloop import io
from hyloop.cli import complete
from hyloop.cli.help import INPUT, OUTPUT, one_of
from hyloop.cli.show import as_json, cell, table
from hyloop.errors import FormatError, HyloopError
from hyloop.hypergraph import Hypergraph
from hyloop.numbers import counted
from hyloop.result import Value, plain

FORMATS = one_of(each.name for each in io.FORMATS)
OTHERS = {".safetensors": "a model file", ".py": "a Python file"}


def _hush(wanted: bool) -> bool:
    if wanted:
        warnings.simplefilter("ignore")
    return wanted


# What several commands take: each has one meaning, and one help text.
File = Annotated[str, typer.Argument(help="A hypergraph file, or - for standard input.", metavar="FILE")]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar=FORMATS,
        help="The file's format, if its name does not tell.",
        autocompletion=complete.formats,
        rich_help_panel=INPUT,
    ),
]
IgnoreDirection = Annotated[
    bool,
    typer.Option("--ignore-direction", help="Take a directed file as undirected.", rich_help_panel=INPUT),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.", rich_help_panel=OUTPUT)]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        callback=_hush,
        help="No progress bar and no remarks: only results and errors.",
        rich_help_panel=OUTPUT,
    ),
]


LabelBy = Annotated[
    str | None,
    typer.Option(
        "--label-by",
        metavar="ATTRIBUTE",
        help="Call vertices and hyperedges by this attribute of the file, such as name.",
        rich_help_panel=INPUT,
    ),
]


def read_file(file: str, file_format: str | None = None, label_by: str | None = None) -> Hypergraph:
    """The hypergraph in a file of the command line; what is plainly something else is told as such."""
    for ending, what in OTHERS.items():
        if file.endswith(ending):
            raise FormatError(f"{file} is {what}, not a hypergraph file; the algorithm comes first, then FILE.")
    h = io.read(file, format=file_format)
    return h if label_by is None else h.labelled_by(label_by)


def base_name(file: str) -> str:
    """The name of a file without its folders, as text that a page can hold; standard input has none."""
    return "" if file == "-" else Path(file).name.encode(errors="replace").decode()


def require_other(target: str, *sources: str) -> None:
    """Raise before anything runs if the result would be written over what it is made from, or cannot be written."""
    if target == "-":
        return
    if not Path(target).resolve().parent.is_dir():
        raise HyloopError(f"{target} cannot be written: there is no such folder.")
    if Path(target).is_dir():
        raise HyloopError(f"{target} cannot be written: it is a folder.")
    for source in sources:
        with suppress(OSError):
            if Path(source).samefile(target):
                raise HyloopError(
                    f"{target} would be written over {source}, which it is made from; choose another name."
                )


def describe(file: File, file_format: Format = None, json: Json = False, quiet: Quiet = False) -> None:
    """What is in a hypergraph file: counts, sizes, weights.

    Examples:
      hyloop describe examples/harbour.hif.json
      hyloop describe - --format edge-list --json < my.edges
    """
    del quiet
    h = read_file(file, file_format)
    facts = _facts(h)
    if json:
        as_json({**{key: plain(value) for key, value in facts.items()}, "attributes": _attribute_names(h)})
    else:
        table(file, ("", ""), [(key.replace("_", " "), _cell(value)) for key, value in facts.items()])


def convert(
    source: File,
    target: Annotated[str, typer.Argument(help="The file to write, or - for standard output.", metavar="TARGET")],
    source_format: Annotated[
        str | None,
        typer.Option("--from", metavar=FORMATS, help="The format of FILE.", autocompletion=complete.formats),
    ] = None,
    target_format: Annotated[
        str | None,
        typer.Option("--to", metavar=FORMATS, help="The format of TARGET.", autocompletion=complete.formats),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Read a hypergraph in one format and write it in another.

    Examples:
      hyloop convert examples/harbour.hif.json harbour.csv
      hyloop convert examples/harbour.hif.json - --to edge-list
    """
    del quiet
    io.write(read_file(source, source_format), target, format=target_format)


def _cell(value: Value) -> object:
    """What hyloop counts has commas; weights are written as in the file."""
    return counted(value) if isinstance(value, int) and not isinstance(value, bool) else cell(value)


def _facts(h: Hypergraph) -> dict[str, Value]:
    sizes = [len(h.members_of(name)) for name in h.hyperedges]
    integers, unit = h.integer_weights()
    return {
        "vertices": len(h.vertices),
        "hyperedges": len(h.hyperedges),
        "incidences": sum(sizes),
        "largest_hyperedge": max(sizes, default=0),
        "empty_hyperedges": sizes.count(0),
        "isolated_vertices": sum(not h.hyperedges_of(label) for label in h.vertices),
        "least_weight": min(h.weights, default=None),
        "largest_weight": max(h.weights, default=None),
        "largest_integer_weight": max(integers, default=None),
        "unit_of_weight": unit,
        "directed": h.directed,
        "attributes": _attributes(h),
    }


def _attribute_names(h: Hypergraph) -> dict[str, list[str]]:
    """The names of attributes, for `--label-by` and for whoever wonders what is there."""
    told = h.annotations
    return {
        "vertices": list(dict.fromkeys(name for each in told.vertex_attributes.values() for name in each)),
        "hyperedges": list(dict.fromkeys(name for each in told.hyperedge_attributes.values() for name in each)),
    }


def _attributes(h: Hypergraph) -> str:
    found = _attribute_names(h).items()
    return "; ".join(f"of {what}: {', '.join(names)}" for what, names in found if names) or "none"
