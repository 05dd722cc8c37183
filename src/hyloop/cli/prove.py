"""`hyloop prove`: its options. What it does is in `proving`, which takes a moment to import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hyloop.cli.compile import Edited, Heads, Precision, Rows, Schedule, Weight, WhichOrModel, model_for
from hyloop.cli.files import Json
from hyloop.cli.run import Quiet
from hyloop.errors import HyloopError


def prove(
    algorithm: WhichOrModel,
    smt: Annotated[
        Path | None, typer.Option("--smt", metavar="DIR", help="Write each obligation as an SMT-LIB file.")
    ] = None,
    recheck: Annotated[bool, typer.Option("--recheck", help="Ask a second solver, cvc5, too.")] = False,
    target: Annotated[
        str | None, typer.Option("--output", "-o", help="If proved, write a copy of the model that says so.")
    ] = None,
    counterexample: Annotated[
        str | None,
        typer.Option("--counterexample", metavar="FILE", help="Write the hypergraph that refutes it, if any."),
    ] = None,
    mutate: Annotated[bool, typer.Option("--mutate", help="Decide every model with one weight changed.")] = False,
    zeros: Annotated[
        int | None, typer.Option(min=0, help="With --mutate: so many weights that are 0, set to 1 (default 300).")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="With --mutate: only so many mutants, drawn by chance.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="With --mutate: processes (default 2).")] = None,
    rows: Rows = None,
    weight: Weight = None,
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
    edited: Edited = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Prove with an SMT solver that a model does what its program says, for every hypergraph within its capacity.

    Where that fails, the solver's row and, if one is found, a small hypergraph show why; the exit status is 1.

    Example: hyloop prove dijkstra
    """
    if target is not None and not target.endswith(".safetensors"):
        raise HyloopError(f"A model file ends in .safetensors; {target} does not.")
    if mutate and (smt, target, counterexample, recheck) != (None, None, None, False):
        raise HyloopError("--mutate decides mutants only: leave out --smt, --recheck, --output and --counterexample.")
    if not mutate and (zeros, sample, workers) != (None, None, None):
        raise HyloopError("--zeros, --sample and --workers go with --mutate.")
    from hyloop.cli import proving  # noqa: PLC0415  (whoever proves nothing need not wait for it)

    model = model_for(algorithm, rows, weight, precision, heads, schedule, edited=edited)
    if mutate:
        proving.decide_mutants(model, 300 if zeros is None else zeros, sample, workers or 2, json=json, quiet=quiet)
    else:
        wanted = proving.Wanted(algorithm, smt, target, counterexample, recheck, edited, json, quiet)
        proving.prove_and_tell(model, wanted)
