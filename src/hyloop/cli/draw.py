"""`hyloop draw`: a hypergraph, a result in it, or the layers of a model, as a picture for a paper."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hyloop import io
from hyloop.build import compile  # noqa: A004
from hyloop.cli.files import Format
from hyloop.cli.run import Given, Quiet, Source, chosen, chosen_inputs
from hyloop.cli.show import line, progress
from hyloop.draw import draw as draw_hypergraph
from hyloop.draw import draw_model, save, to_bytes
from hyloop.draw.library import kind_of
from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Program
from hyloop.machine.model import Model
from hyloop.result import Result
from hyloop.run import program_of
from hyloop.run import run as run_algorithm

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Looks = Literal["auto", "regions", "bipartite"]


def draw(
    target: Annotated[
        str, typer.Option("--output", "-o", metavar="PICTURE", help="The file to write: .svg, .pdf or .png; or -.")
    ],
    file: Annotated[
        str | None, typer.Argument(help="A hypergraph file, or - for standard input.", metavar="[FILE]")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="ALGORITHM", help="Draw the layers of a model, not a hypergraph.")
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option("--result", metavar="ALGORITHM", help="Run this, and colour the vertices by it.")
    ] = None,
    source: Source = None,
    given: Given = None,
    path: Annotated[str | None, typer.Option("--path", metavar="LABEL", help="Show the way to this vertex.")] = None,
    colour_by: Annotated[
        str | None, typer.Option("--colour-by", metavar="OUTPUT", help="The output that gives the colours.")
    ] = None,
    style: Annotated[Looks, typer.Option("--style", help="Hyperedges as regions, or as squares with lines.")] = "auto",
    labels: Annotated[
        bool | None, typer.Option("--labels/--no-labels", help="Write labels (default: where there is room).")
    ] = None,
    width: Annotated[float | None, typer.Option(help="Of the picture, in inches (a column of a paper: 3.4).")] = None,
    kind: Annotated[str | None, typer.Option("--as", help="With -o -: svg, pdf or png.")] = None,
    ignore_direction: Annotated[bool, typer.Option("--ignore-direction", help="Treat as undirected.")] = False,
    file_format: Format = None,
    quiet: Quiet = False,
) -> None:
    """Draw a hypergraph, a result in it, or the layers of a model.

    Example: hyloop draw examples/harbour.hif.json --result dijkstra --source Quay --path Dunes -o harbour.svg

    The layers: hyloop draw --model dijkstra -o dijkstra.pdf
    """
    wanted = _kind(target, kind)
    if (file is None) == (model is None):
        raise HyloopError("Say what to draw: a hypergraph FILE, or --model ALGORITHM.")
    if model is not None:
        of_results = (algorithm, source, given, path, colour_by, labels, file_format)
        if ignore_direction or style != "auto" or any(option is not None for option in of_results):
            raise HyloopError("--model goes with -o, --as and --width only; the other options are for a hypergraph.")
        _write(draw_model(_model(model), width=width), target, wanted)
        return
    h = io.read(file or "-", format=file_format)
    h = h.ignoring_direction() if ignore_direction else h
    found = _result(h, algorithm, _inputs(source, given), wanted=not quiet)
    goal = h.find_vertex(path) if path is not None else None
    figure = draw_hypergraph(h, result=found, path=goal, colour_by=colour_by, style=style, labels=labels, width=width)
    _write(figure, target, wanted)


def _kind(target: str, kind: str | None) -> str:
    """What kind of picture to make; told before anything is computed."""
    if target == "-":
        if kind not in {"svg", "pdf", "png"}:
            raise HyloopError("A picture for standard output needs its kind: --as svg, --as pdf or --as png.")
        return kind
    if kind is not None and kind != kind_of(target):
        raise HyloopError(f"--as {kind} and the name {target} say different things; the ending alone is enough.")
    return kind_of(target)


def _inputs(source: str | None, given: Sequence[str] | None) -> list[str]:
    return [*([f"source={source}"] if source is not None else []), *(given or [])]


def _result(h: Hypergraph, algorithm: str | None, given: Sequence[str], *, wanted: bool) -> Result | None:
    if algorithm is None:
        if given:
            raise HyloopError("--source and --input are for an algorithm: --result ALGORITHM.")
        return None
    which = chosen(algorithm)
    program = program_of(which)
    inputs = chosen_inputs(program, h, given)
    for each in program.inputs:
        if each.name not in inputs:
            option = "--source LABEL" if each.name == "source" else f"--input {each.name}=VALUE"
            raise HyloopError(f"{program.name} needs {each.name}, a {each.type.kind}: {option}")
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    with progress(f"{program.name}, at most", most, wanted=wanted) as tell:
        return run_algorithm(which, h, progress=tell, **inputs)


def _model(which: str) -> Model:
    found = chosen(which)
    return compile(found) if isinstance(found, Program) else found


def _write(figure: Figure, target: str, kind: str) -> None:
    if target == "-":
        sys.stdout.buffer.write(to_bytes(figure, kind))
        return
    save(figure, target)
    line(f"Wrote {target}.")
