"""`hyloop view`: write a page with a run and all algorithms in it, and open it in the browser."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from hyloop.atomic import write_out
from hyloop.cli import complete
from hyloop.cli.given import EXAMPLE, base_name, chosen, read_file, require_order, require_other
from hyloop.cli.help import OUTPUT
from hyloop.cli.options import WHICH, Edited, Inputs, Quiet, Reading, grouped
from hyloop.cli.show import complain, file_size, line, progress
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.lookup import first_inputs, inputs_from_text
from hyloop.machine.model import Model
from hyloop.relabel import NAME, names_differ

PAGE = "hyloop-view.html"


@grouped
def view(
    algorithm: Annotated[
        str, typer.Argument(metavar="[ALGORITHM]", help=WHICH, autocompletion=complete.algorithms)
    ] = EXAMPLE,
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A hypergraph file, or - for standard input; without one, an example."),
    ] = None,
    *,
    inputs: Inputs,
    reading: Reading,
    edited: Edited = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The page to write.", rich_help_panel=OUTPUT)
    ] = PAGE,
    numbers: Annotated[
        bool, typer.Option("--numbers", help="Keep labels that are numbers, also where there are attributes name.")
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Write the page, open nothing.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Watch a run in the browser; edit the hypergraph there, and it runs again.

    The page is one file that needs neither Python nor a network: all algorithms are in it, and yours.

    Examples:
      hyloop view
      hyloop view dijkstra examples/harbour.hif.json --source Quay
      hyloop view my_algorithm.py examples/harbour.hif.json -o mine.html
    """
    if not output.lower().endswith((".html", ".htm")):
        raise HyloopError(f"A page is written as .html; {output} ends otherwise.")
    require_order("view", algorithm, file)
    require_other(output, *([] if file is None else [file]), algorithm)
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    from hyloop.viewer.examples import FIRST, example  # slow to import, and used only here
    from hyloop.viewer.page import exact_in_page
    from hyloop.viewer.playground import playground

    original = example() if file is None else read_file(file, Reading(reading.file_format))
    h = original.ignoring_direction() if reading.ignore_direction else original
    # Whoever gives an input knows the labels of the file, and uses them.
    named = reading.label_by is None and not numbers and not inputs.texts and names_differ(h)
    label_by = NAME if named else reading.label_by
    h = h if label_by is None else h.labelled_by(label_by)
    if named and not quiet:
        complain("Note", "labels are numbers, so the page shows the attributes name; --numbers keeps the numbers.")
    given = inputs_from_text(program, h, inputs.texts)
    for name, label in (first := first_inputs(program, h, given)).items():
        if not quiet:
            line(f"{name}: {label}, the first there is; the page can change it.")
    if isinstance(which, Model) and not exact_in_page(which) and not quiet:
        complain("Note", "A page shows this model and cannot run it again: it must compute in float64 and be verified.")
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    title = FIRST if file is None else base_name(file)
    with progress(f"{program.name}, at most", most, wanted=not quiet) as tell:
        html = playground(which, h, given | first, name=title, original=original, progress=tell)
    write_out(output, html.encode())
    if not quiet:
        line(f"Wrote {output}: {program.name} on {title}, {file_size(Path(output).stat().st_size)}.")
    if not no_browser and _has_display():
        _open(Path(output))
    elif not quiet:
        line("Open it in a browser.")


def _open(page: Path) -> None:
    import webbrowser  # slow to import

    with suppress(webbrowser.Error, OSError):
        webbrowser.open(page.resolve().as_uri())


def _has_display() -> bool:
    """Whether there is a display for a browser; one in the terminal would block it."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
