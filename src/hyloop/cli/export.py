"""`hyloop export`: a model for other programs, as one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from hyloop.cli.given import model_for, require_algorithm, require_other
from hyloop.cli.help import OUTPUT, one_of
from hyloop.cli.options import Building, Inputs, Quiet, Which, grouped
from hyloop.cli.show import file_size, line, progress
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.export import to_onnx, to_pt2
from hyloop.lookup import MODEL, first_inputs, inputs_from_text
from hyloop.machine.model import Model


@dataclass(frozen=True)
class Format:
    """A format: the extensions of its files, what writes one, and what the file is."""

    endings: tuple[str, ...]
    write: Callable[[Model, str, Mapping[str, Any]], None]
    about: str


@grouped
def export(
    algorithm: Which,
    target: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write: .onnx, .pt2 (PyTorch) or .html (a page).",
            rich_help_panel=OUTPUT,
        ),
    ],
    *,
    kind: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar=one_of(("onnx", "torch", "page")),
            help="What to write, if the file's name does not say it.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    inputs: Inputs,
    building: Building,
    quiet: Quiet = False,
) -> None:
    """Export a model: an ONNX file, a program for PyTorch, or a page that runs it.

    ONNX has the loop and the halting inside; PyTorch gets one iteration (torch.export). Neither needs hyloop to run.
    The page runs the transformer in a browser, on the example harbour; --source and --input are for its first run.

    Examples:
      hyloop export dijkstra -o dijkstra.onnx
      hyloop export dijkstra.safetensors -o dijkstra.pt2
      hyloop export my_algorithm.py -o mine.html
    """
    require_algorithm("export", algorithm)
    wanted = FORMATS[_kind(target, kind)]
    require_other(target, algorithm)
    if inputs.texts and wanted.write is not _page:
        raise HyloopError("--source and --input are for the first run of a page; a model has none of them inside.")
    model = model_for(algorithm, building, quiet=quiet)
    with progress(f"exporting {model.name}", None, wanted=not quiet):
        wanted.write(model, target, _inputs(model, inputs) if wanted.write is _page else {})
    if not quiet:
        line(f"Wrote {target}: {model.name}, {wanted.about}, {file_size(Path(target).stat().st_size)}.")


def _kind(target: str, kind: str | None) -> str:
    """The format, from the option or from the name of the file."""
    if kind is not None:
        if kind not in FORMATS:
            raise HyloopError(f"There is no format {kind!r}: {', '.join(FORMATS)}.")
        return kind
    for name, each in FORMATS.items():
        if target.lower().endswith(each.endings):
            return name
    endings = ", ".join(ending for each in FORMATS.values() for ending in each.endings)
    if target.endswith(MODEL):
        raise HyloopError(
            f"{target} is the name of a model file, which hyloop compile writes; an export has {endings}."
        )
    raise HyloopError(f"{target} has none of the endings of an export: {endings}. Or say which it is: --to onnx.")


# -- the formats ----------------------------------------------------------------------------------------------------


def _onnx(model: Model, target: str, _inputs: Mapping[str, Any]) -> None:
    to_onnx(model, target)


def _torch(model: Model, target: str, _inputs: Mapping[str, Any]) -> None:
    to_pt2(model, target)


def _page(model: Model, target: str, inputs: Mapping[str, Any]) -> None:
    """A run on the example, with the model inside: the page runs what is edited there."""
    from hyloop.atomic import write_out
    from hyloop.recording import record_run
    from hyloop.viewer.examples import example
    from hyloop.viewer.page import runs_in_page

    recorded = record_run(model, example(), inputs)
    if not runs_in_page(model, recorded.document):
        raise HyloopError(
            f"A page cannot run this model of {model.name}: it runs those in float64 that were compiled or proved "
            f"here. A recorded run of any model: hyloop trace MODEL FILE -o {target}"
        )
    write_out(target, recorded.page().encode())


def _inputs(model: Model, inputs: Inputs) -> dict[str, Any]:
    """The inputs of the first run: those given, else the first vertex or hyperedge of the example."""
    from hyloop.viewer.examples import FIRST, example

    program = program_of(model)
    h = example()
    try:
        given = inputs_from_text(program, h, inputs.texts)
        return given | first_inputs(program, h, given)
    except HyloopError as wrong:
        raise HyloopError(
            f"{wrong}\nThe page begins with a run on the example {FIRST}; --source and --input are for that run."
        ) from wrong


FORMATS: Mapping[str, Format] = {
    "onnx": Format((".onnx",), _onnx, "with its loop, for ONNX"),
    "torch": Format((".pt2",), _torch, "one iteration, for PyTorch"),
    "page": Format((".html", ".htm"), _page, "a page that runs it, with the example harbour"),
}
