"""The command `hyloop`. Tables and progress for people, `--json` for programs.

Exit status: 0 done, 1 a check found a difference, 2 a mistake in what was asked or given, 130 interrupted.
"""

from __future__ import annotations

import sys
import warnings
from typing import Annotated

import typer

from hyloop._version import __version__
from hyloop.cli import files, paper, run
from hyloop.cli.show import complain
from hyloop.errors import HyloopError

app = typer.Typer(
    name="hyloop",
    help="Hypergraph algorithms as the exact weights of a looped transformer: run, shown and checked.",
    epilog="Try: hyloop run dijkstra examples/harbour.hif.json --source Quay",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("algorithms")(run.algorithms)
app.command("program")(run.program)
app.command("new")(run.new)
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
    try:
        app()
    except HyloopError as error:
        complain("Error", str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        complain("Stopped", "interrupted.")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
