"""The command `hyloop`. Tables and progress for people, `--json` for programs. `EXIT_CODES` lists the exit status."""

from __future__ import annotations

import errno
import os
import signal
import sys
import warnings
from contextlib import suppress
from io import BufferedWriter, RawIOBase, TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from hyloop._version import __version__
from hyloop.cli.help import DEFECT, INTERRUPTED, MISTAKE
from hyloop.cli.late import Late, late_group
from hyloop.cli.show import complain
from hyloop.errors import HyloopError, HyloopWarning

# The exit status and its meaning: for the help, and for the reference in the documentation.
EXIT_CODES = {
    0: "success; everything checked or proved holds",
    1: "a check or a recording found a difference, or a proof failed",
    MISTAKE: "wrong arguments or input; the error is a sentence on stderr",
    DEFECT: "a defect of hyloop, or of a library, told with a traceback",
    INTERRUPTED: "interrupted (Ctrl-C)",
}
EPILOG = "\n".join(["Exit status:", *(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items())])

# The commands by part of the help. Each stands in the module of its name, and is imported when it is called.
COMMANDS = {
    "Run and watch": {
        "run": Late("run", "run", "Run an algorithm on a hypergraph file."),
        "trace": Late(
            "trace", "trace", "Record a run: a page to watch it in (.html), or the document for programs (.json)."
        ),
        "view": Late("view", "view", "Watch a run in the browser; edit the hypergraph there, and it runs again."),
        "draw": Late(
            "draw",
            "draw",
            "Draw the result of an algorithm in a hypergraph, a hypergraph alone, or the layers of a model.",
        ),
        "devices": Late(
            "devices",
            "devices",
            "Show what there is to run on: the CPU's engine, a GPU, PyTorch; and why something cannot be used.",
        ),
    },
    "Write your own": {
        "algorithms": Late("algorithms", "algorithms", "List the shipped algorithms."),
        "new": Late("new", "new", "Write a small algorithm to start from. It runs as it is."),
        "program": Late(
            "program",
            "program",
            "Print the program that an algorithm was traced into: its operations, typed, with their places "
            "in the source.",
        ),
        "compile": Late(
            "compile",
            "compile_command",
            "Compile an algorithm into a model file (safetensors): the weights of a looped transformer.",
        ),
        "info": Late(
            "info", "info", "Show the structure of a compiled model: layers, heads, columns, units, capacity."
        ),
        "export": Late(
            "export", "export", "Export a model: an ONNX file, a program for PyTorch, or a page that runs it."
        ),
    },
    "Check": {
        "check": Late("check", "check", "Run program and transformer side by side, and compare every value, exactly."),
        "prove": Late(
            "prove",
            "prove",
            "Prove with an SMT solver that a model does what its program says, for every hypergraph within "
            "its capacity.",
        ),
        "paper": Late("paper", "app", "The paper's lemmas, algorithms and limits, as printed and corrected."),
    },
    "Data sets": {
        "data": Late("data", "app", "Data sets for learning: hypergraphs, inputs, outputs, and every step of a run."),
    },
    "Hypergraph files": {
        "describe": Late("describe", "describe", "Summarize a hypergraph file: counts, sizes, weights."),
        "convert": Late("convert", "convert", "Read a hypergraph in one format and write it in another."),
    },
}

app = typer.Typer(
    name="hyloop",
    cls=late_group(COMMANDS),
    help="""Hypergraph algorithms as the exact weights of a looped transformer: run, shown, checked and proved.

    Examples:
      hyloop run dijkstra examples/harbour.hif.json --source Quay
      hyloop view dijkstra examples/harbour.hif.json --source Quay
      hyloop run --help
    """,
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,  # own help (`cli.help`), and errors as plain sentences
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hyloop {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """Run the command line; a user's error is a sentence, never a traceback."""
    warnings.showwarning = lambda message, *_, **__: complain("Warning", str(message))
    _prepare_streams()
    _let_long_integers_be_written()
    _require_completion()
    try:
        app(prog_name="hyloop")
    except KeyboardInterrupt:
        complain("Stopped", "interrupted.")
        sys.exit(INTERRUPTED)
    except (HyloopError, HyloopWarning) as error:
        _give_up(str(error))
    except MemoryError:
        _give_up("there is not enough memory for this.")
    except OSError as error:
        _discard_output(error)
        _give_up(_told(error))
    except Exception:  # noqa: BLE001  (ours, or of a library: its status is not that of a check that failed)
        sys.excepthook(*sys.exc_info())
        complain("Defect", "this is a mistake of hyloop's, or of a library that it uses; please report it.")
        sys.exit(DEFECT)
    finally:
        _flush()


def _told(error: OSError) -> str:
    what = "the output cannot be written" if error.filename is None else str(error.filename)
    closed = error.filename is None and error.errno == errno.EBADF
    return f"{what}: {'standard output is closed' if closed else error.strerror or error}."


def _require_completion() -> None:
    """Bash passes the words to complete in two variables; without them typer would end with a traceback."""
    words, place = os.environ.get("COMP_WORDS"), os.environ.get("COMP_CWORD", "")
    if os.environ.get("_HYLOOP_COMPLETE") == "complete_bash" and (words is None or not place.isdecimal()):
        _give_up("_HYLOOP_COMPLETE is for a shell that completes a command, with COMP_WORDS and COMP_CWORD: unset it.")


def _prepare_streams() -> None:
    """Characters that a terminal cannot show are replaced, and a closed pipe ends the command silently."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_WRONLY), encoding="utf-8")  # cannot be read
    if sys.stdout is None:
        _occupy_output()
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # cannot be written
    if isinstance(sys.stdout, TextIOWrapper) and isinstance(sys.stdout.buffer, RawIOBase):
        # PYTHONUNBUFFERED: what a disk that is nearly full does not take of a write would be lost in silence.
        encoding = sys.stdout.encoding
        raw: Any = sys.stdout.detach()
        sys.stdout = TextIOWrapper(BufferedWriter(raw), encoding, line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _let_long_integers_be_written() -> None:
    """Take back a setting of the environment that lets Python write fewer digits than an integer label may have."""
    if 0 < sys.get_int_max_str_digits() < sys.int_info.default_max_str_digits:
        sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)


def _occupy_output() -> None:
    """Give the number of the closed standard output to a folder, lest /dev/stdout be the next file that is opened."""
    with suppress(OSError):  # Windows opens no folders
        os.open(os.curdir, os.O_RDONLY)


def _give_up(message: str) -> NoReturn:
    complain("Error", message)
    sys.exit(MISTAKE)


def _flush() -> None:
    """Flush now: a full disk is an error like any other, and Python must not flush again at exit."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _discard_output(error)
        _give_up(_told(error))


def _discard_output(error: OSError) -> None:
    """Send what is left of an output that cannot be written nowhere, so that this is told once."""
    if error.filename is None:
        with suppress(OSError):  # a stream without a number
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
