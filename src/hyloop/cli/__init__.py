"""The command `hyloop`. Tables and progress for people, `--json` for programs.

Exit status: 0 done, 1 a check found a difference or a proof failed, 2 a mistake in what was asked or given,
130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from hyloop._version import __version__
from hyloop.cli import compile, files, paper, prove, run  # noqa: A004
from hyloop.cli.show import complain
from hyloop.errors import HyloopError
from hyloop.hypergraph import HyloopWarning

app = typer.Typer(
    name="hyloop",
    help="Hypergraph algorithms as the exact weights of a looped transformer: run, shown, checked and proved.",
    epilog="Try: hyloop run dijkstra examples/harbour.hif.json --source Quay",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("algorithms")(run.algorithms)
app.command("program")(run.program)
app.command("new")(run.new)
app.command("compile")(compile.compile_command)
app.command("info")(compile.info)
app.command("check")(compile.check)
app.command("prove")(prove.prove)
app.command("describe")(files.describe)
app.command("convert")(files.convert)
app.add_typer(paper.app, name="paper")


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
    """Run the command line; a user's mistake is a sentence, never a traceback."""
    warnings.showwarning = lambda message, *_, **__: complain("Warning", str(message))
    _prepare_streams()
    try:
        app()
    except KeyboardInterrupt:
        complain("Stopped", "interrupted.")
        sys.exit(130)
    except (HyloopError, HyloopWarning) as error:
        _give_up(str(error))
    except MemoryError:
        _give_up("there is not enough memory for this.")
    except OSError as error:
        _give_up(f"the output cannot be written: {error.strerror or error}.")
    finally:
        _flush()


def _prepare_streams() -> None:
    """What a terminal cannot show is replaced, and a closed pipe ends the command without a word."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _give_up(message: str) -> NoReturn:
    complain("Error", message)
    sys.exit(2)


def _flush() -> None:
    """Write what is left now; a full disk is an error like any other, and Python must not try again at its end."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _give_up(f"the output cannot be written: {error.strerror or error}.")
