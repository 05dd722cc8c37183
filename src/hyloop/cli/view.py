"""`hyloop view`: watch a run in the browser, edit the hypergraph, and run again."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from hyloop.cli import complete
from hyloop.cli.given import EXAMPLE, base_name, chosen, read_file, require_order
from hyloop.cli.help import INTERRUPTED
from hyloop.cli.options import WHICH, Edited, Inputs, Quiet, Reading, grouped
from hyloop.cli.show import line, progress
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.lookup import first_inputs, inputs_from_text
from hyloop.viewer.example import HARBOUR

if TYPE_CHECKING:
    from hyloop.viewer.server import Serving


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
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="N", help="The port to listen on; 0 is any free port.")
    ] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, open nothing.")] = False,
    quiet: Quiet = False,
) -> None:
    """Watch a run in the browser; edit the hypergraph there, and it runs again.

    The page can be reached from this machine only, with the printed address. Ctrl-C ends it (exit status 130).

    Examples:
      hyloop view
      hyloop view dijkstra examples/harbour.hif.json --source Quay
      hyloop view my_algorithm.py examples/harbour.hif.json --no-browser
    """
    require_order("view", algorithm, file)
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    original, h = _hypergraphs(file, reading)
    given = inputs_from_text(program, h, inputs.texts)
    for name, label in (first := first_inputs(program, h, given)).items():
        if not quiet:
            line(f"{name}: {label}, the first there is; the page can change it.")
    from hyloop.viewer.live import view as serve  # slow to import, and used only here

    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    with progress(f"{program.name}, at most", most, wanted=not quiet) as tell:
        serving = serve(
            which,
            h,
            given | first,
            name="" if file is None else base_name(file),
            original=original,
            port=port,
            progress=tell,
        )
    with _ended_by_signals() as interrupted, serving:
        _invite(serving, browser=not no_browser, quiet=quiet)
        serving.wait()
    if not quiet:
        line("Closed.")
    if interrupted():
        raise typer.Exit(INTERRUPTED)


def _hypergraphs(file: str | None, reading: Reading) -> tuple[Hypergraph, Hypergraph]:
    """The hypergraph of the file, and the one to show, possibly relabelled."""
    original = HARBOUR if file is None else read_file(file, Reading(reading.file_format))
    original = original.ignoring_direction() if reading.ignore_direction else original
    return original, original if reading.label_by is None else original.labelled_by(reading.label_by)


# -- begin and end --------------------------------------------------------------------------------------------------


def _invite(serving: Serving, *, browser: bool, quiet: bool) -> None:
    line(serving.address)
    if not quiet:
        line("Ctrl-C ends it.")
    if browser and _has_display():
        import webbrowser

        with suppress(webbrowser.Error, OSError):
            webbrowser.open(serving.address)


def _has_display() -> bool:
    """Whether there is a display for a browser; one in the terminal would block it."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


@contextmanager
def _ended_by_signals() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM end this block; what it gives says whether it was Ctrl-C. SIGTERM is a request to end."""
    seen: list[KeyboardInterrupt] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield lambda: bool(seen)
    except _Terminated:
        pass
    except KeyboardInterrupt as stop:
        seen.append(stop)
    finally:
        signal.signal(signal.SIGTERM, before)


class _Terminated(BaseException):
    """SIGTERM has come. A `BaseException`, so that no `except Exception` catches it."""


def _end(_number: int, _frame: object) -> NoReturn:
    raise _Terminated
