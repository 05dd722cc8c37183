"""`hyloop draw`: a hypergraph, a result in it, or the layers of a model, as a picture for a paper."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hyloop.build import compile
from hyloop.cli import complete
from hyloop.cli.files import Format, IgnoreDirection, LabelBy, Quiet, read_file, require_other
from hyloop.cli.help import OUTPUT, one_of
from hyloop.cli.run import Edited, Given, Source, chosen, chosen_inputs, given_inputs, require_inputs
from hyloop.cli.show import line, progress
from hyloop.draw import draw as draw_hypergraph
from hyloop.draw import draw_model, save, to_bytes
from hyloop.draw.library import kind_of
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Program
from hyloop.machine.model import Model
from hyloop.result import Result
from hyloop.run import run as run_algorithm

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Looks = Literal["auto", "regions", "bipartite"]
KINDS = ("svg", "pdf", "png")


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
    file: Annotated[
        str | None, typer.Argument(help="A hypergraph file, or - for standard input.", metavar="[FILE]")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="ALGORITHM",
            help="Draw the layers of a model instead of a hypergraph.",
            autocompletion=complete.algorithms,
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--result",
            metavar="ALGORITHM",
            help="Run this, and colour the vertices by it.",
            autocompletion=complete.algorithms,
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option("--path", metavar="LABEL", help="Also the way to this vertex.", autocompletion=complete.labels),
    ] = None,
    colour_by: Annotated[
        str | None, typer.Option("--colour-by", metavar="OUTPUT", help="The output that gives the colours.")
    ] = None,
    source: Source = None,
    given: Given = None,
    file_format: Format = None,
    label_by: LabelBy = None,
    ignore_direction: IgnoreDirection = False,
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
    """Draw a hypergraph, a result in it, or the layers of a model.

    Examples:
      hyloop draw examples/harbour.hif.json -o harbour.svg
      hyloop draw FILE --result dijkstra --source LABEL --path LABEL -o way.pdf
      hyloop draw --model dijkstra -o dijkstra.pdf
    """
    wanted = _kind(target, kind)
    if file is None and model is None:
        raise HyloopError("Say what to draw: a hypergraph FILE, or --model ALGORITHM.")
    if file is not None and model is not None:
        raise HyloopError("A hypergraph FILE and --model ALGORITHM are two pictures: leave out one of them.")
    if model is not None:
        of_results = (algorithm, source, given, path, colour_by, labels, file_format, label_by)
        if ignore_direction or style != "auto" or any(option is not None for option in of_results):
            raise HyloopError(
                "--model goes with -o, --as, --width and --edited only; the other options are for a hypergraph."
            )
        require_other(target, model)
        _write(draw_model(_model(model, edited=edited), width=width), target, wanted, quiet=quiet)
        return
    if algorithm is None and (path is not None or colour_by is not None):
        raise HyloopError("--path and --colour-by show a result: say which algorithm to run with --result ALGORITHM.")
    require_other(target, file or "-", algorithm or "-")
    h = read_file(file or "-", file_format, label_by)
    h = h.ignoring_direction() if ignore_direction else h
    found = _result(h, algorithm, given_inputs(source, given), edited=edited, quiet=quiet)
    goal = h.find_vertex(path) if path is not None else None
    figure = draw_hypergraph(h, result=found, path=goal, colour_by=colour_by, style=style, labels=labels, width=width)
    _write(figure, target, wanted, quiet=quiet)


def _kind(target: str, kind: str | None) -> str:
    """What kind of picture to make; told before anything is computed."""
    if target == "-":
        if kind not in KINDS:
            raise HyloopError("A picture for standard output needs its kind: --as svg, --as pdf or --as png.")
        return kind
    if kind is not None and kind != kind_of(target):
        raise HyloopError(f"--as {kind} and the name {target} say different things; the ending alone is enough.")
    return kind_of(target)


def _result(h: Hypergraph, algorithm: str | None, given: Sequence[str], *, edited: bool, quiet: bool) -> Result | None:
    if algorithm is None:
        if given:
            raise HyloopError("--source and --input are for an algorithm: --result ALGORITHM.")
        return None
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    inputs = chosen_inputs(program, h, given)
    require_inputs(program, inputs, h)
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    with progress(f"{program.name}, at most", most, wanted=not quiet) as tell:
        return run_algorithm(which, h, progress=tell, **inputs)


def _model(which: str, *, edited: bool) -> Model:
    found = chosen(which, edited=edited)
    return compile(found) if isinstance(found, Program) else found


def _write(figure: Figure, target: str, kind: str, *, quiet: bool) -> None:
    if target == "-":
        sys.stdout.buffer.write(to_bytes(figure, kind))
        return
    save(figure, target)
    if not quiet:
        line(f"Wrote {target}.")
