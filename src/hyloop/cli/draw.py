"""`hyloop draw`: a hypergraph, a result in it, or the layers of a model, as a picture for a paper."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hyloop.build import compile
from hyloop.cli import complete
from hyloop.cli.given import chosen, chosen_inputs, read_file, require_order, require_other
from hyloop.cli.help import OUTPUT, one_of
from hyloop.cli.options import Edited, Inputs, PathTo, Quiet, Reading, grouped
from hyloop.cli.show import complain, line, progress
from hyloop.draw import draw as draw_hypergraph
from hyloop.draw import draw_model, save, to_bytes
from hyloop.draw.library import kind_of
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Program
from hyloop.lookup import is_hypergraph_file
from hyloop.machine.model import Model
from hyloop.relabel import has_names
from hyloop.result import Result
from hyloop.running import run as run_algorithm

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Looks = Literal["auto", "regions", "bipartite"]
KINDS = ("svg", "pdf", "png")


@grouped
def draw(
    target: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The picture to write: .svg, .pdf or .png; or - with --as.",
            rich_help_panel=OUTPUT,
        ),
    ],
    algorithm: Annotated[
        str | None,
        typer.Argument(
            metavar="[ALGORITHM]",
            help="What to run, and to colour the vertices by; alone, the layers of its model are drawn.",
            autocompletion=complete.algorithms,
        ),
    ] = None,
    file: Annotated[
        str | None, typer.Argument(help="A hypergraph file, or - for standard input.", metavar="[FILE]")
    ] = None,
    *,
    path: PathTo = None,
    colour_by: Annotated[
        str | None, typer.Option("--colour-by", metavar="OUTPUT", help="The output that gives the colours.")
    ] = None,
    inputs: Inputs,
    reading: Reading,
    edited: Edited = False,
    style: Annotated[
        Looks,
        typer.Option(
            "--style",
            metavar=one_of(Looks),
            help="Hyperedges as regions, or as squares with lines.",
            rich_help_panel=OUTPUT,
        ),
    ] = "auto",
    labels: Annotated[
        bool | None,
        typer.Option(
            "--labels/--no-labels", help="Write labels (default: where there is room).", rich_help_panel=OUTPUT
        ),
    ] = None,
    numbers: Annotated[
        bool,
        typer.Option(
            "--numbers",
            help="Write labels that are numbers, also where there are attributes name.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    width: Annotated[
        float | None,
        typer.Option(metavar="INCHES", help="Of the picture; a column of a paper has 3.4.", rich_help_panel=OUTPUT),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--as", metavar=one_of(KINDS), help="The kind of picture, with -o -.", rich_help_panel=OUTPUT),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Draw the result of an algorithm in a hypergraph, a hypergraph alone, or the layers of a model.

    Examples:
      hyloop draw dijkstra FILE --source LABEL --path LABEL -o way.pdf
      hyloop draw examples/harbour.hif.json -o harbour.svg
      hyloop draw dijkstra -o dijkstra.pdf
    """
    wanted = _kind(target, kind)
    algorithm, file = _told_apart(algorithm, file, reading)
    require_other(target, file or "-", algorithm or "-")
    if file is None:
        if not _is_plain(inputs, reading, path, colour_by, labels, style) or numbers:
            raise HyloopError(
                f"The layers of a model are drawn with -o, --as, --width and --edited only; the other options are for "
                f"a hypergraph: hyloop draw {algorithm} FILE."
            )
        with progress("drawing", None, wanted=not quiet):
            _write(draw_model(_model(algorithm or "", edited=edited), width=width), target, wanted)
        _tell(target, quiet=quiet)
        return
    if algorithm is None and (inputs.texts or path is not None or colour_by is not None):
        raise HyloopError(
            "--source, --input, --path and --colour-by are for the result of an algorithm, which comes first: "
            f"hyloop draw ALGORITHM {file}"
        )
    h = read_file(file, reading)
    h = h.ignoring_direction() if reading.ignore_direction else h
    found = None if algorithm is None else _result(h, algorithm, inputs, edited=edited, quiet=quiet)
    goal = None if path is None else h.find_vertex(path)
    named = labels is not False and not numbers and has_names(h)
    with progress("drawing", None, wanted=not quiet):
        figure = draw_hypergraph(
            h, result=found, path=goal, colour_by=colour_by, style=style, labels=labels, names=named, width=width
        )
        _write(figure, target, wanted)
    _tell(target, quiet=quiet)
    if named and not quiet:
        complain("Note", "labels are numbers, so the attributes name are written; --numbers writes the numbers.")


def _told_apart(algorithm: str | None, file: str | None, reading: Reading) -> tuple[str | None, str | None]:
    """The algorithm and the file, either of which may be omitted: a single argument is recognised by its form."""
    if algorithm is None:
        raise HyloopError("Say what to draw: ALGORITHM FILE, a hypergraph FILE alone, or an ALGORITHM alone.")
    if file is None and (is_hypergraph_file(algorithm) or reading.file_format is not None):
        return None, algorithm
    require_order("draw", algorithm, file)
    return algorithm, file


def _is_plain(
    inputs: Inputs, reading: Reading, path: str | None, colour_by: str | None, labels: bool | None, style: Looks
) -> bool:
    """Whether no option was given that applies only to pictures of hypergraphs."""
    return (inputs.texts, reading, path, colour_by, labels, style) == ([], Reading(), None, None, None, "auto")


def _kind(target: str, kind: str | None) -> str:
    """The format of the picture; invalid ones are refused before anything is computed."""
    if target == "-":
        if kind not in KINDS:
            raise HyloopError("A picture for standard output needs its kind: --as svg, --as pdf or --as png.")
        return kind
    if kind is not None and kind != kind_of(target):
        raise HyloopError(f"--as {kind} and the name {target} say different things; the ending alone is enough.")
    return kind_of(target)


def _result(h: Hypergraph, algorithm: str, inputs: Inputs, *, edited: bool, quiet: bool) -> Result:
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    given = chosen_inputs(program, h, inputs)
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    with progress(f"{program.name}, at most", most, wanted=not quiet) as tell:
        return run_algorithm(which, h, progress=tell, **given)


def _model(which: str, *, edited: bool) -> Model:
    found = chosen(which, edited=edited)
    return compile(found) if isinstance(found, Program) else found


def _write(figure: Figure, target: str, kind: str) -> None:
    if target == "-":
        sys.stdout.buffer.write(to_bytes(figure, kind))
    else:
        save(figure, target)


def _tell(target: str, *, quiet: bool) -> None:
    if target != "-" and not quiet:
        line(f"Wrote {target}.")
