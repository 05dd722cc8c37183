"""`hyloop prove`: its options. What it does is in `proving`, which takes a moment to import."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from hyloop.cli.compile import Heads, Precision, Rows, Schedule, Weight, model_for, require_model_name
from hyloop.cli.files import Json, Quiet
from hyloop.cli.help import OUTPUT
from hyloop.cli.run import Edited, Which
from hyloop.errors import HyloopError
from hyloop.hypergraph import HyloopWarning

MUTANTS = "Mutants"
ZEROS = 300
PROCESSES = 2


def prove(
    algorithm: Which,
    recheck: Annotated[bool, typer.Option("--recheck", help="Ask a second solver, cvc5, too.")] = False,
    edited: Edited = False,
    rows: Rows = None,
    weight: Weight = None,
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
    mutate: Annotated[
        bool,
        typer.Option("--mutate", help="Decide every model with one weight changed.", rich_help_panel=MUTANTS),
    ] = False,
    zeros: Annotated[
        int | None,
        typer.Option(
            "--zeros",
            min=0,
            metavar="N",
            help=f"So many weights that are 0, set to 1 (default: {ZEROS}).",
            rich_help_panel=MUTANTS,
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", min=1, metavar="N", help="Only so many mutants, drawn by chance.", rich_help_panel=MUTANTS
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            min=1,
            metavar="N",
            help=f"How many run at a time (default: {PROCESSES}).",
            rich_help_panel=MUTANTS,
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, metavar="N", hidden=True)] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="If proved, write a copy of the model that says so.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    smt: Annotated[
        Path | None,
        typer.Option(
            "--smt", metavar="FOLDER", help="Write each obligation as an SMT-LIB file.", rich_help_panel=OUTPUT
        ),
    ] = None,
    counterexample: Annotated[
        str | None,
        typer.Option(
            "--counterexample",
            metavar="FILE",
            help="Write the hypergraph that refutes it, if any.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Prove with an SMT solver that a model does what its program says, for every hypergraph within its capacity.

    Where that fails, the solver's row and, if one is found, a small hypergraph show why; the exit status is 1.

    Examples:
      hyloop prove dijkstra
      hyloop prove model.safetensors --edited --counterexample bad.hif.json
      hyloop prove dijkstra --mutate --processes 4
    """
    processes = processes or workers  # --workers is what --processes was called
    if target is not None:
        require_model_name(target)
    if mutate and (smt, target, counterexample, recheck) != (None, None, None, False):
        raise HyloopError("--mutate decides mutants only: leave out --smt, --recheck, --output and --counterexample.")
    if not mutate and (zeros, sample, processes) != (None, None, None):
        raise HyloopError("--zeros, --sample and --processes go with --mutate.")
    from hyloop.cli import proving

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HyloopWarning)  # that it is unverified: it is being verified
        model = model_for(algorithm, rows, weight, precision, heads, schedule, edited=edited)
    if mutate:
        zeros = ZEROS if zeros is None else zeros
        proving.decide_mutants(model, zeros, sample, processes or PROCESSES, json=json, quiet=quiet)
    else:
        wanted = proving.Wanted(algorithm, smt, target, counterexample, recheck, edited, json, quiet)
        proving.prove_and_tell(model, wanted)
