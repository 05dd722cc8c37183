"""`hyloop view`: watch a run in the browser, edit the hypergraph, and run again."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from hyloop.algorithms import ALGORITHMS
from hyloop.cli import complete
from hyloop.cli.files import Format, IgnoreDirection, LabelBy, Quiet, base_name, read_file
from hyloop.cli.help import INPUT
from hyloop.cli.run import Edited, Given, Source, chosen, chosen_inputs, given_inputs
from hyloop.cli.show import line, progress
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph, Label
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind
from hyloop.lang.program import Input
from hyloop.machine.model import Model
from hyloop.recording import trace

if TYPE_CHECKING:
    from hyloop.viewer.asked import Point
    from hyloop.viewer.server import Make, Serving

# With more rows than this, every layer of every iteration is more than anybody waits for after an edit.
ROWS = 2000


def view(
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A hypergraph file, or - for standard input; without one, an example."),
    ] = None,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="ALGORITHM",
            help="One of ours, your own (FILE.py or FILE.py:NAME), or a model file.",
            autocompletion=complete.algorithms,
            rich_help_panel=INPUT,
        ),
    ] = "dijkstra",
    source: Source = None,
    given: Given = None,
    file_format: Format = None,
    label_by: LabelBy = None,
    ignore_direction: IgnoreDirection = False,
    edited: Edited = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="N", help="Where to listen; 0 is any port that is free.")
    ] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, open nothing.")] = False,
    quiet: Quiet = False,
) -> None:
    """Watch a run in the browser; edit the hypergraph there, and it runs again.

    Only this machine can reach the page, and only who has the address that is printed. Ctrl-C ends it.

    Examples:
      hyloop view
      hyloop view examples/harbour.hif.json --source Quay
      hyloop view examples/harbour.hif.json -a my_algorithm.py --no-browser
    """
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    original = HARBOUR if file is None else _read(file, file_format)
    original = original.ignoring_direction() if ignore_direction else original
    h = original if label_by is None else original.labelled_by(label_by)
    inputs = chosen_inputs(program, h, given_inputs(source, given))
    inputs |= _first_ones(program, h, inputs, quiet=quiet)
    known: dict[str, Algorithm | Program | Model] = {**ALGORITHMS, program.name: which}
    name = "" if file is None else base_name(file)
    with progress(f"{program.name}, at most", _most(program, h), wanted=not quiet) as tell:
        document = trace(which, h, name=name, layers=_layers(h), progress=tell, **inputs).document
    with _ended_by_signals(), _serving(document, known, name, port, (h, original)) as serving:
        _invite(serving, browser=not no_browser, quiet=quiet)
        serving.wait()
    if not quiet:
        line("Closed.")


def _serving(
    document: Mapping[str, Any],
    known: Mapping[str, Algorithm | Program | Model],
    name: str,
    port: int,
    read: tuple[Hypergraph, Hypergraph],
) -> Serving:
    """The page, and the algorithms that it can ask for."""
    from hyloop.viewer.asked import Offer
    from hyloop.viewer.kept import kept
    from hyloop.viewer.server import serve

    programs = [program_of(each) for each in known.values()]
    offers = [
        Offer(each.name, each.about.partition("\n")[0], {given.name: str(given.type.kind) for given in each.inputs})
        for each in programs
    ]
    return serve(document, _maker(known, name), algorithms=offers, file=name, port=port, whole=lambda h: kept(h, *read))


def _read(file: str, file_format: str | None) -> Hypergraph:
    if file.endswith((".py", ".safetensors")):
        raise HyloopError(f"{file} is an algorithm, not a hypergraph file: give it as --algorithm {file}")
    return read_file(file, file_format)


def _maker(known: Mapping[str, Algorithm | Program | Model], name: str) -> Make:
    """What runs an algorithm for the page."""

    def make(
        h: Hypergraph, algorithm: str, inputs: Mapping[str, Any], keep: Mapping[Label, Point]
    ) -> Mapping[str, Any]:
        return trace(known[algorithm], h, name=name, layers=_layers(h), keep=keep, **inputs).document

    return make


def _layers(h: Hypergraph) -> bool | None:
    """Whether to record every layer: not for large hypergraphs; for the others the recording decides."""
    return False if max(len(h.vertices), len(h.hyperedges)) > ROWS else None


def _most(program: Program, h: Hypergraph) -> int:
    return program.most_iterations(len(h.vertices), len(h.hyperedges))


# -- inputs that nobody gave ----------------------------------------------------------------------------------------


def _first_ones(program: Program, h: Hypergraph, inputs: Mapping[str, Any], *, quiet: bool) -> dict[str, Label]:
    """The first vertex or hyperedge for each input that was not given: a page must begin with something."""
    found = {each.name: _first(program, each, h) for each in program.inputs if each.name not in inputs}
    for name, label in found.items() if not quiet else ():
        line(f"{name}: {label}, the first there is; the page can change it.")
    return found


def _first(program: Program, each: Input, h: Hypergraph) -> Label:
    if not each.type.kind.is_pointer:
        raise HyloopError(f"{program.name} needs {each.name}, a {each.type.kind}: --input {each.name}=VALUE")
    labels = h.vertices if each.type.kind is Kind.VERTEX else h.hyperedges
    if not labels:
        raise HyloopError(f"{program.name} needs {each.name}, a {each.type.kind}, and this hypergraph has none.")
    return labels[0]


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
    """Whether a browser has somewhere to open; one in the terminal would take it from us."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Ctrl-C and SIGTERM are how this command is meant to end, so neither is an error."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


# -- the example ----------------------------------------------------------------------------------------------------

# The boats of a made-up harbour, as in examples/harbour.hif.json: each calls at several piers.
HARBOUR = Hypergraph.from_hyperedges(
    {
        "ferry": ["Quay", "Isle", "Cove"],
        "launch": ["Quay", "Mole"],
        "mail boat": ["Mole", "Isle", "Light"],
        "dinghy": ["Light", "Cove"],
        "barge": ["Cove", "Dunes", "Mill"],
        "steamer": ["Quay", "Mill"],
    },
    weights=[4, 1.5, 2, 0.5, 3, 7],
    vertices=["Quay", "Mole", "Isle", "Light", "Cove", "Dunes", "Mill", "Wreck"],
)
